// What the state machine of the page that keeps a table says, hand by hand. Run with `node --test`; KEEP_MODULES names the
// folder of its modules.
import assert from "node:assert/strict";
import { test } from "node:test";

const folder = process.env.KEEP_MODULES;
const { act, actAll, firstToShow, nextDecision, nextStep, openPot, potsNow, seatsToAct, seatsToShow, stackOf, stateOf, stateOfLines, turnOf } =
  await import(`${folder}/state.js`);
const { quoteName, splitFacts, splitWords } = await import(`${folder}/lines.js`);
const { isOfferPossible } = await import(`${folder}/possible_offers.js`);
const { rankHand } = await import(`${folder}/strength.js`);

const STREETS = [["preflop", 0], ["flop", 3], ["turn", 1], ["river", 1]].map(([name, board]) => ({ name, board }));
const HOLDEM = {
  variant: "holdem", title: "Hold'em", betting: "no-limit", blinds: [200, 500], ante: 0, bets: [], bring_in: 0, streets: STREETS,
  big_streets: ["turn", "river"], hole_cards: 2, hole_exact: 0, boards: 1, high: "high", low: "", opening: "blinds", options: {},
};

const deal = (stacks, game = HOLDEM) => {
  const seats = Object.keys(stacks).map(Number);
  const [button, small, big] = seats.length === 2 ? [seats[0], seats[0], seats[1]] : seats;
  return stateOfLines([
    "hand 1", ...seats.map((seat) => `seat ${seat} P${seat} ${stacks[seat]}`),
    `button ${button}`, `${small} posts small 2`, `${big} posts big 5`, "deal done",
  ], { game, exponent: 2, number: "1" });
};

const chips = (state) => potsNow(state).map((pot) => pot.amount / 100);

test("the seat after the big blind opens, and a call is what it lacks", () => {
  const state = deal({ 1: 500, 2: 500, 3: 500, 4: 500 });
  assert.deepEqual([turnOf(state).seat, turnOf(state).toCall, turnOf(state).least, turnOf(state).most], [4, 500, 1000, 50000]);
  assert.deepEqual(seatsToAct(state), [4, 1, 2, 3]);
  assert.deepEqual(chips(state), [7]);
});

test("a raise gives everybody before it another turn", () => {
  const state = actAll(deal({ 1: 500, 2: 500, 3: 500, 4: 500 }), ["c", "r 20", "f", "f"]);
  assert.deepEqual([turnOf(state).seat, turnOf(state).toCall, turnOf(state).least], [4, 1500, 3500]);
});

test("a short all-in doesn't reopen the betting for who has acted", () => {
  const state = actAll(deal({ 1: 500, 2: 500, 3: 25, 4: 500 }), ["r 20", "c", "c", "a"]);
  assert.deepEqual([turnOf(state).seat, turnOf(state).toCall, turnOf(state).mayRaise, turnOf(state).why], [4, 500, false, "not-reopened"]);
});

test("all-ins cut side pots, and what nobody called goes back", () => {
  const state = actAll(deal({ 1: 100, 2: 40, 3: 250, 4: 500 }), ["r 300", "a", "a", "a"]);
  assert.equal(turnOf(state), null);
  assert.deepEqual(nextStep(state), { word: "uncalled", seat: 4, amount: 5000, lines: ["4 uncalled 50"] });
  assert.deepEqual(chips(act(state, ".")), [160, 180, 300]);
  assert.equal(nextDecision(state).step.street, "flop");
});

test("a flop deals itself once its cards are named, and the bet that nobody called goes back before it", () => {
  const state = actAll(deal({ 1: 100, 2: 40, 3: 250, 4: 500 }), ["r 300", "a", "a", "a", "7h2cKd"]);
  assert.deepEqual(state.board, ["7h", "2c", "Kd"]);
  assert.equal(stackOf(state, 4), 25000);
});

test("the last seat is paid what is left, and the hand ends", () => {
  const state = actAll(deal({ 1: 500, 2: 500, 3: 500 }), ["f", "f"]);
  const { step, implied } = nextDecision(state);
  assert.deepEqual([step.word, step.lines, implied], ["win", ["3 wins 4"], ["3 uncalled 3"]]);
  const over = actAll(state, [".", ".", "."]);
  assert.equal(over.isOver, true);
  assert.equal(stackOf(over, 3), 50200);
});

