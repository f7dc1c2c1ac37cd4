// The panel below the felt: the acts of the seat to act, cards to tap, winners; and at its foot, always in the same
// place, the keys to undo and to go on.

import { h } from "../vendor/preact-11.2.0.min.js";
import { dealStep, renderBetweenHands } from "./between_hands.js";
import { checksAround, streetCards, wagerPresets } from "./choices.js";
import { renderCardGrid } from "./card_grid.js";
import { chosenPosts, renderExtras } from "./extras.js";
import { renderKeypad } from "./keypad.js";
import { awardStep, renderShowdown, renderShowdownKeys, renderWinners } from "./showdown.js";
import { parseChips } from "./lines.js";
import { lineOf } from "./proposal.js";
import { renderStatus, waitingText } from "./status.js";
import { safeName, still } from "./words.js";

const key = (keep, { act, label, acts, kind = "", isDisabled = false, preset, place = preset ?? act }) => h("button", {
  type: "button", class: `key ${kind}`, "data-act": act, "data-preset": preset, key: place, disabled: isDisabled || !acts,
  onClick: () => keep.press(acts),
}, typeof label === "string" ? still(label) : label);

const capital = (text) => text.slice(0, 1).toLocaleUpperCase() + text.slice(1);

const playerAt = (view, seat) => safeName(view.chairs.find((chair) => chair.seat === seat)?.player ?? "");

// betting

const wagerAct = (keep, total) => {
  const { seat } = keep.view.turn;
  return { line: `r ${keep.chips(total)}`, seat, label: keep.say("totalOf", { seat, amount: keep.chips(total) }) };
};

const turnActs = (keep) => {
  const { seat, toCall } = keep.view.turn;
  const act = (line, name) => ({ line, seat, label: keep.say(name, { seat }) });
  return { fold: act("f", "foldOf"), call: toCall ? act("c", "callOf") : act("k", "checkOf") };
};

const levelOf = (view) => Math.max(0, ...view.chairs.map((chair) => chair.bet));

// The reason why a total can't be bet.
const wagerProblem = (keep, text) => {
  if (!text) return "";
  const total = parseChips(text, keep.live.exponent);
  if (total === null) return keep.say("noAmount");
  const level = levelOf(keep.view);
  return total <= level ? keep.say("noRaise", { amount: keep.money(level) }) : "";
};

// A warning about a total that a rulebook may forbid; it can be recorded anyway.
const wagerWarning = (keep, text) => {
  const { least, most } = keep.view.turn;
  const total = parseChips(text, keep.live.exponent);
  if (total === null) return "";
  if (least !== null && total < least) return keep.say("belowLeast", { amount: keep.money(least) });
  return most !== null && total > most ? keep.say("aboveMost", { amount: keep.money(most) }) : "";
};

const renderWagerKeys = (keep, word) => renderKeypad(keep, {
  title: keep.say(word === "raise" ? "raiseTo" : "bet"), text: keep.ui.amount, hasDecimals: keep.live.exponent > 0,
  problem: wagerProblem(keep, keep.ui.amount), warning: wagerWarning(keep, keep.ui.amount), doneLabel: keep.say(word),
  onText: (amount) => keep.change({ amount }),
  onDone: (amount) => keep.press(wagerAct(keep, parseChips(amount, keep.live.exponent))),
  onCancel: () => keep.change({ isWagering: false, amount: "" }),
});

const renderPreset = (keep, { name, total }) => {
  const label = total === null ? keep.say(`preset ${name}`) : [still(keep.say(`preset ${name}`)), still(keep.money(total), "small")];
  return key(keep, { preset: name, label, acts: total === null ? null : wagerAct(keep, total), kind: "preset" });
};

const renderBetting = (keep) => {
  const { view } = keep;
  const { turn } = view;
  const acts = turnActs(keep);
  const word = levelOf(view) ? "raise" : "bet";
  if (keep.ui.isWagering) return renderWagerKeys(keep, word);
  const callLabel = turn.toCall ? keep.say("call", { amount: keep.money(turn.toCall) }) : keep.say("check");
  return h(
    "div", { class: "betting", key: "betting" },
    h("div", { class: "row presets" }, wagerPresets(keep).map((preset) => renderPreset(keep, preset))),
    h("div", { class: "row acts" },
      key(keep, { act: "fold", label: keep.say("fold"), acts: acts.fold, kind: "fold" }),
      key(keep, { act: turn.toCall ? "call" : "check", label: callLabel, acts: acts.call, kind: "call", place: "call" }),
      h("button", {
        type: "button", class: "key raise", "data-act": "raise", key: "raise",
        onClick: () => keep.change({ isWagering: true, amount: "" }),
      }, still(`${keep.say(word)}…`))),
  );
};

// streets

const dealCards = (keep, cards) => {
  const { step, implied } = keep.view;
  keep.change({ picked: [] });
  keep.press([...keep.impliedActs(implied), { line: cards.join(""), label: keep.say("streetOf", { street: keep.say(`street ${step.street}`), cards: cards.join(" ") }) }]);
};

const renderStreet = (keep) => {
  const { step } = keep.view;
  if (!step.cards) return null;
  const picked = keep.ui.kind === "board" ? keep.ui.picked : [];
  return h("div", { class: "pick", key: "pick" }, renderCardGrid(keep, {
    used: keep.usedCards, picked, count: step.cards,
    onPick: (card) => {
      const cards = picked.includes(card) ? picked.filter((other) => other !== card) : [...picked, card];
      if (cards.length === step.cards) dealCards(keep, cards);
      else keep.change({ kind: "board", picked: cards });
    },
  }));
};

