  /* Pairs and documents are columns, addressed by number. Every view shows the pairs that pass the filters. */
  const { documents, pairs } = data;
  const SIGNS = { identical: "=", "near-duplicate": "≈", contained: "⊂", contains: "⊃", overlap: "∩", version: "≋", "same-form": "≡" };
  const WORDS = { identical: "identical", "near-duplicate": "near-duplicate", contained: "contained in", contains: "contains", overlap: "overlaps", version: "version of", "same-form": "same form as" };
  const nPairs = pairs.left.length;
  const count = (n, noun, nouns = `${noun}s`) => `${n.toLocaleString("en")} ${n === 1 ? noun : nouns}`;
  const relationOf = (pair) => data.relations[pairs.relation[pair]];
  const scoreOf = (pair) => Math.max(pairs.there[pair], pairs.back[pair]);
  const timesOf = (pair) => [documents.time[pairs.left[pair]], documents.time[pairs.right[pair]]];
  /* Whether left is known to be earlier: both times are known and differ, and are not of one day where one is only a day. */
  const isDirected = (pair) => pairs.directed[pair] === 1;
  const nameOf = (doc) => documents.title[doc] || documents.id[doc] || "(no id)";
  const named = (source) => data.sources[source] || "no source";
  const sourceOf = (doc) => named(documents.source[doc]);

  /* Shares are thousandths; only what is everything is 100%. */
  function percent(share) {
    if (share > 0 && share < 10) return "<1%";
    return `${share < 1000 ? Math.min(Math.round(share / 10), 99) : 100}%`;
  }
  function dateOf(time) {
    const text = new Date(time * 1000).toISOString().replace(/^\+0*/, "");
    const day = text.slice(0, text.indexOf("T"));
    return time % DAY ? `${day} ${text.slice(text.indexOf("T") + 1, text.indexOf("T") + 6)}` : day;
  }
  /* From one time to a later one, in seconds; in days where only the day of one of them is known. */
  const DAY = 86400;
  const isWholeDay = (time) => time % DAY === 0;
  const dayOf = (time) => Math.floor(time / DAY) * DAY;
  const elapsed = (from, to) => (isWholeDay(from) || isWholeDay(to) ? dayOf(to) - dayOf(from) : to - from);
  function later(from, to) {
    const seconds = elapsed(from, to);
    const units = [["year", 31557600], ["day", DAY], ["hour", 3600], ["minute", 60], ["second", 1]];
    for (const [unit, size] of units) if (seconds >= size) return `${count(Math.floor(seconds / size), unit)} later`;
    return "less than a second later";
  }

  /* The pairs of each document, as far as they are on this page. */
  const pairsOf = documents.id.map(() => []);
  for (let pair = 0; pair < nPairs; pair++) {
    pairsOf[pairs.left[pair]].push(pair);
    pairsOf[pairs.right[pair]].push(pair);
  }

  /* Texts are only taken apart when somebody asks for them. */
  let told = null;
  function texts() {
    if (told === null) told = read("texts");
    return told;
  }

  /* What is written on a document, so that letters are found with and without their marks. */
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ı", "i");
  let written = null;
  function isWritten(words, doc) {
    if (written === null) {
      const known = texts().texts;
      written = documents.id.map((id, own) => fold([id, documents.title[own], data.sources[documents.source[own]],
        ...(known[own] || []).filter((each) => typeof each === "string")].join("\n")));
    }
    return written[doc].includes(words);
  }

  const many = data.relations.map((_, relation) => pairs.relation.filter((each) => each === relation).length);
  const overlap = data.relations.indexOf("overlap");
  /* Overlaps are often most of the pairs, and mostly a sentence that many have: they wait to be asked for. */
  const start = () => ({
    relations: new Set(data.relations.map((_, relation) => relation).filter((each) => each !== overlap || many[overlap] <= nPairs / 2 || many[overlap] === nPairs)),
    source: -1, least: 0, from: null, to: null, text: "", cluster: -1, cell: null,
  });
  let filters = start();
  let passing = [];
  const views = [];

  function passes(pair) {
    const left = pairs.left[pair], right = pairs.right[pair];
    if (!filters.relations.has(pairs.relation[pair])) return false;
    if (scoreOf(pair) < filters.least) return false;
    if (filters.source >= 0 && documents.source[left] !== filters.source && documents.source[right] !== filters.source) return false;
    if (filters.cluster >= 0 && (documents.cluster[left] !== filters.cluster || documents.cluster[right] !== filters.cluster)) return false;
    if (filters.cell && !isIn(filters.cell, pair)) return false;
    if (filters.from !== null || filters.to !== null) {
      const within = (time) => time !== null && (filters.from === null || time >= filters.from) && (filters.to === null || time < filters.to);
      if (!within(documents.time[left]) && !within(documents.time[right])) return false;
    }
    return !filters.text || isWritten(filters.text, left) || isWritten(filters.text, right);
  }
  /* Whether a pair belongs to a cell of the table of sources. */
  function isIn([from, to, symmetric], pair) {
    const left = documents.source[pairs.left[pair]], right = documents.source[pairs.right[pair]];
    if (isDirected(pair) === symmetric) return false;
    return (left === from && right === to) || (symmetric && left === to && right === from);
  }
  /* Whether anything but the relations is filtered. */
  const isNarrowed = () => filters.source >= 0 || filters.least > 0 || filters.from !== null || filters.to !== null || filters.text !== "" || filters.cluster >= 0 || filters.cell !== null;
  function refresh() {
    passing = [];
    for (let pair = 0; pair < nPairs; pair++) if (passes(pair)) passing.push(pair);
    const hidden = filters.relations.has(overlap) || !many[overlap] ? "" : `; ${count(many[overlap], "overlap")} hidden`;
    document.getElementById("count").textContent = `${passing.length.toLocaleString("en")} of ${count(nPairs, "pair")}${hidden}`;
    for (const view of views) view();
  }

  /* A list that grows when asked to: what nobody looks at is not made. */
  function growing(section, first, step, row, total) {
    section.classList.toggle("none", !total);
    const list = section.querySelector("ol"), button = section.querySelector(".more");
    let items = [], shown = 0;
    function grow(by) {
      const end = Math.min(shown + by, items.length);
      list.append(...items.slice(shown, end).map(row));
      shown = end;
      button.hidden = shown === items.length;
      const rest = items.length - shown;
      button.textContent = rest > step ? `Show ${step} more of ${rest.toLocaleString("en")}` : `Show ${rest} more`;
    }
    button.addEventListener("click", () => {
      const before = list.children.length;
      grow(step);
      const next = list.children[before];
      if (next) next.querySelector("button").focus();
    });
    return (all) => {
      items = all;
      shown = 0;
      list.replaceChildren();
      grow(first);
      section.classList.toggle("empty", !items.length);
    };
  }
