// A run that goes on while it is looked at.
RE.live = (() => {
  const { useEffect, useRef, useState } = RE.ui;
  const WAIT = 100; // a grade changes all groups above it: they are drawn together

  const put = (run, change) => {
    const { node, columns, score, cost, ...rest } = change;
    for (const [name, value] of Object.entries({ ...rest, ...columns }))
      if (Array.isArray(run.nodes[name]) && Number.isInteger(node)) run.nodes[name][node] = value;
    if (score) run.score = score;
    if (cost) run.cost = cost;
  };

  // `{run, stamp, changed, error}`: the run, a number that grows with each change, and for each
  // leaf how often its details changed.
  const use = (id) => {
    const [state, setState] = useState({ id: null, run: null, stamp: 0, error: null });
    const changed = useRef(new Map());

    useEffect(() => {
      let here = true;
      let stop = () => {};
      let timer = 0;
      changed.current = new Map();
      let current = null;
      const show = (run) => {
        current = run;
        if (here) setState((was) => ({ id, run, stamp: was.stamp + 1, error: null }));
      };
      const touch = (at) => changed.current.set(at, (changed.current.get(at) ?? 0) + 1);
      const again = () => {
        timer = 0;
        setState((was) => ({ ...was, stamp: was.stamp + 1 }));
      };
      const renew = (run) => {
        RE.data.forget(id);
        for (const at of run.nodes.key.keys()) touch(at);
        show(run);
      };
      const told = {
        grade: (change) => {
          RE.data.forget(id);
          touch(change.node);
          put(current, change);
          timer ||= setTimeout(again, WAIT);
        },
        done: () => RE.data.run(id).then((run) => run && renew(run), () => {}),
        run: renew,
      };
      RE.data.run(id).then(
        (run) => {
          show(run);
          if (here && run && RE.data.isLive && run.status === "running") stop = RE.data.follow(id, told);
        },
        (error) => here && setState((was) => ({ ...was, id, run: null, error: error.message })),
      );
      return () => {
        here = false;
        clearTimeout(timer);
        stop();
      };
    }, [id]);

    return { ...state, isReady: state.id === id, changed: changed.current };
  };

  return { use, put };
})();
