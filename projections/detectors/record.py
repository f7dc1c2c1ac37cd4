"""Contradictions within one record: chips, cards, seats and stated results that don't agree.

Each public function is a detector; its docstring states the breach. They check no house rule and correct nothing.
"R1" to "R21" in comments are clauses of the rulebook `record`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple

from ledger.event import Event
from ledger.hand.agreement import may_hide_drop
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
from ledger.hand.holdings import list_dealt_boards
from ledger.hand.opening import AntePosted, BlindPosted, BringInPosted, HandOpened, SeatDealtIn, StraddlePosted
from ledger.hand.pots import pots
from ledger.hand.state import HandState
from ledger.presence import ChipsAdded
from ledger.text.language import translatable
from ledger.vocabulary import DECK, Chips, Seat, Witness, split_cards
from projections.detectors.shared.awards import Award, find_awards, find_smallest_chip, is_unopposed
from projections.findings.detector import Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import paragraph
from projections.sentences import record as say
from projections.timeline.chip_flows import build_split_flow
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
_RESULT_LABELS: Final[dict[str, say.Label]] = {
    "net": "net result",
    "winnings": "winnings",
    "collected": "collected amount",
}


@hand_detector(needs=Witness.AWARDS | Witness.ACTS, signs=Symptom.CONSERVATION, deadline="after_hand")
def chips_not_conserved(hand: Timeline) -> Iterator[Answer]:
    """More or fewer chips came out of the pot than went in."""
    state = hand.played.final_state
    if hand.of(HandVoided, PotImpounded) or state.is_spoiled:
        yield NO_OCCASION
        return
    if not hand.of(PotAwarded):
        yield CannotTell(translatable("the end of the hand"))
        return
    imbalance = state.conservation()
    if imbalance and hand.of(CashOutTaken):
        yield CannotTell(translatable("what the house took over in a cash-out"))
    elif imbalance:
        yield _build_imbalance_breach(hand, imbalance)


def _build_imbalance_breach(hand: Timeline, imbalance: Chips) -> Breach:
    """Return the breach of a pot that paid out too few chips (`imbalance` positive) or too many (negative)."""
    state = hand.played.final_state
    paid, dropped = sum(state.chips.awarded.values()), state.chips.drop
    headline = say.pot_is_short if imbalance > 0 else say.pot_is_over
    doubt = _describe_imbalance_doubt(hand, imbalance)
    return Breach(
        hand.of(PotAwarded)[-1][0],
        headline(*map(hand.format_chips, (abs(imbalance), state.pot_size(), paid + dropped))),
        should=say.as_much_out_as_in(),
        because=paragraph(
            say.paid_and_raked(hand.format_chips(paid), hand.format_chips(dropped)) if dropped else "", doubt
        ),
        certainty="likely" if doubt else "certain",
    )


def _describe_imbalance_doubt(hand: Timeline, imbalance: Chips) -> str:
    """Return what may be missing from the record and would explain an imbalance; "" = nothing."""
    state, is_short = hand.played.final_state, imbalance > 0
    is_tournament = hand.game is not None and hand.game.format == "tournament"
    doubts = (
        (is_short and is_tournament and not hand.is_witnessed(Witness.RETURNED_BETS), say.bet_may_have_come_back()),
        (is_short and may_hide_drop(state) and not is_tournament, say.rake_may_be_missing()),
        (not is_short and not hand.is_witnessed(Witness.POSTS), say.post_may_be_missing()),
        (is_short and imbalance == _sum_void_posts(hand), say.void_posts_may_have_gone_back()),
    )  # pairs of (condition, sentence); the first that holds decides
    return next((doubt for applies, doubt in doubts if applies), "")


def _sum_void_posts(hand: Timeline) -> Chips:
    """Return the chips posted for a void deal; 0 if the blinds weren't posted again after it."""
    misdeal_version = max((version for version, _ in hand.of(MisdealDeclared)), default=0)
    void_posts = [post for version, post in hand.posts if version < misdeal_version]
    if len(void_posts) == len(hand.posts):
        return 0
    return sum(post.live + post.dead if isinstance(post, BlindPosted) else post.amount for post in void_posts)


@hand_detector(events=(ResultDeclared,), signs=Symptom.DECLARED)
def declared_total(hand: Timeline) -> Iterator[Answer]:
    """The total pot that the record declares is not what went in; some rooms count only what players put in."""
    state = hand.played.final_state
    total = state.pot_size()
    for version, event in hand.of(ResultDeclared):
        if event.what == "total-pot" and event.amount not in (None, total, total - state.chips.seeded):
            yield _build_result_breach(hand, version, "total pot", event.amount or 0, total)


