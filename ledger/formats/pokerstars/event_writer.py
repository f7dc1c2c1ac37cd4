"""Writes a hand as PokerStars text: pots add up, and lines have the order that trackers expect.

The events are walked once, and the writer keeps what the text needs: the highest bet, the board so far.
Events that the text has no words for are counted as losses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ledger import presence
from ledger.event import Event, describe_event_type
from ledger.formats.pokerstars.frame import PokerStarsWriter, build_header_lines, build_summary_lines, format_cards
from ledger.formats.pokerstars.header import NO_LIMIT_AFTER
from ledger.formats.pokerstars.words import GAMES, HAND_STREETS, ORDINALS_BY_NUMBER, REMARKS
from ledger.hand import betting, dealing, ending, opening
from ledger.hand.fold import fold
from ledger.notation import HandText
from ledger.people import People
from ledger.readers.games import DRAW, STUD
from ledger.vocabulary import split_cards

_STREETS: Final = {street: title for title, street in HAND_STREETS.items()} | {"seventh": "RIVER"}
_WRITABLE_RUNS: Final = frozenset((1, 2, 3))
"""A summary says `twice` or `three times`. It has no word for a fifth board, and readers end the hand there."""


def write(events: Sequence[Event], people: People) -> HandText:
    """Return the hand as PokerStars text, and what the text can't express."""
    state = fold(events)  # type: ignore[arg-type]  # a hand's events
    if not _WRITABLE_RUNS.issuperset(
        (state.runs, *(getattr(event, field_name, 1) for event in events for field_name in ("run", "board")))
    ):
        return HandText("", ["a board that was run more than three times"])
    if state.opened is None or state.game is None:
        return HandText("", ["a hand without its opening"])
    if state.game.variant not in GAMES:  # readers would reject it
        return HandText("", [f"the game: PokerStars' text has no word for {state.game.variant}"])
    writer = PokerStarsWriter(events, people, state, state.opened, state.game)
    for event in writer.events:
        write_event = HANDLERS.get(type(event))
        if write_event is None:
            writer.count_loss(_LOSS_NAMES.get(type(event).__name__) or describe_event_type(type(event)))
        else:
            write_event(writer, event)
        writer.apply_event(event)
    first_lines = build_header_lines(writer)
    last_lines = build_summary_lines(writer) if writer.state.completed or writer.state.voided else []
    losses = [f"{loss} ({count})" for loss, count in sorted(writer.losses.items())]
    return HandText("\n".join((*first_lines, *writer.lines, *last_lines)) + "\n", losses)


def _write_blind(writer: PokerStarsWriter, event: opening.BlindPosted) -> None:
    seat = event.seat
    if writer.pending_dead_blind and writer.pending_dead_blind[0] != seat:
        _write_pending_dead_blind(writer)
    if event.role == "makeup-small" and event.dead and not event.live:
        _write_dead_small(writer, event)
        return
    if event.role == "makeup-big" and writer.pending_dead_blind:
        both_blinds = writer.format_chips(event.live + writer.pending_dead_blind[1])
        writer.add_act(seat, f"posts small & big blinds {both_blinds}{writer.wager_ending(event)}")
        writer.pending_dead_blind = None
        return
    blind_word = {"small": "small", "makeup-small": "small", "button": "button"}.get(event.role, "big")
    earlier_blind = {"small": "", "big": "", "button": "", "makeup-small": "small", "entry": "big"}.get(event.role)
    if earlier_blind is None or (
        earlier_blind and earlier_blind not in writer.blinds
    ):  # otherwise readers take it for the first one
        writer.count_loss("the kind of a blind")
    writer.blinds.add(blind_word)
    if event.dead:
        writer.count_loss("dead blinds")
    if event.role == "makeup-small" and event.live:
        writer.count_loss("that a second small blind counts")
    writer.add_act(
        seat, f"posts {blind_word} blind {writer.format_chips(event.live + event.dead)}{writer.wager_ending(event)}"
    )


