// Changes, one at a time: the page goes on once the server has them on its disk.
RE.change = (() => {
  const { useRef } = RE.preact;

  // `done(keys)` hears which leaves have changed, `failed(text)` why nothing has.
  const use = (put, now, done, failed) => {
    const busy = useRef(false);
    return async (path, value, then) => {
      if (busy.current) return;
      busy.current = true;
      try {
        const answer = await RE.desk.send(now.current, path, value);
        const after = RE.desk.changed(now.current, answer);
        put(after);
        done(Object.keys(answer.labels));
        then(after, answer);
      } catch (error) {
        failed(error.message);
        await RE.desk.open().then(put, () => {}); // what stands now; what was begun stays, too
      } finally {
        busy.current = false;
      }
    };
  };

  return { use };
})();
