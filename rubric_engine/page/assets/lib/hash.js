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
    history.replaceState(null, "", now ? `#${now}` : location.pathname + location.search);
  };

  // `[values, change]`: `change({q: "cut"})` shows at once, and stands in the address soon after;
  // `undefined` takes a value out.
  const use = () => {
    const [values, setValues] = useState(read);
    const held = useRef(values);
    const timer = useRef(0);
    const change = useRef((changes) => {
      held.current = { ...held.current, ...changes };
      setValues(held.current);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => write(held.current), WAIT);
    });
    useEffect(() => {
      const moved = () => {
        clearTimeout(timer.current);
        held.current = read();
        setValues(held.current);
      };
      addEventListener("hashchange", moved);
      return () => removeEventListener("hashchange", moved);
    }, []);
    return [values, change.current];
  };

  return { read, text, plain, use };
})();
