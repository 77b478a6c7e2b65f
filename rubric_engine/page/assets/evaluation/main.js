// Draws an evaluation: which judge, which of its leaves, and which chart stand in the address.
(() => {
  const { html, render, useEffect, useRef, useState, Message } = RE.ui;

  const KEYS = [
    ["↓ ↑ or j k", "next, previous leaf"],
    ["Home End", "first, last leaf"],
    ["/", "search the leaves"],
    ["b", "back to the figures"],
    ["Esc", "close the leaf on a telephone, else show all leaves again"],
    ["t, ?", "light or dark, this help"],
  ];

  const Head = ({ table, onHelp }) => html`<header class="head">
    <div class="bar"><h1>JudgeEval: judges against people</h1><${RE.headTools.Tools} onHelp=${onHelp} /></div>
    ${table.warnings.length > 0 && html`<details class="fold">
      <summary>${RE.text.counted(table.warnings.length, "warning")}</summary>
      <ul>${table.warnings.map(({ code, message }) =>
        html`<li><span class="mono">${code}</span> ${RE.text.line(message, 2000)}</li>`)}</ul></details>`}
  </header>`;

  const useJudge = ({ table, judges }, address) => {
    const rows = table.leaf_sets.flatMap((leaves) => leaves.rows.filter(({ kind }) => kind === "judge"));
    const name = address.judge ?? rows[0]?.name;
    return {
      name,
      judge: judges.find((each) => RE.hash.plain(each.name) === RE.hash.plain(name)),
      row: rows.find((each) => RE.hash.plain(each.name) === RE.hash.plain(name)),
    };
  };

  const ALL = {
    submission: undefined, category: undefined, cell: undefined,
    q: undefined, n: undefined, of: undefined,
  };

  // A link to a cell or a leaf begins there.
  const useLinks = () =>
    useEffect(() => {
      const follow = () => {
        const address = RE.hash.read();
        if (Object.keys(ALL).some((name) => address[name] !== undefined)) setTimeout(RE.leavesBehind.show);
      };
      follow();
      addEventListener("hashchange", follow);
      return () => removeEventListener("hashchange", follow);
    }, []);

  const focus = (element) => {
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "center" });
  };

  // To the leaves behind a cell, and back to it.
  const useWay = (change) => {
    const from = useRef(null);
    const open = (place) => {
      from.current = document.activeElement;
      change({ judge: undefined, ...ALL, ...place });
      setTimeout(RE.leavesBehind.show);
    };
    const back = () => {
      const pressed = from.current?.isConnected && from.current.matches(".cell") ? from.current : null;
      const cell = pressed ?? document.querySelector(".set .chosen .cell, .set .cell");
      change(ALL);
      setTimeout(() => focus(cell));
    };
    return { open, back };
  };

  // The open leaf of a judge, and how to get from one to the next.
  const useLeaves = (judge, address, change) => {
    const rows = RE.behind.use(judge, address);
    const named = !judge || address.n === undefined ? undefined : RE.behind.find(judge.leaves, address);
    const at = RE.beside.useOpen(rows, named) ?? -1;
    const go = (to) => rows.length > 0 &&
      change(RE.leavesBehind.named(judge, rows[Math.min(Math.max(to, 0), rows.length - 1)]));
    const close = () => {
      change({ n: undefined, of: undefined });
      document.getElementById("list").focus({ preventScroll: true });
    };
    return { rows, at, go, close };
  };

  const useKeys = ({ address, leaves: { rows, at, go, close }, box, change, back, help }) =>
    RE.keys.use({
      ...RE.list.keys({ at: rows.indexOf(at), last: rows.length - 1, go }),
      "/": () => box.current?.focus(),
      Escape: () => (address.n !== undefined && RE.beside.covers() ? close() : change(ALL)),
      b: back, t: () => void RE.theme.turn(), "?": help,
    });

  const Judge = ({ found, judge, row, address, leaves, box, change, way }) => {
    const onPlace = (values) => change({ n: undefined, of: undefined, ...values });
    return html`<${RE.explorer.Explorer} judges=${found.judges} row=${row} judge=${judge} place=${address}
        onJudge=${(name) => onPlace({ judge: name })} onOpen=${way.open} />
      <${RE.leavesBehind.Leaves} judges=${found.judges} judge=${judge} place=${address} rows=${leaves.rows}
        at=${leaves.at} box=${box} onPlace=${onPlace} onGo=${leaves.go} onClose=${leaves.close} onBack=${way.back} />`;
  };

  const Page = ({ found }) => {
    const [address, change] = RE.hash.use(RE.beside.isOver);
    const [helping, setHelping] = useState(false);
    const box = useRef(null);
    const { name, judge, row } = useJudge(found, address);
    const leaves = useLeaves(judge, address, change);
    const way = useWay(change);
    useLinks();
    useKeys({ address, leaves, box, change, back: way.back, help: () => setHelping(true) });
    return html`<${Head} table=${found.table} onHelp=${() => setHelping(true)} />
      ${found.table.leaf_sets.map((set, at) =>
        html`<${RE.judges.Judges} leaves=${set} words=${found.words[at]}
          judge=${judge?.name} onOpen=${way.open} />`)}
      ${judge
        ? html`<${Judge} found=${found} judge=${judge} row=${row} address=${address}
            leaves=${leaves} box=${box} change=${change} way=${way} />`
        : html`<div id="leaves"><${Message} kind="bad" title="No such judge:">
            <span class="mono">${RE.text.line(name ?? "none", 200)}</span><//>
          </div>`}
      <${RE.charts.Charts} charts=${found.charts} name=${address.chart} onName=${(chart) => change({ chart })} />
      ${helping && html`<${RE.keyHelp.Help} rows=${KEYS} onClose=${() => setHelping(false)} />`}`;
  };

  const place = document.getElementById("app");
  const show = (content) => {
    place.textContent = "";
    render(content, place);
    document.body.dataset.ready = "yes";
  };
  RE.data.open().then(
    ({ evaluation }) => show(html`<${Page} found=${evaluation} />`),
    (error) => show(html`<${Message} kind="bad" title="This page cannot be shown.">
      ${RE.text.line(error.message, 300)}<//>`),
  );
})();
