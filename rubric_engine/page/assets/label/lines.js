// The lines of one text: only those in view are drawn; some can be selected.
RE.lines = (() => {
  const { html, useEffect, useRef, useState } = RE.ui;
  const HEIGHT = 18;

  const words = (text) => (text === undefined ? "…" : RE.text.shown(text).replace(/\n/g, " "));

  const Row = ({ at, count, text, isChosen, onPick }) => html`<div id=${`line-${at + 1}`} class="line-row" role="option"
    aria-selected=${isChosen ? "true" : "false"} aria-setsize=${count} aria-posinset=${at + 1}
    ref=${(row) => row && (row.style.top = `${at * HEIGHT}px`)}
    onMouseDown=${(event) => onPick(event, at + 1)}>
    <span class="line-number">${at + 1}</span><bdi class="line-text">${words(text)}</bdi>
  </div>`;

  // `chosen` is {first, last} or null; `onChoose` takes the same; `goal` is a line to bring into
  // view. The line that keys move stays in the page when it is scrolled away.
  const Lines = ({ file, label, chosen, onChoose, goal }) => {
    const pane = useRef(null);
    const [count, setCount] = useState(0);
    const shown = RE.rows.use(pane, count, HEIGHT);
    const held = RE.parts.use(file, shown.first, shown.last);
    const { cursor, move, pick } = RE.selection.use(pane, count, HEIGHT, chosen, onChoose);
    useEffect(() => setCount(held.total), [held.total, file]);
    useEffect(() => {
      pane.current.scrollTop = Math.max(0, ((goal?.line ?? 1) - 4) * HEIGHT);
      cursor.current = goal?.line ?? 1;
    }, [file, goal, count > 0]);
    const isChosen = (line) => chosen !== null && line >= chosen.first && line <= chosen.last;
    const active = chosen ? cursor.current - 1 : -1;
    const row = (at) => html`<${Row} key=${at} at=${at} count=${count} text=${RE.parts.lineAt(held, at)}
      isChosen=${isChosen(at + 1)} onPick=${pick} />`;
    return html`<${RE.asking.Trouble} what="Lines are missing here" asked=${held} />
    <div class="lines mono" ref=${pane} tabindex="0" role="listbox" aria-multiselectable="true"
      aria-label=${`Lines of ${RE.text.line(label, 200)}`}
      aria-activedescendant=${active < 0 ? undefined : `line-${active + 1}`} onKeyDown=${move}>
      <div class="lines-all" role="presentation" ref=${(all) => all && (all.style.height = `${count * HEIGHT}px`)}>
        ${RE.rows.places(shown, active).map(row)}
      </div>
      ${held.cut && html`<p class="dim">The file is longer than what is shown.</p>`}
    </div>`;
  };

  return { Lines };
})();
