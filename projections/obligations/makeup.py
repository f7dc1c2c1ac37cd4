"""Players who missed blinds: what they make up, from where, and their other ways back."""

from __future__ import annotations

from ledger.vocabulary import Seat
from projections.obligations.asked import Asked
from projections.obligations.due import DuePost, Ground, Missed, Way
from projections.obligations.entry import Terms, big_blind_way
from projections.obligations.stakes import Cost, make_up
from projections.obligations.tab import Tab
from projections.policy import Acted


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
    cost = _cost(asked, tab, missed)
    if tab.short_big:
        why += (asked.why("blinds.short_below_half", "what makes good a short blind is not said"),)
    ways: list[Way] = [big, *_straddle(asked, seat), *_buy(asked, seat)]
    zone = _zone(asked, seat)
    if zone == "in":
        point = _zone_point(asked)
        barred = asked.why(point, f"seat {seat} lies between the button and the big blind")
        ways.append(Way("button-passes", now=False, hands=asked.until_passed(seat),
                        live=cost.live, dead=cost.dead, why=(barred,)))  # fmt: skip
        if any(way.now for way in ways):
            return Terms("if-posts", (), tuple(ways), (*why, barred, *cost.why))
        return Terms("no", (), tuple(ways), (*why, barred, *cost.why))
    posts = (DuePost(seat, "makeup", cost.live, cost.dead, cost.why),)
    ways.insert(0, Way("post", now=True, hands=0, live=cost.live, dead=cost.dead, why=cost.why))
    if zone != "out":
        lacking = "where button and big blind were" if zone == "unknown" else "which method holds"
        return Terms("open", posts, tuple(ways), (Ground(lacking, (), "record"), *why))
    late = _played_owing(asked, tab)
    if late is not None and late.deal != "if-posts":
        return late._replace(ways=tuple(ways), why=(*late.why, *why, *cost.why))
    if late is not None:
        why = (*late.why, *why)
    return Terms("if-posts", posts, tuple(ways), (*why, *cost.why))


def _cost(asked: Asked, tab: Tab, missed: tuple[Missed, ...]) -> Cost:
    if not missed:
        given = Ground("a missed-blind marker lies there; which blinds went past is not on record",
                       (), "record", version=tab.marked)  # fmt: skip
        return Cost(None, None, (given,))
    cost = make_up(asked.policy, asked.stakes, frozenset(one.role for one in missed))
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
    return [Way("straddle", now=now, hands=0 if now else None,
                live=size if isinstance(size, int) else None, why=(why,))]  # fmt: skip


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
    return Terms(
        "open", why=(Ground(lacking, asked.policy.clauses("missed.acted"), "record", number),)
    )
