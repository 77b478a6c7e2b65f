// Draws the report: which run, and the run.
(() => {
  const { html, render, useEffect, Message } = RE.ui;

  const Runs = ({ page }) => html`<ul class="runs">${page.runs.map((run) => html`<li>
    <a href=${`#${RE.hash.text({ run: run.id })}`}>${RE.text.line(run.id, 120)}</a>
    ${" "}${RE.text.span(run.score.low, run.score.high)} <span class="dim">${RE.text.line(run.title || run.task || "", 120)}</span></li>`)}</ul>`;

  const One = ({ page, id, address, onAddress }) => {
    const { run, stamp, changed, error, isReady } = RE.live.use(id);
    const onRun = (other) => onAddress({ run: other, n: undefined });
    if (error) return html`<${Message} kind="bad" title="The run cannot be read.">${RE.text.line(error, 300)}<//>`;
    if (!isReady || !run) return html`<p class="dim">reading …</p>`;
    return html`<${RE.run.Run} key=${id} page=${page} run=${run} stamp=${stamp} changed=${changed}
      address=${address} onAddress=${onAddress} onRun=${onRun} />`;
  };

  const Page = ({ page }) => {
    const [address, change] = RE.hash.use();
    const id = address.run ?? page.runs[0]?.id;
    const isKnown = page.runs.some((run) => run.id === id);
    useEffect(() => {
      document.body.dataset.ready = "yes";
    }, []);
    if (!page.runs.length) return html`<${Message} title="There is no run yet.">A grading makes one.<//>`;
    if (!isKnown) {
      return html`<${Message} kind="bad" title="No such run:"><span class="mono">${RE.text.line(id, 200)}</span><//>
        <${Runs} page=${page} />`;
    }
    return html`<${One} page=${page} id=${id} address=${address} onAddress=${change} />`;
  };

  const place = document.getElementById("app");
  const show = (content) => {
    place.textContent = "";
    render(content, place);
  };
  RE.data.open().then(
    (page) => show(html`<${Page} page=${page} />`),
    (error) => show(html`<${Message} kind="bad" title="This page cannot be shown.">${RE.text.line(error.message, 300)}<//>`),
  );
})();
