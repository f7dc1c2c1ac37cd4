// The sheets over the table: a seat, reasons with their clauses, all books, a hand dealt differently, the game.

import { h } from "../vendor/preact-11.2.0.min.js";
import { formatChips, parseChips } from "../keep/lines.js";
import { safeName } from "../keep/words.js";
import { describePosts } from "./felt.js";
import { renderMore, renderShare } from "./menus.js";
import { owedBlinds, renamed, withOwed } from "./seats.js";

const button = (act, label, onClick, kind = "", pressed = undefined) => h("button", { type: "button", class: `key ${kind}`, "data-act": act, key: act, "aria-pressed": pressed, onClick }, label);

// The value of a field of the form that was sent.
const field = (event, name) => String(new FormData(event.currentTarget).get(name) ?? "").trim();

const onSubmit = (run) => (event) => { event.preventDefault(); run(event); };

// reasons and clauses

const renderReason = (pocket, reason, index) => h("li", { key: index }, pocket.reason(reason.sentence), reason.clauses.length > 0 && h("small", {}, ` ${reason.clauses.join(", ")}`));

const renderReasons = (pocket, reasons) => reasons.length > 0 && h("ul", { class: "sheet-reasons" }, reasons.map((reason, index) => renderReason(pocket, reason, index)));

const renderClauses = (pocket, clauses) => clauses.map((clause) => {
  const text = pocket.ui.clauses?.[`${pocket.table.rulebook} ${clause}`];
  return h("p", { class: "clause", key: clause, lang: "en" }, h("b", {}, `${pocket.table.rulebook} ${clause} `), text ?? "…");
});

const loadClauses = (pocket, clauses) => {
  const missing = clauses.filter((clause) => pocket.ui.clauses?.[`${pocket.table.rulebook} ${clause}`] === undefined);
  if (!missing.length || pocket.ui.asked === missing.join()) return;
  pocket.ui.asked = missing.join();
  pocket.ask({ ask: "clauses", book: pocket.table.rulebook, clauses: missing }).then((answer) => {
    const texts = Object.fromEntries(missing.map((clause) => [`${pocket.table.rulebook} ${clause}`, answer.texts?.[clause] ?? ""]));
    pocket.change({ clauses: { ...pocket.ui.clauses, ...texts } });
  });
};

const renderWhy = (pocket, { title, reasons, clauses }) => {
  const all = [...new Set([...clauses, ...reasons.flatMap((reason) => reason.clauses)])];
  loadClauses(pocket, all);
  return { title, content: [renderReasons(pocket, reasons), ...renderClauses(pocket, all)] };
};

// a seat

const renderNameForm = (pocket, label, value, done, doneLabel) => h(
  "form", { class: "ask", key: "name", onSubmit: onSubmit((event) => done(field(event, "name"))) },
  h("label", { for: "name" }, label), h("input", { id: "name", name: "name", maxlength: 60, autocomplete: "off", defaultValue: value }), h("button", { class: "key main", "data-act": "name" }, doneLabel),
);

