"""Extra cards and wrong numbers of cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ledger.hand.betting import ChipsReturned, Folded, HandKilled
from ledger.hand.dealing import (
    CardReturned,
    DealCompleted,
    ErrorNoticed,
    ExtraCardDealt,
    HoleCardsDealt,
    WrongCountFound,
)
from ledger.hand.ending import HandVoided
from ledger.hand.holdings import count
from ledger.hand.opening import PostReturned
from ledger.vocabulary import Seat, Witness
from projections.detectors.shared.deal_counts import found_by_word
from projections.detectors.shared.deck_order import shifted_flop
from projections.findings.detector import detects
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.timeline.chip_flows import refunded
from projections.timeline.hand_timeline import NEVER, Timeline


def _misdeal(hand: Timeline, since: int) -> int:
    """Return where a misdeal was declared after an event; 0 = none was."""
    return next((version for version, _ in hand.misdeals() if version > since), 0)


def _surplus(hand: Timeline, since: int = 0, before: int | None = None) -> list[tuple[int, Seat]]:
    """Return each extra card with its seat: as it was dealt, or as the cards of a seat were counted."""
    extra = [(version, event.seat) for version, event in hand.since(since, ExtraCardDealt, before=before)]
    if hand.variant is not None:
        for version, event in hand.since(since, WrongCountFound, before=before):
            over = event.count - hand.variant.hole_cards - sum(seat == event.seat for _, seat in extra)
            extra += [(version, event.seat)] * max(0, over)
    return sorted(extra)


@detects(on=(ExtraCardDealt, WrongCountFound), needs=Witness.DEAL_ERRORS | Witness.BUTTON, mendable=True)
def first_player(hand: Timeline) -> Iterator[Answer]:
    """One extra card to the first player did not go back to become the burn card."""
    extra = hand.of(ExtraCardDealt)
    if not extra and len(_surplus(hand)) == 1:
        yield CannotTell(
            "when the extra card was dealt: the book speaks of one that came after all hands were complete"
        )
        return
    if len(extra) != 1 or hand.button is None:
        yield NO_OCCASION
        return
    ((version, event),) = extra
    early = hand.of(DealCompleted) and not hand.complete(version) and not _all_dealt(hand, version, event)
    if event.seat != hand.after(hand.button)[0] or early:
        yield CannotTell("the book speaks only of the first player, after all hands are complete")
        return
    misdeal = _misdeal(hand, version)
    back = [v for v, r in hand.since(version, CardReturned) if r.source in ("extra", "unknown")]
    if misdeal:
        yield Breach(
            misdeal,
            "a misdeal was declared for one extra card",
            seat=event.seat,
            remedy="not-followed",
            should="the card goes back and becomes the burn",
            beside=((version, "extra card"),),
        )
    elif not back:
        yield Breach(
            version,
            f"seat {event.seat} kept an extra card",
            seat=event.seat,
            should="the card goes back",
            remedy="not-followed",
        )
    else:
        yield from _burned(hand, version, event)


def _all_dealt(hand: Timeline, version: int, event: ExtraCardDealt) -> bool:
    """Whether everybody had all cards before an extra one came: by what was dealt, or by its place in the deck."""
    if hand.variant is None:
        return False
    due = hand.variant.hole_cards
    held = dict.fromkeys(hand.start, 0)
    for _, dealt in hand.upto(version, HoleCardsDealt):
        held[dealt.seat] = held.get(dealt.seat, 0) + count(dealt.cards)
    return event.deck > due * len(hand.start) or min(held.values(), default=0) >= due


def _burned(hand: Timeline, version: int, event: ExtraCardDealt) -> Iterator[Answer]:
    """Yield where the returned card is not the flop's burn, or the flop after it is another than by nature."""
    flop = next((deal for deal in hand.deals if deal.street == "flop"), None)
    if flop is None:
        return
    if not hand.witnessed(Witness.BURNS):
        yield CannotTell("burns")
        return
    own = [
        when
        for when, card in flop.burns
        if card.source in ("extra-card", "returned-card")
        or card.deck == event.deck != 0
        or (card.card == event.card and "?" not in event.card)
    ]
    others = [when for when, _ in flop.burns if when not in own[:1]]
    shifted = shifted_flop(flop, event.deck + 1 if event.deck else None)
    beside = ((version, "extra card"),)
    if others or not own:
        yield Breach(
            others[-1] if others else flop.version,
            "another card than the extra one was burned before the flop",
            should="the extra card as the only burn",
            remedy="not-followed",
            beside=beside,
        )
    elif shifted is not None:
        yield Breach(
            flop.version,
            f"after the extra card the flop is {shifted[0]} of the deck",
            remedy="not-followed",
            should=f"{shifted[1]}: the burn leaves the flop as it was",
            beside=beside,
        )


