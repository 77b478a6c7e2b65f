// Keys and the language of the query box.
RE.help = (() => {
  const { html } = RE.ui;

  const KEYS = [
    ["↑ ↓, j k", "row up, row down"],
    ["→ ←, l h", "open, close, to the parent"],
    ["Home End", "first row, last row"],
    ["1 to 9, *", "open so many levels, all"],
    ["n p", "next, previous leaf that is not met"],
    ["d D", "next, previous disagreement with a human"],
    ["i", "next leaf with no grade"],
    ["Enter, e", "to the panel, to its citations"],
    ["o, c", "copy a link, copy path:line"],
    ["/, Esc", "to the query box, clear it or close the panel"],
    ["t, ?", "light or dark, this help"],
  ];

  const TERMS = [
    ["words", "in the requirement or the key; put a phrase, or a word with a meaning, in quotes"],
    ["cat:exec  cat:\"code execution\"", "category, by a part of its name; in quotes, by its name"],
    ["score:0  worth:>0.5  lost:>=1", "score from 0 to 1, points of 100; also <, <="],
    ["verdict:not", "met, part, not, na"],
    ["nograde  failed", "no grade; no grade because something failed"],
    ["human:differs", "also met, not_met, cannot_judge, any"],
    ["vote:split  unsure", "samples or judges disagree; probability in between"],
    ["cut  unverified", "the judge saw a part only; a quote is not where it should be"],
    ["canary  injection", "the judge met a canary; a cited file speaks to the judge"],
    ["file:train.py", "a path that is cited"],
  ];

  const Help = ({ onClose }) => html`<${RE.keyHelp.Help} rows=${KEYS} onClose=${onClose}>
    <h3>Query</h3><p>All terms must hold.</p>
    <dl class="pairs">${TERMS.map(([name, words]) => html`<div>
      <dt class="mono">${name}</dt><dd>${words}</dd></div>`)}</dl>
  <//>`;

  return { Help };
})();
