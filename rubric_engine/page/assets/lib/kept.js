// Small settings that outlive the page. A browser may refuse to keep anything for a file, or at
// all: then a setting lives as long as the page does.
RE.kept = (() => {
  const here = new Map();

  const get = (name, otherwise) => {
    try {
      const found = localStorage.getItem(`rubric-engine.${name}`);
      if (found !== null) return found;
    } catch {
      // Not kept: what was set since the page was opened counts.
    }
    return here.has(name) ? here.get(name) : otherwise;
  };

  const set = (name, value) => {
    here.set(name, value);
    try {
      localStorage.setItem(`rubric-engine.${name}`, value);
    } catch {
      // The same.
    }
  };

  return { get, set };
})();
