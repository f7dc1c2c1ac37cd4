// Stores the table and the language on this phone.

const TABLE = "handledger pocket table";
const LANGUAGE = "handledger pocket language";
const LANGUAGES = ["en", "es", "vi", "zh"];

const read = (name) => {
  try { return localStorage.getItem(name); } catch { return null; }
};

const write = (name, text) => {
  try { localStorage.setItem(name, text); } catch { /* a browser that keeps nothing shows the page all the same */ }
};

export const loadTable = () => {
  try {
    const table = JSON.parse(read(TABLE));
    return table && Array.isArray(table.steps) ? table : null;
  } catch {
    return null;
  }
};

export const saveTable = (table) => write(TABLE, JSON.stringify(table));

export const saveLanguage = (language) => write(LANGUAGE, language);

export const loadLanguage = () => {
  const wanted = [read(LANGUAGE), ...navigator.languages].map((tag) => String(tag).slice(0, 2));
  return wanted.find((language) => LANGUAGES.includes(language)) ?? "en";
};
