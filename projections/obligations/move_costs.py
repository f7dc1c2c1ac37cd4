"""What a seat change costs under a book: a post, hands to wait, or nothing."""

from __future__ import annotations

from ledger.vocabulary import Seat
from projections.obligations.debt_inputs import Asked
from projections.obligations.dues import DuePost, Ground, Way
from projections.obligations.entry_terms import Terms, big_blind_way
from projections.obligations.moves import Move, free_pass
from projections.obligations.stakes import LOWBALL, high_stakes
from projections.obligations.tab import Tab


def after_move(asked: Asked, seat: Seat, tab: Tab, move: Move) -> Terms:
    """Say on what terms a player who owes nothing is dealt in after changing seats."""
    went = Ground(f"moved from seat {move.start} to seat {move.to}", (), "record", move.hand, move.version)
    if move.unsure:
        return Terms("open", (), (), (Ground(move.unsure, (), "record"), went))
    found = [_after(asked, seat, tab, one, went) for one in move.readings]
    asked_of = [(one.deal, [(post.live, post.dead) for post in one.post]) for one in found]
    if asked_of[0] != asked_of[-1]:
        lacking = "whether a player who got no cards was there to be moved past"
        return found[0]._replace(deal="open", post=(), why=(Ground(lacking, (), "record"), went))
    return found[0]


def _after(asked: Asked, seat: Seat, tab: Tab, move: Move, went: Ground) -> Terms:
    big = big_blind_way(asked, seat)
    if big.now:
        return Terms("yes", (), (big,), (went,))
    free = _free(asked, seat, move)
    if free is not None:
        return free._replace(why=(*free.why, went))
    if move.after_big and asked.policy.value("seat_change.after_big_blind") == "small-blind-if-far":
        return _if_far(asked, seat, move, went, "seat_change.after_big_blind")
    rule = asked.policy.value("seat_change.away")
    if rule == "big-blind-if-far":
        return _if_far(asked, seat, move, went, "seat_change.away")
    if rule == "wait-as-gained":
        return _wait(asked, seat, tab, move, went)
    return Terms("open", (), (), (went, Ground("the book does not speak of seat changes", (), "fallback")))


def _free(asked: Asked, seat: Seat, move: Move) -> Terms | None:
    """Return the terms of a move that costs nothing, if this is one."""
    policy, game = asked.policy, asked.memory.game
    now = Way("free", now=True, hands=0)
    if free_pass(policy, move):
        says = f"left the {move.leaving} position: the blinds may go past once, free of charge"
        why = asked.why("seat_change.free_pass", says, move.hand, move.version)
        if move.granted and asked.zone(seat) != "out":
            behind = policy.value("seat_change.free_pass").behind_button
            back = Way("button-passes", now=False, hands=asked.until_passed(seat), why=(why,))
            return Terms("no" if behind else "open", (), (back, big_blind_way(asked, seat)), (why,))
        return Terms("yes", (), (now,), (why,))
    waits = policy.value("seat_change.away") == "wait-as-gained"
    if (move.left if waits else max(one.own for one in move.changes)) <= 0:
        closer = asked.why("seat_change.closer", "no further from the big blind than before", move.hand)
        if move.waited and move.gained > 0:
            closer = asked.why("seat_change.away", f"has sat out {move.waited} hands since", move.hand)
        elif not closer.clauses:
            return None
        return Terms("yes", (), (now,), (closer,))
    if policy.value("seat_change.new_game") == "free-until-blind-passed" and game.told:
        passed = game.passed(move.to)
        if passed is False:
            says = f"no blind has passed seat {move.to} since the game began"
            return Terms("yes", (), (now,), (asked.why("seat_change.new_game", says, game.begun),))
    return None


def _if_far(asked: Asked, seat: Seat, move: Move, went: Ground, point: str) -> Terms:
    """Return the terms where a move past several players costs a post at higher limits.

    Hands that were sat out pay nothing: a second change is added to the first. The book does not
    say so of two that are too short each, nor whether going back undoes the first.
    """
    small = point == "seat_change.after_big_blind"
    passed = [one.beyond if small and one.leaving == "big" else one.own for one in move.changes]
    most = asked.policy.value("seat_change.players_passed") or 3
    high = high_stakes(asked.policy, asked.stakes)
    together = max(sum(passed), 0)
    counted = asked.why(point, f"moved past {together} players", move.hand, move.version)
    if max(together, *passed) < most:
        return Terms("yes", (), (Way("free", now=True, hands=0),), (counted, went))
    if high is None:
        lacking = "the size of the game: its bets and blinds are not told"
        return Terms("open", (), (), (Ground(lacking, counted.clauses, "record"), went))
    if not high:
        low = asked.why(point, "at lower limits a seat change costs nothing")
        return Terms("yes", (), (Way("free", now=True, hands=0),), (low, went))
    if min(together, max(passed)) < most:
        lacking = "whether two seat changes without a hand between them count as one"
        return Terms("open", (), (), (Ground(lacking, counted.clauses), counted, went))
    amount = asked.stakes.amount("small") if small else asked.stakes.big
    post = DuePost(seat, "makeup" if small else "entry", amount, 0, (counted,))
    ways = (Way("post", now=True, hands=0, live=amount, why=(counted,)), big_blind_way(asked, seat))
    return Terms("if-posts", (post,), ways, (counted, went))


def _wait(asked: Asked, seat: Seat, tab: Tab, move: Move, went: Ground) -> Terms:
    """Return the terms where a move away waits as many hands as positions were gained."""
    says = f"gained {move.gained} positions: waits {move.left} more hands for the same place"
    why = asked.why("seat_change.away", says, move.hand, move.version)
    position = Way("position", now=False, hands=move.left, why=(why,))
    big = big_blind_way(asked, seat)
    if asked.stakes.variant in LOWBALL and asked.policy.get("seat_change.lowball") is not None:
        kill = asked.why("seat_change.lowball", "in lowball: kills the pot, or waits")
        post = DuePost(seat, "kill", None, 0, (kill,))
        ways = (Way("kill", now=True, hands=0, live=None, why=(kill,)), position, big)
        return Terms("if-posts", (post,), ways, (why, kill, went))
    if tab.missed:
        return Terms("no", (), (position, big), (why, went))
    amount = asked.stakes.big
    post = DuePost(seat, "entry", amount, 0, (why,))
    ways = (Way("post", now=True, hands=0, live=amount, why=(why,)), position, big)
    return Terms("if-posts", (post,), ways, (why, went))
