"""What is due at a table, hand by hand, under one book: positions first, then what each seat owes."""

from __future__ import annotations

from functools import partial
from typing import Final

import msgspec

from ledger.presence import SeatMoved
from ledger.table.events import GameStarted, HandPlayed
from ledger.table.order import Told
from ledger.table.state import TableState
from ledger.vocabulary import Seat
from projections.obligations import debts, first_button
from projections.obligations.button_round import Round, Where, as_posted
from projections.obligations.choices import Coming
from projections.obligations.dealt_in import (
    There,
    absent_due,
    came_into_zone,
    chooser,
    excused,
    in_turn,
    kept_off,
    present,
    recorded,
)
from projections.obligations.dues import Due, Ground, Method, Placement
from projections.obligations.game import Readings, Structure, has_blinds, option, readings, structure
from projections.obligations.gaps import gap, has_gap
from projections.obligations.moves import past_nobody
from projections.obligations.player_tabs import Memory
from projections.obligations.policy import Policy
from projections.obligations.position_inputs import Ask, Cites, Draft
from projections.obligations.positions import drafts
from projections.obligations.post_order import Setting, place, straddler
from projections.obligations.steady_round import quiet


class Obligations:
    """Keeps what a table's players owe under one book, event by event in the table's order."""

    def __init__(self, policy: Policy | None, book: str) -> None:
        """Take a book's policy (None: it decides nothing) and its name."""
        self.policy = policy if policy is not None else Policy({})
        self.book = book
        self.round = Round()
        self.memory = Memory(self.policy)
        self._known: dict[object, tuple[Readings, dict[Method, Cites]]] = {}

    def between(self, told: Told, state: TableState) -> None:
        """Learn from an event that is no hand; `state` has taken it."""
        if isinstance(told.event, GameStarted):
            self.round.lose(first_button.NEW_GAME)
        if isinstance(told.event, SeatMoved) and past_nobody(state, told.event.origin, told.event.to):
            self.round.went_along(told.event.origin, told.event.to)
        self.memory.between(told, state)

    def take(self, hand: HandPlayed, state: TableState, due: Due) -> None:
        """Learn from a hand; `state` is the table before it, `due` what belonged on it."""
        hand = as_posted(hand, due)
        if self.memory.buys_back(hand):
            due = self.seated(due, state, hand)  # on what terms, before anything is learned
        self._follow(hand, state, due)
        self.memory.take(hand, state, due)

    def _follow(self, hand: HandPlayed, state: TableState, due: Due) -> None:
        """Learn where the positions of a hand were, and who came in on it."""
        blinds = structure(state, hand)
        if has_gap(state, hand):
            self.round.lose("")
        where = self.round.where  # None: who came in on this hand, nobody knows
        there = None if where is None or self._plays_on(where, state, hand) else recorded(hand, state, self.memory)
        self.round.take(hand, due, blinds.roles if isinstance(blinds, Structure) else ())
        where = self.round.void or self.round.where
        if there is not None and where is not None and (there.coming or there.late) and not hand.voided:
            came = came_into_zone(hand, there, where.button, where.furthest, self.memory)
            self.round.zone.update(came)
        self.round.settle()

    def _plays_on(self, where: Where, state: TableState, hand: HandPlayed) -> bool:
        """Whether those dealt in are those of the last hand, and nobody came, owed or waited since."""
        return self.memory.all_quiet and where.hand == state.number and not hand.late and where.has_same_players(hand)

    def due(self, state: TableState, *, hand: HandPlayed | None = None) -> Due:
        """Return what is due on a recorded hand, as it was dealt, or on the coming one."""
        if hand is not None:
            return self.seated(self.placed(state, hand), state, hand)
        place = partial(self._placements, state, None)
        due = Coming(self.policy, self.memory, state, self._present(state), place).due(self.book)
        seats = kept_off(self.policy, due.seats, self.round.zone)
        return msgspec.structs.replace(due, seats=seats)

    def seated(self, due: Due, state: TableState, hand: HandPlayed | None) -> Due:
        """Add to the positions of a hand what is due from each seat."""
        if hand is not None:
            self.memory.shown(hand, state)
        seats = debts.seats(self.policy, self.memory, state, due.placements, due.dealt, hand)
        seats = kept_off(self.policy, seats, self.round.zone)
        return Due(due.book, due.after, due.placements, seats, due.dealt, due.unknown)

    def unheard(self, state: TableState, hand: HandPlayed) -> bool:
        """Whether `hand` lies behind missing hands, and nothing was told since of who sits there."""
        memory = self.memory
        silent = not memory.words and not hand.late and not self.round.zone
        return silent and memory.spot is not None and has_gap(state, hand)

    def placed(self, state: TableState, hand: HandPlayed) -> Due:
        """Return the positions of a hand alone, without the seats: enough to learn from it."""
        placements: tuple[Placement, ...]
        if (short := self._short(state, hand)) is not None:
            placements, unknown = (short,), ""
            dealt = tuple([one.seat for one in hand.dealt_in])
        else:
            dealt = tuple(sorted([one.seat for one in hand.dealt_in]))
            unknown = gap(state, hand) if has_blinds(hand.variant) else ""
            placements = ()
            if not unknown:
                there = recorded(hand, state, self.memory)
                placements, unknown = self._placements(state, hand, there)
            if unknown and not placements:
                placements = self._shown(state, hand)
        return Due(self.book, state.number, placements, (), dealt, unknown)

    # Positions

    def _present(self, state: TableState) -> There:
        there = present(state, self.memory)
        where = self.round.where
        if where is None or where.button is None or "dead" in self._methods(state, None)[0].methods:
            return there
        called = absent_due(self.policy, self.memory, state, where.button, there)
        return present(state, self.memory, called) if called else there

    def _short(self, state: TableState, hand: HandPlayed) -> Placement | None:
        """Return the placement of a hand at a table where nobody came or went."""
        if self.round.turn is None or not self.memory.all_quiet:
            return None
        if not has_blinds(hand.variant) or has_gap(state, hand):
            return None
        blinds = structure(state, hand)
        how, cites = self._methods(state, hand)
        method = how.methods[0]
        if isinstance(blinds, str) or method == "record" or straddler(hand) is not None:
            return None
        alike = tuple(one for one in how.methods if one != method)
        return quiet(self.round, state, hand, blinds, method, cites[method], alike)

    def _placements(
        self, state: TableState, hand: HandPlayed | None, there: There
    ) -> tuple[tuple[Placement, ...], str]:
        """Return the placements of a hand, or why there are none."""
        if not has_blinds(hand.variant if hand is not None else state.variant):
            return (), "the game has no button"
        if hand is None and state.broken:
            return (), "the game is over"
        missing = gap(state, hand)
        if missing:
            return (), missing
        blinds = structure(state, hand)
        if isinstance(blinds, str):
            return (), blinds
        how, cites = self._methods(state, hand)
        setting = self._setting(blinds, state, hand, there, how)
        if how.methods == ("record",):
            if hand is None:
                return (), "the book says nothing of where button and blinds are"
            found = [first_button.as_recorded(hand, tuple(sorted(there.players)), blinds.roles)]
            return _placed(found, setting), ""
        where = self.round.aligned(hand) if hand is not None else self.round.where
        if where is None:
            answer = self._first(state, hand, there, setting, how, cites)
        elif isinstance(where, str):
            answer = where
        else:
            answer = self._next(where, state, there, setting, how, cites)
        if there.late and not isinstance(answer, str):
            answer = [_joined(one, there.late) for one in answer]
        return ((), answer) if isinstance(answer, str) else (_placed(answer, setting), "")

    def _first(
        self,
        state: TableState,
        hand: HandPlayed | None,
        there: There,
        setting: Setting,
        how: Readings,
        cites: dict[Method, Cites],
    ) -> list[Draft] | str:
        dealt = tuple(sorted((*there.core, *there.coming)))
        sat_down = state.last is None and self.memory.begins_with(there.players[s] for s in dealt)
        if not first_button.begins(state) and not (dealt and sat_down):
            return self.round.lost
        if not dealt:
            return "fewer than two players are there"
        found = first_button.button_of_first(self.policy, state, hand, dealt)
        if isinstance(found, str):
            return found
        button, why, judged = found
        begun = [
            first_button.begun(method, button, why, dealt, setting.structure.roles, cites[method], judged=judged)
            for method in how.methods
        ]
        drafts = [one for one in begun if isinstance(one, Draft)]
        return drafts or str(begun[0])

    def _shown(self, state: TableState, hand: HandPlayed) -> tuple[Placement, ...]:
        """Return where the blinds belong by what the hand shows alone: nothing is known before it."""
        blinds = structure(state, hand)
        if isinstance(blinds, str) or first_button.in_order(hand, blinds.roles):
            return ()
        how, cites = self._methods(state, hand)
        where = self.round.aligned(hand)
        lost = where is None or has_gap(state, hand)
        if how.methods == ("record",) or not lost:
            return ()
        there = recorded(hand, state, self.memory, anew=True)
        found = first_button.shown(hand, there.ring(hand), blinds.roles, how.methods, cites)
        return _placed(found, self._setting(blinds, state, hand, there, how))

    def _next(
        self, where: Where, state: TableState, there: There, setting: Setting, how: Readings, cites: dict[Method, Cites]
    ) -> list[Draft] | str:
        """Return the drafts of a hand that follows another one of its game."""
        found: list[Draft] = []
        why = ""
        dealt = tuple(sorted((*there.core, *there.coming)))
        stepped_in = self.round.stepped_in
        sure = not stepped_in
        void = self.round.void
        bases = [where]
        if void is not None:
            ruling = self.policy.get("button.moves_after_misdeal")
            misdeal = self.round.void_reason == "misdeal"
            sure = sure and (ruling is not None or not misdeal)
            stays = first_button.again(
                void,
                how.methods[0],
                dealt,
                ruling.clauses if ruling is not None and misdeal else (),
                judged=True,
                ended=bool(self.round.void_reason),
            )
            moves = misdeal and ruling is not None and ruling.value is True
            bases = [void] if moves else [where] if misdeal else [void, where]
            found += [stays] if stays is not None and not moves else []
        if state.bought is not None:
            draft = self._bought(state.bought, how.methods[0], dealt, setting, cites)
            found += [draft] if isinstance(draft, Draft) else []
            sure = sure and self.policy.value("button.buy") is False
        open_end = void is not None and len(bases) > 1
        for was in bases:
            answer = self._readings_from(self._ask(was, there, setting), how, cites)
            if isinstance(answer, str):
                why = why or answer
            else:
                found += answer
            # Whether the last hand counts is open: a book that is silent about one answer convicts by neither.
            sure = sure and not (open_end and (isinstance(answer, str) or not any(one.judged for one in answer)))
        if not found:
            return why or "no answer"
        if stepped_in:
            found = [one._replace(button_why=(_CREDIT, *one.button_why)) for one in found]
        return found if sure else [one._replace(judged=False) for one in found]

    def _readings_from(self, ask: Ask, how: Readings, cites: dict[Method, Cites]) -> list[Draft] | str:
        """Return the drafts that follow from one hand by each method, or why there is none."""
        found: list[Draft] = []
        why = ""
        for method in how.methods:
            answer = drafts(ask, method, cites[method])
            if isinstance(answer, str):
                why = why or answer
            else:
                found += answer
        if "owed" in how.methods and "positional" not in how.methods:
            answer = drafts(ask, "positional", cites["owed"])
            found += () if isinstance(answer, str) else map(_by_letter, answer)
        return found or why

    def _bought(
        self, seat: Seat, method: Method, dealt: tuple[Seat, ...], setting: Setting, cites: dict[Method, Cites]
    ) -> Draft | str:
        why = Ground(f"seat {seat} bought the button", self.policy.clauses("button.buy"), "record")
        return first_button.begun(
            method,
            seat,
            why,
            dealt,
            setting.structure.roles,
            cites[method],
            judged=False,
            reading="the button where it was bought",
        )

    def _ask(self, was: Where, there: There, setting: Setting) -> Ask:
        owed = self.round
        left = owed.void_debts if was is owed.void else owed.debts
        return Ask(
            was,
            setting.structure.roles,
            there.core,
            there.coming,
            there.given,
            there.posters,
            chooser(self.policy, self.memory, there, owed.zone),
            there.players,
            left,
            owed.late,
            there.free,
            excused=excused(self.policy, self.memory, there),
            in_turn=in_turn(self.policy, self.memory, there),
        )

    # What the book says of this kind of game

    def _methods(self, state: TableState, hand: HandPlayed | None) -> tuple[Readings, dict[Method, Cites]]:
        form, betting = (hand.format, hand.betting) if hand is not None else (state.format, state.betting)
        house = option(state, hand, "button-method")
        key = (form, betting, house)
        known = self._known.get(key)
        if known is None:
            how = readings(self.policy, form, betting, house)
            known = self._known[key] = (how, {one: self._cites(how, one) for one in how.methods})
        return known

    def _cites(self, how: Readings, method: Method) -> Cites:
        clauses = self.policy.clauses
        own = how.clauses
        dead = clauses("blinds.dead_blind_posted")
        moved = clauses("blinds.when_button_moves")
        if how.chosen:  # the clause that leaves the choice to the house, and the one of the method
            own = (*own, *(dead if method == "dead" else clauses("button.repeat_last_action")))
        transition = self.policy.value("blinds.heads_up_transition")
        return Cites(
            method=own,
            dead_blind=dead,
            dead_button=clauses("button.last_action_when_dead"),
            moved=moved,
            order=clauses("blinds.order"),
            heads_up=clauses("blinds.heads_up_small_blind"),
            heads_up_known=self.policy.value("blinds.heads_up_small_blind") == "button",
            small_off_button=self.policy.value("blinds.order") == "next-seats",
            transition=transition or "",
        )

    def _setting(
        self, blinds: Structure, state: TableState, hand: HandPlayed | None, there: There, how: Readings
    ) -> Setting:
        del how
        half = self.policy.get("blinds.short_below_half")
        betting = hand.betting if hand is not None else state.betting
        return Setting(
            blinds,
            there.stacks,
            frozenset(there.coming) - in_turn(self.policy, self.memory, there),
            straddler(hand),
            half.clauses if half is not None and half.value == "next-posts" else None,
            betting in ("limit", "spread"),
        )


