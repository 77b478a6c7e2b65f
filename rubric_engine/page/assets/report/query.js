// The language of the query box: free text and terms such as `cat:exec score:>0.5 invalid`.
RE.query = (() => {
  const FLAGS = {
    failed: 1, cut: 2, unverified: 4, split: 8, unsure: 16, differs: 32, canary: 64, injection: 128,
  };
  const WORDS = ["invalid", "failed", "cut", "unverified", "unsure", "canary", "injection"];
  const VERDICTS = { met: "met", part: "part", not: "not met", open: "open", na: "n/a" };
  const NUMBER = /^(>=|<=|>|<|=)?(\d+(?:\.\d+)?|\.\d+)$/; // no digit fits two parts, so it is linear
  const TOKEN = /"([^"]*)"|(\S+)/g;

  class Unreadable extends Error {}

  const holds = {
    ">": (a, b) => a > b, "<": (a, b) => a < b, ">=": (a, b) => a >= b, "<=": (a, b) => a <= b,
    "=": (a, b) => Math.abs(a - b) < 1e-9,
  };

  const compared = (name, column) => (value) => {
    const found = NUMBER.exec(value);
    if (!found) {
      throw new Unreadable(`${name}: takes a number, such as ${name}:0 or ${name}:>0.5`);
    }
    const holdsFor = holds[found[1] ?? "="];
    const limit = Number(found[2]);
    return ({ nodes }, at) => RE.text.known(nodes[column][at]) && holdsFor(nodes[column][at], limit);
  };

  const oneOf = (name, choices) => (value) => {
    if (Object.hasOwn(choices, value)) return choices[value];
    throw new Unreadable(`${name}: takes ${Object.keys(choices).join(", ")}; found ${value}`);
  };

  const flag = (bit) => ({ nodes }, at) => (nodes.flags[at] & bit) !== 0;
  const verdict = (word) => ({ nodes }, at) => nodes.verdict[at] === word;
  const label = (word) => ({ nodes }, at) => nodes.human[at] === word;
  const score = compared("score", "value");

  const FIELDS = {
    cat: (value) => ({ nodes }, at) => (nodes.category[at] ?? "").toLowerCase().includes(value),
    // The value of an open leaf is the policy's: nobody gave it a score.
    score: (value) => {
      const holdsFor = score(value);
      return (tree, at) => tree.nodes.verdict[at] !== "open" && holdsFor(tree, at);
    },
    worth: compared("worth", "worth"),
    lost: compared("lost", "lost"),
    file: (value) => ({ nodes }, at) =>
      nodes.files[at].some((path) => path.toLowerCase().includes(value)),
    verdict: oneOf(
      "verdict",
      Object.fromEntries(Object.entries(VERDICTS).map(([name, word]) => [name, verdict(word)])),
    ),
    vote: oneOf("vote", { split: flag(FLAGS.split) }),
    human: oneOf("human", {
      differs: flag(FLAGS.differs),
      met: label("met"),
      not_met: label("not_met"),
      cannot_judge: label("cannot_judge"),
      any: ({ nodes }, at) => nodes.human[at] !== null,
    }),
  };

  const words = (text) =>
    [...text.matchAll(TOKEN)].map((found) =>
      found[1] === undefined ? { text: found[2], quoted: false } : { text: found[1], quoted: true },
    );

  const term = ({ text, quoted }) => {
    const low = text.toLowerCase();
    if (quoted) return { text: low };
    if (low === "invalid") return { holds: verdict("open") };
    if (WORDS.includes(low)) return { holds: flag(FLAGS[low]) };
    const field = /^([a-z]+):(.*)$/s.exec(low);
    if (!field) return { text: low };
    if (!Object.hasOwn(FIELDS, field[1])) {
      const known = Object.keys(FIELDS).join(", ");
      throw new Unreadable(`there is no field ${field[1]}: (${known}); put "${text}" in quotes`);
    }
    if (field[2] === "") throw new Unreadable(`${field[1]}: needs a value after the colon`);
    return { holds: FIELDS[field[1]](field[2]) };
  };

  // `{texts, tests}` of a query, or `{error}` in words.
  const parse = (text) => {
    try {
      const terms = words(text).filter((word) => word.text !== "").map(term);
      return {
        texts: terms.filter((each) => each.text !== undefined).map((each) => each.text),
        tests: terms.filter((each) => each.holds).map((each) => each.holds),
      };
    } catch (error) {
      if (error instanceof Unreadable) return { error: error.message };
      throw error;
    }
  };

  // What of a text is searched; made once a tree.
  const haystack = (tree) =>
    (tree.haystack ??= tree.nodes.requirements.map((text, at) =>
      `${text}\n${tree.nodes.key[at]}`.toLowerCase(),
    ));

  // The rows that a query leaves, or null where it leaves all. Text finds groups as well; all else
  // is said of leaves, and of groups that own their points.
  const filter = (tree, { texts, tests, error }) => {
    if (error || (!texts.length && !tests.length)) return null;
    const hay = texts.length ? haystack(tree) : [];
    const match = new Uint8Array(tree.count);
    for (let at = 0; at < tree.count; at += 1) {
      const asked = !tests.length || RE.tree.isLeaf(tree, at) || RE.tree.ownsPoints(tree, at);
      const found = asked && texts.every((text) => hay[at].includes(text));
      if (found && tests.every((holdsFor) => holdsFor(tree, at))) match[at] = 1;
    }
    return spread(tree, match);
  };

  // With those above a match, and below a group that matches where nothing in it does.
  const spread = (tree, match) => {
    const { parent } = tree.nodes;
    const below = new Uint8Array(tree.count);
    const shown = Uint8Array.from(match);
    let [leaves, groups] = [0, 0];
    for (let at = tree.count - 1; at >= 0; at -= 1) {
      if (match[at]) RE.tree.isLeaf(tree, at) ? (leaves += 1) : (groups += 1);
      if (at && (match[at] || below[at])) below[parent[at]] = 1;
      shown[at] |= below[at];
    }
    const free = new Uint8Array(tree.count);
    for (let at = 1; at < tree.count; at += 1) {
      const up = parent[at];
      if (free[up] || (match[up] && !below[up])) free[at] = shown[at] = 1;
    }
    return { match, below, shown, leaves, groups };
  };

  const has = (text, token) => words(text).some((word) => !word.quoted && word.text === token);

  // A query with a token put in, or taken out where it is there.
  const toggle = (text, token) => {
    if (!has(text, token)) return `${text.trim()} ${token}`.trim();
    const left = words(text).filter((word) => word.quoted || word.text !== token);
    return left.map((word) => (word.quoted ? `"${word.text}"` : word.text)).join(" ");
  };

  return { parse, filter, has, toggle, FLAGS };
})();
