// One change: where it stands, what it did, and what either run says of it.
RE.comparePanel = (() => {
  const { html, Text, Toggle, Message } = RE.ui;
  const { KINDS, side, signed, tone, what } = RE.compared;

  const Verdict = ({ of }) => {
    if (of.verdict === null) return html`<span class="dim">group, ${RE.text.span(of.score.low, of.score.high)}</span>`;
    return html`<${RE.marks.Verdict} verdict=${of.verdict} value=${of.score.value} />
      ${of.reason !== null && html` <span class="mono">${of.reason}</span>`}`;
  };

  // Both texts in parts, where they differ and can be marked word by word; else null.
  const compared = (change, field) => {
    if (change.a === null || change.b === null || change.a[field] === change.b[field]) return null;
    return change.a[field] === null ? null : RE.differ.parts(change.a[field], change.b[field]);
  };

  const texts = (change, field, parts) =>
    ["a", "b"].map((name, at) =>
      parts === null
        ? html`<${Text} text=${change[name]?.[field] ?? ""} />`
        : html`<${RE.differ.Marked} list=${parts[at]} tag=${at === 0 ? "del" : "ins"} />`,
    );

  const Side = ({ name, of, asked, said }) => {
    if (of === null) {
      return html`<section class="side" aria-label=${`What ${name} says`}><h3>${name}</h3>
        <p class="dim">This rubric has no such criterion.</p></section>`;
    }
    const worth = `worth ${RE.text.points(of.worth)} of 100, weight ${of.weight}`;
    return html`<section class="side" aria-label=${`What ${name} says`}>
      <h3>${name} <${Verdict} of=${of} /></h3>
      <p class="dim">${worth}${of.category !== null && `, ${RE.text.line(of.category)}`}</p>
      ${asked}
      ${of.verdict !== null &&
        html`<h4>Why</h4>${of.explanation === "" ? html`<p class="dim">no reason given</p>` : said}`}
    </section>`;
  };

  const Path = ({ path }) => html`<ol class="path" aria-label="Above it">
    ${path.map((text) => html`<li><bdi class="line">${RE.text.line(text, 300)}</bdi></li>`)}</ol>`;

  const Parts = ({ change }) => {
    const parts = Object.entries(change.by_kind);
    if (parts.length < 2) return null;
    const words = parts.map(([kind, points]) => `${signed(points)} ${KINDS[kind]}`);
    return html`<p class="dim">${words.join(", ")}</p>`;
  };

  const Commands = ({ change }) => {
    const shows = [change.a?.show, change.b?.show].filter(Boolean);
    return shows.length > 0 && html`<p class="dim">All of a leaf, its citations too:</p>
      ${shows.map((command) => html`<code class="command">${RE.text.shown(command)}</code>`)}`;
  };

  const Body = ({ change, marked, onMark }) => {
    const own = side(change);
    const isSame = change.a !== null && change.b !== null && change.a.requirements === change.b.requirements;
    const parts = ["requirements", "explanation"].map((field) => compared(change, field));
    const asked = texts(change, "requirements", marked ? parts[0] : null);
    const said = texts(change, "explanation", marked ? parts[1] : null);
    return html`<div class="panel-body"><${Path} path=${own.path} />
      ${isSame && html`<h2><${Text} text=${own.requirements} /></h2>`}
      <${Parts} change=${change} />
      ${parts.some((each) => each !== null) && html`<p><${Toggle} on=${marked} onClick=${onMark}>Word by word<//></p>`}
      <div class="sides">
        ${["a", "b"].map((name, at) => html`<${Side} name=${name.toUpperCase()} of=${change[name]}
          asked=${!isSame && asked[at]} said=${said[at]} />`)}
      </div>
      <${Commands} change=${change} />
    </div>`;
  };

  const Title = ({ change }) =>
    html`<span><strong class=${tone(change.points)}>${signed(change.points)}</strong> points,
    ${" "}${what(change)} <span class="mono dim">${RE.text.line(side(change).key, 120)}</span></span>`;

  const Panel = ({ change, chosen, marked, onMark, onClose }) => html`<${RE.beside.Panel} of=${change}
    chosen=${chosen} label="The open change" title=${change && html`<${Title} change=${change} />`} onClose=${onClose}>
    ${change === null
      ? html`<${Message} title="Nothing is open.">Choose a change.<//>`
      : html`<${Body} change=${change} marked=${marked} onMark=${onMark} />`}
  <//>`;

  return { Panel };
})();
