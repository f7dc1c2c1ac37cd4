"""New players: what they post to come in, where they may not, who comes in free."""

from __future__ import annotations

from typing import NamedTuple

from ledger.vocabulary import Chips, Seat, Witness
from projections.obligations.debt_inputs import Asked
from projections.obligations.dues import Deal, DuePost, Ground, Way
from projections.obligations.stakes import size_point
from projections.obligations.tab import Tab

_MANY = 2  # newcomers who sit down at once in a game that goes on
_PERHAPS_MOVED = frozenset({"unknown", "must-move", "table-balance"})


class Terms(NamedTuple):
    """On what terms a seat is dealt in. Where they are open, the first reason is what is missing."""

    deal: Deal
    post: tuple[DuePost, ...] = ()
    ways: tuple[Way, ...] = ()
    why: tuple[Ground, ...] = ()
    either: tuple[DuePost, ...] = ()  # as `SeatDue.either`

    def because(self, why: Ground) -> Terms:
        """Return the same terms with one reason more."""
        reasons = (*self.why, why) if self.deal == "open" else (why, *self.why)
        return self._replace(why=reasons)


class _Fee(NamedTuple):
    """What coming in costs: whether the seat must post, and how much (None: nothing, or untold)."""

    deal: Deal
    amount: Chips | None
    why: tuple[Ground, ...]


def big_blind_way(asked: Asked, seat: Seat, *why: Ground) -> Way:
    """Return the way of waiting for the big blind; on it nothing else is posted."""
    return Way("big-blind", now=asked.is_big(seat), hands=asked.until_big(seat), why=why)


def enter(asked: Asked, seat: Seat, tab: Tab) -> Terms:
    """Say on what terms a new player is dealt in."""
    fee = _fee(asked, seat, tab)
    came = Ground(f"the player of seat {seat} has not been dealt in here yet", (), "record", tab.came, tab.version)
    why = (*fee.why, came) if fee.deal == "open" else (came, *fee.why)
    big = big_blind_way(asked, seat)
    if big.now:
        return Terms("yes", (), (big,), why)
    if perhaps_first(asked) and tab.origin != "playing-over":
        lacking = "whether the game begins with this hand: who sat down before it has its button or small blind, or several did"
        ground = Ground(lacking, asked.policy.clauses("entry.new_game"), "record")
        return Terms("open", (), (big,), (ground, came))
    role = asked.why("entry.zone", f"seat {seat} lies between the button and the big blind")
    zone = asked.zone(seat) if asked.policy.value("entry.zone") == "barred" else "out"
    if asked.folded and zone == "in":
        zone = "unknown"  # how the others lie, no text says: a newcomer is let in as they see fit
    posts: tuple[DuePost, ...] = ()
    if fee.deal != "yes":
        posts = (DuePost(seat, "entry", fee.amount, 0, fee.why),)
    if zone == "in":
        hands = asked.until_passed(seat)
        passes = Way("button-passes", now=False, hands=hands, live=fee.amount if posts else 0, why=(role,))
        why = tuple(g for g in fee.why if asked.memory.spot is None or g.basis != "assumed")
        return Terms("no", (), (big, passes), (came, role, *why))  # in a new game, too
    if zone != "out":
        lacking = "where button and big blind were" if zone == "unknown" else "which method holds"
        return Terms("open", posts, (big,), (Ground(lacking, role.clauses, "record"), *why))
    if not posts:
        return Terms(fee.deal, (), (Way("free", now=True, hands=0, why=fee.why), big), why)
    now = Way("post", now=True, hands=0, live=fee.amount, why=fee.why)
    return Terms(fee.deal, posts, (now, big), why)


def perhaps_first(asked: Asked) -> bool:
    """Whether newcomers have the button or the small blind of the first hand on record, or are many in it."""
    hand, memory = asked.hand, asked.memory
    if hand is None or memory.spot is not None or memory.game.told or not memory.game.sat:
        return False
    small = [post.seat for post in hand.posts if post.role == "small"]
    new = [one.seat for one in hand.dealt_in if memory.of(one.player).came_told]
    return len(new) > _MANY or any(seat in new for seat in (hand.button, *small))


