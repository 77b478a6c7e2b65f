// Which groups are open, with a filter and without.
RE.folding = (() => {
  const { useMemo, useState } = RE.ui;

  const toLevel = (tree, levels) => {
    const found = new Set();
    for (let at = 0; at < tree.count; at += 1)
      if (tree.depth[at] < levels - 1 && tree.children[at].length) found.add(at);
    return found;
  };

  const ENOUGH = 40; // rows that a page begins with, about

  // As many levels as fit the first look at a tree; two at least.
  const first = (tree) => {
    let levels = 2;
    for (; levels < 9; levels += 1) {
      const rows = tree.depth.reduce((sum, depth) => sum + (depth <= levels), 0);
      if (rows > ENOUGH) break;
    }
    return toLevel(tree, levels);
  };

  // A filter opens what leads to a match; `folded` is what somebody closed since it was set.
  const use = (tree, found, query) => {
    const [open, setOpen] = useState(() => first(tree));
    const [folded, setFolded] = useState({ query: null, rows: new Set() });
    const closed = folded.query === query ? folded.rows : new Set();
    const isOpen = useMemo(
      () => (at) => (found?.below[at] ? !closed.has(at) : open.has(at)),
      [open, folded, found],
    );

    const turn = (at) => {
      if (found?.below[at]) return setFolded({ query, rows: turned(closed, at) });
      return setOpen((was) => turned(was, at));
    };

    // Open all that stands above a row.
    const reveal = (at) => {
      const above = RE.tree.path(tree, at);
      if (above.some((up) => !open.has(up))) setOpen((was) => new Set([...was, ...above]));
      if (above.some((up) => closed.has(up))) setFolded({ query: null, rows: new Set() });
    };

    const level = (levels) => {
      const wanted = toLevel(tree, levels);
      setOpen(wanted);
      if (!found) return;
      const rows = new Set();
      for (let at = 0; at < tree.count; at += 1) if (found.below[at] && !wanted.has(at)) rows.add(at);
      setFolded({ query, rows });
    };

    return { isOpen, turn, reveal, level };
  };

  const turned = (rows, at) => {
    const found = new Set(rows);
    if (!found.delete(at)) found.add(at);
    return found;
  };

  return { use };
})();
