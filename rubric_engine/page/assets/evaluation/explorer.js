// One judge: its verdicts beside people's, by category and submission.
RE.explorer = (() => {
  const { html } = RE.ui;

  const Choice = ({ name, value, options, onChange }) => html`<label>${name} <select value=${value}
    onChange=${(event) => onChange(event.target.value)}>
    ${options.map(([id, words]) => html`<option value=${id}>${words}</option>`)}</select></label>`;

  const Explorer = ({ judges, row, judge, place, onJudge, onOpen }) =>
    html`<section class="explorer" aria-labelledby="explorer">
    <h2 id="explorer">Verdicts of <${Choice} name=${html`<span class="hidden-name">Judge</span>`} value=${judge.name}
      options=${judges.map(({ name }) => [name, RE.text.line(name, 60)])} onChange=${onJudge} /></h2>
    ${row && html`<${RE.judgePlaces.Places} row=${row} judge=${judge} place=${place} onOpen=${onOpen} />`}
  </section>`;

  return { Explorer, Choice };
})();
