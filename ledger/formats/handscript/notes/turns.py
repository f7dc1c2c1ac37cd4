"""The acts of a hand of notes: whose turn it is, what a call or an all-in costs, when a street is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.formats.handscript.lines import Line
from ledger.formats.handscript.notes.noted_hand import NotedHand
from ledger.formats.handscript.notes.questions import StackDoubtError, question
from ledger.formats.handscript.notes.statements import Statement

_GIVEN: Final = "AMOUNT"
_BIG_BETS: Final = ("turn", "river")
_MOST_RAISES: Final = 4


def take_acts(hand: NotedHand, statement: Statement) -> None:
    """Read what one or several seats do, by name."""
    for ref in statement.who:
        seat = hand.resolve(ref, statement.line)
        take_act(hand, seat, statement)


def take_act(hand: NotedHand, seat: int, statement: Statement) -> None:
    """Read what one seat does."""
    line = statement.line
    if seat in hand.betting.folded:
        raise question(line, f"{hand.name(seat)} has folded: who acts here?", "SEAT calls")
    if hand.betting.over:
        raise question(line, f"The hand is over: what does {hand.name(seat)} do here?")
    if statement.how == "out-of-turn":
        _out_of_turn(hand, seat, line)
    else:
        _reach(hand, seat, line)
    _STEPS[statement.verb](hand, seat, statement)


def _out_of_turn(hand: NotedHand, seat: int, line: Line) -> None:
    """Ask where the notes say `out of turn` and it is the seat's turn."""
    pending = hand.betting.pending
    if pending and pending[0] == seat and hand.keeps_order:
        raise question(line, f"It is the turn of {hand.name(seat)}: who acted before?", "SEAT folds")


def _reach(hand: NotedHand, seat: int, line: Line) -> None:
    """Make it a seat's turn: fill in what those before it must have done, or ask."""
    table = hand.betting
    if seat in table.all_in:
        raise question(line, f"{hand.name(seat)} is all-in already", hint="Which line is wrong: this, or the all-in?")
    if seat not in table.pending:
        raise question(
            line, f"{hand.name(seat)} has nothing to act on here", hint="Which act is missing above this line?"
        )
    if not hand.keeps_order:
        return
    for other in table.pending[: table.pending.index(seat)]:
        pass_over(hand, other, line)


def pass_over(hand: NotedHand, seat: int, line: Line) -> None:
    """Fill in the turn of a seat that the notes leave out."""
    table = hand.betting
    if _acts_before_raise(hand, seat):
        return  # out of turn, as the notes have it
    if not table.owes(seat):
        if not hand.acts_later(seat, on_street=False) and table.street == "preflop":
            raise question(line, f"What did {hand.name(seat)} do?", f"{seat} checks")
        hand.write(f"{seat} checks", line, derived=True, why="nobody had bet")
        table.took_turn(seat)
        return
    if hand.acts_later(seat, on_street=False) or hand.lists_folds:
        raise question(line, f"What did {hand.name(seat)} do?", f"{seat} calls")
    hand.write(f"{seat} folds", line, derived=True, why="no line names the seat again")
    table.fold(seat)


def _acts_before_raise(hand: NotedHand, seat: int) -> bool:
    """Whether the notes name a seat on this street before anybody bets or raises again."""
    for statement in hand.statements[hand.at :]:
        if statement.kind == "board" or (statement.kind == "act" and statement.verb in _RAISING):
            return False
        if statement.kind == "act" and any(hand.roster.find(ref) == seat for ref in statement.who):
            return True
        if statement.kind in ("everyone", "next", "folds-to"):
            return False
    return False


_RAISING: Final = frozenset(("bet", "raise", "open", "makes", "cap", "all-in", "bare"))


# Groups


def take_next(hand: NotedHand, statement: Statement) -> None:
    """Read `check check`: whoever is next does it."""
    if not hand.keeps_order:
        raise question(
            statement.line, "Who does this? The blinds don't show whose turn it is", f"SEAT {statement.verb}s"
        )
    if statement.how == "run":
        _take_run(hand, statement)
        return
    if statement.verb != "check" and statement.count == 1 and len(hand.betting.pending) != 1:
        raise question(statement.line, f"Who {statement.verb}s?", f"SEAT {statement.verb}s")
    for _ in range(statement.count):
        pending = hand.betting.pending
        if not pending:
            raise question(
                statement.line, f"Who {statement.verb}s here? Nobody is left to act", f"SEAT {statement.verb}s"
            )
        _in_group(hand, pending[0], statement)


