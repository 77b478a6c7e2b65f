// What the address holds behind `#`: `#run=...&n=...&q=...`, each value URL-encoded.
RE.hash = (() => {
  const { useEffect, useRef, useState } = RE.preact;
  const WAIT = 200; // browsers refuse more than some hundred changes of the address in a minute

  const read = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

  const text = (values) => {
    const kept = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
    return kept.map(([name, value]) => `${name}=${encoded(value)}`).join("&");
  };

  // An address cannot hold a lone surrogate.
  const plain = (value) => String(value).replace(/\p{Cs}/gu, "\ufffd");
  const encoded = (value) => encodeURIComponent(plain(value));

  const write = (values) => {
    const now = text(values);
    if (now === text(read())) return;
    history.replaceState(history.state, "", now ? `#${now}` : location.pathname + location.search);
  };

  // A place of its own in the history, which the browser's Back leaves.
  const step = (before) => {
    write(before);
    history.pushState({ isStep: true }, "", location.href);
  };

  // The values of a page, and how they change. `isOver` says of values whether something lies over
  // the page, so that Back shall close it; `told(values)` is called with each change.
  const keeping = (first, isOver, told) => {
    let [held, timer, closed] = [first, 0, null];
    const take = (values) => {
      held = values;
      told(held);
    };
    const change = (changes) => {
      const before = held;
      take({ ...before, ...changes });
      clearTimeout(timer);
      if (isOver(held) && !isOver(before)) step(before);
      if (isOver(before) && !isOver(held) && history.state?.isStep) {
        closed = held;
        history.back();
      } else timer = setTimeout(() => write(held), WAIT);
    };
    const moved = () => {
      clearTimeout(timer);
      if (closed) write(closed); // what was chosen meanwhile stays
      closed = null;
      take(read());
    };
    return { change, moved };
  };

  // `[values, change]`: `change({q: "cut"})` shows at once, and stands in the address soon after;
  // `undefined` takes a value out.
  const use = (isOver = () => false) => {
    const [values, setValues] = useState(read);
    const kept = useRef(null);
    kept.current ??= keeping(values, isOver, setValues);
    useEffect(() => {
      const { moved } = kept.current;
      const events = ["hashchange", "popstate"]; // Back may lead to the same address
      for (const name of events) addEventListener(name, moved);
      return () => events.forEach((name) => removeEventListener(name, moved));
    }, []);
    return [values, kept.current.change];
  };

  return { read, text, plain, use };
})();
