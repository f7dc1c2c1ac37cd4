"""Tournament procedure that no other book has: heads-up, antes, misdeals by substantial action, scrambled flops."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from ledger.hand.betting import Bet, Called, Checked, Folded, HandKilled, Raised
from ledger.hand.dealing import (
    BoardDealt,
    BoxedCardFound,
    CardReplaced,
    CardReturned,
    DealCompleted,
    ErrorNoticed,
    HoleCardsDealt,
    JokerFound,
    MisdealDeclared,
    WrongCountFound,
)
from ledger.hand.ending import CardsShown, HandVoided, PotAwarded
from ledger.hand.opening import AntePosted, BlindPosted, PostReturned
from ledger.hand.street_deals import StreetDeal
from ledger.presence import PlayerAway, PlayerBack
from ledger.vocabulary import JOKER, Chips, Seat, Witness, split_cards
from projections.detectors.shared.deal_counts import find_duplicate_cards, find_jokers, list_played_deal
from projections.detectors.shared.misdeal_time import is_before_substantial_action, is_misdealt
from projections.detectors.shared.remedies import find_replacement
from projections.detectors.shared.scrambled_flops import (
    FLOP,
    check_fourth_burned,
    check_scrambled_flop,
    check_unburned_flop,
)
from projections.findings.detector import SIGNS_ONLY, Symptom, hand_detector, table_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import tournament as say
from projections.sentences import turn
from projections.sentences.burns import burned_before, burned_note, burns_due
from projections.sentences.dealer_errors import misdeal, scrap_is_replaced
from projections.sentences.dealing import last_card_to, last_card_to_button
from projections.sentences.showdown import paid_note
from projections.table_walk.table_context import TableContext
from projections.timeline.hand_timeline import AFTER_ALL_EVENTS, Timeline

_ACTS: Final = (Folded, Checked, Called, Bet, Raised)


# Button and blinds


@hand_detector(events=(HoleCardsDealt,), needs=Witness.DEAL_ORDER | Witness.BUTTON, signs=Symptom.HEADS_UP)
def heads_up_last_card(hand: Timeline) -> Iterator[Answer]:
    """With two players, the last card of the deal did not go to the button."""
    if len(hand.start) != 2 or hand.button not in hand.start:
        yield NO_OCCASION
        return
    dealt = [(place, version, event.seat) for version, event in list_played_deal(hand) for place in event.deck if place]
    if not list_played_deal(hand) and hand.misdeals():
        yield NO_OCCASION  # a void deal is made anew as another hand
        return
    if not dealt:
        yield CannotTell("deal-order")
        return
    _, version, seat = max(dealt)
    if seat != hand.button:
        yield Breach(version, last_card_to(seat, hand.button), seat=seat, should=last_card_to_button(hand.button))


@hand_detector(events=_ACTS, needs=Witness.ACTS | Witness.BUTTON | Witness.POSTS, signs=Symptom.HEADS_UP)
def heads_up_order(hand: Timeline) -> Iterator[Answer]:
    """With two players, the button did not open the first round, or opened a later one."""
    button = hand.button
    if len(hand.start) != 2 or button not in hand.find_posters("small"):
        yield NO_OCCASION  # a small blind elsewhere is another clause's
        return
    for street, acts in hand.acts_by_street():
        first = acts[0]
        opens = street == "preflop"
        if (first.seat == button) != opens:
            due: Seat = button if opens else next(seat for seat in hand.start if seat != button)
            undone_versions = hand.find_take_backs(first)
            yield Breach(
                first.version,
                turn.opened_out_of_turn(first.seat, street, due),
                seat=first.seat,
                should=turn.acts_first_heads_up(due),
                because=turn.taken_back_in_time() if undone_versions else "",
                severity="warning" if undone_versions else None,
                other_events=tuple((version, turn.taken_back_note()) for version in undone_versions),
            )


@table_detector(needs=Witness.POSTS, partial=Witness.POSTS, signs=Symptom.HEADS_UP)
def big_blind_twice(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """On becoming heads-up, the player who had the big blind on the last hand has it again."""
    last = context.last_hand
    if len(hand.start) != 2 or last is None or len(last.dealt_in) < 3:
        yield NO_OCCASION
        return
    if context.due.unknown:
        yield CannotTell(context.due.unknown)
        return
    previous_seats = {post.seat for post in last.posts if post.role == "big"}
    for version, post in hand.standing_posts():
        is_big = isinstance(post, BlindPosted) and post.role == "big"
        if is_big and post.seat in previous_seats and post.seat != hand.button:
            due_seat = next(seat for seat in hand.start if seat != post.seat)
            yield Breach(
                version,
                say.big_blind_twice(post.seat),
                seat=post.seat,
                should=say.big_blind_moves(post.seat, due_seat),
                because=say.players_on_last_hand(last.number, len(last.dealt_in)),
            )


@hand_detector(events=(AntePosted,), needs=Witness.POSTS | Witness.ANTES | Witness.STACKS_BEFORE)
def ante_before_blind(hand: Timeline) -> Iterator[Answer]:
    """A short big blind paid the table's ante before its blind was full."""
    occasion = False
    live_blinds = _sum_live_big_blinds(hand)
    for version, ante in hand.standing_posts():
        if not isinstance(ante, AntePosted) or not ante.for_table:
            continue
        stack, big = hand.stack_at(ante.seat), hand.big_blind
        if (live_blinds and ante.seat not in live_blinds) or stack is None or big is None:
            continue
        game = hand.game
        if game is not None and stack >= big + max(game.ante, ante.amount):
            continue
        occasion = True
        due = min(stack, big)
        paid = live_blinds.get(ante.seat, 0)  # a stack that the ante took whole posts no blind
        if paid < due and ante.amount:
            yield Breach(
                version,
                say.ante_before_blind(
                    ante.seat, hand.format_chips(stack), hand.format_chips(ante.amount), hand.format_chips(paid)
                ),
                seat=ante.seat,
                should=say.blind_before_ante(hand.format_chips(due), hand.format_chips(stack - due)),
            )
    if not occasion:
        yield NO_OCCASION