def _build_result_breach(
    hand: Timeline, version: int, label: say.Label, declared: Chips, actual: Chips, seat: Seat | None = None
) -> Breach:
    """Return the breach of a declared result that the replay contradicts; `seat` None = of the whole hand."""
    amounts = hand.format_chips(declared), hand.format_chips(actual)
    return Breach(
        version,
        say.stated_result(label, *amounts) if seat is None else say.stated_result_of_seat(label, seat, *amounts),
        seat=seat,
        should=say.result_by_actions(hand.format_chips(actual)),
        because=say.difference_of(hand.format_chips(abs(declared - actual))),
    )


@hand_detector(events=(ResultDeclared,), signs=Symptom.DECLARED)
def declared_drop(hand: Timeline) -> Iterator[Answer]:
    """The rake or drop that the record declares is not what was taken."""
    for version, event in hand.of(ResultDeclared):
        if event.amount is None or event.what not in ("rake", "jackpot", "drop"):
            continue
        dropped = sum(drop.amount for _, drop in hand.of(DropTaken) if event.what in ("drop", drop.kind))
        if event.amount != dropped:
            yield _build_result_breach(hand, version, event.what, event.amount, dropped)


@hand_detector(events=(ResultDeclared,), signs=Symptom.DECLARED)
def declared_stacks(hand: Timeline) -> Iterator[Answer]:
    """An end stack that the record declares, or a balance so far, is not what the seat's chips come to."""
    played_hand = hand.played
    for version, event in hand.of(ResultDeclared):
        if event.what not in ("end-stack", "balance") or event.seat is None or event.amount is None:
            continue
        is_end_stack = event.what == "end-stack"
        stack = (played_hand.final_state if is_end_stack else played_hand.state_before(version)).stack(event.seat)
        if stack is None:
            yield CannotTell("stacks-before")
        elif stack != event.amount and event.seat in _find_overspent_seats(hand):
            yield CannotTell("stacks-before")  # clause R11 reports that the recorded stack is wrong
        elif stack != event.amount:
            label: say.Label = "end stack" if is_end_stack else "balance"
            yield _build_result_breach(hand, version, label, event.amount, stack, event.seat)


@hand_detector(events=(ResultDeclared,), signs=Symptom.DECLARED)
def declared_winnings(hand: Timeline) -> Iterator[Answer]:
    """A seat's winnings in the record's summary are not what it was paid."""
    state = hand.played.final_state
    cashed_out_seats = {event.seat for _, event in hand.of(CashOutTaken)}
    for version, event in hand.of(ResultDeclared):
        if event.seat is None or event.amount is None:
            continue
        is_cashed_out = event.seat in cashed_out_seats
        if is_cashed_out and event.what != "net":
            yield CannotTell(translatable("what the house took over in a cash-out"))
            continue
        house_chips = state.cash_outs.get(event.seat, 0)  # from a cash-out or an insurance; not all records count them
        winnings = state.chips.awarded.get(event.seat, 0) + (house_chips if is_cashed_out else 0)
        if event.what in ("winnings", "collected"):
            if event.amount == winnings + state.chips.returned.get(event.seat, 0):
                continue  # some records count a bet that nobody called as won
        elif event.what == "net":
            winnings -= state.chips.put_in.get(event.seat, 0)
        else:
            continue
        if event.amount not in (winnings, winnings if is_cashed_out else winnings + house_chips):
            yield _build_result_breach(hand, version, _RESULT_LABELS[event.what], event.amount, winnings, event.seat)


@hand_detector(signs=Symptom.DUPLICATE, deadline="mendable")
def same_card_twice(hand: Timeline) -> Iterator[Answer]:
    """One card is in two places at once: in a hand, on a board or among the burns."""
    place_by_card: dict[str, str] = {}
    for place in _iter_card_places(hand):
        for card, version in place.cards:
            if card in place_by_card and card in _CARDS:
                headline = _describe_card(card, place_by_card[card], place.name)
                yield Breach(version, headline, seat=place.seat, should=say.every_card_once())
            place_by_card[card] = place.name


