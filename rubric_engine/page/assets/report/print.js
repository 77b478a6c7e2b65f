// On paper: lost points, the tree to its third level, and what is not met. It is drawn for the
// printer only, as most rows of the tree are not on the page.
RE.print = (() => {
  const { html, render } = RE.ui;
  const { points, span } = RE.text;
  const LEVELS = 3;
  const MOST = 1000;

  const Row = ({ tree, at, level }) => {
    const { nodes } = tree;
    const verdict = nodes.verdict[at];
    const ranged = () => (RE.text.known(nodes.low[at]) ? span(nodes.low[at], nodes.high[at]) : "n/a");
    const score = verdict !== null ? RE.marks.word(verdict) : ranged();
    return html`<tr><td style=${{ paddingLeft: `${level * 14}px` }}>${RE.text.line(nodes.requirements[at], 500)}</td>
      <td class="number">${score}</td>
      <td class="number">${points(nodes.worth[at])}</td>
      <td class="number">${points(nodes.lost[at])}</td></tr>`;
  };

  const COLUMNS = ["requirement", "score", "worth", "lost"];

  const Table = ({ title, tree, rows, most = MOST, indent = false }) => html`<h2>${title}</h2><table><thead><tr>
    ${COLUMNS.map((name, at) => html`<th scope="col" class=${at ? "number" : ""}>${name}</th>`)}</tr></thead>
    <tbody>${rows.slice(0, most).map((at) =>
      html`<${Row} tree=${tree} at=${at} level=${indent ? tree.depth[at] : 0} />`)}</tbody></table>
    ${rows.length > most && html`<p>and ${RE.text.number(rows.length - most)} more</p>`}`;

  const Paper = ({ tree }) => {
    const isOpen = (at) => tree.depth[at] < LEVELS - 1;
    const rows = RE.tree.rows(tree, { order: "order", shown: null, isOpen });
    const unmet = RE.tree.flat(tree, { order: "lost" }).filter((at) => tree.nodes.verdict[at] === "not met");
    return html`<${Table} title="Lost points" tree=${tree} rows=${RE.points.owners(tree)} most=${20} />
      <${Table} title="To the third level" tree=${tree} rows=${rows} indent=${true} />
      <${Table} title="Not met" tree=${tree} rows=${unmet} />`;
  };

  const place = document.createElement("div");
  place.className = "paper";
  let current = null;

  addEventListener("beforeprint", () => {
    if (!current) return;
    document.body.append(place);
    render(html`<${Paper} tree=${current} />`, place);
  });
  addEventListener("afterprint", () => {
    render(null, place);
    place.remove();
  });

  return { tree: (tree) => (current = tree) };
})();
