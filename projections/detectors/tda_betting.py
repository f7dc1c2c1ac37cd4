"""Tournament betting and showdown that no other book has: minimum raises, binding words, who shows first."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Final, Literal, NamedTuple

from ledger.errors import VariantError
from ledger.hand.acts import NO_WAGERS, Act, Wagers
from ledger.hand.betting import Bet, Called, ChipsMoved, Declared, HandKilled, Raised, RaisesCapped
from ledger.hand.ending import CardsMucked, CardsShown, PotAwarded, ShowdownBegun
from ledger.hand.evaluate import rank, shares
from ledger.hand.opening import BlindPosted
from ledger.presence import FloorRuled
from ledger.vocabulary import Chips, Seat, Witness, split_cards
from projections.detectors.shared.awards import expected, smallest_chip
from projections.detectors.shared.spoken_words import announced, moved, spoken
from projections.findings.detector import SIGNS_ONLY, Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.timeline.chip_flows import balanced
from projections.timeline.hand_timeline import MENDED, Timeline

_WAGERS: Final = Witness.ACTS | Witness.POSTS
_SPOKEN: Final = Witness.ACTS | Witness.WORDS
_SHOWN: Final = Witness.AWARDS | Witness.SHOWDOWN | Witness.ACTS


def _least(hand: Timeline, act: Act) -> Chips:
    """Return the largest full bet or raise of the round so far: what a raise must add at least."""
    blind = (hand.big or 0) if act.street == "preflop" else 0  # one that is all-in for less is raised as a full one
    known: dict[Wagers, tuple[Chips, Chips]] = hand.once(
        f"full raises above {blind}", lambda: {NO_WAGERS: (hand.big or 0, 0)}
    )
    fresh, wagers = [], act.wagers
    while wagers not in known and wagers.before is not None:
        fresh.append(wagers)
        wagers = wagers.before
    full, before = known[wagers]
    for one in reversed(fresh):
        level = max(one.level, blind)
        full, before = known[one] = max(full, level - before), level
    return full


def _raises(hand: Timeline) -> Iterator[Act]:
    """Yield the raises, without what a seat added to its own before anybody else acted."""
    last: Act | None = None
    for act in hand.acts:
        own = last is not None and (last.seat, last.street) == (act.seat, act.street)
        if act.kind == "raise" and not own:
            yield act
        last = act


# Raises


@hand_detector(events=(Raised, Bet), needs=_WAGERS, signs=Symptom.SMALL_BET)
def below_minimum(hand: Timeline) -> Iterator[Answer]:
    """A raise that was no all-in added less than the largest bet or raise of the round."""
    for act in _raises(hand):
        if act.all_in or not act.level:
            continue
        least, ruled = _least(hand, act), hand.settled(act)
        mended = ruled == act.level or ruled >= act.level + least
        if act.gain < least and ruled != act.before:
            because = f"the largest bet or raise of the round was {hand.say(least)}"
            yield Breach(
                act.version,
                f"seat {act.seat} raised to {hand.say(act.to)} over {hand.say(act.level)}",
                seat=act.seat,
                should=f"a raise to {hand.say(act.level + least)}"
                if 2 * act.gain >= least
                else f"a call of {hand.say(act.level)}",
                because=f"{because}; {MENDED}" if mended else because,
                severity="warning" if mended else None,
            )


def _since_own(hand: Timeline, act: Act) -> Iterator[Act]:
    """Yield the raises since the seat's last act on the street, the nearest first."""
    for one in hand.acts_back_from(act.version):
        if one.seat == act.seat:
            return
        if one.kind == "raise":
            yield one


@hand_detector(events=(Raised, Bet), needs=_WAGERS, signs=Symptom.SMALL_BET)
def reopened_by_short(hand: Timeline) -> Iterator[Answer]:
    """Who had acted raised again although the all-ins since did not add up to a full raise."""
    for act in _raises(hand):
        least, faced = _least(hand, act), act.level - act.before
        if not act.first and faced < least and all(one.all_in for one in _since_own(hand, act)):
            mended, because = act.version in hand.undone, f"a full raise is {hand.say(least)}"
            yield Breach(
                act.version,
                f"seat {act.seat} raised to {hand.say(act.to)} facing {hand.say(faced)} more",
                seat=act.seat,
                should=f"fold or call {hand.say(faced)}",
                because=f"{because}; {MENDED}" if mended else because,
                severity="warning" if mended else None,
            )


