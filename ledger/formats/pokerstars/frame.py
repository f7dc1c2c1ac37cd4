"""The text of a hand while it is written, and what stands around its acts: header, table and seats, and the summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar

from ledger.event import Event
from ledger.formats.pokerstars.header import CODES, date_in_english, find_game, split_price
from ledger.formats.pokerstars.words import LIMIT_TITLES, ORDINALS_BY_NUMBER, ROOMS, TITLES
from ledger.hand import betting as b
from ledger.hand import opening as o
from ledger.hand.dealing import HoleCardsLearned
from ledger.hand.ending import CardsMucked, CardsShown, DropTaken, PotAwarded, ResultDeclared
from ledger.hand.fold import apply, begin
from ledger.hand.opening import BlindPosted, GameSet, HandOpened, SeatDealtIn, SeatLeftOut, TournamentSet
from ledger.hand.state import HandState
from ledger.hand.usual_order import usual_order
from ledger.people import People
from ledger.presence import PlayerAway
from ledger.readers import amounts, timestamps
from ledger.readers.games import DRAW, DRAW_STREETS, STUD, STUD_STREETS
from ledger.vocabulary import Cards, Chips, PlayerId, Seat, split_cards

_Kind = TypeVar("_Kind", bound=Event)


def spaced(cards: Cards) -> str:
    """Write the known cards with blanks between them."""
    return " ".join(card for card in split_cards(cards) if len(card) == 2 and card != "??")


class Writer:
    """The text of one hand as it grows."""

    def __init__(
        self, events: Sequence[Event], people: People, state: HandState, opened: HandOpened, game: GameSet
    ) -> None:
        self.events = usual_order(events)
        self.people = people
        self.state, self.opened, self.game = state, opened, game
        self.lines: list[str] = []
        self.lost: Counter[str] = Counter()
        self.total: Counter[Seat] = Counter()  # all chips that a seat put in
        self.before: HandState = begin()  # what was known before the event that is said
        self.boards: dict[tuple[int, int], list[str]] = {}
        self.seen: dict[Seat, list[str]] = {}  # cards of a seat that the text showed so far
        self.dead: tuple[Seat, Chips] | None = None  # dead half that waits for its live half
        self.street = "third" if self.game.variant in STUD else "preflop"
        self.folded: dict[Seat, str] = {}
        self.runs = self.state.runs
        self.dealt = False
        self.blinds: set[str] = set()  # whose kinds the text told so far
        self.split = self.game.variant == "split-holdem"

    def of(self, kind: type[_Kind], seat: Seat | None = None) -> list[_Kind]:
        """Return the hand's events of a kind, those of one seat alone if it is named."""
        found = [event for event in self.events if isinstance(event, kind)]
        return found if seat is None else [event for event in found if getattr(event, "seat", None) == seat]

    # words

    def chips(self, amount: Chips) -> str:
        """Write an amount."""
        return amounts.write(amount, self.game.unit, self.game.exponent)

    def money(self, amount: Chips) -> str:
        """Write an amount of a tournament's own currency."""
        currency = self.state.tournament.currency if self.state.tournament else ""
        return amounts.write(amount, currency, 2, full=True)

    def name(self, player: PlayerId) -> str:
        """Return a player's name on one line, or a stand-in where it is erased."""
        found = self.people.name(player)
        if found is None:
            return "player-" + player[:6]
        return " ".join(found.splitlines())

    def seat(self, seat: Seat | None) -> str:
        """Return the name of who sits in a seat."""
        event = self.state.dealt.get(seat or 0) or self.state.left_out.get(seat or 0)
        return self.name(event.player) if event else f"Seat {seat}"

    def words(self, ref: str) -> str:
        """Return a free text on one line."""
        return " ".join((self.people.words(ref) or "").splitlines())

    def put(self, line: str) -> None:
        """Add a line."""
        self.lines.append(line)

    def act(self, seat: Seat, words: str) -> None:
        """Add an act of a seat."""
        self.put(f"{self.seat(seat)}: {words}")

    def end(self, event: o.Post | b.Wager) -> str:
        """Return what follows the amount of a wager."""
        cap = self.state.options.get("bet-cap")
        if event.all_in:
            return " and is all-in"
        if cap and isinstance(cap, int) and self.total.get(event.seat, 0) >= cap:
            return f" and has reached the {self.chips(cap)} cap"
        return ""

    def lose(self, what: str) -> None:
        """Count something that the text cannot say."""
        self.lost[what] += 1

    # the hand

    def book(self, event: Any) -> None:  # noqa: ANN401 - any event of a hand
        """Keep the books for an event."""
        apply(self.before, event)
        kind = type(event)
        if kind is o.BlindPosted:
            self.total[event.seat] += event.live + event.dead
        elif kind is o.BringInPosted or (kind is o.StraddlePosted and event.live):
            self.total[event.seat] += event.amount
        elif kind in (b.Called, b.Bet, b.Raised, b.Completed):
            self.total[event.seat] += event.added