def _write_dead_small(writer: PokerStarsWriter, event: opening.BlindPosted) -> None:
    """Write a dead small blind; one that comes with a big blind waits for it, since a line tells both."""
    seat = event.seat
    if any(post.role == "makeup-big" for post in writer.events_of(opening.BlindPosted, seat)):
        writer.pending_dead_blind = (seat, event.dead)
        return
    if "small" not in writer.blinds:
        writer.count_loss("the kind of a blind")
    writer.blinds.add("small")
    writer.add_act(seat, f"posts small blind {writer.format_chips(event.dead)}{writer.wager_ending(event)}")


def _write_pending_dead_blind(writer: PokerStarsWriter) -> None:
    if writer.pending_dead_blind:
        writer.add_act(
            writer.pending_dead_blind[0], f"posts small blind {writer.format_chips(writer.pending_dead_blind[1])}"
        )
        writer.pending_dead_blind = None


def _write_straddle(writer: PokerStarsWriter, event: opening.StraddlePosted) -> None:
    if event.kind != "straddle" or not event.live:
        writer.count_loss("the kind of a straddle")
    writer.add_act(event.seat, f"posts straddle {writer.format_chips(event.amount)}{writer.wager_ending(event)}")


def _write_ante(writer: PokerStarsWriter, event: opening.AntePosted) -> None:
    if event.kind != "ante":
        writer.count_loss("the kind of an ante")
    writer.add_act(event.seat, f"posts the ante {writer.format_chips(event.amount)}{writer.wager_ending(event)}")


def _write_hole_cards(writer: PokerStarsWriter, event: dealing.HoleCardsDealt) -> None:
    _write_deal_heading(writer)
    cards_before = writer.cards_seen.get(event.seat, [])
    new_cards = [card for card in split_cards(event.cards) if card != "??"]
    if not new_cards:
        return
    writer.cards_seen[event.seat] = cards_before + new_cards
    kept_cards = f" [{' '.join(cards_before)}]" if cards_before and writer.game.variant in STUD else ""
    writer.add_line(f"Dealt to {writer.seat_name(event.seat)}{kept_cards} [{' '.join(new_cards)}]")


def _write_deal_heading(writer: PokerStarsWriter) -> None:
    """Write the heading of the deal once."""
    if writer.has_deal_heading:
        return
    _write_pending_dead_blind(writer)
    writer.has_deal_heading = True
    title = (
        "3rd STREET"
        if writer.game.variant in STUD
        else ("DEALING HANDS" if writer.game.variant in DRAW else "HOLE CARDS")
    )
    writer.add_line(f"*** {title} ***")


UNSEEN_STREET: Final = "a board street whose cards nobody told"


def _write_street(writer: PokerStarsWriter, event: dealing.StreetDealt) -> None:
    if event.street == "third":
        return
    writer.street = event.street
    if event.street in ("flop", "turn", "river"):
        writer.count_loss(UNSEEN_STREET)  # readers take the acts after such a heading for those of the street before
    is_only_draw = event.street == "first-draw" and writer.game.variant in ("draw5", "single-27")
    if not is_only_draw:
        writer.add_line(f"*** {_STREETS.get(event.street, event.street.upper())} ***")


def _write_board(writer: PokerStarsWriter, event: dealing.BoardDealt) -> None:
    _write_deal_heading(writer)
    if event.board > 1 and not writer.is_split_board:
        writer.count_loss("second boards")
        return
    cards_before = _list_cards_before(writer, event)
    new_cards = split_cards(event.cards)
    writer.board_cards[event.run, event.board] = cards_before + new_cards
    if event.run == 1 and event.board == 1 and event.street != "preflop":
        writer.street = event.street
    is_run_again = any(deal.run > 1 and deal.street == event.street for deal in writer.events_of(dealing.BoardDealt))
    has_several_boards = event.run > 1 or writer.is_split_board or is_run_again
    number = event.board if writer.is_split_board else event.run
    ordinal_word = f"{ORDINALS_BY_NUMBER[number]} " if has_several_boards else ""
    street_title = "PRE-FLOP" if event.street == "preflop" else event.street.upper()
    if event.street == "flop" or not cards_before:
        card_groups = f"[{' '.join(cards_before + new_cards)}]"
    else:
        card_groups = f"[{' '.join(cards_before)}] [{' '.join(new_cards)}]"
    writer.add_line(f"*** {ordinal_word}{street_title} *** {card_groups}")


