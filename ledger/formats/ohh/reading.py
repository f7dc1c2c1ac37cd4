"""Open Hand History to events: each object is one hand, each event points at the member that told it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

import msgspec

from ledger.account import Reject
from ledger.errors import UnreadableHandError
from ledger.formats.ohh import acts
from ledger.formats.ohh.acts import listed
from ledger.formats.ohh.documents import objects
from ledger.formats.ohh.words import FIVE_CARDS, GAMES, LIMITS, PLAY, PLAYER, ROOT, WITNESSES
from ledger.hand.opening import ButtonPlaced, GameSet, HandOpened, OptionSet, TournamentSet
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.readers import amounts, timestamps
from ledger.readers.hand import SEATS, HandBuilder
from ledger.readers.reading import in_unit
from ledger.readers.spans import Spans, elements, members
from ledger.vocabulary import Witness

_decoder = msgspec.json.Decoder(dict[str, Any], float_hook=str)

_FLAGS: Final = {"fast": ("other", "zoom"), "anonymous": ("other", "anonymous")}
"""Flags of a hand → the house's option that they tell."""


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    data = chunk.data
    begun = False
    for kind, start, end, after in objects(data):
        bracket = -1 if begun else data.find(b"[", 0, start)  # it belongs to the first hand
        first = bracket if bracket >= 0 else start
        begun = True
        try:
            if kind != b"ohh":
                raise _no_hand(kind)
            told = _hand(data, start, end, people)
        except UnreadableHandError as error:
            yield _reject(chunk, first, after, error)
        else:
            yield told.account(chunk.start, first, after - first)


def _no_hand(kind: bytes) -> UnreadableHandError:
    if kind == b"ots":
        return UnreadableHandError(
            "the summary of a tournament, not a hand",
            kind="not-a-hand",
            hint="What each hand of the tournament was stands in its .ohh files.",
        )
    return UnreadableHandError("no hand begins here", kind="not-a-hand")


def _reject(chunk: Chunk, start: int, end: int, error: UnreadableHandError) -> Reject:
    return Reject(chunk.start + start, end - start, chunk.line_at(start), error.kind, error.reason, error.hint)


def _hand(data: bytes, start: int, end: int, people: People) -> HandBuilder:
    try:
        whole = _decoder.decode(data[start:end])
    except RecursionError:
        raise UnreadableHandError("nests too deep for a hand history", kind="too-deep") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableHandError(
            f"the object cannot be read: {error}", kind="damaged", hint="Was the file cut off, or changed by hand?"
        ) from None
    hand = whole.get("ohh")
    if not isinstance(hand, dict):
        raise UnreadableHandError("no hand stands in this object", kind="not-a-hand")
    inner, size = members(data, start, end - start)["ohh"]
    return in_unit(lambda exponent: _tell(data, hand, inner, size, people, exponent))


def _tell(
    data: bytes, hand: dict[str, Any], start: int, size: int, people: People, exponent: int | None
) -> HandBuilder:
    spans = Spans()
    places = {name: spans.add(*span) for name, span in members(data, start, size).items()}
    whole = spans.add(start, size)
    number = text(hand.get("game_number"))
    if not number:
        raise UnreadableHandError("the hand has no game_number", kind="no-header")
    info = hand.get("tournament_info")
    tournament = bool(hand.get("tournament")) or bool(info)
    venue = text(hand.get("site_name")) or text(hand.get("network_name")) or "unknown room"
    game = _game(hand, exponent, tournament=tournament)
    told = HandBuilder(spans, people, venue, game, whole)
    if tournament:
        told.at = places.get("tournament_info", whole)
        told.put(_tournament(info if isinstance(info, dict) else {}))
    told.at = places.get("game_type", whole)
    told.put(game)
    _options(told, hand, places, whole)
    first = _first_seat(hand)
    seats = _players(told, data, hand, places, first)
    button = hand.get("dealer_seat")
    if type(button) is int and first <= button < SEATS - 1 + first:
        told.at = places["dealer_seat"]
        told.put(ButtonPlaced(button + 1 - first))
    cards = acts.rounds(told, data, hand, places, seats)
    told.ante_for_all()
    acts.pots(told, data, hand, places, seats)
    for name in sorted(hand.keys() - ROOT):
        told.at = places[name]
        told.unread(f"{name}: {msgspec.json.encode(hand[name]).decode()[:2000]}")
    size_of = hand.get("table_size")
    written = text(hand.get("start_date_utc"))
    told.open(
        HandOpened(
            venue,
            text(hand.get("table_name")),
            number,
            WITNESSES | (int(Witness.OWN_CARDS) if cards else 0),
            timestamps.iso(written),
            written,
            size_of if type(size_of) is int and 0 < size_of < SEATS else 0,
            text(info.get("tournament_number")) if isinstance(info, dict) else "",
        )
    )
    return told


def text(value: object) -> str:
    """Return a member as text, "" where it is none. Some writers give numbers as numbers."""
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""


