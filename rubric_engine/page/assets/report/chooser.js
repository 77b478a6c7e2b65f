// Which run is shown, out of several; and which cannot be.
RE.chooser = (() => {
  const { html } = RE.ui;

  // Score, state where it is not done, and what tells it from others.
  const words = (run, shown) => {
    const { score, status } = run.id === shown.id ? shown : run;
    const { name, models = [] } = run.judge ?? {};
    const judge = [name, models.join(" + ")].filter(Boolean).map((text) => RE.text.line(text, 60));
    const whose = RE.text.line(run.case || run.submission || "", 60);
    const parts = [RE.text.span(score?.low, score?.high), status !== "done" && status, whose, ...judge, run.id];
    return RE.text.line(parts.filter(Boolean).join("  "), 400);
  };

  const Options = ({ runs, shown }) =>
    runs.map((run) => html`<option value=${run.id}>${words(run, shown)}</option>`);

  const notShown = ({ broken = [], strangers = 0 }) => [
    ...broken.map(({ id, why }) => `${id}: ${why}`),
    ...(strangers ? [`${RE.text.counted(strangers, "run")} that you did not make; a path shows them`] : []),
  ];

  const Chooser = ({ page, run, onRun }) => {
    const measured = page.runs.filter((each) => each.case);
    const own = page.runs.filter((each) => !each.case);
    const others = notShown(page);
    if (page.runs.length + others.length < 2) return null;
    return html`<label class="chooser">Run <select value=${run.id} onChange=${(event) => onRun(event.target.value)}>
      <${Options} runs=${own} shown=${run} />
      ${measured.length > 0 && html`<optgroup label="JudgeEval">
        <${Options} runs=${measured} shown=${run} /></optgroup>`}
      ${others.length > 0 && html`<optgroup label="not shown">
        ${others.map((text) => html`<option disabled>${RE.text.line(text, 160)}</option>`)}</optgroup>`}
    </select></label>`;
  };

  return { Chooser, words, notShown };
})();
