"""The text of a hand while it is written, and the lines around its actions: header, table, seats and summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar

from ledger.event import Event
from ledger.formats.pokerstars.header import CODES, find_game, format_english_date, split_price
from ledger.formats.pokerstars.words import LIMIT_TITLES, ORDINALS_BY_NUMBER, ROOMS, TITLES
from ledger.hand import betting, opening
from ledger.hand.dealing import HoleCardsLearned
from ledger.hand.ending import CardsMucked, CardsShown, DropTaken, PotAwarded, ResultDeclared
from ledger.hand.fold import apply, begin
from ledger.hand.opening import BlindPosted, GameSet, HandOpened, SeatDealtIn, SeatLeftOut, TournamentSet
from ledger.hand.state import HandState
from ledger.hand.usual_order import sort_in_usual_order
from ledger.people import People
from ledger.presence import PlayerAway
from ledger.readers import amounts, timestamps
from ledger.readers.games import DRAW, DRAW_STREETS, STUD, STUD_STREETS
from ledger.vocabulary import Cards, Chips, PlayerId, Seat, shown_decimals, split_cards

_EventType = TypeVar("_EventType", bound=Event)


def format_cards(cards: Cards) -> str:
    """Return the known cards with blanks between them."""
    return " ".join(card for card in split_cards(cards) if len(card) == 2 and card != "??")


class PokerStarsWriter:
    """The text of one hand as it grows."""

    def __init__(
        self, events: Sequence[Event], people: People, state: HandState, opened: HandOpened, game: GameSet
    ) -> None:
        self.events = sort_in_usual_order(events)
        self.people = people
        self.state, self.opened, self.game = state, opened, game
        self.lines: list[str] = []
        self.losses: Counter[str] = Counter()
        self.chips_put_in: Counter[Seat] = Counter()  # all chips that a seat put in
        self.state_before: HandState = begin()  # the hand before the event being written
        self.board_cards: dict[tuple[int, int], list[str]] = {}
        self.cards_seen: dict[Seat, list[str]] = {}  # a seat's cards that the text has shown
        self.pending_dead_blind: tuple[Seat, Chips] | None = None  # the dead small blind of a post of both blinds
        self.street = "third" if self.game.variant in STUD else "preflop"
        self.fold_streets: dict[Seat, str] = {}
        self.run_count = self.state.runs
        self.has_deal_heading = False
        self.blinds: set[str] = set()  # the kinds of blinds that the text has
        self.is_split_board = self.game.variant == "split-holdem"

    def events_of(self, kind: type[_EventType], seat: Seat | None = None) -> list[_EventType]:
        """Return the hand's events of a type; with `seat`, only that seat's."""
        matching_events = [event for event in self.events if isinstance(event, kind)]
        return (
            matching_events
            if seat is None
            else [event for event in matching_events if getattr(event, "seat", None) == seat]
        )

    # words

    def format_chips(self, amount: Chips) -> str:
        """Write an amount."""
        return amounts.write(amount, self.game.unit, self.game.exponent)

    def format_prize(self, amount: Chips) -> str:
        """Return a buy-in, prize or bounty in the tournament's currency."""
        currency = self.state.tournament.currency if self.state.tournament else ""
        return amounts.write(amount, currency, 2, full=True)

    def player_name(self, player: PlayerId) -> str:
        """Return a player's name on one line, or a stand-in if the name was erased."""
        known_name = self.people.name(player)
        if known_name is None:
            return "player-" + player[:6]
        return " ".join(known_name.splitlines())

    def seat_name(self, seat: Seat | None) -> str:
        """Return the name of the player in a seat."""
        event = self.state.dealt.get(seat or 0) or self.state.left_out.get(seat or 0)
        return self.player_name(event.player) if event else f"Seat {seat}"

    def free_text(self, ref: str) -> str:
        """Return a free text on one line."""
        return " ".join((self.people.words(ref) or "").splitlines())

    def add_line(self, line: str) -> None:
        """Add a line."""
        self.lines.append(line)

    def add_act(self, seat: Seat, words: str) -> None:
        """Add an act of a seat."""
        self.add_line(f"{self.seat_name(seat)}: {words}")

    def wager_ending(self, event: opening.Post | betting.Wager) -> str:
        """Return the words after a wager's amount."""
        bet_cap = self.state.options.get("bet-cap")
        if event.all_in:
            return " and is all-in"
        if bet_cap and isinstance(bet_cap, int) and self.chips_put_in.get(event.seat, 0) >= bet_cap:
            return f" and has reached the {self.format_chips(bet_cap)} cap"
        return ""

    def count_loss(self, loss: str) -> None:
        """Count something that the text can't express."""
        self.losses[loss] += 1

    # the hand

    def apply_event(self, event: Any) -> None:  # noqa: ANN401 - any event of a hand
        """Keep the books for an event."""
        apply(self.state_before, event)
        kind = type(event)
        if kind is opening.BlindPosted:
            self.chips_put_in[event.seat] += event.live + event.dead
        elif kind is opening.BringInPosted or (kind is opening.StraddlePosted and event.live):
            self.chips_put_in[event.seat] += event.amount
        elif kind in (betting.Called, betting.Bet, betting.Raised, betting.Completed):
            self.chips_put_in[event.seat] += event.added


