// The keys, and the switch that turns single keys off.
RE.labelHelp = (() => {
  const { html, useState, Dialog } = RE.ui;

  const KEYS = [
    ["1 2 3", "met, not met, cannot judge"],
    ["r", "write the reason"],
    ["Enter", "save, and go to the next open leaf"],
    ["x", "cite the selected lines"],
    ["s", "skip"],
    ["j k", "next and previous leaf"],
    ["u", "undo the last change"],
    ["f", "flag the rubric as doubtful here"],
    ["g", "nothing here exists: mark all below"],
    ["Escape", "leave a text field"],
    ["t", "light or dark"],
    ["?", "this list"],
  ];

  const Help = ({ onClose }) => {
    const [on, setOn] = useState(RE.keys.isOn());
    const turn = (event) => {
      RE.keys.turn(event.target.checked);
      setOn(event.target.checked);
    };
    return html`<${Dialog} title="Keys" onClose=${onClose}>
      <dl class="keys">${KEYS.map(([key, text]) => html`<dt><kbd>${key}</kbd></dt><dd>${text}</dd>`)}</dl>
      <p>In the list of lines, arrows choose a line, with Shift several.</p>
      <label><input type="checkbox" checked=${on} onChange=${turn} /> single keys are on</label>
    <//>`;
  };

  return { Help };
})();
