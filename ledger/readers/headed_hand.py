"""A room whose hands begin with a head: its fields say which hand it is and what is played, tables tell the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import ClassVar, Final, Self

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.hand.opening import GameSet, OptionSet
from ledger.notation import Format
from ledger.readers import games, timestamps
from ledger.readers.currencies import is_odd
from ledger.readers.heads import HeadFields, HeadTemplates
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import small_number
from ledger.readers.signatures import MARKS, begins_with_head, foreign_heads, sniffer
from ledger.readers.text_format import HandPage, TextGrammar, text_format
from ledger.vocabulary import Millis

_KEPT: Final = 4096


class HeadedHand(PhraseHand):
    """A hand that is told from its head on.

    Of the head's fields these say which hand it is, as they stand or as `setup` sets them right: `number`, `table`,
    `tournament`, `chairs`, `button`, `date` or `written` (when it began), and `room` where the text names it. What is played
    stands in `game`, `limit`, `stakes` and `ante`.
    """

    HEAD: ClassVar[HeadTemplates]
    VENUE: ClassVar[str]
    WITNESSES: ClassVar[int]
    """What the text records whenever it happens."""
    GAMES: ClassVar[frozenset[str]] = games.FLOP
    MONEY: ClassVar[str] = "play"
    """What is played for where no sign of money stands in the stakes."""
    PLAY_EXPONENT: ClassVar[int] = 2
    """The decimals of play money."""
    SUMMER_NAMED: ClassVar[bool] = False
    """The zone of a moment has another name in summer."""

    head: HeadFields

    @classmethod
    def setup(cls, found: HeadFields, page: HandPage) -> Iterable[Event | None]:
        """Return what the head tells of the game, in the order in which it is put down; None is nothing."""
        return (cls.game_of(found, page.exponent),)

    @classmethod
    def game_of(
        cls, found: HeadFields, exponent: int | None, *, tournament: bool = False, play: bool = False
    ) -> GameSet:
        """Return the game that the head's fields name; of three stakes the first one is the ante."""
        told = (found["game"], found["limit"], found["stakes"], found["ante"])
        return _game(cls.GAMES, cls.MONEY, cls.PLAY_EXPONENT, *told, exponent, tournament, play)

    @classmethod
    def tell(cls, page: HandPage) -> Self:
        """Read one hand."""
        found = cls.HEAD.read(page)
        told = [event for event in cls.setup(found, page) if event is not None]
        game = next(event for event in told if isinstance(event, GameSet))
        hand = cls(page.lines, page.people, found["room"] or cls.VENUE, game, page.first_line)
        hand.head = found
        of_game = found.lines.get("game", page.head_line)
        for event in told:
            hand.place = of_game if isinstance(event, GameSet | OptionSet) else found.lines.get("name", of_game)
            hand.add_event(event)
        hand.tell_body(found, page.end_line)
        which = hand.moment(), found.start_text, small_number(found["chairs"], 2), found["tournament"]
        hand.open_hand(found["table"], found["number"], hand.witnesses(), *which)
        return hand

    def moment(self) -> Millis | None:
        """Return when the hand began; None where no zone tells it."""
        return timestamps.parse_any_order(self.head.start_text, summer_named=self.SUMMER_NAMED)

    def witnesses(self) -> int:
        """Return what the text of this hand records whenever it happens."""
        return self.WITNESSES


@lru_cache(maxsize=_KEPT)
def _game(
    among: frozenset[str],
    money: str,
    play_exponent: int,
    name: str,
    limit: str,
    stakes: str,
    ante: str,
    exponent: int | None,
    tournament: bool,
    play: bool,
) -> GameSet:
    variant, betting = games.game_and_limit(name, limit, among) if limit else games.game_with_limit(name, among)
    parts = [one.strip() for one in stakes.split("/")]
    if not 1 < len(parts) < 4:
        raise UnreadableHandError(f"the stakes are {stakes[:40]!r}", kind="header")
    return games.game_set(
        variant,
        betting,
        parts[-2:],
        unit=games.currency(stakes, tournament=tournament, play=play, otherwise=money),
        exponent=exponent,
        tournament=tournament,
        play_exponent=play_exponent,
        ante=parts[0] if len(parts) > 2 else ante,
    )


def room_format(
    room: type[HeadedHand],
    name: str,
    title: str,
    *heads: str,
    then: Callable[[str], bool] | None = None,
    marks: str = MARKS,
    preface: tuple[str, ...] = (),
    own: tuple[str, ...] | None = None,
    words: tuple[str, ...] = (),
    later: str = "",
    odd: Callable[[Sequence[str], int], bool] = is_odd,
) -> Format:
    """Return the format of a room whose hands begin with one of `heads`, behind `marks`, where `then` holds of the line.

    `preface`: what may stand before a hand; `own`: how no other room's hands begin, if not with a head; `words`: of which
    one stands in each first line, if no head does; `later`: how a further line begins, where a first one may be anybody's; `odd`: as in `TextGrammar`.
    """
    begins, foreign = begins_with_head(heads, then, marks=marks), foreign_heads(*(heads if own is None else own))
    grammar = TextGrammar(
        begins, foreign, room.tell, preface, "".join({head[0] for head in heads}) + marks, has_odd_amounts=odd
    )
    return text_format(name, title, grammar, words or heads, sniff=sniffer(begins, foreign, later))
