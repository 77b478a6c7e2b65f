RE.ui.render(RE.ui.html`<p>label</p>`, document.getElementById("app"));
