// Going from leaf to leaf, and how long one was looked at.
RE.labelMoves = (() => {
  const { useEffect, useRef, useState } = RE.preact;

  const use = (desk) => {
    const [key, setKey] = useState(RE.desk.keyOf(desk, RE.desk.next(desk, 0) ?? 0));
    const since = useRef(performance.now()); // a clock that nobody sets back
    const found = RE.desk.placeOf(desk, key);
    const at = Math.max(0, found);
    const go = (next, known = desk) => {
      setKey(RE.desk.keyOf(known, next));
      since.current = performance.now();
    };
    useEffect(() => {
      if (found < 0) go(RE.desk.next(desk, 0) ?? 0); // it was settled meanwhile
    }, [found]);
    useEffect(() => {
      document.body.dataset.ready = "yes";
      document.querySelector(".left").scrollTop = 0;
    }, [key]);
    const step = (by) => go((at + by + desk.leaves.length) % desk.leaves.length);
    const seconds = () => Math.round((performance.now() - since.current) / 100) / 10;
    return { key: RE.desk.keyOf(desk, at), at, go, step, seconds };
  };

  return { use };
})();
