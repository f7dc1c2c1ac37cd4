"""Writers of single acts of a hand of notes: sizes, call amounts, all-ins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.noted_hand import NotedHand
from ledger.formats.handscript.notes.questions import StackDoubtError, question
from ledger.formats.handscript.notes.statements import Statement

_AMOUNT: Final = "AMOUNT"
_BIG_BETS: Final = ("turn", "river")


def _write_fold(hand: NotedHand, seat: int, statement: Statement) -> None:
    if not hand.betting.owes(seat) and hand.betting.street != "preflop":
        raise question(
            statement.line, f"{hand.name(seat)} folds, and nobody bet: is a bet missing?", f"SEAT bets {_AMOUNT}"
        )
    hand.write(f"{seat} folds", statement.line)
    hand.betting.fold(seat)


def _write_check(hand: NotedHand, seat: int, statement: Statement) -> None:
    owed = hand.betting.owes(seat)
    if owed:
        raise question(statement.line, f"{hand.name(seat)} can't check: {hand.chips(owed)} to call", f"{seat} calls")
    hand.write(f"{seat} checks", statement.line)
    hand.betting.took_turn(seat)


def _write_call(hand: NotedHand, seat: int, statement: Statement) -> None:
    """Write a call of the amount owed, or of the whole stack if that is less."""
    betting, note_line = hand.betting, statement.line
    owed_chips = betting.owes(seat)
    if not owed_chips:
        raise question(note_line, f"{hand.name(seat)} has nothing to call", f"{seat} checks")
    stack_left = betting.chips_left(seat)
    added_chips = _find_called_chips(hand, seat, statement, owed_chips)
    is_all_in = added_chips == stack_left or (stack_left is None and added_chips < owed_chips)
    is_short_call = is_all_in and added_chips < owed_chips and statement.amount is None  # for the rest of its stack
    hand.write(f"{seat} calls {hand.chips(added_chips)}{' all-in' * is_all_in}", note_line, is_derived=is_short_call)
    betting.add(seat, added_chips)
    if is_all_in:
        betting.all_in.add(seat)
    betting.took_turn(seat)


def _find_called_chips(hand: NotedHand, seat: int, statement: Statement, owed_chips: int) -> int:
    """Return the chips that a call adds: as noted, or what is owed; ask if they're unknown."""
    stack_left = hand.betting.chips_left(seat)
    is_amount_exact = statement.amount is not None and not statement.amount.approximate
    if statement.unclear and (statement.amount is None or is_amount_exact):
        raise question(statement.line, f"How much does {hand.name(seat)} call?", f"{seat} calls {_AMOUNT}")
    added_chips = owed_chips if stack_left is None else min(owed_chips, stack_left)
    if is_amount_exact:
        return _match_call_amount(hand, seat, statement, added_chips, owed_chips)
    if statement.all_in and stack_left is None and not hand.betting.all_in:
        raise question(
            statement.line, f"How much does {hand.name(seat)} have for the call?", f"{seat} calls {_AMOUNT} all-in"
        )
    return added_chips


def _match_call_amount(hand: NotedHand, seat: int, statement: Statement, expected_chips: int, owed_chips: int) -> int:
    """Return the chips that a call with a written amount adds: that amount may be the bet or the addition."""
    betting, note_line = hand.betting, statement.line
    assert statement.amount is not None  # noqa: S101 - the caller looked
    amount = hand.units(statement.amount, note_line)
    if amount == expected_chips or amount == betting.bets.get(seat, 0) + expected_chips:
        hand.evidence += 1
        return expected_chips
    if amount == betting.pot + expected_chips:  # Ze calls (360): the pot
        hand.evidence += 1
        return expected_chips
    stack_left = betting.chips_left(seat)
    if statement.all_in and stack_left is None and amount < owed_chips:
        return amount
    raise question(
        note_line,
        f"{hand.name(seat)} calls {hand.chips(amount)}: by the lines above the call is {hand.chips(expected_chips)}",
        f"{seat} calls {hand.chips(expected_chips)}",
        "Or correct the bet above.",
    )


