// A table as the end of a link, which browsers don't send to any server; and back.

const MARK = "#t=";
const LONGEST = 60_000; // letters of a link
const MOST_BYTES = 1_000_000; // of the table in it: thousands of hands

const squeeze = async (bytes, Stream) => {
  const reader = new Blob([bytes]).stream().pipeThrough(new Stream("deflate-raw")).getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > MOST_BYTES) throw new Error("too long");
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
};

const toLetters = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const toBytes = (letters) => Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

export const linkOf = async (table, address) => `${address.split("#")[0]}${MARK}${toLetters(await squeeze(new TextEncoder().encode(JSON.stringify(table)), CompressionStream))}`;

export const holdsTable = (hash) => hash.startsWith(MARK);

// The table in a link; null if it has none, or it can't be read.
export const tableOf = async (hash) => {
  if (!holdsTable(hash) || hash.length > LONGEST) return null;
  try {
    const table = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await squeeze(toBytes(hash.slice(MARK.length)), DecompressionStream)));
    return table && typeof table === "object" && !Array.isArray(table) ? table : null;
  } catch {
    return null;
  }
};
