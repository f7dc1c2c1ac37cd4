"""What is installed has one name, handledger, and shadows nobody's module."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import handledger
from tests.conftest import ROOT, script

HOOK = script(ROOT / "build_hooks" / "wheel.py")
PACKAGES = HOOK.PACKAGES


@pytest.mark.parametrize(
    ("source", "moved"),
    [
        ("from ledger.store import open", "from handledger.ledger.store import open"),
        ("from cli import audit\n", "from handledger.cli import audit\n"),
        ("import web # loads no server", "from handledger import web # loads no server"),
        ("import projections as books", "from handledger import projections as books"),
        (
            "def f():\n    from web.api.client import Client",
            "def f():\n    from handledger.web.api.client import Client",
        ),
        ("from ledger import (\n    safe,\n)\r\n", "from handledger.ledger import (\n    safe,\n)\r\n"),
        ("from . import ledger; import webbrowser", "from . import ledger; import webbrowser"),
        ("é = 1; import web", "é = 1; from handledger import web"),
        ("from ledgers import web", "from ledgers import web"),
        ("text = 'from ledger import x'", "text = 'from ledger import x'"),
    ],
)
def test_an_import_of_ours_is_moved_below_handledger(source: str, moved: str) -> None:
    assert HOOK.move_imports(source.encode()) == moved.encode()


@pytest.mark.parametrize(
    "source", ["import ledger.hand", "import os, cli", "if True:\n    import web.api.client as client"]
)
def test_an_import_that_binds_another_name_when_moved_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match=r"line \d: write from"):
        HOOK.move_imports(source.encode())


def test_no_word_of_the_program_names_a_module_that_lies_deeper_in_the_wheel() -> None:
    """Names in texts aren't moved: who loads by name starts from a package's own `__name__`."""
    for name in PACKAGES:
        for path in (ROOT / name).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_bytes())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    assert (
                        not node.value.startswith(tuple(f"{package}." for package in PACKAGES)) or " " in node.value
                    ), path


def test_each_public_name_is_loaded_when_it_is_asked_for() -> None:
    for name in dir(handledger):
        assert getattr(handledger, name) is not None
    door = ast.parse((ROOT / "handledger" / "__init__.py").read_text())
    (typed,) = [node for node in door.body if isinstance(node, ast.If)]
    imports = [(item.module, alias) for item in typed.body if isinstance(item, ast.ImportFrom) for alias in item.names]
    sources = {alias.asname: (module, alias.name) for module, alias in imports}
    assert sources == handledger._SOURCES, "what type checkers see is what is loaded"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = handledger.nothing


def test_loading_the_door_loads_nothing_heavy() -> None:
    code = "import sys, handledger; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    heavy = {"sqlalchemy", "typer", "eventsourcing", "jinja2", "starlette", "msgspec", "lark"}
    assert not heavy & set(result.stdout.split())


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a wheel of the checkout puts into a folder of packages."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, check=True, capture_output=True, cwd=ROOT)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.mark.slow
def test_a_wheel_has_one_name_at_the_top(installed: Path) -> None:
    names = {path.name for path in installed.iterdir()}
    assert {name for name in names if not name.endswith(".dist-info")} == {"handledger"}
    (entry_points,) = installed.glob("*.dist-info/entry_points.txt")
    assert "handledger = handledger.__main__:run" in entry_points.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("theirs_first", [True, False])
def test_modules_of_others_and_ours_never_meet(installed: Path, tmp_path: Path, theirs_first: bool) -> None:
    other_folder = tmp_path / "theirs"
    other_folder.mkdir()
    (other_folder / "web.py").write_text("application = 'of web.py'\n")
    for name in ("cli", "ledger", "projections"):
        (other_folder / name).mkdir()
        (other_folder / name / "__init__.py").write_text("raise ImportError('a module of somebody else')\n")
    folders = [other_folder, installed] if theirs_first else [installed, other_folder]
    settings = {
        "PYTHONPATH": os.pathsep.join(map(str, folders)),
        "HANDLEDGER_URL": f"sqlite:///{tmp_path / 'x.ledger'}",
    }

    def ask(*words: str) -> str:
        command = [sys.executable, "-P", *words]
        result = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=tmp_path, env=os.environ | settings
        )
        assert result.returncode in (0, 1), result.stderr
        return result.stdout

    assert "hilton" in ask("-m", "handledger", "demo", "--keep", str(tmp_path / "demo"))
    assert "# B14.2" in ask("-m", "handledger", "rules", "hilton", "B14.2"), "its worked case"
    program = (
        "import handledger, web; print(handledger.__file__, handledger.open.__module__, web.application, sep='\\n')"
    )
    assert ask("-c", program).splitlines() == [
        str(installed / "handledger" / "__init__.py"),
        "handledger.ledger.store.open_ledger",
        "of web.py",
    ]
