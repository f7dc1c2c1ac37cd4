// A table without a game yet: a link to the page where the game is chosen.

import { h } from "../vendor/preact-11.2.0.min.js";

export const renderFirstRun = (keep) => {
  const place = new URLSearchParams({ venue: keep.page.venue, name: keep.page.table });
  return h(
    "div", { class: "start-form" },
    h("h2", {}, keep.say("yourGame")),
    h("a", { class: "key main", href: `/start?${place}#table`, "data-act": "choose-game" }, keep.say("chooseGame")),
  );
};
