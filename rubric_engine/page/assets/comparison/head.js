// Which runs are compared, how far apart they are, and whether that is more than chance.
RE.compareHead = (() => {
  const { html, Fold, Line } = RE.ui;
  const { signed, tone } = RE.compared;

  const Run = ({ name, run }) => {
    const judge = [run.judge.name, (run.judge.fingerprint ?? "").slice(0, 6)].filter(Boolean);
    return html`<section class="run" aria-label=${`Run ${name}`}>
      <span class="letter">${name}</span>
      <div>
        <p><strong class="score">${run.said.headline}</strong>
          ${" "}<span class="dim">${RE.text.line(run.said.lines.join("; "))}</span></p>
        <p><${Line} text=${run.id ?? "no folder"} /></p>
        <p class="dim"><${Line} text=${`${judge.join(" ")} on ${run.submission ?? "a submission"}`} /></p>
        ${run.holes !== null && html`<p class="warn">${RE.text.line(run.holes)}</p>`}
      </div>
    </section>`;
  };

  // The range first, where leaves without a grade leave it open.
  const Gap = ({ gap, missing, policy }) => {
    if (gap.low === null) return html`<p class="gap">B less A: <strong>undefined</strong>: ${gap.why}</p>`;
    if (gap.low === gap.high && gap.value !== null) {
      return html`<p class="gap">B less A <strong class=${tone(gap.value)}>${signed(gap.value)}</strong> points</p>`;
    }
    return html`<p class="gap">B less A between <strong>${signed(gap.low)}</strong> and
      ${" "}<strong>${signed(gap.high)}</strong> points
      <span class="dim"> ${gap.value === null
        ? `no value: ${gap.why} (missing=${missing})`
        : `${signed(gap.value)} if ${policy}`}</span></p>`;
  };

  const ended = (side) => (side === null ? "none" : side.value === null ? "undefined" : String(side.value));

  const Metrics = ({ rows }) =>
    rows.length > 0 && html`<ul class="said">${rows.map((row) => html`<li>
      metric <${Line} text=${row.name} />: ${ended(row.a)} → ${ended(row.b)}</li>`)}</ul>`;

  const Unlike = ({ rows }) => {
    if (rows.length === 0) return html`<p class="dim">The runs are alike in all else.</p>`;
    return html`<${Fold} title=${`What else differs: ${rows.map(({ name }) => name).join(", ")}`}>
      <table class="plain"><thead><tr><th scope="col"><span class="hidden-name">what</span></th>
        <th scope="col">A</th><th scope="col">B</th></tr></thead>
      <tbody>${rows.map((row) => html`<tr><th scope="row">${row.name}</th>
        ${[row.a, row.b].map((text) => html`<td class="mono">${text === null ? "none" : RE.text.line(text)}</td>`)}
      </tr>`)}</tbody></table>
    <//>`;
  };

  const KEYS = [
    ["↓ ↑ or j k", "next, previous change"],
    ["Home End", "first, last change"],
    ["/", "search"],
    ["Esc", "close the change on a telephone, else clear the search and the kind"],
    ["w", "word by word, on and off"],
    ["t, ?", "light or dark, this help"],
  ];

  const Help = ({ onClose }) => html`<${RE.keyHelp.Help} rows=${KEYS} onClose=${onClose} />`;

  const Head = ({ found, onHelp, children }) => html`<header class="head">
    <div class="bar"><h1>Two runs compared</h1><${RE.headTools.Tools} onHelp=${onHelp} /></div>
    <div class="runs"><${Run} name="A" run=${found.a} /><${Run} name="B" run=${found.b} /></div>
    <div class="overview">
      <div class="told">
        <${Gap} gap=${found.gap} missing=${found.a.missing} policy=${found.policy} />
        <${Metrics} rows=${found.metrics} />
        <ul class="said">${found.said.map((text) => html`<li>${RE.text.shown(text)}</li>`)}</ul>
        <${Unlike} rows=${found.unlike} />
      </div>
      ${children}
    </div>
  </header>`;

  return { Head, Help };
})();
