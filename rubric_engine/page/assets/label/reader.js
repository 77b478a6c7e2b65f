// Files, the log, and a search over them; what is selected can be cited.
RE.reader = (() => {
  const { html, useEffect, useState, Button, Line } = RE.ui;
  const MOST = 400; // files in the list at once; the box above narrows it

  const NAMES = { submission: "", run: "made by the run: ", log: "" };

  const isText = (file) => ["text", "notebook", "empty"].includes(file.kind);

  const title = (file) => `${NAMES[file.origin]}${file.path}`;

  const useHits = (wanted) => {
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

  // `open` is {file, line} or null; `chosen` the selected lines of it.
  const Reader = ({ desk, open, onOpen, chosen, onChoose, onCite }) => {
    const [wanted, setWanted] = useState("");
    const [narrow, setNarrow] = useState("");
    const hits = useHits(wanted);
    const fits = desk.files.flatMap((file, at) => (title(file).toLowerCase().includes(narrow.toLowerCase()) ? [at] : []));
    const log = desk.files.findIndex((file) => file.origin === "log");
    const file = open === null ? null : desk.files[open.file];
    const jump = (number, line) => onOpen({ file: number, line });
    return html`<section class="reader" aria-label="Submission">
      <div class="bar">
        <input type="search" aria-label="Search all files" placeholder="search all files" value=${wanted} onInput=${(event) => setWanted(event.target.value)} />
        <input type="search" aria-label="Files whose name holds" placeholder="file names" value=${narrow} onInput=${(event) => setNarrow(event.target.value)} />
        ${log >= 0 && html`<${Button} onClick=${() => jump(log, 1)}>log<//>`}
        <${Button} disabled=${!chosen} onClick=${onCite} aria-keyshortcuts="x">cite lines <kbd>x</kbd><//>
      </div>
      ${hits && html`<${Hits} desk=${desk} found=${hits} onOpen=${jump} />`}
      <nav class="files" aria-label="Files"><ul>
        ${fits.slice(0, MOST).map((at) => html`<li key=${at}><button type="button" class="file mono" disabled=${!isText(desk.files[at])}
          aria-current=${open !== null && open.file === at ? "true" : undefined} onClick=${() => jump(at, 1)}>
          ${RE.text.line(title(desk.files[at]), 200)}${isText(desk.files[at]) ? "" : ` (${desk.files[at].kind})`}</button></li>`)}
      </ul>
      ${fits.length > MOST && html`<p class="dim">${RE.text.number(fits.length - MOST)} more; narrow the names</p>`}
      ${!desk.files.length && html`<p class="dim">No file was handed in.</p>`}</nav>
      ${file !== null && html`<p class="file-name mono"><${Line} text=${title(file)} />${chosen ? html` <span class="dim">lines ${chosen.first}-${chosen.last}</span>` : ""}</p>
        <${RE.lines.Lines} key=${open.file} file=${open.file} label=${file.path} chosen=${chosen} onChoose=${onChoose} goal=${open} />`}
    </section>`;
  };

  return { Reader, isText };
})();
