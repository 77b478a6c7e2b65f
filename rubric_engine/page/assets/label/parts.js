// The lines of a text, fetched in parts as they come into view.
RE.parts = (() => {
  const { useEffect, useRef, useState } = RE.preact;
  const SIZE = 1000;
  const NOTHING = { parts: {}, total: 0, cut: false };

  const lineAt = (held, at) => held.parts[Math.floor(at / SIZE)]?.[at % SIZE];

  // What came of a file so far; lines `first` to before `last` are wanted.
  const use = (file, first, last) => {
    const [held, setHeld] = useState({ file: -1, ...NOTHING });
    const asked = useRef(new Set());
    useEffect(() => {
      const from = Math.floor(first / SIZE);
      for (let part = from; part <= Math.max(from, Math.floor((last - 1) / SIZE)); part += 1) {
        const name = `${file}:${part}`;
        if (asked.current.has(name)) continue;
        asked.current.add(name);
        RE.desk.get(`files/${file}?start=${part * SIZE + 1}`).then(
          (found) =>
            setHeld((was) => {
              const parts = was.file === file ? was.parts : {};
              return { file, parts: { ...parts, [part]: found.lines }, total: found.total, cut: found.cut };
            }),
          () => asked.current.delete(name),
        );
      }
    }, [file, first, last]);
    useEffect(() => () => asked.current.clear(), [file]);
    return held.file === file ? held : { file, ...NOTHING };
  };

  return { use, lineAt };
})();
