"""Who gets the pot, where a file does not say: from folds, from the cards, from what it declares."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.errors import VariantError
from ledger.formats.phh.course import Course, known
from ledger.formats.phh.header import Header
from ledger.hand.ending import DropTaken, Half, PotAwarded
from ledger.hand.variants import VARIANTS
from ledger.vocabulary import Chips

Share = tuple[int, Chips, int | None, Half]
"""Player, chips, pot, half."""


def settle(course: Course, head: Header, *, over: bool) -> list[PotAwarded | DropTaken]:
    """Return the awards that follow from the hand; none where neither cards nor results tell.

    `over`: the betting of the last street is closed. Bets that nobody called are back already.
    """
    total = sum(course.put)
    if not total:
        return []
    rake = head.rake or 0
    shares = _by_play(course, over=over)
    if shares is None or not _as_declared(course, head, shares):
        told = _by_results(course, head, total)
        if told is not None and (shares is None or _agree(told, _sums(shares), len(shares))):
            shares = [(who, chips, None, "") for who, chips in sorted(told.items())]
            rake = rake or total - sum(told.values())
        elif shares is not None and rake:
            shares = _raked(shares, rake)
    if shares is None:
        return []
    seats = course.seats
    events: list[PotAwarded | DropTaken] = [
        PotAwarded(seats[who], chips, pot, 1, 1, half) for who, chips, pot, half in shares if chips
    ]
    if rake > 0:
        events.append(DropTaken("rake", rake))
    return events


def _as_declared(course: Course, head: Header, shares: list[Share]) -> bool:
    """Whether the shares lead to the very stacks that the file declares."""
    ends = course.stacks.copy()
    for who, chips, _, _ in shares:
        ends[who] = (ends[who] or 0) + chips
    return ends == head.finishing


def _sums(shares: Sequence[Share]) -> dict[int, Chips]:
    sums: dict[int, Chips] = {}
    for who, chips, _, _ in shares:
        if chips:
            sums[who] = sums.get(who, 0) + chips
    return sums


def _raked(shares: list[Share], rake: Chips) -> list[Share]:
    """Take the rake from the shares in proportion, odd chips from the first."""
    total = sum(chips for _, chips, _, _ in shares)
    cut = [chips * rake // total for _, chips, _, _ in shares]
    cut[0] += rake - sum(cut)
    return [(who, chips - part, pot, half) for (who, chips, pot, half), part in zip(shares, cut, strict=True)]


def _by_results(course: Course, head: Header, total: Chips) -> dict[int, Chips] | None:
    """Return what each got by the declared stacks or winnings, if these can be true."""
    if head.finishing is not None and None not in head.stacks:
        got = [
            end - (start or 0) + put for end, start, put in zip(head.finishing, head.stacks, course.put, strict=True)
        ]
    elif head.winnings is not None:
        got = head.winnings
    else:
        return None
    paid = sum(got)
    dropped = total - paid
    if min(got) < 0 or paid <= 0 or dropped < 0 or dropped * 10 > total:
        return None
    live = course.live
    won = {who: chips for who, chips in enumerate(got) if chips}
    return won if all(live[who] for who in won) else None


def _agree(told: dict[int, Chips], sums: dict[int, Chips], odd: int) -> bool:
    """Whether results differ from what the play gives by rake and `odd` chips only."""
    return told.keys() == sums.keys() and all(
        9 * chips <= 10 * (told[who] + odd) and told[who] <= chips + odd for who, chips in sums.items()
    )


def _by_play(course: Course, *, over: bool) -> list[Share] | None:
    """Return the shares that folds or cards give; None where they do not decide."""
    live = [who for who, alive in enumerate(course.live) if alive]
    if len(live) == 1:
        return [(live[0], sum(course.put), 0, "")]
    if not live or not over:
        return None
    claim = _tabled(course, [who for who in live if who not in course.mucked] or live)
    if len(claim) == 1:
        return [(claim[0], sum(course.put), 0, "")]
    ranks = _ranks(course, claim)
    if ranks is None:
        return None
    shares: list[Share] = []
    for number, (chips, eligible) in enumerate(_pots(course, claim)):
        shares += _split(chips, eligible, ranks, number)
    return shares


def _tabled(course: Course, claim: list[int]) -> list[int]:
    """Leave out who turned up no card at the showdown (`sm ????`) where another turned up a hand."""
    hidden = {who for who in claim if course.shown[who] and not known(course.hole[who])}
    hidden = {who for who in hidden if course.shown[who].count("?") == len(course.shown[who])}
    open_hands = [who for who in claim if who not in hidden]
    return open_hands if hidden and open_hands else claim


def _ranks(course: Course, claim: list[int]) -> dict[int, tuple[int | None, int | None]] | None:
    """Return each claimant's high and low; None where a card is not known."""
    # The evaluator loads large tables: only a showdown needs them.
    from ledger.hand.ranking import rank  # noqa: PLC0415 - as said

    variant = VARIANTS[course.game.variant]
    if course.game.kind == "board" and not known(course.board):
        return None
    board = [course.board[at : at + 2] for at in range(0, len(course.board), 2)]
    ranks = {}
    for who in claim:
        cards = course.shown[who]
        held = course.hole[who]
        if not known(cards) or len(cards) < len(held):
            cards = held
        if not known(cards):
            return None
        try:
            hole = [cards[at : at + 2] for at in range(0, len(cards), 2)]
            ranks[who] = rank(variant, hole, board)
        except (VariantError, ValueError, KeyError):
            return None
    return ranks


def _pots(course: Course, claim: list[int]) -> list[tuple[Chips, list[int]]]:
    """Return the pots and who may win each; dead money lies in the first."""
    layered = course.layered
    pots: list[tuple[Chips, list[int]]] = []
    dead, before = course.dead, 0
    steps = sorted({layered[who] for who in claim})
    for step in steps:
        chips = dead + sum(min(put, step) - min(put, before) for put in layered)
        if step == steps[-1]:
            chips += sum(put - step for put in layered if put > step)
        eligible = [who for who in claim if layered[who] >= step]
        if pots and pots[-1][1] == eligible:
            chips += pots.pop()[0]
        pots.append((chips, eligible))
        dead, before = 0, step
    return pots


def _split(
    chips: Chips, eligible: list[int], ranks: dict[int, tuple[int | None, int | None]], number: int
) -> list[Share]:
    """Share one pot between its best high and low hands; odd chips to high and to early seats."""
    sides: list[tuple[Half, list[int]]] = []
    halves: tuple[Half, Half] = ("high", "low")
    for side, half in enumerate(halves):
        ranked = [(ranks[who][side], who) for who in eligible]
        best = min((value for value, _ in ranked if value is not None), default=None)
        if best is not None:
            sides.append((half, [who for value, who in ranked if value == best]))
    if not sides:
        return []
    shares: list[Share] = []
    for place, (half, winners) in enumerate(sides):
        part = chips if len(sides) == 1 else (chips + 1) // 2 if place == 0 else chips // 2
        each, odd = divmod(part, len(winners))
        label: Half = half if len(sides) == 2 else ""
        shares += [(who, each + (odd if at == 0 else 0), number, label) for at, who in enumerate(winners)]
    return shares
