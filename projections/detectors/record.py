"""What a record says must agree with itself. No house's rule; nothing is ever adjusted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from ledger.event import Event
from ledger.hand.agreement import drop_untold
from ledger.hand.betting import Bet, BetReturned, Called, CashOutTaken, Checked, Completed, Folded, HandKilled, Raised
from ledger.hand.dealing import (
    BoardDealt,
    BoardWithdrawn,
    CardBurned,
    CardReturned,
    DeckShuffled,
    HoleCardsDealt,
    HoleCardsLearned,
    MisdealDeclared,
)
from ledger.hand.ending import (
    CardsMucked,
    CardsShown,
    DropTaken,
    HandVoided,
    LineUnread,
    PotAwarded,
    PotImpounded,
    ResultDeclared,
)
from ledger.hand.evaluate import award_ranges
from ledger.hand.holdings import dealt_boards
from ledger.hand.opening import AntePosted, BlindPosted, BringInPosted, HandOpened, SeatDealtIn, StraddlePosted
from ledger.hand.pots import pots
from ledger.hand.state import HandState
from ledger.presence import ChipsAdded
from ledger.vocabulary import DECK, Chips, Seat, Witness, split_cards
from projections.detectors.shared.awards import expected, smallest_chip, threw_away, unopposed
from projections.findings.detector import Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.timeline.chip_flows import split
from projections.timeline.hand_timeline import Timeline

_DEEDS: Final[tuple[type[Event], ...]] = (
    Folded,
    Checked,
    Called,
    Bet,
    Raised,
    Completed,
    BlindPosted,
    StraddlePosted,
    AntePosted,
    BringInPosted,
    BetReturned,
    PotAwarded,
    CardsShown,
)
_CARDS: Final = frozenset(DECK)


def _last(hand: Timeline) -> int:
    return hand.line[-1][0]


@hand_detector(needs=Witness.AWARDS | Witness.ACTS, signs=Symptom.CONSERVATION, deadline="after_hand")
def chips_not_conserved(hand: Timeline) -> Iterator[Answer]:
    """More or fewer chips came out of the pot than went in."""
    state = hand.played.final
    if hand.of(HandVoided, PotImpounded) or state.spoiled:
        yield NO_OCCASION
        return
    if not hand.of(PotAwarded):
        yield CannotTell("the end of the hand")
        return
    imbalance = state.conservation()
    if imbalance and hand.of(CashOutTaken):
        yield CannotTell("what the house took over in a cash-out")
        return
    if imbalance:
        paid, dropped = sum(state.chips.awarded.values()), state.chips.drop
        because = f"{hand.say(abs(imbalance))} too {'little' if imbalance > 0 else 'much'}"
        doubt = ""
        dropless = hand.game is not None and hand.game.format == "tournament"
        if imbalance > 0 and dropless and not hand.witnessed(Witness.RETURNED_BETS):
            doubt = "; a bet may have come back: not every one is on record"
        elif imbalance > 0 and drop_untold(state) and not dropless:
            doubt = "; a drop may have been taken: it is not on record"
        elif imbalance < 0 and not hand.witnessed(Witness.POSTS):
            doubt = "; a post may have been made: not every one is on record"
        elif imbalance > 0 and imbalance == _void_posts(hand):
            doubt = (
                "; just so much was posted before the misdeal, and again after it: the first posts may have gone back"
            )
        yield Breach(
            hand.of(PotAwarded)[-1][0],
            f"{hand.say(state.total_put())} went in, {hand.say(paid + dropped)} came out"
            + (f" ({hand.say(paid)} paid, {hand.say(dropped)} dropped)" if dropped else ""),
            should="as much out as in",
            because=because + doubt,
            certainty="likely" if doubt else "certain",
        )


def _void_posts(hand: Timeline) -> Chips:
    """Return what was posted for a deal that was void, where the blinds were posted again."""
    last = max((version for version, _ in hand.of(MisdealDeclared)), default=0)
    void_posts = [post for version, post in hand.posts if version < last]
    if len(void_posts) == len(hand.posts):
        return 0
    return sum(post.live + post.dead if isinstance(post, BlindPosted) else post.amount for post in void_posts)


@hand_detector(events=(ResultDeclared,), signs=Symptom.DECLARED)
def declared_total(hand: Timeline) -> Iterator[Answer]:
    """The total pot that the record declares is not what went in; some rooms count only what players put in."""
    final = hand.played.final
    total = final.total_put()
    for version, event in hand.of(ResultDeclared):
        if event.what == "total-pot" and event.amount not in (None, total, total - final.chips.seeded):
            yield _differs(hand, version, "the total pot", event.amount or 0, total)


def _differs(
    hand: Timeline, version: int, label: str, declared: Chips, actual: Chips, seat: Seat | None = None
) -> Breach:
    return Breach(
        version,
        f"the record declares {hand.say(declared)} as {label}",
        seat=seat,
        should=f"{hand.say(actual)} by its own events",
        because=f"a difference of {hand.say(declared - actual)}",
    )


@hand_detector(events=(ResultDeclared,), signs=Symptom.DECLARED)
def declared_drop(hand: Timeline) -> Iterator[Answer]:
    """The rake or drop that the record declares is not what was taken."""
    kinds = {"rake": "rake", "jackpot": "jackpot"}
    for version, event in hand.of(ResultDeclared):
        if event.amount is None or event.what not in ("rake", "jackpot", "drop"):
            continue
        dropped = sum(
            drop.amount for _, drop in hand.of(DropTaken) if event.what == "drop" or drop.kind == kinds[event.what]
        )
        if event.amount != dropped:
            yield _differs(hand, version, f"the {event.what}", event.amount, dropped)


@hand_detector(events=(ResultDeclared,), signs=Symptom.DECLARED)
def declared_stacks(hand: Timeline) -> Iterator[Answer]:
    """An end stack that the record declares, or a balance so far, is not what the seat's chips come to."""
    played_hand = hand.played
    for version, event in hand.of(ResultDeclared):
        if event.what not in ("end-stack", "balance") or event.seat is None or event.amount is None:
            continue
        end = event.what == "end-stack"
        stack = (played_hand.final if end else played_hand.before(version)).stack(event.seat)
        if stack is None:
            yield CannotTell("stacks-before")
        elif stack != event.amount and event.seat in _overspent_seats(hand):
            yield CannotTell("stacks-before")  # that the stack on record is wrong is R11's
        elif stack != event.amount:
            label = f"the {'end stack' if end else 'balance'} of seat {event.seat}"
            yield _differs(hand, version, label, event.amount, stack, event.seat)


