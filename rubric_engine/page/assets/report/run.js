// One run: head, points, filters, tree and panel, and what ties them together.
RE.run = (() => {
  const { html, useEffect, useMemo, useState, Message, Status } = RE.ui;

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false;
    }
  };

  const firstPlace = async (run, at) => {
    const chunk = await RE.data.chunk(run.id, Math.floor(at / run.details.size));
    const grade = chunk?.[at]?.grade;
    const checked = (grade?.checks ?? []).flatMap((check) => check.citations ?? []);
    const found = [...(grade?.citations ?? []), ...checked][0];
    return found ? RE.citations.place(found) : null;
  };

  const focus = (id) => {
    const found = document.getElementById(id);
    found?.focus({ preventScroll: true });
    found?.scrollIntoView({ block: "nearest" });
  };

  // The tree, its filter, and the row that is chosen.
  const useView = ({ run, stamp, address }) => {
    const tree = useMemo(() => {
      const made = RE.tree.of(run);
      made.leafCount = made.nodes.verdict.filter((verdict) => verdict !== null).length;
      RE.print.tree(made);
      return made;
    }, [run, stamp]);
    const query = address.q ?? "";
    const sort = ["lost", "worth"].includes(address.sort) ? address.sort : "order";
    const isFlat = address.view === "flat";
    const { parsed, found } = useMemo(() => {
      const read = RE.query.parse(query);
      return { parsed: read, found: RE.query.filter(tree, read) };
    }, [tree, query]);
    const opened = RE.opened.use(tree, found);
    const rows = useMemo(
      () =>
        isFlat
          ? RE.tree.flat(tree, { order: sort, match: found?.match })
          : RE.tree.rows(tree, { order: sort, shown: found?.shown, isOpen: opened.isOpen }),
      [tree, isFlat, sort, found, opened.isOpen],
    );
    return { tree, query, sort, isFlat, error: parsed.error, found, opened, rows };
  };

  const Run = ({ page, run, stamp, changed, address, onAddress, onRun }) => {
    const view = useView({ run, stamp, address });
    const { tree, query, sort, isFlat, found, opened, rows } = view;
    const [cursor, setCursor] = useState(0);
    const [helping, setHelping] = useState(false);
    const [saying, setSaying] = useState("");
    const linked = address.n === undefined ? -1 : RE.tree.find(tree, address.n);
    const active = linked >= 0 ? linked : cursor;
    const groups = useMemo(() => RE.filters.chips(tree, run), [tree]);

    useEffect(() => {
      if (linked >= 0) opened.reveal(linked);
    }, [linked]);
    useEffect(() => {
      if (!saying) return undefined;
      const timer = setTimeout(() => setSaying(""), 4000);
      return () => clearTimeout(timer);
    }, [saying]);

    const go = (at) => {
      setCursor(at);
      onAddress({ n: tree.nodes.key[at] });
    };
    const visit = (at) => {
      opened.reveal(at);
      go(at);
      focus("tree");
    };
    const close = () => {
      setCursor(active);
      onAddress({ n: undefined });
      focus("tree");
    };
    const copied = async (text) =>
      setSaying((await copy(text)) ? `copied ${RE.text.line(text, 80)}` : `not copied; it is ${RE.text.line(text, 300)}`);
    const setQuery = (text) => onAddress({ q: text || undefined });
    const link = () => {
      const values = { ...RE.hash.read(), ...address, run: run.id, n: tree.nodes.key[active] };
      return copied(`${location.href.split("#")[0]}#${RE.hash.text(values)}`);
    };
    const keys = RE.moves.of({
      tree, rows, active, isFlat, sort, found, isOpen: opened.isOpen, go: (at) => { if (!isFlat) opened.reveal(at); go(at); },
      turn: opened.turn, level: opened.level, say: setSaying,
      toPanel: () => { go(active); setTimeout(() => focus("panel")); },
      toEvidence: () => document.getElementById("evidence")?.scrollIntoView({ block: "start" }),
      toQuery: () => document.getElementById("query").focus(),
      copyLink: link,
      copyPlace: async () => {
        const place = await firstPlace(run, active);
        return place ? copied(place) : setSaying("no place is cited");
      },
      escape: () => (query ? setQuery("") : close()),
      turnTheme: RE.theme.turn, help: () => setHelping(true),
    });
    RE.keys.use(keys.letters);
    const onKey = (event) => {
      const action = keys.pane[event.key];
      if (!action || event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
      event.preventDefault();
      action();
    };

    return html`
      <${RE.head.Head} page=${page} run=${run} tree=${tree} onRun=${onRun} onTheme=${RE.theme.turn} onHelp=${() => setHelping(true)} />
      <${RE.notes.Notes} run=${run} version=${page.version} onQuery=${setQuery} />
      <${RE.points.Points} run=${run} tree=${tree} onGo=${visit} onAll=${() => onAddress({ sort: "lost", view: "flat", q: undefined })} />
      <${RE.icicle.Strip} tree=${tree} stamp=${stamp} onGo=${visit} />
      <${RE.filters.Bar} tree=${tree} groups=${groups} query=${query} onQuery=${setQuery} found=${found} error=${view.error}
        sort=${sort} onSort=${(name) => onAddress({ sort: name === "order" ? undefined : name })}
        flat=${isFlat} onFlat=${(on) => onAddress({ view: on ? "flat" : undefined })} onLevels=${opened.level} />
      ${address.n !== undefined && linked < 0 && html`<${Message} kind="bad" title="No such criterion:">
        this run has none with the key <span class="mono">${RE.text.line(address.n, 200)}</span><//>`}
      <div class=${`work${linked >= 0 ? " chosen" : ""}`}>
        <${RE.grid.Grid} tree=${tree} rows=${rows} active=${active} sort=${sort} shown=${found?.shown} isFlat=${isFlat}
          isOpen=${opened.isOpen} onChoose=${go} onTurn=${opened.turn} onKey=${onKey}
          onSort=${(name) => onAddress({ sort: name === "order" ? undefined : name })} />
        <${RE.panel.Panel} run=${run} tree=${tree} at=${active} sort=${sort} stamp=${changed.get(active) ?? 0}
          onGo=${visit} onCopy=${copied} onLink=${link} onClose=${close} />
      </div>
      <${Status} className="toast">${saying}<//>
      ${helping && html`<${RE.help.Help} onClose=${() => setHelping(false)} />`}`;
  };

  return { Run };
})();
