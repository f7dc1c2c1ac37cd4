"""The one pass over a hand's events from which its course is known."""

# ruff: noqa: D102 - events and seats say what each method is for

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableSet
from collections.abc import Set as AbstractSet
from typing import ClassVar

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.holdings import told_anew
from ledger.hand.variants import VARIANTS
from ledger.vocabulary import DECK, Chips, Seat, Street, split_cards
from projections.acts import ACT_KINDS, NO_WAGERS, NOBODY, Act, Acted, ActKind, Deal, End
from projections.outline import Outline


def follow(course: Outline) -> None:
    """Make the pass and enter what it finds into `course`."""
    HandPass(course).run()


class HandPass:
    """The books of the pass."""

    steps: ClassVar[Mapping[type[Event], Callable[..., None]]]
    """What the pass does with each type of event."""

    def __init__(self, course: Outline) -> None:
        self.course = course
        self.street: Street = "preflop"
        self.bets: dict[Seat, Chips] = {}
        self.wagers = NO_WAGERS
        self.level = self.raises = self.pot = 0
        self.last: Seat | None = None  # the turn goes on after this seat
        self.later = False  # the first round is over
        self.live: AbstractSet[Seat] = NOBODY
        self.spent: MutableSet[Seat] = set()  # without a chip to bet: by stack, the record's word, or the house's cap
        self.pending: AbstractSet[Seat] = NOBODY
        self.acted: set[Seat] = set()
        self.before_act: tuple[AbstractSet[Seat], Seat | None, int, bool] = (NOBODY, None, 0, False)
        self.blinds = True
        self.burns: list[tuple[int, d.CardBurned]] = []
        self.shuffled: list[tuple[int, d.DeckShuffled]] = []
        self.cut = False
        self.put_back = 0  # burns that went back on the deck since the street before
        self.early: Street | None = None  # a street that lies there before its time
        self.index = 0  # of the event in the course's line
        self.last_deal: dict[Street, Deal] = {}  # of the first board
        self.taken: frozenset[Street] | None = None  # streets that the record takes back, once they are looked for

    def run(self) -> None:
        course = self.course
        steps = self.steps
        for index, (version, event) in enumerate(course.line):
            step = steps.get(type(event))
            if step:
                self.index = index
                step(self, version, event)
        course.live = self.live

    # Opening

    def game(self, _version: int, event: o.GameSet) -> None:
        self.course.game = event
        found = VARIANTS.get(event.variant)
        self.blinds = found is None or found.opening == "blinds"
        if found:
            self.street = found.streets[0].name

    def option(self, _version: int, event: o.OptionSet) -> None:
        self.course.options[event.option] = event.value

    def dealt_in(self, _version: int, event: o.SeatDealtIn) -> None:
        self.course.start[event.seat] = event.stack
        self.course.put.setdefault(event.seat, 0)
        self.live |= {event.seat}
        self.pending |= {event.seat}

    def button(self, _version: int, event: o.ButtonPlaced) -> None:
        self.course.button = event.seat

    def posted(self, version: int, event: o.Post) -> None:
        self.course.posts.append((version, event))
        live = dead = 0
        if isinstance(event, o.BlindPosted):
            live, dead = event.live, event.dead
        elif isinstance(event, o.AntePosted) or (isinstance(event, o.StraddlePosted) and not event.live):
            dead = event.amount
        else:
            live = event.amount
        self.pay(event.seat, live + dead)
        if event.all_in:
            self.spent.add(event.seat)
        if live:
            bet = self.bets[event.seat] = self.bets.get(event.seat, 0) + live
            if bet > self.level:
                self.level = bet
                self.wagers = self.wagers.raised_to(bet)

    def unposted(self, _version: int, event: o.PostReturned) -> None:
        self.pay(event.seat, -event.amount)
        if not event.dead and event.role != "ante":
            self.unbet(event.seat, event.amount)

    def dead_money(self, _version: int, event: o.DeadMoneyTaken) -> None:
        self.pay(event.seat, event.amount)

    def pay(self, seat: Seat, chips: Chips) -> None:
        self.pot += chips
        put = self.course.put[seat] = self.course.put.get(seat, 0) + chips
        stack, cap = self.course.start.get(seat), self.course.options.get("bet-cap")
        if (stack is not None and stack <= put) or (isinstance(cap, int) and cap <= put):
            self.spent.add(seat)
        elif chips < 0:
            self.spent.discard(seat)

    # Betting

    def able(self) -> AbstractSet[Seat]:
        able: AbstractSet[Seat] = self.live - self.spent
        return able

    def turn(self) -> tuple[Seat, ...]:
        """Return the seats that have a decision left, the due one first."""
        able = self.able()
        waiting = self.waiting(able)
        if self.last is None and waiting:
            self.last = self.opener()
        if self.last is None:
            return tuple(sorted(waiting))
        return tuple(self.course.after(self.last, list(waiting)))

    def waiting(self, able: AbstractSet[Seat]) -> AbstractSet[Seat]:
        """Return the seats that have a decision left."""
        waiting = self.pending & able
        if not waiting or len(self.live) < 2:
            return NOBODY
        if len(able) == 1 and self.bets.get(min(waiting), 0) >= self.level:
            return NOBODY
        return waiting

    def due(self, waiting: AbstractSet[Seat]) -> Seat | None:
        """Return whose turn it is among those that wait; None where the order is not known."""
        if not waiting:
            return None
        if self.last is None:
            self.last = self.opener()
            if self.last is None:
                return None  # nobody knows who opens: neither button nor blinds are told
        last = self.last
        return min([seat for seat in waiting if seat > last] or waiting) if self.blinds else None

    def opener(self) -> Seat | None:
        """Return the seat after which the first round opens, or a later one where no button is told."""
        if not self.blinds:
            return None
        if self.later:
            small = self.course.poster("small")
            if not small:
                return None
            first = min(small)
            return first if len(self.course.start) == 2 else first - 1
        posts = self.course.regular_posts()
        return posts[-1][1] if posts else self.course.button

    def act(self, version: int, event: Acted) -> None:
        course, kind = self.course, ACT_KINDS[type(event)]
        seat = event.seat
        if course.first_act is None:
            course.first_act = version
        before = self.bets.get(seat, 0)
        to: Chips = getattr(event, "to", before)
        added: Chips = getattr(event, "added", 0)
        able = self.able()
        waiting = self.waiting(able)
        if self.early and self.belongs_to_early(kind, seat, before, waiting):
            self.begin(self.early)
            before, to = 0, getattr(event, "to", 0)
            waiting = self.waiting(able)
        if self.early:
            to = before + added  # the record counts from the street that lies there
        due = self.due(waiting)
        stack = course.start.get(seat)
        all_in = bool(getattr(event, "all_in", None)) or (
            added > 0 and stack is not None and course.put.get(seat, 0) + added >= stack
        )
        act = Act(
            version,
            event,
            kind,
            seat,
            self.street,
            added,
            to,
            before,
            self.level,
            self.pot,
            due,
            waiting,
            self.live,
            able,
            self.raises,
            self.wagers,
            all_in,
            seat not in self.acted,
        )
        act = self.entered(act)
        course.acts.append(act)
        if course.deals and course.deals[-1].street == self.street:
            course.deals[-1].acts.append(act)
        self.before_act = (self.pending, self.last, self.raises, seat in self.acted)
        self.account(act)

    def entered(self, act: Act) -> Act:
        """Return an act as the course keeps it."""
        return act

    def account(self, act: Act) -> None:
        """Enter an act into the books."""
        seat = act.seat
        self.pay(seat, act.added)
        self.acted.add(seat)
        self.last = seat
        self.pending -= {seat}
        if act.kind == "fold":
            self.live -= {seat}
            return
        self.bets[seat] = act.to
        if getattr(act.event, "all_in", None):
            self.spent.add(seat)
        if act.to > self.level:
            if act.kind in ("bet", "raise"):
                self.raises += self.level > 0
                self.pending = self.live - {seat}
            self.level = act.to
            self.wagers = self.wagers.raised_to(act.to)

    def belongs_to_early(self, kind: ActKind, seat: Seat, before: Chips, pending: AbstractSet[Seat]) -> bool:
        """Whether an act after a premature street is the first of that street."""
        if not pending:
            return True
        if kind == "bet" and self.level:
            return True
        if kind == "check" and seat in pending and before == self.level:
            # A blind with its option may be finishing the round or opening the street that lies
            # there. Where that street is never taken back and the seat opens it, play went on.
            return seat == self.first_after_button() and not self.taken_back()
        return (kind == "check" and before < self.level) or seat not in pending

    def first_after_button(self) -> Seat | None:
        """Return the seat that opens the rounds after the first."""
        button = self.course.button
        if button is None:
            return None
        return min(self.able(), key=lambda seat: (seat <= button, seat), default=None)

    def taken_back(self) -> bool:
        """Whether the record takes the street that lies there too early back, now or later."""
        if self.taken is None:
            line = self.course.line
            self.taken = frozenset(event.street for _, event in line if isinstance(event, d.BoardWithdrawn))
        return self.early in self.taken

    def killed(self, _version: int, event: b.HandKilled) -> None:
        if event.seat in self.course.played.final.cleared and not self.turn():
            return  # the beaten hand is cleared away: it was at the showdown
        self.live -= {event.seat}
        self.pending -= {event.seat}

    def retrieved(self, _version: int, event: b.HandRetrieved) -> None:
        self.live |= {event.seat}
        if self.bets.get(event.seat, 0) < self.level:
            self.pending |= {event.seat}

    def bet_back(self, _version: int, event: b.BetReturned) -> None:
        self.pay(event.seat, -event.amount)

    def chips_back(self, _version: int, event: b.ChipsReturned) -> None:
        if event.reason != "change":  # change never was part of the bet
            self.pay(event.seat, -event.amount)
            self.unbet(event.seat, event.amount)
            self.undo(event.seat, event.amount)

    def undo(self, seat: Seat, chips: Chips) -> None:
        """Take back the last act if all its chips went back to a seat that plays on, or a raise if a call is left of it."""
        act = self.course.acts[-1] if self.course.acts else None
        if act is None or (act.seat, act.street) != (seat, self.street) or seat not in self.live:
            return
        if act.kind == "raise" and act.to - chips == act.level > act.before:
            self.course.undone.add(act.version)
            self.pending, self.raises = self.before_act[0] - {seat}, self.before_act[2]
        elif act.added == chips:
            self.course.undone.add(act.version)
            self.pending, self.last, self.raises, acted = self.before_act
            if not acted:
                self.acted.discard(seat)

    def unbet(self, seat: Seat, chips: Chips) -> None:
        """Take chips that went back from the bets of the street, as far as they lie there."""
        self.bets[seat] = max(0, self.bets.get(seat, 0) - chips)
        self.level = max(self.bets.values(), default=0)
        self.wagers = self.wagers.up_to(self.level)

    # The board

    def burned(self, version: int, event: d.CardBurned) -> None:
        self.burns.append((version, event))

    def returned(self, _version: int, event: d.CardReturned) -> None:
        if event.seat is None and event.source in ("burn", "unknown") and self.burns:
            self.put_back += 1

    def shuffle(self, version: int, event: d.DeckShuffled) -> None:
        self.shuffled.append((version, event))
        self.cut = False  # a cut before the shuffle is none

    def cuts(self, _version: int, _event: d.DeckCut) -> None:
        self.cut = True

    def board(self, version: int, event: d.BoardDealt) -> None:
        deals = self.course.deals
        if event.run > 1 or event.board > 1:
            others = self.course.others
            if others and self.goes_on(others[-1], event):
                return
            others.append(
                Deal(
                    version,
                    event,
                    self.burns,
                    (),
                    self.shuffled,
                    self.cut,
                    matched=True,
                    able=len(self.able()),
                    put_back=self.put_back,
                )
            )
            self.clear()
            return
        same = self.last_deal.get(event.street)
        if same is not None and same is deals[-1] and self.goes_on(same, event):
            return
        waiting = self.turn() if event.street != self.street else ()
        deals.append(
            Deal(
                version,
                event,
                self.burns,
                waiting,
                self.shuffled,
                self.cut,
                self.matched(waiting),
                len(self.able()),
                again=same is not None,
                put_back=self.put_back,
            )
        )
        self.last_deal[event.street] = deals[-1]
        self.clear()
        if event.street == self.street:
            if same is not None and self.anew(version, same):
                self.begin(event.street)
        elif waiting:
            self.early = event.street
        else:
            self.begin(event.street)

    def anew(self, version: int, before: Deal) -> bool:
        """Whether the betting of a street begins anew with other cards, or goes on where it was.

        No book says; who acts next shows it. Where nobody acts any more it had been over.
        """
        if not before.acts:
            return True
        line = self.course.line
        first = (
            self.index + 1 if self.course.index is not None else 0
        )  # of a corrected hand a later line may come earlier
        later = (line[index] for index in range(first, len(line)))
        act = next((one for at, one in later if at > version and isinstance(one, Acted | d.BoardDealt)), None)
        if act is None or isinstance(act, d.BoardDealt):
            return False
        due = self.due(self.waiting(self.able()))
        return due is None or act.seat != due

    def clear(self) -> None:
        """Begin to gather what lies before the next street."""
        self.burns, self.shuffled, self.cut, self.put_back = [], [], False, 0

    def goes_on(self, deal: Deal, event: d.BoardDealt) -> bool:
        """Take a card as one more of a street that comes card by card, or as one in a taken one's place."""
        whole = deal.event
        empty = deal.cards - deal.left
        if (
            self.burns
            or deal.withdrawn
            or deal.cards >= len(DECK)  # no more cards can be one street
            or (deal.acts and not empty)
            or (whole.street, whole.board, whole.run) != (event.street, event.board, event.run)
        ):
            return False
        cards = split_cards(event.cards)
        if deal.left <= len(cards) and told_anew(deal.lying, cards):
            deal.tell_anew(event)
            return True
        deal.filled += min(empty, len(cards))
        deal.event = d.BoardDealt(
            whole.street,
            whole.cards + event.cards,
            whole.board,
            whole.run,
            whole.face_up,
            whole.deck + event.deck,
            whole.stuck + event.stuck,
        )
        return True

    def matched(self, waiting: tuple[Seat, ...]) -> bool:
        return all(self.bets.get(seat, 0) >= self.level for seat in waiting)

    def withdrawn(self, version: int, event: d.BoardWithdrawn) -> None:
        lying = [
            deal
            for deal in (*self.course.deals, *self.course.others)
            if deal.street == event.street and deal.withdrawn is None and deal.event.board == event.board
        ]
        # Which run it was is told by the cards; where they are not told, the last that came.
        same = [deal for deal in lying if deal.event.cards == event.cards] or lying
        if not same:
            return
        last = max(same, key=lambda deal: deal.version)
        last.take(version, event)
        if last.withdrawn and self.early == event.street and last.event.run == last.event.board == 1:
            self.early = None

    def street_dealt(self, _version: int, event: d.StreetDealt) -> None:
        if event.street != self.street:
            self.begin(event.street)

    def begin(self, street: Street) -> None:
        """Open the betting of a street."""
        self.street, self.early = street, None
        self.bets, self.wagers = {}, NO_WAGERS
        self.level = self.raises = 0
        self.acted, self.later = set(), True
        self.last = self.course.button
        able = self.able()
        self.pending = able if len(able) > 1 else NOBODY

    def misdealt(self, _version: int, _event: d.MisdealDeclared) -> None:
        self.deal_again(frozenset(self.course.start))

    def deal_again(self, seats: AbstractSet[Seat]) -> None:
        """Begin the deal anew with all who were dealt in."""
        self.live = self.pending = seats
        self.acted, self.last, self.later = set(), None, False
        self.clear()

    def end(self, version: int, _event: Event | None = None) -> None:
        """Note where the betting ended and who had yet to act then."""
        if self.course.ended is None:
            waiting = () if self.early else self.turn()
            self.course.ended = End(version, self.street, waiting, self.matched(waiting), self.live)


