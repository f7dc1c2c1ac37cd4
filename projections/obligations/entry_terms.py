"""New players: on what terms they are dealt in, and what they post."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from ledger.vocabulary import Chips, Seat, Witness
from projections.obligations.debt_inputs import DebtInputs, Zone
from projections.obligations.dues import Deal, DuePost, Ground, WayIn
from projections.obligations.rule_table import ANY_FACT, Rule, RuleTable
from projections.obligations.stakes import find_entry_point
from projections.obligations.tab import Tab
from projections.sentences import entry as entry_sentences
from projections.sentences import unknowns
from projections.sentences.debts import between_button_and_blind, first_hand

_MAX_NEWCOMERS = 2  # who join a running game on one hand; if there are more, a new game may begin
_POSSIBLE_TRANSFERS = frozenset({"unknown", "must-move", "table-balance"})


class Terms(NamedTuple):
    """On what terms a seat is dealt in. If `deal` is "open", the first reason is the missing fact."""

    deal: Deal
    post: tuple[DuePost, ...] = ()
    ways_in: tuple[WayIn, ...] = ()
    reasons: tuple[Ground, ...] = ()
    possible_posts: tuple[DuePost, ...] = ()  # as `SeatDue.possible_posts`

    def with_reason(self, reason: Ground) -> Terms:
        """Return the same terms with one more reason: first, but after the missing fact of open terms."""
        reasons = (*self.reasons, reason) if self.deal == "open" else (reason, *self.reasons)
        return self._replace(reasons=reasons)


class _Fee(NamedTuple):
    """What coming in costs: whether the seat must post, and how much, or None if that's nothing or unknown."""

    deal: Deal
    amount: Chips | None
    reasons: tuple[Ground, ...]


def build_big_blind_way(inputs: DebtInputs, seat: Seat, *reasons: Ground) -> WayIn:
    """Return the way of coming in on the big blind, which costs no post."""
    return WayIn(
        "big-blind",
        is_on_this_hand=inputs.has_big_blind(seat),
        hands_to_wait=inputs.count_hands_until_big(seat),
        grounds=reasons,
    )


class NewcomerEntry(NamedTuple):
    """Whether a new player is dealt in, and which rule decides it."""

    deal: Deal
    source: Literal["big blind", "first hand", "zone", "unknown zone", "free", "post"]


_POST_POINTS: Final = ("entry.post.limit_low", "entry.post.limit_high", "entry.post.big_bet", "entry.post.lowball")
ENTRIES: Final = RuleTable(
    "A new player wants cards. May the dealer deal the seat in?",
    {
        "has the big blind now": (True, False),
        "the game may begin with this hand": (True, False),
        "lies between button and big blind": ("out", "in", "unknown", "either"),
        "comes in for": ("nothing", "a post", "a post or nothing"),
    },
    (
        Rule(
            (True, ANY_FACT, ANY_FACT, ANY_FACT),
            NewcomerEntry("yes", "big blind"),
            "Yes: the big blind in turn lets the player in.",
            _POST_POINTS,
        ),
        Rule(
            (ANY_FACT, True, ANY_FACT, ANY_FACT),
            NewcomerEntry("open", "first hand"),
            "Open: if the game begins with this hand, nobody is new.",
            ("entry.new_game",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, "in", ANY_FACT),
            NewcomerEntry("no", "zone"),
            "No, not until the button has passed.",
            ("entry.zone",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, "unknown", ANY_FACT),
            NewcomerEntry("open", "unknown zone"),
            "Open: where the button and the big blind were isn't known.",
            ("entry.zone",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, "either", ANY_FACT),
            NewcomerEntry("open", "unknown zone"),
            "Open: the book's methods put the button in different seats.",
            ("entry.zone",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, "out", "nothing"),
            NewcomerEntry("yes", "free"),
            "Yes, without a post.",
            (*_POST_POINTS, "entry.new_game", "entry.transfer"),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, "out", "a post"),
            NewcomerEntry("if-posts", "post"),
            "Only with the post.",
            _POST_POINTS,
        ),
        Rule(
            (ANY_FACT, ANY_FACT, "out", "a post or nothing"),
            NewcomerEntry("open", "post"),
            "Open: the record or the book doesn't say whether this player posts.",
            (*_POST_POINTS, "entry.stake_boundary", "entry.transfer", "entry.playing_over"),
        ),
    ),
)
_PRICE_WORDS: Final[dict[Deal, str]] = {"yes": "nothing", "if-posts": "a post", "open": "a post or nothing"}


