// Below the table: one sentence, who posts what, and the keys.

import { h } from "../vendor/preact-11.2.0.min.js";
import { safeName, still } from "../keep/words.js";
import { describePosts } from "./felt.js";
import { withRunning } from "./seats.js";

const key = (pocket, act, label, onClick, kind = "", isDisabled = false) => h(
  "button", { type: "button", class: `key ${kind}`, "data-act": act, key: act, disabled: isDisabled, onClick }, typeof label === "string" ? still(label) : label,
);

const renderProblem = (pocket) => h("p", { class: "problem", role: "alert", hidden: !pocket.ui.problem }, pocket.ui.problem);

const describeLoading = (pocket) => (pocket.share < 1 ? pocket.say("loading", { percent: Math.round(pocket.share * 100) }) : pocket.say("starting"));

const renderWhyKey = (pocket, title, reasons, clauses) => (reasons.length || clauses.length) > 0 && h("button", {
  type: "button", class: "key why-key", "aria-haspopup": "dialog", "aria-label": pocket.say("whyOf", { what: title }),
  onClick: () => pocket.open({ kind: "why", title, reasons, clauses }),
}, clauses[0] ?? "?");

const renderPost = (pocket, post) => {
  const label = pocket.say("postLine", { player: safeName(post.name), chips: describePosts(pocket, [post]), kind: pocket.say(`kind ${post.kind}`) });
  return h("li", { key: `${post.seat} ${post.kind}` }, h("span", {}, h("small", {}, `${post.seat} `), h("bdi", {}, label)), renderWhyKey(pocket, label, post.reasons, post.clauses));
};

const renderSeatNote = (pocket, seat) => {
  const label = pocket.say(`line ${pocket.statusOf(seat)}`, { player: safeName(seat.name) });
  return h("li", { key: seat.seat, class: "noted" }, h("span", {}, h("small", {}, `${seat.seat} `), h("bdi", {}, label)), renderWhyKey(pocket, label, seat.reasons, seat.clauses));
};

const NOTED = new Set(["must_post", "may_choose", "waits", "open", "no_chips"]);

const renderDue = (pocket, due) => {
  const button = due.button === null ? "" : pocket.say(due.button_is_dead ? "deadButtonLine" : "buttonLine", { seat: due.button, player: safeName(pocket.seats.get(due.button)?.name ?? "") });
  return h(
    "ul", { class: "posts" },
    button && h("li", { key: "button" }, h("span", {}, h("small", {}, "D "), h("bdi", {}, button)), renderWhyKey(pocket, button, due.button_reasons, due.button_reasons.flatMap((reason) => (reason.basis === "fallback" ? [] : reason.clauses)))),
    due.posts.map((post) => renderPost(pocket, post)),
    due.seats.filter((seat) => NOTED.has(pocket.statusOf(seat))).map((seat) => renderSeatNote(pocket, seat)),
    due.unknowns.map((unknown, index) => h("li", { key: `unknown ${index}`, class: "unknown" }, h("span", {}, pocket.reason(unknown)))),
    due.readings.length > 1 && h("li", { key: "readings", class: "unknown" }, h("span", {}, pocket.say("otherReadings", { readings: due.readings.slice(1).map((reading) => reading.text).join(" / ") }))),
  );
};

const renderFaults = (pocket) => pocket.answer?.faults?.length > 0 && h(
  "section", { class: "deal-broken", key: "faults" },
  h("p", {}, pocket.say("lastWrong", { hand: pocket.answer.number })),
  h("ul", {}, pocket.answer.faults.map((fault, index) => h("li", { key: index }, pocket.say("faultLine", { fault: fault.sentence, should: fault.should }), " ",
    renderWhyKey(pocket, fault.sentence, [{ sentence: fault.reason || fault.asks, clauses: [fault.clause] }], [fault.clause])))),
);

const renderUndoKey = (pocket) => key(pocket, "undo", `↶ ${pocket.say("undo")}`, () => pocket.takeBack(), "quiet", !pocket.history.length && !pocket.table.steps.length);

const describeFirstSteps = (pocket) => {
  const count = pocket.seats.size;
  const { mode } = pocket.ui;
  const everybody = () => {
    const free = Array.from({ length: pocket.table.seats }, (_, index) => index + 1).filter((seat) => !pocket.seats.has(seat));
    pocket.act(...free.map((seat) => ({ do: "sit", seat, name: pocket.say("playerOf", { seat }) })));
  };
  return {
    call: mode === "button" ? pocket.say(pocket.table.running ? "tapButton" : "tapFirstButton") : pocket.say("tapChairs"),
    keys: mode === "button"
      ? [key(pocket, "back-to-seats", pocket.say("back"), () => pocket.change({ mode: "seats" }), "quiet")]
      : [
        pocket.history.length > 0 && renderUndoKey(pocket),
        key(pocket, "everybody", pocket.say("everybody"), everybody, "quiet", count === pocket.table.seats),
        key(pocket, "to-button", pocket.say("toButton"), () => pocket.change({ mode: "button" }), "main", count < 2),
      ],
  };
};

const renderDealKeys = (pocket) => [
  renderUndoKey(pocket),
  key(pocket, "different", pocket.say("different"), () => pocket.open({ kind: "different" }), "", !pocket.due?.posts),
  key(pocket, "deal", pocket.say("dealt", { hand: pocket.due?.hand ?? "" }), () => pocket.act({ do: "deal" }), "main", !pocket.due?.posts || Boolean(pocket.due.unknown)),
];

const describeDue = (pocket, due) => (due.unknown ? pocket.reason(due.unknown) : due.error ? [due.error, due.hint].filter(Boolean).join(" ") : due.sentence);

const LONG = 110; // letters of a call that is set smaller

// The dues. An outdated answer is hidden; it only reserves the space of the next one.
export const renderPanel = (pocket) => {
  const isFirst = !pocket.hasDealt;
  const { isWorking } = pocket;
  const due = isWorking ? pocket.answer.due[pocket.table.rulebook] : pocket.due;
  const { call, keys } = isFirst ? describeFirstSteps(pocket) : { call: due ? describeDue(pocket, due) : isWorking ? "" : describeLoading(pocket), keys: renderDealKeys(pocket) };
  return h(
    "section", { class: "panel", inert: Boolean(pocket.ui.sheet), "aria-label": pocket.say("whoPosts") },
    h("div", { class: `answer${isWorking ? " working" : ""}`, "aria-busy": isWorking },
      isWorking && h("p", { class: "working-note", key: "working" }, pocket.say("working")),
      renderProblem(pocket),
      h("p", { class: `call${call.length > LONG ? " long" : ""}`, role: "status", key: "call" }, call),
      isFirst && h("label", { class: "tick", key: "running" }, h("input", { type: "checkbox", name: "running", checked: Boolean(pocket.table.running), onChange: (event) => pocket.put(withRunning(pocket.table, event.target.checked)) }), pocket.say("isRunning")),
      isFirst && !pocket.isStarted && h("p", { class: "note", key: "loading" }, describeLoading(pocket)),
      !isFirst && renderFaults(pocket),
      !isFirst && due && !due.unknown && !due.error && renderDue(pocket, due),
      !isFirst && pocket.answer && h("button", { type: "button", class: "key", "data-act": "books", "aria-haspopup": "dialog", key: "books", onClick: () => pocket.open({ kind: "books" }) }, pocket.say("allBooks"))),
    h("div", { class: "pocket-foot" }, keys),
  );
};
