"""Nothing is fetched, nothing is run that came as data, and what is installed is pinned."""

from __future__ import annotations

import ast
import hashlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
import unicodedata
from pathlib import Path

import pytest

from ledger.errors import HandledgerError
from projections.books import rulebook
from projections.books.clause_detector import find_detector
from tests.cli.conftest import Run
from tests.security.conftest import Hostile
from tests.security.patterns import ROOT, sources

BANNED_CALLS = {"eval", "exec", "compile", "__import__"}
BANNED_MODULES = {
    "pickle",
    "marshal",
    "shelve",
    "subprocess",
    "ctypes",
    "yaml",
    "jinja2",
    "socket",
    "http",
    "urllib.request",
    "requests",
    "ftplib",
    "smtplib",
    "xmlrpc",
    "telnetlib",
    "webbrowser",
    "xml",
    "lxml",
    "asyncio",
}
IMPORTED_BY_NAME = {
    "cli.main": "a name of the list of commands",
    "ledger.formats": "a name of the list of formats",
    "ledger.intake.archives": "one of two constants",
    "projections.books.clause_detector": "a module of the detectors' folder",
    "ledger.export.events": "constants",
    "cli.mcp": "constants",
}
ALLOWED = {
    ("web.pages.html", "jinja2"): "templates of ours, which escape everything",
    ("web.server.page_drawer", "jinja2"): "the same",
    ("web.server.access.listening_socket", "socket"): "the one socket, which listens and connects to nobody",
    (
        "web.api.client",
        "http",
    ): "a device's side, for programs: connects to the server that it is given; no command loads it",
    ("web.log_growth", "asyncio"): "the loop of the server",
    (
        "web.pocket.runtime",
        "subprocess",
    ): "npm and pip of the user's machine fetch two archives, which must have known digests",
    ("web.pocket.folder", "subprocess"): "Node.js compiles our own modules for the page",
    ("web.server.access.connections", "asyncio"): "the loop of the server: how long a connection may take to ask",
    (
        "cli.screens.record_screen",
        "asyncio",
    ): "the loop of the terminal: how long a key waits for a word that goes on from it",
    ("web.server.access.access_guard", "http"): "how a cookie is written",
    ("web.server.error_pages", "http"): "the words of a status",
}
"""What single modules need all the same, and for what."""


SUSPECT = re.compile(rf"(?<![.\w])({'|'.join([*BANNED_CALLS, 'import_module'])})\b|\b({'|'.join(BANNED_MODULES)})\b")
"""Words without which a module can neither call nor import what is banned."""


def test_the_program_holds_no_code_that_runs_data_or_fetches_anything() -> None:
    for module, path in sources():
        text = unicodedata.normalize("NFKC", path.read_text(encoding="utf-8"))  # as names are read
        if not SUSPECT.search(text):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in BANNED_CALLS, module
                if node.func.id == "import_module":
                    assert module in IMPORTED_BY_NAME or isinstance(node.args[0], ast.Constant), module
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                banned = {name, name.split(".")[0]} & BANNED_MODULES
                assert all((module, module_name) in ALLOWED for module_name in banned), f"{module}: {name}"


def test_only_programs_of_others_load_the_client() -> None:
    loading = [module for module, path in sources() if "web.api.client" in path.read_text(encoding="utf-8")]
    assert loading == []


@pytest.mark.skipif(shutil.which("unshare") is None, reason="there is no unshare here")
@pytest.mark.slow
def test_the_program_works_where_there_is_no_network(tmp_path: Path) -> None:
    def run_offline(*args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["unshare", "-rn", sys.executable, *args],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"NO_COLOR": "1", "HANDLEDGER_URL": str(tmp_path / "x.ledger")},
        )

    alone = run_offline("-c", "import socket; socket.create_connection(('192.0.2.1', 80), 2)")
    if "unshare" in alone.stderr:
        pytest.skip(f"no network can be taken away here: {alone.stderr.strip()}")
    assert "unreachable" in alone.stderr
    key = ["--key", str(tmp_path / "k")]
    for args in (
        ["demo"],
        ["import", str(ROOT / "cli" / "samples")],
        ["log"],
        ["audit", "-r", "hilton"],
        ["seal", "--new-key", *key],
        ["seal", "--for-timestamp", "-o", str(tmp_path / "q")],
        ["verify"],
        ["people"],
        ["export", "--to", "jsonl", "-o", str(tmp_path / "o")],
    ):
        result = run_offline("-m", "cli.main", *args)
        assert result.returncode in (0, 1), (args, result.stderr)


def test_these_tests_reach_no_other_machine() -> None:
    for address in (("192.0.2.1", 80), ("2001:db8::1", 80)):
        family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        with socket.socket(family) as link, pytest.raises(ConnectionError, match="no network"):
            link.connect(address)


