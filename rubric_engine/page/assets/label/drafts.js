// Labels that were begun and not saved, by leaf; they are there again when their leaf is.
RE.drafts = (() => {
  const { useRef, useState } = RE.preact;

  const use = (desk, key) => {
    const begun = useRef(new Map());
    const [, redraw] = useState(0);
    const draft = begun.current.get(key) ?? RE.form.of(desk.labels.get(key));
    const edit = (part) => {
      begun.current.set(key, { ...(begun.current.get(key) ?? draft), ...part });
      redraw((count) => count + 1);
    };
    const forget = (keys) => keys.forEach((each) => begun.current.delete(each));
    return { draft, edit, forget };
  };

  return { use };
})();
