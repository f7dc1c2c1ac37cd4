"""How a hand of notes begins: who is dealt in, the button, the blinds."""

from __future__ import annotations

from typing import Final

from ledger.formats.handscript.lines import Line
from ledger.formats.handscript.notes.bet_tracker import Betting
from ledger.formats.handscript.notes.noted_hand import NotedHand
from ledger.formats.handscript.notes.questions import QuestionError, question
from ledger.formats.handscript.notes.statements import Statement
from ledger.formats.handscript.tokens import word

POSTS: Final = frozenset(("post", "bare", "straddle", "ante", "dead-small", "posted"))
_PLAY: Final = frozenset(("act", "next", "everyone", "folds-to", "board", "show", "muck", "win"))


def read_opening(hand: NotedHand) -> None:
    """Write the seats, the button and the posts."""
    _read_bare_bets(hand)
    _seat_players(hand)
    _place_button(hand)
    _post_blinds(hand)


def _read_bare_bets(hand: NotedHand) -> None:
    """Take `Cho 8` for a bet where it is more than any post, or stands behind one."""
    big = _amount_of(hand, "big")
    is_playing = False
    for statement in hand.statements:
        if statement.kind == "bare" and statement.amount is not None and big:
            amount = statement.amount.value.scaleb(hand.scale)
            if is_playing or (amount > 2 * big and not statement.amount.approximate):
                statement.kind, statement.verb = "act", "bare"
        is_playing = is_playing or statement.kind in _PLAY


_BEFORE: Final = "Write it above this hand."


# Seats


def _seat_players(hand: NotedHand) -> None:
    roster = hand.roster
    if not roster.seats:
        raise question(
            hand.first,
            f"Hand {hand.number}: who sits where?",
            "seats: 1 NAME STACK, 2 NAME STACK",
            "One line for all is enough.",
        )
    named = [statement for statement in hand.statements if statement.kind == "seats-in"]
    listed = [statement for statement in hand.statements if statement.kind == "seats"]
    acting = _acting(hand)
    if named:
        dealt = {hand.roster.find(ref) for ref in named[0].who}
        if None in dealt:
            unknown = next(ref for ref in named[0].who if hand.roster.find(ref) is None)
            raise question(
                named[0].line, f"Nobody sits in seat {unknown.text}", f"{unknown.text} sits NAME stack STACK"
            )
        seats = {seat for seat in dealt if seat}
    else:
        seats = {
            seat
            for seat, player in roster.seats.items()
            if seat in acting or not (player.is_away or player.is_waiting or player.stack == 0)
        }
    if len(seats) < 2:
        raise question(hand.first, f"Hand {hand.number}: who else is dealt in?", "seats SEAT SEAT SEAT")
    silent = [seat for seat in sorted(seats - acting) if roster.seats[seat].may_be_absent]
    if silent and not named:
        seat = silent[0]
        raise question(hand.first, f"Hand {hand.number}: is {hand.name(seat)} dealt in?", f"{seat} away", _BEFORE)
    line = named[0].line if named else listed[-1].line if listed else hand.first
    for seat, player in sorted(roster.seats.items()):
        name = word(player.name or f"Player {seat}")
        known = None if seat in hand.unsure_stacks or (seat in acting and player.stack == 0) else player.stack
        stack = "?" if known is None else hand.chips(known)
        derived = not listed and player.carried
        own = (
            player.line if player.line is not None and player.line.start >= hand.start and not player.carried else line
        )
        if seat in seats:
            hand.write(
                f"seat {seat} {name} {stack}", own, derived=derived, why="as the hands before leave it" * derived
            )
        elif player.is_away or player.is_waiting:
            reason = "waiting-for-big-blind" if player.is_waiting else "away"
            hand.write(f"left-out {seat} {name} {stack} {reason}", own, derived=derived)
    hand.dealt = tuple(sorted(seats))
    hand.betting = Betting(
        hand.dealt,
        {
            seat: None if seat in hand.unsure_stacks or not roster.seats[seat].stack else roster.seats[seat].stack
            for seat in hand.dealt
        },
    )
    hand.stacks = dict(hand.betting.stacks)


def _acting(hand: NotedHand) -> set[int]:
    """Return the seats that the notes name as posting or acting in this hand."""
    seats = set()
    for statement in hand.statements:
        if statement.kind in ("act", "post", "bare", "straddle", "show"):
            seats |= {seat for ref in statement.who if (seat := hand.roster.find(ref))}
    return seats


