// What is labelled and what was said: read once from the server, changed by what it confirms.
RE.desk = (() => {
  const GONE =
    "the server does not answer: start the command again and open the address that it prints; " +
    "what was saved is kept, what you wrote here is on this page only";

  // An answer of the server; what it refuses it says itself.
  const answered = async (asked) => {
    let answer = null;
    try {
      answer = await asked;
    } catch (error) {
      throw error instanceof TypeError ? new Error(GONE) : error;
    }
    if (answer === null) throw new Error("the server knows no such thing");
    return answer;
  };

  const get = (path) => answered(RE.data.get(path));
  const send = (desk, path, value) => answered(RE.data.post(path, { version: desk.version, ...value }));


  // Labels by leaf: a key may be called what every object has, such as `constructor`.
  const open = async () => {
    const desk = await get("desk");
    return { ...desk, labels: new Map(Object.entries(desk.labels)) };
  };

  // Leaves from `start` on, round to the first again.
  const order = (desk, start) => {
    const count = desk.leaves.length;
    return Array.from({ length: count }, (_, step) => (start + step) % count);
  };

  const keyOf = (desk, at) => desk.nodes[desk.leaves[at].node].key;
  const labelOf = (desk, at) => desk.labels.get(keyOf(desk, at)) ?? null;
  const placeOf = (desk, key) => desk.leaves.findIndex((leaf) => desk.nodes[leaf.node].key === key);

  // The next leaf without a label; null where all have one.
  const next = (desk, start) => order(desk, start).find((at) => !labelOf(desk, at)) ?? null;

  // The nodes above a node, from the root down.
  const above = (desk, node) => {
    const path = [];
    for (let at = desk.nodes[node].parent; at >= 0; at = desk.nodes[at].parent) path.unshift(at);
    return path;
  };

  // How many leaves below each node have no label yet.
  const openBelow = (desk) => {
    const counts = new Map();
    for (const [at, leaf] of desk.leaves.entries()) {
      const groups = labelOf(desk, at) ? [] : above(desk, leaf.node);
      for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1);
    }
    return counts;
  };

  const done = (desk) => desk.leaves.filter((_, at) => labelOf(desk, at)).length;

  // The desk after a change that the server confirmed.
  const changed = (desk, answer) => {
    const labels = new Map(desk.labels);
    for (const [key, label] of Object.entries(answer.labels)) {
      if (label) labels.set(key, label);
      else labels.delete(key);
    }
    return { ...desk, labels, version: answer.version, undo: answer.undo };
  };

  return { get, open, keyOf, labelOf, placeOf, next, above, openBelow, done, changed, send };
})();
