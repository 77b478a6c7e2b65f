// A run that goes on while it is looked at.
RE.live = (() => {
  const { useEffect, useRef, useState } = RE.ui;
  const WAIT = 100; // a grade changes all groups above it: they are drawn together

  const put = (run, { node, ...columns }) => {
    for (const [name, value] of Object.entries(columns))
      if (Array.isArray(run.nodes[name]) && Number.isInteger(node)) run.nodes[name][node] = value;
  };

  // A run as it is drawn. `changed` counts for each node how often its details changed.
  const drawing = (id, draw) => {
    const changed = new Map();
    let [shown, timer, isOver] = [null, 0, false];
    const touch = (at) => changed.set(at, (changed.get(at) ?? 0) + 1);
    const show = () => {
      timer = 0;
      if (!isOver) draw(shown, changed);
    };
    const renew = (run) => {
      RE.data.forget(id);
      for (const at of run.nodes.key.keys()) touch(at);
      shown = run;
      show();
    };
    const grade = (change) => {
      RE.data.forget(id);
      touch(change.node);
      put(shown, change);
      timer ||= setTimeout(show, WAIT);
    };
    const head = (change) => {
      Object.assign(shown, change);
      timer ||= setTimeout(show, WAIT);
    };
    const end = () => {
      isOver = true;
      clearTimeout(timer);
    };
    return { renew, grade, head, end, shown: () => shown };
  };

  // Work that is never done beside itself; who wants it meanwhile has it done once more.
  const inTurn = (work) => {
    let [isBusy, isWanted] = [false, false];
    return async () => {
      isWanted = true;
      if (isBusy) return;
      isBusy = true;
      while (isWanted) {
        isWanted = false;
        await work();
      }
      isBusy = false;
    };
  };

  // Read a run and follow it; `draw(run, changed)` is called with each change of it. Returns
  // `compare`, which reads it again where a list says that it is another one now, and `end`.
  const watch = (id, draw, failed) => {
    const { renew, grade, head, end, shown } = drawing(id, draw);
    let [stop, isOver] = [null, false];
    const take = (run) => {
      if (isOver || !run) return;
      renew(run);
      if (!RE.data.isLive || run.status !== "running") stop = null;
      else stop ??= RE.data.follow(id, { grade, head, done, run: take });
    };
    // What is shown stays while the server is away; what the server says of the run is said.
    const refused = (error) => !isOver && (error.status || !shown()) && failed(error.message);
    const read = inTurn(() => RE.data.run(id).then(take).catch(refused));
    const done = () => {
      stop = null;
      read();
    };
    const compare = (mark) => !isOver && !stop && mark !== shown()?.mark && read();
    read();
    const leave = () => {
      isOver = true;
      stop?.();
      end();
    };
    return { compare, end: leave };
  };

  // `{run, stamp, changed, error, isReady}` of a run in a list; `stamp` grows with each change.
  const use = (head, trouble) => {
    const { id, mark } = head;
    const watched = useRef(null);
    const [state, setState] = useState({ id: null, run: null, stamp: 0, changed: new Map() });
    useEffect(() => {
      const draw = (run, changed) =>
        setState((was) => ({ id, run, changed, stamp: was.stamp + 1, error: null }));
      watched.current = watch(id, draw, (error) => setState((was) => ({ ...was, id, run: null, error })));
      return watched.current.end;
    }, [id]);
    const before = useRef(mark);
    useEffect(() => {
      if (mark !== before.current || state.error) watched.current.compare(mark);
      before.current = mark;
    }, [mark, trouble]);
    return { ...state, isReady: state.id === id };
  };

  return { use };
})();