@detects(on=(ExtraCardDealt, WrongCountFound), needs=Witness.DEAL_ERRORS, mendable=True)
def several(hand: Timeline, *, count: int) -> Iterator[Answer]:
    """So many extra cards were dealt and no misdeal was declared."""
    ends = [0, *(version for version, _ in hand.misdeals()), NEVER]
    deals = [_surplus(hand, start, end) for start, end in pairwise(ends)]
    extra = next((one for one in deals if len(one) >= count), [])
    if not extra:
        yield NO_OCCASION
    elif not _misdeal(hand, extra[count - 1][0]):
        version, seat = extra[count - 1]
        yield Breach(
            version,
            f"{len(extra)} extra cards were dealt and the deal went on",
            seat=seat,
            should="a misdeal",
            remedy="not-followed",
        )


class _Wrong(NamedTuple):
    """A seat with a wrong number of cards."""

    version: int  # where it shows
    seat: Seat
    noticed: int | None  # None: the record does not say when
    acted: int  # seats that had acted by then


def _noticed(hand: Timeline) -> list[_Wrong]:
    """Return each seat with a wrong number of cards."""
    when = [v for v, e in hand.of(ErrorNoticed) if e.kind in ("extra-card", "wrong-count")]
    when += [v for v, r in hand.of(CardReturned) if r.source == "extra"]
    when += [v for v, _ in hand.of(WrongCountFound)]
    found: dict[Seat, _Wrong] = {}
    told = [(v, event.seat) for v, event in hand.of(ExtraCardDealt, WrongCountFound)]
    for version, seat in told + found_by_word(hand):
        noticed = min((v for v in when if v >= version), default=None)
        acted = {act.seat for act in hand.acts_before(noticed or 0)}
        found.setdefault(seat, _Wrong(version, seat, noticed, len(acted)))
    return list(found.values())


@detects(on=(WrongCountFound, ExtraCardDealt, ErrorNoticed), needs=Witness.DEAL_ERRORS | Witness.ACTS, mendable=True)
def wrong_count_early(hand: Timeline, *, acted: int) -> Iterator[Answer]:
    """A wrong number of cards was found before this many players had acted, without a misdeal."""
    wrong = _noticed(hand)
    early = [one for one in wrong if one.noticed is not None and one.acted < acted]
    if any(one.noticed is None for one in wrong):
        yield CannotTell("errors-noticed")
    elif not early:
        yield NO_OCCASION
    for one in [one for one in early if not _misdeal(hand, one.version)][:1]:
        beside = ((one.version, "wrong number of cards"),) if one.version != one.noticed else ()
        yield Breach(
            one.noticed or one.version,
            f"seat {one.seat} had a wrong number of cards, found in time, and the deal went on",
            seat=one.seat,
            should="a misdeal",
            remedy="not-followed",
            beside=beside,
        )


@detects(on=(WrongCountFound, ExtraCardDealt, ErrorNoticed), needs=Witness.DEAL_ERRORS | Witness.ACTS, mendable=True)
def wrong_count_late(hand: Timeline, *, acted: int) -> Iterator[Answer]:
    """A wrong number of cards was found after this many had acted, and its seat did not forfeit."""
    wrong = _noticed(hand)
    late = [one for one in wrong if one.noticed is not None and one.acted >= acted]
    if any(one.noticed is None for one in wrong):
        yield CannotTell("errors-noticed")
    elif not late:
        yield NO_OCCASION
    for one in late:
        at, saw = _spared(hand, one)
        if saw:
            yield Breach(
                at,
                saw,
                seat=one.seat,
                should=f"seat {one.seat} forfeits what it put in",
                money=refunded(hand, one.seat, one.noticed or 0),
                remedy="not-followed",
            )


def _spared(hand: Timeline, one: _Wrong) -> tuple[int, str]:
    """Return where and how a seat did not forfeit; "" = it did."""
    when = one.noticed or one.version
    given = hand.since(when, ChipsReturned, PostReturned, seat=one.seat)
    back = next((got for got in given if not _change(got[1])), None) or hand.nearest(0, HandVoided)
    if misdeal := _misdeal(hand, one.version):
        return misdeal, "a misdeal was declared after two players had acted"
    if back is not None:
        return back[0], f"seat {one.seat} got money back"
    if hand.upto(when, Folded, HandKilled, seat=one.seat) or hand.killed(one.seat, when) is not None:
        return when, ""
    return when, f"seat {one.seat} played on with a wrong number of cards"


def _change(event: object) -> bool:
    """Whether chips came back that never were part of the bet."""
    return isinstance(event, ChipsReturned) and event.reason == "change"
