// Answers requests with the browser's Python, one answer a line: `node pocket_law.mjs FOLDER REQUESTS ANSWERS`.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";

process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
const folder = path.resolve(process.argv[2]);
const bytes = (name) => new Uint8Array(fs.readFileSync(path.join(folder, name)));
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
const { addCatalogue, findAnswer, startPython } = await import(pathToFileURL(path.join(folder, "engine.mjs")));
const python = await startPython({ loadPyodide, folder: `${folder}${path.sep}`, msgspec: bytes("msgspec.whl"), modules: bytes("handledger.zip") });
const answer = findAnswer(python);
for (const name of fs.readdirSync(folder).filter((file) => file.endsWith(".mo.gz"))) {
  addCatalogue(python, name.slice(0, -".mo.gz".length), new Uint8Array(zlib.gunzipSync(bytes(name))));
}
const requests = fs.readFileSync(process.argv[3], "utf8").split("\n").filter(Boolean);
fs.writeFileSync(process.argv[4], requests.map((request) => `${answer(request)}\n`).join(""));
