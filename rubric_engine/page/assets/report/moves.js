// What the keys do in the tree.
RE.moves = (() => {
  // The next row in reading order for which something holds, from `active` on, round the end.
  const next = (tree, { active, order, step, holds }) => {
    const all = RE.tree.rows(tree, { order, shown: null, isOpen: () => true });
    const from = Math.max(0, all.indexOf(active));
    for (let walked = 1; walked <= all.length; walked += 1) {
      const at = all[(from + step * walked + all.length * 2) % all.length];
      if (holds(at)) return at;
    }
    return -1;
  };

  // From row to row, and between a group and what is in it.
  const walking = ({ tree, rows, active, isFlat, isOpen, go, turn }) => {
    const position = rows.indexOf(active);
    const isGroup = !isFlat && active >= 0 && !RE.tree.isLeaf(tree, active);
    const step = (by) => {
      const wanted = position < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, position + by));
      if (rows.length) go(rows[wanted]);
    };
    const inside = () => {
      if (isGroup && isOpen(active)) step(1);
      else if (isGroup) turn(active);
    };
    const outside = () => {
      if (isGroup && isOpen(active)) turn(active);
      else if (!isFlat && active > 0) go(tree.nodes.parent[active]);
    };
    return { step, inside, outside, fold: () => isGroup && turn(active) };
  };

  const page = () => {
    const room = document.getElementById("tree")?.clientHeight ?? 400;
    return Math.max(1, Math.floor(room / RE.grid.HEIGHT) - 2);
  };

  const paneKeys = ({ toPanel }, { step, inside, outside, fold }) => ({
    ArrowDown: () => step(1), ArrowUp: () => step(-1), ArrowRight: inside, ArrowLeft: outside,
    Home: () => step(-Infinity), End: () => step(Infinity),
    PageDown: () => step(page()), PageUp: () => step(-page()), Enter: toPanel, " ": fold,
  });

  // To the next leaf of a kind that the filter leaves.
  const jumping = ({ tree, active, sort, found, go, say }) => {
    const jump = (step, holds, none) => () => {
      const left = (at) => (!found || found.match[at]) && holds(at);
      const at = next(tree, { active, order: sort, step, holds: left });
      if (at >= 0) go(at);
      else say(found ? `${none} among those that the query leaves` : none);
    };
    const verdict = (word) => (at) => tree.nodes.verdict[at] === word;
    const differs = (at) => (tree.nodes.flags[at] & RE.query.FLAGS.differs) !== 0;
    const unmet = [verdict("not met"), "no leaf is not met"];
    const other = [differs, "no human says another verdict than the judge"];
    return {
      n: jump(1, ...unmet), p: jump(-1, ...unmet), d: jump(1, ...other), D: jump(-1, ...other),
      i: jump(1, verdict("open"), "no leaf is without a grade"),
    };
  };

  const levels = ({ level }) => {
    const to = Array.from({ length: 9 }, (_, at) => [String(at + 1), () => level(at + 1)]);
    return { ...Object.fromEntries(to), "*": () => level(99) };
  };

  // Keys that scroll or press belong to whatever has the focus; the tree takes them from nobody.
  const alone = (pane) =>
    Object.fromEntries(
      Object.entries(pane).map(([key, action]) => [
        key,
        () => (document.activeElement === document.body ? action() : false),
      ]),
    );

  // Actions by key: `pane` for the tree when it has the focus, `letters` for the whole page.
  const of = (view) => {
    const walk = walking(view);
    const pane = paneKeys(view, walk);
    const letters = {
      ...alone(pane), ...levels(view), ...jumping(view),
      j: pane.ArrowDown, k: pane.ArrowUp, l: walk.inside, h: walk.outside,
      e: view.toEvidence, o: view.copyLink, c: view.copyPlace,
      "/": view.toQuery, Escape: view.escape, t: view.turnTheme, "?": view.help,
    };
    return { pane, letters };
  };

  return { of };
})();
