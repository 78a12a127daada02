  /* Documents, pairs, clusters and mosaics as lists. */
  const own = (text, name = "") => make("bdi", name, text);
  function about(doc) {
    const time = documents.time[doc];
    const parts = [own(sourceOf(doc)), time === null ? null : make("time", "", dateOf(time))].filter((part) => part !== null);
    return make("span", "about", ...parts.flatMap((part, n) => (n ? [" · ", part] : [part])));
  }
  function documentButton(doc, name = "document") {
    const button = make("button", name, own(nameOf(doc), "name"), about(doc));
    button.type = "button";
    button.addEventListener("click", () => openReading("document", doc));
    return button;
  }
  const sideOf = (doc) => make("span", "who", own(nameOf(doc), "name"), about(doc));
  function pairButton(pair, label = null) {
    const relation = relationOf(pair);
    const button = make("button", `pair ${relation}`,
      label === null ? null : make("span", "label", label),
      make("span", "score", percent(scoreOf(pair))),
      sideOf(pairs.left[pair]),
      make("span", "relation",
        make("span", "share", percent(pairs.there[pair]), " →"),
        make("span", "word", `${SIGNS[relation]} ${WORDS[relation]}`),
        make("span", "share", "← ", percent(pairs.back[pair]))),
      sideOf(pairs.right[pair]));
    button.type = "button";
    button.addEventListener("click", () => openReading("pair", pair));
    return button;
  }

  /* Pairs. */
  const section = (id) => document.getElementById(id);
  const gap = (pair) => (isDirected(pair) ? elapsed(...timesOf(pair)) : Infinity);
  const latest = (pair) => Math.max(...timesOf(pair).map((time) => time ?? -Infinity));
  const ORDERS = {
    strong: null,
    weak: (a, b) => scoreOf(a) - scoreOf(b) || b - a,
    new: (a, b) => latest(b) - latest(a) || a - b,
    old: (a, b) => (latest(a) === -Infinity) - (latest(b) === -Infinity) || latest(a) - latest(b) || a - b,
    quick: (a, b) => (gap(a) === gap(b) ? 0 : gap(a) - gap(b)) || a - b,
  };
  const showPairs = growing(section("pairs"), 25, 50, (pair) => make("li", "", pairButton(pair)), nPairs);
  let listed = [];
  function orderPairs() {
    const order = ORDERS[section("order").value];
    listed = order ? [...passing].sort(order) : passing;
    showPairs(listed);
  }
  section("order").addEventListener("change", orderPairs);
  views.push(orderPairs);

  /* Clusters. */
  const byTime = (a, b) => (documents.time[a] === null) - (documents.time[b] === null) || documents.time[a] - documents.time[b] || a - b;
  for (const cluster of data.clusters) cluster.documents.sort(byTime);
  function span(docs) {
    const times = docs.map((doc) => documents.time[doc]).filter((time) => time !== null);
    if (!times.length) return null;
    const [first, last] = [times[0], times[times.length - 1]].map((time) => dateOf(time).slice(0, 10));
    return first === last ? first : `${first} to ${last}`;
  }
  function describe(cluster) {
    const names = [...new Set(cluster.documents.map((doc) => documents.source[doc]))].filter((source) => source);
    const parts = [count(cluster.size, "document"), count(cluster.pairs, "pair")];
    if (names.length === 1) parts.push(data.sources[names[0]]);
    if (names.length > 1) parts.push(count(names.length, "source"));
    const when = span(cluster.documents);
    if (when) parts.push(when);
    if (cluster.apart) parts.push(`${count(cluster.apart, "couple")} of texts not joined directly`);
    return parts.join(" · ");
  }
  function bridgeRow([pair, left, right]) {
    return make("li", "", pairButton(pair, `Bridge: alone joins ${left.toLocaleString("en")} with ${right.toLocaleString("en")}`));
  }
  function clusterCard(number) {
    const cluster = data.clusters[number];
    const title = make("button", "title", own(nameOf(cluster.documents[0]), "name"), make("span", "about", describe(cluster)));
    const members = make("div", "members");
    members.hidden = true;
    title.type = "button";
    title.setAttribute("aria-expanded", "false");
    title.addEventListener("click", () => {
      if (!members.children.length) fillMembers(members, number);
      members.hidden = !members.hidden;
      title.setAttribute("aria-expanded", String(!members.hidden));
    });
    const links = make("ul", "links", make("li", "", pairButton(cluster.worst, cluster.pairs > 1 ? "Worst pair" : "The pair")));
    links.append(...cluster.bridges.slice(0, 3).map(bridgeRow));
    return make("li", "card cluster", title, links, members);
  }
  function fillMembers(members, number) {
    const cluster = data.clusters[number];
    const only = make("button", "only", "Only this cluster");
    only.type = "button";
    only.addEventListener("click", () => { filters.cluster = number; filters.relations = new Set(data.relations.keys()); showFilters(); section("graph").scrollIntoView(); });
    const list = make("ol", "", ...cluster.documents.map((doc) => make("li", "", documentButton(doc))));
    members.append(only, list);
    if (cluster.size > cluster.documents.length) members.append(make("p", "note", `and ${count(cluster.size - cluster.documents.length, "document")} more, not on this page`));
    if (cluster.bridges.length > 3) members.append(make("ul", "links", ...cluster.bridges.slice(3).map(bridgeRow)));
    if (cluster.more) members.append(make("p", "note", `and ${count(cluster.more, "bridge")} more`));
  }
  const showClusters = growing(section("clusters"), 6, 20, clusterCard, data.clusters.length);
  const clusterOf = (pair) => (documents.cluster[pairs.left[pair]] === documents.cluster[pairs.right[pair]] ? documents.cluster[pairs.left[pair]] : -1);
  views.push(() => showClusters([...new Set(passing.map(clusterOf))].filter((cluster) => cluster >= 0).sort((a, b) => a - b)));

  /* Mosaics. */
  const places = new Map(data.mosaics.map((mosaic, number) => [mosaic.document, number]));
  function pairBetween(left, right) {
    return pairsOf[right].find((pair) => pairs.left[pair] === left || pairs.right[pair] === left) ?? -1;
  }
  function colourOf(mosaic, part) {
    if (part === -1) return "new";
    if (part < 0) return "rest";
    return mosaic.parts[part][3] & 1 ? "boilerplate" : `c${part % COLOURS.length}`;
  }
  function strip(mosaic) {
    const bar = make("span", "strip");
    bar.setAttribute("aria-hidden", "true");
    for (let n = 0; n < mosaic.tiles.length; n += 2) {
      const tile = make("i", colourOf(mosaic, mosaic.tiles[n]));
      tile.style.flexGrow = Math.max(mosaic.tiles[n + 1], 1);
      bar.append(tile);
    }
    return bar;
  }
  function pieces(mosaic) {
    const parts = mosaic.parts.map(([doc, share, , kind], part) => make("span", "piece",
      make("i", `key ${colourOf(mosaic, part)}`), `${percent(share)} ${kind & 1 ? "boilerplate of" : kind & 2 ? "also in" : "from"} `, own(nameOf(doc)), " ", about(doc)));
    if (mosaic.others) parts.push(make("span", "piece", make("i", "key rest"), `${percent(mosaic.others)} in others`));
    if (mosaic.new) parts.push(make("span", "piece", make("i", "key new"), `${percent(mosaic.new)} new`));
    return parts;
  }
  function mosaicCard(number) {
    const mosaic = data.mosaics[number];
    return make("li", "card mosaic", documentButton(mosaic.document, "title"), strip(mosaic), make("p", "pieces", ...pieces(mosaic).slice(0, 5)));
  }
  const showMosaics = growing(section("mosaics"), 6, 20, mosaicCard, data.mosaics.length);
  views.push(() => {
    const touched = new Set(passing.flatMap((pair) => (isDirected(pair) ? [pairs.right[pair]] : [pairs.left[pair], pairs.right[pair]])));
    showMosaics(data.mosaics.flatMap((mosaic, number) => (touched.has(mosaic.document) ? [number] : [])));
  });