# The button


def _place_button(hand: NotedHand) -> None:
    told = [statement for statement in hand.statements if statement.kind == "button"]
    if told:
        ref = told[-1].who[0]
        seat = ref.seat or hand.roster.find(ref)
        if not seat:
            raise question(told[-1].line, f"Which seat is {ref.text}?", "button SEAT")
        if seat not in hand.roster.taken and not told[-1].how:
            raise question(told[-1].line, f"Nobody sits in seat {seat}: a dead button?", f"dead button seat {seat}")
        hand.betting.button = seat
        hand.write(f"button {seat}", told[-1].line)
        return
    seat = _next_button(hand)
    if not seat:
        raise question(hand.first, f"Hand {hand.number}: who has the button?", "button SEAT")
    hand.betting.button = seat
    hand.write(f"button {seat}", hand.first, derived=True, why="the next seat, as the blinds confirm")


def _next_button(hand: NotedHand) -> int:
    """Return the seat next to the button before, if the blinds of this hand say the same; 0 otherwise."""
    before = hand.previous
    small = _posted_by(hand, "small")
    if before.played and before.button and not small and not before.misdealt and before.dealt == hand.dealt:
        return hand.betting.after(before.button)[0]  # nobody came or left: every way of moving it says the same
    if not (before.played and before.button and small):
        return 0
    table = hand.betting
    seat = before.button if before.misdealt else table.after(before.button)[0]
    heads_up = len(hand.dealt) == 2
    behind = seat if heads_up else table.after(seat)[0]
    return seat if behind == small and seat in hand.dealt else 0


def _posted_by(hand: NotedHand, role: str) -> int:
    """Return who posts a blind by the words of the notes; 0 if they name nobody."""
    for statement in hand.statements:
        if statement.kind == "post" and statement.verb == role and statement.who:
            return hand.roster.find(statement.who[0]) or 0
    return 0


# The blinds


def _post_blinds(hand: NotedHand) -> None:
    posts = [statement for statement in hand.statements if statement.kind in POSTS]
    told = [statement for statement in posts if statement.kind in ("post", "bare")]
    small, big = _positions(hand)
    roles = {id(one): role for one, role in _roles(hand, told, small, big)}
    _check_order(hand, small, big)
    no_small = any(one.kind == "dead-small" for one in posts)
    has = set(roles.values())
    if not has & {"small", "big"} and not ("unknown" in has or (no_small and has)):
        _expect_blinds(hand, small, big)
        _post(hand, small, "small", None, hand.first, derived=True)
        _post(hand, big, "big", None, hand.first, derived=True)
        hand.big_seat = big
    for statement in posts:
        _take_post(hand, statement, roles.get(id(statement), ""))
    if not hand.big_seat and "unknown" not in has:
        raise question(hand.first, f"Hand {hand.number}: who posted the big blind?", "SEAT posts big AMOUNT")
    if "small" not in has and "big" in has and not no_small and "both" not in has:
        _fill_small(hand, small, told)
    _antes(hand, posts)
    _open_betting(hand, roles)


def _positions(hand: NotedHand) -> tuple[int, int]:
    """Return the seats that the blinds reach when nobody is skipped."""
    order = hand.betting.after(hand.betting.button)
    return (order[1], order[0]) if len(order) == 2 else (order[0], order[1])


def _check_order(hand: NotedHand, small: int, big: int) -> None:
    """Ask where a list numbers nobody, and the blinds show that the players don't sit in its order."""
    posted = _posted_by(hand, "small") or small, _posted_by(hand, "big") or big
    if hand.roster.by_order and posted != (small, big):
        raise question(hand.first, "Do the players sit in the order of the list?", "seats: 1 NAME STACK, 2 NAME STACK")


def _expect_blinds(hand: NotedHand, small: int, big: int) -> None:
    """Ask who posts where players came or left, so that button and blinds may not follow the seats."""
    before = hand.previous
    if not (before.played and before.big and before.button) or before.misdealt:
        return
    if hand.betting.after(before.big)[0] != big and before.button != hand.betting.button:
        raise question(
            hand.first,
            f"Hand {hand.number}: who posts the blinds? Players came or left",
            f"{small} posts small AMOUNT; {big} posts big AMOUNT",
        )


