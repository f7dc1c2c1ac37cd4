"""Acts that nobody could make as the record has them: without a live hand or chips, facing a bet, after the round."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import opening as o
from ledger.hand.acts import Act
from ledger.hand.dealing import (
    BoardDealt,
    CardsDiscarded,
    CardsDrawn,
    ErrorNoticed,
    MisdealDeclared,
    StoodPat,
    StreetDealt,
)
from ledger.hand.ending import CardsMucked, PlayerFinished, PotTakenBack
from ledger.hand.street_deals import StreetDeal
from ledger.presence import ChipsAdded, ConnectionLost, PlayerAway
from ledger.vocabulary import Chips, Seat, Street, Witness
from projections.findings.detector import Symptom, hand_detector
from projections.findings.finding import Answer, Breach, CannotTell, Certainty
from projections.timeline.hand_timeline import NEVER, Timeline

Fault: TypeAlias = Literal["hand", "chips", "check", "call", "over", "turn"]

_ACTS: Final = (b.Folded, b.Checked, b.Called, b.Bet, b.Raised, b.Completed)
_POSTS: Final = (o.BlindPosted, o.StraddlePosted, o.AntePosted, o.BringInPosted)
_BETS: Final = Witness.ACTS | Witness.POSTS | Witness.BOARD
_FOLDED: Final = "after folding"
_FAULTS: Final[tuple[Fault, ...]] = ("hand", "chips", "check", "call", "over", "turn")
_FACED: Final[tuple[Fault, ...]] = ("check", "call", "over", "turn")
"""Faults that rest on the bets of the street and on whose turn it is."""


@hand_detector(events=_ACTS, signs=Symptom.TURN, deadline="mendable")
def act_without_hand(hand: Timeline) -> Iterator[Answer]:
    """A player acted whose hand was folded or dead."""
    yield from _faults(hand)["hand"]


@hand_detector(
    events=_ACTS, needs=Witness.ACTS | Witness.POSTS, signs=Symptom.TURN | Symptom.STACK, deadline="mendable"
)
def act_without_chips(hand: Timeline) -> Iterator[Answer]:
    """A player acted who was all-in, or out of the tournament."""
    yield from _faults(hand)["chips"]


@hand_detector(events=(b.Checked,), needs=_BETS, signs=Symptom.CALL_SIZE | Symptom.STACK, deadline="mendable")
def check_of_bet(hand: Timeline) -> Iterator[Answer]:
    """A player checked with a bet to call."""
    yield from _faults(hand)["check"]


@hand_detector(events=(b.Called,), needs=_BETS, signs=Symptom.CALL_SIZE | Symptom.STACK, deadline="mendable")
def wrong_call(hand: Timeline) -> Iterator[Answer]:
    """A call was for another amount than the bet, and didn't put the player all-in."""
    yield from _faults(hand)["call"]


@hand_detector(events=_ACTS, needs=_BETS, signs=Symptom.TURN | Symptom.STACK, deadline="mendable")
def act_after_round(hand: Timeline) -> Iterator[Answer]:
    """A player acted after the betting round was over, or again without a bet or raise since."""
    yield from _faults(hand)["over"]


@hand_detector(events=_ACTS, needs=_BETS, signs=Symptom.TURN | Symptom.STACK, deadline="mendable")
def act_before_turn(hand: Timeline) -> Iterator[Answer]:
    """Behind the first act of a round a player acted before the one whose turn it was, and it wasn't ruled back."""
    yield from _faults(hand)["turn"]


def impossible_acts(hand: Timeline) -> frozenset[int]:
    """Return the checks, calls and late acts that do not fit the bets on record."""
    if not all(hand.witnessed(kind) for kind in (Witness.ACTS, Witness.POSTS, Witness.BOARD)):
        return frozenset()
    faults = _faults(hand)
    found = [answer for fault in ("check", "call", "over") for answer in faults[fault]]
    return frozenset(answer.version for answer in found if isinstance(answer, Breach) and answer.certainty == "certain")


def _faults(hand: Timeline) -> dict[Fault, list[Answer]]:
    return hand.once("faults of acts", lambda: _Search(hand).run())


class _Gone(NamedTuple):
    """Since when a seat holds no live hand, and why."""

    version: int
    why: str


