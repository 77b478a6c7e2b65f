// The paper beside a leaf: the sections that are most likely meant first, and a search.
RE.paper = (() => {
  const { html, useEffect, useState } = RE.ui;
  const { Trouble } = RE.asking;

  const useFound = (wanted) => {
    const text = wanted.trim();
    return RE.asking.use(text ? `paper?q=${encodeURIComponent(text)}` : null, 200);
  };

  // The text of a section, or why it is not there.
  const Section = ({ number, asked }) => asked.error
    ? html`<${Trouble} what="The section is not shown" asked=${asked} />`
    : html`<div class="paper-text" tabindex="0" role="group" aria-label="Text of the section">
      <${RE.section.Section} key=${number} blocks=${asked.value?.blocks ?? []} /></div>`;

  const Paper = ({ desk, at, near }) => {
    const [wanted, setWanted] = useState("");
    const search = useFound(wanted);
    const found = search.value?.sections ?? null;
    const [chosen, setChosen] = useState(null);
    useEffect(() => setChosen(null), [at]);
    const offered = found ?? [...new Set([...near, ...desk.sections.keys()])];
    const number = offered.includes(chosen) ? chosen : (offered[0] ?? null);
    const section = RE.asking.use(number === null ? null : `paper/${number}`);
    if (!desk.sections.length) return html`<p class="dim">The task has no paper.</p>`;
    return html`<section class="paper" aria-label="Paper">
      <div class="bar">
        <select aria-label="Section of the paper" value=${number}
          onChange=${(event) => setChosen(Number(event.target.value))}>
          ${offered.map((each) => html`<option key=${each}
            value=${each}>${RE.text.line(desk.sections[each], 90)}</option>`)}
        </select>
        <input type="search" aria-label="Search the paper" placeholder="search the paper" value=${wanted}
          onInput=${(event) => setWanted(event.target.value)} />
      </div>
      <${Trouble} what="The paper was not searched" asked=${search} />
      ${found && !found.length
        ? html`<p class="dim" role="status">nothing found</p>`
        : html`<${Section} number=${number} asked=${section} />`}
    </section>`;
  };

  return { Paper };
})();
