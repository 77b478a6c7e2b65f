// What a comparison is told in: kinds, points with a sign, and which side is which.
RE.compared = (() => {
  const KINDS = {}; // words by kind, as the page's data have them

  const learn = (words) => {
    for (const [kind, text] of Object.entries(words)) KINDS[kind] = text.replace("->", "→");
  };

  const TINY = 1e-9;

  // Points of 100 with a sign; what is too small to show says so, and none are no minus.
  const signed = (value) => {
    if (!RE.text.known(value)) return "-";
    if (Math.abs(value) < TINY) return "0.00";
    if (Math.abs(value) < 0.005) return value > 0 ? "<+0.01" : ">−0.01";
    const digits = RE.text.fixed(Math.abs(value), 2);
    return value > 0 ? `+${digits}` : `−${digits}`;
  };

  const tone = (value) => (!value || Math.abs(value) < TINY ? "still" : value > 0 ? "rise" : "fall");

  // A criterion as the second run has it where it does.
  const side = (change) => change.b ?? change.a;

  // What the address names a change by: its key, and whether the first run alone has it.
  const name = (change) => ({
    n: side(change).key,
    in: change.b === null ? "a" : undefined,
  });

  const what = (change) => change.what.replace("->", "→");

  return { KINDS, TINY, learn, signed, tone, side, name, what };
})();