@hand_detector(events=(Bet, Raised), needs=_WAGERS, signs=Symptom.LARGE_BET)
def over_pot(hand: Timeline, *, streets: list[str], full_blinds: bool) -> Iterator[Answer]:
    """A pot-limit bet or raise went above the pot, full blinds counted before the flop."""
    lacking = _lacking(hand) if full_blinds else 0
    for act in hand.acts:
        if act.kind not in ("bet", "raise") or act.street not in streets:
            continue
        level = max(act.level, hand.big or 0) if full_blinds else act.level
        call = max(0, level - act.before)
        most = level + act.pot + lacking + call
        if act.to > most:
            mended, because = hand.settled(act) <= most, f"pot {hand.say(act.pot + lacking)}, {hand.say(call)} to call"
            yield Breach(
                act.version,
                f"seat {act.seat} {hand.wager(act)}",
                seat=act.seat,
                should=f"{hand.say(most)} at most",
                because=f"{because}; {MENDED}" if mended else because,
                severity="warning" if mended else None,
            )


def _lacking(hand: Timeline) -> Chips:
    """Return what the blinds of the structure are short of being whole, and live."""
    told = hand.blinds
    paid = [
        post.live
        for _, post in hand.standing_posts()
        if isinstance(post, BlindPosted) and post.role in ("small", "big")
    ]
    return max(0, sum(told) - sum(paid)) if told else 0


@hand_detector(events=(Called,), needs=_WAGERS, signs=Symptom.CALL_SIZE, deadline="mendable")
def undercall(hand: Timeline) -> Iterator[Answer]:
    """Heads-up or facing the opening bet, less than the bet was taken as a call."""
    for act in hand.acts:
        opening = not act.raises and (act.street != "preflop" or act.level <= (hand.big or 0))
        short = act.to < act.level and hand.settled(act) < act.level
        if act.kind == "call" and not act.all_in and short and (opening or len(act.live) == 2):
            yield Breach(
                act.version,
                f"seat {act.seat} called {hand.say(act.added)} of {hand.say(act.call)}",
                seat=act.seat,
                should=f"a full call to {hand.say(act.level)}",
                because="it faced the opening bet" if opening else "two players were left",
            )


@hand_detector(events=(RaisesCapped,), needs=_WAGERS)
def capped(hand: Timeline) -> Iterator[Answer]:
    """The raises were capped in a game without a limit on their number."""
    for version, _ in hand.of(RaisesCapped):
        yield Breach(version, "the raises were capped", should="no cap at no-limit and pot-limit")


@hand_detector(
    events=(Raised,), needs=_WAGERS | Witness.HOUSE_OPTIONS, signs=Symptom.CAP, occasion=SIGNS_ONLY, deadline="mendable"
)
def house_cap(hand: Timeline) -> Iterator[Answer]:
    """There were more raises on a street than the house's cap, with more than two left in the event."""
    cap = hand.option("raise-cap")
    if cap is None:
        yield CannotTell("house-option raise-cap")
        return
    for street, acts in hand.rounds():
        unit = hand.unit(street)
        made = [a for a in acts if a.kind == "raise" and a.version not in hand.undone]
        raises = [a for a in made if not unit or 2 * a.gain >= unit]
        for number, act in enumerate(raises, 1):
            if number <= cap:
                continue
            if len(hand.start) == 2:
                yield CannotTell("whether more than two players were left in the event")
                return
            yield Breach(
                act.version,
                f"raise number {number} on the {street}, by seat {act.seat}",
                seat=act.seat,
                should=f"at most {cap} raises, also with two players left in the hand",
            )


# Words and chips


class _Turn(NamedTuple):
    act: Act
    moved: ChipsMoved


def _silent_chips(hand: Timeline) -> Iterator[_Turn]:
    """Yield the acts that came of one silent motion of chips that are known one by one."""
    said = {act.version: version for act, version in announced(hand)}
    for act, motions in moved(hand):
        if len(motions) != 1:
            continue
        ((when, motion),) = motions
        word = said.get(act.version)
        if motion.chips and (word is None or word > when):
            yield _Turn(act, motion)


