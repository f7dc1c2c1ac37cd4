// Shortcuts in a round of betting: usual bets, folds up to a chair, checks all around.

import { act, turnOf } from "./state.js";

const PRESETS = ["least", "half", "pot", "twice", "all-in"];

// Usual bets and raises as totals on this street, in a fixed order; null for one that isn't possible now.
export const wagerPresets = (keep) => {
  const { turn, chairs, pots } = keep.view;
  const level = Math.max(0, ...chairs.map((chair) => chair.bet));
  const pot = pots.reduce((sum, { amount }) => sum + amount, 0);
  const whole = 10 ** keep.live.exponent;
  const round = (total) => (total >= 2 * whole ? Math.floor(total / whole) * whole : total);
  const chair = chairs.find((other) => other.seat === turn.seat);
  const stackTotal = chair && chair.stack !== null ? chair.stack + chair.bet : null;
  const totals = {
    least: turn.least,
    half: round(level + Math.floor((pot + turn.toCall) / 2)),
    pot: round(level + pot + turn.toCall),
    twice: round(level + 2 * (pot + turn.toCall)),
    "all-in": stackTotal,
  };
  const isPossible = (total) =>
    turn.mayRaise && total !== null && (turn.least === null || total >= turn.least) && (turn.most === null || total <= turn.most);
  return PRESETS.map((name) => ({ name, total: isPossible(totals[name]) ? totals[name] : null }));
};

const passAct = (keep, turn) => (turn.toCall
  ? { line: "f", seat: turn.seat, label: keep.say("foldOf", { seat: turn.seat }) }
  : { line: "k", seat: turn.seat, label: keep.say("checkOf", { seat: turn.seat }) });

// The acts with which everybody before a chair folds, or checks if there is nothing to call; null if the chair
// doesn't act later in this round.
export const passesTo = (keep, seat) => {
  const { turn, toAct } = keep.view;
  if (!turn || turn.seat === seat || !toAct.includes(seat) || !keep.state.isKnown) return null;
  const acts = [];
  let { state } = keep;
  for (let next = turnOf(state); next && next.seat !== seat; next = turnOf(state)) {
    const pass = passAct(keep, next);
    acts.push(pass);
    state = act(state, pass.line);
  }
  return acts;
};

// The acts with which everybody still to act checks; null if somebody must call.
export const checksAround = (keep) => {
  const { turn, toAct } = keep.view;
  if (!turn || turn.toCall || !keep.state.isKnown) return null;
  const acts = [];
  let { state } = keep;
  for (const seat of toAct) {
    const next = turnOf(state);
    if (!next || next.seat !== seat || next.toCall) return null;
    acts.push(passAct(keep, next));
    state = act(state, "k");
  }
  return acts;
};

// The cards that are on the table or in a shown hand.
export const streetCards = (view) => [...view.board, ...view.chairs.flatMap((chair) => chair.cards)];
