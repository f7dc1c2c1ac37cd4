"""A game's tags: players, posts, cards and acts, before the unit of its amounts is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.ipoker.words import bare
from ledger.people import chair
from ledger.readers.marked import Source, Tag, attributes, plain
from ledger.readers.markup import Part

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


def parts(source: Source, part: Part) -> Parts:
    """Take a game's tags apart."""
    inner = part.inner
    found = Parts(inner[0], attributes(source, inner[0]).get("gamecode", "").strip())
    if not found.code or len(found.code) > _CODE_MOST:
        raise UnreadableHandError("the game has no number", kind="header")
    number = 0
    for tag in inner[1:]:
        name = tag.name
        if name == "action":
            found.acts.append(_act(attributes(source, tag), tag, number))
        elif name == "cards":
            found.dealt.append(_cards(source, tag, number, part.stop))
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


def behind_masks(players: list[Player], nickname: str, where: str) -> dict[str, str]:
    """Return the names of the chairs of a game whose owner only watches: each player is called `Player 3`, in seat 3.

    There are none where a single name is another one: somebody may call himself `Player 3`.
    """
    named = [one for one in players if one.name and one.name != nickname]
    if len(named) < 2 or any(one.name != f"Player {one.seat}" for one in named):
        return {}
    return {one.name: chair(one.seat, where) for one in named}


_STAKES: Final = frozenset(("smallblind", "bigblind", "ante"))


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
    if kind not in _KINDS:
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

_KINDS: Final = frozenset((*_WORDS.values(), "6", "8"))
"""The types of acts that are told; two of them have no word."""
