// The next hand if it needs no rulebook: the same players, nobody owes anything, and button and blinds move on
// by one seat. It's offered while the server can't be reached.

import { chipsLeft } from "./chips.js";
import { formatChips, quoteName, splitWords } from "./lines.js";
import { linesUpTo, stackOf } from "./state.js";

// Options of the house that don't affect who posts next.
const PLAIN_OPTIONS = new Set(["straddle-allowed", "straddle-amount"]);
const LAST_NUMBER = /[0-9]+(?=[^0-9]*$)/;
// Lines of a hand that change nothing for the next.
const PLAIN = new Set(("hand game option seat button deal remark burn flop turn river showdown completed end rake floor-called").split(" "));
const PLAIN_OF_SEAT = new Set("posts straddles folds checks calls bets raises uncalled shows mucks wins".split(" "));

const nextNumber = (number) => {
  const digits = LAST_NUMBER.exec(number)?.[0];
  if (!digits) return number ? `${number}-2` : "1";
  return number.replace(LAST_NUMBER, String(BigInt(digits) + 1n).padStart(digits.length, "0"));
};

const isPlain = (line) => {
  const [first, second] = splitWords(line);
  return /^\d+$/.test(first) ? PLAIN_OF_SEAT.has(second) : PLAIN.has(first);
};

const clockwise = (seats, from) => [...seats.filter((seat) => seat > from), ...seats.filter((seat) => seat <= from)];

// The positions with the button in a seat: [button, small, big].
const placesFrom = (seats, button) => {
  const order = clockwise(seats, button);
  return seats.length === 2 ? [button, button, order[0]] : [button, order[0], order[1]];
};

const hasUsualPosts = (state, [, small, big]) => {
  const posts = state.posts.filter(({ kind }) => kind !== "straddle").map(({ kind, role, seat, amount }) => `${kind} ${role} ${seat} ${amount}`);
  const [smallBlind, bigBlind] = state.game.blinds;
  return posts.join() === [`blind small ${small} ${smallBlind}`, `blind big ${big} ${bigBlind}`].join() && !Object.keys(state.dead).length;
};

const writeSeat = (name) => (/^[\p{L}\p{N}]+$/u.test(name) && !/^\d/.test(name) ? name : quoteName(name));

// The hand after a finished one: { number, button, small, big, lines }; null if it isn't known here.
export const proposeAfter = (state) => {
  const { game, exponent, button } = state;
  if (!state.isKnown || !state.isCompleted || state.isVoided || chipsLeft(state) || state.leftOut.length) return null;
  if (game.blinds.length !== 2 || game.ante || !Object.keys(game.options).every((option) => PLAIN_OPTIONS.has(option)) || button === null) return null;
  if (!linesUpTo(state).every(isPlain)) return null;
  const seats = state.dealt.map(({ seat }) => seat);
  const stacks = seats.map((seat) => stackOf(state, seat));
  if (seats.length < 2 || !seats.includes(button) || stacks.some((stack) => stack === null || stack < game.blinds[1])) return null;
  if (!hasUsualPosts(state, placesFrom(seats, button))) return null;
  const [next, small, big] = placesFrom(seats, clockwise(seats, button)[0]);
  const chips = (amount) => formatChips(amount, exponent);
  const allIn = (seat, blind) => (stackOf(state, seat) === blind ? " all-in" : "");
  return {
    number: nextNumber(state.number), button: next, small, big, lacks: "",
    lines: [
      ...state.dealt.map(({ seat, player }, index) => `seat ${seat} ${writeSeat(player)} ${chips(stacks[index])}`),
      `button ${next}`,
      `${small} posts small ${chips(game.blinds[0])}${allIn(small, game.blinds[0])}`,
      `${big} posts big ${chips(game.blinds[1])}${allIn(big, game.blinds[1])}`,
    ],
  };
};

// The line that begins the hand, if none of its parts was written yet.
export const openingOf = ({ number, lines }) => [`hand ${number}`, ...lines.map((line) => `${line} derived`)].join("; ");

// The line with which the whole hand is recorded, with posts that players chose.
export const lineOf = (proposal, postLines = []) => [openingOf(proposal), ...postLines, "deal done"].join("; ");
