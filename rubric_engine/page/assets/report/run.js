// One run: head, points, filters, tree and panel.
RE.run = (() => {
  const { html, Message, Status } = RE.ui;

  // Keys of the tree when it has the focus; the others are bound for the whole page.
  const useKeys = (view, act) => {
    const { tree, rows, active, isFlat, sort, found, opened, query } = view;
    const keys = RE.moves.of({
      tree, rows, active, isFlat, sort, found,
      isOpen: opened.isOpen, turn: opened.turn, level: opened.level,
      go: (at) => {
        if (!isFlat) opened.reveal(at);
        act.go(at);
      },
      toPanel: () => {
        act.go(active);
        setTimeout(() => act.focus("panel"));
      },
      toQuery: () => document.getElementById("query").focus(),
      toEvidence: act.toEvidence, copyLink: act.link, copyPlace: act.place, say: act.say,
      escape: () => (query && !(view.linked >= 0 && RE.beside.covers()) ? act.query("") : act.close()),
      turnTheme: RE.theme.turn, help: () => act.help(true),
    });
    RE.keys.use(keys.letters);
    return (event) => {
      const action = keys.pane[event.key];
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!action || !isPlain || event.target !== event.currentTarget) return;
      event.preventDefault();
      action();
    };
  };

  const Above = ({ page, run, stamp, view, act, onRun }) => html`
    <${RE.head.Head} page=${page} run=${run} tree=${view.tree} onRun=${onRun}
      onHelp=${() => act.help(true)} />
    <${RE.notes.Notes} run=${run} version=${page.version} onQuery=${act.query} />
    <${RE.points.Points} run=${run} tree=${view.tree} onGo=${act.visit} onAll=${act.allLost} />
    <${RE.icicle.Strip} tree=${view.tree} stamp=${stamp} onGo=${act.visit} />
    <${RE.filters.Bar} tree=${view.tree} groups=${view.groups} query=${view.query} found=${view.found}
      error=${view.error} sort=${view.sort} flat=${view.isFlat} onQuery=${act.query}
      onSort=${act.sort} onFlat=${act.flat} onLevels=${view.opened.level} />`;

  const Work = ({ run, view, act, changed, onKey }) => {
    const { tree, rows, active, sort, found, isFlat, opened, linked } = view;
    return html`<${RE.beside.Beside} chosen=${linked >= 0}>
      <${RE.grid.Grid} tree=${tree} rows=${rows} active=${active} sort=${sort} shown=${found?.shown}
        isFlat=${isFlat} isOpen=${opened.isOpen} onChoose=${act.go} onTurn=${opened.turn}
        onKey=${onKey} onSort=${act.sort} onClear=${() => act.query("")} />
      <${RE.panel.Panel} run=${run} tree=${tree} at=${active} sort=${sort}
        stamp=${changed.get(active) ?? 0} chosen=${linked >= 0} onGo=${act.visit} onCopy=${act.copy}
        onLink=${act.link} onClose=${act.close} />
    <//>`;
  };

  const Run = ({ page, run, stamp, changed, address, onAddress, onRun }) => {
    const view = RE.view.use({ run, stamp, address });
    const act = RE.actions.use({ view, page, address, onAddress });
    const onKey = useKeys(view, act);
    const isUnknown = address.n !== undefined && view.linked < 0;
    return html`
      <${Above} page=${page} run=${run} stamp=${stamp} view=${view} act=${act} onRun=${onRun} />
      ${isUnknown && html`<${Message} kind="bad" title="No such criterion:">
        this run has none with the key <span class="mono">${RE.text.line(address.n, 200)}</span><//>`}
      <${Work} run=${run} view=${view} act=${act} changed=${changed} onKey=${onKey} />
      <${Status} className="toast">${act.saying}<//>
      ${act.isHelping && html`<${RE.help.Help} onClose=${() => act.help(false)} />`}`;
  };

  return { Run };
})();
