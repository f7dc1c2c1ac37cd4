"""Tournament betting and showdown that no other book has: minimum raises, binding words, who shows first.

Each public function is a detector; its docstring states the breach.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Final

from ledger.hand.acts import Act
from ledger.hand.betting import Bet, Called, ChipsMoved, Declared, HandKilled, Raised, RaisesCapped
from ledger.hand.ending import CardsMucked, CardsShown, PotAwarded, ShowdownBegun
from ledger.hand.evaluate import shares
from ledger.hand.opening import BlindPosted
from ledger.presence import FloorRuled
from ledger.text.language import translatable
from ledger.vocabulary import Chips, Seat, Witness
from projections.detectors.shared.awards import find_awards, find_smallest_chip
from projections.detectors.shared.silent_chips import (
    find_minimum_raise,
    is_call_by_smallest,
    iter_separate_raises,
    iter_silent_motions,
    list_binding_acts,
)
from projections.detectors.shared.spoken_words import iter_acts_with_words
from projections.detectors.shared.tabled_hands import (
    compare_with_paid,
    compute_kill_money,
    find_muck_or_award,
    find_showdown_seats,
)
from projections.findings.detector import SIGNS_ONLY, Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.sentences import betting, paragraph
from projections.sentences import tournament as say
from projections.timeline.chip_flows import build_flow
from projections.timeline.hand_timeline import Timeline

_WAGERS: Final = Witness.ACTS | Witness.POSTS
_WORDS: Final = Witness.ACTS | Witness.WORDS
_SHOWDOWN: Final = Witness.AWARDS | Witness.SHOWDOWN | Witness.ACTS


# Raises


@hand_detector(events=(Raised, Bet), needs=_WAGERS, signs=Symptom.SMALL_BET)
def below_minimum(hand: Timeline) -> Iterator[Answer]:
    """A raise that wasn't all-in added less than the largest bet or raise of the round."""
    for act in iter_separate_raises(hand):
        if act.is_all_in or not act.bet_to_call:
            continue
        minimum, final_total = find_minimum_raise(hand, act), hand.settled_bet(act)
        is_mended = final_total == act.bet_to_call or final_total >= act.bet_to_call + minimum
        if act.raise_size < minimum and final_total != act.bet_before:
            is_raise = 2 * act.raise_size >= minimum  # a raise of half the minimum or more must be completed
            yield Breach(
                act.version,
                say.raised_below_minimum(
                    act.seat,
                    hand.format_chips(act.bet_to_call),
                    hand.format_chips(act.bet_after),
                    hand.format_chips(minimum),
                ),
                seat=act.seat,
                should=say.raise_or_call(hand.format_chips(act.bet_to_call + minimum * is_raise), is_raise=is_raise),
                because=paragraph(
                    say.largest_wager(hand.format_chips(minimum)), betting.put_right_in_time() if is_mended else ""
                ),
                severity="warning" if is_mended else None,
            )


@hand_detector(events=(Raised, Bet), needs=_WAGERS, signs=Symptom.SMALL_BET)
def reopened_by_short(hand: Timeline) -> Iterator[Answer]:
    """A player who had acted raised again, though the all-ins since didn't add up to a full raise."""
    for act in iter_separate_raises(hand):
        minimum, call_chips = find_minimum_raise(hand, act), act.bet_to_call - act.bet_before
        has_only_all_ins = all(earlier_raise.is_all_in for earlier_raise in _iter_raises_since_own_act(hand, act))
        if not act.is_first_on_street and call_chips < minimum and has_only_all_ins:
            is_mended = act.version in hand.undone_versions
            yield Breach(
                act.version,
                betting.raised_after_short_all_in(act.seat, hand.format_chips(act.bet_after)),
                seat=act.seat,
                should=betting.fold_or_call(hand.format_chips(call_chips)),
                because=paragraph(
                    say.full_raise_is(hand.format_chips(minimum)), betting.put_right_in_time() if is_mended else ""
                ),
                severity="warning" if is_mended else None,
            )


def _iter_raises_since_own_act(hand: Timeline, act: Act) -> Iterator[Act]:
    """Yield the raises since the seat's last act on the street, the nearest first."""
    for earlier_act in hand.acts_back_from(act.version):
        if earlier_act.seat == act.seat:
            return
        if earlier_act.kind == "raise":
            yield earlier_act


