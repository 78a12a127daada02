  /* Which source is earlier: a row for each that is later, a column for each that is earlier. */
  const MOST = 12;
  /* All pairs of the scan, as far as only relations are filtered; else those of this page. Each row is a pair's sources, whether left is known to be earlier, and how many such pairs there are. */
  function countedPairs() {
    if (isNarrowed()) return passing.map((pair) => [documents.source[pairs.left[pair]], documents.source[pairs.right[pair]], isDirected(pair), 1]);
    const { cells, outside } = data.counted, rows = [];
    for (let n = 0; n < cells.length; n += 5) if (filters.relations.has(cells[n + 2])) rows.push([cells[n], cells[n + 1], cells[n + 3] === 1, cells[n + 4]]);
    for (let n = 0; n < outside.length; n += 3) if (filters.relations.has(outside[n])) rows.push([-1, -1, outside[n + 1] === 1, outside[n + 2]]);
    return rows;
  }
  function showSources() {
    const box = section("sources").querySelector(".scroll"), note = section("sources").querySelector(".note");
    const rows = countedPairs();
    const add = (map, key, by) => map.set(key, (map.get(key) || 0) + by);
    const total = (some) => some.reduce((sum, row) => sum + row[3], 0);
    const symmetric = !rows.some((row) => row[2]);
    const counted = symmetric ? rows : rows.filter((row) => row[2]);
    const sums = new Map(), cells = new Map();
    for (const [from, to, , n] of counted) {
      if (from < 0) continue;
      add(sums, from, n);
      if (to !== from) add(sums, to, n);
      add(cells, `${to},${from}`, n);
      if (symmetric && to !== from) add(cells, `${from},${to}`, n);
    }
    const ranked = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([source]) => source);
    const some = ranked.slice(0, MOST);
    const left = ranked.length - some.length + (isNarrowed() ? 0 : data.counted.more);
    const out = total(rows) - total(counted);
    const parts = [symmetric ? "Nobody knows who was first: dates are missing, equal, or of one day." : strongest(cells, some)];
    if (data.counted.pairs > nPairs) parts.push(isNarrowed() ? `Only pairs on this page are counted: ${count(nPairs, "pair")} of ${data.counted.pairs.toLocaleString("en")}.` : `All ${count(total(rows), "pair")} of the scan are counted, also those that are not on this page.`);
    if (left > 0) parts.push(`The ${MOST} sources with most pairs; ${left.toLocaleString("en")} more are not in the table.`);
    if (out > 0) parts.push(`${count(out, "pair")} ${out === 1 ? "is" : "are"} not counted: times do not tell which document is earlier.`);
    note.textContent = counted.length ? parts.filter(Boolean).join(" ") : "No pairs to count.";
    box.replaceChildren(...(counted.length ? [matrix(some, cells, symmetric)] : []));
  }
  function cellName(from, to, symmetric) { return symmetric ? `${named(to)} and ${named(from)}` : `${named(to)} later than ${named(from)}`; }
  function strongest(cells, some) {
    let best = null;
    for (const to of some) for (const from of some) {
      const n = cells.get(`${to},${from}`) || 0;
      if (to !== from && n && (!best || n > best[0])) best = [n, to, from];
    }
    return best ? `Most often \u2068${named(best[1])}\u2069 is later than \u2068${named(best[2])}\u2069: ${count(best[0], "pair")}.` : "Both documents of each pair are from one source.";
  }
  function matrix(some, cells, symmetric) {
    const most = Math.max(...some.flatMap((to) => some.map((from) => cells.get(`${to},${from}`) || 0)), 1);
    const header = (scope, source) => {
      const element = make("th", "", own(named(source)));
      element.scope = scope;
      element.title = named(source);
      return element;
    };
    const corner = make("th", "corner", symmetric ? "" : "later ↓ earlier →");
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
          button.title = `${cellName(from, to, symmetric)}: ${count(n, "pair")}`;
          button.setAttribute("aria-label", button.title);
          button.style.setProperty("--strength", Math.sqrt(n / most).toFixed(3));
          button.addEventListener("click", () => { filters.cell = [from, to, symmetric]; showFilters(); section("pairs").scrollIntoView(); });
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
