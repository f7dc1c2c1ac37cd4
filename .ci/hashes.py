# ruff: noqa: INP001 - a script beside what runs it, no package
"""Write the hashes of what is installed: `make hashes`, after a change of constraints.txt or pyproject.toml.

`requirements-hashes.txt` is what the program and its build need, `constraints-hashes.txt` the extras and the
tests too. Both name the versions of constraints.txt, for every platform, with the SHA-256 of each file
that the index has of that version. The index is the one that pip uses; no address is written down.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
HEAD: Final = """\
# {what}: the versions of constraints.txt, each with the SHA-256 of every file
# that its release has. Made by `make hashes`; how to install with it: docs/security.md.
"""
FILES: Final[dict[str, tuple[str, list[str]]]] = {
    "requirements-hashes.txt": ("What handledger needs to be built and to run", []),
    "constraints-hashes.txt": ("The same with all extras and what tests it", ["--all-extras"]),
}
ADDRESS: Final = re.compile(r"[a-z+]+://[^\s)\"']+")


def compiled(options: list[str]) -> str:
    """Return the requirements with their hashes; what goes wrong ends the program in one sentence."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    lowest = project["project"]["requires-python"].removeprefix(">=")
    with tempfile.TemporaryDirectory() as scratch:
        build = Path(scratch, "build.in")
        build.write_text("\n".join(project["build-system"]["requires"]) + "\n", "utf-8")
        completed = subprocess.run(  # noqa: S603 - its words are ours
            [
                sys.executable,
                "-m",
                "uv",
                "pip",
                "compile",
                "--quiet",
                "--no-config",
                "--no-header",
                "--no-annotate",
                "--universal",
                "--generate-hashes",
                "--python-version",
                lowest,
                "-c",
                "constraints.txt",
                *options,
                *index(),
                "pyproject.toml",
                str(build),
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            env=environment(),
        )
    if completed.returncode:
        sys.exit(f"no hashes: {ADDRESS.sub('(an address)', completed.stderr.strip())[-800:]}")
    return completed.stdout


def index() -> list[str]:
    """Return the option that names the index pip is set up with; none if pip has its own default."""
    configured = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True, check=False
    )
    index_url = os.environ.get("PIP_INDEX_URL") or configured.stdout.strip()
    return ["--default-index", index_url] if index_url else []


def environment() -> dict[str, str]:
    """Return the environment, with the certificates that pip trusts."""
    trusted = os.environ.get("PIP_CERT")
    return {**os.environ, **({"SSL_CERT_FILE": trusted} if trusted else {})}


def main() -> None:
    """Write both files."""
    for name, (description, options) in FILES.items():
        text = compiled(options)
        unhashed = [
            line.split(" ")[0] for line in text.replace("\\\n", " ").splitlines() if "--hash=sha256:" not in line
        ]
        if unhashed:
            sys.exit(f"the index gives no hash of {', '.join(unhashed)}: {name} is left as it was")
        if ADDRESS.search(text):
            sys.exit(f"an address stands in what should be {name}")
        (ROOT / name).write_text(HEAD.format(what=description) + text, "utf-8")


if __name__ == "__main__":
    main()