def _take_run(hand: NotedHand, statement: Statement) -> None:
    """Read one act of a line that names nobody; behind its last act the betting round is over."""
    line, pending = statement.line, hand.betting.pending
    if not pending:
        raise question(line, f"Who {statement.verb}s here? Nobody is left to act", f"SEAT {statement.verb}s")
    one = Statement("act", line, verb=statement.verb, amount=statement.amount, all_in=statement.all_in)
    one.how = statement.cards
    _STEPS[statement.verb](hand, pending[0], one)
    if statement.else_ and hand.betting.pending and not hand.betting.over:
        seat = hand.betting.pending[0]
        raise question(line, f"What did {hand.name(seat)} do?", f"{seat} folds")


def take_everyone(hand: NotedHand, statement: Statement) -> None:
    """Read `everybody folds`, `all check`, `the blinds fold`."""
    table = hand.betting
    pending = list(table.pending)
    if statement.how == "blinds":
        small = table.after(table.button)[0]
        pending = [seat for seat in pending if seat in (small, hand.big_seat)]
    if statement.how == "both" and len(pending) != 2:
        raise question(statement.line, f"Both {statement.verb}: who are the two?", f"SEAT SEAT {statement.verb}")
    if not pending:
        raise question(statement.line, f"Who {statement.verb}s here? Nobody is left to act", f"SEAT {statement.verb}s")
    if statement.verb == "fold" and (actor := _next_actor(hand)) in pending:
        pending = pending[: pending.index(actor)]  # folds around, Ana shoves
    for seat in pending:
        if statement.verb == "fold" and len(table.live) == 1:
            break
        _in_group(hand, seat, statement)


def _next_actor(hand: NotedHand) -> int:
    """Return who acts by the statement behind this one, on the same line; 0 if nobody does."""
    following = next(iter(hand.statements[hand.at + 1 :]), None)
    here = hand.statements[hand.at]
    if following is None or following.kind != "act" or following.line.number != here.line.number:
        return 0
    return hand.roster.find(following.who[0]) or 0 if following.who else 0


def take_folds_to(hand: NotedHand, statement: Statement) -> None:
    """Read `folds around to 8`: everybody before that seat folds."""
    seat = hand.resolve(statement.who[0], statement.line)
    table = hand.betting
    if seat not in table.pending or not hand.keeps_order:
        raise question(statement.line, f"Who folds before {hand.name(seat)}?", "SEAT SEAT fold")
    for other in table.pending[: table.pending.index(seat)]:
        hand.write(f"{other} folds", statement.line)
        table.fold(other)


def _in_group(hand: NotedHand, seat: int, statement: Statement) -> None:
    if statement.verb == "check" and hand.betting.owes(seat):
        raise question(
            statement.line,
            f"{hand.name(seat)} can't check: {hand.chips(hand.betting.owes(seat))} to call",
            f"{seat} calls",
        )
    one = Statement("act", statement.line, verb=statement.verb)
    _STEPS[statement.verb](hand, seat, one)


# One act


def _fold(hand: NotedHand, seat: int, statement: Statement) -> None:
    if not hand.betting.owes(seat) and hand.betting.street != "preflop":
        raise question(
            statement.line, f"{hand.name(seat)} folds, and nobody bet: is a bet missing?", f"SEAT bets {_GIVEN}"
        )
    hand.write(f"{seat} folds", statement.line)
    hand.betting.fold(seat)


def _check(hand: NotedHand, seat: int, statement: Statement) -> None:
    owed = hand.betting.owes(seat)
    if owed:
        raise question(statement.line, f"{hand.name(seat)} can't check: {hand.chips(owed)} to call", f"{seat} calls")
    hand.write(f"{seat} checks", statement.line)
    hand.betting.took_turn(seat)


