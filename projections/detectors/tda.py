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
from ledger.vocabulary import JOKER, Seat, Witness, split_cards
from projections.detectors.shared.deal_counts import jokers, owned_twice, played_deal
from projections.detectors.shared.remedies import again, known_cards
from projections.findings.detector import SIGNS_ONLY, Symptom, hand_detector, table_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.table_walk.table_context import TableContext
from projections.timeline.hand_timeline import AT_ONCE, NEVER, Timeline

_ACTS: Final = (Folded, Checked, Called, Bet, Raised)
_FLOP: Final = 3


# Button and blinds


@hand_detector(events=(HoleCardsDealt,), needs=Witness.DEAL_ORDER | Witness.BUTTON, signs=Symptom.HEADS_UP)
def heads_up_last_card(hand: Timeline) -> Iterator[Answer]:
    """With two players, the last card of the deal did not go to the button."""
    if len(hand.start) != 2 or hand.button not in hand.start:
        yield NO_OCCASION
        return
    dealt = [(place, version, event.seat) for version, event in played_deal(hand) for place in event.deck if place]
    if not played_deal(hand) and hand.misdeals():
        yield NO_OCCASION  # a void deal is made anew as another hand
        return
    if not dealt:
        yield CannotTell("deal-order")
        return
    _, version, seat = max(dealt)
    if seat != hand.button:
        yield Breach(
            version,
            f"the last card of the deal went to seat {seat}",
            seat=seat,
            should=f"seat {hand.button}, the button",
        )


@hand_detector(events=_ACTS, needs=Witness.ACTS | Witness.BUTTON | Witness.POSTS, signs=Symptom.HEADS_UP)
def heads_up_order(hand: Timeline) -> Iterator[Answer]:
    """With two players, the button did not open the first round, or opened a later one."""
    button = hand.button
    if len(hand.start) != 2 or button not in hand.poster("small"):
        yield NO_OCCASION  # a small blind elsewhere is another clause's
        return
    for street, acts in hand.rounds():
        first = acts[0]
        opens = street == "preflop"
        if (first.seat == button) != opens:
            due = button if opens else next(seat for seat in hand.start if seat != button)
            back = hand.taken_back(first)
            yield Breach(
                first.version,
                f"seat {first.seat} opened the {street} betting",
                seat=first.seat,
                should=f"seat {due}: the button acts first before the flop and last after it",
                because=AT_ONCE if back else "",
                severity="warning" if back else None,
                beside=tuple((version, AT_ONCE) for version in back),
            )


@table_detector(needs=Witness.POSTS, partial=Witness.POSTS, signs=Symptom.HEADS_UP)
def big_blind_twice(hand: Timeline, context: TableContext) -> Iterator[Answer]:
    """On becoming heads-up, the player who had the big blind on the last hand has it again."""
    last = context.before
    if len(hand.start) != 2 or last is None or len(last.dealt_in) < 3:
        yield NO_OCCASION
        return
    if context.due.unknown:
        yield CannotTell(context.due.unknown)
        return
    was = {post.seat for post in last.posts if post.role == "big"}
    for version, post in hand.standing_posts():
        if isinstance(post, BlindPosted) and post.role == "big" and post.seat in was and post.seat != hand.button:
            other = next(seat for seat in hand.start if seat != post.seat)
            yield Breach(
                version,
                f"seat {post.seat} posted the big blind on two hands running",
                seat=post.seat,
                should=f"seat {other} has the big blind, seat {post.seat} the button and the small blind",
                because=f"hand {last.number} had {len(last.dealt_in)} players",
            )


@hand_detector(events=(AntePosted,), needs=Witness.POSTS | Witness.ANTES | Witness.STACKS_BEFORE)
def ante_before_blind(hand: Timeline) -> Iterator[Answer]:
    """A short big blind paid the table's ante before its blind was full."""
    occasion = False
    posts = [post for _, post in hand.standing_posts() if isinstance(post, BlindPosted) and post.role == "big"]
    blinds = {seat: sum(post.live for post in posts if post.seat == seat) for seat in {post.seat for post in posts}}
    for version, ante in hand.standing_posts():
        if not isinstance(ante, AntePosted) or not ante.for_table:
            continue
        stack, big = hand.stack_at(ante.seat), hand.big
        if (blinds and ante.seat not in blinds) or stack is None or big is None:
            continue
        game = hand.game
        if game is not None and stack >= big + max(game.ante, ante.amount):
            continue
        occasion = True
        due = min(stack, big)
        paid = blinds.get(ante.seat, 0)  # a stack that the ante took whole posts no blind
        if paid < due and ante.amount:
            yield Breach(
                version,
                f"seat {ante.seat} has {hand.say(stack)} and paid {hand.say(ante.amount)} ante, {hand.say(paid)} blind",
                seat=ante.seat,
                should=f"the blind first: {hand.say(due)} live, {hand.say(stack - due)} ante",
            )
    if not occasion:
        yield NO_OCCASION


