// The total of the next bet or raise in fixed limit games. The same as ledger/hand/limit_steps.py.

const HALF = 0.5;
const least = (totals) => Math.min(...totals);

const nextWholeBets = (steps, total, unit) => steps.wholeBets.flatMap((bet) => {
  const next = bet + Math.max(0, Math.ceil((total + 1 - bet) / unit)) * unit;
  return [next, next + unit];
});

const afterWager = (steps, total, unit) => {
  if ([...steps.wholeBets, ...steps.filled].includes(total)) return { wholeBets: [total + unit], filled: [], base: total };
  return { wholeBets: [total + unit, ...nextWholeBets(steps, total, unit)], filled: [], base: total };
};

const afterAllIn = (steps, total, raise, unit) => {
  const gain = total - steps.base;
  if (gain >= unit) {
    const isWhole = steps.wholeBets.includes(total);
    return { wholeBets: [total + unit, ...(isWhole ? [] : nextWholeBets(steps, total, unit))], filled: [], base: total };
  }
  const above = steps.wholeBets.filter((bet) => bet > total);
  if (gain < HALF * unit) return { wholeBets: above, filled: above, base: steps.base };
  const wholeBets = [total + unit, ...above.map((bet) => bet + unit)];
  return { wholeBets: raise >= HALF * unit ? wholeBets : [...wholeBets, ...above], filled: above, base: total };
};

const openingSteps = (forced, unit) => {
  const filledBet = forced + unit - (forced % unit);
  const opening = forced && forced % unit ? [filledBet, filledBet + unit] : [];
  return { wholeBets: [forced + unit, ...opening], filled: [], base: forced };
};

// `forced`: the bet that the blinds made. `wasAllIn(seat, total)`: the seat put in nothing after this wager.
export const limitTotal = ({ level, size, forced, wagers, wasAllIn }) => {
  let steps = openingSteps(forced, size);
  for (const { seat, before, total } of wagers) {
    if (total <= before) continue;
    const gain = total - Math.max(before, forced);
    steps = wasAllIn(seat, total) ? afterAllIn(steps, total, gain, size) : afterWager(steps, total, size);
  }
  if (!wagers.length) return least(steps.wholeBets);
  return steps.wholeBets.includes(level + size) ? level + size : least(steps.wholeBets);
};
