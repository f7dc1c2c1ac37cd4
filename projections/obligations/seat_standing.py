"""The standing of a player who is at the table, and on what terms the seat is dealt in."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.vocabulary import Seat
from projections.obligations.debt_inputs import DebtInputs
from projections.obligations.dues import Deal, Ground, Missed, SeatStatus
from projections.obligations.entry_terms import Terms, assess_newcomer
from projections.obligations.move_costs import assess_move
from projections.obligations.return_terms import assess_return, list_owed_blinds
from projections.obligations.rule_table import ANY_FACT, Rule, RuleTable
from projections.obligations.tab import Tab
from projections.sentences import debts as debt_sentences
from projections.sentences import unknowns

TermsSource: TypeAlias = Literal[
    "first hand", "missing fact", "purchase", "newcomer", "return", "went broke", "seat change", "nothing owed"
]
"""The rule that the terms come from."""


class StandingRule(NamedTuple):
    """A player's standing, and the rule that the terms come from."""

    status: SeatStatus
    source: TermsSource
    deal: Deal = "yes"  # where no other table decides it


STANDINGS: Final = RuleTable(
    "A player is there. May the dealer deal the seat in?",
    {
        "the game begins with this hand": (True, False),
        "a fact is missing": ("no", "yes", "yes, but the seat has the big blind"),
        "bought the button": ("no", "yes", "yes, and the book is silent"),
        "blinds to make up": ("none", "missed", "one posted short", "a marker for some", "perhaps some"),
        "lost the last chip before they passed": (True, False),
        "has been in the game": (True, False),
        "changed seats": (True, False),
    },
    (
        Rule(
            (True, ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT),
            StandingRule("playing", "first hand"),
            "Yes: nobody owes anything on the first hand.",
            ("entry.new_game",),
        ),
        Rule(
            (ANY_FACT, "yes, but the seat has the big blind", ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT),
            StandingRule("unknown", "missing fact"),
            "Yes: the big blind settles whatever is owed.",
            ("missed.ways_back",),
        ),
        Rule(
            (ANY_FACT, "yes", ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT),
            StandingRule("unknown", "missing fact", "open"),
            "Open: a fact is missing, such as whether the player sat out or left.",
            ("missed.ways_back",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, "yes", "missed", ANY_FACT, ANY_FACT, ANY_FACT),
            StandingRule("owing", "purchase"),
            "Yes: buying the button settles the missed blinds.",
            ("button.buy",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, "yes", ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT),
            StandingRule("playing", "purchase"),
            "Yes: the player bought the button.",
            ("button.buy",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, "yes, and the book is silent", "missed", ANY_FACT, ANY_FACT, ANY_FACT),
            StandingRule("owing", "purchase", "open"),
            "Open: the book says nothing about buying the button, so it doesn't say what the purchase settles.",
            ("button.buy",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, "yes, and the book is silent", ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT),
            StandingRule("playing", "purchase", "open"),
            "Open: the book says nothing about buying the button.",
            ("button.buy",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, "missed", True, ANY_FACT, ANY_FACT),
            StandingRule("owing", "went broke"),
            'The player went broke meanwhile: see "Coming back after going broke".',
            ("entry.bust_reentry",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, "missed", False, ANY_FACT, ANY_FACT),
            StandingRule("owing", "return"),
            'See "Coming back after missed blinds".',
            ("missed.ways_back",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, ANY_FACT, False, ANY_FACT),
            StandingRule("new", "newcomer"),
            'See "A new player".',
            ("entry.post.limit_low", "entry.post.limit_high", "entry.post.big_bet", "entry.post.lowball"),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, "one posted short", True, ANY_FACT, ANY_FACT),
            StandingRule("owing", "went broke"),
            'The player went broke meanwhile: see "Coming back after going broke".',
            ("entry.bust_reentry", "blinds.short_below_half"),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, "one posted short", False, ANY_FACT, ANY_FACT),
            StandingRule("owing", "return"),
            'As if the big blind had been missed: see "Coming back after missed blinds".',
            ("blinds.short_below_half", "missed.ways_back"),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, "a marker for some", ANY_FACT, ANY_FACT, ANY_FACT),
            StandingRule("owing", "return"),
            'The marker shows missed blinds: see "Coming back after missed blinds".',
            ("missed.marker", "missed.ways_back"),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, "perhaps some", ANY_FACT, ANY_FACT, ANY_FACT),
            StandingRule("unknown", "return"),
            'Blinds may be missed: see "Coming back after missed blinds".',
            ("missed.ways_back",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, "none", ANY_FACT, True, True),
            StandingRule("waiting", "seat change"),
            'See "Changing seats".',
            ("seat_change.away", "seat_change.closer", "seat_change.after_big_blind"),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT, "none", ANY_FACT, True, False),
            StandingRule("playing", "nothing owed"),
            "Yes: the player owes nothing.",
            ("missed.ways_back",),
        ),
    ),
)


