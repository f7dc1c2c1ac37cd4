// The page in the pocket: a tap adds a step to the table, and Python in the worker answers who posts what.

import { h, render } from "../vendor/preact-11.2.0.min.js";
import { formatMoney, speaker } from "../keep/words.js";
import { EngineClient, keepFolder } from "./client.js";
import { renderFelt } from "./felt.js";
import { holdsTable, linkOf, tableOf } from "./link.js";
import { renderPanel } from "./panel.js";
import { hasDealt, seatsAfter } from "./seats.js";
import { renderSheet } from "./sheets.js";
import { loadLanguage, loadTable, saveLanguage, saveTable } from "./storage.js";

const NEW_TABLE = { handledger: "table/1", game: "no-limit 1/2", seats: 9, rulebook: "hilton", tournament: false, running: true, options: {}, steps: [] };
const TAGS = { zh: "zh-Hans" };
const root = document.getElementById("pocket");
const client = new EngineClient();

const loadWords = async (language) => {
  const words = await (await fetch(new URL(`../words/${language}.json`, import.meta.url))).json();
  pocket.say = speaker(words);
  pocket.language = language;
  document.documentElement.lang = TAGS[language] ?? language;
  document.title = pocket.say("pageTitle");
};

const pocket = {
  table: NEW_TABLE, answeredTable: null, seats: new Map(), answer: null, books: [], ui: { sheet: null, mode: "seats", problem: "", different: null }, language: "en", say: null,
  history: [], isStarted: false, isKept: null, share: 0, queue: Promise.resolve(),
  // What is due at the table that is shown; null until Python has answered for it.
  get due() { return this.hasDealt && this.table === this.answeredTable ? this.answer.due[this.table.rulebook] ?? null : null; },
  // Whether the last answer is that of an earlier table.
  get isWorking() { return this.hasDealt && this.answer !== null && this.due === null; },
  get hasDealt() { return hasDealt(this.table); },
  get game() { return this.answer?.game ?? this.table.game; },
  money(chips) { return formatMoney(chips, { sign: "", exponent: this.answer?.exponent ?? 0 }); },
  // A question that the rules or the record leave open has no full stop.
  reason(sentence) { return /[.!?。！？]$/.test(sentence) ? sentence : this.say("cantTell", { question: sentence }); },
  title() { return this.due?.hand ? this.say("handNumber", { hand: this.due.hand }) : ""; },
  change(fields) { this.ui = { ...this.ui, ...fields }; draw(); },
  open(sheet) { this.opener = document.activeElement; this.change({ sheet, problem: "", typed: "" }); document.querySelector(".sheet")?.focus(); },
  close() { this.change({ sheet: null, problem: "", different: null }); this.opener?.focus?.(); },

  // The players by seat: from the engine's last answer, with the steps added since.
  seatsOf({ steps }) {
    const known = this.answer?.table.steps ?? [];
    const isSame = known.every((step, index) => JSON.stringify(step) === JSON.stringify(steps[index]));
    return isSame ? seatsAfter(this.answer?.seated ?? [], steps.slice(known.length)) : seatsAfter([], steps);
  },

  // Shows a table at once, and Python's answer when it comes. An invalid table isn't stored.
  put(table, before = this.answeredTable ?? this.table) {
    this.table = table;
    this.seats = this.seatsOf(table);
    this.change({ problem: "" });
    this.queue = this.queue.then(() => this.ask({ ask: "show", table, books: [table.rulebook] })).then((answer) => {
      if (answer.error) {
        if (this.table === table) {
          if (this.answer) this.answeredTable = before;
          if (this.history.at(-1) === before) this.history.pop(); // nothing has changed that could be undone
          this.table = before;
          this.seats = this.seatsOf(before);
        }
        this.change({ problem: [answer.error, answer.hint].filter(Boolean).join(" ") });
        return;
      }
      if (this.table !== table) return; // a later tap is on its way
      this.table = { ...answer.table, rulebook: table.rulebook };
      this.answeredTable = this.table;
      this.answer = answer;
      this.seats = this.seatsOf(this.table);
      saveTable(this.table);
      draw();
    });
    return this.queue;
  },
  // Asks for the answers of the other books, once for each state of the table.
  askAllBooks() {
    const { table, answer } = this;
    if (!this.due || answer.hasAll) return;
    answer.hasAll = true;
    this.queue = this.queue.then(() => this.ask({ ask: "show", table, books: this.books.map((book) => book.name) })).then(({ due }) => {
      if (this.answer !== answer || !due) return;
      answer.due = { ...due, ...answer.due };
      draw();
    });
  },
  replace(fields) {
    this.history.push(this.table);
    return this.put({ ...this.table, ...fields });
  },
  act(...steps) {
    this.history.push(this.table);
    return this.put({ ...this.table, steps: [...this.table.steps, ...steps] });
  },
  takeBack() {
    const table = this.history.pop() ?? { ...this.table, steps: this.table.steps.slice(0, -1), picks: {} };
    this.ui = { ...this.ui, mode: hasDealt(table) ? "" : "seats" };
    return this.put(table);
  },
  // What a seat's player chose, and what that means on the coming hand.
  pickOf(seat) { return this.table.picks?.[seat]; },
  statusOf(due) {
    const pick = this.pickOf(due.seat);
    return pick && (pick === "wait") !== due.dealt ? (due.dealt ? "plays" : "waits") : due.status;
  },
  chooseBook(rulebook) {
    const before = this.table === this.answeredTable ? this.table : undefined;
    const table = { ...this.table, rulebook };
    if (this.table === this.answeredTable) this.answeredTable = table; // the other books' answers are those of the same table
    this.put(table, before);
  },
  // Asks for the faults of the last hand, and shows them until the next one is dealt.
  async judge() {
    const { answer, table } = this;
    const { faults } = await this.ask({ ask: "faults", table });
    if (this.answer !== answer || !faults) return;
    answer.faults = faults;
    draw();
  },
  async ask(request) {
    try {
      await this.ready;
      return await client.ask({ ...request, language: this.language });
    } catch (error) { // Python itself stopped: what was tapped is kept
      return { error: this.say("stopped", { problem: error.message.trim().split("\n").at(-1) }) };
    }
  },
  tapChair(seat) {
    const chair = this.seats.get(seat);
    if (this.ui.mode === "button" && chair) { this.change({ mode: "" }); this.act({ do: "deal", button: seat }); }
    else if (this.ui.mode === "seats" && !chair) this.sit(seat, "");
    else this.open({ kind: "seat", seat });
  },
  sit(seat, name) { return this.act({ do: "sit", seat, name: name.trim() || this.say("playerOf", { seat }) }); },
  link() { return linkOf(this.table, location.href); },
  async chooseLanguage(language) {
    await loadWords(language);
    saveLanguage(language);
    this.put(this.table);
  },
  // Begins a new table. Undo brings back the one before, if anybody sat there.
  startAgain(fields = {}) {
    if (this.table.steps.length) this.history.push(this.table);
    this.answer = null;
    this.answeredTable = null;
    this.ui = { ...this.ui, mode: "seats" };
    return this.put({ ...NEW_TABLE, rulebook: this.table.rulebook, ...fields, steps: [] });
  },
};

