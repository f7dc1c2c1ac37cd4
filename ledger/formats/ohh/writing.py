"""A hand to Open Hand History 1.4.7: each act adds chips, each pot says who won it.

The events are walked once; what the format has no word for is counted as a loss. What can be
inferred again from what is written (returned bets, declared sums that agree) is none.
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
from ledger.event import Event, words
from ledger.formats.ohh.deals import brought_in, dealt, drawn
from ledger.formats.ohh.pots_out import pots_of
from ledger.formats.ohh.words import BOARDS, STREET_TITLES, TITLES
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
_LIMITS: Final = {"no-limit": "NL", "pot-limit": "PL", "limit": "FL", "spread": "FL"}
_encoder = msgspec.json.Encoder(decimal_format="number")


class OhhWriter:
    """One hand as it grows."""

    def __init__(
        self, events: Sequence[Event], people: People, state: HandState, opened: o.HandOpened, game: o.GameSet
    ) -> None:
        self.events = events
        self.people = people
        self.state, self.opened, self.game = state, opened, game
        self.lost: Counter[str] = Counter()
        self.rounds: list[dict[str, object]] = []
        self.acts: list[dict[str, object]] = []
        self.acts_by_round: list[list[dict[str, object]]] = []
        self.count = 0
        self.now = begin()  # the hand before the event that is said
        self.dead: set[Seat] = set()
        self.thrown: dict[Seat, d.CardsDiscarded] = {}  # discards for which no cards came yet
        self.known = {event.seat for event in events if isinstance(event, d.HoleCardsDealt) and event.cards.strip("?")}
        self.owners = {event.seat for event in events if isinstance(event, d.HoleCardsDealt) and event.how == "owner"}
        self.paid = False  # a pot was awarded: what follows has no place any more

    def lose(self, what: str) -> None:
        """Count something that the format cannot say."""
        self.lost[what] += 1

    def number(self, amount: Chips) -> Decimal:
        """Write an amount as a decimal of the currency."""
        return Decimal(amount).scaleb(-self.game.exponent) if self.game.exponent else Decimal(amount)

    def name(self, player: PlayerId) -> str:
        """Return a player's name, or a stand-in where it is erased."""
        return self.people.name(player) or "player-" + player[:6]

    def round(self, street: str, cards: Cards = "") -> None:
        """Begin a round."""
        self.acts = []
        self.acts_by_round.append(self.acts)
        made: dict[str, object] = {"id": len(self.rounds), "street": street}
        if cards:
            made["cards"] = split_cards(cards)
        made["actions"] = self.acts
        self.rounds.append(made)

    def act(
        self, seat: Seat | None, action: str, amount: Chips = 0, *, all_in: bool | None = None, cards: Cards = ""
    ) -> None:
        """Add an act."""
        self.count += 1
        if seat in self.state.left_out and action not in _BESIDE:
            self.lose("that a seat which does something is left out")
        made: dict[str, object] = {"action_number": self.count}
        if seat is not None:
            made["player_id"] = seat
        made["action"] = action
        if amount:
            made["amount"] = self.number(amount)
        if all_in is not None:
            made["is_allin"] = all_in
        if cards:
            known = [card for card in split_cards(cards) if card != "??"]
            made["cards"] = plain = [card for card in known if len(card) == 2]
            if len(plain) < len(known):
                self.lose("cards that are committed to")
        self.acts.append(made)

    def text(self) -> HandText:
        """Write the hand."""
        self.round("Third Street" if self.game.variant in STUD else "Preflop")
        for event in self.events:
            say = HANDLERS.get(type(event))
            if say is None:
                self.lose(words(type(event)))
            else:
                for holds, what in _ALL_OF_IT.get(type(event), ()):
                    if not holds(self, event):
                        self.lose(what.format(event))
                say(self, event)
            apply(self.now, cast("HandEvent", event))
        self.lose_unsaid()
        hand = {
            **self._root(),
            "players": self._players(),
            "rounds": self.rounds,
            "pots": pots_of(self.events, self.state, self.number, self.lose),
        }
        losses = [f"{what} ({count})" for what, count in sorted(self.lost.items())]
        text = msgspec.json.format(_encoder.encode({"ohh": hand}), indent=2).decode()
        return HandText(text + "\n", losses)

    def lose_unsaid(self) -> None:
        """Count as lost what the acts of the whole hand do not let a reader infer."""
        for _ in self.thrown:
            self.lose("discards for which no cards are told")
        told = brought_in(self.acts_by_round, lambda amount: amount if isinstance(amount, Decimal) else Decimal(0))
        limit_stud = self.game.variant in STUD and self.game.betting == "limit"
        inferred = [told] if told and limit_stud else []
        if [self.number(event.amount) for event in self.events if isinstance(event, o.BringInPosted)] != inferred:
            self.lose("bring-ins")
        third = takewhile(lambda event: not isinstance(event, d.StreetDealt), self.events)
        raised = [type(event) for event in third if isinstance(event, b.Completed | b.Raised)]
        if raised and raised != [b.Completed if inferred else b.Raised, *repeat(b.Raised, len(raised) - 1)]:
            self.lose("whether a bring-in was filled up or raised")

    def _root(self) -> dict[str, object]:
        state, opened, game = self.state, self.opened, self.game
        tournament = game.format == "tournament"
        for told, what in (
            (opened.club, "the club"),
            (not opened.venue, "a room without a name"),
            (game.bets, "the sizes of the bets"),
            (game.bring_in, "the bring-in"),
            (game.written, "the game as the room names it"),
        ):
            if told:
                self.lose(what)
        if game.betting == "spread":
            self.lose("spread limits")
        small, big = (*game.blinds, 0, 0)[:2] if len(game.blinds) != 1 else (0, game.blinds[0])
        if len(game.blinds) > 2:
            self.lose("third blinds")
        if not state.button:
            self.lose("a hand without a button")
        return {
            "spec_version": VERSION,
            "site_name": opened.venue or "unknown room",
            "network_name": opened.venue or "unknown room",
            "internal_version": "handledger",
            "tournament": tournament,
            **({"tournament_info": self._tournament()} if tournament else {}),
            "game_number": opened.number,
            "start_date_utc": self._date(),
            "table_name": opened.table,
            "game_type": TITLES[game.variant],
            "bet_limit": {"bet_type": _LIMITS[game.betting], "bet_cap": self.number(_cap(state))},
            "table_size": max(opened.seats or max((*state.dealt, *state.left_out)), 2),
            "currency": self._currency(),
            "dealer_seat": state.button or 0,
            "small_blind_amount": self.number(small),
            "big_blind_amount": self.number(big),
            "ante_amount": self.number(game.ante),
            **({"hero_player_id": min(self.owners)} if len(self.owners) == 1 else {}),  # whose cards were known
            "flags": self._flags(),
        }

    def _currency(self) -> str:
        info, unit = self.state.tournament, self.game.unit
        unit = info.currency if info and unit == "chips" else unit
        return "XPM" if unit in ("", "play", "chips") else unit

    def _date(self) -> str:
        written = clocks.format_moment(self.opened.started)
        if not written:
            self.lose("a hand without its date")
        return written or "1970-01-01T00:00:00Z"

    def _tournament(self) -> dict[str, object]:
        info = self.state.tournament or o.TournamentSet()
        if info.level:
            self.lose("the level of the tournament")
        number = self.opened.tournament
        made: dict[str, object] = {"tournament_number": number, "name": info.written or number}
        if info.currency:
            made["currency"] = info.currency
        amounts = {"buyin_amount": info.buy_in, "fee_amount": info.fee, "bounty_fee_amount": info.bounty}
        return made | {name: Decimal(amount).scaleb(-2) for name, amount in amounts.items() if amount is not None}

    def _flags(self) -> list[str]:
        flags = ["Run_It_Twice"] if self.state.runs > 1 else []
        flags += [
            _FLAGS[event.value]
            for event in self.events
            if isinstance(event, o.OptionSet) and event.option == "other" and event.value in _FLAGS
        ]
        return flags + (["Cap"] if _cap(self.state) else [])

    def _players(self) -> list[dict[str, object]]:
        made = []
        here: dict[Seat, o.SeatDealtIn | o.SeatLeftOut] = {**self.state.left_out, **self.state.dealt}
        for seat, event in sorted(here.items()):
            one: dict[str, object] = {"id": seat, "seat": seat, "name": self.name(event.player)}
            if event.stack is not None:
                one["starting_stack"] = self.number(event.stack)
            else:
                self.lose("stacks that are not told")
            if isinstance(event, o.SeatLeftOut):
                one["is_sitting_out"] = True
                if event.reason != "sitting-out":
                    self.lose("why a seat is left out")
            elif event.bounty:
                one["player_bounty"] = Decimal(event.bounty).scaleb(-2)
            made.append(one)
        return made


