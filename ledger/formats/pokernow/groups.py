"""The rows of a log parted into hands and what stands between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ledger.formats.pokernow.hand import BEGINNINGS, PLAIN, is_act
from ledger.formats.pokernow.rows import Row

STARTS: Final = "-- starting hand #"
ENDS: Final = "-- ending hand #"
_GROUND: Final = tuple(word for word, _ in BEGINNINGS)


@dataclass(slots=True)
class Group:
    """The rows of one hand; `number` is "" for acts whose hand has no beginning in this log."""

    number: str
    rows: list[Row]
    indexes: list[int]  # of the rows in the log
    ended: bool = False
    between: list[int] = field(default_factory=list)  # rows behind it that are of no hand


def groups_of(log: Sequence[Row]) -> tuple[Group, list[Group]]:
    """Part the rows into hands; rows before the first one stand in a group of their own."""
    lead = Group("", [], [])
    groups: list[Group] = []
    now: Group = lead  # whose rows these are, or behind which they stand
    open_ = False
    for index, row in enumerate(log):
        text = row.text
        if open_ and text[:1] != "-":
            now.rows.append(row)
            now.indexes.append(index)
        elif text.startswith(STARTS):
            now = Group(_number(text, STARTS), [row], [index])
            groups.append(now)
            open_ = True
        elif text.startswith(ENDS):
            if not open_:
                now = _stray(groups, now, row, index)
            else:
                now.rows.append(row)
                now.indexes.append(index)
            now.ended, open_ = True, False
        elif open_:
            now.rows.append(row)
            now.indexes.append(index)
        elif not _of_hand(text):
            now.between.append(index)
        elif now.ended and now.number and _comes_late(text):
            now.rows.append(row)
            now.indexes.append(index)
        else:
            now = _stray(groups, now, row, index)
    return lead, groups


def _stray(groups: list[Group], now: Group, row: Row, index: int) -> Group:
    """Add a row to the acts without a hand; open a group for them where there is none yet."""
    if not groups or now.number or now.ended:
        now = Group("", [], [])
        groups.append(now)
    now.rows.append(row)
    now.indexes.append(index)
    return now


def _of_hand(text: str) -> bool:
    """Whether a row can only be one of a hand."""
    return text.startswith(_GROUND) or text in PLAIN or (text[:1] == '"' and is_act(text))


def _comes_late(text: str) -> bool:
    """Whether a row may stand behind the one that ends its hand: cards shown, bounties, rabbits."""
    verb = text.rpartition('" ')[2].partition(" ")[0]
    return text.startswith("Undealt cards") or verb in ("shows", "paid") or "bounty" in text


def _number(text: str, word: str) -> str:
    digits = text[len(word) :].partition(" ")[0]
    return digits if digits.isascii() and digits.isdigit() and len(digits) <= 15 else "?"
