"""Players who missed blinds: on what terms they are dealt in, and what they make up."""

from __future__ import annotations

from itertools import combinations
from typing import Final, NamedTuple

from ledger.vocabulary import Seat
from projections.obligations.debt_inputs import DebtInputs, Zone
from projections.obligations.dues import Deal, DuePost, Ground, Missed, WayIn
from projections.obligations.entry_terms import Terms, build_big_blind_way
from projections.obligations.policy import Acted
from projections.obligations.rule_table import ANY_FACT, Rule, RuleTable
from projections.obligations.stakes import ROLES, Cost, price_make_up
from projections.obligations.tab import Tab
from projections.sentences import debts as debt_sentences
from projections.sentences import unknowns

_PLAY_CHANGES_NOTHING: Final = Terms("no")
"""The player never played without the post, or that has no consequence on this hand."""


def list_owed_blinds(inputs: DebtInputs, tab: Tab) -> tuple[Missed, ...]:
    """Return the blinds that a player owes: those missed, and a big blind posted short."""
    missed = tuple(tab.missed)
    if tab.short_big:
        short_reason = tab.settlement or Ground(debt_sentences.posted_less_than_half(tab.seat), (), "record")
        reason = inputs.build_book_reason("blinds.short_below_half", short_reason.sentence, short_reason.hand)
        missed += (Missed("big", short_reason.hand, reason),)
    return missed


class ReturnOutcome(NamedTuple):
    """Whether a player who missed blinds is dealt in, and whether the post is possible, due and explained."""

    deal: Deal
    can_post: bool = False  # making up the blinds lets the player in now
    must_post: bool = False  # the post is due on this hand if the player is dealt in
    shows_cost: bool = True  # the reasons include what making up the blinds costs


_ZONE_POINTS: Final = ("missed.zone.limit", "missed.zone.big_bet")
RETURNS: Final = RuleTable(
    "A player who missed blinds wants cards. May the dealer deal the seat in?",
    {
        "the book speaks of missed blinds": (True, False),
        "has the big blind now": (True, False),
        "may owe nothing": (True, False),
        "lies between button and big blind": ("out", "in", "unknown", "either"),
        "another way in is open now": (True, False),
        # What follows: "no" = nothing, "if-posts" = the post is due now, "yes" = it may wait, "open" = unknown.
        "was dealt in without the post": ("no", "if-posts", "yes", "open"),
    },
    (
        Rule(
            (False, ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT),
            ReturnOutcome("open", shows_cost=False),
            "The book is silent. The floor decides.",
            ("missed.ways_back",),
        ),
        Rule(
            (ANY_FACT, True, ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT),
            ReturnOutcome("yes", shows_cost=False),
            "Yes: the big blind settles it.",
            ("missed.ways_back",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, True, ANY_FACT, ANY_FACT, ANY_FACT),
            ReturnOutcome("open", shows_cost=False),
            "Open: the record doesn't show whether a blind was missed.",
            ("missed.ways_back",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, "in", True, ANY_FACT),
            ReturnOutcome("if-posts"),
            "Only by the other way. The post waits until the button has passed.",
            (*_ZONE_POINTS, "straddle.clears_missed_blind", "button.buy"),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, "in", False, ANY_FACT),
            ReturnOutcome("no"),
            "No, not until the button has passed.",
            _ZONE_POINTS,
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, "unknown", ANY_FACT, ANY_FACT),
            ReturnOutcome("open", can_post=True, must_post=True, shows_cost=False),
            "Open: where the button and the big blind were isn't known.",
            _ZONE_POINTS,
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, "either", ANY_FACT, ANY_FACT),
            ReturnOutcome("open", can_post=True, must_post=True, shows_cost=False),
            "Open: the book's methods put the button in different seats.",
            _ZONE_POINTS,
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, "yes"),
            ReturnOutcome("yes", can_post=True),
            "Yes: the player acted, and may post on a later deal.",
            ("missed.acted",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, "open"),
            ReturnOutcome("open", can_post=True),
            "Open: whether the player acted isn't recorded.",
            ("missed.acted",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, "if-posts"),
            ReturnOutcome("if-posts", can_post=True, must_post=True),
            "Only with the post: it is due on the very next deal.",
            ("missed.acted", "missed.ways_back"),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, "no"),
            ReturnOutcome("if-posts", can_post=True, must_post=True),
            "Only with the post.",
            ("missed.ways_back", "missed.both.limit", "missed.both.big_bet", "missed.small_only", "missed.big_only"),
        ),
    ),
)