class _Search:
    """One pass over a hand that judges each act once and names at most one fault of it."""

    def __init__(self, hand: Timeline) -> None:
        self.hand = hand
        self.found: dict[Fault, list[Answer]] = {fault: [] for fault in _FAULTS}
        self.gone: dict[Seat, _Gone] = {}
        self.mucked: set[Seat] = set()
        self.finished: dict[Seat, int] = {}
        self.absent: set[Seat] = set()  # whose acts a room may leave out
        self.bought: set[Seat] = set()  # who got chips during the hand
        self.misdealt = False
        self.reopened = False  # a pot was paid and taken back: the betting may go on
        self.odd_stack = False  # a seat put in more than its stack, or was all-in with chips left
        self.posted: dict[Seat, Chips] = {}
        self.order = {version: index for index, (version, _) in enumerate(hand.line)}  # of events as corrected
        self.put = {act.version: chips for act, chips in hand.stakes()}  # with the act
        self.returns = _returns(hand, self.order)
        self.repaired, self.mended = _put_right(hand, self.order, self.returns)
        self.stacks_told = None not in hand.start.values()
        self.streets_told = bool(hand.of(StreetDealt)) or _has_board(hand)
        self.draws = bool(hand.of(CardsDrawn, StoodPat, CardsDiscarded))
        self.round_closed = False  # where streets are not told, another one may have begun
        self.live_posts = any(_is_live(post) for _, post in hand.posts)
        self.straddle_unclear = _unclear_straddle(hand)
        self.first_street = hand.acts[0].street if hand.acts else None
        self.killers = hand.poster("kill")  # who killed the pot acts out of the usual order
        self.street: Street | None = None
        self.street_begun = False
        self.chose: set[Seat] = set()  # who put chips in by an act
        self.acts_again: set[Seat] = set()  # who acted out of turn on the street, or got the hand back
        self.unsettled = False  # a bet out of turn may have gone back
        self.moved: set[Seat] = set()  # whose motions of chips are on record on the street
        self.lying: dict[Seat, Chips] = {}  # what posts and acts put in on the street
        self.returned = False  # other chips than those went back on the street, by the record
        self.next_deal = 0

    def run(self) -> dict[Fault, list[Answer]]:
        """Return what is wrong, by kind."""
        acts = {act.version: act for act in self.hand.acts}
        late = {act.version: act for act in self.hand.late_acts}
        for version, event in self.hand.line:
            act = acts.get(version)
            if version in late:
                self.after_award(late[version])
            elif act is None:
                self.note(version, event)
            else:
                self.judge(act)
        return self.found

    def note(self, version: int, event: Event) -> None:
        """Take in an event that is no act."""
        if isinstance(event, b.HandKilled):
            if event.seat not in self.hand.played.final.cleared:
                self.gone.setdefault(event.seat, _Gone(version, "after its hand was killed"))
        elif isinstance(event, BoardDealt | StreetDealt):
            self.moved, self.lying, self.returned = set(), {}, False
        elif isinstance(event, b.ChipsMoved):
            self.moved.add(event.seat)
        elif isinstance(event, b.ChipsReturned):
            self.returned = self.returned or self.is_unclear(event)
        elif isinstance(event, b.HandRetrieved):
            self.gone.pop(event.seat, None)
            self.acts_again.add(event.seat)
        elif isinstance(event, MisdealDeclared):
            self.gone.clear()
            self.misdealt = True
        elif isinstance(event, PotTakenBack):
            self.reopened = True
        elif isinstance(event, ChipsAdded) and event.seat is not None:
            self.bought.add(event.seat)
        elif isinstance(event, ConnectionLost | PlayerAway) and event.seat is not None:
            self.absent.add(event.seat)
        elif isinstance(event, CardsMucked):
            self.mucked.add(event.seat)
        elif isinstance(event, PlayerFinished):
            self.finished.setdefault(event.seat, version)
        elif isinstance(event, _POSTS):
            chips = event.live + event.dead if isinstance(event, o.BlindPosted) else event.amount
            put = self.lying[event.seat] = self.posted[event.seat] = self.posted.get(event.seat, 0) + chips
            self.check_stack(event.seat, put, all_in=bool(event.all_in))

    def is_unclear(self, event: b.ChipsReturned) -> bool:
        """Whether the chips that went back are not simply some that an act put in on the street."""
        if event.reason == "change":
            return False
        return event.seat in self.moved or event.amount > self.lying.get(event.seat, 0)

    def check_stack(self, seat: Seat, put: Chips, *, all_in: bool) -> None:
        """Note whether a stack on record can't be right."""
        stack = self.hand.stack_at(seat)
        if stack is not None and (put > stack or (all_in and put < stack)):
            self.odd_stack = True

    def judge(self, act: Act) -> None:
        """Look at an act, then take in what it changes."""
        if act.street != self.street:
            self.street, self.unsettled, self.street_begun = act.street, False, False
            self.acts_again.clear()
        if act.seat in self.hand.start and act.version not in self.repaired:
            self.look(act)
        self.street_begun = True
        self.lying[act.seat] = act.to
        if act.due not in (None, act.seat) and act.version not in self.mended:
            self.acts_again.add(act.seat)
            self.unsettled = self.unsettled or act.gain > 0
        if act.added:
            self.chose.add(act.seat)
            said_all_in = getattr(act.event, "all_in", None)
            self.check_stack(act.seat, self.put[act.version], all_in=bool(said_all_in))
        if act.kind == "fold":
            self.gone.setdefault(act.seat, _Gone(act.version, _FOLDED))

    def look(self, act: Act) -> None:
        """Enter the fault of an act, if it has one."""
        seat = act.seat
        if seat in self.gone:
            self.without_hand(act)
        elif seat in self.finished:
            beside = ((self.finished[seat], "out of the tournament here"),)
            self.add("chips", act, "after leaving the tournament", "no act: the player is out", beside=beside)
        elif self.is_spent(act):
            self.without_chips(act)
        elif act.first and not self.streets_told and not act.has_turn and not self.is_over(act):
            return  # the last player with chips may still bet, and gets it back
        elif self.draws and not self.streets_told and (self.round_closed or not act.has_turn):
            self.round_closed = True
            return  # the draws between two rounds, not cards of a street, begin the next one
        elif doubt := self.doubt_about(act):
            for fault in _FACED:
                self.found[fault].append(CannotTell(doubt))
        elif self.is_over(act) or (not act.has_turn and act.before >= act.level):
            self.after_round(act)
        elif act.kind == "check" and act.before < act.level:
            chips = self.hand.say(act.call)
            self.add("check", act, f"with {chips} to call", f"a fold, a call of {chips} or a raise")
        elif act.kind == "call" and act.to != act.level and not self.is_full_call(act):
            self.call(act)
        elif self.is_too_soon(act):
            self.before_turn(act)

    def without_hand(self, act: Act) -> None:
        """Enter an act of a seat that holds no live hand."""
        gone = self.gone[act.seat]
        if act.kind == "fold" and act.seat in self.acts_again:
            return  # folded out of turn, and written again in turn
        why = "again" if act.kind == "fold" and gone.why == _FOLDED else gone.why
        sure = self.hand.witnessed(Witness.ACTS)
        because = "" if sure else "not every act is on record: the hand may have been given back"
        beside = ((gone.version, "the hand was given up here"),)
        self.add("hand", act, why, "no act: the hand is dead", because, beside=beside)

    def is_spent(self, act: Act) -> bool:
        """Whether a seat holds a hand and has no chip to bet."""
        return act.has_hand and (not act.has_chips or self.hand.stack_at(act.seat) == 0)

    def without_chips(self, act: Act) -> None:
        """Enter an act of an all-in seat, unless another clause speaks of it."""
        seat, stack = act.seat, self.hand.stack_at(act.seat)
        if seat in self.bought or "bet-cap" in self.hand.options or _changes_nothing(act) or self.is_auto_fold(act):
            return
        put = self.put[act.version]
        if stack is not None and put > stack:
            return  # more chips than the seat has: R11
        left = 0 if stack is None else stack - (put - act.added)
        because = f"by its stack it has {self.hand.say(left)} left" if left > 0 else ""
        self.add("chips", act, "after going all-in", "no act: the player is all-in", because)

    def is_auto_fold(self, act: Act) -> bool:
        """Whether a room may have folded a player who was all-in for a post and away: programs do."""
        if act.kind != "fold" or self.hand.witnessed(Witness.HAND_KILLS):
            return False
        return act.seat not in self.chose

    def doubt_about(self, act: Act) -> str:
        """Return what is not known of the bets that an act faces; "" = all is known."""
        if self.misdealt:
            return "what went back at the misdeal"
        if self.unsettled:
            return "whether a bet out of turn stood"
        if self.straddle_unclear and act.street == self.first_street and act.kind != "fold":
            return self.straddle_unclear
        if not self.streets_told and (self.round_closed or not act.has_turn):
            self.round_closed = True
            return "where a street begins"
        if act.before < 0 or self.returned:
            return "which chips went back"
        if self.odd_stack:
            return "stacks-before"
        last = self.last_deal(act)
        if last is not None and (last.withdrawn or last.again or (last.open and not self.opens_betting(last))):
            return "which street an act belongs to"
        return ""

    def last_deal(self, act: Act) -> StreetDeal | None:
        """Return the board cards that came last before an act."""
        deals = self.hand.deals
        while self.next_deal < len(deals) and self.is_before(deals[self.next_deal].version, act.version):
            self.next_deal += 1
        return deals[self.next_deal - 1] if self.next_deal else None

    def opens_betting(self, deal: StreetDeal) -> bool:
        """Whether the betting begins with these cards, as in a bomb pot."""
        first = self.hand.first_act
        return deal.matched and not self.live_posts and (first is None or self.is_before(deal.version, first))

    def is_over(self, act: Act) -> bool:
        """Whether the showdown had begun, or a pot was awarded."""
        ended = self.hand.ended
        return ended is not None and not self.reopened and self.is_before(ended.version, act.version)

    def may_be_alone(self, act: Act) -> bool:
        """Whether all others may have let go of their cards."""
        if act.hands - len(self.mucked) > 1:
            return False
        return act.is_crowded or act.live - self.mucked == {act.seat}

    def is_before(self, version: int, other: int) -> bool:
        """Whether an event comes before another in the corrected hand."""
        return self.order[version] < self.order[other]

    def after_award(self, act: Act) -> None:
        """Enter an act after the pot was paid. Whose chips went back again, the floor put right."""
        if act.seat not in self.hand.start or self.returned_after(act):
            return
        if act.seat in self.gone:
            self.without_hand(act)
        elif act.added or not (act.kind == "fold" or _changes_nothing(act)):
            self.add("over", act, "after the pot was paid", "no act after the hand is over")

    def after_round(self, act: Act) -> None:
        """Enter an act of a seat that had nothing left to decide."""
        if act.seat in self.acts_again or act.version in self.mended or _changes_nothing(act):
            return
        if act.first and not self.is_over(act):
            return  # the last player with chips may still bet, and gets it back
        folds = act.kind == "fold"
        if folds and (self.is_over(act) or not act.to_act or self.may_be_alone(act)):
            return  # gives the hand up, as anybody may
        because = "a player may give up a hand at any time" if folds else ""
        if self.is_over(act):
            self.add("over", act, "after the betting was over", "no act after the last round")
        elif act.to_act:
            free = act.kind == "call" and not act.added
            since = "again with nothing to call" if free else "again with no bet or raise since"
            self.add("over", act, since, "no act until its turn comes again", because)
        else:
            self.add("over", act, "after the betting round was over", "no act until the next street")

    def is_too_soon(self, act: Act) -> bool:
        """Whether somebody else was due, for the first time on the street; who opens it, other books judge."""
        if act.due in (None, act.seat) or act.version in self.mended or not self.street_begun:
            return False
        if self.acts_again or self.killers:
            return False
        return act.due not in self.absent and self.hand.stack_at(act.due) is not None

    def before_turn(self, act: Act) -> None:
        """Enter an act out of turn."""
        because = "either it acted out of turn, or the lines are in another order"
        self.add("turn", act, f"with seat {act.due} to act before it", f"seat {act.due} acts first", because)

    def call(self, act: Act) -> None:
        """Enter a call of another amount than the bet."""
        say = self.hand.say
        if self.returned_after(act):
            return
        if act.to > act.level:
            bet = f"where the bet was {say(act.level)}" if act.level else "with no bet to call"
            self.add("call", act, bet, f"a call of {say(act.level)}" if act.level else "a check or a bet")
            return
        stack, put = self.hand.stack_at(act.seat), self.put[act.version]
        cap = self.hand.option("bet-cap")
        if act.all_in or (cap is not None and put >= cap):
            return
        if stack is None or act.seat in self.bought:
            self.found["call"].append(CannotTell("stacks-before"))
            return
        why = f"with {say(act.call)} to call and {say(stack - put)} behind"
        self.add("call", act, why, f"a call of {say(act.level)}, or all-in for less")

    def is_full_call(self, act: Act) -> bool:
        """Whether a call reaches a blind that was posted short, or came in where nobody posted."""
        hand = self.hand
        if hand.variant is None or act.street != hand.variant.streets[0].name or act.to < act.level:
            return False
        sizes = (*hand.blinds, *(hand.game.bets[:1] if hand.game else ()))
        short = any(post.all_in for _, post in hand.posts)
        return not act.level or act.to <= max(sizes, default=0) * (1 + short)

    def returned_after(self, act: Act) -> bool:
        """Whether chips went back to the seat after an act: the floor put its amount right."""
        places = self.returns.get(act.seat, [])
        return bisect_right(places, self.order[act.version]) < len(places)

    def add(
        self,
        fault: Fault,
        act: Act,
        where: str,
        should: str,
        because: str = "",
        *,
        beside: tuple[tuple[int, str], ...] = (),
    ) -> None:
        """Enter a fault. With a reason for doubt it is likely, else certain."""
        if self.hand.played.corrections:
            because = because or "the hand was corrected"
        if fault in _FACED and not self.stacks_told:
            because = because or "not every stack is on record: somebody may be all-in"
        sure: Certainty = "likely" if because else "certain"
        saw = f"seat {act.seat} {_did(self.hand, act)} {where}"
        self.found[fault].append(
            Breach(act.version, saw, seat=act.seat, should=should, because=because, certainty=sure, beside=beside)
        )


