// Single keys as shortcuts: never while somebody types, never with a modifier, and with a switch,
// as speech input and slips of the hand may press them unmeant.
RE.keys = (() => {
  const stack = [];

  const isOn = () => RE.kept.get("keys", "on") === "on";
  const turn = (on) => RE.kept.set("keys", on ? "on" : "off");

  const isTyping = (target) =>
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
    if (!isOn() && event.key.length === 1) return;
    for (let at = stack.length - 1; at >= 0; at -= 1) {
      const action = stack[at].current[event.key];
      // An action that has nothing to do with the key says so by `false`.
      if (action && action(event) !== false) {
        event.preventDefault();
        return;
      }
    }
  });

  // Bind keys while the component that calls this is on the page; the newest binding goes first.
  const use = (actions) => {
    const held = RE.preact.useRef(actions);
    held.current = actions;
    RE.preact.useEffect(() => {
      stack.push(held);
      return () => stack.splice(stack.indexOf(held), 1);
    }, []);
  };

  return { use, isOn, turn };
})();