def _write_bet(hand: NotedHand, seat: int, statement: Statement) -> None:
    betting, note_line = hand.betting, statement.line
    if betting.current:
        raise question(
            note_line,
            f"The bet was already {hand.chips(betting.current)}. Did {hand.name(seat)} raise?",
            f"{seat} raises to {_AMOUNT}",
        )
    if statement.all_in and statement.amount is None and not statement.unclear:
        _write_all_in(hand, seat, statement)
        return
    amount, is_derived = _find_size(hand, seat, statement, "bets")
    _check_stack_covers(hand, seat, amount, note_line)
    _write_wager(hand, seat, amount, statement, is_derived=is_derived)


def _write_open(hand: NotedHand, seat: int, statement: Statement) -> None:
    (_write_raise if hand.betting.current else _write_bet)(hand, seat, statement)


def _read_bare_act(hand: NotedHand, seat: int, statement: Statement) -> None:
    """Read `Pham 35`: a bet, the amount of a call, or a raise to it."""
    betting, note_line = hand.betting, statement.line
    assert statement.amount is not None  # noqa: S101 - such an act is no more than its amount
    amount = hand.units(statement.amount, note_line)
    if betting.current and amount == betting.current:
        _write_call(hand, seat, statement)
        return
    is_again = bool(betting.bets.get(seat)) and not (betting.street == "preflop" and seat not in betting.acted_seats)
    if betting.current and (is_again or amount < betting.current + betting.least_raise):
        raise question(
            note_line, f"What does {hand.name(seat)} do with {hand.chips(amount)}?", f"{seat} raises to {_AMOUNT}"
        )
    statement.qualifier = "to"
    statement.verb = "raise" if betting.current else "bet"
    ACT_WRITERS[statement.verb](hand, seat, statement)


def _write_makes(hand: NotedHand, seat: int, statement: Statement) -> None:
    statement.qualifier = "to"
    _write_open(hand, seat, statement)


def _write_raise(hand: NotedHand, seat: int, statement: Statement) -> None:
    """Write a raise; `raises 40` may be to 40 or by 40."""
    betting, note_line = hand.betting, statement.line
    if not betting.current:
        raise question(note_line, f"{hand.name(seat)} raises, and nobody bet", f"{seat} bets {_AMOUNT}")
    if statement.all_in and statement.amount is None and not statement.unclear:
        _write_all_in(hand, seat, statement)
        return
    amount, is_derived = _find_size(hand, seat, statement, "raises to")
    raise_meaning = "to" if is_derived or statement.verb in ("open", "cap") else statement.qualifier
    if raise_meaning == "?":
        raise question(note_line, f"To how much does {hand.name(seat)} raise?", f"{seat} raises to {_AMOUNT}")
    if not raise_meaning:
        hand.ambiguous = hand.ambiguous or note_line
        raise_meaning = hand.raise_means
    total_bet = amount if raise_meaning == "to" else betting.current + amount
    if total_bet <= betting.current:
        raise question(
            note_line,
            f"A raise to {hand.chips(total_bet)} is no raise: {hand.chips(betting.current)} was bet",
            f"{seat} raises to {_AMOUNT}",
        )
    if not statement.qualifier and not hand.heading.is_limit:
        _check_least_raise(hand, seat, total_bet, amount, note_line)
    _check_stack_covers(hand, seat, total_bet - betting.bets.get(seat, 0), note_line)
    _write_wager(hand, seat, total_bet, statement, is_derived=is_derived)


def _check_least_raise(hand: NotedHand, seat: int, total_bet: int, amount: int, note_line: ScriptLine) -> None:
    """Ask if a raise to an amount is too small and the player has more: it may be a raise by that amount."""
    betting = hand.betting
    if total_bet >= betting.current + betting.least_raise:
        return
    stack_left = betting.chips_left(seat)
    if stack_left is None or total_bet - betting.bets.get(seat, 0) < stack_left:
        raise question(
            note_line,
            f"To how much does {hand.name(seat)} raise?",
            f"{seat} raises to {hand.chips(betting.current + amount)}",
        )


