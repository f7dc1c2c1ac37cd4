# ruff: noqa: INP001 - a script beside what it writes, no package
"""Write the published schemas: one file for each event version and each document.

`--check` writes nothing and fails if a file lacks, differs or is left over.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from cli.published import documents
from ledger.schema import events, of_event

HERE = Path(__file__).resolve().parent


def wanted() -> dict[Path, str]:
    """Return every file that belongs here, with its text."""
    found = {f"events/{name}.json": of_event(kind) for name, kind in events().items()}
    found |= {f"{name}.json": schema for name, schema in documents().items()}
    return {
        HERE / name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in found.items()
    }


def main(arguments: list[str]) -> int:
    """Write the files, or with `--check` say what is wrong; return the exit code."""
    files = wanted()
    wrong = [
        path for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text
    ]
    left = [path for path in sorted(HERE.rglob("*.json")) if path not in files]
    if "--check" in arguments:
        for path in [*wrong, *left]:
            sys.stderr.write(
                f"schemas/{path.relative_to(HERE)} is not what the types say: run schemas/generate.py\n"
            )
        return 1 if wrong or left else 0
    for path in wrong:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[path], "utf-8")
    for path in left:
        path.unlink()
    sys.stdout.write(f"{len(files)} schemas, {len(wrong)} written, {len(left)} removed\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
