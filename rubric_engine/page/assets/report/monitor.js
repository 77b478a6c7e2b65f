// Whether the result was honestly come by: what rules found, and what people said of it.
RE.monitor = (() => {
  const { html, Fold, Text, Line } = RE.ui;
  const { counted, known, percent } = RE.text;
  const MOST = 40;
  const ORDER = ["violation", "suspicious", "note"];
  const WORDS = { not_checked: "not checked" };

  // The word that counts, by finding: the last one.
  const lastOf = (monitor) =>
    new Map((monitor.decisions ?? []).map((said) => [said.finding, said]));

  // Decisions on findings that are listed no more: each stands until it is withdrawn.
  const goneOf = (monitor) => {
    const listed = new Set(monitor.findings.map(({ id }) => id));
    return [...lastOf(monitor).values()].filter((said) => !listed.has(said.finding));
  };

  const weight = (finding, said) =>
    said === undefined ? finding.severity : said.decision === "confirm" ? "violation" : "note";

  const verdict = ({ verdict }) => RE.text.line(WORDS[verdict] ?? verdict, 40);

  // How many findings weigh how much, such as `2 suspicious, 1 note`.
  const counts = (monitor) => {
    const last = lastOf(monitor);
    const weights = [
      ...monitor.findings.map((each) => weight(each, last.get(each.id))),
      ...goneOf(monitor).map((said) => (said.decision === "confirm" ? "violation" : "")),
    ];
    return ORDER.map((one) => [one, weights.filter((each) => each === one).length])
      .filter(([, many]) => many > 0)
      .map(([one, many]) => (one === "note" ? counted(many, "note") : `${many} ${one}`))
      .join(", ");
  };

  const place = ({ path, line }) => (known(line) ? `${path}:${line}` : path);

  const Said = ({ said }) =>
    said !== undefined &&
    html`<${Text} limit=${400}
      text=${`${said.decision === "confirm" ? "confirmed" : "dismissed"} by ${said.by}: ${said.why}`} />`;

  const Finding = ({ finding, said }) => html`<li class="found">
    <p><span class=${weight(finding, said) === "note" ? "dim" : "bad"}>${RE.text.line(weight(finding, said), 20)}</span>
      ${" "}<${Line} className="mono" text=${place(finding)} />
      ${" "}<span class="dim mono">${RE.text.line(finding.id, 20)} ${RE.text.line(finding.rule, 60)}</span></p>
    <${Text} className="mono" text=${finding.excerpt} limit=${300} />
    <${Text} className="dim" text=${finding.says} limit=${400} />
    <${Said} said=${said} />
  </li>`;

  const Gone = ({ said }) => html`<li class="found">
    <p class="dim"><span class="mono">${RE.text.line(said.finding, 20)}</span> listed no more</p>
    <${Said} said=${said} />
  </li>`;

  const Area = ({ outcome }) => html`<li class="note"><span>${RE.text.line(outcome.area, 40)}</span>
    <${Text} className="dim" limit=${300}
      text=${[outcome.state.replace("_", " "), outcome.why].filter(Boolean).join(": ")} /></li>`;

  const Claims = ({ claims }) =>
    known(claims?.share) &&
    html`<p class="dim">${claims.ungrounded} of ${counted(claims.claims, "claim")}
      ${" "}(${percent(claims.share)}) that nothing bears out</p>`;

  const Monitor = ({ monitor }) => {
    if (!monitor) return null;
    const last = lastOf(monitor);
    const ranked = ORDER.flatMap((one) => monitor.findings.filter((each) => weight(each, last.get(each.id)) === one));
    const gone = goneOf(monitor);
    const grave = ["violation", "suspicious"].includes(monitor.verdict);
    return html`<${Fold} className=${grave ? "attention" : ""}
        title=${["monitor", [verdict(monitor), counts(monitor)].filter(Boolean).join(", ")].join(": ")}>
      <p class="dim">What rules found of how the result was come by; a person decides, with
        rubric-engine monitor confirm or dismiss.</p>
      <ul>${ranked.slice(0, MOST).map((each) => html`<${Finding} finding=${each} said=${last.get(each.id)} />`)}
        ${gone.slice(0, MOST).map((said) => html`<${Gone} said=${said} />`)}</ul>
      ${monitor.unlisted > 0 &&
        html`<p class="dim">and ${RE.text.number(monitor.unlisted)} more that are not listed</p>`}
      ${ranked.length > MOST &&
        html`<p class="dim">and ${RE.text.number(ranked.length - MOST)} more in report.json</p>`}
      <${Claims} claims=${monitor.claims} />
      <ul>${monitor.areas.map((each) => html`<${Area} outcome=${each} />`)}</ul>
    <//>`;
  };

  return { Monitor, verdict, counts };
})();
