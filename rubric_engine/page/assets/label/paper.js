// The paper beside a leaf: the sections that are most likely meant first, and a search.
RE.paper = (() => {
  const { html, useEffect, useState } = RE.ui;

  const useFound = (wanted) => {
    const [found, setFound] = useState(null);
    useEffect(() => {
      setFound(null);
      if (!wanted.trim()) return undefined;
      let over = false;
      const timer = setTimeout(() => {
        RE.desk.get(`paper?q=${encodeURIComponent(wanted.trim())}`).then((answer) => !over && setFound(answer.sections), () => {});
      }, 200);
      return () => {
        over = true;
        clearTimeout(timer);
      };
    }, [wanted]);
    return found;
  };

  const useText = (number) => {
    const [text, setText] = useState([]);
    useEffect(() => {
      if (number === null) return undefined;
      let over = false;
      const put = (said) => !over && setText(said);
      RE.desk.get(`paper/${number}`).then((found) => put(found.blocks), (error) => put([{ kind: "prose", parts: [error.message] }]));
      return () => {
        over = true;
      };
    }, [number]);
    return text;
  };

  const Paper = ({ desk, at, near }) => {
    const [wanted, setWanted] = useState("");
    const found = useFound(wanted);
    const [chosen, setChosen] = useState(null);
    useEffect(() => setChosen(null), [at]);
    const offered = found ?? [...new Set([...near, ...desk.sections.keys()])];
    const number = offered.includes(chosen) ? chosen : (offered[0] ?? null);
    const text = useText(number);
    if (!desk.sections.length) return html`<p class="dim">The task has no paper.</p>`;
    return html`<section class="paper" aria-label="Paper">
      <div class="bar">
        <select aria-label="Section of the paper" value=${number} onChange=${(event) => setChosen(Number(event.target.value))}>
          ${offered.map((each) => html`<option key=${each} value=${each}>${RE.text.line(desk.sections[each], 90)}</option>`)}
        </select>
        <input type="search" aria-label="Search the paper" placeholder="search the paper" value=${wanted}
          onInput=${(event) => setWanted(event.target.value)} />
      </div>
      ${found && !found.length
        ? html`<p class="dim" role="status">nothing found</p>`
        : html`<div class="paper-text" tabindex="0" role="group" aria-label="Text of the section"><${RE.section.Section} key=${number} blocks=${text} /></div>`}
    </section>`;
  };

  return { Paper };
})();
