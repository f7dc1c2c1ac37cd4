"""The stakes of a hand, as debts need them: blinds, opening bet, limits; and what making up blinds costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final, Literal, NamedTuple

from ledger.hand.variants import VARIANTS
from ledger.table.events import HandPlayed
from ledger.table.state import TableState
from ledger.vocabulary import Chips, Witness, shown_decimals
from projections.amount_text import amount
from projections.obligations.dues import Ground
from projections.obligations.policy import FALLBACKS, MakeUp, Policy
from projections.sentences import debts as debt_sentences
from projections.sentences.words import live_and_dead, missed_blinds_name

Blind = Literal["small", "big", "extra"]
ROLES: Final[tuple[Blind, ...]] = ("small", "big", "extra")
"""The blinds clockwise from the button. The last one of a game is the largest, and reaches a seat first."""

LOWBALL: Final = frozenset(
    name for name, variant in VARIANTS.items() if variant.high is None and variant.streets[0].name == "preflop"
) | {"badeucey", "badacey"}
"""Lowball games with blinds."""

BLINDLESS: Final = frozenset(name for name, variant in VARIANTS.items() if variant.streets[0].name == "third")
"""Stud games: a bring-in opens the betting, and there are no blinds."""

_OPTIONS: Final = int(Witness.HOUSE_OPTIONS)


class Stakes(NamedTuple):
    """The stakes of a hand. Amounts are in the table's smallest unit, or None if they aren't recorded."""

    blinds: tuple[Chips, ...]  # smallest first; () = not recorded
    is_limit: bool  # limit or spread; False = pot-limit or no-limit
    lower: Chips | None  # the lower bet of a limit game; else the big blind
    opening: Chips | None  # the smallest opening bet, or the bring-in
    is_opening_stated: bool  # False: assumed from the bets, as no house option states it
    exponent: int
    variant: str
    format: str
    options: Mapping[str, int | str]
    unit: str = ""

    @property
    def roles(self) -> tuple[Blind, ...]:
        """The game's blinds clockwise from the button; small and big if they aren't recorded."""
        return ROLES[: len(self.blinds)] if len(self.blinds) > 1 else ROLES[:2]

    @property
    def largest_role(self) -> Blind:
        """The game's largest blind, which is the last one clockwise; books mean it by the big blind."""
        return self.roles[-1]

    @property
    def big(self) -> Chips | None:
        """The amount of the largest blind."""
        return self.blinds[-1] if self.blinds else None

    def amount(self, role: str) -> Chips | None:
        """Return the amount of a blind, or None if it isn't recorded or the game doesn't have that blind."""
        if len(self.blinds) == 1:
            return self.blinds[0] if role == "big" else None
        index = ROLES.index(role)
        return self.blinds[index] if index < len(self.blinds) else None

    def total(self, roles: Iterable[str]) -> Chips | None:
        """Return the sum of these blinds, or None if one of them isn't recorded."""
        chips = 0
        for role in roles:
            amount = self.amount(role)
            if amount is None:
                return None
            chips += amount
        return chips


def read_stakes(state: TableState, hand: HandPlayed | None) -> Stakes:
    """Return the stakes of `hand`, or of the coming hand if it's None."""
    options: dict[str, int | str] = {str(key): value for key, value in state.options.items()}
    if hand is not None:
        options.update(hand.options)
        blinds, bets, betting = hand.blinds or state.blinds, hand.bets or state.bets, hand.betting
        game = hand if hand.unit else state
        unit, exponent = game.unit, game.exponent
        variant, game_format, witnesses = hand.variant or state.variant, hand.format, hand.witnesses
    else:
        blinds, bets, unit, exponent = state.blinds, state.bets, state.unit, state.exponent
        betting, variant, game_format = state.betting or "no-limit", state.variant, state.format
        witnesses = state.witnesses
    is_limit = betting in ("limit", "spread")
    big = blinds[-1] if blinds else None
    stated_opening = _read_chips_option(options, "minimum-open") or _read_chips_option(options, "bring-in")
    lower = bets[0] if is_limit and bets else big
    return Stakes(
        blinds=tuple(sorted(blinds)),
        is_limit=is_limit,
        lower=lower,
        opening=stated_opening or lower,
        is_opening_stated=stated_opening is not None or bool(witnesses & _OPTIONS),
        exponent=exponent,
        variant=variant,
        format=game_format,
        options=options,
        unit=unit,
    )