class BustReturn(NamedTuple):
    """The standing of a player who went broke, and the rule that the terms come from."""

    status: SeatStatus
    source: Literal["silence", "newcomer", "missing fact", "presence", "return"]


BUST_RETURNS: Final = RuleTable(
    "A player lost the last chip, blinds went past, and now the player has chips again. Is the player dealt in?",
    {
        "the book's rule": ("silent", "new-once-big-blind-missed", "owes-missed", "as-absent"),
        "missed the big blind": (True, False),
        "was away when the first blind passed": (True, False, "unknown"),
    },
    (
        Rule(
            ("silent", ANY_FACT, ANY_FACT),
            BustReturn("owing", "silence"),
            "The book is silent. The floor decides.",
            ("entry.bust_reentry",),
        ),
        Rule(
            ("new-once-big-blind-missed", True, ANY_FACT),
            BustReturn("new", "newcomer"),
            'The big blind went past: see "A new player".',
            ("entry.bust_reentry",),
        ),
        Rule(
            ("as-absent", ANY_FACT, "unknown"),
            BustReturn("unknown", "missing fact"),
            "Open: the record doesn't show whether the player was away.",
            ("entry.bust_reentry",),
        ),
        Rule(
            ("as-absent", ANY_FACT, False),
            BustReturn("playing", "presence"),
            "Yes: the player stayed at the table, so no blind was missed.",
            ("entry.bust_reentry",),
        ),
        Rule(
            (ANY_FACT, ANY_FACT, ANY_FACT),
            BustReturn("owing", "return"),
            'See "Coming back after missed blinds".',
            ("entry.bust_reentry", "missed.ways_back"),
        ),
    ),
)


def assess_standing(inputs: DebtInputs, seat: Seat, tab: Tab, is_first_hand: bool) -> tuple[SeatStatus, Terms]:
    """Return the standing of a player who is at the table, and on what terms the seat is dealt in."""
    missed_blinds = list_owed_blinds(inputs, tab)
    standing = STANDINGS.decide(
        is_first_hand,
        _find_missing_fact(inputs, seat, tab),
        _find_purchase(inputs, tab),
        _name_owed_blinds(tab, missed_blinds),
        bool(tab.broke_hand),
        tab.entered,
        tab.move is not None,
    )
    match standing.source:
        case "newcomer":
            terms = assess_newcomer(inputs, seat, tab)
        case "went broke":
            return _assess_after_bust(inputs, seat, tab, missed_blinds)
        case "return":
            terms = assess_return(inputs, seat, tab, missed_blinds)
        case "seat change":
            assert tab.move is not None  # noqa: S101 - the row asks for it
            terms = assess_move(inputs, seat, tab, tab.move)
            return "playing" if terms.deal == "yes" else standing.status, terms
        case _:
            terms = Terms(standing.deal, reasons=_explain_standing(inputs, seat, tab, standing.source))
    return standing.status, terms


