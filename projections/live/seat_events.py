"""Offer buttons for occasional events of a hand, at one seat or at the table. Their lines are handscript."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from ledger.hand.opening import GameSet
from ledger.hand.order import actor
from ledger.text.language import phrase, translatable
from ledger.vocabulary import in_units
from projections.amount_text import amount
from projections.live.live_table import is_dealt
from projections.live.table_offers import Offer, Preset, quote_straddle_rules
from projections.live.voluntary_posts import find_kill, find_straddle
from projections.sentences import capitalize
from projections.sentences.words import count_of, error_name

if TYPE_CHECKING:
    from ledger.hand.state import HandState
    from ledger.recording.recorder import Recorder
    from ledger.vocabulary import Seat
    from projections.live.live_table import LiveTable

_KILL_REASONS: Final[Mapping[str, str]] = {
    "fouled": translatable("It touched other cards"),
    "absent": translatable("The player was away"),
    "wrong-count": translatable("Wrong number of cards"),
    "joker": translatable("It has a joker"),
    "looked-before-post": translatable("Looked before posting"),
    "out-of-turn": translatable("Acted out of turn"),
    "clock": translatable("The clock ran out"),
    "lost": translatable("It lost and was thrown away"),
    "rule": translatable("By a rule"),
}
_MISDEAL_REASONS: Final = (
    "exposed-card",
    "extra-card",
    "wrong-count",
    "boxed-card",
    "joker",
    "wrong-button",
    "wrong-blinds",
    "missing-post",
    "other",
)
_STAKES: Final = ((1, 2), (1, 3), (2, 5), (5, 5), (5, 10), (10, 20), (25, 50), (50, 100))
"""Usual blinds, in whole units."""
_RAKES: Final = (1, 2, 3, 4, 5, 6)
"""Usual rakes, in whole units."""


def list_seat_events(recorder: Recorder, live_table: LiveTable, seat: Seat) -> list[Offer]:
    """Return what can happen at a seat of the running hand, besides its turn."""
    hand = recorder.state
    if seat not in hand.dealt or hand.completed or hand.voided:
        return []
    return [*_iter_voluntary_posts(recorder, live_table, seat), *_iter_hand_events(hand, seat)]


def _iter_hand_events(hand: HandState, seat: Seat) -> Iterator[Offer]:
    """Yield what can happen to a seat's cards, and calls for its player."""
    if seat in hand.live and not hand.chips.awarded:
        if not hand.showdown and actor(hand) == seat:
            yield Offer(name="clock", label=phrase("Clock called"), line=f"clock {seat}")
        yield _offer_exposed_card(seat)
        variant = hand.known_variant
        if variant is not None and not hand.boards[0:1]:
            counts = (variant.start_cards - 1, variant.start_cards + 1)
            yield Offer(
                name="wrong-count",
                label=phrase("Wrong number of cards"),
                options=[
                    Offer(name=f"count-{count}", label=count_of(count, "card"), line=f"{seat} holds {count}")
                    for count in counts
                    if count > 0
                ],
            )
        yield Offer(
            name="kill-hand",
            label=phrase("Hand killed"),
            options=[
                Offer(name=reason, label=phrase(label), line=f"{seat} killed {reason}")
                for reason, label in _KILL_REASONS.items()
            ],
        )
    elif seat in hand.killed_seats and not hand.chips.awarded:
        yield Offer(name="retrieve", label=phrase("Hand given back"), line=f"{seat} retrieves")
    yield Offer(name="floor", label=phrase("Calls the floor"), line=f"floor-called by player seat {seat}")


def _offer_exposed_card(seat: Seat | None) -> Offer:
    place = "" if seat is None else f" seat {seat}"
    by_dealer = Offer(
        name="by-dealer", label=phrase("By the dealer"), line=f"exposed {{card}}{place} by dealer", needs=["card"]
    )
    by_player = Offer(
        name="by-player", label=phrase("By the player"), line=f"exposed {{card}}{place} by player", needs=["card"]
    )
    options = [by_dealer] if seat is None else [by_dealer, by_player]
    return Offer(name="exposed-card", label=phrase("Exposed card"), options=options)


def _iter_voluntary_posts(recorder: Recorder, live_table: LiveTable, seat: Seat) -> Iterator[Offer]:
    """Yield a straddle or a kill, if the seat may post one now."""
    hand, settings = recorder.state, recorder.settings
    if is_dealt(hand) or hand.misdealt:
        return
    book = live_table.books[0] if live_table.books else None
    straddle = find_straddle(hand, book, seat)
    if straddle is not None:
        kind_word = " button" if straddle.is_from_button else ""
        yield Offer(
            name="straddle",
            label=phrase("Straddles {amount}", amount=amount(straddle.chips, settings.unit, settings.exponent)),
            line=f"{seat} straddles {in_units(straddle.chips, settings.exponent)}{kind_word}",
            reasons=quote_straddle_rules(book),
        )
    kill = find_kill(hand, seat)
    if kill is not None:
        yield Offer(
            name="kill-pot",
            label=phrase("Kills the pot: {amount}", amount=amount(kill, settings.unit, settings.exponent)),
            line=f"{seat} posts kill {in_units(kill, settings.exponent)}",
        )


