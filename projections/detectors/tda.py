"""Tournament procedure that only the TDA rules have: heads-up play, antes, absent players, misdeals, flops and burns.

Each public function is a detector; its docstring states the breach.
"""

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
from projections.sentences import burns as burn_sentences
from projections.sentences import dealer_errors, dealing, showdown, turn, unknowns
from projections.sentences import tournament as say
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
    dealt_cards = [
        (position, version, event.seat)
        for version, event in list_played_deal(hand)
        for position in event.deck
        if position
    ]
    if not list_played_deal(hand) and hand.misdeals():
        yield NO_OCCASION  # the deal was void; the new deal is another hand
        return
    if not dealt_cards:
        yield CannotTell("deal-order")
        return
    _, version, seat = max(dealt_cards)  # the one deepest in the deck
    if seat != hand.button:
        yield Breach(
            version, dealing.last_card_to(seat, hand.button), seat=seat, should=dealing.last_card_to_button(hand.button)
        )


@hand_detector(events=_ACTS, needs=Witness.ACTS | Witness.BUTTON | Witness.POSTS, signs=Symptom.HEADS_UP)
def heads_up_order(hand: Timeline) -> Iterator[Answer]:
    """With two players, the button did not open the first round, or opened a later one."""
    button = hand.button
    if len(hand.start) != 2 or button not in hand.find_posters("small"):
        yield NO_OCCASION  # another clause covers a small blind away from the button
        return
    for street, acts in hand.acts_by_street():
        first_act = acts[0]
        is_button_due = street == "preflop"
        if (first_act.seat == button) != is_button_due:
            due_seat: Seat = button if is_button_due else next(seat for seat in hand.start if seat != button)
            take_back_versions = hand.find_take_backs(first_act)
            yield Breach(
                first_act.version,
                turn.opened_out_of_turn(first_act.seat, street, due_seat),
                seat=first_act.seat,
                should=turn.acts_first_heads_up(due_seat),
                because=turn.taken_back_in_time() if take_back_versions else "",
                severity="warning" if take_back_versions else None,
                other_events=tuple((version, turn.taken_back_note()) for version in take_back_versions),
            )