const renderSeat = (pocket, { seat }) => {
  const chair = pocket.seats.get(seat);
  const done = (...steps) => { pocket.close(); pocket.act(...steps); };
  if (!chair) {
    return {
      title: pocket.say("emptyChair", { seat }),
      content: [renderNameForm(pocket, pocket.say(pocket.hasDealt ? "newPlayer" : "nameOf"), "", (name) => { pocket.close(); pocket.sit(seat, name); }, pocket.say("sits"))],
    };
  }
  const due = pocket.due?.seats?.find((other) => other.seat === seat);
  const isAway = chair.presence === "away";
  const rename = (name) => { pocket.close(); if (name && name !== chair.name) pocket.put(renamed(pocket.table, seat, name)); };
  const pick = pocket.pickOf(seat);
  return {
    title: pocket.say("seatOf", { seat, player: safeName(chair.name) }),
    content: [
      due && h("p", { class: "owes", key: "owes" }, pocket.say(`line ${pocket.statusOf(due)}`, { player: safeName(chair.name) }), due.posts.length > 0 && due.status !== "open" && ` ${describePosts(pocket, due.posts)}`),
      h("div", { class: "sheet-keys", key: "keys" },
        (due?.choices ?? []).map((choice) => button(`choose-${choice}`, pocket.say(`choose ${choice}`), () => done({ do: "choose", seat, pick: choice }), "main", pick === choice)),
        isAway ? button("back", pocket.say("comesBack"), () => done({ do: "back", seat }), "main") : button("away", pocket.say("goesAway"), () => done({ do: "away", seat })),
        button("leave", pocket.say("leaves"), () => done({ do: "leave", seat }))),
      !pocket.hasDealt && pocket.table.running && h("div", { class: "sheet-keys", key: "owes" }, ["small blind", "big blind"].map((blind) => button(`owes-${blind.replace(" ", "-")}`, pocket.say(`owes ${blind}`), () => pocket.put(withOwed(pocket.table, seat, blind)), "", owedBlinds(pocket.table, seat).includes(blind)))),
      renderNameForm(pocket, pocket.say("nameOf"), chair.name, rename, pocket.say("rename")),
      due && renderReasons(pocket, due.reasons),
      due && (loadClauses(pocket, due.clauses), renderClauses(pocket, due.clauses)),
    ],
  };
};

// all books, side by side

const describePosition = (pocket, due, name) => {
  if (due[name] === null) return "–";
  return due[`${name}_is_dead`] ? pocket.say("deadSeat", { seat: due[name] }) : String(due[name]);
};

const listPosters = (pocket, due) => due.posts.map((post) => `${post.seat}: ${describePosts(pocket, [post])}`).join(", ") || "–";
// A seat with a question mark: the book or the record leaves open whether it gets cards.
const listWaiters = (due) => due.seats.filter((seat) => !seat.dealt).map((seat) => (seat.status === "open" ? `${seat.seat}?` : seat.seat)).join(", ") || "–";

const renderBookRow = (pocket, book, chosen) => {
  const due = pocket.isWorking ? null : pocket.answer.due[book.name];
  const isChosen = book.name === pocket.table.rulebook;
  const choose = h("button", { type: "button", class: "key", "aria-pressed": isChosen, onClick: () => { pocket.close(); pocket.chooseBook(book.name); } }, book.name);
  if (!due || due.error || due.unknown) return h("tr", { key: book.name }, h("th", { scope: "row" }, choose), h("td", { colspan: 5 }, due?.error ?? due?.unknown ?? "…"));
  const cells = [...["button", "small_blind", "big_blind"].map((name) => describePosition(pocket, due, name)), listPosters(pocket, due), listWaiters(due)];
  return h("tr", { key: book.name }, h("th", { scope: "row" }, choose), cells.map((cell, index) => h("td", { key: index, class: chosen && cell !== chosen[index] ? "off" : "" }, cell)));
};

const renderBooks = (pocket) => {
  const { due } = pocket;
  pocket.askAllBooks();
  const chosen = due && !due.unknown ? [...["button", "small_blind", "big_blind"].map((name) => describePosition(pocket, due, name)), listPosters(pocket, due), listWaiters(due)] : null;
  return {
    title: pocket.say("allBooks"),
    content: [
      h("div", { class: "scroll", key: "books", tabindex: 0, role: "region", "aria-label": pocket.say("allBooks") }, h("table", { class: "books" },
        h("thead", {}, h("tr", {}, ["rulebook", "D", "SB", "BB", "posts", "notDealt"].map((name) => h("th", { scope: "col", key: name }, name.length > 2 ? pocket.say(name) : h("abbr", { title: pocket.say(name) }, name))))),
        h("tbody", {}, pocket.books.map((book) => renderBookRow(pocket, book, chosen))))),
      h("p", { class: "note", key: "note" }, pocket.say("offNote")),
    ],
  };
};

// a hand that was dealt otherwise

const readDifferent = (pocket) => pocket.ui.different ?? { button: pocket.due.button, posts: null };

