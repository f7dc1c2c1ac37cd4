"""Reader of Everleaf's text (and Partouche's, in French): acts with the chips added, no rake, no returned bets.

`docs/formats/everleaf.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.hand.ending import Half
from ledger.hand.opening import Betting, TournamentSet
from ledger.readers import acts, amounts, currencies, games, payouts, presence, stud
from ledger.readers.cards import ANY_CASE, map_unknown_cards
from ledger.readers.currencies import has_no_unusual_amounts
from ledger.readers.headed_hand import HeadedHand, build_room_format
from ledger.readers.heads import HeadFields, HeadTemplates
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows
from ledger.readers.text_format import HandLines
from ledger.vocabulary import Seat, Street, Witness

HEADS: Final = ("Everleaf Gaming", "Partouche Poker")
UNITS: Final = (("Chips", "chips"), ("EUR", "EUR"), ("USD", "USD"), ("GBP", "GBP"))
"""The word after a stack → the currency."""
BEHIND_AMOUNTS: Final = ("Chips", "chips", "EURO", "EUR", "USD", "GBP")
"""Words after an amount, longer words first."""
HALVES: Final[dict[str, Half]] = {"high": "high", "low": "low"}
COLON_ACTIONS: Final = ("posts ", "bets [", "raises [")
"""Words after a name and a colon that aren't chat."""
NO_STACK: Final = ("new player", "all-in", "sitting out", "nouveau joueur")
CYRILLIC_EURO: Final = "\u02c6"
"""The euro sign of clients that wrote cp1251, as it appears when read as cp1252."""


def strip_amount(text: str) -> str:
    """Reduce `$ 0.96 USD]`, ` 300 Chips.`, `  0.04 EUR` to a form that `amounts.read` accepts."""
    number_text = text.strip(" .").removesuffix("]").rstrip()
    unit = next((suffix for suffix in BEHIND_AMOUNTS if number_text.endswith(suffix)), "")
    return number_text.removesuffix(unit).replace(" ", "").removeprefix(CYRILLIC_EURO)


def _find_unit(body_lines: list[str]) -> str:
    """Return the unit after the stacks, or `play` if there is none."""
    seat_lines = [line for line in body_lines[:30] if line.startswith("Seat ")]
    return next((unit for line in seat_lines for word, unit in UNITS if f" {word}" in line), "play")


