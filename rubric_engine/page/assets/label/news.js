// Leaves that wait for a decision, or no longer do, while an adjudicator is at work.
RE.news = (() => {
  const { useEffect, useState } = RE.preact;
  const EVERY = 4000;

  const keys = (desk) => new Set(desk.leaves.map((leaf) => desk.nodes[leaf.node].key));

  const words = (before, after) => {
    const [old, now] = [keys(before), keys(after)];
    const more = [...now].filter((key) => !old.has(key)).length;
    const gone = [...old].filter((key) => !now.has(key)).length;
    const parts = [];
    if (more) parts.push(`${RE.text.counted(more, "more leaf", "more leaves")} to decide`);
    if (gone) parts.push(`${RE.text.counted(gone, "leaf", "leaves")} settled meanwhile`);
    return parts.join(", ") || "what annotators said has changed";
  };

  // What to tell next: of a trouble that goes on once, and that it is over.
  const after = (told, trouble) => {
    if (trouble !== null) return told?.text === trouble ? told : { kind: "bad", text: trouble };
    return told?.kind === "bad" ? { kind: "note", text: "what others say is known again" } : told;
  };

  // Gives what to tell, as {kind, text}, or null; `put` takes the desk as it is then. It asks again
  // and again by itself, also after the server could not say.
  const use = (desk, put, now) => {
    const [told, setTold] = useState(null);
    useEffect(() => {
      if (desk.kind !== "adjudicate") return undefined;
      let over = false;
      const look = async () => {
        const { edition } = await RE.desk.get("news");
        setTold((was) => after(was, null));
        if (over || edition === now.current.edition) return;
        const found = await RE.desk.open();
        if (over || found.version < now.current.version) return; // a change overtook it: ask again
        setTold({ kind: "note", text: words(now.current, found) });
        put(found);
      };
      const failed = (error) => {
        if (!over) setTold((was) => after(was, `what others say is not known now: ${error.message}`));
      };
      const timer = setInterval(() => look().catch(failed), EVERY);
      return () => {
        over = true;
        clearInterval(timer);
      };
    }, []);
    return told;
  };

  return { use };
})();
