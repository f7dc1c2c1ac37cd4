// The chips of a hand: the uncalled bet, and the main and side pots. The same as ledger/hand/pots.py.

const total = (amounts) => Object.values(amounts).reduce((sum, chips) => sum + chips, 0);

export const potSize = (state) => total(state.putIn) + state.seeded;

// The chips that went in and aren't paid out yet.
export const chipsLeft = (state) => potSize(state) - total(state.awarded) - state.dropped;

// The part of the street's highest bet that no other seat matched; null if all of it is matched.
export const uncalledBet = (state) => {
  const bets = Object.entries(state.round.bets);
  const amounts = bets.map(([, bet]) => bet).sort((low, high) => low - high);
  const highest = amounts.at(-1) ?? 0;
  const matched = amounts.length > 1 ? amounts.at(-2) : 0;
  if (highest <= 0 || matched === highest) return null;
  const [seat] = bets.find(([, bet]) => bet === highest);
  return { seat: Number(seat), amount: highest - Math.max(matched, 0) };
};

const cutLayers = (chips, levels, contenders, allInSeats) => {
  const amounts = Object.values(chips);
  if (!amounts.some(Boolean)) return [];
  const layers = [];
  let lower = 0;
  const isAllIn = (seat) => allInSeats.includes(seat);
  for (const level of [...levels].sort((low, high) => low - high)) {
    layers.push({
      amount: amounts.reduce((sum, put) => sum + Math.min(put, level) - Math.min(put, lower), 0),
      seats: contenders.filter((seat) => !isAllIn(seat) || (chips[seat] || 0) >= level),
    });
    lower = level;
  }
  layers.push({
    amount: amounts.reduce((sum, put) => sum + Math.max(0, put - lower), 0),
    seats: contenders.filter((seat) => !isAllIn(seat) || !levels.size || (chips[seat] || 0) > lower),
  });
  return layers;
};

// Joins layers that the same seats contest, and adds layers that nobody can win to the pot before them.
const joinPots = (layers, dead, contenders) => {
  const pots = [];
  for (const { amount, seats } of layers) {
    if (!amount) continue;
    const last = pots.at(-1);
    if (last && (!seats.length || seats.join() === last.seats.join())) last.amount += amount;
    else pots.push({ amount, seats: seats.length ? seats : [...contenders] });
  }
  if (!pots.length) return dead ? [{ amount: dead, seats: [...contenders] }] : [];
  pots[0].amount += dead;
  return pots;
};

const joinLayers = (anteLayers, wagerLayers) => {
  const top = anteLayers.at(-1);
  if (!(top && top.amount && wagerLayers.length)) return [...anteLayers, ...wagerLayers];
  const [first, ...others] = wagerLayers;
  const joined = { amount: top.amount + first.amount, seats: first.seats.length ? first.seats : top.seats };
  return [...anteLayers.slice(0, -1), joined, ...others];
};

// The pots, main pot first. An uncalled bet that isn't returned yet is in the last one.
export const potsOf = (state, isAllIn) => {
  const contenders = [...state.live].sort((low, high) => low - high);
  const allInSeats = contenders.filter((seat) => isAllIn(state, seat));
  if (!allInSeats.length) return [{ amount: potSize(state), seats: contenders }];
  let dead = total(state.dead) + state.seeded;
  const matched = Object.fromEntries(Object.entries(state.putIn).map(([seat, put]) => [seat, put - (state.dead[seat] || 0)]));
  const antes = Object.fromEntries(
    Object.entries(state.antes).filter(([, ante]) => ante > 0).map(([seat, ante]) => [seat, Math.min(ante, matched[seat])]),
  );
  const wagers = Object.fromEntries(Object.entries(matched).map(([seat, put]) => [seat, put - (antes[seat] || 0)]));
  const deadPots = [];
  if (dead && !allInSeats.every((seat) => matched[seat])) {
    deadPots.push({ amount: dead, seats: contenders });
    dead = 0;
  }
  const anteLevels = new Set(allInSeats.filter((seat) => !wagers[seat]).map((seat) => antes[seat] || 0));
  const wagerLevels = new Set(allInSeats.filter((seat) => wagers[seat]).map((seat) => wagers[seat]));
  const bettors = contenders.filter((seat) => wagers[seat] || !allInSeats.includes(seat));
  const anteLayers = cutLayers(antes, anteLevels, contenders, allInSeats);
  const wagerLayers = cutLayers(wagers, wagerLevels, bettors, allInSeats);
  return joinPots([...deadPots, ...joinLayers(anteLayers, wagerLayers)], dead, contenders);
};
