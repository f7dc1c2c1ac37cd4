"""What each seat must, may and may not do on a hand: the other half of what is due, beside positions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from ledger.table.events import HandPlayed
from ledger.table.listing import late_in
from ledger.table.state import SeatState, TableState
from ledger.vocabulary import PlayerId, Seat
from projections.obligations.debt_inputs import Asked, spots_of
from projections.obligations.dues import DuePost, Ground, Placement, SeatDue, Standing
from projections.obligations.entry_terms import Terms, enter, perhaps_first
from projections.obligations.gaps import gap
from projections.obligations.move_costs import after_move
from projections.obligations.player_tabs import Memory
from projections.obligations.policy import Policy
from projections.obligations.return_terms import come_back, owed
from projections.obligations.ring import between
from projections.obligations.stakes import BLINDLESS, ROLES, stakes_of
from projections.obligations.tab import Tab

_ABSENT: Final = frozenset({"sitting-out", "away", "reserved", "asked-to-be-dealt-out"})


def seats(
    policy: Policy,
    memory: Memory,
    state: TableState,
    placements: tuple[Placement, ...],
    dealt: tuple[Seat, ...],
    hand: HandPlayed | None,
) -> tuple[SeatDue, ...]:
    """Return what every occupied seat owes on `hand`, or (None) on the coming one; ascending.

    `dealt` are the seats that are, or are taken to be, dealt in; without placements the positions
    of the record are used.
    """
    overtaken: dict[PlayerId, Tab] = {}
    if hand is not None and hand.late and late_in(state, hand):
        overtaken = memory.overtaken(hand, state, placements)
    hole = gap(state, hand) if hand is not None and memory.spot is not None else ""
    tabs = memory.across(hole) if hole else memory.tabs
    calm = hand is not None and not hole and not overtaken and _calm(memory, hand)
    if calm and memory.cached is not None:
        return memory.cached
    asked = Asked(policy, memory, state, stakes_of(state, hand), spots_of(placements, hand), frozenset(dealt), hand)
    begins = hand is not None and memory.begins(hand)
    found = []
    for seat, player, held in _occupied(state, hand):
        tab = overtaken.get(player) or tabs.get(player)
        if tab is None:
            tab = memory.newcomer(hand, seat) if hand is not None and not hole else Tab(seat, unsure=hole)
        found.append(_seat(asked, seat, player, held, tab, begins))
    answer = tuple(found)
    if calm:
        memory.cached = answer
    return answer


def _calm(memory: Memory, hand: HandPlayed) -> bool:
    """Whether everybody who sits is dealt in, and nobody owes, waits or is new; in a game of blinds."""
    if not memory.all_quiet or hand.left_out or len(hand.dealt_in) != len(memory.seated):
        return False
    if hand.variant in BLINDLESS:
        return False
    seated = memory.seated
    for one in hand.dealt_in:  # noqa: SIM110 - asked of every hand: a generator costs more
        if seated.get(one.seat) != one.player:
            return False
    return True


def _occupied(state: TableState, hand: HandPlayed | None) -> Iterator[tuple[Seat, PlayerId, SeatState | None]]:
    """Yield seats with their players: as the hand lists them, then whoever the table knows besides."""
    there = {seat: held.player for seat, held in state.seats.items()}
    if hand is not None:
        listed = {one.seat: one.player for one in hand.dealt_in}
        listed.update((one.seat, one.player) for one in hand.left_out)
        here = set(listed.values())
        there = {seat: player for seat, player in there.items() if player not in here} | listed
    for seat in sorted(there):
        held = state.seats.get(seat)
        yield seat, there[seat], held if held is not None and held.player == there[seat] else None


def _seat(asked: Asked, seat: Seat, player: PlayerId, held: SeatState | None, tab: Tab, begins: bool) -> SeatDue:
    absent = _absent(asked, seat, held)
    form = asked.stakes.format
    if form == "tournament" or asked.stakes.variant in BLINDLESS:
        return _no_debts(asked, seat, player, absent)
    if absent is None and tab.quiet and form == "cash" and not begins:
        if tab.due is None or tab.due.seat != seat or tab.due.player != player:
            tab.due = _settled(asked, seat, player, tab)
        return tab.due
    missed = owed(asked, tab)
    if tab.left is not None and tab.unsure and not begins and absent is None:
        return _owing_or_new(asked, seat, player, tab, tab.left)
    may, bars, barred = (True, (), ()) if begins else _button(asked, tab)
    if absent is not None:
        called = _called(asked, seat, held, tab)
        if called is None:
            here = absent.standing == "away"
            terms = _stand(asked, seat, tab, begins)[1] if here else Terms("no")
            deal = "no" if terms.deal == "yes" else terms.deal  # what it would take, on coming back
            called = terms._replace(deal=deal, why=(absent.why, *terms.why))
        return SeatDue(
            seat,
            player,
            absent.standing,
            called.deal,
            called.post,
            missed,
            called.ways,
            may,
            (*called.why, *bars),
            barred,
            called.either,
        )
    standing, terms = _stand(asked, seat, tab, begins)
    if form == "unknown" and terms.deal in ("no", "if-posts"):
        lacking = Ground("whether the game is a tournament or played for cash", (), "record")
        terms = terms._replace(deal="open", why=(lacking, *terms.why))
    return SeatDue(
        seat,
        player,
        standing,
        terms.deal,
        terms.post,
        missed,
        terms.ways,
        may,
        (*terms.why, *bars),
        barred,
        terms.either,
    )


def _owing_or_new(asked: Asked, seat: Seat, player: PlayerId, tab: Tab, left: Tab) -> SeatDue:
    """Return what is due from a player who owed blinds, gave up the chair and took one again.

    No book says whether the debt goes along. Where both readings ask for a post, or for none, that much is sure.
    """
    lacking = Ground(tab.unsure, (), "record")
    if asked.is_big(seat):
        return SeatDue(seat, player, "unknown", "yes", why=(lacking,))
    debtor = replace(left, seat=seat, move=None, perhaps=frozenset(ROLES), due=None)
    owes = _stand(asked, seat, debtor, begins=False)[1]
    enters = _stand(asked, seat, replace(tab, unsure="", left=None, due=None), begins=False)[1]
    deals = {owes.deal, enters.deal}
    why = tuple(dict.fromkeys((lacking, *owes.why, *enters.why)))
    if not deals <= {"if-posts", "no"}:
        return SeatDue(seat, player, "unknown", "yes" if deals == {"yes"} else "open", why=why)
    sums = {(one.live, one.dead): one for one in (*_sums(seat, owes), *_sums(seat, enters))}
    either = tuple(sums.values()) if len(sums) > 1 else ()
    post = DuePost(seat, "makeup", None, None, (lacking,)) if either else next(iter(sums.values()), None)
    return SeatDue(
        seat,
        player,
        "unknown",
        "if-posts" if "if-posts" in deals else "no",
        () if post is None or deals == {"no"} else (post,),
        owed(asked, left),
        tuple(dict.fromkeys((*owes.ways, *enters.ways))),
        why=why,
        either=either,
    )


def _sums(seat: Seat, terms: Terms) -> tuple[DuePost, ...]:
    """Return the posts that would let a seat in: now, or once the button has passed."""
    later = [DuePost(seat, "makeup", way.live, way.dead, way.why) for way in terms.ways if way.kind == "button-passes"]
    return terms.either or terms.post or tuple(later)


def _no_debts(asked: Asked, seat: Seat, player: PlayerId, absent: Absent | None) -> SeatDue:
    """Return what is due where nobody owes for absence: in tournaments, and without blinds."""
    standing: Standing = "playing" if absent is None else absent.standing
    if asked.stakes.format == "tournament":
        out = absent is not None and (absent.standing == "broke" or not absent.listed)
        why = Ground("in a tournament absent players are dealt in", (), "fallback")
    else:
        out = absent is not None
        why = Ground("no blinds", (), "fallback")
    reasons = (why,) if absent is None else (absent.why, why)
    return SeatDue(seat, player, standing, "no" if out else "yes", why=reasons)


def _settled(asked: Asked, seat: Seat, player: PlayerId, tab: Tab) -> SeatDue:
    """Return what is due from a player in the game who owes nothing and may have the button."""
    may = None if asked.policy.get("button.eligibility") is None else True
    why = (tab.how,) if tab.how is not None else ()
    return SeatDue(seat, player, "playing", "yes", button=may, why=why)


def _stand(asked: Asked, seat: Seat, tab: Tab, begins: bool) -> tuple[Standing, Terms]:
    """Say how a player who is there stands, and on what terms he or she is dealt in."""
    if begins:
        return "playing", Terms("yes", why=(Ground("the first hand of the game", (), "record"),))
    if tab.unsure:
        lacking = Ground(tab.unsure, (), "record")
        if asked.is_big(seat):
            return "unknown", Terms("yes", why=(lacking,))
        return "unknown", Terms("open", why=(lacking,))
    if tab.bought:
        why = asked.why("button.buy", f"bought the button after hand {tab.bought}", tab.bought)
        return "owing" if tab.missed else "playing", Terms("yes" if why.clauses else "open", why=(why,))
    if not tab.entered and not tab.missed:
        return "new", enter(asked, seat, tab)
    missed = owed(asked, tab)
    if tab.broke and missed:
        return _broke(asked, seat, tab)
    if missed or tab.marked is not None or tab.perhaps:
        return "owing" if missed or tab.marked is not None else "unknown", come_back(asked, seat, tab, missed)
    if tab.move is not None:
        terms = after_move(asked, seat, tab, tab.move)
        return "waiting" if terms.deal != "yes" else "playing", terms
    return "playing", Terms("yes", why=(tab.how,) if tab.how is not None else ())


def _broke(asked: Asked, seat: Seat, tab: Tab) -> tuple[Standing, Terms]:
    """Say how a player stands who had no chips when blinds went past, and has some now."""
    rule = asked.policy.value("entry.bust_reentry")
    missed = owed(asked, tab)
    says = f"lost the last chip on hand {tab.broke}; blinds went past before the new ones"
    why = asked.why("entry.bust_reentry", says, tab.broke)
    if rule == "new-once-big-blind-missed":
        if any(one.role == asked.stakes.top for one in missed):
            terms = enter(asked, seat, Tab(seat, origin="walk-in", came=tab.broke))
            if terms.deal == "no" and _free_behind(terms):
                lacking = "whether a player may come back for nothing between button and big blind, too"
                terms = terms._replace(deal="open", why=(Ground(lacking, why.clauses), *terms.why))
            return "new", terms.because(why)
    elif rule == "as-absent":
        if tab.away is None:
            lacking = "whether the player was away from the table when the blinds went past"
            return "unknown", Terms("open", why=(Ground(lacking, why.clauses, "record"), why))
        if not tab.away:
            here = Ground("was at the table when the blinds went past: the book asks nothing", why.clauses, "book")
            return "playing", Terms("yes", why=(here, why))
    elif rule is None:
        silent = Ground("the book does not speak of players who went broke", (), "fallback")
        return "owing", Terms("open", why=(silent,))
    terms = come_back(asked, seat, tab, missed)
    return "owing", terms.because(why)


def _free_behind(terms: Terms) -> bool:
    return any(way.kind == "button-passes" and way.live == 0 for way in terms.ways)


class Absent(NamedTuple):
    """Why a player gets no cards whatever is owed."""

    standing: Literal["away", "broke"]
    why: Ground
    listed: bool = True  # False: the hand does not name the seat


def _absent(asked: Asked, seat: Seat, held: SeatState | None) -> Absent | None:
    """Say why a player gets no cards whatever is owed: away, asked out, or without chips."""
    hand = asked.hand
    if hand is not None:
        if seat in asked.dealt:
            return None
        reason = next((one.reason for one in hand.left_out if one.seat == seat), None)
        if reason == "no-chips":
            return Absent("broke", Ground("has no chips", (), "record", hand.number))
        if reason in _ABSENT:
            says = f"is not there on hand {hand.number}: {reason}"
            return Absent("away", Ground(says, (), "record", hand.number))
        if reason is None:
            says = f"is not listed on hand {hand.number}"
            return Absent("away", Ground(says, (), "record", hand.number), listed=False)
    if held is None:
        return None
    if held.busted or held.stack == 0:
        return Absent("broke", Ground("has no chips", (), "record", asked.state.number))
    if held.presence != "present" or held.asked_out:
        says = "asked to be dealt no cards" if held.asked_out else "is not at the table"
        if held.presence == "unknown":
            says = "was not listed on the last hand: sits out, or has left"
        return Absent("away", Ground(says, (), "record", held.away_since))
    if held.deferred in ("button-passed", "unknown"):
        says = "is kept out until the button has passed"
        return Absent("away", Ground(says, (), "record", asked.state.number))
    return None


def _called(asked: Asked, seat: Seat, held: SeatState | None, tab: Tab) -> Terms | None:
    """Return the terms of an absent player who is due the button and dealt in all the same."""
    rule = asked.policy.value("button.absent_due")
    if rule != "dealt-in-if-in-room" or held is None or held.presence != "away" or not tab.quiet:
        return None
    if held.asked_out or held.in_room is False or not asked.spots or asked.memory.spot is None:
        return None
    was, now = asked.memory.spot.button, asked.spots[0].button
    if was is None or now is None or not _due_button(asked, seat, was, now):
        return None
    why = asked.why("button.absent_due", f"seat {seat} is due the button, and its blinds are paid")
    if held.in_room is None:
        lacking = f"whether the player of seat {seat} was in the room"
        return Terms("open", why=(Ground(lacking, why.clauses, "record"), why))
    return Terms("yes", why=(why,))


def _due_button(asked: Asked, seat: Seat, was: Seat, now: Seat) -> bool:
    """Whether a seat is the first of those in the game after the last button."""
    if seat == now:
        return True
    return (
        was not in (seat, now)
        and between(was, seat, now)
        and not any(one not in (was, seat) and between(was, one, seat) for one in asked.dealt)
    )


def _button(asked: Asked, tab: Tab) -> tuple[bool | None, tuple[Ground, ...], tuple[str, ...]]:
    """Say whether a player may have the button, why not, and of which kinds; None = no book says."""
    ruling = asked.policy.get("button.eligibility")
    if ruling is None or tab.unsure or (tab.perhaps and not tab.missed and tab.marked is None):
        return None, (), ()
    fresh = not tab.established
    if fresh and perhaps_first(asked):
        return None, (), ()
    held = {
        "made-up-between": (tab.made_up_between, "made up between the button and the big blind: no button this round"),
        "short-blind": (tab.short_big, "posted less than half of the blind: no button this round"),
        "missed-blind": (bool(tab.missed) or tab.marked is not None, "missed a blind: no button"),
        "new": (fresh, "has taken no blind here yet: no button"),
        "no-big-blind": (fresh, "has taken no blind here yet: no button"),
    }
    kinds = [kind for kind, (holds, _) in held.items() if holds and kind in ruling.value]
    if not kinds:
        return True, (), ()
    return False, (asked.why("button.eligibility", held[kinds[0]][1]),), tuple(kinds)
