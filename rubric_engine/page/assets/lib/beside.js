// A list, and beside it what is open of it; on a telephone that lies over the list.
RE.beside = (() => {
  const { html, useEffect, useRef, Button } = RE.ui;

  // Whether the panel lies over the list; the width is that of css/beside.css.
  const covers = () => matchMedia("(max-width: 700px)").matches;

  // Whether an address opens something over the list, which Back closes.
  const isOver = ({ n }) => n !== undefined && covers();

  // `chosen`: whether somebody asked for what is open.
  const Beside = ({ chosen, children }) =>
    html`<div class=${`work${chosen ? " chosen" : ""}`}>${children}</div>`;

  // `of` is what is open: the panel begins anew with each, and takes the focus where it covers
  // what had it.
  const Panel = ({ of, chosen, label, title, tools, onClose, children }) => {
    const box = useRef(null);
    useEffect(() => {
      box.current.scrollTop = 0;
    }, [of]);
    useEffect(() => {
      if (chosen && covers()) box.current.focus({ preventScroll: true });
    }, [chosen]);
    return html`<aside ref=${box} class="panel" id="panel" tabindex="0" aria-label=${label}>
      <div class="panel-head"><div class="panel-title">${title}</div>${tools}
        <${Button} className="quiet close" onClick=${onClose} aria-label="Close">✕<//></div>
      ${children}
    </aside>`;
  };

  // Which of the rows is open: the one that is named, else the one that was, else the first; null
  // where there is none. `named` is undefined where nothing is asked for.
  const useOpen = (rows, named) => {
    const last = useRef(null);
    if (named !== undefined) {
      last.current = named;
      return named;
    }
    return rows.includes(last.current) ? last.current : (rows[0] ?? null);
  };

  return { Beside, Panel, covers, isOver, useOpen };
})();
