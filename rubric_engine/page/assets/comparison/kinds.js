// What happened, how often, and what it did to the score; each row shows its changes alone.
RE.compareKinds = (() => {
  const { html } = RE.ui;
  const { KINDS, TINY, signed, tone } = RE.compared;

  // A bar to the right of the middle for what raised the score, to the left for what lowered it.
  const Bar = ({ value, most }) => {
    if (!most || Math.abs(value ?? 0) < TINY) return null;
    const width = (50 * Math.abs(value)) / most;
    return html`<svg class="delta" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <line x1="50" x2="50" y1="0" y2="10" class="middle" />
      <rect x=${value > 0 ? 50 : 50 - width} y="2" width=${width} height="6" class=${tone(value)} />
    </svg>`;
  };

  const Row = ({ row, most, chosen, count, onChoose }) => {
    const words = KINDS[row.kind];
    const name = count === 0
      ? words
      : html`<button type="button" class="kind" aria-pressed=${chosen ? "true" : "false"}
          onClick=${() => onChoose(chosen ? undefined : row.kind)}>${words}</button>`;
    return html`<tr class=${chosen ? "chosen" : ""}>
      <th scope="row">${name}</th>
      <td class="number">${RE.text.number(row.leaves)}</td>
      <td class=${`number ${tone(row.points)}`}>${signed(row.points)}</td>
      <td class="bar-cell"><${Bar} value=${row.points} most=${most} /></td>
    </tr>`;
  };

  const Kinds = ({ found, counts, chosen, onChoose }) => {
    const most = Math.max(...found.kinds.map((row) => Math.abs(row.points ?? 0)), 0);
    return html`<section class="kinds" aria-label="What happened">
      <table class="plain">
        <caption class="hidden-name">The difference, split by what happened</caption>
        <thead><tr><th scope="col">what happened</th><th scope="col" class="number">leaves</th>
          <th scope="col" class="number">points</th>
          <th scope="col"><span class="hidden-name">bar</span></th></tr></thead>
        <tbody>${found.kinds.map((row) => html`<${Row} key=${row.kind} row=${row} most=${most}
          chosen=${chosen === row.kind} count=${counts.get(row.kind) ?? 0} onChoose=${onChoose} />`)}</tbody>
        <tfoot><tr><th scope="row">all</th><td class="number">${RE.text.number(found.leaves)}</td>
          <td class=${`number ${tone(found.gap.value)}`}>${signed(found.gap.value)}</td><td></td></tr></tfoot>
      </table>
    </section>`;
  };

  return { Kinds };
})();
