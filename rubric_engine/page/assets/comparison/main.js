// Draws a comparison: what is open, which kind is shown and what is searched stand in the address.
(() => {
  const { html, render, useRef, useState, Button, Message, Status } = RE.ui;
  const { KINDS, name } = RE.compared;

  const place = document.getElementById("app");

  const isNamed = (change, { n, in: run }) =>
    (change.b?.key === n && run !== "a") || (change.a?.key === n && (change.b === null || run === "a"));

  // The open change, where it stands in the list, and whether the address asks for one.
  const useOpen = (found, list, asked) => {
    const isAsked = asked.n !== undefined;
    const named = isAsked ? (found.changes.find((change) => isNamed(change, asked)) ?? null) : undefined;
    const open = RE.beside.useOpen(list, named);
    return { isAsked, open, at: list.indexOf(open) };
  };

  const useMarked = () => {
    const [marked, setMarked] = useState(RE.kept.get("words", "on") === "on");
    const mark = () => {
      RE.kept.set("words", marked ? "off" : "on");
      setMarked(!marked);
    };
    return [marked, mark];
  };

  const useKeys = ({ at, list, isAsked, box, go, close, ask, mark, help }) =>
    RE.keys.use({
      ...RE.list.keys({ at, last: list.length - 1, go }),
      "/": () => box.current.focus(),
      Escape: () => (isAsked && RE.beside.covers() ? close() : ask({ q: undefined, kind: undefined })),
      w: mark, t: () => void RE.theme.turn(), "?": help,
    });

  const Tools = ({ asked, ask, shown, all, box }) => html`<div class="tools" role="search">
    <${RE.search.Box} box=${box} what="changes" value=${asked.q} onText=${(q) => ask({ q })} />
    ${asked.kind !== undefined && html`<${Button} onClick=${() => ask({ kind: undefined })}>
      ${RE.own(KINDS, asked.kind) ?? "unknown kind"} ✕<span class="hidden-name"> show all kinds</span><//>`}
    <${Status}>${`${RE.text.number(shown)} of ${RE.text.counted(all, "change")}`}<//>
  </div>`;

  const Work = ({ found, list, chosen, open, at, marked, onGo, onMark, onClose, onClear }) => {
    if (found.changes.length === 0) {
      return html`<${Message} title="Nothing changed.">
        Every leaf has the same verdict in both runs, or a grade in neither.<//>`;
    }
    return html`<${RE.beside.Beside} chosen=${chosen}>
      <${RE.compareChanges.Changes} changes=${list} at=${at} onOpen=${onGo} onClear=${onClear} />
      <${RE.comparePanel.Panel} change=${open} chosen=${chosen}
        marked=${marked} onMark=${onMark} onClose=${onClose} />
    <//>`;
  };

  const Page = ({ found }) => {
    const [asked, ask] = RE.hash.use(RE.beside.isOver);
    const [helping, setHelping] = useState(false);
    const [marked, mark] = useMarked();
    const box = useRef(null);
    const { list, counts } = RE.compareSought.use(found, asked);
    const { isAsked, open, at } = useOpen(found, list, asked);
    const go = (to) => list.length > 0 && ask(name(list[Math.min(Math.max(to, 0), list.length - 1)]));
    const close = () => {
      ask({ n: undefined, in: undefined });
      document.getElementById("list").focus({ preventScroll: true });
    };
    useKeys({ at, list, isAsked, box, go, close, ask, mark, help: () => setHelping(true) });
    return html`
      <${RE.compareHead.Head} found=${found} onHelp=${() => setHelping(true)}>
        <${RE.compareKinds.Kinds} found=${found} counts=${counts} chosen=${asked.kind}
          onChoose=${(kind) => ask({ kind, n: undefined, in: undefined })} />
      <//>
      <${Tools} asked=${asked} ask=${ask} shown=${list.length} all=${found.changes.length} box=${box} />
      ${isAsked && open === null && html`<${Message} kind="bad" title="No such change.">
        Nothing changed at ${RE.text.line(asked.n, 120)}, or no run has it.<//>`}
      <${Work} found=${found} list=${list} chosen=${isAsked && open !== null} open=${open} at=${at}
        marked=${marked} onGo=${go} onMark=${mark} onClose=${close}
        onClear=${() => ask({ q: undefined, kind: undefined })} />
      ${helping && html`<${RE.compareHead.Help} onClose=${() => setHelping(false)} />`}`;
  };

  const fail = (error) =>
    render(html`<${Message} kind="bad" title="This page cannot be shown.">${String(error.message)}<//>`, place);

  place.textContent = "";
  const show = ({ comparison }) => {
    RE.compared.learn(comparison.words);
    RE.comparePrint.of(comparison);
    render(html`<${Page} found=${comparison} />`, place);
    document.body.dataset.ready = "yes";
  };
  RE.data.open().then(show).catch(fail);
})();