_FOLD_STREETS: Final[dict[str, str]] = {
    "preflop": "before Flop",
    **{street: f"on the {street.title()}" for street in ("flop", "turn", "river")},
    **{street: f"on the {ordinal} Street" for ordinal, street in STUD_STREETS.items()},
    "seventh": "on the River",
    **{
        street: f"after the {ordinal} Draw" for ordinal, street in zip(("1st", "2nd", "3rd"), DRAW_STREETS, strict=True)
    },
}


def build_header_lines(writer: PokerStarsWriter) -> list[str]:
    """Return the lines from the header to the list of seats."""
    return [_build_header_row(writer), _build_table_row(writer), *_build_seat_rows(writer)]


def _build_header_row(writer: PokerStarsWriter) -> str:
    state, game, opened = writer.state, writer.game, writer.opened
    room_name = opened.venue if opened.venue in ROOMS else "PokerStars"
    if room_name != opened.venue:
        writer.count_loss("the room's name")
    hand_number = _make_numeric_id(writer, opened.number, "hand")
    is_zoom = state.options.get("other") == "zoom"
    club_words = f" {{{opened.club}}} " if opened.club else ""
    if opened.tournament:
        game_words = f" {'Zoom ' if is_zoom else ''}Tournament #{_make_numeric_id(writer, opened.tournament, 'tournament')}, {_build_tournament_game(writer)}"
        is_zoom = False
    elif game.format == "tournament" and state.tournament and state.tournament.level:
        game_words = f"  {_build_tournament_game(writer)}"
    else:
        if game.format == "tournament":
            writer.count_loss("that it is a tournament")
        game_words = f"  {_build_cash_game(writer)}"
    return (
        f"{room_name} {'Zoom ' if is_zoom else ''}Hand #{hand_number}:{club_words}{game_words} - {_format_date(writer)}"
    )


def _make_numeric_id(writer: PokerStarsWriter, source_number: str, content: str) -> str:
    """Return the source's number, or a number made from its name if it isn't one."""
    if source_number.isascii() and source_number.isdigit():
        return source_number
    writer.count_loss(f"{content} numbers that are no numbers")
    return str(
        sum(
            byte << 8 * byte_index
            for byte_index, byte in enumerate(source_number.encode("utf-8", "surrogatepass")[-7:])
        )
    )


def _build_game_title(writer: PokerStarsWriter) -> str:
    """Return the game's name: the source's own if a reader understands it."""
    game = writer.game
    innermost_game = game.written.rpartition("(")[2]
    if game.written and find_game(innermost_game) == (game.variant, game.betting):
        return game.written
    return f"{TITLES[game.variant]} {LIMIT_TITLES[game.betting]}"


def _format_stakes(game: GameSet) -> tuple[Chips, ...]:
    """Return the stakes in brackets: the bets of a fixed limit, otherwise the blinds."""
    return game.bets if game.betting == "limit" and game.bets else game.blinds


