// The state machine of the page that records a table: it computes the next state from a state and a line, without page or
// server. If a line's effect isn't known, the state has `isKnown` false, and the server's document counts.
//
//   stateOf(live)            the state of a LiveDocument
//   act(state, text)         the state after a typed key or line: "f", "r 40", ".", "7h2cKd", "4 folds", "u"
//   actAll(state, texts)     the same for several
//   turnOf(state)            { seat, toCall, mayRaise, least, most, why } of the seat to act, or null
//   seatsToAct(state)        the seats still to act in this round, in order, as if each called
//   nextStep(state)          { word, ... } of the next step if no seat is to act, or null
//   potsNow(state)           [{ amount, seats }], main pot first

import { actorOf, betOf, boundsOf, isAllIn, stackLeft, toCall } from "./betting.js";
import { awardsByCards, contendersOf, openPot } from "./awards.js";
import { chipsLeft, potsOf, uncalledBet } from "./chips.js";
import { changesOf } from "./facts.js";
import { areCards, formatChips, isSeat, parseChips, splitCards, splitFacts, splitWords } from "./lines.js";

const CONFIRM = ["", "."];
const IMPLIED = ["uncalled", "showdown"];
const CONFIRMABLE = ["deal done", "street", "uncalled", "showdown", "win", "end"];
const NO_GAME = {
  variant: "", title: "", betting: "", blinds: [], ante: 0, bets: [], bringIn: 0, streets: [], bigStreets: [], boardCards: 0,
  holeCards: 0, holeExact: 0, boards: 1, high: "", low: "", opening: "", options: {},
  straddle: 0, buttonStraddle: false, kill: 0,
};

const gameOf = (facts) => (facts ? {
  variant: facts.variant, title: facts.title, betting: facts.betting, blinds: facts.blinds, ante: facts.ante, bets: facts.bets,
  bringIn: facts.bring_in, streets: facts.streets, bigStreets: facts.big_streets, holeCards: facts.hole_cards,
  boardCards: facts.streets.reduce((sum, plan) => sum + plan.board, 0),
  holeExact: facts.hole_exact, boards: facts.boards, high: facts.high, low: facts.low, opening: facts.opening,
  options: facts.options, straddle: facts.straddle ?? 0, buttonStraddle: facts.button_straddle ?? false, kill: facts.kill ?? 0,
} : NO_GAME);

const emptyRound = (game) => ({
  street: game.streets[0]?.name ?? "preflop", bets: {}, level: 0, lastFullRaise: 0, fullRaises: 0, shortRaises: 0,
  actions: [], lastWager: -1, wagers: [], isClosed: false, isCapped: false,
});

// A hand in which nothing has happened yet.
export const emptyState = ({ game = null, exponent = 0, number = "" } = {}) => ({
  isKnown: true, number, exponent, game: gameOf(game),
  dealt: [], leftOut: [], stacks: {}, button: null, positions: {}, posts: [],
  round: emptyRound(gameOf(game)), streetsOver: 0, putIn: {}, dead: {}, antes: {}, statedAllIn: [], seeded: 0, live: [], killed: [],
  board: [], hole: {}, shown: [], mucked: [],
  isDealt: false, isMisdealt: false, isShowdown: false, isVoided: false, isCompleted: false,
  isOver: false, // the hand doesn't run any more
  awarded: {}, awards: [], dropped: 0,
  proposal: null, // between hands: the next one, as the server proposes it
  line: "", // that led here
  before: null, // the state before it; null: unknown
});

const unknown = (state, line) => ({ ...state, isKnown: false, line, before: state });

// The state after one event, as its line tells it.
const apply = (state, line) => {
  if (!state.isKnown) return unknown(state, line);
  const changes = changesOf(state, line);
  if (changes === null) return unknown(state, line);
  return { ...state, ...changes, line, before: state };
};

const applyAll = (state, lines) => lines.reduce(apply, state);

