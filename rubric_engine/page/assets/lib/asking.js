// Asking the server that the page came from. Its first address leaves a key in the browser's
// storage, which every question carries: unlike a cookie, no server on another port is given it.
RE.ask = (() => {
  // Looked up each time: where a server was started again, the window that opens its address is
  // given another key, and all others go on with that.
  const key = () => ({ "X-Rubric-Engine-Key": RE.kept.get("entry", "") });

  return (path, { headers, ...options } = {}) =>
    fetch(path, { credentials: "same-origin", ...options, headers: { ...headers, ...key() } });
})();
