// A long list of equally high rows: draws what stands in view, and always the open one.
RE.list = (() => {
  const { html, useLayoutEffect, useRef } = RE.ui;

  const moved = (by) => (element) => {
    if (element !== null) element.style.transform = `translateY(${by}px)`;
  };
  const high = (by) => (element) => {
    if (element !== null) element.style.height = `${by}px`;
  };

  const Row = ({ id, at, count, height, isOpen, onOpen, children }) => html`<div role="option" id=${id}
    ref=${moved(at * height)} class=${`row ${isOpen ? "open-row" : ""}`} aria-selected=${isOpen ? "true" : "false"}
    aria-setsize=${count} aria-posinset=${at + 1} onClick=${() => onOpen(at)}>${children}</div>`;

  const scrollTo = (pane, at, height) => {
    const [top, bottom] = [at * height, (at + 1) * height];
    if (top < pane.scrollTop) pane.scrollTop = top;
    else if (bottom > pane.scrollTop + pane.clientHeight) pane.scrollTop = bottom - pane.clientHeight;
  };

  // `at`: place of the open row, or -1. `id(row, place)` names a row's element, `draw(row)` fills it.
  // `onClear` shows all again where nothing matches.
  const List = ({ label, rows, at, height, id, draw, onOpen, onClear }) => {
    const pane = useRef(null);
    const places = RE.rows.places(RE.rows.use(pane, rows.length, height), at);
    useLayoutEffect(() => {
      if (at >= 0) scrollTo(pane.current, at, height);
    }, [at, rows]);
    const isEmpty = rows.length === 0; // a list box may hold nothing but its options
    return html`<div class="pane" id="list" ref=${pane} tabindex="0" role=${isEmpty ? "group" : "listbox"}
      aria-label=${label} aria-activedescendant=${at < 0 ? undefined : id(rows[at], at)}>
      ${isEmpty && html`<${RE.search.Nothing} what="the search"
        onClear=${() => { onClear(); pane.current.focus(); }} />`}
      <div class="rows" role="presentation" ref=${high(rows.length * height)}>${places.map((place) => html`<${Row}
        key=${id(rows[place], place)} id=${id(rows[place], place)} at=${place} count=${rows.length} height=${height}
        isOpen=${place === at} onOpen=${onOpen}>${draw(rows[place])}<//>`)}</div>
    </div>`;
  };

  // Keys that walk a list. Those that scroll belong to whatever has the focus, if it is neither the
  // list nor its heading.
  const keys = ({ at, last, go }) => {
    const isElsewhere = () => !document.activeElement.matches("body, h2, [role=listbox], [role=listbox] *");
    const alone = (to) => () => (isElsewhere() ? false : go(to));
    return {
      j: () => go(at + 1), k: () => go(at - 1), ArrowDown: alone(at + 1), ArrowUp: alone(at - 1),
      Home: alone(0), End: alone(last),
    };
  };

  return { List, keys };
})();
