"""What a seat change costs under a book: a post, hands to wait, or nothing."""

from __future__ import annotations

from ledger.vocabulary import Seat
from projections.obligations.debt_inputs import DebtInputs
from projections.obligations.dues import DuePost, Ground, WayIn
from projections.obligations.entry_terms import Terms, build_big_blind_way
from projections.obligations.moves import Move, free_pass
from projections.obligations.stakes import LOWBALL, is_high_stakes
from projections.obligations.tab import Tab
from projections.sentences import seat_changes as reasons_for
from projections.sentences import unknowns


def assess_move(inputs: DebtInputs, seat: Seat, tab: Tab, move: Move) -> Terms:
    """Say on what terms a player who owes nothing is dealt in after changing seats."""
    move_reason = Ground(reasons_for.moved(move.new_seat, move.old_seat), (), "record", move.hand, move.version)
    if move.unsure:
        return Terms("open", (), (), (Ground(move.unsure, (), "record"), move_reason))
    readings_terms = [_find_terms_after(inputs, seat, tab, reading, move_reason) for reading in move.readings]
    posts_asked = [(terms.deal, [(post.live, post.dead) for post in terms.post]) for terms in readings_terms]
    if posts_asked[0] != posts_asked[-1]:
        missing_fact = unknowns.passed_absent_player()
        return readings_terms[0]._replace(
            deal="open", post=(), reasons=(Ground(missing_fact, (), "record"), move_reason)
        )
    return readings_terms[0]


def _find_terms_after(inputs: DebtInputs, seat: Seat, tab: Tab, move: Move, move_reason: Ground) -> Terms:
    big = build_big_blind_way(inputs, seat)
    if big.now:
        return Terms("yes", (), (big,), (move_reason,))
    free_terms = _find_free_terms(inputs, seat, move)
    if free_terms is not None:
        return free_terms._replace(reasons=(*free_terms.reasons, move_reason))
    if move.follows_big_blind and inputs.policy.value("seat_change.after_big_blind") == "small-blind-if-far":
        return _find_terms_if_far(inputs, seat, move, move_reason, "seat_change.after_big_blind")
    rule = inputs.policy.value("seat_change.away")
    if rule == "big-blind-if-far":
        return _find_terms_if_far(inputs, seat, move, move_reason, "seat_change.away")
    if rule == "wait-as-gained":
        return _find_terms_of_wait(inputs, seat, tab, move, move_reason)
    return Terms("open", (), (), (Ground(unknowns.silent_on("seat changes"), (), "fallback"), move_reason))


def _find_free_terms(inputs: DebtInputs, seat: Seat, move: Move) -> Terms | None:
    """Return the terms of a move that costs nothing, if this is one."""
    policy, game = inputs.policy, inputs.memory.game
    free_way = WayIn("free", now=True, hands=0)
    if free_pass(policy, move):
        sentence = reasons_for.blinds_may_pass(move.leaving)
        reason = inputs.book_reason("seat_change.free_pass", sentence, move.hand, move.version)
        if move.granted and inputs.find_zone(seat) != "out":
            may_pass_button = policy.value("seat_change.free_pass").behind_button
            return_way = WayIn("button-passes", now=False, hands=inputs.hands_until_passed(seat), why=(reason,))
            return Terms(
                "no" if may_pass_button else "open", (), (return_way, build_big_blind_way(inputs, seat)), (reason,)
            )
        return Terms("yes", (), (free_way,), (reason,))
    waits_as_gained = policy.value("seat_change.away") == "wait-as-gained"
    if (move.hands_left if waits_as_gained else max(change.passed_count for change in move.changes)) <= 0:
        closer_reason = inputs.book_reason("seat_change.closer", reasons_for.no_further(), move.hand)
        if move.waited and move.gained > 0:
            closer_reason = inputs.book_reason("seat_change.away", reasons_for.sat_out(move.waited), move.hand)
        elif not closer_reason.clauses:
            return None
        return Terms("yes", (), (free_way,), (closer_reason,))
    if policy.value("seat_change.new_game") == "free-until-blind-passed" and game.is_recorded:
        blind_passed = game.has_blind_passed(move.new_seat)
        if blind_passed is False:
            sentence = reasons_for.no_blind_passed(move.new_seat)
            return Terms(
                "yes", (), (free_way,), (inputs.book_reason("seat_change.new_game", sentence, game.first_hand),)
            )
    return None


