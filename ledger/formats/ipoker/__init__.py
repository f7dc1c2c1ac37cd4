"""iPoker's XML: what the network's clients store, and what archives and trackers make of it.

`docs/formats/ipoker.md` has the table from element to event, and what the format cannot say.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.ipoker.parts import Act, Parts, behind_masks, parts
from ledger.formats.ipoker.words import (
    BOARDS,
    OF_CARDS,
    OWN,
    STUD,
    UPS,
    WITNESSES,
    Session,
    bare,
    cards,
    chips,
    session,
)
from ledger.hand.betting import Called
from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import DropTaken, HandCompleted, ResultDeclared
from ledger.hand.opening import AntePosted, GameSet, OptionSet
from ledger.people import People
from ledger.presence import PlayerAway
from ledger.readers import acts, amounts, markup
from ledger.readers.hand import nobody
from ledger.readers.marked import Source, Tag
from ledger.readers.markup import XmlHandBuilder
from ledger.readers.settling import declare_rake
from ledger.table.pools import ANONYMOUS
from ledger.vocabulary import Chips, PlayerId, Seat, Street


class Game(XmlHandBuilder):
    """The hand being told."""

    def __init__(self, source: Source, people: People, venue: str, game: GameSet, begins: Tag) -> None:
        super().__init__(source, people, venue, game, begins)
        self.called: dict[str, str] = {}  # masks of players → the names of their chairs
        self.streets: set[Street] = set()
        if game.variant in ("stud", "stud8"):
            self.street = "third"

    def player(self, name: str) -> PlayerId:
        """Return the id of somebody, whom the client may mask."""
        return super().player(self.called.get(name, name))

    def sum(self, text: str) -> Chips:
        """Read an amount: blanks and the currency around it are left out."""
        return chips(text, self.exponent)


_order: Final = attrgetter("round", "number")  # a round's cards have number 0


def _tell(source: Source, found: Parts, known: Session, people: People, exponent: int | None) -> Game:
    """Tell a game. What is damaged raises `UnreadableHandError`."""
    if exponent is None:
        exponent = 0 if known.unit == "chips" else 2
    key = exponent, tuple(found.stakes.values()) if found.stakes else ()
    game = known.games.get(key) if known.variant else None
    if game is None:
        game = known.games[key] = _game_set(found, known, exponent)
    told = Game(source, people, known.venue, game, found.tag)
    if not known.variant:
        told.inferred.append(1)
    if known.costs:
        told.put(known.costs)
    told.called = behind_masks(found.players, known.nickname, known.table)
    if told.called:
        told.infer(OptionSet(*ANONYMOUS), at=told.whole)
    _seats(told, found)
    told.own = _play(told, found, known.nickname)
    _settle(told, found, apart=known.apart)
    for tag in found.unknown:
        told.place(tag)
        told.unread(source.words(tag.start, tag.stop))
    witnesses = WITNESSES | told.blinds_told
    told.opened(known.table, found.code, witnesses, None, found.written, known.chairs, known.tournament)
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
            told.remark(player.tag)
    if not told.stacks:
        raise nobody("the game breaks off before its players")
    _unseated(told, found, there)
    if button:
        told.place_button(*button)


def _unseated(told: Game, found: Parts, there: set[str]) -> None:
    """Seat who acts without standing among the players: on a free chair, without a stack."""
    taken = {player.seat for player in found.players if player.name}
    for act in found.acts:
        if act.name in told.seats or act.name not in there:
            continue
        told.sit_anywhere(act.tag, 0, act.name, taken)


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
        if seat is not None and kind in _AWAY:
            put(PlayerAway(seat, told.player(act.name), why="sits-out"))
        elif seat is not None and kind == "7":
            _all_in(told, seat, act)
        elif make is not None and seat is not None:
            make(told, seat, 0 if kind in _IDLE else told.sum(act.value), None)
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


def _big(told: Game, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post a big blind; from a second seat it is an entry, and what is more than the blind is dead."""
    if told.big not in (0, seat) and told.blind and amount > told.blind:
        told.post_both(seat, amount)
    else:
        acts.one_big_blind(told, seat, amount, all_in)


