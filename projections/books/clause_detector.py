"""Look up the detector that a clause names, and convert the clause's parameters to the detector's types."""

from __future__ import annotations

import inspect
from importlib import import_module, resources
from typing import get_type_hints

import msgspec

import projections
from ledger.decoders import convert
from ledger.errors import RulebookError
from projections.books.book_draft import Entry
from projections.books.book_file import explain_error
from projections.findings.detector import Detector
from projections.obligations.policy import Policy, describe_allowed, find_point


class ClauseError(RulebookError):
    """An error in a clause. `keys` is the path of the wrong value inside the clause's table."""

    def __init__(self, message: str, *keys: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.keys = keys


def find_detector(path: str) -> Detector:
    """Return the detector `module.name`; `RulebookError` if there is none."""
    module, _, name = path.partition(".")
    try:
        detector_module = import_module(f"{projections.__name__}.detectors.{module}")
        function = getattr(detector_module, name)
    except (ImportError, AttributeError, ValueError):
        function = None
    if not inspect.isgeneratorfunction(function) or name.startswith("_"):
        raise RulebookError(f"there is no detector {path!r}", _hint_known_detectors(module))
    detector_function: Detector = function
    return detector_function


def _hint_known_detectors(module: str) -> str:
    """Return a hint that lists a module's detectors, or all modules if there is no such module."""
    try:
        detector_module = import_module(f"{projections.__name__}.detectors.{module}")
    except (ImportError, ValueError):
        folder = resources.files(projections) / "detectors"
        module_names = sorted(
            file.name.removesuffix(".py")
            for file in folder.iterdir()
            if file.name.endswith(".py") and file.name[0] != "_"
        )
        return f"modules of detectors: {', '.join(module_names)}"
    detector_names = (
        name for name, member in vars(detector_module).items() if inspect.isgeneratorfunction(member) and name[0] != "_"
    )
    return f"known in {module}: {', '.join(sorted(detector_names))}"


def convert_arguments(function: Detector, entry: Entry, clause: str, policy: Policy) -> dict[str, object]:
    """Convert the parameters in `using` to the detector's types; `ClauseError` for a wrong one."""
    hints = get_type_hints(function) if entry.using else {}  # it's slow: half the time of loading a book
    parameters = [arg for arg in inspect.signature(function).parameters.values() if arg.kind is arg.KEYWORD_ONLY]
    parameter_names = {arg.name for arg in parameters}
    if unknown_names := sorted(entry.using.keys() - parameter_names):
        raise ClauseError(
            f"{clause}: {entry.detector} takes no {', '.join(unknown_names)}",
            "using",
            unknown_names[0],
            hint=f"it takes: {', '.join(sorted(parameter_names)) or 'nothing'}",
        )
    if missing_names := [arg.name for arg in parameters if arg.default is arg.empty and arg.name not in entry.using]:
        raise ClauseError(
            f"{clause}: {entry.detector} needs {', '.join(missing_names)}",
            "using",
            hint=f"it takes: {', '.join(sorted(parameter_names))}",
        )
    arguments = {}
    for key, value in entry.using.items():
        stated_value = _resolve_parameter(value, clause, key, policy)
        try:
            arguments[key] = convert(stated_value, hints[key], strict=True)
        except msgspec.ValidationError as error:
            problem = explain_error(error, hints[key]).problem
            raise ClauseError(
                f"{clause}: {entry.detector}: {key} = {stated_value!r}: {problem}",
                "using",
                key,
                hint=f"allowed: {describe_allowed(hints[key])}",
            ) from None
    return arguments


def _resolve_parameter(value: object, clause: str, key: str, policy: Policy) -> object:
    """Return a parameter's value. `{ policy = "POINT" }` is replaced by the book's ruling on that point."""
    if not isinstance(value, dict) or set(value) - {"policy", "part"} or "policy" not in value:
        return value
    try:
        point = find_point(str(value["policy"]))
    except RulebookError as error:
        raise ClauseError(f"{clause}: {error.message}", "using", key, hint=error.hint) from None
    ruled_value = policy.value(point.key)
    if part_name := value.get("part"):
        table = msgspec.to_builtins(ruled_value)
        ruled_value = table.get(part_name) if isinstance(table, dict) else None
    if ruled_value is None:
        raise ClauseError(
            f"{clause}: {key} is what the book decides on {point.key}, and it is silent there", "using", key
        )
    return ruled_value
