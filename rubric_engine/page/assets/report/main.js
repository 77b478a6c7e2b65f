// Draws the report.
(() => {
  const { html, render, Message } = RE.ui;
  const place = document.getElementById("app");
  place.textContent = "";
  RE.data.open().then((page) =>
    render(html`<${Message} title="Report">${page.runs.length}<//>`, place),
  );
})();
