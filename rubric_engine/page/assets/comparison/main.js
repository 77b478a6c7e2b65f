// Draws a comparison: what is open, which kind is shown and what is searched stand in the address.
(() => {
  const { html, render, useEffect, useMemo, useRef, useState, Button, Message, Status } = RE.ui;
  const { KINDS, name, side, what } = RE.compared;

  const place = document.getElementById("app");

  const searched = (change) =>
    [side(change).key, side(change).requirements, what(change), change.a?.explanation, change.b?.explanation]
      .join("\n")
      .toLowerCase();

  const isNamed = (change, { n, in: run }) =>
    (change.b?.key === n && run !== "a") || (change.a?.key === n && (change.b === null || run === "a"));

  const filtered = (changes, texts, { kind, q = "" }) => {
    const words = q.toLowerCase().split(/\s+/).filter(Boolean);
    return changes.filter(
      (change, at) =>
        (kind === undefined || change.kind === kind || kind in change.by_kind) &&
        words.every((word) => texts[at].includes(word)),
    );
  };

  // Changes of each kind, and those that it has a part in.
  const counted = (changes) => {
    const counts = new Map();
    for (const change of changes) {
      for (const kind of new Set([change.kind, ...Object.keys(change.by_kind)])) {
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
    }
    return counts;
  };

  const Tools = ({ asked, ask, shown, all, box }) => html`<div class="tools" role="search">
    <input type="search" ref=${box} aria-label="Search the changes" placeholder="search key, text, reasons"
      value=${asked.q ?? ""} onInput=${(event) => ask({ q: event.target.value || undefined })} />
    ${asked.kind !== undefined && html`<${Button} onClick=${() => ask({ kind: undefined })}>
      ${KINDS[asked.kind] ?? "unknown kind"} ✕<span class="hidden-name"> show all kinds</span><//>`}
    <${Status}>${`${RE.text.number(shown)} of ${RE.text.counted(all, "change")}`}<//>
  </div>`;

  const Page = ({ found }) => {
    const [asked, ask] = RE.hash.use();
    const [help, setHelp] = useState(false);
    const [marked, setMarked] = useState(RE.kept.get("words", "on") === "on");
    const box = useRef(null);
    const texts = useMemo(() => found.changes.map(searched), [found]);
    const counts = useMemo(() => counted(found.changes), [found]);
    const list = useMemo(() => filtered(found.changes, texts, asked), [found, asked.kind, asked.q]);
    const isAsked = asked.n !== undefined;
    const open = isAsked ? (found.changes.find((change) => isNamed(change, asked)) ?? null) : (list[0] ?? null);
    const at = list.indexOf(open);
    const go = (to) => {
      if (list.length === 0) return false;
      const next = Math.min(Math.max(to, 0), list.length - 1);
      ask(name(list[next]));
      return true;
    };
    const mark = () => {
      RE.kept.set("words", marked ? "off" : "on");
      setMarked(!marked);
    };
    const leave = () => ask({ q: undefined, kind: undefined });
    // Keys that scroll belong to whatever has the focus, if that is not the list.
    const isElsewhere = () => !document.activeElement.matches("body, [role=listbox], [role=listbox] *");
    const alone = (action) => () => (isElsewhere() ? false : action());
    RE.keys.use({
      j: () => go(at + 1),
      k: () => go(at - 1),
      ArrowDown: alone(() => go(at + 1)),
      ArrowUp: alone(() => go(at - 1)),
      Home: alone(() => go(0)),
      End: alone(() => go(list.length - 1)),
      "/": () => box.current.focus(),
      Escape: leave,
      w: mark,
      t: () => void RE.theme.turn(),
      "?": () => setHelp(true),
    });
    useEffect(() => {
      const blur = (event) => {
        if (event.key === "Escape" && event.target === box.current) box.current.blur();
      };
      addEventListener("keydown", blur);
      return () => removeEventListener("keydown", blur);
    }, []);
    const ids = { a: found.a.id, b: found.b.id };
    return html`
      <${RE.compareHead.Head} found=${found} onHelp=${() => setHelp(true)} onTheme=${RE.theme.turn}>
        <${RE.compareKinds.Kinds} found=${found} counts=${counts} chosen=${asked.kind}
          onChoose=${(kind) => ask({ kind, n: undefined, in: undefined })} />
      <//>
      <${Tools} asked=${asked} ask=${ask} shown=${list.length} all=${found.changes.length} box=${box} />
      ${isAsked && open === null && html`<${Message} kind="bad" title="No such change.">
        Nothing changed at ${RE.text.line(asked.n, 120)}, or no run has it.<//>`}
      ${found.changes.length === 0
        ? html`<${Message} title="Nothing changed.">Every leaf has the same verdict in both runs.<//>`
        : html`<div class="work">
            <${RE.compareChanges.Changes} changes=${list} at=${at} onOpen=${go} />
            <${RE.comparePanel.Panel} change=${open} ids=${ids} marked=${marked} onMark=${mark} />
          </div>`}
      ${help && html`<${RE.compareHead.Help} onClose=${() => setHelp(false)} />`}`;
  };

  const fail = (error) =>
    render(html`<${Message} kind="bad" title="This page cannot be shown.">${String(error.message)}<//>`, place);

  place.textContent = "";
  const show = ({ comparison }) => {
    RE.compared.learn(comparison.words);
    render(html`<${Page} found=${comparison} />`, place);
    document.body.dataset.ready = "yes";
  };
  RE.data.open().then(show).catch(fail);
})();
