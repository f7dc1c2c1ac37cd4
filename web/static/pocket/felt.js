// The table: who sits where, who has the button, and the chips that each player posts.

import { h } from "../vendor/preact-11.2.0.min.js";
import { placeOf, sideOf } from "../keep/felt.js";
import { safeName, still } from "../keep/words.js";
import { owedBlinds } from "./seats.js";

const MARKS = [["button", "D"], ["small_blind", "SB"], ["big_blind", "BB"]];
const BLIND_MARKS = { small_blind: "small_blind_is_dead" };
const FADED = new Set(["waits", "away", "no_chips"]);

// The marks of a seat. Nobody posts a dead blind, so it has no mark.
const marksOf = (due, seat) => MARKS.filter(([name]) => due?.[name] === seat && !due[BLIND_MARKS[name]]).map(([, mark]) => mark);

// What a seat posts: "$5", "$5 + $2 dead", "?".
export const describePosts = (pocket, posts) => {
  if (posts.some((post) => post.chips === null || post.dead === null)) return "?";
  const live = posts.reduce((sum, post) => sum + post.chips, 0);
  const dead = posts.reduce((sum, post) => sum + post.dead, 0);
  const parts = [live ? pocket.money(live) : "", dead ? pocket.say("deadChips", { amount: pocket.money(dead) }) : ""];
  return parts.filter(Boolean).join(" + ");
};

const stateOf = (pocket, chair, due) => {
  const pick = due && pocket.statusOf(due) !== due.status ? pocket.pickOf(due.seat) : "";
  if (pick) return pocket.say(`choose ${pick}`);
  if (!pocket.hasDealt && owedBlinds(pocket.table, chair.seat).length > 0) return pocket.say("state owes");
  if (due && ["waits", "no_chips", "may_choose", "must_post", "open"].includes(due.status)) return pocket.say(`state ${due.status}`);
  return chair.presence === "away" ? pocket.say("state away") : "";
};

const LONG = 10; // letters of a state that is set smaller, in two lines

// Whether a name ends with the seat's number, like "Player 7" in seat 7.
const endsWithSeat = ({ seat, name }) => name.endsWith(` ${seat}`);

const renderMarks = (marks) => h("span", { class: "marks" }, marks.map((mark) => h("span", { class: `mark ${mark}`, key: mark, "aria-hidden": "true" }, mark)));

const renderChair = (pocket, seat, chair) => {
  const { due } = pocket;
  const place = placeOf(seat, pocket.table.seats);
  const marks = marksOf(due, seat);
  const common = {
    type: "button", key: seat, "data-seat": seat, "data-side": sideOf(place), style: { "--x": place.x.toFixed(3), "--y": place.y.toFixed(3) },
    onClick: () => pocket.tapChair(seat), "aria-haspopup": pocket.ui.mode ? undefined : "dialog",
  };
  const markWords = marks.map((mark) => pocket.say(mark));
  if (!chair) {
    return h("button", { ...common, class: "chair empty", "aria-label": [pocket.say("emptyChair", { seat }), ...markWords].join(", ") },
      h("span", { class: "plate" }, h("b", {}, seat)), renderMarks(marks));
  }
  const seatDue = due?.seats?.find((other) => other.seat === seat);
  const posts = due?.posts?.filter((post) => post.seat === seat) ?? []; // a book that can't answer has none
  const postText = describePosts(pocket, posts);
  const state = stateOf(pocket, chair, seatDue);
  const status = seatDue && pocket.statusOf(seatDue);
  const isFaded = FADED.has(status) || chair.presence === "away";
  const isOpen = status === "may_choose" || status === "open";
  return h(
    "button",
    {
      ...common, class: `chair${isFaded ? " left-out" : ""}${isOpen ? " asks" : ""}`,
      "aria-label": [pocket.say("seatOf", { seat, player: safeName(chair.name) }), ...markWords, state, postText && pocket.say("postsChips", { chips: postText })].filter(Boolean).join(", "),
    },
    h("span", { class: "plate" }, h("bdi", { class: "name" }, endsWithSeat(chair) ? null : h("small", {}, `${seat} `), safeName(chair.name)), h("span", { class: `stack${state.length > LONG ? " long" : ""}` }, still(state))),
    renderMarks(marks),
    postText && h("span", { class: "bet", key: postText }, postText),
  );
};

export const renderFelt = (pocket) => {
  const { seats: count } = pocket.table;
  return h(
    "section", { class: "felt", inert: Boolean(pocket.ui.sheet), "aria-label": pocket.say("theTable"), "data-chairs": count },
    h("div", { class: "oval" }),
    h("div", { class: "middle" }, h("p", { class: "pots" }, still(pocket.title()))),
    Array.from({ length: count }, (_, index) => index + 1).map((seat) => renderChair(pocket, seat, pocket.seats.get(seat))),
  );
};
