// The keys of a page, and the switch that turns single ones off.
RE.keyHelp = (() => {
  const { html, useState, Dialog } = RE.ui;

  const Switch = () => {
    const [on, setOn] = useState(RE.keys.isOn());
    const turn = (event) => {
      RE.keys.turn(event.target.checked);
      setOn(event.target.checked);
    };
    return html`<p><label><input type="checkbox" id="keys-on" checked=${on} onChange=${turn} />
      single letters and digits are shortcuts</label></p>`;
  };

  // `rows` are pairs of a key and what it does; `children` stand between them and the switch.
  const Help = ({ rows, onClose, children }) => html`<${Dialog} title="Help" onClose=${onClose}>
    <dl class="keys">${rows.map(([key, does]) => html`<dt><kbd>${key}</kbd></dt><dd>${does}</dd>`)}</dl>
    ${children}
    <${Switch} />
  <//>`;

  return { Help };
})();
