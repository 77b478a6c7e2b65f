// What is asked: the leaf under what stands above it, and what others said where that may be seen.
RE.context = (() => {
  const { html, Text } = RE.ui;

  const VERDICTS = { met: "met", not_met: "not met", cannot_judge: "cannot judge" };

  const Said = ({ who, said, onPlace }) => html`<div class="said">
    <h3>${who} <span class="chip">${RE.own(VERDICTS, said.verdict) ?? said.verdict}</span></h3>
    <${Text} text=${said.reason || "no reason"} />
    ${(said.citations ?? []).map((place) => html`<button type="button" class="place mono"
      onClick=${() => onPlace(place)}>${RE.text.line(place, 120)}</button>`)}
  </div>`;

  const Above = ({ text }) => html`<li><${Text} text=${text} limit=${600} /></li>`;

  const Context = ({ desk, at, onPlace }) => {
    const leaf = desk.leaves[at];
    const said = Object.entries(leaf.said ?? {});
    return html`<section class="context" aria-label="Leaf">
      <ol class="above">${RE.desk.above(desk, leaf.node).map((node) => html`<${Above} key=${node}
        text=${desk.nodes[node].requirements} />`)}</ol>
      <h2 class="requirement" tabindex="-1" id="requirement"><${Text} text=${desk.nodes[leaf.node].requirements} /></h2>
      <p><span class="chip">${RE.text.line(leaf.category, 60)}</span> <span>${RE.text.shown(leaf.question)}</span></p>
      ${leaf.place && html`<p class="dim">in the paper: ${RE.text.line(leaf.place, 200)}</p>`}
      ${said.map(([who, each]) => html`<${Said} who=${who === "judge" ? "The judge" : who} said=${each}
        onPlace=${onPlace} />`)}
    </section>`;
  };

  return { Context, VERDICTS };
})();