const draw = () => render(h("main", { class: "keep-app pocket", "aria-busy": !pocket.isStarted }, renderTop(), renderFelt(pocket), renderPanel(pocket), renderSheet(pocket)), root);

const renderTop = () => h(
  "header", { class: "keep-top", inert: Boolean(pocket.ui.sheet) },
  h("h1", { class: "unseen" }, pocket.say("pageTitle")),
  h("select", { class: "key", "data-act": "book", "aria-label": pocket.say("rulebook"), value: pocket.table.rulebook, disabled: !pocket.isStarted, onChange: (event) => pocket.chooseBook(event.target.value) },
    pocket.books.length ? pocket.books.map((book) => h("option", { value: book.name, key: book.name }, `${book.name} · ${book.title}`)) : h("option", { value: pocket.table.rulebook }, pocket.table.rulebook)),
  h("button", { type: "button", class: "key game", "data-act": "game", "aria-haspopup": "dialog", onClick: () => pocket.open({ kind: "game" }) }, h("bdi", {}, pocket.game)),
  h("button", { type: "button", class: "key", "data-act": "share", "aria-haspopup": "dialog", onClick: () => pocket.open({ kind: "share" }) }, pocket.say("share")),
  h("button", { type: "button", class: "key", "data-act": "more", "aria-haspopup": "dialog", "aria-label": pocket.say("more"), onClick: () => pocket.open({ kind: "more" }) }, "⋯"),
);

const MOST_SEATS = 64;
const isText = (value) => typeof value === "string" && value.length <= 200;

// Whether a table can be drawn at all. Only Python checks whether it's valid.
const canDraw = ({ seats, game, rulebook }) => Number.isInteger(seats) && seats >= 2 && seats <= MOST_SEATS && isText(game) && isText(rulebook);

// Shows a table of a link or of this phone, with what was wrong with its last hand. `former`: the table that undo brings back.
const openTable = async (table, former = null) => {
  const shown = { ...NEW_TABLE, ...table, running: table.running === true, steps: Array.isArray(table.steps) ? table.steps : [] };
  if (!canDraw(shown)) {
    pocket.change({ problem: pocket.say("badLink") });
    return;
  }
  if (former) pocket.history.push(former);
  pocket.ui.mode = hasDealt(shown) ? "" : "seats";
  await pocket.put(shown);
  if (pocket.hasDealt && !pocket.ui.problem) await pocket.judge();
};

// Opens the table of the link, and takes it out of the address. Resolves to whether it is shown.
const openLink = async () => {
  if (!holdsTable(location.hash)) return false;
  const table = await tableOf(location.hash);
  history.replaceState(null, "", location.pathname);
  if (table) await openTable(table, pocket.table.steps.length ? pocket.table : loadTable());
  else pocket.change({ problem: pocket.say("badLink") });
  return Boolean(table) && !pocket.ui.problem;
};

const startEngine = async () => {
  pocket.isKept = await keepFolder((share) => { pocket.share = share; draw(); });
  await client.start(pocket.isKept);
  const { books } = await client.ask({ ask: "begin", language: pocket.language });
  pocket.books = books;
  pocket.isStarted = true;
};

const begin = async () => {
  await loadWords(loadLanguage());
  pocket.ready = startEngine();
  pocket.ready.catch((error) => pocket.change({ problem: pocket.say("noStart", { problem: error.message }) }));
  draw();
  if (!(await openLink())) {
    const { problem } = pocket.ui;
    const kept = loadTable();
    if (kept) await openTable(kept);
    else await pocket.put(NEW_TABLE);
    if (problem) pocket.change({ problem });
  }
  root.dataset.ready = "";
};

addEventListener("hashchange", openLink);
addEventListener("keydown", (event) => { if (event.key === "Escape" && pocket.ui.sheet) pocket.close(); });
begin();
