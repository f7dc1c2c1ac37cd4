// Acts that the server offers, as keys: one press, or a choice, an amount, a card, a name or a chair first.

import { h } from "../vendor/preact-11.2.0.min.js";
import { quoteName } from "./lines.js";
import { safeName } from "./words.js";

const LONGEST_NAME = 60;

const fill = (line, field, text) => line.replaceAll(`{${field}}`, () => text);

// Asks for what an offer needs, one thing after the other, and presses it.
export const take = (keep, offer, label = offer.label, title = "") => {
  const { line, needs = [], presets = [] } = offer;
  const [field] = needs;
  const goOn = (text, said) => take(keep, { ...offer, line: fill(line, field, text), needs: needs.slice(1) }, `${label}: ${said}`, title);
  if (!field) {
    keep.close();
    keep.press({ line, label });
  } else if (field === "chips") {
    keep.keypad({ title: title || label, presets, onDone: (text) => goOn(text, text) });
  } else if (field === "card") {
    keep.pickCards({ title: title || label, count: 1, onDone: (card) => goOn(card, card) });
  } else {
    keep.open({ kind: field === "who" ? "names" : "chairs", title: title || label, offer, onDone: goOn });
  }
};

const choose = (keep, offer) => {
  if (offer.options.length) keep.open({ kind: "options", title: offer.label, offer });
  else take(keep, offer);
};

export const renderOffer = (keep, offer, kind = "") => h(
  "button", { type: "button", class: `key ${kind}`, key: offer.name, "data-offer": offer.name, onClick: () => choose(keep, offer) },
  offer.label, offer.note && h("small", {}, offer.note),
);

export const renderOffers = (keep, offers) => h("div", { class: "sheet-keys" }, offers.map((offer) => renderOffer(keep, offer)));

// The reasons of an act: a tap away, each sentence with the clauses that it rests on.
export const renderReasons = (keep, reasons) => h("ul", { class: "sheet-reasons" }, reasons.map((reason, index) => h(
  "li", { key: index }, reason.sentence,
  reason.clauses.map((quote) => h("q", { key: quote.clause, cite: `/rules?book=${quote.book}&clause=${quote.clause}` },
    h("b", {}, `${quote.book} ${quote.clause}`), " ", quote.says)),
)));

export const renderWhyKey = (keep, title, reasons) => reasons.length > 0 && h("button", {
  type: "button", class: "key quiet why-key", key: "why", "data-act": "why", "aria-label": keep.say("whyOf", { act: title }),
  onClick: () => keep.open({ kind: "why", title, reasons }),
}, "§");

const renderNames = (keep, { offer, newPlayer, onDone }) => {
  const { players } = keep.page.offers;
  const done = (name) => { if (name) onDone(quoteName(name), name); };
  return h(
    "div", { class: "sheet-names" },
    h("div", { class: "sheet-keys" },
      newPlayer && h("button", { type: "button", class: "key main", "data-name": newPlayer, onClick: () => done(newPlayer) }, newPlayer),
      players.map((name) => h("button", { type: "button", class: "key", key: name, "data-name": name, onClick: () => done(name) }, h("bdi", {}, safeName(name))))),
    h("form", { class: "ask", onSubmit: (event) => { event.preventDefault(); done(event.target.elements.who.value.trim()); } },
      h("label", { for: "who" }, keep.say("newName")),
      h("input", { id: "who", name: "who", maxLength: LONGEST_NAME, autocomplete: "off" }),
      h("button", { class: "key" }, offer.label)),
  );
};

const renderChairs = (keep, { offer, onDone }) => h("div", { class: "sheet-keys" }, offer.chairs.map((chair) => h("button", {
  type: "button", class: "key", key: chair, "data-chair": chair, onClick: () => onDone(String(chair), chair),
}, keep.say("chairNumber", { seat: chair }))));

// Contents of the sheets that an offer opens.
export const OFFER_SHEETS = {
  names: renderNames,
  chairs: renderChairs,
  options: (keep, { offer }) => h("div", {}, offer.note && h("p", { class: "note" }, offer.note), h(
    "div", { class: "sheet-keys" },
    offer.options.map((option) => h("button", {
      type: "button", class: "key", key: option.name, "data-option": option.name, onClick: () => take(keep, option, `${offer.label}: ${option.label}`),
    }, option.label)),
  )),
  why: (keep, { reasons }) => renderReasons(keep, reasons),
};