def assess_return(inputs: DebtInputs, seat: Seat, tab: Tab, missed: tuple[Missed, ...]) -> Terms:
    """Return on what terms a player who owes blinds is dealt in."""
    ruling = inputs.policy.get("missed.ways_back")
    missed_reasons = tuple(missed_blind.ground for missed_blind in missed)
    if ruling is None:
        silence = Ground(unknowns.silent_on("missed blinds"), (), "fallback")
        return Terms(RETURNS.decide(False, False, False, "out", False, "no").deal, reasons=(silence, *missed_reasons))
    return_reason = inputs.build_book_reason("missed.ways_back", debt_sentences.way_back(ruling.says))
    big = build_big_blind_way(inputs, seat, return_reason)
    possible_costs = _list_costs(inputs, tab, missed)
    other_ways = (big, *_list_straddle_ways(inputs, seat), *_list_buy_ways(inputs, seat))
    zone = _find_barred_zone(inputs, seat)
    terms_after_play = _find_terms_after_play(inputs, tab)
    may_owe_nothing = not missed and tab.marker_version is None and len(possible_costs) > 1
    outcome = RETURNS.decide(
        True,
        big.is_on_this_hand,
        may_owe_nothing,
        zone,
        any(way_in.is_on_this_hand for way_in in other_ways),
        terms_after_play.deal,
    )
    reasons = (*missed_reasons, return_reason)
    if big.is_on_this_hand:
        return Terms(outcome.deal, ways_in=(big,), reasons=reasons)
    cost = possible_costs[0] if len(possible_costs) == 1 else _build_open_cost(tab, possible_costs)
    reasons = _explain_debt(inputs, seat, tab, possible_costs, cost, reasons)
    bar_reason = _build_bar_reason(inputs, seat) if zone == "in" else None
    if bar_reason is not None:
        reasons = (*reasons, bar_reason)
    elif outcome.can_post:
        reasons = (*_explain_post(zone, terms_after_play), *reasons)
    # A post that may wait isn't due on this hand, whatever its sum.
    may_wait = outcome.can_post and not outcome.must_post
    return Terms(
        outcome.deal,
        post=(DuePost(seat, "makeup", cost.live, cost.dead, cost.reasons),) if outcome.must_post else (),
        ways_in=_add_make_up_way(inputs, seat, other_ways, cost, bar_reason, can_post=outcome.can_post),
        reasons=(*reasons, *cost.reasons) if outcome.shows_cost else reasons,
        possible_posts=() if may_wait else _list_possible_posts(seat, possible_costs),
    )


def _add_make_up_way(
    inputs: DebtInputs,
    seat: Seat,
    other_ways: tuple[WayIn, ...],
    cost: Cost,
    bar_reason: Ground | None,
    *,
    can_post: bool,
) -> tuple[WayIn, ...]:
    """Return all ways in: the others, and making up the blinds now or, if it's barred here, after the button passed."""
    if bar_reason is not None:
        way_after_button = WayIn(
            "button-passes",
            is_on_this_hand=False,
            hands_to_wait=inputs.count_hands_until_passed(seat),
            live=cost.live,
            dead=cost.dead,
            grounds=(bar_reason,),
        )
        return (*other_ways, way_after_button)
    if not can_post:
        return other_ways
    post_now = WayIn(
        "post", is_on_this_hand=True, hands_to_wait=0, live=cost.live, dead=cost.dead, grounds=cost.reasons
    )
    return (post_now, *other_ways)


def _explain_post(zone: Zone, terms_after_play: Terms) -> tuple[Ground, ...]:
    """Return what play without the post changes or, if the zone is open, which missing fact leaves it open."""
    if zone == "out":
        return terms_after_play.reasons
    missing_fact = unknowns.button_and_blind() if zone == "unknown" else unknowns.method_in_force()
    return (Ground(missing_fact, (), "record"),)


def _explain_debt(
    inputs: DebtInputs, seat: Seat, tab: Tab, possible_costs: list[Cost], cost: Cost, reasons: tuple[Ground, ...]
) -> tuple[Ground, ...]:
    """Return the reasons, extended by what is known about the debt itself."""
    if len(possible_costs) > 1:
        reasons = (cost.reasons[0], *reasons)
    if tab.marker_version is not None and len(possible_costs) == 1:
        reasons += (Ground(debt_sentences.marker_for_blinds(seat), (), "record", version=tab.marker_version),)
    if tab.short_big:
        reasons += (inputs.build_book_reason("blinds.short_below_half", debt_sentences.short_blind_unsettled()),)
    return reasons


def _build_bar_reason(inputs: DebtInputs, seat: Seat) -> Ground:
    """Return why blinds may not be made up at this seat."""
    barred = inputs.build_book_reason(_choose_zone_point(inputs), debt_sentences.between_button_and_blind(seat))
    if inputs.has_collision:
        return Ground(debt_sentences.button_has_not_passed(seat), barred.clauses, "assumed")
    return barred


def _list_possible_posts(seat: Seat, possible_costs: list[Cost]) -> tuple[DuePost, ...]:
    """Return the posts that may be due, if the record leaves open which one is; () = it doesn't."""
    if len(possible_costs) < 2:
        return ()
    return tuple(DuePost(seat, "makeup", cost.live, cost.dead, cost.reasons) for cost in possible_costs)