def _game(hand: dict[str, Any], exponent: int | None, *, tournament: bool) -> GameSet:
    written = text(hand.get("game_type"))
    variant = GAMES.get(written.lower().replace(" ", "").replace("_", ""))
    limit = hand.get("bet_limit")
    kind = text(limit.get("bet_type")) if isinstance(limit, dict) else ""
    betting = LIMITS.get(kind.upper())
    if variant is None or betting is None:
        raise UnreadableHandError(f"the game {written!r} with the limit {kind!r} is not known", kind="game")
    variant = FIVE_CARDS.get((variant, _dealt(hand)), variant)
    currency = text(hand.get("currency"))
    unit = "chips" if tournament else "play" if currency in PLAY else currency
    if exponent is None:
        exponent = 0 if unit in ("chips", "play") else 2
    blinds = [amounts.number(hand.get(name) or 0, exponent) for name in ("small_blind_amount", "big_blind_amount")]
    return GameSet(
        variant,
        betting,
        "tournament" if tournament else "cash",
        unit,
        exponent,
        tuple(blinds) if any(blinds) else (),
        amounts.number(hand.get("ante_amount") or 0, exponent),
    )


def _dealt(hand: dict[str, Any]) -> int:
    """Return how many cards the first hand has that the record tells."""
    for part in listed(hand, "rounds"):
        for act in listed(part, "actions"):
            if act.get("action") in ("Dealt Cards", "Shows Cards") and isinstance(act.get("cards"), list):
                return len(act["cards"])
    return 0


def _tournament(info: dict[str, Any]) -> TournamentSet:
    def money(name: str) -> int | None:
        value = info.get(name)
        return amounts.number(value, 2) if value is not None else None

    return TournamentSet(
        "",
        money("buyin_amount"),
        money("fee_amount"),
        money("bounty_fee_amount"),
        text(info.get("currency")),
        text(info.get("name")),
    )


def _options(told: HandBuilder, hand: dict[str, Any], places: dict[str, int], whole: int) -> None:
    limit = hand.get("bet_limit")
    cap = amounts.number(limit.get("bet_cap") or 0, told.exponent) if isinstance(limit, dict) else 0
    if cap:
        told.at = places["bet_limit"]
        told.put(OptionSet("bet-cap", cap))
    flags = hand.get("flags")
    told.at = places.get("flags", whole)
    for flag in flags if isinstance(flags, list) else []:
        option = _FLAGS.get(text(flag).lower())
        if option:
            told.put(OptionSet(option[0], option[1]))  # type: ignore[arg-type]  # one of the options


def _players(
    told: HandBuilder, data: bytes, hand: dict[str, Any], places: dict[str, int], first: int
) -> dict[str, int]:
    """Tell the seats; return the seat of each player's id."""
    seats: dict[str, int] = {}
    players = listed(hand, "players")
    if not players:
        raise UnreadableHandError("no player is named", kind="no-players")
    out = any(player.get("is_sitting_out") is True for player in players)
    acting = _acting(hand) if out else ()
    spans = told.places
    assert isinstance(spans, Spans)  # noqa: S101 - this reader's own
    where = {}
    for player, span in zip(players, elements(data, *_span(spans, places["players"])), strict=True):
        where[id(player)] = spans.add(*span)
    for player in sorted(players, key=partial(_seat_of, first=first)):
        told.at = where[id(player)]
        seat, name = _seat_of(player, first), text(player.get("name"))
        stack = player.get("starting_stack")
        chips = None if stack is None else amounts.number(stack, told.exponent)
        if player.get("is_sitting_out") is True and acts.who(player.get("id")) not in acting:
            told.leave_out(seat, name, chips, "sitting-out")
        else:
            bounty = amounts.number(player.get("player_bounty") or 0, 2)
            told.sit(seat, name, chips, bounty=bounty)
        if acts.who(player.get("id")) in seats:
            raise UnreadableHandError("two players have one id", kind="damaged")
        seats[acts.who(player.get("id"))] = seat
        for member in sorted(player.keys() - PLAYER):
            told.unread(f"{member}: {msgspec.json.encode(player[member]).decode()[:2000]}")
    return seats


def _acting(hand: dict[str, Any]) -> set[str]:
    return {acts.who(act.get("player_id")) for part in listed(hand, "rounds") for act in listed(part, "actions")}


def _span(spans: Spans, at: int) -> tuple[int, int]:
    return spans.starts[at], spans.lengths[at]


def _first_seat(hand: dict[str, Any]) -> int:
    """Return 0 where the writer counts seats from 0, as programs do, otherwise 1."""
    seats = [player.get("seat") for player in listed(hand, "players")]
    return 0 if any(seat == 0 and seat is not False for seat in seats) else 1


def _seat_of(player: dict[str, Any], first: int) -> int:
    """Return the seat as tables count them, from 1."""
    seat = player.get("seat")
    if not isinstance(seat, int) or isinstance(seat, bool) or not first <= seat < SEATS - 1 + first:
        raise UnreadableHandError(f"there is no seat {str(seat)[:20]!r}", kind="seat")
    return seat + 1 - first
