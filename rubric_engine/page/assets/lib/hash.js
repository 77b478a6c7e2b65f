// What the address holds behind `#`: `#run=...&n=...&q=...`, each value URL-encoded.
RE.hash = (() => {
  const read = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

  const text = (values) => {
    const kept = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
    return kept.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  };

  // Change some values; `undefined` takes one out. A step back in the browser skips `replace`d ones.
  const write = (changes, { replace = true } = {}) => {
    const now = { ...read(), ...changes };
    if (text(now) === text(read())) return;
    const address = `#${text(now)}`;
    if (replace) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    dispatchEvent(new Event("re-hash"));
  };

  // The values, and a new drawing whenever they change.
  const use = () => {
    const [values, setValues] = RE.preact.useState(read);
    RE.preact.useEffect(() => {
      const changed = () => setValues(read());
      const names = ["hashchange", "popstate", "re-hash"];
      names.forEach((name) => addEventListener(name, changed));
      return () => names.forEach((name) => removeEventListener(name, changed));
    }, []);
    return values;
  };

  return { read, write, text, use };
})();