def _sum_live_big_blinds(hand: Timeline) -> dict[Seat, Chips]:
    """Return what each seat posted live as the big blind."""
    live_chips: dict[Seat, Chips] = {}
    for _, post in hand.standing_posts():
        if isinstance(post, BlindPosted) and post.role == "big":
            live_chips[post.seat] = live_chips.get(post.seat, 0) + post.live
    return live_chips


@hand_detector(events=(PlayerAway,), needs=Witness.PRESENCE | Witness.HAND_KILLS | Witness.ACTS)
def absent_hand_alive(hand: Timeline) -> Iterator[Answer]:
    """The hand of a player who was not at the table when the deal was complete was played."""
    absences = _find_absences_at_deal(hand)
    if not absences:
        yield NO_OCCASION
    for seat, version in absences.items():
        killed_at = next((kill_at for kill_at, kill in hand.of(HandKilled) if kill.seat == seat), None)
        played_acts = [act for act in hand.acts_before(killed_at) if act.seat == seat and act.kind != "fold"]
        returns = hand.events_after(killed_at, PostReturned, seat=seat) if killed_at else []
        if returns and not hand.of(HandVoided):
            returned_at, returned = returns[0]
            yield Breach(
                returned_at,
                say.posts_given_back(seat, hand.format_chips(returned.amount)),
                seat=seat,
                remedy="not-followed",
                should=say.absent_posts_stay_in(),
                other_events=((version, say.away_note()), (killed_at or 0, say.killed_note())),
            )
        elif played_acts:
            yield Breach(
                played_acts[0].version,
                say.absent_hand_played(seat),
                seat=seat,
                remedy="not-followed",
                should=say.absent_hand_dead(),
                other_events=((version, say.away_note()),),
            )


