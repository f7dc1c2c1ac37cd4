"""The doors through which strangers' bytes come in. Imported behind the instrumentation."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from tests.fuzz.target import Target

_MODULES: Final = ("queries", "rulebooks", "bundles", "api", "pages", "handscript", "readers")


def all_targets() -> dict[str, Target]:
    """Return every target by its name."""
    modules = (import_module(f"tests.fuzz.targets.{name}") for name in _MODULES)
    return {target.name: target for module in modules for target in module.targets()}


def chosen_targets(name: str) -> list[Target]:
    """Return the targets that a name means: `queries`, `readers` (all), `readers/phh` or `phh`; "" = every one."""
    targets = all_targets()
    found = [
        target
        for each, target in targets.items()
        if not name or name in (each, each.partition("/")[0], each.rpartition("/")[2])
    ]
    if not found:
        raise SystemExit(f"There is no target {name}. There are: {', '.join(targets)}")
    return found
