// Preact and htm under one name, and the few components that every page uses.
RE.ui = (() => {
  const { html, useEffect, useRef, useState } = RE.preact;
  const MOST = 4000;

  // Untrusted text over several lines; long text is cut and opens.
  const Text = ({ text, limit = MOST, className = "" }) => {
    const [open, setOpen] = useState(false);
    const whole = String(text);
    const isCut = !open && whole.length > limit;
    const part = RE.text.shown(isCut ? whole.slice(0, limit) : whole);
    const count = RE.text.number(whole.length);
    return html`<div class=${`text ${className}`}>
      ${part}${isCut && html`<span>… </span>
        <${Button} onClick=${() => setOpen(true)}>show all ${count} characters<//>`}
    </div>`;
  };

  // Untrusted text on one line; the style cuts what does not fit.
  const Line = ({ text, limit = 400, className = "" }) =>
    html`<bdi class=${`line ${className}`}>${RE.text.line(text, limit)}</bdi>`;

  const Button = ({ children, className = "", ...rest }) =>
    html`<button type="button" class=${`button ${className}`} ...${rest}>${children}</button>`;

  // A button that is on or off.
  const Toggle = ({ on, children, className = "", ...rest }) =>
    html`<${Button} aria-pressed=${on ? "true" : "false"} className=${`toggle ${className}`}
      ...${rest}>${children}<//>`;

  // `[rows, more]`: the first rows of a list, and a button that says how many more there are and
  // shows them; null where that is all.
  const useFirst = (rows, most) => {
    const [all, setAll] = useState(false);
    const left = rows.length - most;
    if (all || left <= 0) return [rows, null];
    const more = html`<${Button} className="quiet more" onClick=${() => setAll(true)}>
      and ${RE.text.number(left)} more<//>`;
    return [rows.slice(0, most), more];
  };

  const Fold = ({ title, children, open = false, className = "" }) =>
    html`<details class=${`fold ${className}`} open=${open}>
      <summary>${title}</summary>
      <div class="fold-body">${children}</div>
    </details>`;

  // What changed, for those who do not see it.
  const Status = ({ children, className = "" }) =>
    html`<div role="status" class=${`status ${className}`}>${children}</div>`;

  const Message = ({ title, children, kind = "note" }) =>
    html`<div class=${`message ${kind}`} role=${kind === "bad" ? "alert" : "note"}>
      <strong>${title}</strong> ${children}
    </div>`;

  const Dialog = ({ title, onClose, children }) => {
    const box = useRef(null);
    useEffect(() => {
      if (!box.current.open) box.current.showModal();
    }, []);
    return html`<dialog ref=${box} class="dialog" aria-label=${title} onClose=${onClose}>
      <header><h2>${title}</h2>
        <${Button} onClick=${() => box.current.close()}>Close<//></header>
      ${children}
    </dialog>`;
  };

  return { ...RE.preact, Text, Line, Button, Toggle, Fold, useFirst, Status, Message, Dialog };
})();
