// On paper: all changes with both verdicts and reasons, and what else differs.
RE.comparePrint = (() => {
  const { html } = RE.ui;
  const { side, signed, what } = RE.compared;
  const { Table } = RE.paper;
  const { line, shown, span } = RE.text;

  const verdict = ({ verdict: word, score, reason }) => {
    if (word === null) return `group, ${span(score.low, score.high)}`;
    const much = word === "part" ? ` ${RE.marks.shortScore(score.value)}` : "";
    return `${word}${much}${reason === null ? "" : `: ${reason}`}`;
  };

  const Says = ({ of }) => {
    if (of === null) return html`<td>no such criterion</td>`;
    return html`<td><strong>${line(verdict(of), 200)}</strong>
      ${of.explanation &&
        html`<p>${shown(of.explanation).slice(0, 2000)}${of.explanation.length > 2000 && "…"}</p>`}</td>`;
  };

  const changeRow = (change) => html`<tr><td class="number">${signed(change.points)}</td><td>${what(change)}</td>
    <td><span class="mono">${line(side(change).key, 200)}</span> ${line(side(change).requirements, 500)}</td>
    <${Says} of=${change.a} /><${Says} of=${change.b} /></tr>`;

  const unlikeRow = (row) => html`<tr><td>${row.name}</td>
    ${[row.a, row.b].map((text) => html`<td class="mono">${text === null ? "none" : line(text)}</td>`)}</tr>`;

  const Paper = ({ found }) => html`
    <${Table} title="Changes, most points first" rows=${found.changes} draw=${changeRow}
      heads=${[["points", "number"], ["what happened"], ["criterion"], ["A"], ["B"]]} />
    <${Table} title="What else differs" rows=${found.unlike} draw=${unlikeRow} heads=${[["what"], ["A"], ["B"]]} />`;

  return { of: (found) => RE.paper.draws(() => html`<${Paper} found=${found} />`) };
})();