def _doubt_stack(hand: NotedHand, seat: int, note_line: ScriptLine, noted_chips: int, stack_left: int) -> None:
    """Drop a stack carried over from earlier hands: this hand's written amount is better evidence."""
    if hand.roster.seats[seat].carried:
        doubt_text = f"{hand.name(seat)} has {hand.chips(stack_left)} by the hands before; the line says {hand.chips(noted_chips)}."
        raise StackDoubtError(seat, note_line, doubt_text)


def _check_stack_covers(hand: NotedHand, seat: int, added_chips: int, note_line: ScriptLine) -> None:
    stack_left = hand.betting.chips_left(seat)
    if stack_left is not None and added_chips > stack_left:
        _doubt_stack(hand, seat, note_line, added_chips, stack_left)
        raise question(
            note_line,
            f"{hand.name(seat)} has {hand.chips(stack_left)}, not {hand.chips(added_chips)}",
            hint="Correct the stack, or the bet.",
        )


def _write_wager(hand: NotedHand, seat: int, total_bet: int, statement: Statement, *, is_derived: bool) -> None:
    """Write a bet or a raise to a total."""
    betting = hand.betting
    added_chips = total_bet - betting.bets.get(seat, 0)
    stack_left = betting.chips_left(seat)
    if statement.all_in and stack_left is not None and added_chips != stack_left:
        _doubt_stack(hand, seat, statement.line, added_chips, stack_left)
        raise question(
            statement.line,
            f"{hand.name(seat)} is all-in for {hand.chips(added_chips)}, and has {hand.chips(stack_left)} by the lines above",
            hint="Correct the stack, or the amount.",
        )
    is_all_in = statement.all_in or added_chips == stack_left
    all_in_suffix = " all-in" * is_all_in
    act_text = f"raises to {hand.chips(total_bet)}" if betting.current else f"bets {hand.chips(added_chips)}"
    hand.write(
        f"{seat} {act_text}{all_in_suffix}",
        statement.line,
        is_derived=is_derived,
        derivation="as the game has it" * is_derived,
    )
    betting.add(seat, added_chips)
    if is_all_in:
        betting.all_in.add(seat)
    betting.raised(seat, total_bet)


def _find_size(hand: NotedHand, seat: int, statement: Statement, verb: str) -> tuple[int, bool]:
    """Return the size of a bet, or the total of a raise, and whether it was derived."""
    note_line, betting = statement.line, hand.betting
    if statement.amount is not None and not statement.unclear:
        amount = hand.units(statement.amount, note_line)
        if statement.cards == "pot" and hand.heading.betting == "pot-limit" and amount != _compute_pot_bet(hand, seat):
            raise question(
                note_line,
                f"A pot-sized bet is {hand.chips(_compute_pot_bet(hand, seat))} here",
                f"{seat} {verb} {_AMOUNT}",
            )
        if hand.heading.is_limit and not statement.all_in:
            return _find_limit_total(hand, amount, statement)
        return amount, False
    if statement.unclear:
        raise question(note_line, f"How much does {hand.name(seat)} bet?", f"{seat} {verb} {_AMOUNT}")
    if statement.cards == "pot" and hand.heading.betting == "pot-limit":
        return _cap_to_stack(hand, seat, _compute_pot_bet(hand, seat)), True
    if hand.heading.is_limit and hand.heading.bets:
        return _cap_to_stack(hand, seat, betting.current + _find_limit_bet(hand)), True
    raise question(
        note_line, f"How much does {hand.name(seat)} {'bet' if 'bet' in verb else 'raise'}?", f"{seat} {verb} {_AMOUNT}"
    )


def _find_limit_total(hand: NotedHand, amount: int, statement: Statement) -> tuple[int, bool]:
    """Return the total for a size written in a limit game, as a total or an addition."""
    total = hand.betting.current + _find_limit_bet(hand)
    if amount in (total, total - hand.betting.current) and statement.qualifier in ("", "to", "by"):
        hand.evidence += 1
        statement.qualifier = "to"
        return total, False
    statement.qualifier = statement.qualifier or "?"
    return amount, False