def _fill_small(hand: NotedHand, small: int, told: list[Statement]) -> None:
    """Ask for a small blind that nobody wrote down."""
    line = told[0].line if told else hand.first
    raise question(
        line,
        f"Hand {hand.number}: did anybody post the small blind?",
        f"{small} posts small AMOUNT",
        "If nobody did, write: no small blind",
    )


def _roles(hand: NotedHand, told: list[Statement], small: int, big: int) -> list[tuple[Statement, str]]:
    """Return what each post is: as the notes say, or by seat and amount where both blinds fit."""
    found = [(one, "" if one.kind == "bare" else one.verb) for one in told]
    open_ = [one for one, role in found if not role]
    amounts = (_amount_of(hand, "small"), _amount_of(hand, "big"))
    fits: dict[int, str] = {}
    for one in open_:
        seat = hand.roster.find(one.who[0]) if len(one.who) == 1 else None
        chips = hand.units(one.amount, one.line) if one.amount else None
        if one.dead is not None:
            fits[id(one)] = "makeup"
        elif chips is not None and seat == small and _fits(chips, amounts[0], amounts[1]):
            fits[id(one)] = "small"
        elif chips is not None and seat == big and chips == amounts[1]:
            fits[id(one)] = "big"
    taken = {role for _, role in found if role} | set(fits.values())
    no_small = any(one.kind == "dead-small" for one in hand.statements)
    whole = "big" in taken and ("small" in taken or no_small)
    for one in open_:
        if not whole and fits.get(id(one)) in ("small", "big"):
            fits.pop(id(one))
        if id(one) not in fits:
            fits[id(one)] = _other_role(hand, one, amounts[1], whole=whole, no_small=no_small)
    return [(one, role or fits[id(one)]) for one, role in found]


def _fits(chips: int, small: int | None, big: int | None) -> bool:
    """Whether an amount may be the small blind: as told, or less than the big one where nobody told it."""
    return chips == small if small is not None else big is not None and 0 < chips < big


def _other_role(hand: NotedHand, post: Statement, amount: int | None, *, whole: bool, no_small: bool) -> str:
    seat = hand.roster.find(post.who[0]) if post.who else None
    if no_small and not whole and post.amount and hand.units(post.amount, post.line) == amount:
        return "big"
    told = hand.units(post.amount, post.line) if post.amount else None
    if seat in _positions(hand) and told not in (None, amount, _amount_of(hand, "small")):
        raise question(post.line, "That is not the blind above: did the stakes change?", "blinds SMALL/BIG", _BEFORE)
    player = hand.roster.seats.get(seat or 0)
    if player is not None and player.is_new:
        return "entry"
    return "unknown"


def _amount_of(hand: NotedHand, role: str) -> int | None:
    """Return what a blind costs, None where neither game line nor posts say it."""
    value = hand.heading.small_blind if role == "small" else hand.heading.big_blind
    if value is not None:
        return int(value.scaleb(hand.scale))
    return hand.previous.small_amount if role == "small" else None


def _take_post(hand: NotedHand, statement: Statement, role: str) -> None:
    """Write one post."""
    line = statement.line
    if statement.kind in ("dead-small", "posted", "ante"):
        if statement.kind == "dead-small":
            hand.write("skipped small dead-small-blind", line)
        return
    for ref in statement.who:
        seat = hand.resolve(ref, line)
        if statement.kind == "straddle":
            _straddle(hand, seat, statement)
            continue
        amount = None if statement.amount is None else hand.units(statement.amount, line)
        if statement.how == "maybe-amount" and amount is None and statement.count == seat:
            _check_position(hand, seat, role, line)
        if role == "both":
            _post_both(hand, seat, amount, line)
            continue
        dead = 0 if statement.dead is None else hand.units(statement.dead, line)
        if dead and statement.how == "total":
            amount = (amount or 0) - dead
        _post(hand, seat, role, amount, line, dead=dead, all_in=statement.all_in)
        if role == "big":
            hand.big_seat = seat
        if role == "small" and amount:
            hand.small_amount = amount


def _check_position(hand: NotedHand, seat: int, role: str, line: Line) -> None:
    """Ask where `sb 2` may be seat 2 or 2 chips, and the seat is not the one that the blind reaches."""
    small, big = _positions(hand)
    if seat != (small if role == "small" else big):
        raise question(line, f"Is {seat} the seat of the {role} blind, or its amount?", f"{seat} posts {role} AMOUNT")


