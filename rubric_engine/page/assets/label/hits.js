// A search over all files: places that hold a text.
RE.hits = (() => {
  const { html, useEffect, useState, Line } = RE.ui;

  const use = (wanted) => {
    const [found, setFound] = useState(null);
    useEffect(() => {
      setFound(null);
      if (wanted.trim().length < 2) return undefined;
      let over = false;
      const timer = setTimeout(() => {
        RE.desk.get(`search?q=${encodeURIComponent(wanted.trim())}`).then((hits) => !over && setFound(hits), () => {});
      }, 250);
      return () => {
        over = true;
        clearTimeout(timer);
      };
    }, [wanted]);
    return found;
  };

  const Hits = ({ desk, found, onOpen }) => html`<div class="hits" role="group" aria-label="Places found">
    <p class="dim" role="status">${RE.text.counted(found.hits.length, "place")}${found.more ? ", and perhaps more" : ""}</p>
    ${found.hits.map((hit) => html`<button type="button" class="hit" onClick=${() => onOpen(hit.file, hit.line)}>
      <span class="mono">${RE.text.line(desk.files[hit.file].path, 80)}:${hit.line}</span> <${Line} text=${hit.text} className="dim mono" />
    </button>`)}
  </div>`;

  return { use, Hits };
})();
