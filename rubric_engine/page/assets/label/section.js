// A section of the paper: text in blocks, whose line breaks are kept where they mean something.
RE.section = (() => {
  const { html, useState, Button } = RE.ui;
  const MOST = 20000; // characters at first
  const FLOWING = new Set(["prose", "heading"]);

  // As many of the blocks as have room; the last one is cut.
  const fitting = (blocks, most) => {
    let left = most;
    return blocks.flatMap(({ kind, parts }) => {
      if (left <= 0) return [];
      const fit = parts.map((part) => {
        const cut = part.slice(0, Math.max(0, left));
        left -= part.length;
        return cut;
      });
      return [{ kind, parts: fit }];
    });
  };

  const Part = ({ text, isFormula }) =>
    isFormula ? html`<span class="formula">${RE.text.shown(text)}</span>` : RE.text.shown(text);

  const Block = ({ kind, parts }) => {
    if (!FLOWING.has(kind)) {
      return html`<div class="text verbatim mono" tabindex="0" role="group"
        aria-label=${kind}>${RE.text.shown(parts.join(""))}</div>`;
    }
    return html`<div class=${`text ${kind}`}>${parts.map((text, at) =>
      html`<${Part} text=${text} isFormula=${at % 2 === 1} />`)}</div>`;
  };

  const Section = ({ blocks }) => {
    const [open, setOpen] = useState(false);
    const size = blocks.reduce((sum, { parts }) => sum + parts.join("").length, 0);
    const isCut = !open && size > MOST;
    return html`${(isCut ? fitting(blocks, MOST) : blocks).map((block) => html`<${Block} ...${block} />`)}
      ${isCut && html`<p>… <${Button}
        onClick=${() => setOpen(true)}>show all ${RE.text.number(size)} characters<//></p>`}`;
  };

  return { Section };
})();
