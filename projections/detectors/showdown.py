"""The showdown and the award: who must show, who may be paid, and on which cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from ledger.hand.betting import Declared, HandKilled, HandRetrieved
from ledger.hand.ending import BoardPlayDeclared, CardsMucked, CardsShown, CardsTurnedDown, PotAwarded, ShowdownBegun
from ledger.hand.pots import pots
from ledger.vocabulary import Seat, Witness
from projections.detectors.shared.awards import (
    find_awards,
    has_known_cards,
    has_low,
    plays_board,
    wins_with_any_hole_cards,
)
from projections.findings.detector import SIGNS_ONLY, Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import showdown as say
from projections.timeline.chip_flows import Money, balanced, paid_instead, split
from projections.timeline.hand_timeline import Timeline

_SHOWDOWN_WITNESS = Witness.AWARDS | Witness.SHOWDOWN | Witness.ACTS

_BOARD_PAYMENT_UNKNOWN: Final = "whether it was the board that was paid"


@hand_detector(events=(PotAwarded,), needs=_SHOWDOWN_WITNESS, signs=Symptom.SHOWDOWN, occasion=SIGNS_ONLY)
def hole_use(hand: Timeline, *, hole: int) -> Iterator[Answer]:
    """A pot went to a hand that wins only by another number of hole cards than the game asks."""
    expected_awards = find_awards(hand) if hand.is_contested else None
    if expected_awards is None:
        yield NO_OCCASION
    elif isinstance(expected_awards, CannotTell):
        yield expected_awards
    else:
        high = {event.seat for _, event in hand.of(PotAwarded) if event.half != "low"}
        for seat, (due, paid_amount, version) in expected_awards.items():
            if paid_amount and not due and seat in high and wins_with_any_hole_cards(hand, seat):
                yield Breach(
                    version,
                    say.paid_on_wrong_count(seat, hand.format_chips(paid_amount), hole),
                    seat=seat,
                    should=say.exact_hole_cards(hole),
                    money=split((payee, award.due, award.paid) for payee, award in expected_awards.items()),
                )


@hand_detector(events=(PotAwarded,), needs=_SHOWDOWN_WITNESS, signs=Symptom.SHOWDOWN, occasion=SIGNS_ONLY)
def low_qualifier(hand: Timeline, *, rank: int) -> Iterator[Answer]:
    """A low half went to a hand that has no low of this rank or better."""
    lows = [(v, e) for v, e in hand.of(PotAwarded) if e.half == "low" and e.amount]
    stated_rank = hand.option("low-qualifier")
    if not lows or not hand.is_contested or (stated_rank is not None and stated_rank != rank):
        yield NO_OCCASION
        return
    for version, event in lows:
        low = has_low(hand, event.seat)
        if low is None:
            yield CannotTell("the cards of a hand that was paid")
        elif not low:
            yield Breach(
                version,
                say.paid_for_low(event.seat, hand.format_chips(event.amount)),
                seat=event.seat,
                should=say.low_of(rank),
                money=_compute_money_to_high(hand, event),
            )


def _compute_money_to_high(hand: Timeline, low: PotAwarded) -> Money:
    """Return what it moved that a low half was paid: it was the high hand's, if there was one."""
    high = {
        event.seat
        for _, event in hand.of(PotAwarded)
        if event.amount and event.half == "high" and (event.pot, event.run) == (low.pot, low.run)
    }
    return balanced({low.seat: low.amount, min(high): -low.amount}) if len(high) == 1 and low.seat not in high else ()


@hand_detector(
    events=(PotAwarded,),
    needs=_SHOWDOWN_WITNESS | Witness.BOARD_PLAYS,
    signs=Symptom.LET_GO,
    occasion=Symptom.CONTESTED,
    deadline="after_hand",
)
def board_play(hand: Timeline, *, manners: list[str], unsaid: list[str] | None = None) -> Iterator[Answer]:
    """A seat was paid on the board although it let go of its cards without declaring it first, or declared it in vain."""
    if not hand.is_contested:
        yield NO_OCCASION
        return
    yield from _judge_denied_board_plays(hand, manners)
    for seat, version in _find_paid_seats(hand).items():
        muck_version = _find_muck_version(hand, seat, version)
        by_board = False if muck_version is None else _is_paid_on_board(hand, seat, muck_version)
        if muck_version is None or by_board is False:
            continue
        declared_manners = [
            event.manner
            for declared_at, event in _list_board_plays(hand)
            if event.seat == seat and declared_at < muck_version
        ]
        if any(manner in manners for manner in declared_manners):
            continue
        doubt = _describe_declaration_doubt(declared_manners, unsaid or [], board_is_sure=by_board is not None)
        yield (
            CannotTell(doubt)
            if doubt
            else Breach(
                version,
                say.paid_without_declaring_board(seat),
                seat=seat,
                should=say.no_share(),
                remedy="not-followed",
                other_events=((muck_version, say.let_go_note()),),
                money=paid_instead(hand, seat),
            )
        )


