// The panel between two hands: the next hand as a drawing to confirm, with each player's choice, the clauses and
// the rules that a button moved by hand breaks.

import { h } from "../vendor/preact-11.2.0.min.js";
import { postActs, renderExtras } from "./extras.js";
import { renderOffer, renderWhyKey } from "./offers.js";
import { renderBrief } from "./recent.js";
import { safeName } from "./words.js";

// The plan of the next hand: the players' choices, and the button if it was moved by hand.
const planOf = (keep) => keep.ui.plan ?? { picks: {}, button: null, hand: "" };

const planFor = (keep) => {
  const plan = planOf(keep);
  return plan.hand === keep.page.offers.deal.number ? plan : { picks: {}, button: null, hand: keep.page.offers.deal.number };
};

const addressOf = ({ picks, button }) => {
  const chosen = Object.entries(picks).map(([seat, pick]) => `${seat}:${pick}`).join(",");
  return `${chosen ? `&plan=${encodeURIComponent(chosen)}` : ""}${button === null ? "" : `&button=${button}`}`;
};

const drawAnew = (keep, plan) => {
  keep.change({ plan, isPlacing: false });
  keep.redraw(addressOf(plan)).catch(() => {});
};

const pickSeat = (keep, seat, pick) => {
  const plan = planFor(keep);
  drawAnew(keep, { ...plan, picks: { ...plan.picks, [seat]: pick } });
};

export const placeButton = (keep, button) => drawAnew(keep, { ...planFor(keep), button });

// The big button: { label, acts, isDisabled, onPress }.
export const dealStep = (keep) => {
  const deal = keep.page.offers?.deal;
  if (!deal) return { label: keep.say("deal"), acts: null };
  const acts = [{ line: deal.line, label: deal.label }, ...postActs(keep), { line: ".", label: keep.say("dealDone") }];
  const onPress = () => {
    keep.store.query = "";
    keep.change({ plan: null, isPlacing: false, extras: [], isKilling: false });
    keep.press(acts);
  };
  return deal.line ? { label: deal.label, acts, onPress } : { label: deal.label, acts: null };
};

const renderPicks = (keep, seat) => h(
  "div", { class: "deal-seat", key: seat.seat, role: "group", "aria-label": keep.say("seatOf", { seat: seat.seat, player: safeName(seat.player) }) },
  h("b", {}, h("small", {}, seat.seat), " ", h("bdi", {}, safeName(seat.player))),
  h("div", { class: "deal-picks" },
    seat.picks.map((pick) => h("button", {
      type: "button", class: "key", key: pick.pick, "data-pick": pick.pick, "aria-pressed": pick.chosen, onClick: () => pickSeat(keep, seat.seat, pick.pick),
    }, pick.label)),
    renderWhyKey(keep, safeName(seat.player), seat.picks.flatMap((pick) => pick.reasons))),
);

export const renderSeatPicks = (keep, seat) => {
  const drawn = keep.page.offers?.deal?.seats.find((other) => other.seat === seat);
  return drawn?.picks.length > 0 && renderPicks(keep, drawn);
};

const renderBroken = (finding, index) => h(
  "li", { class: finding.severity, key: index }, h("b", {}, finding.saw), " ", finding.should, " ",
  h("a", { href: `/rules?book=${finding.book}&clause=${finding.clause}`, target: "_blank", rel: "noopener" }, `${finding.book} ${finding.clause}`),
);

const renderButtonSeats = (keep, deal) => h(
  "div", { class: "deal-buttons", key: "buttons", role: "group", "aria-label": keep.say("whereButton") },
  deal.button_seats.map((seat) => h("button", {
    type: "button", class: "key", key: seat, "data-button": seat, "aria-pressed": deal.button === seat, onClick: () => placeButton(keep, seat),
  }, seat)),
);

const renderButtonKeys = (keep, deal) => {
  if (!deal.button_seats.length) return null;
  const isOpen = Boolean(deal.lacks) || keep.ui.isPlacing;
  const moved = deal.by_hand && planFor(keep).button !== null;
  return h(
    "div", { class: "deal-row", key: "button" },
    !deal.lacks && h("button", {
      type: "button", class: "key quiet", "data-act": "move-button", "aria-expanded": isOpen, onClick: () => keep.change({ isPlacing: !keep.ui.isPlacing }),
    }, keep.say("moveButton")),
    moved && h("button", { type: "button", class: "key quiet", "data-act": "button-back", onClick: () => placeButton(keep, null) }, keep.say("buttonBack")),
    renderWhyKey(keep, keep.say("whereButton"), deal.notes.filter((note) => note.clauses.length)),
    isOpen && renderButtonSeats(keep, deal),
  );
};

export const renderBetweenHands = (keep) => {
  const deal = keep.page.offers?.deal;
  if (!deal) return h("p", { class: "note" }, keep.say("noHand"));
  const restart = keep.page.offers.events.find((offer) => offer.name === "game-started");
  return h(
    "div", { class: "deal" },
    renderBrief(keep),
    deal.lacks && h("p", { class: "deal-lacks", key: "lacks" }, deal.lacks),
    restart && renderOffer(keep, restart, "main"),
    deal.broken.length > 0 && h("div", { class: "deal-broken", key: "broken", role: "alert" }, h("p", {}, keep.say("breaks")), h("ul", {}, deal.broken.map(renderBroken))),
    deal.notes.filter((note) => !note.clauses.length).map((note) => h("p", { class: "note", key: note.sentence }, note.sentence)),
    deal.seats.filter((seat) => seat.picks.length).map((seat) => renderPicks(keep, seat)),
    renderExtras(keep),
    renderButtonKeys(keep, deal),
  );
};
