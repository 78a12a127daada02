  /* Links between the two texts, and the dotplot. */

  /* Tabs: one document of the right at a time. */
  const tabs = all("[role=tab]");
  const shownPart = [];
  function showPart(part) {
    for (const element of all(".part")) element.hidden = Number(element.dataset.part) !== part;
    for (const tab of tabs) {
      const chosen = Number(tab.dataset.part) === part;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    if (plots[part]) plots[part].resize();
    for (const act of shownPart) act();
  }
  for (const tab of tabs) {
    tab.addEventListener("click", () => showPart(Number(tab.dataset.part)));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = (tabs.indexOf(tab) + step + tabs.length) % tabs.length;
      showPart(next);
      tabs[next].focus();
      event.preventDefault();
    });
  }

  /* Texts: a passage leads to its partner on the other side. */
  let flashed = null;
  function centre(pane, element, again = 4) {
    const box = element.getBoundingClientRect();
    const own = pane.getBoundingClientRect();
    const off = box.top - own.top - (pane.clientHeight - Math.min(box.height, pane.clientHeight)) / 2;
    pane.scrollTop += off;
    const now = element.getBoundingClientRect();
    if (now.top < 40 || now.bottom > innerHeight - 40) scrollBy(0, (now.top + now.bottom - innerHeight) / 2);
    /* What was never laid out has a guessed height: look again. */
    if (again) requestAnimationFrame(() => centre(pane, element, again - 1));
  }
  function reveal(element, focus) {
    const part = element.closest(".part");
    if (part && part.hidden) showPart(Number(part.dataset.part));
    const pane = element.closest(".text");
    centre(pane, element);
    if (flashed) flashed.classList.remove("flash");
    flashed = element;
    void element.offsetWidth;
    element.classList.add("flash");
    if (focus) element.focus({ preventScroll: true });
  }
  /* The best partner, or of several documents the one in the document that is shown. */
  function partner(link) {
    const names = [link.getAttribute("href").slice(1), ...(link.dataset.also || "").split(" ")];
    const found = names.map((name) => document.getElementById(name)).filter((each) => each);
    return found.find((each) => !each.closest(".part[hidden]")) || found[0];
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest ? event.target.closest("a.m, a.also") : null;
    if (!link) return;
    const other = partner(link);
    if (!other) return;
    event.preventDefault();
    reveal(other, event.detail === 0);
  });
  for (const chip of all("a.chip")) {
    chip.addEventListener("click", (event) => {
      event.preventDefault();
      reveal(document.getElementById(chip.dataset.there), false);
      reveal(document.getElementById(chip.getAttribute("href").slice(1)), event.detail === 0);
    });
  }
  const same = [];
  function mark(link) {
    while (same.length) same.pop().classList.remove("same");
    if (!link) return;
    for (const element of all(`a.m[data-n="${Number(link.dataset.n)}"]`)) {
      element.classList.add("same");
      same.push(element);
    }
  }
  for (const kind of ["mouseover", "focusin"]) {
    document.addEventListener(kind, (event) => {
      const link = event.target.closest ? event.target.closest("a.m, a.also") : null;
      if (link) mark(link);
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("canvas, button")) return;
    const step = { n: 1, p: -1 }[event.key.toLowerCase()];
    if (!step) return;
    const pane = event.target.closest(".text") || document.querySelector(".left .text");
    const stops = all("a.m.first", pane);
    if (!stops.length) return;
    const here = document.activeElement.closest ? document.activeElement.closest("a.m") : null;
    let at = -1;
    if (here && pane.contains(here)) {
      at = stops.findIndex((stop) => stop === here || here.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING);
      if (at < 0) at = stops.length;
      if (stops[at] !== here && step > 0) at -= 1;
    }
    const next = stops[Math.max(0, Math.min(stops.length - 1, at + step))];
    reveal(next, true);
  });

  /* Sentences, from the texts on the page. */
  const texts = new Map();
  function sentence(part, number) {
    const key = part === null ? "left" : part;
    if (!texts.has(key)) {
      const pane = document.querySelector(part === null ? ".left .text" : `#part-${part} .text`);
      texts.set(key, pane.textContent);
    }
    const ends = part === null ? data.left : data.parts[part].right;
    const text = texts.get(key).slice(ends[2 * number], ends[2 * number + 1]).replace(/\s+/g, " ");
    return text.length > 420 ? text.slice(0, 400) + " …" : text;
  }

  /* The dotplot: dots are sorted by their place in left, and found by halving. */
  const MARGIN = { left: 46, top: 24, right: 10, bottom: 10 };
  class Plot extends Board {
    constructor(canvas) {
      const part = Number(canvas.dataset.part);
      super(canvas, MARGIN, [Math.max(data.left.length / 2, 1), Math.max(data.parts[part].right.length / 2, 1)]);
      this.part = part;
      const flat = data.parts[this.part].dots;
      this.n = flat.length / 4;
      this.lefts = new Uint32Array(this.n);
      this.rights = new Uint32Array(this.n);
      this.scores = new Uint8Array(this.n);
      this.colours = new Uint8Array(this.n);
      for (let k = 0; k < this.n; k++) {
        this.lefts[k] = flat[4 * k];
        this.rights[k] = flat[4 * k + 1];
        this.scores[k] = flat[4 * k + 2];
        this.colours[k] = flat[4 * k + 3];
      }
      this.listen();
      this.resize();
    }
    from(left) {
      let low = 0, high = this.n;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.lefts[middle] < left) low = middle + 1; else high = middle;
      }
      return low;
    }
    draw() {
      if (!this.width) return;
      const context = this.canvas.getContext("2d");
      const ink = this.colour("--soft", "#333"), line = this.colour("--line", "#ccc"), light = this.colour("--dot", "40%");
      context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      context.clearRect(0, 0, this.width, this.height);
      this.drawAxes(context, ink, line);
      const [x0, y0, x1, y1] = this.view;
      const [sx, sy] = this.scale();
      const w = Math.max(Math.min(sx * 0.84, 26), 2.2), h = Math.max(Math.min(sy * 0.84, 26), 2.2);
      const fills = COLOURS.map((hue) => `hsl(${hue} 70% ${light})`);
      context.save();
      this.clip(context);
      let painted = -1;
      for (let k = this.from(Math.floor(x0)); k < this.n && this.lefts[k] <= x1; k++) {
        const right = this.rights[k];
        if (right + 1 < y0 || right > y1) continue;
        if (this.colours[k] !== painted) {
          painted = this.colours[k];
          context.fillStyle = fills[painted];
        }
        context.globalAlpha = 0.35 + 0.65 * this.scores[k] / 100;
        const cx = MARGIN.left + (this.lefts[k] + 0.5 - x0) * sx, cy = MARGIN.top + (right + 0.5 - y0) * sy;
        context.fillRect(cx - w / 2, cy - h / 2, w, h);
      }
      context.globalAlpha = 1;
      if (this.chosen >= 0) {
        context.strokeStyle = this.colour("--accent", "#000");
        context.lineWidth = 2;
        const cx = this.x(this.lefts[this.chosen] + 0.5), cy = this.y(this.rights[this.chosen] + 0.5);
        context.strokeRect(cx - w / 2 - 3, cy - h / 2 - 3, w + 6, h + 6);
        context.lineWidth = 0.5;
        context.beginPath();
        context.moveTo(MARGIN.left, cy); context.lineTo(this.width, cy);
        context.moveTo(cx, MARGIN.top); context.lineTo(cx, this.height);
        context.stroke();
      }
      context.restore();
    }
    drawAxes(context, ink, line) {
      context.font = "11px system-ui, sans-serif";
      context.fillStyle = ink;
      context.strokeStyle = line;
      context.lineWidth = 1;
      const step = (length, room) => {
        const rough = Math.max(length / Math.max(room, 1), 1);
        const power = 10 ** Math.floor(Math.log10(rough));
        return [1, 2, 5, 10].map((k) => k * power).find((each) => each >= rough);
      };
      const [x0, y0, x1, y1] = this.view;
      context.textAlign = "center";
      const dx = step(x1 - x0, this.width / 70), dy = step(y1 - y0, this.height / 40);
      context.beginPath();
      for (let n = Math.max(Math.ceil((x0 + 0.5) / dx) * dx, 1); n <= Math.min(x1 + 0.5, this.size[0]); n += dx) {
        const at = this.x(n - 0.5);
        context.moveTo(at, MARGIN.top); context.lineTo(at, this.height - MARGIN.bottom);
        context.fillText(n.toLocaleString("en"), at, MARGIN.top - 8);
      }
      context.textAlign = "right";
      for (let n = Math.max(Math.ceil((y0 + 0.5) / dy) * dy, 1); n <= Math.min(y1 + 0.5, this.size[1]); n += dy) {
        const at = this.y(n - 0.5);
        context.moveTo(MARGIN.left, at); context.lineTo(this.width - MARGIN.right, at);
        context.fillText(n.toLocaleString("en"), MARGIN.left - 6, at + 4);
      }
      context.stroke();
      context.strokeRect(MARGIN.left, MARGIN.top, this.width - MARGIN.left - MARGIN.right, this.height - MARGIN.top - MARGIN.bottom);
    }
    nearest(event) {
      const at = this.place(event);
      const [sx, sy] = this.scale();
      const reach = 14;
      const rx = Math.max(reach / sx, 0.5), ry = Math.max(reach / sy, 0.5);
      let best = -1, least = Infinity;
      for (let k = this.from(Math.floor(at.left - 0.5 - rx)); k < this.n && this.lefts[k] <= at.left + rx; k++) {
        const dx = (this.lefts[k] + 0.5 - at.left) * sx, dy = (this.rights[k] + 0.5 - at.right) * sy;
        if (Math.abs(dy) > Math.max(reach, sy / 2) || Math.abs(dx) > Math.max(reach, sx / 2)) continue;
        const far = dx * dx + dy * dy;
        if (far < least) { least = far; best = k; }
      }
      return best;
    }
    choose(k) {
      if (k === this.chosen || k < 0) return;
      this.chosen = k;
      const left = this.lefts[k], right = this.rights[k];
      const write = (name, words) => {
        const element = make("p", name, words);
        element.dir = "auto";
        return element;
      };
      this.output.replaceChildren(
        write("who", `left, sentence ${left + 1}`), write("", sentence(null, left)),
        write("who", `right, sentence ${right + 1}, score ${this.scores[k]}%`), write("", sentence(this.part, right)),
      );
      this.later();
    }
    go(focus) {
      if (this.chosen < 0) return;
      const left = document.getElementById(`left-${this.lefts[this.chosen]}`);
      const right = document.getElementById(`right-${this.part}-${this.rights[this.chosen]}`);
      document.getElementById("texts").scrollIntoView({ block: "start" });
      if (left) reveal(left, focus);
      if (right) reveal(right, false);
    }
    step(by) {
      if (!this.n) return;
      this.choose(this.chosen < 0 ? 0 : Math.min(Math.max(this.chosen + by, 0), this.n - 1));
      const [x0, y0, x1, y1] = this.view;
      const left = this.lefts[this.chosen], right = this.rights[this.chosen];
      if (left < x0 || left >= x1 || right < y0 || right >= y1) this.move(left - (x0 + x1) / 2, right - (y0 + y1) / 2);
    }
    listen() {
      super.listen();
      for (const button of all("[data-box]", this.section)) {
        button.addEventListener("click", () => {
          const [l0, l1, r0, r1] = button.dataset.box.split(",").map(Number);
          const x = Math.max((l1 - l0 + 1) / 3, 2), y = Math.max((r1 - r0 + 1) / 3, 2);
          this.look(l0 - x, r0 - y, l1 + 1 + x, r1 + 1 + y);
          for (let k = this.from(Math.min(l0, l1)); k < this.n && this.lefts[k] <= l1; k++) {
            if (this.rights[k] >= r0 && this.rights[k] <= r1) { this.choose(k); break; }
          }
        });
      }
    }
  }
  const plots = all("canvas").map((canvas) => new Plot(canvas));
  showPart(0);
