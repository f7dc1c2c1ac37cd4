"""The text of Bovada, Bodog and Ignition: positions instead of names, and all hole cards.

`docs/formats/bovada.md` has the table from line to event, and what the format doesn't contain.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import ClassVar, Final

from ledger.formats.bovada import header
from ledger.formats.bovada.hand import DEAL_WORDS, NEXT_STREETS, BovadaPositions
from ledger.formats.bovada.header import INFO_PREFIXES, OTHER_ROOMS, ZONE, begins_hand, find_hand_starts, read_seats
from ledger.hand.betting import BetReturned, ClockExpired, Folded
from ledger.hand.ending import BountyWon, CardsMucked, CardsShown, HandCompleted, PlayerFinished, ShowdownBegun
from ledger.hand.opening import HandOpened, OptionSet
from ledger.presence import ChipsAdded, ConnectionLost
from ledger.readers import acts, amounts, presence, stud
from ledger.readers.acts import ActionHandler
from ledger.readers.currencies import SYMBOLS
from ledger.readers.phrase_hand import PhraseHand, PhraseRows
from ledger.readers.phrases import build_rows, parse_small_number
from ledger.readers.signatures import begins_other_hand
from ledger.readers.text_format import HandLines, TextGrammar, build_text_format
from ledger.readers.text_hand import build_event_handler
from ledger.table.pools import ANONYMOUS
from ledger.vocabulary import Cards, Chips, Seat, Street, Witness

WITNESSES: Final = Witness.from_names(
    "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS RETURNED_BETS CLOCKS"
)
"""What the text always records.

