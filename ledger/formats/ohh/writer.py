"""A hand to Open Hand History 1.4.7: each act adds chips, and each pot has its winners.

The writer walks the events once and counts a loss for each fact that the format has no word for. A fact
that a reader can infer again (returned bets, declared sums that agree) is no loss.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import repeat, takewhile
from typing import Any, Final, cast

import msgspec

from ledger import clocks
from ledger import presence as p
from ledger.event import Event, describe_event_type
from ledger.formats.ohh.deals import infer_bring_in, infer_deal, infer_draw
from ledger.formats.ohh.pots_out import build_pots
from ledger.formats.ohh.words import BOARD_STREETS, STREET_TITLES, TITLES
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import holdings
from ledger.hand import opening as o
from ledger.hand.events import HandEvent
from ledger.hand.fold import apply, begin, fold
from ledger.hand.state import HandState
from ledger.hand.variants import VARIANTS
from ledger.notation import HandText
from ledger.people import People
from ledger.readers.games import STUD
from ledger.vocabulary import Cards, Chips, PlayerId, Seat, split_cards

VERSION: Final = "1.4.7"
_LIMIT_OF_BETTING: Final = {"no-limit": "NL", "pot-limit": "PL", "limit": "FL", "spread": "FL"}
_encoder = msgspec.json.Encoder(decimal_format="number")


class OhhWriter:
    """One hand that is written event by event."""

    def __init__(
        self, events: Sequence[Event], people: People, state: HandState, opened: o.HandOpened, game: o.GameSet
    ) -> None:
        self.events = events
        self.people = people
        self.final_state, self.opened, self.game = state, opened, game
        self.loss_counts: Counter[str] = Counter()
        self.round_objects: list[dict[str, object]] = []
        self.act_objects: list[dict[str, object]] = []
        self.acts_by_round: list[list[dict[str, object]]] = []
        self.act_count = 0
        self.state_before = begin()  # the state before the event that is written
        self.dead_blind_seats: set[Seat] = set()  # seats with a dead blind
        self.open_discards: dict[Seat, d.CardsDiscarded] = {}  # discards without a draw so far
        self.known_seats = {
            event.seat for event in events if isinstance(event, d.HoleCardsDealt) and event.cards.strip("?")
        }
        self.owner_seats = {
            event.seat for event in events if isinstance(event, d.HoleCardsDealt) and event.how == "owner"
        }
        self.paid = False  # a pot was awarded, after which the format has no place for comings and goings

    def lose(self, lost_fact: str) -> None:
        """Count a fact that the format has no word for."""
        self.loss_counts[lost_fact] += 1

    def decimal_of(self, amount: Chips) -> Decimal:
        """Write an amount as a decimal of the currency."""
        return Decimal(amount).scaleb(-self.game.exponent) if self.game.exponent else Decimal(amount)

    def name_of(self, player: PlayerId) -> str:
        """Return a player's name, or a stand-in if it is erased."""
        return self.people.name(player) or "player-" + player[:6]

    def begin_round(self, street_title: str, cards: Cards = "") -> None:
        """Begin a round."""
        self.act_objects = []
        self.acts_by_round.append(self.act_objects)
        round_object: dict[str, object] = {"id": len(self.round_objects), "street": street_title}
        if cards:
            round_object["cards"] = split_cards(cards)
        round_object["actions"] = self.act_objects
        self.round_objects.append(round_object)

    def add_act(
        self, seat: Seat | None, action: str, amount: Chips = 0, *, all_in: bool | None = None, cards: Cards = ""
    ) -> None:
        """Add an act."""
        self.act_count += 1
        if seat in self.final_state.left_out and action not in _ACTS_OUTSIDE_HAND:
            self.lose("that a seat which does something is left out")
        act_object: dict[str, object] = {"action_number": self.act_count}
        if seat is not None:
            act_object["player_id"] = seat
        act_object["action"] = action
        if amount:
            act_object["amount"] = self.decimal_of(amount)
        if all_in is not None:
            act_object["is_allin"] = all_in
        if cards:
            known_cards = [card for card in split_cards(cards) if card != "??"]
            act_object["cards"] = plain_cards = [card for card in known_cards if len(card) == 2]
            if len(plain_cards) < len(known_cards):
                self.lose("cards that are committed to")
        self.act_objects.append(act_object)

    def write_hand(self) -> HandText:
        """Write the hand."""
        self.begin_round("Third Street" if self.game.variant in STUD else "Preflop")
        for event in self.events:
            write_event = HANDLERS.get(type(event))
            if write_event is None:
                self.lose(describe_event_type(type(event)))
            else:
                for is_complete, lost_fact in _CONDITIONS.get(type(event), ()):
                    if not is_complete(self, event):
                        self.lose(lost_fact.format(event))
                write_event(self, event)
            apply(self.state_before, cast("HandEvent", event))
        self.lose_uninferable()
        hand = {
            **self._hand_members(),
            "players": self._players(),
            "rounds": self.round_objects,
            "pots": build_pots(self.events, self.final_state, self.decimal_of, self.lose),
        }
        losses = [f"{lost_fact} ({loss_count})" for lost_fact, loss_count in sorted(self.loss_counts.items())]
        hand_text = msgspec.json.format(_encoder.encode({"ohh": hand}), indent=2).decode()
        return HandText(hand_text + "\n", losses)

    def lose_uninferable(self) -> None:
        """Count the facts that a reader can't infer from the acts of the whole hand."""
        for _ in self.open_discards:
            self.lose("discards for which no cards are told")
        inferred_bring_in = infer_bring_in(
            self.acts_by_round, lambda amount: amount if isinstance(amount, Decimal) else Decimal(0)
        )
        is_limit_stud = self.game.variant in STUD and self.game.betting == "limit"
        inferred_amounts = [inferred_bring_in] if inferred_bring_in and is_limit_stud else []
        if [
            self.decimal_of(event.amount) for event in self.events if isinstance(event, o.BringInPosted)
        ] != inferred_amounts:
            self.lose("bring-ins")
        third_street = takewhile(lambda event: not isinstance(event, d.StreetDealt), self.events)
        raise_types = [type(event) for event in third_street if isinstance(event, b.Completed | b.Raised)]
        if raise_types and raise_types != [
            b.Completed if inferred_amounts else b.Raised,
            *repeat(b.Raised, len(raise_types) - 1),
        ]:
            self.lose("whether a bring-in was filled up or raised")

    def _hand_members(self) -> dict[str, object]:
        hand_state, opened, game = self.final_state, self.opened, self.game
        is_tournament = game.format == "tournament"
        for has_fact, lost_fact in (
            (opened.club, "the club"),
            (not opened.venue, "a room without a name"),
            (game.bets, "the sizes of the bets"),
            (game.bring_in, "the bring-in"),
            (game.written, "the game as the room names it"),
        ):
            if has_fact:
                self.lose(lost_fact)
        if game.betting == "spread":
            self.lose("spread limits")
        small_blind, big_blind = (*game.blinds, 0, 0)[:2] if len(game.blinds) != 1 else (0, game.blinds[0])
        if len(game.blinds) > 2:
            self.lose("third blinds")
        if not hand_state.button:
            self.lose("a hand without a button")
        return {
            "spec_version": VERSION,
            "site_name": opened.venue or "unknown room",
            "network_name": opened.venue or "unknown room",
            "internal_version": "handledger",
            "tournament": is_tournament,
            **({"tournament_info": self._tournament_info()} if is_tournament else {}),
            "game_number": opened.number,
            "start_date_utc": self._start_date(),
            "table_name": opened.table,
            "game_type": TITLES[game.variant],
            "bet_limit": {
                "bet_type": _LIMIT_OF_BETTING[game.betting],
                "bet_cap": self.decimal_of(_bet_cap(hand_state)),
            },
            "table_size": max(opened.seats or max((*hand_state.dealt, *hand_state.left_out)), 2),
            "currency": self._currency(),
            "dealer_seat": hand_state.button or 0,
            "small_blind_amount": self.decimal_of(small_blind),
            "big_blind_amount": self.decimal_of(big_blind),
            "ante_amount": self.decimal_of(game.ante),
            **(
                {"hero_player_id": min(self.owner_seats)} if len(self.owner_seats) == 1 else {}
            ),  # whose cards were known
            "flags": self._flags(),
        }

    def _currency(self) -> str:
        tournament_set, currency = self.final_state.tournament, self.game.unit
        currency = tournament_set.currency if tournament_set and currency == "chips" else currency
        return "XPM" if currency in ("", "play", "chips") else currency

    def _start_date(self) -> str:
        start_date = clocks.format_moment(self.opened.started)
        if not start_date:
            self.lose("a hand without its date")
        return start_date or "1970-01-01T00:00:00Z"

    def _tournament_info(self) -> dict[str, object]:
        tournament_set = self.final_state.tournament or o.TournamentSet()
        if tournament_set.level:
            self.lose("the level of the tournament")
        tournament_number = self.opened.tournament
        info_object: dict[str, object] = {
            "tournament_number": tournament_number,
            "name": tournament_set.written or tournament_number,
        }
        if tournament_set.currency:
            info_object["currency"] = tournament_set.currency
        amounts = {
            "buyin_amount": tournament_set.buy_in,
            "fee_amount": tournament_set.fee,
            "bounty_fee_amount": tournament_set.bounty,
        }
        return info_object | {
            name: Decimal(amount).scaleb(-2) for name, amount in amounts.items() if amount is not None
        }

    def _flags(self) -> list[str]:
        flags = ["Run_It_Twice"] if self.final_state.runs > 1 else []
        flags += [
            _FLAG_OF_OPTION[event.value]
            for event in self.events
            if isinstance(event, o.OptionSet) and event.option == "other" and event.value in _FLAG_OF_OPTION
        ]
        return flags + (["Cap"] if _bet_cap(self.final_state) else [])

    def _players(self) -> list[dict[str, object]]:
        player_objects = []
        listed_seats: dict[Seat, o.SeatDealtIn | o.SeatLeftOut] = {
            **self.final_state.left_out,
            **self.final_state.dealt,
        }
        for seat, event in sorted(listed_seats.items()):
            player_object: dict[str, object] = {"id": seat, "seat": seat, "name": self.name_of(event.player)}
            if event.stack is not None:
                player_object["starting_stack"] = self.decimal_of(event.stack)
            else:
                self.lose("stacks that are not told")
            if isinstance(event, o.SeatLeftOut):
                player_object["is_sitting_out"] = True
                if event.reason != "sitting-out":
                    self.lose("why a seat is left out")
            elif event.bounty:
                player_object["player_bounty"] = Decimal(event.bounty).scaleb(-2)
            player_objects.append(player_object)
        return player_objects


