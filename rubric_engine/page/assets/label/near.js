// What helps with a leaf: sections of the paper, and files that the rubric names.
RE.near = (() => {
  const { useRef } = RE.preact;
  const NOTHING = { sections: [], files: [] };

  // `{near, asked}`: what helped with the leaf before stays until there is an answer for this one.
  const use = (key) => {
    const asked = RE.asking.use(`near?key=${encodeURIComponent(key)}`);
    const last = useRef(NOTHING);
    if (asked.value) last.current = asked.value;
    if (asked.error) last.current = NOTHING;
    return { near: last.current, asked };
  };

  return { use };
})();
