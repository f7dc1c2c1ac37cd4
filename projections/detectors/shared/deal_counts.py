"""The deal that was played: wrong numbers of hole cards, jokers, and cards that were dealt twice."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.dealing import BoardDealt, DealCompleted, ErrorNoticed, HoleCardsDealt, JokerFound, MisdealDeclared
from ledger.hand.ending import CardsShown, HandVoided
from ledger.vocabulary import JOKER, Seat, Witness, split_cards
from projections.findings.finding import Breach
from projections.sentences import dealing as say
from projections.timeline.hand_timeline import AFTER_ALL_EVENTS, Timeline


def list_played_deal(hand: Timeline) -> list[tuple[int, HoleCardsDealt]]:
    """Return the hole cards that were dealt after the last misdeal and before the first act, with their versions."""
    dealt: list[tuple[int, HoleCardsDealt]] = []
    for version, event in hand.numbered_events:
        if isinstance(event, MisdealDeclared) or (isinstance(event, HandVoided) and event.reason == "misdeal"):
            dealt.clear()
        elif isinstance(event, HoleCardsDealt) and version < (hand.first_act or AFTER_ALL_EVENTS):
            dealt.append((version, event))
    return dealt


def find_noticed_miscounts(hand: Timeline) -> list[tuple[int, Seat]]:
    """Return each notice of a wrong number of cards: its version and the seat.

    A notice without a seat means the only seat that was dealt a wrong number; if there are several, it's left out.
    """
    plan = hand.variant
    miscounted_seats = (
        {breach.seat for breach in judge_hole_counts(hand, plan.hole_cards) if breach.seat}
        if plan is not None
        else set()
    )
    noticed_seats = []
    for version, event in hand.of(ErrorNoticed):
        seat = event.seat or (min(miscounted_seats) if len(miscounted_seats) == 1 else None)
        if event.kind == "wrong-count" and seat is not None:
            noticed_seats.append((version, seat))
    return noticed_seats


def judge_hole_counts(hand: Timeline, cards: int) -> Iterator[Breach]:
    """Yield a breach for each seat that was dealt more or fewer hole cards than `cards`.

    Too few cards are a breach only if the source records hole cards and shows a full hand of some seat. Otherwise
    the record may just leave cards out.
    """
    counts: dict[Seat, tuple[int, int]] = {}  # by seat: the version of its last cards, and how many it got
    for version, event in list_played_deal(hand):
        card_count = len(event.cards) // 2 if "{" not in event.cards else event.cards.count("}")
        counts[event.seat] = (version, counts.get(event.seat, (0, 0))[1] + card_count)
    has_full_hand = any(card_count >= cards for _, card_count in counts.values())
    is_deal_finished = (
        has_full_hand
        and hand.is_witnessed(Witness.OWN_CARDS)
        and (hand.first_act is not None or hand.of(DealCompleted, BoardDealt))
    )
    for seat, (version, card_count) in sorted(counts.items()):
        if card_count > cards or (card_count < cards and is_deal_finished):
            yield Breach(version, say.dealt_wrong_count(seat, card_count), seat=seat, should=say.hole_cards_due(cards))


def has_unknown_hole_cards(hand: Timeline, cards: int) -> bool:
    """Whether a source that doesn't always record hole cards shows fewer than `cards` of a seat."""
    counts: dict[Seat, int] = {}
    for _, event in list_played_deal(hand):
        counts[event.seat] = counts.get(event.seat, 0) + len(event.cards) // 2
    return not hand.is_witnessed(Witness.OWN_CARDS) and any(card_count < cards for card_count in counts.values())


def find_jokers(hand: Timeline) -> list[tuple[int, JokerFound]]:
    """Return the jokers that were found, dealt to the board or shown, with the versions of these events."""
    found_jokers = [*hand.of(JokerFound)]
    if not any(event.seat is None for _, event in found_jokers):
        found_jokers += [(version, JokerFound(None)) for version, board in hand.of(BoardDealt) if JOKER in board.cards]
    reported_seats = {event.seat for _, event in found_jokers}
    found_jokers += [
        (version, JokerFound(event.seat))
        for version, event in hand.of(CardsShown)
        if JOKER in event.cards and event.seat not in reported_seats and not event.after
    ]
    return sorted(found_jokers, key=lambda joker: joker[0])


def find_duplicate_cards(hand: Timeline, end_version: int | None = None) -> dict[str, int]:
    """Return the cards that two owners had, each with the version at which the second got it.

    Only events before `end_version` count; None = the whole hand.
    """
    owners: dict[str, str] = {}
    repeat_versions: dict[str, int] = {}
    for version, event in hand.events_before(end_version, HoleCardsDealt, CardsShown, BoardDealt):
        owner = "board" if isinstance(event, BoardDealt) else f"seat {event.seat}"
        for card in split_cards(event.cards):
            if "?" not in card and "{" not in card and owners.setdefault(card, owner) != owner:
                repeat_versions.setdefault(card, version)
    return repeat_versions