def _calls_by_smallest(turn: _Turn) -> bool:
    """Whether the chips are a call because less than the call is left without the smallest."""
    chips = turn.moved.chips
    return len(chips) > 1 and turn.moved.amount - min(chips) < turn.act.call


@hand_detector(events=(ChipsMoved,), needs=_SPOKEN | Witness.MOTIONS)
def oversize_opening(hand: Timeline) -> Iterator[Answer]:
    """One silent chip put in before any bet was taken for less than its value."""
    for act, motion in _silent_chips(hand):
        if len(motion.chips) == 1 and act.kind == "bet" and act.to < motion.amount:
            yield Breach(
                act.version,
                f"seat {act.seat} put in one chip of {hand.say(motion.amount)}, ruled a bet of {hand.say(act.to)}",
                seat=act.seat,
                should=f"a bet of {hand.say(motion.amount)}",
                remedy="not-followed",
            )


@hand_detector(events=(ChipsMoved,), needs=_SPOKEN | Witness.MOTIONS)
def raise_by_smallest(hand: Timeline) -> Iterator[Answer]:
    """Several silent chips were taken as a raise although without the smallest they do not make the call."""
    for turn in _silent_chips(hand):
        act, moved = turn
        if act.kind == "raise" and _calls_by_smallest(turn) and not act.all_in:
            yield Breach(
                act.version,
                f"seat {act.seat} put in {' '.join(map(hand.say, moved.chips))}, ruled a raise to {hand.say(act.to)}",
                seat=act.seat,
                should=f"a call of {hand.say(act.call)}: without the smallest chip it is less",
                remedy="not-followed",
            )


@hand_detector(events=(ChipsMoved,), needs=_SPOKEN | Witness.MOTIONS)
def half_not_completed(hand: Timeline, *, part: float) -> Iterator[Answer]:
    """Several silent chips of a call and this part of a raise were not completed to the raise."""
    for turn in _silent_chips(hand):
        act, moved = turn
        least = _least(hand, act)
        if len(moved.chips) < 2 or not act.call or act.all_in or _calls_by_smallest(turn):
            continue
        if moved.amount >= act.call + part * least and act.to < act.level + least:
            yield Breach(
                act.version,
                f"seat {act.seat} put in {hand.say(moved.amount)}, ruled {hand.say(act.to)}",
                seat=act.seat,
                should=f"a raise, completed to {hand.say(act.level + least)}",
                remedy="not-followed",
            )


@hand_detector(events=(Declared,), needs=_SPOKEN)
def announced_total(hand: Timeline) -> Iterator[Answer]:
    """An announced amount of a raise was added to the bet instead of being the total."""
    for act, words in spoken(hand):
        said = [word.amount for _, word in words if word.what == "raise"]
        total = next(iter(said), None)
        if total and act.kind == "raise" and act.to == act.level + total and total >= act.level + _least(hand, act):
            yield Breach(
                act.version,
                f"seat {act.seat} said raise {hand.say(total)}, ruled {hand.say(act.to)}",
                seat=act.seat,
                should=f"a raise to {hand.say(total)} in all",
                remedy="not-followed",
            )


@hand_detector(events=(Declared,), needs=_SPOKEN)
def said_otherwise(hand: Timeline) -> Iterator[Answer]:
    """Words in turn did not bind: another act was ruled than the one that was said."""
    occasion = False
    for act, words in spoken(hand):
        version, word = words[0]
        bound = ("bet", "raise") if word.what == "raise" else _bound(word)
        idle = (word.what == "check" and act.call) or (word.what == "call" and not act.call)
        if act.due not in (None, act.seat) or not bound or idle or (word.what == "bet" and act.level):
            continue  # not in turn, or words that fit nothing that may be done here
        occasion = True
        if act.kind in bound or (act.all_in and act.kind == "call" and word.what == "raise"):
            continue
        if hand.since(version, FloorRuled, before=act.version):
            yield CannotTell("why the floor ruled otherwise")
            continue
        yield Breach(
            act.version,
            f"seat {act.seat} said {word.what} in turn, ruled a {act.kind}",
            seat=act.seat,
            should=f"a {word.what}: it binds",
            remedy="not-followed",
            beside=((version, "said in turn"),),
        )
    if not occasion:
        yield NO_OCCASION