def _find_absences_at_deal(hand: Timeline) -> dict[Seat, int]:
    """Return who was away when the deal was complete, and since when; none if its end is not on record."""
    absences: dict[Seat, int] = {}
    for version, event in hand.of(PlayerAway, PlayerBack, DealCompleted):
        if isinstance(event, DealCompleted):
            return absences
        if event.seat is not None and isinstance(event, PlayerBack):
            absences.pop(event.seat, None)
        elif event.seat is not None and event.seat in hand.start:
            absences[event.seat] = version
    return {}


# The deal


@hand_detector(events=(BoxedCardFound,), needs=Witness.DEAL_ERRORS)
def boxed_cards(hand: Timeline, *, count: int) -> Iterator[Answer]:
    """So many boxed cards came in the initial deal and no misdeal was declared."""
    ends = [*(version for version, _ in hand.misdeals()), hand.first_act or AFTER_ALL_EVENTS]
    deals = [hand.events_after(start, BoxedCardFound, before_version=end) for start, end in pairwise([0, *ends])]
    boxed = next((boxed_events for boxed_events in deals if len(boxed_events) >= count), [])
    if not boxed:
        yield NO_OCCASION
    elif not is_misdealt(hand, boxed[count - 1][0]):
        yield Breach(boxed[count - 1][0], say.boxed_cards_dealt_on(len(boxed)), should=misdeal(), remedy="not-followed")


@hand_detector(events=(JokerFound,), needs=Witness.DEAL_ERRORS | Witness.ACTS, deadline="mendable")
def joker_in_time(hand: Timeline) -> Iterator[Answer]:
    """A card of no standard deck was found before substantial action, and the deal went on."""
    reported = [] if hand.option("joker-used") else hand.of(JokerFound)
    early_jokers = [(version, event.seat) for version, event in reported if is_before_substantial_action(hand, version)]
    if not early_jokers:
        yield NO_OCCASION
    for version, seat in [joker for joker in early_jokers if not is_misdealt(hand, joker[0])][:1]:
        yield Breach(version, say.joker_found_dealt_on(), seat=seat, should=misdeal(), remedy="not-followed")


@hand_detector(
    events=(JokerFound, BoardDealt, CardsShown),
    needs=Witness.DEAL_ERRORS | Witness.ACTS,
    signs=Symptom.STREETS,
    occasion=SIGNS_ONLY,
    deadline="mendable",
)
def joker_played(hand: Timeline) -> Iterator[Answer]:
    """A card of no standard deck, found after substantial action, was not replaced in a hand or on the board."""
    is_excused = hand.option("joker-used") or hand.of(HandVoided)
    late_jokers = (
        [] if is_excused else [joker for joker in find_jokers(hand) if not is_before_substantial_action(hand, joker[0])]
    )
    in_hands = _list_jokers_in_hands(hand, late_jokers)
    on_board = (
        [deal for deal in hand.deals if deal.withdrawn is None and JOKER in deal.remaining_cards] if late_jokers else []
    )
    if not (in_hands or on_board):
        yield NO_OCCASION
    for deal in on_board:
        yield _build_joker_breach(deal.version, say.street_with_joker(deal.street))
    for version, seat in in_hands:
        if not hand.events_after(version, CardReplaced, Folded, seat=seat) and hand.find_kill(seat, version) is None:
            yield _build_joker_breach(version, say.played_with_joker(seat), seat)


def _list_jokers_in_hands(hand: Timeline, found_jokers: list[tuple[int, JokerFound]]) -> list[tuple[int, Seat]]:
    """Return the jokers that came to light in a hand that was still live."""
    return [
        (version, event.seat)
        for version, event in found_jokers
        if event.seat is not None and not hand.events_before(version, Folded, HandKilled, seat=event.seat)
    ]


def _build_joker_breach(version: int, saw: str, seat: Seat | None = None) -> Breach:
    return Breach(version, saw, seat=seat, should=scrap_is_replaced(), remedy="not-followed")