def normalized_name(name: str) -> str:
    """A package's name as indexes write it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(file: str) -> dict[str, str]:
    """The version of each package in a file of pins, `NAME==VERSION [; marker]` and what belongs to it."""
    text = (ROOT / file).read_text().replace("\\\n", " ")
    versions = {}
    for line in text.splitlines():
        if line and line[0] != "#":
            match = re.fullmatch(r"([A-Za-z0-9_.-]+)==([0-9][A-Za-z0-9.+!]*)( ; [^-]+?)?( +--hash=.*)?", line)
            assert match, line
            versions[normalized_name(match[1])] = match[2]
    return versions


def test_every_dependency_is_pinned_to_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    requirements = [
        *project["project"]["dependencies"],
        *project["build-system"]["requires"],
        *(requirement for extra in project["project"]["optional-dependencies"].values() for requirement in extra),
    ]
    names = {normalized_name(re.split(r"[\[<>=!~; ]", requirement)[0]) for requirement in requirements}
    assert names <= pinned("constraints.txt").keys()


def test_every_package_that_is_installed_can_be_checked_by_its_hash() -> None:
    pins = pinned("constraints.txt")
    assert pinned("constraints-hashes.txt") == pins, "run `make hashes`"
    run = pinned("requirements-hashes.txt")
    assert run.items() <= pins.items()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    requirements = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    assert {normalized_name(re.split(r"[\[<>=!~; ]", requirement)[0]) for requirement in requirements} <= run.keys()
    for file in ("constraints-hashes.txt", "requirements-hashes.txt"):
        for line in (ROOT / file).read_text().replace("\\\n", " ").splitlines():
            if line[0] != "#":
                hashes = re.findall(r"--hash=(\S+)", line)
                assert hashes, line
                assert all(re.fullmatch("sha256:[0-9a-f]{64}", digest) for digest in hashes), line
                assert len(set(hashes)) == len(hashes)


VENDORED = {
    "htmx-2.0.11.min.js": "d6fdc75f204e6bdefa99b69bf1e6d4ac69b8a364f77929f45c13476b4000f717",
    "preact-11.2.0.min.js": "bdcbd9abdf2c77c5c45326eab42191e949222d479d0d5f69467387a77040cb55",
}
"""Scripts of others in the package, byte for byte as they were published, by the digest of each."""


@pytest.mark.parametrize("name", VENDORED)
def test_a_script_of_others_is_the_published_file_with_its_licence(name: str) -> None:
    folder = ROOT / "web" / "static" / "vendor"
    assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == VENDORED[name]
    assert (folder / f"{name.partition('-')[0]}.LICENSE").read_text()
    assert {path.name for path in folder.glob("*.js")} == VENDORED.keys()


def test_the_scripts_of_a_kept_table_make_no_html_of_text_and_load_nothing_from_elsewhere() -> None:
    folder = ROOT / "web" / "static"
    paths = [*(folder / "keep").glob("*.js"), folder / "outbox.js", folder / "keep_worker.js"]
    assert len(paths) > 10
    for path in paths:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"https?://|\beval\(|new Function|importScripts|\bimport\(", text), path.name
        assert not re.search(r"(inner|outer|insertAdjacent)HTML|document\.write|dangerouslySet|cssText", text), (
            path.name
        )


# rulebooks are data

BOOK = """
[rulebook]
name = "own"
title = "{title}"
edition = "1"
{more}
"""
CODE = [
    'x = "!!python/object/apply:os.system [touch {marker}]"',
    'detector = \'__import__("os").system("touch {marker}")\'',
    '[clauses."1"]\ndetector = "os.system"',
    '[clauses."1"]\ndetector = "..rulebook.load"',
    '[clauses."1"]\ndetector = "burns.__builtins__"',
    '[clauses."1"]\ndetector = "burns.re"',
    '[clauses."1"]\ndetector = "__init__.x"',
    'include = "/etc/passwd"',
    "[tool.pytest]\nx = 1",
]


@pytest.mark.parametrize("rules", CODE)
def test_code_in_a_rulebook_is_refused_and_never_run(rules: str, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    path = tmp_path / "own.toml"
    path.write_text(BOOK.format(title="x", more=rules.format(marker=marker) if "{" in rules else rules))
    with pytest.raises(HandledgerError):
        rulebook.load(str(path))
    assert not marker.exists()


@pytest.mark.parametrize(
    "word", ["{{7*7}}", "${jndi:x}", "%(x)s", "\x1b[2J", "<script>", "$(touch x)", "`x`", "\u202e"]
)
def test_words_of_a_rulebook_are_shown_and_not_obeyed(word: str, run: Run, tmp_path: Path) -> None:
    data = rulebook.load("house-burn").data.decode()
    text = "".join(f"\\u{ord(c):04X}" for c in word)
    path = tmp_path / "own.toml"
    path.write_text(re.sub(r'(?m)^title = ".*"$', lambda _: f'title = "{text}"', data))
    for args in (["rules", str(path)], ["rules", str(path), "1a"]):
        result = run(*args)
        assert "\x1b" not in result.out + result.err
        assert "\u202e" not in result.out + result.err
        assert "49" not in result.out.split()
    assert [entry.name for entry in tmp_path.iterdir()] == ["own.toml"]


def test_a_detector_is_one_of_ours(hostile: Hostile) -> None:
    for path in ("os.system", "burns.re", "burns.inspect", "..store.x", "burns._private", "", "."):
        with pytest.raises(HandledgerError, match="no detector"):
            find_detector(path)
    assert hostile.hands
