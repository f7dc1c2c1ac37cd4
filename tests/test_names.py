"""The gate of names: packages that are done stay so, the others only get better (`names.toml`).

`pytest tests/test_names.py --regen` lowers the ceilings to what was reached; it never raises one.
"""

from __future__ import annotations

import math
import tomllib
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.naming import Product, Repeats, Survey, published_classes, repeated_modules, says_nothing

TABLE = ROOT / "tests" / "names.toml"
SHARE_MOST = 1.0  # percent of names that say nothing
LENGTH_LEAST = 7.0  # letters of a name, on average
NAMES_LEAST = 50  # the mean length of fewer names says nothing
EXEMPTIONS_MOST = 20  # in projections/
SHARE_SLACK = 1.0  # by how much a package may be better than its ceiling before the ceiling must follow
LENGTH_SLACK = 0.3


def is_done(survey: Survey) -> bool:
    is_long = survey.mean_length >= LENGTH_LEAST or survey.names < NAMES_LEAST
    return survey.share <= SHARE_MOST and is_long


def check_package(package: str, survey: Survey, ceiling: dict[str, float] | None) -> str:
    """Return what is wrong with the names of a package, or nothing."""
    figures = f"{package}: {survey.share:.1f} % of names say nothing, mean length {survey.mean_length:.1f}"
    worst = ", ".join(f"{name} {times}" for name, times in survey.empty.most_common(8))
    if ceiling is None:
        return "" if is_done(survey) else f"{figures}. Say what each holds: {worst}"
    if is_done(survey):
        return f"{figures}: it is done. Lower the ceilings: pytest tests/test_names.py --regen"
    if survey.share > ceiling["share"] or survey.mean_length < ceiling["length"]:
        return f"{figures}, ceiling {ceiling['share']} % and {ceiling['length']}. Say what each holds: {worst}"
    if survey.share < ceiling["share"] - SHARE_SLACK or survey.mean_length > ceiling["length"] + LENGTH_SLACK:
        return f"{figures}: better than its ceiling. Lower it: pytest tests/test_names.py --regen"
    return ""


def check_repeats(kind: str, repeats: Repeats, table: dict[str, Any]) -> list[str]:
    """Return names of classes or modules that are taken more often than the table allows, or listed for nothing."""
    problems = []
    for scope, places in repeats.items():
        allowed = table[kind].get(scope, {})
        for name in sorted({*places, *allowed}):
            times, limit = len(places.get(name, ())), allowed.get(name, 1)
            if times > limit and f"{kind}: {name}" not in table["by_design"]:
                problems.append(f"{scope}: {times} {kind} are called {name}: {', '.join(places[name])}")
            elif times < limit:
                problems.append(f"{scope}: only {times} {kind} are called {name}: pytest tests/test_names.py --regen")
    return problems


def lower_ceilings(product: Product, table: dict[str, Any]) -> None:
    """Bring the table down to what was reached. What got worse stays as it is, and fails."""
    for package, ceiling in list(table["to_do"].items()):
        survey = product.packages.get(package, Survey())
        if is_done(survey):
            del table["to_do"][package]
        else:
            ceiling["share"] = min(ceiling["share"], math.ceil(survey.share * 10) / 10)
            ceiling["length"] = max(ceiling["length"], math.floor(survey.mean_length * 10) / 10)
    for kind, repeats in (("classes", product.repeated_classes()), ("modules", repeated_modules())):
        for scope, allowed in table[kind].items():
            counts = {name: min(limit, len(repeats[scope].get(name, ()))) for name, limit in allowed.items()}
            table[kind][scope] = {name: times for name, times in counts.items() if times > 1}


def write_table(table: dict[str, Any]) -> None:
    head = TABLE.read_text().partition("\n[")[0].rstrip()
    sections = {name: table[name] for name in ("to_do", "exempt", "by_design")}
    sections |= {f"{kind}.{scope}": names for kind in ("classes", "modules") for scope, names in table[kind].items()}
    blocks = [
        "\n".join([f"[{title}]", *(f"{_key(name)} = {_value(value)}" for name, value in sorted(rows.items()))])
        for title, rows in sections.items()
    ]
    TABLE.write_text("\n\n".join([head, *blocks]) + "\n")


def _key(name: str) -> str:
    return name if name.isidentifier() else f'"{name}"'


def _value(value: dict[str, float] | int | str) -> str:
    if isinstance(value, dict):
        return f"{{ share = {value['share']}, length = {value['length']} }}"
    return str(value) if isinstance(value, int) else f'"{value}"'


def test_names_say_what_they_hold(regen: bool) -> None:
    table = tomllib.loads(TABLE.read_text())
    product = Product(table["exempt"])
    if regen:
        lower_ceilings(product, table)
        write_table(table)
    problems = [
        check_package(package, survey, table["to_do"].get(package)) for package, survey in product.packages.items()
    ]
    problems += [f"{package} is gone" for package in table["to_do"] if package not in product.packages]
    problems += [f"{name}: no name to exempt" for name in table["exempt"] if name not in product.used_exemptions]
    problems += check_repeats("classes", product.repeated_classes(), table)
    problems += check_repeats("modules", repeated_modules(), table)
    exempt = [name for name in table["exempt"] if name.startswith("projections/")]
    if len(exempt) > EXEMPTIONS_MOST:
        problems.append(f"{len(exempt)} names of projections/ are exempted, more than {EXEMPTIONS_MOST}")
    problems = [problem for problem in problems if problem]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    ("name", "empty"),
    [
        ("found", True),
        ("_told", True),
        ("told_by", True),
        ("OfMany", True),
        ("WHOLE", True),
        ("found_seat", False),
        ("is_known", False),
        ("seat", False),
        ("n", False),
    ],
)
def test_a_name_says_nothing_if_none_of_its_words_does(name: str, empty: bool) -> None:
    assert says_nothing(name) == empty


def test_fields_of_documents_and_events_are_published() -> None:
    assert {"Finding", "OwedDocument", "SeatTaken", "CaseOpened"} <= published_classes()


@pytest.mark.parametrize(
    ("empty", "letters", "ceiling", "complaint"),
    [
        (1, 700, None, ""),
        (2, 700, None, "Say what each holds"),
        (1, 690, None, "Say what each holds"),
        (5, 600, {"share": 5.0, "length": 6.0}, ""),
        (4, 630, {"share": 5.0, "length": 6.0}, ""),
        (6, 600, {"share": 5.0, "length": 6.0}, "ceiling"),
        (5, 590, {"share": 5.0, "length": 6.0}, "ceiling"),
        (3, 600, {"share": 5.0, "length": 6.0}, "Lower it"),
        (5, 640, {"share": 5.0, "length": 6.0}, "Lower it"),
        (1, 700, {"share": 5.0, "length": 6.0}, "it is done"),
    ],
)
def test_a_ceiling_holds_and_follows(
    empty: int, letters: int, ceiling: dict[str, float] | None, complaint: str
) -> None:
    survey = Survey(100, letters)
    survey.empty["found"] = empty
    problem = check_package("room", survey, ceiling)
    assert complaint in problem
    assert bool(complaint) == bool(problem)
