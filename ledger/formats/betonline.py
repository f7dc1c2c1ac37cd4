"""Reader of the text of BetOnline and its network's other rooms (Chico), 2011 to 2016.

`docs/formats/betonline.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from ledger.hand.betting import Bet, Called, Checked, Folded, Raised
from ledger.hand.dealing import BoardDealt
from ledger.hand.ending import DropTaken, RemarkNoted, ShowdownBegun
from ledger.hand.events import HandEvent
from ledger.hand.fold import apply, begin
from ledger.hand.opening import ButtonPlaced, GameSet, TournamentSet
from ledger.hand.order import actor
from ledger.hand.variants import VARIANTS
from ledger.presence import SeatTaken, WordsSaid
from ledger.readers import acts, games, payouts, presence, timestamps
from ledger.readers.cards import CARD_WORDS, build_card_reader, split_board
from ledger.readers.heads import HeadTemplates
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows, parse_phrase, parse_small_number, require_number
from ledger.readers.signatures import build_head_test, list_foreign_heads
from ledger.readers.text_format import HandLines, TextGrammar, build_text_format
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Seat, Street, Witness

ROOMS: Final = {
    "BetOnline Poker": "BetOnline",
    "PayNoRake": "PayNoRake",
    "ActionPoker.com": "ActionPoker",
    "Gear Poker": "Gear Poker",
    "SportsBetting.ag Poker": "SportsBetting",
    "Tiger Gaming": "TigerGaming",
}
"""The words before `Game #` → the venue."""
HEADS: Final = tuple(f"{room} Game #" for room in ROOMS)
HEAD: Final = HeadTemplates(
    "{room} Game #{number}: Tournament #{tournament}: {game} - {written}",
    "{room} Game #{number}: Tournament #{tournament}: {game}",
    "{room} Game #{number}: {game} - {written}",
    "{room} Game #{number}: {game}",
)
PREFACE: Final = "Tournament will start in a moment."
WITNESSES: Final = Witness.from_names(
    "BUTTON POSTS ANTES STACKS_BEFORE ACTS BOARD AWARDS DROP RETURNED_BETS BLIND_AMOUNTS CHAT"
)
"""The text lacks the live part of a post, some pots, and the showdown's order."""
TEN: Final = 10
"""The seat of chair 0, after seat 9."""
REVERSED_ROOMS: Final = frozenset({"ActionPoker", "Gear Poker"})
"""Rooms that number chairs 0 to 9 against the order of play."""
_ACTS: Final = Bet | Called | Checked | Folded | Raised
_OMAHA: Final = 8  # the length of four cards
_OF_SUMMARY: Final = parse_phrase("Board [{cards}]")

_read_cards: Final = build_card_reader(
    {**CARD_WORDS, **{card_word[:-1] + card_word[-1].upper(): card for card_word, card in CARD_WORDS.items()}}
)


