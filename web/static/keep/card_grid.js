// Fifty-two cards to tap: rank and suit in one tap. Cards that are on the table already can't be tapped.

import { h } from "../vendor/preact-11.2.0.min.js";

const RANKS = [..."AKQJT98765432"];
const SUITS = [["s", "♠"], ["h", "♥"], ["d", "♦"], ["c", "♣"]];

export const showRank = (card) => (card[0] === "T" ? "10" : card[0]);
export const showSuit = (card) => SUITS.find(([suit]) => suit === card[1])?.[1] ?? "";

// A card as a small picture.
export const renderCard = (card, key) => h(
  "span", { class: `card ${/[shdc]/.test(card[1]) ? card[1] : "unseen"}`, key }, card.includes("?") ? "?" : `${showRank(card)}${showSuit(card)}`,
);

// `used`: cards that are gone; `picked`: those of this choice so far; `onPick(card)`.
export const renderCardGrid = (keep, { used, picked, count, onPick }) => h(
  "div", { class: "card-grid", role: "group", "aria-label": keep.say("cards") },
  SUITS.map(([suit, sign]) => h(
    "div", { class: `card-suit ${suit}`, key: suit },
    RANKS.map((rank) => {
      const card = rank + suit;
      const isPicked = picked.includes(card);
      const isUsed = !isPicked && used.includes(card);
      return h("button", {
        type: "button", class: `card-key ${suit}`, key: card, "data-card": card, disabled: isUsed || (!isPicked && picked.length >= count),
        "aria-pressed": isPicked, "aria-label": keep.say("card", { card: `${showRank(card)}${sign}` }),
        onClick: (event) => { if (!(event.detail > 1 && !picked.length)) onPick(card); },
      }, h("b", {}, showRank(card)), sign);
    }),
  )),
);
