"""The project looks after itself: what a reviewer would otherwise have to find by hand."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from ledger import __version__
from projections.books import rulebook
from tests.conftest import ROOT

CODE = ("ledger", "projections", "web", "cli")
LINES_MOST = 500
FUNCTION_LINES_MOST = 75


@cache
def tracked() -> tuple[Path, ...]:
    """Every file of the project, as git knows it; without git, every file that is no leftover."""
    result = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if result.returncode:
        pytest.skip("not a git checkout")
    return tuple(path for name in result.stdout.splitlines() if (path := ROOT / name).is_file())


def python_files(*folders: str) -> list[Path]:
    chosen_folders = folders or (*CODE, "handledger", "tests", "schemas", "docs", "benchmarks", "examples")
    return [f for f in tracked() if f.suffix == ".py" and f.relative_to(ROOT).parts[0] in chosen_folders]


def text_files() -> list[tuple[Path, str]]:
    files = []
    for file in tracked():
        try:
            files.append((file, file.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue
    return files


def test_programs_that_tests_start_end_with_them() -> None:
    unguarded = [
        str(f.relative_to(ROOT))
        for f in python_files("tests")
        if "with subprocess.Popen(" in f.read_text() and f.name not in ("children.py", "test_tidy.py")
    ]
    assert not unguarded, "tests.children.child starts programs; its block does not wait for them"


def test_each_test_that_takes_its_size_from_the_laws_has_their_mark() -> None:
    """Without it, `make laws` leaves the test out, and nobody runs it at full size."""
    texts = {path: path.read_text() for path in python_files("tests")}
    unmarked = []
    for path, text in texts.items():
        if (
            "from tests.laws import" in text
            and "pytestmark = pytest.mark.law" not in text
            and "[pytest.mark.law" not in text
        ):
            for node in ast.parse(text).body:
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                    source = ast.unparse(node)
                    if re.search(r"\bsize\(|\bFULL_SIZE\b", source) and "pytest.mark.law" not in source:
                        unmarked.append(f"{path.relative_to(ROOT)} {node.name}")
    assert not unmarked


SEEDS = ("hilton", "rrop4", "bicycle", "house-burn")


def test_no_python_file_is_longer_than_500_lines() -> None:
    long_files = {
        str(f.relative_to(ROOT)): n for f in python_files() if (n := len(f.read_text().splitlines())) > LINES_MOST
    }
    assert not long_files, "split along the reasons these have to exist"


DEFINED = re.compile(r"( *)(async def|def|class) ")


def may_be_long(text: str) -> bool:
    """Whether a function may be too long: up to what is defined next beside or outside it, it has too many lines."""
    lines = text.splitlines()
    defined = [(index, len(match[1]), match[2]) for index, line in enumerate(lines) if (match := DEFINED.match(line))]
    return any(
        next((next_index for next_index, outer, _ in defined[nth:] if outer <= deep), len(lines)) - index
        > FUNCTION_LINES_MOST
        for nth, (index, deep, kind) in enumerate(defined, 1)
        if kind != "class"
    )


def too_long(text: str) -> list[str]:
    """The functions of a file that have too many lines; most files can have none, and are not parsed."""
    if not may_be_long(text):
        return []
    return [
        f"{node.lineno} {node.name} {lines}"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if (lines := (node.end_lineno or 0) - node.lineno + 1) > FUNCTION_LINES_MOST
    ]


@pytest.mark.parametrize("below", ["", "def after():\n    pass\n", "class After:\n    pass\n", "AFTER = 1\n"])
@pytest.mark.parametrize("around", ["", "class Around:\n", "class Around:\n    def before(self):\n        pass\n\n"])
def test_a_function_is_too_long_from_one_line_on(around: str, below: str) -> None:
    inside = "    " if around else ""

    def find_long(lines: int) -> list[str]:
        body = [f"{inside}async def most(", f"{inside}):", *[f"{inside}    1"] * (lines - 4)]
        within = [f"{inside}    def within():", f"{inside}        pass"]
        return too_long(around + "\n".join(body + within) + "\n" + below)

    assert find_long(FUNCTION_LINES_MOST) == []
    assert find_long(FUNCTION_LINES_MOST + 1) == [f"{around.count(chr(10)) + 1} most {FUNCTION_LINES_MOST + 1}"]


def test_functions_fit_a_screen() -> None:
    lines = [
        f"{file.relative_to(ROOT)}:{complaint}"
        for file in python_files(*CODE)
        for complaint in too_long(file.read_text())
    ]
    assert not lines, (
        f"a function has at most {FUNCTION_LINES_MOST} lines: take a part of it that has a name of its own out"
    )


IMPORT = re.compile(
    r"^[ \t]*(from [\w.]+ import (?:\([^)]*\)|[^\n(#]+)|import [\w.]+(?: as \w+)?(?:, [\w.]+(?: as \w+)?)*(?= *(?:#|$)))",
    re.MULTILINE,
)


def imports(text: str) -> list[ast.stmt]:
    """The imports of a file: at its top, within functions, or for types alone."""
    return ast.parse("\n".join(IMPORT.findall(text))).body


def test_every_import_is_found() -> None:
    for file in (Path(ast.__file__), ROOT / "ledger/store/database/sqlite.py", ROOT / "cli/main.py"):
        text = file.read_text()
        nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
        assert sorted(map(ast.unparse, imports(text))) == sorted(map(ast.unparse, nodes))


def imported(file: Path, modules: dict[str, Path]) -> set[Path]:
    """The files of the house that a file imports."""
    names_found = set()
    for node in imports(file.read_text()):
        if isinstance(node, ast.Import):
            names_found |= {modules[alias.name] for alias in node.names if alias.name in modules}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            names_found |= {modules[name] for name in names & modules.keys()}
            if names - modules.keys() and node.module in modules:
                names_found.add(modules[node.module])
    return names_found - {file}


def test_no_files_import_each_other_in_a_circle() -> None:
    modules = {".".join(f.relative_to(ROOT).with_suffix("").parts): f for f in python_files(*CODE)}
    modules = {name.removesuffix(".__init__"): file for name, file in modules.items()}
    try:
        TopologicalSorter({file: imported(file, modules) for file in modules.values()}).prepare()
    except CycleError as error:
        circle = " <- ".join(str(file.relative_to(ROOT)) for file in error.args[1])
        pytest.fail(f"move what they share into a file below both: {circle}")


def test_tables_from_an_event_to_what_it_does_are_called_handlers() -> None:
    table = re.compile(r"^(\w+): Final\[(?:dict|Mapping)\[type(?:\[Event\])?, (?:Callable|Handler|Rule)", re.MULTILINE)
    lines = [
        f"{file.relative_to(ROOT)}: {name}"
        for file in python_files(*CODE)
        for name in table.findall(file.read_text())
        if name != "HANDLERS"
    ]
    assert not lines, "call the table HANDLERS, as all tables of that kind are"


def test_who_catches_bad_json_catches_bad_text_in_it_too() -> None:
    """Parsing bytes with msgspec raises three kinds of errors: `DecodeError` alone lets a flipped bit through."""
    needed = {"RecursionError", "UnicodeDecodeError"}
    incomplete = [
        f"{file.relative_to(ROOT)}:{block.lineno}"
        for file in python_files(*CODE)
        for block in ast.walk(ast.parse(file.read_text()))
        if isinstance(block, ast.Try)
        for caught in [
            {
                name
                for handler in block.handlers
                if handler.type
                for name in re.findall(r"\w+", ast.unparse(handler.type))
            }
        ]
        if "DecodeError" in caught and not needed <= caught
    ]
    assert not incomplete, f"catch {', '.join(sorted(needed))} as well"


REMEMBERS = re.compile(r"^\w.*= *(?:\{\}|(?:dict|set|list)\(\))", re.MULTILINE)


def test_no_reader_remembers_beside_its_reading() -> None:
    places = []
    for file in python_files("ledger"):
        if file.relative_to(ROOT).parts[1] not in ("readers", "formats") or not REMEMBERS.search(file.read_text()):
            continue
        for node in ast.parse(file.read_text()).body:
            value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
            empty = isinstance(value, ast.Dict) and not value.keys and "Mapping" not in ast.unparse(node)
            is_call = (
                isinstance(value, ast.Call) and not value.args and ast.unparse(value.func) in ("dict", "set", "list")
            )
            if empty or is_call:
                places.append(f"{file.relative_to(ROOT)}:{node.lineno}")
    assert not places, (
        "what a reader keeps of texts belongs to people.read_before; what follows from a text alone to lru_cache"
    )


def test_nothing_is_left_open_in_the_code() -> None:
    word = re.compile("TO" + "DO|FIX" + "ME|X" + "XX|NotImplemented" + "Error")
    lines = [
        f"{file.relative_to(ROOT)}:{number}"
        for file in python_files()
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if word.search(line)
    ]
    assert not lines, "do it, or say in docs/decisions.md why not"


def test_each_exemption_says_why() -> None:
    unexplained = []
    for file in python_files():
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = re.search(r"#\s*(type: ignore\S*|noqa\S*(?: [A-Z]+\d+,?)*)(.*)$", line)
            if match and "# " not in match[2] and " - " not in match[2]:
                unexplained.append(f"{file.relative_to(ROOT)}:{number} {match[0]}")
    assert not unexplained, "write the reason behind it: # noqa: S101 - every reader's first duty"


COMPLEXITY = {"C901", "PLR0911", "PLR0912"}
COMPLEX_FILES_MOST = 3  # lower it with each file that is split


def test_only_files_that_need_it_may_have_complex_functions() -> None:
    ruff = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]
    ignores = {file: set(codes) & COMPLEXITY for file, codes in ruff["per-file-ignores"].items()}
    exempt = {file: codes for file, codes in ignores.items() if codes}
    settings = [
        f"lint.mccabe.max-complexity={ruff['mccabe']['max-complexity']}",
        *(f"lint.pylint.{name}={most}" for name, most in ruff["pylint"].items()),
    ]
    select = ["--select", ",".join(sorted(COMPLEXITY))]
    options = [option for setting in settings for option in ("--config", setting)]
    checked = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--output-format", "json", *select, *options, *exempt],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    needed: dict[str, set[str]] = {file: set() for file in exempt}
    for problem in json.loads(checked.stdout):
        needed[str(Path(problem["filename"]).relative_to(ROOT))].add(problem["code"])
    assert exempt == needed, "take what is no longer needed out of per-file-ignores in pyproject.toml"
    assert len(exempt) <= COMPLEX_FILES_MOST, "split the function: an exemption is no way to add one"


def test_no_machine_and_no_registry_is_named() -> None:
    machine = re.compile(r"(?<![A-Za-z0-9_.$}/])/(?:wo" + r"rk|ro" + r"ot|ho" + r"me/[a-z]+)/")
    registries = ("python" + "hosted", "py" + "pi.org", "registry.np" + "mjs", "deb.deb" + "ian")

    def names(text: str) -> bool:
        return any(registry in text for registry in registries) or bool(machine.search(text))

    lines = [
        f"{file.relative_to(ROOT)}:{number}"
        for file, text in text_files()
        if names(text)
        for number, line in enumerate(text.splitlines(), 1)
        if names(line)
    ]
    assert not lines, (
        "a path of one machine or the address of a registry: say it relative to the checkout, or leave it out"
    )


def test_the_core_asks_no_clock_and_no_dice() -> None:
    asks = re.compile(r"\b(datetime\.now|time\.time|time_ns|random\.|uuid4|utcnow)\b")
    core = ("ledger/hand", "ledger/table", "ledger/formats", "ledger/replay.py", "projections")
    lines = [
        f"{file.relative_to(ROOT)}:{number}"
        for file in python_files(*CODE)
        if str(file.relative_to(ROOT)).startswith(core)
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if asks.search(line)
    ]
    assert not lines, (
        "what follows from the log is the same whenever it is asked: take the moment as an argument, from cli"
    )


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    dependencies = [*project["dependencies"], *(d for e in project["optional-dependencies"].values() for d in e)]
    reasons = (ROOT / "docs/decisions.md").read_text().lower()
    pins = (ROOT / "constraints.txt").read_text().lower()
    for dependency in dependencies:
        name = re.split(r"[\[<>=; ]", dependency)[0].lower()
        assert f"`{name}`" in reasons, f"{name}: say why in docs/decisions.md"
        assert re.search(rf"^{re.escape(name)}==", pins, re.MULTILINE), (
            f"{name}: pin it in constraints.txt, then make hashes"
        )


def test_constraints_name_versions_and_no_addresses() -> None:
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        assert re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9.+!]+( ; .+)?|#.*|", line), line


def test_the_changelog_speaks_of_this_version() -> None:
    assert f"## [{__version__}] - " in (ROOT / "CHANGELOG.md").read_text(), (
        "give CHANGELOG.md a heading of that version"
    )


def test_links_between_documents_lead_somewhere() -> None:
    broken = []
    for file, text in text_files():
        if file.suffix != ".md":
            continue
        targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
        broken += [
            f"{file.relative_to(ROOT)} → {target}"
            for target in targets
            if "://" not in target and not (file.parent / target).exists()
        ]
    assert not broken, "the link leads to no file"


def test_sample_hands_stay_outside() -> None:
    names = [f.name for f in tracked() if "shared" in f.relative_to(ROOT).parts and f.suffix != ".py"]
    assert not names, "hands of other people are never committed: write a sample of your own"


def test_every_clause_has_its_page_or_its_reason() -> None:
    lacking = []
    for book in rulebook.list_names():
        clauses = rulebook.load(book).clauses
        for clause in clauses.values():
            page = (ROOT / "tests" / "cases" / book / f"{clause.id}.md").exists()
            needs = clause.kind == "detector" or (clause.kind == "defines" and book in SEEDS)
            is_explained = (
                clauses[clause.entry.restates].kind == "detector"
                if clause.entry.restates
                else bool(clause.no_detector_reason)
            )
            if not (page if needs else page or is_explained):
                lacking.append(f"{book} {clause.id} ({clause.kind})")
    assert not lacking, "write tests/cases/BOOK/CLAUSE.md, or say `why` a clause without a detector has none"


def test_each_command_has_its_page() -> None:
    page = (ROOT / "docs/cli.md").read_text()
    for file in python_files("cli"):
        source = file.read_text()
        if re.search(r"^app\.command|@app\.command|^def command\b", source, re.MULTILINE):
            name = file.stem.rstrip("_").replace("_", "-")
            if name != "main":
                assert f"## handledger {name}" in page, (
                    f"{name}: enter it in GROUPS of cli/command_list.py, then make docs"
                )
