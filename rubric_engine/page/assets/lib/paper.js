// What is drawn for the printer only, as most of a long list is not on the page.
RE.paper = (() => {
  const { html, render } = RE.ui;
  const { line, number } = RE.text;
  const MOST = 1000;

  const sheet = document.createElement("div");
  sheet.className = "paper";
  let made = null;

  addEventListener("beforeprint", () => {
    const content = made?.();
    if (!content) return;
    document.body.append(sheet);
    render(content, sheet);
  });
  addEventListener("afterprint", () => {
    render(null, sheet);
    sheet.remove();
  });

  const More = ({ of }) => of.length > MOST && html`<p>and ${number(of.length - MOST)} more</p>`;

  // `heads`: `[name, class]` of each column; `draw(row)` gives the row's element.
  const Table = ({ title, heads, rows, draw }) => rows.length > 0 && html`<section aria-label=${title}><h2>${title}</h2>
    <table><thead><tr>${heads.map(([name, kind = ""]) => html`<th scope="col" class=${kind}>${name}</th>`)}</tr></thead>
      <tbody>${rows.slice(0, MOST).map(draw)}</tbody></table><${More} of=${rows} /></section>`;

  const List = ({ title, texts }) => texts.length > 0 && html`<section
    aria-label=${title}><h2>${title}</h2>
    <ul>${texts.slice(0, MOST).map((text) => html`<li>${line(text, 2000)}</li>`)}</ul>
    <${More} of=${texts} /></section>`;

  // `make()` gives what is printed, when it is.
  return { draws: (make) => (made = make), Table, List };
})();