def _describe_card(card: str, first_place: str, next_place: str) -> str:
    """Return the headline for a card that is in two places, or twice in one."""
    if first_place == next_place:
        return say.card_twice_in_place(card, first_place)
    return say.card_in_two_places(card, first_place, next_place)


class _CardPlace(NamedTuple):
    """A hand, the burns or a board, with its known cards."""

    name: str
    seat: Seat | None  # None = no seat's hand
    cards: list[tuple[str, int]]  # each with the version of the event that put it there


def _iter_card_places(hand: Timeline) -> Iterator[_CardPlace]:
    """Yield each hand, the burns and each board, with the cards that are known to be there."""
    state = hand.played.final_state
    first_versions = _map_first_versions(hand)
    last_version, _ = hand.numbered_events[-1]
    seats_with_cards = {
        event.seat
        for _, event in hand.of(HoleCardsDealt, HoleCardsLearned, CardsShown, CardsMucked, Folded)
        if event.cards and "?" not in event.cards
    }
    for seat in sorted(seats_with_cards):
        hole_cards = [(card, first_versions.get((seat, card), last_version)) for card in state.hole_cards(seat)]
        yield _CardPlace(say.card_place("hand", seat, ""), seat, hole_cards)
    yield _CardPlace(say.card_place("burns", 0, ""), None, _list_burns_out(hand))
    boards = list_dealt_boards(state.dealing)
    has_several_runs = any(run > 1 for run, _ in boards)
    for (run, number), cards in boards.items():
        name = say.board_name(run, number, runs=has_several_runs, boards=len(boards) > 1)
        board_cards = [(card, first_versions.get(((run, number), card), last_version)) for card in cards]
        yield _CardPlace(say.card_place("board", 0, name), None, board_cards)


def _map_first_versions(hand: Timeline) -> dict[tuple[Seat | tuple[int, int], str], int]:
    """Return when each card first came into a seat's hand or on a board (by run and number): the event's version."""
    first_versions: dict[tuple[Seat | tuple[int, int], str], int] = {}
    for version, event in hand.of(BoardDealt, HoleCardsDealt, HoleCardsLearned, CardsShown, CardsMucked, Folded):
        place = (event.run, event.board) if isinstance(event, BoardDealt) else event.seat
        for card in split_cards(event.cards):
            first_versions.setdefault((place, card), version)
    return first_versions


def _list_burns_out(hand: Timeline) -> list[tuple[str, int]]:
    """Return the burns that came off the deck and stayed out of it, each with its version."""
    burns: dict[str, int] = {}
    for version, event in hand.of(CardBurned, CardReturned, DeckShuffled, MisdealDeclared):
        if isinstance(event, CardBurned):
            if event.source == "deck":
                burns.setdefault(event.card, version)
        elif isinstance(event, CardReturned):
            burns.pop(event.card, None)
        else:  # a shuffle or misdeal may take burns back into the deck, and records seldom say which
            burns.clear()
    return list(burns.items())


@hand_detector(events=(BoardDealt,), signs=Symptom.DUPLICATE)
def street_twice(hand: Timeline) -> Iterator[Answer]:
    """The record has the same cards of a street twice."""
    cards_by_street: dict[tuple[str, int, int], str] = {}
    for version, event in hand.of(BoardDealt, BoardWithdrawn, MisdealDeclared):
        if isinstance(event, MisdealDeclared):
            cards_by_street.clear()
            continue
        street_key = (event.street, event.board, getattr(event, "run", 1))
        if isinstance(event, BoardWithdrawn):
            cards_by_street.pop(street_key, None)
        elif cards_by_street.get(street_key) == event.cards and "?" not in event.cards:
            cards = " ".join(split_cards(event.cards))
            yield Breach(version, say.street_recorded_twice(event.street, cards), should=say.single_record())
        else:
            cards_by_street[street_key] = event.cards


@hand_detector(events=(Called, Bet, Raised, Completed), needs=Witness.STACKS_BEFORE, signs=Symptom.STACK)
def more_than_there(hand: Timeline) -> Iterator[Answer]:
    """A seat put in more than its recorded stack and the chips it bought since."""
    reported_seats: set[Seat] = set()
    for act, paid in hand.acts_with_totals():
        stack = hand.stack_at(act.seat)
        if stack is None or paid <= stack or act.seat in reported_seats:
            continue
        bought_chips = sum(
            event.amount for version, event in hand.of(ChipsAdded) if event.seat == act.seat and version < act.version
        )
        maximum = stack + bought_chips
        if paid > maximum:
            reported_seats.add(act.seat)
            yield Breach(
                act.version,
                say.more_than_stack(act.seat, hand.format_chips(paid), hand.format_chips(maximum)),
                seat=act.seat,
                should=say.stack_at_most(hand.format_chips(maximum)),
            )


