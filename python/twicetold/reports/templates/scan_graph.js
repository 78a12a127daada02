  /* Documents in time: a lane for each source, a line for each pair. */
  const HUES = { identical: 325, "near-duplicate": 210, contained: 140, contains: 140, overlap: 40, version: 260, "same-form": 0 };
  const LANES = 9, WIDE = 1000, UNDATED = 120;
  class Graph extends Board {
    constructor(canvas) {
      super(canvas, { left: 110, top: 22, right: 14, bottom: 10 }, [WIDE, 1]);
      this.least = 0.5;
      this.nodes = [];
      this.listen();
      new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting)) this.resize(); }).observe(canvas);
    }
    /* Lanes are zoomed in time only. */
    look(x0, y0, x1) { super.look(x0, 0, x1, this.size[1]); }
    show() {
      const found = new Set();
      for (const pair of passing) { found.add(pairs.left[pair]); found.add(pairs.right[pair]); }
      this.nodes = [...found].sort(byTime);
      const many = new Map();
      for (const doc of this.nodes) many.set(documents.source[doc], (many.get(documents.source[doc]) || 0) + 1);
      const ranked = [...many].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([source]) => source);
      const apart = ranked.length > LANES + 1 ? ranked.slice(0, LANES) : ranked;
      this.lanes = apart.map((source) => named(source));
      if (apart.length < ranked.length) this.lanes.push(`${ranked.length - apart.length} others`);
      const lane = new Map(ranked.map((source, n) => [source, Math.min(n, apart.length)]));
      this.size = [WIDE, Math.max(this.lanes.length, 1)];
      this.setTimes();
      this.at = new Map(this.nodes.map((doc, n) => [doc, n]));
      this.xs = Float64Array.from(this.nodes, (doc, n) => this.timeToX(documents.time[doc], n));
      /* A document keeps its height in the lane whatever is filtered. */
      this.ys = Float64Array.from(this.nodes, (doc) => lane.get(documents.source[doc]) + 0.18 + 0.64 * ((doc * 0.618033988749895) % 1));
      this.chosen = -1;
      this.showAll();
      this.canvas.setAttribute("aria-label", `${count(this.nodes.length, "document")} by time and source, joined by ${count(passing.length, "pair")}`);
      this.output.replaceChildren(make("p", "note", this.nodes.length ? "Point at a document to see what it has to do with which; click to open it." : "No pairs to draw."));
      if (this.width) this.resize();
    }
    /* Long stretches without a document are drawn short: a time is a place between two others. */
    setTimes() {
      const times = this.nodes.map((doc) => documents.time[doc]).filter((time) => time !== null);
      this.undated = this.nodes.length - times.length;
      this.dated = times.length;
      this.from = this.undated && times.length ? UNDATED : 0;
      this.times = [...new Set(times)];
      const longest = Math.max((times[times.length - 1] - times[0]) / 20, 1);
      this.ways = [];
      this.gaps = [];
      let way = 0;
      this.times.forEach((time, n) => {
        const step = n ? time - this.times[n - 1] : 0;
        if (step > longest) this.gaps.push(n);
        way += Math.min(step, longest);
        this.ways.push(way);
      });
    }
    timeToX(time, n) {
      if (time === null) {
        const room = this.dated ? UNDATED * 0.8 : WIDE;
        return room * (n - this.dated + 0.5) / this.undated;
      }
      return this.wayToX(between(time, this.times, this.ways));
    }
    wayToX(way) {
      const whole = this.ways[this.ways.length - 1];
      return whole ? this.from + 12 + (WIDE - this.from - 24) * way / whole : (this.from + WIDE) / 2;
    }
    xToTime(x) {
      const whole = this.ways[this.ways.length - 1];
      return between((x - this.from - 12) / (WIDE - this.from - 24) * whole, this.ways, this.times);
    }
    draw() {
      if (!this.width || !this.lanes) return;
      this.margin.left = this.width < 500 ? 74 : 150;
      const context = this.canvas.getContext("2d");
      context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      context.clearRect(0, 0, this.width, this.height);
      this.drawLanes(context);
      context.save();
      this.clip(context);
      const light = this.colour("--dot", "40%");
      const near = new Set();
      context.lineWidth = 1.1;
      context.globalAlpha = Math.min(0.75, Math.max(0.05, 12 / Math.sqrt(passing.length + 1))) * (this.chosen >= 0 ? 0.45 : 1);
      const arrows = passing.length <= 150;
      for (const pair of passing) this.line(context, pair, light, arrows);
      if (this.chosen >= 0) {
        context.globalAlpha = 1;
        context.lineWidth = 1.8;
        const doc = this.nodes[this.chosen];
        for (const pair of pairsOf[doc]) {
          if (!this.at.has(pairs.left[pair]) || !this.at.has(pairs.right[pair]) || !passes(pair)) continue;
          near.add(pairs.left[pair]).add(pairs.right[pair]);
          this.line(context, pair, light, true);
        }
      }
      this.dots(context, near);
      context.restore();
    }
    dots(context, near) {
      const few = this.nodes.length < 400 ? 4.2 : this.nodes.length < 3000 ? 2.6 : 1.7;
      context.globalAlpha = 1;
      const ink = this.colour("--ink", "#000"), accent = this.colour("--accent", "#000");
      for (let n = 0; n < this.nodes.length; n++) {
        const x = this.x(this.xs[n]), y = this.y(this.ys[n]);
        if (x < 0 || x > this.width) continue;
        const isNear = near.has(this.nodes[n]);
        context.fillStyle = isNear ? accent : ink;
        context.beginPath();
        context.arc(x, y, n === this.chosen ? 7 : isNear ? Math.max(few, 4.5) : few, 0, 7);
        context.fill();
      }
    }
    line(context, pair, light, arrow) {
      const a = this.at.get(pairs.left[pair]), b = this.at.get(pairs.right[pair]);
      const x0 = this.x(this.xs[a]), y0 = this.y(this.ys[a]), x1 = this.x(this.xs[b]), y1 = this.y(this.ys[b]);
      if (Math.max(x0, x1) < 0 || Math.min(x0, x1) > this.width) return;
      const relation = relationOf(pair);
      context.strokeStyle = context.fillStyle = `hsl(${HUES[relation]} ${relation === "overlap" ? 45 : 65}% ${light})`;
      /* Neighbours in a lane are joined by a bow, so that the line does not run through others. */
      const bow = Math.min(Math.abs(x1 - x0) * 0.25, 30) * (Math.abs(y1 - y0) < 24 ? 1 : 0.25);
      const cx = (x0 + x1) / 2, cy = (y0 + y1) / 2 - bow;
      context.setLineDash(isDirected(pair) ? [] : [4, 3]);
      context.beginPath();
      context.moveTo(x0, y0);
      context.quadraticCurveTo(cx, cy, x1, y1);
      context.stroke();
      if (arrow && isDirected(pair)) this.arrow(context, cx, cy, x1, y1);
    }
    arrow(context, cx, cy, x, y) {
      const angle = Math.atan2(y - cy, x - cx), size = 7;
      const tipX = x - 5 * Math.cos(angle), tipY = y - 5 * Math.sin(angle);
      context.beginPath();
      context.moveTo(tipX, tipY);
      context.lineTo(tipX - size * Math.cos(angle - 0.45), tipY - size * Math.sin(angle - 0.45));
      context.lineTo(tipX - size * Math.cos(angle + 0.45), tipY - size * Math.sin(angle + 0.45));
      context.fill();
    }
    drawLanes(context) {
      const ink = this.colour("--soft", "#333"), line = this.colour("--line", "#ccc");
      context.font = "11px system-ui, sans-serif";
      context.fillStyle = ink;
      context.strokeStyle = line;
      context.lineWidth = 1;
      context.textAlign = "right";
      context.beginPath();
      this.lanes.forEach((name, n) => {
        const y = this.y(n);
        context.moveTo(0, y);
        context.lineTo(this.width, y);
        context.fillText(fitting(context, name, this.margin.left - 14), this.margin.left - 8, this.y(n + 0.5) + 4);
      });
      context.stroke();
      context.textAlign = "center";
      if (this.from) context.fillText("no date", this.x(UNDATED * 0.4), this.margin.top - 8);
      else if (!this.dated && this.nodes.length > 0) context.fillText("no dates: in the order of ids", this.x(WIDE / 2), this.margin.top - 8);
      if (this.dated) this.drawTimes(context);
    }
    drawTimes(context) {
      const low = this.xToTime(this.view[0]), high = this.xToTime(this.view[2]);
      const [sx] = this.scale();
      /* As many as would fit if no stretch were drawn short. */
      const seen = Math.max(this.ways.length > 1 ? (between(high, this.times, this.ways) - between(low, this.times, this.ways)) : 1, 1);
      const room = Math.min((this.view[2] - this.view[0]) * sx / 80 * (high - low) / seen, 4000);
      let before = -Infinity;
      context.beginPath();
      for (const [time, label] of ticks(low, high, room)) {
        const x = this.x(this.timeToX(time, 0));
        if (this.gaps.some((n) => this.times[n - 1] < time && time < this.times[n])) continue;
        if (x < this.margin.left + 30 || x > this.width - 30 || x - before < 76) continue;
        before = x;
        context.moveTo(x, this.margin.top);
        context.lineTo(x, this.height - this.margin.bottom);
        context.fillText(label, x, this.margin.top - 8);
      }
      context.stroke();
      context.save();
      context.setLineDash([2, 4]);
      context.beginPath();
      for (const n of this.gaps) {
        const x = this.x(this.wayToX((this.ways[n] + this.ways[n - 1]) / 2));
        if (x < this.margin.left) continue;
        context.moveTo(x, this.margin.top);
        context.lineTo(x, this.height - this.margin.bottom);
      }
      context.strokeStyle = context.fillStyle;
      context.stroke();
      context.restore();
    }
    nearest(event) {
      const at = this.place(event);
      let best = -1, least = 14 * 14;
      for (let n = 0; n < this.nodes.length; n++) {
        const dx = this.x(this.xs[n]) - at.px, dy = this.y(this.ys[n]) - at.py;
        const far = dx * dx + dy * dy;
        if (far < least) { least = far; best = n; }
      }
      return best;
    }
    choose(n) {
      if (n === this.chosen || n < 0) return;
      this.chosen = n;
      const doc = this.nodes[n];
      const mine = pairsOf[doc].filter(passes);
      const list = (found, words) => {
        const others = found.map((pair) => (pairs.left[pair] === doc ? pairs.right[pair] : pairs.left[pair]));
        if (!others.length) return null;
        const names = others.slice(0, 4).flatMap((other, k) => [k ? "; " : "", own(nameOf(other))]);
        return make("p", "", `${words} `, ...names, others.length > 4 ? ` and ${others.length - 4} more` : "");
      };
      const [earlier, after, others] = sidesOf(doc, mine);
      this.output.replaceChildren(make("p", "", own(nameOf(doc), "name"), " ", about(doc)),
        ...[list(earlier, "earlier in"), list(after, "later in"), list(others, "also in")].filter((each) => each));
      this.later();
    }
    go() { if (this.chosen >= 0) openReading("document", this.nodes[this.chosen]); }
    step(by) {
      if (!this.nodes.length) return;
      this.choose(this.chosen < 0 ? 0 : Math.min(Math.max(this.chosen + by, 0), this.nodes.length - 1));
      const [x0, , x1] = this.view, x = this.xs[this.chosen];
      if (x < x0 || x > x1) this.move(x - (x0 + x1) / 2, 0);
    }
  }
  /* Where a value lies, given where some others lie. */
  function between(value, from, to) {
    let low = 0, high = from.length - 1;
    if (value <= from[0]) return to[0];
    if (value >= from[high]) return to[high];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (from[middle] <= value) low = middle; else high = middle;
    }
    return to[low] + (to[high] - to[low]) * (value - from[low]) / (from[high] - from[low]);
  }
  function fitting(context, text, room) {
    if (context.measureText(text).width <= room) return text;
    let letters = [...text];
    while (letters.length && context.measureText(`${letters.join("")}…`).width > room) letters = letters.slice(0, Math.min(letters.length - 1, 40));
    return `${letters.join("")}…`;
  }
  /* Round times between two, not many more than there is room for: hours, days, months, years. */
  function ticks(low, high, room) {
    const found = [], length = Math.max(high - low, 1) / Math.max(room, 1);
    const small = [3600, 3 * 3600, 6 * 3600, 12 * 3600, 86400, 2 * 86400, 7 * 86400].find((step) => step >= length);
    if (small) {
      for (let time = Math.ceil(low / small) * small; time <= high; time += small) {
        const text = dateOf(time);
        found.push([time, small < 86400 && time % 86400 ? text.slice(-5) : text.slice(0, 10)]);
      }
      return found;
    }
    const months = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000].find((step) => step * 2629800 >= length) || 12000;
    const begin = new Date(low * 1000);
    for (let month = Math.floor((begin.getUTCFullYear() * 12 + begin.getUTCMonth()) / months) * months; ; month += months) {
      const date = new Date(0);
      date.setUTCFullYear(Math.floor(month / 12), month % 12, 1);
      const time = date.getTime() / 1000;
      if (!(time <= high)) return found;
      if (time >= low) found.push([time, dateOf(time).slice(0, months < 12 ? 7 : -6)]);
    }
  }
