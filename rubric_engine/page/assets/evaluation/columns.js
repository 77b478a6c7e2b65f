// The figures of judges, column by column, as the terminal's tables have them; most open leaves.
RE.judgeColumns = (() => {
  const { html } = RE.ui;
  const { Dash, FORMS, known, range } = RE.judged;

  const figure = (value, why, form = "share", mark = "") =>
    known(value) ? `${FORMS[form](value)}${mark}` : html`<${Dash} why=${why} />`;

  const interval = (found) => {
    if (!found) return "";
    return known(found.low) && known(found.high) ? range(found.low, found.high) : html`<${Dash} why=${found.why} />`;
  };

  const money = (value, row, form) => {
    if (row.kind === "human") return "";
    return known(value) ? FORMS[form](value) : "unpriced";
  };

  // Only what an evaluation holds has leaves to show.
  const to = (row, rest) => (row.kind === "judge" ? { judge: row.name, ...rest } : null);

  const holes = (found) => (found.labelled > found.graded ? "!" : "");

  const column = (head, title, of, rest = { cell: "all" }) => ({
    head, title, of: (row) => ({ text: of(row), to: to(row, rest) }),
  });

  const cover = {
    head: "cover", title: "leaves with a grade",
    of: (row) => {
      const found = row.agreement.pooled.coverage;
      const mark = holes(found) + (row.unranked === null ? "" : "*");
      return { text: figure(found.labelled ? found.leaves : null, "no labelled leaf", "percent", mark),
        to: to(row, { cell: holes(found) ? "open" : "all" }), isBad: holes(found) !== "" };
    },
  };

  const headline = [
    cover,
    column("F1", "macro F1", ({ agreement: { pooled } }) => figure(pooled.headline.f1, pooled.headline.why.f1)),
    column("these", "95% interval for these submissions", (row) => interval(row.intervals?.f1.pooled.here)),
    column("mean", "mean of the submissions' F1", ({ agreement: { means } }) => figure(means.f1.value, means.f1.why)),
    column("new", "95% interval of the mean for new submissions", (row) => interval(row.intervals?.f1.mean.anew)),
    column("wrong", "leaves that count as wrong", ({ agreement: { pooled } }) => {
      const { fp, fn } = pooled.headline.cells;
      return FORMS.count(fp + fn);
    }, { cell: "wrong" }),
    column("err", "mean error of root scores in points",
      ({ agreement: { root } }) =>
        figure(root.mae, root.why, "points",
          Object.keys(root.unknown).length && known(root.mae) ? "~" : "")),
    column("$/sub", "dollars for a submission", (row) => money(row.agreement.cost.per_submission, row, "dollars")),
  ];

  // `names` is what the tables show for each category.
  const byCategory = (names) =>
    Object.entries(names).map(([name, shown]) =>
      column(RE.text.line(shown, 40), `F1 on ${RE.text.line(name, 60) || "no category"}`, ({ agreement }) => {
        const part = RE.own(agreement.categories, name)?.headline;
        return figure(part?.f1, part ? part.why.f1 : "no leaf");
      }, { category: name || "-" }));

  const others = [
    column("worth", "F1 with leaves weighted by worth",
      ({ agreement: { pooled } }) => figure(pooled.by_worth.f1, pooled.by_worth.why.f1)),
    column("bal", "balanced accuracy",
      ({ agreement: { pooled: { headline: found } } }) => figure(found.balanced_accuracy, found.why.balanced_accuracy)),
    column("MCC", "Matthews correlation",
      ({ agreement: { pooled: { headline: found } } }) => figure(found.mcc, found.why.mcc)),
    column("kappa", "Cohen's kappa",
      ({ agreement: { pooled: { headline: found } } }) => figure(found.kappa, found.why.kappa)),
    column("met", "share of the graded leaves that it calls met",
      ({ agreement: { pooled } }) =>
        figure(pooled.graded.judge_rate, "no labelled leaf has a grade", "percent")),
  ];

  const root = (name, head, title, form = "points") =>
    column(head, title, ({ agreement: { root: found } }) => {
      const [low, high] = found.bias_range ?? [0, 0];
      return figure(found[name], found.why, form, name === "bias" && low < high ? "!" : "");
    });

  const roots = [
    root("bias", "bias", "mean of judge less human, in points", "bias"),
    root("mae", "MAE", "mean error, in points"),
    root("rmse", "RMSE", "root of the mean squared error, in points"),
    root("largest", "max", "largest error, in points"),
    root("leaf_error", "leaf", "error of leaves by worth, in points"),
    column("$/leaf", "dollars for a leaf", (row) => money(row.agreement.cost.per_leaf, row, "fine")),
  ];

  const bySubmission = (names) =>
    names.map((name) => column(RE.text.line(name, 40), `F1 on ${RE.text.line(name, 80)}`, ({ agreement }) => {
      const part = RE.own(agreement.submissions, name);
      return figure(part?.headline.f1, part ? part.headline.why.f1 : "no leaf", "share",
        part ? holes(part.coverage) : "");
    }, { submission: name }));

  return { figure, headline, byCategory, others, roots, bySubmission };
})();
