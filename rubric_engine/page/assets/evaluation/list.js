// The leaves behind a cell as a list, and what a person and the judge said of each.
RE.judgedLeaves = (() => {
  const { html } = RE.ui;
  const HEIGHT = 44;

  const SAYS = {
    met: ["✓", "met"], part: ["◐", "part"], not: ["✗", "not met"],
    open: ["?", "no grade"], none: ["–", "no label"],
  };

  const said = (score, without) =>
    (!RE.text.known(score) ? without : score === 1 ? "met" : score === 0 ? "not" : "part");

  const Verdict = ({ score, without, who }) => {
    const kind = said(score, without);
    const [sign, words] = SAYS[kind];
    const value = kind === "part" ? RE.text.fixed(score, 2) : words;
    return html`<span class=${`chip ${kind === "none" ? "n-a" : kind}`}><span class="who">${who}</span>
      <span aria-hidden="true">${sign}</span> ${value}</span>`;
  };

  const Human = ({ leaves, at }) => html`<${Verdict} who="human" score=${leaves.human[at]} without="none" />`;
  const Judge = ({ leaves, at }) => html`<${Verdict} who="judge" score=${leaves.judge[at]} without="open" />`;

  const drawn = (leaves) => (at) => html`
    <span class="verdicts"><${Human} leaves=${leaves} at=${at} /><${Judge} leaves=${leaves} at=${at} /></span>
    <bdi class="line">${RE.text.line(leaves.requirement[at] ?? leaves.key[at], 200)}</bdi>
    <span class="line dim">
      ${RE.text.line(leaves.submission[at], 60)} · ${RE.text.line(leaves.key[at], 60)} ·${" "}
      worth ${RE.text.points(leaves.worth[at])}</span>`;

  const List = ({ leaves, rows, open, onOpen, onClear }) => html`<${RE.list.List} label="Leaves" rows=${rows}
    at=${rows.indexOf(open)} height=${HEIGHT} id=${(at) => `leaf-${at}`} draw=${drawn(leaves)}
    onOpen=${onOpen} onClear=${onClear} />`;

  return { List, Human, Judge };
})();
