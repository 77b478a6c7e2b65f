// What a reader does with a run: go somewhere, filter, sort, copy. One value for all of it.
RE.actions = (() => {
  const { useEffect, useState } = RE.ui;
  const SAID = 4000; // milliseconds that a message stays

  const focus = (id) => {
    const found = document.getElementById(id);
    found?.focus({ preventScroll: true });
    found?.scrollIntoView({ block: "nearest" });
  };

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return `copied ${RE.text.line(text, 80)}`;
    } catch {
      return `not copied; it is ${RE.text.line(text, 300)}`;
    }
  };

  const firstPlace = async (run, at) => {
    const chunk = await RE.data.chunk(run.id, Math.floor(at / run.details.size));
    const grade = chunk?.[at]?.grade;
    const checked = (grade?.checks ?? []).flatMap((check) => check.citations ?? []);
    const found = [...(grade?.citations ?? []), ...checked][0];
    return found ? RE.citations.place(found) : null;
  };

  // A message that goes by itself, and with the next key.
  const useSaying = () => {
    const [saying, say] = useState("");
    useEffect(() => {
      if (!saying) return undefined;
      const clear = () => say("");
      const timer = setTimeout(clear, SAID);
      document.addEventListener("keydown", clear, true); // before what the key does, which may say more
      return () => {
        clearTimeout(timer);
        document.removeEventListener("keydown", clear, true);
      };
    }, [saying]);
    return [saying, say];
  };

  // Where to go, and what the address says of it.
  const moving = (view, page, address, onAddress) => {
    const { run, tree, opened, active, setCursor } = view;
    // Where runs come and go, an address without a name would soon mean another one.
    const named = RE.data.isLive || page.runs.length > 1 ? run.id : address.run;
    const go = (at) => {
      setCursor(at);
      onAddress({ run: named, n: tree.nodes.key[at] });
    };
    const visit = (at) => {
      opened.reveal(at);
      go(at);
      focus("tree");
    };
    const close = () => {
      setCursor(active);
      onAddress({ n: undefined });
      focus("tree");
    };
    return { go, visit, close };
  };

  const choosing = (onAddress) => ({
    query: (text) => onAddress({ q: text || undefined }),
    sort: (name) => onAddress({ sort: name === "order" ? undefined : name }),
    flat: (on) => onAddress({ view: on ? "flat" : undefined }),
    allLost: () => onAddress({ sort: "lost", view: "flat", q: undefined }),
  });

  const copying = ({ run, tree, active }, address, say) => {
    const put = async (text) => say(await copy(text));
    const link = () => {
      const values = { ...address, run: run.id, n: tree.nodes.key[active] };
      return put(`${location.href.split("#")[0]}#${RE.hash.text(values)}`);
    };
    const place = async () => {
      const found = await firstPlace(run, active);
      return found ? put(found) : say("no place is cited");
    };
    return { copy: put, link, place };
  };

  const toEvidence = () => {
    const names = ["evidence", "checks"];
    const found = names.map((name) => document.getElementById(name)).find(Boolean);
    found?.scrollIntoView({ block: "start" });
  };

  const use = ({ view, page, address, onAddress }) => {
    const [saying, say] = useSaying();
    const [isHelping, help] = useState(false);
    return {
      ...moving(view, page, address, onAddress),
      ...choosing(onAddress),
      ...copying(view, address, say),
      saying, say, isHelping, help, focus, toEvidence,
    };
  };

  return { use };
})();
