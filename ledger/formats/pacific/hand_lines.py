"""A hand's lines below its header, at the network's tables and at Betfair's own."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ledger.formats.pacific.card_languages import ENGLISH, SECOND_RUN_WORDS
from ledger.formats.pacific.first_lines import clean_amount
from ledger.hand.betting import Folded
from ledger.hand.dealing import DealCompleted
from ledger.hand.ending import HandCompleted, RemarkNoted
from ledger.readers import acts, payouts, presence
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows
from ledger.readers.text_hand import Pot
from ledger.vocabulary import Cards, Chips, Seat

_DEAL_HEADINGS: Final = frozenset(("down cards", "hole cards", "cards"))


class PacificHand(PhraseHand):
    """A hand of 888poker: `Ada raises [$5]`, with cards in the language of its client."""

    NAME_ENDINGS = ("",)

    def begin(self) -> None:
        """Begin in English, with no line yet that shows the hand's end."""
        self.language = ENGLISH
        self.end_line = 0

    def clean_amount(self, text: str) -> str:
        """Return an amount without blanks and with an unambiguous decimal mark."""
        return clean_amount(text)

    def read_cards(self, text: str) -> Cards | None:
        """Return ` 8h, Qh ` as cards, or None if one of them isn't a card in this language."""
        return self.language.read_cards(text)

    def read_starred_heading(self, title: str, text_after: str) -> bool:
        """Read `** Dealing flop ** [ 3s, 9d, Ts ]`, `** Dealing down cards **`, `** Summary **`."""
        subject = _find_subject(title)
        if subject in self.STREETS and "[" in text_after:
            board_cards = self.read_cards(text_after.strip(" :[]"))
            if board_cards is None:
                return False
            self.deal_board(self.STREETS[subject], board_cards)
            return True
        if subject == "summary":
            self.start_summary()
            self.end_line = self.place
            return True
        if subject in _DEAL_HEADINGS and not text_after.strip(" :"):
            self.leave_out_folders()
            self.add_event(DealCompleted())
        return subject in _DEAL_HEADINGS

    def leave_out_folders(self) -> None:
        """Leave out the players who "fold" before the deal and put nothing in: the room's word for not dealt in."""
        for event_index, event in enumerate(self.events):
            if isinstance(event, Folded) and not self.get_chips_put_in(event.seat):
                fold_line = self.lines.text[self.event_places[event_index]]
                self.events[event_index] = RemarkNoted(self.people.text(fold_line.strip()))
                self.folded.discard(event.seat)
                self.mark_left_out(event.seat, "unknown", is_recorded=True)

    def post_dead_blind(self, seat: Seat, posted: str) -> None:
        """Read `posts dead blind [$1 + $2]`: the dead part, then the live one. A single amount is dead."""
        dead_amount, plus, live_amount = posted.partition("+")
        self.post_blind(seat, "makeup-small", 0, self.parse_amount(dead_amount.strip()))
        if plus:
            self.post_blind(seat, "makeup-big", self.parse_amount(live_amount.strip()))

    def collect_pot(self, seat: Seat, amount: Chips) -> None:
        """Read `collected [ $5 ]`."""
        self.award(seat, amount)
        self.end_line = self.place

    def collect_run(self, run_word: str, name: Seat, amount: Chips) -> None:
        """Read `Primo runout Ada collected [ 925 ]`: what the seat won on the board of one run."""
        self.award(name, amount, run=2 if run_word.lower().startswith(SECOND_RUN_WORDS) else 1)
        self.end_line = self.place

    def finish(self) -> None:
        """Infer what only the whole hand shows, and complete it. A hand without an end stays open."""
        if not self.end_line:
            return
        if self.total_awarded:
            self.leave_out_silent()
        payouts.split_uncalled_awards(self, is_always_paid=False)
        self.infer_returns()
        if self.total_awarded:
            payouts.return_unmatched_ante(self)
        payouts.infer_rake(self)
        self.place = self.end_line
        self.add_event(HandCompleted())

    SEAT_LIST_LINES = (
        ("Seat {seat} is the button", PhraseHand.note_button),
        *build_rows(
            PhraseHand.ignore_line,
            "Table {_}",
            "Tournament {_}",
            "Total number of players{_}",
            "Total number of active players{_}",
        ),
    )
    ACTIONS = (
        *acts.build_four_actions("folds", "checks", "calls [{amount}]", "bets [{amount}]"),
        ("raises [{amount}]", acts.raise_by),
        *build_rows(
            acts.go_all_in_by, *(f"{verb} [{{amount}}]" for verb in ("all-in", "all-In", "goes all-in", "is all-in"))
        ),
        ("posts small blind [{amount}]", acts.post_small_blind_once),
        ("posts big blind [{amount}]", acts.post_big_blind),
        *build_rows(acts.post_ante, "posts ante [{amount}]", "posts the ante [{amount}]"),
        *build_rows(
            acts.post_straddle,
            *(f"{verb} [{{amount}}]" for verb in ("straddles", "posts straddle", "posts a straddle")),
        ),
    )
    PLAYER_LINES = (
        *build_rows(collect_pot, "collected [{amount}]", "wins [{amount}]"),
        ("shows [{cards}]", PhraseHand.show_cards),
        ("mucks [{cards}]", PhraseHand.muck_cards),
        ("posts dead blind [{posted}]", post_dead_blind),
        *build_rows(
            PhraseHand.decline_to_show,
            *(f"did not show {whose}hand{stop}" for whose in ("", "his ", "her ", "their ") for stop in ("", ".")),
        ),
        *build_rows(PhraseHand.muck_cards, "mucks", "mucks hand"),
        *build_rows(presence.sit_out, "sits out", "is sitting out", "is sit out"),
        ("has left the table", presence.leave_table),
        ("has returned", presence.come_back),
        *build_rows(PhraseHand.lose_connection, "is disconnected", "has disconnected"),
        *build_rows(PhraseHand.restore_connection, "has reconnected", "is connected"),
    )
    LINES = (
        ("Dealt to {name} [{cards}]", PhraseHand.add_own_cards),
        ("{run_word} runout {name} collected [{amount}]", collect_run),
        *build_rows(PhraseHand.add_remark, "(Hi:{_}", "(Lo:{_}"),
        ("#Game No{_}", PhraseHand.ignore_line),
        ("**{title}**{text_after}", read_starred_heading),
        ("{_}: {_}", PhraseHand.read_talk),
    )


