"""A table as the evenings see it: who sits where and owes what, and where positions go next.

The three methods stand here as sets of seats, after section 0 of the worked examples.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field

from tests.evenings.plan import Person, Plan, Posting
from tests.evenings.ring import clockwise, is_within, next_seat, strictly
from tests.evenings.rooms import Place, Room


class MurkyError(Exception):
    """The books leave it open what happens here: the evening goes another way."""


@dataclass
class Table:
    """Everything that carries over from hand to hand."""

    room: Room
    chairs: int
    people: dict[int, Person] = field(default_factory=dict)
    button: int = 0
    small: int = 0
    middle: int = 0
    big: int = 0
    last_dealt: int = 0
    hands: int = 0
    passed: set[int] = field(default_factory=set)  # seats a blind has reached or passed in this game
    began: int = 0  # where the button began
    gone_round: bool = False  # it has come back there: nobody comes in for nothing any more

    def copy(self) -> Table:
        copied = copy(self)
        copied.people = {seat: person.copy() for seat, person in self.people.items()}
        copied.passed = set(self.passed)
        return copied

    @property
    def three(self) -> bool:
        """Whether there are three blinds."""
        return len(self.room.blinds) > 2

    @property
    def base(self) -> list[int]:
        return sorted(p.seat for p in self.people.values() if p.able and p.plays)

    @property
    def comers(self) -> list[int]:
        return sorted(p.seat for p in self.people.values() if p.able and not p.plays)

    def plan(self) -> Plan:
        """The next hand; `MurkyError` where no reading is safe."""
        if not self.hands:
            return self._first()
        plan = self._dead() if self.room.method == "dead" else self._moving()
        if self.room.next_posts and plan.heads_up and any(self.people[s].stack < self.room.big for s in plan.dealt):
            raise MurkyError("a short blind of two players")
        self._check_order(plan)
        self._admit(plan)
        self._check_last_action(plan)
        if plan.stepped_in and plan.stepped_in != next_seat(plan.big, plan.dealt):
            raise MurkyError("somebody comes in where the blind of a short player falls")
        plan.posts = self._posts(plan)
        return plan

    def _first(self) -> Plan:
        seats = self.base
        if len(seats) < 3:
            raise MurkyError("a new game of two")
        small = next_seat(self.button, seats)
        plan = Plan(self.button, small, next_seat(small, seats), seats, first_hand=True)
        if self.three:
            if len(seats) < 4:
                raise MurkyError("three blinds and three players")
            plan.middle, plan.big = plan.big, next_seat(plan.big, seats)
        if self.room.method == "owed":
            self.people[plan.small].need = ["small"]
            self.people[plan.big].need = ["big", "small"]
        if self.room.next_posts and any(self.people[s].stack < self.room.big for s in (small, plan.big)):
            raise MurkyError("a short blind on the first hand")
        plan.posts = [self._blind(plan.at(place), place) for place in self.room.roles]
        return plan

    # the methods

    def _dead(self) -> Plan:
        base = self.base
        big = next_seat(self.big, {*base, *self.comers}) if base or self.comers else 0
        seats = sorted({*base, big})
        if len(seats) < 2 or not base:
            raise MurkyError("nobody to play")
        if self.three:
            if len(seats) < 4:
                raise MurkyError("three blinds and fewer than four players")
            return Plan(self.small, self.middle, big, seats, middle=self.big)
        if len(seats) == 2:
            other_seat = next(s for s in seats if s != big)
            return Plan(other_seat, other_seat, big, seats)
        return Plan(self.small, self.big, big, seats)

    def _moving(self) -> Plan:
        seats = [s for s in self.base if not self.people[s].between]
        if len(seats) < 2:
            raise MurkyError("nobody to play")
        button = next_seat(self.button, seats)
        small = next_seat(button, seats)
        other_seats = {*self.base, *self.comers}  # the big blind also reaches who waits or had made up
        big = next_seat(small, {*seats, *(c for c in other_seats if not strictly(button, c, small))})
        if big == button:
            if len(self.base) > 2:
                raise MurkyError("two in turn and a third who made up")
            big = next_seat(self.big, seats)
            small = next_seat(big, seats)
            if small != button:
                raise MurkyError("two are left, and button and blinds ask for different things")
            return Plan(button, small, big, seats)
        if any(strictly(button, s, big) for s in self.base if self.people[s].between):
            raise MurkyError("a blind comes to somebody who made up between the blinds")
        if button == self.button or big == self.big:
            raise MurkyError("a position that cannot move")
        if is_within(self.small, self.big, small) and is_within(self.small, big, small):
            raise MurkyError("the small blind goes past the big one")
        if self.room.method == "owed" and self.last_dealt == 2:
            raise MurkyError("owed blinds after two-handed play")
        if not self.people[button].settled or not self.people[small].settled:
            raise MurkyError("button or small blind come to somebody who has had no big blind here")
        plan = Plan(button, small, big, sorted({*self.base, big}))
        self._half(plan)
        return plan

    def _half(self, plan: Plan) -> None:
        """Where a big blind is short of half, the next player posts it, if the book has it so."""
        if not self.room.next_posts:
            return
        if self.people[plan.small].stack < self.room.small:
            raise MurkyError("what a short small blind brings is said of the big blind alone")
        if self.people[plan.big].stack * 2 >= self.room.big:
            return
        plan.stepped_in = next_seat(plan.big, plan.dealt)
        if plan.stepped_in in (plan.button, plan.small) or self.people[plan.stepped_in].stack < self.room.big:
            raise MurkyError("nobody to post for a short blind")

    def _check_order(self, plan: Plan) -> None:
        if plan.heads_up:
            if not self.people[plan.button].settled:
                raise MurkyError("two-handed, and the button has had no blind here")
            return
        if not strictly(plan.button, plan.small, plan.big) or plan.button == plan.big:
            raise MurkyError("positions out of order")
        if self.three and not strictly(plan.small, plan.middle, plan.big):
            raise MurkyError("positions out of order")
        if self.room.method == "dead":
            for seat in plan.dealt:
                if strictly(plan.button, seat, plan.big) and seat not in (plan.small, plan.middle):
                    raise MurkyError("somebody sits between the blinds")

    # who comes in

    def _admit(self, plan: Plan) -> None:
        if plan.big in self.comers:
            plan.entering[plan.big] = "big"
        if plan.heads_up or self.last_dealt < 3:
            if any(self.people[c].transferred for c in self.comers if c != plan.big):
                raise MurkyError("a transferred player has to wait")
            return
        for seat in self.comers:
            if seat == plan.big:
                continue
            entry_way = self._way(self.people[seat], plan)
            is_open = self.room.method != "dead" and not self.room.bars_new_button
            if is_open and is_within(self.button, seat, plan.button):
                continue  # whether the button may go past somebody who comes in: one hand later
            if entry_way:
                plan.entering[seat] = entry_way
        ring = clockwise(plan.big, {*plan.dealt, *plan.entering})
        plan.entering = {
            seat: entry_way for seat, entry_way in plan.entering.items() if entry_way != "straddle" or seat == ring[0]
        }
        plan.dealt = sorted({*plan.dealt, *plan.entering})

    def _way(self, person: Person, plan: Plan) -> str:
        """How somebody who is not in the game gets cards now; "" = not at all."""
        room, seat = self.room, person.seat
        if room.form == "tournament":
            return "free" if strictly(plan.big, seat, plan.button) else ""
        if not strictly(plan.big, seat, plan.button):
            if person.transferred:
                raise MurkyError("a transferred player between the button and the blinds")
            zone = strictly(plan.button, seat, plan.small)
            may = room.made_up_between == "big-no-button" and not person.murky and not person.fresh
            if zone and may and person.how == "post" and "big" in person.missed and len(plan.dealt) > 3:
                return "between"
            return ""
        if person.transferred and room.transfers_free and not person.missed:
            return "free"
        if person.passed_free:
            return "free"
        if person.fresh and not person.missed:
            if room.first_button == "drawn" and seat not in self.passed and not self.gone_round:
                return "free"
            if room.new_posts == "nothing":
                return "free" if person.how == "post" else ""
            return "entry" if person.how == "post" else ""
        new_again = person.rebought and person.murky  # perhaps: then a straddle settles nothing
        if person.how == "straddle" and room.straddle_returns and person.missed and not new_again:
            return "straddle" if len(plan.dealt) > 2 else ""
        if person.how != "post" or person.murky:
            return ""
        if person.moved:
            at_once = room.far_from > 1 or person.moved_now  # later it may owe nothing any more
            if not at_once or person.missed:
                return ""
            return {"post-or-wait": "entry", "kill-or-wait": "kill"}.get(room.far, "")
        return "makeup" if self._makeup(person) is not None else ""

    def _check_last_action(self, plan: Plan) -> None:
        """Nobody who has had no blind in turn gets last action, not through a dead button either."""
        if plan.heads_up or self.room.form == "tournament":
            return
        while True:
            last = plan.button if plan.button in plan.dealt else clockwise(plan.button, plan.dealt)[-1]
            if self.people[last].settled and plan.entering.get(last, "big") == "big":
                return
            if self.people[last].passed_free:
                return
            if last not in plan.entering or plan.entering[last] in ("big", "free"):
                raise MurkyError("last action for somebody who has had no blind here")
            del plan.entering[last]
            plan.dealt.remove(last)

    # what is posted

    def _blind(self, seat: int, place: Place) -> Posting:
        due, stack = self.room.blind(place), self.people[seat].stack
        return Posting(seat, self.room.roles[place], min(due, stack), short=stack <= due)

    def _posts(self, plan: Plan) -> list[Posting]:
        posts = []
        if self.room.method == "owed":
            posts += self._owed(plan)
        else:
            places: tuple[Place, ...] = ("small", "middle")
            for place in places:
                seat = plan.at(place)
                if seat in plan.dealt and plan.entering.get(seat) != "big":
                    posts.append(self._blind(seat, place))
            posts.append(self._blind(plan.big, "big"))
            if plan.stepped_in:
                posts.append(self._blind(plan.stepped_in, "big"))
        for seat in clockwise(plan.big, plan.entering):
            entry_way, person = plan.entering[seat], self.people[seat]
            if entry_way == "entry":
                twice = self.room.new_posts == "twice-big"
                posts.append(Posting(seat, "entry", self.room.big * (2 if twice else 1)))
            elif entry_way == "kill":
                posts.append(Posting(seat, "kill", 2 * self.room.big))
            elif entry_way == "between":
                posts.append(Posting(seat, "makeup-big", self.room.big))
            elif entry_way == "makeup":
                posts += self._makeup(person) or []
            elif entry_way == "straddle":
                posts.append(Posting(seat, "straddle", self.room.straddle))
                plan.straddlers.append(seat)
        return posts

    def _owed(self, plan: Plan) -> list[Posting]:
        people = self.people
        if plan.heads_up:
            for seat in plan.dealt:
                if people[seat].need not in ([], ["small"] if seat == plan.small else []):
                    raise MurkyError("owed blinds when two are left")
            people[plan.small].need, people[plan.big].need = ["small"], ["big", "small"]
            return [self._blind(plan.small, "small"), self._blind(plan.big, "big")]
        for seat in plan.dealt:
            reached = is_within(self.big, seat, plan.big)
            if reached and people[seat].need:
                raise MurkyError("a second blind of a kind is due")
            if reached:
                people[seat].need = ["big", "small"]
            if not reached and plan.entering.get(seat) == "big":
                raise MurkyError("a big blind behind the last one")
        if people[plan.small].need[:1] == [] and plan.small not in plan.entering:
            raise MurkyError("the small blind position owes nothing")
        return [
            self._blind(seat, people[seat].need[0])
            for seat in clockwise(plan.button - 1, plan.dealt)
            if people[seat].need
        ]

    def _makeup(self, person: Person) -> list[Posting] | None:
        """What somebody posts for the blinds it missed; None where the book names no amount."""
        room, seat, missed = self.room, person.seat, person.missed
        if self.three and missed:
            if len(missed) < 3 and room.single == "wait":
                return None
            total = sum(room.blind(place) for place in room.roles if place in missed)
            live = min(total, room.big)
            return [Posting(seat, "makeup", live, total - live)]
        big = Posting(seat, "makeup-big", room.big)
        if len(missed) == 1:
            if room.single == "wait" or room.method == "owed":
                return None
            if room.single == "missed-live":
                return [Posting(seat, "makeup-small", room.small)] if "small" in missed else [big]
        if not missed or room.both == "never":
            return None if missed else []
        dead = Posting(seat, "makeup-small", 0, room.small)
        if room.both == "big-only":
            dead = Posting(seat, "makeup-small", 0)
        if room.both == "all-live-capped":
            dead = Posting(seat, "makeup-small", room.small)
        return [dead, big]

    # what a hand leaves behind

    def take(self, plan: Plan) -> list[int]:
        """Learn from a completed hand; return who has newly missed a blind."""
        marked = self._note_missed(plan) if self.hands else []
        for person in self.people.values():
            person.moved_now, person.played = False, person.seat in plan.dealt
        self.began = self.began or plan.button
        if self.hands:
            self.gone_round |= is_within(self.button, self.began, plan.button)
            for seat in range(1, self.chairs + 1):
                if any(is_within(was, seat, new_position) for was, new_position in self._moves(plan).values()):
                    self.passed.add(seat)
        self.passed |= {new_position for _, new_position in self._moves(plan).values()}
        for seat in plan.dealt:
            person = self.people[seat]
            entry_way = plan.entering.get(seat, "")
            person.plays, person.fresh, person.murky = True, False, False
            passed_free = person.passed_free
            person.moved = person.transferred = person.rebought = person.passed_free = False
            person.missed.clear()
            person.how = "wait"
            if plan.first_hand or seat == plan.big:
                person.settled, person.between = True, False
            elif entry_way:
                person.settled = passed_free  # who only let blinds pass has had them here
                person.between = entry_way == "between"
            if person.need:
                person.need.pop(0)
            if plan.stepped_in and seat == plan.big:  # has to make good what it did not post
                person.plays = person.settled = False
                person.missed, person.murky = {"big"}, True
        self.button, self.small, self.big = plan.button, plan.small, plan.furthest
        self.middle = plan.middle
        self.last_dealt = len(plan.dealt)
        self.hands += 1
        return marked

    def _moves(self, plan: Plan) -> dict[str, tuple[int, int]]:
        """By blind: where it was, and where it is."""
        was = {"small": self.small, "middle": self.middle, "big": self.big}
        return {place: (was[place], plan.at(place)) for place in self.room.roles}

    def _note_missed(self, plan: Plan) -> list[int]:
        marked = []
        odd = plan.heads_up or self.last_dealt == 2
        for person in self.people.values():
            seat = person.seat
            if seat in plan.dealt or (person.fresh and not person.transferred):
                continue
            past = {p for p, (was, new_position) in self._moves(plan).items() if is_within(was, seat, new_position)}
            if person.passing or person.passed_free:
                if self._let_pass(person, past, plan):
                    marked.append(seat)
                continue
            small, big = "small" in past, "big" in past
            if plan.heads_up:
                person.murky, person.plays = True, False
            if not past and not person.need:
                continue
            if person.fresh and not big and not person.missed:
                continue  # moved here by the house: nothing is due before the big blind
            if self.room.method != "dead":
                turn = {s for s in plan.dealt if not self.people[s].between} | {seat}
                if (big and next_seat(plan.small, turn) != seat) or (small and next_seat(plan.button, turn) != seat):
                    person.murky = True
            if person.need or odd or person.moved or self.room.form == "tournament":
                person.murky = True
            person.need = []
            if past:
                new = not person.missed
                person.missed |= past
                person.plays = False
                if new:
                    marked.append(seat)
        return marked

    def _let_pass(self, person: Person, past: set[str], plan: Plan) -> bool:
        """Somebody lets the blinds go past, each once; return whether it missed one more."""
        passes_more = bool(past - person.passing)
        if passes_more or plan.heads_up:
            if passes_more:
                person.missed |= past - person.passing
            person.murky, person.passed_free, person.passing = True, False, set()
            return passes_more
        person.passing -= past
        person.passed_free = not person.passing
        return False
