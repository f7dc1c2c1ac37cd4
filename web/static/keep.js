// Keeps a table on its page. What is pressed goes into the outbox; the turn moves on here at once, and what waits is
// drawn as waiting. When all is recorded the page is drawn again as the server has it.
import { Outbox, answerOf } from "./outbox.js";
import { afterAll, isKey, level, money, owed, turnOf } from "./turn.js";

const place = new URLSearchParams(location.search);
place.delete("key");
const names = Object.fromEntries(["venue", "tournament", "name"].map((name) => [name, place.get(name) || ""]));
const main = () => document.getElementById("main");
const LISTED = 6; // of what waits, the last ones
const pointers = new Set(); // fingers that are down: a button under one is not drawn anew
let round = null; // the round of betting as the page that was drawn last had it
let trail = []; // what was pressed since
let isDue = false; // the page is to be drawn again as the server has it
let isLate = false; // it was not, because of a finger
let asked = 0; // so many pages: of several on their way the one asked for last counts
let drawn = ""; // the page as it was drawn last
let turnDrawn = ""; // what the turn was drawn from, and the status: nothing is drawn twice under a finger or a caret
let statusDrawn = "";

// A text in the page's language, with its fields filled in: the page brings them along.
const words = JSON.parse(document.querySelector(".keep").dataset.words);
const say = (name, fields = {}) => words[name].replace(/\{(\w+)\}/g, (_, field) => fields[field]);

const send = async (act) => {
  const token = document.querySelector("input[name=token]")?.value || "";
  const { number, sender, after, line } = act;
  const fields = { number, sender, after, written: line, seat: act.seat ?? "", since: act.since ?? "" };
  const answer = await fetch("/keep.json", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...names, ...fields, token }),
    signal: AbortSignal.timeout(10000),
  });
  return answerOf(answer.status, await answer.json().catch(() => null), say);
};

const stored = (kind) => { try { return window[kind]; } catch { return null; } };
const outbox = new Outbox({
  store: stored("localStorage"), session: stored("sessionStorage"), place: new URLSearchParams(names).toString(), send, say,
  onChange: () => changed(),
});

// Acts that an earlier version of this page left behind cannot be sent by their numbers: they are shown.
const former = `keep ${location.search.slice(1)}`;
try {
  for (const act of JSON.parse(localStorage.getItem(former)) || []) outbox.refuse(act.line, say("updated"));
  localStorage.removeItem(former);
} catch { /* nothing was left that can be read */ }

// drawing

const element = (tag, fields = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), fields);
  made.append(...children);
  return made;
};

const press = (line, label, kind = "") => element("button", { name: "line", value: line, className: kind }, label);

// The round of betting after what was pressed, null where it is not known here.
const current = () => (outbox.isBroken ? null : afterAll(round, trail.map((act) => act.line)));

// Draws the acts of the seat whose turn it is as the server would.
const actsOf = (now) => {
  const one = turnOf(now);
  const call = owed(now);
  const who = element("p", { className: "who" }, say("toAct", { seat: one.seat, player: one.name }));
  const fold = press("f", say("fold"));
  const mayRaise = one.stack === null || one.stack > call;
  const found = call ? [who, fold, press("c", say("call", { amount: money(now, call) }), "main")] : [who, press("k", say("check"), "main")];
  if (mayRaise) {
    const word = say(level(now) ? "raise" : "bet");
    const label = element("label", { htmlFor: "wager" }, say(level(now) ? "raiseTo" : "bet"));
    const field = element("input", { id: "wager", name: "amount", inputMode: "decimal", size: 6, autocomplete: "off" });
    found.push(element("span", { className: "wager" }, label, " ", field, press("r {amount}", word)));
    if (one.stack !== null) found.push(press("a", say("allIn")));
  }
  return call ? found : [...found, fold];
};

const chipsOf = (now, { status, bet, stack }) => {
  const said = ["folded", "dead", "all-in", "left-out"].includes(status) ? say(status) : "";
  const left = stack === null ? "" : say("left", { amount: money(now, stack) });
  return [bet ? say("betOf", { chips: money(now, bet) }) : "", said || left].filter(Boolean).join(" · ");
};