def _post(
    hand: NotedHand,
    seat: int,
    role: str,
    amount: int | None,
    line: Line,
    *,
    derived: bool = False,
    dead: int = 0,
    all_in: bool = False,
) -> None:
    """Write a blind; its amount is the game's where the notes leave it out."""
    if amount is None:
        amount = _amount_of(hand, "small" if "small" in role else "big")
        if amount is None:
            raise question(line, f"How much is the {role} blind?", f"{seat} posts {role} AMOUNT")
        derived = True
    behind = hand.betting.left(seat)
    if behind is not None and amount + dead > behind:
        if not derived or dead:
            raise question(
                line, f"{hand.name(seat)} posts {hand.chips(amount + dead)} and has only {hand.chips(behind)}"
            )
        amount = behind
    end = f" dead {hand.chips(dead)}" if dead else ""
    hand.write(
        f"{seat} posts {role} {hand.chips(amount)}{end}{' all-in' * all_in}",
        line,
        derived=derived,
        why="as the game has it" * derived,
    )
    hand.betting.post(seat, amount)
    if dead:
        hand.betting.add(seat, dead, live=False)


def _post_both(hand: NotedHand, seat: int, amount: int | None, line: Line) -> None:
    """Write the post of a player who comes back and pays both blinds: the small one is dead."""
    small, big = _amount_of(hand, "small"), _amount_of(hand, "big")
    if small is None or big is None or (amount is not None and amount != small + big):
        raise question(line, "How much is live, and how much is dead?", f"{seat} posts makeup LIVE dead DEAD")
    _post(hand, seat, "makeup", big, line, dead=small, derived=amount is None)


def _straddle(hand: NotedHand, seat: int, statement: Statement) -> None:
    if statement.amount is None:
        raise question(statement.line, f"How much is the straddle of {hand.name(seat)}?", f"{seat} straddles AMOUNT")
    amount = hand.units(statement.amount, statement.line)
    hand.write(f"{seat} straddles {hand.chips(amount)}", statement.line)
    hand.betting.post(seat, amount)


def _antes(hand: NotedHand, posts: list[Statement]) -> None:
    """Write the antes that the notes tell, or the level has."""
    told = [statement for statement in posts if statement.kind == "ante"]
    ante = int(hand.heading.ante.scaleb(hand.scale))
    if not told and ante:
        payers = [hand.big_seat] if hand.heading.one_pays_ante else list(hand.dealt)
        for seat in payers:
            _ante(hand, seat, ante, hand.first, for_table=hand.heading.one_pays_ante, derived=True)
        return
    for statement in told:
        amount = hand.units(statement.amount, statement.line) if statement.amount else ante
        if not amount:
            raise question(statement.line, "How much is the ante?", "SEAT antes AMOUNT")
        if statement.verb == "everyone":
            seats = list(hand.dealt)
        else:
            seats = [hand.resolve(ref, statement.line) for ref in statement.who]
        for seat in seats:
            _ante(
                hand, seat, amount, statement.line, for_table=statement.how == "table", derived=statement.amount is None
            )


def _ante(hand: NotedHand, seat: int, amount: int, line: Line, *, for_table: bool, derived: bool) -> None:
    behind = hand.betting.left(seat)
    if behind is not None and amount > behind:
        raise question(
            line, f"{hand.name(seat)} has {hand.chips(behind)}: how much is the ante?", f"{seat} antes AMOUNT"
        )
    hand.write(f"{seat} antes {hand.chips(amount)}{' for-table' * for_table}", line, derived=derived)
    hand.betting.add(seat, amount, live=False)


def _open_betting(hand: NotedHand, roles: dict[int, str]) -> None:
    """Begin the first betting round behind the last of the blinds, or of the straddles."""
    table = hand.betting
    straddles = [one for one in hand.statements if one.kind == "straddle"]
    last = hand.big_seat
    if straddles:
        last = hand.roster.find(straddles[-1].who[0]) or last
    big = _amount_of(hand, "big")
    table.least_raise = max(table.current, big or 0)
    table.raises = 1
    if big is not None and hand.big_seat:
        table.current = max(table.current, big)  # an all-in blind does not make the call cheaper
    hand.keeps_order = bool(hand.big_seat) and "unknown" not in roles.values()
    table.open_round(last or table.button)


def is_play(statement: Statement) -> bool:
    """Whether a statement tells something that happens once the cards are out."""
    return statement.kind in _PLAY


__all__ = ["POSTS", "QuestionError", "is_play", "read_opening"]
