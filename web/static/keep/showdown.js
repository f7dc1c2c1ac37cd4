// The showdown in the panel: keys to show, to muck, and to pay the winners.

import { h } from "../vendor/preact-11.2.0.min.js";
import { renderCardGrid } from "./card_grid.js";
import { act, actAll, nextStep, openPot } from "./state.js";
import { safeName, still } from "./words.js";

const nameOf = (keep, seat) => {
  const player = keep.view.chairs.find((chair) => chair.seat === seat)?.player ?? "";
  return keep.say("seatOf", { seat, player: safeName(player) });
};

const muckAct = (keep, seat) => ({ line: `${seat} mucks`, seat: null, label: keep.say("muckOf", { seat }) });

const showHole = (keep, seat, cards) => {
  keep.change({ picked: [], showing: null });
  const label = keep.say("showOf", { seat, amount: cards.join(" ") });
  keep.press([...keep.impliedActs(keep.view.implied), { line: `${seat} shows ${cards.join(" ")}`, label }]);
};

// The keys beside the name of the player to show: muck, or name the winner.
export const renderShowdownKeys = (keep) => {
  const seat = keep.showing;
  if (seat === null || keep.ui.isAwarding) return null;
  return [
    h("button", {
      type: "button", class: "key", "data-act": "muck", key: "muck", onClick: () => keep.press([...keep.impliedActs(keep.view.implied), muckAct(keep, seat)]),
    }, keep.say("muck")),
    h("button", { type: "button", class: "key quiet", "data-act": "winner", key: "winner", onClick: () => keep.change({ isAwarding: true }) }, keep.say("whoWins")),
  ];
};

// The grid for the hand that is shown now.
export const renderShowdown = (keep) => {
  const seat = keep.showing;
  if (seat === null || keep.ui.isAwarding) return renderWinners(keep);
  const count = keep.live.game?.hole_cards || 2;
  const picked = keep.ui.kind === "hole" ? keep.ui.picked : [];
  return h("div", { class: "pick", key: "pick" }, renderCardGrid(keep, {
    used: keep.usedCards, picked, count,
    onPick: (card) => {
      const cards = picked.includes(card) ? picked.filter((other) => other !== card) : [...picked, card];
      if (cards.length === count) showHole(keep, seat, cards);
      else keep.change({ kind: "hole", picked: cards });
    },
  }));
};

// The pot that is paid now: of the state machine, or of the server's document.
const potToPay = (keep) => {
  const { decisionState, step } = keep.view;
  if (decisionState) return openPot(decisionState);
  const wins = step.wins ?? [];
  return wins.length ? { pot: null, amount: wins[0].amount, seats: wins.map((win) => win.seat).filter((seat) => seat !== null) } : null;
};

// The seats that can be paid, to be tapped: several share the pot.
export const renderWinners = (keep) => {
  const pot = potToPay(keep);
  if (!pot || !pot.seats.length) return null;
  const { winners } = keep.ui;
  const toggle = (seat) => keep.change({ winners: winners.includes(seat) ? winners.filter((other) => other !== seat) : [...winners, seat] });
  return h(
    "div", { class: "winners", key: "winners", role: "group", "aria-label": keep.say("whoWins") },
    h("p", { class: "hint" }, keep.say(pot.pot ? "sidePot" : "pot", { amount: keep.money(pot.amount) })),
    pot.seats.map((seat) => h("button", {
      type: "button", class: "key winner", key: seat, "data-winner": seat, "aria-pressed": winners.includes(seat), onClick: () => toggle(seat),
    }, nameOf(keep, seat))),
    keep.ui.isAwarding && keep.view.toShow.length > 0 && h("button", {
      type: "button", class: "key quiet", "data-act": "show-cards", key: "cards", onClick: () => keep.change({ isAwarding: false, winners: [] }),
    }, keep.say("showCards")),
  );
};

const payLines = (keep, winners, { pot, amount }) => {
  const share = Math.floor(amount / winners.length);
  const sorted = [...winners].sort((one, other) => one - other);
  const source = pot === null ? "" : pot ? ` from side-${pot}` : " from main";
  return sorted.map((seat, index) => {
    const chips = share + (index < amount - share * winners.length ? 1 : 0);
    return { line: `${seat} wins ${keep.chips(chips)}${source}`, label: keep.say("winOf", { seat, amount: keep.chips(chips) }) };
  });
};

const endAct = (keep) => ({ line: ".", label: keep.say("end") });

// The acts of an award, with the end of the hand where all is paid by it.
const withEnd = (keep, acts) => {
  const { decisionState } = keep.view;
  if (!decisionState) return acts;
  const after = acts.map((one) => one.line).reduce(act, decisionState);
  return after.isKnown && nextStep(after)?.word === "end" ? [...acts, endAct(keep)] : acts;
};

// The big button's two lines: the amount, and the winners.
const labelOf = (keep, awards, mucks = []) => {
  const seats = [...new Set(awards.map((award) => award.seat))];
  const amount = keep.money(awards.reduce((sum, award) => sum + award.amount, 0));
  const winners = seats.length === 1 ? nameOf(keep, seats[0]) : keep.say("seatsOf", { seats: seats.join(", ") });
  const text = mucks.length ? keep.say("winnerAndMucks", { winners, mucks: mucks.join(", ") }) : winners;
  return [still(keep.say("award", { amount })), still(text, "small")];
};

// The proposal if some hands were shown: the others muck.
const proposal = (keep) => {
  const { decisionState, step, toShow } = keep.view;
  if (!decisionState) return null;
  if (step.awards) return { awards: step.awards, mucks: [], lines: step.lines };
  if (!toShow.length || !decisionState.shown.length) return null;
  const after = actAll(decisionState, toShow.map((seat) => `${seat} mucks`));
  const later = nextStep(after);
  return later?.awards ? { awards: later.awards, mucks: toShow, lines: later.lines } : null;
};

// The big button at the showdown: { label, acts } or { label, onPress }.
export const awardStep = (keep) => {
  const { implied, step } = keep.view;
  const first = keep.impliedActs(implied);
  const pot = potToPay(keep);
  const winners = keep.ui.winners.filter((seat) => pot?.seats.includes(seat));
  if (winners.length && pot) {
    const pays = payLines(keep, winners, pot);
    const label = labelOf(keep, winners.map((seat) => ({ seat, amount: pot.amount / winners.length })));
    return { label, onPress: () => { keep.change({ winners: [] }); keep.press([...first, ...withEnd(keep, pays)]); } };
  }
  const proposed = proposal(keep);
  if (proposed) {
    const label = labelOf(keep, proposed.awards, proposed.mucks);
    const acts = [...proposed.mucks.map((seat) => muckAct(keep, seat)), { line: ".", label: keep.say("award", { amount: keep.money(proposed.awards.reduce((sum, award) => sum + award.amount, 0)) }) }];
    return { label, acts: [...first, ...acts, endAct(keep)] };
  }
  if (step.isServers && step.wins?.length === 1) return { label: step.wins[0].label, acts: [{ line: ".", label: step.wins[0].label }] };
  return { label: keep.say("whoWins"), onPress: keep.ui.isAwarding ? null : () => keep.change({ isAwarding: true }), isDisabled: keep.ui.isAwarding || keep.view.stage === "award" };
};
