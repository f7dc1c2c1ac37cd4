"""The showdown and the award: who must show, who may be paid, and on which cards.

Each public function is a detector; its docstring states the breach. To play the board, a player must keep the
cards or declare it before mucking them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from ledger.hand.betting import Declared, HandKilled, HandRetrieved
from ledger.hand.ending import BoardPlayDeclared, CardsMucked, CardsShown, CardsTurnedDown, PotAwarded, ShowdownBegun
from ledger.hand.pots import pots
from ledger.text.language import translatable
from ledger.vocabulary import Seat, Witness
from projections.detectors.shared.awards import find_awards
from projections.detectors.shared.showdown_hands import has_known_cards, has_low, plays_board, wins_with_any_hole_cards
from projections.findings.detector import SIGNS_ONLY, Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import showdown as say
from projections.timeline.chip_flows import Money, build_flow, build_payment_flow, build_split_flow
from projections.timeline.hand_timeline import Timeline

_SHOWDOWN_WITNESS: Final = Witness.AWARDS | Witness.SHOWDOWN | Witness.ACTS
_BOARD_PAYMENT_UNKNOWN: Final = translatable("whether the pot was paid on the board")
_UNSAID_MANNERS: Final = {
    "words": translatable("the book does not say whether words declare"),
    "gesture": translatable("the book does not say whether a gesture declares"),
}


@hand_detector(events=(PotAwarded,), needs=_SHOWDOWN_WITNESS, signs=Symptom.SHOWDOWN, occasion=SIGNS_ONLY)
def hole_use(hand: Timeline, *, hole: int) -> Iterator[Answer]:
    """A pot went to a hand that wins only with a different number of hole cards than the game asks for."""
    expected_awards = find_awards(hand) if hand.is_contested else None
    if expected_awards is None:
        yield NO_OCCASION
    elif isinstance(expected_awards, CannotTell):
        yield expected_awards
    else:
        high_seats = {event.seat for _, event in hand.of(PotAwarded) if event.half != "low"}
        for seat, (due, paid_amount, version) in expected_awards.items():
            if paid_amount and not due and seat in high_seats and wins_with_any_hole_cards(hand, seat):
                yield Breach(
                    version,
                    say.paid_on_wrong_count(seat, hand.format_chips(paid_amount), hole),
                    seat=seat,
                    should=say.exact_hole_cards(hole),
                    money=build_split_flow((payee, award.due, award.paid) for payee, award in expected_awards.items()),
                )


@hand_detector(events=(PotAwarded,), needs=_SHOWDOWN_WITNESS, signs=Symptom.SHOWDOWN, occasion=SIGNS_ONLY)
def low_qualifier(hand: Timeline, *, rank: int) -> Iterator[Answer]:
    """A low half went to a hand that has no low of this rank or better."""
    low_awards = [(version, event) for version, event in hand.of(PotAwarded) if event.half == "low" and event.amount]
    stated_rank = hand.option("low-qualifier")
    if not low_awards or not hand.is_contested or (stated_rank is not None and stated_rank != rank):
        yield NO_OCCASION
        return
    for version, event in low_awards:
        is_low = has_low(hand, event.seat)
        if is_low is None:
            yield CannotTell(translatable("the cards of a hand that was paid"))
        elif not is_low:
            yield Breach(
                version,
                say.paid_for_low(event.seat, hand.format_chips(event.amount)),
                seat=event.seat,
                should=say.low_of(rank),
                money=_compute_money_to_high(hand, event),
            )


def _compute_money_to_high(hand: Timeline, low_award: PotAwarded) -> Money:
    """Return the chips that a wrong low award moved: they belong to the high hand; () unless there is just one."""
    high_seats = {
        event.seat
        for _, event in hand.of(PotAwarded)
        if event.amount and event.half == "high" and (event.pot, event.run) == (low_award.pot, low_award.run)
    }
    if len(high_seats) != 1 or low_award.seat in high_seats:
        return ()
    return build_flow({low_award.seat: low_award.amount, min(high_seats): -low_award.amount})


@hand_detector(
    events=(PotAwarded,),
    needs=_SHOWDOWN_WITNESS | Witness.BOARD_PLAYS,
    signs=Symptom.LET_GO,
    occasion=Symptom.CONTESTED,
    deadline="after_hand",
)
def board_play(hand: Timeline, *, manners: list[str], unsaid: list[str] | None = None) -> Iterator[Answer]:
    """A seat was paid on the board though it mucked without declaring it first, or declared it and got nothing."""
    if not hand.is_contested:
        yield NO_OCCASION
        return
    yield from _judge_denied_board_plays(hand, manners)
    for seat, version in _find_paid_seats(hand).items():
        muck_version = _find_muck_version(hand, seat, version)
        is_on_board = False if muck_version is None else _is_paid_on_board(hand, seat, muck_version)
        if muck_version is None or is_on_board is False:
            continue
        declared_manners = [
            event.manner
            for declared_version, event in _list_board_plays(hand)
            if event.seat == seat and declared_version < muck_version
        ]
        if any(manner in manners for manner in declared_manners):
            continue
        if doubt := _describe_declaration_doubt(declared_manners, unsaid or [], is_board_sure=is_on_board is not None):
            yield CannotTell(doubt)
            continue
        yield Breach(
            version,
            say.paid_without_declaring_board(seat),
            seat=seat,
            should=say.no_share(),
            remedy="not-followed",
            other_events=((muck_version, say.let_go_note()),),
            money=build_payment_flow(hand, seat),
        )


def _find_paid_seats(hand: Timeline) -> dict[Seat, int]:
    """Return the seats that were paid and kept some of it, each with the version of its first award."""
    awarded_chips = hand.played.final_state.chips.awarded
    award_versions: dict[Seat, int] = {}
    for version, event in hand.of(PotAwarded):
        if event.amount and awarded_chips.get(event.seat, 0) > 0:
            award_versions.setdefault(event.seat, version)
    return award_versions


def _find_muck_version(hand: Timeline, seat: Seat, before_version: int) -> int | None:
    """Return the version at which a seat mucked at the showdown, before an event; None = it didn't.

    Mucking a hand that was tabled loses nothing, unless it plays the board.
    """
    muck_version = hand.find_muck(seat, before_version)
    if muck_version is None and plays_board(hand, seat):
        mucks = hand.events_before(before_version, CardsMucked, seat=seat)
        muck_version = next((version for version, _ in mucks), None)
    return muck_version


def _is_paid_on_board(hand: Timeline, seat: Seat, muck_version: int) -> bool | None:
    """Whether a seat that had mucked was paid on the strength of the board; None = nobody can tell.

    It wasn't if no other hand was left, if it retrieved its hand, or if a known hand beats the board.
    """
    if _is_last_hand(hand, seat, muck_version) or hand.events_after(muck_version, HandRetrieved, seat=seat):
        return False
    if has_known_cards(hand, seat):
        return plays_board(hand, seat)
    rivals = [
        opponent for opponent in hand.played.final_state.live if opponent != seat and has_known_cards(hand, opponent)
    ]
    if not rivals:
        return None
    if not all(plays_board(hand, opponent) for opponent in rivals):
        return False
    return True if len(_find_paid_seats(hand)) > 1 else None


def _is_last_hand(hand: Timeline, seat: Seat, before_version: int) -> bool:
    """Whether all opponents had mucked, or their hands had been killed, before an event."""
    return all(
        hand.events_before(before_version, CardsMucked, HandKilled, seat=opponent)
        for opponent in _find_opponents(hand, seat)
    )


def _find_opponents(hand: Timeline, seat: Seat) -> AbstractSet[Seat]:
    """Return the other seats that held a hand when the betting ended, or else at the hand's end."""
    live_seats = frozenset(hand.played.final_state.live) if hand.betting_end is None else hand.betting_end.live_seats
    return live_seats - {seat}


