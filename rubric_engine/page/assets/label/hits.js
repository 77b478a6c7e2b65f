// A search over all files: places that hold a text.
RE.hits = (() => {
  const { html, Line } = RE.ui;

  // Why a text is not searched for; "" where it is. A single Chinese character is a word.
  const lacks = (text) =>
    /^[a-z0-9]$/i.test(text) ? "not searched: a single letter or digit stands nearly everywhere; write more" : "";

  const use = (wanted) => {
    const text = wanted.trim();
    const why = lacks(text);
    const path = text && !why ? `search?q=${encodeURIComponent(text)}` : null;
    return { why, isOn: path !== null, asked: RE.asking.use(path, 250) };
  };

  const Hit = ({ desk, hit, onOpen }) => html`<button type="button" class="hit"
    onClick=${() => onOpen(hit.file, hit.line)}>
      <span class="mono">${RE.text.line(desk.files[hit.file].path, 80)}:${hit.line}</span>
      ${" "}<${Line} text=${hit.text} className="dim mono" />
    </button>`;

  const words = (found) => `${RE.text.counted(found.hits.length, "place")}${found.more ? ", and perhaps more" : ""}`;

  const Hits = ({ desk, search, onOpen }) => {
    const { why, isOn, asked } = search;
    if (!why && !isOn) return null;
    if (asked.error) return html`<${RE.asking.Trouble} what="The files were not searched" asked=${asked} />`;
    const said = why || (asked.value ? words(asked.value) : "searching …");
    return html`<div class="hits" role="group" aria-label="Places found">
      <p class="dim" role="status">${said}</p>
      ${asked.value && asked.value.hits.map((hit) => html`<${Hit} desk=${desk} hit=${hit} onOpen=${onOpen} />`)}
    </div>`;
  };

  return { use, Hits };
})();
