// The players by seat, to draw at once, before the engine answers.

// `seated`: the players before these steps, from the engine.
export const seatsAfter = (seated, steps) => {
  const seats = new Map(seated.map((chair) => [chair.seat, chair]));
  for (const step of steps.filter((other) => other && typeof other === "object")) {
    const chair = seats.get(step.seat);
    if (step.do === "sit") seats.set(step.seat, { seat: step.seat, name: String(step.name ?? ""), presence: "present" });
    else if (step.do === "leave") seats.delete(step.seat);
    else if (step.do === "move" && chair) { seats.delete(step.seat); seats.set(step.to, { ...chair, seat: step.to }); }
    else if (step.do === "away" && chair) seats.set(step.seat, { ...chair, presence: "away" });
    else if (step.do === "back" && chair) seats.set(step.seat, { ...chair, presence: "present" });
  }
  return seats;
};

// A predicate: whether a step states what a seat's present player owes. Steps before that player sat down don't count.
const isOwedBy = (steps, seat) => {
  const arrival = steps.findLastIndex((step) => step?.do === "sit" && step.seat === seat);
  return (step, index) => index > arrival && step?.do === "owes" && step.seat === seat;
};

// The blinds that the player in a seat missed before the first hand.
export const owedBlinds = ({ steps }, seat) => steps.findLast(isOwedBy(steps, seat))?.blinds ?? [];

// The table with or without a blind that the player in a seat missed before the first hand.
export const withOwed = (table, seat, blind) => {
  const owed = owedBlinds(table, seat);
  const blinds = ["small blind", "big blind"].filter((other) => (other === blind) !== owed.includes(other));
  const isOwed = isOwedBy(table.steps, seat);
  const steps = table.steps.filter((step, index) => !isOwed(step, index));
  return { ...table, steps: blinds.length ? [...steps, { do: "owes", seat, blinds }] : steps };
};

// The table of a game that was running already, or of one that has just started.
export const withRunning = ({ running: _, ...table }, isRunning) => (isRunning ? { ...table, running: true } : { ...table, steps: table.steps.filter((step) => step.do !== "owes") });

export const hasDealt = (table) => table.steps.some((step) => step?.do === "deal" || step?.do === "lines");

// The table with another name for a seat's player, in the step that seated the player.
export const renamed = (table, seat, name) => {
  const index = table.steps.findLastIndex((step) => step.do === "sit" && step.seat === seat);
  return { ...table, steps: table.steps.map((step, other) => (other === index ? { ...step, name } : step)) };
};