def _list_board_plays(hand: Timeline) -> list[tuple[int, BoardPlayDeclared]]:
    """Return the declarations that a hand plays the board, also those recorded as words (`2 says board`)."""
    spoken_declarations = [
        (version, BoardPlayDeclared(declared.seat, declared.manner))
        for version, declared in hand.of(Declared)
        if declared.what == "board"
    ]
    return sorted([*hand.of(BoardPlayDeclared), *spoken_declarations], key=lambda board_play: board_play[0])


def _describe_declaration_doubt(manners: Sequence[str], unsaid: Sequence[str], *, is_board_sure: bool) -> str:
    """Return what is unknown about a seat's declaration of the board; "" = nothing.

    `unsaid` lists the manners that the book doesn't rule on. `is_board_sure`: the board was certainly what was paid.
    """
    if "unknown" in manners:
        return translatable("how the board was declared")
    if unsaid_manner := next((manner for manner in manners if manner in unsaid), ""):
        return _UNSAID_MANNERS[unsaid_manner]
    return "" if is_board_sure else _BOARD_PAYMENT_UNKNOWN


def _judge_denied_board_plays(hand: Timeline, manners: list[str]) -> Iterator[Answer]:
    """Yield the seats that declared the board before mucking and were paid nothing, though nobody beat the board."""
    award_versions = _find_paid_seats(hand)
    for declared_version, event in _list_board_plays(hand):
        seat, muck_version = event.seat, hand.find_muck(event.seat)
        if event.manner not in manners or muck_version is None or muck_version < declared_version:
            continue
        if not award_versions or seat in award_versions or hand.find_kill(seat) is not None:
            continue
        if hand.betting_end is None or seat not in hand.betting_end.live_seats:
            continue
        if not all(has_known_cards(hand, paid_seat) for paid_seat in award_versions):
            yield CannotTell(translatable("the cards of a hand that was paid"))
        elif all(plays_board(hand, paid_seat) for paid_seat in award_versions):
            yield Breach(
                min(award_versions.values()),
                say.declared_board_and_unpaid(seat),
                seat=seat,
                should=say.share_of_board(),
                remedy="not-followed",
                other_events=((declared_version, say.declared_board_note()), (muck_version, say.let_go_note())),
            )


