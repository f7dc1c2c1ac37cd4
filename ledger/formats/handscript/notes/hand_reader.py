"""Reads a hand of notes, statement by statement, once for each meaning of a raise without `to`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from ledger.formats.handscript import tokens
from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes import gaps, hand_opening, settlement, streets, strict, turns
from ledger.formats.handscript.notes.noted_hand import NotedHand, Previous
from ledger.formats.handscript.notes.questions import NotesQuestion, QuestionError, StackDoubtError, question
from ledger.formats.handscript.notes.statements import Kind, Statement
from ledger.formats.handscript.notes.unread_words import explain_unread

MAX_STATEMENTS: Final = 600
"""More statements than any hand has; reading them would take too long."""


def read_hand(hand: NotedHand, game: str, last_line: ScriptLine, *, derived: bool) -> NotedHand:
    """Read a hand; if a raise may be `to` or `by`, the written amounts decide."""

    def read_with_meaning(raise_means: str) -> NotedHand:
        return _read_with_stacks(hand, raise_means, game, last_line, derived)

    if len(hand.statements) > MAX_STATEMENTS:
        question_error = question(
            hand.first, f"Hand {hand.number} is longer than any hand: where does the next one begin?", "hand NUMBER"
        )
        hand.problems.append(question_error.question)
        return hand
    first_reading = read_with_meaning(hand.previous.raise_means or "to")
    if first_reading.ambiguous is None:
        return first_reading
    other_reading = read_with_meaning("by" if first_reading.raise_means == "to" else "to")
    if first_reading.problems and other_reading.problems:
        return first_reading
    chosen_reading = other_reading if first_reading.problems else first_reading
    if (first_reading.problems or other_reading.problems) and chosen_reading.evidence:
        chosen_reading.proves_raise = True
        return chosen_reading
    if chosen_reading.ambiguous is None or (chosen_reading is first_reading and hand.previous.raise_means):
        return chosen_reading
    question_error = question(chosen_reading.ambiguous, "A raise to that amount, or by it?", "SEAT raises to AMOUNT")
    chosen_reading.problems.append(question_error.question)
    return chosen_reading


def _read_with_stacks(hand: NotedHand, raise_means: str, game: str, last_line: ScriptLine, derived: bool) -> NotedHand:
    """Read a hand; a written amount overrides a stack carried over from earlier hands."""
    unsure_stacks: frozenset[int] = frozenset()
    remarks: list[tuple[ScriptLine, str]] = []
    while True:
        fresh_hand = _copy_unread_hand(hand, raise_means, unsure_stacks)
        fresh_hand.remarks += remarks
        try:
            return _read_statements(fresh_hand, game, last_line, derived)
        except StackDoubtError as doubt:
            unsure_stacks |= {doubt.seat}
            remarks.append((doubt.line, doubt.text))


def _copy_unread_hand(hand: NotedHand, raise_means: str, unsure_stacks: frozenset[int]) -> NotedHand:
    """Return an unread copy of the hand."""
    statements = _forget_misdeal([replace(statement) for statement in hand.statements])
    return NotedHand(
        hand.number,
        hand.first,
        statements,
        hand.heading,
        hand.roster,
        hand.previous,
        scale=hand.scale,
        raise_means=raise_means,
        start=hand.start,
        unsure_stacks=unsure_stacks,
    )


def _forget_misdeal(statements: list[Statement]) -> list[Statement]:
    """Return a hand's statements without a misdeal before its first act if the hand is dealt again and played."""
    first_act = next((index for index, noted in enumerate(statements) if noted.kind in _BETTING_KINDS), 0)
    misdeals = [index for index, noted in enumerate(statements) if noted.kind == "misdeal"]
    if not first_act or not misdeals or misdeals[-1] > first_act:
        return statements
    redealt = statements[misdeals[-1] + 1 : first_act]
    posts_again = any(noted.kind in ("post", "bare") for noted in redealt)
    kept_statements: list[Statement] = []
    for index, noted in enumerate(statements):
        if index <= misdeals[-1] and (noted.kind == "misdeal" or (posts_again and noted.kind in ("post", "bare"))):
            kept_statements.append(Statement("remark", noted.line, text=noted.text))
        elif noted.kind not in ("returned", "same-button"):
            kept_statements.append(noted)
    return kept_statements


def _read_statements(hand: NotedHand, game: str, last_line: ScriptLine, derived: bool) -> NotedHand:
    previous_hand = hand.previous
    hand_time = next((noted.name for noted in hand.statements if noted.kind == "time"), "")
    hand.write(f"hand {tokens.write_word(hand.number)}{' ' + hand_time if hand_time else ''}", hand.first)
    try:
        _check_game(hand, game)
        _check_table(hand)
        hand.write(game, hand.first, is_derived=derived, derivation="as it was played" * derived)
        _check_ending(hand)
        hand_opening.read_opening(hand)
        for statement_index, statement in enumerate(hand.statements):
            hand.statement_index = statement_index
            if statement.kind in ("unread", "gap") and strict.take_strict_facts(hand, statement):
                continue
            if statement.kind == "unread":
                hand.problems += [
                    explain_unread(unread_statement.line, unread_statement.text, hand.roster)
                    for unread_statement in hand.statements[hand.statement_index :]
                    if unread_statement.kind == "unread"
                ]
                break  # later statements may depend on it
            _handle_statement(hand, statement)
        else:
            gaps.check_end(hand)
            settlement.settle(hand, last_line)
    except QuestionError as error:
        hand.ask(error.question)
    hand.problems.sort(key=lambda problem: problem.line)
    is_played = not hand.problems
    hand.previous = Previous(
        hand.betting.button,
        hand.big_seat,
        hand.small_amount or previous_hand.small_amount,
        previous_hand.raise_means,
        is_played,
        hand.misdealt,
        hand.dealt,
    )
    return hand


