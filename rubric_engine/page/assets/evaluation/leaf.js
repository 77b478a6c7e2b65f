// One leaf: what it asks, what a person and the judge said of it, and what other judges did.
RE.judgedLeaf = (() => {
  const { html, Text, Message } = RE.ui;
  const { Human, Judge } = RE.judgedLeaves;
  const { KINDS, FORMS, known } = RE.judged;

  const twin = (leaves, { submission, key }) =>
    leaves.key.findIndex((each, at) => each === key && leaves.submission[at] === submission);

  const Others = ({ judges, judge, leaf, onJudge }) => {
    const found = judges
      .filter((each) => each !== judge)
      .map((each) => [each, twin(each.leaves, leaf)])
      .filter(([, at]) => at >= 0);
    if (found.length === 0) return null;
    return html`<h3>Other judges</h3><ul class="others">${found.map(([each, at]) => html`<li>
      <${Judge} leaves=${each.leaves} at=${at} />
      <button type="button" class="cell" onClick=${() => onJudge(each.name)}>
        ${RE.text.line(each.name, 60)}
      </button></li>`)}</ul>`;
  };

  const Fact = ({ name, children }) => html`<div><dt>${name}</dt><dd>${children}</dd></div>`;

  const Facts = ({ leaves, at }) => {
    const [reason, cost, probability] = [leaves.reason[at], leaves.cost[at], leaves.probability[at]];
    return html`<dl class="pairs">
      <${Fact} name="submission">${RE.text.line(leaves.submission[at], 200)}<//>
      <${Fact} name="key"><span class="mono">${RE.text.line(leaves.key[at], 200)}</span><//>
      <${Fact} name="category">${RE.text.line(leaves.category[at] || "none", 200)}<//>
      <${Fact} name="worth">${RE.text.points(leaves.worth[at])} of 100<//>
      ${known(probability) && html`<${Fact} name="probability">${FORMS.share(probability)}<//>`}
      ${known(cost) && html`<${Fact} name="cost">${RE.text.dollars(cost)}<//>`}
      ${known(reason) && html`<${Fact} name="no grade"><span class="mono">${RE.text.line(reason, 60)}</span><//>`}
    </dl>`;
  };

  const Body = ({ judges, judge, at, onJudge }) => {
    const { leaves } = judge;
    const why = leaves.why[at];
    return html`<div class="panel-body"><h3 class="asked">${known(leaves.requirement[at])
        ? html`<${Text} text=${leaves.requirement[at]} />`
        : html`<span class="dim">
            The requirement is not at hand: neither the judge's run nor the same rubric was found.</span>`}</h3>
      <${Facts} leaves=${leaves} at=${at} />
      <h3>Why, says ${RE.text.line(judge.name, 60)}</h3>
      ${why ? html`<${Text} text=${why} />`
        : html`<p class="dim">The judge's words are not at hand: its run was not found, or it gave none.</p>`}
      <${Others} judges=${judges} judge=${judge}
        leaf=${{ submission: leaves.submission[at], key: leaves.key[at] }} onJudge=${onJudge} />
    </div>`;
  };

  const Title = ({ leaves, at }) => html`<span class="verdicts"><${Human} leaves=${leaves} at=${at} />
    ${" "}<${Judge} leaves=${leaves} at=${at} /> <span class="dim">${says(leaves.cell[at])}</span></span>`;

  const says = (cell) => (cell === null ? "" : cell === "open" ? "counts as wrong, for want of a grade" : KINDS[cell]);

  const Leaf = ({ judges, judge, at, chosen, onJudge, onClose }) => html`<${RE.beside.Panel} of=${at} chosen=${chosen}
    label="The open leaf" title=${at >= 0 && html`<${Title} leaves=${judge.leaves} at=${at} />`} onClose=${onClose}>
    ${at < 0
      ? html`<${Message} title="No leaf is open.">None fits what is asked for, or none is chosen.<//>`
      : html`<${Body} judges=${judges} judge=${judge} at=${at} onJudge=${onJudge} />`}
  <//>`;

  return { Leaf };
})();
