// The effect of each recorded line on the state of a hand. The same as ledger/hand/fold.py, as far as a page needs it.
//
// A step returns the changed fields, or null if this page can't know the line's effect.

import { betOf, isAllIn, stackLeft } from "./betting.js";
import { areCards, isSeat, parseChips, splitCards, splitWords } from "./lines.js";

const BOARD_STREETS = ["flop", "turn", "river"];
// Lines that change neither cards, chips nor turn.
const NEUTRAL = new Set(
  ("hand game option level remark burn skipped exposed noticed clock shuffle cut rabbit boxed joker allowed agreed " +
    "floor-called unread sealed").split(" "),
);
const NEUTRAL_OF_SEAT = new Set(
  ("looks says warned timed-out time-bank holds turns-down plays-board sits leaves away back adds removes offers-runs " +
    "finished bounty owes").split(" "),
);

const sum = (amounts, seat, chips) => ({ ...amounts, [seat]: (amounts[seat] || 0) + chips });
const without = (seats, seat) => seats.filter((other) => other !== seat);
const withSeat = (seats, seat) => (seats.includes(seat) ? seats : [...seats, seat].sort((low, high) => low - high));

const stated = (state, seat, words) => (words.includes("all-in") ? withSeat(state.statedAllIn, seat) : state.statedAllIn);

const newRound = (state, street) => ({
  round: {
    street, bets: Object.fromEntries(state.dealt.map(({ seat }) => [seat, 0])), level: 0, lastFullRaise: 0, fullRaises: 0,
    shortRaises: 0, actions: [], lastWager: -1, wagers: [], isClosed: false, isCapped: false,
  },
  streetsOver: state.streetsOver + 1,
});

// Returns chips from a seat's bet.
const takeBack = (state, seat, amount) => {
  const bets = sum(state.round.bets, seat, -amount);
  return {
    putIn: sum(state.putIn, seat, -amount),
    round: { ...state.round, bets, level: Math.max(...Object.values(bets)) },
    statedAllIn: without(state.statedAllIn, seat),
  };
};

// opening

const sitDown = (state, [, seatWord, player, stackWord, reason]) => {
  if (!isSeat(seatWord)) return null;
  const seat = Number(seatWord);
  const stack = stackWord === "?" ? null : parseChips(stackWord, state.exponent);
  if (stackWord !== "?" && stack === null) return null;
  if (reason !== undefined && reason !== "bounty") return null;
  return {
    dealt: [...state.dealt.filter((other) => other.seat !== seat), { seat, player }].sort((one, other) => one.seat - other.seat),
    stacks: { ...state.stacks, [seat]: stack },
    putIn: sum(state.putIn, seat, 0),
    live: withSeat(state.live, seat),
    round: { ...state.round, bets: sum(state.round.bets, seat, 0) },
  };
};

const leaveOut = (state, [, seatWord, player, stackWord, reason = ""]) => {
  if (!isSeat(seatWord)) return null;
  const stack = stackWord === "?" ? null : parseChips(stackWord, state.exponent);
  return { leftOut: [...state.leftOut, { seat: Number(seatWord), player, stack, reason }] };
};

const placeButton = (_, [, seat]) => (isSeat(seat) || seat === "none" ? { button: seat === "none" ? null : Number(seat) } : null);

const placeBlind = (state, [, role, seat]) => ({ positions: { ...state.positions, [role]: isSeat(seat) ? Number(seat) : null } });

const post = (state, seat, words) => {
  const [role, liveWord, ...others] = words;
  const live = parseChips(liveWord, state.exponent);
  const deadWord = others[0] === "dead" ? others[1] : "0";
  const dead = parseChips(deadWord, state.exponent);
  if (live === null || dead === null || !state.live.includes(seat)) return null;
  const bets = sum(state.round.bets, seat, live);
  const isHighest = bets[seat] > state.round.level;
  const raised = isHighest ? { level: bets[seat], lastFullRaise: bets[seat] } : {};
  return {
    posts: [...state.posts, { kind: "blind", role, seat, amount: live, isLive: true }],
    putIn: sum(state.putIn, seat, live + dead),
    dead: dead ? sum(state.dead, seat, dead) : state.dead,
    round: { ...state.round, bets, ...raised },
    statedAllIn: stated(state, seat, others),
  };
};

