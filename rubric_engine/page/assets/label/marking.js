// "Nothing here exists": all leaves of a group that have no label become not met, with one reason.
RE.marking = (() => {
  const { html, useEffect, useMemo, useRef, useState, Button, Dialog } = RE.ui;

  const Marking = ({ desk, at, onMark, onClose }) => {
    const groups = RE.desk.above(desk, desk.leaves[at].node).reverse();
    const [group, setGroup] = useState(groups[0]);
    const [reason, setReason] = useState("");
    const field = useRef(null);
    useEffect(() => field.current.focus(), []); // the dialog has opened itself by then
    const open = useMemo(() => RE.desk.openBelow(desk), [desk]); // not with each key of the reason
    const count = open.get(group) ?? 0;
    const isReady = count > 0 && reason.trim() !== "";
    const name = (node) => `${RE.text.line(desk.nodes[node].requirements, 90)} (${open.get(node) ?? 0} open)`;
    return html`<${Dialog} title="Nothing here exists" onClose=${onClose}>
      <div class="marking">
        <label>Below
          <select value=${group} onChange=${(event) => setGroup(Number(event.target.value))}>
            ${groups.map((node) => html`<option key=${node} value=${node}>${name(node)}</option>`)}
          </select></label>
        <label>Reason, for all of them
          <textarea rows="2" ref=${field} value=${reason}
            onInput=${(event) => setReason(event.target.value)}></textarea></label>
        <p class="dim">Leaves that have a label keep it.</p>
        <${Button} className="chief" disabled=${!isReady}
          onClick=${() => onMark({ key: desk.nodes[group].key, reason: reason.trim(), count })}>
          mark all ${RE.text.number(count)} below as not met<//>
      </div>
    <//>`;
  };

  return { Marking };
})();