@hand_detector(events=(Declared, ChipsMoved), needs=_SPOKEN | Witness.MOTIONS)
def out_of_turn_unbound(hand: Timeline) -> Iterator[Answer]:
    """Words or chips out of turn did not bind although the action to that player did not change."""
    occasion = False
    for version, deed in hand.of(Declared, ChipsMoved):
        own, turn = hand.act_after(version, deed.seat), hand.act_after(version)
        if own is None or turn is None or deed.seat in (turn.seat, turn.due):
            continue
        bound = _bound(deed)
        if not bound or own.street != turn.street:
            continue
        occasion = True
        if own.level == turn.level and own.kind not in bound:
            yield Breach(
                own.version,
                f"seat {own.seat} acted out of turn ({bound[0]}) and then did otherwise ({own.kind})",
                seat=own.seat,
                should=f"{bound[0]}: it binds, as the action to that player did not change",
                beside=((version, "out of turn"),),
            )
    if not occasion:
        yield NO_OCCASION


def _bound(deed: Declared | ChipsMoved) -> tuple[str, ...]:
    """Return the acts of which one has to follow what was said or moved out of turn."""
    if isinstance(deed, ChipsMoved):
        return ("call", "bet", "raise")
    return (deed.what,) if deed.what in ("fold", "check", "call", "bet", "raise") else ()


# The showdown


@hand_detector(events=(PotAwarded,), needs=_SHOWN | Witness.HAND_KILLS, signs=Symptom.SHOWDOWN, occasion=SIGNS_ONLY)
def tabled_winner_killed(hand: Timeline) -> Iterator[Answer]:
    """A hand that lay face up and won was killed."""
    plan = hand.variant
    occasion = False
    for version, event in hand.of(HandKilled):
        if plan is None or len(hand.up(event.seat, version)) != plan.hole_cards:
            continue
        if event.reason in ("wrong-count", "joker"):
            continue  # a hand that holds what it may not is no winner
        occasion = True
        rivals = _won(hand, event.seat)
        if rivals is None:
            yield CannotTell("the cards of a hand at the showdown")
        elif rivals != "beaten":
            paid = hand.played.final.chips.awarded.get(event.seat, 0) > 0
            yield Breach(
                version,
                f"the tabled hand of seat {event.seat} was killed",
                seat=event.seat,
                remedy="followed" if paid else "not-followed",
                severity="warning" if paid else None,
                should="a tabled winner is paid",
                because="it was paid all the same" if paid else "",
                money=_lost(hand, event.seat) if rivals == "beats" else (),
            )
    if not occasion:
        yield NO_OCCASION


def _won(hand: Timeline, seat: Seat) -> Literal["beats", "ties", "beaten"] | None:
    """How a killed hand stands against those that were paid; None where cards are not known."""
    state, plan = hand.played.final, hand.variant
    cards = {
        other: [c for _, e in hand.of(CardsShown) if e.seat == other for c in split_cards(e.cards)]
        for other in {seat, *(one for one, chips in hand.played.final.chips.awarded.items() if chips)}
    }
    board = state.boards[0]
    if plan is None or any("??" in held or len(held) < plan.hole_cards for held in cards.values()):
        return None
    try:
        ranks = {other: rank(plan, held, board)[0] for other, held in cards.items()}
    except (VariantError, ValueError):
        return None
    mine = ranks.pop(seat) or 0
    rivals = {other or 0 for other in ranks.values()}
    if any(other < mine for other in rivals):
        return "beaten"
    return "ties" if mine in rivals else "beats"


def _lost(hand: Timeline, seat: Seat) -> tuple[tuple[Seat, Chips], ...]:
    """Return what it moved that a winner was killed, if one seat was paid all."""
    paid = {other: chips for other, chips in hand.played.final.chips.awarded.items() if chips}
    return balanced({**paid, seat: -sum(paid.values())}) if len(paid) == 1 and seat not in paid else ()


def _at_showdown(hand: Timeline) -> AbstractSet[Seat]:
    """Return who held a hand where the play went on to the showdown or the award."""
    return frozenset() if hand.ended is None else hand.ended.live


