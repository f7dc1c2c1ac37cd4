// Whose turn it is after acts that are not recorded yet: within one round of betting, and no further. What the page
// cannot know (a street, a showdown, a pot) is `null`: the server says it when what waits is recorded.
//
// A round is { seats: [{ seat, name, stack, bet, status }], toAct: [seat], exponent, sign }, amounts in the smallest unit.

const KEY = /^(?:([fkca])|([rb]) ?([\d.]+))$/;
const LINE = /^(\d+) (folds|checks|calls|bets|raises to)(?: ([\d.]+))?(?: all-in)?$/;
const NEUTRAL = /^(?:floor-called|remark\b.*|rake [\d.]+)$/;
const WORDS = { folds: "f", checks: "k", calls: "c", bets: "r", "raises to": "r" };

// Whether a line is said for the seat whose turn it is, without naming it.
export const isKey = (line) => KEY.test(line);

export const level = (round) => Math.max(0, ...round.seats.map((one) => one.bet));

export const turnOf = (round) => round && round.seats.find((one) => one.seat === round.toAct[0]);

// What the seat whose turn it is would put in to call.
export const owed = (round) => {
  const one = turnOf(round);
  const missing = level(round) - one.bet;
  return one.stack === null ? missing : Math.min(missing, one.stack);
};

const amountOf = (text, exponent) => {
  const [whole, part = ""] = text.split(".");
  const cents = part.replace(/0+$/, "");
  if (!/^\d{1,12}$/.test(whole) || !/^\d*$/.test(cents) || cents.length > exponent) return null;
  return Number(whole + cents.padEnd(exponent, "0"));
};

export const money = (round, chips) => {
  const digits = String(chips).padStart(round.exponent + 1, "0");
  const cut = digits.length - round.exponent;
  const part = digits.slice(cut);
  return round.sign + digits.slice(0, cut) + (/[1-9]/.test(part) ? `.${part}` : "");
};

const put = (one, total) => {
  const left = one.stack === null ? null : Math.max(0, one.stack - (total - one.bet));
  return { ...one, bet: total, stack: left, status: left === 0 ? "all-in" : one.status };
};

const isOver = (seats) => {
  const live = seats.filter((one) => one.status === "in" || one.status === "all-in");
  const able = live.filter((one) => one.status === "in");
  if (live.length < 2 || !able.length) return true;
  return able.length === 1 && able[0].bet >= Math.max(0, ...seats.filter((one) => one !== able[0]).map((one) => one.bet));
};

const clockwise = (seats, from) => {
  const able = seats.filter((one) => one.status === "in" && one.seat !== from).map((one) => one.seat).sort((a, b) => a - b);
  return [...able.filter((seat) => seat > from), ...able.filter((seat) => seat < from)];
};

// The round after the seat whose turn it is did something; null where the round is over, or nobody can tell.
const acted = (round, word, amount) => {
  const one = turnOf(round);
  const swap = (other) => round.seats.map((seat) => (seat === one ? other : seat));
  const high = level(round);
  let total = one.bet;
  if (word === "c") total += owed(round);
  if (word === "a") total = one.stack === null ? null : one.bet + one.stack;
  if (word === "r") total = amount;
  if (total === null || (word === "r" && total <= high) || (word === "k" && owed(round))) return null;
  const isRaise = total > high;
  const seats = swap(word === "f" ? { ...one, status: "folded" } : put(one, total));
  const toAct = isRaise ? clockwise(seats, one.seat) : round.toAct.slice(1);
  return toAct.length && !isOver(seats) ? { ...round, seats, toAct } : null;
};

// The round after one line; null where what it leads to is not known here.
export const after = (round, line) => {
  if (!round || NEUTRAL.test(line)) return round;
  const key = KEY.exec(line);
  const said = LINE.exec(line);
  if (!key && (!said || Number(said[1]) !== round.toAct[0])) return null;
  const word = key ? key[1] || "r" : WORDS[said[2]];
  const text = key ? key[3] : said[3];
  if (word === "r" && !text) return null;
  if (word === "c" && text && amountOf(text, round.exponent) !== owed(round)) return null;
  return acted(round, word, word === "r" ? amountOf(text, round.exponent) : 0);
};

// The round after several lines, of which `u` takes the one before it back.
export const afterAll = (round, lines) => {
  const rounds = [round];
  for (const line of lines) {
    if (line === "u" || line === "undo") {
      rounds.pop();
      if (!rounds.length) return null;
    } else {
      rounds.push(after(rounds.at(-1), line));
    }
  }
  return rounds.at(-1);
};