def _find_paid_seats(hand: Timeline) -> dict[Seat, int]:
    """Return the seats that were paid and kept something, each with its first award."""
    awarded = hand.played.final.chips.awarded
    paid: dict[Seat, int] = {}
    for version, event in hand.of(PotAwarded):
        if event.amount and awarded.get(event.seat, 0) > 0:
            paid.setdefault(event.seat, version)
    return paid


def _find_muck_version(hand: Timeline, seat: Seat, limit: int) -> int | None:
    """Return where a seat let go of its cards at the showdown, before this event.

    A hand that had been shown was read, and turning it down afterwards loses nothing; only to play
    the board cards must be kept, or the board declared.
    """
    let_go_at = hand.find_muck(seat, limit)
    if let_go_at is None and plays_board(hand, seat):
        let_go_at = next((version for version, _ in hand.events_before(limit, CardsMucked, seat=seat)), None)
    return let_go_at


def _is_paid_on_board(hand: Timeline, seat: Seat, muck_version: int) -> bool | None:
    """Whether a seat that let go of its cards was paid on the board; None = nobody can tell.

    Not where no other hand was left, or it got its own back; nor where its hand, or that of a rival, beats the board.
    """
    if _is_last_hand(hand, seat, muck_version) or hand.events_after(muck_version, HandRetrieved, seat=seat):
        return False
    if has_known_cards(hand, seat):
        return plays_board(hand, seat)
    rivals = [opponent for opponent in hand.played.final.live if opponent != seat and has_known_cards(hand, opponent)]
    if not rivals:
        return None
    if not all(plays_board(hand, opponent) for opponent in rivals):
        return False
    return True if len(_find_paid_seats(hand)) > 1 else None


def _is_last_hand(hand: Timeline, seat: Seat, limit: int) -> bool:
    """Whether all the others had let go of their hands before an event, or had lost them."""
    return all(
        hand.events_before(limit, CardsMucked, HandKilled, seat=opponent) for opponent in _find_opponents(hand, seat)
    )


def _find_opponents(hand: Timeline, seat: Seat) -> AbstractSet[Seat]:
    return (hand.betting_end.live_seats if hand.betting_end is not None else frozenset(hand.played.final.live)) - {seat}


def _list_board_plays(hand: Timeline) -> list[tuple[int, BoardPlayDeclared]]:
    """Return where a seat made known that its hand is the board, also as a word that was declared: `2 says board`."""
    spoken_plays = [
        (version, BoardPlayDeclared(declared.seat, declared.manner))
        for version, declared in hand.of(Declared)
        if declared.what == "board"
    ]
    return sorted([*hand.of(BoardPlayDeclared), *spoken_plays], key=lambda board_play: board_play[0])


def _describe_declaration_doubt(manners: Sequence[str], unsaid: Sequence[str], *, board_is_sure: bool) -> str:
    """Return what is unknown of how a seat declared the board; "" = nothing."""
    if "unknown" in manners:
        return "how the board was declared"
    if any(manner in unsaid for manner in manners):
        return f"the book does not say whether a {manners[0]} declares"
    return "" if board_is_sure else _BOARD_PAYMENT_UNKNOWN


def _judge_denied_board_plays(hand: Timeline, manners: list[str]) -> Iterator[Answer]:
    """Yield where a seat that declared the board, then let go of its cards, was paid nothing though nobody beat the board."""
    paid = _find_paid_seats(hand)
    for declared_at, event in _list_board_plays(hand):
        seat = event.seat
        let_go_at = hand.find_muck(seat)
        if event.manner not in manners or let_go_at is None or let_go_at < declared_at or seat in paid or not paid:
            continue
        if hand.find_kill(seat) is not None or hand.betting_end is None or seat not in hand.betting_end.live_seats:
            continue
        if not all(has_known_cards(hand, paid_seat) for paid_seat in paid):
            yield CannotTell("the cards of a hand that was paid")
        elif all(plays_board(hand, paid_seat) for paid_seat in paid):
            yield Breach(
                min(paid.values()),
                say.declared_board_and_unpaid(seat),
                seat=seat,
                should=say.share_of_board(),
                remedy="not-followed",
                other_events=((declared_at, say.declared_board_note()), (let_go_at, say.let_go_note())),
            )