class BetOnlineHand(PhraseHand):
    """Reads a hand with lines such as `Name: act 1.50`."""

    clean_amount = PhraseHand.strip_brackets
    NAME_ENDINGS = (":", "")
    ALL_IN = (" and is all in", " and is all-in", " and is All In")
    SEAT_ROWS = ("Seat {seat}: {name} ({amount} in {mark}", "Seat {seat}: {name} ({amount})")

    def begin(self) -> None:
        """Start without pots and payouts."""
        self.sides: list[tuple[Chips, int]] = []  # side pots that come before the main pot in the text
        self.pots: list[tuple[Chips, int]] = []  # pots in the summary, the main pot last
        self.summary_lines_read: set[str] = set()  # some texts repeat the summary's first lines
        self.payouts: list[tuple[Seat, Chips, int]] = []
        self.raked: tuple[Chips, int] = 0, 0

    def read_action(self, seat: Seat, text: str) -> bool:
        """Read `folds`; ActionPoker writes `Folds.`."""
        return super().read_action(seat, text[:1].lower() + text[1:].rstrip("."))

    def read_line(self, line: str) -> bool:
        """Read `Dealt to Ada`, also written `dealt to` or `Dealt To`."""
        dealt = line[:9].lower() == "dealt to "
        return super().read_line(f"Dealt to {line[9:]}" if dealt else line)

    def read_cards(self, text: str) -> Cards | None:
        """Parse `7h 10C`; return None if one of them isn't a card."""
        return _read_cards(text.strip(" []"))

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Read `Seat 0: Ada (1.55 in chips) - Sitting out`."""
        seat = find_seat_in_order(seat, self.venue)
        super().take_seat_row(seat, row)
        if row.get("mark", "").rstrip(".").endswith("Sitting out"):
            self.absence_reasons[seat] = "sitting-out"

    # -- before the summary -----------------------------------------------------------------------

    def read_raise(self, seat: Seat, amount: Chips, all_in: bool | None) -> bool:
        """Read `raises 1000.00 and is All In`. The amount is surely chips added if it's the first bet or the stack."""
        if self.get_bet(seat) and amount != (self.stacks[seat] or 0) - self.get_chips_put_in(seat):
            return False
        self.raise_by(seat, amount, all_in=all_in)
        return True

    def read_dead_post(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Read `post dead 0.50`: the amount is live. The text doesn't show the dead chips."""
        self.silent_posts.append((seat, len(self.events)))
        if amount:
            self.post_blind(seat, "makeup-big", amount, all_in=all_in)

    def deal(self, street: Street, groups: list[Cards]) -> None:
        """Read `*** TURN *** [6c 7s Qc][10d]`."""
        self.board_so_far = "".join(groups)
        self.deal_last_cards(street, groups)

    def begin_showdown(self) -> None:
        """Begin the showdown. If all players were all-in, first deal the rest of the board, which has no line."""
        self.run_out()
        if len(self.stacks) - len(self.folded) > 1:
            self.add_event(ShowdownBegun())

    def run_out(self) -> None:
        """Deal the cards of the summary's board that have no line."""
        text, current_place = self.lines.text, self.place
        board_line = current_place
        while (
            board_line < len(text) and not text[board_line].startswith("Board [") and "Game #" not in text[board_line]
        ):
            board_line += 1
        match = _OF_SUMMARY.match(text[board_line].strip()) if board_line < len(text) else None
        board = self.read_cards(match["cards"]) if match else None
        if not board or not board.startswith(self.board_so_far):
            return
        self.place = board_line
        for street, new in split_board(board, len(self.board_so_far) // 2):
            self.deal_board(street, new)
        self.board_so_far = max(board, self.board_so_far, key=len)
        self.place = current_place

    def read_words(self, seat: Seat | None = None, words: str = "", speaker: str = "") -> None:
        """Read `said "nh"`, perhaps from a player without a seat in the hand."""
        text_ref = self.people.text(words.removesuffix('"'))
        if text_ref:
            self.add_event(WordsSaid(text_ref, seat, self.get_player(seat) if seat else self.get_player_id(speaker)))

    def read_leaving(self, seat: Seat) -> None:
        """Read `has left the table`. If the seat has no name, keep the line as a remark."""
        (presence.leave_table if self.names_by_seat[seat] else PhraseHand.add_remark)(self, seat)

    def read_joining(self, who: str, number: str) -> bool:
        """Read `Eve joins the table at seat #1`."""
        seat = parse_chair(number, self.venue)
        if seat is not None:
            self.add_event(SeatTaken(seat, self.get_player_id(who)))
        return seat is not None

    # -- the summary ------------------------------------------------------------------------------

    def read_summary_heading(self) -> bool:
        """Begin the summary at its first heading."""
        first, self.summary_line = not self.summary_line, self.summary_line or self.place
        return first

    def read_total_pot(self, pot_text: str) -> None:
        """Read `Total pot 28.00 | Rake 2.50`. All of these lines are side pots, except the summary's last."""
        pot, _, rake = pot_text.partition(" | ")
        line = self.lines.text[self.place].strip()
        if self.summary_line and line not in self.summary_lines_read:
            rake = rake.removeprefix("Rake ")
            self.raked = (self.parse_amount(rake), self.place) if rake else self.raked
            self.pots.append((self.parse_amount(pot), self.place))
        elif not self.summary_line and self.lines.text[self.place - 1].strip() != line:  # not a repeated line
            self.sides.append((self.parse_amount(pot), self.place))
        self.summary_lines_read.add(line)

    def read_board(self, cards: Cards) -> None:
        """Read the summary's `Board [8h 4c Jd]`, once."""
        if cards not in self.summary_lines_read:
            self.declare_whole_board(cards)
        self.summary_lines_read.add(cards)

    def read_result(self, number: str, result_text: str) -> bool:
        """Read `Seat 0: Ada showed [5s 4s] and won (2.49)`, `Seat 3: Bo collected (0.04)`."""
        seat = parse_chair(number, self.venue)
        if seat is None or seat not in self.stacks:
            return False
        result_text = result_text.removeprefix(self.names_by_seat[seat]).strip()
        opening, closing = result_text.find("["), result_text.find("]")
        cards = self.read_cards(result_text[opening + 1 : closing]) if 0 <= opening < closing else None
        if cards is not None and "show" in result_text[:opening]:
            card_count = VARIANTS[self.game.variant].start_cards
            if len(cards) > 2 * card_count:  # the best five cards, not the hole cards
                self.show_cards_once(seat, UNKNOWN_CARD * card_count, cards, after=True)
            else:
                self.show_cards_once(seat, cards, after=True)
        for words in ("won (", "collected ("):
            _, separator, amount = result_text.rpartition(words)
            if separator:
                chips = self.parse_amount(amount.partition(")")[0])
                if chips:
                    self.payouts.append((seat, chips, self.place))
                break
        return True

    def finish(self) -> None:
        """Pay the pots of the summary. A single winner has won the side pots too."""
        if not self.summary_line:
            return
        self.sides += self.pots[-2::-1]
        sides = [amount for amount, _ in self.sides]
        pot_total = sum(sides) + sum(amount for amount, _ in self.pots[-1:])
        winners = {seat for seat, _, _ in self.payouts}
        has_one_winner = len(winners) == 1
        for seat, amount, line_number in self.payouts:
            self.place = line_number
            is_side_pot = (
                not has_one_winner and sides.count(amount) == 1 and amount not in [main for main, _ in self.pots[-1:]]
            )
            main_pot = 0 if sides else None
            self.award(seat, amount, 1 + sides.index(amount) if is_side_pot else main_pot)
        self.place = self.raked[1]
        self.take_drop("rake", self.raked[0])
        side_pot_winners = winners if has_one_winner else self.find_possible_side_winners(winners)
        if len(side_pot_winners) == 1:
            for number, (amount, line_number) in enumerate(self.sides, 1):
                self.place = line_number
                self.inferred.append(len(self.events))
                self.award(min(side_pot_winners), amount, number)
        self.settle_bets()
        if self.total_awarded == pot_total:
            payouts.infer_rake(self)  # the written rake doesn't include this pot's
        self.complete_hand()

    def find_possible_side_winners(self, winners: set[Seat]) -> set[Seat]:
        """Return the winners who may have won the only side pot, if no seat's line pays it.

        The seat that put in the fewest chips isn't in the side pot.
        """
        if len(self.sides) != 1 or self.sides[0][0] in [amount for _, amount, _ in self.payouts]:
            return set()
        smallest_stake = min((self.get_chips_put_in(seat) for seat in self.list_seats_in_hand()), default=0)
        return {seat for seat in winners if self.get_chips_put_in(seat) > smallest_stake}

    ACTIONS = (
        *acts.COMMON_ACTIONS,
        ("raises {_} to {amount}", acts.raise_to),
        ("raises {amount}", read_raise),
        ("ante processed {amount}", acts.post_ante),
        ("posts small blind {amount}", acts.post_small_blind),
        ("posts big blind {amount}", acts.post_big_blind),
        ("posts ante {amount}", acts.post_ante),
        ("post dead {amount}", read_dead_post),
        ("post now {amount}", acts.post_to_enter),
    )
    PLAYER_LINES = (
        *build_rows(PhraseHand.show_cards_once, "shows {cards}({_}", "shows {cards}"),
        *build_rows(PhraseHand.muck_cards, "mucks", "mucks hand", "mucked hand"),
        *build_rows(PhraseHand.decline_to_show, "does not show", "doesn't show hand"),
        ('said "{words}', read_words),
        ("has left the table", read_leaving),
        ("has timed out", PhraseHand.expire_clock),
        *build_rows(PhraseHand.lose_connection, "has disconnected", "is disconnected"),
        ("has reconnected", PhraseHand.restore_connection),
    )
    LINES = (
        ("*** HOLE CARDS ***{_}", PhraseHand.finish_deal),
        ("*** SHOW DOWN ***{_}", begin_showdown),
        ("*** SUMMARY{_}", read_summary_heading),
        ("*** {street} ***{groups}", deal),
        ("Dealt to {name} []", PhraseHand.ignore_line),
        ("Dealt to {name} [{cards}]", PhraseHand.add_own_cards),
        ("Uncalled bet ({amount}) returned to {name}", PhraseHand.read_uncalled_return),
        ("Uncalled bet ({amount}) returned to {name}.", PhraseHand.read_uncalled_return),
        *build_rows(read_total_pot, "Total pot {pot_text}", "Total Pot {pot_text}"),
        ("Board []", PhraseHand.ignore_line),
        ("Joined table during game.{_}", PhraseHand.add_remark),
        (PREFACE, PhraseHand.add_remark),
        ("{who} joins the table at seat #{number}", read_joining),
        ('{speaker} said "{words}', read_words),
        ("{_} has left the table", PhraseHand.add_remark),
    )
    SUMMARY_LINES = (("Board [{cards}]", read_board), ("Seat {number}: {result_text}", read_result))


begins_hand: Final = build_head_test(HEADS)


def build_game(game_text: str, exponent: int | None, *, tournament: bool, play: bool) -> GameSet:
    """Parse `Hold'em No Limit ($0.01/0.02)`. Tournaments always show the first level's stakes, so these are ignored."""
    words, _, stakes = game_text.rstrip(")").rpartition(" ")
    if "/" not in stakes:  # `Hold'em`: some of the network's rooms write no stakes
        words, stakes = game_text, ""
    words = words.strip()
    variant, betting = games.split_limit(words, games.FLOP)
    parts = stakes.lstrip("(").split("/") if stakes else []
    if variant is None or len(parts) not in (0, 2):
        raise games.unknown_game(game_text)
    betting = betting or ("no-limit" if variant == "holdem" else "pot-limit")  # some lines have no limit
    return games.build_game_set(
        variant,
        betting,
        () if tournament else parts,
        unit=games.find_currency(stakes, tournament=tournament or not (play or stakes), play=play),
        exponent=exponent,
        tournament=tournament,
    )


def parse_table(line: str, venue: str) -> tuple[str, int, Seat | None, bool] | None:
    """Parse `Table 'Blade Runner' 10-Max, Seat #5 is the button`.

    Return the name, the number of chairs, the button, and whether it is play money; None for other lines.
    """
    stripped_line = line.strip()
    table_text, separator, seat = stripped_line.removesuffix(" is the button").rpartition("Seat #")
    if not stripped_line.startswith("Table ") or not separator:
        return None
    name, play = table_text[6:].strip(" ,"), "(Play Money)" in table_text
    name_before, _, last_word = name.rpartition(" ")
    chairs = parse_small_number(last_word[:-4]) if last_word.lower().endswith("-max") else 0
    name = name_before if chairs else name
    name = name.replace("(Play Money)", "").strip()
    if name[:1] == "'" == name[-1:] and len(name) > 1:
        name = name[1:-1]
    return name, chairs, parse_chair(seat, venue), play


def parse_chair(digits: str, venue: str) -> Seat | None:
    """Return the seat of a room's chair number, or None if the text isn't one."""
    if not digits.isascii() or not digits.isdigit() or len(digits) > 2:
        return None
    return find_seat_in_order(int(digits), venue)


def find_seat_in_order(chair: int, venue: str) -> Seat:
    """Return the seat of a room's chair. Seats follow the order of play, and chair 0 is next to chair 9.

    >>> [find_seat_in_order(chair, venue) for venue in ("BetOnline", "Gear Poker") for chair in (0, 9)]
    [10, 9, 10, 1]
    """
    return TEN - chair if venue in REVERSED_ROOMS and chair < TEN else chair or TEN


def read_hand(page: HandLines) -> BetOnlineHand:
    """Read one hand."""
    text, line_number, fields = page.lines.text, page.second_line, HEAD.read(page)
    for field in ("number", "tournament"):
        if field in fields:
            require_number(fields[field], max_digits=20, number_name=f"the hand's {field}")
    venue, in_tournament = ROOMS[fields["room"]], bool(fields["tournament"])
    table_fields = parse_table(text[line_number], venue) if line_number < page.end_line else None
    name, chairs, button, play = table_fields or ("", 0, None, False)
    game = build_game(fields["game"], page.exponent, tournament=in_tournament, play=play)
    if game.variant == "holdem" and _deals_four_cards(text[line_number : page.end_line]):
        game = msgspec.structs.replace(game, variant="omaha")
    hand = BetOnlineHand(page.lines, page.people, venue, game, page.first_line)
    hand.place = page.head_line
    if in_tournament:
        hand.add_event(TournamentSet())
    if "/" not in fields["game"] and not games.split_limit(fields["game"], games.FLOP)[1]:
        hand.inferred.append(len(hand.events))  # neither stakes nor limit: the limit is the usual one
    hand.add_event(game)
    body_start = hand.read_seats(line_number + 1 if table_fields else line_number, page.end_line)
    hand.place = line_number
    if button:
        hand.add_event(ButtonPlaced(button))
    elif table_fields is not None:  # a button at seat 9000012
        hand.add_event(RemarkNoted(hand.people.text(text[line_number].strip())))
    hand.read_body(body_start, page.end_line)
    hand.finish()
    witnesses = _list_witnesses(hand, button)
    start_text = fields["written"]
    moment = timestamps.parse_any_order(start_text) if start_text.endswith((" Time", " UTC")) else None
    hand.open_hand(name, fields["number"], witnesses, moment, start_text, chairs, fields["tournament"])
    return hand


def _list_witnesses(hand: BetOnlineHand, button: Seat | None) -> int:
    """Return the facts that this hand's text records: not a missing button, an inferred rake or missing checks."""
    witnesses = int(WITNESSES)
    if not button:
        witnesses &= ~int(Witness.BUTTON)
    if any(isinstance(hand.events[index], DropTaken) for index in hand.inferred):
        witnesses &= ~int(Witness.DROP)
    if button and lacks_checks(hand.events[1:]):  # type: ignore[arg-type]  # only hand events; the first one follows
        witnesses &= ~int(Witness.ACTS)
    return witnesses


def lacks_checks(events: Iterable[HandEvent]) -> bool:
    """Whether a street skips a seat's turn. The room's software doesn't allow that, but some texts lack checks."""
    state = begin()
    for event in events:
        if isinstance(event, BoardDealt):
            if actor(state) is not None:
                return True
        elif state.street != "preflop" and isinstance(event, _ACTS) and actor(state) not in (None, event.seat):
            return True
        apply(state, event)
    return False


def _deals_four_cards(lines: list[str]) -> bool:
    """Whether a player is dealt four cards: the first lines of early texts call Omaha hold'em."""
    dealt_texts = (line.rpartition(" [")[2] for line in lines if line[:9].lower() == "dealt to ")
    return any(len(_read_cards(cards.strip().removesuffix("]")) or "") == _OMAHA for cards in dealt_texts)


_GRAMMAR: Final = TextGrammar(begins_hand, list_foreign_heads(*HEADS), read_hand, preface=(PREFACE,))
FORMAT: Final = build_text_format("betonline", "BetOnline text (Chico network)", _GRAMMAR, (" Game #",))