// Whether the state can be computed: not in games whose cards decide who acts.
const isPlayable = (state) => state.game.opening === "blinds" && state.game.boards === 1 && state.game.streets.length > 0;

// The state of a running hand after all its lines. It's unknown if a line can't be read.
export const stateOfLines = (lines, facts) => {
  const start = emptyState(facts);
  return applyAll(isPlayable(start) ? start : { ...start, isKnown: false }, lines);
};

const agrees = (state, live) => {
  const turn = turnOf(state);
  const theirs = live.moment.turn;
  if ((turn?.seat ?? null) !== (theirs?.seat ?? null)) return false;
  if (turn && turn.toCall !== theirs.to_call) return false;
  const chips = (pots) => pots.reduce((sum, pot) => sum + pot.amount, 0);
  return chips(potsNow(state)) === chips(live.moment.pots);
};

// The state of a server's document. A state that contradicts the document is unknown.
export const stateOf = (live) => {
  const facts = { game: live?.game, exponent: live?.exponent, number: live?.hand };
  if (!live || !live.running) return { ...emptyState(facts), isOver: true, proposal: live?.next ?? null };
  const state = stateOfLines(live.lines.map((told) => told.line), facts);
  return state.isKnown && !agrees(state, live) ? { ...state, isKnown: false } : state;
};

// what can come next

export const hasBegun = (state) => Boolean(state.isDealt || state.round.actions.length || state.streetsOver);

// The seat to act and its options; null before the deal.
export const turnOf = (state) => {
  if (!state.isKnown || state.isOver || !hasBegun(state)) return null;
  const seat = actorOf(state);
  return seat === null ? null : { seat, toCall: toCall(state, seat), ...boundsOf(state, seat) };
};

export const potsNow = (state) => {
  if (!Object.keys(state.putIn).length && !state.seeded) return [];
  return potsOf(state, isAllIn);
};

const callLine = (state, seat, chips) => {
  const left = stackLeft(state, seat);
  return `${seat} calls ${formatChips(chips, state.exponent)}${left !== null && chips >= left ? " all-in" : ""}`;
};

const wagerLine = (state, seat, total) => {
  const left = stackLeft(state, seat);
  const added = total - betOf(state, seat);
  const allIn = left !== null && added >= left ? " all-in" : "";
  const chips = formatChips(total, state.exponent);
  if (state.round.level) return `${seat} raises to ${chips}${allIn}`;
  return betOf(state, seat) ? `${seat} bets ${formatChips(added, state.exponent)} to ${chips}${allIn}` : `${seat} bets ${chips}${allIn}`;
};

// The seats still to act in this round, in order, as if each checked or called.
export const seatsToAct = (state) => {
  const seats = [];
  let later = state;
  for (let turn = turnOf(later); turn && !seats.includes(turn.seat); turn = turnOf(later)) {
    seats.push(turn.seat);
    later = apply(later, turn.toCall ? callLine(later, turn.seat, turn.toCall) : `${turn.seat} checks`);
  }
  return seats;
};

const nextStreet = (state) => {
  const { streets } = state.game;
  const index = streets.findIndex((plan) => plan.name === state.round.street);
  return index < 0 ? null : streets[index + 1] ?? null;
};

const awardLines = (state, awards) => awards.map(({ seat, amount, pot }) => {
  const source = pot === null || pot === undefined ? "" : pot ? ` from side-${pot}` : " from main";
  return `${seat} wins ${formatChips(amount, state.exponent)}${source}`;
});

const awardStep = (state) => {
  if (chipsLeft(state) <= 0) return { word: "overpaid", lines: null };
  const { awards, isUnranked } = awardsByCards(state);
  return { word: "win", awards, isUnranked, lines: awards && awardLines(state, awards) };
};

