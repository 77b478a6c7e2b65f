// A run that goes on: server-sent events, and asking again every two seconds where they fail.
RE.follow = (() => {
  const EVERY = 2000;

  const poll = (path, told, isOver) => {
    const ask = async () => {
      if (isOver()) return;
      try {
        const answer = await fetch(path, { credentials: "same-origin" });
        if (answer.ok) {
          const run = await answer.json();
          told.run(run);
          if (run.status !== "running") return;
        }
      } catch {
        // The server may come back.
      }
      setTimeout(ask, EVERY);
    };
    setTimeout(ask, EVERY);
  };

  // `told.grade(change)` for each leaf, `told.done()` at the end, `told.run(run)` for the whole
  // again. Returns what ends it.
  return (path, told) => {
    let over = false;
    const events = new EventSource(`${path}/events`);
    events.addEventListener("grade", (event) => told.grade(JSON.parse(event.data)));
    events.addEventListener("done", () => {
      events.close();
      told.done();
    });
    events.onerror = () => {
      events.close();
      if (!over) poll(path, told, () => over);
    };
    return () => {
      over = true;
      events.close();
    };
  };
})();