class BetfairHand(PacificHand):
    """A hand of Betfair's own tables: `raises to [$1]` is the street's total, and `goes all-in` comes before the act."""

    def win_pot(self, seat: Seat, amount: Chips, pot: Pot) -> None:
        """Read `wins $6.26 from side pot #1 with a straight`."""
        self.award_named_pot(seat, amount, pot)
        self.end_line = self.place

    def read_starred_heading(self, title: str, text_after: str) -> bool:
        """Read `** Showdown **` and `** Hand Conclusion **`, and the headings of the network's other tables."""
        subject = _find_subject(title)
        if subject == "showdown":
            self.begin_certain_showdown()
        elif subject == "hand conclusion":
            self.start_summary()
        else:
            return super().read_starred_heading(title, text_after)
        return True

    ACTIONS = (("raises to [{amount}]", acts.raise_to), *PacificHand.ACTIONS)
    PLAYER_LINES = (
        *build_rows(win_pot, "wins {amount} from {pot} with {_}", "wins {amount} from {pot}"),
        ("shows [{cards}] {_}", PhraseHand.show_cards),
        ("goes all-in", PacificHand.ignore_line),
        *PacificHand.PLAYER_LINES,
    )
    LINES = (
        ("************{_}", PhraseHand.ignore_line),
        ("**{title}**{text_after}", read_starred_heading),
        *PacificHand.LINES,
    )


@lru_cache(maxsize=100)
def _find_subject(title: str) -> str:
    """Return what a heading is about: ` Dealing flop ` → `flop`."""
    return title.strip().lower().removeprefix("dealing").lstrip()
