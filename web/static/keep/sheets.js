// The frame of sheets that open over the table, and some sheets: the record, findings, keypad and cards for other players.

import { h } from "../vendor/preact-11.2.0.min.js";
import { renderCardGrid } from "./card_grid.js";
import { renderEventSheet } from "./event_sheet.js";
import { renderKeypad } from "./keypad.js";
import { OFFER_SHEETS } from "./offers.js";
import { renderRecent } from "./recent.js";
import { renderSeatSheet } from "./seat_sheet.js";
import { findingsOf, renderWaitingActs, waitingText } from "./status.js";
import { tellLine } from "./tell.js";
import { renderWho } from "./who.js";
import { safeName } from "./words.js";

const RECENT = 12;
const EXAMPLES = ["floor-called", "4 leaves", "4 sits NAME walk-in", "4 away", "4 back", "4 adds 100", "4 straddles 10", "rake 1", "burn"];

const sendLine = (keep) => {
  const line = keep.ui.typed.trim() || ".";
  keep.change({ typed: "" });
  keep.press({ line, label: line === "." ? keep.say("enter") : line, typed: true });
};

// The lines of the hand, newest first: a tap on one takes it and all after it back.
const renderLines = (keep) => {
  if (!keep.store.trail.length && keep.page.offers) return renderRecent(keep);
  const lines = keep.lines.slice(-RECENT).reverse();
  if (!lines.length) return h("p", { class: "note" }, keep.say("noLines"));
  return h("ol", { class: "record" }, lines.map((line, index) => h(
    "li", { key: keep.lines.length - index },
    h("span", {}, tellLine(keep, line), h("code", { lang: "en", translate: "no" }, line)),
    h("button", { type: "button", class: "key", onClick: () => { keep.takeBack(index + 1); keep.close(); } }, keep.say("takeBackTo")),
  )));
};

const renderRecord = (keep) => h(
  "div", { class: "record-sheet" },
  h("form", { class: "ask", onSubmit: (event) => { event.preventDefault(); sendLine(keep); } },
    h("input", {
      type: "text", name: "written", "aria-label": keep.say("aLine"), autocomplete: "off", list: "lines", value: keep.ui.typed, onInput: (event) => { keep.ui = { ...keep.ui, typed: event.target.value }; },
    }),
    h("button", { class: "key" }, keep.say("recordLine"))),
  h("datalist", { id: "lines" }, EXAMPLES.map((line) => h("option", { value: line, key: line }))),
  waitingText(keep) && h("p", { class: "refused" }, waitingText(keep)),
  renderWaitingActs(keep),
  renderLines(keep),
);

const renderFindings = (keep) => h("ul", { class: "found" }, findingsOf(keep.live).map((finding, index) => h(
  "li", { class: finding.severity, key: index },
  h("b", {}, finding.saw), " ", finding.should, finding.mendable && h("i", {}, " ", keep.say("mendable")), ` ${finding.book} ${finding.clause}`,
)));

const renderAmount = (keep, { presets, onDone, doneLabel }) => renderKeypad(keep, {
  title: "", text: keep.ui.amount, presets, hasDecimals: keep.live.exponent > 0, doneLabel: doneLabel ?? keep.say("done"),
  onText: (amount) => keep.change({ amount }),
  onDone: (amount) => { keep.close(); onDone(amount); },
});

const renderCards = (keep, { count, onDone }) => renderCardGrid(keep, {
  used: keep.usedCards, picked: keep.ui.picked, count,
  onPick: (card) => {
    const { picked } = keep.ui;
    const cards = picked.includes(card) ? picked.filter((other) => other !== card) : [...picked, card];
    if (cards.length < count) { keep.change({ kind: "sheet", picked: cards }); return; }
    keep.close();
    onDone(cards.join(""));
  },
});

const SHEETS = {
  seat: (keep, sheet) => renderSeatSheet(keep, sheet.seat),
  ...OFFER_SHEETS, events: renderEventSheet, record: renderRecord, who: renderWho, findings: renderFindings, amount: renderAmount, cards: renderCards,
};

const titleOf = (keep, sheet) => {
  if (sheet.title) return sheet.title;
  if (sheet.kind !== "seat") return keep.say(sheet.kind);
  const chair = keep.view.chairs.find((other) => other.seat === sheet.seat);
  return chair ? keep.say("seatOf", { seat: sheet.seat, player: safeName(chair.player) }) : keep.say("emptyChair", { seat: sheet.seat });
};

export const renderSheet = (keep) => {
  const { sheet } = keep.ui;
  if (!sheet) return null;
  const title = titleOf(keep, sheet);
  return h(
    "div", { class: "sheet-back", key: "sheet", onClick: (event) => { if (event.target === event.currentTarget) keep.close(); } },
    h("section", { class: "sheet", role: "dialog", "aria-modal": "true", "aria-label": title, "data-sheet": sheet.kind },
      h("header", {}, h("h2", {}, title), h("button", { type: "button", class: "key", "data-act": "close", onClick: () => keep.close(), ref: (button) => keep.focusOnce(button) }, keep.say("close"))),
      h("div", { class: "sheet-body" }, SHEETS[sheet.kind](keep, sheet))),
  );
};