def _list_cards_before(writer: PokerStarsWriter, event: dealing.BoardDealt) -> list[str]:
    """Return the cards of a board before a street; a later run shares those of the first run."""
    own_cards = writer.board_cards.get((event.run, event.board))
    if own_cards is not None:
        return own_cards
    if event.run == 1:
        return []
    shared_count = {"flop": 0, "turn": 3, "river": 4}.get(event.street, 0)
    return writer.board_cards.get((1, event.board), [])[:shared_count]


def _write_discard(writer: PokerStarsWriter, event: dealing.CardsDiscarded) -> None:
    known_cards = format_cards(event.cards)
    cards_seen = writer.cards_seen.get(event.seat, [])
    writer.cards_seen[event.seat] = [card for card in cards_seen if card not in known_cards.split()]
    card_word = "card" if event.count == 1 else "cards"
    writer.add_act(event.seat, f"discards {event.count} {card_word}" + (f" [{known_cards}]" if known_cards else ""))


def _write_draw(writer: PokerStarsWriter, event: dealing.CardsDrawn) -> None:
    cards_seen = writer.cards_seen.get(event.seat, [])
    new_cards = [card for card in split_cards(event.cards) if card != "??"]
    if new_cards:
        writer.add_line(f"Dealt to {writer.seat_name(event.seat)} [{' '.join(cards_seen)}] [{' '.join(new_cards)}]")
        writer.cards_seen[event.seat] = cards_seen + new_cards


def _write_fold(writer: PokerStarsWriter, event: betting.Folded) -> None:
    writer.fold_streets[event.seat] = writer.street
    writer.add_act(event.seat, f"folds [{format_cards(event.cards)}]" if event.cards else "folds ")


def _write_raise(writer: PokerStarsWriter, event: betting.Raised) -> None:
    if event.to <= writer.state_before.round.bet_to_call:
        writer.count_loss("a raise below the bet")
        writer.add_act(event.seat, f"calls {writer.format_chips(event.added)}{writer.wager_ending(event)}")
        return
    increase, street_total = (
        writer.format_chips(event.to - writer.state_before.round.bet_to_call),
        writer.format_chips(event.to),
    )
    writer.chips_put_in[event.seat] += event.added
    raise_words = f"raises {increase} to {street_total}{writer.wager_ending(event)}"
    writer.chips_put_in[event.seat] -= event.added
    writer.add_act(event.seat, raise_words)


def _write_cash_out(writer: PokerStarsWriter, event: betting.CashOutTaken) -> None:
    if event.price is None:
        writer.count_loss("cash-outs without a price")
        return
    fee_words = f" | Cash Out Fee {writer.format_chips(event.fee)}" if event.fee else ""
    writer.add_line(
        f"{writer.seat_name(event.seat)} cashed out the hand for {writer.format_chips(event.price)}{fee_words}"
    )


def _write_showdown(writer: PokerStarsWriter, event: ending.ShowdownBegun) -> None:
    has_several_runs = writer.run_count > 1 or event.run > 1
    writer.add_line(f"*** {ORDINALS_BY_NUMBER[event.run] + ' ' if has_several_runs else ''}SHOW DOWN ***")


def _write_shown_cards(writer: PokerStarsWriter, event: ending.CardsShown) -> None:
    claim = writer.free_text(event.claim)
    writer.add_act(event.seat, f"shows [{format_cards(event.cards)}]" + (f" ({claim})" if claim else ""))