_BY_PLACE: Final = "each blind from its position, whatever is owed"
_CREDIT: Final = Ground("whether who posted for a short blind has had its own: no book says", (), "fallback")


def _joined(draft: Draft, late: frozenset[Seat]) -> Draft:
    """Return positions set without players who came back behind the blinds, with them in the hand."""
    dealt = tuple(sorted({*draft.dealt, *late}))
    if not draft.heads_up:
        return draft._replace(dealt=dealt)
    return draft._replace(dealt=dealt, heads_up=False, judged=False)  # set for two, played by three


def _by_letter(draft: Draft) -> Draft:
    """Return the blinds of the next players beside those that are owed: a text may be read so too."""
    if draft.doubtful or draft.heads_up:
        return draft._replace(doubtful=True)
    return draft._replace(doubtful=True, reading=_BY_PLACE)


def _placed(found: list[Draft], setting: Setting) -> tuple[Placement, ...]:
    """Return the placements of the drafts; what two readings agree on stands there once."""
    out: list[Placement] = []
    seen: dict[object, int] = {}
    for draft in found:
        for one in place(draft, setting):
            posts = tuple((post.seat, post.role) for post in one.posts)
            key = (one.button, one.small, one.big, one.extra, posts, one.judged)
            at = seen.setdefault(key, len(out))
            if at == len(out):
                out.append(one)
            elif not one.doubtful and one.method not in (out[at].method, *out[at].alike):
                out[at] = msgspec.structs.replace(out[at], alike=(*out[at].alike, one.method))
    return tuple(out)