def _find_missing_fact(inputs: DebtInputs, seat: Seat, tab: Tab) -> str:
    """Return whether a fact about the player is missing, as a fact of `STANDINGS`."""
    if not tab.missing_fact:
        return "no"
    return "yes, but the seat has the big blind" if inputs.has_big_blind(seat) else "yes"


def _find_purchase(inputs: DebtInputs, tab: Tab) -> str:
    """Return whether the player bought the button, as a fact of `STANDINGS`."""
    if not tab.open_purchase_hand:
        return "no"
    return "yes" if inputs.policy.clauses("button.buy") else "yes, and the book is silent"


def _name_owed_blinds(tab: Tab, missed_blinds: tuple[Missed, ...]) -> str:
    """Return what is known about the blinds to make up, as a fact of `STANDINGS`: the surest first."""
    if tab.missed:
        return "missed"
    if missed_blinds:
        return "one posted short"
    if tab.marker_version is not None:
        return "a marker for some"
    return "perhaps some" if tab.maybe_missed else "none"


def _explain_standing(inputs: DebtInputs, seat: Seat, tab: Tab, source: TermsSource) -> tuple[Ground, ...]:
    """Return why a seat is dealt in, or which fact is missing, if no other rule gives reasons."""
    if source == "first hand":
        return (Ground(debt_sentences.first_hand(), (), "record"),)
    if source == "missing fact":
        return (Ground(tab.missing_fact, (), "record"),)
    if source == "purchase":
        return (
            inputs.build_book_reason(
                "button.buy", debt_sentences.bought_button_after(seat, tab.open_purchase_hand), tab.open_purchase_hand
            ),
        )
    return () if tab.settlement is None else (tab.settlement,)


def _assess_after_bust(
    inputs: DebtInputs, seat: Seat, tab: Tab, missed_blinds: tuple[Missed, ...]
) -> tuple[SeatStatus, Terms]:
    """Return the standing and terms of a player who had no chips when blinds went past, and has chips now."""
    has_missed_big = any(missed_blind.role == inputs.stakes.largest_role for missed_blind in missed_blinds)
    was_away = "unknown" if tab.missed_while_away is None else tab.missed_while_away
    outcome = BUST_RETURNS.decide(inputs.policy.value("entry.bust_reentry") or "silent", has_missed_big, was_away)
    reason = inputs.build_book_reason(
        "entry.bust_reentry", debt_sentences.went_broke(seat, tab.broke_hand), tab.broke_hand
    )
    match outcome.source:
        case "silence":
            terms = Terms("open", reasons=(Ground(unknowns.silent_on("players who went broke"), (), "fallback"),))
        case "newcomer":
            terms = _assess_bust_newcomer(inputs, seat, tab, reason).with_reason(reason)
        case "missing fact":
            terms = Terms("open", reasons=(Ground(unknowns.away_or_present(), reason.clauses, "record"), reason))
        case "presence":
            present_reason = Ground(debt_sentences.present_while_broke(seat), reason.clauses, "book")
            terms = Terms("yes", reasons=(present_reason, reason))
        case "return":
            terms = assess_return(inputs, seat, tab, missed_blinds).with_reason(reason)
    return outcome.status, terms


def _assess_bust_newcomer(inputs: DebtInputs, seat: Seat, tab: Tab, reason: Ground) -> Terms:
    """Return a new player's terms for a player who went broke.

    If they only ask the player to let the button pass, the terms are open: the book doesn't say whether that applies.
    """
    terms = assess_newcomer(inputs, seat, Tab(seat, origin="walk-in", arrived_after=tab.broke_hand))
    is_free_behind_button = any(way_in.kind == "button-passes" and way_in.live == 0 for way_in in terms.ways_in)
    if terms.deal == "no" and is_free_behind_button:
        missing_fact = Ground(unknowns.free_between_button_and_blind(), reason.clauses)
        return terms._replace(deal="open", reasons=(missing_fact, *terms.reasons))
    return terms