const changeDifferent = (pocket, fields) => {
  const different = { ...readDifferent(pocket), ...fields, faults: null };
  pocket.change({ different });
  pocket.ask({ ask: "check", table: pocket.table, deal: buildDeal(pocket, different) }).then((answer) => {
    if (pocket.ui.different === different) pocket.change({ different: { ...different, faults: answer.faults ?? null, error: [answer.error, answer.hint].filter(Boolean).join(" ") } });
  });
};

const buildDeal = (pocket, { button: seat, posts }) => ({ do: "deal", ...(seat === null ? {} : { button: seat }), ...(posts ? { posts } : {}) });

const readTypedPosts = (pocket, form) => {
  const posts = {};
  for (const [seat, text] of new FormData(form)) {
    const chips = parseChips(text || "0", pocket.answer.exponent);
    if (chips !== 0) posts[seat] = chips ?? text; // Python says what it can't read
  }
  return posts;
};

// The chips due from a seat, as text to change: live and dead together, or "" if unknown.
const formatDueChips = (pocket, seat) => {
  const posts = pocket.due.posts.filter((post) => post.seat === seat);
  if (posts.length === 0 || posts.some((post) => post.chips === null || post.dead === null)) return "";
  return formatChips(posts.reduce((sum, post) => sum + post.chips + post.dead, 0), pocket.answer.exponent);
};

const renderPostForm = (pocket, different) => h(
  "details", { key: "posts" }, h("summary", { class: "key quiet" }, pocket.say("otherPosts")),
  h("form", { class: "posts-form", onChange: (event) => changeDifferent(pocket, { posts: readTypedPosts(pocket, event.currentTarget) }), onSubmit: onSubmit((event) => changeDifferent(pocket, { posts: readTypedPosts(pocket, event.currentTarget) })) },
    [...pocket.seats.values()].sort((one, other) => one.seat - other.seat).map((chair) => h("label", { key: chair.seat },
      h("bdi", {}, `${chair.seat} ${safeName(chair.name)}`), h("input", { name: chair.seat, inputmode: "decimal", autocomplete: "off", maxlength: 9, placeholder: "0", defaultValue: formatDueChips(pocket, chair.seat) })))),
);

const renderDifferent = (pocket) => {
  if (!pocket.due) return { title: pocket.say("different"), content: [] };
  const different = readDifferent(pocket);
  const record = () => { pocket.close(); pocket.act(buildDeal(pocket, different)).then(() => pocket.judge()); };
  return {
    title: pocket.say("differentTitle", { hand: pocket.due.hand }),
    content: [
      h("p", { key: "ask" }, pocket.say("whereButton")),
      h("div", { class: "sheet-chairs", key: "chairs" }, Array.from({ length: pocket.table.seats }, (_, index) => index + 1).map((seat) => h("button", {
        type: "button", class: "key", key: seat, "data-button": seat, "aria-pressed": different.button === seat, onClick: () => changeDifferent(pocket, { button: seat }),
      }, seat, h("small", {}, safeName(pocket.seats.get(seat)?.name ?? "–"))))),
      renderPostForm(pocket, different),
      different.error && h("p", { class: "problem", role: "alert", key: "error" }, different.error),
      different.faults?.length > 0 && h("section", { class: "deal-broken", role: "status", key: "faults" }, h("ul", {}, different.faults.map((fault, index) => h("li", { key: index }, pocket.say("faultLine", { fault: fault.sentence, should: fault.should }), ` ${fault.clause}`)))),
      different.faults?.length === 0 && h("p", { class: "owes", role: "status", key: "fine" }, pocket.say("noFault")),
      h("div", { class: "sheet-keys", key: "keys" }, button("record-different", pocket.say("recordDifferent"), record, "main")),
    ],
  };
};

// the game

const GAMES = ["no-limit 1/2", "no-limit 1/3", "no-limit 2/5", "limit 4/8", "limit 10/20", "limit 20/40"];

// Options that rulebooks leave to the house: the name in the table, its values, and their labels.
const OPTIONS = [
  ["entry-post-required", [[1, "newcomersPost"], [0, "newcomersPlay"]]],
  ["button-method", [["moving", "movingButton"], ["dead", "deadButton"]]],
];

