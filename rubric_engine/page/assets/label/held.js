// A state whose newest value can be read by what runs later, as when an answer has come.
RE.held = (() => {
  const { useRef, useState } = RE.preact;

  const use = (start) => {
    const [value, set] = useState(start);
    const now = useRef(start);
    const put = (next) => {
      now.current = next;
      set(next);
    };
    return [value, put, now];
  };

  return { use };
})();