const drawTurn = () => {
  const form = document.querySelector(".acts > form");
  const state = JSON.stringify([trail, outbox.acts, outbox.isBroken]);
  if (!form || !trail.length || turnDrawn === state) return;
  turnDrawn = state;
  drawn = "";
  const now = current();
  const hidden = [...form.querySelectorAll("input[type=hidden]")];
  const later = element("p", { className: "who" }, say("later"));
  form.dataset.seat = now ? turnOf(now).seat : "";
  form.replaceChildren(...hidden, ...(now ? actsOf(now) : [later]));
  const seats = new Map((now ? now.seats : []).map((one) => [String(one.seat), one]));
  for (const item of document.querySelectorAll(".seats > li[data-seat]")) {
    const one = seats.get(item.dataset.seat);
    item.classList.toggle("turn", Boolean(now) && item.dataset.seat === form.dataset.seat);
    if (one) {
      item.classList.toggle("folded", one.status === "folded");
      item.querySelector("summary .small").textContent = chipsOf(now, one);
    }
    item.querySelector(".waits")?.remove();
    const acts = outbox.acts.filter((act) => String(act.seat) === item.dataset.seat);
    if (acts.length) item.querySelector("summary").append(" ", element("span", { className: "waits tag" }, say("waits")));
  }
};

const drawStatus = () => {
  const status = document.getElementById("waiting");
  if (!status) return;
  const { acts, refused, waitingFor, isKept } = outbox;
  const state = JSON.stringify([acts, refused, waitingFor, isKept, isDue, outbox.isHopeless]);
  if (state === statusDrawn) return;
  statusDrawn = state;
  const parts = [];
  if (acts.length) {
    const reason = waitingFor.replace(/[.。]$/, "");
    const count = acts.length;
    const kept = say(isKept ? "kept" : "unkept");
    const sentence = reason ? say("waitingFor", { reason, count }) : say("waiting", { count });
    parts.push(element("p", {}, waitingFor || !isKept ? say("both", { sentence, next_sentence: kept }) : sentence));
    if (outbox.isHopeless) parts.push(element("button", { type: "button", onclick: () => outbox.giveUp() }, say("giveUp")));
    const last = acts.slice(-LISTED);
    parts.push(element("ol", { start: acts.length - last.length + 1 }, ...last.map((act) => element("li", { className: "waits" }, act.label))));
  } else if (isDue && waitingFor) {
    parts.push(element("p", {}, say("notShown", { reason: waitingFor.replace(/[.。]$/, "") })));
  }
  if (refused.length) {
    const items = refused.map(({ label: act, why, hint }) => element("li", {}, hint ? say("whyAndHint", { act, reason: why, hint }) : say("why", { act, reason: why })));
    const seen = element("button", { type: "button", onclick: () => outbox.dismiss() }, say("seen"));
    parts.push(element("div", { className: "refused" }, element("p", {}, say("refused")), element("ul", {}, ...items), seen));
  }
  status.replaceChildren(...parts);
  status.hidden = !parts.length;
};

const draw = () => {
  if (pointers.size) {
    isLate = true;
    return;
  }
  drawTurn();
  drawStatus();
};

// What was refused while it was typed comes back into its field, to be put right.
let refusedBefore = 0;
const changed = () => {
  const { refused } = outbox;
  if (refused.length > refusedBefore) {
    isDue = true;
    const typed = refused.slice(refusedBefore).find((act) => act.line);
    const field = document.querySelector("form.ask input[name=written]");
    if (typed && field && !field.value) field.value = typed.line;
  }
  refusedBefore = refused.length;
  if (!outbox.acts.length && (trail.length || outbox.reached > outbox.seen)) isDue = true;
  draw();
};

// the page as the server has it

const typing = () => ["form.ask input[name=written]", "#wager", "#board"].flatMap((selector) => {
  const field = document.querySelector(selector);
  return field && (field.value || field === document.activeElement) ? [[selector, field.value, field === document.activeElement]] : [];
});

const read = () => {
  const acts = document.querySelector(".acts");
  round = acts?.dataset.round ? JSON.parse(acts.dataset.round) : null;
  if (round && !round.toAct.length) round = null;
  outbox.drawn(Number(document.querySelector(".keep")?.dataset.position || 0));
};

const replace = (fresh) => {
  const kept = typing();
  main().replaceWith(document.importNode(fresh, true));
  for (const [selector, value, isFocused] of kept) {
    const field = document.querySelector(selector);
    if (!field) continue;
    field.value = value;
    if (isFocused) field.focus();
  }
  if (window.htmx) window.htmx.process(main());
};

// Draws the page anew, unless it was drawn before the last act, or an act waits, or a finger is down.
const redraw = async () => {
  const mine = ++asked;
  const answer = await fetch(location.href, { headers: { accept: "text/html" }, signal: AbortSignal.timeout(10000) });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("main");
  const position = Number(fresh?.querySelector(".keep")?.dataset.position ?? -1);
  if (!answer.ok || mine !== asked || outbox.acts.length || position < outbox.reached) return;
  if (pointers.size) {
    isLate = true;
    return;
  }
  isDue = false;
  outbox.waitingFor = "";
  trail = [];
  turnDrawn = statusDrawn = "";
  if (drawn !== fresh.outerHTML) {
    drawn = fresh.outerHTML;
    replace(fresh);
  }
  read();
  draw();
};