_BESIDE: Final = ("Sits Down", "Stands Up", "Added Chips")
_FLAGS: Final[dict[str | int, str]] = {"zoom": "Fast", "anonymous": "Anonymous"}


def write(events: Sequence[Event], people: People) -> HandText:
    """Return the hand as Open Hand History, and what that cannot say."""
    state = fold(cast("Sequence[HandEvent]", events))
    if state.opened is None or state.game is None:
        return HandText("", ["a hand without its opening"])
    if state.game.variant not in TITLES:
        return HandText("", [f"the game: Open Hand History has no word for {state.game.variant}"])
    return OhhWriter(events, people, state, state.opened, state.game).text()


def _cap(state: HandState) -> Chips:
    cap = state.options.get("bet-cap", 0)
    return cap if isinstance(cap, int) else 0


def _blind(w: OhhWriter, event: o.BlindPosted) -> None:
    if event.dead:
        w.dead.add(event.seat)
        w.act(event.seat, "Post Dead", event.dead, all_in=None if event.live else event.all_in)
        if event.role != "makeup-small":
            w.lose("the kind of a blind")
    if not event.live:
        if not event.dead:
            w.lose("blinds of nothing")
        return
    name = {"small": "Post SB", "big": "Post BB"}.get(event.role, "Post Extra Blind")
    again = "makeup-big" if event.seat in w.dead else "entry"
    if name == "Post Extra Blind" and event.role != again:
        w.lose("the kind of a blind")
    w.act(event.seat, name, event.live, all_in=event.all_in)