def assess_newcomer(inputs: DebtInputs, seat: Seat, tab: Tab) -> Terms:
    """Return on what terms a new player is dealt in."""
    fee = _find_fee(inputs, seat, tab)
    big = build_big_blind_way(inputs, seat)
    may_begin = may_be_first_hand(inputs) and tab.origin != "playing-over"
    zone = _find_entry_zone(inputs, seat)
    entry = ENTRIES.decide(big.is_on_this_hand, may_begin, zone, _PRICE_WORDS[fee.deal])
    newcomer_reason = Ground(
        entry_sentences.not_dealt_in_yet(seat), (), "record", tab.arrived_after, tab.arrival_version
    )
    zone_reason = inputs.build_book_reason("entry.zone", between_button_and_blind(seat))
    reasons = (*fee.reasons, newcomer_reason) if fee.deal == "open" else (newcomer_reason, *fee.reasons)
    posts = () if fee.deal == "yes" else (DuePost(seat, "entry", fee.amount, 0, fee.reasons),)
    match entry.source:
        case "big blind":
            return Terms(entry.deal, (), (big,), reasons)
        case "first hand":
            missing_fact = Ground(unknowns.game_begins_here(), inputs.policy.clauses("entry.new_game"), "record")
            return Terms(entry.deal, (), (big,), (missing_fact, newcomer_reason))
        case "zone":
            price = fee.amount if posts else 0
            hands = inputs.count_hands_until_passed(seat)
            passing_way = WayIn(
                "button-passes", is_on_this_hand=False, hands_to_wait=hands, live=price, grounds=(zone_reason,)
            )
            # A seat in the zone is barred in a new game as well, so whether the game is new needn't be assumed.
            is_first_recorded_hand = inputs.player_tabs.spot is None
            fee_reasons = tuple(reason for reason in fee.reasons if is_first_recorded_hand or reason.basis != "assumed")
            return Terms(entry.deal, (), (big, passing_way), (newcomer_reason, zone_reason, *fee_reasons))
        case "unknown zone":
            sentence = unknowns.method_in_force()
            if zone == "unknown":
                sentence = unknowns.positions_with(seat) if inputs.has_collision else unknowns.button_and_blind()
            missing_fact = Ground(sentence, zone_reason.clauses, "record")
            return Terms(entry.deal, posts, (big,), (missing_fact, *reasons))
        case "free":
            return Terms(
                entry.deal,
                (),
                (WayIn("free", is_on_this_hand=True, hands_to_wait=0, grounds=fee.reasons), big),
                reasons,
            )
        case "post":
            post_way = WayIn("post", is_on_this_hand=True, hands_to_wait=0, live=fee.amount, grounds=fee.reasons)
            return Terms(entry.deal, posts, (post_way, big), reasons)


def _find_entry_zone(inputs: DebtInputs, seat: Seat) -> Zone:
    """Return where a newcomer's seat lies relative to the zone that the book bars; "out" if it bars none."""
    if inputs.policy.value("entry.zone") != "barred":
        return "out"
    zone = inputs.find_zone(seat)
    if inputs.has_collision and zone == "in":
        return "unknown"  # positions collide: no book says which seats lie between button and big blind
    return zone


def may_be_first_hand(inputs: DebtInputs) -> bool:
    """Whether the first recorded hand looks like a new game: newcomers have button or small blind, or there are many."""
    hand, player_tabs = inputs.hand, inputs.player_tabs
    if (
        hand is None
        or player_tabs.spot is not None
        or player_tabs.game.is_recorded
        or not player_tabs.game.has_arrivals
    ):
        return False
    small_blind_seats = [post.seat for post in hand.posts if post.role == "small"]
    new_seats = [
        dealt_player.seat
        for dealt_player in hand.dealt_in
        if player_tabs.find_tab(dealt_player.player).is_arrival_recorded
    ]
    return len(new_seats) > _MAX_NEWCOMERS or any(seat in new_seats for seat in (hand.button, *small_blind_seats))


def _find_fee(inputs: DebtInputs, seat: Seat, tab: Tab) -> _Fee:
    """Return what a new player posts to be dealt in outside the blinds."""
    free_terms = _find_free_entry(inputs, seat, tab)
    if free_terms is not None:
        return free_terms
    point = find_entry_point(inputs.policy, inputs.stakes)
    if not point:
        return _Fee(
            "open", None, (Ground(unknowns.size_of_game(), inputs.policy.clauses("entry.stake_boundary"), "record"),)
        )
    rule = inputs.policy.value(point)
    big = inputs.stakes.big
    if rule is None:
        return _Fee("open", big, (Ground(unknowns.silent_on("new players"), (), "fallback"),))
    if rule == "nothing":
        return _Fee("yes", None, (inputs.build_book_reason(point, entry_sentences.posts_nothing()),))
    other_grounds = _list_other_grounds(inputs, tab)
    if rule == "per-game":
        return _find_game_fee(inputs, point, other_grounds)
    amount, sentence = big, entry_sentences.posts_big_blind()
    if rule == "twice-big":
        multiple = inputs.policy.value("entry.lowball_multiple") or 2
        amount = None if big is None else int(big * multiple)
        sentence = entry_sentences.posts_twice_in_lowball()
    reasons = (inputs.build_book_reason(point, sentence), *other_grounds)
    may_be_transferred = inputs.policy.get("entry.transfer") is not None and tab.origin in _POSSIBLE_TRANSFERS
    if may_be_transferred:
        missing_fact = unknowns.origin_of_newcomer(seat)
        return _Fee("open", amount, (Ground(missing_fact, inputs.policy.clauses("entry.transfer"), "record"), *reasons))
    if _is_game_taken_as_old(inputs) and tab.origin != "playing-over":
        reasons += (Ground(entry_sentences.game_taken_as_old(), inputs.policy.clauses("entry.new_game"), "assumed"),)
    return _Fee("if-posts", amount, reasons)