_ACTS_OUTSIDE_HAND: Final = ("Sits Down", "Stands Up", "Added Chips")
_FLAG_OF_OPTION: Final[dict[str | int, str]] = {"zoom": "Fast", "anonymous": "Anonymous"}


def write(events: Sequence[Event], people: People) -> HandText:
    """Return the hand as Open Hand History, and the facts that it has no word for."""
    hand_state = fold(cast("Sequence[HandEvent]", events))
    if hand_state.opened is None or hand_state.game is None:
        return HandText("", ["a hand without its opening"])
    if hand_state.game.variant not in TITLES:
        return HandText("", [f"the game: Open Hand History has no word for {hand_state.game.variant}"])
    return OhhWriter(events, people, hand_state, hand_state.opened, hand_state.game).write_hand()


def _bet_cap(hand_state: HandState) -> Chips:
    bet_cap = hand_state.options.get("bet-cap", 0)
    return bet_cap if isinstance(bet_cap, int) else 0


def _write_blind(writer: OhhWriter, event: o.BlindPosted) -> None:
    if event.dead:
        writer.dead_blind_seats.add(event.seat)
        writer.add_act(event.seat, "Post Dead", event.dead, all_in=None if event.live else event.all_in)
        if event.role != "makeup-small":
            writer.lose("the kind of a blind")
    if not event.live:
        if not event.dead:
            writer.lose("blinds of nothing")
        return
    act_name = {"small": "Post SB", "big": "Post BB"}.get(event.role, "Post Extra Blind")
    inferred_role = "makeup-big" if event.seat in writer.dead_blind_seats else "entry"
    if act_name == "Post Extra Blind" and event.role != inferred_role:
        writer.lose("the kind of a blind")
    writer.add_act(event.seat, act_name, event.live, all_in=event.all_in)


