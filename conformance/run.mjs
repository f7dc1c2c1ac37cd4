// Score an engine for JavaScript: `node conformance/run.mjs ADAPTER.mjs`. The README says what an adapter is.
import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const POSITIONS = ["button", "small_blind", "big_blind"];
const same = (left, right) => JSON.stringify(left) === JSON.stringify(right);
const sortPosts = (posts) => posts.map((post) => [post.seat, post.live, post.dead]).sort((a, b) => a[0] - b[0]);
const describeSeat = (seat) => [seat.status, seat.post?.live ?? null, seat.post?.dead ?? null];

function matchParts(expected, given) {
  const parts = {};
  const common = POSITIONS.filter((name) => expected[name] && given[name]);
  const agrees = (name) => given[name].seat === expected[name].seat && given[name].dead === expected[name].dead;
  if (common.length) parts.positions = common.every(agrees);
  if (given.posts) parts.posts = same(sortPosts(expected.posts), sortPosts(given.posts));
  if (given.seats && expected.seats.length) {
    const seats = Object.fromEntries(given.seats.map((seat) => [seat.seat, describeSeat(seat)]));
    parts.seats = expected.seats.every((seat) => same(seats[seat.seat] ?? ["plays", null, null], describeSeat(seat)));
  }
  return parts;
}

const rank = (parts) => (Object.values(parts).every(Boolean) ? 10 : 0) + Object.values(parts).filter(Boolean).length;

function judge(wanted, reply) {
  if (wanted.cannot_tell || reply.cannot_tell) return { positions: !!wanted.cannot_tell === !!reply.cannot_tell };
  const scores = (reply.answers ?? [reply]).map((given) =>
    wanted.answers.map((expected) => matchParts(expected, given)).reduce((a, b) => (rank(b) > rank(a) ? b : a)));
  return scores.reduce((a, b) => (rank(b) < rank(a) ? b : a));
}

const adapter = await import(pathToFileURL(process.argv[2]));
const folder = new URL("button/", import.meta.url);
const cases = readdirSync(folder).sort().flatMap((name) => JSON.parse(readFileSync(new URL(name, folder))).cases);
const score = {};
const count = (name) => (score[name] = (score[name] ?? 0) + 1);
for (const each of cases) {
  const reply = await adapter.answer(each);
  if (reply.not_supported) { count(`not supported: ${reply.not_supported}`); continue; }
  if (each.expect.cannot_tell && !reply.cannot_tell) { count("answered where the book has no answer"); continue; }
  const parts = judge(each.expect, reply);
  const isRight = Object.values(parts).every(Boolean);
  const marks = { "all cases": isRight, [`${each.rules.method} button`]: isRight, ...parts };
  for (const [name, mark] of Object.entries(marks)) count(`${name}: ${mark ? "right" : "wrong"}`);
  if (!isRight) console.log(`${each.id} ${each.rules.book}: ${each.title}`);
}
for (const name of Object.keys(score).sort()) console.log(`${String(score[name]).padStart(5)} ${name}`);
