"""Crashes become samples: the input, and beside it what it did and how to run it again."""

from __future__ import annotations

import re
import sys
from hashlib import sha256
from pathlib import Path
from typing import Final

from tests.conftest import ROOT
from tests.fuzz.engine import Crash

SAMPLES: Final = ROOT / "tests" / "fuzz" / "samples"
SUFFIX: Final = ".input"


def keep_sample(crash: Crash, folder: Path = SAMPLES) -> Path:
    """Write a crash's input to a folder of its target; return the file."""
    home = folder / crash.target
    home.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^a-z0-9]+", "-", crash.fault.kind.lower()).strip("-")[:60]
    path = home / f"{name}-{sha256(crash.data).hexdigest()[:8]}{SUFFIX}"
    path.write_bytes(crash.data)
    shown_path = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    detail = crash.fault.detail.replace(f"{ROOT}/", "").replace(f"{sys.base_prefix}/", "")
    path.with_suffix(".txt").write_text(
        f"{crash.fault.kind}\nRun it again: python -m tests.fuzz --again {shown_path}\n\n{detail}", encoding="utf-8"
    )
    return path


def kept_samples(folder: Path = SAMPLES) -> list[Path]:
    """Return every kept input."""
    return sorted(folder.rglob(f"*{SUFFIX}"))


def target_of(path: Path) -> str:
    """Return the name of the target that a kept input belongs to: the last folders of its path."""
    return path.parent.name if path.parent.parent.name != "readers" else f"readers/{path.parent.name}"