const straddle = (state, seat, [amountWord, ...others]) => {
  const amount = parseChips(amountWord, state.exponent);
  if (amount === null || !state.live.includes(seat)) return null;
  const isLive = !others.includes("not-live");
  const kind = others.find((word) => !["not-live", "all-in", "not-all-in"].includes(word)) || "";
  const common = {
    posts: [...state.posts, { kind: "straddle", role: kind, seat, amount, isLive }],
    putIn: sum(state.putIn, seat, amount),
    statedAllIn: stated(state, seat, others),
  };
  if (!isLive) return { ...common, dead: sum(state.dead, seat, amount) };
  const bets = sum(state.round.bets, seat, amount);
  const gain = bets[seat] - state.round.level;
  const raised = gain > 0 ? { level: bets[seat], lastFullRaise: Math.max(state.round.lastFullRaise, gain) } : {};
  return { ...common, round: { ...state.round, bets, ...raised } };
};

const ante = (state, seat, [amountWord, ...others]) => {
  const amount = parseChips(amountWord, state.exponent);
  if (amount === null || !state.live.includes(seat)) return null;
  const isDead = others.includes("for-table") || others.includes("penalty");
  return {
    posts: [...state.posts, { kind: "ante", role: "", seat, amount, isLive: false }],
    putIn: sum(state.putIn, seat, amount),
    statedAllIn: stated(state, seat, others),
    ...(isDead ? { dead: sum(state.dead, seat, amount) } : { antes: sum(state.antes, seat, amount) }),
  };
};

// All cards come back, and everybody who was dealt in gets cards again. Lines of their own return chips.
const misdeal = (state, [, reason]) => (state.streetsOver || !reason ? null : {
  isDealt: false, isMisdealt: true, live: state.dealt.map(({ seat }) => seat), killed: [], hole: {},
  round: { ...state.round, actions: [], lastWager: -1, wagers: [] },
});

// betting

const act = (state, seat, changes = {}) => {
  if (!state.live.includes(seat)) return null;
  return { ...changes, round: { ...state.round, actions: [...state.round.actions, seat], ...changes.round } };
};

const fold = (state, seat, words) => (words.length ? null : act(state, seat, { live: without(state.live, seat) }));

const check = (state, seat) => act(state, seat);

const call = (state, seat, words) => {
  const toWord = words[words.indexOf("to") + 1];
  const hasTotal = words.includes("to");
  const added = parseChips(words[0] ?? "", state.exponent);
  if (added === null) return null;
  const total = hasTotal ? parseChips(toWord, state.exponent) : betOf(state, seat) + added;
  if (total === null) return null;
  const round = { bets: { ...state.round.bets, [seat]: total }, level: Math.max(state.round.level, total) };
  return act(state, seat, { round, putIn: sum(state.putIn, seat, added), statedAllIn: stated(state, seat, words) });
};

const wager = (state, seat, added, total, words, isRaise) => {
  if (added === null || total === null || !state.live.includes(seat)) return null;
  const { round } = state;
  const size = total - round.level;
  const isFull = size >= round.lastFullRaise || (state.game.betting === "limit" && size * 2 >= round.lastFullRaise);
  const raise = isRaise ? { [isFull ? "fullRaises" : "shortRaises"]: round[isFull ? "fullRaises" : "shortRaises"] + 1 } : {};
  const isLarger = isRaise ? size >= round.lastFullRaise : size > 0;
  return {
    putIn: sum(state.putIn, seat, added),
    statedAllIn: stated(state, seat, words),
    round: {
      ...round, ...raise,
      actions: [...round.actions, -seat],
      lastWager: round.actions.length,
      wagers: [...round.wagers, { seat, before: round.level, total }],
      bets: { ...round.bets, [seat]: total },
      lastFullRaise: isLarger ? Math.max(size, isRaise ? 0 : round.lastFullRaise) : round.lastFullRaise,
      level: size > 0 ? total : round.level,
    },
  };
};

const bet = (state, seat, words) => {
  const added = parseChips(words[0] ?? "", state.exponent);
  const total = words[1] === "to" ? parseChips(words[2], state.exponent) : betOf(state, seat) + added;
  return wager(state, seat, added, total, words, false);
};