@hand_detector(events=(ResultDeclared,), signs=Symptom.DECLARED)
def declared_winnings(hand: Timeline) -> Iterator[Answer]:
    """What a seat won or collected by the record's summary is not what it was paid."""
    state = hand.played.final
    cashed = {event.seat for _, event in hand.of(CashOutTaken)}
    for version, event in hand.of(ResultDeclared):
        if event.seat is None or event.amount is None:
            continue
        if event.seat in cashed and event.what != "net":
            yield CannotTell("what the house took over in a cash-out")
            continue
        house = state.cashed.get(event.seat, 0)  # a cash-out, or an insurance: that some records count and some do not
        winnings = state.chips.awarded.get(event.seat, 0) + (house if event.seat in cashed else 0)
        if event.what in ("winnings", "collected"):
            if event.amount == winnings + state.chips.returned.get(event.seat, 0):
                continue  # some records count a bet that nobody called as won
        elif event.what == "net":
            winnings -= state.chips.put_in.get(event.seat, 0)
        else:
            continue
        if event.amount not in (winnings, winnings if event.seat in cashed else winnings + house):
            yield _differs(hand, version, f"the {event.what} of seat {event.seat}", event.amount, winnings, event.seat)


@hand_detector(signs=Symptom.DUPLICATE, deadline="mendable")
def same_card_twice(hand: Timeline) -> Iterator[Answer]:
    """One card is in two places at once: in a hand, on a board or among the burns."""
    place_by_card: dict[str, str] = {}
    for name, seat, cards in _places(hand):
        for card, version in cards:
            if card in place_by_card and card in _CARDS:
                description = f"{name} twice" if place_by_card[card] == name else f"{place_by_card[card]} and {name}"
                yield Breach(version, f"{card} is {description}", seat=seat, should="every card once")
            place_by_card[card] = name