@hand_detector(events=(Bet, Raised), needs=_WAGERS, signs=Symptom.LARGE_BET)
def over_pot(hand: Timeline, *, streets: list[str], full_blinds: bool) -> Iterator[Answer]:
    """A pot-limit bet or raise went above the pot, full blinds counted before the flop."""
    missing_chips = _sum_missing_blind_chips(hand) if full_blinds else 0
    for act in hand.acts:
        if act.kind not in ("bet", "raise") or act.street not in streets:
            continue
        level = max(act.bet_to_call, hand.big_blind or 0) if full_blinds else act.bet_to_call
        call = max(0, level - act.bet_before)
        maximum = level + act.pot_before + missing_chips + call
        if act.bet_after > maximum:
            yield _build_over_pot_breach(
                hand,
                act,
                maximum,
                hand.format_chips(act.pot_before + missing_chips),
                hand.format_chips(call) if call else "",
            )


def _build_over_pot_breach(hand: Timeline, act: Act, maximum: Chips, pot: str, call: str) -> Breach:
    """Return the breach of an act over the pot. `pot` and `call` are amounts as text; `call` "" = nothing to call."""
    limit, is_mended = hand.format_chips(maximum), hand.settled_bet(act) <= maximum
    return Breach(
        act.version,
        betting.raise_over_pot(act.seat, hand.format_chips(act.bet_to_call), hand.format_chips(act.bet_after), limit)
        if act.bet_to_call
        else betting.bet_over_pot(act.seat, hand.format_chips(act.bet_after), limit),
        seat=act.seat,
        should=betting.at_most(limit),
        because=paragraph(
            betting.pot_and_call(pot, call) if call else betting.pot_was(pot),
            betting.put_right_in_time() if is_mended else "",
        ),
        severity="warning" if is_mended else None,
    )


def _sum_missing_blind_chips(hand: Timeline) -> Chips:
    """Return by how many chips the live parts of the posted blinds fall short of full blinds."""
    live_posts = [
        post.live
        for _, post in hand.standing_posts()
        if isinstance(post, BlindPosted) and post.role in ("small", "big")
    ]
    return max(0, sum(hand.blinds) - sum(live_posts)) if hand.blinds else 0


@hand_detector(events=(Called,), needs=_WAGERS, signs=Symptom.CALL_SIZE, deadline="mendable")
def undercall(hand: Timeline) -> Iterator[Answer]:
    """Heads-up or facing the opening bet, less than the bet was taken as a call."""
    for act in hand.acts:
        is_opening_bet = not act.raises_before and (act.street != "preflop" or act.bet_to_call <= (hand.big_blind or 0))
        is_short = act.bet_after < act.bet_to_call and hand.settled_bet(act) < act.bet_to_call
        if act.kind == "call" and not act.is_all_in and is_short and (is_opening_bet or len(act.live_seats) == 2):
            yield Breach(
                act.version,
                say.undercalled(act.seat, hand.format_chips(act.amount_added), hand.format_chips(act.call_amount)),
                seat=act.seat,
                should=say.full_call_to(hand.format_chips(act.bet_to_call)),
                because=say.call_must_be_full(is_opening_bet=is_opening_bet),
            )


@hand_detector(events=(RaisesCapped,), needs=_WAGERS)
def capped(hand: Timeline) -> Iterator[Answer]:
    """The raises were capped in a game without a limit on their number."""
    for version, _ in hand.of(RaisesCapped):
        yield Breach(version, say.raises_were_capped(), should=say.no_cap())


@hand_detector(
    events=(Raised,), needs=_WAGERS | Witness.HOUSE_OPTIONS, signs=Symptom.CAP, occasion=SIGNS_ONLY, deadline="mendable"
)
def house_cap(hand: Timeline) -> Iterator[Answer]:
    """There were more raises on a street than the house's cap, with more than two left in the event."""
    cap = hand.option("raise-cap")
    if cap is None:
        yield CannotTell("house-option raise-cap")
        return
    for street, acts in hand.acts_by_street():
        unit = hand.fixed_bet(street)
        all_raises = [act for act in acts if act.kind == "raise" and act.version not in hand.undone_versions]
        full_raises = [act for act in all_raises if not unit or 2 * act.raise_size >= unit]
        for number, act in enumerate(full_raises, 1):
            if number <= cap:
                continue
            if len(hand.start) == 2:
                yield CannotTell(translatable("whether more than two players were left in the event"))
                return
            yield Breach(
                act.version,
                betting.raise_over_cap(act.seat, street, number, cap),
                seat=act.seat,
                should=say.capped_with_two_players(cap),
            )