def _write_deal(writer: OhhWriter, event: d.HoleCardsDealt) -> None:
    known_cards = event.cards.replace("??", "")
    is_owner = bool(known_cards) and (
        event.seat in writer.owner_seats if len(writer.owner_seats) == 1 else len(writer.known_seats) == 1
    )
    if event != infer_deal(writer.game.variant, writer.state_before.street, event.seat, known_cards, is_owner=is_owner):
        writer.lose("how cards were dealt and known")
    writer.add_act(event.seat, "Dealt Cards", cards=event.cards)


def _note_discard(writer: OhhWriter, event: d.CardsDiscarded) -> None:
    if event.seat in writer.open_discards:
        writer.lose("discards for which no cards are told")
    writer.open_discards[event.seat] = event


def _write_draw(writer: OhhWriter, event: d.CardsDrawn) -> None:
    held_cards = holdings.list_hole_cards(
        [card_event for card_event in writer.state_before.dealing if card_event not in writer.open_discards.values()],
        event.seat,
    )
    discard = writer.open_discards.pop(event.seat, None)
    if [discard, event] != infer_draw(event.seat, held_cards, event.cards.replace("??", "")):
        writer.lose("what was discarded, and how drawn cards are known")
    writer.add_act(event.seat, "Dealt Cards", cards=event.cards)