@hand_detector(
    events=(Bet, Raised, Completed),
    needs=Witness.ACTS | Witness.POSTS | Witness.BOARD,
    signs=Symptom.SMALL_BET,
    deadline="mendable",
)
def raise_of_nothing(hand: Timeline) -> Iterator[Answer]:
    """A bet or raise that isn't all-in is no more than the bet it faces."""
    has_board = hand.variant is not None and any(plan.board for plan in hand.variant.streets)
    for act in hand.acts:
        is_empty_raise = act.kind in ("bet", "raise") and act.bet_to_call and not act.raise_size and not act.is_all_in
        if not is_empty_raise or act.version in hand.undone_versions:
            continue
        if not has_board:  # a new street may have begun once all had acted
            if act.to_act_bits:
                yield CannotTell(translatable("where a street begins"))
            continue
        bet_text, level_text = hand.format_chips(act.bet_after), hand.format_chips(act.bet_to_call)
        yield Breach(
            act.version,
            say.raise_of_nothing("raise" if act.kind == "raise" else "bet", act.seat, bet_text, level_text),
            seat=act.seat,
            should=say.call_or_more(level_text),
            because=say.action_or_amount_wrong(),
        )


def _find_overspent_seats(hand: Timeline) -> set[Seat | None]:
    """Return the seats that put in more than their recorded stacks."""
    return {answer.seat for answer in more_than_there(hand) if isinstance(answer, Breach)}


@hand_detector(signs=Symptom.STRANGER)
def stranger(hand: Timeline) -> Iterator[Answer]:
    """A seat acts, posts, shows or is paid, but the record does not deal it in."""
    if not hand.start:
        yield from _judge_missing_seat_list(hand)
        return
    reported_seats: set[Seat] = set()
    for version, event in hand.of(*_DEEDS):
        seat: Seat = event.seat
        if seat not in hand.start and seat not in reported_seats:
            reported_seats.add(seat)
            yield Breach(version, say.stranger(seat, _describe_deed(event)), seat=seat, should=say.dealt_in_first())


def _describe_deed(event: Event) -> say.Deed:
    """Return what a seat that isn't dealt in did, in a word or two."""
    if isinstance(event, BlindPosted | StraddlePosted | AntePosted | BringInPosted):
        return "posted"
    other_deeds: dict[type[Event], say.Deed] = {
        BetReturned: "got a bet back",
        PotAwarded: "was paid",
        CardsShown: "showed cards",
    }
    return other_deeds.get(type(event), "acted")


@hand_detector(events=(SeatDealtIn,), signs=Symptom.STRANGER, deadline="mendable")
def seat_dealt_twice(hand: Timeline) -> Iterator[Answer]:
    """A seat is dealt in twice, with two players or two stacks."""
    first_events: dict[Seat, tuple[int, SeatDealtIn]] = {}
    for version, event in hand.of(SeatDealtIn):
        first_version, first_event = first_events.setdefault(event.seat, (version, event))
        if first_event.player != event.player or first_event.stack != event.stack:
            difference: Literal["players", "stacks"] = "players" if first_event.player != event.player else "stacks"
            yield Breach(
                version,
                say.dealt_in_twice(event.seat, difference),
                seat=event.seat,
                should=say.one_line_is_wrong(difference),
                other_events=((first_version, say.dealt_in_note()),),
            )


def _judge_missing_seat_list(hand: Timeline) -> Iterator[Breach]:
    """Yield one breach for a hand that deals nobody in, at the first event of a seat."""
    for version, _ in hand.of(*_DEEDS)[:1]:
        number = next((event.number for _, event in hand.of(HandOpened)), "")
        yield Breach(version, say.no_seat_list(number), should=say.seats_and_stacks())


@hand_detector(events=(LineUnread,))
def line_unread(hand: Timeline) -> Iterator[Answer]:
    """A line of the source was not understood."""
    for version, _ in hand.of(LineUnread):
        yield Breach(version, say.line_not_understood(), should=say.hand_incomplete())