@hand_detector(events=(PotAwarded,), needs=_SHOWN, signs=Symptom.SHOWDOWN, occasion=SIGNS_ONLY)
def all_in_not_tabled(hand: Timeline) -> Iterator[Answer]:
    """Somebody was all-in and the betting was over, and a live hand was not turned face up."""
    state, live = hand.played.final, _at_showdown(hand)
    if len(live) < 2 or not any(state.is_all_in(seat) for seat in live):
        yield NO_OCCASION
        return
    shown = {e.seat for _, e in hand.of(CardsShown) if not e.after and "?" not in e.cards}
    paid = next((version for version, event in hand.of(PotAwarded) if event.amount), None)
    if paid is None:
        return
    told = hand.witnessed(Witness.HAND_KILLS)  # a room's text tells pot by pot
    late = [] if told else [seat for seat in sorted(live - shown) if hand.upto(None, CardsShown, seat=seat)]
    never = [seat for seat in sorted(live - shown) if seat not in late]
    for seats, saw in ((never, "not tabled"), (late, "tabled when a pot was paid")):
        mucked = {seat: next((v for v, e in hand.of(CardsMucked) if e.seat == seat), paid) for seat in seats}
        if not seats:
            continue
        version = min(mucked.values())
        whose = (
            f"the hand of seat {seats[0]} was"
            if len(seats) == 1
            else f"the hands of seats {', '.join(map(str, seats))} were"
        )
        yield Breach(
            version,
            f"{whose} {saw}",
            seat=seats[0] if len(seats) == 1 else None,
            certainty="likely" if seats is late else "certain",
            because="the record may tell each pot with the hands that contest it" if seats is late else "",
            should="all hands face up at once when somebody is all-in and the betting is over",
            beside=tuple((at, f"seat {seat}") for seat, at in mucked.items() if at != version),
        )


@hand_detector(
    events=(ShowdownBegun, CardsShown), needs=_SHOWN | Witness.BUTTON, signs=Symptom.SHOWDOWN, occasion=SIGNS_ONLY
)
def wrong_first_show(hand: Timeline) -> Iterator[Answer]:
    """Another hand was shown first than the last aggressor's, or than the first left of the button."""
    state, live = hand.played.final, _at_showdown(hand)
    if not hand.acts or any(state.is_all_in(seat) for seat in live) or hand.button is None:
        yield NO_OCCASION  # with somebody all-in all hands are turned up at once
        return
    last = hand.acts[-1]
    shows = [(version, event.seat) for version, event in hand.since(last.version, CardsShown) if event.seat in live]
    if not shows:
        yield NO_OCCASION
        return
    bets = [a for a in hand.acts if a.street == last.street and a.kind in ("bet", "raise")]
    due = bets[-1].seat if bets else hand.after(hand.button, sorted(live))[0]
    version, first = shows[0]
    if first != due and due in live and not hand.upto(version, CardsMucked, seat=due):
        why = (
            f"last to bet or raise on the {last.street}"
            if bets
            else f"no bet on the {last.street}: first seat left of the button"
        )
        yield Breach(
            version,
            f"seat {first} showed first",
            seat=first,
            should=f"seat {due} shows first",
            certainty="likely",
            because=f"{why}; assumed: seat {first} did not turn its cards up unasked",
        )


@hand_detector(events=(PotAwarded,), needs=_SHOWN | Witness.BUTTON, signs=Symptom.SHOWDOWN, occasion=SIGNS_ONLY)
def odd_chip(hand: Timeline) -> Iterator[Answer]:
    """The odd chip of a split pot did not go to the winner nearest to the button's left."""
    if not hand.contested or hand.button is None:
        yield NO_OCCASION
        return
    told = expected(hand)
    if isinstance(told, CannotTell):
        yield told
        return
    parts = shares(hand.played.final).parts
    chip = smallest_chip(hand)
    if told is None or len(parts) != 1:
        yield NO_OCCASION
        return
    (part,) = parts
    each = part.amount // (len(part.winners) * chip) * chip
    rest = part.amount - each * len(part.winners)
    order = hand.after(hand.button, list(part.winners))
    if rest != chip:
        yield NO_OCCASION
        return
    got = {seat: told[seat][1] for seat in part.winners}
    if got[order[0]] != each + chip and sum(got.values()) == part.amount:
        seat = max(got, key=lambda one: got[one])
        yield Breach(
            told[seat][2],
            f"the odd {hand.say(chip)} went to seat {seat}",
            seat=seat,
            should=f"seat {order[0]}, the first winner left of the button",
            money=balanced({seat: chip, order[0]: -chip}) if got[seat] == each + chip else (),
        )
