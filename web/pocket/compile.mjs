// Compiles modules with the browser's own Python, so that a phone needn't: `node compile.mjs FOLDER`.
//
// FOLDER holds Pyodide's files, msgspec.whl, handledger.zip, exercise.json and a copy of engine.js. Compiled are the modules
// that answering the requests of exercise.json loads: they are larger than their sources. Parts of the standard library that
// need processes, sockets, terminals or test runners are left out.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.message}\n`); // and not the line of Pyodide's script, which is a megabyte long
  process.exit(1);
});
const folder = path.resolve(process.argv[2]);
const bytes = (name) => new Uint8Array(fs.readFileSync(path.join(folder, name)));
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
const { findAnswer, startPython } = await import(pathToFileURL(path.join(folder, "engine.mjs")));

const python = await startPython({ loadPyodide, folder: `${folder}${path.sep}`, msgspec: bytes("msgspec.whl"), modules: bytes("handledger.zip") });
const answer = findAnswer(python);
for (const request of JSON.parse(fs.readFileSync(path.join(folder, "exercise.json"), "utf8"))) answer(JSON.stringify(request));

for (const name of ["python_stdlib.zip", "handledger.zip"]) python.FS.writeFile(`/${name}`, bytes(name));
python.runPython(`
import importlib._bootstrap_external as bootstrap
import sys
import zipfile

NO_SOURCE_HASH = bytes(8)  # Python doesn't look for the source
LEFT_OUT = (
    "_pyrepl", "code.py", "cProfile", "configparser", "ctypes", "curses", "dbm", "doctest", "ensurepip", "ftplib", "getpass",
    "http", "idlelib", "imaplib", "lib2to3", "mailbox", "multiprocessing", "netrc", "optparse", "pdb", "pickletools", "poplib",
    "profile", "pstats", "pydoc", "sched", "shelve", "smtplib", "socketserver", "sqlite3", "statistics", "telnetlib", "test",
    "timeit", "trace.py", "tracemalloc", "turtle", "unittest", "urllib/request", "urllib/robotparser", "venv", "wave",
    "webbrowser", "wsgiref", "xml", "xmlrpc", "zipapp", "concurrent/interpreters", "_pydatetime", "_pydecimal", "_pyio", "bdb",
    "cmd", "colorsys", "ipaddress", "mimetypes", "modulefinder", "plistlib", "pyclbr", "rlcompleter", "symtable", "tabnanny",
)
SHARED_ENCODINGS = ("__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "punycode", "raw_unicode", "unicode_escape", "utf_")
LIBRARY = "/lib/python314.zip/"
HOME = "/engine/"
loaded = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}

def is_needed(name):
    if LIBRARY + name in loaded:
        return True
    if name.startswith("encodings/"):
        return name.removeprefix("encodings/").startswith(SHARED_ENCODINGS)
    return not any(name == part or name.startswith((part + "/", part + ".", part + "_data/")) for part in LEFT_OUT)

def compile_module(name, source):
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    return bytes(bootstrap._code_to_hash_pyc(code, NO_SOURCE_HASH, False))

def rewrite(path, folder, is_needed):
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if is_needed(name)}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in sorted(files.items()):
            if name.endswith(".py") and folder + name in loaded:
                name, data = name + "c", compile_module(name, data)
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED, 9)

rewrite("/python_stdlib.zip", LIBRARY, is_needed)
rewrite("/handledger.zip", HOME, lambda name: True)
`);
for (const name of ["python_stdlib.zip", "handledger.zip"]) fs.writeFileSync(path.join(folder, name), python.FS.readFile(`/${name}`));