@hand_detector(events=(BoardPlayDeclared,), needs=_SHOWDOWN_WITNESS)
def paid_on_declaration(hand: Timeline, *, manners: list[str]) -> Iterator[Answer]:
    """A seat without cards was paid because it had declared the board before it mucked."""
    award_versions = _find_paid_seats(hand)
    for declared_version, event in hand.of(BoardPlayDeclared):
        version = award_versions.get(event.seat)
        if version is None or not hand.is_contested or event.manner not in manners:
            continue
        mucks = hand.events_after(declared_version, CardsMucked, seat=event.seat, before_version=version)
        muck_version = next((muck_version for muck_version, _ in mucks), None)
        if muck_version is not None and not _is_last_hand(hand, event.seat, muck_version):
            yield Breach(
                version,
                say.paid_on_declaration(event.seat),
                seat=event.seat,
                should=say.declaration_is_void(),
                remedy="not-followed",
                money=build_payment_flow(hand, event.seat),
                other_events=((declared_version, say.declared_board_note()),),
            )


@hand_detector(events=(PotAwarded,), needs=_SHOWDOWN_WITNESS, signs=Symptom.LET_GO, occasion=Symptom.CONTESTED)
def paid_without_cards(hand: Timeline) -> Iterator[Answer]:
    """A seat was paid at the showdown after it had mucked or its hand was killed."""
    if not hand.is_contested:
        yield NO_OCCASION
        return
    for seat, version in _find_paid_seats(hand).items():
        loss_version = _find_hand_loss(hand, seat, version)
        is_mucked = any(muck_version == loss_version for muck_version, _ in hand.of(CardsMucked))
        has_declared = any(event.seat == seat for _, event in _list_board_plays(hand))
        is_on_board = _is_paid_on_board(hand, seat, loss_version) if is_mucked else True
        if is_on_board is None and has_declared:
            is_on_board = True
        if is_on_board is None:
            yield CannotTell(_BOARD_PAYMENT_UNKNOWN)
        elif loss_version and is_on_board and not hand.events_after(loss_version, HandRetrieved, seat=seat):
            yield Breach(
                version,
                say.paid_without_cards(seat),
                seat=seat,
                should=say.no_share(),
                remedy="not-followed",
                other_events=((loss_version, say.no_cards_note()),),
                money=build_payment_flow(hand, seat),
            )


def _find_hand_loss(hand: Timeline, seat: Seat, before_version: int) -> int:
    """Return the version at which a seat lost its hand, before an event; 0 = it still had one.

    Clearing away a tabled hand as a loser is not a ruling and doesn't count, unless the hand plays the board.
    """
    is_tabled = hand.has_tabled(seat, before_version) and not plays_board(hand, seat)
    kill_versions = [
        version
        for version, kill in hand.events_before(before_version, HandKilled, seat=seat)
        if kill.reason != "lost" or not is_tabled
    ]
    muck_versions: list[int] = []
    if _find_muck_version(hand, seat, before_version) is not None:
        muck_versions = [version for version, _ in hand.events_before(before_version, CardsMucked, seat=seat)]
    return max(kill_versions + muck_versions, default=0)


