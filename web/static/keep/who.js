// Who is signed in on this tablet and who deals: a button at the top, and the sheet that it opens.

import { h } from "../vendor/preact-11.2.0.min.js";
import { safeName } from "./words.js";

const userName = () => document.body.dataset.userName || "";

const hidden = (fields) => Object.entries(fields).map(([name, value]) => h("input", { type: "hidden", key: name, name, value }));

const dealerText = ({ page, say }) => {
  if (page.deals) return say("deals", { name: safeName(userName()) });
  return page.dealer ? say("deals", { name: safeName(page.dealer) }) : "";
};

export const renderWhoKey = (keep) => {
  if (!userName()) return null;
  const text = keep.page.deals ? dealerText(keep) : safeName(userName());
  return h("button", { type: "button", class: "key who-key", "data-act": "who", key: "who", onClick: () => keep.open({ kind: "who" }) }, h("bdi", {}, text));
};

export const renderWho = (keep) => {
  const { page, token, say } = keep;
  const place = { venue: page.venue, tournament: page.tournament, name: page.table };
  const isWaiting = keep.waiting.length > 0;
  const here = location.pathname + location.search;
  return h(
    "div", { class: "who-sheet" },
    h("p", {}, h("b", {}, safeName(userName())), document.body.dataset.device && ` · ${safeName(document.body.dataset.device)}`),
    dealerText(keep) && h("p", { class: "note" }, dealerText(keep)),
    isWaiting && h("p", { class: "refused" }, say("sendsFirst")),
    keep.live && !page.deals && h("form", { method: "post", action: "/dealer" }, hidden({ token, ...place }), h("button", { class: "key main", disabled: isWaiting }, say("dealNow"))),
    h("form", { method: "post", action: "/sign-out" }, hidden({ token, next: here }), h("button", { class: "key", disabled: isWaiting }, say("signOut"))),
    h("p", {}, h("a", { href: "/me" }, say("makeCode"))),
  );
};