def _list_costs(inputs: DebtInputs, tab: Tab, missed: tuple[Missed, ...]) -> list[Cost]:
    """Return each sum that making up may cost: several if the record leaves open which blinds passed."""
    missed_roles = frozenset(missed_blind.role for missed_blind in missed)
    unknown = frozenset(ROLES) if tab.marker_version is not None and not missed_roles else tab.maybe_missed
    doubtful_roles = sorted((unknown & frozenset(inputs.stakes.roles)) - missed_roles)
    possible_costs: list[Cost] = []
    for extra_count in range(len(doubtful_roles) + 1):
        for extra_roles in combinations(doubtful_roles, extra_count):
            roles = missed_roles.union(extra_roles)
            if not roles and tab.marker_version is not None:
                continue  # the marker shows that some blind went past
            possible_cost = (
                _compute_cost(inputs, tab, roles)
                if roles
                else Cost(0, 0, (Ground(debt_sentences.nothing_missed(tab.seat), (), "record"),))
            )
            if all(
                (possible_cost.live, possible_cost.dead) != (known_cost.live, known_cost.dead)
                for known_cost in possible_costs
            ):
                possible_costs.append(possible_cost)
    return possible_costs


def _build_open_cost(tab: Tab, possible_costs: list[Cost]) -> Cost:
    """Return the unknown cost, with the reasons of each possible one."""
    is_marked = tab.marker_version is not None
    sentence = unknowns.missed_blinds_of_marker(tab.seat) if is_marked else unknowns.missed_blinds_of(tab.seat)
    reason = Ground(sentence, (), "record", version=tab.marker_version)
    return Cost(
        None, None, (reason, *(possible_cost.reasons[0] for possible_cost in possible_costs if possible_cost.reasons))
    )


def _compute_cost(inputs: DebtInputs, tab: Tab, roles: frozenset[str]) -> Cost:
    cost = price_make_up(inputs.policy, inputs.stakes, roles)
    if tab.short_big:  # the book doesn't say how a short blind is made good: the sum is shown, not judged
        return cost._replace(reasons=(*cost.reasons, Ground(debt_sentences.short_blind_as_missed(), (), "fallback")))
    return cost


def _choose_zone_point(inputs: DebtInputs) -> str:
    return "missed.zone.limit" if inputs.stakes.is_limit else "missed.zone.big_bet"


def _find_barred_zone(inputs: DebtInputs, seat: Seat) -> Zone:
    """Return where a seat lies relative to the zone in which the book bars making up blinds.

    As `inputs.find_zone`, but "out" if the book has no such zone, and "unknown" for "in" if it's silent about one.
    """
    can_post_anywhere = inputs.policy.value(_choose_zone_point(inputs))
    if can_post_anywhere is True:
        return "out"
    zone = inputs.find_zone(seat)
    return "unknown" if can_post_anywhere is None and zone != "out" else zone


def _list_straddle_ways(inputs: DebtInputs, seat: Seat) -> list[WayIn]:
    if "straddle" not in inputs.policy.value("missed.ways_back"):
        return []
    if inputs.policy.value("straddle.clears_missed_blind") is False:
        return []
    if inputs.stakes.options.get("straddle-allowed") == 0:
        return []
    size = inputs.stakes.options.get("straddle-amount")
    can_straddle = inputs.can_straddle(seat)
    reason = inputs.build_book_reason("straddle.clears_missed_blind", debt_sentences.straddle_settles())
    return [
        WayIn(
            "straddle",
            is_on_this_hand=can_straddle,
            hands_to_wait=0 if can_straddle else None,
            live=size if isinstance(size, int) else None,
            grounds=(reason,),
        )
    ]


def _list_buy_ways(inputs: DebtInputs, seat: Seat) -> list[WayIn]:
    """Return the way of buying the button, which is only open between button and big blind."""
    if not inputs.policy.value("button.buy") or inputs.find_zone(seat) != "in":
        return []
    reason = inputs.build_book_reason("button.buy", debt_sentences.button_for_sale())
    return [WayIn("buy-button", is_on_this_hand=True, hands_to_wait=0, live=None, dead=None, grounds=(reason,))]


def _find_terms_after_play(inputs: DebtInputs, tab: Tab) -> Terms:
    """Return what follows for this hand from having been dealt in without the post."""
    rule: Acted | None = inputs.policy.value("missed.acted")
    if not tab.played_owing or rule is None:
        return _PLAY_CHANGES_NOTHING
    number, acted = tab.played_owing[-1]
    if rule.due == "next-deal":
        if not acted or number != inputs.player_tabs.last_number:
            return _PLAY_CHANGES_NOTHING
        sentence = debt_sentences.post_due_next_deal(tab.seat, number)
        return Terms("if-posts", reasons=(inputs.build_book_reason("missed.acted", sentence, number),))
    if acted:
        sentence = debt_sentences.post_due_later(tab.seat, number)
        return Terms("yes", reasons=(inputs.build_book_reason("missed.acted", sentence, number),))
    missing_fact = unknowns.acted_before_post(number)
    return Terms("open", reasons=(Ground(missing_fact, inputs.policy.clauses("missed.acted"), "record", number),))
