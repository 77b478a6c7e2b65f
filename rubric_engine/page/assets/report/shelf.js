// Which runs there are while the page is open, and whether its server is still there.
RE.shelf = (() => {
  const { html, useEffect, useState, Message } = RE.ui;
  const EVERY = 2000;

  // Ask again and again, but not for a page that nobody sees. `told(page, trouble)`: the page is
  // null where it is as it was. Returns what ends it.
  const watch = (first, told) => {
    let [known, timer, over] = [first, 0, false];

    const look = async () => {
      const page = await RE.data.again(known);
      if (!page?.stamp) return told(null, "other");
      known = page.stamp;
      return told(page.runs ? page : null, null);
    };

    const ask = async () => {
      clearTimeout(timer);
      const began = performance.now();
      await look().catch((error) => told(null, error.status ? "other" : "gone"));
      const wait = Math.max(EVERY, 4 * (performance.now() - began)); // a busy server is asked less
      clearTimeout(timer);
      if (!over && !document.hidden) timer = setTimeout(ask, wait);
    };

    const seen = () => !document.hidden && ask();
    document.addEventListener("visibilitychange", seen);
    timer = setTimeout(ask, EVERY);
    return () => {
      over = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  };

  // `{page, trouble}` as they are now.
  const use = (first) => {
    const [state, setState] = useState({ page: first, trouble: null });
    useEffect(() => {
      if (!first.stamp) return undefined; // a file, which stays as it is
      return watch(first.stamp, (page, trouble) =>
        setState((was) => (page || trouble !== was.trouble ? { page: page ?? was.page, trouble } : was)));
    }, []);
    return state;
  };

  const TROUBLE = {
    gone: ["The server is gone.", "What stands here is what it said last. Start it again with"],
    other: [
      "The server does not know this page.",
      "It was started anew, or its cookie was removed. If you do not have the address that it printed, " +
        "end it, and start it again with",
    ],
  };

  const Trouble = ({ page, trouble }) => {
    if (!trouble) return null;
    const [title, why] = TROUBLE[trouble];
    const command = `${page.command ?? "rubric-engine view"} --port ${location.port}`;
    return html`<${Message} kind="bad" title=${title}>${why} <span class="mono">${RE.text.line(command)}</span>
      ${page.redacted ? ", with the same --redact," : ""}${" "}and open the address that it prints;
      this page then goes on by itself.<//>`;
  };

  return { use, Trouble };
})();
