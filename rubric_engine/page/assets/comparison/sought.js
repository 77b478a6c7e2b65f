// Which changes are shown: those of a kind that hold all words of a search.
RE.compareSought = (() => {
  const { useMemo } = RE.ui;
  const { side, what } = RE.compared;

  const text = (change) =>
    [side(change).key, side(change).requirements, what(change), change.a?.explanation, change.b?.explanation]
      .join("\n")
      .toLowerCase();

  const filtered = (changes, texts, { kind, q }) => {
    const words = RE.search.words(q);
    return changes.filter(
      (change, at) =>
        (kind === undefined || change.kind === kind || Object.hasOwn(change.by_kind, kind)) &&
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

  // `list`: what is shown, `counts`: how many changes there are by kind.
  const use = ({ changes }, asked) => {
    const texts = useMemo(() => changes.map(text), [changes]);
    const counts = useMemo(() => counted(changes), [changes]);
    const list = useMemo(() => filtered(changes, texts, asked), [changes, asked.kind, asked.q]);
    return { list, counts };
  };

  return { use };
})();
