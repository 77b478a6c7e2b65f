// The answer first: score with its range, coverage, whether the run is complete, judge, cost.
RE.head = (() => {
  const { html, Line } = RE.ui;
  const { percent, span, points, counted, number, dollars } = RE.text;

  const isWhole = ({ score }, tree) =>
    score.coverage === 1 && !tree.nodes.verdict.includes("open");

  // `[headline, lines below it]`
  const scoreWords = (run, tree) => {
    const { score } = run;
    if (run.disqualified) {
      const alone = span(tree.nodes.low[0], tree.nodes.high[0]);
      return ["0.0%", [`disqualified: ${run.disqualified}`, `the grades alone would give ${alone}`]];
    }
    if (!RE.text.known(score.low)) return ["not applicable", ["no leaf is left to score"]];
    if (isWhole(run, tree)) return [percent(score.value), ["every leaf that applies is graded"]];
    const value = RE.text.known(score.value)
      ? `${percent(score.value)} if ${RE.text.policy(run.missing)}`
      : `no leaf is graded, so there is no value (missing=${run.missing})`;
    const coverage = `coverage ${percent(score.coverage)} of the weight is graded`;
    return [`between ${percent(score.low)} and ${percent(score.high)}`, [value, coverage]];
  };

  const VALUE = (found) => (found.value === null ? "undefined" : String(found.value));

  // Each metric with its value; the reason is behind it, and in sight where it is undefined.
  const Metrics = ({ metrics }) => {
    const rows = Object.entries(metrics ?? {});
    return rows.length > 0 && html`<dl class="metrics">
      ${rows.map(([name, found]) => html`<div class=${`metric ${VALUE(found)}`} title=${RE.text.line(found.why)}>
        <dt><${Line} text=${name} /></dt><dd>${VALUE(found)}${found.value === null && html` <${Line} className="dim" text=${found.why} />`}</dd>
      </div>`)}
    </dl>`;
  };

  const stateWords = (run) => {
    if (run.stopped) return `stopped: ${run.stopped.message}`;
    if (run.complete) return "complete";
    return run.status === "done" ? "done, but some leaves could not be graded" : run.status;
  };

  const costWords = (cost) => {
    const replayed = `${number(cost.replayed ?? 0)} replayed`;
    if (!cost.attempts) return cost.replayed ? `nothing, ${replayed}` : "nothing";
    const blind = "usd" in cost && cost.unpriced_attempts;
    const also = blind ? ` and ${counted(blind, "request")} unpriced` : "";
    return `${dollars(cost.usd)}${also}`;
  };

  const costDetail = (cost) => {
    if (!cost.attempts) return "";
    const cached = cost.input_tokens ? percent(cost.cached_tokens / cost.input_tokens) : "0%";
    const tokens = `${number(cost.input_tokens)} in (${cached} cached), ${number(cost.output_tokens)} out`;
    return `${tokens}; ${counted(cost.calls, "call")} + ${number(cost.replayed ?? 0)} replayed`;
  };

  const Fact = ({ name, children, detail }) =>
    html`<div class="fact"><dt>${name}</dt><dd>${children}${detail &&
      html` <${Line} className="dim" text=${detail} />`}</dd></div>`;

  const Facts = ({ run, tree }) => html`<dl class="facts">
    <${Fact} name="run" detail=${run.case ? `${run.id} · JudgeEval, case ${run.case}` : run.id}><${Line} text=${stateWords(run)} /><//>
    <${Fact} name="judge" detail=${[...(run.judge.models ?? []), (run.judge.fingerprint ?? "").slice(0, 8)].filter(Boolean).join(" · ")}>
      <${Line} text=${run.judge.name ?? "unknown"} /><//>
    <${Fact} name="cost" detail=${costDetail(run.cost ?? {})}>${costWords(run.cost ?? {})}<//>
    ${run.monitor && html`<${Fact} name="monitor" detail=${RE.monitor.counts(run.monitor)}>
      <${Line} className=${["violation", "suspicious"].includes(run.monitor.verdict) ? "bad" : ""} text=${RE.monitor.verdict(run.monitor)} /><//>`}
    <${Fact} name="size">${counted(tree.leafCount, "leaf", "leaves")}, ${counted(tree.count, "criterion", "criteria")}<//>
  </dl>`;

  const Head = ({ page, run, tree, onRun, onHelp }) => {
    const [headline, lines] = scoreWords(run, tree);
    const sd = RE.text.known(run.score.sd) &&
      `expected; sd ${points(100 * run.score.sd)} points, taking leaves as independent`;
    return html`<header class="head">
      <div class="head-line">
        <h1><${Line} text=${run.title || run.task || run.id} />${run.submission &&
          html`<span class="dim"> · <${Line} text=${run.submission} /></span>`}</h1>
        <${RE.chooser.Chooser} page=${page} run=${run} onRun=${onRun} />
        <${RE.headTools.Tools} onHelp=${onHelp} />
      </div>
      <div class="head-line answer">
        <p id="score" class="headline">${headline}</p>
        <div class="score-lines">${[...lines, sd].filter(Boolean).map((each) => html`<p>${RE.text.line(each)}</p>`)}</div>
        <${Facts} run=${run} tree=${tree} />
      </div>
      <${Metrics} metrics=${run.metrics} />
    </header>`;
  };

  return { Head, scoreWords, costWords };
})();
