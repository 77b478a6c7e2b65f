// The query box, and chips that write into it.
RE.filters = (() => {
  const { html, Button, Toggle, Status, useFirst } = RE.ui;
  const MOST = 12; // chips of a kind; there are as many categories as a rubric likes

  const TOKENS = {
    failed: "failed", cut: "cut", unverified: "unverified", split: "vote:split",
    unsure: "unsure", differs: "human:differs", canary: "canary", injection: "injection",
  };

  const VERDICTS = [
    ["not met", "verdict:not", "✗ not met"],
    ["part", "verdict:part", "◐ part"],
    ["open", "nograde", "○ no grade"],
    ["met", "verdict:met", "✓ met"],
    ["n/a", "verdict:na", "– n/a"],
  ];

  // `[token, words, number of leaves, why]` for everything that some leaf has.
  const chips = (tree, run) => {
    const { nodes } = tree;
    const verdicts = RE.tree.verdicts(tree, 0);
    const flagged = new Map();
    const categories = new Map();
    for (let at = 0; at < tree.count; at += 1) {
      if (nodes.verdict[at] === null) continue;
      for (const [name] of RE.marks.doubts(nodes.flags[at]))
        flagged.set(name, (flagged.get(name) ?? 0) + 1);
      const category = nodes.category[at];
      if (category) categories.set(category, (categories.get(category) ?? 0) + 1);
    }
    return [
      VERDICTS.map(([name, token, words]) => [token, words, verdicts[name] ?? 0, name]),
      RE.marks.DOUBTS.map(([name, words, why]) => [TOKENS[name], words, flagged.get(name) ?? 0, why]),
      ofCategories(ordered(categories, run)),
    ].map((group) => group.filter(([, , count]) => count > 0)).filter((group) => group.length);
  };

  // One chip for each term, so that it counts what it filters.
  const ofCategories = (categories) => {
    const found = new Map();
    for (const [name, count] of categories) {
      const term = RE.query.category(name);
      const before = found.get(term)?.[2] ?? 0;
      found.set(term, [term, RE.marks.shortCategory(name), before + count, RE.text.line(name)]);
    }
    const all = [...found.values()];
    const isAlone = (words) => all.filter((each) => each[1] === words).length === 1;
    return all.map(([term, words, count, why]) =>
      [term, isAlone(words) ? words : RE.text.line(why, 24), count, why]);
  };

  // Categories as the table has them; it may lack one that counts for nothing.
  const ordered = (categories, run) => {
    const names = run.categories.map((row) => row.category);
    const place = (name) => (names.includes(name) ? names.indexOf(name) : names.length);
    return [...categories].sort(([a], [b]) => place(a) - place(b));
  };

  const Group = ({ chips: all, query, onQuery }) => {
    const [shown, more] = useFirst(all, MOST);
    return html`<span class="chips" role="group">
      ${shown.map(([token, words, count, why]) => html`<${Toggle} key=${token} title=${why}
        on=${RE.query.has(query, token)}
        onClick=${() => onQuery(RE.query.toggle(query, token))}>
        ${words} <span class="dim">${RE.text.number(count)}</span><//>`)}${more}
    </span>`;
  };

  const Chips = ({ groups, query, onQuery }) =>
    groups.map((group) => html`<${Group} key=${group[0][0]} chips=${group} query=${query}
      onQuery=${onQuery} />`);

  const said = (tree, found, error) => {
    const all = tree.leafCount;
    if (error) return `This query cannot be read: ${error}.`;
    if (!found) return `${RE.text.counted(all, "leaf", "leaves")}`;
    const groups = found.groups ? ` and ${RE.text.counted(found.groups, "group")}` : "";
    const leaves = `${RE.text.number(found.leaves)}${groups ? " leaves" : ""}`;
    return `${leaves}${groups} of ${RE.text.counted(all, "leaf", "leaves")} shown`;
  };

  const SORTS = [["order", "rubric order"], ["lost", "lost"], ["worth", "worth"]];

  const Bar = ({ tree, groups, query, onQuery, found, error, sort, onSort, flat, onFlat, onLevels }) =>
    html`<section class="filters" aria-label="Filter and sort">
      <div class="filter-line">
        <input id="query" type="search" value=${query} spellcheck=${false} autocomplete="off"
          aria-label="Filter by text or query" aria-describedby="shown"
          placeholder="Filter: text, cat:exec score:0 worth:>0.5 file:train.py   (press / )"
          onInput=${(event) => onQuery(event.target.value)} />
        <span class="sorts">
          <label>Sort <select value=${sort} onChange=${(event) => onSort(event.target.value)}>
            ${SORTS.map(([name, words]) => html`<option value=${name}>${words}</option>`)}
          </select></label>
          <${Toggle} on=${flat} onClick=${() => onFlat(!flat)}>Flat list<//>
          <${Button} onClick=${() => onLevels(99)} title="Key *">Expand all<//>
          <${Button} onClick=${() => onLevels(2)} title="Key 2">Collapse<//>
        </span>
      </div>
      <div class="filter-line">
        <${Chips} groups=${groups} query=${query} onQuery=${onQuery} />
        <${Status} className=${error ? "bad" : "dim"}><span id="shown">${said(tree, found, error)}</span><//>
      </div>
    </section>`;

  return { Bar, chips };
})();
