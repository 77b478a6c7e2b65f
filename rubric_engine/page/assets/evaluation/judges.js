// All judges on one set of leaves: how far they agree with people, as the terminal prints it.
RE.judges = (() => {
  const { html, Fold } = RE.ui;
  const { Dash, FORMS, category, known, range, shownName } = RE.judged;

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
  const to = (row, rest = {}) => (row.kind === "judge" ? { judge: row.name, ...rest } : null);

  const holes = (found) => (found.labelled > found.graded ? "!" : "");

  const column = (head, title, of, rest = {}) => ({
    head, title, of: (row) => ({ text: of(row), to: to(row, rest) }),
  });

  const cover = {
    head: "cover", title: "leaves with a grade",
    of: (row) => {
      const found = row.agreement.pooled.coverage;
      const mark = holes(found) + (row.unranked === null ? "" : "*");
      return { text: figure(found.labelled ? found.leaves : null, "no labelled leaf", "percent", mark),
        to: to(row, holes(found) ? { cell: "open" } : {}), isBad: holes(found) !== "" };
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
    column("err", "mean error of root scores in points", ({ agreement: { root } }) => figure(root.mae, root.why, "points", Object.keys(root.unknown).length && known(root.mae) ? "~" : "")),
    column("$/sub", "dollars for a submission", (row) => money(row.agreement.cost.per_submission, row, "dollars")),
  ];

  const byCategory = (names) =>
    names.map((name) => column(category(name), `F1 on ${RE.text.line(name, 60) || "no category"}`, ({ agreement }) => {
      const part = agreement.categories[name]?.headline;
      return figure(part?.f1, part ? part.why.f1 : "no leaf");
    }, { category: name || "-" }));

  const others = [
    column("worth", "F1 with leaves weighted by worth", ({ agreement: { pooled } }) => figure(pooled.by_worth.f1, pooled.by_worth.why.f1)),
    column("bal", "balanced accuracy", ({ agreement: { pooled: { headline: found } } }) => figure(found.balanced_accuracy, found.why.balanced_accuracy)),
    column("MCC", "Matthews correlation", ({ agreement: { pooled: { headline: found } } }) => figure(found.mcc, found.why.mcc)),
    column("kappa", "Cohen's kappa", ({ agreement: { pooled: { headline: found } } }) => figure(found.kappa, found.why.kappa)),
    column("met", "share of the graded leaves that it calls met", ({ agreement: { pooled } }) => figure(pooled.graded.judge_rate, "no labelled leaf has a grade", "percent")),
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
      const part = agreement.submissions[name];
      return figure(part?.headline.f1, part ? part.headline.why.f1 : "no leaf", "share", part ? holes(part.coverage) : "");
    }, { submission: name }));

  // What the marks in the cells stand for.
  const notes = (rows) => rows.flatMap((row) => {
    const { pooled, root: { bias_range: bias, unknown, n } } = row.agreement;
    const open = pooled.coverage.labelled - pooled.coverage.graded;
    const without = known(pooled.graded.f1) ? `F1 ${FORMS.share(pooled.graded.f1)}` : "no figure";
    const why = Object.entries(row.holes ?? {}).map(([reason, hole]) => `${FORMS.count(hole.leaves)} ${reason}`).join("; ");
    return [
      open > 0 && `! ${shownName(row)} gave no grade to ${FORMS.count(open)} of ${RE.text.counted(pooled.coverage.labelled, "leaf", "leaves")} (${why}); they count as wrong (${without} without them)`,
      row.unranked !== null && `* ${shownName(row)}: ${RE.text.line(row.unranked, 300)}`,
      bias && bias[0] < bias[1] && `! ${shownName(row)} left scores open: its bias lies between ${FORMS.bias(bias[0])} and ${FORMS.bias(bias[1])}; errors are the worst that open leaves could bring`,
      Object.keys(unknown).length > 0 && n > 0 && `~ ${shownName(row)}: errors of root scores are over ${n} of ${n + Object.keys(unknown).length} submissions`,
    ].filter(Boolean);
  });

  const summary = (leaves) => {
    const { coverage, headline: { human_rate: rate } } = leaves.rows[0].agreement.pooled;
    const met = known(rate) ? `, ${FORMS.percent(rate)} of them met` : "";
    const of = Object.keys(leaves.rows[0].agreement.submissions).length;
    return `${RE.text.counted(of, "submission")}, ${RE.text.counted(coverage.labelled, "leaf", "leaves")} with a label in ${RE.text.counted(leaves.groups, "group")}${met}`;
  };

  const Judges = ({ leaves, judge, onOpen }) => {
    const { rows } = leaves;
    const [categories, submissions] = ["categories", "submissions"].map((name) => Object.keys(rows[0].agreement[name]));
    const all = { rows, nameOf: shownName, onOpen, first: "judge", chosen: (row) => row.name === judge && row.kind === "judge" };
    const { Table } = RE.judgeTable;
    return html`<section class="set">
      <p class="said">${summary(leaves)}</p>
      ${leaves.unlike.length > 0 && html`<p>Other labelled leaves than above, so not ranked against it.</p>
        <ul>${leaves.unlike.map((each) => html`<li>${RE.text.line(each)}</li>`)}</ul>`}
      ${leaves.made_gold.length > 0 && html`<p>Gold is made of labels of ${leaves.made_gold.map((each) => RE.text.line(each, 60)).join(", ")}: no row holds them against it.</p>`}
      <div class="beside"><div><h2>Agreement with people</h2>
      <${Table} ...${all} caption="Coverage, macro F1 with both intervals, and error of root scores" columns=${headline} />
      <p class="dim">F1: macro F1 over all leaves, a leaf without a grade counting as wrong. these: its 95% interval for these
        submissions. mean: of the submissions' F1. new: the mean's interval for new submissions. In parentheses: what needs no model.</p>
      ${leaves.one_class.length > 0 && known(leaves.highest_mean) && html`<p class="dim">Labels of one class only on
        ${" "}${leaves.one_class.length} of ${RE.text.counted(submissions.length, "submission")}: no judge's mean can pass ${FORMS.share(leaves.highest_mean)}.</p>`}</div>
      <div><h2>F1 by category, and other figures</h2>
      <${Table} ...${all} caption="F1 by category, and other figures" columns=${[...byCategory(categories), ...others]} />
      <p class="dim">worth: F1 with leaves weighted by worth. bal: balanced accuracy. met: share of the graded leaves that it
        calls met.</p></div></div>
      <${Fold} title=${html`<h2>F1 by submission</h2>`} open=${true}>
        <${Table} ...${all} caption="F1 by submission" columns=${bySubmission(submissions)} /><//>
      <${Fold} title=${html`<h2>Root scores, in points of 100, and cost</h2>`}>
        <${Table} ...${all} caption="Errors of root scores and cost" columns=${roots} /><//>
      <ul class="notes dim">${notes(rows).map((text) => html`<li>${text}</li>`)}</ul>
    </section>`;
  };

  return { Judges, figure };
})();
