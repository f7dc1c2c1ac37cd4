// Builds the view that the felt and the bar draw: from the state machine if it knows the state, else from the document.

import { betOf, firstToShow, isAllIn, nextDecision, potsNow, seatsToAct, seatsToShow, stackOf, turnOf } from "./state.js";
import { splitCards } from "./lines.js";

const ROLE_MARKS = { small: "SB", big: "BB", extra: "XB" };
const LEAST_CHAIRS = 2;
const USUAL_CHAIRS = 9;

const statusOf = (state, seat) => {
  if (state.killed.includes(seat)) return "dead";
  if (!state.live.includes(seat)) return "folded";
  return isAllIn(state, seat) ? "all-in" : "in";
};

const rolesOf = (state, seat) => {
  const roles = state.button === seat ? ["D"] : [];
  const placed = Object.entries(state.positions).find(([, other]) => other === seat);
  if (placed) return [...roles, ROLE_MARKS[placed[0]] || placed[0]];
  const posted = state.posts.filter((post) => post.kind === "blind" && post.seat === seat && ROLE_MARKS[post.role]);
  return [...roles, ...posted.map((post) => ROLE_MARKS[post.role])];
};

const chairOfState = (state, { seat, player }) => ({
  seat, player, stack: stackOf(state, seat), bet: betOf(state, seat), status: statusOf(state, seat), roles: rolesOf(state, seat),
  cards: state.hole[seat] || [], hasShown: state.shown.includes(seat), hasMucked: state.mucked.includes(seat),
  won: state.awarded[seat] || 0,
});

const viewOfState = (state) => {
  const turn = turnOf(state);
  const decision = turn ? null : nextDecision(state);
  return {
    isKnown: true, number: state.number, street: state.round.street, isDealt: state.isDealt,
    chairs: [
      ...state.dealt.map((dealt) => chairOfState(state, dealt)),
      ...state.leftOut.map(({ seat, player, stack }) => ({
        seat, player, stack, bet: 0, status: "left-out", roles: rolesOf(state, seat), cards: [], won: 0,
      })),
    ],
    board: state.board, pots: potsNow(state), turn, toAct: turn ? seatsToAct(state) : [],
    step: decision?.step ?? null, implied: decision?.implied ?? [], decisionState: decision?.state ?? state,
    toShow: decision ? seatsToShow(decision.state) : [], firstToShow: decision ? firstToShow(decision.state) : null,
  };
};

const STEP_WORDS = ["deal done", "uncalled", "street", "showdown", "win", "end"];

const stepOfChoices = ({ choices }) => {
  const [first] = choices;
  if (!first || !(STEP_WORDS.includes(first.word) || first.word === "show" || first.word === "muck")) return null;
  const wins = choices.filter((choice) => choice.word === "win");
  const word = STEP_WORDS.includes(first.word) ? first.word : "win";
  return { ...first, word, lines: null, awards: null, wins, isServers: true };
};

const viewOfDocument = (live) => {
  const { moment } = live;
  const acting = live.choices.find((choice) => choice.word === "bet" || choice.word === "raise");
  const turn = moment.turn && {
    seat: moment.turn.seat, toCall: moment.turn.to_call, mayRaise: Boolean(acting), least: acting?.least ?? null, most: acting?.most ?? null,
  };
  return {
    isKnown: true, number: live.hand, street: moment.street, isDealt: live.stage !== "before the deal",
    chairs: moment.seats.map((seat) => ({ ...seat, cards: splitCards(seat.cards), won: 0 })),
    board: splitCards(moment.boards.join("")), pots: moment.pots, turn, toAct: live.to_act, step: turn ? null : stepOfChoices(live),
    implied: [], decisionState: null, toShow: live.choices.filter((choice) => choice.word === "show").map((choice) => choice.seat),
    firstToShow: live.choices.find((choice) => choice.word === "show")?.seat ?? null,
  };
};

// The marks of a seat in the drawing of the next hand.
const rolesOfDeal = (deal, seat) => [
  ...(deal?.button === seat ? ["D"] : []),
  ...(deal?.posts ?? []).filter((post) => post.seat === seat && ROLE_MARKS[post.role]).map((post) => ROLE_MARKS[post.role]),
];

const chairBetweenHands = ({ seat, player, stack, presence }, ended, deal) => {
  const drawn = deal?.line ? deal.seats.find((other) => other.seat === seat) : null;
  const bet = drawn ? deal.posts.filter((post) => post.seat === seat).reduce((sum, post) => sum + post.live + post.dead, 0) : 0;
  const status = drawn && !drawn.dealt ? "left-out" : "in";
  return {
    seat, player, stack: stack === null ? null : stack - bet, bet, status: presence === "away" ? "away" : status,
    roles: drawn ? rolesOfDeal(deal, seat) : [], cards: [], won: bet ? 0 : ended?.awarded[seat] || 0,
  };
};

const viewBetweenHands = (live, ended, deal) => ({
  isKnown: true, number: "", street: "", isDealt: false,
  emptyButton: deal?.button_empty ? deal.button : null, // a dead button
  chairs: live.seated.map((seated) => chairBetweenHands(seated, ended, deal)),
  board: [], pots: [], turn: null, toAct: [], step: null, implied: [], decisionState: null, toShow: [], firstToShow: null,
});

const countChairs = (live, chairs) => Math.max(LEAST_CHAIRS, live.chairs || USUAL_CHAIRS, ...chairs.map((chair) => chair.seat));

// The last known view, if the next state isn't known.
const lastKnownView = (state, live, ended) => {
  let known = state;
  while (known && !known.isKnown) known = known.before;
  let view = live.running ? viewOfDocument(live) : viewBetweenHands(live, ended);
  if (known && known.dealt.length) view = viewOfState(known);
  return { ...view, turn: null, toAct: [], step: null, isKnown: false };
};

// `state`: the state after all pressed acts; `hasTrail`: whether any was pressed since the document; `ended`: the final
// state of the last hand, if this page saw it; `deal`: the drawing of the next hand.
export const viewOf = ({ live, state, hasTrail, ended, deal = null }) => {
  let view;
  if (hasTrail) view = state.isKnown ? viewOfState(state) : lastKnownView(state, live, ended);
  else if (!live.running) view = viewBetweenHands(live, ended, deal);
  else view = state.isKnown ? viewOfState(state) : viewOfDocument(live);
  return { ...view, chairCount: countChairs(live, view.chairs), stage: stageOf(view, live, hasTrail) };
};

const STAGES = { "deal done": "before-deal", street: "street", end: "end", overpaid: "end", uncalled: "next", showdown: "next" };

// The panel to show: betting, before-deal, street, showdown, award, end, over, next, between or waiting.
const stageOf = (view, live, hasTrail) => {
  if (!view.isKnown) return "waiting";
  if (!hasTrail && !live.running) return "between";
  if (view.turn) return "betting";
  const { step } = view;
  if (!step) return "waiting";
  if (step.word === "over") return "over";
  if (step.word === "win") return view.toShow.length ? "showdown" : "award";
  return STAGES[step.word] ?? "next";
};
