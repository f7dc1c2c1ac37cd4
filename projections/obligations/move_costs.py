"""What a seat change costs under a book: a post, hands to sit out, or nothing."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from ledger.vocabulary import Seat
from projections.obligations.debt_inputs import DebtInputs
from projections.obligations.dues import Deal, DuePost, Ground, WayIn
from projections.obligations.entry_terms import Terms, build_big_blind_way
from projections.obligations.moves import Move, has_free_pass
from projections.obligations.policy import FreePass
from projections.obligations.rule_table import ANY_FACT, Rule, RuleTable
from projections.obligations.stakes import LOWBALL, is_high_stakes
from projections.obligations.tab import Tab
from projections.sentences import seat_changes as seat_change_sentences
from projections.sentences import unknowns

_FREE_WAY: Final = WayIn("free", is_on_this_hand=True, hands_to_wait=0)


class MoveTerms(NamedTuple):
    """Which rule has the terms of a player who changed seats, and whether the player is dealt in."""

    source: Literal[
        "big blind", "free pass", "sat out", "closer", "new game", "far from the small blind", "far", "wait", "silence"
    ]
    deal: Deal = "yes"  # unless another table decides it


MOVES: Final = RuleTable(
    "A player who owes nothing changed seats. May the dealer deal the seat in?",
    {
        "has the big blind now": (True, False),
        "the blinds may pass once": ("no", "yes", "until the button has passed", "until when isn't said"),
        "the new seat is": ("farther from the blinds", "earned by hands sat out", "closer", "closer, book silent"),
        "no blind has passed it in a new game": (True, False),
        "the book's rule": ("small-blind-if-far", "big-blind-if-far", "wait-as-gained", "silent"),
    },
    (
        Rule(
            (True, ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT),
            MoveTerms("big blind"),
            "Yes: the big blind in turn settles the move.",
            ("seat_change.away",),
        ),
        Rule(
            (ANY_FACT, "yes", ANY_FACT, ANY_FACT, ANY_FACT),
            MoveTerms("free pass"),
            "Yes: the blinds may pass the player once.",
            ("seat_change.free_pass",),
        ),
        Rule(
            (ANY_FACT, "until the button has passed", ANY_FACT, ANY_FACT, ANY_FACT),
            MoveTerms("free pass", "no"),
            "No: the blinds passed free of charge, so the player comes back in behind the button.",
            ("seat_change.free_pass",),
        ),
        Rule(
            (ANY_FACT, "until when isn't said", ANY_FACT, ANY_FACT, ANY_FACT),
            MoveTerms("free pass", "open"),
            "Open: the blinds passed free of charge, and the book doesn't say when the player comes back in.",
            ("seat_change.free_pass",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, "earned by hands sat out", ANY_FACT, ANY_FACT),
            MoveTerms("sat out"),
            "Yes: the player sat out as many hands as the move gained.",
            ("seat_change.away",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, "closer", ANY_FACT, ANY_FACT),
            MoveTerms("closer"),
            "Yes: moving closer to the blinds is free.",
            ("seat_change.closer",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, "farther from the blinds", True, ANY_FACT),
            MoveTerms("new game"),
            "Yes: in a new game, seats are free until a blind has passed them.",
            ("seat_change.new_game",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, "small-blind-if-far"),
            MoveTerms("far from the small blind"),
            'Yes, or only with the small blind: see "Moving past several players".',
            ("seat_change.after_big_blind",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, "big-blind-if-far"),
            MoveTerms("far"),
            'Yes, or only with the big blind: see "Moving past several players".',
            ("seat_change.away",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, "wait-as-gained"),
            MoveTerms("wait", "if-posts"),
            "Only with a post, or after as many hands as the move gained.",
            ("seat_change.away", "seat_change.lowball"),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, "silent"),
            MoveTerms("silence", "open"),
            "The book is silent. The floor decides.",
            ("seat_change.away",),
        ),
    ),
)


class FarMove(NamedTuple):
    """Whether a player who moved past several players is dealt in, and which rule decides it."""

    deal: Deal
    source: Literal["count", "lower limits", "unknown limits", "two moves", "post"]


FAR_MOVES: Final = RuleTable(
    "A player moved away from the blinds, past other players. Does the move cost a post?",
    {
        "passed as many players as make a move far": ("no", "yes", "perhaps"),
        "the game has the higher limits": (True, False, "unknown"),
    },
    (
        Rule(
            ("no", ANY_FACT),
            FarMove("yes", "count"),
            "No: the move is too short.",
            ("seat_change.players_passed", "seat_change.away"),
        ),
        Rule(
            (ANY_FACT, "unknown"),
            FarMove("open", "unknown limits"),
            "Open: the size of the game isn't known.",
            ("entry.stake_boundary",),
        ),
        Rule(
            (ANY_FACT, False),
            FarMove("yes", "lower limits"),
            "No: at lower limits the move is free.",
            ("entry.stake_boundary", "seat_change.away"),
        ),
        Rule(
            ("perhaps", True),
            FarMove("open", "two moves"),
            "Open: the book doesn't say whether two moves count as one.",
            ("seat_change.players_passed",),
        ),
        Rule(
            ("yes", True),
            FarMove("if-posts", "post"),
            "Yes: the big blind, or after the big blind, the small blind.",
            ("seat_change.away", "seat_change.after_big_blind"),
        ),
    ),
)


def assess_move(inputs: DebtInputs, seat: Seat, tab: Tab, move: Move) -> Terms:
    """Return on what terms a player who owes nothing is dealt in after changing seats."""
    move_reason = Ground(
        seat_change_sentences.moved(move.new_seat, move.old_seat), (), "record", move.hand, move.version
    )
    if move.missing_fact:
        return Terms("open", (), (), (Ground(move.missing_fact, (), "record"), move_reason))
    readings_terms = [_find_terms_after(inputs, seat, tab, reading, move_reason) for reading in move.readings]
    posts_asked = [(terms.deal, [(post.live, post.dead) for post in terms.post]) for terms in readings_terms]
    if posts_asked[0] != posts_asked[-1]:
        missing_fact = Ground(unknowns.passed_absent_player(), (), "record")
        return readings_terms[0]._replace(deal="open", post=(), reasons=(missing_fact, move_reason))
    return readings_terms[0]


def _find_terms_after(inputs: DebtInputs, seat: Seat, tab: Tab, move: Move, move_reason: Ground) -> Terms:
    """Return the terms after a move whose length is known."""
    big_blind_way = build_big_blind_way(inputs, seat)
    terms = MOVES.decide(
        big_blind_way.is_on_this_hand,
        _find_free_pass(inputs, seat, move),
        _compare_distance(inputs, move),
        _is_free_in_new_game(inputs, move),
        _choose_move_rule(inputs, move),
    )
    match terms.source:
        case "big blind":
            return Terms(terms.deal, (), (big_blind_way,), (move_reason,))
        case "far from the small blind":
            return _find_terms_if_far(inputs, seat, move, move_reason, "seat_change.after_big_blind")
        case "far":
            return _find_terms_if_far(inputs, seat, move, move_reason, "seat_change.away")
        case "wait":
            return _find_terms_of_wait(inputs, seat, tab, move, move_reason)
        case "silence":
            silence = Ground(unknowns.silent_on("seat changes"), (), "fallback")
            return Terms(terms.deal, (), (), (silence, move_reason))
        case "free pass":
            reason = inputs.build_book_reason(
                "seat_change.free_pass", seat_change_sentences.blinds_may_pass(move.leaving), move.hand, move.version
            )
        case "sat out":
            reason = inputs.build_book_reason("seat_change.away", seat_change_sentences.sat_out(move.waited), move.hand)
        case "closer":
            reason = inputs.build_book_reason("seat_change.closer", seat_change_sentences.no_further(), move.hand)
        case "new game":
            first_hand = inputs.player_tabs.game.first_hand
            reason = inputs.build_book_reason(
                "seat_change.new_game", seat_change_sentences.no_blind_passed(move.new_seat), first_hand
            )
    if terms.deal == "yes":
        return Terms(terms.deal, (), (_FREE_WAY,), (reason, move_reason))
    passing_way = WayIn(
        "button-passes", is_on_this_hand=False, hands_to_wait=inputs.count_hands_until_passed(seat), grounds=(reason,)
    )
    return Terms(terms.deal, (), (passing_way, big_blind_way), (reason, move_reason))


def _find_free_pass(inputs: DebtInputs, seat: Seat, move: Move) -> str:
    """Return the fact of `MOVES` that says if the blinds may pass the player once, and how long the player then waits."""
    if not has_free_pass(inputs.policy, move):
        return "no"
    if not move.granted or inputs.find_zone(seat) == "out":
        return "yes"
    rule: FreePass = inputs.policy.value("seat_change.free_pass")
    return "until the button has passed" if rule.behind_button else "until when isn't said"


def _compare_distance(inputs: DebtInputs, move: Move) -> str:
    """Compare the new seat's distance from the blinds with the old one's, as a fact of `MOVES`."""
    waits_as_gained = inputs.policy.value("seat_change.away") == "wait-as-gained"
    distance = move.hands_left if waits_as_gained else max(change.passed_count for change in move.changes)
    if distance > 0:
        return "farther from the blinds"
    if move.waited and move.gained > 0:
        return "earned by hands sat out"
    return "closer" if inputs.policy.clauses("seat_change.closer") else "closer, book silent"


def _is_free_in_new_game(inputs: DebtInputs, move: Move) -> bool:
    """Whether the move is free because the game is new and no blind has passed the new seat."""
    game = inputs.player_tabs.game
    if inputs.policy.value("seat_change.new_game") != "free-until-blind-passed" or not game.is_recorded:
        return False
    return game.has_blind_passed(move.new_seat) is False


def _choose_move_rule(inputs: DebtInputs, move: Move) -> str:
    """Return the book's rule for a move away from the blinds."""
    after_big_blind = inputs.policy.value("seat_change.after_big_blind")
    if move.follows_big_blind and after_big_blind == "small-blind-if-far":
        return str(after_big_blind)
    return str(inputs.policy.value("seat_change.away") or "silent")