# Words and chips


@hand_detector(events=(ChipsMoved,), needs=_WORDS | Witness.MOTIONS)
def oversize_opening(hand: Timeline) -> Iterator[Answer]:
    """One silent chip put in before any bet was taken for less than its value."""
    for act, motion in iter_silent_motions(hand):
        if len(motion.chips) == 1 and act.kind == "bet" and act.bet_after < motion.amount:
            yield Breach(
                act.version,
                say.chip_taken_for_less(act.seat, hand.format_chips(motion.amount), hand.format_chips(act.bet_after)),
                seat=act.seat,
                should=say.bet_of(hand.format_chips(motion.amount)),
                remedy="not-followed",
            )


@hand_detector(events=(ChipsMoved,), needs=_WORDS | Witness.MOTIONS)
def raise_by_smallest(hand: Timeline) -> Iterator[Answer]:
    """Several silent chips were taken as a raise, though without the smallest chip they don't make the call."""
    for silent_motion in iter_silent_motions(hand):
        act, motion = silent_motion
        if act.kind == "raise" and is_call_by_smallest(silent_motion) and not act.is_all_in:
            yield Breach(
                act.version,
                say.chips_taken_as_raise(
                    act.seat, " + ".join(map(hand.format_chips, motion.chips)), hand.format_chips(act.bet_after)
                ),
                seat=act.seat,
                should=say.call_without_smallest_chip(hand.format_chips(act.call_amount)),
                remedy="not-followed",
            )


@hand_detector(events=(ChipsMoved,), needs=_WORDS | Witness.MOTIONS)
def half_not_completed(hand: Timeline, *, part: float) -> Iterator[Answer]:
    """Several silent chips of a call and this part of a raise were not completed to the raise."""
    for silent_motion in iter_silent_motions(hand):
        act, motion = silent_motion
        minimum = find_minimum_raise(hand, act)
        if len(motion.chips) < 2 or not act.call_amount or act.is_all_in or is_call_by_smallest(silent_motion):
            continue
        if motion.amount >= act.call_amount + part * minimum and act.bet_after < act.bet_to_call + minimum:
            yield Breach(
                act.version,
                say.chips_not_completed(act.seat, hand.format_chips(motion.amount), hand.format_chips(act.bet_after)),
                seat=act.seat,
                should=say.completed_raise(hand.format_chips(act.bet_to_call + minimum)),
                remedy="not-followed",
            )


@hand_detector(events=(Declared,), needs=_WORDS)
def announced_total(hand: Timeline) -> Iterator[Answer]:
    """An announced amount of a raise was added to the bet instead of being the total."""
    for act, words in iter_acts_with_words(hand):
        announced_amount = next((word.amount for _, word in words if word.what == "raise"), None)
        if not announced_amount or act.kind != "raise" or act.bet_after != act.bet_to_call + announced_amount:
            continue
        if announced_amount >= act.bet_to_call + find_minimum_raise(hand, act):  # so it can be the total
            yield Breach(
                act.version,
                say.announced_total(act.seat, hand.format_chips(announced_amount), hand.format_chips(act.bet_after)),
                seat=act.seat,
                should=say.raise_to_total(hand.format_chips(announced_amount)),
                remedy="not-followed",
            )


@hand_detector(events=(Declared,), needs=_WORDS)
def said_otherwise(hand: Timeline) -> Iterator[Answer]:
    """Words in turn did not bind: a different act was ruled than the one that was announced."""
    has_occasion = False
    for act, words in iter_acts_with_words(hand):
        version, word = words[0]
        binding_kinds = ("bet", "raise") if word.what == "raise" else list_binding_acts(word)
        if act.seat_to_act not in (None, act.seat) or not binding_kinds or not _is_possible(word, act):
            continue  # out of turn, or words that announce no act that was possible
        has_occasion = True
        if act.kind in binding_kinds or (act.is_all_in and act.kind == "call" and word.what == "raise"):
            continue
        if hand.events_after(version, FloorRuled, before_version=act.version):
            yield CannotTell(translatable("why the floor ruled otherwise"))
            continue
        yield Breach(
            act.version,
            say.words_did_not_bind(act.seat, word.what, act.kind),
            seat=act.seat,
            should=say.word_binds(word.what),
            remedy="not-followed",
            other_events=((version, say.said_note()),),
        )
    if not has_occasion:
        yield NO_OCCASION


