"""Opening of a hand of notes: players dealt in, button, blinds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from ledger.formats.handscript.lines import ScriptLine
from ledger.formats.handscript.notes.bet_tracker import Betting
from ledger.formats.handscript.notes.button_placement import find_poster, place_button
from ledger.formats.handscript.notes.noted_hand import NotedHand
from ledger.formats.handscript.notes.questions import QuestionError, ask_who_sits, question
from ledger.formats.handscript.notes.roster import Roster
from ledger.formats.handscript.notes.statements import Statement
from ledger.formats.handscript.tokens import write_word

POST_KINDS: Final = frozenset(("post", "bare", "straddle", "ante", "dead-small", "posted"))
_PLAY_KINDS: Final = frozenset(("act", "next", "everyone", "folds-to", "checks-to", "board", "show", "muck", "win"))


def read_opening(hand: NotedHand) -> None:
    """Write the seats, the button and the posts."""
    _read_bare_bets(hand)
    _seat_players(hand)
    place_button(hand)
    _post_blinds(hand)


def _read_bare_bets(hand: NotedHand) -> None:
    """Read `Cho 8` as a bet if it is more than any post, or comes after an act."""
    big_blind = _find_blind_amount(hand, "big")
    is_playing = False
    for statement in hand.statements:
        if statement.kind == "bare" and statement.amount is not None and big_blind:
            amount = statement.amount.value.scaleb(hand.scale)
            if is_playing or (amount > 2 * big_blind and not statement.amount.approximate):
                statement.kind, statement.verb = "act", "bare"
        is_playing = is_playing or statement.kind in _PLAY_KINDS


_WRITE_ABOVE_HAND: Final = "Write it above this hand."


# Seats


def _seat_players(hand: NotedHand) -> None:
    """Write who is dealt in and who is left out; ask where the notes don't say it."""
    roster = hand.roster
    if not roster.seats:
        raise question(
            hand.first,
            f"Hand {hand.number}: who sits where?",
            "seats: 1 NAME STACK, 2 NAME STACK",
            "One line for all is enough.",
        )
    dealt_list = next((statement for statement in hand.statements if statement.kind == "seats-in"), None)
    acting_seats = _find_acting_seats(hand)
    dealt_seats = _find_present_seats(roster, acting_seats) if dealt_list is None else _find_listed(hand, dealt_list)
    if len(dealt_seats) < 2:
        raise question(hand.first, f"Hand {hand.number}: who else is dealt in?", "seats SEAT SEAT SEAT")
    if dealt_list is None:
        _check_absence(hand, dealt_seats - acting_seats)
        _check_doubts(hand, dealt_seats - acting_seats)
    seat_lists = [statement for statement in hand.statements if statement.kind == "seats"]
    list_line = dealt_list.line if dealt_list is not None else seat_lists[-1].line if seat_lists else hand.first
    for seat in sorted(roster.seats):
        is_stack_unknown = seat in hand.unsure_stacks or (seat in acting_seats and roster.seats[seat].stack == 0)
        _write_seat(
            hand,
            seat,
            list_line,
            is_dealt=seat in dealt_seats,
            stack=None if is_stack_unknown else roster.seats[seat].stack,
            has_list=bool(seat_lists),
        )
    _begin_betting(hand, dealt_seats)


def _find_listed(hand: NotedHand, dealt_list: Statement) -> set[int]:
    """Return the seats that a list of the players of this hand names."""
    listed_seats: set[int] = set()
    for ref in dealt_list.players:
        seat = hand.roster.find(ref)
        if seat is None:
            reason, answer_line = f"Nobody sits in seat {ref.text}", f"{ref.text} sits NAME stack STACK"
            raise ask_who_sits(dealt_list.line, ref.seat, reason, answer_line)
        listed_seats.add(seat)
    return listed_seats - {0}


def _find_present_seats(roster: Roster, acting_seats: set[int]) -> set[int]:
    """Return the seats of players who act, or are at the table with chips."""
    return {
        seat
        for seat, player in roster.seats.items()
        if seat in acting_seats or not (player.is_away or player.is_waiting or player.stack == 0)
    }


