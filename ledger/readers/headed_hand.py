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
from ledger.readers.text_format import HandLines, TextGrammar, text_format
from ledger.vocabulary import Millis

_CACHE_SIZE: Final = 4096


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
    def setup(cls, fields: HeadFields, page: HandLines) -> Iterable[Event | None]:
        """Return what the head tells of the game, in the order in which it is put down; None is nothing."""
        return (cls.game_of(fields, page.exponent),)

    @classmethod
    def game_of(
        cls, fields: HeadFields, exponent: int | None, *, tournament: bool = False, play: bool = False
    ) -> GameSet:
        """Return the game that the head's fields name; of three stakes the first one is the ante."""
        game_fields = (fields["game"], fields["limit"], fields["stakes"], fields["ante"])
        return _cached_game(cls.GAMES, cls.MONEY, cls.PLAY_EXPONENT, *game_fields, exponent, tournament, play)

    @classmethod
    def tell(cls, page: HandLines) -> Self:
        """Read one hand."""
        fields = cls.HEAD.read(page)
        setup_events = [event for event in cls.setup(fields, page) if event is not None]
        game = next(event for event in setup_events if isinstance(event, GameSet))
        hand = cls(page.lines, page.people, fields["room"] or cls.VENUE, game, page.first_line)
        hand.head = fields
        game_line = fields.lines.get("game", page.head_line)
        for event in setup_events:
            hand.place = game_line if isinstance(event, GameSet | OptionSet) else fields.lines.get("name", game_line)
            hand.add_event(event)
        hand.tell_body(fields, page.end_line)
        opening_fields = hand.moment(), fields.start_text, small_number(fields["chairs"], 2), fields["tournament"]
        hand.open_hand(fields["table"], fields["number"], hand.witnesses(), *opening_fields)
        return hand

    def moment(self) -> Millis | None:
        """Return when the hand began; None where no zone tells it."""
        return timestamps.parse_any_order(self.head.start_text, summer_named=self.SUMMER_NAMED)

    def witnesses(self) -> int:
        """Return what the text of this hand records whenever it happens."""
        return self.WITNESSES


@lru_cache(maxsize=_CACHE_SIZE)
def _cached_game(
    known_games: frozenset[str],
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
    variant, betting = (
        games.game_and_limit(name, limit, known_games) if limit else games.game_with_limit(name, known_games)
    )
    parts = [stake.strip() for stake in stakes.split("/")]
    if not 1 < len(parts) < 4:
        raise UnreadableHandError(f"the stakes are {stakes[:40]!r}", kind="header")
    return games.game_set(
        variant,
        betting,
        parts[-2:],
        unit=games.currency(stakes, tournament=tournament, play=play, default=money),
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
    line_test: Callable[[str], bool] | None = None,
    marks: str = MARKS,
    preface: tuple[str, ...] = (),
    own_heads: tuple[str, ...] | None = None,
    words: tuple[str, ...] = (),
    later_line: str = "",
    has_odd_amounts: Callable[[Sequence[str], int], bool] = is_odd,
) -> Format:
    """Return the format of a room whose hands begin with one of `heads`, after `marks`, in a line that passes `line_test`.

    `preface`: what may come before a hand. `own_heads`: openings in `ROOMS` that don't end a hand of this room; None means
    `heads`.
    `words`: each first line contains one of them; () means `heads`. `later_line`: how a later line begins, if the first one
    may be another room's. `has_odd_amounts`: as in `TextGrammar`.
    """
    begins_hand = begins_with_head(heads, line_test, marks=marks)
    foreign_begins = foreign_heads(*(heads if own_heads is None else own_heads))
    grammar = TextGrammar(
        begins_hand,
        foreign_begins,
        room.tell,
        preface,
        "".join({head[0] for head in heads}) + marks,
        has_odd_amounts=has_odd_amounts,
    )
    return text_format(name, title, grammar, words or heads, sniff=sniffer(begins_hand, foreign_begins, later_line))