def _find_terms_if_far(inputs: DebtInputs, seat: Seat, move: Move, move_reason: Ground, point: str) -> Terms:
    """Return the terms where a move past several players costs a post at higher limits.

    Hands that were sat out pay nothing: a second change is added to the first. The book does not
    say so of two that are too short each, nor whether going back undoes the first.
    """
    is_small_blind_point = point == "seat_change.after_big_blind"
    passed_counts = [
        change.passed_beyond if is_small_blind_point and change.leaving == "big" else change.passed_count
        for change in move.changes
    ]
    min_passed = inputs.policy.value("seat_change.players_passed") or 3
    is_high = is_high_stakes(inputs.policy, inputs.stakes)
    total_passed = max(sum(passed_counts), 0)
    count_reason = inputs.book_reason(point, reasons_for.passed_players(total_passed), move.hand, move.version)
    if max(total_passed, *passed_counts) < min_passed:
        return Terms("yes", (), (WayIn("free", now=True, hands=0),), (count_reason, move_reason))
    if is_high is None:
        missing_fact = unknowns.size_of_game()
        return Terms("open", (), (), (Ground(missing_fact, count_reason.clauses, "record"), move_reason))
    if not is_high:
        low_limit_reason = inputs.book_reason(point, reasons_for.free_at_lower_limits())
        return Terms("yes", (), (WayIn("free", now=True, hands=0),), (low_limit_reason, move_reason))
    if min(total_passed, max(passed_counts)) < min_passed:
        missing_fact = unknowns.two_moves_as_one()
        return Terms("open", (), (), (Ground(missing_fact, count_reason.clauses), count_reason, move_reason))
    amount = inputs.stakes.amount("small") if is_small_blind_point else inputs.stakes.big
    post = DuePost(seat, "makeup" if is_small_blind_point else "entry", amount, 0, (count_reason,))
    options = (WayIn("post", now=True, hands=0, live=amount, why=(count_reason,)), build_big_blind_way(inputs, seat))
    return Terms("if-posts", (post,), options, (count_reason, move_reason))


def _find_terms_of_wait(inputs: DebtInputs, seat: Seat, tab: Tab, move: Move, move_reason: Ground) -> Terms:
    """Return the terms where a move away waits as many hands as positions were gained."""
    sentence = reasons_for.waits_for_position(move.gained, move.hands_left)
    reason = inputs.book_reason("seat_change.away", sentence, move.hand, move.version)
    position = WayIn("position", now=False, hands=move.hands_left, why=(reason,))
    big = build_big_blind_way(inputs, seat)
    if inputs.stakes.variant in LOWBALL and inputs.policy.get("seat_change.lowball") is not None:
        kill_reason = inputs.book_reason("seat_change.lowball", reasons_for.kills_in_lowball())
        post = DuePost(seat, "kill", None, 0, (kill_reason,))
        options = (WayIn("kill", now=True, hands=0, live=None, why=(kill_reason,)), position, big)
        return Terms("if-posts", (post,), options, (reason, kill_reason, move_reason))
    if tab.missed:
        return Terms("no", (), (position, big), (reason, move_reason))
    amount = inputs.stakes.big
    post = DuePost(seat, "entry", amount, 0, (reason,))
    options = (WayIn("post", now=True, hands=0, live=amount, why=(reason,)), position, big)
    return Terms("if-posts", (post,), options, (reason, move_reason))
