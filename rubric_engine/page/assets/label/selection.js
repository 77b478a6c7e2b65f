// Which lines of a text are selected, by mouse and by keys.
RE.selection = (() => {
  const { useRef } = RE.preact;
  const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 };

  // Scroll a line into view where it is not.
  const reveal = (pane, line, height) => {
    const top = (line - 1) * height;
    const below = top + height * 2;
    if (top < pane.scrollTop) pane.scrollTop = top;
    else if (below > pane.scrollTop + pane.clientHeight) pane.scrollTop = below - pane.clientHeight;
  };

  // `chosen` is {first, last} or null; `cursor` is the line that keys move, which `goal` sets.
  const use = (pane, count, height, chosen, onChoose) => {
    const cursor = useRef(1);
    const select = (line, extend) => {
      const anchor = extend && chosen ? (cursor.current >= chosen.last ? chosen.first : chosen.last) : line;
      cursor.current = line;
      onChoose({ first: Math.min(anchor, line), last: Math.max(anchor, line) });
    };
    const move = (event) => {
      const step = STEPS[event.key];
      if (!step || !count) return;
      event.preventDefault();
      const next = chosen ? cursor.current + step : cursor.current;
      const line = Math.min(count, Math.max(1, next));
      select(line, event.shiftKey);
      reveal(pane.current, line, height);
    };
    const pick = (event, line) => {
      if (event.button !== 0) return;
      if (event.shiftKey) {
        event.preventDefault(); // else the browser would mark the text as well
        pane.current.focus();
      }
      select(line, event.shiftKey);
    };
    return { cursor, move, pick };
  };

  return { use };
})();
