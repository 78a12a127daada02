  /* Filters, and everything set going. */
  const form = section("filters");
  const boxes = data.relations.map((relation, number) => {
    const box = make("input", "");
    box.type = "checkbox";
    box.addEventListener("change", () => {
      if (box.checked) filters.relations.add(number); else filters.relations.delete(number);
      refresh();
    });
    const label = make("label", `check ${relation}`, box, ` ${relation} `, make("span", "about", many[number].toLocaleString("en")));
    label.hidden = !many[number];
    form.querySelector(".relations").append(label);
    return box;
  });
  const choice = (value, words) => {
    const option = make("option", "", words);
    option.value = value;
    return option;
  };
  const inUse = [...new Set(documents.source)].sort((a, b) => (named(a) < named(b) ? -1 : 1));
  section("source").append(choice(-1, "all"), ...inUse.map((source) => choice(source, named(source))));
  const bound = (id, by) => {
    const value = section(id).value;
    return value ? Date.parse(value) / 1000 + by : null;
  };
  function readFilters() {
    filters.source = Number(section("source").value);
    filters.least = Number(section("least").value) * 10;
    filters.from = bound("from", 0);
    filters.to = bound("to", 86400);
    filters.text = fold(section("text").value.trim());
    section("least-value").textContent = `${section("least").value}%`;
  }
  /* What was chosen by a click elsewhere is shown here, and can be taken back. */
  function showFilters() {
    boxes.forEach((box, number) => { box.checked = filters.relations.has(number); });
    const chip = (words, clear) => {
      const button = make("button", "", own(words), " ✕");
      button.type = "button";
      button.setAttribute("aria-label", `Show all, not only ${words}`);
      button.addEventListener("click", () => { clear(); showFilters(); });
      return button;
    };
    section("chosen").replaceChildren(
      ...(filters.cluster >= 0 ? [chip(`cluster of ${nameOf(data.clusters[filters.cluster].documents[0])}`, () => { filters.cluster = -1; })] : []),
      ...(filters.cell ? [chip(cellName(...filters.cell), () => { filters.cell = null; })] : []));
    if (section("chosen").children.length) openFilters(true);
    refresh();
  }
  let waiting = 0;
  form.addEventListener("input", (event) => {
    if (event.target.type === "checkbox") return;
    clearTimeout(waiting);
    waiting = setTimeout(() => { readFilters(); refresh(); }, event.target.id === "text" ? 180 : 30);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  /* At once: what is chosen next must not be lost to filters that are taken back later. */
  function reset() {
    clearTimeout(waiting);
    form.reset();
    filters = start();
    readFilters();
    showFilters();
  }
  section("unfiltered").addEventListener("click", reset);
  const filtering = section("filtering");
  function openFilters(open) {
    form.classList.toggle("open", open);
    filtering.setAttribute("aria-expanded", String(open));
  }
  // What a link of the bar leads to must not lie under it, however high it is by then.
  const bar = form.parentElement;
  new ResizeObserver(() => {
    document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`);
  }).observe(bar);
  filtering.addEventListener("click", () => openFilters(!form.classList.contains("open")));

  const graph = new Graph(document.querySelector("canvas"));
  views.push(() => graph.show());
  document.querySelector(".legend").append(...data.relations.filter((_, n) => many[n]).map((relation) =>
    make("span", `key ${relation}`, relation)));
  reset();
