"""Who gets the pot, where a file does not say: from folds, from the cards, from what it declares."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.errors import VariantError
from ledger.formats.phh.opening import Opening
from ledger.hand import evaluate as e
from ledger.hand.ending import DropTaken, Half, PotAwarded
from ledger.hand.pots import pots
from ledger.hand.variants import VARIANTS
from ledger.vocabulary import Cards, Chips, Seat

Share = tuple[int, Chips, int | None, Half]
"""Player, chips, pot, half."""


def settle(hand: Opening, *, over: bool) -> list[PotAwarded | DropTaken]:
    """Return the awards that follow from the hand; none where neither cards nor results tell.

    `over`: the betting of the last street is closed. Bets that nobody called are back already.
    """
    total, head = sum(hand.put_in), hand.head
    if not total:
        return []
    rake = head.rake or 0
    shares = _by_play(hand, total, over=over)
    if shares is None or not _as_declared(hand, shares):
        told = _by_results(hand, total)
        if told is not None and (shares is None or _agree(told, _sums(shares), len(shares))):
            shares = [(who, chips, None, "") for who, chips in sorted(told.items())]
            rake = rake or total - sum(told.values())
        elif shares is not None and rake:
            shares = _raked(shares, rake)
    if shares is None:
        return []
    events: list[PotAwarded | DropTaken] = [
        PotAwarded(hand.order[who], chips, pot, 1, 1, half) for who, chips, pot, half in shares if chips
    ]
    if rake > 0:
        events.append(DropTaken("rake", rake))
    return events


def _as_declared(hand: Opening, shares: list[Share]) -> bool:
    """Whether the shares lead to the very stacks that the file declares."""
    if hand.head.finishing is None:
        return False
    ends = [None if hand.stacks[seat] is None else hand.left(seat) for seat in hand.order]
    for who, chips, _, _ in shares:
        ends[who] = (ends[who] or 0) + chips
    return ends == hand.head.finishing


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


def _by_results(hand: Opening, total: Chips) -> dict[int, Chips] | None:
    """Return what each got by the declared stacks or winnings, if these can be true."""
    head = hand.head
    if head.finishing is not None and None not in head.stacks:
        got = [
            end - (start or 0) + hand.put_in[seat]
            for end, start, seat in zip(head.finishing, head.stacks, hand.order, strict=True)
        ]
    elif head.winnings is not None:
        got = head.winnings
    else:
        return None
    paid = sum(got)
    dropped = total - paid
    if min(got) < 0 or paid <= 0 or dropped < 0 or dropped * 10 > total:
        return None
    won = {who: chips for who, chips in enumerate(got) if chips}
    return won if won.keys() <= set(hand.live()) else None


def _agree(told: dict[int, Chips], sums: dict[int, Chips], odd: int) -> bool:
    """Whether results differ from what the play gives by rake and `odd` chips only."""
    return told.keys() == sums.keys() and all(
        9 * chips <= 10 * (told[who] + odd) and told[who] <= chips + odd for who, chips in sums.items()
    )


def _by_play(hand: Opening, total: Chips, *, over: bool) -> list[Share] | None:
    """Return the shares that folds or cards give; None where they do not decide."""
    live = hand.live()
    if len(live) == 1:
        return [(live[0], total, 0, "")]
    if not live or not over:
        return None
    claim = _tabled(hand, [who for who in live if who not in hand.mucked] or live)
    if len(claim) == 1:
        return [(claim[0], total, 0, "")]
    ranks = _ranks(hand, claim)
    if ranks is None:
        return None
    shares: list[Share] = []
    for number, pot in enumerate(pots(_Stakes(hand, live))):
        ranked = {seat: ranks[seat] for seat in pot.seats if seat in ranks}
        if not ranked:
            return None
        whole = e.Share(number, 1, 1, "", pot.amount, tuple(ranked), 0)
        for part in e.divide(whole, ranked) if len(ranked) > 1 else [whole]:
            each, odd = divmod(part.amount, len(part.winners))
            winners = [hand.order.index(seat) for seat in part.winners]
            first = min(winners)
            shares += [(who, each + odd * (who == first), part.pot, part.half) for who in sorted(winners)]
    return shares


class _Stakes:
    """What pots are made of."""

    def __init__(self, hand: Opening, live: list[int]) -> None:
        self.put = {seat: chips for seat, chips in enumerate(hand.put_in) if chips}
        self.live = {hand.order[who] for who in live}
        self.seeded = 0
        self.antes, self.dead, self.spent = hand.antes, hand.dead_chips, hand.spent

    def is_all_in(self, seat: Seat) -> bool:
        """Whether the seat has nothing left to bet."""
        return seat in self.spent


def _ranks(hand: Opening, claim: list[int]) -> dict[Seat, tuple[int | None, int | None]] | None:
    """Return each claimant's high and low; None where a card is not known."""
    variant = VARIANTS[hand.head.game.variant]
    if hand.kind == "board" and not _known(hand.lying):
        return None
    ranks = {}
    for who in claim:
        cards, held = hand.shown[who], hand.held[who]
        if not _known(cards) or len(cards) < len(held):
            cards = held
        if not _known(cards):
            return None
        try:
            ranks[hand.order[who]] = e.rank(variant, _split(cards), _split(hand.lying))
        except (VariantError, ValueError, KeyError):
            return None
    return ranks


def _split(cards: Cards) -> list[str]:
    return [cards[at : at + 2] for at in range(0, len(cards), 2)]


def _tabled(hand: Opening, claim: list[int]) -> list[int]:
    """Leave out who turned up no card at the showdown (`sm ????`) where another turned up a hand."""
    hidden = {who for who in claim if hand.shown[who] and not _known(hand.held[who]) and not hand.shown[who].strip("?")}
    open_hands = [who for who in claim if who not in hidden]
    return open_hands if hidden and open_hands else claim


def _known(cards: Cards) -> bool:
    """Whether every card of a hand is known."""
    return bool(cards) and "?" not in cards
