"""End of a hand of notes: uncalled bets, the pot, its winners."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes import strict
from ledger.formats.handscript.notes.noted_hand import NotedHand
from ledger.formats.handscript.notes.questions import ask_for_ending, question
from ledger.formats.handscript.notes.statements import Statement
from ledger.formats.handscript.notes.streets import close_round
from ledger.hand.evaluate import award_ranges

_CHIP_VALUES: Final = {
    "quarter": Decimal("0.25"),
    "dime": Decimal("0.10"),
    "nickel": Decimal("0.05"),
    "dollar": Decimal(1),
}


def settle(hand: NotedHand, last_line: ScriptLine) -> None:
    """Write uncalled bets and awards; ask who won if neither notes nor cards show it."""
    if hand.misdealt:
        _void_hand(hand, last_line)
        return
    if hand.betting.pending and not hand.betting.is_over and not (hand.winners or hand.chop):
        raise ask_for_ending(last_line, f"Hand {hand.number}: what happened next?", f"{hand.betting.pending[0]} folds")
    note_line = hand.winners[0].line if hand.winners else hand.chop.line if hand.chop else last_line
    _check_winner_called(hand)
    close_round(hand, note_line)
    _check_streets(hand, note_line)
    if hand.rake:
        hand.write(f"rake {hand.chips(hand.rake)}", note_line)
    if hand.jackpot:
        hand.write(f"jackpot {hand.chips(hand.jackpot)}", note_line)
    awards = _find_awards(hand, note_line, hand.returned)
    for winner, amount in awards:
        noted_chips = _find_noted_amount(hand, winner)
        hand.write(
            f"{winner} wins {hand.chips(amount)}",
            note_line,
            is_derived=noted_chips != amount,
            derivation="the pot" * (noted_chips != amount),
        )
    hand.write("end", last_line, is_derived=not any(statement.kind == "end" for statement in hand.statements))
    for dealt_seat, stack in hand.stacks.items():
        won_chips = sum(amount for winner, amount in awards if winner == dealt_seat)
        hand.stacks[dealt_seat] = (
            None if stack is None else stack - hand.betting.contributions.get(dealt_seat, 0) + won_chips
        )


def _check_streets(hand: NotedHand, note_line: ScriptLine) -> None:
    """Ask for a missing street if two players could still bet."""
    betting_seats = [seat for seat in hand.betting.live if seat not in hand.betting.all_in]
    if len(betting_seats) > 1 and hand.heading.variant in ("holdem", "omaha", "omaha8") and len(hand.board) < 5:
        next_street = {0: "flop", 3: "turn"}.get(len(hand.board), "river")
        raise ask_for_ending(
            note_line, f"Hand {hand.number}: what happened next, on the {next_street}?", f"{next_street} CARDS"
        )


def _check_winner_called(hand: NotedHand) -> None:
    """Ask if the only winner still owes a call."""
    betting = hand.betting
    if len(hand.winners) != 1 or len(hand.winners[0].players) != 1 or not betting.pending:
        return
    seat = hand.resolve(hand.winners[0].players[0], hand.winners[0].line)
    if seat in betting.pending and betting.owes(seat):
        raise question(hand.winners[0].line, f"{hand.name(seat)} wins: did he call?", f"{seat} calls")


def _void_hand(hand: NotedHand, last_line: ScriptLine) -> None:
    hand.write("voided misdeal", last_line, is_derived=True, derivation="a misdeal: all chips go back")
    hand.write("end", last_line, is_derived=True)


def _find_noted_amount(hand: NotedHand, seat: int) -> int | None:
    for statement in hand.winners:
        if statement.amount is not None and any(hand.resolve(ref, statement.line) == seat for ref in statement.players):
            return hand.units(statement.amount, statement.line)
    return None


# Who wins what


def _find_awards(hand: NotedHand, note_line: ScriptLine, returned: int) -> list[tuple[int, int]]:
    """Return the winners with their chips."""
    pot_chips = hand.betting.pot - hand.dropped
    if pot_chips < 0:
        raise question(
            note_line,
            f"By the lines above the pot is {hand.chips(hand.betting.pot)}, but the house takes {hand.chips(hand.dropped)}",
            hint="Correct one of them.",
        )
    seats: list[int] = []
    for statement in hand.winners:
        seats += [hand.resolve(ref, statement.line) for ref in statement.players]
    if hand.chop is not None:
        seats += [hand.resolve(ref, hand.chop.line) for ref in hand.chop.players]
        seats = seats or list(hand.betting.live)
        if any(seat in hand.betting.folded for seat in seats):
            raise question(
                hand.chop.line, "A seat that has folded splits the pot: which line is wrong?", "SEAT wins AMOUNT"
            )
        return _split_pot(hand, seats, pot_chips, hand.chop.line)
    for seat in seats:
        if seat in hand.betting.folded:
            raise question(
                note_line, f"{hand.name(seat)} folded but also wins: which line is wrong?", "SEAT wins AMOUNT"
            )
    if not seats:
        return _award_by_cards(hand, pot_chips, note_line)
    if len(hand.winners) == 1 and len(seats) == 1:
        return _award_one_winner(hand, seats[0], pot_chips, hand.winners[0], returned)
    return _award_several_winners(hand, seats, pot_chips, note_line)


def _award_one_winner(
    hand: NotedHand, seat: int, pot_chips: int, statement: Statement, returned: int
) -> list[tuple[int, int]]:
    note_line = statement.line
    winnable_chips = sum(chips for chips, seats in hand.betting.pots() if seat in seats) - hand.dropped
    noted_chips = None if statement.amount is None else hand.units(statement.amount, note_line)
    if winnable_chips < pot_chips:
        if noted_chips not in (None, winnable_chips):
            raise question(
                note_line, f"{hand.name(seat)} can win {hand.chips(winnable_chips)}, not {hand.chips(noted_chips or 0)}"
            )
        return [(seat, winnable_chips), *_award_side_pot(hand, seat, pot_chips, winnable_chips, note_line)]
    if noted_chips is None or noted_chips == pot_chips:
        hand.evidence += noted_chips is not None
        return [(seat, pot_chips)]
    if noted_chips == pot_chips + returned:
        hand.remark(
            note_line,
            f"{hand.chips(noted_chips)} includes the {hand.chips(returned)} that nobody called; the pot is {hand.chips(pot_chips)}.",
        )
        hand.evidence += 1
        return [(seat, pot_chips)]
    if noted_chips == pot_chips - hand.betting.contributions.get(seat, 0):
        hand.remark(
            note_line,
            f"{hand.chips(noted_chips)} is what {hand.name(seat)} wins net; the pot is {hand.chips(pot_chips)}.",
        )
        hand.evidence += 1
        return [(seat, pot_chips)]
    may_be_rake = 0 < pot_chips - noted_chips <= pot_chips // 5
    raise question(
        note_line,
        f"By the lines above the pot is {hand.chips(pot_chips)}, but {hand.name(seat)} wins {hand.chips(noted_chips)}",
        f"rake {hand.chips(pot_chips - noted_chips)}" if may_be_rake else "",
        "Or correct the line that is wrong." if may_be_rake else "Correct one of them.",
    )


def _award_side_pot(
    hand: NotedHand, main_winner: int, pot_chips: int, winnable_chips: int, note_line: ScriptLine
) -> list[tuple[int, int]]:
    """Return the awards, by the cards, of the chips that the winner of the main pot can't win; ask if cards don't decide."""
    side_pot_chips = pot_chips - winnable_chips
    awards = [award for award in _award_by_cards(hand, pot_chips, note_line) if award[0] != main_winner]
    if sum(chips for _, chips in awards) != side_pot_chips:
        raise question(
            note_line,
            f"Who wins the side pot of {hand.chips(side_pot_chips)}?",
            f"SEAT wins {hand.chips(side_pot_chips)}",
        )
    return awards


def _award_several_winners(
    hand: NotedHand, seats: list[int], pot_chips: int, note_line: ScriptLine
) -> list[tuple[int, int]]:
    """Return the awards of several winners, by written amounts, pots or equal shares."""
    awards: list[tuple[int, int]] = []
    for statement in hand.winners:
        if statement.amount is None:
            break
        chips = hand.units(statement.amount, statement.line)
        winners = [hand.resolve(ref, statement.line) for ref in statement.players]
        if len(winners) > 1 and statement.qualifier != "each" and chips * len(winners) != pot_chips:
            raise question(note_line, f"Is {hand.chips(chips)} for each, or for all?", "SEAT wins AMOUNT")
        awards += [(winner, chips) for winner in winners]
    if len(awards) == len(seats):
        if sum(chips for _, chips in awards) != pot_chips:
            raise question(
                note_line,
                f"The pot is {hand.chips(pot_chips)} by the lines above",
                hint="The winners' amounts don't add up to it.",
            )
        hand.evidence += 1
        return awards
    if pot_awards := _award_named_pots(hand):
        return pot_awards
    if len(hand.winners) == 1:
        return _split_pot(hand, seats, pot_chips, note_line)
    raise question(note_line, "Who wins how much?", "SEAT wins AMOUNT")


def _award_named_pots(hand: NotedHand) -> list[tuple[int, int]]:
    """Return the awards if each win names its pot: main, side, or all sides; none if they don't fit the pots."""
    pots = hand.betting.pots()
    awards: list[tuple[int, int]] = []
    indexes = {"main": [0], "side": [1] if len(pots) == 2 else [], "sides": list(range(1, len(pots)))}
    awarded_indexes: list[int] = []
    for statement in hand.winners:
        pot_indexes = indexes.get(statement.qualifier, [])
        if len(statement.players) != 1 or not pot_indexes or hand.dropped:
            return []
        seat = hand.resolve(statement.players[0], statement.line)
        if not all(index < len(pots) and seat in pots[index][1] for index in pot_indexes):
            return []
        chips = sum(pots[index][0] for index in pot_indexes)
        if statement.amount is not None and hand.units(statement.amount, statement.line) != chips:
            return []
        awarded_indexes += pot_indexes
        awards.append((seat, chips))
    return awards if sorted(awarded_indexes) == list(range(len(pots))) else []


