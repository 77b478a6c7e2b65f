// Beside the tree: the criterion that is chosen.
RE.panel = (() => {
  const { html, Text, Line, Button, useFirst, useState } = RE.ui;
  const { points, percent, known, counted } = RE.text;
  const MOST = 10;

  // Of a very deep tree the first and the last of those above.
  const shortened = (path, isAll) =>
    isAll || path.length <= 10 ? path : [...path.slice(0, 4), null, ...path.slice(-5)];

  const Above = ({ tree, at, onGo }) => {
    const [isAll, setAll] = useState(false);
    const path = RE.tree.path(tree, at);
    const step = (up) => up === null
      ? html`<li><${Button} className="quiet" onClick=${() => setAll(true)}>and ${path.length - 9} more<//></li>`
      : html`<li><button type="button" class="item" onClick=${() => onGo(up)}>
          <${Line} text=${tree.nodes.requirements[up]} limit=${160} /></button></li>`;
    return html`<nav class="above" aria-label="Above this criterion"><ol>
      ${shortened(path, isAll).map(step)}</ol></nav>`;
  };

  const facts = (tree, at) => {
    const { nodes } = tree;
    const isLeaf = RE.tree.isLeaf(tree, at);
    return [
      ["worth", known(nodes.lost[at])
        ? `${points(nodes.worth[at])} of 100`
        : `${points(nodes.worth[at])}, its points belong to a group above`],
      known(nodes.lost[at]) && ["lost", points(nodes.lost[at])],
      nodes.open[at] > 0 && ["open", points(nodes.open[at])],
      ["weight", String(nodes.weight[at])],
      nodes.category[at] !== null && ["category", nodes.category[at]],
      isLeaf && known(nodes.value[at]) && nodes.verdict[at] === "part" &&
        ["score", RE.marks.shortScore(nodes.value[at])],
      known(nodes.probability[at]) && ["probability", RE.marks.shortScore(nodes.probability[at])],
      nodes.reason[at] && ["no grade", nodes.reason[at]],
    ].filter(Boolean);
  };

  const Doubts = ({ flags }) => {
    const found = RE.marks.doubts(flags ?? 0);
    return found.length > 0 && html`<ul class="doubts" aria-label="Why to look twice">
      ${found.map(([, words, why]) =>
        html`<li><span class="chip part">! ${words}</span> <span class="dim">${why}</span></li>`)}</ul>`;
  };

  const Child = ({ tree, at, onGo }) => {
    const { nodes } = tree;
    return html`<li><button type="button" class="item child" onClick=${() => onGo(at)}>
      ${RE.tree.isLeaf(tree, at)
        ? html`<${RE.marks.Verdict} verdict=${nodes.verdict[at]} value=${nodes.value[at]} />`
        : html`<${RE.marks.Score} low=${nodes.low[at]} high=${nodes.high[at]} />`}
      <span class="number">${points(nodes.lost[at])}</span>
      <${Line} text=${nodes.requirements[at]} limit=${200} /></button></li>`;
  };

  const Group = ({ run, tree, at, sort, onGo }) => {
    const below = RE.tree.ordered(tree, sort)[at];
    const [shown, more] = useFirst(below, MOST);
    const counts = RE.tree.verdicts(tree, at);
    const said = Object.entries(counts).map(([verdict, count]) => `${RE.text.number(count)} ${RE.marks.word(verdict)}`);
    const value = tree.nodes.value[at];
    const isRange = tree.nodes.low[at] !== tree.nodes.high[at];
    return html`<${RE.leaf.Part} title="leaves below"><p>${said.join(", ")}</p>
        ${isRange && known(value) && html`<p class="dim">${percent(value)} if ${run.said.policy}</p>`}<//>
      <${RE.leaf.Part} title=${`${counted(below.length, "part")} · score, lost`}>
        <ul class="children">${shown.map((child) =>
          html`<${Child} key=${child} tree=${tree} at=${child} onGo=${onGo} />`)}</ul>${more}<//>`;
  };

  const Title = ({ tree, at }) => {
    const { nodes } = tree;
    return html`${RE.tree.isLeaf(tree, at)
      ? html`<${RE.marks.Verdict} verdict=${nodes.verdict[at]} value=${nodes.value[at]} />`
      : html`<${RE.marks.Score} low=${nodes.low[at]} high=${nodes.high[at]} />`}
      <${Line} className="mono dim" text=${nodes.key[at]} limit=${200} />`;
  };

  const Panel = ({ run, tree, at, sort, stamp, chosen, onGo, onCopy, onLink, onClose }) => {
    const isLeaf = RE.tree.isLeaf(tree, at);
    return html`<${RE.beside.Panel} of=${at} chosen=${chosen} label="The chosen criterion"
      title=${html`<${Title} tree=${tree} at=${at} />`} onClose=${onClose}
      tools=${html`<${Button} className="quiet" onClick=${onLink} title="Copy a link to it (o)">copy link<//>`}>
      <${Above} key=${`above-${at}`} tree=${tree} at=${at} onGo=${onGo} />
      <h2 class="asked"><${Text} text=${tree.nodes.requirements[at]} limit=${1200} /></h2>
      <dl class="figures">${facts(tree, at).map(([name, value]) =>
        html`<div><dt>${name}</dt><dd>${RE.text.line(value, 100)}</dd></div>`)}</dl>
      <${Doubts} flags=${tree.nodes.flags[at]} />
      ${isLeaf
        ? html`<${RE.leaf.Leaf} key=${at} run=${run} tree=${tree} at=${at} stamp=${stamp} onCopy=${onCopy} />`
        : html`<${Group} key=${at} run=${run} tree=${tree} at=${at} sort=${sort} onGo=${onGo} />`}
    <//>`;
  };

  return { Panel };
})();