def _find_terms_if_far(inputs: DebtInputs, seat: Seat, move: Move, move_reason: Ground, point: str) -> Terms:
    """Return the terms under a book that charges for a move past several players at higher limits.

    A second change is added to the first, even if hands were sat out in between. The book doesn't say whether two
    changes count as one if each is too short, or whether moving back undoes the first: then the terms are open.
    """
    is_small_blind_point = point == "seat_change.after_big_blind"
    passed_counts = [
        change.passed_beyond if is_small_blind_point and change.leaving == "big" else change.passed_count
        for change in move.changes
    ]
    total_passed = max(sum(passed_counts), 0)
    is_high = is_high_stakes(inputs.policy, inputs.stakes)
    far_move = FAR_MOVES.decide(_is_far(inputs, passed_counts, total_passed), "unknown" if is_high is None else is_high)
    count_reason = inputs.build_book_reason(
        point, seat_change_sentences.passed_players(total_passed), move.hand, move.version
    )
    match far_move.source:
        case "count":
            return Terms(far_move.deal, (), (_FREE_WAY,), (count_reason, move_reason))
        case "lower limits":
            low_limit_reason = inputs.build_book_reason(point, seat_change_sentences.free_at_lower_limits())
            return Terms(far_move.deal, (), (_FREE_WAY,), (low_limit_reason, move_reason))
        case "unknown limits":
            missing_fact = Ground(unknowns.size_of_game(), count_reason.clauses, "record")
            return Terms(far_move.deal, (), (), (missing_fact, move_reason))
        case "two moves":
            missing_fact = Ground(unknowns.two_moves_as_one(), count_reason.clauses)
            return Terms(far_move.deal, (), (), (missing_fact, count_reason, move_reason))
        case "post":
            amount = inputs.stakes.amount("small") if is_small_blind_point else inputs.stakes.big
            post = DuePost(seat, "makeup" if is_small_blind_point else "entry", amount, 0, (count_reason,))
            post_way = WayIn("post", is_on_this_hand=True, hands_to_wait=0, live=amount, grounds=(count_reason,))
            ways_in = (post_way, build_big_blind_way(inputs, seat))
            return Terms(far_move.deal, (post,), ways_in, (count_reason, move_reason))


