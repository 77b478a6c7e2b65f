// Words and numbers, as the terminal prints them.
RE.text = (() => {
  // Controls, format characters (bidi marks among them), lone surrogates, private use, separators.
  const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

  const escape = (char) => `\\u{${char.codePointAt(0).toString(16)}}`;

  // Untrusted text with nothing hidden in it.
  const shown = (text) => String(text).replace(/\r\n?/g, "\n").replace(HIDDEN, escape);

  // The same on one line, cut to so many characters.
  const line = (text, limit = 400) => {
    const whole = String(text);
    const cut = whole.length > limit ? `${whole.slice(0, limit - 1)}…` : whole;
    return shown(cut).replace(/\s+/g, " ").trim();
  };

  const number = (value) => value.toLocaleString("en-US");
  const counted = (value, word, many = `${word}s`) =>
    `${number(value)} ${value === 1 ? word : many}`;

  const known = (value) => value !== null && value !== undefined;

  // Decimals as Python writes them: what lies exactly between two goes to the even one.
  const fixed = (value, digits) => {
    if (Math.abs((value * 2 ** (digits + 1)) % 2) !== 1) return value.toFixed(digits);
    const below = Math.floor(value * 10 ** digits);
    return ((below % 2 === 0 ? below : below + 1) / 10 ** digits).toFixed(digits);
  };

  const percent = (value) => (known(value) ? `${fixed(100 * value, 1)}%` : "-");
  const span = (low, high) => {
    const [from, to] = [percent(low), percent(high)];
    return from === to ? from : `${from.slice(0, -1)}-${to}`;
  };

  // Points of 100; what is too small to show says so.
  const points = (value) => {
    if (!known(value)) return "-";
    return value > 0 && value < 0.005 ? "<0.01" : fixed(value, 2);
  };

  // Rounded up, so that it never looks smaller: to cents, below ten cents to two digits.
  const dollars = (value) => {
    if (!known(value)) return "unpriced";
    const digits = value > 0 && value < 0.1 ? 1 - Math.floor(Math.log10(value)) : 2;
    const up = Math.max(0, Math.ceil(value * 10 ** digits - 1e-9)) / 10 ** digits;
    const most = { minimumFractionDigits: 2, maximumFractionDigits: digits };
    return `$${up.toLocaleString("en-US", most)}`;
  };

  return { shown, line, number, counted, fixed, percent, span, points, dollars, known };
})();