_FOLDED: Final[dict[str, str]] = {
    "preflop": "before Flop",
    **{street: f"on the {street.title()}" for street in ("flop", "turn", "river")},
    **{street: f"on the {nth} Street" for nth, street in STUD_STREETS.items()},
    "seventh": "on the River",
    **{street: f"after the {nth} Draw" for nth, street in zip(("1st", "2nd", "3rd"), DRAW_STREETS, strict=True)},
}


def header_lines(w: Writer) -> list[str]:
    """Return the lines from the header to the list of seats."""
    return [_header(w), _table(w), *_seats(w)]


def _header(w: Writer) -> str:
    state, game, opened = w.state, w.game, w.opened
    room = opened.venue if opened.venue in ROOMS else "PokerStars"
    if room != opened.venue:
        w.lose("the room's name")
    number = _number(w, opened.number, "hand")
    zoom = state.options.get("other") == "zoom"
    club = f" {{{opened.club}}} " if opened.club else ""
    if opened.tournament:
        rest = f" {'Zoom ' if zoom else ''}Tournament #{_number(w, opened.tournament, 'tournament')}, {_tournament(w)}"
        zoom = False
    elif game.format == "tournament" and state.tournament and state.tournament.level:
        rest = f"  {_tournament(w)}"
    else:
        if game.format == "tournament":
            w.lose("that it is a tournament")
        rest = f"  {_cash(w)}"
    return f"{room} {'Zoom ' if zoom else ''}Hand #{number}:{club}{rest} - {_date(w)}"


def _number(w: Writer, told: str, what: str) -> str:
    """Return a number; where the source has another name there, one made of that."""
    if told.isascii() and told.isdigit():
        return told
    w.lose(f"{what} numbers that are no numbers")
    return str(sum(byte << 8 * at for at, byte in enumerate(told.encode("utf-8", "surrogatepass")[-7:])))


def _title(w: Writer) -> str:
    """Return the game's name; the source's own where it can be read again."""
    game = w.game
    plain = game.written.rpartition("(")[2]
    if game.written and find_game(plain) == (game.variant, game.betting):
        return game.written
    return f"{TITLES[game.variant]} {LIMIT_TITLES[game.betting]}"


def _stakes(game: GameSet) -> tuple[Chips, ...]:
    """Return what stands in the brackets: blinds, or bets where the limit is fixed."""
    return game.bets if game.betting == "limit" and game.bets else game.blinds


def _cash(w: Writer) -> str:
    game = w.game
    if game.betting == "spread":
        w.lose("spread limits")
    if game.betting == "limit" and not game.bets:
        w.lose("bets of a limit that nobody told")  # blinds stand in their place
    stakes = _stakes(game) or game.bets
    full = any(one % 10**game.exponent for one in stakes)
    money = "/".join(amounts.write(one, game.unit, game.exponent, full=full) for one in stakes)
    if game.ante and len(stakes) == 1:
        ante = amounts.write(game.ante, game.unit, game.exponent, full=full)
        money = f"Button Blind\xa0{money} - Ante\xa0{ante} "
    cap = w.state.options.get("bet-cap")
    if isinstance(cap, int):
        money += f" - {w.chips(cap)} Cap - "
    if game.unit in CODES or game.unit in amounts.SIGNS:
        money += f" {game.unit}"
    elif game.unit != "play":
        w.lose("the currency")
    title = _title(w)
    if "(" in title:
        return f"{title}, {money})"
    return f"{title} ({money})"


