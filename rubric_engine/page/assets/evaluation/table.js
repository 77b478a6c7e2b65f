// One table of judges or places, whose cells open the leaves behind them.
RE.judgeTable = (() => {
  const { html } = RE.ui;

  // `to`: the place that a press opens, or null where there are no leaves to show.
  const Cell = ({ text, to, name, onOpen, isBad }) => {
    const tone = isBad ? " bad" : "";
    if (!to) return html`<td class=${`number${tone}`}>${text}</td>`;
    return html`<td class=${`number${tone}`}><button type="button" class="cell" aria-label=${name}
      onClick=${() => onOpen(to)}>${text}</button></td>`;
  };

  // `columns`: `{head, title, of: row => {text, to, isBad}}`.
  const Table = ({ caption, first, rows, columns, nameOf, chosen, onOpen }) => html`
    <div class="wide" tabindex="0" role="group" aria-label=${caption}>
    <table class="plain judges"><caption class="hidden-name">${caption}</caption>
      <thead><tr><th scope="col">${first}</th>${columns.map(({ head, title }) =>
        html`<th scope="col" class="number" title=${title}>${head}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr class=${chosen?.(row) ? "chosen" : ""}>
        <th scope="row"><bdi>${nameOf(row)}</bdi></th>
        ${columns.map(({ head, title, of }) => {
          const { text, to, isBad } = of(row);
          const said = typeof text === "string" ? text : "none";
          return html`<${Cell} text=${text} to=${to} isBad=${isBad} onOpen=${onOpen}
            name=${`${said}: ${title ?? head} of ${nameOf(row)}, show its leaves`} />`;
        })}</tr>`)}</tbody>
    </table></div>`;

  return { Table };
})();
