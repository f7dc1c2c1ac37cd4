"""Read hands in languages other than English. Their phrases are added to the tables with the English phrases."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, TypeVar

from ledger.formats.pokerstars import languages
from ledger.formats.pokerstars.hand import PokerStarsHand
from ledger.formats.pokerstars.header import PokerStarsHeader, PokerStarsTable, parse_header, parse_table
from ledger.hand.opening import NotDealtIn
from ledger.readers import stud
from ledger.readers.listed_hand import ListedHand
from ledger.readers.phrases import build_rows, parse_small_number
from ledger.readers.text_hand import Pot
from ledger.vocabulary import Cards, Seat

_NUMBER: Final = re.compile(r"[0-9]+")
_SIGN_AFTER_AMOUNT: Final = re.compile(r"([0-9][0-9.,]{0,20})(?<=[0-9])[ \xa0\u202f]?([€$£₽])(?![ \xa0\u202f]?[0-9])")
_SIGN_BEFORE_BLANK: Final = re.compile(r"([€$£₽])[ \xa0\u202f]([0-9])")
"""Currency signs that aren't placed as in English: `0.02 €`, `$ 0.98`."""
_POT_AMOUNT: Final = re.compile(r"(?<![-\w])[0-9][0-9.,]{0,20}(?<=[0-9])")
_TITLES: Final = {title: english for english, titles in languages.TITLES.items() for title in titles}


Teller = TypeVar("Teller")


def add_local_phrases(
    phrase_rows: Sequence[tuple[str, Teller]], local_phrases: languages.LocalPhrases
) -> tuple[tuple[str, Teller], ...]:
    """Return the rows of a table, and before them their translations, the longest first."""
    local_rows = [
        (local_phrase, teller) for template, teller in phrase_rows for local_phrase in local_phrases.get(template, ())
    ]
    return (*sorted(local_rows, key=lambda row: -len(row[0])), *phrase_rows)


