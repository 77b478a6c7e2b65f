// Small marks that many places use: a verdict, a score as a bar, a category.
RE.marks = (() => {
  const { html } = RE.ui;

  const VERDICTS = {
    met: ["✓", "met", "met"],
    part: ["◐", "part", "part"],
    "not met": ["✗", "not met", "not"],
    open: ["○", "no grade", "open"],
    "n/a": ["–", "n/a", "n-a"],
  };

  const CATEGORIES = { "Code Development": "DEV", "Code Execution": "EXE", "Result Analysis": "RES" };

  const word = (verdict) => VERDICTS[verdict]?.[1] ?? String(verdict);

  // The verdict of a leaf: sign, word and colour; of part credit also how much.
  const Verdict = ({ verdict, value = null }) => {
    const [sign, said, kind] = VERDICTS[verdict] ?? ["?", String(verdict), ""];
    const much = verdict === "part" && RE.text.known(value) ? ` ${shortScore(value)}` : "";
    return html`<span class=${`chip ${kind}`}>${sign} ${said}${much}</span>`;
  };

  const shortScore = (value) => String(Number(value.toPrecision(3)));

  const share = (value) => `${RE.text.known(value) ? 100 * value : 0}%`;

  // The score of a group: earned, open and lost as parts of a bar, and in figures.
  const Score = ({ low, high }) =>
    html`<span class="score"><span class="bar" aria-hidden="true"
        style=${{ "--low": share(low), "--high": share(high) }}></span>
      ${RE.text.known(low) ? RE.text.span(low, high) : "n/a"}</span>`;

  const shortCategory = (name) => {
    if (Object.hasOwn(CATEGORIES, name)) return CATEGORIES[name];
    const words = RE.text.line(name, 40).split(/[\s_-]+/);
    const letters = words.length > 1 ? words.map((word) => [...word][0] ?? "").join("") : words[0];
    return [...letters].slice(0, 4).join("").toUpperCase();
  };

  const Category = ({ name }) =>
    name === null
      ? null
      : html`<abbr class="chip category" title=${RE.text.line(name)}>${shortCategory(name)}</abbr>`;

  // Why a reader should look twice, in the words of the chips.
  const DOUBTS = [
    ["failed", "failed", "no grade, for something failed"],
    ["cut", "context cut", "the judge was not shown all that it may see"],
    ["unverified", "unverified citation", "a quote does not stand where the judge says"],
    ["split", "split votes", "samples or judges do not agree"],
    ["unsure", "unsure", "the probability lies between met and not met"],
    ["differs", "human differs", "a human says another verdict"],
    ["canary", "canary hit", "the judge called a criterion met that is certainly false"],
    ["injection", "injection near", "a file that is cited speaks to the judge"],
  ];

  const doubts = (flags) => DOUBTS.filter(([name]) => flags & RE.query.FLAGS[name]);

  return { Verdict, Score, Category, shortCategory, shortScore, word, doubts, DOUBTS };
})();
