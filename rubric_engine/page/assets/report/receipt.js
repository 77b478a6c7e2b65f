// What of the submission the judge was not shown.
RE.receipt = (() => {
  const { html, Fold, Line } = RE.ui;
  const MOST = 50;

  const count = (receipt, name) => receipt.counts?.[name] ?? receipt[name]?.length ?? 0;

  const missing = ({ why, lines }) =>
    lines ? `${why}, lines ${RE.text.number(lines[0])} to ${RE.text.number(lines[1])}` : why;

  const Files = ({ title, receipt, name }) => {
    const files = receipt[name] ?? [];
    const all = count(receipt, name);
    if (!all) return null;
    return html`<${Fold} title=${`${title}: ${RE.text.counted(all, "place")}`} open=${files.length <= 8}>
      <ul class="files">${files.slice(0, MOST).map((each) =>
        html`<li><${Line} className="mono" text=${each.path} limit=${300} />
        <${Line} className="dim" text=${missing(each)} limit=${300} /></li>`)}</ul>
      ${all > Math.min(MOST, files.length) &&
        html`<p class="dim">and ${RE.text.number(all - Math.min(MOST, files.length))} more</p>`}
    <//>`;
  };

  const Whole = ({ receipt }) => {
    const all = count(receipt, "whole");
    if (!all) return html`<p>No file was shown whole.</p>`;
    const files = (receipt.whole ?? []).slice(0, MOST);
    return html`<${Fold} title=${`shown whole: ${RE.text.counted(all, "file")}`}>
      <ul class="files">${files.map((path) => html`<li>
        <${Line} className="mono" text=${path} limit=${300} /></li>`)}
      </ul>
      ${all > files.length && html`<p class="dim">and ${RE.text.number(all - files.length)} more</p>`}<//>`;
  };

  const Receipt = ({ receipt }) => html`
    <${Files} title="shown in part" receipt=${receipt} name="cut" />
    <${Files} title="not shown" receipt=${receipt} name="left_out" />
    ${!count(receipt, "cut") && !count(receipt, "left_out") && html`<p>Nothing was left out.</p>`}
    <${Whole} receipt=${receipt} />
    ${receipt.union?.length > 0 &&
      html`<p class="dim">shown alike to all leaves: ${RE.text.line(receipt.union.join(", "), 300)}</p>`}
    ${receipt.unranked &&
      html`<p class="dim">The model did not rank the files
        (${RE.text.line(receipt.unranked, 300)}): they were chosen by their words.</p>`}`;

  return { Receipt };
})();
