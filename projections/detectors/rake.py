"""The house's rake and drop: too much, without a flop, too little.

Each public function is a detector; its docstring states the breach. A house states its schedule in its own book.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ledger.hand.ending import DropTaken, PotAwarded
from ledger.hand.opening import GameSet
from ledger.vocabulary import Witness
from projections.amount_text import amount
from projections.detectors.shared.house_games import to_whole_chips
from projections.detectors.shared.rake_schedule import (
    RakeDue,
    RakeTaken,
    compute_due,
    find_cap,
    find_row,
    is_dropless,
    list_kinds,
    require_row,
    sum_taken,
)
from projections.findings.detector import hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell, Certainty, NoOccasion
from projections.obligations.house_points import DropKind, RakeRow
from projections.sentences import house_rake as say
from projections.sentences import paragraph
from projections.timeline.hand_timeline import Timeline

_TAKEN = Witness.DROP | Witness.ACTS | Witness.POSTS


@hand_detector(events=(DropTaken,), needs=_TAKEN, partial=_TAKEN)
def too_much(hand: Timeline, *, schedule: list[RakeRow]) -> Iterator[Answer]:
    """The house took more than its schedule: above the cap, above the percentage, above the fixed drop."""
    for kind in list_kinds(schedule):
        taken = sum_taken(hand, kind)
        if not taken.chips:
            continue
        row = require_row(hand, schedule, kind)
        if not isinstance(row, RakeRow):
            yield row
        elif is_dropless(hand, row) is not True:  # `without_flop` reports those
            yield from _judge_excess(hand, row, taken)


def _judge_excess(hand: Timeline, row: RakeRow, taken: RakeTaken) -> Iterator[Answer]:
    """Yield a breach if the house took more than the cap of its row, or more than the row makes due."""
    game = hand.game
    assert game is not None  # noqa: S101 - the row fits it
    due = compute_due(hand, row, game)
    cap = find_cap(row, game)
    if cap is not None and taken.chips > cap:
        should, reason = say.at_most(row.kind, hand.format_chips(cap)), ""
        if not isinstance(due, CannotTell):
            should, reason = _describe_due(hand, row, due), _explain_due(hand, row, game, due)
        headline = say.over_cap(row.kind, hand.format_chips(taken.chips), hand.format_chips(cap))
        yield _build_breach(hand, taken.version, headline, should, reason)
    elif isinstance(due, CannotTell):
        yield due
    elif taken.chips > due.chips:
        excess = hand.format_chips(taken.chips - due.chips)
        yield _build_breach(
            hand,
            taken.version,
            say.over_schedule(row.kind, hand.format_chips(taken.chips), hand.format_chips(due.pot), excess),
            _describe_due(hand, row, due),
            _explain_due(hand, row, game, due),
        )


@hand_detector(events=(DropTaken,), needs=Witness.DROP | Witness.BOARD, partial=Witness.DROP)
def without_flop(hand: Timeline, *, schedule: list[RakeRow]) -> Iterator[Answer]:
    """The house took something from a hand without a flop, though its schedule takes nothing then."""
    for kind in list_kinds(schedule):
        taken = sum_taken(hand, kind)
        row = find_row(hand, schedule, kind) if taken.chips else None
        if isinstance(row, CannotTell | NoOccasion):
            yield row
        elif row is not None:
            dropless = is_dropless(hand, row)
            if isinstance(dropless, CannotTell):
                yield dropless
            elif dropless:
                yield _build_breach(
                    hand,
                    taken.version,
                    say.without_flop(kind, hand.format_chips(taken.chips)),
                    say.nothing_due(kind),
                    say.no_flop_no_drop(),
                )


@hand_detector(needs=_TAKEN | Witness.AWARDS, deadline="after_hand")
def too_little(hand: Timeline, *, schedule: list[RakeRow]) -> Iterator[Answer]:
    """The house took less than its schedule, or nothing."""
    answers = [answer for kind in list_kinds(schedule) for answer in _judge_shortfall(hand, schedule, kind)]
    if answers and all(answer is NO_OCCASION for answer in answers):
        yield NO_OCCASION
    yield from (answer for answer in answers if answer is not NO_OCCASION)


def _judge_shortfall(hand: Timeline, schedule: list[RakeRow], kind: DropKind) -> Iterator[Answer]:
    """Yield a breach if the house took less of one kind of drop than its schedule says."""
    row, game = find_row(hand, schedule, kind), hand.game
    if row is None or game is None or hand.played.final_state.voided:
        yield NO_OCCASION
        return
    if not isinstance(row, RakeRow):
        yield row
        return
    dropless = is_dropless(hand, row)
    if dropless is True:
        yield NO_OCCASION
        return
    due = compute_due(hand, row, game) if dropless is False else dropless
    if isinstance(due, CannotTell):
        yield due
        return
    taken = sum_taken(hand, kind)
    if taken.chips < due.chips:
        yield _build_shortfall(hand, row, taken, due)


def _build_shortfall(hand: Timeline, row: RakeRow, taken: RakeTaken, due: RakeDue) -> Breach:
    """Return the breach of taking less than was due."""
    game = hand.game
    assert game is not None  # noqa: S101 - the row fits it
    pot = hand.format_chips(due.pot)
    headline = say.missing(row.kind, pot)
    if taken.chips:
        shortfall = hand.format_chips(due.chips - taken.chips)
        headline = say.too_little(row.kind, hand.format_chips(taken.chips), pot, shortfall)
    return Breach(
        taken.version or hand.of(PotAwarded)[-1][0],
        headline,
        should=_describe_due(hand, row, due),
        because=_explain_due(hand, row, game, due),
    )


def _build_breach(hand: Timeline, version: int, headline: str, should: str, because: str) -> Breach:
    """Return the breach of taking too much; only likely if the source doesn't always record what is taken."""
    certainty: Certainty = "certain" if hand.is_witnessed(Witness.DROP) else "likely"
    doubt = "" if certainty == "certain" else say.drop_may_be_derived()
    return Breach(version, headline, should=should, because=paragraph(because, doubt), certainty=certainty)


