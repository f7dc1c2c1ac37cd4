"""Reads the text of one hand: its events, each with its place in characters."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final, TypeAlias

from ledger.account import Account
from ledger.errors import UnreadableHandError
from ledger.formats.phh import words
from ledger.formats.phh.header import parse_header
from ledger.formats.phh.opening import HandOpening, get_comment_content, infer_awards
from ledger.formats.phh.scanner import (
    ScannedFields,
    TextPiece,
    parse_amount,
    parse_strings,
    scan,
    split_plain_strings,
    unquote,
)
from ledger.hand import dealing, ending
from ledger.hand.betting import BetReturned
from ledger.people import People
from ledger.readers.phrases import PhraseTable
from ledger.vocabulary import Cards, Seat, Street

CARDS: Final = re.compile(r"(?:[2-9TJQKA][cdhs]|\?\?){1,52}").fullmatch
_PLAYERS: Final = {f"p{number}": number - 1 for number in range(1, 65)}
_STREETS_BY_LETTERS: Final[dict[int, Street]] = {0: "flop", 2: "flop", 4: "flop", 6: "turn", 8: "river"}


class HandReading(HandOpening):
    """A hand while its actions are read. A street ends when the next cards are dealt."""

    def read_actions(self) -> None:
        """Read the list of actions and the comments in it."""
        _, start, end = self.scanned.spans["actions"]
        pieces = split_plain_strings(self.scanned.values["actions"])
        if pieces is None:
            self._read_mixed(*parse_strings(self.scanned.text, start, end))
            return
        act, starts, lengths = self.read_action, self.spans.starts, self.spans.lengths
        first_place, piece_lengths = len(starts), list(map(len, pieces))
        starts += accumulate([piece_length + 4 for piece_length in piece_lengths[:-1]], initial=start + 2)
        lengths += piece_lengths
        for self.place, action_text in enumerate(pieces, first_place):
            if not act(action_text):
                piece_start = starts[self.place]
                self._read_odd_action((action_text, piece_start, piece_start + len(action_text)))

    def _read_mixed(self, action_pieces: list[TextPiece], comments: list[tuple[int, TextPiece]]) -> None:
        """Read actions with TOML comments between them."""
        comment_iterator = iter([*comments, (len(action_pieces) + 1, ("", 0, 0))])
        comment_position, comment = next(comment_iterator)
        for index, action_piece in enumerate([*action_pieces, None]):
            while comment_position <= index:
                self.put_remarks([comment])
                comment_position, comment = next(comment_iterator)
            if action_piece is not None:
                text, start, end = action_piece
                self.point_at(start, end)
                if not self.read_action(text):
                    self._read_odd_action(action_piece)

    def read_ending(self) -> None:
        """Infer what the actions leave open, then read the declared results."""
        header = self.header
        if self.is_street_pending:
            self._complete_street(play_goes_on=True)
        is_over = self.is_over()
        if is_over or header.finishing_stacks is not None or header.winnings is not None:
            self._return_uncalled()
            awards = infer_awards(self, is_over=is_over)
            for event in awards:
                self.infer_behind(event)
            is_over = is_over or bool(awards)
        for result_kind, field_name, column in (
            ("end-stack", "finishing_stacks", header.finishing_stacks),
            ("winnings", "winnings", header.winnings),
        ):
            if column is not None:
                self.point_at_field(field_name)
                declared = zip(self.dealing_order, column, strict=True)
                self.events += [ending.ResultDeclared(result_kind, seat, chips) for seat, chips in declared]  # type: ignore[arg-type]  # both are declared
                self.event_places += [self.place] * len(column)
        if self.scanned.comments_after:
            self.put_remarks(self.scanned.comments_after)
        if is_over:
            self.infer_behind(ending.HandCompleted())

    def is_over(self) -> bool:
        """Whether the actions have brought the hand to its end."""
        players_left = self.players_left()
        if len(players_left) == 1:
            return True
        is_last_street = (
            len(self.board_cards) >= 10
            if self.game_kind == "board"
            else self.round_number == (4 if self.game_kind == "stud" else self.header.game.draws)
        )
        if not is_last_street or (self.cards_owed and not self.cards_owed.keys().isdisjoint(players_left)):
            return False
        able_seats = {
            seat for player_index in players_left if self.get_stack_left(seat := self.dealing_order[player_index])
        }
        return self.is_round_over(self.acted_seats if len(able_seats) > 1 else able_seats)

    # -- actions --------------------------------------------------------------------------------

    def _read_odd_action(self, piece: TextPiece) -> None:
        """Read an action with a comment, a comment alone, or something unknown."""
        text, start, end = piece
        action, hash_sign, comment_text = text.partition("#")
        if action.strip():
            self.point_at(start, start + len(action.rstrip()))
            if not hash_sign or not self.read_action(action):
                self.add_event(ending.LineUnread(self.people.text(action)))
            start = max(start, self.scanned.text.find("#", start, end))
        if hash_sign:
            self.point_at(start, end)
            self.add_event(ending.RemarkNoted(self.people.text(get_comment_content("#" + comment_text))))

    def read_action(self, text: str) -> bool:
        """Read an action without a comment; False if it isn't one."""
        parsed_action = _parse_action(text)
        if parsed_action is None:
            return False
        read_action, highest_player, arguments = parsed_action
        return highest_player < len(self.dealing_order) and read_action(self, *arguments) is not False

    def seat_acting(self, player_index: int) -> Seat:
        """Return the seat of the acting player; by then the street's cards have been dealt."""
        if self.is_street_pending:
            self._complete_street(play_goes_on=True)
        self.acted_seats.add(seat := self.dealing_order[player_index])
        return seat

    def read_fold(self, player_index: int) -> None:
        """Fold."""
        self.fold(self.seat_acting(player_index))

    def read_call(self, player_index: int) -> None:
        """Check, or match the highest bet as far as the stack goes."""
        seat = self.seat_acting(player_index)
        amount_due = self.betting.bet_to_call - self.get_bet(seat)
        if amount_due > 0 and (paid := self.affordable_chips(seat, amount_due))[0]:
            self.call(seat, paid[0], all_in=paid[1])
        else:
            self.check(seat)

    def read_wager(self, player_index: int, amount_text: str) -> bool:
        """Bet or raise to an amount; False if the seat has that much in already."""
        if self.is_street_pending:
            self._complete_street(play_goes_on=True)
        seat = self.dealing_order[player_index]
        try:
            street_total = parse_amount(amount_text, self.header.exponent)
        except UnreadableHandError as error:
            error.byte_offset = self.spans.starts[self.place]
            raise
        added = street_total - self.get_bet(seat)
        if added <= 0:
            return False
        self.acted_seats = {seat}
        _, all_in = self.affordable_chips(seat, added)
        if all_in:
            self.all_in_seats.add(seat)
        if self.betting.bet_to_call:
            self.raise_to(seat, street_total, all_in=all_in)
        else:
            self.bet(seat, added, all_in=all_in)
        return True

    def read_bring_in(self, player_index: int) -> bool:
        """Post the bring-in, or as much of it as the stack has; False if the stack is empty."""
        if self.is_street_pending:
            self._complete_street(play_goes_on=True)
        seat = self.dealing_order[player_index]
        chips, all_in = self.affordable_chips(seat, self.header.bring_in)
        if chips:
            self.acted_seats.add(seat)
            self.post_bring_in(seat, chips, all_in=all_in)
        return bool(chips)

    # -- cards ----------------------------------------------------------------------------------

    def read_board(self, cards: Cards) -> bool:
        """Deal to the board; False if the board can't take these cards."""
        board_letters = len(self.board_cards)
        if self.game_kind == "stud" and self.round_number >= 3:
            self._begin_street("seventh")
            self.round_number = 4
            self.is_street_pending = True
            self.add_event(dealing.BoardDealt("seventh", cards))
        elif self.game_kind != "board" or board_letters + len(cards) > 10 or board_letters not in _STREETS_BY_LETTERS:
            return False
        else:
            if board_letters in (0, 6, 8):
                self._begin_street(_STREETS_BY_LETTERS[board_letters])
            self.add_event(dealing.BoardDealt(_STREETS_BY_LETTERS[board_letters], cards))
        self.board_cards += cards
        return True

    def _begin_street(self, street: Street) -> None:
        """Begin a street's betting."""
        self._return_uncalled()
        self.begin_betting(street)
        self.acted_seats = set()

    def _return_uncalled(self) -> None:
        """Return uncalled bets."""
        self.close_bets()
        for seat, chips, _ in self.uncalled_bets:
            if seat not in self.folded:
                self.betting.move_chips(seat, -chips)
                self.infer_behind(BetReturned(seat, chips))
        self.uncalled_bets.clear()

    def read_deal(self, player_index: int, cards: Cards) -> None:
        """Deal cards to a player: of the first deal, of a street of stud, or for discarded ones."""
        seat = self.dealing_order[player_index]
        if not self.is_deal_complete and player_index in self.players_to_deal:
            cards_before, self.hole_cards[player_index] = (
                self.hole_cards[player_index],
                self.hole_cards[player_index] + cards,
            )
            orientation = "ddu"[len(cards_before) // 2 :][: len(cards) // 2] if self.game_kind == "stud" else ""
            self.events.append(dealing.HoleCardsDealt(seat, cards, orientation, "unknown"))
            self.event_places.append(self.place)
            if len(self.hole_cards[player_index]) >= 2 * self.header.game.hole:
                self.players_to_deal.discard(player_index)
                if not self.players_to_deal:
                    self.is_deal_complete = True
                    self.infer_behind(dealing.DealCompleted())
        elif self.game_kind == "stud":
            self._begin_round()
            is_last_card = self.round_number >= 4
            self.hole_cards[player_index] += cards
            how_known: dealing.HowKnown = "unknown" if is_last_card else "dealt-up"
            self.add_event(
                dealing.HoleCardsDealt(seat, cards, ("d" if is_last_card else "u") * (len(cards) // 2), how_known)
            )
            self.players_to_deal.discard(player_index)
            self._complete_street()
        elif self.game_kind == "draw" and player_index in self.cards_owed:
            self.hole_cards[player_index] += cards
            self.cards_owed[player_index] -= len(cards) // 2
            if self.cards_owed[player_index] <= 0:
                del self.cards_owed[player_index]
            self.add_event(dealing.CardsDrawn(seat, cards, "unknown"))
            self._complete_street()
        else:
            self.hole_cards[player_index] += cards
            self.add_event(dealing.HoleCardsDealt(seat, cards, "", "unknown"))

    def read_discard(self, player_index: int, cards: Cards) -> bool:
        """Discard cards; False in games without draws."""
        if self.game_kind != "draw":
            return False
        self._begin_round()
        self.players_to_deal.discard(player_index)
        self._take_cards(player_index, cards)
        self.cards_owed[player_index] = self.cards_owed.get(player_index, 0) + len(cards) // 2
        self.add_event(dealing.CardsDiscarded(self.dealing_order[player_index], len(cards) // 2, cards))
        return True

    def read_stand_pat(self, player_index: int) -> bool:
        """Stand pat; False in games without draws."""
        if self.game_kind != "draw":
            return False
        self._begin_round()
        self.players_to_deal.discard(player_index)
        self.add_event(dealing.StoodPat(self.dealing_order[player_index]))
        self._complete_street()
        return True

    def _take_cards(self, player_index: int, cards: Cards) -> None:
        """Remove discarded cards from a player's hand, as far as it is known to hold them."""
        hole_cards = [
            self.hole_cards[player_index][card_index : card_index + 2]
            for card_index in range(0, len(self.hole_cards[player_index]), 2)
        ]
        for card_index in range(0, len(cards), 2):
            removed_card = next((card for card in (cards[card_index : card_index + 2], "??") if card in hole_cards), "")
            if removed_card:  # the card itself, or an unknown one
                hole_cards.remove(removed_card)
            else:
                hole_cards = ["??"] * (len(hole_cards) - 1)
        self.hole_cards[player_index] = "".join(hole_cards)

    def _begin_round(self) -> None:
        """Begin a street of stud or a draw with the first of its cards."""
        if not self.is_street_pending:
            self.round_number += 1
            street_names = words.STREETS[self.game_kind]
            self._begin_street(street_names[min(self.round_number, len(street_names) - 1)])
            self.players_to_deal = set(self.players_left())
            self.is_street_pending = True

    def _complete_street(self, *, play_goes_on: bool = False) -> None:
        """Infer that a street of stud or a draw is dealt: all have their cards, or the play goes on."""
        if self.is_street_pending and (play_goes_on or not (self.players_to_deal or self.cards_owed)):
            self.is_street_pending = False
            self.players_to_deal = set()
            street_names = words.STREETS[self.game_kind]
            if self.round_number < len(street_names):
                self.infer_behind(dealing.StreetDealt(street_names[self.round_number]))

    def read_show(self, player_index: int, cards: Cards) -> None:
        """Show cards; `-` shows those that were dealt."""
        if cards == "-":
            cards = self.hole_cards[player_index] or "??" * self.header.game.hole
        self.shown_cards[player_index] = cards
        self.add_event(ending.CardsShown(self.dealing_order[player_index], cards))

    def read_muck(self, player_index: int) -> None:
        """Muck without showing."""
        self.mucked_players.add(player_index)
        self.add_event(ending.CardsMucked(self.dealing_order[player_index]))


ActionReader: TypeAlias = Callable[..., bool | None]
"""Reads an action; its first argument is the hand. Returns False if the text isn't that action after all."""


_ACTION_TABLE: Final[PhraseTable[ActionReader, Callable[[str], object]]] = PhraseTable(
    (
        (words.DEALS, HandReading.read_deal),
        (words.LAYS, HandReading.read_board),
        (words.FOLDS, HandReading.read_fold),
        (words.CALLS, HandReading.read_call),
        (words.WAGERS, HandReading.read_wager),
        (words.BRINGS_IN, HandReading.read_bring_in),
        (words.SHOWS, HandReading.read_show),
        (words.MUCKS, HandReading.read_muck),
        (words.DISCARDS, HandReading.read_discard),
        (words.STANDS_PAT, HandReading.read_stand_pat),
    ),
    {
        "player": _PLAYERS.get,
        "cards": lambda text: text if CARDS(text) else None,
        "shown": lambda text: text if text == "-" or CARDS(text) else None,
        "amount": lambda text: None if " " in text else text,
    },
)


@lru_cache(maxsize=1 << 14)
def _parse_action(text: str) -> tuple[ActionReader, int, list[Any]] | None:
    """Return an action's reader, the highest player it names and its arguments; None if it isn't an action."""
    for read_action, fields in _ACTION_TABLE.matches(" ".join(text.split())):
        arguments: list[Any] = [
            parse_field(field_text) if parse_field else field_text for _, parse_field, field_text in fields
        ]
        if None not in arguments:
            return (
                read_action,
                max((argument for argument in arguments if isinstance(argument, int)), default=0),
                arguments,
            )
    return None


def read_hand(text: str, first_index: int, people: People) -> Account:
    """Return the account of the hand in `text`, with places in characters. Raises `UnreadableHandError`."""
    scanned = scan(text, first_index)
    if words.EVENTS_FIELD in scanned.values:
        account = _read_own_events(scanned, people)
        if account is not None:
            return account
    reading = HandReading(parse_header(scanned), scanned, people)
    reading.read_opening()
    reading.read_actions()
    reading.read_ending()
    return reading.build_account(0, 0, len(text))


def _read_own_events(scanned: ScannedFields, people: People) -> Account | None:
    """Return the account in our own field, or None if the other fields were changed since."""
    field_text = unquote(scanned.values.pop(words.EVENTS_FIELD))
    start, _, end = scanned.spans.pop(words.EVENTS_FIELD)
    field_digest, _, events_json = field_text.partition(" ")
    if field_digest != words.compute_fields_digest(scanned.values):
        scanned.comments_before.append(("# " + words.CHANGED_REMARK, start, end))
        return None
    events = words.decode_events(events_json, people, start)
    return Account(events, [start, end - start] * len(events), 0, len(scanned.text))
