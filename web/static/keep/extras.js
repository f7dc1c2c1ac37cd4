// Keys for straddles and kills: chosen with the next hand, or pressed before the cards are dealt.

import { h } from "../vendor/preact-11.2.0.min.js";
import { renderWhyKey } from "./offers.js";
import { openingOf } from "./proposal.js";
import { act } from "./state.js";
import { voluntaryPosts } from "./voluntary.js";
import { safeName } from "./words.js";

// Whether a post is chosen for the hand that a state plans.
const isChosen = (keep, { number }, { kind, seat }) =>
  keep.ui.extras.some((other) => other.hand === number && other.kind === kind && other.seat === seat);

// The next hand up to its blinds, as it will be dealt; null if there is none to deal.
const draftOf = (keep) => {
  const { state } = keep;
  if (!state.isKnown || !state.isOver) return null;
  if (keep.store.trail.length) return keep.proposal && act(state, openingOf(keep.proposal));
  const line = keep.page.offers?.deal?.line;
  return line ? act(state, line) : null;
};

// The posts that are chosen for the next hand, as far as they are still possible there.
export const chosenPosts = (keep) => {
  const draft = keep.ui.extras.length ? draftOf(keep) : null;
  return draft ? voluntaryPosts(draft).filter((post) => isChosen(keep, draft, post)) : [];
};

const playerAt = (state, seat) => safeName(state.dealt.find((dealt) => dealt.seat === seat)?.player ?? "");

const labelOf = (keep, state, { kind, seat, chips }) =>
  keep.say(kind === "straddle" ? "straddleKey" : "killKey", { player: playerAt(state, seat), amount: keep.money(chips), seat });

export const postActs = (keep) => chosenPosts(keep).map(({ kind, seat, chips, line }) => ({
  line, label: keep.say(kind === "straddle" ? "straddleOf" : "killOf", { seat, amount: keep.chips(chips) }),
}));

// Chooses a post, or takes the choice back. There is one straddle and one kill in a hand.
const toggle = (keep, state, post) => {
  const others = keep.ui.extras.filter((other) => other.kind !== post.kind);
  const chosen = { hand: state.number, kind: post.kind, seat: post.seat };
  keep.change({ extras: isChosen(keep, state, post) ? others : [...others, chosen], isKilling: false });
};

const renderPost = (keep, state, post, isDraft) => {
  const label = labelOf(keep, state, post);
  return h("button", {
    type: "button", class: "key", key: `${post.kind} ${post.seat}`, "data-post": post.kind, "data-seat": post.seat,
    "aria-pressed": isDraft ? isChosen(keep, state, post) : null,
    onClick: () => (isDraft ? toggle(keep, state, post) : keep.press({ line: post.line, label })),
  }, label);
};

// The keys of straddles; for kills, which anybody may post, the chosen one or a key that shows all.
export const renderExtras = (keep) => {
  const draft = draftOf(keep);
  const state = draft ?? keep.state;
  const posts = voluntaryPosts(state);
  const straddles = posts.filter(({ kind }) => kind === "straddle");
  const kills = posts.filter(({ kind }) => kind === "kill");
  if (!posts.length) return null;
  const isDraft = Boolean(draft);
  const killed = isDraft ? kills.filter((post) => isChosen(keep, state, post)) : [];
  return h(
    "div", { class: "deal-row", key: "extras" },
    straddles.map((post) => renderPost(keep, state, post, isDraft)),
    straddles.length > 0 && renderWhyKey(keep, keep.say("straddle"), keep.page.offers?.deal?.straddle_reasons ?? []),
    killed.map((post) => renderPost(keep, state, post, isDraft)),
    kills.length > 0 && !killed.length && h("button", {
      type: "button", class: "key quiet", key: "kills", "data-act": "kills", "aria-expanded": Boolean(keep.ui.isKilling),
      onClick: () => keep.change({ isKilling: !keep.ui.isKilling }),
    }, keep.say("kill")),
    keep.ui.isKilling && !killed.length && h("div", { class: "deal-buttons", key: "killers", role: "group", "aria-label": keep.say("kill") },
      kills.map((post) => renderPost(keep, state, post, isDraft))),
  );
};