def _dealt(w: OhhWriter, event: d.HoleCardsDealt) -> None:
    known = event.cards.replace("??", "")
    own = bool(known) and (event.seat in w.owners if len(w.owners) == 1 else len(w.known) == 1)
    if event != dealt(w.game.variant, w.now.street, event.seat, known, own=own):
        w.lose("how cards were dealt and known")
    w.act(event.seat, "Dealt Cards", cards=event.cards)


def _discarded(w: OhhWriter, event: d.CardsDiscarded) -> None:
    if event.seat in w.thrown:
        w.lose("discards for which no cards are told")
    w.thrown[event.seat] = event


def _drawn(w: OhhWriter, event: d.CardsDrawn) -> None:
    held = holdings.hole([one for one in w.now.dealing if one not in w.thrown.values()], event.seat)
    thrown = w.thrown.pop(event.seat, None)
    if [thrown, event] != drawn(event.seat, held, event.cards.replace("??", "")):
        w.lose("what was discarded, and how drawn cards are known")
    w.act(event.seat, "Dealt Cards", cards=event.cards)


def _wager(action: str) -> Callable[[OhhWriter, b.Wager], None]:
    def say(w: OhhWriter, event: b.Wager) -> None:
        if not event.added:
            w.lose("a bet or call of nothing")
        w.act(event.seat, action if event.added else "Check", event.added, all_in=event.all_in)

    return say


def _showdown(w: OhhWriter, _event: e.ShowdownBegun) -> None:
    if not any(one["street"] == "Showdown" for one in w.rounds):
        w.round("Showdown")


def _chips_added(w: OhhWriter, event: p.ChipsAdded) -> None:
    if event.seat in w.state.dealt or event.seat in w.state.left_out:
        w.act(event.seat, "Added Chips", event.amount)


def _returned(w: OhhWriter, event: b.BetReturned) -> None:
    bets = w.now.round.bets
    rest = max((bet for seat, bet in bets.items() if seat != event.seat), default=0)
    if bets.get(event.seat, 0) - event.amount != rest:
        w.lose("a returned bet that does not follow from the acts")


def _presence(action: str) -> Callable[[OhhWriter, p.SeatTaken | p.SeatLeft], None]:
    def say(w: OhhWriter, event: p.SeatTaken | p.SeatLeft) -> None:
        seat = event.seat or 0
        here = w.state.dealt.get(seat) or w.state.left_out.get(seat)
        if here is None or here.player != event.player:
            w.lose("who comes and goes")
            return
        if w.paid:
            w.lose("that somebody came or went after the pot was paid")
        if getattr(event, "reason", "left") != "left":
            w.lose("why a seat was left")
        w.act(event.seat, action)

    return say


