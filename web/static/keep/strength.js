// The strength of a hand of five or more cards by the usual ranking. A higher number is a better hand.

const RANKS = "23456789TJQKA";
const [PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL, QUADS, STRAIGHT_FLUSH] = [1, 2, 3, 4, 5, 6, 7, 8];
const RADIX = 15;

const combinations = (cards, count) => {
  if (!count) return [[]];
  return cards.flatMap((card, index) => combinations(cards.slice(index + 1), count - 1).map((others) => [card, ...others]));
};

const straightTop = (ranks) => {
  const distinct = [...new Set(ranks)];
  if (distinct.length !== 5) return null;
  if (distinct[0] - distinct[4] === 4) return distinct[0];
  return distinct[0] === 12 && distinct[1] === 3 ? 3 : null; // ace to five
};

const rankFive = (cards) => {
  const ranks = cards.map((card) => RANKS.indexOf(card[0])).sort((low, high) => high - low);
  const counts = new Map();
  for (const rank of ranks) counts.set(rank, (counts.get(rank) || 0) + 1);
  const groups = [...counts].sort(([rank, count], [otherRank, otherCount]) => otherCount - count || otherRank - rank);
  const isFlush = cards.every((card) => card[1] === cards[0][1]);
  const top = straightTop(ranks);
  const [first, second] = groups.map(([, count]) => count);
  let category = 0;
  if (top !== null && isFlush) category = STRAIGHT_FLUSH;
  else if (first === 4) category = QUADS;
  else if (first === 3 && second === 2) category = FULL;
  else if (isFlush) category = FLUSH;
  else if (top !== null) category = STRAIGHT;
  else if (first === 3) category = TRIPS;
  else if (first === 2) category = second === 2 ? TWO_PAIR : PAIR;
  const kickers = top === null ? groups.map(([rank]) => rank) : [top];
  return [category, ...kickers, 0, 0, 0, 0, 0].slice(0, 6).reduce((number, digit) => number * RADIX + digit, 0);
};

// The best hand of the cards; null if the game has another ranking, or a card is unknown or missing.
export const rankHand = (game, hole, board) => {
  const cards = [...hole, ...board];
  if (game.high !== "high" || game.low || cards.some((card) => card.includes("?")) || hole.length !== game.holeCards) return null;
  if (new Set(cards).size !== cards.length) return null;
  if (!game.holeExact) return cards.length < 5 ? null : Math.max(...combinations(cards, 5).map(rankFive));
  if (board.length < 5 - game.holeExact) return null;
  const fromBoard = combinations(board, 5 - game.holeExact);
  return Math.max(...combinations(hole, game.holeExact).flatMap((own) => fromBoard.map((common) => rankFive([...own, ...common]))));
};