@hand_detector(
    events=(PotAwarded,),
    needs=Witness.AWARDS | Witness.SHOWDOWN | Witness.BOARD | Witness.ACTS,
    signs=Symptom.AWARD,
    occasion=Symptom.SHOWDOWN,
    deadline="after_hand",
    is_heavy=True,
)
def award_differs(hand: Timeline) -> Iterator[Answer]:
    """A pot was paid to the wrong seats, or in the wrong parts, by the recorded cards."""
    if is_unopposed(hand):
        return
    awards = find_awards(hand) if hand.is_contested else None
    if isinstance(awards, CannotTell):
        yield awards
    elif awards is None or any(award.paid and hand.find_muck(seat) is not None for seat, award in awards.items()):
        yield NO_OCCASION
    elif not _is_paid_in_proportion(awards):  # otherwise only the sum is wrong, which R1 reports
        wrong_seat = _find_wrongly_paid(hand, awards)
        if wrong_seat is not None:
            yield _build_award_breach(hand, wrong_seat, awards)


def _find_wrongly_paid(hand: Timeline, awards: Mapping[Seat, Award]) -> Seat | None:
    """Return a seat that was paid a wrong amount: one that should have got nothing, else a winner; None = none was."""
    state = hand.played.final_state
    winners = _list_winners(awards)
    ranges = award_ranges(state) or {}
    chip = find_smallest_chip(hand)
    odd_chip = chip if chip > 1 and any(award.due % chip for award in awards.values()) else 0
    unmatched = {} if hand.is_witnessed(Witness.RETURNED_BETS) else _find_unmatched_chips(state)
    for seat in sorted(awards, key=lambda seat: seat in winners):
        minimum, maximum = ranges.get(seat, (0, 0))
        tolerance = odd_chip if seat in winners else 0  # a share that isn't a whole number of chips can't be exact
        if not minimum - tolerance - unmatched.get(seat, 0) <= awards[seat].paid <= maximum + tolerance:
            return seat
    return None


def _build_award_breach(hand: Timeline, seat: Seat, awards: Mapping[Seat, Award]) -> Breach:
    """Return the breach of a wrong award: who was paid, and who wins by the cards."""
    winners, award = _list_winners(awards), awards[seat]
    shares = {winner: awards[winner].due for winner in winners}
    if len(winners) == 1:  # the drop came out of the one winner's share
        shares[winners[0]] -= hand.played.final_state.chips.drop
        should = say.winner_gets(winners[0], hand.format_chips(shares[winners[0]]))
    else:
        should = say.winners_get([(hand.format_chips(due), payee) for payee, due in shares.items()])
    paid = hand.format_chips(award.paid) if award.paid else "nothing"
    doubt = _describe_award_doubt(hand)
    return Breach(
        award.version,
        say.paid_other_amount(seat, paid, hand.format_chips(shares[seat]))
        if winners == [seat]
        else say.paid_instead_of(seat, paid, winners),
        seat=seat,
        should=should,
        certainty="likely" if doubt else "certain",
        because=doubt,
        money=build_split_flow((payee, shares.get(payee, 0), paid_award.paid) for payee, paid_award in awards.items()),
    )


def _describe_award_doubt(hand: Timeline) -> str:
    """Return what may explain an award that differs from the cards; "" = nothing."""
    state = hand.played.final_state
    if any(event.reason == "unknown" and event.seat in state.cleared_seats for _, event in hand.of(HandKilled)):
        return say.kill_unexplained()
    if any(True for _ in same_card_twice(hand)):
        return say.card_recorded_twice()
    return say.stacks_missing() if any(hand.start.get(seat) is None for seat in state.live) else ""


def _list_winners(awards: Mapping[Seat, Award]) -> list[Seat]:
    """Return the seats that win by the cards."""
    return [seat for seat, award in awards.items() if award.due]


def _is_paid_in_proportion(awards: Mapping[Seat, Award]) -> bool:
    """Whether just the winners were paid, and each got the same fraction of the chips due to it."""
    due_total = sum(award.due for award in awards.values())
    paid_total = sum(award.paid for award in awards.values())
    return all(
        bool(award.due) == bool(award.paid) and abs(award.paid * due_total - award.due * paid_total) < due_total
        for award in awards.values()
    )


def _find_unmatched_chips(state: HandState) -> dict[Seat, Chips]:
    """Return, by seat, the chips that nobody matched and that only this seat could win."""
    return {min(pot.seats): pot.amount for pot in pots(state) if len(pot.seats) == 1}
