// Server-sent events, read from an answer: an EventSource could not say that it may ask.
RE.events = (() => {
  // `data` of an event by its name; a line that begins with a colon is none.
  const told = (text, on) => {
    const lines = text.split("\n").map((line) => /^(\w+): (.*)$/.exec(line)).filter(Boolean);
    const { event, data } = Object.fromEntries(lines.map(([, name, value]) => [name, value]));
    if (data !== undefined) on(event, JSON.parse(data));
  };

  // Calls `on(event, data)` for each until the server or `signal` ends it; throws where it breaks.
  return async (path, signal, on) => {
    const answer = await RE.ask(path, { signal });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let held = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (held + value).split("\n\n");
      held = parts.pop();
      for (const part of parts) told(part, on);
    }
  };
})();
