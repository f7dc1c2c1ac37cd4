"""Writes what stands around a hand's acts: header, table and seats before them, the summary behind them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from ledger.formats.pokerstars.books import Writer, spaced
from ledger.formats.pokerstars.header import game_of, in_english, parted
from ledger.formats.pokerstars.words import DRAW, LIMIT_TITLES, ORDINALS, ROOMS, TITLES
from ledger.hand.betting import Folded
from ledger.hand.dealing import HoleCardsLearned
from ledger.hand.ending import CardsMucked, CardsShown, DropTaken, PotAwarded, ResultDeclared
from ledger.hand.opening import BlindPosted, GameSet, SeatDealtIn, SeatLeftOut, TournamentSet
from ledger.presence import PlayerAway
from ledger.readers import amounts, timestamps
from ledger.readers.games import STUD
from ledger.vocabulary import Chips, Seat

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
    else:
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
    stakes = game.bets if game.betting == "limit" and game.bets else game.blinds or game.bets
    full = any(one % 10**game.exponent for one in stakes)
    money = "/".join(amounts.write(one, game.unit, game.exponent, full=full) for one in stakes)
    if game.ante and len(stakes) == 1:
        ante = amounts.write(game.ante, game.unit, game.exponent, full=full)
        money = f"Button Blind\xa0{money} - Ante\xa0{ante} "
    cap = w.state.options.get("bet-cap")
    if isinstance(cap, int):
        money += f" - {w.chips(cap)} Cap - "
    if game.unit in amounts.SIGNS:
        money += f" {game.unit}"
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
        price = "" if costs is None else _priced(costs)
        return price or ("Freeroll" if costs is None or not costs.buy_in else ""), ""
    price, _, match = costs.written.partition(" - ")
    if not price or parted(f"{price} Hold'em No Limit") != (price, "Hold'em No Limit"):
        w.lose("the buy-in as the room writes it")
        return _priced(costs), ""
    if " - " in match:
        w.lose("the buy-in as the room writes it")
        return price, ""
    return price, match


def _priced(costs: TournamentSet) -> str:
    """Write buy-in, bounty and fee; "" where they are not told."""
    if costs.buy_in is None or costs.currency not in amounts.SIGNS:
        return ""
    if not costs.buy_in and not costs.fee:
        return "Freeroll"
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
            word = f"{ORDINALS.get(max(run, board), 'NEXT')} " if several else ""
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
    mucked = any(isinstance(one, CardsMucked) and one.seat == seat for one in w.events)
    if w.state.voided:
        return f"collected ({w.chips(0)})"
    return "mucked" if mucked else ""


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