test("shown cards say who wins; who doesn't show mucks", () => {
  const river = actAll(deal({ 1: 500, 2: 500, 3: 500 }), ["c", "c", "k", "7h2cKd", "k", "k", "k", "7d", "k", "k", "k", "Js", "k", "k", "k"]);
  const state = act(river, ".");
  assert.deepEqual(seatsToShow(state), [1, 2, 3]);
  assert.equal(firstToShow(state), 2);
  const shown = actAll(state, ["2 shows Kh Ks", "1 shows Ah Ad", "3 mucks"]);
  assert.deepEqual(nextStep(shown).lines, ["2 wins 15"]);
  const alone = actAll(state, ["1 shows Ah Ad", "2 mucks", "3 mucks"]);
  assert.deepEqual(nextStep(alone).awards, [{ seat: 1, amount: 1500, pot: null }]);
});

test("equal hands split the pot, the odd chip to the first seat", () => {
  const board = ["7h2cKd", "k", "k", "7d", "k", "k", "Js", "k", "k", ".", "1 shows Ah Qc", "2 shows Ad Qs"];
  const state = actAll(deal({ 1: 500, 2: 500 }), ["c", "k", ...board]);
  assert.deepEqual(nextStep(state).awards.map(({ seat, amount }) => [seat, amount]), [[1, 500], [2, 500]]);
});

test("the main pot is paid last where the cards don't say who wins", () => {
  const allIn = actAll(deal({ 1: 500, 2: 40, 3: 500 }), ["r 100", "a", "c", "7h2cKd", "k", "k", ".", "k", "k", ".", "k", "k", "."]);
  const pot = openPot(allIn);
  assert.deepEqual([pot.pot, pot.amount, pot.seats], [1, 12000, [1, 3]]);
  const after = act(allIn, "3 wins 120 from side-1");
  assert.deepEqual([openPot(after).pot, openPot(after).amount], [0, 12000]);
});

test("every act is taken back, one after the other, over streets and after the end", () => {
  const texts = ["c", "f", "k", "7h2cKd", "k", "r 20", "f", ".", ".", "."];
  const states = texts.reduce((all, text) => [...all, act(all.at(-1), text)], [deal({ 1: 500, 2: 500, 3: 500 })]);
  let state = states.at(-1);
  assert.equal(state.isOver, true);
  for (const earlier of states.slice(0, -1).reverse()) {
    state = act(state, "u");
    assert.deepEqual(turnOf(state), turnOf(earlier));
    assert.deepEqual(potsNow(state), potsNow(earlier));
  }
});

test("one line with several facts is several acts", () => {
  const state = act(deal({ 1: 500, 2: 500, 3: 500 }), '1 folds; remark "a; b"; 2 calls 3');
  assert.deepEqual([turnOf(state).seat, state.live], [3, [2, 3]]);
});

test("what isn't understood makes the state unknown, until it is taken back", () => {
  const state = deal({ 1: 500, 2: 500, 3: 500 });
  for (const line of ["1 retrieves", "runs 2", "misdeal", "2 moves 20", "nonsense", "1 folds quickly", "flop 7h", "9 folds"]) {
    const after = act(state, line);
    assert.equal(after.isKnown, false, line);
    assert.equal(turnOf(after), null);
    assert.equal(act(after, "f").isKnown, false);
    assert.deepEqual(act(after, "u"), state);
  }
});

test("after a misdeal everybody gets cards again, and the posts stay", () => {
  const folded = actAll(deal({ 1: 500, 2: 500, 3: 500, 4: 500 }), ["f", "2 killed fouled"]);
  const misdealt = act(folded, "misdeal exposed-card by dealer");
  assert.deepEqual([misdealt.isKnown, turnOf(misdealt), nextStep(misdealt).word, misdealt.live], [true, null, "deal done", [1, 2, 3, 4]]);
  const again = act(misdealt, ".");
  assert.deepEqual([turnOf(again).seat, turnOf(again).toCall, chips(again)], [4, 500, [7]]);
  assert.equal(act(actAll(again, ["f", "f", "c", "k", "7h2cKd"]), "misdeal exposed-card by dealer").isKnown, false);
});

test("offered acts that the acts pressed since rule out aren't possible", () => {
  const possible = (state, name, seat = null) => isOfferPossible(state, { name }, seat);
  const dealt = deal({ 1: 500, 2: 500, 3: 500 });
  for (const name of ["misdeal", "rake", "cancel-hand", "floor", "away"]) assert.equal(possible(dealt, name), true, name);
  for (const name of ["game-broken", "stakes", "move"]) assert.equal(possible(dealt, name), false, name);
  assert.deepEqual([possible(dealt, "clock", 1), possible(dealt, "clock", 2), possible(dealt, "straddle", 1)], [true, false, false]);
  const flop = actAll(dealt, ["f", "c", "k", "7h2cKd"]);
  assert.deepEqual([possible(flop, "misdeal"), possible(flop, "kill-hand", 1), possible(flop, "kill-hand", 2)], [false, false, true]);
  const over = actAll(flop, ["k", "k", "7d", "k", "k", "Js", "k", "k", ".", "2 wins", "."]);
  assert.equal(over.isOver, true);
  for (const name of ["misdeal", "rake", "cancel-hand", "stop", "exposed-card"]) assert.equal(possible(over, name), false, name);
  for (const name of ["game-broken", "floor", "away", "add"]) assert.equal(possible(over, name), true, name);
});