def _call(hand: NotedHand, seat: int, statement: Statement) -> None:
    """Write a call: its amount is what is owed, or all that the seat has."""
    table, line = hand.betting, statement.line
    owed = table.owes(seat)
    if not owed:
        raise question(line, f"{hand.name(seat)} has nothing to call", f"{seat} checks")
    behind = table.left(seat)
    if statement.unclear and not (statement.amount and statement.amount.approximate):
        raise question(line, f"How much does {hand.name(seat)} call?", f"{seat} calls {_GIVEN}")
    added = owed if behind is None else min(owed, behind)
    if statement.amount is not None and not statement.amount.approximate:
        added = _called(hand, seat, statement, added, owed)
    elif statement.all_in and behind is None and not table.all_in:
        raise question(line, f"How much does {hand.name(seat)} have for the call?", f"{seat} calls {_GIVEN} all-in")
    all_in = added == behind or (behind is None and added < owed)
    short = all_in and added < owed and statement.amount is None  # for what its stack has
    hand.write(f"{seat} calls {hand.chips(added)}{' all-in' * all_in}", line, derived=short)
    table.add(seat, added)
    if all_in:
        table.all_in.add(seat)
    table.took_turn(seat)


def _called(hand: NotedHand, seat: int, statement: Statement, expected: int, owed: int) -> int:
    """Return what a call adds where the notes say an amount: what went in, or the bet that was called."""
    table, line = hand.betting, statement.line
    assert statement.amount is not None  # noqa: S101 - the caller looked
    amount = hand.units(statement.amount, line)
    if amount == expected or amount == table.bets.get(seat, 0) + expected:
        hand.evidence += 1
        return expected
    if amount == table.pot + expected:  # Ze calls (360): the pot
        hand.evidence += 1
        return expected
    behind = table.left(seat)
    if statement.all_in and behind is None and amount < owed:
        return amount
    raise question(
        line,
        f"{hand.name(seat)} calls {hand.chips(amount)}: by the lines above the call is {hand.chips(expected)}",
        f"{seat} calls {hand.chips(expected)}",
        "Or mend the bet above.",
    )


def _bet(hand: NotedHand, seat: int, statement: Statement) -> None:
    table, line = hand.betting, statement.line
    if table.current and not (statement.verb == "open" and table.street == "preflop"):
        raise question(
            line,
            f"{hand.name(seat)} bets, and {hand.chips(table.current)} was bet: a raise?",
            f"{seat} raises to {_GIVEN}",
        )
    if statement.all_in and statement.amount is None and not statement.unclear:
        _all_in(hand, seat, statement)
        return
    amount, derived = _size(hand, seat, statement, "bets")
    _no_more_than_stack(hand, seat, amount, line)
    _wager(hand, seat, amount, statement, derived=derived)


def _open(hand: NotedHand, seat: int, statement: Statement) -> None:
    (_raise if hand.betting.current else _bet)(hand, seat, statement)


def _bare(hand: NotedHand, seat: int, statement: Statement) -> None:
    """Read `Pham 35`: a bet, the amount of a call, or a raise to it."""
    table, line = hand.betting, statement.line
    assert statement.amount is not None  # noqa: S101 - such an act is no more than its amount
    amount = hand.units(statement.amount, line)
    if table.current and amount == table.current:
        _call(hand, seat, statement)
        return
    is_again = bool(table.bets.get(seat)) and not (table.street == "preflop" and seat not in table.acted_seats)
    if table.current and (is_again or amount < table.current + table.least_raise):
        raise question(line, f"What does {hand.name(seat)} do with {hand.chips(amount)}?", f"{seat} raises to {_GIVEN}")
    statement.how = "to"
    statement.verb = "raise" if table.current else "bet"
    _STEPS[statement.verb](hand, seat, statement)


def _makes(hand: NotedHand, seat: int, statement: Statement) -> None:
    statement.how = "to"
    _open(hand, seat, statement)


