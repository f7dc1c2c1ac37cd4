"""Hands in other languages than English: what their lines say stands in the tables beside the English phrases."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, TypeVar

from ledger.formats.pokerstars import languages
from ledger.formats.pokerstars.hand import Hand
from ledger.formats.pokerstars.header import Head, Table, head, table
from ledger.hand.opening import NotDealtIn
from ledger.readers import stud
from ledger.readers.listed import Listed
from ledger.readers.phrases import alike, number
from ledger.readers.telling import Pot
from ledger.vocabulary import Cards, Seat

_NUMBER: Final = re.compile(r"[0-9]+")
_BEHIND: Final = re.compile(r"([0-9][0-9.,]{0,20})(?<=[0-9])[ \xa0\u202f]?([€$£₽])(?![ \xa0\u202f]?[0-9])")
_BEFORE: Final = re.compile(r"([€$£₽])[ \xa0\u202f]([0-9])")
"""Signs of money that stand otherwise than in English: `0.02 €`, `$ 0.98`."""
_POT: Final = re.compile(r"(?<![-\w])[0-9][0-9.,]{0,20}(?<=[0-9])")
_TITLES: Final = {written: english for english, words in languages.TITLES.items() for written in words}


Made = TypeVar("Made")


def with_local(rows: Sequence[tuple[str, Made]], words: languages.Rows) -> tuple[tuple[str, Made], ...]:
    """Return the rows of a table and, before them, what they are in other languages, the longest first."""
    local = [(written, tell) for template, tell in rows for written in words.get(template, ())]
    return (*sorted(local, key=lambda row: -len(row[0])), *rows)


class Local(Hand):
    """A hand in Portuguese, Spanish, Russian or French; some of its lines may be in English."""

    unbroken: int = 0  # how far the summary was looked through for a blank line

    SEATS = languages.SEATS
    CHIPS = languages.CHIPS
    BOUNTY = languages.BOUNTY
    OWN_BOUNTY = languages.OWN_BOUNTY
    LABELS = (*Hand.LABELS, *languages.LABELS)
    SHOWED, MUCKED = (*Hand.SHOWED, *languages.SHOWED), (*Hand.MUCKED, *languages.MUCKED)
    WON, QUIET = (*Hand.WON, *languages.WON), (*Hand.QUIET, *languages.QUIET)
    POTS: ClassVar[Mapping[str, Pot]] = {
        **Hand.POTS,
        **{written: Hand.POTS[pot] for pot, words in languages.POTS.items() for written in words},
    }

    chips = Listed.amount

    @staticmethod
    def head(line: str) -> Head:
        """Take a hand's first line apart, as it is in English."""
        line = line.strip("\ufeff \t")
        found = _NUMBER.search(line)
        if found is None:  # `is_local` saw to it
            return head(line)
        words, colon, rest = line[found.end() :].partition(":")
        zoom = "Zoom " if "zoom" in (line[: found.start()] + words).lower() else ""
        for english, phrases in languages.HEADER.items():
            for phrase in phrases:
                rest = rest.replace(phrase, english)
        rest = _BEFORE.sub(r"\1\2", _BEHIND.sub(r"\2\1", rest))
        return head(f"PokerStars {zoom}Hand #{found[0]}{colon} {rest}")

    @staticmethod
    def table(line: str) -> Table | None:
        """Read the line that names the table: its name, how many sit there, where the button is."""
        left = min((at for at in map(line.find, "'\"«") if at >= 0), default=-1)
        behind = line.find("-max")
        right = max(line.rfind(sign, left + 1, behind) for sign in "'\"»")
        if left < 0 or right < 0:
            return table(line)
        rest = line[behind:]
        digits = "".join(_NUMBER.findall(rest))[:3]
        return Table(
            line[left + 1 : right],
            number(line[right + 1 : behind].strip()),
            number(digits) if digits else None,
            "(" in rest,
        )

    def seats_from(self, k: int, after: int) -> int:
        """Read the list of seats; in French a blank stands between a name and its colon."""
        text = self.lines.text
        for at in range(k, after):
            if self.stops_at(text[at]):
                break
            text[at] = text[at].replace("\xa0", " ")
        k = super().seats_from(k, after)
        self.seats.update({f"{name} ": seat for name, seat in self.seats.items()})
        return k

    def why_out(self, _seat: Seat, told: str) -> NotDealtIn:
        """Return why somebody gets no cards."""
        return "sitting-out" if told.endswith(("sit out", "sitting out")) else "unknown"

    def heading(self, line: str) -> int:
        """Read a heading as it is in English."""
        title, stars, rest = line[4:].partition(" ***")
        if title not in _TITLES:
            return super().heading(line)
        self.lines.text[self.at] = f"*** {_TITLES[title]}{stars}{rest}"
        return self.at

    def act(self, seat: Seat, rest: str) -> bool:
        """Read what follows a name; French puts a full stop behind its verb."""
        return super().act(seat, rest) or super().act(seat, rest.replace(". ", " ", 1).removesuffix("."))

    def without_all_in(self, text: str) -> tuple[str, bool | None]:
        """Part `$5 e está all-in`."""
        for words in languages.AND:
            bare, found, behind = text.rpartition(words)
            if found and behind.strip(" .\"'«»").lower().endswith(languages.ALL_IN):
                return bare, True
        return super().without_all_in(text)

    def gets(self, name: Seat, cards: Cards) -> None:
        """Read `Rui recebe [Th 7h]`."""
        stud.deals_told(self, name, [cards])

    def rare(self, line: str) -> bool:
        """Read other lines of the summary, to which all belong up to a blank one."""
        if line.startswith(self.SEATS):
            self.fate(line)
        elif not self.line(line) and not super().rare(line):
            if self.stops_at(line) or not self._goes_on():
                return False
            self.unread(line)
        return True

    def _goes_on(self) -> bool:
        """Whether no blank line has come since the summary began."""
        text, at = self.lines.text, max(self.unbroken, self.summary)
        while at < self.at and text[at].strip():
            at += 1
        self.unbroken = at
        return at >= self.at

    def totals(self, pots: str, rake: str) -> None:
        """Read `Total pote 650 Pote principal 600. Pote secundário-1 50. | comissão 0`."""
        total, *parts = _POT.findall(pots) or [""]
        words = [f"Total pot {total}"]
        for at, amount in enumerate(parts):
            which = f"-{at}" if f"-{at} " in pots else ""
            words.append(f"Main pot {amount}." if at == 0 else f"Side pot{which} {amount}.")
        self.declares(f"{' '.join(words)} | Rake {self.clean(rake)}")

    DEEDS = with_local(Hand.DEEDS, languages.ACTS)
    SAYINGS = with_local(Hand.SAYINGS, languages.ACTS)
    LINES = (("{name} recebe [{cards}]", gets), *with_local(Hand.LINES, languages.LINES))
    SUMMARY = (*alike(totals, *languages.TOTALS), *alike(Hand.board_was, *languages.BOARDS))
