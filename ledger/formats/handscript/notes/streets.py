"""Streets of a hand of notes: end of a betting round, board, showdown."""

from __future__ import annotations

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.noted_hand import NotedHand
from ledger.formats.handscript.notes.questions import QuestionError, ask_for_act, question
from ledger.formats.handscript.notes.statements import Statement
from ledger.formats.handscript.notes.turns import pass_over, take_act
from ledger.formats.handscript.tokens import quote


def close_round(hand: NotedHand, note_line: ScriptLine) -> None:
    """End a betting round: derive the missing turns, or ask."""
    betting = hand.betting
    if betting.pending and len(betting.live) > 1 and not betting.acted and not hand.misdealt:
        seats = " ".join(map(str, betting.pending))
        raise question(note_line, f"What happened on the {betting.street}? No act is written", f"{seats} check")
    for seat in list(betting.pending):
        if betting.is_over:
            break
        if hand.keeps_order:
            pass_over(hand, seat, note_line)
        else:
            raise ask_for_act(note_line, seat, hand.name(seat), "folds")
    if betting.pending and not betting.is_over:
        seat = betting.pending[0]
        raise ask_for_act(note_line, seat, hand.name(seat), "folds")
    seat, chips = betting.uncalled()
    if chips:
        hand.write(f"{seat} uncalled {hand.chips(chips)}", note_line, is_derived=True, derivation="nobody called it")
        betting.take_back(seat, chips)
        hand.returned += chips


def take_board(hand: NotedHand, statement: Statement) -> None:
    """Read a street and end the betting round before it."""
    betting, note_line = hand.betting, statement.line
    cards = statement.cards.split()
    if statement.qualifier == "ranks":
        raise question(
            note_line, f"Which suits does the {statement.verb} {statement.cards} have?", f"{statement.verb} CARDS"
        )
    if statement.verb == "next":
        statement.verb = {3: "turn", 4: "river"}.get(len(hand.board), "")
        if not statement.verb:
            raise question(note_line, f"Which street is the {statement.cards}?", "flop CARDS")
    board_index = {"flop": 0, "turn": 3, "river": 4}[statement.verb]
    if hand.board[board_index : board_index + len(cards)] == cards:
        return  # repeated
    if board_index != len(hand.board):
        raise _ask_about_street(hand, statement)
    _check_no_duplicates(hand, cards, note_line)
    close_round(hand, note_line)
    if betting.is_over:
        raise question(note_line, f"The hand is over before the {statement.verb}", hint="Which act above is wrong?")
    if statement.amount is not None:
        _check_pot(hand, hand.units(statement.amount, note_line), note_line)
    hand.board += cards
    hand.write(f"{statement.verb} {' '.join(cards)}", note_line)
    betting.new_street(statement.verb)
    hand.keeps_order = hand.betting.button > 0


def _ask_about_street(hand: NotedHand, statement: Statement) -> QuestionError:
    """Return the question about a street that doesn't follow the board so far."""
    street_count = len(hand.board)
    next_street = {0: "flop", 3: "turn", 4: "river"}.get(street_count, "")
    if street_count > {"flop": 0, "turn": 3, "river": 4}[statement.verb]:
        return question(
            statement.line, f"There is a second {statement.verb}, with other cards", hint="Correct one of them."
        )
    return question(
        statement.line,
        f"There is a {statement.verb} but no {next_street}",
        hint=f"Add the {next_street} above this line.",
    )


def _check_pot(hand: NotedHand, noted_pot: int, note_line: ScriptLine) -> None:
    """Compare the noted pot at a street with the chips in the pot."""
    pot_chips = hand.betting.pot
    if noted_pot == pot_chips:
        hand.evidence += 1
    elif noted_pot < pot_chips * 9 // 10 or noted_pot > pot_chips * 11 // 10 + 1:
        raise question(
            note_line,
            f"The pot is {hand.chips(pot_chips)} by the lines above, not {hand.chips(noted_pot)}",
            hint="Correct the line that is wrong.",
        )
    else:
        hand.remark(note_line, f"The pot is {hand.chips(pot_chips)} by the lines above, not {hand.chips(noted_pot)}.")


