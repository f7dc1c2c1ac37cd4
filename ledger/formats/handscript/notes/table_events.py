"""Facts between hands, applied to the table: players who come, go, move or buy chips."""

from __future__ import annotations

from decimal import Decimal

from ledger.formats.handscript.notes.blocks import Block
from ledger.formats.handscript.notes.noted_hand import CanonicalLine
from ledger.formats.handscript.notes.questions import NotesQuestion
from ledger.formats.handscript.notes.roster import Player, Roster
from ledger.formats.handscript.notes.statements import Statement
from ledger.formats.handscript.tokens import write_word
from ledger.vocabulary import in_units


def take_event(roster: Roster, scale: int, statement: Statement, block: Block) -> None:
    """Apply a fact between hands to the table and write its canonical line."""
    line = statement.line
    if statement.kind == "sits":
        _seat_newcomer(roster, scale, block, statement)
        return
    for ref in statement.players:
        seat = roster.find(ref)
        if seat is None:
            block.problems.append(
                NotesQuestion(line.number, f"Nobody at the table is {ref.text}", f"{ref.text} sits NAME stack STACK")
            )
            continue
        text = _apply_fact(roster, scale, seat, statement)
        if text:
            block.canonical_lines.append(CanonicalLine(text, line))


def _seat_newcomer(roster: Roster, scale: int, block: Block, statement: Statement) -> None:
    seat, line = statement.count, statement.line
    if seat in roster.seats:
        occupant = roster.seats[seat].name or f"Player {seat}"
        block.problems.append(
            NotesQuestion(line.number, f"{occupant} sits in seat {seat}: did he leave?", f"{occupant} leaves")
        )
        return
    stack = int(Decimal(statement.cards).scaleb(scale)) if statement.cards else None
    origin = " table-balance" if statement.qualifier == "moved" else ""
    stack_suffix = "" if stack is None else f" stack {in_units(stack, scale)}"
    block.canonical_lines.append(CanonicalLine(f"{seat} sits {write_word(statement.name)}{origin}{stack_suffix}", line))
    roster.seats[seat] = Player(statement.name, stack, is_new=True)
    roster.used_seats.add(seat)
    if statement.qualifier == "waits":
        _apply_fact(roster, scale, seat, statement)
        block.canonical_lines.append(CanonicalLine(f"{seat} waits for big-blind", line))
        roster.seats[seat].is_waiting = True


def _apply_fact(roster: Roster, scale: int, seat: int, statement: Statement) -> str:
    """Apply a fact to the table; return its canonical line, or "" if nothing changes."""
    player = roster.seats[seat]
    name = write_word(player.name or f"Player {seat}")
    amount = None if statement.amount is None else int(statement.amount.value.scaleb(scale))
    match statement.kind:
        case "away":
            player.is_away = True
            return f"{seat} away player {name}"
        case "back":
            player.is_away = False
            return f"{seat} back player {name}"
        case "waits":
            player.is_waiting = True
            return f"{seat} waits for big-blind"
        case "chips":
            chips_line = _add_chips(player, amount, statement.qualifier, scale)
            return f"{seat} adds {chips_line} player {name}" if chips_line else ""
        case "moves":
            roster.seats[statement.count] = roster.seats.pop(seat)
            roster.used_seats.add(statement.count)
            return f"moved {name} from {seat} to {statement.count}"
        case "leaves":
            del roster.seats[seat]
            stack_suffix = "" if amount is None else f" stack {in_units(amount, scale)}"
            return f"{seat} leaves {name}{' busted' if statement.qualifier else ''}{stack_suffix}"
        case _:
            return ""


def _add_chips(player: Player, amount: int | None, qualifier: str, scale: int) -> str:
    """Add chips to a player's stack; return amount and kind as handscript writes them, or "" if none are known to come.

    With the qualifier `to` the amount is the new stack.
    """
    if qualifier == "to":
        added = None if player.stack is None or amount is None else amount - player.stack
        player.stack = None if added is not None and added <= 0 else amount
        return f"{in_units(added, scale)} top-up" if added is not None and added > 0 else ""
    if amount is None:
        return ""
    player.stack = None if player.stack is None else player.stack + amount
    return f"{in_units(amount, scale)} {qualifier}"
