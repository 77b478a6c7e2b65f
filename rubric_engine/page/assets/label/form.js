// One label, as it is being made.
RE.form = (() => {
  const { html, useEffect, useRef, Button, Toggle } = RE.ui;

  const empty = { verdict: null, reason: "", citations: [], flag: null };

  const of = (label) => (label ? { ...empty, ...label } : empty);

  // What a label still lacks, in words; "" where nothing.
  const lacks = (draft) => {
    if (!draft.verdict) return "choose a verdict: 1, 2 or 3";
    if (draft.reason.trim()) return "";
    if (draft.verdict !== "met") return `"${RE.context.VERDICTS[draft.verdict]}" wants a reason`;
    return draft.citations.length ? "" : "\"met\" wants a reason or a cited place";
  };

  const CHOICES = [["met", "1"], ["not_met", "2"], ["cannot_judge", "3"]];

  const Choices = ({ draft, onDraft }) => html`<div class="choices" role="group" aria-label="Verdict">
    ${CHOICES.map(([verdict, key]) => html`<${Toggle} key=${verdict} on=${draft.verdict === verdict}
      className=${`verdict ${verdict}`} aria-keyshortcuts=${key}
      onClick=${() => onDraft({ verdict })}>${RE.context.VERDICTS[verdict]} <kbd>${key}</kbd><//>`)}
  </div>`;

  const Places = ({ draft, onDraft, onPlace }) => html`<ul class="places" aria-label="Cited places">
    ${draft.citations.map((place) => html`<li key=${place}>
      <button type="button" class="place mono" onClick=${() => onPlace(place)}>${RE.text.line(place, 120)}</button>
      <${Button} className="quiet" aria-label=${`do not cite ${RE.text.line(place, 120)}`}
        onClick=${() => onDraft({ citations: draft.citations.filter((each) => each !== place) })}>×<//></li>`)}
  </ul>`;

  // Enter in a text field saves, as it does everywhere else; Shift and Enter make a line.
  const saving = (onSave) => (event) => {
    if (event.key === "Escape") event.target.blur();
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    onSave();
  };

  const Form = ({ draft, onDraft, onSave, onSkip, onPlace }) => {
    const flag = useRef(null);
    const isFlagged = draft.flag !== null;
    const was = useRef(isFlagged);
    useEffect(() => {
      if (isFlagged && !was.current) flag.current.focus();
      was.current = isFlagged;
    }, [isFlagged]);
    return html`<section class="form" aria-label="Label">
      <${Choices} draft=${draft} onDraft=${onDraft} />
      <textarea id="reason" rows="2" aria-label="Reason" placeholder="why" value=${draft.reason}
        onInput=${(event) => onDraft({ reason: event.target.value })} onKeyDown=${saving(onSave)}></textarea>
      <${Places} draft=${draft} onDraft=${onDraft} onPlace=${onPlace} />
      ${isFlagged && html`<input type="text" ref=${flag} aria-label="What is doubtful about the rubric"
        placeholder="what is doubtful about the rubric here"
        value=${draft.flag} onInput=${(event) => onDraft({ flag: event.target.value })} onKeyDown=${saving(onSave)} />`}
      <div class="bar">
        <${Button} className="chief" onClick=${onSave}>save, next <kbd>Enter</kbd><//>
        <${Button} onClick=${onSkip} aria-keyshortcuts="s">skip <kbd>s</kbd><//>
        <${Toggle} on=${isFlagged} aria-keyshortcuts="f"
          onClick=${() => onDraft({ flag: isFlagged ? null : "" })}>flag the rubric <kbd>f</kbd><//>
      </div>
    </section>`;
  };

  return { Form, of, lacks };
})();
