"""The text of a hand while it is written, and what stands around its acts: header, table and seats, and the summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from ledger.event import Event
from ledger.formats.pokerstars.header import CODES, game_of, in_english, parted
from ledger.formats.pokerstars.words import LIMIT_TITLES, ORDINALS, ROOMS, TITLES
from ledger.hand import betting as b
from ledger.hand import opening as o
from ledger.hand.betting import Folded
from ledger.hand.dealing import HoleCardsLearned
from ledger.hand.ending import CardsMucked, CardsShown, DropTaken, PotAwarded, ResultDeclared
from ledger.hand.fold import apply, begin, fold
from ledger.hand.opening import BlindPosted, GameSet, SeatDealtIn, SeatLeftOut, TournamentSet
from ledger.hand.state import HandState
from ledger.hand.usual_order import usual_order
from ledger.people import People
from ledger.presence import PlayerAway
from ledger.readers import amounts, timestamps
from ledger.readers.games import DRAW, STUD
from ledger.vocabulary import Cards, Chips, PlayerId, Seat, split_cards


def spaced(cards: Cards) -> str:
    """Write the known cards with blanks between them."""
    return " ".join(card for card in split_cards(cards) if len(card) == 2 and card != "??")


class Writer:
    """The text of one hand as it grows."""

    def __init__(self, events: Sequence[Event], people: People) -> None:
        self.events = usual_order(events)
        self.people = people
        self.state: HandState = fold(events)  # type: ignore[arg-type]  # a hand's events
        self.game = self.state.game or o.GameSet("holdem", "no-limit", "unknown", "chips", 0)
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


_FOLDED: Final = {
    "preflop": "before Flop",
    "flop": "on the Flop",
    "turn": "on the Turn",
    "river": "on the River",
    "third": "on the 3rd Street",
    "fourth": "on the 4th Street",
    "fifth": "on the 5th Street",
    "sixth": "on the 6th Street",
    "seventh": "on the River",
    "first-draw": "after the 1st Draw",
    "second-draw": "after the 2nd Draw",
    "third-draw": "after the 3rd Draw",
}


def header_lines(w: Writer) -> list[str]:
    """Return the lines from the header to the list of seats."""
    return [_header(w), _table(w), *_seats(w)]


def _header(w: Writer) -> str:
    state, game = w.state, w.game
    opened = state.opened
    if opened is None:
        return "PokerStars Hand #0:  Hold'em No Limit (0/0) - 1970/01/01 0:00:00 ET"
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
        rest = f"  {_cash(w, game)}"
    return f"{room} {'Zoom ' if zoom else ''}Hand #{number}:{club}{rest} - {_date(w)}"


def _number(w: Writer, told: str, what: str) -> str:
    """Return a number; where the source has another name there, one made of that."""
    if told.isascii() and told.isdigit():
        return told
    w.lose(f"{what} numbers that are no numbers")
    return str(sum(byte << 8 * at for at, byte in enumerate(told.encode("utf-8", "surrogatepass")[-7:])))


def _title(w: Writer, game: GameSet) -> str:
    """Return the game's name; the source's own where it can be read again."""
    plain = game.written.rpartition("(")[2]
    if game.written and game_of(plain) == (game.variant, game.betting):
        return game.written
    if game.variant not in TITLES:
        w.lose("the game")
    return f"{TITLES.get(game.variant, game.variant)} {LIMIT_TITLES[game.betting]}"


def _cash(w: Writer, game: GameSet) -> str:
    if game.betting == "spread":
        w.lose("spread limits")
    if game.betting == "limit" and not game.bets:
        w.lose("bets of a limit that nobody told")  # blinds stand in their place
    stakes = game.bets if game.betting == "limit" and game.bets else game.blinds or game.bets
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
    title = _title(w, game)
    if "(" in title:
        return f"{title}, {money})"
    return f"{title} ({money})"


def _tournament(w: Writer) -> str:
    costs, game = w.state.tournament, w.game
    price, match = _price(w)
    stakes = game.bets if game.betting == "limit" and game.bets else game.blinds
    numbers = "/".join(amounts.write(one, "", game.exponent) for one in stakes)
    title = _title(w, game)
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
    if not price or parted(f"{price} Hold'em No Limit") != (price, "Hold'em No Limit"):
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
    opened = w.state.opened
    written = in_english(opened.written) if opened else ""
    if opened is None or (written[:4].isdigit() and written[4:5] == "/"):
        return written
    if opened.started is None:
        if opened.written:
            w.lose("a date that has another form")
        return "1970/01/01 0:00:00"
    utc = datetime.fromtimestamp(opened.started // 1000, UTC)
    for hours in (4, 5):
        local = utc - timedelta(hours=hours)
        text = f"{local:%Y/%m/%d} {local.hour}:{local:%M:%S} ET"
        if timestamps.started(text) == opened.started // 1000 * 1000:
            return text
    return f"{utc:%Y/%m/%d} {utc.hour}:{utc:%M:%S} UTC"


def _table(w: Writer) -> str:
    opened = w.state.opened
    name = " ".join(opened.table.splitlines()) if opened else ""
    if opened and opened.tournament:
        name = f"{opened.tournament} {name}"
    size = f" {opened.seats}-max" if opened and opened.seats else ""
    play = " (Play Money)" if w.game.unit == "play" and w.game.format == "cash" else ""
    button = f" Seat #{w.state.button} is the button" if w.state.button else ""
    return f"Table '{name}'{size}{play}{button}"


def _seats(w: Writer) -> list[str]:
    lines = []
    away = _away_from_the_start(w)
    for event in w.events:
        if not isinstance(event, SeatDealtIn | SeatLeftOut):
            continue
        stack = event.stack
        if stack is None:
            w.lose("unknown stacks")
            stack = 0
        words = f"{w.chips(stack)} in chips"
        if isinstance(event, SeatDealtIn) and event.bounty:
            words += f", {w.money(event.bounty)} bounty"
        ending = ""
        if isinstance(event, SeatLeftOut):
            ending = "is sitting out"
            if event.reason == "moved":
                ending = "out of hand (moved from another table into small blind)"
            elif event.reason != "sitting-out":
                w.lose("why a seat was left out")
        elif event.seat in away:
            ending = "is sitting out"
        lines.append(f"Seat {event.seat}: {w.name(event.player)} ({words}) {ending}")
    return lines


def _away_from_the_start(w: Writer) -> set[int]:
    """Return the dealt-in seats that the list of seats says to be away."""
    found = set()
    for event in w.events:
        if isinstance(event, PlayerAway) and event.seat is not None:
            found.add(event.seat)
        elif (not isinstance(event, SeatDealtIn | SeatLeftOut) and found) or type(event).__name__ in (
            "ButtonPlaced",
            "AntePosted",
            "BlindPosted",
        ):
            break
    return found


def summary_lines(w: Writer) -> list[str]:
    """Return the summary's lines."""
    lines = ["*** SUMMARY ***"]
    if w.state.voided and not w.state.awarded:
        return [*lines, *_fates(w)]
    lines.append(_totals(w))
    if w.runs > 1:
        lines.append(f"Hand was run {'twice' if w.runs == 2 else 'three times'}")
    several = len(w.boards) > 1
    for (run, board), cards in sorted(w.boards.items()):
        if cards:
            word = f"{ORDINALS[max(run, board)]} " if several else ""
            lines.append(f"{word}Board [{' '.join(cards)}]")
    return lines + _fates(w)


