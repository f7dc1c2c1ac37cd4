// Whether an act that the server offered is still possible after the acts that were pressed since. The server would refuse
// it, and everything that was pressed after it.

import { hasBegun, turnOf } from "./state.js";

// Acts of a running hand, and of a table between two hands. All others are possible at any time.
const BETWEEN_HANDS = new Set("game-broken game-started stakes deck-changed move remove count buy-button".split(" "));
const IN_HAND = {
  misdeal: (state) => !state.streetsOver,
  "exposed-card": (state, seat) => !state.isShowdown && (seat === null || state.live.includes(seat)),
  "boxed-card": (state) => !state.isShowdown,
  "double-burn": (state) => !state.isShowdown,
  "no-burn": (state) => !state.isShowdown,
  rake: () => true,
  "cancel-hand": () => true,
  stop: () => true,
  clock: (state, seat) => turnOf(state)?.seat === seat,
  "wrong-count": (state, seat) => !state.board.length && state.live.includes(seat),
  "kill-hand": (state, seat) => state.live.includes(seat),
  retrieve: (state, seat) => state.killed.includes(seat),
  straddle: (state) => !hasBegun(state),
  "kill-pot": (state) => !hasBegun(state),
};
const UNTIL_THE_END = ["cancel-hand", "stop"]; // all others only until the first award

// `state`: after all pressed acts; `seat`: of the chair that the offer is for, null for the table.
export const isOfferPossible = (state, { name }, seat = null) => {
  if (!state.isKnown) return true;
  if (BETWEEN_HANDS.has(name)) return state.isOver;
  const isPossible = IN_HAND[name];
  if (!isPossible) return true;
  if (state.isOver || state.isVoided) return false;
  if (state.awards.length && !UNTIL_THE_END.includes(name)) return false;
  return isPossible(state, seat);
};

// The offers that acts since the server's document leave.
export const listPossibleOffers = (keep, offers, seat = null) =>
  (keep.store.trail.length ? offers.filter((offer) => isOfferPossible(keep.state, offer, seat)) : offers);
