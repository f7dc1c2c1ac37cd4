"""Read and write what a house spreads, takes and pays, as a floor person writes it: one entry per line.

limit holdem 2/4, 4/8
no-limit holdem 1/2: buy-in 40 to 200
no-limit holdem: 5% up to 5, step 0.5, no flop no drop
limit holdem 2/4: 1 from 10, 2 from 20, 3 from 40
bad beat, holdem: aces full of jacks, both hole cards, pot from 20, 4 players
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, get_args

import msgspec

from ledger.decoders import convert
from projections.obligations.house_points import (
    GAMES_POINT,
    HOUSE_POINTS,
    JACKPOT_POINT,
    RAKE_POINT,
    HouseEntry,
    HousePointError,
    QualifyingHand,
    RakeRow,
    SpreadGame,
)

MAX_LINES: Final = 200
EXAMPLES: Final[Mapping[str, str]] = {
    GAMES_POINT: "limit holdem 2/4, 4/8\nno-limit holdem 1/2: buy-in 40 to 200",
    RAKE_POINT: "no-limit holdem: 5% up to 5, step 0.5, no flop no drop\nlimit holdem: 1 from 10, 2 from 20, 3 from 40",
    JACKPOT_POINT: "bad beat, holdem: aces full of jacks, both hole cards, pot from 20, 4 players",
}
"""Lines for each point, to show what can be written."""

_NUMBER: Final = r"([0-9]{1,9}(?:\.[0-9]{1,6})?)"
_BUY_IN_BETWEEN: Final = re.compile(rf"buy-in {_NUMBER} to {_NUMBER}")
_BUY_IN_FROM: Final = re.compile(rf"buy-in from {_NUMBER}")
_BUY_IN_UP_TO: Final = re.compile(rf"buy-in up to {_NUMBER}")
_PERCENT: Final = re.compile(rf"{_NUMBER} ?%(?: up to {_NUMBER})?")
_CAP: Final = re.compile(rf"up to {_NUMBER}")
_FIXED_DROP: Final = re.compile(rf"{_NUMBER} from {_NUMBER}")
_STEP: Final = re.compile(rf"step {_NUMBER}")
_POT_FROM: Final = re.compile(rf"pot from {_NUMBER}")
_STAKES: Final = re.compile(r"[0-9][0-9./]*")
_BETTING: Final = ("no-limit", "pot-limit", "limit", "spread")
_RAKED: Final = {"all-bets": "with the uncalled bet", "each-pot": "each pot by itself", "main-pot": "main pot only"}
_ROUNDED: Final = {"up": "rounded up", "nearest": "rounded to the nearest"}
_KINDS: Final = {"bad beat": "bad-beat", "high hand": "high-hand"}
_SPELLINGS: Final = ((re.compile("hold['\u2019]em"), "holdem"), (re.compile(r"\b(no|pot) limit"), r"\1-limit"))


class HouseLineError(HousePointError):
    """A line that can't be read, or whose entry is impossible. `line_number` counts from 1."""

    def __init__(self, message: str, hint: str, line_number: int) -> None:
        """Take what is wrong, what to write, and the line."""
        super().__init__(message, hint)
        self.line_number = line_number