def _totals(w: Writer) -> str:
    told = [one for one in w.events if isinstance(one, ResultDeclared)]
    total = next((one.amount for one in told if one.what == "total-pot"), None)
    if total is None:
        total = w.state.total_put()
    line = f"Total pot {w.chips(total)}"
    for one in told:
        if one.what == "main-pot" and one.amount is not None:
            line += f" Main pot {w.chips(one.amount)}."
        elif one.what == "side-pot" and one.amount is not None:
            line += f" Side pot{f'-{one.number}' if one.number else ''} {w.chips(one.amount)}."
    drops: dict[str, Chips] = {"rake": 0}
    for event in w.events:
        if isinstance(event, DropTaken):
            drops[event.kind] = drops.get(event.kind, 0) + event.amount
    for kind, amount in drops.items():
        line += f" | {kind.capitalize()} {w.chips(amount)}"
    return line + " "


def _labels(w: Writer, seat: Seat) -> str:
    labels = " (button)" if seat == w.state.button and w.game.variant not in STUD else ""
    roles: dict[str, Seat] = {}
    for event in w.events:
        if isinstance(event, BlindPosted):
            roles.setdefault(event.role, event.seat)
    if w.state.voided:
        return labels
    if roles.get("button") == seat:
        return " (button blind)"
    for role in ("small", "big"):
        if roles.get(role) == seat:
            labels += f" ({role} blind)"
    return labels


