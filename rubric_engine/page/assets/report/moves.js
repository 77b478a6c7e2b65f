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

  // Actions by key for a view: `{tree, rows, active, isOpen, go, turn, level, ...}`.
  const of = (view) => {
    const { tree, rows, active, isOpen, go, turn } = view;
    const position = rows.indexOf(active);
    const step = (by) => {
      const wanted = position < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, position + by));
      if (rows.length) go(rows[wanted]);
    };
    const isGroup = active >= 0 && !RE.tree.isLeaf(tree, active);
    const inside = () => {
      if (view.isFlat || !isGroup) return;
      if (isOpen(active)) step(1);
      else turn(active);
    };
    const outside = () => {
      if (view.isFlat) return;
      if (isGroup && isOpen(active)) turn(active);
      else if (active > 0) go(tree.nodes.parent[active]);
    };
    const jump = (by, holds) => () => {
      const left = (at) => (!view.found || view.found.match[at]) && holds(at);
      const at = next(tree, { active, order: view.sort, step: by, holds: left });
      if (at >= 0) go(at);
      else view.say("no such leaf here");
    };
    const verdict = (word) => (at) => tree.nodes.verdict[at] === word;
    const differs = (at) => (tree.nodes.flags[at] & RE.query.FLAGS.differs) !== 0;
    const page = Math.max(1, Math.floor((document.getElementById("tree")?.clientHeight ?? 400) / RE.grid.HEIGHT) - 2);

    const pane = {
      ArrowDown: () => step(1), ArrowUp: () => step(-1), ArrowRight: inside, ArrowLeft: outside,
      Home: () => step(-Infinity), End: () => step(Infinity),
      PageDown: () => step(page), PageUp: () => step(-page), Enter: view.toPanel, " ": () => isGroup && turn(active),
    };
    const levels = Object.fromEntries(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((level) => [String(level), () => view.level(level)]),
    );
    const letters = {
      j: pane.ArrowDown, k: pane.ArrowUp, l: inside, h: outside, "*": () => view.level(99), ...levels,
      n: jump(1, verdict("not met")), p: jump(-1, verdict("not met")), d: jump(1, differs), D: jump(-1, differs),
      i: jump(1, verdict("open")), e: view.toEvidence, o: view.copyLink, c: view.copyPlace,
      "/": view.toQuery, Escape: view.escape, t: view.turnTheme, "?": view.help,
    };
    // Keys that scroll or press belong to whatever has the focus; the tree takes them from nobody.
    const alone = Object.fromEntries(
      Object.entries(pane).map(([key, action]) => [
        key,
        () => (document.activeElement === document.body ? action() : false),
      ]),
    );
    return { pane, letters: { ...alone, ...letters } };
  };

  return { of, next };
})();
