// The lines of one text: only those in view are drawn, and fetched in parts; some can be selected.
RE.lines = (() => {
  const { html, useEffect, useRef, useState } = RE.ui;
  const HEIGHT = 18;
  const PART = 1000;

  // Lines of a file by number from 1, as far as they came.
  const useLines = (file, first, last) => {
    const [held, setHeld] = useState({ file: -1, parts: {}, total: 0, cut: false });
    const asked = useRef(new Set());
    const mine = held.file === file ? held : { file, parts: {}, total: 0, cut: false };
    useEffect(() => {
      const from = Math.floor(first / PART);
      for (let part = from; part <= Math.max(from, Math.floor((last - 1) / PART)); part += 1) {
        const name = `${file}:${part}`;
        if (asked.current.has(name)) continue;
        asked.current.add(name);
        RE.desk.get(`files/${file}?start=${part * PART + 1}`).then(
          (found) =>
            setHeld((was) => {
              const parts = was.file === file ? was.parts : {};
              return { file, parts: { ...parts, [part]: found.lines }, total: found.total, cut: found.cut };
            }),
          () => asked.current.delete(name),
        );
      }
    }, [file, first, last]);
    useEffect(() => () => asked.current.clear(), [file]);
    return mine;
  };

  // `chosen` is {first, last} or null; `onChoose` takes the same; `goal` is a line to bring into view.
  const Lines = ({ file, label, chosen, onChoose, goal }) => {
    const pane = useRef(null);
    const [count, setCount] = useState(0);
    const shown = RE.rows.use(pane, count, HEIGHT);
    const held = useLines(file, shown.first, shown.last);
    const cursor = useRef(1);
    useEffect(() => setCount(held.total), [held.total, file]);
    useEffect(() => {
      pane.current.scrollTop = Math.max(0, ((goal?.line ?? 1) - 4) * HEIGHT);
      cursor.current = goal?.line ?? 1;
    }, [file, goal, count > 0]);

    const select = (line, extend) => {
      const anchor = extend && chosen ? (cursor.current >= chosen.last ? chosen.first : chosen.last) : line;
      cursor.current = line;
      onChoose({ first: Math.min(anchor, line), last: Math.max(anchor, line) });
    };
    const move = (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
      if (!step || !count) return;
      event.preventDefault();
      const line = Math.min(count, Math.max(1, (chosen ? cursor.current : cursor.current - step) + step));
      select(line, event.shiftKey);
      const top = (line - 1) * HEIGHT;
      const { scrollTop, clientHeight } = pane.current;
      if (top < scrollTop) pane.current.scrollTop = top;
      else if (top + HEIGHT * 2 > scrollTop + clientHeight) pane.current.scrollTop = top - clientHeight + HEIGHT * 2;
    };
    const pick = (event, line) => {
      if (event.button !== 0) return;
      if (event.shiftKey) {
        event.preventDefault(); // else the browser would mark the text as well
        pane.current.focus();
      }
      select(line, event.shiftKey);
    };
    const isChosen = (line) => chosen !== null && line >= chosen.first && line <= chosen.last;
    const rows = [];
    for (let at = shown.first; at < shown.last; at += 1) {
      const text = held.parts[Math.floor(at / PART)]?.[at % PART];
      rows.push(html`<div key=${at} id=${`line-${at + 1}`} class="line-row" role="option" aria-selected=${isChosen(at + 1) ? "true" : "false"}
        ref=${(row) => row && (row.style.top = `${at * HEIGHT}px`)}
        onMouseDown=${(event) => pick(event, at + 1)}>
        <span class="line-number">${at + 1}</span><bdi class="line-text">${text === undefined ? "…" : RE.text.shown(text).replace(/\n/g, " ")}</bdi>
      </div>`);
    }
    const active = chosen && cursor.current - 1 >= shown.first && cursor.current - 1 < shown.last ? `line-${cursor.current}` : undefined;
    return html`<div class="lines mono" ref=${pane} tabindex="0" role="listbox" aria-multiselectable="true"
      aria-label=${`Lines of ${RE.text.line(label, 200)}`} aria-activedescendant=${active} onKeyDown=${move}>
      <div class="lines-all" role="presentation" ref=${(all) => all && (all.style.height = `${count * HEIGHT}px`)}>${rows}</div>
      ${held.cut && html`<p class="dim">The file is longer than what is shown.</p>`}
    </div>`;
  };

  return { Lines };
})();