@hand_detector(events=(BoardPlayDeclared,), needs=_SHOWDOWN_WITNESS)
def paid_on_declaration(hand: Timeline, *, manners: list[str]) -> Iterator[Answer]:
    """A seat without cards was paid because it had declared the board before it let go of them."""
    paid = _find_paid_seats(hand)
    for declared_at, event in hand.of(BoardPlayDeclared):
        version = paid.get(event.seat)
        if version is None or not hand.is_contested or event.manner not in manners:
            continue
        mucks = hand.events_after(declared_at, CardsMucked, seat=event.seat, before_version=version)
        if mucks and not _is_last_hand(hand, event.seat, mucks[0][0]):
            yield Breach(
                version,
                say.paid_on_declaration(event.seat),
                seat=event.seat,
                should=say.declaration_is_void(),
                remedy="not-followed",
                money=paid_instead(hand, event.seat),
                other_events=((declared_at, say.declared_board_note()),),
            )


@hand_detector(events=(PotAwarded,), needs=_SHOWDOWN_WITNESS, signs=Symptom.LET_GO, occasion=Symptom.CONTESTED)
def paid_without_cards(hand: Timeline) -> Iterator[Answer]:
    """A seat was paid at the showdown after it had let go of its cards or its hand was killed."""
    if not hand.is_contested:
        yield NO_OCCASION
        return
    for seat, version in _find_paid_seats(hand).items():
        lost_at = _find_hand_loss(hand, seat, version)
        mucked = any(v == lost_at for v, _ in hand.of(CardsMucked))
        declared = any(event.seat == seat for _, event in _list_board_plays(hand))
        by_board = _is_paid_on_board(hand, seat, lost_at) if mucked else True
        if by_board is None and declared:
            by_board = True
        if by_board is None:
            yield CannotTell(_BOARD_PAYMENT_UNKNOWN)
        elif lost_at and by_board and not hand.events_after(lost_at, HandRetrieved, seat=seat):
            yield Breach(
                version,
                say.paid_without_cards(seat),
                seat=seat,
                should=say.no_share(),
                remedy="not-followed",
                other_events=((lost_at, say.no_cards_note()),),
                money=paid_instead(hand, seat),
            )


def _find_hand_loss(hand: Timeline, seat: Seat, limit: int) -> int:
    """Return since when a seat had no hand any more, before this event; 0 = it had one.

    A shown hand that was cleared away as one that lost had been read before: it was no ruling.
    """
    read = hand.has_tabled(seat, limit) and not plays_board(hand, seat)
    kills = [
        version
        for version, kill in hand.events_before(limit, HandKilled, seat=seat)
        if kill.reason != "lost" or not read
    ]
    muck_version = _find_muck_version(hand, seat, limit)
    mucks = (
        [] if muck_version is None else [version for version, _ in hand.events_before(limit, CardsMucked, seat=seat)]
    )
    return max(kills + mucks, default=0)


@hand_detector(
    events=(PotAwarded,), needs=_SHOWDOWN_WITNESS, signs=Symptom.UNSHOWN | Symptom.DUPLICATE, occasion=Symptom.CONTESTED
)
def cards_not_shown(hand: Timeline, *, cards: int) -> Iterator[Answer]:
    """A contested pot went to a hand of which not all hole cards had been shown."""
    if not hand.is_contested or hand.agreed("chop-blinds"):
        yield NO_OCCASION
        return
    if not hand.of(ShowdownBegun, CardsShown, CardsMucked) and not hand.is_witnessed(Witness.HAND_KILLS):
        yield CannotTell("how the other hands left the pot")  # a fold is not told
        return
    for seat, version in _find_paid_seats(hand).items():
        shown_cards, let_go_at = hand.shown_cards(seat, version), hand.find_muck(seat, version)
        is_last = _is_last_unmucked(hand, seat, version)
        if is_last and not shown_cards:
            continue  # nobody else has a hand that was shown: the last one wins unshown
        if len(shown_cards) < cards and (let_go_at is None or not _is_paid_on_board(hand, seat, let_go_at)):
            yield _build_unshown_breach(hand, seat, version, cards, is_last=is_last)


def _is_last_unmucked(hand: Timeline, seat: Seat, limit: int) -> bool:
    """Whether all the others had thrown their cards away before an event, or were killed unshown by a rule."""
    return all(
        hand.events_before(limit, CardsMucked, seat=opponent)
        or (hand.find_kill(opponent, before_version=limit) and not hand.shown_cards(opponent, limit))
        for opponent in _find_opponents(hand, seat)
    )