def _write_award(writer: PokerStarsWriter, event: ending.PotAwarded) -> None:
    has_several_side_pots = max(award.pot or 0 for award in writer.events_of(ending.PotAwarded)) > 1
    pot_words = {None: "pot", 0: "main pot"}.get(
        event.pot, f"side pot-{event.pot} " if has_several_side_pots else "side pot"
    )
    if event.half:
        writer.count_loss("which half of a pot an award is")
    writer.add_line(f"{writer.seat_name(event.seat)} collected {writer.format_chips(event.amount)} from {pot_words}")


def _write_bounty(writer: PokerStarsWriter, event: ending.BountyWon) -> None:
    if event.over is None or event.kind not in ("knockout", "progressive"):
        writer.count_loss("bounties that are for nobody's elimination")
        return
    amount = writer.format_prize(event.amount)
    prize_words = amount if event.kind == "progressive" else f"the {amount} bounty"
    writer.add_line(f"{writer.seat_name(event.seat)} wins {prize_words} for eliminating {writer.seat_name(event.over)}")


def _write_finish(writer: PokerStarsWriter, event: ending.PlayerFinished) -> None:
    player_name = writer.seat_name(event.seat)
    if event.rank == 1:
        prize_words = f" and receives {writer.format_prize(event.prize)} - congratulations!" if event.prize else ""
        writer.add_line(f"{player_name} wins the tournament{prize_words}")
        return
    rank = event.rank
    if rank is None:
        if event.prize:
            writer.count_loss("prizes without a rank")
        writer.add_line(f"{player_name} finished the tournament")
        return
    ordinal_suffix = "th" if 10 < rank % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    prize_words = f" and received {writer.format_prize(event.prize)}." if event.prize else ""
    writer.add_line(f"{player_name} finished the tournament in {rank}{ordinal_suffix} place{prize_words}")


def _write_remark(writer: PokerStarsWriter, event: ending.RemarkNoted) -> None:
    remark_text = writer.free_text(event.text)
    if remark_text in REMARKS:
        writer.add_line(remark_text)
    elif remark_text.endswith(":") and any(remark_text[:-1] == writer.seat_name(seat) for seat in writer.state.dealt):
        writer.add_line(remark_text + "  ")
    else:
        writer.count_loss("remarks")


def _write_absence(writer: PokerStarsWriter, event: presence.PlayerAway) -> None:
    if event.why == "unknown":
        writer.add_line(f"{writer.player_name(event.player)} is sitting out")
    elif writer.lines or writer.state.tournament is None:
        absence_words = "sits out " if event.why == "sits-out" else "is sitting out "
        writer.add_line(f"{writer.player_name(event.player)}: {absence_words}")


def _write_departure(writer: PokerStarsWriter, event: presence.SeatLeft) -> None:
    departure_words = "leaves the table"
    if event.reason in ("missed-post", "removed"):
        departure_words = "was removed from the table" + (
            " for failing to post" if event.reason == "missed-post" else ""
        )
    writer.add_line(f"{writer.player_name(event.player)} {departure_words}")


def _write_speech(writer: PokerStarsWriter, event: presence.WordsSaid) -> None:
    if event.by == "player" and event.player:
        writer.add_line(f'{writer.player_name(event.player)} said, "{writer.free_text(event.words)}"')
    else:
        writer.count_loss("words")


def _check_option(writer: PokerStarsWriter, event: opening.OptionSet) -> None:
    is_in_game_name = event == NO_LIMIT_AFTER and writer.game.written  # the game's name has it already
    if event.option != "bet-cap" and event.value != "zoom" and not is_in_game_name:
        writer.count_loss("house options")


_IN_THE_FRAME: Final = (
    *(
        opening.HandOpened,
        opening.GameSet,
        opening.TournamentSet,
        opening.SeatDealtIn,
        opening.SeatLeftOut,
        opening.ButtonPlaced,
        opening.BlindPositionPlaced,
    ),
    *(ending.HandCompleted, ending.DropTaken, ending.ResultDeclared, dealing.HoleCardsLearned, betting.RunsAgreed),
)
"""What the header or the summary says."""

