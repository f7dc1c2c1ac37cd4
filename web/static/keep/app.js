// The page that records a table. A pressed act goes into the outbox and is drawn at once; the server confirms it later.

import { h, render } from "../vendor/preact-11.2.0.min.js";
import { renderBar, streetCards } from "./bar.js";
import { passesTo } from "./choices.js";
import { chosenPosts } from "./extras.js";
import { renderFelt } from "./felt.js";
import { renderFirstRun } from "./first_run.js";
import { formatChips } from "./lines.js";
import { loadDocument, registerWorker, saveDocument } from "./offline.js";
import { proposeAfter } from "./proposal.js";
import { renderSheet } from "./sheets.js";
import { hasBegun, linesUpTo } from "./state.js";
import { renderStatus, renderTop } from "./status.js";
import { TableStore } from "./store.js";
import { tellLine } from "./tell.js";
import { viewOf } from "./view.js";
import { formatMoney, speaker } from "./words.js";

const SLOW = 700; // milliseconds after which what is on its way is shown as waiting
const root = document.getElementById("keep-app");
const say = speaker(JSON.parse(root.dataset.words));
const query = new URLSearchParams(location.search);
const place = Object.fromEntries(["venue", "tournament", "name"].map((name) => [name, query.get(name) || ""]));
const pointers = new Set(); // fingers that are down: what is under one isn't drawn anew

const FRESH = { sheet: null, picked: [], kind: "", winners: [], showing: null, isWagering: false, isAwarding: false, amount: "", taken: "", typed: "", extras: [], isKilling: false };

const keep = {
  say, token: root.dataset.token, ui: { ...FRESH }, waiting: [], isSlow: false, canReopen: true, view: null,
  get page() { return this.store.page; },
  get live() { return this.store.page.live; },
  get state() { return this.store.state; },
  money: (chips) => formatMoney(chips, { sign: root.dataset.sign, exponent: keep.live?.exponent ?? 0 }),
  chips: (chips) => formatChips(chips, keep.live.exponent),
  press(acts) {
    const list = [acts].flat();
    this.ui = { ...this.ui, taken: "", picked: [], winners: [], showing: null, isAwarding: false, isWagering: false, amount: "" };
    this.store.press(list);
  },
  change(fields) { this.ui = { ...this.ui, ...fields }; draw(); },
  open(sheet) { this.opener = document.activeElement; this.change({ sheet, picked: [], amount: "" }); },
  close() { this.change({ sheet: null, picked: [], amount: "" }); this.opener?.focus?.(); },
  keypad(options) { this.open({ kind: "amount", ...options }); },
  pickCards(options) { this.open({ kind: "cards", ...options }); },
  redraw(added = "") { return this.store.refresh(added); },
  // Takes the last acts back, one by one.
  takeBack(count = 1) {
    const taken = this.undoLabel;
    const line = count > 1 ? "u" : this.undoLine;
    this.store.press(Array.from({ length: count }, () => ({ line, label: say("takeBack") })));
    this.change({ ...FRESH, taken });
  },
  // The acts that follow by themselves: an uncalled bet is returned, the showdown begins.
  impliedActs(lines) {
    return lines.map((line) => ({ line: ".", label: say(line === "showdown" ? "showdown" : "uncalled") }));
  },
  tapChair(seat) {
    const passes = passesTo(this, seat);
    const canShow = this.view.stage === "showdown" && this.view.toShow.includes(seat);
    if (passes) this.press(passes);
    else if (canShow && this.showing !== seat) this.change({ showing: seat, picked: [], isAwarding: false });
    else this.open({ kind: "seat", seat });
  },
  focusOnce(button) {
    if (button && !button.closest("[role=dialog]").contains(document.activeElement)) button.focus();
  },
  get showing() { return this.view.toShow.includes(this.ui.showing) ? this.ui.showing : this.view.firstToShow; },
  // The next hand, if it follows from the last one while the server can't be reached.
  get proposal() { return this.store.outbox.waitingFor ? proposeAfter(this.state) : null; },
  get usedCards() { return streetCards(this.view); },
  get lines() { return linesUpTo(this.state).filter((line) => !/^(hand|game|option|level) /.test(line)); },
  get lastLine() { return this.lines.at(-1) ?? ""; },
  // The text and the line of the next undo: a hand without dealt cards is cancelled.
  get undoLabel() {
    if (!this.store.trail.length && this.page.offers?.undo) return this.page.offers.undo;
    return this.lastLine ? tellLine(this, this.lastLine) : "";
  },
  get undoLine() {
    if (!this.store.trail.length && this.page.offers?.undo_line) return this.page.offers.undo_line;
    const isUndealt = this.state.isKnown && !this.state.isOver && this.live && !hasBegun(this.state);
    return isUndealt ? "voided cancelled; end" : "u";
  },
  get nextStreetName() {
    const streets = this.live.game?.streets ?? [];
    const index = streets.findIndex((street) => street.name === this.view.street);
    return index >= 0 && streets[index + 1] ? say(`street ${streets[index + 1].name}`) : say("showdown");
  },
};

