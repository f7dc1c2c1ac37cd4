// Sharing a table as a link or as handscript, and the menu.

import { h } from "../vendor/preact-11.2.0.min.js";

const LANGUAGES = { en: "English", es: "Español", vi: "Tiếng Việt", zh: "简体中文" };
const FILE = "table.hand";

const copy = async (pocket, text) => {
  try {
    await navigator.clipboard.writeText(text);
    pocket.change({ copied: pocket.say("copied"), shown: "" });
  } catch { // a browser that lets no page copy
    pocket.change({ copied: "", shown: text });
  }
};

const save = (text) => {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  anchor.download = FILE;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
};

const withHandscript = async (pocket, use) => {
  const answer = await pocket.ask({ ask: "write", table: pocket.table });
  if (answer.error) pocket.change({ problem: answer.error });
  else use(answer.text);
};

const readHandscript = async (pocket, text) => {
  const answer = await pocket.ask({ ask: "read", text, book: pocket.table.rulebook });
  if (answer.error) {
    pocket.change({ problem: [answer.error, answer.hint].filter(Boolean).join(" ") });
    return;
  }
  pocket.close();
  pocket.ui.mode = "";
  pocket.history.push(pocket.table);
  await pocket.put(answer.table);
};

const button = (act, label, onClick, kind = "") => h("button", { type: "button", class: `key ${kind}`, "data-act": act, key: act, onClick }, label);

export const renderShare = (pocket) => ({
  title: pocket.say("share"),
  content: [
    h("div", { class: "sheet-keys", key: "keys" },
      navigator.share && button("send", pocket.say("sendLink"), async () => navigator.share({ title: pocket.say("pageTitle"), url: await pocket.link() }).catch(() => {}), "main"),
      button("copy-link", pocket.say("copyLink"), async () => copy(pocket, await pocket.link())),
      button("save-handscript", pocket.say("saveHandscript"), () => withHandscript(pocket, save)),
      button("copy-handscript", pocket.say("copyHandscript"), () => withHandscript(pocket, (text) => copy(pocket, text)))),
    h("p", { role: "status", key: "copied" }, pocket.ui.copied ?? ""),
    pocket.ui.shown && h("textarea", { key: "shown", readonly: true, rows: 5, "aria-label": pocket.say("share"), value: pocket.ui.shown }),
    h("p", { class: "note", key: "note" }, pocket.say("shareNote", { command: `handledger import ${FILE}` })),
    h("form", { class: "read", key: "read", onSubmit: (event) => { event.preventDefault(); readHandscript(pocket, String(new FormData(event.currentTarget).get("text"))); } },
      h("label", { for: "handscript" }, pocket.say("readLabel")), h("textarea", { id: "handscript", name: "text", rows: 4, spellcheck: false }), h("button", { class: "key", "data-act": "read" }, pocket.say("read"))),
  ],
});

export const renderMore = (pocket) => ({
  title: pocket.say("more"),
  content: [
    h("div", { class: "sheet-keys", key: "languages", role: "group", "aria-label": pocket.say("language") }, Object.entries(LANGUAGES).map(([code, name]) => h("button", {
      type: "button", class: "key", key: code, lang: code, "data-act": `language-${code}`, "aria-pressed": code === pocket.language, onClick: () => pocket.chooseLanguage(code),
    }, name))),
    h("div", { class: "sheet-keys", key: "new" }, button("new-table", pocket.say("newTable"), () => { pocket.close(); pocket.startAgain(); })),
    h("p", { class: "note", key: "kept" }, pocket.isKept === false ? pocket.say("notKept") : pocket.say("kept")),
    h("p", { class: "note", key: "private" }, pocket.say("private")),
    h("p", { class: "note", key: "licenses" }, h("a", { href: "licenses.txt" }, pocket.say("licenses"))),
  ],
});