def _build_unshown_breach(hand: Timeline, seat: Seat, version: int, cards: int, *, is_last: bool) -> Breach:
    money = _compute_money_to_rival(hand, seat, cards)
    rivals = [rival for rival, chips in money if chips < 0]
    return Breach(
        version,
        say.paid_unshown(seat, len(hand.shown_cards(seat, version))),
        seat=seat,
        should=say.show_to_win_or_lose_to(cards, rivals) if rivals else say.show_to_win(cards),
        because=say.last_hand_may_win_unshown() if is_last else "",
        certainty="likely" if is_last else "certain",
        remedy="not-followed",
        money=money,
    )


def _compute_money_to_rival(hand: Timeline, seat: Seat, cards: int) -> Money:
    """Return what it moved that a seat was paid: the pot was its only rival's, who showed all cards."""
    money = paid_instead(hand, seat)
    rival = next((payee for payee, _ in money if payee != seat), None)
    return money if rival is not None and len(hand.shown_cards(rival)) >= cards else ()


@hand_detector(
    events=(PotAwarded,),
    needs=_SHOWDOWN_WITNESS | Witness.HAND_KILLS,
    signs=Symptom.SHOWDOWN,
    occasion=SIGNS_ONLY,
    deadline="after_hand",
)
def loser_not_killed(hand: Timeline) -> Iterator[Answer]:
    """A pot was awarded while a losing hand at the showdown had not been killed."""
    if not hand.is_contested or hand.betting_end is None:
        yield NO_OCCASION
        return
    paid = _find_paid_seats(hand)
    first = min(paid.values(), default=0)
    losing_seats = [
        seat
        for seat in sorted(hand.betting_end.live_seats - paid.keys() - _find_winners(hand))
        if first and not hand.events_before(first, HandKilled, CardsMucked, seat=seat)
    ]
    awarded_at, losing_seats = (first, losing_seats) if losing_seats else _find_late_losers(hand)
    if losing_seats:
        yield Breach(
            awarded_at,
            say.losing_hands_not_killed(losing_seats),
            seat=losing_seats[0],
            should=say.losing_hands_killed_first(losing_seats),
        )
    elif (
        len(paid) > 1
        and len(pots(hand.played.final)) > 1
        and any(event.pot is None for _, event in hand.of(PotAwarded))
    ):
        yield CannotTell("which pot was paid")  # who won only a side pot lost the main one


def _find_winners(hand: Timeline) -> set[Seat]:
    """Return the seats that win a pot by the cards on record: that they were not paid is another wrong."""
    expected_awards = find_awards(hand)
    return (
        {seat for seat, (due, _, _) in expected_awards.items() if due} if isinstance(expected_awards, dict) else set()
    )


def _find_late_losers(hand: Timeline) -> tuple[int, list[Seat]]:
    """Return the award of a pot while hands lay there that had won side pots above it, and lost it."""
    awards = [(version, event) for version, event in hand.of(PotAwarded) if event.amount]
    if any(event.pot is None or (event.run, event.board) != (1, 1) for _, event in awards):
        return 0, []  # which pot was paid is not told, or another board is yet to be paid
    won: dict[Seat, list[tuple[int, int]]] = {}
    for version, event in awards:
        won.setdefault(event.seat, []).append((event.pot or 0, version))
    for version, event in awards:
        losing_seats = [
            seat
            for seat, won_pots in sorted(won.items())
            if _has_won_only_above(won_pots, event.pot or 0, version)
            and not hand.events_before(version, HandKilled, CardsMucked, seat=seat)
        ]
        if losing_seats:
            return version, losing_seats
    return 0, []


def _has_won_only_above(won_pots: list[tuple[int, int]], pot: int, version: int) -> bool:
    """Whether all pots that a seat won are side pots above a pot, and were paid before it."""
    return all(won_pot > pot and paid_at < version for won_pot, paid_at in won_pots)


@hand_detector(
    events=(PotAwarded,), needs=_SHOWDOWN_WITNESS | Witness.HAND_KILLS, signs=Symptom.SHOWDOWN, occasion=SIGNS_ONLY
)
def winner_turned_down(hand: Timeline) -> Iterator[Answer]:
    """The winning hand was turned down before the pot was pushed."""
    if not hand.is_contested:
        yield NO_OCCASION
        return
    for seat, version in _find_paid_seats(hand).items():
        turn_downs = hand.events_before(version, CardsTurnedDown, seat=seat)
        turn_downs += [
            (v, event) for v, event in hand.events_before(version, CardsMucked, seat=seat) if hand.has_tabled(seat, v)
        ]
        for mucked_at, _ in sorted(turn_downs)[:1]:
            yield Breach(
                mucked_at,
                say.winner_turned_down(seat),
                seat=seat,
                should=say.face_up_until_pushed(),
                other_events=((version, say.paid_note()),),
            )