def _did(hand: Timeline, act: Act) -> str:
    """Say what a seat did."""
    if act.kind == "call":
        return f"called {hand.say(act.added)}" if act.added else "called"
    if act.kind in ("bet", "raise"):
        return f"bet {hand.say(act.added)}" if act.kind == "bet" else f"raised to {hand.say(act.to)}"
    return "folded" if act.kind == "fold" else "checked"


def _changes_nothing(act: Act) -> bool:
    """Whether nobody else holds a hand, or an act is a check where nobody can bet: rooms write some for all-in players."""
    return act.hands < 2 or (act.kind == "check" and act.before >= act.level and act.count_able < 2)


def _has_board(hand: Timeline) -> bool:
    """Whether board cards tell where each street begins."""
    return hand.variant is not None and any(plan.board for plan in hand.variant.streets)


def _is_live(post: o.Post) -> bool:
    """Whether others have to call a post."""
    if isinstance(post, o.BlindPosted):
        return post.live > 0
    return isinstance(post, o.BringInPosted) or (isinstance(post, o.StraddlePosted) and post.live)


def _returns(hand: Timeline, order: Mapping[int, int]) -> dict[Seat, list[int]]:
    """Return at what places chips or a hand went back to each seat, by ruling or as a correction."""
    found: dict[Seat, list[int]] = {}
    for version, event in hand.of(b.ChipsReturned, b.HandRetrieved):
        if isinstance(event, b.HandRetrieved) or hand.came_back(version, event):
            found.setdefault(event.seat, []).append(order[version])
    return found