def _tournament(w: Writer) -> str:
    costs, game = w.state.tournament, w.game
    price, match = _price(w)
    numbers = "/".join(amounts.write(one, "", game.exponent) for one in _stakes(game))
    title = _title(w)
    if "(" in title:
        title += ")"
    level = f"Level {costs.level} " if costs and costs.level else ""
    if match:
        level = f"{match}, {level}"
    before = f"{price} {title}".lstrip()
    if not level:
        return f"{before} ({numbers})"
    return f"{before} - {level}({numbers})"


def _price(w: Writer) -> tuple[str, str]:
    """Return what a tournament costs, and its match and round, as these rooms write it and nothing else.

    Other rooms write a tournament's name there; from its numbers the price is written anew.
    """
    costs = w.state.tournament
    if costs is None or not costs.written:
        return _priced(costs) if costs else "", ""
    price, _, match = costs.written.partition(" - ")
    if not price or split_price(f"{price} Hold'em No Limit") != (price, "Hold'em No Limit"):
        w.lose("the buy-in as the room writes it")
        return _priced(costs), ""
    if " - " in match or (match and not costs.level):
        w.lose("the buy-in as the room writes it")
        return price, ""
    return price, match


def _priced(costs: TournamentSet) -> str:
    """Write buy-in, bounty and fee; "" where they are not told."""
    if costs.buy_in == 0 and not costs.fee:
        return "Freeroll"
    if costs.buy_in is None or costs.currency not in amounts.SIGNS:
        return ""
    parts = [costs.buy_in, *([costs.bounty] if costs.bounty else []), costs.fee or 0]
    return "+".join(amounts.write(part, costs.currency, 2, full=True) for part in parts) + f" {costs.currency}"