def _is_possible(word: Declared, act: Act) -> bool:
    """Whether an announced act was possible: no check or bet facing a bet, and no call without one."""
    if word.what == "check":
        return not act.call_amount
    if word.what == "call":
        return bool(act.call_amount)
    return word.what != "bet" or not act.bet_to_call


@hand_detector(events=(Declared, ChipsMoved), needs=_WORDS | Witness.MOTIONS)
def out_of_turn_unbound(hand: Timeline) -> Iterator[Answer]:
    """Words or chips out of turn did not bind although the action to that player did not change."""
    has_occasion = False
    for version, deed in hand.of(Declared, ChipsMoved):
        own_act, next_act = hand.act_after(version, deed.seat), hand.act_after(version)
        if own_act is None or next_act is None or deed.seat in (next_act.seat, next_act.seat_to_act):
            continue
        binding_kinds = list_binding_acts(deed)
        if not binding_kinds or own_act.street != next_act.street:
            continue
        has_occasion = True
        if own_act.bet_to_call == next_act.bet_to_call and own_act.kind not in binding_kinds:
            yield Breach(
                own_act.version,
                say.out_of_turn_did_not_bind(own_act.seat, binding_kinds[0], own_act.kind),
                seat=own_act.seat,
                should=say.out_of_turn_binds(binding_kinds[0]),
                other_events=((version, say.out_of_turn_note()),),
            )
    if not has_occasion:
        yield NO_OCCASION


# The showdown


@hand_detector(events=(PotAwarded,), needs=_SHOWDOWN | Witness.HAND_KILLS, signs=Symptom.SHOWDOWN, occasion=SIGNS_ONLY)
def tabled_winner_killed(hand: Timeline) -> Iterator[Answer]:
    """A hand that lay face up and won was killed."""
    plan = hand.variant
    has_occasion = False
    for version, event in hand.of(HandKilled):
        if plan is None or len(hand.shown_cards(event.seat, version)) != plan.hole_cards:
            continue
        if event.reason in ("wrong-count", "joker"):
            continue  # an invalid hand can't win
        has_occasion = True
        comparison = compare_with_paid(hand, event.seat)
        if comparison is None:
            yield CannotTell(translatable("the cards of a hand at the showdown"))
        elif comparison != "beaten":
            is_paid = hand.played.final_state.chips.awarded.get(event.seat, 0) > 0
            yield Breach(
                version,
                say.tabled_hand_killed(event.seat),
                seat=event.seat,
                remedy="followed" if is_paid else "not-followed",
                severity="warning" if is_paid else None,
                should=say.tabled_winner_is_paid(),
                because=say.paid_all_the_same() if is_paid else "",
                money=compute_kill_money(hand, event.seat) if comparison == "beats" else (),
            )
    if not has_occasion:
        yield NO_OCCASION


@hand_detector(events=(PotAwarded,), needs=_SHOWDOWN, signs=Symptom.SHOWDOWN, occasion=SIGNS_ONLY)
def all_in_not_tabled(hand: Timeline) -> Iterator[Answer]:
    """Somebody was all-in and the betting was over, and a live hand was not turned face up."""
    state, live_seats = hand.played.final_state, find_showdown_seats(hand)
    if len(live_seats) < 2 or not any(state.is_all_in(seat) for seat in live_seats):
        yield NO_OCCASION
        return
    award_version = next((version for version, event in hand.of(PotAwarded) if event.amount), None)
    if award_version is None:
        return
    hidden_seats = sorted(live_seats - _find_tabled_seats(hand))
    late_seats: list[Seat] = []
    if not hand.is_witnessed(Witness.HAND_KILLS):  # online rooms list shows and awards pot by pot
        late_seats = [seat for seat in hidden_seats if hand.events_before(None, CardsShown, seat=seat)]
    unshown_seats = [seat for seat in hidden_seats if seat not in late_seats]
    if unshown_seats:
        yield _build_not_tabled_breach(hand, unshown_seats, award_version, is_late=False)
    if late_seats:
        yield _build_not_tabled_breach(hand, late_seats, award_version, is_late=True)


def _find_tabled_seats(hand: Timeline) -> set[Seat]:
    """Return the seats that showed all their cards before the award."""
    return {event.seat for _, event in hand.of(CardsShown) if not event.after and "?" not in event.cards}


