// What a reader should know beside the score: warnings, what speaks to the judge, canaries, origin.
RE.notes = (() => {
  const { html, Fold, Text, Button, Line, useFirst } = RE.ui;
  const { counted } = RE.text;
  const MOST = 40;
  const MOST_VALUES = 400;

  const Items = ({ rows, draw, rest = null }) => {
    const [shown, more] = useFirst(rows, MOST);
    return html`<ul>${shown.map(draw)}</ul>${more ?? rest}`;
  };

  const warning = (each) => html`<li class="note">
    <span class="mono">${RE.text.line(each.code, 12)}</span> <${Text} text=${each.message} limit=${600} /></li>`;

  const Warnings = ({ warnings }) =>
    warnings?.length > 0 &&
    html`<${Fold} title=${counted(warnings.length, "warning")} className="attention">
      <${Items} rows=${warnings} draw=${warning} /><//>`;

  const place = ({ path, line }) => (RE.text.known(line) ? `${path}:${line}` : path);

  const finding = (each) => html`<li class="note">
    <span><${Line} className="mono" text=${place(each)} /> ${RE.text.line(each.kind, 60)}</span>
    <${Text} className="mono" text=${each.excerpt} limit=${300} /></li>`;

  const Injections = ({ injections, onQuery }) => {
    const found = injections?.findings ?? [];
    const count = injections?.count ?? found.length;
    if (!count) return null;
    const words = count === 1 ? "speaks" : "speak";
    const left = count - found.length; // the run itself keeps no more of them
    return html`<${Fold} title=${`${counted(count, "place")} ${words} to the judge`} className="attention">
      <p class="dim">Nothing was removed from what the judge saw, and no grade was changed.
        <${Button} className="quiet" onClick=${() => onQuery("injection")}>leaves near them<//></p>
      <${Items} rows=${found} draw=${finding}
        rest=${left > 0 && html`<p class="dim">and ${RE.text.number(left)} more, of which the run
          keeps the number only</p>`} />
    <//>`;
  };

  const Canary = ({ leaf }) => {
    const word = leaf.met ? "met" : (leaf.grade?.reason ?? "not met");
    const said = leaf.met ? "MET" : RE.text.line(word, 40);
    return html`<li class="note"><span class=${leaf.met ? "bad" : ""}>${said}</span>
      <${Text} text=${`${leaf.task}: ${leaf.requirements}`} limit=${400} /></li>`;
  };

  const Canaries = ({ canaries }) =>
    canaries &&
    html`<${Fold} className=${canaries.met ? "attention" : ""}
        title=${`canaries: ${canaries.asked} asked, ${canaries.met} met, ${canaries.failed} failed`}>
      <p class="dim">Criteria of other tasks that are certainly false here; no score has them.</p>
      <${Items} rows=${canaries.leaves ?? []} draw=${(leaf) => html`<${Canary} leaf=${leaf} />`} />
    <//>`;

  // Every value of the record, by its path.
  const flattened = (value, name = "") => {
    if (value === null || typeof value !== "object") return [[name, String(value)]];
    const inner = Object.entries(value);
    return inner.flatMap(([key, each]) => flattened(each, name ? `${name}.${key}` : key));
  };

  const value = ([name, text]) => html`<div><dt>${RE.text.line(name, 80)}</dt>
    <dd class="mono">${RE.text.line(text, 300)}</dd></div>`;

  const Origin = ({ run, version }) => {
    const rows = [["rubric-engine", version], ...flattened(run.provenance ?? {})];
    const [shown, more] = useFirst(rows, MOST_VALUES);
    return html`<${Fold} title="provenance"><dl class="pairs">${shown.map(value)}</dl>${more}<//>`;
  };

  const GoOn = ({ commands }) =>
    commands?.length > 0 &&
    html`<${Fold} title="how to go on" open=${true}>
      ${commands.map((each) => html`<${Text} className="mono" text=${each} />`)}<//>`;

  const Notes = ({ run, version, onQuery }) => html`<div class="notes">
    <${GoOn} commands=${run.go_on} />
    <${Warnings} warnings=${run.warnings} />
    <${Injections} injections=${run.injections} onQuery=${onQuery} />
    <${RE.monitor.Monitor} monitor=${run.monitor} />
    <${Canaries} canaries=${run.canaries} />
    <${Origin} run=${run} version=${version} />
  </div>`;

  return { Notes };
})();