def _read_chips_option(options: Mapping[str, int | str], name: str) -> Chips | None:
    value = options.get(name)
    return value if isinstance(value, int) else None


def is_high_stakes(policy: Policy, stakes: Stakes) -> bool | None:
    """Whether the game is at or above the book's boundary of stakes, or None if that's unknown.

    Without a boundary, every game counts as one at higher stakes.
    """
    boundary = policy.value("entry.stake_boundary")
    if boundary is None:
        return True
    if stakes.lower is None:
        return None
    return bool(stakes.lower >= boundary * 10 ** shown_decimals(stakes.exponent))


def find_entry_point(policy: Policy, stakes: Stakes) -> str:
    """Return the policy point that decides what a new player posts in this game, or "" if that's unknown."""
    if stakes.variant in LOWBALL and policy.get("entry.post.lowball"):
        return "entry.post.lowball"
    if not stakes.is_limit:
        return "entry.post.big_bet"
    is_high = is_high_stakes(policy, stakes)
    if is_high is None:
        return ""
    return "entry.post.limit_high" if is_high else "entry.post.limit_low"


class Cost(NamedTuple):
    """What making up blinds costs. An amount is None if it's unknown."""

    live: Chips | None
    dead: Chips | None
    reasons: tuple[Ground, ...]


def price_make_up(policy: Policy, stakes: Stakes, roles: frozenset[str]) -> Cost:
    """Return what it costs to make up these blinds."""
    point, rule, basis = _find_make_up_rule(policy, stakes, roles)
    clauses = policy.clauses(point)
    role_names = missed_blinds_name(sorted(roles))
    if rule is None:
        sentence = debt_sentences.no_price_in_book(role_names, len(stakes.blinds))
        return Cost(None, None, (Ground(sentence, clauses, "fallback"),))
    total = _compute_total(rule, stakes, roles)
    live_cap = _find_live_cap(rule, stakes)
    if total is None or live_cap is None:
        return Cost(None, None, (Ground(debt_sentences.blinds_unrecorded(), clauses, "record"),))
    live = min(total, live_cap)
    format_chips = partial(amount, unit=stakes.unit, exponent=stakes.exponent)
    price = live_and_dead(format_chips(live), format_chips(total - live) if total > live else "")
    sentence = debt_sentences.cost_of_missed(role_names, price)
    reasons = [Ground(sentence, clauses, basis)]
    if total > live and rule.live != "big" and not stakes.is_opening_stated:
        reasons.append(Ground(debt_sentences.opening_bet_assumed(format_chips(live_cap)), (), "assumed"))
    return Cost(live, total - live, tuple(reasons))


def _find_make_up_rule(
    policy: Policy, stakes: Stakes, roles: frozenset[str]
) -> tuple[str, MakeUp | None, Literal["book", "fallback"]]:
    """Return the policy point for the missed blinds, its rule or None without an amount, and the rule's basis."""
    if len(roles) == len(stakes.roles):
        point = "missed.both.limit" if stakes.is_limit else "missed.both.big_bet"
    elif roles == {"small"}:
        point = "missed.small_only"
    else:
        point = "missed.big_only"
    rule: MakeUp | None = policy.value(point)
    if rule is not None and rule.option and stakes.options.get(rule.option):
        rule = MakeUp(rule.option_total or rule.total, rule.option_live or rule.live)
    if rule is None or "unstated" in (rule.total, rule.live):
        fallback = FALLBACKS.get(point)
        return point, fallback.value if fallback else None, "fallback"
    if len(stakes.blinds) > 2 and rule.live == "big" and rule.total != "big":
        return point, None, "fallback"  # the book says "small dead, big live", but nothing about a third blind
    return point, rule, "book"


def _compute_total(rule: MakeUp, stakes: Stakes, roles: frozenset[str]) -> Chips | None:
    all_blinds = sum(stakes.blinds) if stakes.blinds else None
    if rule.total in ("sum", "all-blinds"):
        return all_blinds
    if rule.total == "missed":
        return stakes.total(roles)
    if rule.total == "big":
        return stakes.big
    if all_blinds is None or stakes.opening is None:
        return None
    return min(all_blinds, stakes.opening)


def _find_live_cap(rule: MakeUp, stakes: Stakes) -> Chips | None:
    if rule.live == "big":
        return stakes.big
    if rule.live == "all":
        return sum(stakes.blinds) if stakes.blinds else None
    return stakes.opening