def list_table_events(recorder: Recorder, live_table: LiveTable) -> list[Offer]:
    """Return what can happen at the table now, in the running hand or between two."""
    if recorder.running:
        return [*_iter_running_events(recorder)]
    return [*_iter_events_between_hands(recorder, live_table)]


def _iter_running_events(recorder: Recorder) -> Iterator[Offer]:
    hand = recorder.state
    if not (hand.completed or hand.voided):
        yield from _iter_dealing_events(hand)
        yield from _iter_rake_offers(recorder)
        yield Offer(
            name="cancel-hand",
            label=phrase("Hand canceled"),
            line="voided cancelled; end",
            note=phrase("All chips go back. The hand stays on record as canceled."),
        )
    yield Offer(name="floor", label=phrase("Floor called"), line="floor-called by dealer")
    if not hand.completed:
        yield Offer(
            name="stop",
            label=phrase("Leave the hand"),
            line="stop",
            note=phrase("Nobody saw how it ended. No result is recorded."),
        )


def _iter_dealing_events(hand: HandState) -> Iterator[Offer]:
    """Yield dealers' errors. A misdeal ends with the first card of the board; cards can be exposed until the payout."""
    has_board = any(hand.boards)
    if not has_board and hand.dealt:
        yield Offer(
            name="misdeal",
            label=phrase("Misdeal"),
            note=phrase("The cards come back. Deal again, or cancel the hand."),
            options=[
                Offer(name=reason, label=capitalize(error_name(reason)), line=f"misdeal {reason} by dealer")
                for reason in _MISDEAL_REASONS
            ],
        )
    if hand.showdown or hand.chips.awarded:
        return
    yield _offer_exposed_card(None)
    yield Offer(name="boxed-card", label=phrase("Boxed card"), line="boxed {card}", needs=["card"])
    variant = hand.known_variant
    if variant is not None and is_dealt(hand) and any(plan.board for plan in variant.streets):
        yield Offer(name="double-burn", label=phrase("Extra burn"), line="noticed double-burn by dealer")
        yield Offer(name="no-burn", label=phrase("Missed burn"), line="noticed no-burn by dealer")


def _iter_rake_offers(recorder: Recorder) -> Iterator[Offer]:
    """Yield the rake while there is a pot that nobody has been paid yet."""
    hand, settings = recorder.state, recorder.settings
    pot = hand.conservation()
    if not is_dealt(hand) or hand.chips.awarded or pot <= 0:
        return
    unit = 10**settings.exponent
    presets = [
        Preset(amount(rake * unit, settings.unit, settings.exponent), in_units(rake * unit, settings.exponent))
        for rake in _RAKES
        if rake * unit <= pot
    ]
    yield Offer(name="rake", label=phrase("Rake"), line="rake {chips}", needs=["chips"], presets=presets)


def _iter_events_between_hands(recorder: Recorder, live_table: LiveTable) -> Iterator[Offer]:
    state = live_table.state
    if state.is_game_over:
        yield Offer(name="game-started", label=phrase("Start the game again"), line="game-started")
    elif state.number or state.seats:
        yield Offer(
            name="game-broken",
            label=phrase("Table breaks"),
            line="game-broken",
            note=phrase("The game is over. Where the button was doesn't count any more."),
        )
    if state.seats:
        yield Offer(name="deck-changed", label=phrase("New deck"), line="deck-changed by dealer")
        yield Offer(name="floor", label=phrase("Floor called"), line="floor-called by dealer")
    yield from _iter_stakes_offers(recorder)


def _iter_stakes_offers(recorder: Recorder) -> Iterator[Offer]:
    """Yield other usual blinds of the same game. A limit game has bets, too, which this doesn't guess."""
    settings = recorder.settings
    game = next((event for event in reversed(recorder.lines.opening) if isinstance(event, GameSet)), None)
    if game is None or game.betting == "limit" or len(game.blinds) != 2 or game.ante or game.format != "cash":
        return
    unit = 10**settings.exponent
    stakes = [(small * unit, big * unit) for small, big in _STAKES if (small * unit, big * unit) != game.blinds]
    yield Offer(
        name="stakes",
        label=phrase("Other stakes"),
        options=[
            Offer(
                name=f"blinds-{small // unit}-{big // unit}",
                label="/".join(amount(blind, settings.unit, settings.exponent) for blind in (small, big)),
                line=f"stakes blinds {in_units(small, settings.exponent)}/{in_units(big, settings.exponent)}",
            )
            for small, big in stakes
        ],
    )
