"""Acts of a hand of notes: turns, call amounts, all-ins."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.act_writers import ACT_WRITERS
from ledger.formats.handscript.notes.noted_hand import NotedHand
from ledger.formats.handscript.notes.questions import QuestionError, ask_for_act, question
from ledger.formats.handscript.notes.statements import Statement

_AMOUNT: Final = "AMOUNT"
_BIG_BETS: Final = ("turn", "river")
_MOST_RAISES: Final = 4


def take_acts(hand: NotedHand, statement: Statement) -> None:
    """Read the same act of one or more seats."""
    seats = [hand.resolve(ref, statement.line) for ref in statement.players]
    pending = hand.betting.pending
    if hand.keeps_order and all(seat in pending for seat in seats):
        seats.sort(key=pending.index)  # people list players who do the same in any order
    for seat in seats:
        take_act(hand, seat, statement)


def take_act(hand: NotedHand, seat: int, statement: Statement) -> None:
    """Read an act of one seat."""
    note_line = statement.line
    if seat in hand.betting.folded:
        raise question(note_line, f"{hand.name(seat)} has folded: who acts here?", "SEAT calls")
    if hand.betting.is_over:
        raise question(note_line, f"The hand is over: what does {hand.name(seat)} do here?")
    if statement.qualifier == "out-of-turn":
        _check_out_of_turn(hand, seat, note_line)
    else:
        _advance_to_seat(hand, seat, note_line)
    ACT_WRITERS[statement.verb](hand, seat, statement)


def _check_out_of_turn(hand: NotedHand, seat: int, note_line: ScriptLine) -> None:
    """Ask if the notes say `out of turn` and it is the seat's turn."""
    pending = hand.betting.pending
    if pending and pending[0] == seat and hand.keeps_order:
        raise question(note_line, f"It is the turn of {hand.name(seat)}: who acted before?", "SEAT folds")


def _advance_to_seat(hand: NotedHand, seat: int, note_line: ScriptLine) -> None:
    """Advance to a seat's turn: derive the acts of the seats before it, or ask."""
    betting = hand.betting
    if seat in betting.all_in:
        raise question(
            note_line, f"{hand.name(seat)} is all-in already", hint="Which line is wrong: this, or the all-in?"
        )
    if seat not in betting.pending:
        raise question(
            note_line, f"{hand.name(seat)} has nothing to act on here", hint="Which act is missing above this line?"
        )
    if not hand.keeps_order:
        return
    for skipped_seat in betting.pending[: betting.pending.index(seat)]:
        pass_over(hand, skipped_seat, note_line, actor=seat)


def pass_over(hand: NotedHand, seat: int, note_line: ScriptLine, *, actor: int = 0) -> None:
    """Derive the act of a seat that the notes leave out, or ask. `actor`: the seat that acts instead, 0 = none."""
    betting = hand.betting
    if _acts_before_raise(hand, seat):
        return  # it acts out of turn in the notes
    if not betting.owes(seat):
        if not hand.acts_later(seat, on_street=False) and betting.street == "preflop":
            raise _ask_for_turn(hand, seat, note_line, "checks", actor)
        hand.write(f"{seat} checks", note_line, is_derived=True, derivation="nobody had bet")
        betting.took_turn(seat)
        return
    if hand.acts_later(seat, on_street=False) or hand.lists_folds:
        raise _ask_for_turn(hand, seat, note_line, "calls", actor)
    hand.write(f"{seat} folds", note_line, is_derived=True, derivation="no line names the seat again")
    betting.fold(seat)


def _ask_for_turn(hand: NotedHand, seat: int, note_line: ScriptLine, verb: str, actor: int) -> QuestionError:
    """Return the question about a seat without an act. If a later act of it is written, say that it comes too late."""
    if not actor or not hand.acts_later(seat, on_street=True):
        return ask_for_act(note_line, seat, hand.name(seat), verb)
    turn_order = f"{hand.name(seat).replace('seat', 'Seat', 1)} acts before {hand.name(actor)}. "
    return ask_for_act(note_line, seat, f"seat {seat}", verb, why=turn_order, until=" first")


def _acts_before_raise(hand: NotedHand, seat: int) -> bool:
    """Whether a seat acts on this street before the next bet or raise."""
    for statement in hand.statements[hand.statement_index :]:
        if statement.kind == "board" or (statement.kind == "act" and statement.verb in _RAISING_VERBS):
            return False
        if statement.kind == "act" and any(hand.roster.find(ref) == seat for ref in statement.players):
            return True
        if statement.kind in ("everyone", "next", "folds-to"):
            return False
    return False


_RAISING_VERBS: Final = frozenset(("bet", "raise", "open", "makes", "cap", "all-in", "bare"))


# Groups


