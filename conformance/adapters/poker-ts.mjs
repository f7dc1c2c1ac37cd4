// poker-ts 1.5: the button goes to the next player; who sits down is dealt in, and nobody can step out for a while.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const folder = process.env.ENGINE ?? process.cwd(); // where node_modules is
const Poker = createRequire(pathToFileURL(`${folder}/`))("poker-ts");

function playOut(table) {
  while (table.isHandInProgress()) {
    while (table.isBettingRoundInProgress()) table.actionTaken("fold");
    table.endBettingRound();
    if (table.areBettingRoundsCompleted()) table.showdown();
  }
}

export function answer(given) {
  const [smallBlind, bigBlind] = given.game.blinds;
  const table = new Poker.Table({ smallBlind, bigBlind }, given.game.seats);
  let hands = 0;
  for (const event of given.history) {
    if (event.event === "sit" && !event.origin) table.sitDown(event.seat - 1, event.stack);
    else if (event.event === "leave") table.standUp(event.seat - 1);
    else if (event.event === "hand") {
      const hasPlayer = table.seats()[event.button - 1] !== null;
      table.startHand(hasPlayer ? event.button - 1 : undefined);
      playOut(table);
      hands += 1;
    } else return { not_supported: "players who step out, move, wait or buy in again" };
  }
  if (!hands) return { not_supported: "a first button that nobody names" };
  table.startHand();
  const players = table.handPlayers();
  const button = table.button() + 1;
  const posts = players.flatMap((player, index) => (player?.betSize ? [{ seat: index + 1, live: player.betSize, dead: 0 }] : []));
  const seats = players.flatMap((player, index) => (player ? [{ seat: index + 1, status: "plays" }] : []));
  const distance = (post) => (post.seat - button + given.game.seats) % given.game.seats;
  const order = [...posts].sort((a, b) => distance(a) - distance(b));
  const isReversed = order[0]?.live === bigBlind && order[1]?.live === smallBlind;
  const [small, big] = order.length === 2 ? (isReversed ? order.reverse() : order) : [];
  return {
    button: { seat: button, dead: false },
    ...(small && { small_blind: { seat: small.seat, dead: false }, big_blind: { seat: big.seat, dead: false } }),
    posts,
    seats,
  };
}
