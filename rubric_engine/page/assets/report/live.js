// A run that goes on while it is looked at.
RE.live = (() => {
  const { useEffect, useRef, useState } = RE.ui;
  const AGAIN = 1500; // the groups above a new grade follow with the run as a whole

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
      const show = (run) =>
        here && setState((was) => ({ id, run, stamp: was.stamp + 1, error: null }));
      const load = () => RE.data.run(id).then(show);
      const told = {
        grade: (change) => {
          if (Number.isInteger(change.node))
            changed.current.set(change.node, (changed.current.get(change.node) ?? 0) + 1);
          if (here)
            setState((was) => {
              if (was.run) put(was.run, change);
              return { ...was, stamp: was.stamp + 1 };
            });
          timer ||= setTimeout(() => {
            timer = 0;
            load().catch(() => {});
          }, AGAIN);
        },
        done: () => load().catch(() => {}),
        run: (run) => {
          for (const at of run.nodes.key.keys())
            changed.current.set(at, (changed.current.get(at) ?? 0) + 1);
          show(run);
        },
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