def _split_pot(hand: NotedHand, seats: list[int], pot_chips: int, note_line: ScriptLine) -> list[tuple[int, int]]:
    """Return the shares of a pot that is split."""
    if len(hand.betting.pots()) > 1:
        raise question(note_line, "Who wins how much of which pot?", "SEAT wins AMOUNT")
    chip_size = 1
    if hand.odd_chip is not None:
        chip_size = int(_CHIP_VALUES.get(hand.odd_chip.qualifier, Decimal(1)).scaleb(hand.scale))
    share = pot_chips // len(seats) // chip_size * chip_size
    odd_chips = pot_chips - share * len(seats)
    if not odd_chips:
        return [(seat, share) for seat in seats]
    if hand.odd_chip is None or odd_chips != chip_size or len(hand.odd_chip.players) != 1:
        raise question(
            note_line, f"{hand.chips(pot_chips)} doesn't divide evenly: who gets the odd chip?", "SEAT wins AMOUNT"
        )
    odd_chip_seat = hand.resolve(hand.odd_chip.players[0], hand.odd_chip.line)
    return [(seat, share + odd_chips * (seat == odd_chip_seat)) for seat in seats]


def _award_by_cards(hand: NotedHand, pot_chips: int, note_line: ScriptLine) -> list[tuple[int, int]]:
    """Return the awards by the cards shown, or to the last live seat."""
    if len(hand.betting.live) == 1:
        return [(hand.betting.live[0], pot_chips)]
    award_by_seat = _find_award_ranges(hand)
    if award_by_seat is None or any(least_award != most_award for least_award, most_award in award_by_seat.values()):
        raise ask_for_ending(
            note_line,
            f"Hand {hand.number}: who won the pot of {hand.chips(pot_chips)}?",
            f"SEAT wins {hand.chips(pot_chips)}",
        )
    return [(seat, most_award) for seat, (least_award, most_award) in award_by_seat.items() if most_award]


def _find_award_ranges(hand: NotedHand) -> dict[int, tuple[int, int]] | None:
    """Return each seat's least and most award by its cards; None if they don't decide it."""
    context = strict.replay_lines(hand)
    if context is None:
        return None
    ranges_by_seat = award_ranges(context.state)
    return (
        None
        if ranges_by_seat is None
        else {seat: (award_range.least, award_range.most) for seat, award_range in ranges_by_seat.items()}
    )