def _write_seat(
    hand: NotedHand, seat: int, list_line: ScriptLine, *, is_dealt: bool, stack: int | None, has_list: bool
) -> None:
    """Write a player who is dealt in or left out. `has_list`: a list in this hand gives the stacks."""
    player = hand.roster.seats[seat]
    is_of_hand = player.line is not None and player.line.start >= hand.start and not player.carried
    player_line = player.line if is_of_hand and player.line is not None else list_line
    stack_text = "?" if stack is None else hand.chips(stack)
    seat_text = f"{seat} {write_word(player.name or f'Player {seat}')} {stack_text}"
    is_carried = not has_list and player.carried
    if is_dealt:
        derivation = "as the hands before leave it" * is_carried
        hand.write(f"seat {seat_text}", player_line, is_derived=is_carried, derivation=derivation)
    elif player.is_away or player.is_waiting:
        absence_reason = "waiting-for-big-blind" if player.is_waiting else "away"
        hand.write(f"left-out {seat_text} {absence_reason}", player_line, is_derived=is_carried)


def _begin_betting(hand: NotedHand, dealt_seats: set[int]) -> None:
    """Give each seat that is dealt in its stack; 0 is taken for an unknown one."""
    hand.dealt = tuple(sorted(dealt_seats))
    stacks = {
        seat: None if seat in hand.unsure_stacks else hand.roster.seats[seat].stack or None for seat in hand.dealt
    }
    hand.betting = Betting(hand.dealt, stacks)
    hand.stacks = dict(hand.betting.stacks)


def _check_absence(hand: NotedHand, silent_seats: set[int]) -> None:
    """Ask if an earlier hand leaves open what a player did, and no line of this hand names that player."""
    for seat in sorted(silent_seats):
        if hand.roster.seats[seat].may_be_absent:
            raise question(
                hand.first, f"Hand {hand.number}: is {hand.name(seat)} dealt in?", f"{seat} away", _WRITE_ABOVE_HAND
            )


def _check_doubts(hand: NotedHand, silent_seats: set[int]) -> None:
    """Ask if an unread line may say that a player left, and no line of the hand names that player."""
    for seat in sorted(silent_seats):
        if line_number := hand.roster.seats[seat].doubt:
            raise question(
                hand.first,
                f"Hand {hand.number}: is {hand.name(seat)} dealt in? Line {line_number} isn't read",
                f"{seat} away",
                _WRITE_ABOVE_HAND,
            )


def _find_acting_seats(hand: NotedHand) -> set[int]:
    """Return the seats that post or act in this hand."""
    seats = set()
    for statement in hand.statements:
        if statement.kind in ("act", "post", "bare", "straddle", "show"):
            seats |= {seat for ref in statement.players if (seat := hand.roster.find(ref))}
    return seats


# The blinds


def _post_blinds(hand: NotedHand) -> None:
    """Write the blinds, straddles and antes; ask for a blind that nothing names."""
    small_seat, big_seat = _find_blind_seats(hand)
    hand.statements = _name_both_blinds(hand, (small_seat, big_seat))
    posts = [statement for statement in hand.statements if statement.kind in POST_KINDS]
    blind_posts = [statement for statement in posts if statement.kind in ("post", "bare")]
    roles = {
        id(post_statement): role for post_statement, role in _assign_roles(hand, blind_posts, small_seat, big_seat)
    }
    _check_order(hand, small_seat, big_seat)
    is_small_dead = any(post_statement.kind == "dead-small" for post_statement in posts)
    posted_roles = set(roles.values())
    if not _settles_blinds(posted_roles, is_small_dead=is_small_dead):
        _check_blinds_follow(hand, small_seat, big_seat)
        _write_post(hand, small_seat, "small", None, hand.first, derived=True)
        _write_post(hand, big_seat, "big", None, hand.first, derived=True)
        hand.big_seat = big_seat
    for statement in posts:
        _read_post(hand, statement, roles.get(id(statement), ""))
    if not hand.big_seat and "unknown" not in posted_roles:
        raise question(hand.first, f"Hand {hand.number}: who posted the big blind?", "SEAT posts big AMOUNT")
    if "big" in posted_roles and posted_roles.isdisjoint(("small", "both")) and not is_small_dead:
        _ask_small_blind(hand, small_seat, blind_posts)
    _read_antes(hand, posts)
    _open_betting(hand, roles)


def _settles_blinds(posted_roles: set[str], *, is_small_dead: bool) -> bool:
    """Whether the posts of the notes say who has the blinds, so that none is filled in from the seats."""
    if not posted_roles.isdisjoint(("small", "big", "unknown")):
        return True
    return is_small_dead and bool(posted_roles)