def _build_not_tabled_breach(hand: Timeline, seats: list[Seat], award_version: int, *, is_late: bool) -> Breach:
    """Return the breach of seats that tabled their hands late, or never; it cites their mucks or the award."""
    end_versions = {seat: find_muck_or_award(hand, seat, award_version) for seat in seats}
    version = min(end_versions.values())
    return Breach(
        version,
        say.hands_tabled_late(seats) if is_late else say.hands_not_tabled(seats),
        seat=seats[0] if len(seats) == 1 else None,
        certainty="likely" if is_late else "certain",
        because=say.pots_recorded_one_by_one() if is_late else "",
        should=say.all_hands_face_up(),
        other_events=tuple(
            (end_version, say.seat_note(seat)) for seat, end_version in end_versions.items() if end_version != version
        ),
    )


@hand_detector(
    events=(ShowdownBegun, CardsShown), needs=_SHOWDOWN | Witness.BUTTON, signs=Symptom.SHOWDOWN, occasion=SIGNS_ONLY
)
def wrong_first_show(hand: Timeline) -> Iterator[Answer]:
    """The first hand shown wasn't the last aggressor's, nor without one that of the first seat left of the button."""
    state, live_seats = hand.played.final_state, find_showdown_seats(hand)
    if not hand.acts or any(state.is_all_in(seat) for seat in live_seats) or hand.button is None:
        yield NO_OCCASION  # if a player is all-in, all hands are turned up at once
        return
    last_act = hand.acts[-1]
    shows = [
        (version, event.seat)
        for version, event in hand.events_after(last_act.version, CardsShown)
        if event.seat in live_seats
    ]
    if not shows:
        yield NO_OCCASION
        return
    due_seat, reason = _find_first_to_show(hand, live_seats, last_act.street, hand.button)
    version, first_seat = shows[0]
    if first_seat == due_seat or due_seat not in live_seats:
        return
    if not hand.events_before(version, CardsMucked, seat=due_seat):
        yield Breach(
            version,
            say.showed_first(first_seat, due_seat),
            seat=first_seat,
            should=say.shows_first(due_seat),
            certainty="likely",
            because=paragraph(reason, say.not_shown_unasked(first_seat)),
        )


def _find_first_to_show(hand: Timeline, live_seats: AbstractSet[Seat], street: str, button: Seat) -> tuple[Seat, str]:
    """Return who shows first, and why: the last aggressor of the street, else the first left of the button."""
    wagers = [act for act in hand.acts if act.street == street and act.kind in ("bet", "raise")]
    if wagers:
        return wagers[-1].seat, say.last_aggressor(wagers[-1].seat, street)
    first_seat = hand.seats_after(button, sorted(live_seats))[0]
    return first_seat, say.first_left_of_button(first_seat, street)


@hand_detector(events=(PotAwarded,), needs=_SHOWDOWN | Witness.BUTTON, signs=Symptom.SHOWDOWN, occasion=SIGNS_ONLY)
def odd_chip(hand: Timeline) -> Iterator[Answer]:
    """The odd chip of a split pot did not go to the first winner left of the button."""
    if not hand.is_contested or hand.button is None:
        yield NO_OCCASION
        return
    awards = find_awards(hand)
    if isinstance(awards, CannotTell):
        yield awards
        return
    pot_parts = shares(hand.played.final_state).parts
    if awards is None or len(pot_parts) != 1:
        yield NO_OCCASION
        return
    (pot,) = pot_parts
    chip = find_smallest_chip(hand)
    equal_share = pot.amount // (len(pot.winners) * chip) * chip
    if pot.amount - equal_share * len(pot.winners) != chip:
        yield NO_OCCASION
        return
    due_seat = hand.seats_after(hand.button, list(pot.winners))[0]
    paid_chips = {seat: awards[seat].paid for seat in pot.winners}
    if paid_chips[due_seat] != equal_share + chip and sum(paid_chips.values()) == pot.amount:
        seat = max(paid_chips, key=lambda winner: paid_chips[winner])
        yield Breach(
            awards[seat].version,
            say.odd_chip_to(seat, hand.format_chips(chip), due_seat),
            seat=seat,
            should=say.odd_chip_due(due_seat),
            money=build_flow({seat: chip, due_seat: -chip}) if paid_chips[seat] == equal_share + chip else (),
        )