@hand_detector(events=(PlayerAway,), needs=Witness.PRESENCE | Witness.HAND_KILLS | Witness.ACTS)
def absent_hand_alive(hand: Timeline) -> Iterator[Answer]:
    """The hand of a player who was not at the table when the deal was complete was played."""
    away: dict[Seat | None, int] = {}
    for version, event in hand.of(PlayerAway, PlayerBack, DealCompleted):
        if isinstance(event, DealCompleted):
            break
        if isinstance(event, PlayerBack):
            away.pop(event.seat, None)
        elif event.seat in hand.start:
            away[event.seat] = version
    else:
        away = {}  # the end of the deal is not told
    if not away:
        yield NO_OCCASION
    for seat, version in away.items():
        killed = next((v for v, e in hand.of(HandKilled) if e.seat == seat), None)
        played = [a for a in hand.acts_before(killed) if a.seat == seat and a.kind != "fold"]
        back = hand.since(killed, PostReturned, seat=seat) if killed else []
        if back and not hand.of(HandVoided):
            at, returned = back[0]
            yield Breach(
                at,
                f"seat {seat} got {hand.say(returned.amount)} of its posts back",
                seat=seat,
                remedy="not-followed",
                should="blind and ante of a hand that was killed for an empty chair stay in",
                beside=((version, "away"), (killed or 0, "killed")),
            )
        elif played:
            yield Breach(
                played[0].version,
                f"the hand of seat {seat} was played",
                seat=seat,
                remedy="not-followed",
                should="a dead hand: nobody was at the seat when the deal was complete; blind and ante stay in",
                beside=((version, "away"),),
            )


# The deal


def _in_time(hand: Timeline, version: int) -> bool:
    """Whether an error shows before substantial action."""
    start = max((at for at, _ in hand.misdeals() if at < version), default=0)
    return not hand.substantial([act for act in hand.acts_before(version) if act.version > start])


def _cards(count: int) -> str:
    return f"{count} card{'s' * (count != 1)}"


def _misdealt(hand: Timeline, since: int = 0) -> bool:
    """Whether a misdeal was declared after an event, or the hand was void for one."""
    return any(version > since for version, _ in hand.misdeals())


@hand_detector(events=(BoxedCardFound,), needs=Witness.DEAL_ERRORS)
def boxed_cards(hand: Timeline, *, count: int) -> Iterator[Answer]:
    """So many boxed cards came in the initial deal and no misdeal was declared."""
    ends = [*(version for version, _ in hand.misdeals()), hand.first_act or NEVER]
    deals = [hand.since(start, BoxedCardFound, before=end) for start, end in pairwise([0, *ends])]
    boxed = next((one for one in deals if len(one) >= count), [])
    if not boxed:
        yield NO_OCCASION
    elif not _misdealt(hand, boxed[count - 1][0]):
        yield Breach(
            boxed[count - 1][0],
            f"{len(boxed)} boxed cards in the deal, and it went on",
            should="a misdeal",
            remedy="not-followed",
        )


@hand_detector(events=(JokerFound,), needs=Witness.DEAL_ERRORS | Witness.ACTS, deadline="mendable")
def joker_in_time(hand: Timeline) -> Iterator[Answer]:
    """A card of no standard deck was found before substantial action, and the deal went on."""
    told = [] if hand.option("joker-used") else hand.of(JokerFound)
    found = [(v, e.seat) for v, e in told if _in_time(hand, v)]
    if not found:
        yield NO_OCCASION
    for version, seat in [one for one in found if not _misdealt(hand, one[0])][:1]:
        yield Breach(
            version,
            "a joker was found before substantial action, and the deal went on",
            seat=seat,
            should="a misdeal",
            remedy="not-followed",
        )


@hand_detector(
    events=(JokerFound, BoardDealt, CardsShown),
    needs=Witness.DEAL_ERRORS | Witness.ACTS,
    signs=Symptom.STREETS,
    occasion=SIGNS_ONLY,
    deadline="mendable",
)
def joker_played(hand: Timeline) -> Iterator[Answer]:
    """A card of no standard deck, found after substantial action, was not replaced in a hand or on the board."""
    known = hand.option("joker-used") or hand.of(HandVoided)
    late = [] if known else [(v, e.seat) for v, e in jokers(hand) if not _in_time(hand, v)]
    found = [(v, seat) for v, seat in late if seat is not None and not hand.upto(v, Folded, HandKilled, seat=seat)]
    lying = [deal for deal in hand.deals if late and deal.withdrawn is None and JOKER in deal.lying]
    if not (found or lying):
        yield NO_OCCASION
    played: list[tuple[int, Seat | None, str]]
    played = [(deal.version, None, f"the {deal.street} was played with a joker") for deal in lying]
    for version, seat in found:
        if not hand.since(version, CardReplaced, Folded, seat=seat) and hand.killed(seat, version) is None:
            played.append((version, seat, f"seat {seat} played on with a joker"))
    for at, holder, saw in played:
        yield Breach(at, saw, seat=holder, should="the card is scrap and is replaced", remedy="not-followed")


