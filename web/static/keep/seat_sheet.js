// The keys of a chair and its player, as the server offers them.

import { h } from "../vendor/preact-11.2.0.min.js";
import { placeButton, renderSeatPicks } from "./between_hands.js";
import { OFFER_SHEETS, renderOffers, renderReasons, take } from "./offers.js";
import { listPossibleOffers } from "./possible_offers.js";

const renderEmptyChair = (keep, offer, newPlayer) => OFFER_SHEETS.names(keep, {
  offer, newPlayer, onDone: (quoted, name) => take(keep, { ...offer, line: offer.line.replace("{who}", () => quoted), needs: ["chips"] }, keep.say("sitOf", { player: name, seat: keep.ui.sheet.seat })),
});

export const renderSeatSheet = (keep, seat) => {
  const sheet = keep.page.offers?.chairs.find((other) => other.seat === seat);
  if (!sheet) return h("p", { class: "note" }, keep.say("later"));
  const [first] = sheet.offers;
  if (!sheet.player && first?.name === "sit") return renderEmptyChair(keep, first, sheet.new_player);
  const deal = keep.page.offers.deal;
  return h(
    "div", { class: "seat-sheet" },
    renderSeatPicks(keep, seat) || (sheet.owes && h("p", { class: "owes", key: "owes" }, keep.say("toPlay", { post: sheet.owes }))),
    renderOffers(keep, listPossibleOffers(keep, sheet.offers, seat)),
    deal?.button_seats.includes(seat) && deal.button !== seat && h("button", {
      type: "button", class: "key quiet", key: "button-here", "data-act": "button-here", onClick: () => { keep.close(); placeButton(keep, seat); },
    }, keep.say("buttonHere")),
    sheet.reasons.length > 0 && h("details", { key: "reasons" }, h("summary", { class: "key quiet" }, keep.say("whyOwes")), renderReasons(keep, sheet.reasons)),
  );
};