const renderPage = () => {
  if (!keep.live) return [renderTop(keep), renderStatus(keep), h("section", { class: "start" }, renderFirstRun(keep))];
  return [renderTop(keep), renderFelt(keep), renderBar(keep), renderSheet(keep)];
};

let isLate = false; // something is to be drawn, and a finger is down
const draw = () => {
  if (pointers.size) {
    isLate = true;
    return;
  }
  const { store } = keep;
  store.adopt();
  if (keep.live) {
    const hasTrail = store.trail.length > 0 || store.outbox.isBroken;
    keep.waiting = store.outbox.acts;
    const deal = keep.page.offers?.deal;
    const posts = hasTrail || !deal ? [] : chosenPosts(keep).map(({ kind, seat, chips }) => ({ seat, role: kind, live: chips, dead: 0 }));
    keep.view = viewOf({ live: keep.live, state: store.state, hasTrail, ended: store.ended, deal: deal && { ...deal, posts: [...deal.posts, ...posts] } });
  }
  root.dataset.stage = keep.live ? keep.view.stage : "first-run";
  if (store.isBusy) root.setAttribute("aria-busy", "true");
  else root.removeAttribute("aria-busy");
  const focused = document.activeElement;
  const wasInPanel = Boolean(focused?.closest(".panel"));
  render(renderPage(), root);
  if (wasInPanel && (!focused.isConnected || focused.disabled)) { // for who goes on by keyboard
    root.querySelector(".choices button:enabled, .foot .next:enabled, .foot button:enabled")?.focus({ preventScroll: true });
  }
  root.dataset.ready = "";
};

const lifted = (event) => {
  if (event) pointers.delete(event.pointerId);
  else pointers.clear();
  if (pointers.size || !isLate) return;
  isLate = false;
  setTimeout(draw); // the click comes first
};

const embedded = JSON.parse(root.dataset.page);
const kept = await loadDocument(); // a page that was opened without a network is older than what was seen since
const page = kept && kept.position > embedded.position ? kept : embedded;
keep.store = new TableStore({
  page, place, token: root.dataset.token, say, onChange: () => keep.store && draw(), onDocument: (latest) => saveDocument(latest).catch(() => {}),
});
// Puts a refused typed line back into its field, to be corrected. An undo that was refused took nothing back.
keep.store.onRefused = (refused) => {
  keep.ui = { ...keep.ui, taken: "" };
  const typed = refused.find((act) => act.line);
  if (typed && !keep.ui.typed) keep.ui = { ...keep.ui, typed: typed.line };
};

// A floor approved an act on the approval page, which leads back here.
if (location.hash.startsWith("#approved=")) {
  keep.store.outbox.forgetApproved(decodeURIComponent(location.hash.slice("#approved=".length)));
  history.replaceState(null, "", location.pathname + location.search);
}

document.body.addEventListener("log-grown", () => keep.store.grew());
document.addEventListener("pointerdown", (event) => pointers.add(event.pointerId));
for (const over of ["pointerup", "pointercancel"]) document.addEventListener(over, lifted);
document.addEventListener("visibilitychange", () => lifted());
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && keep.ui.sheet) keep.close(); });
window.addEventListener("pagehide", () => keep.store.outbox.release());
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); }); // its acts may have been sent by another
window.addEventListener("online", () => keep.store.work());
setInterval(() => keep.store.work(), 1000);

let slowFrom = 0;
setInterval(() => {
  const isWaiting = keep.store.outbox.acts.length > 0;
  slowFrom = isWaiting ? slowFrom || Date.now() : 0;
  const isSlow = isWaiting && Date.now() - slowFrom > SLOW;
  if (isSlow === keep.isSlow) return;
  keep.isSlow = isSlow;
  draw();
}, SLOW / 2);

draw();
document.documentElement.dataset.keeps = "acts";
keep.store.work();
saveDocument(page).catch(() => {});
registerWorker().then((isPossible) => { keep.canReopen = isPossible; draw(); });
