// One row of the tree.
RE.row = (() => {
  const { html } = RE.ui;
  const { Verdict, Score, Category } = RE.marks;
  const STEP = 14;
  const TWIST = 18;
  const DEEPEST = 8; // further down, a number tells the level instead of room

  const Requirement = ({ tree, at, isOpen, isFlat, onTurn }) => {
    const level = isFlat ? 0 : tree.depth[at];
    const isLeaf = RE.tree.isLeaf(tree, at);
    const turn = (event) => {
      event.stopPropagation();
      onTurn(at);
    };
    return html`<div role="gridcell" class="requirement"
        style=${{ paddingLeft: `${(isLeaf ? 6 + TWIST : 6) + STEP * Math.min(level, DEEPEST)}px` }}>
      ${!isLeaf && html`<span class="twist" aria-hidden="true" onClick=${turn}>${isOpen ? "▾" : "▸"}</span>`}
      <bdi class="line">${level > DEEPEST ? `${level}· ` : ""}${RE.text.line(tree.nodes.requirements[at])}</bdi>
    </div>`;
  };

  const siblings = ({ tree, at, order, shown }) => {
    const up = tree.nodes.parent[at];
    const all = up < 0 ? [at] : RE.tree.ordered(tree, order)[up];
    return shown ? all.filter((each) => shown[each]) : all;
  };

  const place = (props) => {
    if (props.isFlat) return { level: 1, size: props.count, position: props.position + 1 };
    const beside = siblings(props);
    return {
      level: props.tree.depth[props.at] + 1,
      size: beside.length,
      position: beside.indexOf(props.at) + 1,
    };
  };

  // `position`: of all rows, from 0; it gives the place on the page.
  const Row = (props) => {
    const { tree, at, position, isActive, isOpen, height, onChoose } = props;
    const { nodes } = tree;
    const isLeaf = RE.tree.isLeaf(tree, at);
    const { level, size, position: inSet } = place(props);
    return html`<div role="row" id=${`row-${at}`} class=${`row${isActive ? " active" : ""}`}
        aria-level=${level} aria-setsize=${size} aria-posinset=${inSet}
        aria-expanded=${isLeaf ? undefined : String(isOpen)} aria-selected=${String(isActive)}
        aria-rowindex=${position + 2} style=${{ top: `${position * height}px` }}
        onClick=${() => onChoose(at)}>
      <${Requirement} ...${props} />
      <div role="gridcell" class="verdict">${isLeaf
        ? html`<${Verdict} verdict=${nodes.verdict[at]} value=${nodes.value[at]} />`
        : html`<${Score} low=${nodes.low[at]} high=${nodes.high[at]} />`}</div>
      <div role="gridcell" class="number worth">${RE.text.points(nodes.worth[at])}</div>
      <div role="gridcell" class=${`number lost${nodes.lost[at] > 0 ? "" : " dim"}`}>
        ${RE.text.points(nodes.lost[at])}
      </div>
      <div role="gridcell" class="cat"><${Category} name=${nodes.category[at]} /></div>
    </div>`;
  };

  return { Row };
})();