def _build_wager_writer(action: str) -> Callable[[OhhWriter, b.Wager], None]:
    def write_wager(writer: OhhWriter, event: b.Wager) -> None:
        if not event.added:
            writer.lose("a bet or call of nothing")
        writer.add_act(event.seat, action if event.added else "Check", event.added, all_in=event.all_in)

    return write_wager


def _begin_showdown(writer: OhhWriter, _event: e.ShowdownBegun) -> None:
    if not any(round_object["street"] == "Showdown" for round_object in writer.round_objects):
        writer.begin_round("Showdown")


def _write_chips_added(writer: OhhWriter, event: p.ChipsAdded) -> None:
    if event.seat in writer.final_state.dealt or event.seat in writer.final_state.left_out:
        writer.add_act(event.seat, "Added Chips", event.amount)


def _check_returned_bet(writer: OhhWriter, event: b.BetReturned) -> None:
    bets = writer.state_before.round.bets
    largest_other_bet = max((bet for seat, bet in bets.items() if seat != event.seat), default=0)
    if bets.get(event.seat, 0) - event.amount != largest_other_bet:
        writer.lose("a returned bet that does not follow from the acts")


def _build_presence_writer(action: str) -> Callable[[OhhWriter, p.SeatTaken | p.SeatLeft], None]:
    def write_presence(writer: OhhWriter, event: p.SeatTaken | p.SeatLeft) -> None:
        seat = event.seat or 0
        seat_event = writer.final_state.dealt.get(seat) or writer.final_state.left_out.get(seat)
        if seat_event is None or seat_event.player != event.player:
            writer.lose("who comes and goes")
            return
        if writer.paid:
            writer.lose("that somebody came or went after the pot was paid")
        if getattr(event, "reason", "left") != "left":
            writer.lose("why a seat was left")
        writer.add_act(event.seat, action)

    return write_presence


def _is_ante_for_table(writer: OhhWriter, event: o.AntePosted) -> bool:
    """Whether a reader takes this ante as paid for the table, being the only one and the big blind's."""
    is_only_ante = sum(isinstance(event_of_hand, o.AntePosted) for event_of_hand in writer.events) == 1
    big_blind_seat = next(
        (
            event_of_hand.seat
            for event_of_hand in writer.events
            if isinstance(event_of_hand, o.BlindPosted) and event_of_hand.role == "big"
        ),
        0,
    )
    return is_only_ante and event.seat == big_blind_seat and len(writer.final_state.dealt) > 1