def _fee(asked: Asked, seat: Seat, tab: Tab) -> _Fee:
    """Say what a new player posts out of the blinds."""
    free = _free(asked, seat, tab)
    if free is not None:
        return free
    point = size_point(asked.policy, asked.stakes)
    if not point:
        return _Fee(
            "open",
            None,
            (
                Ground(
                    "the size of the game: its bets and blinds are not told",
                    asked.policy.clauses("entry.stake_boundary"),
                    "record",
                ),
            ),
        )
    rule = asked.policy.value(point)
    big = asked.stakes.big
    if rule is None:
        return _Fee("open", big, (Ground("the book does not say what a new player posts", (), "fallback"),))
    if rule == "nothing":
        return _Fee("yes", None, (asked.why(point, "a new player posts nothing in this game"),))
    extra = _about(asked, tab)
    if rule == "per-game":
        return _per_game(asked, point, extra)
    amount, says = big, "a new player posts the big blind, live, or waits for it"
    if rule == "twice-big":
        multiple = asked.policy.value("entry.lowball_multiple") or 2
        amount = None if big is None else int(big * multiple)
        says = "in lowball a new player posts twice the big blind, or waits for it"
    why = (asked.why(point, says), *extra)
    perhaps = asked.policy.get("entry.transfer") is not None and tab.origin in _PERHAPS_MOVED
    if perhaps:
        lacking = (
            f"where the player of seat {seat} came from: "
            "moved by the house from a broken or changed game, nothing is posted"
        )
        return _Fee("open", amount, (Ground(lacking, asked.policy.clauses("entry.transfer"), "record"), *why))
    free = asked.policy.value("entry.new_game") == "free-first-revolution"
    game = asked.memory.game
    begins = not game.begun or (free and not game.revolved)
    untold = game.sat or game.lost or not asked.witnesses(Witness.GAME_STARTS)
    if begins and untold and not game.told and tab.origin != "playing-over":
        why += (
            Ground(
                "the game is taken to be no new one: its beginning is not on record",
                asked.policy.clauses("entry.new_game"),
                "assumed",
            ),
        )
    return _Fee("if-posts", amount, why)


def _free(asked: Asked, seat: Seat, tab: Tab) -> _Fee | None:
    """Return the terms of who is let in otherwise than a new player, if the seat is such a one."""
    policy, game = asked.policy, asked.memory.game
    if tab.transferred and policy.get("entry.transfer") is not None:
        says = "moved by the house from a broken or changed game: posts nothing before the big blind"
        return _Fee("yes", None, (asked.why("entry.transfer", says, tab.came, tab.version),))
    if tab.origin == "playing-over" and policy.get("entry.playing_over") is None:
        return _Fee("open", None, (Ground("the book does not speak of playing over", (), "fallback"),))
    if not game.told:
        return None
    if not game.begun:
        return _Fee("yes", None, (asked.why("entry.new_game", "the first hand of the game"),))
    if policy.value("entry.new_game") == "free-first-revolution" and not game.revolved:
        passed = game.passed(seat)
        if passed is None:
            lacking = "where the blinds have been since the game began"
            return _Fee("open", asked.stakes.big, (Ground(lacking, policy.clauses("entry.new_game"), "record"),))
        if not passed:
            says = f"the button has not gone round since hand {game.begun}, and no blind has passed seat {seat}"
            return _Fee("yes", None, (asked.why("entry.new_game", says, game.begun),))
    return None


def _about(asked: Asked, tab: Tab) -> tuple[Ground, ...]:
    """Return what else bears on a new player."""
    found: list[Ground] = []
    policy, game = asked.policy, asked.memory.game
    if tab.origin == "playing-over":
        found.append(asked.why("entry.playing_over", "who plays over is a new player", tab.came, tab.version))
    if game.told and policy.get("entry.new_game") is not None:
        says = f"the game began with hand {game.begun}; who was not in it then comes in"
        found.append(asked.why("entry.new_game", says, game.begun))
    if policy.value("entry.let_button_pass") == "owes-big-blind":
        says = "a newcomer who lets the button pass has missed no blind"
        found.append(asked.why("entry.let_button_pass", says))
    return tuple(found)


def _per_game(asked: Asked, point: str, extra: tuple[Ground, ...]) -> _Fee:
    option = asked.stakes.options.get("entry-post-required")
    if option is None:
        lacking = "whether the game asks new players for a post"
        return _Fee("open", asked.stakes.big, (Ground(lacking, asked.policy.clauses(point), "record"), *extra))
    if not option:
        return _Fee("yes", None, (asked.why(point, "the game asks new players for no post"),))
    says = "the game asks a new player to post the big blind, or to wait for it"
    return _Fee("if-posts", asked.stakes.big, (asked.why(point, says), *extra))
