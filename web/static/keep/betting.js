// The seat to act, the price of a call and the possible bets. The same as ledger/hand/order.py and bounds.py.

import { potSize } from "./chips.js";
import { limitTotal } from "./limit.js";

const OPENER_RANKS = { unknown: 0, small: 1, button: 2, big: 3, extra: 4 };
const STRADDLE_RANK = 5;

export const betOf = (state, seat) => state.round.bets[seat] || 0;

// The chips that a seat can still bet; null if its stack is unknown.
export const stackLeft = (state, seat) => {
  const stack = state.stacks[seat];
  return stack === null || stack === undefined ? null : Math.max(0, stack - (state.putIn[seat] || 0));
};

export const isAllIn = (state, seat) => {
  if (state.statedAllIn.includes(seat)) return true;
  const stack = state.stacks[seat];
  return stack !== null && stack !== undefined && stack <= (state.putIn[seat] || 0);
};

const canBet = (state, seat) => {
  const cap = state.game.options["bet-cap"];
  return !(isAllIn(state, seat) || (Number.isInteger(cap) && (state.putIn[seat] || 0) >= cap));
};

// The first of some seats clockwise after another seat, which is the last one itself.
const nextClockwise = (seats, start) => {
  const sorted = [...seats].sort((low, high) => low - high);
  return sorted.find((seat) => seat > start) ?? sorted[0] ?? null;
};

const lastBlind = (state) => {
  let best = [-1, 0];
  let poster = null;
  for (const { kind, role, seat, amount, isLive } of state.posts) {
    const isStraddle = kind === "straddle" && isLive && role !== "sleeper";
    if (kind !== "blind" && !isStraddle) continue;
    const rank = isStraddle ? [STRADDLE_RANK, amount] : [OPENER_RANKS[role] ?? -1, 0];
    if (rank[0] < 0 || rank[0] < best[0] || (rank[0] === best[0] && rank[1] < best[1])) continue;
    best = rank;
    poster = seat;
  }
  const big = state.positions.big;
  if (big !== null && big !== undefined && best[0] < OPENER_RANKS.big) return big;
  return poster === null && !state.game.blinds.some(Boolean) ? state.button : poster;
};

const buttonOrBlind = (state) => {
  if (state.button !== null) return state.button;
  const small = state.posts.find((post) => post.kind === "blind" && post.role === "small");
  if (!small) return null;
  return state.dealt.length === 2 ? small.seat : small.seat - 1;
};

const firstSeat = (state, seats) => {
  const isFirstStreet = state.round.street === state.game.streets[0]?.name;
  const start = isFirstStreet ? lastBlind(state) : buttonOrBlind(state);
  return start === null ? null : nextClockwise(seats, start);
};

const highestOther = (state, seat) =>
  Math.max(0, ...Object.entries(state.round.bets).filter(([other]) => Number(other) !== seat).map(([, bet]) => bet));

const waitingSeats = (state) => {
  const { actions, lastWager, isClosed } = state.round;
  if (state.isShowdown || state.isCompleted || state.isVoided || isClosed || state.live.length < 2) return [];
  const since = lastWager >= 0 ? actions.slice(lastWager + 1) : actions;
  const start = lastWager >= 0 ? -actions[lastWager] : null;
  const waiting = state.live.filter((seat) => !since.includes(seat) && seat !== start).filter((seat) => canBet(state, seat));
  if (waiting.length !== 1) return waiting;
  const isOnlyBettor = state.live.filter((seat) => canBet(state, seat)).length === 1;
  return isOnlyBettor && betOf(state, waiting[0]) >= highestOther(state, waiting[0]) ? [] : waiting;
};

const findLastWager = (actions) => actions.findLastIndex((seat) => seat < 0);

// The first seat that the last wager passed over and that has not acted since.
const skippedSeat = (state) => {
  const { actions, lastWager } = state.round;
  const able = state.live.filter((seat) => canBet(state, seat));
  const raiser = -actions[lastWager];
  const earlier = findLastWager(actions.slice(0, lastWager));
  const start = earlier >= 0 ? -actions[earlier] : null;
  const acted = actions.slice(Math.max(earlier, 0)).map(Math.abs);
  const waiting = able.filter((seat) => !acted.includes(seat) && seat !== start);
  if (!waiting.length) return null;
  const first = start === null ? firstSeat(state, [...waiting, raiser]) : nextClockwise([...waiting, raiser], start);
  return first === raiser ? null : first;
};

// The seat to act; null if there is none, or the record doesn't show it.
export const actorOf = (state) => {
  const waiting = waitingSeats(state);
  if (!waiting.length) return null;
  const { actions, lastWager } = state.round;
  if (lastWager < 0) return firstSeat(state, waiting);
  return skippedSeat(state) ?? nextClockwise(waiting, -actions[lastWager]);
};

// The total that a call reaches: a short blind is called at its full amount.
const callLevel = (state) => {
  const { level } = state.round;
  const { blinds } = state.game;
  return level && !state.streetsOver && blinds.length ? Math.max(level, blinds.at(-1)) : level;
};

