// The acts pressed on a page that records a table, until they're recorded or refused.
//
// Each act has its sender (one page of one browser), the table, and a running number; it's stored in the browser before
// anything else happens, and sent one after the other. The server takes each number once, so an act in doubt is
// sent again. A refused act stays here until a person has seen it. This module needs no page: a store, a transport,
// a clock and the texts for people are given to it.

const LEASE = 6000; // milliseconds after which a page that says nothing is gone, and its acts are sent by another
const FAULTS = 3; // so often the server may fail over one act before a person may give it up
const DAY = 86400000;

const random = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// `last` is the number of the last recorded act, `reached` its position in the log.
const emptyBox = (sender) => ({ sender, next: 1, last: 0, reached: 0, acts: [], refused: [], alive: 0 });

// Without a page nobody reads the text, so its name is enough.
const unsaid = (name) => name;

// The server's answer to an act, as the outbox takes it. An answer in another form isn't from our server.
export const answerOf = (status, body, say = unsaid) => {
  const why = [body?.title, body?.message].filter(Boolean).at(-1) || say("status", { status });
  if (status === 200 && body?.schema === "handledger/page-keep/1") return body;
  if (body?.schema !== "handledger/page-error/1") return { wait: say("offline") };
  if (status === 401) return { wait: say("restarted"), isSignedOut: true };
  if (body.approve) return { refused: why, hint: body.hint, last: body.last, approve: body.approve };
  if ([403, 405, 408, 421, 429].includes(status) || status > 500) return { wait: why };
  return status === 500 ? { fault: why } : { refused: why, hint: body.hint, last: body.last };
};

export class Outbox {
  // `store` and `session` are like localStorage and sessionStorage, `place` says which table.
  // `send(act)` answers { recorded, reached }, { refused, hint, last }, { wait } or { fault }, or throws where nothing came.
  // `say(name, fields)` returns a text for people.
  constructor({ store, session, place, send, say = unsaid, onChange = () => {}, now = () => Date.now() }) {
    Object.assign(this, { store, session, send, say, onChange, now });
    this.prefix = `handledger acts ${place} `;
    this.key = `handledger sender ${place}`;
    this.isKept = true; // false: the browser stores nothing, and what waits lasts as long as the page
    this.isSending = false;
    this.waitingFor = ""; // why what waits is not sent now
    this.isSignedOut = false; // the server doesn't know who sends it
    this.seen = 0; // position in the log up to which the page shows the table
    this.isBroken = false; // an act was refused since the page was drawn: what was pressed after it is void
    this.isFaulty = false; // the server failed over the act that was sent last
    this.faults = 0; // so often in a row the server failed over the act that is next
    this.box = this.#claim();
    this.#keep();
  }

  get acts() { return this.box.acts; }
  get refused() { return this.box.refused; }
  get reached() { return this.box.reached; }

  // Notes that the page shows the table at a position of the log.
  drawn(position) {
    this.seen = position;
    this.isBroken = false;
  }

  // Stores an act before it returns.
  press({ line, label = line, seat = null, typed = false, by = "" }) {
    this.#wake();
    const box = this.box;
    const isSeen = !box.acts.length && (this.seen >= box.reached || !box.last);
    const act = { id: random(), number: box.next, line, label, seat, typed, by, since: isSeen ? this.seen : null };
    box.next += 1;
    box.acts.push(act);
    this.#keep();
    this.onChange();
    return act;
  }

  // Lists an act as refused that was never sent, because the page itself couldn't take it.
  refuse(label, why) {
    this.box.refused.push({ label, why });
    this.#keep();
    this.onChange();
  }

  // Whether a person may give up the waiting acts: the server has failed at them several times.
  get isHopeless() { return this.faults >= FAULTS && this.acts.length > 0; }

  giveUp() {
    this.#refuseAll(this.box, { refused: this.say("givenUp"), hint: this.say("givenUpHint") });
    this.faults = 0;
    this.#keep();
    this.onChange();
  }

  // Removes the refused acts after a person has seen them.
  dismiss() {
    this.box.refused = [];
    this.#keep();
    this.onChange();
  }

  // Removes a refused act that a floor has approved since: it's recorded.
  forgetApproved(address) {
    this.box.refused = this.box.refused.filter((act) => !act.approve || act.approve !== address);
    this.#keep();
    this.onChange();
  }