_Place: TypeAlias = tuple[str, Seat | None, list[tuple[str, int]]]
"""A place with its cards, each with the event that put it there."""


def _places(hand: Timeline) -> Iterator[_Place]:
    """Yield what is known to lie in each hand, in the burns and on each board."""
    state = hand.played.final
    first_versions = _first_told(hand)
    last = _last(hand)
    seats_with_cards = {
        event.seat
        for _, event in hand.of(HoleCardsDealt, HoleCardsLearned, CardsShown, CardsMucked, Folded)
        if event.cards and "?" not in event.cards
    }
    for seat in sorted(seats_with_cards):
        yield f"in seat {seat}", seat, [(card, first_versions.get((seat, card), last)) for card in state.hole(seat)]
    yield "in the burns", None, _burns(hand)
    boards = dealt_boards(state.dealing)
    several_runs = any(run > 1 for run, _ in boards)
    for (run, number), cards in boards.items():
        name = f"the board of run {run}" if several_runs else f"board {number}" if len(boards) > 1 else "the board"
        yield f"on {name}", None, [(card, first_versions.get(((run, number), card), last)) for card in cards]


def _first_told(hand: Timeline) -> dict[tuple[Seat | tuple[int, int], str], int]:
    """Return the event that put a card into a seat, or on a board by run and number."""
    first_versions: dict[tuple[Seat | tuple[int, int], str], int] = {}
    for version, event in hand.of(BoardDealt, HoleCardsDealt, HoleCardsLearned, CardsShown, CardsMucked, Folded):
        place = (event.run, event.board) if isinstance(event, BoardDealt) else event.seat
        for card in split_cards(event.cards):
            first_versions.setdefault((place, card), version)
    return first_versions


def _burns(hand: Timeline) -> list[tuple[str, int]]:
    """Return the known burns that came off the deck and stayed out of it."""
    burns: dict[str, int] = {}
    for version, event in hand.of(CardBurned, CardReturned, DeckShuffled, MisdealDeclared):
        if isinstance(event, CardBurned):
            if event.source == "deck":
                burns.setdefault(event.card, version)
        elif isinstance(event, CardReturned):
            burns.pop(event.card, None)
        else:  # which burns went back into the deck is seldom told
            burns.clear()
    return list(burns.items())


@hand_detector(events=(BoardDealt,), signs=Symptom.DUPLICATE)
def street_twice(hand: Timeline) -> Iterator[Answer]:
    """The record tells the same cards of a street twice."""
    lying_cards: dict[tuple[str, int, int], str] = {}
    for version, event in hand.of(BoardDealt, BoardWithdrawn, MisdealDeclared):
        if isinstance(event, MisdealDeclared):
            lying_cards.clear()
            continue
        place = (event.street, event.board, getattr(event, "run", 1))
        if isinstance(event, BoardWithdrawn):
            lying_cards.pop(place, None)
        elif lying_cards.get(place) == event.cards and "?" not in event.cards:
            cards = " ".join(split_cards(event.cards))
            yield Breach(version, f"the {event.street} {cards} is told twice", should="told once")
        else:
            lying_cards[place] = event.cards


