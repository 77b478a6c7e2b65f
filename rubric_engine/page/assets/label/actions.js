// What a labeller can do, each as a function: the page's buttons and keys call these.
RE.labelActions = (() => {
  const counted = (count) => RE.text.counted(count, "leaf", "leaves");
  const reason = () => document.getElementById("reason").focus();

  // Saving, marking a group, taking back: each goes on to a leaf once it is done.
  const changes = ({ desk, moves, drafts, change, tell }) => {
    const onward = (after, text) => {
      const next = RE.desk.next(after, RE.desk.placeOf(after, moves.key));
      tell("note", next === null ? `${text}; all have a label now` : text);
      moves.go(next ?? moves.at, after);
    };
    const save = () => {
      const why = RE.form.lacks(drafts.draft);
      if (why) {
        if (drafts.draft.verdict) reason();
        return tell("bad", why);
      }
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      const sent = { ...drafts.draft, key: moves.key, seconds: moves.seconds() };
      return change("labels", sent, (after) => onward(after, `saved: ${RE.context.VERDICTS[sent.verdict]}`));
    };
    const mark = (value) =>
      change("marks", value, (after) => onward(after, `saved: ${counted(value.count)} not met`));
    const undo = () => {
      if (!desk.undo) return tell("note", "nothing to undo: your record has no earlier change");
      return change("undo", {}, (after, answer) => {
        const [[key, label], ...more] = Object.entries(answer.labels);
        const now = label ? `${RE.context.VERDICTS[label.verdict]} again` : "no label now";
        tell("note", `taken back: ${more.length ? counted(more.length + 1) : now}`);
        const back = RE.desk.placeOf(after, key);
        if (back >= 0) moves.go(back, after);
      });
    };
    return { save, mark, undo };
  };

  const skip = ({ desk, moves, tell }) => () => {
    tell("note", "skipped");
    moves.go(RE.desk.next(desk, moves.at + 1) ?? (moves.at + 1) % desk.leaves.length);
  };

  // False where no lines are selected, so that the key does nothing.
  const cite = ({ desk, opened, drafts, tell }) => () => {
    const { open, chosen } = opened;
    if (open === null || chosen === null) return false;
    const place = RE.opened.place(desk, open, chosen);
    if (!desk.files[open.file].cited) {
      tell("bad", `not cited: ${RE.files.other(desk.files[open.file])}`);
      return true;
    }
    drafts.edit({ citations: [...new Set([...drafts.draft.citations, place])] });
    opened.setChosen(null);
    tell("note", `cited ${place}`);
    return true;
  };

  const of = (page) => {
    const { drafts, opened, desk, setDialog } = page;
    const visit = (text) => {
      const place = RE.opened.meant(desk, text);
      if (place) opened.show(place);
    };
    const flag = () => drafts.edit({ flag: drafts.draft.flag === null ? "" : null });
    return {
      ...changes(page), skip: skip(page), cite: cite(page), visit, flag, reason,
      help: () => setDialog("help"), marking: () => setDialog("marking"),
    };
  };

  // A key for each; a button that is chosen by Enter is not overruled.
  const keys = ({ drafts, moves }, acts) => {
    const choose = (verdict) => () => drafts.edit({ verdict });
    const isButton = (event) => event.target.closest("button:not(.verdict), summary, a, select");
    return {
      1: choose("met"), 2: choose("not_met"), 3: choose("cannot_judge"),
      Enter: (event) => (isButton(event) ? false : acts.save()),
      r: acts.reason, f: acts.flag, g: acts.marking, s: acts.skip, u: acts.undo, x: acts.cite,
      j: () => moves.step(1), k: () => moves.step(-1), t: RE.theme.turn, "?": acts.help,
    };
  };

  return { of, keys };
})();
