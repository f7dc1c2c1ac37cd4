"""What `import handledger` and `Table` load: a browser has only msgspec and the standard library."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.conftest import ROOT

NOT_IN_A_BROWSER = {
    *(
        "sqlite3",
        "_sqlite3",
        "ssl",
        "_ssl",
        "multiprocessing",
        "_multiprocessing",
        "concurrent",
        "subprocess",
        "readline",
    ),
    *(
        "sqlalchemy",
        "orjson",
        "eventsourcing",
        "cryptography",
        "lark",
        "jinja2",
        "typer",
        "phevaluator",
        "platformdirs",
    ),
}
ALLOWED_PACKAGES = {"handledger", "ledger", "projections", "msgspec", "typing_extensions"}  # msgspec tries the last one

OPENING = """
import json, sys
before = set(sys.modules)
import handledger
table = handledger.Table("limit 10/20", rulebook="hilton")
for seat, name in enumerate(("Ana", "Bo", "Cy"), 1):
    table.sit(seat, name)
table.deal()
"""
ASKS = {
    "due": "table.due()",
    "check": "table.check(button=3)",
    "documents": "handledger.Table.from_dict(table.to_dict())",
    "handscript": "handledger.Table.from_handscript(table.to_handscript(), rulebook='hilton').due()",
}


def loaded(program: str) -> set[str]:
    """Return the modules that a program loads."""
    code = f"{program}\nprint(json.dumps(sorted(set(sys.modules) - before)))"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(json.loads(result.stdout))


@pytest.mark.parametrize("ask", ASKS)
def test_a_table_needs_nothing_that_a_browser_lacks(ask: str) -> None:
    modules = loaded(f"{OPENING}\n{ASKS[ask]}")
    packages = {module.partition(".")[0] for module in modules}
    assert not packages & NOT_IN_A_BROWSER
    assert packages <= ALLOWED_PACKAGES | sys.stdlib_module_names, packages


def test_importing_handledger_loads_no_package_of_others() -> None:
    modules = loaded("import json, sys\nbefore = set(sys.modules)\nimport handledger")
    ours = {module for module in modules if module.partition(".")[0] in ("ledger", "projections", "cli", "web")}
    assert ours == {"ledger"}
    assert {module.partition(".")[0] for module in modules - ours - {"handledger"}} <= sys.stdlib_module_names
    assert len(modules) <= 40