def _put_right(
    hand: Timeline, order: Mapping[int, int], returns: Mapping[Seat, list[int]]
) -> tuple[set[int], set[int]]:
    """Return the acts that were put right before anybody else acted, and the acts that did it."""
    repaired, mended = set(hand.undone), set()
    noticed = [order[at] for at, event in hand.of(ErrorNoticed) if event.kind in ("out-of-turn", "other")]
    until = NEVER
    later: Act | None = None
    for act in reversed(hand.acts):
        place = order[act.version]
        if later is not None and (later.seat, later.street) != (act.seat, act.street):
            until = order[later.version]
        if _any_between(returns.get(act.seat, []), place, until) or _any_between(noticed, place, until):
            repaired.add(act.version)
        if later is not None and _tops_up(act, later):
            repaired.add(act.version)
            mended.add(later.version)
        later = act
    return repaired, mended


def _any_between(places: list[int], first: int, last: int) -> bool:
    """Whether one of some ascending places lies between two."""
    at = bisect_right(places, first)
    return at < len(places) and places[at] < last


def _tops_up(act: Act, later: Act) -> bool:
    """Whether a seat put in the rest of what it bet before anybody else acted."""
    if (later.seat, later.street) != (act.seat, act.street) or not later.added:
        return False
    return act.kind in ("bet", "raise") or (act.kind == "call" and act.to < act.level)


def _unclear_straddle(hand: Timeline) -> str:
    """Say what a straddle leaves open about the first round; "" = nothing.

    A straddle that isn't live may be dead money, or a bet that all must call and whose poster has no option. A sleeper
    out of its place that nobody allowed may have the last word, or act in its turn like a call.
    """
    straddles = hand.straddles()
    if any(not post.live for _, post in straddles):
        return "whether a straddle that isn't live must be called"
    if any(post.kind == "sleeper" and not _is_allowed(hand, post.seat) for _, post in straddles):
        return "when a sleeper that nobody allowed acts"
    return ""


def _is_allowed(hand: Timeline, seat: Seat) -> bool:
    return any(granted.seat in (None, seat) for _, granted in hand.permissions("sleeper"))