// What comes where nobody is to act: { word, lines } with the lines that tell it, null where a person must say more.
//   "deal done" · "uncalled" (seat, amount) · "street" (street, cards) · "showdown" · "win" (awards or null) ·
//   "overpaid": more was paid than there is · "end" · "over"
export const nextStep = (state) => {
  if (!state.isKnown) return null;
  if (state.isOver) return { word: "over", lines: null };
  if (state.isVoided || (state.awards.length && !chipsLeft(state))) return { word: "end", lines: ["completed"] };
  if (!state.dealt.length) return null;
  if (!hasBegun(state)) return { word: "deal done", lines: ["deal done"] };
  if (actorOf(state) !== null) return null;
  const bet = uncalledBet(state);
  if (bet) {
    return { word: "uncalled", ...bet, lines: [`${bet.seat} uncalled ${formatChips(bet.amount, state.exponent)}`] };
  }
  if (state.live.length > 1) {
    const street = nextStreet(state);
    if (street) return { word: "street", street: street.name, cards: street.board, lines: street.board ? null : [`street ${street.name}`] };
    if (!state.isShowdown) return { word: "showdown", lines: ["showdown"] };
  }
  return awardStep(state);
};

// What comes when all that goes without saying has been said: a bet goes back, the showdown begins.
export const nextDecision = (state) => {
  let later = state;
  const implied = [];
  let step = nextStep(later);
  while (step && IMPLIED.includes(step.word)) {
    implied.push(...step.lines);
    later = applyAll(later, step.lines);
    step = nextStep(later);
  }
  return { step, implied, state: later };
};

// The seats that can still show or muck at the showdown, by seat number.
export const seatsToShow = (state) =>
  (state.isShowdown && state.live.length > 1
    ? state.live.filter((seat) => !state.shown.includes(seat) && !state.mucked.includes(seat)).sort((low, high) => low - high)
    : []);

// The seat that shows first: the last that bet or raised on the last street, else the first to act.
export const firstToShow = (state) => {
  const waiting = seatsToShow(state);
  const wager = state.round.lastWager >= 0 ? -state.round.actions[state.round.lastWager] : null;
  const order = [...state.live].sort((low, high) => low - high);
  const start = wager ?? order.find((seat) => seat > (state.button ?? 0)) ?? order[0];
  const clockwise = [...order.filter((seat) => seat >= start), ...order.filter((seat) => seat < start)];
  return clockwise.find((seat) => waiting.includes(seat)) ?? null;
};

// keys and lines

const keyLines = (state, key, words) => {
  const turn = turnOf(state);
  if (key === "s" || key === "m") {
    const [seat] = seatsToShow(state);
    if (seat === undefined || chipsLeft(state) <= 0) return null;
    return key === "m" ? [`${seat} mucks`] : [`${seat} shows ${splitCards(words).join(" ")}`];
  }
  if (!turn) return null;
  const { seat } = turn;
  if (key === "f") return [`${seat} folds`];
  if (key === "k" || (key === "c" && !turn.toCall)) return turn.toCall ? null : [`${seat} checks`];
  const left = stackLeft(state, seat);
  const canShove = left && turn.mayRaise && (turn.most === null || betOf(state, seat) + left <= turn.most);
  if (key === "a" && canShove) return [wagerLine(state, seat, betOf(state, seat) + left)];
  if (key === "c" || (key === "a" && turn.toCall === left)) return [callLine(state, seat, turn.toCall)];
  if (!turn.mayRaise || (key !== "r" && key !== "b")) return null;
  const total = words ? parseChips(words, state.exponent) : turn.least === turn.most ? turn.least : null;
  return total === null || total <= state.round.level ? null : [wagerLine(state, seat, total)];
};

const boardLines = (state, text) => {
  const step = nextStep(state);
  const cards = splitCards(text);
  return step?.word === "street" && step.cards === cards.length ? [`${step.street} ${cards.join(" ")}`] : null;
};

// Who can be paid with a word, and how much: as the server has it, all that is left once something was paid.
const payable = (state) =>
  (state.awards.length ? { pot: null, amount: chipsLeft(state), seats: contendersOf(state) } : openPot(state));

