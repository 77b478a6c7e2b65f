// What of a run is shown: its tree, what the query leaves of it, its rows, and which one is chosen.
RE.view = (() => {
  const { useEffect, useMemo, useState } = RE.ui;

  const useTree = (run, stamp) =>
    useMemo(() => {
      const tree = RE.tree.of(run);
      tree.leafCount = tree.nodes.verdict.filter((verdict) => verdict !== null).length;
      RE.print.tree(tree);
      return tree;
    }, [run, stamp]);

  const useFilter = (tree, query) =>
    useMemo(() => {
      const parsed = RE.query.parse(query);
      return { error: parsed.error, found: RE.query.filter(tree, parsed) };
    }, [tree, query]);

  const useRows = ({ tree, isFlat, sort, found, isOpen }) =>
    useMemo(
      () =>
        isFlat
          ? RE.tree.flat(tree, { order: sort, match: found?.match })
          : RE.tree.rows(tree, { order: sort, shown: found?.shown, isOpen }),
      [tree, isFlat, sort, found, isOpen],
    );

  // `linked`: the node that the address names, or -1. `active`: that one, else where the cursor is.
  const useChosen = (tree, address, opened) => {
    const [cursor, setCursor] = useState(0);
    const linked = address.n === undefined ? -1 : RE.tree.find(tree, address.n);
    useEffect(() => {
      if (linked >= 0) opened.reveal(linked);
    }, [linked]);
    return { linked, active: linked >= 0 ? linked : cursor, setCursor };
  };

  const use = ({ run, stamp, address }) => {
    const tree = useTree(run, stamp);
    const query = address.q ?? "";
    const sort = ["lost", "worth"].includes(address.sort) ? address.sort : "order";
    const isFlat = address.view === "flat";
    const { error, found } = useFilter(tree, query);
    const opened = RE.folding.use(tree, found, query);
    const rows = useRows({ tree, isFlat, sort, found, isOpen: opened.isOpen });
    const groups = useMemo(() => RE.filters.chips(tree, run), [tree]);
    const chosen = useChosen(tree, address, opened);
    return { run, tree, query, sort, isFlat, error, found, opened, rows, groups, ...chosen };
  };

  return { use };
})();
