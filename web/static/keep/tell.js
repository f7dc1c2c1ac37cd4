// Recorded lines in a dealer's words.

import { splitWords } from "./lines.js";

const SEAT_WORDS = {
  folds: "foldOf", checks: "checkOf", calls: "callOf", bets: "betOfSeat", raises: "totalOf", shows: "showOf", mucks: "muckOf", wins: "winOf",
  uncalled: "uncalledOf", posts: "postOf", straddles: "straddleOf", antes: "anteOf", sits: "sitOf", leaves: "leaveOf", away: "awayOf", back: "backOf",
};

const amountOf = (words) => {
  if (words[1] === "posts") return words[3];
  if (words[1] === "raises") return words[3];
  return words[2] ?? "";
};

const SINGLE = { "deal done": "dealDone", showdown: "showdown", completed: "end", end: "end", stop: "stop", "floor-called": "floorCalled" };

// A recorded line as a sentence; a line without one is returned unchanged.
export const tellLine = (keep, line) => {
  if (SINGLE[line]) return keep.say(SINGLE[line]);
  const words = splitWords(line);
  const name = /^\d+$/.test(words[0]) && SEAT_WORDS[words[1]];
  if (!name) return line;
  const amount = words[1] === "shows" ? words.slice(2).join(" ") : amountOf(words);
  return keep.say(name, { seat: words[0], amount, player: words[2] ?? "" });
};