@hand_detector(
    events=(WrongCountFound,), needs=Witness.DEAL_ERRORS | Witness.ACTS | Witness.BUTTON, deadline="mendable"
)
def wrong_count_in_time(hand: Timeline) -> Iterator[Answer]:
    """A wrong number of cards was found before substantial action, and the deal went on."""
    plan = hand.variant
    occasion = False
    for version, event in hand.of(WrongCountFound):
        is_short = plan is not None and event.count < plan.hole_cards
        if not is_before_substantial_action(hand, version) or (event.seat == hand.button and is_short):
            continue
        occasion = True
        if not is_misdealt(hand, version):
            yield Breach(
                version,
                say.wrong_count_dealt_on(event.seat, event.count),
                seat=event.seat,
                should=misdeal(),
                remedy="not-followed",
            )
    if not occasion:
        yield NO_OCCASION


@hand_detector(
    events=(WrongCountFound,), needs=Witness.DEAL_ERRORS | Witness.ACTS | Witness.HAND_KILLS, deadline="mendable"
)
def short_button_acted(hand: Timeline) -> Iterator[Answer]:
    """The button had acted on too few cards, and its hand stayed alive."""
    plan = hand.variant
    occasion = False
    for version, event in hand.of(WrongCountFound):
        acted = hand.has_acted(event.seat, version) and not hand.events_before(
            version, Folded, HandKilled, seat=event.seat
        )
        if event.seat != hand.button or plan is None or event.count >= plan.hole_cards or not acted:
            continue
        occasion = True
        is_over = hand.events_after(version, Folded, seat=event.seat) or hand.of(HandVoided)
        if not is_over and hand.find_kill(event.seat, version) is None:
            yield Breach(
                version,
                say.acted_on_short_hand(event.seat, event.count),
                seat=event.seat,
                should=say.dead_hand(),
                remedy="not-followed",
            )
    if not occasion:
        yield NO_OCCASION


@hand_detector(events=(MisdealDeclared,), needs=Witness.DEAL_ERRORS | Witness.ACTS)
def late_misdeal(hand: Timeline) -> Iterator[Answer]:
    """A misdeal was declared after substantial action."""
    occasion = False
    for version, event in hand.misdeals():
        if is_before_substantial_action(hand, version):
            continue
        occasion = True
        if find_duplicate_cards(hand, version):
            continue  # a fouled deck
        if event.reason == "other":
            yield CannotTell("why the misdeal was declared: a fouled deck is one at any time")
        else:
            yield Breach(version, say.late_misdeal(event.reason), should=say.hand_goes_on(), remedy="not-followed")
    if not occasion:
        yield NO_OCCASION


@hand_detector(events=(HoleCardsDealt, CardsShown), needs=Witness.AWARDS, signs=Symptom.DUPLICATE, occasion=SIGNS_ONLY)
def fouled_deck(hand: Timeline) -> Iterator[Answer]:
    """Two cards of the same rank and suit were in the hand, and it was played and paid."""
    duplicates = find_duplicate_cards(hand) if not is_misdealt(hand) else {}
    award_versions = [version for version, event in hand.of(PotAwarded) if event.amount]
    if not duplicates:
        yield NO_OCCASION
    elif award_versions and not hand.of(HandVoided):
        card, version = next(iter(duplicates.items()))
        yield Breach(
            version,
            say.card_came_twice(card),
            remedy="not-followed",
            should=say.play_stops(),
            certainty="likely",
            because=say.record_may_be_wrong(),
            other_events=((award_versions[0], paid_note()),),
        )


# The board


