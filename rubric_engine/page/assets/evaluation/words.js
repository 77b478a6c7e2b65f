// Figures as the terminal writes them, and why there is none.
RE.judged = (() => {
  const { html } = RE.ui;
  const { fixed, known, line, percent } = RE.text;

  const CELLS = {
    tp: "met, both say",
    fp: "judge met, human not",
    fn: "judge not met, human met",
    tn: "not met, both say",
  };
  const KINDS = {
    all: "all with a label",
    ...CELLS,
    open: "without a grade",
    wrong: "counted as wrong",
    unlabelled: "without a label",
  };

  const thousands = (text) => text.replace(/^(-?\d+)/, (whole) => RE.text.number(Number(whole)));

  // A zero that rounding made has no sign.
  const signed = (value, digits) => {
    const text = fixed(Math.abs(value), digits);
    return Number(text) === 0 ? text : `${value < 0 ? "-" : "+"}${text}`;
  };

  const FORMS = {
    share: (value) => unsigned(value, 2),
    percent,
    points: (value) => unsigned(100 * value, 1),
    bias: (value) => signed(100 * value, 1),
    dollars: (value) => thousands(fixed(value, 2)),
    fine: (value) => thousands(fixed(value, 4)),
    count: (value) => RE.text.number(value),
  };
  const unsigned = (value, digits) => signed(value, digits).replace("+", "");

  const range = (low, high) => `${FORMS.share(low)}-${FORMS.share(high)}`;

  const Dash = ({ why }) =>
    html`<span title=${line(why || "undefined", 300)}>-
      <span class="hidden-name"> none: ${line(why || "undefined", 300)}</span></span>`;

  const Sentences = ({ of }) => of.map((text) => html`<p class="dim">${line(text, 2000)}</p>`);

  return { CELLS, KINDS, FORMS, Dash, Sentences, known, range };
})();