const confirmLines = (state) => {
  const step = nextStep(state);
  if (!step || !CONFIRMABLE.includes(step.word)) return null;
  if (step.word === "street" && step.cards) return [`${step.street} ${"?? ".repeat(step.cards).trim()}`];
  if (step.word !== "win" || step.lines || step.isUnranked) return step.lines;
  const pot = payable(state);
  return pot.seats.length === 1 ? awardLines(state, [{ seat: pot.seats[0], amount: pot.amount, pot: pot.pot }]) : null;
};

const winnerLines = (state, seat) => {
  const step = nextStep(state);
  if (step?.word !== "win" || step.isUnranked) return null;
  if (step.awards) return step.awards.every((award) => award.seat === seat) ? step.lines : null;
  const { pot, amount, seats } = payable(state);
  return seats.includes(seat) ? awardLines(state, [{ seat, amount, pot }]) : null;
};

const KEY = /^([fkca])$|^([rb]) ?([\d.]*)$|^(m)$|^(s) ?(.+)$/;

// The lines of what a text means where the hand stands, null where it means nothing here.
const meaningOf = (state, text) => {
  if (CONFIRM.includes(text)) return confirmLines(state);
  if (areCards(text)) return boardLines(state, text);
  const winner = /^(\d{1,2}) +(?:wins?|takes it)$/.exec(text);
  if (winner) return winnerLines(state, Number(winner[1]));
  const key = KEY.exec(text);
  if (key && (!key[6] || areCards(key[6]))) return keyLines(state, key[1] || key[2] || key[4] || key[5], key[3] ?? key[6] ?? "");
  return splitFacts(text);
};

// The same, where a bet that goes back and the showdown go without saying.
const linesOf = (state, text) => {
  const lines = meaningOf(state, text);
  const step = lines === null ? nextStep(state) : null;
  if (!step || !IMPLIED.includes(step.word)) return lines;
  const later = linesOf(applyAll(state, step.lines), text);
  return later && [...step.lines, ...later];
};

// The hand that a line begins between two hands: the proposed one, or one that is written out.
const beginHand = (state, text) => {
  const { proposal } = state;
  const isProposed = CONFIRM.includes(text) && proposal && !proposal.lacks;
  const [first = "", ...lines] = isProposed ? [`hand ${proposal.number}`, ...proposal.lines] : splitFacts(text);
  const [word, number] = splitWords(first);
  if (word !== "hand" || !number) return unknown(state, text);
  const start = { ...emptyState({ exponent: state.exponent, number }), game: state.game };
  if (!isPlayable(start)) return unknown(state, text);
  return applyAll({ ...start, round: emptyRound(start.game), line: first, before: null }, lines);
};

const takeBackLast = (state) => state.before ?? { ...state, isKnown: false };

// The state after a typed key or line. Never throws; `isKnown` is false where the server must say what it leads to.
export const act = (state, text) => {
  const line = text.trim();
  if (line === "u" || line === "undo") return takeBackLast(state);
  if (!state.isKnown) return unknown(state, line);
  if (state.isOver) return beginHand(state, line);
  const lines = linesOf(state, line);
  return lines === null ? unknown(state, line) : applyAll(state, lines);
};

export const actAll = (state, texts) => texts.reduce(act, state);

// The lines of the hand up to here, the first first.
export const linesUpTo = (state) => {
  const lines = [];
  for (let earlier = state; earlier && earlier.line; earlier = earlier.before) lines.unshift(earlier.line);
  return lines;
};

export { betOf, chipsLeft, contendersOf, formatChips, isAllIn, isSeat, openPot, splitWords, stackLeft, toCall };

// A seat's chips now, awards included; null where its stack is unknown.
export const stackOf = (state, seat) => {
  const stack = state.stacks[seat] ?? state.leftOut.find((other) => other.seat === seat)?.stack ?? null;
  return stack === null ? null : stack - (state.putIn[seat] || 0) + (state.awarded[seat] || 0);
};
