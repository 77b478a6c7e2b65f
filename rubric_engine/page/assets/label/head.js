// The head of the labelling page: who labels what, and how far.
RE.labelHead = (() => {
  const { html, Button } = RE.ui;

  const TITLES = { label: "labels", adjudicate: "decides", correct: "corrects" };

  const Head = ({ desk, onHelp, onUndo }) => {
    const done = RE.desk.done(desk);
    return html`<header class="head">
      <h1><bdi>${RE.text.line(desk.name, 40)}</bdi> ${TITLES[desk.kind]}
        ${" "}<bdi>${RE.text.line(desk.submission, 60)}</bdi>
        ${" "}<span class="dim">${RE.text.line(desk.task, 60)}</span></h1>
      <progress max=${desk.leaves.length || 1} value=${done} aria-label="Leaves with a label"></progress>
      <span id="progress">${RE.text.number(done)} of ${RE.text.number(desk.leaves.length)}</span>
      <${Button} onClick=${onUndo} aria-keyshortcuts="u">undo <kbd>u</kbd><//>
      <${RE.headTools.Tools} onHelp=${onHelp} />
    </header>`;
  };

  return { Head };
})();
