"use strict";
// Steps a hand through its frames. It has no names, and makes no HTML from text: it only sets text nodes.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SUIT = { s: "♠", h: "♥", d: "♦", c: "♣" };
  const STATUS = { folded: " folded", "all-in": " all in", dead: " dead", "left-out": " out" };
  const WORDS = ["D", "SB", "BB"];
  const TITLES = { D: "button", SB: "small blind", BB: "big blind" };
  const all = (root, what) => [...root.querySelectorAll(what)];

  function shape(tag, attributes, parent, text) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    parent.append(made);
    return made;
  }

  // Narrows the letters of texts that are wider than a plate. All are measured before any is changed.
  function fitTexts(texts) {
    texts.forEach((text) => text.removeAttribute("textLength"));
    for (const text of texts.filter((each) => each.getComputedTextLength() > 110)) {
      text.setAttribute("textLength", 110);
      text.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
  }

  // Cards side by side around the middle, like `lay_cards` in display_texts.py.
  function row(parent, cards, room, width, height) {
    parent.replaceChildren();
    const each = cards.match(/../g) || [];
    if (!each.length) return;
    const step = Math.min(width + 3, room / each.length);
    const wide = Math.min(width, room / each.length);
    const left = -(step * (each.length - 1) + Math.min(width, step)) / 2;
    each.forEach((card, at) => {
      const known = card !== "??";
      const group = shape("g", { class: "card " + (known ? card[1] : "back"), transform: `translate(${left + step * at} 0)` }, parent);
      shape("rect", { width: wide, height, rx: 3 }, group);
      if (!known) return;
      shape("text", { x: wide / 2, y: height * 0.45 }, group, card[0] === "T" ? "10" : card[0]);
      shape("text", { x: wide / 2, y: height * 0.9 }, group, SUIT[card[1]]);
    });
  }

  // The places of boards around the middle, like `place_boards` in display_texts.py.
  function placesOf(boards) {
    const across = boards > 2 ? 2 : 1;
    const rows = Math.ceil(boards / across);
    const step = Math.floor(72 / Math.max(rows, 1));
    const [width, height] = rows === 1 && across === 1 ? [34, 44] : [26, rows > 1 ? step - 4 : 34];
    return Array.from({ length: boards }, (_, at) => [across === 2 ? [-88, 88][at % 2] : 0, (rows === 1 ? -30 : -38) + Math.floor(at / across) * step, width, height]);
  }

  class Hand {
    constructor(article, number) {
      this.article = article;
      this.number = number;
      this.near = this.stale = false;
    }

    // Reads the hand's data when it's first shown: a report may have hundreds of hands.
    load() {
      if (this.states) return;
      const { article } = this;
      Object.assign(this, JSON.parse(article.querySelector('script[type="application/json"]').textContent));
      this.at = this.first;
      this.book = 0;
      this.states = [];
      let state = { s: {}, b: [], p: [], t: 0, w: "", d: 0 };
      for (const change of this.frames) {
        state = { ...state, ...change, s: { ...state.s, ...(change.s || {}) } };
        this.states.push(state);
      }
      this.rows = all(article, ".events tbody tr");
      this.pieces = all(article, ".source pre span");
      this.slider = article.querySelector("input[type=range]");
      this.now = article.querySelector(".now");
      this.names = new Map(all(article, ".wide .seat").map((seat) => [seat.dataset.seat, seat.querySelector(".name").textContent]));
      this.real = new Map();
      for (const seat of all(article, ".wide .seat")) {
        this.real.set(seat.dataset.seat, all(seat, ".mark:not(.ghost) text").map((one) => one.textContent));
      }
      this.wire();
    }

    wire() {
      const { article } = this;
      all(article, "[hidden]").forEach((one) => { one.hidden = false; });
      let before = -1; // how far along the name before stands in the upper row
      for (const tick of all(article, ".ticks > *")) {
        const along = tick.dataset.at / Math.max(1, this.frames.length - 1);
        tick.style.left = `${100 * along}%`;
        if (tick.tagName !== "SPAN") continue;
        tick.classList.toggle("low", before >= 0 && along - before < 0.14);
        if (!tick.classList.contains("low")) before = along;
      }
      this.slider.addEventListener("input", () => go({ hand: this, at: Number(this.slider.value) }));
      article.addEventListener("click", (event) => {
        const button = event.target.closest("button");
        if (!button) return;
        if (button.dataset.street) go({ hand: this, at: Number(button.dataset.street) });
        else if (button.dataset.tab) this.choose(Number(button.dataset.tab));
        else { current = this; act(button.dataset.do); }
      });
      const search = article.querySelector("input[type=search]");
      search.addEventListener("input", () => {
        const wanted = search.value.toLowerCase();
        for (const one of this.rows) one.hidden = !one.textContent.toLowerCase().includes(wanted);
      });
    }

    choose(book) {
      this.book = book;
      go({ hand: this });
    }

    // Arrows move between tabs, as in any list of tabs; only the chosen one is reached with Tab.
    tabs() {
      const tabs = all(this.article, "[data-tab]");
      tabs.forEach((tab, at) => {
        tab.setAttribute("aria-selected", String(at === this.book));
        tab.tabIndex = at === this.book ? 0 : -1;
        tab.onkeydown = (event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (!step) return;
          event.stopPropagation();
          event.preventDefault();
          const next = (at + step + tabs.length) % tabs.length;
          this.choose(next);
          tabs[next].focus();
        };
      });
    }

    amount(chips) {
      if (chips === null || chips === undefined) return "?";
      if (typeof chips === "string") return chips;
      if (view.blinds && this.big) return `${Math.round((10 * chips) / this.big) / 10} bb`;
      const size = 10 ** this.exponent;
      const part = Math.abs(chips) % size;
      const digits = `${Math.floor(Math.abs(chips) / size)}${part ? "." + String(part).padStart(this.exponent, "0") : ""}`;
      return (chips < 0 ? "-" : "") + this.sign + digits;
    }

    total(pots) {
      return pots.every((pot) => typeof pot[0] === "number") ? this.amount(pots.reduce((sum, pot) => sum + pot[0], 0)) : "?";
    }

    pots({ p, d }) {
      const paid = d ? ` · ${this.amount(d)} paid out` : "";
      if (p.length < 2) return p.length ? `pot ${this.total(p)}${paid}` : "";
      if (p.length > 3) return `main ${this.amount(p[0][0])} · ${p.length - 1} side pots ${this.total(p.slice(1))}${paid}`;
      return p.map((pot, at) => `${at ? "side" : "main"} ${this.amount(pot[0])}`).join(" · ") + paid;
    }

    // Shows it as the reader now looks at hands; one that is far off, when it comes near.
    refresh() {
      if (this.near || this === current) this.show();
      else this.stale = true;
    }

    // Draws the visible table: the other drawing is for another width.
    drawn() {
      for (const table of all(this.article, "svg.table")) {
        if (table.getClientRects().length) this.draw(table, this.states[this.at]);
      }
    }

    show() {
      this.load();
      this.stale = false;
      const state = this.states[this.at];
      this.drawn();
      this.slider.value = this.at;
      const shown = this.rows[this.at];
      const text = shown.cells[1].textContent;
      const turn = state.t ? `, ${this.name(String(state.t))} to act` : "";
      this.now.textContent = `${shown.cells[0].textContent} of ${this.rows.length} · ${view.names ? state.w : text}${turn}`;
      this.slider.setAttribute("aria-valuetext", `event ${this.at + 1} of ${this.rows.length}: ${this.now.textContent}`);
      this.rows.forEach((one, at) => one.classList.toggle("current", at === this.at));
      reveal(shown);
      const piece = this.source[this.at] || [];
      this.pieces.forEach((one, at) => one.classList.toggle("current", piece.length > 0 && at >= piece[0] && at <= piece[1]));
      if (piece.length) reveal(this.pieces[piece[0]]);
      const streets = all(this.article, "[data-street]");
      const on = streets.filter((one) => Number(one.dataset.street) <= this.at).pop();
      for (const one of streets) one.classList.toggle("on", one === on);
      for (const one of all(this.article, ".finding")) one.classList.toggle("current", one.dataset.event === shown.cells[0].textContent);
      this.tabs();
      for (const one of all(this.article, "[data-book]")) {
        const mine = Number(one.dataset.book) === this.book;
        one.classList.toggle("chosen", mine);
        if (one.classList.contains("book")) one.hidden = !mine;
      }
    }

    name(seat) {
      return view.names ? `seat ${seat}` : this.names.get(seat) || `seat ${seat}`;
    }

    // Moves new cards in from the middle, and chips from the plate or to the pot.
    move(table, state, before) {
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      if (still || !before || before === state || !table.animate) return;
      const slide = (one, x, y) => one?.animate([{ transform: `translate(${x}px, ${y}px)`, opacity: 0.2 }, { transform: "none", opacity: 1 }], { duration: 260, easing: "ease-out", composite: "add" });
      const cards = (text) => (text || "").length / 2;
      const dealt = state.b.reduce((sum, board) => sum + cards(board), 0) - before.b.reduce((sum, board) => sum + cards(board), 0);
      if (dealt > 0) for (const card of all(table, ".middle .card").slice(-dealt)) slide(card, 0, -40);
      const matrix = table.querySelector(".middle").transform.baseVal.consolidate().matrix;
      for (const seat of all(table, ".seat")) {
        const [, bet, held] = state.s[seat.dataset.seat] || [];
        const [, was, had] = before.s[seat.dataset.seat] || [];
        const home = seat.transform.baseVal.consolidate().matrix;
        const [x, y] = [(matrix.e - home.e - 59) / 2, (matrix.f - home.f - 60) / 2];
        if (bet && bet !== was) slide(seat.querySelector(".bet"), -x / 2, -y / 2);
        if (held && held !== had) all(seat, ".cards .card").forEach((card) => slide(card, x, y));
      }
      const total = (frame) => Object.values(frame.s).reduce((sum, seat) => sum + (Number(seat[1]) || 0), 0);
      if (total(before) > total(state)) slide(table.querySelector(".pot"), 0, 30);
    }

    draw(table, state) {
      const before = table.drawnState;
      table.drawnState = state;
      const middle = table.querySelector(".middle");
      const boards = state.b.filter((board) => board);
      middle.replaceChildren();
      shape("text", { class: "street", y: -46 }, middle, state.w);
      placesOf(boards.length).forEach(([x, y, width, height], at) => {
        const group = shape("g", { class: boards.length > 1 ? "several" : "", transform: `translate(${x} ${y})` }, middle);
        row(group, boards[at], 180, width, height);
      });
      shape("text", { class: "pot", y: 50 }, middle, this.pots(state));
      const said = [];
      for (const seat of all(table, ".seat")) {
        const number = seat.dataset.seat;
        const [stack, bet, cards, status, open] = state.s[number] || [null, 0, "", "empty", undefined];
        const there = number in state.s;
        seat.setAttribute("class", `seat ${status}${state.t === Number(number) ? " turn" : ""}`);
        const shown = view.eyes && view.eyes !== number && open !== undefined ? open : cards;
        seat.querySelector(".name").textContent = this.name(number);
        seat.querySelector(".stack").textContent = there ? this.amount(stack) + (STATUS[status] || "") : "empty";
        seat.querySelector(".bet").textContent = bet ? this.amount(bet) : "";
        row(seat.querySelector(".cards"), shown, 108, 25, 28);
        seat.querySelector(".name").setAttribute("y", shown ? 17 : 31);
        seat.querySelector(".stack").setAttribute("y", shown ? 33 : 49);
        this.mark(seat, number);
        if (there) said.push(`${this.name(number)} ${this.amount(stack)}${STATUS[status] || ""}${bet ? ` bet ${this.amount(bet)}` : ""}`);
      }
      fitTexts(all(table, ".name, .stack"));
      this.move(table, state, before);
      table.setAttribute("aria-label", `${state.w}. ${boards.join(" ")} ${this.pots(state)}. ${said.join(", ")}`);
    }

    mark(seat, number) {
      const should = this.books[this.book].should;
      const real = this.real.get(number);
      const ghosts = view.ghosts ? WORDS.filter((word, at) => String(should[at]) === number && !real.includes(word)) : [];
      const group = seat.querySelector(".marks");
      group.replaceChildren();
      const words = [...real.map((word) => [word, ""]), ...ghosts.map((word) => [word, " ghost"])];
      words.forEach(([word, ghost], at) => {
        const place = shape("g", { class: `mark${ghost} ${word}`, transform: `translate(${(at - (words.length - 1) / 2) * 27} 0)` }, group);
        shape("title", {}, place, TITLES[word] + (ghost ? " should have been here" : ""));
        shape("circle", { r: 12 }, place);
        shape("text", { y: 4 }, place, word);
      });
    }
  }

  // Scrolls an element into view within its own box only, without moving the page.
  function reveal(one) {
    const box = one.closest(".scroll");
    if (!box) return;
    const [mine, its] = [one.getBoundingClientRect(), box.getBoundingClientRect()];
    if (mine.top < its.top + 30 || mine.bottom > its.bottom) box.scrollTop += mine.top - its.top - box.clientHeight / 3;
  }

  const view = { ghosts: true, blinds: false, names: false, eyes: "" };
  const hands = all(document, "article.hand").map((article, at) => new Hand(article, at + 1));
  const dialog = document.querySelector("dialog.keys");
  let [current] = hands;
  let playing = 0;

  function address() {
    const frame = current.rows[current.at].cells[0].textContent;
    const parts = [...(hands.length > 1 ? [`h=${current.number}`] : []), `e=${frame}`, ...(view.ghosts ? ["cf"] : []), ...(view.eyes ? [`as=seat${view.eyes}`] : [])];
    history.replaceState(null, "", `#${parts.join("&")}`);
  }

  function go({ hand = current, at } = {}) {
    hand.load();
    current = hand;
    hand.at = Math.max(0, Math.min(at ?? hand.at, hand.frames.length - 1));
    hand.show();
    address();
  }

  function follow() {
    const parts = new Map(location.hash.slice(1).split("&").filter(Boolean).map((part) => part.split("=")));
    if (!parts.size) return;
    const hand = hands[Number(parts.get("h") || 1) - 1];
    if (!hand || !(parts.has("e") || parts.has("h"))) return;
    if (parts.has("e")) view.ghosts = parts.has("cf");
    view.eyes = (/^seat(\d+)$/.exec(parts.get("as") || "") || [])[1] || "";
    hand.load();
    const event = Number(parts.get("e"));
    const at = hand.rows.findLastIndex((one) => Number(one.cells[0].textContent) <= event);
    const moved = hand !== current;
    for (const other of hands) if (other !== hand) other.refresh();
    go({ hand, at: at < 0 ? hand.at : at });
    press();
    if (moved || !parts.has("e")) hand.article.scrollIntoView();
  }

  function press() {
    for (const [name, on] of [["ghosts", view.ghosts], ["blinds", view.blinds], ["names", view.names], ["play", Boolean(playing)]]) {
      for (const one of all(document, `[data-do=${name}]`)) one.setAttribute("aria-pressed", String(on));
    }
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
    press();
  }

  function play() {
    if (playing) return stop();
    if (current.at === current.frames.length - 1) current.at = 0;
    playing = setInterval(() => {
      if (current.at === current.frames.length - 1) stop();
      else go({ at: current.at + 1 });
    }, 900);
    return press();
  }

  function toggle(name) {
    view[name] = !view[name];
    hands.forEach((hand) => hand.refresh());
    press();
    address();
  }

  function other(by) {
    const next = hands[hands.indexOf(current) + by];
    if (!next) return;
    go({ hand: next });
    next.article.scrollIntoView();
  }

  const ACTS = {
    first: () => go({ at: 0 }),
    last: () => go({ at: current.frames.length - 1 }),
    back: () => go({ at: current.at - 1 }),
    next: () => go({ at: current.at + 1 }),
    play,
    above: () => other(-1),
    below: () => other(1),
    finding() {
      const found = current.books[current.book].frames;
      if (found.length) go({ at: found.find((at) => at > current.at) ?? found[0] });
    },
    book() {
      current.book = (current.book + 1) % current.books.length;
      go();
    },
    ghosts: () => toggle("ghosts"),
    blinds: () => toggle("blinds"),
    names: () => toggle("names"),
    search: () => current.article.querySelector("input[type=search]").focus(),
    keys: () => (dialog.open ? dialog.close() : dialog.showModal()),
  };
  const KEYS = { ArrowLeft: "back", ArrowRight: "next", ArrowUp: "above", ArrowDown: "below", " ": "play", Home: "first", End: "last", n: "finding", c: "ghosts", r: "book", b: "blinds", a: "names", "/": "search", "?": "keys" };

  function act(name) {
    if (name !== "play" && playing) stop();
    ACTS[name]();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target.type === "search") {
      if (event.key === "Escape") target.blur();
      return;
    }
    if (target.closest("dialog") || (event.key === " " && target.closest("button, summary, a"))) return;
    if (event.key >= "1" && event.key <= "5") {
      const street = all(current.article, "[data-street]").filter((one) => !one.textContent.startsWith("deal"))[event.key - 1];
      if (street) go({ at: Number(street.dataset.street) });
      return;
    }
    const name = KEYS[event.key];
    if (!name || ((name === "above" || name === "below") && hands.length < 2)) return;
    event.preventDefault();
    act(name);
  });
  addEventListener("hashchange", follow);
  addEventListener("resize", () => hands.forEach((hand) => hand.refresh()));
  const whole = () => hands.forEach((hand) => hand.show());
  matchMedia("print").addEventListener("change", whole);
  addEventListener("beforeprint", () => {
    whole();
    all(document, "details").forEach((one) => { one.open = true; });
  });
  const sight = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) {
      const hand = hands.find(({ article }) => article === target);
      hand.near = isIntersecting;
      if (hand.near && (hand.stale || !hand.states)) hand.show();
    }
  }, { rootMargin: "100%" });

  current.show();
  follow();
  press();
  hands.forEach(({ article }) => sight.observe(article));
})();
