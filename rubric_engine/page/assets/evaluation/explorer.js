// One judge's leaves: which of them, in which order, and the open one.
RE.explorer = (() => {
  const { html, Button, Message, Status } = RE.ui;
  const { KINDS } = RE.judged;

  const Chips = ({ place, onPlace }) => {
    const named = {
      submission: (name) => RE.text.line(name, 60),
      category: (name) => (name === "-" ? "no category" : RE.text.line(name, 60)),
      cell: (name) => (Object.hasOwn(KINDS, name) ? KINDS[name] : RE.text.line(name, 30)),
    };
    return Object.entries(named)
      .filter(([name]) => place[name] !== undefined)
      .map(([name, words]) => html`<${Button} key=${name} onClick=${() => onPlace({ [name]: undefined })}>
        ${words(place[name])} ✕<span class="hidden-name"> show all</span><//>`);
  };

  const Choice = ({ name, value, options, onChange }) => html`<label>${name} <select value=${value}
    onChange=${(event) => onChange(event.target.value)}>${options.map(([id, words]) => html`<option value=${id}>${words}</option>`)}</select></label>`;

  const SORTS = [["", "as in the rubric"], ["worth", "by worth"], ["apart", "farthest apart"], ["probability", "by probability"], ["cost", "by cost"]];

  const Tools = ({ judge, place, rows, box, onPlace }) => html`<div class="tools" role="search">
    <input type="search" ref=${box} aria-label="Search the leaves" placeholder="search key, text, reasons" value=${place.q ?? ""}
      onInput=${(event) => onPlace({ q: event.target.value || undefined })} />
    <${Choice} name="which" value=${place.cell ?? ""} options=${[["", "all with a label"], ...Object.entries(KINDS)]}
      onChange=${(cell) => onPlace({ cell: cell || undefined })} />
    <${Choice} name="order" value=${place.sort ?? ""} options=${SORTS} onChange=${(sort) => onPlace({ sort: sort || undefined })} />
    <${Chips} place=${place} onPlace=${onPlace} />
    <${Status}><span id="shown">${`${RE.text.number(rows.length)} of ${RE.text.counted(judge.leaves.key.length, "leaf", "leaves")}`}</span><//>
  </div>`;

  const Explorer = ({ judges, row, judge, place, rows, at, box, onPlace, onOpen, onGo }) => html`
    <section class="explorer" aria-labelledby="explorer">
      <h2 id="explorer" tabindex="-1">Leaves of <${Choice} name=${html`<span class="hidden-name">Judge</span>`} value=${judge.name}
        options=${judges.map(({ name }) => [name, RE.text.line(name, 60)])} onChange=${(name) => onPlace({ judge: name })} /></h2>
      ${row && html`<${RE.judgePlaces.Places} row=${row} judge=${judge} place=${place} onOpen=${onOpen} />`}
      <${Tools} judge=${judge} place=${place} rows=${rows} box=${box} onPlace=${onPlace} />
      ${place.n !== undefined && at < 0 && html`<${Message} kind="bad" title="No such leaf:">
        this judge has none with the key <span class="mono">${RE.text.line(place.n, 200)}</span>${place.of !== undefined && html` in ${RE.text.line(place.of, 100)}`}<//>`}
      <div class="work"><${RE.judgedLeaves.List} leaves=${judge.leaves} rows=${rows} open=${at} onOpen=${onGo} />
        <${RE.judgedLeaf.Leaf} judges=${judges} judge=${judge} at=${at} onJudge=${(name) => onPlace({ judge: name, ...named(judge, at) })} /></div>
    </section>`;

  const named = ({ leaves }, at) => (at < 0 ? {} : { n: leaves.key[at], of: leaves.submission[at] });

  return { Explorer, named };
})();
