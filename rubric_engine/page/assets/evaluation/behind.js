// The leaves behind a cell of a table. A place is `{judge, submission, category, cell}`, as the
// address holds it; what is undefined takes in all that have a label.
RE.behind = (() => {
  const { useMemo } = RE.ui;

  const WRONG = new Set(["fp", "fn", "open"]);

  const isKind = (leaves, at, cell) => {
    if (cell === undefined || cell === "all") return leaves.cell[at] !== null;
    if (cell === "wrong") return WRONG.has(leaves.cell[at]);
    if (cell === "unlabelled") return leaves.cell[at] === null;
    return leaves.cell[at] === cell;
  };

  // The address holds no lone surrogates, and nothing empty: a dash stands for no category.
  const isNamed = (value, name) =>
    name === undefined || value === name || RE.hash.plain(value) === name || (value === "" && name === "-");

  const isAt = (leaves, at, { submission, category, cell }) =>
    isNamed(leaves.submission[at], submission) && isNamed(leaves.category[at], category) && isKind(leaves, at, cell);

  const text = (leaves, at) =>
    [leaves.submission[at], leaves.key[at], leaves.category[at],
      leaves.requirement[at], leaves.why[at], leaves.reason[at]]
      .filter(RE.text.known).join("\n").toLowerCase();

  const gap = (leaves, at) => {
    const [human, judge] = [leaves.human[at], leaves.judge[at]];
    return RE.text.known(human) && RE.text.known(judge) ? Math.abs(human - judge) : -1;
  };

  // Larger first; what is alike keeps its order.
  const SORTS = {
    worth: (leaves) => (a, b) => leaves.worth[b] - leaves.worth[a],
    apart: (leaves) => (a, b) => gap(leaves, b) - gap(leaves, a),
    probability: (leaves) => (a, b) => (leaves.probability[b] ?? -1) - (leaves.probability[a] ?? -1),
    cost: (leaves) => (a, b) => (leaves.cost[b] ?? -1) - (leaves.cost[a] ?? -1),
  };

  const rows = (leaves, texts, place) => {
    const words = RE.search.words(place.q);
    const found = [];
    for (let at = 0; at < leaves.key.length; at += 1)
      if (isAt(leaves, at, place) && words.every((word) => texts[at].includes(word))) found.push(at);
    const sort = Object.hasOwn(SORTS, place.sort ?? "") ? SORTS[place.sort] : null;
    return sort === null ? found : found.sort(sort(leaves));
  };

  const use = (judge, place) => {
    const texts = useMemo(() => judge && judge.leaves.key.map((_, at) => text(judge.leaves, at)), [judge]);
    const { submission, category, cell, q, sort } = place;
    return useMemo(
      () => (judge ? rows(judge.leaves, texts, place) : []),
      [judge, submission, category, cell, q, sort],
    );
  };

  // The row that the address names, or -1.
  const find = ({ key, submission }, { n, of }) =>
    key.findIndex((each, at) => RE.hash.plain(each) === n &&
      (of === undefined || RE.hash.plain(submission[at]) === of));

  return { use, find };
})();
