"""Who posts which blind where blinds are owed: each player whom the big blind has reached and who hasn't paid."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.vocabulary import Seat
from projections.obligations.game import BlindName
from projections.obligations.position_inputs import Draft, PositionInputs
from projections.obligations.ring import moves_backwards, reaches
from projections.sentences import readings


class _DebtRule(NamedTuple):
    """A reading of a book that doesn't say which debts count, or which of them is paid first."""

    counts_late: bool = True  # a blind left out on the last hand is still owed
    pays_old_first: bool = True  # the blinds of the last round come before those of the new round


_USUAL_RULE: Final = _DebtRule()


def draft_owed_blinds(inputs: PositionInputs, draft: Draft, *, spares_button: bool) -> list[Draft]:
    """Return the readings of a draft with who posts which blind: each player who owes posts one blind per hand.

    `spares_button`: the button doesn't post the smallest blind, even if it owes it.
    """
    if draft.heads_up or not draft.judged or len(inputs.roles) < 2 or inputs.last_positions.furthest is None:
        return [draft]
    if moves_backwards(inputs.last_positions.furthest, draft.furthest, draft.dealt, max_passed=len(inputs.roles)):
        # The last blind was ahead of its turn on the last hand.
        return [draft._replace(reading=readings.each_from_position())]
    owed_drafts: list[Draft] = []
    debt_rules = (
        (draft.reading, _USUAL_RULE),
        (readings.late_blinds_waived(), _DebtRule(counts_late=False)),
        (readings.new_round_first(), _DebtRule(pays_old_first=False)),
    )
    for reading, debt_rule in debt_rules:
        owed_posts = _assign_owed_blinds(inputs, draft, debt_rule, spares_button=spares_button)
        if _is_other_reading(owed_posts, owed_drafts):
            owed_drafts.append(draft._replace(owed_posts=owed_posts, reading=reading))
    if len(inputs.last_positions.dealt) == 2 and len(draft.dealt) > 2:
        owed_drafts = _add_readings_after_heads_up(draft, owed_drafts)
    if spares_button:
        owed_posts = _assign_owed_blinds(inputs, draft, _USUAL_RULE, spares_button=False)
        if _is_other_reading(owed_posts, owed_drafts):
            owed_drafts.append(
                draft._replace(owed_posts=owed_posts, reading=readings.button_posts_small_blind(), doubtful=True)
            )
    return owed_drafts


def _is_other_reading(owed_posts: tuple[tuple[Seat, BlindName], ...], owed_drafts: list[Draft]) -> bool:
    """Whether none of the drafts has these posts."""
    return all(owed_posts != draft.owed_posts for draft in owed_drafts)


def _add_readings_after_heads_up(draft: Draft, owed_drafts: list[Draft]) -> list[Draft]:
    """Return the readings of a hand that more than two players play after a hand of two.

    The book doesn't say how the debts of two players carry over to more: the button may still owe its small blind,
    or each blind may come from its position.
    """
    likeliest = owed_drafts[0]
    posts_off_button = tuple(debt for debt in likeliest.owed_posts or () if debt[0] != draft.button)
    return [
        likeliest._replace(owed_posts=posts_off_button, reading=readings.button_owes_nothing()),
        *owed_drafts,
        draft._replace(reading=readings.each_from_position()),
    ]


def _assign_owed_blinds(
    inputs: PositionInputs, draft: Draft, debt_rule: _DebtRule, *, spares_button: bool
) -> tuple[tuple[Seat, BlindName], ...]:
    """Return who posts which blind, the smallest first, and clockwise from the button where two post the same one."""
    last_blind = draft.furthest
    assert last_blind is not None  # noqa: S101 - the caller asked
    largest_first = tuple(reversed(inputs.roles))
    largest, smallest = largest_first[0], largest_first[-1]
    owed_roles: dict[Seat, BlindName] = {}
    for seat in draft.dealt:
        if seat in inputs.posters or (seat in inputs.entrants and seat not in draft.blinds):
            continue  # comes in by a post of its own
        unpaid_roles = _list_unpaid_roles(inputs, draft, seat, debt_rule)
        if unpaid_roles and not (spares_button and seat == draft.button and unpaid_roles[0] == smallest):
            owed_roles[seat] = unpaid_roles[0]
    if largest not in owed_roles.values():
        owed_roles[last_blind] = largest  # somebody must post the largest blind
    button = draft.button or 0
    order = sorted(owed_roles.items(), key=lambda debt: (-largest_first.index(debt[1]), debt[0] <= button, debt[0]))
    return tuple(order)


def _list_unpaid_roles(inputs: PositionInputs, draft: Draft, seat: Seat, debt_rule: _DebtRule) -> list[BlindName]:
    """Return the blinds that a player owes on this hand, in the order in which they are paid."""
    old_last_blind, new_last_blind = inputs.last_positions.furthest, draft.furthest
    assert old_last_blind is not None and new_last_blind is not None  # noqa: S101, PT018 - the caller asked
    player = inputs.players[seat]
    is_old_debt_owed = debt_rule.counts_late or player not in inputs.late_debts
    old_roles = inputs.debts.get(player, ()) if is_old_debt_owed else ()
    is_reached = reaches(inputs.last_positions.button, old_last_blind, seat, draft.button, new_last_blind)
    new_roles = tuple(reversed(inputs.roles)) if is_reached else ()
    roles = (*old_roles, *new_roles) if debt_rule.pays_old_first else (*new_roles, *old_roles)
    return [role for role in roles if role in inputs.roles]