def read_lines(point: str, text: str) -> list[HouseEntry]:
    """Return the entries of a text, one on each line.

    `HouseLineError` names the first line that can't be read. Too many lines are a `HousePointError`.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > MAX_LINES:
        raise HousePointError(f"{len(lines)} lines", f"Write at most {MAX_LINES}.")
    return [_read_line(point, line, number) for number, line in enumerate(lines, 1)]


def _read_line(point: str, line: str, number: int) -> HouseEntry:
    example = EXAMPLES[point].splitlines()[-1]
    plain_line = " ".join(line.lower().split())
    for spelling, replacement in _SPELLINGS:
        plain_line = spelling.sub(replacement, plain_line)
    head, colon, terms = plain_line.partition(":")
    try:
        if colon and not terms.strip():
            raise HousePointError("nothing follows the colon", "")  # noqa: TRY301 - it gets the line's number below
        fields = _read_head(head, point)
        for term in filter(None, (part.strip() for part in terms.split(","))):
            _READERS[point](term, fields)
        return _build_entry(point, fields)
    except HousePointError as error:
        raise HouseLineError(f"line {number}: {error}", error.hint or f"An example: {example}", number) from None


def _build_entry(point: str, fields: Mapping[str, Any]) -> HouseEntry:
    entry_type = get_args(HOUSE_POINTS[point][1])[0]
    try:
        entry: HouseEntry = convert(fields, entry_type, strict=True)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, HousePointError):
            raise error.__cause__ from None
        raise HousePointError("something is missing", "") from None
    return entry


def _read_head(head: str, point: str) -> dict[str, Any]:
    """Read what is before the colon: the kind, the game and the stakes."""
    fields: dict[str, Any] = {}
    for words, kind in _KINDS.items():
        if point == JACKPOT_POINT and head.startswith(words):
            fields["kind"], head = kind, head.removeprefix(words)
    if point == RAKE_POINT and head.startswith("jackpot"):
        fields["kind"], head = "jackpot", head.removeprefix("jackpot")
    for word in head.replace(",", " ").split():
        if word in _BETTING and "betting" not in fields:
            fields["betting"] = word
        elif _STAKES.fullmatch(word):
            fields.setdefault("stakes", []).append(word)
        elif word not in ("any", "game") and "game" not in fields:
            fields["game"] = word
        elif word not in ("any", "game"):
            raise HousePointError(f"I can't read {word[:40]!r}", "")
    return fields


def _read_game_term(term: str, fields: dict[str, Any]) -> None:
    if match := _BUY_IN_BETWEEN.fullmatch(term):
        fields["buy_in_min"], fields["buy_in_max"] = float(match[1]), float(match[2])
    elif match := _BUY_IN_FROM.fullmatch(term):
        fields["buy_in_min"] = float(match[1])
    elif match := _BUY_IN_UP_TO.fullmatch(term):
        fields["buy_in_max"] = float(match[1])
    else:
        raise HousePointError(f"I can't read {term[:60]!r}", "Write the buy-in as: buy-in 40 to 200.")


def _read_rake_term(term: str, fields: dict[str, Any]) -> None:
    if match := _PERCENT.fullmatch(term):
        fields["percent"] = float(match[1])
        if match[2]:
            fields["cap"] = float(match[2])
    elif match := _CAP.fullmatch(term):
        fields["cap"] = float(match[1])
    elif match := _FIXED_DROP.fullmatch(term):
        fields.setdefault("drops", []).append({"pot": float(match[2]), "take": float(match[1])})
    elif match := _STEP.fullmatch(term):
        fields["step"] = float(match[1])
    elif term == "no rake":
        fields["percent"] = 0.0
    elif term == "no flop no drop":
        fields["no_flop_no_drop"] = True
    elif not (_read_choice(term, fields, "raked", _RAKED) or _read_choice(term, fields, "rounding", _ROUNDED)):
        _read_players(term, fields)


def _read_choice(term: str, fields: dict[str, Any], field: str, words_by_value: Mapping[str, str]) -> bool:
    value = next((value for value, words in words_by_value.items() if words == term), None)
    if value is not None:
        fields[field] = value
    return value is not None


def _read_players(term: str, fields: dict[str, Any]) -> None:
    if match := re.fullmatch(r"([0-9]{1,2})(?: to ([0-9]{1,2}))? players", term):
        fields["players_min"], fields["players_max"] = int(match[1]), int(match[2] or match[1])
    elif match := re.fullmatch(r"([0-9]{1,2}) players or more", term):
        fields["players_min"] = int(match[1])
    else:
        raise HousePointError(f"I can't read {term[:60]!r}", "")


def _read_jackpot_term(term: str, fields: dict[str, Any]) -> None:
    if term == "both hole cards":
        fields["both_hole_cards"] = True
    elif term == "best of the period":
        fields["pays"] = "best"
    elif match := _POT_FROM.fullmatch(term):
        fields["pot_min"] = float(match[1])
    elif match := re.fullmatch(r"([0-9]{1,2}) players(?: or more)?", term):
        fields["players_min"] = int(match[1])
    elif match := re.fullmatch(r"beaten by (.+)", term):
        fields["beaten_by"] = match[1]
    elif "hand" not in fields:
        fields["hand"] = term
    else:
        raise HousePointError(f"I can't read {term[:60]!r}", "")


_READERS: Final[Mapping[str, Callable[[str, dict[str, Any]], None]]] = {
    GAMES_POINT: _read_game_term,
    RAKE_POINT: _read_rake_term,
    JACKPOT_POINT: _read_jackpot_term,
}


def write_lines(entries: Iterable[HouseEntry]) -> str:
    """Return the lines that `read_lines` reads as these entries."""
    return "\n".join(map(write_line, entries))


def write_line(entry: HouseEntry) -> str:
    """Return an entry as a line."""
    head = " ".join(filter(None, (*_iter_kind_words(entry), entry.betting, entry.game, ", ".join(entry.stakes))))
    terms = ", ".join(_iter_terms(entry))
    return f"{head or 'any game'}: {terms}" if terms else head


def _iter_kind_words(entry: HouseEntry) -> Iterator[str]:
    if isinstance(entry, QualifyingHand):
        words = entry.kind.replace("-", " ")
        yield f"{words}," if entry.betting or entry.game or entry.stakes else words
    elif isinstance(entry, RakeRow) and entry.kind == "jackpot":
        yield "jackpot"


def _iter_terms(entry: HouseEntry) -> Iterator[str]:
    if isinstance(entry, SpreadGame):
        yield from _iter_buy_in_terms(entry)
    elif isinstance(entry, RakeRow):
        yield from _iter_rake_terms(entry)
    else:
        yield from _iter_jackpot_terms(entry)


def _iter_buy_in_terms(entry: SpreadGame) -> Iterator[str]:
    if entry.buy_in_min is not None and entry.buy_in_max is not None:
        yield f"buy-in {_format_number(entry.buy_in_min)} to {_format_number(entry.buy_in_max)}"
    elif entry.buy_in_min is not None:
        yield f"buy-in from {_format_number(entry.buy_in_min)}"
    elif entry.buy_in_max is not None:
        yield f"buy-in up to {_format_number(entry.buy_in_max)}"


def _iter_rake_terms(row: RakeRow) -> Iterator[str]:
    if row.players_max is not None:
        has_one_count = row.players_min == row.players_max
        yield f"{row.players_max} players" if has_one_count else f"{row.players_min} to {row.players_max} players"
    elif row.players_min:
        yield f"{row.players_min} players or more"
    if row.percent is not None:
        yield f"{_format_number(row.percent)}%" + ("" if row.cap is None else f" up to {_format_number(row.cap)}")
    yield from (f"{_format_number(drop.take)} from {_format_number(drop.pot)}" for drop in row.drops)
    if row.step is not None:
        yield f"step {_format_number(row.step)}"
    if row.rounding in _ROUNDED:
        yield _ROUNDED[row.rounding]
    if row.no_flop_no_drop:
        yield "no flop no drop"
    if row.raked in _RAKED:
        yield _RAKED[row.raked]


def _iter_jackpot_terms(rule: QualifyingHand) -> Iterator[str]:
    yield rule.hand.lower().replace(",", " ")
    if rule.beaten_by:
        yield f"beaten by {rule.beaten_by.lower().replace(',', ' ')}"
    if rule.both_hole_cards:
        yield "both hole cards"
    if rule.pot_min is not None:
        yield f"pot from {_format_number(rule.pot_min)}"
    if rule.players_min:
        yield f"{rule.players_min} players or more"
    if rule.pays == "best":
        yield "best of the period"


def _format_number(number: float) -> str:
    """Return a number without an exponent: `0.5`, `40`."""
    return f"{number:.6f}".rstrip("0").rstrip(".")
