"""The streets of a hand of notes: when a betting round is over, the board, the showdown."""

from __future__ import annotations

from ledger.formats.handscript.lines import Line
from ledger.formats.handscript.notes.noted_hand import NotedHand
from ledger.formats.handscript.notes.questions import question
from ledger.formats.handscript.notes.statements import Statement
from ledger.formats.handscript.notes.turns import pass_over, take_act
from ledger.formats.handscript.tokens import quote


def close_round(hand: NotedHand, line: Line) -> None:
    """End a betting round: fill in turns that the notes leave out, or ask."""
    table = hand.betting
    if table.pending and len(table.live) > 1 and not table.acted and not hand.misdealt:
        seats = " ".join(map(str, table.pending))
        raise question(line, f"What happened on the {table.street}? No act is written", f"{seats} check")
    for seat in list(table.pending):
        if table.over:
            break
        if hand.keeps_order:
            pass_over(hand, seat, line)
        else:
            raise question(line, f"What did {hand.name(seat)} do?", f"{seat} folds")
    if table.pending and not table.over:
        seat = table.pending[0]
        raise question(line, f"What did {hand.name(seat)} do?", f"{seat} folds")
    seat, chips = table.uncalled()
    if chips:
        hand.write(f"{seat} uncalled {hand.chips(chips)}", line, derived=True, why="nobody called it")
        table.take_back(seat, chips)
        hand.returned += chips


def take_board(hand: NotedHand, statement: Statement) -> None:
    """Read a street: the round before it is over."""
    table, line = hand.betting, statement.line
    cards = statement.cards.split()
    if statement.verb == "next":
        statement.verb = {3: "turn", 4: "river"}.get(len(hand.board), "")
        if not statement.verb:
            raise question(line, f"Which street is the {statement.cards}?", "flop CARDS")
    at = {"flop": 0, "turn": 3, "river": 4}[statement.verb]
    if hand.board[at : at + len(cards)] == cards:
        return  # said once more
    if at != len(hand.board):
        raise question(line, f"The {statement.verb} is out of place", hint="The board is flop, turn, river.")
    _no_card_twice(hand, cards, line)
    close_round(hand, line)
    if table.over:
        raise question(line, f"The hand is over before the {statement.verb}", hint="Which act above is wrong?")
    if statement.amount is not None:
        _check_pot(hand, hand.units(statement.amount, line), line)
    hand.board += cards
    hand.write(f"{statement.verb} {' '.join(cards)}", line)
    table.new_street(statement.verb)
    hand.keeps_order = hand.betting.button > 0


def _check_pot(hand: NotedHand, told: int, line: Line) -> None:
    """Compare the pot that the notes say at a street with what went in."""
    pot = hand.betting.pot
    if told == pot:
        hand.evidence += 1
    elif told < pot * 9 // 10 or told > pot * 11 // 10 + 1:
        raise question(
            line,
            f"The pot is {hand.chips(pot)} by the lines above, not {hand.chips(told)}",
            hint="Mend the line that is wrong.",
        )
    else:
        hand.remark(line, f"The pot is {hand.chips(pot)} by the lines above, not {hand.chips(told)}.")


def take_pot(hand: NotedHand, statement: Statement) -> None:
    """Compare a pot that the notes count between two acts with what went in."""
    if statement.amount is None:
        return
    told, table = hand.units(statement.amount, statement.line), hand.betting
    pots = [chips for chips, _ in table.pots()]
    back = table.uncalled()[1]
    if told in (table.pot, table.pot - back) or (statement.how and told in (*pots, *(chips - back for chips in pots))):
        hand.evidence += 1
        hand.write(f"remark {quote(statement.text)}", statement.line)
        return
    raise question(
        statement.line,
        f"The pot is {hand.chips(table.pot - back)} by the lines above, not {hand.chips(told)}",
        hint="Mend the line that is wrong.",
    )


def _no_card_twice(hand: NotedHand, cards: list[str], line: Line) -> None:
    seen = hand.board + [card for shown in hand.shown.values() for card in shown.split()]
    twice = next((card for at, card in enumerate(cards) if card in seen or card in cards[:at]), "")
    if twice:
        raise question(line, f"The {twice} is there twice")


def take_cards(hand: NotedHand, statement: Statement) -> None:
    """Read cards that a player shows."""
    seat = hand.resolve(statement.who[0], statement.line)
    cards = statement.cards.split()
    most = {"holdem": 2, "omaha": 4, "omaha8": 4}.get(hand.heading.variant, 7)
    if len(cards) > most:
        raise question(statement.line, f"{hand.name(seat)} shows {len(cards)} cards, and the game has {most}")
    again = sorted(hand.shown.pop(seat, "").split()) == sorted(cards)
    _no_card_twice(hand, cards, statement.line)
    if seat in hand.betting.pending and statement.how == "holds":  # nobody else sees them yet
        hand.shown[seat] = statement.cards
        if not again:
            hand.write(f"{seat} held {statement.cards}", statement.line)
        return
    if seat in hand.betting.folded:
        raise question(statement.line, f"{hand.name(seat)} has folded and shows?", hint="Which line is wrong?")
    if seat in hand.betting.pending and hand.betting.owes(seat):
        raise question(statement.line, f"{hand.name(seat)} shows and hasn't called: a fold?", f"{seat} folds")
    waiting = [other for other in hand.betting.pending if hand.betting.owes(other)]
    if waiting:
        raise question(
            statement.line, f"What did {hand.name(waiting[0])} do before the cards were shown?", f"{waiting[0]} calls"
        )
    hand.shown[seat] = statement.cards
    hand.write(f"{seat} shows {statement.cards}", statement.line)


def take_muck(hand: NotedHand, statement: Statement) -> None:
    """Read a muck: a fold while the seat owes a call."""
    for ref in statement.who:
        seat = hand.resolve(ref, statement.line)
        table = hand.betting
        if seat in table.pending and table.owes(seat):
            take_act(hand, seat, Statement("act", statement.line, verb="fold"))
        elif seat in table.pending:
            raise question(
                statement.line, f"{hand.name(seat)} mucks before the betting is over: a fold?", f"{seat} folds"
            )
        else:
            hand.write(f"{seat} mucks{' ' + statement.cards if statement.cards else ''}", statement.line)