def _raise(hand: NotedHand, seat: int, statement: Statement) -> None:
    """Write a raise; `raises 40` may be to 40 or by 40."""
    table, line = hand.betting, statement.line
    if not table.current:
        raise question(line, f"{hand.name(seat)} raises, and nobody bet", f"{seat} bets {_GIVEN}")
    if statement.all_in and statement.amount is None and not statement.unclear:
        _all_in(hand, seat, statement)
        return
    amount, derived = _size(hand, seat, statement, "raises to")
    how = "to" if derived or statement.verb in ("open", "cap") else statement.how
    if how == "?":
        raise question(line, f"To how much does {hand.name(seat)} raise?", f"{seat} raises to {_GIVEN}")
    if not how:
        hand.ambiguous = hand.ambiguous or line
        how = hand.raise_means
    to = amount if how == "to" else table.current + amount
    if to <= table.current:
        raise question(
            line,
            f"A raise to {hand.chips(to)} is no raise: {hand.chips(table.current)} was bet",
            f"{seat} raises to {_GIVEN}",
        )
    if to < table.current + table.least_raise and not statement.how and not hand.heading.is_limit:
        behind = table.left(seat)
        if behind is None or to - table.bets.get(seat, 0) < behind:
            raise question(
                line,
                f"To how much does {hand.name(seat)} raise?",
                f"{seat} raises to {hand.chips(table.current + amount)}",
            )
    _no_more_than_stack(hand, seat, to - table.bets.get(seat, 0), line)
    _wager(hand, seat, to, statement, derived=derived)


def _doubt_stack(hand: NotedHand, seat: int, line: Line, told: int, behind: int) -> None:
    """Give up a stack that only earlier hands say: what is written at this hand is nearer."""
    if hand.roster.seats[seat].carried:
        text = f"{hand.name(seat)} has {hand.chips(behind)} by the hands before; the line says {hand.chips(told)}."
        raise StackDoubtError(seat, line, text)


def _no_more_than_stack(hand: NotedHand, seat: int, added: int, line: Line) -> None:
    behind = hand.betting.left(seat)
    if behind is not None and added > behind:
        _doubt_stack(hand, seat, line, added, behind)
        raise question(
            line,
            f"{hand.name(seat)} has {hand.chips(behind)}, not {hand.chips(added)}",
            hint="Mend the stack, or the bet.",
        )


def _wager(hand: NotedHand, seat: int, to: int, statement: Statement, *, derived: bool) -> None:
    """Write a bet or a raise to a total."""
    table = hand.betting
    added = to - table.bets.get(seat, 0)
    behind = table.left(seat)
    if statement.all_in and behind is not None and added != behind:
        _doubt_stack(hand, seat, statement.line, added, behind)
        raise question(
            statement.line,
            f"{hand.name(seat)} is all-in for {hand.chips(added)}, and has {hand.chips(behind)} by the lines above",
            hint="Mend the stack, or the amount.",
        )
    all_in = statement.all_in or added == behind
    end = " all-in" * all_in
    verb = f"raises to {hand.chips(to)}" if table.current else f"bets {hand.chips(added)}"
    hand.write(f"{seat} {verb}{end}", statement.line, derived=derived, why="as the game has it" * derived)
    table.add(seat, added)
    if all_in:
        table.all_in.add(seat)
    table.raised(seat, to)


def _size(hand: NotedHand, seat: int, statement: Statement, verb: str) -> tuple[int, bool]:
    """Return the size of a bet, or the total of a raise, and whether it follows from the game."""
    line, table = statement.line, hand.betting
    if statement.amount is not None and not statement.unclear:
        amount = hand.units(statement.amount, line)
        if statement.cards == "pot" and hand.heading.betting == "pot-limit" and amount != _pot_bet(hand, seat):
            raise question(
                line, f"A pot-sized bet is {hand.chips(_pot_bet(hand, seat))} here", f"{seat} {verb} {_GIVEN}"
            )
        if hand.heading.is_limit and not statement.all_in:
            return _limit_total(hand, amount, statement)
        return amount, False
    if statement.unclear:
        raise question(line, f"How much does {hand.name(seat)} bet?", f"{seat} {verb} {_GIVEN}")
    if statement.cards == "pot" and hand.heading.betting == "pot-limit":
        return _all_or(hand, seat, _pot_bet(hand, seat)), True
    if hand.heading.is_limit and hand.heading.bets:
        return _all_or(hand, seat, table.current + _limit_bet(hand)), True
    raise question(
        line, f"How much does {hand.name(seat)} {'bet' if 'bet' in verb else 'raise'}?", f"{seat} {verb} {_GIVEN}"
    )


