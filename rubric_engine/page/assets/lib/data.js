// Where data come from: blocks of this page, or the server that it came from. Both give the same.
RE.data = (() => {
  const unpack = async (text) => {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  };

  const block = async (id) => {
    const found = document.getElementById(id);
    if (found === null) throw new Error(`this file lacks its block ${id}`);
    const value = await unpack(found.textContent);
    found.remove(); // its text is not needed twice
    return value;
  };

  // Chunks by run and number, each asked for once.
  const remembered = (load) => {
    const known = new Map();
    const chunk = (id, number) => {
      const name = JSON.stringify([id, number]);
      if (!known.has(name)) known.set(name, load(id, number));
      known.get(name).catch(() => known.delete(name));
      return known.get(name);
    };
    const forget = (id) => {
      for (const name of known.keys()) if (JSON.parse(name)[0] === id) known.delete(name);
    };
    return { chunk, forget };
  };

  // A message that several prompts have stands with the first: `[node, number of the message]`.
  const withPrompts = async (chunk, size, load) => {
    const pieces = Object.values(chunk).flatMap((detail) => detail.asked?.prompt ?? []);
    const numbers = pieces.filter(Array.isArray).map(([node]) => Math.floor(node / size));
    const others = new Map();
    for (const number of new Set(numbers)) others.set(number, await load(number));
    const text = (piece) => {
      if (!Array.isArray(piece)) return piece;
      const [node, number] = piece;
      return others.get(Math.floor(node / size))[node].asked.prompt[number];
    };
    const whole = ({ asked, ...detail }) => {
      if (!asked) return detail;
      // Put together when it is looked at: all of them at once would be too much.
      const shown = { answer: asked.answer, get prompt() { return asked.prompt.map(text).join("\n\n"); } };
      return { ...detail, asked: shown };
    };
    return Object.fromEntries(Object.entries(chunk).map(([node, detail]) => [node, whole(detail)]));
  };

  const fromBlocks = () => {
    let page = null;
    const place = (id) => page.runs.findIndex((each) => each.id === id);
    const held = remembered((id, number) => block(`run-${place(id)}-chunk-${number}`));
    const details = async (id, number) => {
      const { size } = page.runs[place(id)].details;
      return withPrompts(await held.chunk(id, number), size, (other) => held.chunk(id, other));
    };
    return {
      open: async () => (page ??= await block("page")),
      run: async (id) => page.runs[place(id)] ?? null,
      ...remembered(details),
      prompt: async () => null,
      follow: () => () => {},
      isLive: false,
    };
  };

  const asked = async (path, options) => {
    const answer = await RE.ask(path, options);
    if (answer.status === 404) return null;
    if (!answer.ok) throw Object.assign(new Error(await refusal(answer)), { status: answer.status });
    return answer.json();
  };

  const refusal = async (answer) => {
    const body = await answer.text();
    try {
      return String(JSON.parse(body).error);
    } catch {
      return body || `the server answered ${answer.status}`;
    }
  };

  const fromServer = (api) => {
    const at = (...parts) => [api, ...parts.map(encodeURIComponent)].join("/");
    return {
      open: () => asked(at("page")),
      again: (known) => asked(`${at("page")}?known=${encodeURIComponent(known)}`),
      run: (id) => asked(at("runs", id)),
      ...remembered((id, number) => asked(at("runs", id, "chunks", number))),
      prompt: (id, node) => asked(at("runs", id, "prompt", node)),
      get: (path) => asked(`${api}/${path}`),
      post: (path, value) =>
        asked(`${api}/${path}`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(value),
        }),
      follow: (id, told) => RE.follow(at("runs", id), told),
      isLive: true,
    };
  };

  const api = document.body.dataset.api;
  return api === undefined ? fromBlocks() : fromServer(api);
})();
