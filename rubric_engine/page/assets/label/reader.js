// Files, the log, and a search over them; what is selected can be cited.
RE.reader = (() => {
  const { html, useState, Button, Line } = RE.ui;

  const Open = ({ desk, opened }) => {
    const { open, chosen, setChosen } = opened;
    const file = desk.files[open.file];
    const lines = chosen && html`${" "}<span class="dim">lines ${chosen.first}-${chosen.last}</span>`;
    return html`<p class="file-name mono"><${Line} text=${RE.files.title(file)} />${lines}</p>
      <${RE.lines.Lines} key=${open.file} file=${open.file} label=${file.path} chosen=${chosen}
        onChoose=${setChosen} goal=${open} />`;
  };

  // `opened` is what `RE.opened.use` gives; `hinted` are numbers of files that the rubric names.
  const Reader = ({ desk, hinted, opened, onCite }) => {
    const [wanted, setWanted] = useState("");
    const [narrow, setNarrow] = useState("");
    const search = RE.hits.use(wanted);
    const log = desk.files.findIndex((file) => file.origin === "log");
    const jump = (file, line) => opened.show({ file, line });
    return html`<section class="reader" aria-label="Submission">
      <div class="bar">
        <input type="search" aria-label="Search all files" placeholder="search all files" value=${wanted}
          onInput=${(event) => setWanted(event.target.value)} />
        <input type="search" aria-label="Files whose name holds" placeholder="file names" value=${narrow}
          onInput=${(event) => setNarrow(event.target.value)} />
        ${log >= 0 && html`<${Button} onClick=${() => jump(log, 1)}>log<//>`}
        <${Button} disabled=${!opened.chosen} onClick=${onCite} aria-keyshortcuts="x">cite lines <kbd>x</kbd><//>
      </div>
      <${RE.files.Lacking} desk=${desk} />
      <${RE.hits.Hits} desk=${desk} search=${search} onOpen=${jump} />
      <${RE.files.Files} desk=${desk} hinted=${hinted} open=${opened.open} narrow=${narrow} onOpen=${jump} />
      ${opened.open !== null && html`<${Open} desk=${desk} opened=${opened} />`}
    </section>`;
  };

  return { Reader };
})();