def _limit_total(hand: NotedHand, amount: int, statement: Statement) -> tuple[int, bool]:
    """Return what a written size means in a limit game: the total, or what is added to the bet."""
    total = hand.betting.current + _limit_bet(hand)
    if amount in (total, total - hand.betting.current) and statement.how in ("", "to", "by"):
        hand.evidence += 1
        statement.how = "to"
        return total if statement.verb != "bet" else amount, False
    statement.how = statement.how or "?"
    return amount, False


def _limit_bet(hand: NotedHand) -> int:
    bets = [int(bet.scaleb(hand.scale)) for bet in hand.heading.bets]
    return bets[1] if hand.betting.street in _BIG_BETS and len(bets) > 1 else bets[0]


def _pot_bet(hand: NotedHand, seat: int) -> int:
    """Return the total of a bet or raise of the pot."""
    table = hand.betting
    return table.current + table.pot + table.owes(seat)


def _all_or(hand: NotedHand, seat: int, total: int) -> int:
    """Return a total, or all that a seat has if that is less."""
    behind = hand.betting.left(seat)
    return total if behind is None else min(total, hand.betting.bets.get(seat, 0) + behind)


def _all_in(hand: NotedHand, seat: int, statement: Statement) -> None:
    """Write an all-in: a bet, a call or a raise, as its size has it."""
    table, line = hand.betting, statement.line
    behind, before = table.left(seat), table.bets.get(seat, 0)
    if statement.unclear and behind is None:
        raise question(line, f"How much does {hand.name(seat)} have?", f"{seat} raises to {_GIVEN} all-in")
    derived = statement.amount is None or statement.unclear
    if derived:
        if behind is None:
            raise question(line, f"For how much is {hand.name(seat)} all-in?", f"{seat} raises to {_GIVEN} all-in")
        added = behind
    else:
        assert statement.amount is not None  # noqa: S101 - told just now
        added = _told_all_in(hand, seat, hand.units(statement.amount, line), statement)
    total = before + added
    if total <= table.current:
        hand.write(f"{seat} calls {hand.chips(added)} all-in", line, derived=derived, why="all that is left" * derived)
        table.add(seat, added)
        table.all_in.add(seat)
        table.took_turn(seat)
        return
    statement.all_in = True
    _wager(hand, seat, total, statement, derived=derived)


def _told_all_in(hand: NotedHand, seat: int, amount: int, statement: Statement) -> int:
    """Return what an all-in adds where the notes say how much it is."""
    table = hand.betting
    behind, before = table.left(seat), table.bets.get(seat, 0)
    if behind is not None:
        if amount in (behind, behind + before, hand.stacks.get(seat)):
            hand.evidence += 1
            return behind
        _doubt_stack(hand, seat, statement.line, amount, behind)
        raise question(
            statement.line,
            f"{hand.name(seat)} is all-in for {hand.chips(amount)}, and has {hand.chips(behind)} by the lines above",
            hint="Mend the stack, or the amount.",
        )
    if before:
        raise question(
            statement.line, f"All-in for {hand.chips(amount)} in all, or on top?", f"{seat} raises to {_GIVEN} all-in"
        )
    return amount


def _complete(hand: NotedHand, seat: int, statement: Statement) -> None:
    """Read `completes`: the small blind calls."""
    if hand.betting.street != "preflop" or hand.betting.current != (hand.betting.least_raise or hand.betting.current):
        raise question(statement.line, f"What does {hand.name(seat)} do?", f"{seat} calls")
    statement.amount = None if statement.amount is None else statement.amount
    _call(hand, seat, statement)


_STEPS: Final[dict[str, Callable[[NotedHand, int, Statement], None]]] = {
    "fold": _fold,
    "check": _check,
    "call": _call,
    "bet": _bet,
    "raise": _raise,
    "cap": _raise,
    "open": _open,
    "makes": _makes,
    "bare": _bare,
    "all-in": _all_in,
    "complete": _complete,
}
