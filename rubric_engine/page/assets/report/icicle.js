// The upper levels of the tree as a strip: width is worth; what is earned, open and lost in parts.
// It is drawn as one path for each meaning, so that its size does not grow with the tree.
RE.icicle = (() => {
  const { html, useMemo, useState } = RE.ui;
  const WIDE = 1000;
  const HIGH = 14;
  const LEVELS = 3;

  // `{at, level, left, width}` for the nodes of levels 1 to 3, as far as they can be seen.
  const boxes = (tree) => {
    const { worth } = tree.nodes;
    const found = [];
    const place = (at, level, left, width) => {
      if (level > 0) found.push({ at, level, left, width });
      if (level === LEVELS) return;
      const total = tree.children[at].reduce((sum, child) => sum + worth[child], 0);
      let next = left;
      for (const child of tree.children[at]) {
        const part = total > 0 ? (width * worth[child]) / total : 0;
        if (part >= 0.5) place(child, level + 1, next, part);
        next += part;
      }
    };
    place(0, 0, 0, WIDE);
    return found;
  };

  const rect = (left, top, width) =>
    width > 0 ? `M${left.toFixed(2)} ${top}h${width.toFixed(2)}v${HIGH}h${(-width).toFixed(2)}z` : "";

  const paths = (tree, all) => {
    const drawn = { met: "", open: "", not: "", none: "", edges: "" };
    for (const { at, level, left, width } of all) {
      const top = (level - 1) * (HIGH + 2);
      const [low, high] = [tree.nodes.low[at], tree.nodes.high[at]];
      if (width >= 8) drawn.edges += `M${(left + width).toFixed(2)} ${top}v${HIGH}`;
      if (!RE.text.known(low)) drawn.none += rect(left, top, width);
      else {
        drawn.met += rect(left, top, width * low);
        drawn.open += rect(left + width * low, top, width * (high - low));
        drawn.not += rect(left + width * high, top, width * (1 - high));
      }
    }
    return drawn;
  };

  const under = (all, event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDE;
    const level = 1 + Math.floor(((event.clientY - box.top) / box.height) * LEVELS);
    return all.find((each) => each.level === level && x >= each.left && x < each.left + each.width);
  };

  const caption = (tree, at) => {
    const { nodes } = tree;
    const said = [`worth ${RE.text.points(nodes.worth[at])}`, `lost ${RE.text.points(nodes.lost[at])}`];
    if (nodes.open[at] > 0) said.push(`open ${RE.text.points(nodes.open[at])}`);
    return `${said.join(", ")}: ${RE.text.line(nodes.requirements[at], 200)}`;
  };

  const Legend = () => html`<span class="legend dim"><i class="met"></i> earned <i class="open"></i> open
    <i class="not"></i> lost</span>`;

  const Strip = ({ tree, stamp, onGo }) => {
    const [hovered, setHovered] = useState(-1);
    const all = useMemo(() => boxes(tree), [tree]);
    const drawn = useMemo(() => paths(tree, all), [tree, stamp]);
    if (!all.length) return null;
    const name = `Worth of the first ${LEVELS} levels, in parts that are earned, open and lost; ` +
      "the tree below has the same";
    return html`<section class="icicle" aria-label="Where the points are">
      <svg viewBox=${`0 0 ${WIDE} ${LEVELS * (HIGH + 2)}`} preserveAspectRatio="none" role="img" aria-label=${name}
          onMouseMove=${(event) => setHovered(under(all, event)?.at ?? -1)} onMouseLeave=${() => setHovered(-1)}
          onClick=${(event) => { const found = under(all, event); if (found) onGo(found.at); }}>
        ${Object.entries(drawn).map(([kind, path]) => html`<path class=${kind} d=${path} />`)}
      </svg>
      <p class="dim"><${Legend} /> <bdi class="line">${hovered >= 0
        ? caption(tree, hovered) : "width is worth, three levels from the top; press a part to go there"}</bdi></p>
    </section>`;
  };

  return { Strip };
})();
