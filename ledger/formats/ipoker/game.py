"""One game of a session: its players, posts, cards and acts, sorted as they were numbered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.formats.ipoker import results
from ledger.formats.ipoker.session import Session
from ledger.formats.ipoker.words import BOARDS, OF_CARDS, OWN, STUD, UPS, VENUE, WITNESSES, bare, cards, chips
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import RemarkNoted
from ledger.hand.opening import ButtonPlaced, GameSet, HandOpened
from ledger.people import People
from ledger.presence import PlayerAway
from ledger.readers import amounts
from ledger.readers.hand import SEATS, HandBuilder, nobody
from ledger.readers.marked import Source, Tag, attributes, plain
from ledger.readers.spans import Spans
from ledger.vocabulary import Chips, Seat, Street, Witness

_CODE_MOST: Final = 40
_TEXT_MOST: Final = 200


@dataclass(slots=True)
class Player:
    """A line of `players`."""

    tag: Tag
    name: str
    seat: int
    stack: str
    dealer: bool
    win: str
    bet: str
    rake: str
    extra: bool  # a rebuy or an add-on is noted


@dataclass(slots=True)
class Act:
    """An `action`, or `cards` (kind "")."""

    tag: Tag
    round: int
    number: int  # its `no`
    kind: str
    name: str
    value: str  # the sum; of cards their type
    shown: str = ""  # cards
    stop: int = 0


@dataclass(slots=True)
class Parts:
    """What a game's tags say, before the unit of its amounts is known."""

    tag: Tag
    code: str
    written: str = ""
    players: list[Player] = field(default_factory=list)
    dealt: list[Act] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    stakes: dict[str, str] = field(default_factory=dict)  # as this game names them
    unknown: list[Tag] = field(default_factory=list)
    closed: bool = False
    comments: int = 0


_QUIET: Final = frozenset(
    (
        "general",
        "players",
        "round",
        "/general",
        "/players",
        "/round",
        "/action",
        "/cards",
        "/player",
        "/startdate",
        "/session",
        "servername",
        "/servername",
        "?xml",
        "/game",
        "/root",
        "/smallblind",
        "/bigblind",
        "/ante",
    )
)


def parts(source: Source, inner: list[Tag], stop: int) -> Parts:
    """Take a game's tags apart; `inner` begins with its own, the game ends at `stop`."""
    found = Parts(inner[0], attributes(source, inner[0]).get("gamecode", "").strip())
    if not found.code or len(found.code) > _CODE_MOST:
        raise UnreadableHandError("the game has no number", kind="header")
    number = 0
    for tag in inner[1:]:
        name = tag.name
        if name == "action":
            found.acts.append(_act(attributes(source, tag), tag, number))
        elif name == "cards":
            found.dealt.append(_cards(source, tag, number, stop))
        elif name == "player":
            found.players.append(_player(attributes(source, tag), tag))
        elif name == "round":
            number = _count(attributes(source, tag).get("no", ""), number)
        elif name == "startdate":
            end = source.text.find("<", tag.stop, tag.stop + _TEXT_MOST)
            found.written = found.written or plain(source.words(tag.stop, max(end, tag.stop))).strip()
        elif name == "/game":
            found.closed = True
        elif name in _STAKES:
            end = source.text.find("<", tag.stop, tag.stop + _TEXT_MOST)
            found.stakes.setdefault(name, bare(plain(source.words(tag.stop, max(end, tag.stop)))))
        elif name not in _QUIET:
            found.unknown.append(tag)
    return found


_STAKES: Final = frozenset(("smallblind", "bigblind", "ante"))
_order: Final = attrgetter("round", "number")  # a round's cards have number 0


