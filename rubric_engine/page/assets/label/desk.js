// What is labelled and what was said: read once from the server, changed by what it confirms.
RE.desk = (() => {
  const api = document.body.dataset.api;

  const get = async (path) => {
    const answer = await RE.ask(`${api}/${path}`);
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    return answer.json();
  };

  // Labels by leaf: a key may be called what every object has, such as `constructor`.
  const open = () => get("desk").then((desk) => ({ ...desk, labels: new Map(Object.entries(desk.labels)) }));

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

  // Leaves below a group that have no label yet.
  const openBelow = (desk, group) =>
    desk.leaves.flatMap((leaf, at) =>
      !labelOf(desk, at) && above(desk, leaf.node).includes(group) ? [at] : [],
    );

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

  const GONE =
    "the server does not answer: start the command again and open the address that it prints; " +
    "what was saved is kept, what you wrote here is on this page only";

  const send = async (desk, path, value) => {
    let answer = null;
    try {
      answer = await RE.data.post(path, { version: desk.version, ...value });
    } catch (error) {
      throw error instanceof TypeError ? new Error(GONE) : error;
    }
    if (answer === null) throw new Error("the server knows no such thing");
    return answer;
  };

  return { get, open, keyOf, labelOf, placeOf, next, above, openBelow, done, changed, send };
})();