@hand_detector(events=(HandKilled,), needs=Witness.BURNS | Witness.HAND_KILLS | Witness.BOARD)
def burns_after_count(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """After a hand died for its number of cards, a street took other than its one burn, or the deck was put back in order."""
    kills = [version for version, event in hand.of(HandKilled) if event.reason == "wrong-count"]
    killed_at = next((version for version in kills if not is_before_substantial_action(hand, version)), None)
    if killed_at is None:
        yield NO_OCCASION
        return
    yield from _judge_burns_after(hand, killed_at, burns)
    for version, event in hand.events_after(killed_at, CardReturned):
        if event.position == "top":
            yield Breach(
                version,
                say.card_put_back(event.card),
                seat=event.seat,
                should=say.deck_not_restored(),
                other_events=((killed_at, say.hand_died_note()),),
            )


def _judge_burns_after(hand: Timeline, killed_at: int, burns: int) -> Iterator[Breach]:
    """Yield the streets after a hand died that took other than their burn."""
    for street in dict.fromkeys(deal.street for deal in hand.deals if deal.version > killed_at):
        deals = [deal for deal in hand.deals if deal.street == street]
        burned = sum(len(deal.burns) for deal in deals)  # one that is dealt again has had its burn
        if burned != burns:
            yield Breach(
                deals[-1].version,
                burned_before(burned, street),
                should=say.one_burn_per_street(burns),
                other_events=((killed_at, say.hand_died_note()),),
            )


@hand_detector(
    events=(BoardDealt,),
    needs=Witness.BOARD | Witness.DEAL_ERRORS,
    signs=Symptom.STREETS,
    occasion=SIGNS_ONLY,
    deadline="mendable",
)
def four_card_flop(hand: Timeline, *, cards: int) -> Iterator[Answer]:
    """A flop of four cards was not scrambled into the next burn and a flop of the other three."""
    flops = [deal for deal in hand.deals if deal.street == "flop" and deal.card_count == cards]
    if (
        not flops or flops[0] in hand.early_streets()
    ):  # one that came before its time goes back into the stub, whatever it is
        yield NO_OCCASION
        return
    deal = flops[0]
    if deal.remaining_count == FLOP and deal.withdrawals and deal.withdrawn is None:
        yield CannotTell("whether the four were scrambled before one of them was taken away")
        yield from check_fourth_burned(hand, deal.version, {*split_cards(deal.withdrawals[0][1].cards)})
        return
    replacement = find_replacement(hand, deal)
    if deal.withdrawn is None or replacement is None:
        if len(hand.live) > 1 or deal.withdrawn is None:
            yield Breach(deal.version, say.flop_kept(cards), should=say.scramble_four(), remedy="not-followed")
        return
    yield from check_scrambled_flop(hand, deal, replacement)


@hand_detector(
    events=(BoardDealt,), needs=Witness.BURNS | Witness.DEAL_ERRORS | Witness.ERRORS_NOTICED, deadline="mendable"
)
def unburned_flop(hand: Timeline) -> Iterator[Answer]:
    """A flop without a burn, noticed before any action, was not scrambled with one of it as the burn."""
    deal = _find_unburned_flop(hand)
    if deal is None:
        yield NO_OCCASION
        return
    notices = hand.events_after(deal.version, ErrorNoticed)
    notice_version = next((version for version, event in notices if event.kind == "no-burn"), None)
    if notice_version is None or any(act.version < notice_version for act in deal.acts):
        yield NO_OCCASION
    elif (
        deal.replaced_count != 1 or deal.remaining_count != FLOP
    ):  # else one of the three is the burn, and the next card took its place
        yield from check_unburned_flop(hand, deal, notice_version)


def _find_unburned_flop(hand: Timeline) -> StreetDeal | None:
    flops = [deal for deal in hand.deals if deal.street == "flop" and deal.card_count == FLOP]
    return next((deal for deal in flops if not deal.burns and not deal.is_dealt_again), None)


@hand_detector(events=(BoardDealt,), needs=Witness.BURNS | Witness.DEAL_ERRORS | Witness.ACTS)
def unburned_flop_acted_on(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """A flop without a burn was acted on, and was taken back, or the turn took other than one burn."""
    deal = _find_unburned_flop(hand)
    if deal is None or not deal.acts:
        yield NO_OCCASION
        return
    if deal.withdrawn is not None:
        yield Breach(
            deal.withdrawn[0],
            say.unburned_flop_taken_back(),
            should=say.flop_plays(),
            remedy="not-followed",
            other_events=((deal.version, say.no_burn_note()),),
        )
        return
    next_street = hand.find_kept_street("turn")
    if next_street is not None and len(next_street.burns) != burns:
        yield Breach(
            next_street.version,
            burned_before(len(next_street.burns), "turn"),
            should=burns_due(burns),
            remedy="not-followed",
            other_events=((deal.version, burned_note(0, "flop")),),
        )
