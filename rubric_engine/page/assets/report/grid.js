// The tree as a grid of which only the rows in view are drawn, and always the active one.
RE.grid = (() => {
  const { html, useLayoutEffect, useRef } = RE.ui;
  const HEIGHT = 28;
  const HEAD = 28;

  const COLUMNS = [
    ["order", "requirement", "requirement"],
    [null, "score", "verdict"],
    ["worth", "worth", "number worth"],
    ["lost", "lost", "number lost"],
    [null, "cat", "cat"],
  ];

  const Head = ({ sort, onSort }) =>
    html`<div role="row" class="row titles" aria-rowindex="1">
      ${COLUMNS.map(([order, name, kind]) => html`<div role="columnheader" class=${kind}
          aria-sort=${order ? (sort === order ? (order === "order" ? "ascending" : "descending") : "none") : undefined}>
        ${order
          ? html`<button type="button" class="sort" tabindex="-1" onClick=${() => onSort(order)}>
              ${name}${sort === order && order !== "order" ? " ▾" : ""}</button>`
          : name}
      </div>`)}
    </div>`;

  // Rows in view, and the active one wherever it is.
  const drawn = ({ first, last }, active) => {
    const rows = [];
    if (active >= 0 && active < first) rows.push(active);
    for (let at = first; at < last; at += 1) rows.push(at);
    if (active >= last) rows.push(active);
    return rows;
  };

  const scrollTo = (pane, position) => {
    const top = position * HEIGHT;
    const room = pane.clientHeight - HEAD - HEIGHT;
    if (top < pane.scrollTop) pane.scrollTop = top;
    else if (top > pane.scrollTop + room) pane.scrollTop = top - room;
  };

  const None = ({ onClear }) => html`<div role="row" aria-rowindex="2"><div role="gridcell">
    <${RE.search.Nothing} what="the query" onClear=${onClear} /></div></div>`;

  const Grid = ({ tree, rows, active, sort, onSort, shown, isFlat, isOpen, onChoose, onTurn, onKey, onClear }) => {
    const pane = useRef(null);
    const position = rows.indexOf(active);
    const seen = RE.rows.use(pane, rows.length, HEIGHT);
    useLayoutEffect(() => {
      if (position >= 0) scrollTo(pane.current, position);
    }, [active, position]);
    const props = { tree, height: HEIGHT, order: sort, shown, isFlat, onTurn, count: rows.length };
    return html`<div ref=${pane} class="pane" role="treegrid" tabindex="0" id="tree"
        aria-label="Criteria" aria-rowcount=${rows.length + 1} aria-colcount="5"
        aria-activedescendant=${position >= 0 ? `row-${active}` : undefined} onKeyDown=${onKey}>
      <${Head} sort=${sort} onSort=${onSort} />
      <div class="rows" role="rowgroup" style=${{ height: rows.length ? `${rows.length * HEIGHT}px` : "auto" }}>
        ${rows.length === 0 && html`<${None} onClear=${() => { onClear(); pane.current.focus(); }} />`}
        ${drawn({ ...seen, last: Math.min(seen.last, rows.length) }, position).map(
          (row) => html`<${RE.row.Row} key=${rows[row]} ...${props} at=${rows[row]} position=${row}
            isActive=${row === position} isOpen=${isOpen(rows[row])}
            onChoose=${(at) => { pane.current.focus({ preventScroll: true }); onChoose(at); }} />`,
        )}
      </div>
    </div>`;
  };

  return { Grid, HEIGHT };
})();
