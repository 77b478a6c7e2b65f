// The charts, drawn from their marks: every text is a text node, every colour a class.
RE.charts = (() => {
  const { html, Toggle, useState } = RE.ui;
  const ROLES = new Set(["ink", "muted", "grid", "paper", "here", "anew", "baseline", "bad"]);
  const ANCHORS = new Set(["start", "middle", "end"]);

  const role = (mark) => (ROLES.has(mark.role) ? mark.role : "ink");
  const Tip = ({ tip }) => tip.length > 0 && html`<title>${tip.map((each) => RE.text.line(each)).join("\n")}</title>`;

  const paint = (mark, inside) =>
    mark.hollow ? `stroke-${role(mark)} ${inside}` : `fill-${role(mark)}`;

  const DRAWN = {
    polyline: (mark) => html`<polyline points=${mark.points.map((point) => point.join(",")).join(" ")}
      class=${`no-fill stroke-${role(mark)}`} stroke-width=${mark.width}
      stroke-dasharray=${mark.dashed ? "5 4" : undefined}><${Tip} tip=${mark.tip} /></polyline>`,
    circle: (mark) => html`<circle cx=${mark.x} cy=${mark.y} r=${mark.r} stroke-width=${mark.hollow ? 1.8 : undefined}
      class=${paint(mark, "fill-paper")}><${Tip} tip=${mark.tip} /></circle>`,
    rect: (mark) => html`<rect x=${mark.x} y=${mark.y} width=${mark.width} height=${mark.height}
      fill-opacity=${mark.opacity} stroke-width=${mark.hollow ? 1.8 : undefined}
      class=${paint(mark, "no-fill")}><${Tip} tip=${mark.tip} /></rect>`,
    text: (mark) => html`<text x=${mark.x} y=${mark.y} font-size=${mark.size} class=${`fill-${role(mark)}`}
      text-anchor=${ANCHORS.has(mark.anchor) ? mark.anchor : "start"}
      font-weight=${mark.bold ? 600 : undefined}><${Tip} tip=${mark.tip} />${RE.text.line(mark.text, 300)}</text>`,
  };

  const Drawing = ({ title, figure }) => html`<div class="wide" tabindex="0" role="group" aria-label=${title}>
    <svg class="chart" role="img" aria-label=${`${title}. ${RE.text.line(figure.description, 4000)}`}
      viewBox=${`0 0 ${figure.width} ${figure.height}`} width=${figure.width} height=${figure.height}>
      ${figure.marks.map((mark) => DRAWN[mark.mark]?.(mark))}</svg></div>`;

  const cell = (value) => {
    if (!RE.text.known(value)) return html`<td class="number">-</td>`;
    if (typeof value !== "number") return html`<td>${RE.text.line(value, 300)}</td>`;
    return html`<td class="number">
      ${Number.isInteger(value) ? RE.text.number(value) : Number(value.toPrecision(6))}
    </td>`;
  };

  const Numbers = ({ title, table }) => html`<div class="wide" tabindex="0" role="group"
      aria-label=${`Numbers: ${title}`}>
    <table class="plain"><thead><tr>
      ${table.headers.map((name) => html`<th scope="col">${RE.text.line(name, 60)}</th>`)}</tr></thead>
    <tbody>${table.rows.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody></table></div>`;

  const Chart = ({ chart }) => {
    const [open, setOpen] = useState(false);
    if (chart.figure === null) return html`<p>Not drawn: ${RE.text.line(chart.why ?? "", 400)}</p>`;
    return html`<${Drawing} title=${chart.title} figure=${chart.figure} />
      <p><${Toggle} on=${open} onClick=${() => setOpen(!open)}>Its numbers<//></p>
      ${open && html`<${Numbers} title=${chart.title} table=${chart.figure.table} />`}`;
  };

  // One at a time: some have a thousand marks.
  const Charts = ({ charts, name, onName }) => {
    if (charts.length === 0) return null;
    const shown = charts.find((each) => each.name === name) ?? charts[0];
    return html`<section class="charts" aria-labelledby="charts">
      <h2 id="charts">Charts</h2>
      <div class="choices" role="group" aria-label="Which chart">${charts.map((each) => html`<${Toggle}
        on=${each === shown} onClick=${() => onName(each.name)}>${each.title}<//>`)}</div>
      <${Chart} key=${shown.name} chart=${shown} />
    </section>`;
  };

  return { Charts };
})();
