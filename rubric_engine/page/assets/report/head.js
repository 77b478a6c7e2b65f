// The answer first: score with its range, coverage, whether the run is complete, judge, cost.
RE.head = (() => {
  const { html, Line } = RE.ui;
  const { counted } = RE.text;

  const VALUE = (found) => (found.value === null ? "undefined" : String(found.value));

  // Each metric with its value; the reason is behind it, and in sight where it is undefined.
  const Metrics = ({ metrics }) => {
    const rows = Object.entries(metrics ?? {});
    return rows.length > 0 && html`<dl class="metrics">
      ${rows.map(([name, found]) => html`<div
        class=${`metric ${VALUE(found)}`} title=${RE.text.line(found.why)}>
        <dt><${Line} text=${name} /></dt><dd>${VALUE(found)}${found.value === null &&
          html` <${Line} className="dim" text=${found.why} />`}</dd>
      </div>`)}
    </dl>`;
  };

  const stateWords = (run) => {
    if (run.stopped) return `stopped: ${run.stopped.message}`;
    if (run.complete) return "complete";
    return run.status === "done" ? "done, but some leaves could not be graded" : run.status;
  };

  const Fact = ({ name, children, detail }) =>
    html`<div class="fact"><dt>${name}</dt><dd>${children}${detail &&
      html` <${Line} className="dim" text=${detail} />`}</dd></div>`;

  const ofJudge = ({ models, fingerprint }) =>
    [...(models ?? []), (fingerprint ?? "").slice(0, 8)].filter(Boolean).join(" · ");

  const GRAVE = ["violation", "suspicious"];

  const Monitor = ({ monitor }) => html`<${Fact} name="monitor" detail=${RE.monitor.counts(monitor)}>
    <${Line} className=${GRAVE.includes(monitor.verdict) ? "bad" : ""} text=${RE.monitor.verdict(monitor)} /><//>`;

  // The sum, what it counts, and each on its own line what nobody should read it without.
  const Cost = ({ sum, counts, notes }) => html`<${Fact} name="cost" detail=${counts.join("; ")}>${sum}${
    notes.map((note) => html` <span class="cost-note">${note}</span>`)}<//>`;

  const Facts = ({ run, tree }) => html`<dl class="facts">
    <${Fact} name="run" detail=${run.case ? `${run.id} · JudgeEval, case ${run.case}` : run.id}>
      <${Line} text=${stateWords(run)} /><//>
    <${Fact} name="judge" detail=${ofJudge(run.judge)}><${Line} text=${run.judge.name ?? "unknown"} /><//>
    <${Cost} ...${run.said.cost} />
    ${run.monitor && html`<${Monitor} monitor=${run.monitor} />`}
    <${Fact} name="size">${counted(tree.leafCount, "leaf", "leaves")},${" "}
      ${counted(tree.count, "criterion", "criteria")}<//>
  </dl>`;

  const Head = ({ page, run, tree, onRun, onHelp }) => {
    const { headline, lines } = run.said.score;
    return html`<header class="head">
      <div class="head-line">
        <h1><${Line} text=${run.title || run.task || run.id} />${run.submission &&
          html`<span class="dim"> · <${Line} text=${run.submission} /></span>`}</h1>
        <${RE.chooser.Chooser} page=${page} run=${run} onRun=${onRun} />
        <${RE.headTools.Tools} onHelp=${onHelp} />
      </div>
      <div class="head-line answer">
        <p id="score" class="headline">${headline}</p>
        <div class="score-lines">${lines.map((each) =>
          html`<p>${RE.text.line(each)}</p>`)}</div>
        <${Facts} run=${run} tree=${tree} />
      </div>
      <${Metrics} metrics=${run.metrics} />
    </header>`;
  };

  return { Head };
})();