const busy = (isBusy) => {
  if (isBusy) main().setAttribute("aria-busy", "true");
  else main().removeAttribute("aria-busy");
};

let isWorking = false;
const work = async () => {
  if (isWorking) return;
  isWorking = true;
  try {
    if (outbox.acts.length || isDue) busy(true);
    do {
      await outbox.pump();
      if (isDue && !outbox.acts.length) await redraw();
    } while (outbox.acts.length && !outbox.waitingFor);
  } catch {
    outbox.waitingFor = say("offline");
  } finally {
    isWorking = false;
    busy(false);
    draw();
  }
};

// what is pressed

const typedIn = (data, name) => {
  const text = (data.get(name) || "").trim();
  return name === "who" ? `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"` : text;
};

const lineOf = (data, button) => {
  const line = (button?.name === "line" ? button.value : "")
    .replace(/\[([^\]{]*)\{(\w+)\}\]/g, (_, words, name) => ((data.get(name) || "").trim() ? words + typedIn(data, name) : ""))
    .replace(/\{(\w+)\}/g, (_, name) => typedIn(data, name));
  return (line || data.get("written") || "").trim() || ".";
};

const KEYS_SAID = { f: "foldOf", k: "checkOf", c: "callOf", a: "allInOf" };
const labelOf = (line, seat) => (seat === null ? line : say(KEYS_SAID[line] || "totalOf", { seat, amount: line.replace(/^[rb] ?/, "") }));

// Enter in the field of a bet is that bet, never the first button of the form, which folds.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement) || !event.target.closest(".acts")) return;
  event.preventDefault();
  event.target.closest(".wager")?.querySelector("button[name=line]").click();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.getAttribute("action") !== "/keep" || form.elements.game) return;
  event.preventDefault();
  const data = new FormData(form);
  const line = lineOf(data, event.submitter);
  const isTyped = event.submitter?.name !== "line";
  const now = turnOf(current());
  const seat = isKey(line) && form.dataset.seat ? Number(form.dataset.seat) : isKey(line) && now ? now.seat : null;
  const label = labelOf(line, seat);
  if (trail.length && (line === "." || (isKey(line) && (!now || now.seat !== seat)))) {
    outbox.refuse(label === "." ? say("enter") : label, now ? say("turnOf", { seat: now.seat }) : say("unseen"));
    return;
  }
  for (const field of form.querySelectorAll("input:not([type=hidden])")) field.value = "";
  trail.push(outbox.press({ line, label: label === "." ? event.submitter?.textContent || say("enter") : label, seat, typed: isTyped }));
  draw();
  work();
});

// Cards by two taps: a rank, then a suit.
document.addEventListener("focusin", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement) || !field.dataset.pad || field.nextElementSibling?.classList.contains("pad")) return;
  const pad = document.createElement("span");
  pad.className = "pad";
  const suits = [["♠", "s"], ["♥", "h"], ["♦", "d"], ["♣", "c"], ["?", "??"], ["⌫", ""]];
  for (const [shown, sign] of [..."AKQJT98765432"].map((rank) => [rank, rank]).concat(suits)) {
    const key = element("button", { type: "button", className: { s: "s", h: "h", d: "d", c: "c" }[sign] || "" }, shown);
    key.setAttribute("aria-label", sign ? say("card", { card: shown }) : say("delete"));
    key.addEventListener("click", () => { field.value = sign ? field.value + sign : field.value.slice(0, -1); });
    pad.append(key);
  }
  field.after(pad);
});

// Another device went on: shown at once, unless something is being typed or pressed here.
const grown = () => {
  const isTyping = [...document.querySelectorAll(".keep input:not([type=hidden])")]
    .some((field) => field.value !== field.defaultValue || field === document.activeElement);
  if (!isTyping && !outbox.acts.length && !isWorking && !document.querySelector(".keep details[open]")) redraw().catch(() => {});
};

const lifted = (event) => {
  if (event) pointers.delete(event.pointerId);
  else pointers.clear();
  if (pointers.size || !isLate) return;
  isLate = false;
  setTimeout(() => { // the click comes first
    draw();
    if (isDue) work();
    else grown();
  });
};

document.body.addEventListener("log-grown", grown);
document.addEventListener("pointerdown", (event) => pointers.add(event.pointerId));
for (const over of ["pointerup", "pointercancel"]) document.addEventListener(over, lifted);
document.addEventListener("visibilitychange", () => lifted());
window.addEventListener("pagehide", () => outbox.release());
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); }); // its acts may have been sent by another
window.addEventListener("online", work);
setInterval(work, 1000);
document.documentElement.dataset.keeps = "acts"; // until now a press is a form that is sent, as without a script
read();
trail = [...outbox.acts];
changed();
work();
