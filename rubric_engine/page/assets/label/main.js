// Draws the labelling page: what is asked on the left, what there is to read on the right.
(() => {
  const { html, render, useEffect, useRef, useState, Button, Message, Status } = RE.ui;

  const TITLES = { label: "labels", adjudicate: "decides", correct: "corrects" };

  const Head = ({ desk, onHelp, onUndo }) => {
    const done = RE.desk.done(desk);
    return html`<header class="head">
      <h1><bdi>${RE.text.line(desk.name, 40)}</bdi> ${TITLES[desk.kind]} <bdi>${RE.text.line(desk.submission, 60)}</bdi> <span class="dim">${RE.text.line(desk.task, 60)}</span></h1>
      <progress max=${desk.leaves.length || 1} value=${done} aria-label="Leaves with a label"></progress>
      <span id="progress">${RE.text.number(done)} of ${RE.text.number(desk.leaves.length)}</span>
      <${Button} disabled=${!desk.undo} onClick=${onUndo} aria-keyshortcuts="u">undo <kbd>u</kbd><//>
      <${RE.headTools.Tools} onHelp=${onHelp} />
    </header>`;
  };

  const placeOf = (desk, text) => {
    const found = /^(.+?)(?::(\d+)(?:-(\d+))?)?$/s.exec(text);
    const file = desk.files.findIndex((each) => each.path === found[1] && RE.reader.isText(each));
    return file < 0 ? null : { file, line: Number(found[2] ?? 1) };
  };

  const Page = ({ start }) => {
    const [desk, setDesk] = useState(start);
    const [at, setAt] = useState(RE.desk.next(start, 0) ?? 0);
    const [draft, setDraft] = useState(RE.form.of(RE.desk.labelOf(start, at)));
    const [open, setOpen] = useState(null);
    const [chosen, setChosen] = useState(null);
    const [told, setTold] = useState({ kind: "", text: "" });
    const [dialog, setDialog] = useState("");
    const busy = useRef(false);
    const since = useRef(Date.now());
    const drafts = useRef(new Map()); // what was begun and not saved, by leaf

    const go = (next, known = desk) => {
      setAt(next);
      setDraft(drafts.current.get(next) ?? RE.form.of(RE.desk.labelOf(known, next)));
      since.current = Date.now();
    };
    useEffect(() => {
      document.body.dataset.ready = "yes";
      document.querySelector(".left").scrollTop = 0;
    }, [at]);

    // Tell the server, and go where `then` says once it has it on its disk.
    const change = async (path, value, then) => {
      if (busy.current) return;
      busy.current = true;
      try {
        const answer = await RE.desk.send(desk, path, value);
        const after = RE.desk.changed(desk, answer);
        setDesk(after);
        desk.leaves.forEach((_, leaf) => Object.hasOwn(answer.labels, RE.desk.keyOf(desk, leaf)) && drafts.current.delete(leaf));
        then(after, answer);
      } catch (error) {
        setTold({ kind: "bad", text: error.message });
      } finally {
        busy.current = false;
      }
    };
    const onward = (after, text) => {
      const next = RE.desk.next(after, at);
      setTold({ kind: "note", text: next === null ? `${text}; all have a label now` : text });
      go(next ?? at, after);
    };
    const save = () => {
      const why = RE.form.lacks(draft);
      if (why) {
        setTold({ kind: "bad", text: why });
        return;
      }
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      const seconds = Math.round((Date.now() - since.current) / 100) / 10;
      change("labels", { ...draft, key: RE.desk.keyOf(desk, at), seconds }, (after) =>
        onward(after, `saved: ${RE.context.VERDICTS[draft.verdict]}`),
      );
    };
    const mark = (value) => {
      setDialog("");
      change("marks", value, (after) => onward(after, `saved: ${RE.text.counted(value.count, "leaf", "leaves")} not met`));
    };
    const undo = () =>
      desk.undo > 0 && change("undo", {}, (after, answer) => {
        const key = Object.keys(answer.labels)[0];
        const back = desk.leaves.findIndex((leaf) => desk.nodes[leaf.node].key === key);
        setTold({ kind: "note", text: "taken back" });
        go(back < 0 ? at : back, after);
      });
    const step = (by) => go((at + by + desk.leaves.length) % desk.leaves.length);
    const skip = () => {
      const next = RE.desk.next(desk, at + 1);
      setTold({ kind: "note", text: "skipped" });
      go(next ?? (at + 1) % desk.leaves.length);
    };
    const edit = (part) => {
      const begun = { ...(drafts.current.get(at) ?? draft), ...part };
      drafts.current.set(at, begun);
      setDraft(begun);
    };
    const cite = () => {
      if (open === null || chosen === null) return false;
      const lines = chosen.first === chosen.last ? chosen.first : `${chosen.first}-${chosen.last}`;
      const place = `${desk.files[open.file].path}:${lines}`;
      edit({ citations: [...new Set([...draft.citations, place])] });
      setTold({ kind: "note", text: `cited ${place}` });
      return true;
    };
    const show = (place) => {
      setChosen(null);
      setOpen(place);
    };
    const choose = (verdict) => () => {
      edit({ verdict });
      if (verdict !== "met" && !draft.reason.trim()) document.getElementById("reason").focus();
    };

    RE.keys.use({
      1: choose("met"), 2: choose("not_met"), 3: choose("cannot_judge"),
      r: () => document.getElementById("reason").focus(),
      f: () => edit({ flag: draft.flag === null ? "" : null }),
      g: () => setDialog("marking"),
      "?": () => setDialog("help"),
      Enter: (event) => (event.target.closest("button:not(.verdict), summary, a, select") ? false : save()),
      j: () => step(1), k: () => step(-1), s: skip, t: RE.theme.turn, u: undo, x: cite,
    });

    const onPlace = (text) => {
      const place = placeOf(desk, text);
      if (place) show(place);
    };
    return html`<div class="desk">
      <${Head} desk=${desk} onHelp=${() => setDialog("help")} onUndo=${undo} />
      <div class="left">
        ${desk.kind === "correct" && html`<${Message} title="Not blind:">you see the judge's verdicts, so nothing given here counts as truth.<//>`}
        <p class="dim where">leaf ${at + 1} of ${desk.leaves.length}${RE.desk.labelOf(desk, at) ? ", has a label" : ""}
          ${" "}<${Button} className="quiet" onClick=${() => setDialog("marking")} aria-keyshortcuts="g">nothing here exists … <kbd>g</kbd><//></p>
        <${RE.context.Context} desk=${desk} at=${at} onPlace=${onPlace} />
        <${RE.paper.Paper} desk=${desk} at=${at} />
      </div>
      <${RE.form.Form} draft=${draft} onDraft=${edit} onSave=${save} onSkip=${skip} onPlace=${onPlace} />
      <${Status} className=${`told ${told.kind}`}>${RE.text.line(told.text, 300)}<//>
      <${RE.reader.Reader} desk=${desk} open=${open} onOpen=${show} chosen=${chosen} onChoose=${setChosen} onCite=${cite} />
      ${dialog === "help" && html`<${RE.labelHelp.Help} onClose=${() => setDialog("")} />`}
      ${dialog === "marking" && html`<${RE.marking.Marking} desk=${desk} at=${at} onMark=${mark} onClose=${() => setDialog("")} />`}
    </div>`;
  };

  const place = document.getElementById("app");
  const draw = (content) => {
    place.textContent = "";
    render(content, place);
  };
  RE.desk.open().then(
    (desk) =>
      draw(desk.leaves.length
        ? html`<${Page} start=${desk} />`
        : html`<${Message} title="Nothing is to be done here.">No leaf waits.<//>`),
    (error) => draw(html`<${Message} kind="bad" title="This page cannot be shown.">${RE.text.line(error.message, 300)}<//>`),
  );
})();
