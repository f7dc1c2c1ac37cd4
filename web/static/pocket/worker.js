// The thread that answers the page: it starts Python once, then turns each request into an answer.

import { addCatalogue, findAnswer, startPython } from "./engine.js";
import { loadPyodide } from "../engine/pyodide.mjs";

const FOLDER = new URL("../engine/", import.meta.url).href;
const catalogues = new Set(["en"]);
const load = globalThis.fetch.bind(globalThis);

const GZIP_MARK = [0x1f, 0x8b];

// The bytes of a compressed file in the folder. Some servers decompress it themselves.
const unpacked = async (response) => {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (GZIP_MARK.some((byte, index) => bytes[index] !== byte)) return bytes;
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
};

const fetchFile = async (name) => {
  const response = await load(new URL(name, FOLDER));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
};

// Pyodide asks for its WebAssembly by this name; the folder holds it compressed.
globalThis.fetch = async (address, options) => {
  if (new URL(address, FOLDER).href !== `${FOLDER}pyodide.asm.wasm`) return load(address, options);
  return new Response(await unpacked(await fetchFile("pyodide.asm.wasm.gz")), { headers: { "content-type": "application/wasm" } });
};

const start = async () => {
  const [msgspec, modules] = await Promise.all(["msgspec.whl", "handledger.zip"].map(async (name) => new Uint8Array(await (await fetchFile(name)).arrayBuffer())));
  const python = await startPython({ loadPyodide, folder: FOLDER, msgspec, modules });
  return { python, answer: findAnswer(python) };
};

const started = start();

const answer = async (request) => {
  const { python, answer: answerRequest } = await started;
  const { language } = request;
  if (!catalogues.has(language)) {
    addCatalogue(python, language, await unpacked(await fetchFile(`${language}.mo.gz`)));
    catalogues.add(language);
  }
  return JSON.parse(answerRequest(JSON.stringify(request)));
};

globalThis.addEventListener("message", async ({ data: { id, request } }) => {
  try {
    globalThis.postMessage({ id, answer: await answer(request) });
  } catch (error) {
    globalThis.postMessage({ id, failure: String(error.message ?? error).slice(-2000) });
  }
});
