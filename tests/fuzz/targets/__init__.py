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


def chosen_targets(names: str) -> list[Target]:
    """Return the targets that names mean: `queries`, `readers` (all), `readers/phh` or `phh`, `ohh,phh`; "" = every one."""
    targets = all_targets()
    wanted = set(names.split(",")) if names else set(targets)
    found = [target for name, target in targets.items() if wanted & {name, *name.split("/")}]
    known = {part for name in targets for part in (name, *name.split("/"))}
    if unknown := wanted - known:
        raise SystemExit(f"There is no target {', '.join(sorted(unknown))}. There are: {', '.join(targets)}")
    return found