def _build_cash_game(writer: PokerStarsWriter) -> str:
    game = writer.game
    if game.betting == "spread":
        writer.count_loss("spread limits")
    if game.betting == "limit" and not game.bets:
        writer.count_loss("bets of a limit that nobody told")  # the blinds are written instead
    stakes = _format_stakes(game) or game.bets
    has_cents = any(stake % 10 ** shown_decimals(game.exponent) for stake in stakes)
    stakes_text = "/".join(amounts.write(stake, game.unit, game.exponent, full=has_cents) for stake in stakes)
    if game.ante and len(stakes) == 1:
        ante_text = amounts.write(game.ante, game.unit, game.exponent, full=has_cents)
        stakes_text = f"Button Blind\xa0{stakes_text} - Ante\xa0{ante_text} "
    bet_cap = writer.state.options.get("bet-cap")
    if isinstance(bet_cap, int):
        stakes_text += f" - {writer.format_chips(bet_cap)} Cap - "
    if game.unit in CODES or game.unit in amounts.SIGNS:
        stakes_text += f" {game.unit}"
    elif game.unit != "play":
        writer.count_loss("the currency")
    game_title = _build_game_title(writer)
    if "(" in game_title:
        return f"{game_title}, {stakes_text})"
    return f"{game_title} ({stakes_text})"


def _build_tournament_game(writer: PokerStarsWriter) -> str:
    tournament, game = writer.state.tournament, writer.game
    price_text, match_round = _format_price_and_round(writer)
    stakes_text = "/".join(amounts.write(stake, "", game.exponent) for stake in _format_stakes(game))
    game_title = _build_game_title(writer)
    if "(" in game_title:
        game_title += ")"
    level_words = f"Level {tournament.level} " if tournament and tournament.level else ""
    if match_round:
        level_words = f"{match_round}, {level_words}"
    price_and_game = f"{price_text} {game_title}".lstrip()
    if not level_words:
        return f"{price_and_game} ({stakes_text})"
    return f"{price_and_game} - {level_words}({stakes_text})"


def _format_price_and_round(writer: PokerStarsWriter) -> tuple[str, str]:
    """Return the price of a tournament, and its match and round, if these rooms write it so.

    Other rooms write a tournament's name there: then the price is made from its amounts.
    """
    tournament = writer.state.tournament
    if tournament is None or not tournament.written:
        return _format_price(tournament) if tournament else "", ""
    price_text, _, match_round = tournament.written.partition(" - ")
    if not price_text or split_price(f"{price_text} Hold'em No Limit") != (price_text, "Hold'em No Limit"):
        writer.count_loss("the buy-in as the room writes it")
        return _format_price(tournament), ""
    if " - " in match_round or (match_round and not tournament.level):
        writer.count_loss("the buy-in as the room writes it")
        return price_text, ""
    return price_text, match_round


def _format_price(tournament: TournamentSet) -> str:
    """Return buy-in, bounty and fee, or "" if they aren't known."""
    if tournament.buy_in == 0 and not tournament.fee:
        return "Freeroll"
    if tournament.buy_in is None or tournament.currency not in amounts.SIGNS:
        return ""
    price_parts = [tournament.buy_in, *([tournament.bounty] if tournament.bounty else []), tournament.fee or 0]
    return (
        "+".join(amounts.write(price_part, tournament.currency, 2, full=True) for price_part in price_parts)
        + f" {tournament.currency}"
    )


