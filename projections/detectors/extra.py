"""Extra cards and wrong numbers of cards."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.betting import ChipsReturned, HandKilled
from ledger.hand.dealing import (
    CardReturned,
    DealCompleted,
    ErrorNoticed,
    ExtraCardDealt,
    MisdealDeclared,
    WrongCountFound,
)
from ledger.hand.ending import HandVoided
from ledger.hand.opening import PostReturned
from ledger.vocabulary import Seat, Witness
from projections.course import Course
from projections.deckorder import dealt, listed
from projections.detector import detects
from projections.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.money import refunded


def _misdeal(hand: Course) -> int | None:
    return next((v for v, _ in hand.of(MisdealDeclared)), None)


@detects(on=(ExtraCardDealt,), needs=Witness.DEAL_ERRORS | Witness.BUTTON)
def first_player(hand: Course) -> Iterator[Answer]:
    """One extra card to the first player did not go back to become the burn card."""
    extra = hand.of(ExtraCardDealt)
    if len(extra) != 1 or hand.button is None:
        yield NO_OCCASION
        return
    version, event = extra[0]
    complete = next((v for v, _ in hand.of(DealCompleted)), 0)
    if event.seat != hand.after(hand.button)[0] or version < complete:
        yield CannotTell("the book speaks only of the first player, after all hands are complete")
        return
    misdeal = _misdeal(hand)
    if misdeal is not None:
        yield Breach(misdeal, "a misdeal was declared for one extra card", seat=event.seat, remedy="not-followed",
                     should="the card goes back and becomes the burn", beside=((version, "extra card"),))  # fmt: skip
        return
    back = [v for v, r in hand.of(CardReturned) if v > version and r.source in ("extra", "unknown")]
    if not back:
        yield Breach(version, f"seat {event.seat} kept an extra card", seat=event.seat,
                     should="the card goes back", remedy="not-followed")  # fmt: skip
        return
    flop = next((deal for deal in hand.deals if deal.street == "flop"), None)
    if flop is None:
        return
    if not hand.witnessed(Witness.BURNS):
        yield CannotTell("burns")
        return
    burn = flop.burns[0][1] if flop.burns else None
    own = burn is not None and (
        burn.source in ("extra-card", "returned-card")
        or (burn.card == event.card and "?" not in event.card)
    )
    if not own or len(flop.burns) > 1:
        yield Breach(
            flop.burns[-1][0] if flop.burns else flop.version, "another card than the extra one was burned before the flop",
            should="the extra card as the only burn", remedy="not-followed", beside=((version, "extra card"),),
        )  # fmt: skip
        return
    cards = dealt(flop)
    due = tuple(range(event.deck + 1, event.deck + 4))
    if event.deck and cards is not None and cards != due:
        yield Breach(flop.version, f"after the extra card the flop is {listed(cards)} of the deck", remedy="not-followed",
                     should=f"{listed(due)}: the burn leaves the flop as it was", beside=((version, "extra card"),))  # fmt: skip


@detects(on=(ExtraCardDealt,), needs=Witness.DEAL_ERRORS)
def several(hand: Course, *, count: int) -> Iterator[Answer]:
    """So many extra cards were dealt and no misdeal was declared."""
    extra = hand.of(ExtraCardDealt)
    if len(extra) < count:
        yield NO_OCCASION
    elif not _misdeal(hand):
        yield Breach(extra[count - 1][0], f"{len(extra)} extra cards were dealt and the deal went on",
                     seat=extra[count - 1][1].seat, should="a misdeal", remedy="not-followed")  # fmt: skip


def _noticed(hand: Course) -> list[tuple[int, Seat, int | None]]:
    """Return for each wrong count: where it shows, whose, and when it was noticed (None: unknown)."""
    found: list[tuple[int, Seat, int | None]] = []
    when = [v for v, e in hand.of(ErrorNoticed) if e.kind in ("extra-card", "wrong-count")]
    when += [v for v, r in hand.of(CardReturned) if r.source == "extra"]
    when += [v for v, _ in hand.of(WrongCountFound)]
    for version, event in hand.of(ExtraCardDealt, WrongCountFound):
        if any(seat == event.seat for _, seat, _ in found):
            continue
        found.append((version, event.seat, min((v for v in when if v >= version), default=None)))
    return found


@detects(on=(WrongCountFound, ExtraCardDealt), needs=Witness.DEAL_ERRORS | Witness.ACTS)
def wrong_count_early(hand: Course, *, acted: int) -> Iterator[Answer]:
    """A wrong number of cards was found before this many players had acted, without a misdeal."""
    counts = _noticed(hand)
    occasion = False
    for version, seat, when in counts:
        if when is None:
            occasion = True
            yield CannotTell("errors-noticed")
        elif len({a.seat for a in hand.acts if a.version < when}) < acted:
            occasion = True
            if not _misdeal(hand):
                yield Breach(
                    when, f"seat {seat} had a wrong number of cards, found in time, and the deal went on", seat=seat,
                    should="a misdeal", remedy="not-followed", beside=((version, "wrong number of cards"),) if version != when else (),
                )  # fmt: skip
                return
    if not occasion:
        yield NO_OCCASION


@detects(on=(WrongCountFound, ExtraCardDealt), needs=Witness.DEAL_ERRORS | Witness.ACTS)
def wrong_count_late(hand: Course, *, acted: int) -> Iterator[Answer]:
    """A wrong number of cards was found after this many had acted, and its seat did not forfeit."""
    occasion = False
    for _, seat, when in _noticed(hand):
        if when is None:
            occasion = True
            yield CannotTell("errors-noticed")
            continue
        if len({a.seat for a in hand.acts if a.version < when}) < acted:
            continue
        occasion = True
        back = [v for v, e in hand.of(ChipsReturned, PostReturned) if e.seat == seat and v > when]
        back += [v for v, _ in hand.of(HandVoided)]
        misdeal = _misdeal(hand)
        killed = any(k.seat == seat and v >= when for v, k in hand.of(HandKilled))
        at, saw = when, ""
        if misdeal:
            at, saw = misdeal, "a misdeal was declared after two players had acted"
        elif back:
            at, saw = back[0], f"seat {seat} got money back"
        elif not killed:
            saw = f"seat {seat} played on with a wrong number of cards"
        if saw:
            yield Breach(at, saw, seat=seat, should=f"seat {seat} forfeits what it put in",
                         money=refunded(hand, seat, when), remedy="not-followed")  # fmt: skip
    if not occasion:
        yield NO_OCCASION
