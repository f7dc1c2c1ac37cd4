// Tells the page that the log has grown; htmx then asks for what changed.
(() => {
  "use strict";
  const source = new EventSource("/live");
  let first = true;
  source.onmessage = () => {
    if (!first) document.body.dispatchEvent(new CustomEvent("log-grown"));
    first = false;
  };
  const told = document.querySelector(".live");
  source.onopen = () => { if (told) told.textContent = "live"; };
  source.onerror = () => { if (told) told.textContent = "not connected"; };
})();