@hand_detector(events=(Called, Bet, Raised, Completed), needs=Witness.STACKS_BEFORE, signs=Symptom.STACK)
def more_than_there(hand: Timeline) -> Iterator[Answer]:
    """A seat put in more than its stack on record and what it bought since."""
    reported_seats: set[Seat] = set()  # once for each seat
    for act, paid in hand.stakes():
        stack = hand.stack_at(act.seat)
        if stack is None or paid <= stack or act.seat in reported_seats:
            continue
        added = sum(
            event.amount for version, event in hand.of(ChipsAdded) if event.seat == act.seat and version < act.version
        )
        if paid > stack + added:
            reported_seats.add(act.seat)
            yield Breach(
                act.version,
                f"seat {act.seat} has put in {hand.say(paid)} of a stack of {hand.say(stack + added)}",
                seat=act.seat,
                should=f"{hand.say(stack + added)} at most, or another stack",
            )


@hand_detector(
    events=(Bet, Raised, Completed),
    needs=Witness.ACTS | Witness.POSTS | Witness.BOARD,
    signs=Symptom.SMALL_BET,
    deadline="mendable",
)
def raise_of_nothing(hand: Timeline) -> Iterator[Answer]:
    """What is told as a bet or a raise, and is no all-in, is no more than the bet that lay there."""
    board = hand.variant is not None and any(plan.board for plan in hand.variant.streets)
    for act in hand.acts:
        if act.kind not in ("bet", "raise") or act.gain or not act.level or act.all_in or act.version in hand.undone:
            continue
        if not board:  # without board cards a street need not be told: where all had acted, another one began
            if act.to_act:
                yield CannotTell("where a street begins")
            continue
        yield Breach(
            act.version,
            f"seat {act.seat} {'raised to' if act.kind == 'raise' else 'bet'} {hand.say(act.to)} facing a bet of {hand.say(act.level)}",
            seat=act.seat,
            should=f"a call of {hand.say(act.level)}, or a higher amount",
            because="either the act or its amount is written down wrongly",
        )


def _overspent_seats(hand: Timeline) -> set[Seat | None]:
    """Return the seats that put in more than their stacks on record."""
    return {answer.seat for answer in more_than_there(hand) if isinstance(answer, Breach)}


@hand_detector(signs=Symptom.STRANGER)
def stranger(hand: Timeline) -> Iterator[Answer]:
    """A seat acts, posts, shows or is paid, and the record does not deal it in."""
    if not hand.start:
        yield from _no_seat_list(hand)
        return
    reported_seats: set[Seat] = set()
    for version, event in hand.of(*_DEEDS):
        seat: Seat = event.seat
        if seat not in hand.start and seat not in reported_seats:
            reported_seats.add(seat)
            yield Breach(
                version, f"seat {seat} takes part and is not dealt in", seat=seat, should="a seat that is dealt in"
            )


@hand_detector(events=(SeatDealtIn,), signs=Symptom.STRANGER, deadline="mendable")
def seat_dealt_twice(hand: Timeline) -> Iterator[Answer]:
    """A seat is dealt in twice, with two players or two stacks."""
    first: dict[Seat, tuple[int, SeatDealtIn]] = {}
    for version, event in hand.of(SeatDealtIn):
        first_version, first_event = first.setdefault(event.seat, (version, event))
        difference = (
            "players" if first_event.player != event.player else "stacks" if first_event.stack != event.stack else ""
        )
        if difference:
            yield Breach(
                version,
                f"seat {event.seat} is dealt in twice, with two {difference}",
                seat=event.seat,
                should=f"one {difference[:-1]}: either line is wrong",
                beside=((first_version, "the seat was dealt in here"),),
            )


def _no_seat_list(hand: Timeline) -> Iterator[Breach]:
    """Name a hand whose record deals nobody in: once, at the first event that needs a seat."""
    for version, _ in hand.of(*_DEEDS)[:1]:
        number = next((event.number for _, event in hand.of(HandOpened)), "")
        yield Breach(
            version,
            f"hand {number} has no seat list" if number else "the hand has no seat list",
            should="every player who is dealt in, with a seat and a stack",
        )


