// The lines of a text, fetched in parts as they come into view.
RE.parts = (() => {
  const { useEffect, useRef, useState } = RE.preact;
  const SIZE = 1000;
  const NOTHING = { parts: {}, total: 0, cut: false, error: null };

  const lineAt = (held, at) => held.parts[Math.floor(at / SIZE)]?.[at % SIZE];

  // What came of a file so far; lines `first` to before `last` are wanted. `error` says why some did
  // not come, `again` asks for them once more.
  const use = (file, first, last) => {
    const [held, setHeld] = useState({ file: -1, ...NOTHING });
    const [tries, setTries] = useState(0);
    const asked = useRef(new Set());
    useEffect(() => {
      const from = Math.floor(first / SIZE);
      for (let part = from; part <= Math.max(from, Math.floor((last - 1) / SIZE)); part += 1) {
        const name = `${file}:${part}`;
        if (asked.current.has(name)) continue;
        asked.current.add(name);
        const put = (change) =>
          setHeld((was) => {
            const before = was.file === file ? was : { file, ...NOTHING };
            return { ...before, ...change(before.parts) };
          });
        RE.desk.get(`files/${file}?start=${part * SIZE + 1}`).then(
          ({ lines, total, cut }) =>
            put((parts) => ({ parts: { ...parts, [part]: lines }, total, cut, error: null })),
          (error) => {
            asked.current.delete(name);
            put(() => ({ error: error.message }));
          },
        );
      }
    }, [file, first, last, tries]);
    useEffect(() => () => asked.current.clear(), [file]);
    const again = () => setTries((count) => count + 1);
    return { ...(held.file === file ? held : { file, ...NOTHING }), again };
  };

  return { use, lineAt };
})();
