/* The trees of two pages: links between nodes that hold matching sentences, and these sentences. */
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const MOST = 50;

  class Trees {
    constructor(section) {
      this.section = section;
      this.part = Number(section.dataset.part);
      const found = data.parts[this.part].trees;
      this.holders = { left: found.left, right: found.right };
      this.links = [];
      for (let k = 0; k < found.links.length; k += 3) {
        this.links.push({ left: found.links[k], right: found.links[k + 1], count: found.links[k + 2] });
      }
      this.svg = section.querySelector(".links");
      this.output = section.querySelector("output");
      this.nodes = { left: this.find("left"), right: this.find("right") };
      this.chosen = null;
      for (const node of all(".node", section)) node.style.setProperty("--shade", node.dataset.shade);
      this.listen();
    }
    find(side) {
      const nodes = new Map();
      for (const item of all(`.tree.${side} > li`, this.section)) {
        nodes.set(Number(item.dataset.node), item.firstElementChild);
      }
      return nodes;
    }
    listen() {
      const button = this.section.querySelector(".folding button");
      button.addEventListener("click", () => {
        const folded = this.section.classList.toggle("folded");
        button.setAttribute("aria-pressed", String(folded));
        this.draw();
      });
      for (const side of ["left", "right"]) {
        for (const [number, node] of this.nodes[side]) {
          if (node.classList.contains("matched")) node.addEventListener("click", () => this.choose(side, number));
        }
      }
    }
    draw() {
      const box = this.svg.getBoundingClientRect();
      if (!box.width) return;
      const paths = [];
      for (const link of this.links) {
        const from = this.nodes.left.get(link.left), to = this.nodes.right.get(link.right);
        if (!from || !to || !from.offsetParent || !to.offsetParent) continue;
        const a = from.getBoundingClientRect(), b = to.getBoundingClientRect();
        const x0 = a.right - box.left, y0 = a.top + a.height / 2 - box.top;
        const x1 = b.left - box.left, y1 = b.top + b.height / 2 - box.top;
        const bend = (x1 - x0) / 2;
        const path = document.createElementNS(SVG, "path");
        path.setAttribute("d", `M${x0},${y0} C${x0 + bend},${y0} ${x1 - bend},${y1} ${x1},${y1}`);
        path.setAttribute("stroke-width", String(Math.min(1 + link.count, 6)));
        if (this.chosen && link[this.chosen.side] === this.chosen.number) path.classList.add("chosen");
        paths.push(path);
      }
      this.svg.classList.toggle("choosing", this.chosen !== null);
      this.svg.replaceChildren(...paths);
    }
    choose(side, number) {
      for (const node of all(".node.chosen", this.section)) node.classList.remove("chosen");
      if (this.chosen && this.chosen.side === side && this.chosen.number === number) {
        this.chosen = null;
        this.output.replaceChildren();
      } else {
        this.chosen = { side, number };
        this.nodes[side].get(number).classList.add("chosen");
        this.show();
      }
      this.draw();
    }
    show() {
      const { side, number } = this.chosen;
      const flat = data.parts[this.part].dots;
      const list = document.createElement("ul");
      let found = 0;
      for (let k = 0; k < flat.length; k += 4) {
        const place = { left: flat[k], right: flat[k + 1] };
        if (this.holders[side][place[side]] !== number) continue;
        found += 1;
        if (found > MOST) continue;
        const item = document.createElement("li");
        item.append(this.quote("left", place.left), this.quote("right", place.right));
        list.append(item);
      }
      const note = document.createElement("p");
      note.className = "note";
      const more = found > MOST ? `, the first ${MOST} are shown` : "";
      note.textContent = `${found} ${found === 1 ? "pair" : "pairs"} of sentences match${more}; choose one to see it in its text.`;
      this.output.replaceChildren(note, list);
    }
    quote(side, number) {
      const button = document.createElement("button");
      button.type = "button";
      button.dir = "auto";
      button.textContent = sentence(side === "left" ? null : this.part, number);
      button.addEventListener("click", () => {
        const place = document.getElementById(side === "left" ? `left-${number}` : `right-${this.part}-${number}`);
        if (place) reveal(place, true);
      });
      return button;
    }
  }
  const trees = all(".trees").map((section) => new Trees(section));
  const draw = () => { for (const each of trees) each.draw(); };
  draw();
  shownPart.push(draw);
  addEventListener("resize", draw);
  addEventListener("beforeprint", draw);
  addEventListener("afterprint", draw);
})();
