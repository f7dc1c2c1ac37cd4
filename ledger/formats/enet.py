"""Reader of Enet's text: the rake of each street, cards without spaces, the limit in the table's name.

`docs/formats/enet.md` lists what the format doesn't record.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.event import Event
from ledger.hand.ending import RemarkNoted, ResultDeclared
from ledger.readers import acts, games
from ledger.readers.headed_hand import HeadedHand, build_room_format
from ledger.readers.heads import HeadFields, HeadTemplates
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows
from ledger.readers.signatures import build_number_test
from ledger.readers.text_format import HandLines
from ledger.readers.text_hand import build_event_handler
from ledger.vocabulary import Cards, Chips, Seat, Witness

FIRST: Final = "Game #"
_GAMES: Final = ("Hold'em ", "Holdem ", "Omaha ", "Texas ", "Tournament #")


class EnetHand(HeadedHand):
    """A hand whose actions look like `Ada: bets €1,50`."""

    VENUE = "Enet"
    HEAD = HeadTemplates(
        "Game #{number}: {game} ({stakes}) - {written} - {_}",
        "Game #{number}: {game} ({stakes}) - {written}",
        later_lines=("Table '{table}' {chairs}-max Seat #{button} is the button", "Table '{table}' {_}"),
        max_digits=20,
    )
    WITNESSES = Witness.from_names("BUTTON STACKS_BEFORE ACTS BOARD AWARDS DROP BLIND_AMOUNTS")
    """Posts are missing, since some chips in the pot have no line. So are returned bets, which not every text shows."""
    NAME_ENDINGS = (":", "")
    QUIET_SUMMARY = True
    ALL_IN = (" and is all-in", " and is all in", ", and is all-in")
    LABELS = (*PhraseHand.LABELS, "(dealer)")

    @classmethod
    def build_game_events(cls, fields: HeadFields, page: HandLines) -> Iterator[Event]:
        """Read the limit from the table's name. Without one, hold'em is no limit and other games are pot limit."""
        name, _, limit = fields["table"].rpartition(" - ")
        if limit.strip(" )").lower() in games.LIMITS:
            fields["table"], fields["limit"] = name, limit.strip(" )")
        else:
            fields["limit"] = "no limit" if games.find_variant(fields["game"], cls.GAMES) == "holdem" else "pot limit"
        yield cls.build_game(fields, page.exponent)

    def list_witnesses(self) -> int:
        """Return what this hand's text records: no button if it says `Seat #0 is the button`."""
        return self.WITNESSES if self.button_and_line else self.WITNESSES & ~int(Witness.BUTTON)

    def begin(self) -> None:
        """Start without collected pots."""
        self.collected: dict[Seat, tuple[Chips, int]] = {}  # chips and line, until the summary confirms them

    def clean_amount(self, text: str) -> str:
        """Return `(€10,57)` as an amount."""
        return text.strip("() ").removesuffix(" in chips")

    def read_cards(self, text: str) -> Cards | None:
        """Return `9c2cQd` as cards, or None if one of them isn't a card."""
        letters = text.strip(" []").replace("10", "T").replace(" ", "")
        if len(letters) > 20:
            return None
        return super().read_cards(" ".join(letters[index : index + 2] for index in range(0, len(letters), 2)))

    def read_result(self, result: tuple[Seat, str]) -> None:
        """Read `Ada (small blind) showed [9dJd2dTd] and won (€10,57) with Straight`."""
        seat, result_text = result
        cards = self.read_cards(result_text[8:].partition("]")[0]) if result_text.startswith("showed [") else None
        if cards is not None:
            self.show_cards_once(seat, cards, after=True)
        for words in ("and won (", "collected ("):
            amount = result_text.partition(words)[2]
            if amount:
                self.pay(seat, self.parse_amount(amount.partition(")")[0]))
                break

    def pay(self, seat: Seat, amount: Chips) -> None:
        """Award what the summary says. A different amount in the earlier line may be a returned bet: keep it as a remark."""
        collection = self.collected.pop(seat, None)
        self.award(seat, amount)
        if collection is not None and collection[0] != amount:
            summary_line, self.place = self.place, collection[1]
            self.add_event(RemarkNoted(self.people.text(self.lines.text[collection[1]].strip())))
            self.place = summary_line

    def note_collection(self, seat: Seat, amount: Chips) -> None:
        """Note collected chips until the summary, whose amount is the right one if they differ."""
        self.collected[seat] = self.collected.get(seat, (0, 0))[0] + amount, self.place

    def read_check(self, seat: Seat) -> None:
        """Check; a player who checks before the flop without chips in has posted a big blind that has no line."""
        if (
            self.street == "preflop"
            and self.get_bet(seat) < self.betting.bet_to_call
            and not self.get_chips_put_in(seat)
        ):
            self.silent_posts.append((seat, len(self.events)))
            self.inferred.append(len(self.events))
            self.post_blind(seat, "makeup-big", self.betting.bet_to_call)
        self.check(seat)

    def post_unwritten_small_blind(self, seat: Seat) -> bool:
        """Post a small blind without an amount: the game's small blind, dead."""
        small = self.game.blinds[0] if self.game.blinds else 0
        if small:
            self.inferred.append(len(self.events))
            self.post_blind(seat, "makeup-small", 0, small)
        return bool(small)

    def finish(self) -> None:
        """Award the pots that the summary leaves out, settle the bets and complete the hand."""
        for seat, (amount, line_number) in self.collected.items():
            self.place = line_number
            self.award(seat, amount)
        self.settle_bets()
        self.complete_hand()

    ACTIONS = (
        ("folds", acts.fold),
        ("calls {amount}", acts.call),
        ("bets {amount}", acts.bet),
        ("raises {amount}", acts.raise_by),
        ("goes all-in {amount}", acts.go_all_in_by),
        ("posts small blind {amount}", acts.post_small_blind),
        ("posts big blind {amount}", acts.post_big_blind),
        ("posts small & big blinds {amount}", acts.post_both_blinds),
        ("posts the ante {amount}", acts.post_ante),
    )
    PLAYER_LINES = (
        ("checks", read_check),
        ("posts small blind", post_unwritten_small_blind),
        ("posts big blind", PhraseHand.add_remark),
        ("shows [{cards}]{claim}", PhraseHand.show_cards_once),
        *build_rows(PhraseHand.muck_cards_once, "mucked", "mucks", "mucks hand", "doesn't show hand"),
        ("collected ({amount}) from {_}pot{_}", note_collection),
    )
    LINES = (
        *build_rows(PhraseHand.finish_deal, "*** HOLECARDS ***{_}", "*** HOLE CARDS ***{_}"),
        *build_rows(PhraseHand.begin_showdown, "*** SHOWDOWN ***{_}", "*** SHOW DOWN ***{_}"),
        ("*** SUMMARY ***{_}", PhraseHand.start_summary),
        ("*** {street} ***{cards}", PhraseHand.deal_street_from_board),
        ("Rake: €-{_}", PhraseHand.add_remark),
        ("Rake: {amount}", PhraseHand.take_rake),
        ("Dealt to {name} [{cards}]", PhraseHand.add_own_cards),
        ("Uncalled bet ({amount}) returned to {name}", PhraseHand.read_uncalled_return),
        ("Board [{cards}]", PhraseHand.declare_whole_board),
        ("Board []", PhraseHand.ignore_line),
        ("Total pot {_} | Rake {amount}", build_event_handler(lambda amount: ResultDeclared("rake", None, amount))),
        ("Total pot {_}", PhraseHand.ignore_line),
    )
    SUMMARY_LINES = (("Seat {result}", read_result),)


FORMAT: Final = build_room_format(
    EnetHand, "enet", "Enet text", FIRST, line_test=build_number_test(": ", *_GAMES), own_heads=()
)
