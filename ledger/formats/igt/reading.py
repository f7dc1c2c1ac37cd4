"""One hand of a record: its header and seats; the acts and the results are told elsewhere."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from ledger.errors import UnreadableHandError
from ledger.formats.igt import acts, settling
from ledger.formats.igt.values import Hand, digits
from ledger.formats.igt.words import ABSENT, EMPTY, GAMES, LIMITS, OF_HAND, OF_PLAYER, VENUE, WITNESSES, plain
from ledger.hand.opening import ButtonPlaced, GameFormat, GameSet, HandOpened
from ledger.people import People
from ledger.readers import amounts
from ledger.readers.hand import SEATS
from ledger.readers.spans import Spans, members
from ledger.vocabulary import Chips, Millis, Seat, Witness

_decoder: Final = msgspec.json.Decoder(dict[str, Any], float_hook=str)
_MOST: Final = 200
_EARLIEST: Final = 1_000_000_000_000
"""No record is older than this moment of 2001: an earlier one lacks digits."""


def tell(data: bytes, place: tuple[int, int], people: People, exponent: int | None) -> Hand:
    """Read the hand at `place`; one that cannot be read raises `UnreadableHandError`."""
    start, length = place
    text = data[start : start + length]
    if b"\\u0000" in text or b"\0" in text:
        raise UnreadableHandError("the hand holds characters that are no text", kind="damaged")
    try:
        value = _decoder.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise UnreadableHandError(
            f"the record cannot be read: {error}", kind="damaged", hint="Was the file changed by hand?"
        ) from None
    if not isinstance(value.get("player"), list) or not isinstance(value.get("action"), list):
        raise UnreadableHandError("no record of a hand: no players or no acts", kind="not-a-hand")
    table, number = _identity(value)
    tournament = value.get("tournamentTable") is True or "TOURN" in str(value.get("gameKind"))
    game = _game(value, tournament=tournament, exponent=exponent)
    spans = Spans()
    where = {name: spans.add(*span) for name, span in members(data, start, length).items()}
    where[""] = spans.add(start, length)
    hand = Hand(data, spans, where, people, VENUE, game, value)
    hand.at = where.get("game", where.get("gameType", where[""]))
    hand.put(game)
    chairs = _seats(hand)
    for name in value:
        if name not in OF_HAND and name.lower() not in _TICKETS:
            hand.strange(name, where[name])
    acts.play(hand)
    settling.settle(hand)
    witnesses = WITNESSES | (int(Witness.OWN_CARDS) if hand.own else 0)
    witnesses |= int(Witness.BLIND_AMOUNTS) if game.blinds else 0
    held = str(value.get("tableTourneyId") or "")[:_MOST] if tournament else ""
    hand.open(
        HandOpened(
            VENUE,
            table,
            number,
            witnesses,
            _moment(value.get("date")),
            str(value.get("date") or "")[:_MOST],
            chairs,
            held,
        )
    )
    return hand


_TICKETS: Final = frozenset(("currentplayerregticketid",))


def _moment(value: object) -> Millis | None:
    found = digits(value)
    return found if found is not None and _EARLIEST < found < 1 << 47 else None


def _identity(value: dict[str, Any]) -> tuple[str, str]:
    """Return table and number of `"handId": "90000001.hand.12"`; the table is its name with its number."""
    name, number = value.get("table"), digits(value.get("tableId"))
    words = str(value.get("handId") or value.get("id") or "")[:_MOST]
    hand = words.rpartition("hand.")[2].strip()
    table = name[:_MOST].strip() if isinstance(name, str) else ""
    if number is not None:
        table = f"{table} ({number})" if table else str(number)
    if not table or not hand:
        raise UnreadableHandError(
            "the record has no table or no number",
            kind="no-header",
            hint="Without them the hand cannot be told from others.",
        )
    return table, hand


# -- the game -----------------------------------------------------------------------------------


def _game(value: dict[str, Any], *, tournament: bool, exponent: int | None) -> GameSet:
    name, kind = (str(value.get(one) or "")[:_MOST].strip() for one in ("game", "gameType"))
    variant = GAMES.get(name.upper()) or GAMES.get(kind.upper())
    betting = LIMITS.get(plain(value.get("limit")))
    if variant is None or betting is None:
        limit = str(value.get("limit"))[:20]
        raise UnreadableHandError(
            f"the game {limit!r} {(name or kind)[:40]!r} is not known",
            kind="unknown-game",
            hint="If it is a game that handledger knows by another name, please report it.",
        )
    exponent = (0 if tournament else 2) if exponent is None else exponent
    small, big = _stakes(value, exponent)
    blinds, bets = (small, big), ()
    if betting == "limit" and big:
        posted = [
            amounts.number(one["value"], exponent)
            for one in value["action"]
            if isinstance(one, dict) and one.get("kind") == "HAND_BB" and _is_number(one.get("value"))
        ]
        of_bets = bool(posted) and posted[0] == small  # the stakes are the bets
        blinds, bets = ((), (small, big)) if of_bets else ((small, big), ())  # type: ignore[assignment]  # of none or two
    form: GameFormat = "cash" if "CASH" in str(value.get("gameKind")) else "unknown"
    unit = value.get("tableCurrency")
    ante = value.get("ante")
    return GameSet(
        variant,
        betting,
        "tournament" if tournament else form,
        unit[:10] if isinstance(unit, str) and unit and not tournament else "chips",
        exponent,
        tuple(one for one in blinds if one),
        amounts.number(ante, exponent) if _is_number(ante) else 0,
        bets,
        0,
        f"{name or kind} {str(value.get('limit'))[:20]}",
    )


def _stakes(value: dict[str, Any], exponent: int) -> tuple[Chips, Chips]:
    """Return the stakes of `"stake": "0.25/0.5"`, or of `small` and `large`; 0 where they are not told."""
    stake = value.get("stake")
    low, _, high = stake.partition("/") if isinstance(stake, str) else ("", "", "")
    pair = (low.strip(), high.strip()) if high else (value.get("small"), value.get("large"))
    if not all(map(_is_number, pair)):
        return 0, 0
    return amounts.number(pair[0], exponent), amounts.number(pair[1], exponent)


def _is_number(value: object) -> bool:
    """Whether this is a number without a sign, as text or not."""
    text = "" if isinstance(value, bool) else str(value)
    return text.isascii() and text.replace(".", "", 1).isdigit() and len(text) < 20


# -- seats --------------------------------------------------------------------------------------


def _seats(hand: Hand) -> Seat:
    """Tell who sits where; return how many chairs are listed."""
    busy = {
        one["player"] for one in hand.value["action"] if isinstance(one, dict) and isinstance(one.get("player"), str)
    }
    dead = _dead_blinds(hand)
    button: tuple[int, Seat] | None = None
    found = hand.parts("player")
    for at, one in found:
        hand.at = at
        if not isinstance(one, dict) or not isinstance(one.get("name", ""), str | None):
            hand.strange("player", at)
            continue
        seat, name, state = digits(one.get("seat")) or 0, one.get("name"), one.get("state")
        if not 0 < seat < SEATS:
            raise UnreadableHandError(f"there is no seat {str(one.get('seat'))[:20]}", kind="seat")
        if str(one.get("dealer")).upper() in ("Y", "TRUE"):
            button = at, seat
        if not name or (state == EMPTY and name not in busy):
            continue  # an empty chair
        stack = hand.sum(one.get("amount"))
        if name in busy and name not in hand.seats:
            _sit(hand, one, seat, stack, dead.get(name, []))
        else:
            hand.leave_out(seat, name[:_MOST], stack, ABSENT.get(str(state), "unknown"))
        hand.strangers(one, OF_PLAYER, at)
    if not hand.stacks:
        raise UnreadableHandError(
            "the hand breaks off before its players",
            kind="cut-off",
            hint="Nobody is named who plays: nothing can be said about this hand.",
        )
    if button:
        hand.at = button[0]
        hand.put(ButtonPlaced(button[1]))
    return min(len(found), SEATS - 1)


def _sit(hand: Hand, one: dict[str, Any], seat: Seat, stack: Chips | None, dead: list[tuple[Chips, Chips]]) -> None:
    """Deal a seat in. Who posts a dead blind may be told with what is left behind it."""
    for amount, behind in dead:
        if stack == behind:
            stack += amount
            hand.derived.append(len(hand.events))
            break
    bounty = one.get("bounty")
    hand.sit(seat, one["name"], stack, bounty=amounts.number(bounty, 2) if _is_number(bounty) else 0)


def _dead_blinds(hand: Hand) -> dict[str, list[tuple[Chips, Chips]]]:
    """Return the dead small blinds of each player, with the balances behind them."""
    found: dict[str, list[tuple[Chips, Chips]]] = {}
    for one in hand.value["action"]:
        if isinstance(one, dict) and one.get("kind") == "HAND_DSB":
            amount, behind = one.get("value"), one.get("bankRoll")
            if _is_number(amount) and _is_number(behind):
                pair = amounts.number(amount, hand.exponent), amounts.number(behind, hand.exponent)
                found.setdefault(str(one.get("player")), []).append(pair)
    return found