_WRITE_ABOVE_HANDS: Final = "Write it above the first hand."


def _check_game(hand: NotedHand, game: str) -> None:
    heading = hand.heading
    if not game:
        raise question(hand.first, "Which game is it?", "game no-limit holdem 2/5", _WRITE_ABOVE_HANDS)
    if heading.third is not None:
        stakes_text = "/".join(f"{value.normalize():f}" for value in (*heading.stakes, heading.third))
        raise question(
            hand.first,
            f"{stakes_text}: is the last a third blind, or a straddle?",
            "blinds SMALL/BIG",
            _WRITE_ABOVE_HANDS,
        )
    if not heading.stakes and not heading.blinds:
        raise question(hand.first, "What are the stakes?", f"game {heading.betting} holdem 2/5", _WRITE_ABOVE_HANDS)


def _check_table(hand: NotedHand) -> None:
    if hand.roster.doubt:
        raise QuestionError(
            NotesQuestion(
                hand.first.number,
                f"Hand {hand.number}: line {hand.roster.doubt} isn't read, and it may change who plays",
                hint=f"Mend line {hand.roster.doubt}, and this hand is read, too.",
                depends_on=hand.roster.doubt,
            )
        )


def _check_ending(hand: NotedHand) -> None:
    """Ask if another hand seems to start after the end of this one."""
    is_over = False
    for statement in hand.statements:
        if is_over and statement.kind in _OPENING_KINDS:
            raise question(statement.line, "Does another hand begin here?", "hand NUMBER")
        is_over = is_over or statement.kind in ("win", "chop", "misdeal", "end")


_OPENING_KINDS: Final = frozenset(
    ("button", "post", "bare", "straddle", "seats", "seats-in", "board", "misdeal", "dead-small")
)
_BETTING_KINDS: Final = frozenset(("act", "next", "everyone", "folds-to", "checks-to"))


def _handle_statement(hand: NotedHand, statement: Statement) -> None:
    if statement.kind in _BETTING_KINDS and (hand.winners or hand.chop or hand.misdealt):
        raise question(statement.line, "The hand is over above this line: what belongs to which hand?")
    gaps.check_gap(hand, statement)
    handler = HANDLERS.get(statement.kind)
    if handler is not None:
        handler(hand, statement)


def _take_win(hand: NotedHand, statement: Statement) -> None:
    hand.winners.append(statement)


def _take_chop(hand: NotedHand, statement: Statement) -> None:
    hand.chop = statement


def _take_odd_chip(hand: NotedHand, statement: Statement) -> None:
    hand.odd_chip = statement


def _take_rake(hand: NotedHand, statement: Statement) -> None:
    if statement.amount is not None:
        hand.rake += hand.units(statement.amount, statement.line)


def _take_jackpot(hand: NotedHand, statement: Statement) -> None:
    if statement.amount is not None:
        hand.jackpot += hand.units(statement.amount, statement.line)


def _take_misdeal(hand: NotedHand, statement: Statement) -> None:
    hand.misdealt = True
    hand.write(f"misdeal {statement.qualifier}", statement.line)


def _take_deal(hand: NotedHand, statement: Statement) -> None:
    hand.write("deal done", statement.line)


def _take_fact(hand: NotedHand, statement: Statement) -> None:
    for fact_line in statement.cards.splitlines():
        hand.write(fact_line, statement.line)


def _take_remark(hand: NotedHand, statement: Statement) -> None:
    hand.write(f"remark {tokens.quote(statement.text)}", statement.line)


def _leave_table(hand: NotedHand, statement: Statement) -> None:
    """Write changes of seats during a hand; they take effect in later hands."""
    seats = [hand.roster.find(ref) or hand.resolve(ref, statement.line) for ref in statement.players]
    for seat in seats:
        if statement.kind in ("away", "back"):
            hand.write(f"{seat} {statement.kind}", statement.line)
        else:
            hand.write(f"remark {tokens.quote(statement.text)}", statement.line)


def _take_strict(hand: NotedHand, statement: Statement) -> None:
    """Write a line of the strict grammar; add the street to a burn."""
    strict_line = statement.text
    if strict_line == "burn":
        strict_line = f"burn {('flop', 'turn', 'river', 'river')[max(0, len(hand.board) - 2) if hand.board else 0]}"
    hand.write(strict_line, statement.line)


HANDLERS: Final[dict[Kind, Callable[[NotedHand, Statement], None]]] = {
    "act": turns.take_acts,
    "next": turns.take_next,
    "everyone": turns.take_everyone,
    "folds-to": turns.take_folds_to,
    "checks-to": turns.take_checks_to,
    "board": streets.take_board,
    "pot": streets.take_pot,
    "show": streets.take_cards,
    "muck": streets.take_muck,
    "win": _take_win,
    "chop": _take_chop,
    "odd-chip": _take_odd_chip,
    "rake": _take_rake,
    "jackpot": _take_jackpot,
    "misdeal": _take_misdeal,
    "deal": _take_deal,
    "strict": _take_strict,
    "fact": _take_fact,
    "remark": _take_remark,
    "gap": gaps.open_gap,
    "away": _leave_table,
    "back": _leave_table,
    "leaves": _leave_table,
    "chips": _leave_table,
    "moves": _leave_table,
    "waits": _leave_table,
    "sits": _take_remark,
}
"""Handlers by kind of statement; the other kinds are read in the opening."""
