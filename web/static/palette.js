// Opens the search with "/" or Ctrl-K, and moves through lists with j, k and Enter.
const WAIT = 120; // milliseconds of silence before the letters are asked for
const isTyping = (target) => target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const element = (tag, fields = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), fields);
  node.append(...children);
  return node;
};

class Palette {
  constructor() {
    this.field = element("input", { type: "search", autocomplete: "off", spellcheck: false });
    this.field.setAttribute("role", "combobox");
    this.field.setAttribute("aria-label", "search: table, hand, person, clause, case or page");
    this.field.setAttribute("aria-controls", "palette-matches");
    this.field.setAttribute("aria-expanded", "true");
    this.list = element("ul", { id: "palette-matches" });
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "matches");
    this.status = element("p", { className: "small" }, "Enter opens, arrows move, Esc closes.");
    this.status.setAttribute("role", "status");
    this.dialog = element("dialog", { className: "palette" }, this.field, this.list, this.status);
    this.dialog.setAttribute("aria-label", "search");
    this.requests = 0; // of several answers on their way the one asked for last counts
    this.chosen = 0;
    this.timer = 0;
    document.body.append(this.dialog);
    this.field.addEventListener("input", () => this.askSoon());
    this.dialog.addEventListener("keydown", (event) => this.onKey(event));
    this.dialog.addEventListener("click", (event) => { if (event.target === this.dialog) this.dialog.close(); });
  }

  open() {
    if (this.dialog.open) return;
    this.field.value = "";
    this.list.replaceChildren();
    this.dialog.showModal();
    this.field.focus();
  }

  askSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), WAIT);
  }

  async ask() {
    const query = this.field.value.trim();
    const request = ++this.requests;
    if (!query) {
      this.draw([]);
      return;
    }
    try {
      const answer = await fetch(`/search.json?${new URLSearchParams({ q: query })}`);
      const page = await answer.json();
      if (request !== this.requests) return;
      this.draw(page.matches || []);
      this.status.textContent = page.matches?.length ? "Enter opens, arrows move, Esc closes." : "Nothing matches.";
    } catch {
      if (request === this.requests) this.status.textContent = "No connection.";
    }
  }

  draw(matches) {
    this.chosen = 0;
    this.list.replaceChildren(...matches.map((match, index) => {
      const item = element("li", { id: `palette-${index}`, onclick: () => location.assign(match.link) },
        element("span", { className: "tag" }, match.kind), " ", match.name, " ", element("span", { className: "small" }, match.detail));
      item.dataset.link = match.link;
      item.setAttribute("role", "option");
      return item;
    }));
    this.mark();
  }

  mark() {
    const items = [...this.list.children];
    for (const [index, item] of items.entries()) item.setAttribute("aria-selected", String(index === this.chosen));
    this.field.setAttribute("aria-activedescendant", items.length ? `palette-${this.chosen}` : "");
    items[this.chosen]?.scrollIntoView({ block: "nearest" });
  }

  onKey(event) {
    const count = this.list.children.length;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && count) {
      event.preventDefault();
      this.chosen = (this.chosen + step + count) % count;
      this.mark();
    } else if (event.key === "Enter" && count) {
      event.preventDefault();
      location.assign(this.list.children[this.chosen].dataset.link);
    } else if (event.key === "Escape") {
      event.preventDefault(); // or the field would only be emptied
      this.dialog.close();
    } else if (event.key === "Enter") {
      event.preventDefault();
      clearTimeout(this.timer);
      this.ask();
    }
  }
}

// Rows of the page's lists, each by its link.
const rowLinks = () => [...document.querySelectorAll("#main .list tbody tr")].map((row) => row.querySelector("th a, a")).filter((link) => link && link.offsetParent);

const moveInList = (step) => {
  const links = rowLinks();
  if (!links.length) return;
  const row = document.activeElement?.closest("tr");
  const here = links.findIndex((link) => link.closest("tr") === row);
  links[here < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(here + step, 0), links.length - 1)].focus();
};

const palette = new Palette();
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey) {
    event.preventDefault();
    palette.open();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || palette.dialog.open) return;
  if (document.querySelector("#main .replay")) return; // a hand has keys of its own
  if (event.key === "/") {
    event.preventDefault();
    palette.open();
  } else if (event.key === "j" || event.key === "k") {
    moveInList(event.key === "j" ? 1 : -1);
  }
});
for (const opener of document.querySelectorAll("a[data-palette]")) {
  opener.addEventListener("click", (event) => {
    event.preventDefault();
    palette.open();
  });
}
document.documentElement.dataset.palette = "ready";