def _is_game_taken_as_old(inputs: DebtInputs) -> bool:
    """Whether the record leaves open if the game is new, so that newcomers might come in free."""
    game = inputs.player_tabs.game
    if game.is_recorded:
        return False
    is_first_round_free = inputs.policy.value("entry.new_game") == "free-first-revolution"
    may_be_new_game = not game.first_hand or (is_first_round_free and not game.has_revolved)
    is_start_unknown = game.has_arrivals or game.is_start_lost or not inputs.is_witnessed(Witness.GAME_STARTS)
    return may_be_new_game and is_start_unknown


def _find_free_entry(inputs: DebtInputs, seat: Seat, tab: Tab) -> _Fee | None:
    """Return the fee of a player whom a rule exempts from a new player's post, or may exempt, or None if none applies."""
    policy, game = inputs.policy, inputs.player_tabs.game
    if tab.transferred and policy.get("entry.transfer") is not None:
        sentence = entry_sentences.moved_by_house()
        return _Fee(
            "yes", None, (inputs.build_book_reason("entry.transfer", sentence, tab.arrived_after, tab.arrival_version),)
        )
    if tab.origin == "playing-over" and policy.get("entry.playing_over") is None:
        return _Fee("open", None, (Ground(unknowns.silent_on("playing over"), (), "fallback"),))
    if not game.is_recorded:
        return None
    if not game.first_hand:
        return _Fee("yes", None, (inputs.build_book_reason("entry.new_game", first_hand()),))
    if policy.value("entry.new_game") == "free-first-revolution" and not game.has_revolved:
        blind_passed = game.has_blind_passed(seat)
        if blind_passed is None:
            missing_fact = unknowns.blinds_since_start()
            return _Fee("open", inputs.stakes.big, (Ground(missing_fact, policy.clauses("entry.new_game"), "record"),))
        if not blind_passed:
            sentence = entry_sentences.no_blind_passed(seat, game.first_hand)
            return _Fee("yes", None, (inputs.build_book_reason("entry.new_game", sentence, game.first_hand),))
    return None


def _list_other_grounds(inputs: DebtInputs, tab: Tab) -> tuple[Ground, ...]:
    """Return further reasons for a new player's post."""
    grounds: list[Ground] = []
    policy, game = inputs.policy, inputs.player_tabs.game
    if tab.origin == "playing-over":
        grounds.append(
            inputs.build_book_reason(
                "entry.playing_over", entry_sentences.plays_over(), tab.arrived_after, tab.arrival_version
            )
        )
    if game.is_recorded and policy.get("entry.new_game") is not None:
        sentence = entry_sentences.game_began(game.first_hand)
        grounds.append(inputs.build_book_reason("entry.new_game", sentence, game.first_hand))
    if policy.value("entry.let_button_pass") == "owes-big-blind":
        sentence = entry_sentences.may_let_button_pass()
        grounds.append(inputs.build_book_reason("entry.let_button_pass", sentence))
    return tuple(grounds)


def _find_game_fee(inputs: DebtInputs, point: str, other_grounds: tuple[Ground, ...]) -> _Fee:
    """Return what a new player posts if the book leaves it to the game: the house option `entry-post-required`."""
    option = inputs.stakes.options.get("entry-post-required")
    if option is None:
        missing_fact = unknowns.game_asks_post()
        return _Fee(
            "open", inputs.stakes.big, (Ground(missing_fact, inputs.policy.clauses(point), "record"), *other_grounds)
        )
    if not option:
        return _Fee("yes", None, (inputs.build_book_reason(point, entry_sentences.game_asks_nothing()),))
    sentence = entry_sentences.game_asks_post()
    return _Fee("if-posts", inputs.stakes.big, (inputs.build_book_reason(point, sentence), *other_grounds))