def _name_both_blinds(hand: NotedHand, blind_seats: tuple[int, int]) -> list[Statement]:
    """Return the statements; `2 and 3 post` becomes both blinds if they are due from these seats."""
    statements: list[Statement] = []
    for statement in hand.statements:
        seats = tuple(hand.roster.find(ref) for ref in statement.players)
        is_pair = statement.kind == "post" and not statement.verb and statement.amount is None and len(seats) == 2
        if is_pair and set(seats) == set(blind_seats):
            players = {hand.roster.find(ref): ref for ref in statement.players}
            for seat, role in zip(blind_seats, ("small", "big"), strict=True):
                statements.append(replace(statement, players=[players[seat]], verb=role))
        else:
            statements.append(statement)
    return statements


def _find_blind_seats(hand: NotedHand) -> tuple[int, int]:
    """Return the small and the big blind's seats when nobody is skipped."""
    seat_order = hand.betting.seats_after(hand.betting.button)
    return (seat_order[1], seat_order[0]) if len(seat_order) == 2 else (seat_order[0], seat_order[1])


def _check_order(hand: NotedHand, small_seat: int, big_seat: int) -> None:
    """Ask if an unnumbered list and the blinds disagree about the order of seats."""
    posting_seats = find_poster(hand, "small") or small_seat, find_poster(hand, "big") or big_seat
    if hand.roster.by_order and posting_seats != (small_seat, big_seat):
        raise question(hand.first, "Do the players sit in the order of the list?", "seats: 1 NAME STACK, 2 NAME STACK")


def _check_blinds_follow(hand: NotedHand, small_seat: int, big_seat: int) -> None:
    """Ask who posts if players came or left and the blinds may not follow the seats."""
    previous_hand = hand.previous
    if not (previous_hand.played and previous_hand.big and previous_hand.button) or previous_hand.misdealt:
        return
    if hand.betting.seats_after(previous_hand.big)[0] != big_seat and previous_hand.button != hand.betting.button:
        raise question(
            hand.first,
            f"Hand {hand.number}: players changed. Who posts the blinds?",
            f"{small_seat} posts small AMOUNT; {big_seat} posts big AMOUNT",
        )


def _ask_small_blind(hand: NotedHand, small_seat: int, blind_posts: list[Statement]) -> None:
    """Ask for a small blind that the notes leave out."""
    note_line = blind_posts[0].line if blind_posts else hand.first
    raise question(
        note_line,
        f"Hand {hand.number}: did anybody post the small blind?",
        f"{small_seat} posts small AMOUNT",
        "If nobody did, write: no small blind",
    )


@dataclass(frozen=True, slots=True)
class _BlindsOfGame:
    """The seats and amounts of the blinds when nobody is skipped; an amount is None if the notes don't give it."""

    small_seat: int
    big_seat: int
    small_chips: int | None
    big_chips: int | None

    def may_be_small(self, seat: int | None, chips: int) -> bool:
        """Whether a post may be the small blind: of its amount if known, otherwise less than the big blind."""
        if seat != self.small_seat:
            return False
        if self.small_chips is not None:
            return chips == self.small_chips
        return self.big_chips is not None and 0 < chips < self.big_chips

    def is_big(self, seat: int | None, chips: int) -> bool:
        """Whether a post is the big blind."""
        return seat == self.big_seat and chips == self.big_chips


def _assign_roles(
    hand: NotedHand, blind_posts: list[Statement], small_seat: int, big_seat: int
) -> list[tuple[Statement, str]]:
    """Return the role of each post: from the notes, or by seat and amount if both blinds fit."""
    blinds = _BlindsOfGame(small_seat, big_seat, _find_blind_amount(hand, "small"), _find_blind_amount(hand, "big"))
    named_roles = [
        (post_statement, "" if post_statement.kind == "bare" else post_statement.verb) for post_statement in blind_posts
    ]
    roles_by_amount = [role or _find_role_by_amount(hand, post, blinds) for post, role in named_roles]
    is_small_dead = any(post_statement.kind == "dead-small" for post_statement in hand.statements)
    are_blinds_posted = "big" in roles_by_amount and ("small" in roles_by_amount or is_small_dead)
    roles: list[tuple[Statement, str]] = []
    for (post_statement, named_role), role_by_amount in zip(named_roles, roles_by_amount, strict=True):
        role = role_by_amount
        is_blind_by_amount = not named_role and role in ("small", "big")
        if not role or (is_blind_by_amount and not are_blinds_posted):
            role = _assign_other_role(
                hand, post_statement, blinds.big_chips, are_blinds_posted=are_blinds_posted, is_small_dead=is_small_dead
            )
        roles.append((post_statement, role))
    return roles


