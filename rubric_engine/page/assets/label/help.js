// The keys of the labelling page.
RE.labelHelp = (() => {
  const { html } = RE.ui;

  const KEYS = [
    ["1 2 3", "met, not met, cannot judge"],
    ["r", "write the reason"],
    ["Enter", "save, and go to the next open leaf; to the reason, where one is missing"],
    ["x", "cite the selected lines"],
    ["s", "skip"],
    ["j k", "next and previous leaf"],
    ["u", "undo the last change, also one of an earlier day"],
    ["f", "flag the rubric as doubtful here"],
    ["g", "nothing here exists: mark all below"],
    ["Escape", "leave a text field"],
    ["t", "light or dark"],
    ["?", "this list"],
  ];

  const Help = ({ onClose }) => html`<${RE.keyHelp.Help} rows=${KEYS} onClose=${onClose}>
    <p>In the list of lines, arrows choose a line, with Shift several.</p>
  <//>`;

  return { Help };
})();