def _all_in(told: Game, seat: Seat, act: Act) -> None:
    """Put all chips in: in the first round as a post, later as a bet, call or raise.

    `DP` is the protection of who lost the connection: all-in for what is in the pot already.
    """
    if act.round and act.value == "DP":
        told.put(Called(seat, 0, told.bets[seat], True))
        return
    amount = told.sum(act.value)
    antes = {event.seat for event in told.events if isinstance(event, AntePosted)}
    if act.round:
        told.wager(seat, told.bets[seat] + amount, all_in=True)
    elif antes and seat not in antes:
        told.ante(seat, amount, all_in=True)
    elif not told.first_small:
        told.post(seat, "small", amount, all_in=True)
    else:
        told.post(seat, "entry" if told.big else "big", amount, all_in=True)


_AWAY: Final = frozenset(("8", "9"))
_BEFORE: Final = frozenset(("1", "2", "15", *_AWAY))
"""Acts before the deal is complete; an all-in may be one in the first round."""

_IDLE: Final = frozenset(("0", "4"))
_ACTS: Final[dict[str, acts.Make]] = {
    "0": acts.folds,
    "1": acts.one_small_blind,
    "2": _big,
    "3": acts.calls,
    "4": acts.checks,
    "5": acts.bets,
    "6": acts.raises_by,
    "15": acts.antes,
    "16": acts.brings_in,
    "23": acts.raises_to,
}
"""An act's type → how it is told, but for an all-in."""


def _settle(told: Game, found: Parts, *, apart: bool | None) -> None:
    """Tell who won what. A game that says it of nobody is not over.

    `apart`: the session says whether bets that nobody called are left out of what was won; None =
    it does not say.
    """
    told.close_bets()
    wins: dict[Seat, Chips] = {}
    tags: dict[Seat, Tag] = {}
    rake = 0
    for player in found.players:
        seat = told.seats.get(player.name)
        if seat is None:
            continue
        tags[seat] = player.tag
        if bare(player.win):
            wins[seat] = told.sum(player.win)
        if bare(player.rake):
            rake += told.sum(player.rake)
    if not sum(wins.values()):
        return
    back: dict[Seat, Chips] = {}
    for seat, amount, _ in told.pending:
        back[seat] = back.get(seat, 0) + amount
    within = _within(sum(told.put_in), wins, back, apart=apart)
    told.return_bets()
    for seat, win in wins.items():
        if not win:
            continue
        told.place(tags[seat])
        returned = back.get(seat, 0) if within else 0
        if returned < win:
            if returned:
                told.inferred.append(len(told.events))
            told.award(seat, win - returned)
        told.put(ResultDeclared("winnings", seat, win))
    told.at = told.whole
    _rake(told, rake)
    told.put(HandCompleted())


def _within(total: Chips, wins: dict[Seat, Chips], back: dict[Seat, Chips], *, apart: bool | None) -> bool:
    """Tell whether the bets that nobody called are counted in what was won.

    Old clients count them, newer ones may. It shows where more was won than others had put in, or
    where a seat that lost to another has won just what nobody called.
    """
    uncalled, won = sum(back.values()), sum(wins.values())
    if not uncalled or any(amount > wins.get(seat, 0) for seat, amount in back.items()):
        return False
    consoled = all(wins[seat] == amount for seat, amount in back.items()) and won > uncalled
    if won > total - uncalled or consoled:
        return won <= total
    return apart is False and 10 * (total - won) <= total


def _rake(told: Game, rake: Chips) -> None:
    if rake:
        declare_rake(told, rake)
        return
    left = sum(told.put_in) - told.paid
    if left > 0 and told.game.format == "cash" and 4 * left <= told.paid:
        told.infer(DropTaken("rake", left), at=told.at)


_FRAMES: Final = frozenset(("general", "players", "/general", "/players", "/round", "/action", "/cards", "/player"))


def sniff(head: bytes) -> int:
    """Return how sure it is that this is iPoker's XML: 0 no, 100 certain."""
    text = head.decode("utf-8", "replace")
    if "<session" not in text[:4000] and "<game gamecode=" not in text[:4000]:
        return 0
    known = sum(word in text for word in ("sessioncode=", "<gametype>", "gamecode=", "<round no="))
    return (0, 40, 90, 95, 98)[known]


FORMAT: Final = markup.xml_format(
    "ipoker",
    "iPoker XML",
    markup.together(
        "game",
        "session",
        session,
        parts,
        _tell,
        missing="What is played, for what and where stands at the beginning of a session.",
        frames=_FRAMES,
        roots=("root",),
    ),
    sniff,
    "<game ",
    "<session",
)
