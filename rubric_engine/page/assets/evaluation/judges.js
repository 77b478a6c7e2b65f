// All judges on one set of leaves: how far they agree with people, as the terminal prints it.
RE.judges = (() => {
  const { html, Fold } = RE.ui;
  const { Sentences } = RE.judged;
  const { headline, byCategory, others, roots, bySubmission } = RE.judgeColumns;
  const { Table } = RE.judgeTable;

  const Main = ({ all, words }) => html`<div class="beside">
    <div><h2>Agreement with people</h2>
      <${Table} ...${all} caption="Coverage, macro F1 with both intervals, and error of root scores"
        columns=${headline} />
      <${Sentences} of=${words.headline} /></div>
    <div><h2>F1 by category, and other figures</h2>
      <${Table} ...${all} caption="F1 by category, and other figures"
        columns=${[...byCategory(words.categories), ...others]} />
      <${Sentences} of=${words.figures} /></div>
  </div>`;

  const More = ({ all, words, submissions }) => html`
    <${Fold} title=${html`<h2>F1 by submission</h2>`} open=${true}>
      <${Table} ...${all} caption="F1 by submission" columns=${bySubmission(submissions)} /><//>
    <${Fold} title=${html`<h2>Root scores, in points of 100, and cost</h2>`}>
      <${Table} ...${all} caption="Errors of root scores and cost" columns=${roots} />
      <${Sentences} of=${words.roots} /><//>`;

  const Judges = ({ leaves: { rows }, words, judge, onOpen }) => {
    const all = {
      rows, onOpen, first: "judge",
      nameOf: ({ name }) => RE.text.line(RE.own(words.names, name) ?? name, 300),
      chosen: (row) => row.name === judge && row.kind === "judge",
    };
    return html`<section class="set">
      ${words.head.map((text) => html`<p class="said">${RE.text.line(text, 2000)}</p>`)}
      <${Main} all=${all} words=${words} />
      <${More} all=${all} words=${words} submissions=${Object.keys(rows[0].agreement.submissions)} />
      <ul class="notes dim">${words.notes.map((text) => html`<li>${RE.text.line(text, 2000)}</li>`)}</ul>
    </section>`;
  };

  return { Judges };
})();
