// What stands at the right of every page's head: light or dark, and its keys.
RE.headTools = (() => {
  const { html, Button } = RE.ui;

  const Tools = ({ onHelp }) => html`<span class="head-tools">
    <${Button} className="quiet" onClick=${RE.theme.turn} aria-label="Light or dark" title="Light or dark (t)">◐<//>
    <${Button} className="quiet" onClick=${onHelp} aria-label="Help and keys" title="Help and keys (?)">?<//>
  </span>`;

  return { Tools };
})();
