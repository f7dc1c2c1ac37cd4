// Holds the state machine of the page that keeps a table against the documents of the server: reads hands as JSON from
// the first argument, [[{ text, live }]], each step with the document after it, and prints what differs.
import { readFileSync } from "node:fs";

const [, , hands, folder] = process.argv;
const { proposeAfter } = await import(`${folder}/proposal.js`);
const { voluntaryPosts } = await import(`${folder}/voluntary.js`);
const { act, nextStep, potsNow, seatsToAct, stackOf, stateOf, turnOf } = await import(`${folder}/state.js`);

const sorted = (values) => [...values].sort((one, other) => one - other);

// What a state says, in the words of the document; null where it says that it doesn't know.
const said = (state) => {
  if (!state.isKnown) return null;
  if (state.isOver) return { isOver: true };
  const turn = turnOf(state);
  const step = turn ? null : nextStep(state);
  return {
    isOver: false,
    turn: turn && [turn.seat, turn.toCall, turn.mayRaise, turn.mayRaise ? turn.least : null, turn.mayRaise ? turn.most : null],
    toAct: turn ? seatsToAct(state) : [],
    pots: potsNow(state).map(({ amount, seats }) => [amount, sorted(seats)]),
    stacks: state.dealt.map(({ seat }) => [seat, stackOf(state, seat), state.round.bets[seat] || 0]),
    street: state.round.street,
    step: step && step.word,
    awards: step?.awards ? step.awards.map(({ seat, amount }) => [seat, amount]) : null,
  };
};

const WIN = /seat (\d+) \$?([\d.]+)/g;
const told = (live) => {
  if (!live.running) return { isOver: true };
  const { moment } = live;
  const { turn } = moment;
  const wins = live.choices.filter((choice) => choice.word === "win");
  const [win] = wins;
  let awards = null;
  if (wins.length === 1 && win.amount !== null) awards = [[win.seat, win.amount]];
  else if (wins.length === 1) awards = [...win.label.matchAll(WIN)].map(([, seat, amount]) => [Number(seat), Math.round(Number(amount) * 10 ** live.exponent)]);
  return {
    isOver: false,
    turn: turn && [turn.seat, turn.to_call, turn.may_raise, turn.may_raise ? turn.least : null, turn.may_raise ? turn.most : null],
    toAct: live.to_act,
    pots: moment.pots.map(({ amount, seats }) => [amount, sorted(seats)]),
    stacks: moment.seats.filter((seat) => seat.status !== "left-out").map((seat) => [seat.seat, seat.stack, seat.bet]),
    street: live.stage === "before the deal" ? null : moment.street,
    step: turn ? null : live.choices[0]?.word ?? null,
    awards,
  };
};

const failures = [];
const counts = { offered: 0, compared: 0, unknown: 0, hands: 0, steps: 0, proposed: 0 };
const comparePosts = (state, posts, where) => {
  if (!posts || !state.isKnown) return;
  const sortedLines = (lines) => JSON.stringify([...lines].sort());
  const [ours, theirs] = [sortedLines(voluntaryPosts(state).map(({ line }) => line)), sortedLines(posts)];
  counts.offered += posts.length;
  if (ours !== theirs && failures.length < 5) failures.push({ where: `${where}: straddles and kills`, ours, theirs });
};
const compare = (state, live, where) => {
  const ours = said(state);
  counts.steps += 1;
  if (ours === null) {
    counts.unknown += 1;
    return;
  }
  const theirs = told(live);
  if (theirs.street === null) theirs.street = ours.street;
  if (ours.awards === null) theirs.awards = null; // who wins is left to a person
  if (ours.step === "win" && ["show", "muck", "win"].includes(theirs.step)) theirs.step = "win";
  if (ours.step === "overpaid" && [null, "show", "muck"].includes(theirs.step)) theirs.step = "overpaid";
  counts.compared += 1;
  const [left, right] = [JSON.stringify(ours), JSON.stringify(theirs)];
  if (left !== right && failures.length < 5) failures.push({ where, ours: left, theirs: right });
};

for (const [index, hand] of JSON.parse(readFileSync(hands, "utf-8")).entries()) {
  counts.hands += 1;
  const states = hand.map(({ live }) => stateOf(live));
  for (const [step, { live, posts }] of hand.entries()) {
    compare(states[step], live, `hand ${index}, drawn at ${step}`);
    comparePosts(states[step], posts, `hand ${index}, drawn at ${step}`);
  }
  for (const start of [0, Math.floor(hand.length / 3), Math.floor(hand.length / 2)]) {
    let state = states[start];
    for (const [offset, { text, live, posts }] of hand.slice(start + 1).entries()) {
      state = act(state, text);
      comparePosts(state, posts, `hand ${index} from ${start}, after ${text}`);
      const proposal = live.running ? null : proposeAfter(state);
      if (proposal && live.next) {
        counts.proposed += 1;
        const [ours, theirs] = [[proposal.number, ...proposal.lines].join("; "), [live.next.number, ...live.next.lines].join("; ")];
        if ((ours !== theirs || live.next.lacks) && failures.length < 5) failures.push({ where: `after hand ${index}`, ours, theirs });
      }
      compare(state, live, `hand ${index} from ${start}, after ${start + 1 + offset}: ${text}`);
    }
  }
}
console.log(JSON.stringify({ ...counts, failures }));
