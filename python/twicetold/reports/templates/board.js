  /* A drawing on a canvas that can be zoomed, moved and walked through, with mouse, finger and keys.
     A page's own drawing has draw, nearest, choose, go and step. */
  class Board {
    constructor(canvas, margin, size) {
      this.canvas = canvas;
      this.margin = margin;
      this.size = size;
      this.least = 4;
      this.section = canvas.closest(".plot");
      this.output = this.section.querySelector("output");
      this.chosen = -1;
      this.showAll();
      Board.every.push(this);
    }
    showAll() { this.view = [0, 0, this.size[0], this.size[1]]; }
    resize() {
      const box = this.canvas.getBoundingClientRect();
      if (!box.width) return;
      this.ratio = devicePixelRatio || 1;
      this.width = box.width - 2;
      this.height = box.height - 2;
      this.canvas.width = Math.round(this.width * this.ratio);
      this.canvas.height = Math.round(this.height * this.ratio);
      this.draw();
    }
    scale() {
      const [x0, y0, x1, y1] = this.view;
      return [
        (this.width - this.margin.left - this.margin.right) / (x1 - x0),
        (this.height - this.margin.top - this.margin.bottom) / (y1 - y0),
      ];
    }
    x(left) { return this.margin.left + (left - this.view[0]) * this.scale()[0]; }
    y(right) { return this.margin.top + (right - this.view[1]) * this.scale()[1]; }
    place(event) {
      const box = this.canvas.getBoundingClientRect();
      const [sx, sy] = this.scale();
      const px = event.clientX - box.left - 1, py = event.clientY - box.top - 1;
      return { px, py, left: this.view[0] + (px - this.margin.left) / sx, right: this.view[1] + (py - this.margin.top) / sy };
    }
    later() {
      if (this.waiting) return;
      this.waiting = true;
      requestAnimationFrame(() => { this.waiting = false; this.draw(); });
    }
    /* The colours of the page, or of paper. */
    colour(name, printed) {
      return this.printing ? printed : getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    }
    clip(context) {
      const { left, top, right, bottom } = this.margin;
      context.beginPath();
      context.rect(left, top, this.width - left - right, this.height - top - bottom);
      context.clip();
    }
    zoom(factor, left, right) {
      const [x0, y0, x1, y1] = this.view;
      left = left ?? (x0 + x1) / 2;
      right = right ?? (y0 + y1) / 2;
      this.look(left - (left - x0) * factor, right - (right - y0) * factor, left + (x1 - left) * factor, right + (y1 - right) * factor);
    }
    look(x0, y0, x1, y1) {
      const fit = (low, high, size) => {
        const length = Math.min(Math.max(high - low, Math.min(this.least, size)), size);
        const start = Math.min(Math.max((low + high - length) / 2, 0), size - length);
        return [start, start + length];
      };
      [x0, x1] = fit(x0, x1, this.size[0]);
      [y0, y1] = fit(y0, y1, this.size[1]);
      this.view = [x0, y0, x1, y1];
      this.later();
    }
    move(dx, dy) {
      const [x0, y0, x1, y1] = this.view;
      this.look(x0 + dx, y0 + dy, x1 + dx, y1 + dy);
    }
    isWhole() { return this.view[2] - this.view[0] >= this.size[0] && this.view[3] - this.view[1] >= this.size[1]; }
    listen() {
      this.listenToPointer();
      const canvas = this.canvas;
      canvas.addEventListener("wheel", (event) => {
        if (event.deltaY > 0 && this.isWhole()) return;
        event.preventDefault();
        const at = this.place(event);
        this.zoom(event.deltaY > 0 ? 1.25 : 0.8, at.left, at.right);
      }, { passive: false });
      canvas.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const dx = (this.view[2] - this.view[0]) / 8, dy = (this.view[3] - this.view[1]) / 8;
        const acts = {
          "+": () => this.zoom(0.7), "=": () => this.zoom(0.7), "-": () => this.zoom(1.4), "0": () => { this.showAll(); this.later(); },
          ArrowLeft: () => this.move(-dx, 0), ArrowRight: () => this.move(dx, 0), ArrowUp: () => this.move(0, -dy), ArrowDown: () => this.move(0, dy),
          n: () => this.step(1), p: () => this.step(-1), Enter: () => this.go(true),
        };
        const act = acts[event.key] || acts[event.key.toLowerCase()];
        if (!act) return;
        event.preventDefault();
        act();
      });
      for (const button of all("[data-zoom]", this.section)) {
        button.addEventListener("click", () => {
          if (button.dataset.zoom === "all") { this.showAll(); this.later(); } else this.zoom(button.dataset.zoom === "in" ? 0.7 : 1.4);
        });
      }
    }
    listenToPointer() {
      const canvas = this.canvas;
      let drag = null;
      canvas.addEventListener("pointermove", (event) => {
        if (drag && event.buttons) {
          const [sx, sy] = this.scale();
          const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
          if (drag.moved || Math.hypot(dx, dy) > 4) {
            drag.moved = true;
            canvas.classList.add("dragging");
            this.look(drag.view[0] - dx / sx, drag.view[1] - dy / sy, drag.view[2] - dx / sx, drag.view[3] - dy / sy);
          }
          return;
        }
        this.choose(this.nearest(event));
      });
      canvas.addEventListener("pointerdown", (event) => {
        drag = { x: event.clientX, y: event.clientY, view: [...this.view], moved: false };
        if (event.pointerType === "mouse") canvas.setPointerCapture(event.pointerId);
      });
      canvas.addEventListener("pointerup", (event) => {
        const moved = drag && drag.moved;
        drag = null;
        canvas.classList.remove("dragging");
        if (moved) return;
        const found = this.nearest(event);
        if (found < 0) return;
        const again = found === this.chosen;
        this.choose(found);
        /* A finger cannot hover: the first touch shows, the second goes there. */
        if (event.pointerType === "mouse" || again) this.go(false);
      });
      canvas.addEventListener("pointercancel", () => { drag = null; canvas.classList.remove("dragging"); });
    }
  }
  Board.every = [];
  addEventListener("resize", () => { for (const board of Board.every) board.resize(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { for (const board of Board.every) board.draw(); });
  for (const [name, printing] of [["beforeprint", true], ["afterprint", false]]) {
    addEventListener(name, () => {
      for (const board of Board.every) { board.printing = printing; board.resize(); }
    });
  }
