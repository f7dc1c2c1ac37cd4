// Everyday events of a table: keys that the server offers, and the way to each chair's own.

import { h } from "../vendor/preact-11.2.0.min.js";
import { renderOffers } from "./offers.js";
import { listPossibleOffers } from "./possible_offers.js";
import { safeName } from "./words.js";

const renderChairs = (keep) => h(
  "div", { class: "sheet-chairs", role: "group", "aria-label": keep.say("atSeat") },
  (keep.page.offers?.chairs ?? []).map((sheet) => h("button", {
    type: "button", class: "key", key: sheet.seat, "data-chair-sheet": sheet.seat, onClick: () => keep.open({ kind: "seat", seat: sheet.seat }),
    "aria-label": sheet.player ? keep.say("seatOf", { seat: sheet.seat, player: safeName(sheet.player) }) : keep.say("emptyChair", { seat: sheet.seat }),
  }, sheet.seat, h("small", {}, sheet.player ? h("bdi", {}, safeName(sheet.player)) : "+"))),
);

export const renderEventSheet = (keep) => h(
  "div", { class: "event-sheet" },
  renderOffers(keep, listPossibleOffers(keep, keep.page.offers?.events ?? [])),
  h("h3", {}, keep.say("atSeat")),
  renderChairs(keep),
);
