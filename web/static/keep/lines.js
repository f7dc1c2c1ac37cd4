// Reads lines of handscript and amounts: words, quoted names, chips and cards.

const CARDS = /^(?:(?:10|[2-9TJQKAtjqka?])[shdcSHDC?])+$/;

// The words of a line. A name in quotes is a single word; a comment is left out.
export const splitWords = (line) => {
  const words = [];
  const pattern = /"((?:\\.|[^"\\])*)"|#.*$|[^\s"#]+/g;
  for (const match of line.matchAll(pattern)) {
    if (match[1] !== undefined) words.push(match[1].replace(/\\(.)/g, "$1"));
    else if (!match[0].startsWith("#")) words.push(match[0]);
  }
  return words;
};

// The facts of a line, which a semicolon separates.
export const splitFacts = (line) => {
  const facts = [""];
  let isQuoted = false;
  for (let index = 0; index < line.length; index += 1) {
    const letter = line[index];
    if (letter === "\\" && isQuoted) {
      facts[facts.length - 1] += letter + (line[index + 1] ?? "");
      index += 1;
    } else if (letter === ";" && !isQuoted) {
      facts.push("");
    } else {
      if (letter === '"') isQuoted = !isQuoted;
      facts[facts.length - 1] += letter;
    }
  }
  return facts.map((fact) => fact.trim()).filter(Boolean);
};

export const quoteName = (name) => `"${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

// An amount in the table's smallest unit; null if the text isn't an amount, or has too many decimals.
export const parseChips = (text, exponent) => {
  const [units, decimals = ""] = String(text).trim().replace(/^[$€£]/, "").split(".");
  const digits = decimals.replace(/0+$/, "");
  if (!/^\d{1,12}$/.test(units) || !/^\d*$/.test(digits) || digits.length > exponent) return null;
  return Number(units + digits.padEnd(exponent, "0"));
};

// Chips as they're written in lines: 12.50 and 1200, without a sign.
export const formatChips = (chips, exponent) => {
  if (chips === null || chips === undefined) return "?";
  const digits = String(Math.abs(chips)).padStart(exponent + 1, "0");
  const cut = digits.length - exponent;
  const decimals = digits.slice(cut);
  return (chips < 0 ? "-" : "") + digits.slice(0, cut) + (/[1-9]/.test(decimals) ? `.${decimals}` : "");
};

export const areCards = (text) => CARDS.test(text.replace(/\s+/g, ""));

// Cards one by one: "10h kd" is ["Th", "Kd"].
export const splitCards = (text) => {
  const letters = text.replace(/\s+/g, "").replaceAll("10", "T");
  return (letters.match(/../g) || []).map((card) => card[0].toUpperCase() + card[1].toLowerCase());
};

export const isSeat = (word) => /^\d{1,2}$/.test(word || "");
