"""Base class of the rooms whose hands begin with a head: its fields identify the hand and the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import ClassVar, Final, Self

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.hand.opening import GameSet, OptionSet
from ledger.notation import Format
from ledger.readers import games, timestamps
from ledger.readers.currencies import has_unusual_amounts
from ledger.readers.heads import HeadFields, HeadTemplates
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import parse_small_number
from ledger.readers.signatures import MARKS, build_head_test, build_sniffer, list_foreign_heads
from ledger.readers.text_format import HandLines, TextGrammar, build_text_format
from ledger.vocabulary import Millis

_CACHE_SIZE: Final = 4096


class HeadedHand(PhraseHand):
    """A hand whose first lines name its fields.

    These fields identify the hand: `number`, `table`, `tournament`, `chairs`, `button`, `date` or `written` (when it
    began), and `room` if the text names it. `game`, `limit`, `stakes` and `ante` hold the game. `build_game_events` may
    correct any of them.
    """

    HEAD: ClassVar[HeadTemplates]
    VENUE: ClassVar[str]
    WITNESSES: ClassVar[int]
    """The facts that the text always records when they happen."""
    GAMES: ClassVar[frozenset[str]] = games.FLOP
    MONEY: ClassVar[str] = "play"
    """The currency if the stakes have no currency sign."""
    PLAY_EXPONENT: ClassVar[int] = 2
    """The number of decimals of play money."""
    SUMMER_NAMED: ClassVar[bool] = False
    """Whether the room's time zone has another name in summer."""

    head: HeadFields

    @classmethod
    def build_game_events(cls, fields: HeadFields, page: HandLines) -> Iterable[Event | None]:
        """Return the events that open the hand, in order: tournament, game, options. None is skipped."""
        return (cls.build_game(fields, page.exponent),)

    @classmethod
    def build_game(
        cls, fields: HeadFields, exponent: int | None, *, tournament: bool = False, play: bool = False
    ) -> GameSet:
        """Return the game that the head's fields name; if there are three stakes, the first is the ante."""
        game_fields = (fields["game"], fields["limit"], fields["stakes"], fields["ante"])
        return _build_cached_game(cls.GAMES, cls.MONEY, cls.PLAY_EXPONENT, *game_fields, exponent, tournament, play)

    @classmethod
    def read_hand(cls, page: HandLines) -> Self:
        """Read one hand."""
        fields = cls.HEAD.read(page)
        game_events = [event for event in cls.build_game_events(fields, page) if event is not None]
        game = next(event for event in game_events if isinstance(event, GameSet))
        hand = cls(page.lines, page.people, fields["room"] or cls.VENUE, game, page.first_line)
        hand.head = fields
        game_line = fields.lines.get("game", page.head_line)
        for event in game_events:
            hand.place = game_line if isinstance(event, GameSet | OptionSet) else fields.lines.get("name", game_line)
            hand.add_event(event)
        hand.read_after_head(fields, page.end_line)
        opening_fields = (
            hand.find_start(),
            fields.start_text,
            parse_small_number(fields["chairs"], 2),
            fields["tournament"],
        )
        hand.open_hand(fields["table"], fields["number"], hand.list_witnesses(), *opening_fields)
        return hand

    def find_start(self) -> Millis | None:
        """Return when the hand began, or None if the text has no time zone."""
        return timestamps.parse_any_order(self.head.start_text, summer_named=self.SUMMER_NAMED)

    def list_witnesses(self) -> int:
        """Return the facts that this hand's text always records when they happen."""
        return self.WITNESSES


@lru_cache(maxsize=_CACHE_SIZE)
def _build_cached_game(
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
        games.parse_game_and_limit(name, limit, known_games)
        if limit
        else games.parse_game_with_limit(name, known_games)
    )
    stake_parts = [stake.strip() for stake in stakes.split("/")]
    if not 1 < len(stake_parts) < 4:
        raise UnreadableHandError(f"the stakes are {stakes[:40]!r}", kind="header")
    return games.build_game_set(
        variant,
        betting,
        stake_parts[-2:],
        unit=games.find_currency(stakes, tournament=tournament, play=play, default=money),
        exponent=exponent,
        tournament=tournament,
        play_exponent=play_exponent,
        ante=stake_parts[0] if len(stake_parts) > 2 else ante,
    )


def build_room_format(
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
    has_odd_amounts: Callable[[Sequence[str], int], bool] = has_unusual_amounts,
) -> Format:
    """Build the format of a room whose hands begin with one of `heads`, after optional `marks`.

    `line_test`: the first line must pass it too. `preface`: beginnings of lines that may come before a hand.
    `own_heads`: openings in `ROOMS` that don't end a hand of this room; None means `heads`. `words`: each first line
    contains one of them; () means `heads`. `later_line`: the beginning of a later line, needed if the first line may be
    another room's. `has_odd_amounts`: as in `TextGrammar`.
    """
    begins_hand = build_head_test(heads, line_test, marks=marks)
    other_heads = list_foreign_heads(*(heads if own_heads is None else own_heads))
    grammar = TextGrammar(
        begins_hand,
        other_heads,
        room.read_hand,
        preface,
        "".join({head[0] for head in heads}) + marks,
        has_odd_amounts=has_odd_amounts,
    )
    return build_text_format(
        name, title, grammar, words or heads, sniff=build_sniffer(begins_hand, other_heads, later_line)
    )
