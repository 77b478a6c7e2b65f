// The language of the query box: free text and terms such as `cat:exec score:>0.5 nograde`.
RE.query = (() => {
  const FLAGS = {
    failed: 1, cut: 2, unverified: 4, split: 8, unsure: 16, differs: 32, canary: 64, injection: 128,
  };
  const WORDS = ["failed", "cut", "unverified", "unsure", "canary", "injection"];
  const VERDICTS = { met: "met", part: "part", not: "not met", na: "n/a" };
  const NUMBER = /^(>=|<=|>|<|=)?(\d+(?:\.\d+)?|\.\d+)$/; // no digit fits two parts, so it is linear
  const TOKEN = /(?:([a-z]+):)?"((?:[^"]|"")*)"|(\S+)/gi; // a quote in quotes stands twice

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

  // A name as the box and the address can hold it, in whatever case and with whatever blanks.
  const folded = (name) => RE.hash.plain(name).toLowerCase().replace(/\s+/g, " ").trim();

  // The term that a category is named by exactly.
  const category = (name) => `cat:"${folded(name).replaceAll('"', '""')}"`;

  const flag = (bit) => ({ nodes }, at) => (nodes.flags[at] & bit) !== 0;
  const verdict = (word) => ({ nodes }, at) => nodes.verdict[at] === word;
  const label = (word) => ({ nodes }, at) => nodes.human[at] === word;
  const score = compared("score", "value");

  const FIELDS = {
    // A part of the name; in quotes, the whole name.
    cat: (value, isQuoted) => {
      const wanted = folded(value);
      return ({ nodes }, at) => {
        const name = folded(nodes.category[at] ?? "");
        return isQuoted ? name === wanted : name.includes(wanted);
      };
    },
    // The value of a leaf with no grade is the policy's: nobody gave it a score.
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
    [...text.matchAll(TOKEN)].map(([written, field, quoted, bare]) =>
      quoted === undefined
        ? { written, ...split(bare), isQuoted: false }
        : { written, field: field?.toLowerCase(), value: quoted.replaceAll('""', '"'), isQuoted: true },
    );

  const split = (bare) => {
    const found = /^([a-z]+):(.*)$/is.exec(bare);
    return found ? { field: found[1].toLowerCase(), value: found[2] } : { value: bare };
  };

  const term = ({ written, field, value, isQuoted }) => {
    const low = value.toLowerCase();
    if (field === undefined) {
      if (isQuoted) return { text: low };
      if (low === "nograde") return { holds: verdict("open") };
      return WORDS.includes(low) ? { holds: flag(FLAGS[low]) } : { text: low };
    }
    if (!Object.hasOwn(FIELDS, field)) {
      const known = Object.keys(FIELDS).join(", ");
      throw new Unreadable(`there is no field ${field}: (${known}); put "${written}" in quotes`);
    }
    if (low === "") throw new Unreadable(`${field}: needs a value after the colon`);
    return { holds: FIELDS[field](low, isQuoted) };
  };

  // `{texts, tests}` of a query, or `{error}` in words.
  const parse = (text) => {
    try {
      const terms = words(text).filter((word) => word.field || word.value !== "").map(term);
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

  const has = (text, token) => words(text).some((word) => word.written === token);

  // A query with a token put in, or taken out where it is there.
  const toggle = (text, token) => {
    if (!has(text, token)) return `${text.trim()} ${token}`.trim();
    return words(text).map((word) => word.written).filter((each) => each !== token).join(" ");
  };

  return { parse, filter, has, toggle, category, FLAGS };
})();
