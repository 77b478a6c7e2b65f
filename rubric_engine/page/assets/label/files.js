// The list of what can be read, and what cannot be seen of a run and why.
RE.files = (() => {
  const { html } = RE.ui;
  const MOST = 400; // files in the list at once; the box above narrows it

  // Of two texts at one path a citation means one; the other says what it is.
  const WHAT = {
    submission: ["", "as handed in: "],
    run: ["made by the run: ", "as the run left it: "],
    log: ["", ""],
  };
  const OTHER = {
    submission: "a citation of this path means what the run left; open that",
    run: "a citation of this path means the file as it was handed in; open that",
    log: "",
  };

  const title = (file) => `${WHAT[file.origin][file.cited ? 0 : 1]}${file.path}`;
  const other = (file) => OTHER[file.origin];

  const Entry = ({ file, isOpen, isHinted, onOpen }) => html`<li><button type="button" class="file mono"
    disabled=${!file.text} aria-current=${isOpen ? "true" : undefined} onClick=${onOpen}>
    ${RE.text.line(title(file), 200)}${file.text ? "" : ` (${file.kind})`}
    ${isHinted && html`${" "}<span class="chip">the rubric names it</span>`}
  </button></li>`;

  // A text with `code` in it.
  const Coded = ({ text }) => text.split("`").map((part, at) => (at % 2 ? html`<code>${part}</code>` : part));

  const Lacking = ({ desk }) => desk.lacking.map(({ what, how }) => html`<p key=${what}
    class="message note lacking" role="note"><strong>${what}</strong> <${Coded} text=${how} /></p>`);

  const Files = ({ desk, hinted, open, narrow, onOpen }) => {
    const holds = (file) => title(file).toLowerCase().includes(narrow.toLowerCase());
    const fits = desk.files.flatMap((file, at) => (holds(file) ? [at] : []));
    return html`<nav class="files" aria-label="Files"><ul>
      ${fits.slice(0, MOST).map((at) => html`<${Entry} key=${at} file=${desk.files[at]} isOpen=${open?.file === at}
        isHinted=${hinted.includes(at)} onOpen=${() => onOpen(at, 1)} />`)}
    </ul>
    ${fits.length > MOST && html`<p class="dim">${RE.text.number(fits.length - MOST)} more; narrow the names</p>`}
    ${!desk.files.length && html`<p class="dim">No file was handed in.</p>`}</nav>`;
  };

  return { Files, Lacking, title, other };
})();