  // Sends waiting acts: those of closed pages, then this page's own. Called after each press, and every second.
  async pump() {
    if (this.isSending) return;
    this.isSending = true;
    try {
      this.#wake();
      for (const box of this.#orphans()) {
        if (!(await this.#drain(box)) && !this.isFaulty) return;
      }
      await this.#drain(this.box);
    } finally {
      this.isSending = false;
      this.#wake();
      this.#keep();
      this.onChange();
    }
  }

  // Releases this page's acts when it closes or sleeps: the next page of the table sends them.
  release() {
    this.box.alive = 0;
    this.#write(this.box);
  }

  #claim() {
    const sender = this.#guarded(() => this.session.getItem(this.key));
    const own = sender && this.#read(this.prefix + sender);
    if (own && own.alive === 0) return own; // put away in order: one that went down, or sleeps, is drained as any other
    const box = emptyBox(random());
    this.#guarded(() => this.session.setItem(this.key, box.sender));
    return box;
  }

  // After sleep another page may have sent this page's acts: go on with those that are left.
  #wake() {
    const age = this.now() - this.box.alive;
    if (!this.isKept || (age >= 0 && age < LEASE)) return;
    const left = this.#read(this.prefix + this.box.sender);
    const { reached, refused } = this.box;
    if (left) this.box = { ...left, reached: Math.max(reached, left.reached), refused };
    this.#keep();
  }

  // Sends the acts of a box in their order; false if the server can't be reached now.
  async #drain(box) {
    while (box.acts.length) {
      const [act] = box.acts;
      let answer;
      try {
        answer = await this.send({ ...act, sender: box.sender, after: box.last });
      } catch {
        answer = { wait: this.say("offline") };
      }
      const isOwn = box === this.box;
      this.#wake();
      if (isOwn && box !== this.box) return true;
      this.isFaulty = Boolean(answer.fault);
      this.isSignedOut = Boolean(answer.isSignedOut);
      if (isOwn) this.faults = answer.fault ? this.faults + 1 : 0;
      if (answer.wait || answer.fault) { // whether a server that fails has recorded the act, only its answer to the next try says
        this.waitingFor = answer.wait || answer.fault;
        return false;
      }
      this.waitingFor = "";
      const stands = isOwn ? box : this.#read(this.prefix + box.sender);
      // Another page has taken the box meanwhile: it sends the acts too, and gets the same answers.
      if (!stands || (!isOwn && this.#isAlive(stands)) || stands.acts[0]?.id !== act.id) return true;
      if (answer.refused) this.#refuseAll(stands, answer);
      else this.#accept(stands, act, answer);
      this.#settle(stands);
      box = stands;
    }
    return true;
  }

  #accept(box, act, answer) {
    box.acts.shift();
    box.reached = Math.max(box.reached, answer.reached || 0);
    if (answer.recorded) box.last = act.number;
    else if (box.acts.length) box.acts[0].since ??= act.since; // it told nothing that could be recorded: the next takes its place
  }

  // Refuses the acts after a refused one, too: they were pressed in the belief that it was recorded.
  #refuseAll(box, answer) {
    const [first, ...later] = box.acts;
    box.refused.push({ label: first.label, line: first.typed ? first.line : "", why: answer.refused, hint: answer.hint || "", approve: answer.approve || "" });
    for (const act of later) box.refused.push({ label: act.label, why: this.say("after", { act: first.label }) });
    this.isBroken ||= box === this.box;
    box.acts = [];
    if (answer.last === undefined || answer.last === null) return;
    box.last = answer.last; // as the server has it
    box.next = Math.max(box.next, box.last + 1);
  }

  #settle(box) {
    if (box === this.box) {
      this.#keep();
    } else if (box.acts.length) {
      this.#write(box);
    } else {
      this.box.refused.push(...box.refused);
      this.box.reached = Math.max(this.box.reached, box.reached);
      this.#keep();
      this.#write({ ...box, refused: [], left: this.now() }); // empty, for a page that only slept
    }
    this.onChange();
  }

  // The boxes of closed pages of this table that still have acts.
  #orphans() {
    const found = [];
    for (const name of this.#guarded(() => Object.keys(this.store)) || []) {
      const box = name.startsWith(this.prefix) && name !== this.prefix + this.box.sender && this.#read(name);
      if (!box || this.#isAlive(box)) continue;
      if (box.acts.length) found.push(box);
      else if (box.refused.length) this.#settle(box);
      else if (this.now() - (box.left || 0) > DAY) this.#guarded(() => this.store.removeItem(name));
    }
    return found;
  }

  #isAlive(box) {
    const age = this.now() - box.alive;
    return age >= 0 && age < LEASE;
  }

  #keep() {
    this.box.alive = this.box.left = this.now();
    this.isKept = this.#write(this.box);
  }

  #write(box) {
    return this.#guarded(() => { this.store.setItem(this.prefix + box.sender, JSON.stringify(box)); return true; }) || false;
  }

  #read(name) {
    const text = this.#guarded(() => this.store.getItem(name));
    try {
      const box = JSON.parse(text);
      return box && Array.isArray(box.acts) && Array.isArray(box.refused) && Number.isInteger(box.next) ? box : null;
    } catch {
      return null;
    }
  }

  // A browser may refuse to store anything: then waiting acts last only as long as the page.
  #guarded(work) {
    try { return work(); } catch { return null; }
  }
}
