// The leaves behind a cell: which cell, which of its leaves in which order, and the open one.
RE.leavesBehind = (() => {
  const { html, Button, Message, Status } = RE.ui;
  const { Choice } = RE.explorer;
  const { KINDS } = RE.judged;

  // What is asked for, in words.
  const WORDS = {
    submission: (name) => RE.text.line(name, 60),
    category: (name) => (name === "-" ? "no category" : RE.text.line(name, 60)),
    cell: (name) => (Object.hasOwn(KINDS, name) ? KINDS[name] : RE.text.line(name, 30)),
  };
  const asked = (place) => Object.keys(WORDS).filter((name) => place[name] !== undefined && place[name] !== "all");

  const Chips = ({ place, onPlace }) => asked(place).map((name) => html`<${Button} key=${name}
    onClick=${() => onPlace({ [name]: undefined })}>
      ${WORDS[name](place[name])} ✕<span class="hidden-name"> show all</span><//>`);

  const SORTS = [
    ["", "as in the rubric"], ["worth", "by worth"],
    ["apart", "farthest apart"], ["probability", "by probability"], ["cost", "by cost"],
  ];

  const Tools = ({ judge, place, rows, box, onPlace }) => html`<div class="tools" role="search">
    <${RE.search.Box} box=${box} what="leaves" value=${place.q} onText=${(q) => onPlace({ q })} />
    <${Choice} name="which" value=${place.cell ?? "all"} options=${Object.entries(KINDS)}
      onChange=${(cell) => onPlace({ cell })} />
    <${Choice} name="order" value=${place.sort ?? ""} options=${SORTS}
      onChange=${(sort) => onPlace({ sort: sort || undefined })} />
    <${Chips} place=${place} onPlace=${onPlace} />
    <${Status}>
      <span id="shown">
        ${`${RE.text.number(rows.length)} of ${RE.text.counted(judge.leaves.key.length, "leaf", "leaves")}`}
      </span>
    <//>
  </div>`;

  const Head = ({ judge, place, onBack }) => {
    const which = asked(place).map((name) => WORDS[name](place[name]));
    return html`<div class="leaves-head">
      <h2 id="leaves-head"
        tabindex="-1">Leaves of ${RE.text.line(judge.name, 60)}: ${which.join(", ") || KINDS.all}</h2>
      <${Button} onClick=${onBack} title="Back to the figures (b)">↑ back to the figures<//>
    </div>`;
  };

  const named = ({ leaves }, at) => (at < 0 ? {} : { n: leaves.key[at], of: leaves.submission[at] });

  const Leaves = ({ judges, judge, place, rows, at, box, onPlace, onGo, onClose, onBack }) => {
    const isChosen = place.n !== undefined && at >= 0;
    return html`<section class="leaves" id="leaves" aria-labelledby="leaves-head">
      <${Head} judge=${judge} place=${place} onBack=${onBack} />
      <${Tools} judge=${judge} place=${place} rows=${rows} box=${box} onPlace=${onPlace} />
      ${place.n !== undefined && at < 0 && html`<${Message} kind="bad" title="No such leaf:">
        this judge has none with the key <span class="mono">${RE.text.line(place.n, 200)}</span>
          ${place.of !== undefined && html` in ${RE.text.line(place.of, 100)}`}<//>`}
      <${RE.beside.Beside} chosen=${isChosen}>
        <${RE.judgedLeaves.List} leaves=${judge.leaves} rows=${rows} open=${at} onOpen=${onGo}
          onClear=${() => onPlace({ submission: undefined, category: undefined, cell: undefined, q: undefined })} />
        <${RE.judgedLeaf.Leaf} judges=${judges} judge=${judge} at=${at} chosen=${isChosen} onClose=${onClose}
          onJudge=${(name) => onPlace({ judge: name, ...named(judge, at) })} /><//>
    </section>`;
  };

  // Bring them into view; a press on a figure, and a link to it, are about them.
  const show = () => {
    document.getElementById("leaves")?.scrollIntoView({ block: "start" });
    document.getElementById("leaves-head")?.focus({ preventScroll: true });
  };

  return { Leaves, named, show };
})();
