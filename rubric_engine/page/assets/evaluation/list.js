// The leaves behind a cell, as a list that draws what stands in view and always the open one.
RE.judgedLeaves = (() => {
  const { html, useEffect, useRef } = RE.ui;
  const HEIGHT = 44;

  const SAYS = { met: ["✓", "met"], part: ["◐", "part"], not: ["✗", "not met"], open: ["?", "no grade"], none: ["–", "no label"] };

  const said = (score, without) => (!RE.text.known(score) ? without : score === 1 ? "met" : score === 0 ? "not" : "part");

  const Verdict = ({ score, without, who }) => {
    const kind = said(score, without);
    const [sign, words] = SAYS[kind];
    const value = kind === "part" ? RE.text.fixed(score, 2) : words;
    return html`<span class=${`chip ${kind === "none" ? "n-a" : kind}`}><span class="who">${who}</span>
      <span aria-hidden="true">${sign}</span> ${value}</span>`;
  };

  const Human = ({ leaves, at }) => html`<${Verdict} who="human" score=${leaves.human[at]} without="none" />`;
  const Judge = ({ leaves, at }) => html`<${Verdict} who="judge" score=${leaves.judge[at]} without="open" />`;

  const Row = ({ leaves, at, position, count, isOpen, onOpen }) => {
    const place = (element) => {
      if (element !== null) element.style.transform = `translateY(${position * HEIGHT}px)`;
    };
    return html`<div role="option" id=${`leaf-${at}`} ref=${place} class=${`row ${isOpen ? "open-row" : ""}`}
      aria-selected=${isOpen ? "true" : "false"} aria-setsize=${count} aria-posinset=${position + 1}
      onClick=${() => onOpen(position)}>
      <span class="verdicts"><${Human} leaves=${leaves} at=${at} /><${Judge} leaves=${leaves} at=${at} /></span>
      <bdi class="line">${RE.text.line(leaves.requirement[at] ?? leaves.key[at], 200)}</bdi>
      <span class="line dim">${RE.text.line(leaves.submission[at], 60)} · ${RE.text.line(leaves.key[at], 60)} · worth ${RE.text.points(leaves.worth[at])}</span>
    </div>`;
  };

  const List = ({ leaves, rows, open, onOpen }) => {
    const pane = useRef(null);
    const { first, last } = RE.rows.use(pane, rows.length, HEIGHT);
    const at = rows.indexOf(open);
    useEffect(() => {
      const { scrollTop, clientHeight } = pane.current;
      if (at < 0) return;
      if (at * HEIGHT < scrollTop) pane.current.scrollTop = at * HEIGHT;
      else if ((at + 1) * HEIGHT > scrollTop + clientHeight) pane.current.scrollTop = (at + 1) * HEIGHT - clientHeight;
    }, [at, rows]);
    const drawn = rows.map((row, position) => [row, position]).slice(first, last);
    if (at >= 0 && (at < first || at >= last)) drawn.push([open, at]);
    const sized = (element) => {
      if (element !== null) element.style.height = `${rows.length * HEIGHT}px`;
    };
    return html`<div class="pane" ref=${pane} tabindex="0" role="listbox" aria-label="Leaves"
      aria-activedescendant=${at < 0 ? undefined : `leaf-${open}`}>
      <div class="rows" role="presentation" ref=${sized}>${drawn.map(([row, position]) => html`<${Row} key=${row}
        leaves=${leaves} at=${row} position=${position} count=${rows.length} isOpen=${row === open} onOpen=${onOpen} />`)}</div>
    </div>`;
  };

  return { List, Human, Judge };
})();