def _find_limit_bet(hand: NotedHand) -> int:
    bet_sizes = [int(bet_value.scaleb(hand.scale)) for bet_value in hand.heading.bets]
    return bet_sizes[1] if hand.betting.street in _BIG_BETS and len(bet_sizes) > 1 else bet_sizes[0]


def _compute_pot_bet(hand: NotedHand, seat: int) -> int:
    """Return the total of a bet or raise of the pot."""
    betting = hand.betting
    return betting.current + betting.pot + betting.owes(seat)


def _cap_to_stack(hand: NotedHand, seat: int, total: int) -> int:
    """Return a total, capped at the seat's stack."""
    stack_left = hand.betting.chips_left(seat)
    return total if stack_left is None else min(total, hand.betting.bets.get(seat, 0) + stack_left)


def _write_all_in(hand: NotedHand, seat: int, statement: Statement) -> None:
    """Write an all-in as a bet, call or raise, depending on its size."""
    betting, note_line = hand.betting, statement.line
    stack_left, street_bet = betting.chips_left(seat), betting.bets.get(seat, 0)
    if statement.unclear and stack_left is None:
        raise question(note_line, f"How much does {hand.name(seat)} have?", f"{seat} raises to {_AMOUNT} all-in")
    is_derived = statement.amount is None or statement.unclear
    if is_derived:
        if stack_left is None:
            raise question(
                note_line, f"For how much is {hand.name(seat)} all-in?", f"{seat} raises to {_AMOUNT} all-in"
            )
        added_chips = stack_left
    else:
        assert statement.amount is not None  # noqa: S101 - told just now
        added_chips = _match_all_in_amount(hand, seat, hand.units(statement.amount, note_line), statement)
    total = street_bet + added_chips
    if total <= betting.current:
        hand.write(
            f"{seat} calls {hand.chips(added_chips)} all-in",
            note_line,
            is_derived=is_derived,
            derivation="all that is left" * is_derived,
        )
        betting.add(seat, added_chips)
        betting.all_in.add(seat)
        betting.took_turn(seat)
        return
    statement.all_in = True
    _write_wager(hand, seat, total, statement, is_derived=is_derived)


def _match_all_in_amount(hand: NotedHand, seat: int, amount: int, statement: Statement) -> int:
    """Return the chips that an all-in with a written amount adds."""
    betting = hand.betting
    stack_left, street_bet = betting.chips_left(seat), betting.bets.get(seat, 0)
    if stack_left is not None:
        if amount in (stack_left, stack_left + street_bet, hand.stacks.get(seat)):
            hand.evidence += 1
            return stack_left
        _doubt_stack(hand, seat, statement.line, amount, stack_left)
        raise question(
            statement.line,
            f"{hand.name(seat)} is all-in for {hand.chips(amount)}, and has {hand.chips(stack_left)} by the lines above",
            hint="Correct the stack, or the amount.",
        )
    if street_bet:
        raise question(
            statement.line, f"All-in for {hand.chips(amount)} in all, or on top?", f"{seat} raises to {_AMOUNT} all-in"
        )
    return amount


def _write_complete(hand: NotedHand, seat: int, statement: Statement) -> None:
    """Read `completes`: the small blind calls."""
    if hand.betting.street != "preflop" or hand.betting.current != (hand.betting.least_raise or hand.betting.current):
        raise question(statement.line, f"What does {hand.name(seat)} do?", f"{seat} calls")
    _write_call(hand, seat, statement)


ACT_WRITERS: Final[dict[str, Callable[[NotedHand, int, Statement], None]]] = {
    "fold": _write_fold,
    "check": _write_check,
    "call": _write_call,
    "bet": _write_bet,
    "raise": _write_raise,
    "cap": _write_raise,
    "open": _write_open,
    "makes": _write_makes,
    "bare": _read_bare_act,
    "all-in": _write_all_in,
    "complete": _write_complete,
}
