// Voluntary posts before the cards are dealt: a straddle, or a kill in a limit game. The same as
// projections/live/voluntary_posts.py.

import { formatChips } from "./lines.js";
import { hasBegun, stackLeft } from "./state.js";

const FURTHEST_BLINDS = ["big", "extra"];

const hasBlind = (state, seat) => state.posts.some((post) => post.kind === "blind" && post.seat === seat);

const canPay = (state, seat, chips) => {
  const left = stackLeft(state, seat);
  return left === null || left >= chips;
};

// The seat left of the furthest blind; null if it has a blind itself.
const seatAfterBlinds = (state, seats) => {
  const blind = state.posts.filter((post) => post.kind === "blind" && FURTHEST_BLINDS.includes(post.role)).at(-1);
  const index = blind ? seats.indexOf(blind.seat) : -1;
  if (index < 0) return null;
  const seat = seats[(index + 1) % seats.length];
  return hasBlind(state, seat) ? null : seat;
};

const straddles = (state, seats) => {
  const chips = state.game.straddle;
  if (!chips || state.posts.some((post) => post.kind === "straddle")) return [];
  const first = seatAfterBlinds(state, seats);
  const { button } = state;
  const hasButtonStraddle = state.game.buttonStraddle && button !== first && seats.includes(button) && !hasBlind(state, button);
  return [
    ...(first === null ? [] : [{ kind: "straddle", seat: first, chips, ending: "" }]),
    ...(hasButtonStraddle ? [{ kind: "straddle", seat: button, chips, ending: " button" }] : []),
  ];
};

const kills = (state, seats) => {
  const chips = state.game.kill;
  if (!chips || state.posts.some((post) => post.kind === "blind" && post.role === "kill")) return [];
  return seats.filter((seat) => !hasBlind(state, seat)).map((seat) => ({ kind: "kill", seat, chips, ending: "" }));
};

const WORDS = { straddle: "straddles", kill: "posts kill" };

// The posts that can be made now: [{ kind, seat, chips, line }].
export const voluntaryPosts = (state) => {
  if (!state.isKnown || state.isOver || state.isMisdealt || hasBegun(state)) return [];
  const seats = state.dealt.map(({ seat }) => seat);
  return [...straddles(state, seats), ...kills(state, seats)]
    .filter(({ seat, chips }) => canPay(state, seat, chips))
    .map(({ kind, seat, chips, ending }) => ({ kind, seat, chips, line: `${seat} ${WORDS[kind]} ${formatChips(chips, state.exponent)}${ending}` }));
};
