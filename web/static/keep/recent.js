// The last acts, the newest first. Undone acts are struck through.

import { h } from "../vendor/preact-11.2.0.min.js";

export const renderRecent = (keep) => {
  const recent = keep.page.offers?.recent ?? [];
  return h("ol", { class: "record recent" }, recent.map((act) => h(
    "li", { key: `${act.position}`, class: act.taken_back ? "taken-back" : "" },
    h("span", {}, act.taken_back ? h("s", {}, act.label) : act.label, act.line && h("code", { lang: "en", translate: "no" }, act.line)),
    act.taken_back && h("small", {}, keep.say("wasTakenBack")),
    act.undo > 0 && h("button", {
      type: "button", class: "key", "data-act": "take-back", onClick: () => { keep.takeBack(act.undo); keep.close(); },
    }, keep.say(act.undo > 1 ? "takeBackTo" : "takeBack")),
  )));
};

const BRIEF = 4;

// The last acts in a few lines, for the panel between two hands.
export const renderBrief = (keep) => h("ol", { class: "brief" }, (keep.page.offers?.recent ?? []).slice(0, BRIEF).map((act) => h(
  "li", { key: act.position }, act.taken_back ? h("s", {}, act.label) : act.label,
)));
