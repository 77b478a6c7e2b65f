// A run that goes on: server-sent events, and asking again every two seconds where they fail.
RE.follow = (() => {
  const EVERY = 2000;

  // `told.grade(change)` for each criterion, `told.head(change)` for the run as a whole,
  // `told.done()` at the end, `told.run(run)` for all of it again. Returns what ends it.
  return (path, told) => {
    let [over, timer] = [false, 0];
    const ending = new AbortController();

    const end = () => {
      over = true;
      clearTimeout(timer);
      ending.abort();
    };

    const on = (event, data) => {
      if (over) return;
      if (event === "grade") told.grade(data);
      if (event === "head") told.head(data);
      if (event === "done") {
        end();
        told.done();
      }
    };

    const listen = async () => {
      await RE.events(`${path}/events`, ending.signal, on).catch(() => {}); // it is asked again
      if (!over) timer = setTimeout(ask, EVERY);
    };

    const read = async () => {
      const answer = await RE.ask(path);
      return answer.ok ? answer.json() : null;
    };

    const ask = async () => {
      const run = await read().catch(() => null); // the server may come back
      if (over) return;
      if (run === null) timer = setTimeout(ask, EVERY);
      else {
        told.run(run);
        if (run.status === "running") listen();
      }
    };

    listen();
    return end;
  };
})();
