// Tells the page that the log has grown; htmx then fetches the changed parts.
(() => {
  "use strict";
  const source = new EventSource("/live");
  let first = true;
  let waiting = 0;
  source.onmessage = (event) => {
    const spread = Number(event.data.split(" ")[1]) || 0;
    if (!first && !waiting) {
      waiting = setTimeout(() => {
        waiting = 0;
        document.body.dispatchEvent(new CustomEvent("log-grown"));
      }, Math.random() * spread);
    }
    first = false;
  };
  const told = document.querySelector(".live");
  const show = (isLost) => {
    if (!told) return;
    told.textContent = isLost ? told.dataset.lost : told.dataset.live;
    told.classList.toggle("lost", isLost);
  };
  source.onopen = () => show(false);
  source.onerror = () => show(true);
})();
// Shows the page of a refused form: its status is one that htmx doesn't show by itself.
document.addEventListener("htmx:beforeSwap", (event) => {
  const kind = event.detail.xhr.getResponseHeader("content-type") || "";
  if (event.detail.requestConfig.verb === "post" && kind.startsWith("text/html")) {
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  }
});
