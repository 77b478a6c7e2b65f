// Which rows of a long list stand in view: all rows are equally high, so it is a division.
RE.rows = (() => {
  const { useEffect, useLayoutEffect, useState } = RE.preact;
  const SPARE = 4; // rows above and below, so that a step of the wheel shows no gap

  // First and last row to draw for a scrolling element (a ref) of `count` rows `height` high.
  const use = (pane, count, height) => {
    const [seen, setSeen] = useState({ top: 0, room: 800 });
    const look = () => {
      const { scrollTop, clientHeight } = pane.current;
      setSeen((was) =>
        was.top === scrollTop && was.room === clientHeight
          ? was
          : { top: scrollTop, room: clientHeight },
      );
    };
    useLayoutEffect(look, [count]);
    useEffect(() => {
      const watch = new ResizeObserver(look);
      watch.observe(pane.current);
      const element = pane.current;
      element.addEventListener("scroll", look, { passive: true });
      return () => {
        watch.disconnect();
        element.removeEventListener("scroll", look);
      };
    }, []);
    // Print and very tall windows must not draw everything.
    const room = Math.min(seen.room, 4000);
    const first = Math.max(0, Math.floor(seen.top / height) - SPARE);
    const last = Math.min(count, Math.ceil((seen.top + room) / height) + SPARE);
    return { first: Math.min(first, last), last };
  };

  // Places to draw: those in view, and one that stays in the page wherever it is; -1 for none.
  const places = ({ first, last }, kept) => {
    const seen = Array.from({ length: last - first }, (_, step) => first + step);
    return kept >= 0 && (kept < first || kept >= last) ? [...seen, kept] : seen;
  };

  return { use, places };
})();
