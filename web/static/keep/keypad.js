// Big keys for an amount.

import { h } from "../vendor/preact-11.2.0.min.js";
import { still } from "./words.js";

const KEYS = ["7", "8", "9", "4", "5", "6", "1", "2", "3", ".", "0", "⌫"];
const LONGEST = 10;

const pressed = (text, key) => {
  if (key === "⌫") return text.slice(0, -1);
  if (key === "." && (text.includes(".") || !text)) return text;
  return text.length < LONGEST ? text + key : text;
};

// `text`: what was entered so far, `onText(text)`, `onDone(text)`; `presets`: [{ label, text }]; `problem`: why it can't be done, `warning`: what to look at before it is.
export const renderKeypad = (keep, { title, text, presets = [], hasDecimals = true, problem = "", warning = "", doneLabel, onText, onDone, onCancel }) => h(
  "div", { class: "keypad", key: "keypad" },
  h("output", { class: "keypad-text", "aria-live": "polite" }, h("span", {}, title), still(text || "0", "b")),
  presets.length > 0 && h("div", { class: "keypad-presets" }, presets.map((preset) => h(
    "button", { type: "button", class: "key", key: preset.text, onClick: () => onText(preset.text) }, preset.label,
  ))),
  h("div", { class: "keypad-keys" }, KEYS.map((key) => h("button", {
    type: "button", class: "key", key, "data-key": key, disabled: key === "." && !hasDecimals,
    "aria-label": key === "⌫" ? keep.say("delete") : undefined, onClick: () => onText(pressed(text, key)),
  }, key))),
  h("p", { class: "keypad-problem", role: "status" }, problem || warning),
  h("div", { class: "row" },
    onCancel && h("button", { type: "button", class: "key quiet", "data-act": "keypad-cancel", onClick: onCancel }, keep.say("cancel")),
    h("button", { type: "button", class: "key main", "data-act": "keypad-done", disabled: !text || Boolean(problem), onClick: () => onDone(text) }, doneLabel)),
);
