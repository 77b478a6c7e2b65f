// Draws an evaluation: which judge, which of its leaves, and which chart stand in the address.
(() => {
  const { html, render, useEffect, useRef, useState, Button, Message } = RE.ui;

  const KEYS = [
    ["↓ ↑ or j k", "next, previous leaf"],
    ["Home End", "first, last leaf"],
    ["/", "search the leaves"],
    ["Esc", "show all leaves again"],
    ["t", "light or dark"],
    ["?", "these keys"],
  ];

  const Head = ({ table, onHelp }) => html`<header class="head">
    <div class="bar"><h1>JudgeEval: judges against people</h1><span class="grow"></span>
      <${Button} className="quiet" onClick=${RE.theme.turn}>Light or dark<//>
      <${Button} className="quiet" onClick=${onHelp}>Keys<//></div>
    ${table.warnings.length > 0 && html`<details class="fold"><summary>${RE.text.counted(table.warnings.length, "warning")}</summary>
      <ul>${table.warnings.map(({ code, message }) => html`<li><span class="mono">${code}</span> ${RE.text.line(message)}</li>`)}</ul></details>`}
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

  const useKeys = ({ go, at, last, box, clear, help }) => {
    RE.keys.use({
      j: () => go(at + 1), k: () => go(at - 1), ArrowDown: () => go(at + 1), ArrowUp: () => go(at - 1),
      Home: () => go(0), End: () => go(last),
      "/": () => box.current?.focus(), Escape: clear, t: () => void RE.theme.turn(), "?": help,
    });
    useEffect(() => {
      const blur = (event) => {
        if (event.key === "Escape" && event.target === box.current) box.current.blur();
      };
      addEventListener("keydown", blur);
      return () => removeEventListener("keydown", blur);
    }, []);
  };

  const ALL = { submission: undefined, category: undefined, cell: undefined, q: undefined, n: undefined, of: undefined };

  const Page = ({ found }) => {
    const [address, change] = RE.hash.use();
    const [helping, setHelping] = useState(false);
    const box = useRef(null);
    const { name, judge, row } = useJudge(found, address);
    const rows = RE.behind.use(judge, address);
    const at = !judge ? -1 : address.n === undefined ? (rows[0] ?? -1) : RE.behind.find(judge.leaves, address);
    const go = (to) => {
      if (rows.length === 0) return false;
      change(RE.explorer.named(judge, rows[Math.min(Math.max(to, 0), rows.length - 1)]));
      return true;
    };
    const open = (place) => {
      change({ judge: undefined, ...ALL, ...place });
      setTimeout(() => document.getElementById("explorer").focus());
    };
    useKeys({ go, at: rows.indexOf(at), last: rows.length - 1, box, clear: () => change(ALL), help: () => setHelping(true) });
    const place = (values) => change({ n: undefined, of: undefined, ...values });
    return html`<${Head} table=${found.table} onHelp=${() => setHelping(true)} />
      ${found.table.leaf_sets.map((leaves) => html`<${RE.judges.Judges} leaves=${leaves} judge=${judge?.name} onOpen=${open} />`)}
      ${judge
        ? html`<${RE.explorer.Explorer} judges=${found.judges} row=${row} judge=${judge} place=${address} rows=${rows}
            at=${at} box=${box} onPlace=${place} onOpen=${open} onGo=${go} />`
        : html`<${Message} kind="bad" title="No such judge:"><span class="mono">${RE.text.line(name ?? "none", 200)}</span><//>`}
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
    (error) => show(html`<${Message} kind="bad" title="This page cannot be shown.">${RE.text.line(error.message, 300)}<//>`),
  );
})();