@table_detector(needs=Witness.POSTS, partial=Witness.POSTS, signs=Symptom.HEADS_UP)
def big_blind_twice(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """On becoming heads-up, the player who had the big blind on the last hand has it again."""
    last_hand = context.last_hand
    if len(hand.start) != 2 or last_hand is None or len(last_hand.dealt_in) < 3:
        yield NO_OCCASION
        return
    if context.due.unknown:
        yield CannotTell(context.due.unknown)
        return
    previous_seats = {post.seat for post in last_hand.posts if post.role == "big"}
    for version, post in hand.standing_posts():
        is_big = isinstance(post, BlindPosted) and post.role == "big"
        if is_big and post.seat in previous_seats and post.seat != hand.button:
            due_seat = next(seat for seat in hand.start if seat != post.seat)
            yield Breach(
                version,
                say.big_blind_twice(post.seat),
                seat=post.seat,
                should=say.big_blind_moves(post.seat, due_seat),
                because=say.players_on_last_hand(last_hand.number, len(last_hand.dealt_in)),
            )


@hand_detector(events=(AntePosted,), needs=Witness.POSTS | Witness.ANTES | Witness.STACKS_BEFORE)
def ante_before_blind(hand: Timeline) -> Iterator[Answer]:
    """A short big blind paid the table's ante before its blind was full."""
    has_occasion = False
    live_blinds = _sum_live_big_blinds(hand)
    for version, ante in hand.standing_posts():
        if not isinstance(ante, AntePosted) or not ante.for_table:
            continue
        stack, big_blind, game = hand.stack_at(ante.seat), hand.big_blind, hand.game
        if (live_blinds and ante.seat not in live_blinds) or stack is None or big_blind is None:
            continue
        if game is not None and stack >= big_blind + max(game.ante, ante.amount):
            continue  # the stack covers both
        has_occasion = True
        blind_due = min(stack, big_blind)
        paid = live_blinds.get(ante.seat, 0)  # 0 if the ante took the whole stack
        if paid < blind_due and ante.amount:
            yield Breach(
                version,
                say.ante_before_blind(
                    ante.seat, hand.format_chips(stack), hand.format_chips(ante.amount), hand.format_chips(paid)
                ),
                seat=ante.seat,
                should=say.blind_before_ante(hand.format_chips(blind_due), hand.format_chips(stack - blind_due)),
            )
    if not has_occasion:
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
    """A player was away when the deal was complete, and the hand was played or its posts were given back."""
    absences = _find_absences_at_deal(hand)
    if not absences:
        yield NO_OCCASION
    for seat, version in absences.items():
        kill_version = next((kill_version for kill_version, kill in hand.of(HandKilled) if kill.seat == seat), None)
        played_acts = [act for act in hand.acts_before(kill_version) if act.seat == seat and act.kind != "fold"]
        returned_posts = hand.events_after(kill_version, PostReturned, seat=seat) if kill_version else []
        if returned_posts and not hand.of(HandVoided):
            return_version, returned_post = returned_posts[0]
            yield Breach(
                return_version,
                say.posts_given_back(seat, hand.format_chips(returned_post.amount)),
                seat=seat,
                remedy="not-followed",
                should=say.absent_posts_stay_in(),
                other_events=((version, say.away_note()), (kill_version or 0, say.killed_note())),
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
    """Return the seats that were away when the deal was complete, each with the version at which its player left.

    Empty if the end of the deal isn't recorded.
    """
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
    """The initial deal had this many boxed cards, and no misdeal was declared."""
    # Each misdeal ends one deal, and the first act ends the last one: every deal is counted on its own.
    ends = [*(version for version, _ in hand.misdeals()), hand.first_act or AFTER_ALL_EVENTS]
    cards_by_deal = [
        hand.events_after(start, BoxedCardFound, before_version=end) for start, end in pairwise([0, *ends])
    ]
    boxed_cards_of_deal = next((deal_cards for deal_cards in cards_by_deal if len(deal_cards) >= count), [])
    if not boxed_cards_of_deal:
        yield NO_OCCASION
        return
    version, _ = boxed_cards_of_deal[count - 1]
    if not is_misdealt(hand, version):
        headline = say.boxed_cards_dealt_on(len(boxed_cards_of_deal))
        yield Breach(version, headline, should=dealer_errors.misdeal(), remedy="not-followed")


@hand_detector(events=(JokerFound,), needs=Witness.DEAL_ERRORS | Witness.ACTS, deadline="mendable")
def joker_in_time(hand: Timeline) -> Iterator[Answer]:
    """A joker was found before substantial action, and the deal went on."""
    found_jokers = [] if hand.option("joker-used") else hand.of(JokerFound)
    early_jokers = [
        (version, event.seat) for version, event in found_jokers if is_before_substantial_action(hand, version)
    ]
    if not early_jokers:
        yield NO_OCCASION
    for version, seat in early_jokers:
        if not is_misdealt(hand, version):
            yield Breach(
                version, say.joker_found_dealt_on(), seat=seat, should=dealer_errors.misdeal(), remedy="not-followed"
            )
            return


@hand_detector(
    events=(JokerFound, BoardDealt, CardsShown),
    needs=Witness.DEAL_ERRORS | Witness.ACTS,
    signs=Symptom.STREETS,
    occasion=SIGNS_ONLY,
    deadline="mendable",
)
def joker_played(hand: Timeline) -> Iterator[Answer]:
    """A joker that was found after substantial action was not replaced in a hand or on the board."""
    if hand.option("joker-used") or hand.of(HandVoided):
        yield NO_OCCASION
        return
    late_jokers = [joker for joker in find_jokers(hand) if not is_before_substantial_action(hand, joker[0])]
    if not late_jokers:
        yield NO_OCCASION
        return
    in_hands = _list_jokers_in_hands(hand, late_jokers)
    on_board = [deal for deal in hand.deals if deal.withdrawn is None and JOKER in deal.remaining_cards]
    if not in_hands and not on_board:
        yield NO_OCCASION
    for deal in on_board:
        yield _build_joker_breach(deal.version, say.street_with_joker(deal.street))
    for version, seat in in_hands:
        if not hand.events_after(version, CardReplaced, Folded, seat=seat) and hand.find_kill(seat, version) is None:
            yield _build_joker_breach(version, say.played_with_joker(seat), seat)


def _list_jokers_in_hands(hand: Timeline, found_jokers: list[tuple[int, JokerFound]]) -> list[tuple[int, Seat]]:
    """Return the version and the seat of each joker that was found in a live hand."""
    return [
        (version, event.seat)
        for version, event in found_jokers
        if event.seat is not None and not hand.events_before(version, Folded, HandKilled, seat=event.seat)
    ]


def _build_joker_breach(version: int, headline: str, seat: Seat | None = None) -> Breach:
    """Return the breach of a joker that stayed in play."""
    return Breach(version, headline, seat=seat, should=dealer_errors.scrap_is_replaced(), remedy="not-followed")


@hand_detector(
    events=(WrongCountFound,), needs=Witness.DEAL_ERRORS | Witness.ACTS | Witness.BUTTON, deadline="mendable"
)
def wrong_count_in_time(hand: Timeline) -> Iterator[Answer]:
    """A wrong number of cards was found before substantial action, and the deal went on."""
    plan = hand.variant
    has_occasion = False
    for version, event in hand.of(WrongCountFound):
        is_short = plan is not None and event.count < plan.hole_cards  # a short button gets its missing card
        if not is_before_substantial_action(hand, version) or (event.seat == hand.button and is_short):
            continue
        has_occasion = True
        if not is_misdealt(hand, version):
            yield Breach(
                version,
                say.wrong_count_dealt_on(event.seat, event.count),
                seat=event.seat,
                should=dealer_errors.misdeal(),
                remedy="not-followed",
            )
    if not has_occasion:
        yield NO_OCCASION


@hand_detector(
    events=(WrongCountFound,), needs=Witness.DEAL_ERRORS | Witness.ACTS | Witness.HAND_KILLS, deadline="mendable"
)
def short_button_acted(hand: Timeline) -> Iterator[Answer]:
    """The button had acted on too few cards, and its hand stayed alive."""
    plan = hand.variant
    has_occasion = False
    for version, event in hand.of(WrongCountFound):
        has_live_act = hand.has_acted(event.seat, version) and not hand.events_before(
            version, Folded, HandKilled, seat=event.seat
        )
        if event.seat != hand.button or plan is None or event.count >= plan.hole_cards or not has_live_act:
            continue
        has_occasion = True
        is_over = hand.events_after(version, Folded, seat=event.seat) or hand.of(HandVoided)
        if not is_over and hand.find_kill(event.seat, version) is None:
            yield Breach(
                version,
                say.acted_on_short_hand(event.seat, event.count),
                seat=event.seat,
                should=say.dead_hand(),
                remedy="not-followed",
            )
    if not has_occasion:
        yield NO_OCCASION


@hand_detector(events=(MisdealDeclared,), needs=Witness.DEAL_ERRORS | Witness.ACTS)
def late_misdeal(hand: Timeline) -> Iterator[Answer]:
    """A misdeal was declared after substantial action."""
    has_occasion = False
    for version, event in hand.misdeals():
        if is_before_substantial_action(hand, version):
            continue
        has_occasion = True
        if find_duplicate_cards(hand, version):
            continue  # the deck was fouled, which is a misdeal at any time
        if event.reason == "other":
            yield CannotTell(unknowns.misdeal_reason())
        else:
            yield Breach(version, say.late_misdeal(event.reason), should=say.hand_goes_on(), remedy="not-followed")
    if not has_occasion:
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
            other_events=((award_versions[0], showdown.paid_note()),),
        )


# The board


@hand_detector(events=(HandKilled,), needs=Witness.BURNS | Witness.HAND_KILLS | Witness.BOARD)
def burns_after_count(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """After a hand with a wrong number of cards was killed, a street had wrong burns, or a card went back on the deck."""
    kill_versions = [version for version, event in hand.of(HandKilled) if event.reason == "wrong-count"]
    late_kills = [version for version in kill_versions if not is_before_substantial_action(hand, version)]
    if not late_kills:
        yield NO_OCCASION
        return
    kill_version = late_kills[0]
    yield from _judge_burns_after(hand, kill_version, burns)
    for version, event in hand.events_after(kill_version, CardReturned):
        if event.position == "top":
            yield Breach(
                version,
                say.card_put_back(event.card),
                seat=event.seat,
                should=say.deck_not_restored(),
                other_events=((kill_version, say.hand_died_note()),),
            )


def _judge_burns_after(hand: Timeline, kill_version: int, burns: int) -> Iterator[Breach]:
    """Yield a breach for each street dealt after the kill whose deals together had a wrong number of burns."""
    for street in dict.fromkeys(deal.street for deal in hand.deals if deal.version > kill_version):
        street_deals = [deal for deal in hand.deals if deal.street == street]
        burn_count = sum(len(deal.burns) for deal in street_deals)
        if burn_count != burns:
            yield Breach(
                street_deals[-1].version,
                burn_sentences.burned_before(burn_count, street),
                should=say.one_burn_per_street(burns),
                other_events=((kill_version, say.hand_died_note()),),
            )


@hand_detector(
    events=(BoardDealt,),
    needs=Witness.BOARD | Witness.DEAL_ERRORS,
    signs=Symptom.STREETS,
    occasion=SIGNS_ONLY,
    deadline="mendable",
)
def four_card_flop(hand: Timeline, *, cards: int) -> Iterator[Answer]:
    """A flop of four cards was not scrambled so that one card is the next burn and the other three are the flop."""
    flops = [deal for deal in hand.deals if deal.street == "flop" and deal.card_count == cards]
    if not flops or flops[0] in hand.early_streets():  # an early flop goes back into the stub, whatever its size
        yield NO_OCCASION
        return
    deal = flops[0]
    if deal.remaining_count == FLOP and deal.withdrawals and deal.withdrawn is None:
        yield CannotTell(unknowns.four_cards_scrambled())
        yield from check_fourth_burned(hand, deal.version, {*split_cards(deal.withdrawals[0][1].cards)})
        return
    replacement = find_replacement(hand, deal)
    is_over_without_flop = deal.withdrawn is not None and replacement is None and len(hand.live) <= 1
    if is_over_without_flop:
        return
    if deal.withdrawn is None or replacement is None:
        yield Breach(deal.version, say.flop_kept(cards), should=say.scramble_four(), remedy="not-followed")
        return
    yield from check_scrambled_flop(hand, deal, replacement)


@hand_detector(
    events=(BoardDealt,), needs=Witness.BURNS | Witness.DEAL_ERRORS | Witness.ERRORS_NOTICED, deadline="mendable"
)
def unburned_flop(hand: Timeline) -> Iterator[Answer]:
    """A flop without a burn was noticed before any action, and the dealer didn't scramble it and burn one of its cards."""
    deal = _find_unburned_flop(hand)
    if deal is None:
        yield NO_OCCASION
        return
    notices = hand.events_after(deal.version, ErrorNoticed)
    notice_version = next((version for version, event in notices if event.kind == "no-burn"), None)
    if notice_version is None or any(act.version < notice_version for act in deal.acts):
        yield NO_OCCASION
    else:
        has_one_card_burned = deal.replaced_count == 1 and deal.remaining_count == FLOP  # the next card replaced it
        if not has_one_card_burned:
            yield from check_unburned_flop(hand, deal, notice_version)


def _find_unburned_flop(hand: Timeline) -> StreetDeal | None:
    """Return the first three-card flop that was dealt without a burn, or None."""
    flops = [deal for deal in hand.deals if deal.street == "flop" and deal.card_count == FLOP]
    return next((deal for deal in flops if not deal.burns and not deal.is_dealt_again), None)


@hand_detector(events=(BoardDealt,), needs=Witness.BURNS | Witness.DEAL_ERRORS | Witness.ACTS)
def unburned_flop_acted_on(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """A flop without a burn was acted on and then taken back, or the turn was burned wrongly."""
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
    turn_deal = hand.find_kept_street("turn")
    if turn_deal is not None and len(turn_deal.burns) != burns:
        yield Breach(
            turn_deal.version,
            burn_sentences.burned_before(len(turn_deal.burns), "turn"),
            should=burn_sentences.burns_due(burns),
            remedy="not-followed",
            other_events=((deal.version, burn_sentences.burned_note(0, "flop")),),
        )
