// Places that a grade cites, each with the lines that stand there.
RE.citations = (() => {
  const { html, Button, Line, Text, useState } = RE.ui;
  const FIRST = 6;
  const MOST_LINE = 2000;

  const MARKS = {
    verified: ["✓", "verified", "met", "the quote stands there"],
    moved: ["↕", "moved", "part", "the quote stands elsewhere in the file"],
    not_found: ["✗", "not found", "not", "the quote does not stand in the file"],
  };

  const place = ({ path, start_line: first, end_line: last }) => {
    if (!RE.text.known(first)) return path;
    return RE.text.known(last) && last !== first ? `${path}:${first}-${last}` : `${path}:${first}`;
  };

  const Mark = ({ verified }) => {
    if (!Object.hasOwn(MARKS, verified ?? "")) return html`<span class="chip">not checked</span>`;
    const [sign, word, kind, why] = MARKS[verified];
    return html`<span class=${`chip ${kind}`} title=${why}>${sign} ${word}</span>`;
  };

  const code = (text) => RE.text.shown(text.length > MOST_LINE ? `${text.slice(0, MOST_LINE)}…` : text);

  // Neighbouring lines that are alike cited or not, so that few elements draw many lines.
  const stretches = ({ first, lines }, { start_line: from, end_line: to }) => {
    const found = [];
    lines.forEach((text, row) => {
      const number = first + row;
      const cited = RE.text.known(from) && number >= from && number <= (to ?? from);
      const last = found.at(-1);
      if (last?.cited === cited) last.lines.push(text);
      else found.push({ cited, first: number, lines: [text] });
    });
    return found;
  };

  const Excerpt = ({ citation }) => {
    const { excerpt } = citation;
    return html`<div class="excerpt" tabindex="0" role="group"
        aria-label=${`Lines of ${RE.text.line(place(citation), 120)}`}>
      ${stretches(excerpt, citation).map(({ cited, first, lines }) => html`<div class=${cited ? "cited" : ""}>
        <pre class="gutter" aria-hidden="true">${lines.map((_, row) => first + row).join("\n")}</pre>
        <pre class="code">${lines.map((text) => code(String(text))).join("\n")}</pre></div>`)}
    </div>`;
  };

  const Citation = ({ citation, onCopy }) => html`<li class="citation">
    <div class="place"><${Line} className="mono" text=${place(citation)} limit=${300} />
      <${Mark} verified=${citation.verified} />
      <${Button} className="quiet" aria-label=${`Copy ${RE.text.line(place(citation), 120)}`} title="Copy path:line (c)"
        onClick=${() => onCopy(place(citation))}>copy<//></div>
    ${citation.quote && html`<${Text} className="quote mono" text=${citation.quote} limit=${800} />`}
    ${citation.excerpt ? html`<${Excerpt} citation=${citation} />` : null}
  </li>`;

  const List = ({ citations, onCopy }) => {
    const [all, setAll] = useState(false);
    const rows = all ? citations : citations.slice(0, FIRST);
    return html`<ul class="citations">${rows.map((citation) =>
      html`<${Citation} citation=${citation} onCopy=${onCopy} />`)}
      ${rows.length < citations.length &&
        html`<li><${Button} onClick=${() => setAll(true)}>all ${citations.length} citations<//></li>`}</ul>`;
  };

  return { List, place };
})();