class EverleafHand(HeadedHand):
    """Reads a hand with lines such as `Name act [$ 0.02 USD]`. In posts, bets and chat a colon follows the name."""

    HEAD = HeadTemplates(
        "{room}",
        later_lines=(
            "***** Hand history for game #{number} {_}",
            "*** Historique des Mains pour la partie {number} {_}",
            "Table {table}",
            "Seat {button} is the button",
            "Total number of players{_}",
            "{game} - {date} - {clock}",
        ),
        ending="Seat ",
        needed_fields={"number": "its number", "game": "its stakes"},
    )
    GAMES = games.FLOP | {"stud", "stud8"}
    WITNESSES = Witness.from_names(
        "BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS BLIND_AMOUNTS CONNECTIONS"
    )
    """The text lacks the rake, returned bets, clocks, and the numbers of side pots."""
    CARDS: ClassVar = {**ANY_CASE, **map_unknown_cards("X", "XX", "??")}
    NAME_ENDINGS = (":", "")
    HAND_STREETS: ClassVar[Mapping[str, Street]] = stud.ANY_CASE

    @classmethod
    def build_game_events(cls, fields: HeadFields, page: HandLines) -> Iterator[Event]:
        """Read `Blinds $0.01/$0.02 NL Hold'em - 4 Max`. The seats' amounts show the currency too."""
        text, body_lines = fields["game"], page.lines.text[fields.line_after : page.end_line]
        low, slash, stakes_after = " ".join(text.removeprefix("Blinds").replace(CYRILLIC_EURO, "€").split()).partition(
            "/"
        )
        high, _, name = stakes_after.strip().partition(" ")
        if not slash or not high:
            raise UnreadableHandError(f"no stakes in {text[:80]!r}", kind="header")
        variant, limit = games.split_limit(name.partition(" - ")[0], cls.GAMES)
        if variant is None:
            raise games.unknown_game(text)
        unit = currencies.find_currency(f"{low}{high}") or _find_unit(body_lines)
        stakes, chips = [strip_amount(stake) for stake in (low, *high.split("/"))], unit == "chips"
        if chips:
            yield TournamentSet()
        betting_limit = limit or find_betting(variant, stakes, body_lines)
        yield games.build_game_set(variant, betting_limit, stakes, unit=unit, exponent=page.exponent, tournament=chips)
        fields["room"] = "Partouche" if "Partouche" in fields["room"] else "Everleaf"
        fields["date"] += " " + fields["clock"]
        # Only the file's name has the tournament.
        digits = page.source[:200].partition("TID_")[2].partition("-")[0] if chips else ""
        fields["tournament"] = digits[:20] if digits.isascii() and digits.isdigit() else ""

    def begin(self) -> None:
        """Start without a line that breaks off."""
        self.torn = -1  # the line that may continue the line before it

    def clean_amount(self, text: str) -> str:
        """Return an amount in a form that `amounts.read` accepts."""
        number_text = strip_amount(text)
        if not number_text:
            raise UnreadableHandError(f"{text[:40]!r} is no amount", kind="amount")
        return number_text

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Read a seat's row; `Seat 10: late ( new player )` has no stack."""
        inner = row["amount"].strip()
        self.deal_in(seat, row["name"], None if inner.lower() in NO_STACK else self.parse_amount(inner))

    def index_names(self) -> None:
        """Index the names without caching acts after a colon, which may be chat."""
        super().index_names()
        self.single_word_names = {
            word: seat for word, seat in self.single_word_names.items() if self.names_by_seat[seat] == word
        }

    def has_colon(self, seat: Seat) -> bool:
        """Whether a colon follows the name at the beginning of the line."""
        return self.lines.text[self.place].startswith(": ", len(self.names_by_seat[seat]))

    def read_action(self, seat: Seat, text: str) -> bool:
        """Read the text after a name. After a colon, anything but posts and bets is chat."""
        if not self.has_colon(seat):
            return super().read_action(seat, text)
        if not (text.endswith("]") and text.startswith(COLON_ACTIONS) and super().read_action(seat, text)):
            self.say_words(seat, self.lines.text[self.place][len(self.names_by_seat[seat]) + 2 :])
        return True

    def read_line(self, line: str) -> bool:
        """Read any other line, or the continuation of the line before it."""
        if self.place == self.torn and line.endswith("]"):
            self.add_remark()
            return True
        return super().read_line(line)

    def read_won_pot(self, seat: Seat, amount_text: str, words: str) -> bool:
        """Read `wins $ 0.13 USD from main pot with two pairs, jacks and`, ` high ($ 0.95 USD) from main pot`."""
        half, bracket, amount = amount_text.partition("(")
        if bracket and not (half.strip() in HALVES and amount.endswith(")")):
            return False
        main = 0 if words.startswith("main pot") else None
        self.award(
            seat,
            self.parse_amount(amount.removesuffix(")") or amount_text),
            main,
            half=HALVES[half.strip()] if bracket else "",
        )
        if " with " in words and not words.endswith("]"):
            self.torn = self.place + 1
        return True

    def finish(self) -> None:
        """Settle the bets and complete the hand, if it was paid."""
        if self.total_awarded:
            payouts.complete_paid_hand(self)

    ACTIONS = (
        ("folds", acts.fold),
        ("checks", acts.check),
        ("calls [{amount}]", acts.call),
        ("bets [{amount}]", acts.wager_by),
        ("raises [{amount}]", acts.raise_by),
        ("completes to {amount}", acts.raise_to),
        ("posts small blind [{amount}]", acts.post_small_blind),
        ("posts big blind [{amount}]", acts.post_big_blind),
        ("posts ante [{amount}]", acts.post_ante),
        *build_rows(acts.make_up_small_blind, "posts dead blind [{amount}]", "posts dead small blind [{amount}]"),
        *build_rows(acts.post_both_blinds, "posts both blinds [{amount}]", "posts small and big blind [{amount}]"),
        ("posts small & big blinds [{amount}]", acts.post_both_blinds),
        ("posts bring-in {amount}", acts.bring_in),
    )
    PLAYER_LINES = (
        ("shows [{cards}]{claim}", PhraseHand.show_known_cards),
        ("does not show cards", PhraseHand.decline_to_show),
        *build_rows(PhraseHand.muck_cards, "mucks", "mucks hand"),
        ("wins {amount_text} from {words}", read_won_pot),
        *build_rows(presence.sit_out, "sits out", "is sitting out"),
        *build_rows(PhraseHand.lose_connection, "has disconnected{_}", "est déconnecté{_}"),
        *build_rows(presence.join_table, "has joined the table", "has been reseated to this table"),
    )
    LINES = (
        ("** Dealing down cards **{_}", stud.begin_deal),
        ("** Dealing {street} ** [{cards}]", PhraseHand.deal_new_cards),
        *build_rows(stud.begin_street, "** Dealing {hand_street} **{_}", "**** dealing {hand_street} **{_}"),
        *build_rows(stud.deal_open_cards, "Dealt to {name} [{cards}]", "Dealt to {name} [{cards}]."),
        *build_rows(PhraseHand.ignore_line, "Total number of players{_}", "***** {_}", "Everleaf Gaming{_}"),
        *build_rows(PhraseHand.add_remark, "{_} has joined the table", "{_} has been reseated to this table"),
        *build_rows(PhraseHand.add_remark, "{_} has left the table", "{_} sits out"),
    )


def find_betting(game: str, stakes: list[str], body_lines: list[str]) -> Betting:
    """Return the limit if no word names it: fixed limit if the big blind is the smaller stake."""
    for line in body_lines:
        _, separator, amount_text = line.partition(": posts big blind [")
        if separator:
            posted, *bets = (
                amounts.read_or_none(text, amounts.MAX_DECIMALS) for text in (strip_amount(amount_text), *stakes)
            )
            return "limit" if posted == bets[0] and len(bets) > 1 and bets[0] != bets[1] else "no-limit"
        if line.startswith("** "):
            break
    return "limit" if game.startswith("stud") else "no-limit"


FORMAT: Final = build_room_format(
    EverleafHand, "everleaf", "Everleaf text", *HEADS, has_odd_amounts=has_no_unusual_amounts
)
