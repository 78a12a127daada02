  /* One pair or one document, opened above the page. */
  const reading = section("reading"), content = reading.querySelector(".content");
  let opened = null;
  const trail = [];
  function openReading(kind, number, isBack = false) {
    if (opened && !isBack) trail.push(opened);
    opened = [kind, number];
    content.replaceChildren(...(kind === "pair" ? pairView(number) : documentView(number)));
    const place = kind === "pair" ? listed.indexOf(number) : -1;
    section("back").hidden = !trail.length;
    section("previous").hidden = section("next").hidden = place < 0;
    section("previous").disabled = place <= 0;
    section("next").disabled = place + 1 >= listed.length;
    if (!reading.open) reading.showModal();
    content.scrollTop = 0;
    content.focus();
  }
  function turn(by) {
    const place = opened && opened[0] === "pair" ? listed.indexOf(opened[1]) : -1;
    if (place < 0 || listed[place + by] === undefined) return;
    opened = null;
    openReading("pair", listed[place + by]);
  }
  reading.addEventListener("close", () => { if (!reading.open) { opened = null; trail.length = 0; } });
  /* On paper it takes as many pages as it needs, which a window above others cannot. */
  addEventListener("beforeprint", () => { if (reading.open) { reading.close(); reading.show(); } });
  addEventListener("afterprint", () => { if (reading.open) { reading.close(); reading.showModal(); } });
  section("close").addEventListener("click", () => reading.close());
  section("back").addEventListener("click", () => openReading(...trail.pop(), true));
  section("previous").addEventListener("click", () => turn(-1));
  section("next").addEventListener("click", () => turn(1));
  reading.addEventListener("click", (event) => { if (event.target === reading) reading.close(); });
  reading.addEventListener("keydown", (event) => {
    const step = { n: 1, p: -1 }[event.key.toLowerCase()];
    if (step && !event.ctrlKey && !event.metaKey && !event.altKey) turn(step);
  });

  function heading(words) {
    const title = make("h2", "", ...words);
    title.id = "reading-title";
    return title;
  }
  // What a model says is a probability, no share.
  const how = data.likely ? "likely that" : "of";
  function pairView(pair) {
    const left = pairs.left[pair], right = pairs.right[pair], relation = relationOf(pair);
    const when = isDirected(pair) ? `; the right one came ${later(...timesOf(pair))}` : "";
    return [
      heading([`${SIGNS[relation]} ${relation}, ${percent(scoreOf(pair))}`]),
      make("p", "", `${percent(pairs.there[pair])} ${how} left is in right, ${percent(pairs.back[pair])} ${how} right is in left${when}.`),
      pairs.content ? make("p", "note", `Same content: ${percent(pairs.content[pair])} of left, ${percent(pairs.contentBack[pair])} of right.`) : "",
      make("div", "sides", sideCard(left, "left"), sideCard(right, "right")),
      ...passagesView(pair),
      ...fullCommand(left, right),
    ];
  }
  function sideCard(doc, side) {
    const card = make("div", `side ${side}`, documentButton(doc, "title"));
    if (documents.title[doc]) card.append(make("p", "note", own(documents.id[doc])));
    return card;
  }
  function passagesView(pair) {
    const known = texts(), flat = known.passages[pair];
    if (flat === undefined) return [make("p", "note missing", pairs.passages[pair]
      ? `${count(pairs.passages[pair], "passage")}, whose text is not on this page.` : "The texts of this pair are not on this page.")];
    const rows = [];
    for (let n = 0; n < flat.length; n += 6) rows.push(passageRow(pair, known, n / 6, flat.slice(n, n + 6)));
    if (!rows.length) {
      rows.push(make("p", "note", "No passages stand out. The beginnings of both texts:"));
      rows.push(make("div", "passage", ...[pairs.left[pair], pairs.right[pair]].map((doc) => cell(make("span", "", (known.texts[doc] || [])[2] || "")))));
    }
    if (known.cut.includes(pair)) rows.push(make("p", "note", `Of ${count(pairs.passages[pair], "passage")} the first are shown.`));
    return rows;
  }
  function cell(...inside) {
    const element = make("div", "cell", ...inside);
    element.dir = "auto";
    element.tabIndex = 0;
    return element;
  }
  function passageRow(pair, known, number, [l0, l1, r0, r1, score, type]) {
    const left = cut(known.texts[pairs.left[pair]], l0, l1), right = cut(known.texts[pairs.right[pair]], r0, r1);
    const colour = `c${number % COLOURS.length}`;
    const marked = (here, there) => cell(
      make("span", "around", here.before), make("mark", `m ${colour}`, ...emphasised(here.text, there.text)), make("span", "around", here.after));
    const name = make("h3", "", make("span", `chip ${colour}`, String(number + 1)), ` ${known.types[type]}, score ${score}%`);
    return make("section", "passage", name, marked(left, right), marked(right, left));
  }
  /* A stretch of a text, with what is around it. */
  function cut(stretches, start, end) {
    for (let n = 1; n < stretches.length; n += 2) {
      const first = stretches[n], text = stretches[n + 1];
      if (first > start || first + text.length < start) continue;
      const from = Math.max(start - first - 80, 0), to = Math.min(end - first + 80, text.length);
      const plain = (around) => around.replace(/\s+/g, " ");
      return {
        before: (first + from > 0 ? "…" : "") + plain(text.slice(from, start - first)),
        text: text.slice(start - first, end - first),
        after: plain(text.slice(end - first, to)) + (first + to < stretches[0] ? "…" : ""),
      };
    }
    return { before: "", text: "", after: "" };
  }
  /* Words that the other side has, too; where words have no blanks between them, two letters at a time. */
  const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]+|[\p{L}\p{M}\p{N}]+/gu;
  const JOINED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u;
  function units(text) {
    const found = [];
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (!JOINED.test(word)) { found.push([fold(word), index, index + word.length]); continue; }
      if (word.length === 1) found.push([word, index, index + 1]);
      for (let n = 0; n + 1 < word.length; n++) found.push([word.slice(n, n + 2), index + n, index + n + 2]);
    }
    return found;
  }
  function emphasised(text, other) {
    const there = new Set(units(other).map(([word]) => word));
    const runs = [];
    for (const [word, begin, end] of units(text)) {
      if (!there.has(word)) { if (runs.length) runs.closed = runs.closed || end > runs[runs.length - 1][1]; continue; }
      const last = runs[runs.length - 1];
      if (last && (begin <= last[1] || !runs.closed)) last[1] = Math.max(last[1], end); else runs.push([begin, end]);
      runs.closed = false;
    }
    const pieces = [];
    let done = 0;
    for (const [begin, end] of runs) {
      pieces.push(text.slice(done, begin), make("b", "", text.slice(begin, end)));
      done = end;
    }
    return [...pieces, text.slice(done)];
  }
  function fullCommand(left, right) {
    if (!data.compare) return [];
    const quote = (id) => (/^[\w./:-]+$/.test(id) ? id : `'${id.replaceAll("'", "'\\''")}'`);
    const command = `twicetold compare ${quote(documents.id[left])} ${quote(documents.id[right])} ${data.compare} --report compare.html`;
    return [make("p", "note command", "Both texts in full, with their dotplot: ", make("code", "", command))];
  }

  function documentView(doc) {
    const mosaic = places.has(doc) ? data.mosaics[places.get(doc)] : null;
    const [earlier, after, others] = sidesOf(doc, pairsOf[doc]);
    return [
      heading([own(nameOf(doc))]),
      make("p", "", about(doc)),
      make("p", "note", own(documents.id[doc])),
      ...(mosaic ? [make("h3", "", mosaic.parts.every((part) => part[3] & 2) ? "Also in others" : "Put together from"), strip(mosaic), make("ul", "parts", ...mosaicParts(mosaic))] : []),
      ...pairsOfView(earlier, "Earlier in"),
      ...pairsOfView(after, "Later in"),
      ...pairsOfView(others, "Also in", ", earlier or later: times do not tell"),
    ];
  }
  function mosaicParts(mosaic) {
    const words = pieces(mosaic);
    return words.map((piece, part) => {
      if (part >= mosaic.parts.length) return make("li", "", piece);
      const [doc, , stretches, kind] = mosaic.parts[part];
      const pair = pairBetween(doc, mosaic.document);
      const time = kind & 2 ? "" : `, ${later(documents.time[doc], documents.time[mosaic.document])}`;
      const button = make("button", "part", piece, make("span", "about", `${count(stretches, "stretch", "stretches")}${time}`));
      button.type = "button";
      button.addEventListener("click", () => (pair < 0 ? openReading("document", doc) : openReading("pair", pair)));
      return make("li", "", button);
    });
  }
  /* Some pairs of a document: those with earlier ones, with later ones, and those whose times do not tell. */
  function sidesOf(doc, some) {
    const directed = some.filter(isDirected);
    return [directed.filter((pair) => pairs.right[pair] === doc), directed.filter((pair) => pairs.left[pair] === doc), some.filter((pair) => !isDirected(pair))];
  }
  function pairsOfView(found, title, more = "") {
    if (!found.length) return [];
    const rows = found.slice(0, 50).map((pair) => make("li", "", pairButton(pair)));
    return [make("h3", "", `${title} ${count(found.length, "document")}${more}`), make("ol", "rows", ...rows)];
  }
