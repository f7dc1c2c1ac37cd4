"""The doors through which strangers' bytes come in. Imported behind the instrumentation."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from tests.fuzz.target import Target

_MODULES: Final = ("queries", "rulebooks", "bundles", "api", "pages", "sign_in", "handscript", "door", "readers")


def all_targets() -> dict[str, Target]:
    """Return every target by its name."""
    return {target.name: target for module in _MODULES for target in _targets_of(module)}


def chosen_targets(names: str) -> list[Target]:
    """Return the targets that names mean: `queries`, `readers` (all), `readers/phh` or `phh`, `ohh,phh`; "" = every one.

    What a target needs is only imported where it's chosen.
    """
    chosen: dict[str, Target] = {}
    for name in names.split(",") if names else _MODULES:
        module = name.partition("/")[0]
        targets = _targets_of(module if module in _MODULES else "readers")
        matches = {
            target.name: target
            for target in targets
            if name in (target.name, target.name.partition("/")[0], target.name.partition("/")[2])
        }
        if not matches:
            raise SystemExit(f"There is no target {name}. There are: {', '.join(all_targets())}")
        chosen |= matches
    return list(chosen.values())


def _targets_of(module: str) -> list[Target]:
    targets: list[Target] = import_module(f"tests.fuzz.targets.{module}").targets()
    return targets
