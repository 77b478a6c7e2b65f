// Draws the labelling page: what is asked on the left, what there is to read on the right.
(() => {
  const { html, render, useEffect, useState, Button, Message, Status, Text } = RE.ui;

  const NOT_BLIND = "you see the judge's verdicts, so nothing given here counts as truth.";

  const Left = ({ desk, at, help, acts }) => html`<div class="left">
    ${desk.kind === "correct" && html`<${Message} title="Not blind:">${NOT_BLIND}<//>`}
    <${RE.ended.Ended} desk=${desk} />
    <p class="dim where">leaf ${at + 1} of ${desk.leaves.length}${RE.desk.labelOf(desk, at) ? ", has a label" : ""}
      ${" "}<${Button} className="quiet" onClick=${acts.marking}
        aria-keyshortcuts="g">nothing here exists … <kbd>g</kbd><//></p>
    <${RE.context.Context} desk=${desk} at=${at} onPlace=${acts.visit} />
    <${RE.asking.Trouble} what="Nothing says which sections and files help with this leaf" asked=${help.asked} />
    <${RE.paper.Paper} desk=${desk} at=${at} near=${help.near.sections} />
  </div>`;

  const Dialogs = ({ dialog, desk, at, onMark, onClose }) => {
    const mark = (value) => {
      onClose();
      onMark(value);
    };
    if (dialog === "help") return html`<${RE.labelHelp.Help} onClose=${onClose} />`;
    if (dialog !== "marking") return null;
    return html`<${RE.marking.Marking} desk=${desk} at=${at} onMark=${mark} onClose=${onClose} />`;
  };

  const Page = ({ desk, put, now, news }) => {
    const [told, setTold] = useState({ kind: "", text: "" });
    const [dialog, setDialog] = useState("");
    const tell = (kind, text) => setTold({ kind, text });
    const moves = RE.labelMoves.use(desk);
    const help = RE.near.use(moves.key);
    const opened = RE.opened.use(desk, help.near, moves.key);
    const drafts = RE.drafts.use(desk, moves.key);
    const change = RE.change.use(put, now, drafts.forget, (why) => tell("bad", why));
    const page = { desk, moves, opened, drafts, change, tell, setDialog };
    const acts = RE.labelActions.of(page);
    RE.keys.use(RE.labelActions.keys(page, acts));
    useEffect(() => {
      if (news) tell(news.kind, news.text);
    }, [news]);
    return html`<div class="desk">
      <${RE.labelHead.Head} desk=${desk} onHelp=${acts.help} onUndo=${acts.undo} />
      <${Left} desk=${desk} at=${moves.at} help=${help} acts=${acts} />
      <${RE.form.Form} draft=${drafts.draft} onDraft=${drafts.edit} onSave=${acts.save} onSkip=${acts.skip}
        onPlace=${acts.visit} />
      <${Status} className=${`told ${told.kind}`}><${Text} text=${told.text} /><//>
      <${RE.reader.Reader} desk=${desk} hinted=${help.near.files} opened=${opened} onCite=${acts.cite} />
      <${Dialogs} dialog=${dialog} desk=${desk} at=${moves.at} onMark=${acts.mark} onClose=${() => setDialog("")} />
    </div>`;
  };

  const Root = ({ start }) => {
    const [desk, put, now] = RE.held.use(start);
    const news = RE.news.use(desk, put, now);
    if (desk.leaves.length) return html`<${Page} desk=${desk} put=${put} now=${now} news=${news} />`;
    const soon = desk.kind === "adjudicate" ? " One that comes to wait is shown here by itself." : "";
    return html`<${Message} title="Nothing is to be done here.">No leaf waits.${soon}<//>
      <${RE.ended.Ended} desk=${desk} />
      ${news?.kind === "bad" && html`<${Message} kind="bad"
        title="This is not up to date:">${RE.text.line(news.text, 300)}<//>`}`;
  };

  const place = document.getElementById("app");
  const draw = (content) => {
    place.textContent = "";
    render(content, place);
  };
  RE.desk.open().then(
    (desk) => draw(html`<${Root} start=${desk} />`),
    (error) => draw(html`<${Message} kind="bad"
      title="This page cannot be shown.">${RE.text.line(error.message, 300)}<//>`),
  );
})();