const renderOption = (pocket, name, values) => h("div", { class: "sheet-keys", key: name }, values.map(([value, label]) => {
  const isChosen = pocket.table.options?.[name] === value;
  const { [name]: _, ...others } = pocket.table.options ?? {};
  return button(`${name}-${value}`, pocket.say(label), () => { pocket.close(); pocket.replace({ options: isChosen ? others : { ...others, [name]: value } }); }, "", isChosen);
}));

const renderGame = (pocket) => {
  const take = (game, isTournament) => {
    pocket.close();
    if (pocket.hasDealt && isTournament === pocket.table.tournament) pocket.act({ do: "change_game", game });
    else pocket.put({ ...pocket.table, game, tournament: isTournament });
  };
  return {
    title: pocket.say("game"),
    content: [
      h("div", { class: "sheet-keys", key: "keys" }, GAMES.map((game) => button(game, game, () => take(game, pocket.table.tournament), "", game === pocket.game))),
      h("form", { class: "ask", key: "form", onSubmit: onSubmit((event) => take(field(event, "game"), pocket.table.tournament)) },
        h("label", { for: "game" }, pocket.say("gameHint")), h("input", { id: "game", name: "game", maxlength: 60, autocomplete: "off", autocapitalize: "none", defaultValue: pocket.game }), h("button", { class: "key main", "data-act": "take-game" }, pocket.say("done"))),
      h("h3", { key: "house" }, pocket.say("house")),
      OPTIONS.map(([name, values]) => renderOption(pocket, name, values)),
      !pocket.hasDealt && h("label", { class: "tick", key: "tournament" }, h("input", { type: "checkbox", name: "tournament", checked: pocket.table.tournament, onChange: (event) => take(pocket.table.game, event.target.checked) }), pocket.say("tournament")),
      !pocket.hasDealt && h("div", { class: "sheet-keys", key: "chairs", role: "group", "aria-label": pocket.say("chairs") }, [2, 4, 6, 8, 9, 10].map((seats) => button(`chairs-${seats}`, pocket.say("chairsOf", { seats }), () => {
        pocket.close();
        pocket.put({ ...pocket.table, seats, steps: pocket.table.steps.filter((step) => !(step.seat > seats)) });
      }, "", seats === pocket.table.seats))),
    ],
  };
};

const SHEETS = { why: renderWhy, seat: renderSeat, books: renderBooks, different: renderDifferent, game: renderGame, share: renderShare, more: renderMore };

// Keeps the keyboard in the sheet.
const trapTab = (event) => {
  if (event.key !== "Tab") return;
  const parts = [...event.currentTarget.querySelectorAll("button:not(:disabled), input, select, summary, textarea, a[href], [tabindex='0']")].filter((part) => part.checkVisibility());
  const [first, last] = [parts[0], parts.at(-1)];
  const isOutside = document.activeElement === event.currentTarget;
  if (event.shiftKey && (document.activeElement === first || isOutside)) { event.preventDefault(); last.focus(); }
  else if (!event.shiftKey && document.activeElement === last) { event.preventDefault(); first.focus(); }
};

export const renderSheet = (pocket) => {
  const { sheet } = pocket.ui;
  if (!sheet) return null;
  const { title, content } = SHEETS[sheet.kind](pocket, sheet);
  return h(
    "div", { class: "sheet-back", onClick: (event) => { if (event.target === event.currentTarget) pocket.close(); } },
    h("div", { class: "sheet", role: "dialog", "aria-modal": "true", "aria-label": title, tabindex: -1, key: sheet.kind, onKeyDown: trapTab },
      h("header", {}, h("h2", {}, h("bdi", {}, title)), h("button", { type: "button", class: "key", "data-act": "close", "aria-label": pocket.say("close"), onClick: () => pocket.close() }, "✕")),
      pocket.ui.problem && h("p", { class: "problem", role: "alert" }, pocket.ui.problem),
      content),
  );
};
