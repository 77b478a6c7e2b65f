// Two texts word by word: what one has and the other has not.
RE.differ = (() => {
  const { html } = RE.ui;
  const MOST = 1500; // words of a side that are compared; more would keep the page waiting
  const LEAST = 0.3; // part of the longer text that both share; below it, marks would cover all
  const WORD = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

  const words = (text) => text.match(WORD) ?? [];

  // Lengths of the longest common runs of words from each pair of places to the ends.
  const table = (a, b) => {
    const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i -= 1) {
      for (let j = b.length - 1; j >= 0; j -= 1) {
        rows[i][j] =
          a[i] === b[j] ? rows[i + 1][j + 1] + 1 : Math.max(rows[i + 1][j], rows[i][j + 1]);
      }
    }
    return rows;
  };

  const add = (parts, text, own) => {
    const last = parts.at(-1);
    if (last !== undefined && last.own === own) last.text += text;
    else parts.push({ text, own });
  };

  const shared = (a, b, from) => {
    let count = 0;
    const most = Math.min(a.length, b.length);
    while (count < most && a[from(a, count)] === b[from(b, count)]) count += 1;
    return count;
  };

  const length = (list) => list.reduce((sum, { text }) => sum + text.length, 0);

  // Both texts as parts `{text, own}`; `own` parts stand on one side only. Null where the texts
  // are too long or too unlike for that.
  const parts = (before, after) => {
    const [a, b] = [words(before), words(after)];
    const head = shared(a, b, (_, at) => at);
    const [restA, restB] = [a.slice(head), b.slice(head)];
    const tail = shared(restA, restB, (list, at) => list.length - 1 - at);
    const midA = restA.slice(0, restA.length - tail);
    const midB = restB.slice(0, restB.length - tail);
    if (Math.max(midA.length, midB.length) > MOST) return null;
    const sides = [[], []];
    const both = (text) => sides.forEach((side) => add(side, text, false));
    a.slice(0, head).forEach(both);
    const rows = table(midA, midB);
    let [i, j] = [0, 0];
    while (i < midA.length || j < midB.length) {
      if (i < midA.length && j < midB.length && midA[i] === midB[j]) {
        both(midA[i]);
        [i, j] = [i + 1, j + 1];
      } else if (j === midB.length || (i < midA.length && rows[i + 1][j] >= rows[i][j + 1])) {
        add(sides[0], midA[i], true);
        i += 1;
      } else {
        add(sides[1], midB[j], true);
        j += 1;
      }
    }
    a.slice(a.length - tail).forEach(both);
    const alike = length(sides[0].filter(({ own }) => !own));
    return alike < LEAST * Math.max(before.length, after.length) ? null : sides;
  };

  // One side's text, its own words marked for the eye and for a screen reader.
  const Marked = ({ list, tag }) =>
    html`<div class="text">${list.map(({ text, own }) =>
      own && text.trim() !== ""
        ? tag === "del"
          ? html`<del>${RE.text.shown(text)}</del>`
          : html`<ins>${RE.text.shown(text)}</ins>`
        : RE.text.shown(text),
    )}</div>`;

  return { parts, Marked };
})();
