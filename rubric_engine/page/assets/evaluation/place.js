// One judge: how often it and people said what, over all, by category and by submission; each
// count opens its leaves.
RE.judgePlaces = (() => {
  const { html } = RE.ui;
  const { CELLS, FORMS, known } = RE.judged;
  const { figure } = RE.judgeColumns;

  const places = ({ agreement }) => [
    { name: "all", part: agreement.pooled, at: {} },
    ...Object.entries(agreement.categories).map(([name, part]) => ({
      name: RE.text.line(name, 60) || "(no category)", part, at: { category: name || "-" },
    })),
    ...Object.entries(agreement.submissions).map(([name, part]) => ({
      name: RE.text.line(name, 60), part, at: { submission: name },
    })),
  ];

  const BAD = new Set(["fp", "fn", "open"]);

  const count = (judge, cell, of) => (place) => {
    const value = of(place.part);
    return {
      text: FORMS.count(value),
      to: value > 0 ? { judge, ...place.at, cell } : null,
      isBad: value > 0 && BAD.has(cell),
    };
  };

  const plain = (judge, of) => (place) => ({ text: of(place.part), to: { judge, ...place.at, cell: "all" } });

  const score = (row) => ({ at }) => {
    const found = row.agreement.root.roots.find((each) => each.submission === at.submission);
    if (at.submission === undefined) return { text: "" };
    const { unknown, why } = row.agreement.root;
    if (!found) return { text: figure(null, RE.own(unknown, at.submission) ?? why) };
    const [low, high] = [found.low, found.high].map(FORMS.points);
    return { text: `${low === high ? low : `${low}-${high}`} (${FORMS.points(found.human)})` };
  };

  const columns = (row) => [
    { head: "leaves", title: "leaves with a label", of: count(row.name, "all", ({ headline }) => headline.n) },
    ...Object.entries(CELLS).map(([cell, words]) => ({
      head: words, title: words, of: count(row.name, cell, ({ graded }) => graded.cells[cell]),
    })),
    { head: "no grade", title: "leaves without a grade",
      of: count(row.name, "open", ({ coverage }) => coverage.labelled - coverage.graded) },
    { head: "no label", title: "leaves without a label",
      of: count(row.name, "unlabelled", ({ coverage }) => coverage.unlabelled) },
    { head: "F1", title: "macro F1", of: plain(row.name, ({ headline }) => figure(headline.f1, headline.why.f1)) },
    { head: "bal", title: "balanced accuracy",
      of: plain(row.name, ({ headline }) => figure(headline.balanced_accuracy, headline.why.balanced_accuracy)) },
    { head: "kappa", title: "Cohen's kappa",
      of: plain(row.name, ({ headline }) => figure(headline.kappa, headline.why.kappa)) },
    { head: "met", title: "share of the graded leaves that it calls met",
      of: plain(row.name, ({ graded }) => figure(graded.judge_rate, "no labelled leaf has a grade", "percent")) },
    { head: "score (human)", title: "root score and the human's, of 100", of: score(row) },
  ];

  const Places = ({ row, judge, place, onOpen }) => {
    const rows = places(row);
    const isChosen = ({ at }) => at.submission === place.submission && at.category === place.category;
    const facts = [
      judge.models.join(", "), judge.fingerprint.slice(0, 8), !judge.complete && "not complete",
      judge.threshold !== 0.5 && `a score of at least ${judge.threshold} counts as met`,
      known(row.rank) && `rank ${row.rank}`,
    ];
    return html`<p class="dim">${RE.text.line(facts.filter(Boolean).join(" · "), 300)}</p>
      <${RE.judgeTable.Table} caption=${`Verdicts of ${RE.text.line(row.name, 60)}`} first="where" rows=${rows}
        columns=${columns(row)} nameOf=${({ name }) => name} chosen=${isChosen} onOpen=${onOpen} />
      <p class="dim">Each leaf with a label stands in one of the five columns after its number. Where it has no grade,
        F1 and the other figures count it as wrong, as the other verdict than the human's.</p>`;
  };

  return { Places };
})();
