"""How a hand of notes ends: what comes back, the pot, who wins it."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from ledger.formats.handscript.lines import Line
from ledger.formats.handscript.notes import strict
from ledger.formats.handscript.notes.noted_hand import NotedHand
from ledger.formats.handscript.notes.questions import question
from ledger.formats.handscript.notes.statements import Statement
from ledger.formats.handscript.notes.streets import close_round
from ledger.hand.evaluate import award_ranges

_CHIPS: Final = {"quarter": Decimal("0.25"), "dime": Decimal("0.10"), "nickel": Decimal("0.05"), "dollar": Decimal(1)}


def settle(hand: NotedHand, last: Line) -> None:
    """Write what comes back and who wins what; ask who won if neither notes nor cards say it."""
    if hand.misdealt:
        _undo(hand, last)
        return
    if hand.betting.pending and not hand.betting.over and not (hand.winners or hand.chop):
        raise question(last, f"Hand {hand.number}: what happened next?", f"{hand.betting.pending[0]} folds")
    line = hand.winners[0].line if hand.winners else hand.chop.line if hand.chop else last
    _concede(hand)
    close_round(hand, line)
    _check_streets(hand, line)
    if hand.rake:
        hand.write(f"rake {hand.chips(hand.rake)}", line)
    awards = _awards(hand, line, hand.returned)
    for winner, amount in awards:
        told = _told_amount(hand, winner)
        hand.write(
            f"{winner} wins {hand.chips(amount)}", line, derived=told != amount, why="the pot" * (told != amount)
        )
    hand.write("end", last, derived=not any(one.kind == "end" for one in hand.statements))
    for seat_, stack in hand.stacks.items():
        won = sum(amount for winner, amount in awards if winner == seat_)
        hand.stacks[seat_] = None if stack is None else stack - hand.betting.put.get(seat_, 0) + won


def _check_streets(hand: NotedHand, line: Line) -> None:
    """Ask for a street that two players who could bet must have seen."""
    able = [seat for seat in hand.betting.live if seat not in hand.betting.all_in]
    if len(able) > 1 and hand.heading.variant in ("holdem", "omaha", "omaha8") and len(hand.board) < 5:
        street = {0: "flop", 3: "turn"}.get(len(hand.board), "river")
        raise question(line, f"Hand {hand.number}: what happened next, on the {street}?", f"{street} CARDS")


def _concede(hand: NotedHand) -> None:
    """Let go whoever the notes leave out where somebody wins without a showdown: see `close_round`."""
    table = hand.betting
    if len(hand.winners) != 1 or len(hand.winners[0].who) != 1 or not table.pending:
        return
    seat = hand.resolve(hand.winners[0].who[0], hand.winners[0].line)
    if seat in table.pending and table.owes(seat):
        raise question(hand.winners[0].line, f"{hand.name(seat)} wins: did he call?", f"{seat} calls")


def _undo(hand: NotedHand, last: Line) -> None:
    hand.write("voided misdeal", last, derived=True, why="a misdeal: all chips go back")
    hand.write("end", last, derived=True)


def _told_amount(hand: NotedHand, seat: int) -> int | None:
    for statement in hand.winners:
        if statement.amount is not None and any(hand.resolve(ref, statement.line) == seat for ref in statement.who):
            return hand.units(statement.amount, statement.line)
    return None


# Who wins what


def _awards(hand: NotedHand, line: Line, returned: int) -> list[tuple[int, int]]:
    """Return each winner with his chips."""
    pot = hand.betting.pot - hand.rake
    seats: list[int] = []
    for statement in hand.winners:
        seats += [hand.resolve(ref, statement.line) for ref in statement.who]
    if hand.chop is not None:
        seats += [hand.resolve(ref, hand.chop.line) for ref in hand.chop.who]
        seats = seats or list(hand.betting.live)
        if any(seat in hand.betting.folded for seat in seats):
            raise question(
                hand.chop.line, "A seat that has folded splits the pot: which line is wrong?", "SEAT wins AMOUNT"
            )
        return _split(hand, seats, pot, hand.chop.line)
    for seat in seats:
        if seat in hand.betting.folded:
            raise question(line, f"{hand.name(seat)} has folded and wins: which line is wrong?", "SEAT wins AMOUNT")
    if not seats:
        return _by_cards(hand, pot, line)
    if len(hand.winners) == 1 and len(seats) == 1:
        return _one_winner(hand, seats[0], pot, hand.winners[0], returned)
    return _several_winners(hand, seats, pot, line)


def _one_winner(hand: NotedHand, seat: int, pot: int, statement: Statement, returned: int) -> list[tuple[int, int]]:
    line = statement.line
    able = sum(chips for chips, seats in hand.betting.pots() if seat in seats) - hand.rake
    told = None if statement.amount is None else hand.units(statement.amount, line)
    if able < pot:
        if told not in (None, able):
            raise question(line, f"{hand.name(seat)} can win {hand.chips(able)}, not {hand.chips(told or 0)}")
        rest = [award for award in _by_cards(hand, pot, line) if award[0] != seat]
        if sum(chips for _, chips in rest) != pot - able:
            raise question(
                line, f"Who wins the side pot of {hand.chips(pot - able)}?", f"SEAT wins {hand.chips(pot - able)}"
            )
        return [(seat, able), *rest]
    if told is None or told == pot:
        hand.evidence += told is not None
        return [(seat, pot)]
    if told == pot + returned:
        hand.remark(
            line,
            f"{hand.chips(told)} includes the {hand.chips(returned)} that nobody called; the pot is {hand.chips(pot)}.",
        )
        hand.evidence += 1
        return [(seat, pot)]
    if told == pot - hand.betting.put.get(seat, 0):
        hand.remark(line, f"{hand.chips(told)} is what {hand.name(seat)} wins net; the pot is {hand.chips(pot)}.")
        hand.evidence += 1
        return [(seat, pot)]
    raise question(
        line,
        f"The pot is {hand.chips(pot)} by the lines above, and {hand.name(seat)} wins {hand.chips(told)}",
        f"rake {hand.chips(pot - told)}" if 0 < pot - told <= pot // 5 else "",
        "Or mend the line that is wrong.",
    )


def _several_winners(hand: NotedHand, seats: list[int], pot: int, line: Line) -> list[tuple[int, int]]:
    """Return awards of several winners, each with an amount, or all alike."""
    awards: list[tuple[int, int]] = []
    for statement in hand.winners:
        if statement.amount is None:
            break
        chips = hand.units(statement.amount, statement.line)
        winners = [hand.resolve(ref, statement.line) for ref in statement.who]
        if len(winners) > 1 and statement.how != "each" and chips * len(winners) != pot:
            raise question(line, f"Is {hand.chips(chips)} for each, or for all?", "SEAT wins AMOUNT")
        awards += [(winner, chips) for winner in winners]
    if len(awards) == len(seats):
        if sum(chips for _, chips in awards) != pot:
            raise question(
                line,
                f"The pot is {hand.chips(pot)} by the lines above",
                hint="The winners' amounts don't add up to it.",
            )
        hand.evidence += 1
        return awards
    told_pots = [one.how for one in hand.winners]
    pots = hand.betting.pots()
    if told_pots == ["main", "side"] and len(pots) == 2 and not hand.rake:
        return [(seat, chips) for seat, (chips, able) in zip(seats, pots, strict=True) if seat in able]
    if len(hand.winners) == 1:
        return _split(hand, seats, pot, line)
    raise question(line, "Who wins how much?", "SEAT wins AMOUNT")


def _split(hand: NotedHand, seats: list[int], pot: int, line: Line) -> list[tuple[int, int]]:
    """Return the shares of a pot that is split."""
    if len(hand.betting.pots()) > 1:
        raise question(line, "Who wins how much of which pot?", "SEAT wins AMOUNT")
    chip = 1
    if hand.odd_chip is not None:
        chip = int(_CHIPS.get(hand.odd_chip.how, Decimal(1)).scaleb(hand.scale))
    share = pot // len(seats) // chip * chip
    rest = pot - share * len(seats)
    if not rest:
        return [(seat, share) for seat in seats]
    if hand.odd_chip is None or rest != chip or len(hand.odd_chip.who) != 1:
        raise question(line, f"{hand.chips(pot)} doesn't divide evenly: who gets the odd chip?", "SEAT wins AMOUNT")
    odd = hand.resolve(hand.odd_chip.who[0], hand.odd_chip.line)
    return [(seat, share + rest * (seat == odd)) for seat in seats]


def _by_cards(hand: NotedHand, pot: int, line: Line) -> list[tuple[int, int]]:
    """Return who wins by the cards shown, or because the others folded."""
    if len(hand.betting.live) == 1:
        return [(hand.betting.live[0], pot)]
    ranges = _ranges(hand)
    if ranges is None or any(least != most for least, most in ranges.values()):
        raise question(
            line, f"Hand {hand.number}: who won the pot of {hand.chips(pot)}?", f"SEAT wins {hand.chips(pot)}"
        )
    return [(seat, most) for seat, (least, most) in ranges.items() if most]


def _ranges(hand: NotedHand) -> dict[int, tuple[int, int]] | None:
    """Return what the cards are worth to each seat, None if they do not say it."""
    context = strict.replayed(hand)
    if context is None:
        return None
    found = award_ranges(context.state)
    return None if found is None else {seat: (one.least, one.most) for seat, one in found.items()}