Lines about players who sit down, leave or sit out mostly don't say who it was, so they are no witness.
`ALL_CARDS` is added to a hand with every seat's cards, `DROP` and `BLIND_AMOUNTS` to one that contains them.
"""
STUD_HEADINGS: Final = frozenset(("3rd street", "4th street", "5th street", "6th street", "river"))
"""Headings of stud streets, if there are any. The street begins when a seat gets its next card."""
REASONS: Final = ("timeout", "auth", "disconnect", "disconnected")
"""Words in brackets after an act that the room made for the player."""
NEVER_REPEATED: Final = (
    *("fold", "check", "call", "bet", "raise", "all-in", "small blind", "ante/small blind", "big blind", "ante chip"),
    *("posts chip", "posts dead chip", "bring_in chip", "return uncalled", "hand result", "ranking"),
)
"""The beginnings of acts that nobody makes twice in a row."""
_VALUE: Final = re.compile(rf"[{re.escape(''.join(SYMBOLS))}\d\[]")
_MAX_TEXT_LENGTH: Final = 300


def add_hidden_streets(add_act: ActionHandler, *, raises: bool = False) -> ActionHandler:
    """Return an act's function that first deals a hidden street, and then notes who acted."""

    def act_on_street(hand: BovadaPositions, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        hand.prepare_act()
        add_act(hand, seat, amount, all_in)
        hand.note_act(seat, raises=raises)

    return act_on_street


@lru_cache(maxsize=20_000)
def split_words(text: str) -> tuple[str, str, tuple[str, ...]]:
    """Return the words before the first value in lower case, the remaining text, and the reasons in brackets.

    >>> split_words("Folds (auth-disconnect)")
    ('folds', '', ('auth', 'disconnect'))
    """
    value_match = _VALUE.search(text)
    value_start = value_match.start() if value_match else len(text)
    words_before = text[:value_start].rstrip().lower()
    words, bracket, inner_words = words_before.partition("(")
    inner_words, _, words_after = inner_words.partition(")")
    reason_words = inner_words.replace("-", " ").split()
    reasons = tuple(reason_word for reason_word in reason_words if reason_word in REASONS)
    if bracket and reasons:
        other_words = " ".join(word for word in reason_words if word not in REASONS and word != "blind")
        brackets = f"({other_words})" if other_words else ""
        words_before = f"{words.strip()}{brackets}{words_after}"
    return " ".join(words_before.split()), text[value_start:], reasons


class BovadaHand(BovadaPositions):
    """A hand of Bovada: `Position : Act $5`. The tables have its words in lower case and ` = ` before a value."""

    # -- line by line -----------------------------------------------------------------------------

    def read_body(self, next_line: int, end_line: int) -> None:
        """Read the lines from `next_line` to `end_line`. A position ends with a colon between blanks."""
        line_texts, known_acts, seat_by_position = self.lines.text, self.acts_read, self.seat_by_position
        while next_line < end_line:
            line = line_texts[next_line]
            self.place = next_line
            next_line += 1
            position, colon, act_text = line.partition(" : ")
            if not colon or self.summary_line:
                if (stripped_line := line.strip()) and not self.read_line(stripped_line):
                    self.add_unread(line)
                continue
            seat = seat_by_position.get(position) or self.find_seat(position)
            if not seat:
                if not line.startswith("Dealer : Set dealer"):  # a dead button
                    self.add_unread(line)
            elif line == line_texts[next_line - 2] and self.is_repeat(act_text):
                self.add_remark()
            elif not (
                (known_act := known_acts.get(act_text))
                and known_act[0](self, seat, known_act[1], known_act[2]) is not False
            ) and not self.read_action(seat, act_text):
                self.add_unread(line)

    def is_repeat(self, act_text: str) -> bool:
        """Whether a line with the same text as the one before it is a copy.

        The room's files of 2014 contain such lines two to four times, but count them once in the pot.
        Nobody acts twice in a row. Two equal lines can be genuine in two cases: a check follows a check
        if streets are missing, and a seat can win both halves of a high-low pot.
        """
        if not act_text.startswith(DEAL_WORDS) and (self.hidden_board or (self.is_hi_lo and "esult" in act_text)):
            return False
        return act_text.startswith(DEAL_WORDS) or split_words(act_text.strip())[0].startswith(NEVER_REPEATED)

    def read_action(self, seat: Seat, act_text: str) -> bool:
        """Read what a position does, or what the room did for a player without time or connection."""
        if act_text.startswith(DEAL_WORDS):
            new_cards = self.read_cards(act_text[len(DEAL_WORDS) :].rstrip("] "))
            self.is_dealing = self.is_dealing or new_cards is not None
            return new_cards is not None and self.deal_cards(seat, new_cards)
        stripped_text = act_text.strip()
        if len(stripped_text) > _MAX_TEXT_LENGTH:
            return False
        words, value, reasons = split_words(stripped_text)
        phrase_text = f"{words} = {value}" if value else words
        if reasons and words:
            self.add_reasons(seat, reasons)
        is_read = super().read_action(seat, phrase_text)
        if is_read and not reasons and phrase_text in self.acts_read:
            self.acts_read[act_text] = self.acts_read[phrase_text]
        return is_read

    def add_reasons(self, seat: Seat, reasons: tuple[str, ...]) -> None:
        """Add why the room acted for a player: no connection, no time."""
        self.prepare_act()
        is_disconnected = "disconnect" in reasons or "disconnected" in reasons
        if is_disconnected:
            self.add_event(ConnectionLost(seat, self.player_of[seat]))
        if "timeout" in reasons or "auth" in reasons:
            self.add_event(ClockExpired(seat, False if is_disconnected else None))

    def read_line(self, line: str) -> bool:
        """Read a line without a position. Before the summary its words may be in upper or lower case."""
        if not self.summary_line and len(line) < _MAX_TEXT_LENGTH and not line.startswith(INFO_PREFIXES):
            words, value, _ = split_words(line)
            line = f"{words} = {value}" if value else words
        return super().read_line(line)

    # -- acts -------------------------------------------------------------------------------------

    def fold_showing(self, seat: Seat, cards_text: str) -> bool:
        """Read `Folds & Shows [4s 5h] Show1 [4s]`. The last bracket contains the cards shown."""
        shown_cards = self.read_cards(cards_text.rpartition("[")[2].rstrip("] "))
        if not shown_cards:
            return False
        self.prepare_act()
        self.folded.add(seat)
        self.add_event(Folded(seat, shown_cards))
        self.note_act(seat)
        return True

    def raise_all_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `All-in(raise) $5 to $8`, which contains the street's total."""
        self.raise_to(seat, amount, all_in=True)

    def go_all_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `All-in $5`: chips added by a post, a bet, a call or a short raise."""
        if self.is_dealing:
            self.prepare_act()
            previous_bet = self.betting.bet_to_call
            self.wager(seat, self.get_bet(seat) + amount, all_in=True)
            self.note_act(seat, raises=self.betting.bet_to_call > previous_bet)
            return
        position = next((position for position, named_seat in self.seats.items() if named_seat == seat), "")
        if self.ante_positions and position not in self.ante_positions:
            self.post_ante(seat, amount, all_in=True)
        elif position == "Big Blind":
            self.post_blind(seat, "big", amount, all_in=True)
        elif position == "Small Blind" or (position == "Dealer" and len(self.stacks) == 2):
            self.post_blind(seat, "small", amount, all_in=True)
        else:
            self.post_blind(seat, "entry", amount, all_in=True)

    def post_big_or_bring_in(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Read `Big blind/Bring in $0.25`. It is a bring-in in stud, and a big blind in other games."""
        if stud.is_stud(self):
            self.read_bring_in(seat, amount, all_in)
        else:
            acts.post_big_blind(self, seat, amount, all_in)

    def read_bring_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `Bring_in chip $0.25`."""
        self.complete_deal()
        self.post_bring_in(seat, amount)

    def return_bet(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `Return uncalled portion of bet $5`. Before the deal it may be an ante that nobody could match."""
        if self.is_dealing:
            self.return_uncalled(seat, amount)
        else:
            self.refund(seat, amount)

    def add_deposit(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `Table deposit $5`."""
        self.add_event(ChipsAdded(seat, amount, "top-up", player=self.player_of[seat]))

    # -- the end of a hand ------------------------------------------------------------------------

    def begin_showdown(self) -> None:
        """Begin the showdown, once."""
        if not self.is_showdown:
            self.is_showdown = True
            self.infer_run_out()
            self.close_bets()
            self.add_event(ShowdownBegun())

    def show_best(self, seat: Seat, **_fields: str) -> None:
        """Read `Showdown [9d 8s 7h 6d 5h] (Straight)`: the best five cards. The hole cards are known already.

        A player who is alone in the hand doesn't show, although the room writes the line after a walk too.
        """
        if self.list_seats_in_hand() == [seat]:
            return
        self.begin_showdown()
        words = self.lines.text[self.place].partition(" : ")[2].strip()[len("showdown") :]
        self.add_event(CardsShown(seat, self.hole_cards.get(seat, ""), claim=self.people.text(words.strip())))

    def muck_hand(self, seat: Seat, cards: Cards = "") -> None:
        """Read `Mucks [7h 3c]`."""
        self.begin_showdown()
        self.add_event(CardsMucked(seat, cards))

    def decline_show(self, seat: Seat, cards: Cards = "") -> None:
        """Read `Does not show [7h 3c]`."""
        self.infer_run_out()
        self.add_event(CardsMucked(seat, cards, declined=True))

    def award_pot(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `Hand result $5`."""
        self.infer_run_out()
        self.award(seat, amount, 0 if self.side_pot_count else None)

    def award_side_pot(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Read `Hand result-Side pot $5`. The line doesn't say which of several side pots it is."""
        self.infer_run_out()
        self.award(seat, amount, 1 if self.side_pot_count == 1 else None)

    def add_ranking(self, seat: Seat, place_text: str) -> bool:
        """Read `Ranking 2`. The prize may be in the next line."""
        place = parse_small_number(place_text, 9)
        if not place and place_text != "0":
            return False
        next_position, _, next_text = (
            self.lines.text[self.place + 1].partition(" : ") if self.place + 1 < self.end_line else ("", "", "")
        )
        has_prize = next_text.startswith("Prize Cash [") and self.find_seat(next_position) == seat
        prize = amounts.read_or_none(next_text.rpartition("[")[2].strip("] "), 2) if has_prize else None
        self.add_event(PlayerFinished(seat, place, prize))
        return True

    def add_prize(self, seat: Seat, prize_text: str) -> None:
        """Read `Prize Cash [$9]`. A ranking in the line before it has taken the prize already."""
        previous_position, _, previous_text = self.lines.text[self.place - 1].partition(" : ")
        if not (previous_text.startswith("Ranking ") and self.find_seat(previous_position) == seat):
            self.add_event(PlayerFinished(seat, None, amounts.read_or_none(prize_text.strip("[] "), 2)))

    def add_bounty(self, seat: Seat, prize_text: str) -> bool:
        """Read `Bounty Prize [$9]`."""
        amount = amounts.read_or_none(prize_text.strip("[] "), 2)
        if amount is not None:
            self.add_event(BountyWon(seat, amount))
        return amount is not None

    # -- lines without a player -------------------------------------------------------------------

    def begin_deal(self) -> None:
        """Read `*** HOLE CARDS ***`."""
        self.is_dealing = True

    def read_stud_heading(self, title: str) -> bool:
        """Read the heading of a stud street. The street begins when a seat gets its next card."""
        title, is_stud_game = title.lower(), stud.is_stud(self)
        self.is_dealing = self.is_dealing or (is_stud_game and title == "3rd street")
        return is_stud_game and title in STUD_HEADINGS

    def deal_board_street(self, street: Street, groups: list[Cards]) -> None:
        """Read `*** TURN *** [9c 2c Qd] [8s]`. The last bracket contains the new cards."""
        self.complete_deal()
        self.deal_board(street, groups[-1])

    def deal_next_street(self, cards: Cards) -> bool:
        """Read `Card dealt to table [9c]`, which begins the next street."""
        next_street = NEXT_STREETS.get(self.street)
        if next_street is None or len(cards) != 2 * (next_street[2] - next_street[1]):
            return False
        self.complete_deal()
        self.deal_board(next_street[0], cards)
        return True

    ACTIONS = (
        *build_rows(add_hidden_streets(acts.fold), "folds", "fold"),
        *build_rows(add_hidden_streets(acts.check), "checks", "check"),
        *build_rows(add_hidden_streets(acts.call), "calls = {amount}", "call = {amount}"),
        *build_rows(
            add_hidden_streets(acts.bet, raises=True), "bets chip info = {amount}", "bets = {amount}", "bet = {amount}"
        ),
        *build_rows(add_hidden_streets(acts.bet, raises=True), "d bets = {amount}", "double bets = {amount}"),
        *build_rows(add_hidden_streets(acts.raise_to, raises=True), "raises = {_} to {amount}", "raises = {amount}"),
        *build_rows(add_hidden_streets(acts.raise_to, raises=True), "raise = {_} to {amount}", "raise = {amount}"),
        *build_rows(
            add_hidden_streets(raise_all_in, raises=True), "all-in(raise) = {_} to {amount}", "all-in(raise) = {amount}"
        ),
        *build_rows(go_all_in, "all-in = {amount}", "all-in(bet) = {amount}", "all-in(call) = {amount}"),
        *build_rows(go_all_in, "all-in(blind) = {amount}", "all-in(ante) = {amount}"),
        *build_rows(acts.post_small_blind, "small blind = {amount}", "ante/small blind = {amount}"),
        ("big blind = {amount}", acts.post_big_blind),
        ("big blind/bring in = {amount}", post_big_or_bring_in),
        *build_rows(acts.post_ante, "ante chip = {amount}", "ante = {amount}", "posts ante = {amount}"),
        *build_rows(acts.post_small_or_big_to_enter, "posts chip = {amount}", "post chip = {amount}"),
        *build_rows(acts.post_both_blinds, "posts dead chip = {amount}", "post dead chip = {amount}"),
        *build_rows(read_bring_in, "bring_in chip = {amount}", "bring in chip = {amount}", "bring-in chip = {amount}"),
        ("bring in = {amount}", read_bring_in),
        *build_rows(acts.post_straddle, "straddle = {amount}", "posts straddle = {amount}"),
        *build_rows(return_bet, "return uncalled portion of bet = {amount}", "return uncalled blind = {amount}"),
        *build_rows(award_pot, "hand result = {amount}", "hand result-main pot = {amount}"),
        ("hand result-side pot = {amount}", award_side_pot),
        ("table deposit = {amount}", add_deposit),
    )
    PRESENCE: ClassVar[PhraseRows] = (
        *build_rows(presence.sit_out, "seat sit out", "sit out"),
        *build_rows(presence.stand_up, "seat stand", "stand"),
        *build_rows(presence.come_back, "seat re-join", "re-join"),
        ("table leave user{_}", presence.leave_table),
        ("leave(auto){_}", presence.move_to_another_table),
        *build_rows(PhraseHand.add_remark, "enter(auto){_}", "table enter user{_}", "draw for dealer{_}"),
        *build_rows(PhraseHand.ignore_line, "set dealer{_}", "sitout (wait for bb){_}"),
    )
    """Lines about players who come and go, which may not say who it is."""
    PLAYER_LINES = (
        ("folds & shows = {cards_text}", fold_showing),
        *build_rows(show_best, "showdown", "showdown = {claim_text}", "showdown({claim_text}"),
        *build_rows(muck_hand, "mucks", "mucks = [{cards}]{_}", "mucks = {_}"),
        *build_rows(decline_show, "does not show", "does not show = [{cards}]{_}", "does not show = {_}"),
        ("ranking = {place_text}", add_ranking),
        ("prize cash = {prize_text}", add_prize),
        ("bounty prize = {prize_text}", add_bounty),
        ("sits out", presence.sit_out),
        *build_rows(presence.come_back, "seat sit down", "sit down"),
        *PRESENCE,
    )
    LINES = (
        ("*** summary{_}", BovadaPositions.start_summary),
        ("*** hole cards ***", begin_deal),
        *build_rows(read_stud_heading, "*** {title} ***", "*** = {title} ***"),
        ("*** {street} *** = {groups}", deal_board_street),
        *build_rows(deal_next_street, "card dealt to table = [{cards}]", "card to the table = [{cards}]"),
        *build_rows(PhraseHand.add_remark, *(f"{words}{{_}}" for words in INFO_PREFIXES), "seat sit down"),
        ("table deposit = {amount}", build_event_handler(lambda amount: ChipsAdded(None, amount, "buy-in"))),
        ("Total Pot({totals_text}", BovadaPositions.declare_totals),
        ("Board{board_text}", BovadaPositions.declare_board),
        ("Seat{seat_text}", BovadaPositions.declare_collected),
        *PRESENCE,
    )


def read_hand(page: HandLines) -> BovadaHand:
    """Read one hand. A damaged one raises `UnreadableHandError`."""
    line_texts = page.lines.text
    first_line = header.read_first_line(line_texts[page.first_line])
    seating, first_act_line = read_seats(line_texts, page.first_line + 1, page.end_line)
    game = header.build_game_set(first_line, seating, page.source, page.exponent)
    bovada_hand = BovadaHand(page, first_line.room, game, first_line.chair_scope)
    bovada_hand.add_event(game)
    if first_line.betting is None:
        bovada_hand.inferred.append(1)
    if first_line.tournament:
        bovada_hand.add_event(header.build_tournament_set(first_line, seating.table_info))
    if first_line.table.startswith(ZONE):
        bovada_hand.add_event(OptionSet("other", "zoom"))
    else:
        bovada_hand.add_event(OptionSet(*ANONYMOUS))
    for line_number in seating.remark_lines:
        bovada_hand.place = line_number
        bovada_hand.add_remark()
    bovada_hand.read_ahead(first_act_line)
    bovada_hand.seat_players(seating)
    bovada_hand.read_body(first_act_line, page.end_line)
    if bovada_hand.summary_line:
        bovada_hand.place = next(
            line_number for line_number in range(page.end_line - 1, 0, -1) if line_texts[line_number].strip()
        )
        bovada_hand.infer_settlement()
    else:
        bovada_hand.complete_open_deal()
    witnesses = WITNESSES | (int(Witness.ALL_CARDS) if bovada_hand.all_cards_known else int(Witness.OWN_CARDS))
    if not bovada_hand.is_button_known:
        witnesses &= ~int(Witness.BUTTON)
    if game.blinds:
        witnesses |= int(Witness.BLIND_AMOUNTS)
    if bovada_hand.is_rake_known:
        witnesses |= int(Witness.DROP)
    if any(isinstance(bovada_hand.events[index], BetReturned) for index in bovada_hand.inferred):
        witnesses &= ~int(Witness.RETURNED_BETS)
    bovada_hand.set_opening(
        HandOpened(
            first_line.room,
            first_line.table,
            first_line.hand_number,
            witnesses,
            first_line.started_at,
            first_line.start_text,
            0,
            first_line.tournament,
        )
    )
    if bovada_hand.summary_line:
        bovada_hand.place = bovada_hand.summary_line
        bovada_hand.add_event(HandCompleted())
    return bovada_hand


def sniff(head: bytes) -> int:
    """Return how likely this is Bovada's text, from 0 (no) to 100 (certain)."""
    likelihood = 0
    for line in head.decode("utf-8", "replace").replace("\r", "\n").split("\n"):
        stripped_line = line.lstrip("\ufeff \t")
        if begins_hand(stripped_line):
            return 95
        if begins_other_hand(stripped_line, OTHER_ROOMS):
            return 0
        if " : Card dealt to a spot [" in stripped_line:
            likelihood = 30
    return likelihood


_GRAMMAR: Final = TextGrammar(begins_hand, OTHER_ROOMS, read_hand, find_breaks=find_hand_starts)
FORMAT: Final = build_text_format("bovada", "Bovada, Bodog and Ignition text", _GRAMMAR, (" Hand #",), sniff=sniff)
