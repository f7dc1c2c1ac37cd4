// Runs random sequences of presses through the outbox of the page that keeps a table, over every loss that can be
// thought of, and returns what was pressed and neither recorded once, in its order, nor shown as refused.
//
// `real`: against the server of this page, each sequence at a table of its own; else against a stand-in for it.
async ({ seeds, real, token, venue, pause }) => {
  let modules = null;
  for (let attempt = 0; modules === null; attempt += 1) {
    try {
      modules = await import(`/static/outbox.js?attempt=${attempt}`); // a failed import is remembered by its address
    } catch (error) {
      if (attempt > 500) throw error;
      await new Promise((done) => setTimeout(done, 20)); // the server is down just now
    }
  }
  const { Outbox, answerOf } = modules;
  const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const channel = new MessageChannel(); // a timer of no time takes four milliseconds
  const turns = [];
  channel.port1.onmessage = () => turns.shift()();
  const tick = () => new Promise((resolve) => { turns.push(resolve); channel.port2.postMessage(0); });
  const never = new Promise(() => {});

  const chance = (seed) => () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };

  class Shelf { // as localStorage
    constructor(from = {}) { Object.assign(this, from); }
  }
  Object.defineProperties(Shelf.prototype, {
    getItem: { value(name) { return Object.hasOwn(this, name) ? this[name] : null; } },
    setItem: { value(name, text) { this[name] = text; } },
    removeItem: { value(name) { delete this[name]; } },
  });

  // What the server does with acts, and nothing else of it.
  class StandIn {
    constructor() { this.log = []; this.others = 0; }
    get position() { return this.log.length; }
    async start() { return this.position; }
    find(sender, number) { return this.log.findIndex((act) => act.sender === sender && act.number === number) + 1; }
    last(act) {
      let { number } = act;
      while (number && !this.find(act.sender, number)) number -= 1;
      return number;
    }
    async post(act) {
      const before = this.find(act.sender, act.number);
      if (before) {
        if (this.log[before - 1].line === act.line) return { recorded: true, again: true, reached: before };
        return { refused: `something else is recorded: ${this.log[before - 1].line}`, last: this.last(act) };
      }
      const after = act.after ? this.find(act.sender, act.after) : 0;
      if (this.last(act) !== act.after) return { refused: "acts are missing", last: this.last(act) };
      if (act.since === null && !after) return { refused: "nobody knows what it was made in view of" };
      if ((act.since ?? after) !== this.position) return { refused: "another device was first", last: this.last(act) };
      if (act.line.includes("wrong")) return { refused: "it cannot be read" };
      if (act.line.startsWith("#")) return { recorded: false, reached: this.position };
      this.log.push(act);
      return { recorded: true, reached: this.position };
    }
    async recorded() { return this.log.map((act) => act.line); }
    async where() { return this.position; }
  }

  class Server {
    constructor(seed) { this.names = { venue, tournament: "", name: `T${seed}`, token }; }
    async ask(path, fields) {
      for (;;) {
        try {
          const answer = await fetch(path, fields && {
            method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ ...this.names, ...fields }),
          });
          return [answer.status, await answer.json().catch(() => null)];
        } catch (error) {
          if (fields?.number) throw error; // that is the outbox's to try again
          await wait(20);
        }
      }
    }
    async start() {
      const begin = "hand 1; seat 1 Ana 500; seat 2 Bo 500; button 1; 1 posts small 2; 2 posts big 5; deal done";
      while ((await this.ask("/keep.json", { game: "holdem no-limit cash blinds 2/5 unit USD 2", seats: 9 }))[0] !== 200 ||
        (await this.ask("/keep.json", { written: begin, once: "begin" }))[0] !== 200) await wait(20); // a server that ends in between knows no table
      return this.where();
    }
    async post(act) {
      const { line, number, sender, after, seat, since } = act;
      const fields = { written: line.includes("wrong") ? line : line.replace(/^(#?)(\S+)$/, '$1remark "$2"'), number, sender, after };
      return answerOf(...(await this.ask("/keep.json", { ...fields, seat: seat ?? "", since: since ?? "" })));
    }
    async page() {
      for (;;) {
        const [status, body] = await this.ask(`/keep.json?${new URLSearchParams(this.names)}`);
        if (status === 200) return body;
        await wait(20);
      }
    }
    async recorded() { return (await this.page()).live.lines.map((one) => one.line).filter((line) => line.startsWith("remark")).map((line) => line.replace(/^remark "?([^"]*)"?$/, "$1")); }
    async where() { return (await this.page()).position; }
  }

  const sequence = async (seed) => {
    const random = chance(seed);
    const below = (count) => Math.floor(random() * count);
    const server = real ? new Server(seed) : new StandIn();
    const losses = random() < 0.2 ? 0 : random() * 0.6;
    let isCalm = false;
    let clock = 1e12;
    let position = await server.start();
    const late = [];

    // The way to the server: what is sent may not arrive, its answer may not, and it may arrive once more, much later.
    const way = (tab) => async (act) => {
      if (pause) await wait(random() * pause);
      if (tab.isGone) return never;
      const lot = isCalm ? 1 : random();
      if (lot < losses * 0.4) throw new TypeError("lost on its way");
      if (lot < losses * 0.5) return { wait: "busy" };
      const answer = await server.post(act);
      if (!isCalm && random() < losses * 0.3) late.push(act);
      if (lot < losses * 0.9) throw new TypeError("the answer is lost");
      if (lot < losses) return { fault: "a fault of ours" };
      return tab.isGone ? never : answer;
    };

    const devices = Array.from({ length: 1 + below(2) }, () => ({ shelf: new Shelf(), tabs: [], pressed: [] }));
    const open = (device, session) => {
      const tab = { isGone: false, session };
      const live = (shelf) => new Proxy(shelf, { // a page that is gone writes nothing any more
        get: (target, name) => (typeof target[name] === "function" ? (...told) => (tab.isGone ? null : target[name](...told)) : target[name]),
      });
      tab.outbox = new Outbox({ store: live(device.shelf), session: live(session), place: "T", send: way(tab), now: () => clock });
      tab.outbox.drawn(position);
      device.tabs.push(tab);
      return tab;
    };
    const close = (device, tab, isTold) => {
      if (isTold) tab.outbox.release();
      tab.isGone = true;
      device.tabs.splice(device.tabs.indexOf(tab), 1);
    };
    for (const device of devices) open(device, new Shelf());

    const steps = 4 + below(real ? 12 : 30);
    let count = 0;
    for (let step = 0; step < steps; step += 1) {
      const device = devices[below(devices.length)];
      const tab = device.tabs[below(device.tabs.length)];
      const lot = random();
      if (lot < 0.55) {
        const line = `${random() < 0.04 ? "wrong " : random() < 0.04 ? "#" : ""}a${(count += 1)}`;
        device.pressed.push({ line, sender: tab.outbox.box.sender });
        tab.outbox.press({ line });
        if (random() < 0.8) tab.outbox.pump();
      } else if (lot < 0.65) {
        await tab.outbox.pump();
      } else if (lot < 0.75) {
        const where = await server.where(); // the page is drawn as it stands
        if (!tab.outbox.acts.length && where >= tab.outbox.reached) tab.outbox.drawn(where);
        position = where;
      } else if (lot < 0.85) {
        close(device, tab, random() < 0.6); // a reload, or the program or the tablet goes down
        if (random() < 0.5) clock += 10000;
        position = await server.where();
        open(device, tab.session);
      } else if (lot < 0.89 && device.tabs.length < 3) {
        position = await server.where();
        open(device, random() < 0.5 ? new Shelf({ ...tab.session }) : new Shelf());
      } else if (lot < 0.92 && device.tabs.length > 1) {
        close(device, tab, true);
      } else if (lot < 0.96 && late.length) {
        await server.post(late.splice(below(late.length), 1)[0]).catch(() => {});
      } else {
        clock += below(12000);
        await tick();
      }
    }

    // In the end the connection holds: what waits is sent, and what arrives late arrives.
    isCalm = true;
    for (let round = 0; round < (real ? 3000 : 60); round += 1) {
      clock += 10000;
      for (const device of devices) for (const tab of device.tabs) await tab.outbox.pump();
      for (const act of late.splice(0)) await server.post(act).catch(() => {});
      const isWaiting = devices.some((device) => device.tabs.some((tab) => tab.outbox.acts.length || tab.outbox.isSending) ||
        Object.values(device.shelf).some((text) => JSON.parse(text).acts.length));
      if (!isWaiting && round > 1) break;
      if (isWaiting) await (real ? wait(20) : tick());
    }
    const recorded = await server.recorded();
    const wrong = [];
    const times = new Map();
    for (const line of recorded) times.set(line, (times.get(line) || 0) + 1);
    for (const device of devices) {
      const shown = new Set();
      for (const text of [...Object.values(device.shelf), ...device.tabs.map((tab) => JSON.stringify(tab.outbox.box))]) {
        for (const { label } of JSON.parse(text).refused) shown.add(label);
      }
      for (const { line } of device.pressed) {
        const found = times.get(line) || 0;
        if (found > 1) wrong.push(`${line} is recorded ${found} times`);
        if (line.startsWith("#")) continue; // tells nothing that could be recorded
        if (!found && !shown.has(line)) wrong.push(`${line} is lost`);
        if (found && shown.has(line)) wrong.push(`${line} is recorded, and shown as refused`);
      }
      for (const sender of new Set(device.pressed.map((act) => act.sender))) {
        const own = device.pressed.filter((act) => act.sender === sender && times.has(act.line)).map((act) => act.line);
        const order = recorded.filter((line) => own.includes(line));
        if (own.join() !== order.join()) wrong.push(`pressed ${own}, recorded ${order}`);
      }
    }
    const pressed = devices.reduce((sum, device) => sum + device.pressed.length, 0);
    return { seed, wrong, pressed, recorded: recorded.length };
  };

  const failures = [];
  let [pressed, recorded] = [0, 0];
  for (const seed of seeds) {
    const result = await sequence(seed);
    pressed += result.pressed;
    recorded += result.recorded;
    if (result.wrong.length) failures.push(result);
  }
  return { failures: failures.slice(0, 5), count: failures.length, pressed, recorded };
}
