// What comes next once all leaves have a label, as `label status` says it.
RE.ended = (() => {
  const { html, useEffect, useState, Message } = RE.ui;

  const useSteps = (desk, isOver) => {
    const [said, setSaid] = useState({ steps: [], lost: "" });
    useEffect(() => {
      if (!isOver) return undefined;
      let over = false;
      const put = (steps, lost) => !over && setSaid({ steps, lost });
      RE.desk.get("next").then((found) => put(found.steps, ""), (error) => put([], error.message));
      return () => {
        over = true;
      };
    }, [isOver, desk.version, desk.edition]);
    return said;
  };

  const Ended = ({ desk }) => {
    const isOver = RE.desk.done(desk) === desk.leaves.length;
    const { steps, lost } = useSteps(desk, isOver);
    if (!isOver) return null;
    return html`<${Message} title=${desk.leaves.length ? "All have a label now." : "What comes next:"}>
      ${lost && html`<p>What comes next is not known: ${RE.text.line(lost, 300)}</p>`}
      <ul class="next">${steps.map(({ command, why }) => html`<li key=${command}>
        <code>${RE.text.line(command, 400)}</code> <span class="dim">${RE.text.line(why, 300)}</span></li>`)}</ul>
      <p>Ctrl-C in its terminal ends this server; all that was saved is kept.</p>
    <//>`;
  };

  return { Ended };
})();