def _fates(w: Writer) -> list[str]:
    lines = []
    for seat in w.state.dealt:
        words = _fate(w, seat)
        if words:
            lines.append(f"Seat {seat}: {w.seat(seat)}{_labels(w, seat)} {words}")
    return lines


def _fate(w: Writer, seat: Seat) -> str:
    shown = [one for one in w.events if isinstance(one, CardsShown) and one.seat == seat]
    learned = next((one for one in w.events if isinstance(one, HoleCardsLearned) and one.seat == seat), None)
    won = _won(w, seat)
    if shown and (won or seat not in w.folded):
        return _shown(w, seat, shown, won)
    if learned is not None and learned.how == "shown":
        cards = spaced(learned.cards)
        return f"showed [{cards}]" + (f" and won ({w.chips(won)})" if won else " and lost")
    if won:
        return f"collected ({w.chips(won)})"
    if learned is not None:
        return f"mucked [{spaced(learned.cards)}]"
    if seat in w.folded:
        return _folded(w, seat)
    mucked = [spaced(one.cards) for one in w.events if isinstance(one, CardsMucked) and one.seat == seat]
    if w.state.voided:
        return f"collected ({w.chips(0)})"
    return f"mucked [{mucked[-1]}]" if mucked and mucked[-1] else "mucked" if mucked else ""


def _won(w: Writer, seat: Seat) -> Chips:
    for event in w.events:
        if isinstance(event, ResultDeclared) and event.what == "collected" and event.seat == seat:
            return event.amount or 0
    return w.state.awarded.get(seat, 0)


def _shown(w: Writer, seat: Seat, shown: list[CardsShown], won: Chips) -> str:
    parts = []
    cards = spaced(shown[-1].cards)
    if w.runs > 1 and len(shown) > 1:
        for run, one in enumerate(shown, 1):
            amount = sum(
                award.amount
                for award in w.events
                if isinstance(award, PotAwarded) and award.seat == seat and award.run == run
            )
            result = f"and won ({w.chips(amount)})" if amount else "and lost"
            parts.append(f"{result} with {w.words(one.claim)}")
        return f"showed [{cards}] " + ", ".join(parts)
    result = f"and won ({w.chips(won)})" if won else "and lost"
    claim = w.words(shown[-1].claim)
    cashed = " (cashed out)" if seat in w.state.cashed else ""
    return f"showed [{cards}] {result}" + (f" with {claim}" if claim else "") + cashed


def _folded(w: Writer, seat: Seat) -> str:
    fold = next((one for one in w.events if isinstance(one, Folded) and one.seat == seat), None)
    street = w.folded[seat]
    words = _FOLDED.get(street, "before Flop")
    if street == "preflop" and w.game.variant in DRAW:
        words = "before the Draw"
    bet = w.total[seat] > 0
    early = street in ("preflop", "third")
    return f"folded {words}" + (" (didn't bet)" if early and not bet and fold else "")