def _pays_for_all(w: OhhWriter, event: o.AntePosted) -> bool:
    """Tell whether a reader takes this ante as paid for the table: the only one, of the big blind."""
    alone = sum(isinstance(one, o.AntePosted) for one in w.events) == 1
    big = next((one.seat for one in w.events if isinstance(one, o.BlindPosted) and one.role == "big"), 0)
    return alone and event.seat == big and len(w.state.dealt) > 1


_ALL_OF_IT: Final[dict[type, tuple[tuple[Callable[[OhhWriter, Any], object], str], ...]]] = {
    o.OptionSet: (
        (lambda _, x: x.option == "bet-cap" or (x.option == "other" and x.value in _FLAGS), "the option {0.option}"),
    ),
    o.AntePosted: (
        (lambda _, x: x.kind == "ante", "the kind of an ante"),
        (lambda w, x: x.for_table == _pays_for_all(w, x), "for whom an ante is paid"),
    ),
    o.StraddlePosted: ((lambda _, x: x.kind == "straddle" and x.live, "the kind of a straddle"),),
    o.PotSeeded: ((lambda _, x: x.kind == "promotion", "whose money was added to the pot"),),
    d.BoardDealt: (
        (lambda _, x: x.board == 1, "boards beside each other"),
        (lambda _, x: not x.deck and not x.stuck and x.face_up and x.street in BOARDS, "how board cards were dealt"),
    ),
    e.CardsShown: (
        (lambda _, x: not x.claim, "what a hand was called"),
        (lambda _, x: not x.after, "that cards were shown after the pot was paid"),
        (lambda w, x: len(split_cards(x.cards)) >= VARIANTS[w.game.variant].start_cards, "how many cards were shown"),
    ),
    e.CardsMucked: ((lambda _, x: not x.declined, "that a player declined to show"),),
    p.ChipsAdded: ((lambda _, x: x.seat is not None and x.kind == x.by == "unknown", "why chips were added"),),
}
"""What must hold of an event for its words to say all of it, and what is lost where it does not."""

_ELSEWHERE: Final = (
    *(o.HandOpened, o.GameSet, o.TournamentSet, o.SeatDealtIn, o.SeatLeftOut, o.ButtonPlaced),
    *(o.OptionSet, d.DealCompleted, b.RunsAgreed, e.DropTaken, e.HandCompleted, e.ResultDeclared, b.CashOutTaken),
)
"""What is said elsewhere, or follows from the rest."""

HANDLERS: Final[dict[type, Callable[[OhhWriter, Any], None]]] = {
    **dict.fromkeys(_ELSEWHERE, lambda _w, _event: None),
    b.BetReturned: _returned,
    e.PotAwarded: lambda w, _event: setattr(w, "paid", True),  # the pots say the rest
    o.BlindPosted: _blind,
    o.AntePosted: lambda w, event: w.act(event.seat, "Post Ante", event.amount, all_in=event.all_in),
    o.StraddlePosted: lambda w, event: w.act(event.seat, "Straddle", event.amount, all_in=event.all_in),
    o.BringInPosted: lambda w, event: w.act(event.seat, "Bet", event.amount, all_in=event.all_in),
    o.PotSeeded: lambda w, event: w.act(None, "Add to Pot", event.amount),
    d.HoleCardsDealt: _dealt,
    d.CardsDiscarded: _discarded,
    d.CardsDrawn: _drawn,
    d.BoardDealt: lambda w, event: w.round(STREET_TITLES.get(event.street, event.street), event.cards),
    d.StreetDealt: lambda w, event: w.round(STREET_TITLES[event.street]),
    b.Folded: lambda w, event: w.act(event.seat, "Fold", cards=event.cards),
    b.Checked: lambda w, event: w.act(event.seat, "Check"),
    b.Called: _wager("Call"),
    b.Bet: _wager("Bet"),
    b.Raised: _wager("Raise"),
    b.Completed: _wager("Raise"),
    e.ShowdownBegun: _showdown,
    e.CardsShown: lambda w, event: w.act(event.seat, "Shows Cards", cards=event.cards),
    e.CardsMucked: lambda w, event: w.act(event.seat, "Mucks Cards", cards=event.cards),
    p.ChipsAdded: _chips_added,
    p.SeatTaken: _presence("Sits Down"),
    p.SeatLeft: _presence("Stands Up"),
}
"""An event → how it is said; what is missing here is lost."""

SAYS: Final = frozenset(HANDLERS)