def _find_role_by_amount(hand: NotedHand, post_statement: Statement, blinds: _BlindsOfGame) -> str:
    """Return the role of a post that isn't named: `makeup` with a dead part, a blind by seat and amount, or ""."""
    seat = hand.roster.find(post_statement.players[0]) if len(post_statement.players) == 1 else None
    chips = hand.units(post_statement.amount, post_statement.line) if post_statement.amount else None
    if post_statement.dead is not None:
        return "makeup"
    if chips is None:
        return ""
    if blinds.may_be_small(seat, chips):
        return "small"
    return "big" if blinds.is_big(seat, chips) else ""


def _assign_other_role(
    hand: NotedHand, post_statement: Statement, big_blind: int | None, *, are_blinds_posted: bool, is_small_dead: bool
) -> str:
    seat = hand.roster.find(post_statement.players[0]) if post_statement.players else None
    if (
        is_small_dead
        and not are_blinds_posted
        and post_statement.amount
        and hand.units(post_statement.amount, post_statement.line) == big_blind
    ):
        return "big"
    post_chips = hand.units(post_statement.amount, post_statement.line) if post_statement.amount else None
    if seat in _find_blind_seats(hand) and post_chips not in (None, big_blind, _find_blind_amount(hand, "small")):
        raise question(
            post_statement.line,
            "That is not the blind above: did the stakes change?",
            "blinds SMALL/BIG",
            _WRITE_ABOVE_HAND,
        )
    player = hand.roster.seats.get(seat or 0)
    if player is not None and player.is_new:
        return "entry"
    return "unknown"


def _find_blind_amount(hand: NotedHand, role: str) -> int | None:
    """Return a blind's amount; None if neither the game line nor the posts give it."""
    blind_value = hand.heading.small_blind if role == "small" else hand.heading.big_blind
    if blind_value is not None:
        return int(blind_value.scaleb(hand.scale))
    return hand.previous.small_amount if role == "small" else None


def _read_post(hand: NotedHand, statement: Statement, role: str) -> None:
    """Write one post."""
    if statement.kind == "dead-small":
        hand.write("skipped small dead-small-blind", statement.line)
    if statement.kind in ("dead-small", "posted", "ante"):
        return
    for ref in statement.players:
        seat = hand.resolve(ref, statement.line)
        if statement.kind == "straddle":
            _write_straddle(hand, seat, statement)
        else:
            _write_noted_blind(hand, seat, statement, role)


def _write_noted_blind(hand: NotedHand, seat: int, statement: Statement, role: str) -> None:
    """Write a blind as the notes have it, and remember the blinds of the hand."""
    note_line = statement.line
    amount = None if statement.amount is None else hand.units(statement.amount, note_line)
    if statement.qualifier == "maybe-amount" and amount is None and statement.count == seat:
        _check_position(hand, seat, role, note_line)
    if role == "both":
        _write_both_blinds(hand, seat, amount, note_line)
        return
    dead_chips = 0 if statement.dead is None else hand.units(statement.dead, note_line)
    if dead_chips and statement.qualifier == "total":
        amount = (amount or 0) - dead_chips
    _write_post(hand, seat, role, amount, note_line, dead_chips=dead_chips, all_in=statement.all_in)
    if role == "big":
        hand.big_seat = seat
    if role == "small" and amount:
        hand.small_amount = amount


def _check_position(hand: NotedHand, seat: int, role: str, note_line: ScriptLine) -> None:
    """Ask if `sb 2` may mean seat 2 or 2 chips, and seat 2 isn't due to post."""
    small_seat, big_seat = _find_blind_seats(hand)
    if seat != (small_seat if role == "small" else big_seat):
        raise question(
            note_line, f"Is {seat} the seat of the {role} blind, or its amount?", f"{seat} posts {role} AMOUNT"
        )