_CONDITIONS: Final[dict[type, tuple[tuple[Callable[[OhhWriter, Any], object], str], ...]]] = {
    o.OptionSet: (
        (
            lambda _, event: event.option == "bet-cap" or (event.option == "other" and event.value in _FLAG_OF_OPTION),
            "the option {0.option}",
        ),
    ),
    o.AntePosted: (
        (lambda _, event: event.kind == "ante", "the kind of an ante"),
        (lambda writer, event: event.for_table == _is_ante_for_table(writer, event), "for whom an ante is paid"),
    ),
    o.StraddlePosted: ((lambda _, event: event.kind == "straddle" and event.live, "the kind of a straddle"),),
    o.PotSeeded: ((lambda _, event: event.kind == "promotion", "whose money was added to the pot"),),
    d.BoardDealt: (
        (lambda _, event: event.board == 1, "boards beside each other"),
        (
            lambda _, event: not event.deck and not event.stuck and event.face_up and event.street in BOARD_STREETS,
            "how board cards were dealt",
        ),
    ),
    e.CardsShown: (
        (lambda _, event: not event.claim, "what a hand was called"),
        (lambda _, event: not event.after, "that cards were shown after the pot was paid"),
        (
            lambda writer, event: len(split_cards(event.cards)) >= VARIANTS[writer.game.variant].start_cards,
            "how many cards were shown",
        ),
    ),
    e.CardsMucked: ((lambda _, event: not event.declined, "that a player declined to show"),),
    p.ChipsAdded: (
        (lambda _, event: event.seat is not None and event.kind == event.by == "unknown", "why chips were added"),
    ),
}
"""An event → the conditions under which its words are complete, each with the fact that is lost otherwise."""

_SILENT_EVENTS: Final = (
    *(o.HandOpened, o.GameSet, o.TournamentSet, o.SeatDealtIn, o.SeatLeftOut, o.ButtonPlaced),
    *(o.OptionSet, d.DealCompleted, b.RunsAgreed, e.DropTaken, e.HandCompleted, e.ResultDeclared, b.CashOutTaken),
)
"""Events that are written elsewhere or follow from others."""

HANDLERS: Final[dict[type, Callable[[OhhWriter, Any], None]]] = {
    **dict.fromkeys(_SILENT_EVENTS, lambda _writer, _event: None),
    b.BetReturned: _check_returned_bet,
    e.PotAwarded: lambda writer, _event: setattr(writer, "paid", True),  # the pots contain the awards
    o.BlindPosted: _write_blind,
    o.AntePosted: lambda writer, event: writer.add_act(event.seat, "Post Ante", event.amount, all_in=event.all_in),
    o.StraddlePosted: lambda writer, event: writer.add_act(event.seat, "Straddle", event.amount, all_in=event.all_in),
    o.BringInPosted: lambda writer, event: writer.add_act(event.seat, "Bet", event.amount, all_in=event.all_in),
    o.PotSeeded: lambda writer, event: writer.add_act(None, "Add to Pot", event.amount),
    d.HoleCardsDealt: _write_deal,
    d.CardsDiscarded: _note_discard,
    d.CardsDrawn: _write_draw,
    d.BoardDealt: lambda writer, event: writer.begin_round(STREET_TITLES.get(event.street, event.street), event.cards),
    d.StreetDealt: lambda writer, event: writer.begin_round(STREET_TITLES[event.street]),
    b.Folded: lambda writer, event: writer.add_act(event.seat, "Fold", cards=event.cards),
    b.Checked: lambda writer, event: writer.add_act(event.seat, "Check"),
    b.Called: _build_wager_writer("Call"),
    b.Bet: _build_wager_writer("Bet"),
    b.Raised: _build_wager_writer("Raise"),
    b.Completed: _build_wager_writer("Raise"),
    e.ShowdownBegun: _begin_showdown,
    e.CardsShown: lambda writer, event: writer.add_act(event.seat, "Shows Cards", cards=event.cards),
    e.CardsMucked: lambda writer, event: writer.add_act(event.seat, "Mucks Cards", cards=event.cards),
    p.ChipsAdded: _write_chips_added,
    p.SeatTaken: _build_presence_writer("Sits Down"),
    p.SeatLeft: _build_presence_writer("Stands Up"),
}
"""An event → the function that writes it. Any other event is lost."""

WRITTEN_EVENTS: Final = frozenset(HANDLERS)
