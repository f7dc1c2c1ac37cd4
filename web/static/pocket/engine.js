// Starts our Python modules in Pyodide. The page's worker, node and the tests share it.

// The index of further packages, without which Pyodide doesn't start: there are none.
const NO_PACKAGES = { info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2", version: "314.0.7" }, packages: {} };
const HOME = "/engine";

// `folder`: where Pyodide's files are. `msgspec` and `modules`: archives as bytes. Resolves to Pyodide.
export const startPython = async ({ loadPyodide, folder, msgspec, modules }) => {
  const python = await loadPyodide({ indexURL: folder, lockFileContents: NO_PACKAGES, packageBaseUrl: folder, fullStdLib: false });
  python.unpackArchive(msgspec, "wheel");
  python.FS.mkdirTree(HOME);
  python.unpackArchive(modules, "zip", { extractDir: HOME });
  python.runPython(`import sys; sys.path.insert(0, "${HOME}"); sys.dont_write_bytecode = True`);
  return python;
};

// The function that answers the page's requests: from JSON to JSON.
export const findAnswer = (python) => {
  python.runPython("from handledger.pocket import answer_request");
  return python.globals.get("answer_request");
};

// Puts the catalogue of a language where the modules look for it.
export const addCatalogue = (python, language, catalogue) => {
  python.globals.set("catalogue_language", language);
  const folder = python.runPython("from handledger.pocket import find_catalogue_folder; find_catalogue_folder(catalogue_language)");
  python.FS.mkdirTree(folder);
  python.FS.writeFile(`${folder}/handledger.mo`, catalogue);
};