def _write_post(
    hand: NotedHand,
    seat: int,
    role: str,
    amount: int | None,
    note_line: ScriptLine,
    *,
    derived: bool = False,
    dead_chips: int = 0,
    all_in: bool = False,
) -> None:
    """Write a blind; take its amount from the game if the notes leave it out."""
    if amount is None:
        amount = _find_blind_amount(hand, "small" if "small" in role else "big")
        if amount is None:
            raise question(note_line, f"How much is the {role} blind?", f"{seat} posts {role} AMOUNT")
        derived = True
    stack_left = hand.betting.chips_left(seat)
    if stack_left is not None and amount + dead_chips > stack_left:
        if not derived or dead_chips:
            raise question(
                note_line,
                f"{hand.name(seat)} posts {hand.chips(amount + dead_chips)} and has only {hand.chips(stack_left)}",
            )
        amount = stack_left
    dead_suffix = f" dead {hand.chips(dead_chips)}" if dead_chips else ""
    hand.write(
        f"{seat} posts {role} {hand.chips(amount)}{dead_suffix}{' all-in' * all_in}",
        note_line,
        is_derived=derived,
        derivation="as the game has it" * derived,
    )
    hand.betting.post(seat, amount)
    if dead_chips:
        hand.betting.add(seat, dead_chips, live_seats=False)


def _write_both_blinds(hand: NotedHand, seat: int, amount: int | None, note_line: ScriptLine) -> None:
    """Write a returning player's post of both blinds: the small blind is dead."""
    small_blind, big_blind = _find_blind_amount(hand, "small"), _find_blind_amount(hand, "big")
    if small_blind is None or big_blind is None or (amount is not None and amount != small_blind + big_blind):
        raise question(note_line, "How much is live, and how much is dead?", f"{seat} posts makeup LIVE dead DEAD")
    _write_post(hand, seat, "makeup", big_blind, note_line, dead_chips=small_blind, derived=amount is None)


def _write_straddle(hand: NotedHand, seat: int, statement: Statement) -> None:
    if statement.amount is None:
        raise question(statement.line, f"How much is the straddle of {hand.name(seat)}?", f"{seat} straddles AMOUNT")
    amount = hand.units(statement.amount, statement.line)
    hand.write(f"{seat} straddles {hand.chips(amount)}", statement.line)
    hand.betting.post(seat, amount)


def _read_antes(hand: NotedHand, posts: list[Statement]) -> None:
    """Write the antes from the notes, or from the level."""
    ante_statements = [statement for statement in posts if statement.kind == "ante"]
    table_ante = int(hand.heading.ante.scaleb(hand.scale))
    if not ante_statements and table_ante:
        ante_payers = [hand.big_seat] if hand.heading.one_pays_ante else list(hand.dealt)
        for seat in ante_payers:
            _write_ante(hand, seat, table_ante, hand.first, for_table=hand.heading.one_pays_ante, derived=True)
        return
    for statement in ante_statements:
        amount = hand.units(statement.amount, statement.line) if statement.amount else table_ante
        if not amount:
            raise question(statement.line, "How much is the ante?", "SEAT antes AMOUNT")
        if statement.verb == "everyone":
            ante_seats = list(hand.dealt)
        else:
            ante_seats = [hand.resolve(ref, statement.line) for ref in statement.players]
        for seat in ante_seats:
            _write_ante(
                hand,
                seat,
                amount,
                statement.line,
                for_table=statement.qualifier == "table",
                derived=statement.amount is None,
            )


def _write_ante(
    hand: NotedHand, seat: int, amount: int, note_line: ScriptLine, *, for_table: bool, derived: bool
) -> None:
    stack_left = hand.betting.chips_left(seat)
    if stack_left is not None and amount > stack_left:
        raise question(
            note_line, f"{hand.name(seat)} has {hand.chips(stack_left)}: how much is the ante?", f"{seat} antes AMOUNT"
        )
    hand.write(f"{seat} antes {hand.chips(amount)}{' for-table' * for_table}", note_line, is_derived=derived)
    hand.betting.add(seat, amount, live_seats=False)


def _open_betting(hand: NotedHand, roles: dict[int, str]) -> None:
    """Start the first betting round after the last blind or straddle."""
    betting = hand.betting
    straddles = [statement for statement in hand.statements if statement.kind == "straddle"]
    last_poster = hand.big_seat
    if straddles:
        last_poster = hand.roster.find(straddles[-1].players[0]) or last_poster
    big_blind = _find_blind_amount(hand, "big")
    betting.least_raise = max(betting.current, big_blind or 0)
    betting.raises = 1
    if big_blind is not None and hand.big_seat:
        betting.current = max(betting.current, big_blind)  # an all-in blind does not make the call cheaper
    hand.keeps_order = bool(hand.big_seat) and "unknown" not in roles.values()
    betting.open_round(last_poster or betting.button)


def is_play(statement: Statement) -> bool:
    """Whether a statement is about play after the deal."""
    return statement.kind in _PLAY_KINDS


__all__ = ["POST_KINDS", "QuestionError", "is_play", "read_opening"]