const streetStep = (keep) => {
  const { step, implied } = keep.view;
  const street = capital(keep.say(`street ${step.street}`));
  const label = step.cards ? keep.say("nobodySaw", { street }) : street;
  return { label, act: step.cards ? "unseen" : "next", acts: [...keep.impliedActs(implied), { line: ".", label }], kind: step.cards ? "quiet" : "main" };
};

// the foot

const single = (keep, name) => ({ label: keep.say(name), acts: [...keep.impliedActs(keep.view.implied), { line: ".", label: keep.say(name) }] });

const nextOf = (keep) => {
  const { stage } = keep.view;
  if (stage === "between") return dealStep(keep);
  if (stage === "street") return streetStep(keep);
  if (stage === "before-deal") return single(keep, "dealDone");
  if (stage === "showdown" || stage === "award") return awardStep(keep);
  if (stage === "end") return keep.view.step.word === "overpaid" ? { label: keep.say("overpaid"), acts: null } : single(keep, "end");
  if (stage === "next") return { label: capital(keep.view.step.label ?? keep.say("goOn")), acts: [{ line: ".", label: keep.say("goOn") }] };
  if (stage === "betting") return { label: capital(keep.nextStreetName), acts: null };
  if (stage === "over" && keep.proposal) {
    const label = keep.say("dealHand", { hand: keep.proposal.number });
    const acts = [{ line: lineOf(keep.proposal, chosenPosts(keep).map(({ line }) => line)), label }];
    return { label, acts, onPress: () => { keep.change({ extras: [], isKilling: false }); keep.press(acts); } };
  }
  return { label: keep.say("nextWaits"), acts: null };
};

const renderNext = (keep) => {
  const { label, acts, act = "next", kind = "main", isDisabled = false, onPress } = nextOf(keep);
  return h("button", {
    type: "button", class: `key next ${kind}`, "data-act": act, key: "next", disabled: isDisabled || (!onPress && !acts?.length),
    onClick: (event) => { // the second tap of two quick ones belongs to what stood here before
      if (event.detail > 1) return;
      if (onPress) onPress();
      else keep.press(acts);
    },
  }, typeof label === "string" ? still(label) : label);
};

const renderUndo = (keep) => {
  return h("button", {
    type: "button", class: "key undo", "data-act": "undo", key: "undo", disabled: keep.live === null || (keep.view.stage === "between" && !keep.undoLabel),
    onClick: () => keep.takeBack(),
  }, keep.say("takeBack"), still(keep.undoLabel, "small"));
};

const whoText = (keep) => {
  const { view } = keep;
  const { stage } = view;
  if (stage === "betting") return keep.say("toAct", { seat: view.turn.seat, player: playerAt(view, view.turn.seat) });
  if (stage === "street" && view.step.cards) {
    const count = view.step.cards - (keep.ui.kind === "board" ? keep.ui.picked.length : 0);
    return keep.say(count === 1 ? "tapCard" : "tapCards", { street: capital(keep.say(`street ${view.step.street}`)), count });
  }
  if (stage === "showdown" && keep.showing !== null && !keep.ui.isAwarding) return keep.say("showsNow", { seat: keep.showing, player: playerAt(view, keep.showing) });
  if (stage === "award" || stage === "showdown") return keep.say("whoWins");
  if (stage === "between") return keep.live.next ? keep.say("nextHand", { hand: keep.live.next.number, book: keep.live.book }) : keep.say("betweenHands");
  if (stage === "waiting") return keep.say("later");
  if (stage === "over" && keep.proposal) return keep.say("usualHand", keep.proposal);
  if (stage === "over") return keep.say("handOver");
  return "";
};

const renderChoices = (keep) => {
  const { stage } = keep.view;
  if (stage === "betting") return renderBetting(keep);
  if (stage === "street") return renderStreet(keep);
  if (stage === "showdown") return renderShowdown(keep);
  if (stage === "award") return renderWinners(keep);
  if (stage === "before-deal" || (stage === "over" && keep.proposal)) return h("div", { class: "deal", key: "deal" }, renderExtras(keep));
  return stage === "between" ? renderBetweenHands(keep) : null;
};

// The keys beside the name of the player to act: everybody checks, or the seat mucks.
const renderAsides = (keep) => {
  const { stage } = keep.view;
  if (stage === "betting") return key(keep, { act: "around", label: keep.say("checkAround"), acts: checksAround(keep), kind: "quiet" });
  return stage === "showdown" ? renderShowdownKeys(keep) : null;
};

const hintOf = (keep) => {
  if (waitingText(keep)) return null;
  if (keep.ui.taken) return still(keep.say("takenBack", { act: keep.ui.taken }), "s");
  const { stage, turn, toAct } = keep.view;
  const canPass = stage === "betting" && toAct.length > 1 && keep.state.isKnown;
  return canPass ? still(keep.say(turn.toCall ? "tapChair" : "tapChairToCheck"), "small") : null;
};

export const renderBar = (keep) => h(
  "section", { class: "panel", "aria-label": keep.say("whatNext"), "data-panel": keep.view.stage },
  h("div", { class: "head" },
    h("div", { class: "said" }, h("p", { class: "who", role: "status" }, still(whoText(keep), "b"), hintOf(keep)), renderStatus(keep)),
    renderAsides(keep)),
  h("div", { class: "choices", inert: Boolean(keep.ui.sheet) }, renderChoices(keep)),
  h("div", { class: "foot", inert: Boolean(keep.ui.sheet) }, renderUndo(keep), renderNext(keep)),
);

export { streetCards };
