"""The front end: one HTML text that shows plain JSON values, from a file or from a server.

`assemble` puts a shell, styles, scripts and data into one text that fetches nothing. The same
scripts read the data from blocks in the text (a file) or from `/api` (a server); see `assemble`.

**Scripts.** Everything under `assets/` that ends in `.js` is a classic script that adds one value
to the global `RE`; `scripts.ENTRIES` lists, entry by entry, what is joined and in which order.
There is no build step. An entry's last script draws into `<main id="app">`:

```js
RE.ui.render(RE.ui.html`<${Page} />`, document.getElementById("app"))
```

What the small library in `assets/lib/` offers to every entry:

- `RE.ui`: `html`, `render`, `Component` and the hooks of Preact, and a few components:
  `Text` (untrusted text; long text is cut and opens), `Line` (the same on one line), `Button`,
  `Toggle`, `Fold`, `Status` (a live region), `Dialog`, `Message`; `useFirst` (the first rows of a
  list and a button for the rest).
- `RE.text`: `shown` (hidden characters made visible), `line`, `percent`, `points`, `span`,
  `dollars`, `counted`, `number`.
- `RE.keys`: `use({key: action})` binds single keys while a component is there, never while somebody
  types and never once they are switched off (`RE.keys.isOn`, `RE.keys.turn`).
- `RE.headTools`: `Tools`, which every head ends with: light or dark, and help.
- `RE.keyHelp`: `Help`, a dialog of pairs of a key and what it does, with a switch for single keys.
- `RE.theme`: `turn`; light, dark or the system's, kept where the browser allows it.
- `RE.kept`: `get`, `set`; small settings that outlive the page where the browser allows it.
- `RE.hash`: `use` (`[values, change]`), `read`, `text`, `plain`; what the address holds behind `#`.
- `RE.data`: `open`, `run`, `chunk`, `forget`, `prompt`, `follow`, and of a server also `post`; the
  same from blocks and from a server.
- `RE.rows`: `use`; which rows of a long list stand in view.
- `RE.list`: `List` (draws what stands in view, and the open row) and `keys` (which walk it).
- `RE.search`: `Box` (the field that a list is searched by), `words` (what was asked for) and
  `Nothing` (in place of what nothing matches).
- `RE.beside`: `Beside` and `Panel` (a list and what is open of it, which lies over the list on a
  telephone), `covers` (whether it does), `isOver` (whether an address opens it there, so that Back
  closes it; given to `RE.hash.use`), `useOpen` (which row is open).
- `RE.paper`: `draws` (what a printer gets beside the page), `Table` and `List` for it.

**Untrusted text.** Whatever comes from data is a text node or an attribute's value. No script sets
`innerHTML`, no markup has a `style` attribute or an inline handler: the page's own policy forbids
what is not listed by its hash.
"""

from rubric_engine.page.assembling import assemble, content_policy

__all__ = ["assemble", "content_policy"]
