"""The opening of a hand as the fields tell it, remarks anywhere, and who gets the pot where a file does not say.

That follows from folds, from the cards, from what the file declares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from ledger.errors import VariantError
from ledger.event import Event
from ledger.formats.phh.header import Header, strangers
from ledger.formats.phh.scanning import Scanned, Word
from ledger.formats.phh.words import WITNESSES
from ledger.hand import evaluate as e
from ledger.hand.chips import HandChips
from ledger.hand.ending import DropTaken, Half, PotAwarded, RemarkNoted
from ledger.hand.opening import BlindRole, ButtonPlaced, GameSet, HandOpened, PostReturned, SeatDealtIn, TournamentSet
from ledger.hand.pots import pots
from ledger.hand.variants import VARIANTS
from ledger.people import People
from ledger.readers.hand import SEATS, HandBuilder
from ledger.readers.spans import Spans
from ledger.vocabulary import Cards, Chips, Seat, split_cards

_SEAT: Final = itemgetter(0)


class Opening(HandBuilder):
    """One hand while it is read. Players count from 0 in dealing order, as in the file."""

    def __init__(self, head: Header, found: Scanned, people: People) -> None:
        """Begin to read a hand; `found` says where its fields stand."""
        self.spans = Spans()
        super().__init__(self.spans, people, head.venue, _game(head), self.spans.add(0, 0))
        if max(head.seats) >= SEATS:
            self.seat_limit = max(head.seats) + 1
        self.found = found
        self.head = head
        self.order = head.seats  # in dealing order
        self.kind = head.game.kind
        if self.kind == "stud":
            self.betting.street = "third"
        count = len(head.seats)
        self.held = [""] * count
        self.shown = [""] * count
        self.mucked: set[int] = set()
        self.acted: set[Seat] = set()
        self.antes: dict[Seat, Chips] = {}
        self.dead_chips: dict[Seat, Chips] = {}
        self.spent: set[Seat] = set()  # who put the whole stack in
        self.owed: dict[int, int] = {}  # cards that a draw still owes
        self.lying: Cards = ""  # the board
        self.round = 0
        self.to_deal = set(range(count))  # who still lacks the cards of the street
        self.complete = False  # every seat has its first cards
        self.undealt = False  # a street's cards came, its StreetDealt did not yet

    # -- what is put down -----------------------------------------------------------------------

    def stand(self, start: int, end: int) -> None:
        """Point at these characters."""
        self.at = self.spans.add(start, end - start)

    def point(self, *keys: str) -> None:
        """Point at the first of these fields that the file has."""
        for key in keys:
            if key in self.found.spans:
                start, _, end = self.found.spans[key]
                self.at = self.spans.add(start, end - start)
                return

    def infer_behind(self, event: Event) -> None:
        """Take an event that nothing in the file says, but that follows behind the piece of text at hand."""
        starts, lengths = self.spans.starts, self.spans.lengths
        self.inferred.append(len(self.events))
        self.events.append(event)
        self.marks.append(len(starts))
        starts.append(starts[self.at] + lengths[self.at])
        lengths.append(0)

    def covered(self, seat: Seat, due: Chips) -> tuple[Chips, bool | None]:
        """Return how much of it the stack holds, and whether that is all it holds; None if it was never told."""
        stack = self.stacks[seat]
        if stack is None:
            return due, None
        left = stack - self.put_by(seat)
        if due < left:
            return due, False
        if left > 0:
            self.spent.add(seat)
        return max(left, 0), True

    def live(self) -> list[int]:
        """Return the players that have not folded."""
        return [who for who, seat in enumerate(self.order) if seat not in self.folded]

    # -- the parts of a hand --------------------------------------------------------------------

    def opening(self) -> None:
        """Read everything before the first action."""
        head, found = self.head, self.found
        self.point("hand", "variant")
        self.marks[0] = self.at
        self.open(
            HandOpened(
                head.venue, head.table, head.number, WITNESSES, head.started, head.written, head.seat_count, head.event
            )
        )
        self.point("variant")
        if head.level:
            self.put(TournamentSet(head.level))
        self.put(self.game)
        if found.before or found.extra:
            self.remarks(found.before)
            self.remarks(found.extra)
        self.point("players", "starting_stacks")
        player, venue = self.people.player, head.venue
        names = head.names
        if not all(names):
            names = [name or other for name, other in zip(names, strangers(head), strict=True)]
        self.stacks = dict(zip(self.order, head.stacks, strict=True))
        self.events += [
            SeatDealtIn(seat, player(venue, name), stack)
            for seat, stack, name in sorted(zip(self.order, head.stacks, names, strict=True), key=_SEAT)
        ]
        self.marks += [self.at] * len(self.order)
        if self.kind != "stud":
            self.inferred.append(len(self.events))
            self.put(ButtonPlaced(self.order[-1]))
        if any(head.antes):
            self.point("antes")
            self._antes()
        self.point("blinds_or_straddles")
        if any(head.blinds):
            self._blinds()

    def _antes(self) -> None:
        """Put down the antes, dead make-ups among them, and what uneven ones give back."""
        head, common = self.head, _usual(self.head.antes)
        paid = [who for who, chips in enumerate(head.antes) if chips]
        alone = paid[0] if len(paid) == 1 else -1
        big = 1 if len(self.order) > 2 else 0
        table_pays = alone in (big, len(self.order) - 1) and head.blinds[alone] >= 0
        for who in paid:
            seat, chips, makeup = self.order[who], head.antes[who], 0
            if not table_pays and chips > common and self._owes(who, chips - common):
                chips, makeup = common, chips - common
            chips, all_in = self.covered(seat, chips)
            if chips:
                (self.dead_chips if table_pays and not head.trimmed else self.antes)[seat] = chips
                self.ante(seat, chips, for_table=table_pays, all_in=all_in)
            makeup, all_in = self.covered(seat, makeup)
            if makeup:
                self.dead_chips[seat] = makeup
                self.post(seat, "makeup-small", 0, makeup, all_in=all_in)
        if head.trimmed:
            layers = [self.antes.get(seat, 0) for seat in self.order]
            *_, second, top = sorted(layers)
            if over := top - second:
                seat = self.order[layers.index(top)]
                self.antes[seat] -= over
                self.betting.put(seat, -over)
                self.inferred.append(len(self.events))
                self.put(PostReturned(seat, over, "ante", True))

    def _owes(self, who: int, dead: Chips) -> bool:
        """Whether dead money beside the common ante is a missed small blind."""
        blinds = self.head.blinds
        small = blinds[0] if len(blinds) > 2 else blinds[-1]
        return blinds[who] < 0 or (blinds[who] == 0 and dead == small)

    def _blinds(self) -> None:
        """Put down blinds, straddles and live posts out of turn, by dealing order, small blind first."""
        head, blinds, last = self.head, self.head.blinds, len(self.order) - 1
        order = (1, 0) if last == 1 else range(last + 1)
        high = max(blinds[:2])
        for place, who in enumerate(order):
            due = blinds[who]
            if not due:
                continue
            chips, all_in = self.covered(seat := self.order[who], abs(due))
            if not chips:
                continue
            role: BlindRole | None = None
            if due < 0:
                role = "makeup-big" if head.antes[who] > _usual(head.antes) else "entry"
            elif place == 0:
                role = "big" if not blinds[order[1]] and due >= head.bets[0] > 0 else "small"
            elif place == 1:
                role = "big"
            elif not high and who == last:
                role = "button"
            elif due <= high:
                role = "entry"
            if role is None:
                self.straddle(seat, chips, "button" if who == last else "straddle", all_in=all_in)
            else:
                self.post(seat, role, chips, all_in=all_in)

    def remarks(self, words: list[Word]) -> None:
        """Take comments, and fields that became no fact of their own."""
        for said, start, end in words:
            self.stand(start, end)
            self.put(RemarkNoted(self.people.text(comment(said) if said[0] == "#" else said)))


def _game(head: Header) -> GameSet:
    """Return which game it is."""
    first, second = sorted(head.blinds[:2])
    blinds = (first, second) if first > 0 else (second,) if second > 0 else ()
    return GameSet(
        head.game.variant,
        head.game.betting,
        "tournament" if head.level else "unknown",
        head.unit,
        head.exponent,
        blinds,
        _usual(head.antes),
        head.bets,
        head.bring_in,
    )


def _usual(antes: list[Chips]) -> Chips:
    """Return the ante that most players post, the lower of two."""
    if antes.count(antes[0]) == len(antes):
        return antes[0]
    return min(set(antes), key=lambda chips: (-antes.count(chips), chips))


def comment(words: str) -> str:
    """Return what a comment says: its text without the hash and one blank."""
    return words[2:] if words.startswith("# ") else words[1:] or "#"


Share = tuple[int, Chips, int | None, Half]
"""Player, chips, pot, half."""


def settle(hand: Opening, *, over: bool) -> list[PotAwarded | DropTaken]:
    """Return the awards that follow from the hand; none where neither cards nor results tell.

    `over`: the betting of the last street is closed. Bets that nobody called are back already.
    """
    total, head = hand.total_put_in(), hand.head
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
    sums: Counter[int] = Counter()
    for who, chips, _, _ in shares:
        sums[who] += chips
    return +sums  # without those of nothing


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
            end - (start or 0) + hand.put_by(seat)
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
        self.live, put_in = {hand.order[who] for who in live}, hand.betting.chips.put_in
        self.chips = HandChips.of(
            {**dict.fromkeys(self.live, 0), **{seat: chips for seat, chips in put_in.items() if chips}},
            dead=hand.dead_chips,
            antes=hand.antes,
        )
        self.spent = hand.spent

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
            ranks[hand.order[who]] = e.rank(variant, split_cards(cards), split_cards(hand.lying))
        except (VariantError, ValueError, KeyError):
            return None
    return ranks


def _tabled(hand: Opening, claim: list[int]) -> list[int]:
    """Leave out who turned up no card at the showdown (`sm ????`) where another turned up a hand."""
    hidden = {who for who in claim if hand.shown[who] and not _known(hand.held[who]) and not hand.shown[who].strip("?")}
    open_hands = [who for who in claim if who not in hidden]
    return open_hands if hidden and open_hands else claim


def _known(cards: Cards) -> bool:
    """Whether every card of a hand is known."""
    return bool(cards) and "?" not in cards
