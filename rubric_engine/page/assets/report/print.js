// On paper: what qualifies the score, lost points, the tree to its third level, and what else is
// not met.
RE.print = (() => {
  const { html } = RE.ui;
  const { counted, known, line, number, points, span } = RE.text;
  const { List, Table } = RE.paper;
  const LEVELS = 3;

  const scoreOf = ({ nodes }, at) => {
    const verdict = nodes.verdict[at];
    if (verdict === "part" && known(nodes.value[at])) return `part ${RE.marks.shortScore(nodes.value[at])}`;
    if (verdict !== null) return RE.marks.word(verdict);
    return known(nodes.low[at]) ? span(nodes.low[at], nodes.high[at]) : "n/a";
  };

  const figures = (row, names) => names.map((name) => html`<td class="number">${points(row(name))}</td>`);

  const heads = (first, ...numbers) => [[first], ...numbers.map((name) => [name, "number"])];

  const Criteria = ({ title, tree, rows, indent = false }) => html`<${Table} title=${title} rows=${rows}
    heads=${heads("requirement", "score", "worth", "lost", "open")} draw=${(at) => html`<tr>
      <td style=${{ paddingLeft: `${(indent ? tree.depth[at] : 0) * 14}px` }}>
        ${line(tree.nodes.requirements[at], 500)}</td>
      <td class="number">${scoreOf(tree, at)}</td>
      ${figures((name) => tree.nodes[name][at], ["worth", "lost", "open"])}</tr>`} />`;

  const Categories = ({ rows }) => html`<${Table} title="By category" rows=${rows}
    heads=${heads("category", "leaves", "score", "points", "lost", "open")} draw=${(row) => html`<tr>
      <td>${line(row.category, 200)}</td><td class="number">${number(row.leaves)}</td>
      <td class="number">${span(row.score.low, row.score.high)}</td>
      ${figures((name) => row[name], ["points", "lost", "open"])}</tr>`} />`;

  const place = ({ path, line: at }) => (known(at) ? `${path}:${at}` : path);

  const Doubts = ({ run: { warnings, injections, canaries } }) => {
    const found = injections?.findings ?? [];
    const count = injections?.count ?? found.length;
    const told = found.map((each) => `${place(each)} ${each.kind}: ${each.excerpt}`);
    if (count > found.length) told.push(`and ${number(count - found.length)} more in report.json`);
    const asked = canaries && `${canaries.asked} asked, ${canaries.met} met, ${canaries.failed} failed`;
    return html`<${List} title="Warnings" texts=${(warnings ?? []).map(({ code, message }) => `${code} ${message}`)} />
      <${List} title=${`${counted(count, "place")} ${count === 1 ? "speaks" : "speak"} to the judge`} texts=${told} />
      <${List} title="Canaries" texts=${asked ? [asked] : []} />`;
  };

  const Paper = ({ tree }) => {
    const isOpen = (at) => tree.depth[at] < LEVELS - 1;
    const lost = RE.points.owners(tree);
    const told = new Set(lost);
    const unmet = RE.tree.flat(tree, { order: "worth" })
      .filter((at) => tree.nodes.verdict[at] === "not met" && !told.has(at));
    return html`<${Doubts} run=${tree.run} />
      <${Categories} rows=${tree.run.categories} />
      <${Criteria} title="Lost points" tree=${tree} rows=${lost} />
      <${Criteria} title="Not met, and no points of its own" tree=${tree} rows=${unmet} />
      <${Criteria} title="To the third level" tree=${tree} indent=${true}
        rows=${RE.tree.rows(tree, { order: "order", shown: null, isOpen })} />`;
  };

  return { tree: (tree) => RE.paper.draws(() => html`<${Paper} tree=${tree} />`) };
})();
