// Puts files that are dropped on the page into its form, and warns of files that are too large before sending.
(() => {
  "use strict";
  const form = () => document.querySelector(".drop form");
  const tell = (words) => { form().querySelector("[data-told]").textContent = words; };
  const much = (files) => [...files].reduce((sum, file) => sum + file.size, 0);
  const fits = (files) => {
    const most = Number(form().dataset.largest);
    if (much(files) + 65536 <= most) return true;
    tell(form().dataset.tooLarge || "Too large: at most " + (most / 1048576).toLocaleString("en") + " MB at once. Nothing was sent.");
    return false;
  };
  document.addEventListener("dragover", (event) => {
    if (!form() || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    document.querySelector(".drop").classList.add("over");
  });
  document.addEventListener("dragleave", (event) => {
    if (form() && !event.relatedTarget) document.querySelector(".drop").classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    if (!form() || !event.dataTransfer.files.length) return;
    event.preventDefault();
    document.querySelector(".drop").classList.remove("over");
    form().querySelector("input[type=file]").files = event.dataTransfer.files;
    form().requestSubmit();
  });
  document.addEventListener("submit", (event) => {
    if (event.target !== form()) return;
    if (fits(form().querySelector("input[type=file]").files)) tell(form().dataset.sending || "Sending and reading … this page says what became of it.");
    else event.preventDefault();
  });
})();
