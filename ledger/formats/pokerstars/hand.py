"""A PokerStars hand and the tables of its lines: actions after a name and a colon, and lines of other kinds."""

from __future__ import annotations

from typing import ClassVar, Final

from msgspec.structs import replace

from ledger.formats.pokerstars import header
from ledger.formats.pokerstars.header import GameSetup, PokerStarsHeader, PokerStarsTable
from ledger.formats.pokerstars.news import NEWS_LINES, build_player_away, build_sit_out
from ledger.formats.pokerstars.summary import SummarizedHand
from ledger.formats.pokerstars.words import BRINGS_IN, FIRST_WORDS, LOCAL_FIRST_WORDS, REMARKS, WITNESSES
from ledger.hand.betting import BetReturned, Called, CashOutTaken, Raised, RaisesCapped
from ledger.hand.dealing import CardsDiscarded, StoodPat, StreetDealt
from ledger.hand.ending import (
    CardsMucked,
    CardsShown,
    DropTaken,
    HandCompleted,
    HandVoided,
    PotAwarded,
    RemarkNoted,
    ResultDeclared,
)
from ledger.hand.fold import fold
from ledger.hand.opening import BlindPosted, PotSeeded
from ledger.hand.variants import VARIANTS
from ledger.readers import acts, bomb_pots, presence
from ledger.readers.games import DRAW, STUD
from ledger.readers.lines import MAX_LINES, too_many_parts
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows
from ledger.readers.signatures import list_foreign_heads
from ledger.readers.text_hand import build_event_handler, build_seat_event_handler
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Seat, Witness

_WHOLE_POT: Final = (None, "")
"""The whole pot."""
_CAP_WORDS: Final = " and has reached the "
_OWN_CARDS: Final = int(Witness.OWN_CARDS)
_RETURNED_BETS: Final = int(Witness.RETURNED_BETS)
_STARLESS_TITLES: Final = ("HOLE CARDS", "FLOP", "TURN", "RIVER", "SHOW DOWN", "SUMMARY")