def take_pot(hand: NotedHand, statement: Statement) -> None:
    """Compare a noted pot between two acts with the chips in the pot."""
    if statement.amount is None:
        return
    noted_pot, betting = hand.units(statement.amount, statement.line), hand.betting
    pot_sizes = [chips for chips, _ in betting.pots()]
    uncalled_chips = betting.uncalled()[1]
    if noted_pot in (betting.pot, betting.pot - uncalled_chips) or (
        statement.qualifier and noted_pot in (*pot_sizes, *(chips - uncalled_chips for chips in pot_sizes))
    ):
        hand.evidence += 1
        hand.write(f"remark {quote(statement.text)}", statement.line)
        return
    raise question(
        statement.line,
        f"The pot is {hand.chips(betting.pot - uncalled_chips)} by the lines above, not {hand.chips(noted_pot)}",
        hint="Correct the line that is wrong.",
    )


def _check_no_duplicates(hand: NotedHand, cards: list[str], note_line: ScriptLine) -> None:
    seen_cards = hand.board + [card for shown_cards in hand.shown_cards.values() for card in shown_cards.split()]
    repeated_card = next(
        (card for card_index, card in enumerate(cards) if card in seen_cards or card in cards[:card_index]), ""
    )
    if repeated_card:
        first_line = _find_line_with_card(hand, repeated_card)
        if first_line not in (0, note_line.number):
            raise question(
                note_line,
                f"The {repeated_card} appears twice: on line {first_line} and on line {note_line.number}",
                hint="Correct one of them.",
            )
        raise question(note_line, f"The {repeated_card} appears twice")


def _find_line_with_card(hand: NotedHand, card: str) -> int:
    """Return the number of the first line that names a card, 0 if none does before this statement."""
    earlier_statements = hand.statements[: hand.statement_index]
    return next((statement.line.number for statement in earlier_statements if card in statement.cards.split()), 0)


def take_cards(hand: NotedHand, statement: Statement) -> None:
    """Read cards that a player shows."""
    seat = hand.resolve(statement.players[0], statement.line)
    cards = statement.cards.split()
    most_cards = {"holdem": 2, "omaha": 4, "omaha8": 4}.get(hand.heading.variant, 7)
    if len(cards) > most_cards:
        raise question(statement.line, f"{hand.name(seat)} shows {len(cards)} cards, and the game has {most_cards}")
    is_known = sorted(hand.shown_cards.pop(seat, "").split()) == sorted(cards)
    _check_no_duplicates(hand, cards, statement.line)
    if seat in hand.betting.pending and statement.qualifier == "holds":  # only their holder sees them
        hand.shown_cards[seat] = statement.cards
        if not is_known:
            hand.write(f"{seat} held {statement.cards}", statement.line)
        return
    if seat in hand.betting.folded:
        raise question(statement.line, f"{hand.name(seat)} has folded and shows?", hint="Which line is wrong?")
    if seat in hand.betting.pending and hand.betting.owes(seat):
        raise question(statement.line, f"{hand.name(seat)} shows and hasn't called: a fold?", f"{seat} folds")
    owing_seats = [pending_seat for pending_seat in hand.betting.pending if hand.betting.owes(pending_seat)]
    if owing_seats:
        seat_name = hand.name(owing_seats[0])
        raise ask_for_act(statement.line, owing_seats[0], seat_name, "calls", until=" before the cards were shown")
    hand.shown_cards[seat] = statement.cards
    hand.write(f"{seat} shows {statement.cards}", statement.line)


def take_muck(hand: NotedHand, statement: Statement) -> None:
    """Read a muck: a fold while the seat owes a call."""
    for ref in statement.players:
        seat = hand.resolve(ref, statement.line)
        betting = hand.betting
        if seat in betting.pending and betting.owes(seat):
            take_act(hand, seat, Statement("act", statement.line, verb="fold"))
        elif seat in betting.pending:
            raise question(
                statement.line, f"{hand.name(seat)} mucks before the betting is over: a fold?", f"{seat} folds"
            )
        else:
            hand.write(f"{seat} mucks{' ' + statement.cards if statement.cards else ''}", statement.line)
