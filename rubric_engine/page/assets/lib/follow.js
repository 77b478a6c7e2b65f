// A run that goes on: server-sent events, and asking again every two seconds where they fail.
RE.follow = (() => {
  const EVERY = 2000;

  // `told.grade(change)` for each criterion, `told.head(change)` for the run as a whole,
  // `told.done()` at the end, `told.run(run)` for all of it again. Returns what ends it.
  return (path, told) => {
    let [over, timer, events] = [false, 0, null];

    const listen = () => {
      events = new EventSource(`${path}/events`);
      events.addEventListener("grade", (event) => told.grade(JSON.parse(event.data)));
      events.addEventListener("head", (event) => told.head(JSON.parse(event.data)));
      events.addEventListener("done", () => {
        events.close();
        told.done();
      });
      events.onerror = () => {
        events.close();
        if (!over) timer = setTimeout(ask, EVERY);
      };
    };

    const read = async () => {
      const answer = await fetch(path, { credentials: "same-origin" });
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
    return () => {
      over = true;
      clearTimeout(timer);
      events.close();
    };
  };
})();
