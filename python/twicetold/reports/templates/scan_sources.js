  /* Who takes from whom: a row for each source that is later, a column for each that is earlier. */
  const MOST = 12;
  function showSources() {
    const box = section("sources").querySelector(".scroll"), note = section("sources").querySelector(".note");
    const directed = passing.filter(isDirected);
    const symmetric = !directed.length;
    const counted = symmetric ? passing : directed;
    const sums = new Map(), cells = new Map();
    const add = (map, key, by = 1) => map.set(key, (map.get(key) || 0) + by);
    for (const pair of counted) {
      const from = documents.source[pairs.left[pair]], to = documents.source[pairs.right[pair]];
      add(sums, from);
      if (to !== from) add(sums, to);
      add(cells, `${to},${from}`);
      if (symmetric && to !== from) add(cells, `${from},${to}`);
    }
    const ranked = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([source]) => source);
    const some = ranked.slice(0, MOST);
    const left = ranked.length - some.length, out = passing.length - counted.length;
    const parts = [symmetric && counted.length ? "There are no dates: nobody knows who was first." : strongest(cells, some)];
    if (left > 0) parts.push(`The ${MOST} sources with most pairs; ${left.toLocaleString("en")} more are not in the table.`);
    if (out > 0) parts.push(`${count(out, "pair")} without two dates ${out === 1 ? "is" : "are"} not counted.`);
    note.textContent = counted.length ? parts.filter(Boolean).join(" ") : "No pairs to count.";
    box.replaceChildren(...(counted.length ? [matrix(some, cells, symmetric)] : []));
  }
  const named = (source) => documents.sources[source] || "no source";
  function strongest(cells, some) {
    let best = null;
    for (const to of some) for (const from of some) {
      const n = cells.get(`${to},${from}`) || 0;
      if (to !== from && n && (!best || n > best[0])) best = [n, to, from];
    }
    return best ? `\u2068${named(best[1])}\u2069 takes most from \u2068${named(best[2])}\u2069: ${count(best[0], "pair")}.` : "Each source takes only from itself.";
  }
  function matrix(some, cells, symmetric) {
    const most = Math.max(...some.flatMap((to) => some.map((from) => cells.get(`${to},${from}`) || 0)), 1);
    const header = (scope, source) => {
      const element = make("th", "", own(named(source)));
      element.scope = scope;
      element.title = named(source);
      return element;
    };
    const corner = make("th", "corner", symmetric ? "" : "takes ↓ from →");
    const table = make("table", "matrix", make("thead", "", make("tr", "", corner, ...some.map((source) => header("col", source)))));
    const body = make("tbody", "");
    for (const to of some) {
      const row = make("tr", "", header("row", to));
      for (const from of some) {
        const n = cells.get(`${to},${from}`) || 0;
        const cell = make("td", to === from ? "same" : "");
        if (n) {
          const button = make("button", "", n.toLocaleString("en"));
          button.type = "button";
          button.title = `${named(to)} ${symmetric ? "with" : "from"} ${named(from)}: ${count(n, "pair")}`;
          button.setAttribute("aria-label", button.title);
          button.style.setProperty("--strength", Math.sqrt(n / most).toFixed(3));
          button.addEventListener("click", () => { filters.cell = [from, to]; showFilters(); section("pairs").scrollIntoView(); });
          cell.append(button);
        }
        row.append(cell);
      }
      body.append(row);
    }
    table.append(body);
    return table;
  }
  views.push(showSources);
