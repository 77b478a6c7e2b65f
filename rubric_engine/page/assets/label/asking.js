// What is asked of the server while somebody looks: its answer, or why there is none.
RE.asking = (() => {
  const { html, useEffect, useState, Button, Message } = RE.ui;
  const NOTHING = { value: null, error: null };

  // `path` is null where nothing is asked; the question waits for so many milliseconds, as another
  // may follow. Gives `{value, error, again}`; what comes too late is dropped.
  const use = (path, wait = 0) => {
    const [found, setFound] = useState({ path: null, ...NOTHING });
    const [tries, setTries] = useState(0);
    useEffect(() => {
      setFound({ path, ...NOTHING });
      if (path === null) return undefined;
      let over = false;
      const put = (part) => !over && setFound({ path, ...NOTHING, ...part });
      const ask = () => RE.desk.get(path).then((value) => put({ value }), (error) => put({ error: error.message }));
      const timer = setTimeout(ask, wait);
      return () => {
        over = true;
        clearTimeout(timer);
      };
    }, [path, tries]);
    const { value, error } = found.path === path ? found : NOTHING;
    return { value, error, again: () => setTries((count) => count + 1) };
  };

  // That there is no answer; `what` could not be done.
  const Trouble = ({ what, asked }) => asked.error && html`<${Message} kind="bad" title=${`${what}:`}>
    ${RE.text.line(asked.error, 300)} <${Button} onClick=${asked.again}>try again<//><//>`;

  return { use, Trouble };
})();
