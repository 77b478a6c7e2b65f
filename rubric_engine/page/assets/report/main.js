// Draws the report: which run, and the run.
(() => {
  const { html, render, useEffect, useRef, Message } = RE.ui;
  const { line } = RE.text;

  const Runs = ({ page }) => html`<ul class="runs">${page.runs.map((run) => html`<li>
    <a href=${`#${RE.hash.text({ run: run.id })}`}>${RE.chooser.words(run, run)}</a>
    ${" "}<span class="dim">${line(run.title || run.task || "", 120)}</span></li>`)}</ul>`;

  const Strings = ({ texts }) =>
    html`<ul class="runs">${texts.map((text) => html`<li class="dim">${line(text, 300)}</li>`)}</ul>`;

  const None = ({ page }) => html`
    <${Message} title="There is no run yet.">${RE.data.isLive
      ? html`The next one appears here by itself: <span class="mono">rubric-engine grade SUBMISSION --task TASK</span>`
      : "A grading makes one."}<//>
    <${Strings} texts=${[...(page.looked ?? []).map((place) => `looked in ${place}`),
      ...RE.chooser.notShown(page).map((text) => `not shown: ${text}`)]} />`;

  // Why there is nothing to show under an id.
  const Missing = ({ page, id, wasThere }) => {
    const broken = page.broken?.find((each) => each.id === id);
    if (broken) {
      return html`<${Message} kind="bad" title="The run cannot be shown:">
        <span class="mono">${line(id, 200)}</span>: ${line(broken.why, 300)}<//>`;
    }
    return html`<${Message} kind="bad" title=${wasThere ? "The run was removed:" : "No such run:"}>
      <span class="mono">${line(id, 200)}</span><//>`;
  };

  const One = ({ page, id, trouble, address, onAddress }) => {
    const head = page.runs.find((run) => run.id === id);
    const { run, stamp, changed, error, isReady } = RE.live.use(head, trouble);
    const onRun = (other) => onAddress({ run: other, n: undefined });
    if (error) {
      return html`<${Message} kind="bad" title="The run cannot be read:">
        <span class="mono">${line(id, 200)}</span>: ${line(error, 300)}<//>
        ${page.runs.length > 1 && html`<${Runs} page=${page} />`}`;
    }
    if (!isReady || !run) return html`<p class="dim">reading …</p>`;
    return html`<${RE.run.Run} key=${id} page=${page} run=${run} stamp=${stamp} changed=${changed}
      address=${address} onAddress=${onAddress} onRun=${onRun} />`;
  };

  // A page that began with a run stays with it when a newer one begins.
  const useChosen = (page, address) => {
    const first = useRef(undefined);
    const seen = useRef(new Set());
    for (const run of page.runs) seen.current.add(run.id);
    first.current ??= page.runs[0]?.id;
    const id = address.run ?? first.current;
    return [id, seen.current.has(id)];
  };

  const Page = ({ page: opened }) => {
    const { page, trouble } = RE.shelf.use(opened);
    const [address, change] = RE.hash.use(RE.beside.isOver);
    const [id, wasThere] = useChosen(page, address);
    const isKnown = page.runs.some((run) => run.id === id);
    useEffect(() => {
      document.body.dataset.ready = "yes";
    }, []);
    return html`<${RE.shelf.Trouble} page=${page} trouble=${trouble} />
      ${id !== undefined && !isKnown && html`<${Missing} page=${page} id=${id} wasThere=${wasThere} />`}
      ${isKnown
        ? html`<${One} key=${id} page=${page} id=${id} trouble=${trouble} address=${address} onAddress=${change} />`
        : page.runs.length ? html`<${Runs} page=${page} />` : html`<${None} page=${page} />`}`;
  };

  const place = document.getElementById("app");
  const show = (content) => {
    place.textContent = "";
    render(content, place);
  };
  RE.data.open().then(
    (page) => show(html`<${Page} page=${page} />`),
    (error) => show(html`<${Message} kind="bad" title="This page cannot be shown.">${line(error.message, 300)}<//>`),
  );
})();