def _format_date(writer: PokerStarsWriter) -> str:
    date_text, started_at = format_english_date(writer.opened.written), writer.opened.started
    if date_text[:4].isdigit() and date_text[4:5] == "/":
        return date_text
    if started_at is None:
        if date_text:
            writer.count_loss("a date that has another form")
        return "1970/01/01 0:00:00"
    utc_time = datetime.fromtimestamp(started_at // 1000, UTC)
    for utc_offset in (4, 5):
        local_time = utc_time - timedelta(hours=utc_offset)
        eastern_text = f"{local_time:%Y/%m/%d} {local_time.hour}:{local_time:%M:%S} ET"
        if timestamps.parse_start(eastern_text) == started_at // 1000 * 1000:
            return eastern_text
    return f"{utc_time:%Y/%m/%d} {utc_time.hour}:{utc_time:%M:%S} UTC"


def _build_table_row(writer: PokerStarsWriter) -> str:
    opened = writer.opened
    table_name = f"{opened.tournament} {' '.join(opened.table.splitlines())}".removeprefix(" ")
    size_words = f" {opened.seats}-max" if opened.seats else ""
    play_words = " (Play Money)" if writer.game.unit == "play" and writer.game.format == "cash" else ""
    button_words = f" Seat #{writer.state.button} is the button" if writer.state.button else ""
    return f"Table '{table_name}'{size_words}{play_words}{button_words}"


def _build_seat_rows(writer: PokerStarsWriter) -> list[str]:
    seat_rows = []
    seats_away = _find_seats_away(writer)
    for event in writer.events:
        if not isinstance(event, SeatDealtIn | SeatLeftOut):
            continue
        if event.stack is None:
            writer.count_loss("unknown stacks")
        stack_words = f"{writer.format_chips(event.stack or 0)} in chips"
        absence_words = "is sitting out" if event.seat in seats_away else ""
        if isinstance(event, SeatLeftOut):
            absence_words = "is sitting out"
            if event.reason == "moved":
                absence_words = "out of hand (moved from another table into small blind)"
            elif writer.game.format == "tournament":
                writer.count_loss(
                    "that a seat of a tournament got no cards"
                )  # in tournaments, players who sit out are dealt in
            elif event.reason != "sitting-out":
                writer.count_loss("why a seat was left out")
        elif event.bounty:
            stack_words += f", {writer.format_prize(event.bounty)} bounty"
        seat_rows.append(f"Seat {event.seat}: {writer.player_name(event.player)} ({stack_words}) {absence_words}")
    return seat_rows


def _find_seats_away(writer: PokerStarsWriter) -> set[int]:
    """Return the dealt-in seats that the list of seats marks as away."""
    seats_away = set()
    for event in writer.events:
        if isinstance(event, PlayerAway) and event.seat is not None:
            seats_away.add(event.seat)
        elif isinstance(event, opening.ButtonPlaced | opening.AntePosted | BlindPosted) or (
            seats_away and not isinstance(event, SeatDealtIn | SeatLeftOut)
        ):
            break
    return seats_away


def build_summary_lines(writer: PokerStarsWriter) -> list[str]:
    """Return the summary's lines."""
    lines = ["*** SUMMARY ***"]
    if writer.state.voided and not writer.state.chips.awarded:
        return [*lines, *_build_seat_results(writer)]
    lines.append(_build_totals_row(writer))
    if writer.run_count > 1:
        lines.append(f"Hand was run {'twice' if writer.run_count == 2 else 'three times'}")
    has_several_boards = len(writer.board_cards) > 1
    for (run, board), cards in sorted(writer.board_cards.items()):
        if cards:
            ordinal_word = f"{ORDINALS_BY_NUMBER[max(run, board)]} " if has_several_boards else ""
            lines.append(f"{ordinal_word}Board [{' '.join(cards)}]")
    return lines + _build_seat_results(writer)


def _build_totals_row(writer: PokerStarsWriter) -> str:
    declared_results = writer.events_of(ResultDeclared)
    total_pot = next((declared.amount for declared in declared_results if declared.what == "total-pot"), None)
    totals_line = f"Total pot {writer.format_chips(writer.state.pot_size() if total_pot is None else total_pot)}"
    for declared in declared_results:
        if declared.what == "main-pot" and declared.amount is not None:
            totals_line += f" Main pot {writer.format_chips(declared.amount)}."
        elif declared.what == "side-pot" and declared.amount is not None:
            totals_line += (
                f" Side pot{f'-{declared.number}' if declared.number else ''} {writer.format_chips(declared.amount)}."
            )
    drops: Counter[str] = Counter(rake=0)
    for event in writer.events_of(DropTaken):
        drops[event.kind] += event.amount
    for kind, amount in drops.items():
        totals_line += f" | {kind.capitalize()} {writer.format_chips(amount)}"
    return totals_line + " "


def _format_position_labels(writer: PokerStarsWriter, seat: Seat) -> str:
    button_label = " (button)" if seat == writer.state.button and writer.game.variant not in STUD else ""
    if writer.state.voided:
        return button_label
    roles: dict[str, Seat] = {}
    for event in writer.events_of(BlindPosted):
        roles.setdefault(event.role, event.seat)
    if roles.get("button") == seat:
        return " (button blind)"
    return button_label + "".join(f" ({role} blind)" for role in ("small", "big") if roles.get(role) == seat)


def _build_seat_results(writer: PokerStarsWriter) -> list[str]:
    results_by_seat = {seat: _build_seat_result(writer, seat) for seat in writer.state.dealt}
    return [
        f"Seat {seat}: {writer.seat_name(seat)}{_format_position_labels(writer, seat)} {result_words}"
        for seat, result_words in results_by_seat.items()
        if result_words
    ]


def _build_seat_result(writer: PokerStarsWriter, seat: Seat) -> str:
    cards_shown, amount_won = writer.events_of(CardsShown, seat), _sum_amount_won(writer, seat)
    learned_cards = next(iter(writer.events_of(HoleCardsLearned, seat)), None)
    if cards_shown and (amount_won or seat not in writer.fold_streets):
        return _describe_shown_result(writer, seat, cards_shown, amount_won)
    if learned_cards is not None and learned_cards.how == "shown":
        return f"showed [{format_cards(learned_cards.cards)}] {_describe_outcome(writer, amount_won)}"
    if amount_won or (writer.state.voided and learned_cards is None and seat not in writer.fold_streets):
        return f"collected ({writer.format_chips(amount_won)})"
    if learned_cards is not None:
        return f"mucked [{format_cards(learned_cards.cards)}]"
    if seat in writer.fold_streets:
        return _fold_result(writer, seat)
    mucked_cards = [format_cards(muck.cards) for muck in writer.events_of(CardsMucked, seat)]
    return f"mucked [{mucked_cards[-1]}]" if mucked_cards and mucked_cards[-1] else "mucked" if mucked_cards else ""


def _sum_amount_won(writer: PokerStarsWriter, seat: Seat) -> Chips:
    declared_amounts = (
        event.amount or 0 for event in writer.events_of(ResultDeclared, seat) if event.what == "collected"
    )
    return next(declared_amounts, writer.state.chips.awarded.get(seat, 0))


def _describe_outcome(writer: PokerStarsWriter, amount_won: Chips) -> str:
    return f"and won ({writer.format_chips(amount_won)})" if amount_won else "and lost"


def _describe_shown_result(
    writer: PokerStarsWriter, seat: Seat, cards_shown: list[CardsShown], amount_won: Chips
) -> str:
    card_text = format_cards(cards_shown[-1].cards)
    if writer.run_count > 1 and len(cards_shown) > 1:
        awards = writer.events_of(PotAwarded, seat)
        amounts_by_run = [
            sum(award.amount for award in awards if award.run == run) for run in range(1, len(cards_shown) + 1)
        ]
        amounts_and_showings = zip(amounts_by_run, cards_shown, strict=True)
        return f"showed [{card_text}] " + ", ".join(
            f"{_describe_outcome(writer, amount_won)} with {writer.free_text(showing.claim)}"
            for amount_won, showing in amounts_and_showings
        )
    claim = writer.free_text(cards_shown[-1].claim)
    cashed = " (cashed out)" if seat in writer.state.cash_outs else ""
    return (
        f"showed [{card_text}] {_describe_outcome(writer, amount_won)}" + (f" with {claim}" if claim else "") + cashed
    )


def _fold_result(writer: PokerStarsWriter, seat: Seat) -> str:
    street = writer.fold_streets[seat]
    street_words = _FOLD_STREETS.get(street, "before Flop")
    if street == "preflop" and writer.game.variant in DRAW:
        street_words = "before the Draw"
    put_nothing_in = street in ("preflop", "third") and writer.chips_put_in[seat] <= 0
    return f"folded {street_words}" + " (didn't bet)" * put_nothing_in
