// A leaf when it is open: what was asked, the verdict, and everything behind it.
RE.leaf = (() => {
  const { html, useEffect, useState, Text, Line, Button, Message } = RE.ui;

  const Part = ({ title, children, id }) =>
    html`<section class="part" id=${id}><h3>${title}</h3>${children}</section>`;

  const HUMAN = { met: "met", not_met: "not met" };

  const Label = ({ label, differs }) => html`<${Part} title="human label">
    <p>${Object.hasOwn(HUMAN, label.verdict)
      ? html`<${RE.marks.Verdict} verdict=${RE.own(HUMAN, label.verdict)} />`
      : html`<span class="chip">cannot judge</span>`}
      ${label.annotator && html` <span class="dim">${RE.text.line(label.annotator, 60)}</span>`}
      ${label.blind === false && html` <span class="dim">not blind</span>`}
      ${RE.text.known(label.score) && html` <span class="dim">score ${RE.marks.shortScore(label.score)}</span>`}
      ${differs && html` <span class="bad">another verdict than the judge's</span>`}</p>
    ${label.reason && html`<${Text} text=${label.reason} limit=${1500} />`}
  <//>`;

  const Asked = ({ asked }) => html`
    <h4>asked</h4><${Text} className="mono boxed" text=${asked.prompt ?? ""} limit=${6000} />
    <h4>answered</h4><${Text} className="mono boxed" text=${asked.answer ?? ""} limit=${6000} />`;

  // The prompt, where it is in the file or a server can be asked for it.
  const Prompt = ({ run, at, detail }) => {
    const [asked, setAsked] = useState(detail.asked ?? null);
    const [wrong, setWrong] = useState(null);
    useEffect(() => {
      setAsked(detail.asked ?? null);
      setWrong(null);
    }, [detail]);
    const ask = () =>
      RE.data.prompt(run.id, at).then(
        (value) => (value ? setAsked(value) : setWrong("there is none")),
        (error) => setWrong(error.message),
      );
    if (!asked && !detail.prompt) return null;
    return html`<${Part} title="prompt and answer">
      ${asked
        ? html`<${Asked} asked=${asked} />`
        : html`<${Button} onClick=${ask}>Show what was asked and answered<//>`}
      ${wrong && html`<p class="bad">${RE.text.line(wrong, 300)}</p>`}<//>`;
  };

  const costWords = (detail) => {
    const { input_tokens: read, output_tokens: wrote } = detail.grade?.usage ?? {};
    const tokens = RE.text.known(read) ? `${RE.text.number(read)} tokens in, ${RE.text.number(wrote ?? 0)} out` : "";
    const money = detail.cost > 0 || (tokens && RE.text.known(detail.cost)) ? RE.text.dollars(detail.cost) : "";
    return [money, tokens].filter(Boolean).join(", ");
  };

  const Why = ({ grade }) => {
    // The checks follow one by one; the first line says what they come to.
    const words = grade.checks?.length ? grade.explanation?.split("\n")[0] : grade.explanation;
    return html`<${Part} title="why">
      ${grade.reason && html`<p>no grade: <span class="mono">${RE.text.line(grade.reason, 40)}</span></p>`}
      ${words
        ? html`<${Text} text=${words} />`
        : !grade.reason && html`<p class="dim">The judge gave no reason.</p>`}<//>`;
  };

  const Grade = ({ grade, onCopy }) => html`
    <${Why} grade=${grade} />
    ${grade.checks?.length > 0 && html`<${Part} id="checks" title="checks">
      <${RE.votes.Checks} checks=${grade.checks} onCopy=${onCopy} /><//>`}
    ${grade.citations?.length > 0 && html`<${Part} id="evidence"
        title=${RE.text.counted(grade.citations.length, "citation")}>
      <${RE.citations.List} citations=${grade.citations} onCopy=${onCopy} /><//>`}
    ${(grade.samples?.length > 0 || grade.members?.length > 0) && html`<${Part} title="votes">
      ${grade.samples?.length > 0 && html`<${RE.votes.Samples} samples=${grade.samples} />`}
      ${grade.members?.length > 0 && html`<${RE.votes.Members} members=${grade.members} onCopy=${onCopy} />`}<//>`}`;

  const Detail = ({ run, tree, at, detail, onCopy }) => {
    const { grade, label, receipt, note } = detail;
    const differs = (tree.nodes.flags[at] & RE.query.FLAGS.differs) !== 0;
    const cost = costWords(detail);
    return html`
      ${grade ? html`<${Grade} grade=${grade} onCopy=${onCopy} />`
        : html`<${Part} title="why"><p class="dim">No judge has said anything of this leaf.</p><//>`}
      ${label && html`<${Label} label=${label} differs=${differs} />`}
      ${receipt && html`<${Part} title="what the judge was shown"><${RE.receipt.Receipt} receipt=${receipt} /><//>`}
      <${Prompt} run=${run} at=${at} detail=${detail} />
      ${cost && html`<${Part} title="cost"><p>${cost}</p><//>`}
      ${grade?.judge && html`<p class="dim">judged by <${Line} text=${grade.judge} limit=${120} /></p>`}
      ${note && html`<${Text} className="dim mono" text=${note} />`}`;
  };

  // The details of a leaf, read when it is opened; `stamp` grows where they changed.
  const useDetail = (run, at, stamp) => {
    const [found, setFound] = useState(null);
    useEffect(() => {
      let here = true;
      const put = (value) => here && setFound({ at, run: run.id, ...value });
      RE.data.chunk(run.id, Math.floor(at / run.details.size)).then(
        (chunk) => put({ detail: chunk?.[at] ?? {} }),
        (error) => put({ error: error.message }),
      );
      return () => (here = false);
    }, [run.id, at, stamp]);
    return found?.at === at && found.run === run.id ? found : null;
  };

  const Leaf = ({ run, tree, at, stamp, onCopy }) => {
    const found = useDetail(run, at, stamp);
    if (found === null) return html`<p class="dim">reading …</p>`;
    if (found.error) {
      return html`<${Message} kind="bad" title="The details cannot be read.">${RE.text.line(found.error, 300)}<//>`;
    }
    return html`<${Detail} run=${run} tree=${tree} at=${at} detail=${found.detail} onCopy=${onCopy} />`;
  };

  return { Leaf, Part };
})();
