// The changes as a list.
RE.compareChanges = (() => {
  const { html } = RE.ui;
  const { side, signed, tone, what } = RE.compared;
  const HEIGHT = 28;

  const drawn = (change) => html`<span class=${`number ${tone(change.points)}`}>${signed(change.points)}</span>
    <span class="what">${what(change)}</span>
    <bdi class="line">${RE.text.line(side(change).requirements, 200)}</bdi>`;

  const Changes = ({ changes, at, onOpen, onClear }) => html`<${RE.list.List}
    label="Changes, most points first" rows=${changes} at=${at} height=${HEIGHT}
    id=${(_, place) => `change-${place}`} draw=${drawn} onOpen=${onOpen} onClear=${onClear} />`;

  return { Changes };
})();
