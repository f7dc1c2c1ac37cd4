// The awards of a hand, if the cards or the folds decide them. The same as ledger/recording/choices.py.

import { isAllIn } from "./betting.js";
import { chipsLeft, potsOf } from "./chips.js";
import { rankHand } from "./strength.js";

// Divides a pot among its winners in whole chips; odd chips go one by one to the first seats.
const divide = (amount, winners) => {
  const share = Math.floor(amount / winners.length);
  return winners.map((seat, index) => ({ seat, amount: share + (index < amount - share * winners.length ? 1 : 0) }));
};

const hasConceded = (state, seat) => state.mucked.includes(seat) && !state.shown.includes(seat);

// The live seats that did not muck their cards unseen; all of them if everybody did.
export const contendersOf = (state) => {
  const contending = state.live.filter((seat) => !hasConceded(state, seat));
  return contending.length ? contending : [...state.live];
};

// The winners of a pot: none if the cards aren't recorded, null if this page can't rank them.
const winnersOf = (state, pot) => {
  if (pot.seats.length === 1) return pot.seats;
  const able = pot.seats.filter((seat) => !hasConceded(state, seat));
  if (able.length < 2) return able;
  const { game, board } = state;
  const isUnseen = (cards) => !cards?.length || cards.some((card) => card.includes("?"));
  if (board.length < game.boardCards || able.some((seat) => isUnseen(state.hole[seat]))) return [];
  const ranks = able.map((seat) => rankHand(game, state.hole[seat], board));
  if (ranks.includes(null)) return null;
  const best = Math.max(...ranks);
  return able.filter((_, index) => ranks[index] === best);
};

// The awards that follow from the folds or the cards: { awards: [{ seat, amount, pot }] }; null if they don't follow.
// `isUnranked`: the cards are known, and only the server can rank them.
export const awardsByCards = (state) => {
  const left = chipsLeft(state);
  const none = { awards: null, isUnranked: false };
  if (left <= 0 || state.awards.length) return none;
  if (state.live.length === 1) return { awards: [{ seat: state.live[0], amount: left, pot: null }], isUnranked: false };
  const pots = potsOf(state, isAllIn);
  let taken = pots.reduce((sum, pot) => sum + pot.amount, 0) - left; // what the house took comes off the main pot
  const awards = [];
  for (const [index, pot] of pots.entries()) {
    const winners = winnersOf(state, pot);
    if (winners === null) return { awards: null, isUnranked: true };
    if (!winners.length) return none;
    const amount = index ? pot.amount : pot.amount - taken;
    if (!index) taken = 0;
    if (amount < 0) return none;
    for (const award of divide(amount, winners)) awards.push({ ...award, pot: pots.length > 1 ? index : null });
  }
  return { awards, isUnranked: false };
};

// The pot that is paid next by hand, last side pot first: { pot, amount, seats }.
export const openPot = (state) => {
  const left = chipsLeft(state);
  if (left <= 0) return null;
  const contending = contendersOf(state);
  const pots = potsOf(state, isAllIn);
  const paid = new Set(state.awards.map((award) => award.pot));
  for (let index = pots.length - 1; index > 0; index -= 1) {
    if (paid.has(`side-${index}`) || paid.has(`side${index}`)) continue;
    const seats = pots[index].seats.filter((seat) => contending.includes(seat));
    return { pot: index, amount: pots[index].amount, seats: seats.length ? seats : pots[index].seats };
  }
  return { pot: pots.length > 1 ? 0 : null, amount: left, seats: contending };
};