@hand_detector(
    events=(WrongCountFound,), needs=Witness.DEAL_ERRORS | Witness.ACTS | Witness.BUTTON, deadline="mendable"
)
def wrong_count_in_time(hand: Timeline) -> Iterator[Answer]:
    """A wrong number of cards was found before substantial action, and the deal went on."""
    plan = hand.variant
    occasion = False
    for version, event in hand.of(WrongCountFound):
        short = plan is not None and event.count < plan.hole_cards
        if not _in_time(hand, version) or (event.seat == hand.button and short):
            continue
        occasion = True
        if not _misdealt(hand, version):
            yield Breach(
                version,
                f"seat {event.seat} held {_cards(event.count)}, found before substantial action, and the deal went on",
                seat=event.seat,
                should="a misdeal",
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
        acted = hand.acted(event.seat, version) and not hand.upto(version, Folded, HandKilled, seat=event.seat)
        if event.seat != hand.button or plan is None or event.count >= plan.hole_cards or not acted:
            continue
        occasion = True
        over = hand.since(version, Folded, seat=event.seat) or hand.of(HandVoided)
        if not over and hand.killed(event.seat, version) is None:
            yield Breach(
                version,
                f"seat {event.seat} acted on {_cards(event.count)} and played on",
                seat=event.seat,
                should="a dead hand",
                remedy="not-followed",
            )
    if not occasion:
        yield NO_OCCASION


@hand_detector(events=(MisdealDeclared,), needs=Witness.DEAL_ERRORS | Witness.ACTS)
def late_misdeal(hand: Timeline) -> Iterator[Answer]:
    """A misdeal was declared after substantial action."""
    occasion = False
    for version, event in hand.misdeals():
        if _in_time(hand, version):
            continue
        occasion = True
        if owned_twice(hand, version):
            continue  # a fouled deck
        if event.reason == "other":
            yield CannotTell("why the misdeal was declared: a fouled deck is one at any time")
        else:
            yield Breach(
                version,
                f"a misdeal was declared after substantial action ({event.reason})",
                should="the hand goes on",
                remedy="not-followed",
            )
    if not occasion:
        yield NO_OCCASION


@hand_detector(events=(HoleCardsDealt, CardsShown), needs=Witness.AWARDS, signs=Symptom.DUPLICATE, occasion=SIGNS_ONLY)
def fouled_deck(hand: Timeline) -> Iterator[Answer]:
    """Two cards of the same rank and suit were in the hand, and it was played and paid."""
    twice = owned_twice(hand) if not _misdealt(hand) else {}
    paid = [v for v, e in hand.of(PotAwarded) if e.amount]
    if not twice:
        yield NO_OCCASION
    elif paid and not hand.of(HandVoided):
        card, version = next(iter(twice.items()))
        yield Breach(
            version,
            f"{card} came twice, and the pot was paid",
            remedy="not-followed",
            should="play stops and all bets go back, whatever has happened",
            certainty="likely",
            because="the record may hold a slip of the pen",
            beside=((paid[0], "paid"),),
        )


# The board


@hand_detector(events=(HandKilled,), needs=Witness.BURNS | Witness.HAND_KILLS | Witness.BOARD)
def burns_after_count(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """After a hand died for its number of cards, a street took other than its one burn, or the deck was put back in order."""
    dead = [v for v, e in hand.of(HandKilled) if e.reason == "wrong-count"]
    killed = next((version for version in dead if not _in_time(hand, version)), None)
    if killed is None:
        yield NO_OCCASION
        return
    for street in dict.fromkeys(deal.street for deal in hand.deals if deal.version > killed):
        deals = [deal for deal in hand.deals if deal.street == street]
        burned = sum(len(deal.burns) for deal in deals)  # one that is dealt again has had its burn
        if burned != burns:
            yield Breach(
                deals[-1].version,
                f"{burned or 'no'} card{'s' * (burned != 1)} burned before the {street}",
                should=f"{burns} burn for each street, never more",
                beside=((killed, "the hand died"),),
            )
    for version, event in hand.since(killed, CardReturned):
        if event.position == "top":
            yield Breach(
                version,
                f"{event.card} went back on the deck",
                seat=event.seat,
                should="the order of the deck is not restored",
                beside=((killed, "the hand died"),),
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
    deal = next((d for d in hand.deals if d.street == "flop" and d.cards == cards), None)
    if deal is None or deal in hand.early():  # one that came before its time goes back into the stub, whatever it is
        yield NO_OCCASION
        return
    should = "the four scrambled face down: one is the next burn, three are the flop"
    new = again(hand, deal)
    if deal.left == _FLOP and deal.taken and deal.withdrawn is None:
        yield CannotTell("whether the four were scrambled before one of them was taken away")
        yield from _fourth_burned(hand, deal.version, {*split_cards(deal.taken[0][1].cards)})
        return
    if deal.withdrawn is None or new is None:
        if len(hand.live) > 1 or deal.withdrawn is None:
            yield Breach(
                deal.version, f"{cards} cards on the flop, and they were kept", should=should, remedy="not-followed"
            )
        return
    four, three = known_cards(deal), known_cards(new)
    if not four or not three:
        yield CannotTell("which cards came back as the flop")
        return
    if len(four - three) != 1 or new.cards != _FLOP:
        yield Breach(
            new.version,
            "the new flop is not of the four cards",
            should=should,
            remedy="not-followed",
            beside=((deal.version, f"{cards} cards on the flop"),),
        )
        return
    yield from _fourth_burned(hand, new.version, four - three)


def _fourth_burned(hand: Timeline, flop: int, fourth: set[str]) -> Iterator[Answer]:
    """Yield where another card than the fourth of the flop was burned before the turn."""
    turn = hand.kept("turn")
    if turn is None:
        return
    burned = {card.card for _, card in turn.burns if "?" not in card.card}
    if burned and burned != fourth:
        yield Breach(
            turn.version,
            f"{' '.join(sorted(burned))} was burned before the turn",
            remedy="not-followed",
            should=f"{' '.join(sorted(fourth))}, the fourth card, is the burn",
            beside=((flop, "the flop of the other three"),),
        )


def _unburned(hand: Timeline) -> StreetDeal | None:
    return next(
        (d for d in hand.deals if d.street == "flop" and d.cards == _FLOP and not d.burns and not d.again), None
    )


@hand_detector(
    events=(BoardDealt,), needs=Witness.BURNS | Witness.DEAL_ERRORS | Witness.ERRORS_NOTICED, deadline="mendable"
)
def unburned_flop(hand: Timeline) -> Iterator[Answer]:
    """A flop without a burn, noticed before any action, was not scrambled with one of it as the burn."""
    deal = _unburned(hand)
    if deal is None:
        yield NO_OCCASION
        return
    told = hand.since(deal.version, ErrorNoticed)
    noticed = next((version for version, event in told if event.kind == "no-burn"), None)
    if noticed is None or any(act.version < noticed for act in deal.acts):
        yield NO_OCCASION
        return
    should = "scrambled: one is the burn, the other two and the next card are the flop"
    new = again(hand, deal)
    if deal.filled == 1 and deal.left == _FLOP:
        return  # one of the three is the burn, and the next card took its place
    if deal.withdrawn is None or new is None:
        yield Breach(
            deal.version,
            "a flop without a burn, noticed in time, was kept",
            should=should,
            remedy="not-followed",
            beside=((noticed, "noticed"),),
        )
        return
    old, cards = known_cards(deal), known_cards(new)
    if not old or not cards:
        yield CannotTell("which cards came back as the flop")
    elif len(old & cards) != 2:
        yield Breach(
            new.version,
            f"{len(old & cards)} of the first three cards are in the new flop",
            should=should,
            remedy="not-followed",
            beside=((deal.version, "no burn"),),
        )


@hand_detector(events=(BoardDealt,), needs=Witness.BURNS | Witness.DEAL_ERRORS | Witness.ACTS)
def unburned_flop_acted_on(hand: Timeline, *, burns: int) -> Iterator[Answer]:
    """A flop without a burn was acted on, and was taken back, or the turn took other than one burn."""
    deal = _unburned(hand)
    if deal is None or not deal.acts:
        yield NO_OCCASION
        return
    if deal.withdrawn is not None:
        yield Breach(
            deal.withdrawn[0],
            "a flop was taken back for want of a burn after action on it",
            should="the flop plays",
            remedy="not-followed",
            beside=((deal.version, "no burn"),),
        )
        return
    turn = hand.kept("turn")
    if turn is not None and len(turn.burns) != burns:
        yield Breach(
            turn.version,
            f"{len(turn.burns) or 'no'} cards burned before the turn",
            should=f"{burns} burn",
            remedy="not-followed",
            beside=((deal.version, "no burn before the flop"),),
        )