export const toCall = (state, seat) => {
  if (!state.live.includes(seat)) return 0;
  const missing = Math.max(0, callLevel(state) - betOf(state, seat));
  const left = stackLeft(state, seat);
  return left === null ? missing : Math.min(missing, left);
};

const hasUpperBet = (state) => {
  const schedule = state.game.options["limit-schedule"];
  const { street } = state.round;
  if (typeof schedule === "string" && schedule.startsWith("upper-from-")) {
    const names = state.game.streets.map((plan) => plan.name);
    const first = names.indexOf(schedule.slice("upper-from-".length));
    return first >= 0 && names.indexOf(street) >= first;
  }
  if (schedule === "lower-all-streets" || schedule === "upper-all-streets") return schedule === "upper-all-streets";
  return state.game.bigStreets.includes(street);
};

// The bet of this street: the limit, or the minimum opening bet; 0 = unknown.
const betSize = (state) => {
  const { bets, blinds, betting, options } = state.game;
  if (betting === "limit") {
    const small = bets[0] ?? blinds.at(-1) ?? 0;
    if (!hasUpperBet(state)) return small;
    return bets.length > 1 ? bets[1] : bets.length ? small : 2 * small;
  }
  const minimum = bets[0] ?? blinds.at(-1) ?? state.game.bringIn;
  const open = options["minimum-open"];
  return !state.round.level && Number.isInteger(open) ? Math.max(minimum, open) : minimum;
};

const mayReopen = (state, seat) => {
  if (!state.round.actions.some((actor) => Math.abs(actor) === seat)) return true;
  const missing = callLevel(state) - betOf(state, seat);
  const size = betSize(state);
  if (state.game.betting === "limit") return size > 0 && 2 * missing >= size;
  const full = Math.max(state.round.lastFullRaise, size);
  return full > 0 && missing >= full;
};

const refusalOf = (state, seat, level, most) => {
  if (most !== null && most <= level) return "call-takes-all";
  if (state.live.every((other) => other === seat || isAllIn(state, other))) return "nobody-to-raise";
  const cap = state.game.options["raise-cap"];
  if (state.round.isCapped || (Number.isInteger(cap) && state.round.fullRaises >= cap && state.round.level)) return "raise-cap";
  return mayReopen(state, seat) ? "" : "not-reopened";
};

const limitRange = (state, level, size) => {
  const { wagers } = state.round;
  const { blinds } = state.game;
  let forced = 0;
  if (!state.streetsOver) {
    const posted = wagers.length ? wagers[0].before : level;
    forced = wagers.length && blinds.length ? Math.max(posted, blinds.at(-1)) : posted;
  }
  const wasAllIn = (seat, total) => isAllIn(state, seat) && betOf(state, seat) === total;
  const total = limitTotal({ level, size, forced, wagers, wasAllIn });
  return [total, total];
};

// The minimum and maximum raise, as totals on this street; the maximum is null if there is none.
const raiseRange = (state, level, bet) => {
  const size = betSize(state);
  const { betting, bets, options } = state.game;
  if (!size) return [level + 1, null];
  if (betting === "limit") return limitRange(state, level, size);
  let low = level ? level + Math.max(state.round.lastFullRaise, size) : size;
  const bringIn = options["bring-in"];
  if (Number.isInteger(bringIn) && !state.round.fullRaises && !state.streetsOver) low = Math.max(low, bringIn);
  if (betting === "pot-limit") return [low, Math.max(low, level + potSize(state) + level - bet)];
  if (betting === "spread" && bets.length > 1) return [low, level + bets.at(-1)];
  return [low, null];
};

// The bounds of a seat's bet or raise: { mayRaise, least, most, why }, totals on this street.
export const boundsOf = (state, seat) => {
  const level = callLevel(state);
  const bet = betOf(state, seat);
  const left = stackLeft(state, seat);
  if (isAllIn(state, seat)) return { mayRaise: false, least: bet, most: bet, why: "all-in" };
  const stackTotal = left === null ? null : bet + left;
  const refusal = refusalOf(state, seat, level, stackTotal);
  if (refusal) return { mayRaise: false, least: level, most: level, why: refusal };
  let [low, high] = raiseRange(state, level, bet);
  let why = "";
  const cap = state.game.options["bet-cap"];
  if (Number.isInteger(cap)) {
    const capped = bet + Math.max(0, cap - (state.putIn[seat] || 0));
    if (high === null || capped < high) [high, why] = [capped, "bet-cap"];
  }
  if (stackTotal !== null) {
    high = high === null ? stackTotal : Math.min(high, stackTotal);
    if (stackTotal < low) [low, why] = [stackTotal, "all-in-only"];
  }
  if (high !== null && high <= level) return { mayRaise: false, least: level, most: level, why: "bet-cap" };
  return { mayRaise: true, least: high === null ? low : Math.min(low, high), most: high, why };
};
