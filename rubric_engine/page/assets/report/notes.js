// What a reader should know beside the score: warnings, what speaks to the judge, canaries, origin.
RE.notes = (() => {
  const { html, Fold, Text, Button, Line } = RE.ui;
  const { counted } = RE.text;
  const MOST = 40;

  const Warnings = ({ warnings }) =>
    warnings?.length > 0 &&
    html`<${Fold} title=${counted(warnings.length, "warning")} className="attention">
      <ul>${warnings.slice(0, MOST).map((each) => html`<li class="note">
        <span class="mono">${RE.text.line(each.code, 12)}</span> <${Text} text=${each.message} limit=${600} /></li>`)}</ul>
    <//>`;

  const place = ({ path, line }) => (RE.text.known(line) ? `${path}:${line}` : path);

  const Injections = ({ injections, onQuery }) => {
    const found = injections?.findings ?? [];
    const count = injections?.count ?? found.length;
    if (!count) return null;
    const words = count === 1 ? "speaks" : "speak";
    return html`<${Fold} title=${`${counted(count, "place")} ${words} to the judge`} className="attention">
      <p class="dim">Nothing was removed from what the judge saw, and no grade was changed.
        <${Button} className="quiet" onClick=${() => onQuery("injection")}>leaves near them<//></p>
      <ul>${found.slice(0, MOST).map((each) => html`<li class="note">
        <span><${Line} className="mono" text=${place(each)} /> ${RE.text.line(each.kind, 60)}</span>
        <${Text} className="mono" text=${each.excerpt} limit=${300} /></li>`)}</ul>
      ${count > Math.min(found.length, MOST) && html`<p class="dim">and ${RE.text.number(count - Math.min(found.length, MOST))} more in report.json</p>`}
    <//>`;
  };

  const Canary = ({ leaf }) => {
    const word = leaf.met ? "met" : (leaf.grade?.reason ?? "not met");
    return html`<li class="note"><span class=${leaf.met ? "bad" : ""}>${leaf.met ? "MET" : RE.text.line(word, 40)}</span>
      <${Text} text=${`${leaf.task}: ${leaf.requirements}`} limit=${400} /></li>`;
  };

  const Canaries = ({ canaries }) =>
    canaries &&
    html`<${Fold} className=${canaries.met ? "attention" : ""}
        title=${`canaries: ${canaries.asked} asked, ${canaries.met} met, ${canaries.failed} failed`}>
      <p class="dim">Criteria of other tasks that are certainly false here; no score has them.</p>
      <ul>${(canaries.leaves ?? []).slice(0, MOST).map((leaf) => html`<${Canary} leaf=${leaf} />`)}</ul>
    <//>`;

  // Every value of the record, by its path.
  const flattened = (value, name = "") => {
    if (value === null || typeof value !== "object") return [[name, String(value)]];
    const inner = Object.entries(value);
    return inner.flatMap(([key, each]) => flattened(each, name ? `${name}.${key}` : key)).slice(0, 400);
  };

  const Origin = ({ run, version }) => {
    const rows = [["rubric-engine", version], ...flattened(run.provenance ?? {})];
    return html`<${Fold} title="provenance">
      <dl class="pairs">${rows.map(([name, value]) => html`<div><dt>${RE.text.line(name, 80)}</dt>
        <dd class="mono">${RE.text.line(value, 300)}</dd></div>`)}</dl><//>`;
  };

  const Stopped = ({ stopped }) =>
    stopped?.fix?.length > 0 &&
    html`<${Fold} title="how to go on" open=${true}>
      ${stopped.fix.map((each) => html`<p class="mono">${RE.text.line(each.replaceAll("RUN", stopped.run ?? "RUN"))}</p>`)}<//>`;

  const Notes = ({ run, version, onQuery }) => html`<div class="notes">
    <${Stopped} stopped=${run.stopped && { ...run.stopped, run: run.id }} />
    <${Warnings} warnings=${run.warnings} />
    <${Injections} injections=${run.injections} onQuery=${onQuery} />
    <${RE.monitor.Monitor} monitor=${run.monitor} />
    <${Canaries} canaries=${run.canaries} />
    <${Origin} run=${run} version=${version} />
  </div>`;

  return { Notes };
})();