def post_small_blind(hand: PokerStarsHand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post a small blind. A second one is dead, unless the seat's first call shows that it counted."""
    if hand.small_blind_seat not in (0, seat):
        hand.doubtful_smalls[seat] = len(hand.events)
    acts.post_small_blind_once(hand, seat, amount, all_in)


def post_big_blind(hand: PokerStarsHand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post a big blind. PokerStars has no straddles; its imitators write one as a larger second big blind."""
    (acts.post_straddle if hand.big_blind_seat and amount > hand.big_blind else acts.post_big_blind)(
        hand, seat, amount, all_in
    )


def post_button_blind(hand: PokerStarsHand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post the button's blind, the only one in a game with antes."""
    hand.post_blind(seat, "button", amount, all_in=all_in)


def post_ante(hand: PokerStarsHand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post an ante."""
    hand.ante_count += 1
    hand.post_ante(seat, amount, all_in=all_in)


def post_unnamed(hand: PokerStarsHand, seat: Seat, amount: Chips, all_in: bool | None) -> bool:
    """Post a straddle that the program calls unknown, if it is more than the big blind."""
    straddled = bool(hand.big_blind_seat) and amount > hand.big_blind
    if straddled:
        acts.post_straddle(hand, seat, amount, all_in)
    return straddled


class PokerStarsHand(SummarizedHand):
    """A hand of PokerStars. Rooms with the same grammar add to its tables."""

    __slots__ = ("ante_count", "doubtful_smalls", "end_line")

    NAME_ENDINGS = (":",)
    ALL_IN = (" and is all-in", " ALLIN")
    WITNESSES: ClassVar[int] = WITNESSES

    is_first_line: ClassVar[staticmethod[[str], bool]] = staticmethod(header.is_first_line)
    """Whether a line is a hand's first line."""
    stops_at = staticmethod(
        header.make_stop_check(
            header.is_first_line, (*FIRST_WORDS, *LOCAL_FIRST_WORDS), *list_foreign_heads("PokerStars"), header.SUMMARY
        )
    )

    @staticmethod
    def parse_header(line: str) -> PokerStarsHeader:
        """Parse a hand's first line."""
        return header.parse_header(line)

    @staticmethod
    def parse_table(line: str) -> PokerStarsTable | None:
        """Parse the line that names the table; None if it is another line."""
        return header.parse_table(line)

    @staticmethod
    def parse_game(hand_header: PokerStarsHeader, exponent: int | None, play_money: bool | None) -> GameSetup:
        """Return the game of a first line. Without an exponent, the currency's own applies."""
        return header.parse_game(hand_header, exponent, play_money)

    def begin(self) -> None:
        """Set up what only this grammar keeps."""
        self.early_lines, self.listed_absences = [], {}
        self.board_sizes, self.board_text = {}, ""
        self.showdown_run, self.awarded_board, self.runs_agreed_index, self.is_pot_awarded = 1, 1, -1, False
        self.cards_by_seat, self.summary_line, self.declared_pot = {}, 0, None
        self.big_blind = self.big_blind or (self.game.bets[0] if self.game.bets else 0)
        self.doubtful_smalls: dict[Seat, int] = {}  # second small blinds, which a later call may show to be live
        self.ante_count = 0
        self.end_line = 0  # the line after the hand's last one

    def parse_amount(self, text: str) -> Chips:
        """Read an amount as it is written; a blank within it is damage."""
        return self.parse_chips(text)

    def read_body(self, line_number: int, end_line: int) -> None:
        """Read the lines after the list of seats, to the end of the hand."""
        line_texts, seats, known_acts = self.lines.text, self.seats, self.acts_read
        line_limit = min(end_line, line_number + MAX_LINES)
        while line_number < line_limit:
            line = line_texts[line_number]
            self.place = line_number
            name, colon, act_text = line.rpartition(": ")
            seat = seats.get(name)
            if seat is not None and colon:
                known_act = known_acts.get(act_text)
                if known_act is not None:
                    make, amount, all_in = known_act
                    if make(self, seat, amount, all_in) is not False:
                        line_number += 1
                        continue
                if self._read_act(seat, act_text):
                    line_number += 1
                    continue
            if line[:4] == "*** ":
                if line[4:11] == "SUMMARY":
                    self.summary_line = line_number
                    self.end_line = self.read_summary_lines(line_number + 1, end_line)
                    return
                line_number = self.read_heading_line(line)
            elif not line or line.isspace():
                line_number += 1
                line_limit = min(end_line, line_limit + 1)  # blank lines don't count
            elif self.stops_at(line):
                break
            else:
                line_number = self._read_other_line(line)
        if line_number == line_limit < end_line:
            raise too_many_parts(MAX_LINES + 1)
        self.end_line = line_number

    def _read_act(self, seat: Seat, act_text: str) -> bool:
        """Read an action seen for the first time, and remember it with the blank after it too."""
        stripped_act = act_text.strip()
        if not self.read_action(seat, stripped_act):
            return False
        if stripped_act != act_text and stripped_act in self.acts_read:
            self.acts_read[act_text] = self.acts_read[stripped_act]
        return True

    def _read_other_line(self, line: str) -> int:
        """Read a line of another kind; return the next line to read."""
        name, _, amount_and_pot = line.rpartition(" collected ")
        if (  # these lines and `Dealt to` are the most frequent
            amount_and_pot[-9:] == " from pot"
            and (seat := self.seats.get(name)) is not None
            and (amount := self.chips_by_text.get(amount_and_pot[:-9])) is not None
        ):
            self.collect_pot(seat, amount, _WHOLE_POT)
            return self.place + 1
        if line[:9] == "Dealt to ":
            if not self.read_dealt_cards(line[9:]):
                self.add_unread(line)
            return self.place + 1
        if line[:14] == "Uncalled bet (":
            amount_text, words, name = line[14:].rstrip().partition(") returned to ")
            if words and (seat := self.seats.get(name)) is not None:
                self.return_bet(self.parse_amount(amount_text), seat)
                return self.place + 1
        name, colon, act_text = line.partition(": ")
        if colon and (seat := self.seats.get(name)) is not None and self.read_action(seat, act_text.strip()):
            return self.place + 1  # a second colon: `shows [Ah 2c] (Lo: 8,5,4,2,A)`
        stripped_line = line.strip()
        if line[:1] == " " and (heading_line := _restore_stars(stripped_line)):
            self.lines.text[self.place] = heading_line
            return self.place
        if not self.read_line(stripped_line) and not self.read_player_line(line):
            self.add_unread(line)
        return self.place + 1

    def read_player_line(self, line: str) -> bool:
        """Read an action whose player's name contains a colon, or is followed by more than one: `a: b: folds`."""
        for name in self.list_sorted_names():
            name_and_colon = name + ": "
            if line.startswith(name_and_colon) and self.read_action(
                self.seats[name], line[len(name_and_colon) :].strip()
            ):
                return True
        return False

    def split_all_in(self, act_text: str) -> tuple[str, bool | None]:
        """Split `$5 and is all-in` and `$5 and has reached the $40 cap` into the amount and whether it is all-in."""
        for all_in_words in self.ALL_IN:
            if act_text.endswith(all_in_words):
                return act_text[: -len(all_in_words)], True
        return act_text.partition(_CAP_WORDS)[0], False

    def call(self, seat: Seat, added: Chips, all_in: bool | None = None) -> None:
        """Add a call of this many more chips; it may correct an earlier raise or small blind."""
        if seat in self.doubtful_smalls and not all_in:  # a short call proves nothing
            self._settle_second_small(seat, added)
        if 0 < self.betting.bet_to_call < self.get_bet(seat) + added:
            self._correct_raise(self.get_bet(seat) + added)
        street_total = self.betting.add(seat, added)
        self.events.append(Called(seat, added, street_total, all_in))
        self.event_places.append(self.place)

    def _correct_raise(self, call_total: Chips) -> None:
        """Correct a raise that a call exceeds: its `to` was the chips added, as Run It Once wrote it."""
        index, last_raise = self._last_raise()
        if (
            last_raise
            and last_raise.to == self.betting.bet_to_call
            and 2 * last_raise.to - last_raise.added == call_total
        ):
            self._restate_raise(index, last_raise)
            self.betting.restate(last_raise.seat, call_total)

    def _last_raise(self) -> tuple[int, Raised | None]:
        for index in range(len(self.events) - 1, 0, -1):
            event = self.events[index]
            if isinstance(event, Raised):
                return index, event
        return 0, None

    def _restate_raise(self, index: int, raised: Raised) -> None:
        """Restate a raise: what it gave as the street's total was the chips added."""
        bet_before = raised.to - raised.added
        self.events[index] = Raised(raised.seat, raised.to, raised.to + bet_before, raised.all_in)
        self.betting.move_chips(raised.seat, bet_before)

    def _settle_second_small(self, seat: Seat, added: Chips) -> None:
        """Make a second small blind live if the seat's first call shows that it counted."""
        index = self.doubtful_smalls.pop(seat)
        post = self.events[index]
        if isinstance(post, BlindPosted) and self.get_bet(seat) + added + post.dead == self.betting.bet_to_call:
            self.events[index] = BlindPosted(seat, post.role, post.dead, 0, post.all_in)
            self.betting.recount(seat, post.dead)

    def begin_draw(self) -> None:
        """Begin a single draw that has no heading."""
        if self.street == "preflop" and self.game.variant in DRAW:
            self.begin_betting("first-draw")
            self.inferred.append(len(self.events))
            self.add_event(StreetDealt("first-draw"))

    # -- other words after a name -----------------------------------------------------------------

    def fold_face_up(self, seat: Seat, cards: Cards) -> None:
        """Read `folds [Ah Kd]`."""
        self.cards_by_seat[seat] = cards
        self.fold(seat, cards)

    def show_cards(self, seat: Seat, cards: Cards, claim: str = "", *, after: bool = False) -> None:
        """Read `shows [Ah Kd] (a pair of Aces)`; cards that stay face down are unknown."""
        self.close_bets()
        self.cards_by_seat[seat] = cards
        if self.game.variant not in STUD:
            cards += UNKNOWN_CARD * (VARIANTS[self.game.variant].start_cards - len(cards) // 2)
        self.add_event(CardsShown(seat, cards, self.is_pot_awarded or after, self.people.text(claim)))

    def fold_offline(self, seat: Seat) -> None:
        """Read `folds (disconnect)`."""
        self.lose_connection(seat)
        self.fold(seat)

    def refuse_cut_off(self, _seat: Seat) -> None:
        """Reject `raises $2 to`, which breaks off before its amount."""
        self.parse_amount("")

    def stand_pat(self, seat: Seat, cards: Cards = "") -> None:
        """Read `stands pat on [Ah Kd 3c 4c 5d]`."""
        self.begin_draw()
        if cards:
            self.cards_by_seat.setdefault(seat, cards)
        self.add_event(StoodPat(seat))

    def discard(self, seat: Seat, count: int, cards: Cards = "") -> None:
        """Read `discards 2 cards [3c Qc]`."""
        self.begin_draw()
        self.add_event(CardsDiscarded(seat, count, cards))

    # -- other lines -----------------------------------------------------------------------------

    def collect_pot(self, name: Seat, amount: Chips, pot: tuple[int | None, str]) -> None:
        """Read `Ada collected $5 from side pot-1`."""
        self.is_pot_awarded = True
        self.award(name, amount, pot[0], run=self.showdown_run, board=self.awarded_board)

    def return_bet(self, amount: Chips, name: Seat) -> None:
        """Read `Uncalled bet ($5) returned to Ada`; where the room added chips, Run It Once wrote more than the bet."""
        if amount > self.get_bet(name):
            self.close_bets()
            uncalled_amount = next((excess for bet_seat, excess, _ in self.uncalled_bets if bet_seat == name), 0)
            index, event = self._last_raise()
            bet_before = event.to - event.added if event and event.seat == name else 0
            if event and bet_before and amount == uncalled_amount + bet_before:
                self._restate_raise(index, event)
            elif uncalled_amount and any(isinstance(event, PotSeeded) for event in self.events):
                self.add_remark()
                self.inferred.append(len(self.events))
                amount = uncalled_amount
        self.return_uncalled(name, amount)

    def cancel_hand(self) -> None:
        """Read `Hand cancelled`."""
        self.betting.is_closed = True
        self.add_event(HandVoided("cancelled"))

    # -- the end ---------------------------------------------------------------------------------

    def finish_events(self) -> None:
        """Finish the events that depend on the whole hand; rooms add their own."""
        bomb_pots.infer(self, self.ante_count)

    def finish(self) -> None:
        """Finish the hand: who was dealt in, returned bets, awards and the end."""
        self.leave_absent_out()
        if self.ante_count == 1:
            self.mark_table_ante()
        if self.summary_line:
            self.close_bets()
            if self.uncalled_bets:
                seeded_chips = sum(event.amount for event in self.events if isinstance(event, PotSeeded))
                self.infer_returns(None if self.declared_pot is None else self.declared_pot - seeded_chips)
            self.finish_events()
            if not self.total_awarded:
                self._pay_as_summed()
            self._rake_the_winner()
            self.place = self.summary_line
            self.add_event(HandCompleted())

    def _pay_as_summed(self) -> None:
        """Infer the awards of a converter's hand, which has them only in the summary."""
        if any(isinstance(event, CashOutTaken) for event in self.events):
            return  # a pot that the house takes looks the same
        for event, line_number in list(zip(self.events, self.event_places, strict=True)):
            if isinstance(event, ResultDeclared) and event.what == "collected" and event.seat and event.amount:
                self.add_inferred(PotAwarded(event.seat, event.amount), place=line_number)
                self.total_awarded += event.amount

    def _rake_the_winner(self) -> None:
        """Take the rake from the only award, if the room wrote the whole pot as collected."""
        if self.total_awarded != self.declared_pot or self.game.format == "tournament":
            return
        drop_total = sum(event.amount for event in self.events if isinstance(event, DropTaken))
        award_indexes = [
            index for index, event in enumerate(self.events) if drop_total and isinstance(event, PotAwarded)
        ]
        if len(award_indexes) != 1 or fold(self.events).pot_size() != self.total_awarded:  # type: ignore[arg-type]  # a hand's events
            return
        self.events[award_indexes[0]] = replace(self.events[award_indexes[0]], amount=self.total_awarded - drop_total)
        self.inferred.append(award_indexes[0])
        for index, event in enumerate(self.events):
            if isinstance(event, ResultDeclared) and event.what == "collected":
                self.events[index] = RemarkNoted(self.people.text(self.lines.text[self.event_places[index]].strip()))

    def list_witnesses(self) -> int:
        """Return the kinds of facts that this hand's text always records."""
        witness_bits = self.WITNESSES | (_OWN_CARDS if self.has_own_cards else 0)
        if self.inferred and any(isinstance(self.events[index], BetReturned) for index in self.inferred):
            witness_bits &= ~_RETURNED_BETS
        return witness_bits

    ACTIONS = (
        ("folds", acts.fold),
        ("checks", acts.check),
        ("calls {amount}", call),
        ("bets {amount}", acts.bet),
        *build_rows(acts.raise_to, "raises to {amount}", "raises {by} to {amount}"),
        ("posts small blind {amount}", post_small_blind),
        *build_rows(post_ante, "posts big blind ante {amount}", "posts BB ante {amount}"),
        ("posts big blind {amount}", post_big_blind),
        ("posts small & big blinds {amount}", acts.post_both_blinds),
        *build_rows(post_ante, "posts the ante {amount}", "posts ante {amount}", "posts an ante of {amount}"),
        *build_rows(acts.post_dead_chips, "posts dead blind {amount}", "posts dead {amount}"),
        ("posts button blind {amount}", post_button_blind),
        *build_rows(acts.post_straddle, "posts straddle {amount}", "posts a straddle {amount}"),
        ("unknown {amount}", post_unnamed),
        *build_rows(acts.bring_in, *BRINGS_IN),
    )
    PLAYER_LINES = (
        *build_rows(build_event_handler(CardsMucked), "mucks hand", "mucks"),
        ("doesn't show hand", build_event_handler(lambda seat: CardsMucked(seat, declined=True))),
        *build_rows(
            PhraseHand.add_remark, "shows [] ({_})", "shows []"
        ),  # of a player who folded; the summary has the cards
        *build_rows(show_cards, "shows [{cards}] ({claim})", "shows [{cards}]"),
        ("activates time bank", presence.use_time_bank),
        ("folds [{cards}]", fold_face_up),
        *build_rows(fold_offline, "folds (disconnect)", "folds (disconnected)"),
        ("Table deposit {amount}", PhraseHand.top_up),
        ("sits out", build_seat_event_handler(build_sit_out)),
        ("is sitting out", build_seat_event_handler(build_player_away)),
        ("stands pat", stand_pat),
        ("stands pat on [{cards}]", stand_pat),
        *build_rows(discard, "discards {count} cards [{cards}]", "discards {count} card [{cards}]"),
        *build_rows(discard, "discards {count} cards", "discards {count} card", "discards {count}"),
        *build_rows(refuse_cut_off, "raises {_} to", "calls", "bets"),
        *build_rows(build_event_handler(CashOutTaken), "Chooses to EV Cashout", "Chooses to EV cashout"),
        *build_rows(
            build_event_handler(lambda seat, amount: CashOutTaken(seat, None, amount)),
            "Pays Cashout Risk ({amount})",
            "pays cashout risk ({amount})",
        ),
        *build_rows(
            build_event_handler(lambda seat, amount: CashOutTaken(seat, price=amount)),
            "Receives Cashout ({amount})",
            "receives cashout ({amount})",
        ),
        ("", PhraseHand.add_remark),  # the room writes players' answers about running it twice so
    )
    LINES = (
        ("Dealt to {name_and_cards}", SummarizedHand.read_dealt_cards),
        ("{name} collected {amount} from {pot}", collect_pot),
        ("Uncalled bet ({amount}) returned to {name}", return_bet),
        *NEWS_LINES,
        ("Players agree to Run It Twice", SummarizedHand.agree_on_runs),
        ("Hand cancelled", cancel_hand),
        ("Betting is capped", build_event_handler(RaisesCapped)),
        *build_rows(PhraseHand.add_remark, *REMARKS),
        *build_rows(
            build_event_handler(lambda amount: PotSeeded("promotion", amount)),
            *(
                f"Cash Drop {preposition} Pot{mark} total {{amount}}"
                for preposition in ("to", "To")
                for mark in (" :", ":", "")
            ),
        ),
        *build_rows(
            build_event_handler(lambda amount: PotSeeded("splash", amount)),
            "STP added: {amount}",
            "STP Added: {amount}",
        ),
    )


def _restore_stars(stripped_line: str) -> str:
    """Return ` FLOP  [2c 7d Kc]` as a heading again: message boards turned its stars into bold type."""
    title, bracket, card_text = stripped_line.partition("  [")
    if title not in _STARLESS_TITLES or bool(bracket) == (title in ("HOLE CARDS", "SHOW DOWN", "SUMMARY")):
        return ""
    return f"*** {title} *** [{card_text}" if bracket else f"*** {title} ***"