HANDLERS: Final[dict[type, Callable[[PokerStarsWriter, Any], None]]] = {
    **dict.fromkeys(_IN_THE_FRAME, lambda _writer, _event: None),
    opening.OptionSet: _check_option,
    opening.BlindPosted: _write_blind,
    opening.StraddlePosted: _write_straddle,
    opening.AntePosted: _write_ante,
    opening.BringInPosted: lambda writer, event: writer.add_act(
        event.seat, f"brings in for {writer.format_chips(event.amount)}{writer.wager_ending(event)}"
    ),
    dealing.HoleCardsDealt: _write_hole_cards,
    dealing.DealCompleted: lambda writer, _event: _write_deal_heading(writer),
    dealing.StreetDealt: _write_street,
    dealing.BoardDealt: _write_board,
    dealing.CardsDiscarded: _write_discard,
    dealing.CardsDrawn: _write_draw,
    dealing.StoodPat: lambda writer, event: writer.add_act(event.seat, "stands pat "),
    betting.Folded: _write_fold,
    betting.Checked: lambda writer, event: writer.add_act(event.seat, "checks "),
    betting.Called: lambda writer, event: writer.add_act(
        event.seat, f"calls {writer.format_chips(event.added)}{writer.wager_ending(event)}"
    ),
    betting.Bet: lambda writer, event: writer.add_act(
        event.seat, f"bets {writer.format_chips(event.added)}{writer.wager_ending(event)}"
    ),
    betting.Raised: _write_raise,
    betting.Completed: _write_raise,
    betting.BetReturned: lambda writer, event: writer.add_line(
        f"Uncalled bet ({writer.format_chips(event.amount)}) returned to {writer.seat_name(event.seat)}"
    ),
    betting.RaisesCapped: lambda writer, _event: writer.add_line("Betting is capped"),
    betting.ClockExpired: lambda writer, event: writer.add_line(
        f"{writer.seat_name(event.seat)} has timed out" + " while disconnected" * (event.connected is False)
    ),
    betting.CashOutTaken: _write_cash_out,
    ending.ShowdownBegun: _write_showdown,
    ending.CardsShown: _write_shown_cards,
    ending.CardsMucked: lambda writer, event: writer.add_act(
        event.seat, "doesn't show hand " if event.declined else "mucks hand "
    ),
    ending.PotAwarded: _write_award,
    ending.BountyWon: _write_bounty,
    ending.PlayerFinished: _write_finish,
    ending.HandVoided: lambda writer, _event: writer.add_line("Hand cancelled"),
    ending.RemarkNoted: _write_remark,
    presence.PlayerAway: _write_absence,
    presence.PlayerBack: lambda writer, event: writer.add_line(f"{writer.player_name(event.player)} has returned"),
    presence.ConnectionLost: lambda writer, event: writer.add_line(
        f"{writer.player_name(event.player)} is disconnected "
    ),
    presence.ConnectionRestored: lambda writer, event: writer.add_line(
        f"{writer.player_name(event.player)} is connected "
    ),
    presence.EntryDeferred: lambda writer, event: writer.add_line(
        f"{writer.player_name(event.player)} will be allowed to play after the button"
    ),
    presence.SeatTaken: lambda writer, event: writer.add_line(
        f"{writer.player_name(event.player)} joins the table at seat #{event.seat} "
    ),
    presence.SeatLeft: _write_departure,
    presence.ChipsAdded: lambda writer, _event: writer.count_loss("chips bought"),
    presence.WordsSaid: _write_speech,
}

_LOSS_NAMES: Final = {
    "CardBurned": "burns",
    "ChipsMoved": "motions of chips",
    "Declared": "declarations",
    "LineUnread": "lines that were not understood",
    "BlindSkipped": "posts that were not made",
    "ErrorNoticed": "errors noticed",
    "PermissionGranted": "permissions",
    "PotSeeded": "chips that no seat put in",
    "CardExposed": "exposed cards",
}

EVENTS_WRITTEN: Final = frozenset(HANDLERS)
