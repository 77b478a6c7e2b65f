// What single samples, judges and checks said of a leaf.
RE.votes = (() => {
  const { html, Text, Line, Fold, useFirst } = RE.ui;
  const DEEPEST = 8;
  const MOST = 40;

  const word = (score, reason) => {
    if (!RE.text.known(score)) return html`<${RE.marks.Verdict} verdict=${reason ? "open" : "n/a"} />`;
    const verdict = score === 1 ? "met" : score === 0 ? "not met" : "part";
    return html`<${RE.marks.Verdict} verdict=${verdict} value=${score} />`;
  };

  const Samples = ({ samples }) => {
    const met = samples.filter((score) => score >= 0.5).length;
    const [shown, more] = useFirst(samples, MOST);
    return html`<p>${RE.text.counted(samples.length, "sample")}: ${met} met, ${samples.length - met} not met
      ${" "}<span class="dim">(${shown.map(RE.marks.shortScore).join(", ")}${more && html`, ${more}`})</span></p>`;
  };

  // What stands below: judges in a judge, and again in these.
  const Inner = ({ members, level, onCopy }) =>
    level < DEEPEST
      ? html`<${Members} members=${members} level=${level + 1} onCopy=${onCopy} />`
      : html`<p class="dim">and ${RE.text.counted(members.length, "judge")} within: show RUN LEAF --json has all</p>`;

  const Member = ({ member, level, onCopy }) => html`<li>
    <div class="place">${word(member.score, member.reason)} <${Line} text=${member.judge ?? "a judge"} limit=${80} />
      ${RE.text.known(member.probability) &&
        html`<span class="dim">probability ${RE.marks.shortScore(member.probability)}</span>`}
      ${member.reason && html`<span class="dim">${RE.text.line(member.reason, 40)}</span>`}</div>
    ${member.explanation && html`<${Text} text=${member.explanation} limit=${600} />`}
    ${member.samples?.length > 0 && html`<${Samples} samples=${member.samples} />`}
    ${member.checks?.length > 0 && html`<${Checks} checks=${member.checks} onCopy=${onCopy} />`}
    ${member.citations?.length > 0 && html`<${Fold} title=${RE.text.counted(member.citations.length, "citation")}>
      <${RE.citations.List} citations=${member.citations} onCopy=${onCopy} /><//>`}
    ${member.members?.length > 0 && html`<${Inner} members=${member.members} level=${level} onCopy=${onCopy} />`}
  </li>`;

  const Members = ({ members, level = 1, onCopy }) => {
    const [shown, more] = useFirst(members, MOST);
    return html`<ul class="members">
      ${shown.map((member) => html`<${Member} member=${member} level=${level} onCopy=${onCopy} />`)}
      ${more && html`<li>${more}</li>`}</ul>`;
  };

  const checkWord = (score) => {
    if (!RE.text.known(score)) return ["open", "○ no grade"];
    if (score === 1) return ["met", "✓ holds"];
    return score === 0 ? ["not", "✗ fails"] : ["part", `◐ ${RE.marks.shortScore(score)}`];
  };

  const Check = ({ check, onCopy }) => {
    const [kind, said] = checkWord(check.score);
    return html`<li class="check">
      <div class="place"><span class=${`chip ${kind}`}>${said}</span>
        ${" "}<span class="mono">${RE.text.line(check.check, 60)}</span>
        ${check.reason && html`<span class="dim">${RE.text.line(check.reason, 40)}</span>`}</div>
      <dl class="pairs"><div><dt>looked for</dt><dd><${Text} text=${check.looked_for} limit=${1000} /></dd></div>
        <div><dt>found</dt><dd><${Text} text=${check.found} limit=${1000} /></dd></div></dl>
      ${check.citations?.length > 0 &&
        html`<${RE.citations.List} citations=${check.citations} onCopy=${onCopy} />`}
    </li>`;
  };

  const Checks = ({ checks, onCopy }) => {
    const [shown, more] = useFirst(checks, MOST);
    return html`<ul class="members">
      ${shown.map((check) => html`<${Check} check=${check} onCopy=${onCopy} />`)}
      ${more && html`<li>${more}</li>`}</ul>`;
  };

  return { Samples, Members, Checks };
})();
