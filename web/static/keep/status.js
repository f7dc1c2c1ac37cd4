// Waiting and refused acts, and the line at the top of the page.

import { h } from "../vendor/preact-11.2.0.min.js";
import { renderWhoKey } from "./who.js";
import { safeName, still } from "./words.js";

const LISTED = 6; // waiting acts that are shown, the last ones

const withoutStop = (sentence) => sentence.replace(/[.。]$/, "");

// The reason why acts wait, and whether they are stored; "" if they are only being sent.
export const waitingText = (keep) => {
  const { acts, waitingFor, isKept } = keep.store.outbox;
  const reason = withoutStop(waitingFor);
  if (!acts.length) return keep.store.isDue && reason ? keep.say("notShown", { reason }) : "";
  if (!reason && isKept && !keep.isSlow) return "";
  const sentence = reason ? keep.say("waitingFor", { reason, count: acts.length }) : keep.say("waiting", { count: acts.length });
  if (!reason && isKept) return sentence;
  const kept = keep.say("both", { sentence, next_sentence: keep.say(isKept ? "kept" : "unkept") });
  return keep.canReopen || !isKept ? kept : keep.say("both", { sentence: kept, next_sentence: keep.say("cantReopen") });
};

// The last waiting acts.
export const renderWaitingActs = (keep) => {
  const { acts } = keep.store.outbox;
  const last = acts.slice(-LISTED);
  return acts.length > 0 && h("ol", { start: acts.length - last.length + 1, class: "waiting-acts" }, last.map((act) => h("li", { class: "waits", key: act.id }, act.label)));
};

const renderRefused = (keep) => {
  const { refused } = keep.store.outbox;
  if (!refused.length) return null;
  return h(
    "div", { class: "refused" },
    h("p", {}, keep.say("refused")),
    h("ul", {}, refused.map(({ label: act, why: reason, hint, approve }, index) => h("li", { key: index },
      hint ? keep.say("whyAndHint", { act, reason: withoutStop(reason), hint }) : keep.say("why", { act, reason }),
      renderApproval(keep, approve)))),
    h("button", { type: "button", class: "key", onClick: () => keep.store.outbox.dismiss() }, keep.say("seen")),
  );
};

// The floor's answer to an act, or the link to approve it here with a code.
const renderApproval = (keep, address) => {
  const asked = isOwnAddress(address) && (keep.page.approvals ?? []).find(({ approve }) => approve === address);
  if (asked && asked.state === "refused") return h("b", { class: "floor-answer" }, keep.say("floorRefused", { name: safeName(asked.floor) }));
  return isOwnAddress(address) && h("a", { href: address, class: "button" }, keep.say("approve"));
};

const isOwnAddress = (address) => typeof address === "string" && /^\/[^/\\]/.test(address);

// The reason why acts wait, in the line under the player to act; refused acts in a box over the felt until they are seen.
export const renderStatus = (keep) => {
  const { refused, isHopeless, isSignedOut } = keep.store.outbox;
  const text = waitingText(keep);
  const address = `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
  const hasBox = refused.length > 0 || isHopeless || (text && isSignedOut);
  return h(
    "div", { id: "waiting", role: "status", hidden: !text && !hasBox },
    text && h("p", { class: "why", title: text, key: text }, text),
    hasBox && h("div", { class: "box" },
      text && isSignedOut && h("a", { class: "button", href: address }, keep.say("signIn")),
      isHopeless && h("button", { type: "button", class: "key", onClick: () => keep.store.outbox.giveUp() }, keep.say("giveUp")),
      renderRefused(keep)),
  );
};

const connectionOf = (keep) => {
  const { acts, waitingFor } = keep.store.outbox;
  if (waitingFor) return { text: keep.say("offlineNow", { count: acts.length }), kind: "lost" };
  return acts.length ? { text: keep.say("sendingNow", { count: acts.length }), kind: "sending" } : { text: keep.say("live"), kind: "live" };
};

const findingsOf = (live) => (live ? [...live.findings, ...live.ended] : []);

const handOf = ({ live, view, say }) => (live && (view.number || live.hand) ? say("hand", { hand: view.number || live.hand }) : "");

export const renderTop = (keep) => {
  const { live, page } = keep;
  const { text, kind } = connectionOf(keep);
  const findings = findingsOf(live);
  const open = (sheet) => () => keep.open({ kind: sheet });
  return h(
    "header", { class: "keep-top", inert: Boolean(keep.ui.sheet) },
    h("a", { class: "tables", href: "/tables", "aria-label": keep.say("tables") }, "‹"),
    h("h1", {}, h("bdi", {}, safeName(page.table)), still(handOf(keep), "small")),
    live ? h("button", { type: "button", class: `key connection ${kind}`, "data-act": "connection", onClick: open("record") }, still(text)) : h("span", { class: `connection ${kind}` }, text),
    live && findings.length > 0 && h("button", { type: "button", class: "key badge", "data-act": "findings", key: "findings", onClick: open("findings") }, `✗ ${findings.length}`),
    renderWhoKey(keep),
    live && h("button", { type: "button", class: "key", "data-act": "events", key: "events", onClick: open("events") }, keep.say("events")),
    live && h("button", { type: "button", class: "key", "data-act": "record", key: "record", onClick: open("record") }, keep.say("record")),
  );
};

export { findingsOf };