HandPass.steps = {
    o.GameSet: HandPass.game,
    o.OptionSet: HandPass.option,
    o.SeatDealtIn: HandPass.dealt_in,
    o.ButtonPlaced: HandPass.button,
    o.BlindPosted: HandPass.posted,
    o.StraddlePosted: HandPass.posted,
    o.AntePosted: HandPass.posted,
    o.BringInPosted: HandPass.posted,
    o.PostReturned: HandPass.unposted,
    o.DeadMoneyTaken: HandPass.dead_money,
    b.HandKilled: HandPass.killed,
    b.HandRetrieved: HandPass.retrieved,
    b.BetReturned: HandPass.bet_back,
    b.ChipsReturned: HandPass.chips_back,
    d.CardBurned: HandPass.burned,
    d.CardReturned: HandPass.returned,
    d.DeckShuffled: HandPass.shuffle,
    d.DeckCut: HandPass.cuts,
    d.BoardDealt: HandPass.board,
    d.BoardWithdrawn: HandPass.withdrawn,
    d.StreetDealt: HandPass.street_dealt,
    d.MisdealDeclared: HandPass.misdealt,
    e.ShowdownBegun: HandPass.end,
    e.PotAwarded: HandPass.end,
    e.HandCompleted: HandPass.end,
    **dict.fromkeys(ACT_KINDS, HandPass.act),
}