@hand_detector(
    events=(PotAwarded,), needs=_SHOWDOWN_WITNESS, signs=Symptom.UNSHOWN | Symptom.DUPLICATE, occasion=Symptom.CONTESTED
)
def cards_not_shown(hand: Timeline, *, cards: int) -> Iterator[Answer]:
    """A contested pot went to a hand that hadn't shown all its hole cards."""
    if not hand.is_contested or hand.agreements("chop-blinds"):
        yield NO_OCCASION
        return
    if not hand.of(ShowdownBegun, CardsShown, CardsMucked) and not hand.is_witnessed(Witness.HAND_KILLS):
        yield CannotTell(translatable("how the other hands left the pot"))  # folds at the showdown aren't recorded
        return
    for seat, version in _find_paid_seats(hand).items():
        shown_cards, muck_version = hand.shown_cards(seat, version), hand.find_muck(seat, version)
        is_last = _is_last_unmucked(hand, seat, version)
        if is_last and not shown_cards:
            continue  # the last hand wins unshown
        if len(shown_cards) < cards and (muck_version is None or not _is_paid_on_board(hand, seat, muck_version)):
            yield _build_unshown_breach(hand, seat, version, cards, is_last=is_last)


def _is_last_unmucked(hand: Timeline, seat: Seat, before_version: int) -> bool:
    """Whether all opponents had mucked before an event, or their hands had been ruled dead unshown."""
    return all(
        hand.events_before(before_version, CardsMucked, seat=opponent)
        or (hand.find_kill(opponent, before_version=before_version) and not hand.shown_cards(opponent, before_version))
        for opponent in _find_opponents(hand, seat)
    )


def _build_unshown_breach(hand: Timeline, seat: Seat, version: int, cards: int, *, is_last: bool) -> Breach:
    """Return the breach of paying an unshown hand; only likely if it was the last hand left."""
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
    """Return the chips that paying a seat moved; () unless its only rival showed at least `cards` cards."""
    money = build_payment_flow(hand, seat)
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
    award_versions = _find_paid_seats(hand)
    award_version = min(award_versions.values(), default=0)
    losing_seats = [
        seat
        for seat in sorted(hand.betting_end.live_seats - award_versions.keys() - _find_winners(hand))
        if award_version and not hand.events_before(award_version, HandKilled, CardsMucked, seat=seat)
    ]
    if not losing_seats:
        award_version, losing_seats = _find_late_losers(hand)
    if losing_seats:
        yield Breach(
            award_version,
            say.losing_hands_not_killed(losing_seats),
            seat=losing_seats[0],
            should=say.losing_hands_killed_first(losing_seats),
        )
    elif (
        len(award_versions) > 1
        and len(pots(hand.played.final_state)) > 1
        and any(event.pot is None for _, event in hand.of(PotAwarded))
    ):
        yield CannotTell(translatable("which pot was paid"))  # the winner of only a side pot lost the main pot


def _find_winners(hand: Timeline) -> set[Seat]:
    """Return the seats that win a pot by the recorded cards; other clauses report if they weren't paid."""
    expected_awards = find_awards(hand)
    return (
        {seat for seat, (due, _, _) in expected_awards.items() if due} if isinstance(expected_awards, dict) else set()
    )


def _find_late_losers(hand: Timeline) -> tuple[int, list[Seat]]:
    """Return the version of an award, and the seats that lost that pot while their hands weren't killed.

    These seats won side pots above it, which were paid before. (0, []) = there are none.
    """
    awards = [(version, event) for version, event in hand.of(PotAwarded) if event.amount]
    if any(event.pot is None or (event.run, event.board) != (1, 1) for _, event in awards):
        return 0, []  # an award without its pot, or with other boards still to be paid
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
    """Whether all pots that a seat won, each with its award's version, are side pots above `pot` and paid before it."""
    return all(won_pot > pot and won_version < version for won_pot, won_version in won_pots)


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
            (muck_version, event)
            for muck_version, event in hand.events_before(version, CardsMucked, seat=seat)
            if hand.has_tabled(seat, muck_version)
        ]
        for turned_down_version, _ in sorted(turn_downs)[:1]:
            yield Breach(
                turned_down_version,
                say.winner_turned_down(seat),
                seat=seat,
                should=say.face_up_until_pushed(),
                other_events=((version, say.paid_note()),),
            )
