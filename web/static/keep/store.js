// Holds the server's document of a table and the acts pressed since. The outbox stores and sends them, and the state machine
// computes the state after them. This module draws nothing.

import { Outbox, answerOf } from "../outbox.js";
import { act, stateOf, turnOf } from "./state.js";

const TIMEOUT = 10000;
const KEY = /^(?:[fkcam]|[rb] ?[\d.]*|s .*)$/;

const stored = (kind) => { try { return window[kind]; } catch { return null; } };

export class TableStore {
  // `place`: { venue, tournament, name }. `onChange` is called when the page must be redrawn, `onDocument(page)` when a
  // document has arrived.
  constructor({ page, place, token, say, onChange, onDocument }) {
    this.user = document.body.dataset.user ?? "";
    // A person who isn't known any more signs in again; a page of a printed address needs the new address.
    const sayAnswer = (name, fields) => say(name === "restarted" && this.user ? "signedOut" : name, fields);
    Object.assign(this, { page, place, token, say: sayAnswer, onChange, onDocument });
    this.address = new URLSearchParams(place).toString();
    this.isDue = false; // whether the document must be fetched again
    this.isWorking = false;
    this.asked = 0; // the number of documents asked for: only the answer to the last request counts
    this.query = ""; // added to the document's address: how the next hand is planned
    this.refusedBefore = 0;
    this.ended = null; // the state of the hand that ended last
    this.trail = [];
    this.outbox = new Outbox({
      store: stored("localStorage"), session: stored("sessionStorage"), place: this.address, say,
      send: (pressed) => this.#send(pressed), onChange: () => this.#changed(),
    });
    this.#showFormerActs();
    this.#read();
    this.trail = [...this.outbox.acts];
    this.#recount();
  }

  get live() { return this.page.live; }

  // Shows the unsent acts of an earlier version of this page: they have no numbers to send them by.
  #showFormerActs() {
    const name = `keep ${location.search.slice(1)}`;
    try {
      for (const former of JSON.parse(localStorage.getItem(name)) || []) this.outbox.refuse(former.line, this.say("updated"));
      localStorage.removeItem(name);
    } catch { /* there are none, or they can't be read */ }
  }

  #read() {
    this.base = stateOf(this.live);
    this.outbox.drawn(this.page.position);
  }

  // Computes the state after all pressed acts. Acts after a refused one are void.
  #recount() {
    const lines = this.outbox.isBroken ? null : this.trail;
    this.state = lines ? lines.reduce((state, pressed) => act(state, pressed.line), this.base) : { ...this.base, isKnown: false };
    if (this.state.isKnown && this.state.isOver && this.trail.length) this.ended = this.state;
  }

  // Stores acts and draws them, then sends them one by one.
  press(acts) {
    for (const { line, label = line, seat = null, typed = false } of [acts].flat()) {
      const reason = this.#whyNot(line, seat);
      if (reason) {
        this.outbox.refuse(label, reason);
        break;
      }
      this.trail.push(this.outbox.press({ line, label, seat, typed, by: this.user }));
      this.#recount();
    }
    this.work();
    this.onChange();
  }

  // The reason to refuse a key: the turn isn't known, or it's another seat's.
  #whyNot(line, seat) {
    if (!this.trail.length || !(line === "." || KEY.test(line))) return "";
    if (!this.state.isKnown) return this.say("unseen");
    const turn = turnOf(this.state);
    if (turn && (line === "." || (seat !== null && turn.seat !== seat))) return this.say("turnOf", { seat: turn.seat });
    return "";
  }

  async #send(pressed) {
    const { number, sender, after, line, by } = pressed;
    const fields = { number, sender, after, written: line, seat: pressed.seat ?? "", since: pressed.since ?? "", by: by ?? "" };
    const answer = await fetch("/keep.json", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...this.place, ...fields, token: this.token }),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    return answerOf(answer.status, await answer.json().catch(() => null), this.say);
  }

  #changed() {
    const { refused, acts, reached, seen } = this.outbox;
    if (refused.length > this.refusedBefore) {
      this.isDue = true;
      this.onRefused?.(refused.slice(this.refusedBefore));
    }
    this.refusedBefore = refused.length;
    if (!acts.length && (this.trail.length || reached > seen)) this.isDue = true;
    if (this.outbox.isBroken) this.#recount();
    this.onChange();
  }

  // Fetches the document. It's ignored if an act waits, or if it's older than the last act.
  async refresh(query = this.query) {
    this.query = query;
    this.asked += 1;
    const mine = this.asked;
    const answer = await fetch(`/keep.json?${this.address}${query}`, { headers: { accept: "application/json" }, signal: AbortSignal.timeout(TIMEOUT) });
    const page = await answer.json().catch(() => null);
    const isOurs = answer.ok && page?.schema === "handledger/page-keep/1";
    if (!isOurs) this.outbox.waitingFor = answerOf(answer.status, page, this.say).wait || this.say("offline");
    if (!isOurs || mine !== this.asked || this.outbox.acts.length || page.position < this.outbox.reached) return;
    this.isDue = false;
    this.outbox.waitingFor = "";
    this.next = page;
    this.onChange();
  }

  // Replaces the document by the fetched one. Called when it may be drawn.
  adopt() {
    if (!this.next || this.outbox.acts.length || this.next.position < this.outbox.reached) {
      this.next = null;
      return;
    }
    this.page = this.next;
    this.next = null;
    this.onDocument(this.page);
    for (const { approve, state } of this.page.approvals ?? []) {
      if (state === "approved") this.outbox.forgetApproved(approve);
    }
    this.trail = [];
    this.#read();
    this.#recount();
  }

  get isBusy() { return this.isWorking && (this.outbox.acts.length > 0 || this.isDue); }

  // Sends waiting acts, and fetches the document when all are recorded. Called after each press, and every second.
  async work() {
    if (this.isWorking) return;
    this.isWorking = true;
    try {
      do {
        await this.outbox.pump();
        if (this.isDue && !this.outbox.acts.length) await this.refresh();
      } while (this.outbox.acts.length && !this.outbox.waitingFor);
    } catch {
      this.outbox.waitingFor = this.say("offline");
    } finally {
      this.isWorking = false;
      this.onChange();
    }
  }

  // Fetches the document after another device recorded something, unless an act waits here.
  grew() {
    if (!this.outbox.acts.length && !this.isWorking) this.refresh().catch(() => {});
  }
}
