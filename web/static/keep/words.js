// Texts in the page's language, which are part of the page, and formatted amounts and names.

import { h } from "../vendor/preact-11.2.0.min.js";
import { formatChips } from "./lines.js";

// Control characters, and characters that move or hide their neighbours.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

export const speaker = (words) => (name, fields = {}) => {
  const text = words[name];
  if (text === undefined) throw new Error(`no text is called ${name}`);
  return text.replace(/\{(\w+)\}/g, (_, field) => fields[field] ?? "");
};

export const formatMoney = (chips, { sign, exponent }) => {
  if (chips === null || chips === undefined) return "?";
  return `${chips < 0 ? "-" : ""}${sign}${formatChips(Math.abs(chips), exponent)}`;
};

export const safeName = (name) => name.replace(UNSAFE, "�");

// A text whose element is replaced when it changes, so that nothing on the page moves.
export const still = (text, tag = "span") => h(tag, { key: text }, text);
