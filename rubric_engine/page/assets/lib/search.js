// The box that a list is searched by. Escape leaves it.
RE.search = (() => {
  const { html, Button } = RE.ui;

  const leave = (event) => {
    if (event.key === "Escape") event.target.blur();
  };

  const Box = ({ box, what, value, onText }) => html`<input type="search" ref=${box} aria-label=${`Search the ${what}`}
    placeholder="search key, text, reasons" value=${value ?? ""} onKeyDown=${leave}
    onInput=${(event) => onText(event.target.value || undefined)} />`;

  // The words that all must stand in a text.
  const words = (text) => (text ?? "").toLowerCase().split(/\s+/).filter(Boolean);

  // In place of a list that is empty for what was asked of it.
  const Nothing = ({ what, onClear }) => html`<div class="nothing"><p>Nothing matches ${what}.</p>
    <${Button} onClick=${onClear}>Show all again<//></div>`;

  return { Box, Nothing, words };
})();