def _is_far(inputs: DebtInputs, passed_counts: list[int], total_passed: int) -> str:
    """Return the fact of `FAR_MOVES` that says if one or two moves passed as many players as the book asks."""
    min_passed = inputs.policy.value("seat_change.players_passed") or 3
    if max(total_passed, *passed_counts) < min_passed:
        return "no"
    return "perhaps" if min(total_passed, max(passed_counts)) < min_passed else "yes"


def _find_terms_of_wait(inputs: DebtInputs, seat: Seat, tab: Tab, move: Move, move_reason: Ground) -> Terms:
    """Return the terms under a book that has a player wait as many hands as the move gained positions."""
    sentence = seat_change_sentences.waits_for_position(move.gained, move.hands_left)
    reason = inputs.build_book_reason("seat_change.away", sentence, move.hand, move.version)
    position = WayIn("position", is_on_this_hand=False, hands_to_wait=move.hands_left, grounds=(reason,))
    big_blind_way = build_big_blind_way(inputs, seat)
    if inputs.stakes.variant in LOWBALL and inputs.policy.get("seat_change.lowball") is not None:
        kill_reason = inputs.build_book_reason("seat_change.lowball", seat_change_sentences.kills_in_lowball())
        post = DuePost(seat, "kill", None, 0, (kill_reason,))
        options = (
            WayIn("kill", is_on_this_hand=True, hands_to_wait=0, live=None, grounds=(kill_reason,)),
            position,
            big_blind_way,
        )
        return Terms("if-posts", (post,), options, (reason, kill_reason, move_reason))
    if tab.missed:
        return Terms("no", (), (position, big_blind_way), (reason, move_reason))
    amount = inputs.stakes.big
    post = DuePost(seat, "entry", amount, 0, (reason,))
    options = (
        WayIn("post", is_on_this_hand=True, hands_to_wait=0, live=amount, grounds=(reason,)),
        position,
        big_blind_way,
    )
    return Terms("if-posts", (post,), options, (reason, move_reason))