@hand_detector(events=(LineUnread,))
def line_unread(hand: Timeline) -> Iterator[Answer]:
    """A line of the source says something that its reader does not know."""
    for version, _ in hand.of(LineUnread):
        yield Breach(version, "a line that no reader knows", should="the hand is incomplete without it")


@hand_detector(
    events=(PotAwarded,),
    needs=Witness.AWARDS | Witness.SHOWDOWN | Witness.BOARD | Witness.ACTS,
    signs=Symptom.AWARD,
    occasion=Symptom.SHOWDOWN,
    deadline="after_hand",
    is_heavy=True,
)
def award_differs(hand: Timeline) -> Iterator[Answer]:
    """A pot was paid to other seats, or in other parts, than the cards on record give it."""
    state = hand.played.final
    if unopposed(hand):
        return
    expectation = expected(hand) if hand.contested else None
    if isinstance(expectation, CannotTell):
        yield expectation
        return
    expected_awards = dict(expectation) if expectation else None
    if expected_awards is None or any(
        paid and threw_away(hand, seat) for seat, (_, paid, _) in expected_awards.items()
    ):
        yield NO_OCCASION
        return
    winners = {seat for seat, (due, _, _) in expected_awards.items() if due}
    if _in_parts(expected_awards):
        return  # the sum is R1's
    ranges = award_ranges(state) or {}
    chip = smallest_chip(hand)
    has_odd_chip = chip > 1 and any(due % chip for due, _, _ in expected_awards.values())
    unmatched = {} if hand.witnessed(Witness.RETURNED_BETS) else _unmatched(state)
    doubt = ""
    if any(event.reason == "unknown" and event.seat in state.cleared for _, event in hand.of(HandKilled)):
        doubt = "why a hand was killed at the showdown is not told"
    elif any(True for _ in same_card_twice(hand)):
        doubt = "a card is on record twice"
    elif any(hand.start.get(seat) is None for seat in state.live):
        doubt = "not every stack is on record: somebody may be all-in"
    if len(winners) == 1:  # then the drop came out of that seat's share
        (winner,) = winners
        due, paid, version = expected_awards[winner]
        expected_awards[winner] = (due - state.chips.drop, paid, version)
        should = f"seat {winner} gets {hand.say(due - state.chips.drop)}, by the cards on record"
    else:
        parts = (f"seat {payee} {hand.say(due)}" for payee, (due, _, _) in expected_awards.items() if due)
        should = f"{', '.join(parts)} before the drop, by the cards on record"
    # The event to point at is an award that should not have been; failing that, a short one.
    for seat, (_, paid, version) in sorted(expected_awards.items(), key=lambda item: item[1][0] > 0):
        minimum, maximum = ranges.get(seat, (0, 0))
        if seat in winners and has_odd_chip:  # no share can be exact where it is no whole number of chips
            minimum, maximum = minimum - chip, maximum + chip
        if not minimum - unmatched.get(seat, 0) <= paid <= maximum:
            yield Breach(
                version,
                f"seat {seat} was paid {hand.say(paid) if paid else 'nothing'}",
                seat=seat,
                should=should,
                certainty="likely" if doubt else "certain",
                because=doubt,
                money=split(
                    (payee, due_chips, paid_chips) for payee, (due_chips, paid_chips, _) in expected_awards.items()
                ),
            )
            return


def _in_parts(awards: Mapping[Seat, tuple[Chips, Chips, int]]) -> bool:
    """Say whether those who win were paid, nobody else, and each the same part of what is due."""
    due_total, paid_total = (sum(award[column] for award in awards.values()) for column in (0, 1))
    return all(
        bool(owed) == bool(paid) and abs(paid * due_total - owed * paid_total) < due_total
        for owed, paid, _ in awards.values()
    )


def _unmatched(state: HandState) -> dict[Seat, Chips]:
    """Return what only one seat could win: chips that nobody matched, which came back or were paid."""
    return {min(pot.seats): pot.amount for pot in pots(state) if len(pot.seats) == 1}
