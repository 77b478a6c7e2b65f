// The tree of a run over its columns. Rows stand in document order, depth first, so that a node's
// subtree is the rows from it up to `end`.
RE.tree = (() => {
  const of = (run) => {
    const { nodes } = run;
    const count = nodes.key.length;
    const children = Array.from({ length: count }, () => []);
    const depth = new Uint16Array(count);
    const end = new Int32Array(count);
    for (let at = 1; at < count; at += 1) {
      children[nodes.parent[at]].push(at);
      depth[at] = depth[nodes.parent[at]] + 1;
    }
    for (let at = count - 1; at >= 0; at -= 1) {
      end[at] = Math.max(end[at], at + 1);
      if (at) end[nodes.parent[at]] = Math.max(end[nodes.parent[at]], end[at]);
    }
    return { run, nodes, count, children, depth, end, orders: new Map(), places: null };
  };

  const isLeaf = (tree, at) => tree.children[at].length === 0;

  const path = (tree, at) => {
    const above = [];
    for (let up = tree.nodes.parent[at]; up >= 0; up = tree.nodes.parent[up]) above.unshift(up);
    return above;
  };

  const find = (tree, key) => {
    tree.places ??= new Map(tree.nodes.key.map((each, at) => [RE.hash.plain(each), at]));
    return tree.places.get(RE.hash.plain(key)) ?? -1;
  };

  // A leaf, or a group whose points belong to it and not to what is below it.
  const ownsPoints = (tree, at) =>
    RE.text.known(tree.nodes.lost[at]) &&
    tree.children[at].every((child) => !RE.text.known(tree.nodes.lost[child]));

  const compare = (tree, order) => {
    const column = tree.nodes[order];
    const size = (at) => column[at] ?? -1;
    const isLost = order === "lost";
    const open = (at) => (isLost ? (tree.nodes.open[at] ?? -1) : 0);
    return (a, b) => size(b) - size(a) || open(b) - open(a) || a - b;
  };

  // Children of each node in rubric order, or by `lost` or `worth`.
  const ordered = (tree, order) => {
    if (order !== "lost" && order !== "worth") return tree.children;
    if (!tree.orders.has(order)) {
      const by = compare(tree, order);
      tree.orders.set(order, tree.children.map((each) => [...each].sort(by)));
    }
    return tree.orders.get(order);
  };

  // Nodes as rows from top to bottom. `shown`: 1 for what the filter leaves, or null for all.
  const rows = (tree, { order, shown, isOpen }) => {
    const children = ordered(tree, order);
    const found = [];
    const stack = [0];
    while (stack.length) {
      const at = stack.pop();
      if (shown && !shown[at]) continue;
      found.push(at);
      if (!isOpen(at)) continue;
      for (let last = children[at].length - 1; last >= 0; last -= 1) stack.push(children[at][last]);
    }
    return found;
  };

  // The leaves that a filter leaves, across the whole tree.
  const flat = (tree, { order, match }) => {
    const found = [];
    for (let at = 0; at < tree.count; at += 1)
      if (isLeaf(tree, at) && (!match || match[at])) found.push(at);
    return order === "lost" || order === "worth" ? found.sort(compare(tree, order)) : found;
  };

  // How many leaves of a subtree have each verdict.
  const verdicts = (tree, at) => {
    const counts = {};
    for (let row = at; row < tree.end[at]; row += 1) {
      const verdict = tree.nodes.verdict[row];
      if (verdict !== null) counts[verdict] = (counts[verdict] ?? 0) + 1;
    }
    return counts;
  };

  return { of, isLeaf, path, find, ownsPoints, compare, ordered, rows, flat, verdicts };
})();