def _count(text: str, otherwise: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else otherwise


def _player(found: dict[str, str], tag: Tag) -> Player:
    get = found.get
    more = (get("rebuy", "0"), get("addon", "0"), get("merge", "0"))
    return Player(
        tag,
        get("name", ""),
        _count(get("seat", ""), 0),
        get("chips", ""),
        get("dealer") == "1",
        get("win", ""),
        get("bet", ""),
        get("rakeamount", ""),
        more != _NO_MORE and any(bare(one).strip("0.,") for one in more),
    )


_NO_MORE: Final = ("0", "0", "0")


def _act(found: dict[str, str], tag: Tag, number: int) -> Act:
    kind = found.get("type", "").strip()
    if kind not in _ACTS:
        kind = _WORDS.get(found.get("actiontxt", "").strip().lower(), kind)
    return Act(tag, number, _count(found.get("no", ""), 1 << 20), kind, found.get("player", ""), found.get("sum", ""))


def _cards(source: Source, tag: Tag, number: int, stop: int) -> Act:
    found = attributes(source, tag)
    end = tag.stop
    if not source.text.endswith("/>", tag.start, tag.stop):
        end = source.text.find("<", tag.stop, min(stop, tag.stop + _TEXT_MOST))
    text = source.words(tag.stop, max(end, tag.stop))
    return Act(
        tag, number, 0, "", found.get("player", ""), found.get("type", "").strip().lower(), text, max(end, tag.stop)
    )


class Game(HandBuilder):
    """The hand being told."""

    __slots__ = ("antes", "dealt", "small", "source", "spans", "streets", "whole")

    def __init__(self, source: Source, spans: Spans, people: People, game: GameSet, whole: int) -> None:
        super().__init__(spans, people, VENUE, game, whole)
        self.source = source
        self.spans = spans
        self.whole = whole
        self.streets: set[Street] = set()
        self.small: Seat = 0  # who posted it
        self.antes: set[Seat] = set()
        self.dealt = False  # every seat has its first cards
        if game.variant in ("stud", "stud8"):
            self.street = "third"

    def place(self, tag: Tag, stop: int = 0) -> None:
        """Point at a tag, and at its text up to `stop`."""
        width, spans = self.source.width, self.spans
        self.at = len(spans.starts)
        spans.starts.append(tag.start * width)
        spans.lengths.append(((stop or tag.stop) - tag.start) * width)

    def deal_complete(self) -> None:
        """Say that every seat has its first cards, once."""
        if not self.dealt:
            self.dealt = True
            self.put(DealCompleted())

    def sum(self, text: str) -> Chips:
        """Read an amount: blanks and the currency around it are left out."""
        return chips(text, self.exponent)


def tell(source: Source, found: Parts, known: Session, people: People, exponent: int | None) -> Game:
    """Tell a game. What is damaged raises `UnreadableHandError`."""
    if exponent is None:
        exponent = 0 if known.unit == "chips" else 2
    spans = Spans()
    width = source.width
    whole = spans.add(found.tag.start * width, (found.tag.stop - found.tag.start) * width)
    key = exponent, tuple(found.stakes.values()) if found.stakes else ()
    game = known.games.get(key) if known.variant else None
    if game is None:
        game = known.games[key] = _game_set(found, known, exponent)
    told = Game(source, spans, people, game, whole)
    told.put(told.game)
    if not known.variant:
        told.derived.append(1)
    if known.costs:
        told.put(known.costs)
    _seats(told, found)
    own = _play(told, found, known.nickname)
    results.settle(told, found, apart=known.apart)
    for tag in found.unknown:
        told.place(tag)
        told.unread(source.words(tag.start, tag.stop))
    witnesses = WITNESSES | (int(Witness.OWN_CARDS) if own else 0)
    if told.game.blinds:
        witnesses |= int(Witness.BLIND_AMOUNTS)
    told.open(
        HandOpened(VENUE, known.table, found.code, witnesses, None, found.written, known.chairs, known.tournament)
    )
    return told


def _game_set(found: Parts, known: Session, exponent: int) -> GameSet:
    written, own = known.stakes, False
    if not written and "smallblind" in found.stakes and "bigblind" in found.stakes:
        written, own = (found.stakes["smallblind"], found.stakes["bigblind"]), True
    if len(written) == 2 and found.stakes.get("ante"):
        written = (*written, found.stakes["ante"])
    stakes = tuple(amounts.read(one, exponent) for one in written)
    variant = known.variant
    if not variant:
        counts = {len(cards(one.shown)) // 2 for one in found.dealt if one.value == "pocket" and one.shown.strip()}
        variant = OF_CARDS.get(max(counts, default=0), "")
        if not variant:
            raise UnreadableHandError("the game is not named, nor do its cards tell which it is", kind="unknown-game")
    blinds, ante = stakes[:2] if len(stakes) >= 2 else (), stakes[2] if len(stakes) > 2 else 0
    bets: tuple[Chips, ...] = ()
    if known.betting == "limit" and blinds and not own:  # own blinds do not tell the upper bet
        # Stakes of a limit game are its bets; the blinds are half of them.
        bets = blinds
        blinds = () if variant in STUD else (blinds[0] // 2, blinds[0])
    return GameSet(
        variant,
        known.betting,
        "tournament" if known.tournament else "cash",
        known.unit,
        exponent,
        () if variant in STUD else blinds,
        ante,
        bets,
        0,
        known.game,
    )


def _seats(told: Game, found: Parts) -> None:
    """Tell who sits where; who neither has cards nor acts is not dealt in."""
    there = {one.name for one in found.dealt if one.name}
    there |= {one.name for one in found.acts if one.kind not in _AWAY}
    away = {one.name for one in found.acts if one.kind in _AWAY}
    if not found.dealt and not any(one.round for one in found.acts):
        # The game breaks off before the deal: whoever can play may have been dealt in.
        there |= {one.name for one in found.players if bare(one.stack).strip("0.,")} - away
    button: tuple[Tag, Seat] | None = None
    for player in sorted(found.players, key=lambda one: one.seat):
        told.place(player.tag)
        if player.dealer:
            button = player.tag, player.seat
        if not player.name and player.name not in there:
            continue  # an empty chair
        stack = told.sum(player.stack) if bare(player.stack) else None
        if player.name in there:
            told.sit(player.seat, player.name, stack)
        else:
            why = "sitting-out" if player.name in away else "no-chips" if stack == 0 else "unknown"
            told.leave_out(player.seat, player.name, stack, why)  # type: ignore[arg-type]  # all are named there
        if player.extra:  # how many rebuys and add-ons: of what amount is not said
            told.put(RemarkNoted(told.people.text(told.source.words(player.tag.start, player.tag.stop))))
    if not told.stacks:
        raise nobody("the game breaks off before its players")
    _unseated(told, found, there)
    if button and 0 < button[1] < SEATS:
        told.place(button[0])
        told.put(ButtonPlaced(button[1]))


def _unseated(told: Game, found: Parts, there: set[str]) -> None:
    """Seat who acts without standing among the players: on a free chair, without a stack."""
    taken = {player.seat for player in found.players if player.name}
    for act in found.acts:
        if act.name in told.seats or act.name not in there:
            continue
        free = next((seat for seat in range(1, SEATS) if seat not in taken), 0)
        taken.add(free)
        told.place(act.tag)
        told.derived.append(len(told.events))
        told.sit(free, act.name, None)


_HIDDEN: Final = frozenset(("", *(blank.join(x * n) for x in "Xx" for n in (2, 4, 5, 6) for blank in (" ", ""))))
"""Hole cards of which nothing is known."""


def _play(told: Game, found: Parts, nickname: str) -> bool:
    """Tell posts, cards and acts street by street; return whether the file's owner has cards."""
    own = False
    seats, put = told.seats, told.put
    for act in sorted([*found.dealt, *found.acts], key=_order):
        kind = act.kind
        if not kind:
            if act.value == "pocket" and act.shown in _HIDDEN:
                continue
            if act.value in BOARDS and not act.name:
                told.place(act.tag, act.stop)
                told.deal_complete()
            own = _deal(told, act, nickname) or own
            continue
        told.place(act.tag)
        seat = seats.get(act.name)
        if kind not in _BEFORE and (act.round or kind != "7") and not told.dealt:
            told.dealt = True
            put(DealCompleted())
        make = _ACTS.get(kind)
        if make is not None and seat is not None:
            make(told, seat, act)
        elif kind not in _AWAY:  # of who is not dealt in the seats tell it
            told.unread(told.source.words(act.tag.start, act.tag.stop))
    return own


def _deal(told: Game, one: Act, nickname: str) -> bool:
    """Deal cards of the board or of a player; return whether they are the file owner's own."""
    told.place(one.tag, one.stop)
    new = cards(one.shown)
    if one.value != "pocket" and (one.value not in OWN or not one.name):
        board = BOARDS.get(one.value)
        if board is None:
            told.unread(told.source.words(one.tag.start, one.stop))
        elif new:
            told.board(board, new)
        return False
    up = ""
    if one.value != "pocket":
        last = one.value == "river"
        short = told.game.variant == "stud5"
        street: Street = "fifth" if last and short else OWN[one.value]
        if street not in told.streets:
            told.streets.add(street)
            if street != told.street:
                told.deal_street(street)
        up = "d" if last and not short else UPS.get(len(new) // 2, "")
    seat = told.seats.get(one.name)
    if seat is None or not new.strip("?"):
        return False
    mine = one.name == nickname
    told.put(HoleCardsDealt(seat, new, up, "owner" if mine else "after"))
    return mine and "?" not in new


Make: TypeAlias = Callable[[Game, Seat, Act], None]


def _fold(told: Game, seat: Seat, _act: Act) -> None:
    told.fold(seat)


def _check(told: Game, seat: Seat, _act: Act) -> None:
    told.check(seat)


def _call(told: Game, seat: Seat, act: Act) -> None:
    told.call(seat, told.sum(act.value))


def _bet(told: Game, seat: Seat, act: Act) -> None:
    told.bet(seat, told.sum(act.value))


def _raise_to(told: Game, seat: Seat, act: Act) -> None:
    told.raise_to(seat, told.sum(act.value))


def _raise_by(told: Game, seat: Seat, act: Act) -> None:
    told.raise_over(seat, told.sum(act.value))


def _ante(told: Game, seat: Seat, act: Act) -> None:
    told.antes.add(seat)
    told.ante(seat, told.sum(act.value))


def _bring_in(told: Game, seat: Seat, act: Act) -> None:
    told.bring_in(seat, told.sum(act.value))


def _small(told: Game, seat: Seat, act: Act) -> None:
    """Post a small blind; from a second seat it makes up for a missed one and is dead."""
    amount = told.sum(act.value)
    if told.small and told.small != seat:
        told.post(seat, "makeup-small", 0, amount)
    else:
        told.small = seat
        told.post(seat, "small", amount)


def _big(told: Game, seat: Seat, act: Act) -> None:
    """Post a big blind; from a second seat it is an entry, and what is more than the blind is dead."""
    amount = told.sum(act.value)
    if not told.big or told.big == seat:
        told.post(seat, "big", amount)
    elif told.blind and amount > told.blind:
        told.post_both(seat, amount)
    else:
        told.post(seat, "entry", amount)


def _all_in(told: Game, seat: Seat, act: Act) -> None:
    """Put all chips in: in the first round as a post, later as a bet, call or raise."""
    amount = told.sum(act.value)
    if act.round:
        told.wager(seat, told.bets[seat] + amount, all_in=True)
    elif told.antes and seat not in told.antes:
        told.antes.add(seat)
        told.ante(seat, amount, all_in=True)
    elif not told.small:
        told.small = seat
        told.post(seat, "small", amount, all_in=True)
    else:
        told.post(seat, "entry" if told.big else "big", amount, all_in=True)


def _away(told: Game, seat: Seat, act: Act) -> None:
    told.put(PlayerAway(seat, told.player(act.name), why="sits-out"))


_AWAY: Final = frozenset(("8", "9"))
_BEFORE: Final = frozenset(("1", "2", "15", *_AWAY))
"""Acts before the deal is complete; an all-in may be one in the first round."""

_ACTS: Final[dict[str, Make]] = {
    "0": _fold,
    "1": _small,
    "2": _big,
    "3": _call,
    "4": _check,
    "5": _bet,
    "6": _raise_by,
    "7": _all_in,
    "8": _away,
    "9": _away,
    "15": _ante,
    "16": _bring_in,
    "23": _raise_to,
}
"""An act's type → how it is told."""

_WORDS: Final = {
    "fold": "0",
    "sb": "1",
    "small blind": "1",
    "bb": "2",
    "big blind": "2",
    "call": "3",
    "check": "4",
    "bet": "5",
    "all in": "7",
    "all-in": "7",
    "allin": "7",
    "sit out": "9",
    "sitting out": "9",
    "ante": "15",
    "bring in": "16",
    "bring-in": "16",
    "raise to": "23",
}
"""`actiontxt` of archives, small letters → the type that says the same."""
