// A run that goes on while it is looked at.
RE.live = (() => {
  const { useEffect, useState } = RE.ui;
  const WAIT = 100; // a grade changes all groups above it: they are drawn together

  const put = (run, change) => {
    const { node, score, cost, ...columns } = change;
    for (const [name, value] of Object.entries(columns))
      if (Array.isArray(run.nodes[name]) && Number.isInteger(node)) run.nodes[name][node] = value;
    if (score) run.score = score;
    if (cost) run.cost = cost;
  };

  // Read a run and follow it. `draw(run, changed)` is called with each change of it; `changed`
  // counts for each node how often its details changed. Returns what ends it.
  const watch = (id, draw, failed) => {
    const changed = new Map();
    let [current, timer, isOver] = [null, 0, false];
    let stop = () => {};
    const show = (run) => {
      current = run;
      if (!isOver) draw(run, changed);
    };
    const touch = (at) => changed.set(at, (changed.get(at) ?? 0) + 1);
    const renew = (run) => {
      RE.data.forget(id);
      for (const at of run.nodes.key.keys()) touch(at);
      show(run);
    };
    const again = () => {
      timer = 0;
      show(current);
    };
    const grade = (change) => {
      RE.data.forget(id);
      touch(change.node);
      put(current, change);
      timer ||= setTimeout(again, WAIT);
    };
    const done = () => RE.data.run(id).then((run) => run && renew(run), () => {});
    const begin = (run) => {
      show(run);
      const goesOn = RE.data.isLive && run?.status === "running";
      if (goesOn && !isOver) stop = RE.data.follow(id, { grade, done, run: renew });
    };
    RE.data.run(id).then(begin, (error) => !isOver && failed(error.message));
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop();
    };
  };

  // `{run, stamp, changed, error, isReady}`; `stamp` grows with each change.
  const use = (id) => {
    const [state, setState] = useState({ id: null, run: null, stamp: 0, changed: new Map() });
    useEffect(() => {
      const draw = (run, changed) =>
        setState((was) => ({ id, run, changed, stamp: was.stamp + 1, error: null }));
      return watch(id, draw, (error) => setState((was) => ({ ...was, id, run: null, error })));
    }, [id]);
    return { ...state, isReady: state.id === id };
  };

  return { use };
})();