def _describe_due(hand: Timeline, row: RakeRow, due: RakeDue) -> str:
    """Return the sentence of what the house may take."""
    return say.due(row.kind, hand.format_chips(due.chips)) if due.chips else say.nothing_due(row.kind)


def _explain_due(hand: Timeline, row: RakeRow, game: GameSet, due: RakeDue) -> str:
    """Return the steps from the pot to what is due."""
    if row.percent == 0:
        return say.no_rake(row.kind)
    sentences = []
    if row.raked in ("each-pot", "main-pot") or due.returned:
        sentences.append(say.raked_chips(row.raked, hand.format_chips(due.returned)))
    if row.drops:
        return paragraph(*sentences, say.fixed_drop(hand.format_chips(due.pot), hand.format_chips(due.chips)))
    percent = Fraction(str(row.percent or 0))
    sentences += [
        say.share_of_pot(f"{row.percent:g}", hand.format_chips(size), _format_share(percent * size / 100, game))
        for size in due.pots
    ]
    if row.step is not None:
        sentences.append(say.rounded(row.rounding, amount(to_whole_chips(row.step, game), game.unit, game.exponent)))
    cap = find_cap(row, game)
    if cap is not None and due.raw_share > cap:
        sentences.append(say.cap_is(hand.format_chips(cap)))
    return paragraph(*sentences)


def _format_share(share: Fraction, game: GameSet) -> str:
    """Return a percentage of a pot, to a hundredth of the table's unit at most."""
    extra_digits = next((digits for digits in range(3) if (share * 10**digits).denominator == 1), 2)
    return amount(round(share * 10**extra_digits), game.unit, game.exponent + extra_digits)