def take_next(hand: NotedHand, statement: Statement) -> None:
    """Read `check check`: acts of the next players."""
    if not hand.keeps_order:
        raise question(
            statement.line, "Who does this? The blinds don't show whose turn it is", f"SEAT {statement.verb}s"
        )
    if statement.qualifier == "run":
        _take_sequence_act(hand, statement)
        return
    if statement.verb != "check" and statement.count == 1 and len(hand.betting.pending) != 1:
        raise question(statement.line, f"Who {statement.verb}s?", f"SEAT {statement.verb}s")
    for _ in range(statement.count):
        pending = hand.betting.pending
        if not pending:
            raise question(
                statement.line, f"Who {statement.verb}s here? Nobody is left to act", f"SEAT {statement.verb}s"
            )
        _take_group_act(hand, pending[0], statement)


def _take_sequence_act(hand: NotedHand, statement: Statement) -> None:
    """Read one act of a line without players; its last act ends the betting round."""
    note_line, pending = statement.line, hand.betting.pending
    if not pending:
        raise question(note_line, f"Who {statement.verb}s here? Nobody is left to act", f"SEAT {statement.verb}s")
    act_statement = Statement("act", note_line, verb=statement.verb, amount=statement.amount, all_in=statement.all_in)
    act_statement.qualifier = statement.cards
    ACT_WRITERS[statement.verb](hand, pending[0], act_statement)
    if statement.ends_round and hand.betting.pending and not hand.betting.is_over:
        seat = hand.betting.pending[0]
        raise ask_for_act(note_line, seat, hand.name(seat), "folds")


def take_everyone(hand: NotedHand, statement: Statement) -> None:
    """Read `everybody folds`, `all check`, `the blinds fold`."""
    betting = hand.betting
    pending = _find_group(hand, statement)
    excepted = {hand.resolve(ref, statement.line) for ref in statement.players}
    for seat in pending:
        if statement.verb == "fold" and len(betting.live) == 1:
            break
        if seat in excepted and statement.verb == "call":
            _take_group_act(hand, seat, replace(statement, verb="fold"))  # all call except Ana
        elif seat not in excepted and (statement.verb != "call" or betting.owes(seat)):
            _take_group_act(hand, seat, statement)


def _find_group(hand: NotedHand, statement: Statement) -> list[int]:
    """Return the seats, in turn, that `everybody`, `both` or `the blinds` means; ask if there are none."""
    betting = hand.betting
    pending = list(betting.pending)
    if statement.qualifier == "blinds":
        small_seat = betting.seats_after(betting.button)[0]
        pending = [seat for seat in pending if seat in (small_seat, hand.big_seat)]
    if statement.qualifier == "both" and len(pending) != 2:
        raise question(statement.line, f"Both {statement.verb}: who are the two?", f"SEAT SEAT {statement.verb}")
    if not pending:
        raise question(statement.line, f"Who {statement.verb}s here? Nobody is left to act", f"SEAT {statement.verb}s")
    if statement.verb == "fold" and (actor := _find_next_actor(hand)) in pending:
        return pending[: pending.index(actor)]  # folds around, Ana shoves
    return pending


def _find_next_actor(hand: NotedHand) -> int:
    """Return the seat of an act that follows on the same line; 0 if there is none."""
    next_act = next(iter(hand.statements[hand.statement_index + 1 :]), None)
    this_act = hand.statements[hand.statement_index]
    if next_act is None or next_act.kind != "act" or next_act.line.number != this_act.line.number:
        return 0
    return hand.roster.find(next_act.players[0]) or 0 if next_act.players else 0


def take_folds_to(hand: NotedHand, statement: Statement) -> None:
    """Read `folds around to 8`: all seats before it fold."""
    seat = hand.resolve(statement.players[0], statement.line)
    betting = hand.betting
    if seat not in betting.pending or not hand.keeps_order:
        raise question(statement.line, f"Who folds before {hand.name(seat)}?", "SEAT SEAT fold")
    for skipped_seat in betting.pending[: betting.pending.index(seat)]:
        hand.write(f"{skipped_seat} folds", statement.line)
        betting.fold(skipped_seat)


def take_checks_to(hand: NotedHand, statement: Statement) -> None:
    """Read `checks to 8`: all seats before it check."""
    seat = hand.resolve(statement.players[0], statement.line)
    betting = hand.betting
    if seat not in betting.pending or not hand.keeps_order:
        raise question(statement.line, f"Who checks before {hand.name(seat)}?", "SEAT SEAT check")
    for skipped_seat in betting.pending[: betting.pending.index(seat)]:
        _take_group_act(hand, skipped_seat, Statement("act", statement.line, verb="check"))


def _take_group_act(hand: NotedHand, seat: int, statement: Statement) -> None:
    if statement.verb == "check" and hand.betting.owes(seat):
        raise question(
            statement.line,
            f"{hand.name(seat)} can't check: {hand.chips(hand.betting.owes(seat))} to call",
            f"{seat} calls",
        )
    act_statement = Statement("act", statement.line, verb=statement.verb)
    ACT_WRITERS[statement.verb](hand, seat, act_statement)
