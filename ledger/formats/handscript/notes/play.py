"""Playing a hand of notes: each statement in turn, once for each meaning that a raise without `to` may have."""

from __future__ import annotations

from dataclasses import replace

from ledger.formats.handscript import tokens
from ledger.formats.handscript.lines import Line
from ledger.formats.handscript.notes import opening, settlement, streets, strict, turns
from ledger.formats.handscript.notes.interpreter import Hand, Previous
from ledger.formats.handscript.notes.questions import QuestionError, StackDoubtError, question, unread
from ledger.formats.handscript.notes.statements import Statement


def play(hand: Hand, game: str, last: Line, *, derived: bool) -> Hand:
    """Return the hand as read; where a raise may be `to` or `by`, as written amounts decide."""

    def read(raise_means: str) -> Hand:
        return _read_with_stacks(hand, raise_means, game, last, derived)

    first = read(hand.previous.raise_means or "to")
    if first.ambiguous is None:
        return first
    other = read("by" if first.raise_means == "to" else "to")
    if first.problems and other.problems:
        return first
    chosen = other if first.problems else first
    if (first.problems or other.problems) and chosen.evidence:
        chosen.proves_raise = True
        return chosen
    if chosen.ambiguous is None or (chosen is first and hand.previous.raise_means):
        return chosen
    asked = question(chosen.ambiguous, "A raise to that amount, or by it?", "SEAT raises to AMOUNT")
    chosen.problems.append(asked.problem)
    return chosen


def _read_with_stacks(hand: Hand, raise_means: str, game: str, last: Line, derived: bool) -> Hand:
    """Read a hand; a stack that was carried over gives way to an amount that is written."""
    unsure: frozenset[int] = frozenset()
    remarks: list[tuple[Line, str]] = []
    while True:
        found = _fresh(hand, raise_means, unsure)
        found.remarks += remarks
        try:
            return _read(found, game, last, derived)
        except StackDoubtError as doubt:
            unsure |= {doubt.seat}
            remarks.append((doubt.line, doubt.text))


def _fresh(hand: Hand, raise_means: str, unsure_stacks: frozenset[int]) -> Hand:
    """Return the hand before anything of it was read."""
    statements = [replace(statement) for statement in hand.statements]
    return Hand(
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


def _read(hand: Hand, game: str, last: Line, derived: bool) -> Hand:
    before = hand.previous
    moment = next((one.name for one in hand.statements if one.kind == "time"), "")
    hand.write(f"hand {tokens.word(hand.number)}{' ' + moment if moment else ''}", hand.first)
    try:
        _check_game(hand, game)
        _check_table(hand)
        hand.write(game, hand.first, derived=derived, why="as it was played" * derived)
        opening.read_opening(hand)
        for index, statement in enumerate(hand.statements):
            hand.at = index
            if statement.kind == "unread" and not strict.take(hand, statement):
                hand.problems += [
                    unread(one.line, one.text) for one in hand.statements[hand.at :] if one.kind == "unread"
                ]
                break  # what follows may rest on it
            _take(hand, statement)
        else:
            settlement.settle(hand, last)
    except QuestionError as error:
        hand.ask(error.problem)
    hand.problems.sort(key=lambda problem: problem.line)
    played = not hand.problems
    hand.previous = Previous(
        hand.betting.button,
        hand.big_seat,
        hand.small_amount or before.small_amount,
        before.raise_means,
        (played and not hand.misdealt) or (played and hand.misdealt),
        hand.misdealt,
    )
    return hand


def _check_game(hand: Hand, game: str) -> None:
    heading = hand.heading
    if not game:
        raise question(hand.first, "Which game is it?", "game no-limit holdem 2/5", "Write it above the first hand.")
    if not heading.stakes and not heading.blinds:
        raise question(
            hand.first, "What are the stakes?", f"game {heading.betting} holdem 2/5", "Write it above the first hand."
        )


def _check_table(hand: Hand) -> None:
    if hand.roster.doubt:
        raise question(
            hand.first,
            f"Hand {hand.number}: line {hand.roster.doubt} isn't read, and it may change who plays",
            hint=f"Mend line {hand.roster.doubt}, and this hand is read, too.",
        )


def _take(hand: Hand, statement: Statement) -> None:
    kind = statement.kind
    if kind in _BETTING and (hand.winners or hand.chop or hand.misdealt):
        raise question(statement.line, "The hand is over above this line: what belongs to which hand?")
    if kind == "act":
        turns.take_acts(hand, statement)
    elif kind == "next":
        turns.take_next(hand, statement)
    elif kind == "everyone":
        turns.take_everyone(hand, statement)
    elif kind == "folds-to":
        turns.take_folds_to(hand, statement)
    elif kind == "board":
        streets.take_board(hand, statement)
    elif kind == "show":
        streets.take_cards(hand, statement)
    elif kind == "muck":
        streets.take_muck(hand, statement)
    elif kind == "win":
        hand.winners.append(statement)
    elif kind == "chop":
        hand.chop = statement
    elif kind == "odd-chip":
        hand.odd_chip = statement
    elif kind == "rake" and statement.amount is not None:
        hand.rake += hand.units(statement.amount, statement.line)
    elif kind == "misdeal":
        hand.misdealt = True
        hand.write(f"misdeal {statement.how}", statement.line)
    elif kind == "deal":
        hand.write("deal done", statement.line)
    elif kind == "strict":
        hand.write(_strict(hand, statement), statement.line)
    elif kind == "fact":
        for text in statement.cards.splitlines():
            hand.write(text, statement.line)
    elif kind in _OF_TABLE:
        _leave_table(hand, statement)
    elif kind == "remark":
        hand.write(f"remark {tokens.quote(statement.text)}", statement.line)


_BETTING = frozenset(("act", "next", "everyone", "folds-to"))
_OF_TABLE = frozenset(("away", "back", "leaves", "chips", "moves", "waits", "sits"))


def _leave_table(hand: Hand, statement: Statement) -> None:
    """Write what players do about their seats while a hand is played; it counts for the hands below."""
    seats = [hand.resolve(ref, statement.line) for ref in statement.who]
    for seat in seats:
        if statement.kind in ("away", "back"):
            hand.write(f"{seat} {statement.kind}", statement.line)
        else:
            hand.write(f"remark {tokens.quote(statement.text)}", statement.line)


def _strict(hand: Hand, statement: Statement) -> str:
    """Return a line that the strict grammar has, with the street that a burn comes before."""
    if statement.text == "burn":
        return f"burn {('flop', 'turn', 'river', 'river')[max(0, len(hand.board) - 2) if hand.board else 0]}"
    return statement.text
