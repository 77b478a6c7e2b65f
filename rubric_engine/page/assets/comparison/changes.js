// The changes as a list that draws what stands in view, and always the open one.
RE.compareChanges = (() => {
  const { html, useEffect, useRef } = RE.ui;
  const { side, signed, tone, what } = RE.compared;
  const HEIGHT = 28;

  const Row = ({ change, at, count, open, onOpen }) => {
    const place = (element) => {
      if (element !== null) element.style.transform = `translateY(${at * HEIGHT}px)`;
    };
    return html`<div role="option" id=${`change-${at}`} ref=${place} class=${`row ${open ? "open-row" : ""}`}
      aria-selected=${open ? "true" : "false"} aria-setsize=${count} aria-posinset=${at + 1}
      onClick=${() => onOpen(at)}>
      <span class=${`number ${tone(change.points)}`}>${signed(change.points)}</span>
      <span class="what">${what(change)}</span>
      <bdi class="line">${RE.text.line(side(change).requirements, 200)}</bdi>
    </div>`;
  };

  const Changes = ({ changes, at, onOpen }) => {
    const pane = useRef(null);
    const { first, last } = RE.rows.use(pane, changes.length, HEIGHT);
    useEffect(() => {
      if (at < 0) return;
      const { scrollTop, clientHeight } = pane.current;
      const [top, bottom] = [at * HEIGHT, (at + 1) * HEIGHT];
      if (top < scrollTop) pane.current.scrollTop = top;
      else if (bottom > scrollTop + clientHeight) pane.current.scrollTop = bottom - clientHeight;
    }, [at, changes]);
    const rows = changes.map((change, index) => [change, index]).slice(first, last);
    if (at >= 0 && (at < first || at >= last)) rows.push([changes[at], at]);
    const sized = (element) => {
      if (element !== null) element.style.height = `${changes.length * HEIGHT}px`;
    };
    return html`<div class="pane" ref=${pane} tabindex="0" role="listbox" aria-label="Changes, most points first"
      aria-activedescendant=${at < 0 ? undefined : `change-${at}`}>
      <div class="rows" role="presentation" ref=${sized}>
        ${rows.map(([change, index]) => html`<${Row} key=${index} change=${change} at=${index}
          count=${changes.length} open=${index === at} onOpen=${onOpen} />`)}
      </div>
    </div>`;
  };

  return { Changes };
})();
