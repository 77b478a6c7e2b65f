// Where the points went: the parts and the single criteria that lost most, and the categories.
RE.points = (() => {
  const { html, Button, Line, useFirst } = RE.ui;
  const { points, span } = RE.text;
  const MOST = 5;
  const MOST_CATEGORIES = 8;

  // What lost points, most first: leaves and groups that own theirs.
  const owners = (tree) => {
    const found = [];
    for (let at = 0; at < tree.count; at += 1)
      if (tree.nodes.lost[at] > 0 && RE.tree.ownsPoints(tree, at)) found.push(at);
    return found.sort(RE.tree.compare(tree, "lost"));
  };

  // Down from the root while one part holds nearly all, then its parts.
  const parts = (tree) => {
    let at = 0;
    for (;;) {
      const below = RE.tree.ordered(tree, "lost")[at];
      const first = below[0];
      const alone = below.length && tree.nodes.lost[first] >= 0.9 * tree.nodes.lost[at];
      if (!alone || RE.tree.isLeaf(tree, first)) {
        return below.filter((child) => tree.nodes.lost[child] > 0);
      }
      at = first;
    }
  };

  const Item = ({ tree, at, onGo }) => {
    const { nodes } = tree;
    return html`<li><button type="button" class="item" onClick=${() => onGo(at)}>
      <span class="number">${points(nodes.lost[at])}</span>
      <span class="number dim">${points(nodes.worth[at])}</span>
      <${Line} text=${nodes.requirements[at]} /></button></li>`;
  };

  const Heads = () => html`<div class="item heads dim" aria-hidden="true">
    <span class="number">lost</span><span class="number">worth</span><span></span></div>`;

  const List = ({ title, tree, rows, onGo, children }) => html`<section class="losses" aria-label=${title}>
    <h2>${title}</h2><${Heads} />
    <ol>${rows.map((at) => html`<${Item} key=${at} tree=${tree} at=${at} onGo=${onGo} />`)}</ol>
    ${children}
  </section>`;

  // The parts that lost most; there may be many, and a button shows them.
  const Groups = ({ rows, ...rest }) => {
    const [shown, more] = useFirst(rows, MOST);
    return html`<${List} title="Parts that lost most" rows=${shown} ...${rest}>${more}<//>`;
  };

  const FIGURES = ["points", "lost", "open"];

  const Category = ({ row }) => html`<tr>
    <th scope="row"><${Line} text=${row.category} limit=${60} /></th>
    <td class="number of-leaves">${RE.text.number(row.leaves)}</td>
    <td class="number">${span(row.score.low, row.score.high)}</td>
    ${FIGURES.map((name) => html`<td class="number">${points(row[name])}</td>`)}</tr>`;

  const Categories = ({ run }) => {
    const [shown, more] = useFirst(run.categories, MOST_CATEGORIES);
    return html`<section class="losses" aria-label="Categories"><h2>By category</h2>
      <table class="categories"><thead><tr><th scope="col">category</th>
        ${["leaves", "score", ...FIGURES].map((name) =>
          html`<th scope="col" class=${`number of-${name}`}>${name}</th>`)}</tr></thead>
      <tbody>${shown.map((row) => html`<${Category} key=${row.category} row=${row} />`)}</tbody></table>
      ${more}</section>`;
  };

  const Points = ({ run, tree, onGo, onAll }) => {
    const lost = owners(tree);
    const groups = parts(tree);
    const same = groups.length === lost.length && groups.every((at, row) => at === lost[row]);
    const isBoth = groups.length > 0 && !same;
    return html`<div class="points">
      ${!lost.length && html`<section class="losses"><h2>Lost points</h2><p>no point is lost for certain</p></section>`}
      ${lost.length > 0 && isBoth && html`<${Groups} tree=${tree} rows=${groups} onGo=${onGo} />`}
      ${lost.length > 0 && html`<${List} title="Criteria that lost most" tree=${tree} rows=${lost.slice(0, MOST)}
        onGo=${onGo}>${lost.length > MOST && html`<${Button} className="quiet more" onClick=${onAll}>
          all ${RE.text.number(lost.length)}, in a flat list<//>`}<//>`}
      <${Categories} run=${run} />
    </div>`;
  };

  return { Points, owners };
})();