test("keys that mean nothing here make it unknown: the server says why", () => {
  const state = deal({ 1: 500, 2: 500, 3: 500 });
  for (const key of ["k", "7h2cKd", "r 4", "3 wins", "."]) assert.equal(act(state, key).isKnown, false, key);
});

test("a game in which cards decide who acts is left to the server", () => {
  const stud = { ...HOLDEM, variant: "stud", opening: "bring-in-low" };
  assert.equal(deal({ 1: 500, 2: 500 }, stud).isKnown, false);
});

test("between hands the proposed hand is dealt here, and only that one", () => {
  const live = {
    running: false, exponent: 2, game: HOLDEM,
    next: { number: "8", lacks: "", lines: ["seat 1 Ana 500", 'seat 2 "Bo Lee" 500', "button 1", "1 posts small 2", "2 posts big 5"] },
  };
  const dealt = actAll(stateOf(live), [".", "."]);
  assert.deepEqual([dealt.number, turnOf(dealt).seat, dealt.dealt[1].player], ["8", 1, "Bo Lee"]);
  assert.equal(act(stateOf({ ...live, next: { ...live.next, lacks: "no draw" } }), ".").isKnown, false);
  assert.equal(act(stateOf(live), "3 away").isKnown, false);
  const written = act(stateOf(live), "hand 8; seat 1 Ana 500 derived; seat 2 Bo 500 derived; button 2; 2 posts small 2; 1 posts big 5; deal done");
  assert.equal(turnOf(written).seat, 2);
});

test("a state that contradicts the server's document is unknown", () => {
  const lines = ["hand 1", "seat 1 A 500", "seat 2 B 500", "button 1", "1 posts small 2", "2 posts big 5", "deal done"];
  const live = {
    running: true, exponent: 2, hand: "1", game: HOLDEM, lines: lines.map((line) => ({ line })),
    moment: { turn: { seat: 1, to_call: 300 }, pots: [{ amount: 700, seats: [1, 2] }] },
  };
  assert.equal(stateOf(live).isKnown, true);
  assert.equal(stateOf({ ...live, moment: { ...live.moment, turn: { seat: 2, to_call: 300 } } }).isKnown, false);
  assert.equal(stateOf({ ...live, moment: { ...live.moment, pots: [{ amount: 900, seats: [1, 2] }] } }).isKnown, false);
});

test("names in quotes are one word, whatever they hold", () => {
  const name = 'Eve" walk-in; 4 sits "Mal \\';
  assert.deepEqual(splitWords(`3 sits ${quoteName(name)} walk-in`), ["3", "sits", name, "walk-in"]);
  assert.deepEqual(splitFacts(`3 sits ${quoteName(name)}; 4 folds`), [`3 sits ${quoteName(name)}`, "4 folds"]);
});

test("hands are ranked as usual", () => {
  const board = ["Ah", "Kh", "Qh", "2c", "2d"];
  const hands = [["Jh", "Th"], ["2h", "2s"], ["Ad", "Ac"], ["3h", "4h"], ["Js", "Td"], ["2s", "5s"], ["As", "Ks"], ["Ac", "9s"], ["7s", "8s"]];
  const ranks = hands.map((hole) => rankHand({ high: "high", low: "", holeCards: 2, holeExact: 0 }, hole, board));
  assert.deepEqual(ranks, [...ranks].sort((one, other) => other - one));
  assert.equal(new Set(ranks).size, ranks.length);
  const wheel = rankHand({ high: "high", low: "", holeCards: 2, holeExact: 0 }, ["As", "3s"], ["2c", "4d", "5h", "9c", "Jd"]);
  const six = rankHand({ high: "high", low: "", holeCards: 2, holeExact: 0 }, ["6s", "3s"], ["2c", "4d", "5h", "9c", "Jd"]);
  assert.ok(six > wheel);
  assert.equal(rankHand({ high: "high", low: "eight", holeCards: 2, holeExact: 0 }, ["As", "3s"], board), null);
});