const raise = (state, seat, words) => {
  if (words[0] !== "to") return null;
  const total = parseChips(words[1] ?? "", state.exponent);
  const added = words[2] === "adding" ? parseChips(words[3], state.exponent) : total - betOf(state, seat);
  return wager(state, seat, added, total, words, true);
};

const returnBet = (state, seat, [amountWord]) => {
  const amount = parseChips(amountWord ?? "", state.exponent);
  return amount === null || state.putIn[seat] === undefined ? null : takeBack(state, seat, amount);
};

const kill = (state, seat) =>
  state.isShowdown ? null : { live: without(state.live, seat), killed: withSeat(state.killed, seat) };

// cards

const dealBoard = (state, [street, ...cardWords]) => {
  if (!areCards(cardWords.join(""))) return null;
  const cards = splitCards(cardWords.join(""));
  const names = state.game.streets.map((plan) => plan.name);
  const plan = state.game.streets[names.indexOf(street)];
  const isNext = names.indexOf(street) === names.indexOf(state.round.street) + 1;
  if (!plan || !isNext || cards.length !== plan.board || state.game.boards !== 1) return null;
  return { ...newRound(state, street), board: [...state.board, ...cards] };
};

const dealStreet = (state, [, street]) => (street === state.round.street ? {} : newRound(state, street));

const show = (state, seat, words) => {
  const cardWords = words.filter((word) => areCards(word));
  if (cardWords.length !== words.length) return null;
  return { shown: withSeat(state.shown, seat), hole: { ...state.hole, [seat]: splitCards(cardWords.join("")) } };
};

const muck = (state, seat, words) => (words.every((word) => areCards(word)) ? { mucked: withSeat(state.mucked, seat) } : null);

const hold = (state, seat, words) => {
  const cardWords = words.filter((word) => areCards(word));
  if (!cardWords.length || words.includes("up")) return null;
  return { hole: { ...state.hole, [seat]: splitCards(cardWords.join("")) } };
};

// the end

const win = (state, seat, [amountWord, ...others]) => {
  const amount = parseChips(amountWord ?? "", state.exponent);
  if (amount === null) return null;
  const pot = others[0] === "from" ? others[1] : "";
  return { awarded: sum(state.awarded, seat, amount), awards: [...state.awards, { seat, amount, pot }] };
};

const drop = (state, words) => {
  const amount = parseChips(words.at(-1), state.exponent);
  return amount === null ? null : { dropped: state.dropped + amount };
};

const complete = (state) => ({ isCompleted: true, isOver: true });

const voidHand = (state) => ({
  isVoided: true, putIn: Object.fromEntries(Object.keys(state.putIn).map((seat) => [seat, 0])), dead: {}, antes: {},
  awarded: {}, awards: [], dropped: 0, seeded: 0, statedAllIn: [],
  round: { ...state.round, bets: Object.fromEntries(Object.keys(state.round.bets).map((seat) => [seat, 0])), level: 0 },
});

const STEPS = {
  seat: sitDown, "left-out": leaveOut, button: placeButton, position: placeBlind,
  "deal": (_, words) => (words[1] === "done" ? { isDealt: true } : null),
  street: dealStreet,
  showdown: (_, words) => (words.length === 1 ? { isShowdown: true } : null),
  misdeal,
  capped: (state) => ({ round: { ...state.round, isCapped: true } }),
  rake: drop, jackpot: drop, drop,
  completed: complete, end: complete, stop: () => ({ isOver: true }),
  voided: voidHand,
};
const SEAT_STEPS = {
  posts: post, straddles: straddle, antes: ante, folds: fold, checks: check, calls: call, bets: bet, raises: raise,
  uncalled: returnBet, killed: kill, shows: show, mucks: muck, gets: hold, held: hold, wins: win,
};

// The fields that a line changes, or null if that is unknown here.
export const changesOf = (state, line) => {
  const words = splitWords(line);
  if (words.at(-1) === "derived") words.pop(); // nobody wrote it: it followed from the rulebook
  const [first, second] = words;
  if (isSeat(first)) {
    if (NEUTRAL_OF_SEAT.has(second)) return {};
    return SEAT_STEPS[second]?.(state, Number(first), words.slice(2)) ?? null;
  }
  if (BOARD_STREETS.includes(first)) return dealBoard(state, words);
  if (NEUTRAL.has(first)) return {};
  return STEPS[first]?.(state, words) ?? null;
};

export { isAllIn, stackLeft };