class LocalHand(PokerStarsHand):
    """A hand in Portuguese, Spanish, Russian or French; some of its lines may be in English."""

    unbroken_until: int = 0  # the summary has no blank line before this one

    SEATS = languages.SEATS
    CHIPS = languages.CHIPS
    BOUNTY = languages.BOUNTY
    OWN_BOUNTY = languages.OWN_BOUNTY
    LABELS = (*PokerStarsHand.LABELS, *languages.LABELS)
    SHOWED, MUCKED = (*PokerStarsHand.SHOWED, *languages.SHOWED), (*PokerStarsHand.MUCKED, *languages.MUCKED)
    WON, QUIET = (*PokerStarsHand.WON, *languages.WON), (*PokerStarsHand.QUIET, *languages.QUIET_WORDS)
    POTS: ClassVar[Mapping[str, Pot]] = {
        **PokerStarsHand.POTS,
        **{local_pot: PokerStarsHand.POTS[pot] for pot, words in languages.POTS.items() for local_pot in words},
    }

    parse_chips = ListedHand.parse_amount

    @staticmethod
    def parse_header(line: str) -> PokerStarsHeader:
        """Translate a hand's first line into English and parse it."""
        line = line.strip("\ufeff \t")
        number_match = _NUMBER.search(line)
        if number_match is None:  # can't happen: `is_local` found a digit
            return parse_header(line)
        room_words, colon, game_and_date = line[number_match.end() :].partition(":")
        zoom_word = "Zoom " if "zoom" in (line[: number_match.start()] + room_words).lower() else ""
        for english_phrase, local_phrases in languages.HEADER.items():
            for local_phrase in local_phrases:
                game_and_date = game_and_date.replace(local_phrase, english_phrase)
        game_and_date = _SIGN_BEFORE_BLANK.sub(r"\1\2", _SIGN_AFTER_AMOUNT.sub(r"\2\1", game_and_date))
        return parse_header(f"PokerStars {zoom_word}Hand #{number_match[0]}{colon} {game_and_date}")

    @staticmethod
    def parse_table(line: str) -> PokerStarsTable | None:
        """Parse the line that names the table: name, size and button."""
        opening_quote = min((quote_index for quote_index in map(line.find, "'\"«") if quote_index >= 0), default=-1)
        size_index = line.find("-max")
        closing_quote = max(line.rfind(quote_sign, opening_quote + 1, size_index) for quote_sign in "'\"»")
        if opening_quote < 0 or closing_quote < 0:
            return parse_table(line)
        text_after = line[size_index:]
        button_digits = "".join(_NUMBER.findall(text_after))[:3]
        return PokerStarsTable(
            line[opening_quote + 1 : closing_quote],
            parse_small_number(line[closing_quote + 1 : size_index].strip()),
            parse_small_number(button_digits) if button_digits else None,
            "(" in text_after,
        )

    def read_seats(self, line_number: int, end_line: int) -> int:
        """Read the list of seats; French puts a blank between a name and its colon."""
        text = self.lines.text
        for seat_line in range(line_number, end_line):
            if self.stops_at(text[seat_line]):
                break
            text[seat_line] = text[seat_line].replace("\xa0", " ")
        line_number = super().read_seats(line_number, end_line)
        self.seats.update({f"{name} ": seat for name, seat in self.seats.items()})
        return line_number

    def absence_reason(self, _seat: Seat, words_after: str) -> NotDealtIn:
        """Return why a player gets no cards."""
        return "sitting-out" if words_after.endswith(("sit out", "sitting out")) else "unknown"

    def read_heading_line(self, line: str) -> int:
        """Translate a heading into English; it is read again then."""
        title, stars, text_after = line[4:].partition(" ***")
        if title not in _TITLES:
            return super().read_heading_line(line)
        self.lines.text[self.place] = f"*** {_TITLES[title]}{stars}{text_after}"
        return self.place

    def read_action(self, seat: Seat, act_text: str) -> bool:
        """Read the words after a name; French puts a full stop after its verb."""
        return super().read_action(seat, act_text) or super().read_action(
            seat, act_text.replace(". ", " ", 1).removesuffix(".")
        )

    def split_all_in(self, act_text: str) -> tuple[str, bool | None]:
        """Split `$5 e está all-in` into the amount and whether it is all-in."""
        for conjunction in languages.AND:
            text_before, separator, text_after = act_text.rpartition(conjunction)
            if separator and text_after.strip(" .\"'«»").lower().endswith(languages.ALL_IN):
                return text_before, True
        return super().split_all_in(act_text)

    def deal_cards(self, name: Seat, cards: Cards) -> None:
        """Read `Rui recebe [Th 7h]`."""
        stud.deal_groups(self, name, [cards])

    def read_rare_line(self, line: str) -> bool:
        """Read a rarer line of the summary, which goes on to the first blank line."""
        if line.startswith(self.SEATS):
            self.read_seat_result(line)
        elif not self.read_line(line) and not super().read_rare_line(line):
            if self.stops_at(line) or not self._is_unbroken():
                return False
            self.add_unread(line)
        return True

    def _is_unbroken(self) -> bool:
        """Whether no blank line has come since the summary began."""
        line_texts, line_number = self.lines.text, max(self.unbroken_until, self.summary_line)
        while line_number < self.place and line_texts[line_number].strip():
            line_number += 1
        self.unbroken_until = line_number
        return line_number >= self.place

    def read_totals(self, pots: str, rake: str) -> None:
        """Read `Total pote 650 Pote principal 600. Pote secundário-1 50. | comissão 0`."""
        total_text, *pot_amounts = _POT_AMOUNT.findall(pots) or [""]
        english_words = [f"Total pot {total_text}"]
        for pot_index, amount in enumerate(pot_amounts):
            pot_suffix = f"-{pot_index}" if f"-{pot_index} " in pots else ""
            english_words.append(f"Main pot {amount}." if pot_index == 0 else f"Side pot{pot_suffix} {amount}.")
        self.declare_totals(f"{' '.join(english_words)} | Rake {self.clean_amount(rake)}")

    ACTIONS = add_local_phrases(PokerStarsHand.ACTIONS, languages.ACTS)
    PLAYER_LINES = add_local_phrases(PokerStarsHand.PLAYER_LINES, languages.ACTS)
    LINES = (("{name} recebe [{cards}]", deal_cards), *add_local_phrases(PokerStarsHand.LINES, languages.LINES))
    SUMMARY_LINES = (
        *build_rows(read_totals, *languages.TOTALS),
        *build_rows(PokerStarsHand.declare_board, *languages.BOARDS),
    )
