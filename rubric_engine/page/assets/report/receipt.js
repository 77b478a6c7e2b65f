// What of the submission the judge was not shown.
RE.receipt = (() => {
  const { html, Fold, Line, Text, useFirst } = RE.ui;
  const MOST = 50;

  const count = (receipt, name) => receipt.counts?.[name] ?? receipt[name]?.length ?? 0;

  const missing = ({ why, lines }) =>
    lines ? `${why}, lines ${RE.text.number(lines[0])} to ${RE.text.number(lines[1])}` : why;

  // A page holds so many places of a receipt and no more; the run has them all.
  const Places = ({ rows, all, draw }) => {
    const [shown, more] = useFirst(rows, MOST);
    const left = all - rows.length;
    return html`<ul class="files">${shown.map(draw)}</ul>${more ??
      (left > 0 && html`<p class="dim">and ${RE.text.number(left)} more: show RUN LEAF --json has all</p>`)}`;
  };

  const part = (each) => html`<li><${Line} className="mono" text=${each.path} limit=${300} />
    <${Line} className="dim" text=${missing(each)} limit=${300} /></li>`;
  const file = (path) => html`<li><${Line} className="mono" text=${path} limit=${300} /></li>`;

  const Files = ({ title, receipt, name }) => {
    const files = receipt[name] ?? [];
    const all = count(receipt, name);
    if (!all) return null;
    return html`<${Fold} title=${`${title}: ${RE.text.counted(all, "place")}`} open=${files.length <= 8}>
      <${Places} rows=${files} all=${all} draw=${part} /><//>`;
  };

  const Whole = ({ receipt }) => {
    const all = count(receipt, "whole");
    if (!all) return html`<p>No file was shown whole.</p>`;
    return html`<${Fold} title=${`shown whole: ${RE.text.counted(all, "file")}`}>
      <${Places} rows=${receipt.whole ?? []} all=${all} draw=${file} /><//>`;
  };

  const Receipt = ({ receipt }) => html`
    <${Files} title="shown in part" receipt=${receipt} name="cut" />
    <${Files} title="not shown" receipt=${receipt} name="left_out" />
    ${!count(receipt, "cut") && !count(receipt, "left_out") && html`<p>Nothing was left out.</p>`}
    <${Whole} receipt=${receipt} />
    ${receipt.union?.length > 0 && html`<div class="dim">shown alike to all leaves:
      <${Text} text=${receipt.union.join(", ")} limit=${300} /></div>`}
    ${receipt.unranked && html`<p class="dim">The model did not rank the files (${
      RE.text.line(receipt.unranked, 300)}): they were chosen by their words.</p>`}`;

  return { Receipt };
})();
