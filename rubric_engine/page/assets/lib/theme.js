// Light or dark: as the system says, until somebody chooses.
RE.theme = (() => {
  const NAMES = ["auto", "light", "dark"];

  const current = () => {
    const name = RE.kept.get("theme", "auto");
    return NAMES.includes(name) ? name : "auto";
  };

  const show = () => {
    const name = current();
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
  };

  // To the theme that does not show now.
  const turn = () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const seen = current() === "auto" ? (dark ? "dark" : "light") : current();
    RE.kept.set("theme", seen === "dark" ? "light" : "dark");
    show();
  };

  show();
  return { turn };
})();
