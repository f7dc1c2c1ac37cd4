"""Players who missed blinds: what they make up, from where, and their other ways back."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from ledger.vocabulary import Seat
from projections.obligations.debt_inputs import Asked
from projections.obligations.dues import DuePost, Ground, Missed, Way
from projections.obligations.entry_terms import Terms, big_blind_way
from projections.obligations.policy import Acted
from projections.obligations.stakes import ROLES, Cost, make_up
from projections.obligations.tab import Tab

_NOTHING: Final = Ground("missed nothing: nothing to post", (), "record")


def owed(asked: Asked, tab: Tab) -> tuple[Missed, ...]:
    """Return the blinds that a player owes: those missed, and one posted too short."""
    missed = tuple(tab.missed)
    if tab.short_big:
        short = tab.how or Ground("posted less than half of the big blind", (), "record")
        why = asked.why("blinds.short_below_half", short.says, short.hand)
        missed += (Missed("big", short.hand, why),)
    return missed


def come_back(asked: Asked, seat: Seat, tab: Tab, missed: tuple[Missed, ...]) -> Terms:
    """Say on what terms a player who owes is dealt in."""
    policy = asked.policy
    ruling = policy.get("missed.ways_back")
    facts = tuple(one.why for one in missed)
    if ruling is None:
        silent = Ground("the book does not speak of missed blinds", (), "fallback")
        return Terms("open", (), (), (silent, *facts))
    back = asked.why("missed.ways_back", ruling.says or "to be dealt in again")
    big = big_blind_way(asked, seat, back)
    why = (*facts, back)
    if big.now:
        return Terms("yes", (), (big,), why)
    found = costs(asked, tab, missed)
    cost = found[0] if len(found) == 1 else _open(tab, found)
    either: tuple[DuePost, ...] = ()
    if len(found) > 1:
        either = tuple(DuePost(seat, "makeup", one.live, one.dead, one.why) for one in found)
        why = (cost.why[0], *why)
    if tab.marked is not None and len(found) == 1:
        why += (Ground("a missed-blind marker lies there", (), "record", version=tab.marked),)
    if tab.short_big:
        why += (asked.why("blinds.short_below_half", "what makes good a short blind is not said"),)
    ways: list[Way] = [big, *_straddle(asked, seat), *_buy(asked, seat)]
    zone = _zone(asked, seat)
    if zone == "in":
        point = _zone_point(asked)
        barred = asked.why(point, f"seat {seat} lies between the button and the big blind")
        if asked.folded:
            says = f"by the method the button stays, and has not passed seat {seat}"
            barred = Ground(says, barred.clauses, "assumed")
        ways.append(
            Way(
                "button-passes",
                now=False,
                hands=asked.until_passed(seat),
                live=cost.live,
                dead=cost.dead,
                why=(barred,),
            )
        )
        if not missed and tab.marked is None and len(found) > 1:
            return Terms("open", (), tuple(ways), (*why, barred), either)
        if any(way.now for way in ways):
            return Terms("if-posts", (), tuple(ways), (*why, barred, *cost.why), either)
        return Terms("no", (), tuple(ways), (*why, barred, *cost.why), either)
    if not missed and tab.marked is None and len(found) > 1:  # perhaps nothing is owed
        return Terms("open", (), tuple(ways), why, either)
    posts = (DuePost(seat, "makeup", cost.live, cost.dead, cost.why),)
    ways.insert(0, Way("post", now=True, hands=0, live=cost.live, dead=cost.dead, why=cost.why))
    if zone != "out":
        lacking = "where button and big blind were" if zone == "unknown" else "which method holds"
        return Terms("open", posts, tuple(ways), (Ground(lacking, (), "record"), *why), either)
    late = _played_owing(asked, tab)
    if late is not None and late.deal != "if-posts":
        return late._replace(ways=tuple(ways), why=(*late.why, *why, *cost.why))
    if late is not None:
        why = (*late.why, *why)
    return Terms("if-posts", posts, tuple(ways), (*why, *cost.why), either)


def costs(asked: Asked, tab: Tab, missed: tuple[Missed, ...]) -> list[Cost]:
    """Return what making good costs: each sum that it may be, by what is known to have gone past."""
    sure = frozenset(one.role for one in missed)
    unknown = frozenset(ROLES) if tab.marked is not None and not sure else tab.perhaps
    perhaps = sorted((unknown & frozenset(asked.stakes.roles)) - sure)
    found: list[Cost] = []
    for many in range(len(perhaps) + 1):
        for more in combinations(perhaps, many):
            roles = sure.union(more)
            if not roles and tab.marked is not None:
                continue  # a marker lies there: something went past
            one = _cost(asked, tab, roles) if roles else Cost(0, 0, (_NOTHING,))
            if all((one.live, one.dead) != (other.live, other.dead) for other in found):
                found.append(one)
    return found


def _open(tab: Tab, found: list[Cost]) -> Cost:
    """Return the cost where the record leaves open which blinds went past."""
    says = "a missed-blind marker lies there; which blinds went past is not on record"
    if tab.marked is None:
        says = f"which blinds went past seat {tab.seat} where nothing is on record"
    why = Ground(says, (), "record", version=tab.marked)
    return Cost(None, None, (why, *(one.why[0] for one in found if one.why)))


def _cost(asked: Asked, tab: Tab, roles: frozenset[str]) -> Cost:
    cost = make_up(asked.policy, asked.stakes, roles)
    if tab.short_big:  # how a short blind is made good is not said: shown, not judged
        return cost._replace(why=(*cost.why, Ground("as for a missed big blind", (), "fallback")))
    return cost


def _zone_point(asked: Asked) -> str:
    return "missed.zone.limit" if asked.stakes.limit else "missed.zone.big_bet"


def _zone(asked: Asked, seat: Seat) -> str:
    """Say whether a make-up is barred where the seat lies: "in" is barred."""
    rule = asked.policy.value(_zone_point(asked))
    if rule is True:
        return "out"
    found = asked.zone(seat)
    if rule is None and found != "out":
        return "unknown"
    return found


def _straddle(asked: Asked, seat: Seat) -> list[Way]:
    if "straddle" not in asked.policy.value("missed.ways_back"):
        return []
    if asked.policy.value("straddle.clears_missed_blind") is False:
        return []
    if asked.stakes.options.get("straddle-allowed") == 0:
        return []
    size = asked.stakes.options.get("straddle-amount")
    now = asked.straddle_seat(seat)
    why = asked.why("straddle.clears_missed_blind", "a straddle next to the big blind settles it")
    return [
        Way("straddle", now=now, hands=0 if now else None, live=size if isinstance(size, int) else None, why=(why,))
    ]


def _buy(asked: Asked, seat: Seat) -> list[Way]:
    if not asked.policy.value("button.buy"):
        return []
    now = asked.zone(seat) == "in"
    why = asked.why("button.buy", "may buy the button; the price is not said")
    return [Way("buy-button", now=now, hands=0 if now else None, live=None, dead=None, why=(why,))]


def _played_owing(asked: Asked, tab: Tab) -> Terms | None:
    """Say what having been dealt in without the post means for this hand."""
    rule: Acted | None = asked.policy.value("missed.acted")
    if not tab.played_owing or rule is None:
        return None
    number, acted = tab.played_owing[-1]
    if rule.due == "next-deal":
        if not acted or number != asked.memory.last:
            return None
        says = f"played hand {number} without the post: it is due on the very next deal"
        return Terms("if-posts", why=(asked.why("missed.acted", says, number),))
    if acted:
        says = f"played hand {number} without the post: it may be made on a later deal"
        return Terms("yes", why=(asked.why("missed.acted", says, number),))
    lacking = f"whether the player had acted on hand {number} before the post was missed"
    return Terms("open", why=(Ground(lacking, asked.policy.clauses("missed.acted"), "record", number),))
