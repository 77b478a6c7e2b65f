// The text that is open, and its selected lines: at first one that helps, then what is chosen.
RE.opened = (() => {
  const { useEffect, useLayoutEffect, useState } = RE.preact;

  const first = (file) => (file === null || file === undefined ? null : { file, line: 1 });

  // The text and the line that a citation means; null where there is no such text.
  const meant = (desk, place) => {
    const found = /^(.+?)(?::(\d+)(?:-(\d+))?)?$/s.exec(place);
    const file = desk.files.findIndex((each) => each.path === found[1] && each.cited && each.text);
    return file < 0 ? null : { file, line: Number(found[2] ?? 1) };
  };

  // The selected lines as a citation has them.
  const place = (desk, open, chosen) => {
    const lines = chosen.first === chosen.last ? chosen.first : `${chosen.first}-${chosen.last}`;
    return `${desk.files[open.file].path}:${lines}`;
  };

  // `near.files` are those that the rubric names for the leaf: a text that is one of them stays.
  // Selected lines do not outlive their leaf, `key`: one key would cite them for another.
  const use = (desk, near, key) => {
    const [open, setOpen] = useState(first(desk.opens));
    const [chosen, setChosen] = useState(null);
    const show = (next) => {
      setChosen(null);
      setOpen(next);
    };
    useEffect(() => {
      if (near.files.length && !near.files.includes(open?.file)) show(first(near.files[0]));
    }, [near]);
    useLayoutEffect(() => setChosen(null), [key]);
    return { open, show, chosen, setChosen };
  };

  return { use, meant, place };
})();
