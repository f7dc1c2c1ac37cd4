// The felt: an oval with chairs, stacks, bets, cards, the board and the pot.

import { h } from "../vendor/preact-11.2.0.min.js";
import { renderCard } from "./card_grid.js";
import { safeName, still } from "./words.js";

const BOARD_CARDS = 5;
const PERIMETER = 8; // of a square whose half side is 1
// The number of chairs at the bottom (left half), on the left, at the top and on the right, by the number of all chairs.
const SIDES = {
  2: [0, 1, 0, 1], 3: [0, 1, 1, 1], 4: [0, 1, 2, 1], 5: [0, 2, 1, 2], 6: [0, 2, 2, 2], 7: [0, 2, 3, 2], 8: [1, 2, 2, 2], 9: [1, 2, 3, 2],
  10: [1, 3, 2, 3],
};
const ALONG = { 1: [0], 2: [-0.38, 0.38], 3: [-0.68, 0, 0.68] }; // from left to right
const DOWN = { 1: [0], 2: [-0.3, 0.5], 3: [-0.75, 0, 0.75] }; // from top to bottom

const tableOf = ([bottom, left, top, right]) => [
  ...(bottom ? [{ x: ALONG[2][0], y: 1 }] : []),
  ...[...DOWN[left]].reverse().map((y) => ({ x: -1, y })),
  ...(top ? ALONG[top] : []).map((x) => ({ x, y: -1 })),
  ...DOWN[right].map((y) => ({ x: 1, y })),
  ...(bottom ? [{ x: ALONG[2][1], y: 1 }] : []),
];

const PLACES = Object.fromEntries(Object.entries(SIDES).map(([count, sides]) => [count, tableOf(sides)]));

// The place of a chair, as { x, y } from -1 to 1: chairs go clockwise around the table, the dealer sits at the bottom.
export const placeOf = (seat, count) => {
  if (PLACES[count]) return PLACES[count][seat - 1];
  const way = ((seat - 0.5) / count) * PERIMETER;
  if (way < 1) return { x: -way, y: 1 };
  if (way < 3) return { x: -1, y: 2 - way };
  if (way < 5) return { x: way - 4, y: -1 };
  if (way < 7) return { x: 1, y: way - 6 };
  return { x: 8 - way, y: 1 };
};

export const sideOf = ({ x, y }) => {
  if (y === 1) return "bottom";
  if (y === -1) return "top";
  return x < 0 ? "left" : "right";
};

const stateText = (keep, chair) => {
  if (["folded", "dead", "left-out", "away"].includes(chair.status)) return keep.say(chair.status);
  if (chair.status === "all-in" && !chair.won) return keep.say("all-in");
  return chair.stack === null ? "" : keep.money(chair.stack);
};

// The text of a chair for screen readers.
const describeChair = (keep, chair, isTurn) => {
  const parts = [keep.say("seatOf", { seat: chair.seat, player: safeName(chair.player) }), ...chair.roles.map((role) => keep.say(role))];
  const text = stateText(keep, chair);
  if (text) parts.push(text);
  if (chair.bet) parts.push(keep.say("betOf", { chips: keep.money(chair.bet) }));
  if (isTurn) parts.push(keep.say("acts"));
  return parts.join(", ");
};

const renderMarks = (keep, roles) => roles.map((role) => h("span", { class: `mark ${role}`, key: role, "aria-hidden": "true" }, keep.say(role)));

// Whether a name ends with the seat's number, like "Player 7" in seat 7.
const endsWithSeat = ({ seat, player }) => player.endsWith(` ${seat}`);

const renderChair = (keep, view, seat, chair, waiting) => {
  const place = placeOf(seat, view.chairCount);
  const style = { "--x": place.x.toFixed(3), "--y": place.y.toFixed(3) };
  const isTurn = view.turn?.seat === seat;
  const isPicked = keep.ui.winners.includes(seat);
  const common = {
    type: "button", "data-seat": seat, style, key: seat, onClick: () => keep.tapChair(seat), "data-side": sideOf(place),
  };
  if (!chair) {
    return h("button", { ...common, class: "chair empty", "data-status": "empty", "aria-label": keep.say("emptyChair", { seat }) }, h("span", { class: "plate" }, h("b", {}, seat)),
      view.emptyButton === seat && h("span", { class: "marks" }, renderMarks(keep, ["D"])));
  }
  const classes = ["chair", chair.status, isTurn && "turn", isPicked && "picked", chair.won && "won", view.stage === "showdown" && !keep.ui.isAwarding && keep.showing === seat && "shows"];
  return h(
    "button",
    { ...common, class: classes.filter(Boolean).join(" "), "data-status": chair.status, "data-turn": isTurn ? "" : undefined, "aria-label": describeChair(keep, chair, isTurn) },
    h("span", { class: "plate" },
      h("bdi", { class: "name" }, endsWithSeat(chair) ? null : h("small", {}, `${seat} `), safeName(chair.player)),
      h("span", { class: "stack" }, still(stateText(keep, chair))),
      waiting.has(seat) && h("span", { class: "waits" }, h("span", { class: "unseen" }, keep.say("waits")))),
    h("span", { class: "marks" }, renderMarks(keep, chair.roles)),
    chair.cards.length > 0 && chair.status !== "folded" && h("span", { class: "hole" }, chair.cards.map((card, index) => renderCard(card, index))),
    chair.hasMucked && !chair.cards.length && h("span", { class: "hole mucked" }, keep.say("mucked")),
    chair.bet > 0 && h("span", { class: "bet", key: `bet ${chair.bet}` }, keep.money(chair.bet)),
    chair.won > 0 && h("span", { class: "bet gain", key: "gain" }, `+${keep.money(chair.won)}`),
  );
};

const renderBoard = (keep, view) => {
  const picked = keep.ui.kind === "board" ? keep.ui.picked : [];
  const cards = [...view.board, ...picked];
  const places = Math.max(view.boardCards ?? BOARD_CARDS, cards.length);
  return h("div", { class: "board" }, Array.from({ length: places }, (_, index) => (
    cards[index] ? renderCard(cards[index], index) : h("span", { class: "card place", key: index })
  )));
};

const renderMiddle = (keep, view) => h(
  "div", { class: "middle" },
  h("p", { class: "street" }, still(view.street ? keep.say(`street ${view.isDealt ? view.street : "before the deal"}`) : "")),
  renderBoard(keep, view),
  h("p", { class: "pots" }, view.pots.map((pot, index) => h(
    "span", { class: "pot", key: `${index} ${pot.amount}` }, keep.say(index ? "sidePot" : "pot", { amount: keep.money(pot.amount) }),
  ))),
);

export const renderFelt = (keep) => {
  const { view } = keep;
  const chairs = new Map(view.chairs.map((chair) => [chair.seat, chair]));
  const waiting = new Set(keep.isSlow ? keep.waiting.map((act) => act.seat) : []);
  const seats = Array.from({ length: view.chairCount }, (_, index) => index + 1);
  return h(
    "section", { class: "felt", inert: Boolean(keep.ui.sheet), "aria-label": keep.say("theTable"), "data-chairs": view.chairCount },
    h("div", { class: "oval" }),
    renderMiddle(keep, view),
    seats.map((seat) => renderChair(keep, view, seat, chairs.get(seat), waiting)),
  );
};