def _date(w: Writer) -> str:
    written, started = date_in_english(w.opened.written), w.opened.started
    if written[:4].isdigit() and written[4:5] == "/":
        return written
    if started is None:
        if written:
            w.lose("a date that has another form")
        return "1970/01/01 0:00:00"
    utc = datetime.fromtimestamp(started // 1000, UTC)
    for hours in (4, 5):
        local = utc - timedelta(hours=hours)
        text = f"{local:%Y/%m/%d} {local.hour}:{local:%M:%S} ET"
        if timestamps.started(text) == started // 1000 * 1000:
            return text
    return f"{utc:%Y/%m/%d} {utc.hour}:{utc:%M:%S} UTC"


def _table(w: Writer) -> str:
    opened = w.opened
    name = f"{opened.tournament} {' '.join(opened.table.splitlines())}".removeprefix(" ")
    size = f" {opened.seats}-max" if opened.seats else ""
    play = " (Play Money)" if w.game.unit == "play" and w.game.format == "cash" else ""
    button = f" Seat #{w.state.button} is the button" if w.state.button else ""
    return f"Table '{name}'{size}{play}{button}"


def _seats(w: Writer) -> list[str]:
    lines = []
    away = _away_from_the_start(w)
    for event in w.events:
        if not isinstance(event, SeatDealtIn | SeatLeftOut):
            continue
        if event.stack is None:
            w.lose("unknown stacks")
        words = f"{w.chips(event.stack or 0)} in chips"
        ending = "is sitting out" if event.seat in away else ""
        if isinstance(event, SeatLeftOut):
            ending = "is sitting out"
            if event.reason == "moved":
                ending = "out of hand (moved from another table into small blind)"
            elif w.game.format == "tournament":
                w.lose("that a seat of a tournament got no cards")  # there who sits out is dealt in
            elif event.reason != "sitting-out":
                w.lose("why a seat was left out")
        elif event.bounty:
            words += f", {w.money(event.bounty)} bounty"
        lines.append(f"Seat {event.seat}: {w.name(event.player)} ({words}) {ending}")
    return lines


def _away_from_the_start(w: Writer) -> set[int]:
    """Return the dealt-in seats that the list of seats says to be away."""
    found = set()
    for event in w.events:
        if isinstance(event, PlayerAway) and event.seat is not None:
            found.add(event.seat)
        elif isinstance(event, o.ButtonPlaced | o.AntePosted | BlindPosted) or (
            found and not isinstance(event, SeatDealtIn | SeatLeftOut)
        ):
            break
    return found


def summary_lines(w: Writer) -> list[str]:
    """Return the summary's lines."""
    lines = ["*** SUMMARY ***"]
    if w.state.voided and not w.state.chips.awarded:
        return [*lines, *_fates(w)]
    lines.append(_totals(w))
    if w.runs > 1:
        lines.append(f"Hand was run {'twice' if w.runs == 2 else 'three times'}")
    several = len(w.boards) > 1
    for (run, board), cards in sorted(w.boards.items()):
        if cards:
            word = f"{ORDINALS_BY_NUMBER[max(run, board)]} " if several else ""
            lines.append(f"{word}Board [{' '.join(cards)}]")
    return lines + _fates(w)


def _totals(w: Writer) -> str:
    told = w.of(ResultDeclared)
    total = next((one.amount for one in told if one.what == "total-pot"), None)
    line = f"Total pot {w.chips(w.state.total_put() if total is None else total)}"
    for one in told:
        if one.what == "main-pot" and one.amount is not None:
            line += f" Main pot {w.chips(one.amount)}."
        elif one.what == "side-pot" and one.amount is not None:
            line += f" Side pot{f'-{one.number}' if one.number else ''} {w.chips(one.amount)}."
    drops: Counter[str] = Counter(rake=0)
    for event in w.of(DropTaken):
        drops[event.kind] += event.amount
    for kind, amount in drops.items():
        line += f" | {kind.capitalize()} {w.chips(amount)}"
    return line + " "


def _labels(w: Writer, seat: Seat) -> str:
    button = " (button)" if seat == w.state.button and w.game.variant not in STUD else ""
    if w.state.voided:
        return button
    roles: dict[str, Seat] = {}
    for event in w.of(BlindPosted):
        roles.setdefault(event.role, event.seat)
    if roles.get("button") == seat:
        return " (button blind)"
    return button + "".join(f" ({role} blind)" for role in ("small", "big") if roles.get(role) == seat)


def _fates(w: Writer) -> list[str]:
    fates = {seat: _fate(w, seat) for seat in w.state.dealt}
    return [f"Seat {seat}: {w.seat(seat)}{_labels(w, seat)} {words}" for seat, words in fates.items() if words]


def _fate(w: Writer, seat: Seat) -> str:
    shown, won = w.of(CardsShown, seat), _won(w, seat)
    learned = next(iter(w.of(HoleCardsLearned, seat)), None)
    if shown and (won or seat not in w.folded):
        return _shown(w, seat, shown, won)
    if learned is not None and learned.how == "shown":
        return f"showed [{spaced(learned.cards)}] {_result(w, won)}"
    if won or (w.state.voided and learned is None and seat not in w.folded):
        return f"collected ({w.chips(won)})"
    if learned is not None:
        return f"mucked [{spaced(learned.cards)}]"
    if seat in w.folded:
        return _folded(w, seat)
    mucked = [spaced(one.cards) for one in w.of(CardsMucked, seat)]
    return f"mucked [{mucked[-1]}]" if mucked and mucked[-1] else "mucked" if mucked else ""


def _won(w: Writer, seat: Seat) -> Chips:
    told = (event.amount or 0 for event in w.of(ResultDeclared, seat) if event.what == "collected")
    return next(told, w.state.chips.awarded.get(seat, 0))


def _result(w: Writer, won: Chips) -> str:
    return f"and won ({w.chips(won)})" if won else "and lost"


def _shown(w: Writer, seat: Seat, shown: list[CardsShown], won: Chips) -> str:
    cards = spaced(shown[-1].cards)
    if w.runs > 1 and len(shown) > 1:
        awards = w.of(PotAwarded, seat)
        of_runs = [sum(one.amount for one in awards if one.run == run) for run in range(1, len(shown) + 1)]
        told = zip(of_runs, shown, strict=True)
        return f"showed [{cards}] " + ", ".join(f"{_result(w, won)} with {w.words(one.claim)}" for won, one in told)
    claim = w.words(shown[-1].claim)
    cashed = " (cashed out)" if seat in w.state.cashed else ""
    return f"showed [{cards}] {_result(w, won)}" + (f" with {claim}" if claim else "") + cashed


def _folded(w: Writer, seat: Seat) -> str:
    street = w.folded[seat]
    words = _FOLDED.get(street, "before Flop")
    if street == "preflop" and w.game.variant in DRAW:
        words = "before the Draw"
    quiet = street in ("preflop", "third") and w.total[seat] <= 0
    return f"folded {words}" + " (didn't bet)" * quiet
