"""What a rulebook decides, point by point: who has the button, what a missed blind costs, and so on.

A book's `[policy]` table has entries `point = { is = value, clauses = [...], says = "..." }`. If a book is silent on
a point, the entry is missing, and code that needs it gives no verdict. No code asks which book it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import UnionType
from typing import Any, Final, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec

from ledger.decoders import convert
from ledger.errors import RulebookError
from ledger.text.language import translatable
from projections.obligations.house_points import HOUSE_POINTS, explain_entry_error

_ENTRY_PATH: Final = re.compile(r" - at `\$\[([0-9]+)\]\.?([^`]*)`$")

Method: TypeAlias = Literal["dead", "moving", "house"]
"""Dead button, moving button, or the one that the house chose (house option `button-method`)."""
Entry: TypeAlias = Literal["nothing", "big", "twice-big", "per-game"]
"""What a new player posts to be dealt in outside the blinds. `per-game`: as the game has it."""
Exposed: TypeAlias = Literal["misdeal", "replaced"]
Free: TypeAlias = Literal["free"]


class Repeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a player may have last action twice running; None = the book doesn't say."""

    dead: bool | None = None  # under the dead button
    moving: bool | None = None  # under the moving button
    absence: bool = False  # under the moving button, it may happen when the player due the button is away


class Count(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many are allowed, and who may allow more."""

    most: int
    more: Literal["nobody", "shift-manager", "floor"] = "nobody"


class Straddle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How large a straddle may be."""

    fixed: bool  # to one amount per game
    at_least: float  # big blinds
    above: bool  # whether it may be larger


class MakeUp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What making up a missed blind costs. If the house option `option` is in force, the second pair holds.

    `total`: `sum` or `all-blinds` = all blinds of the game, `missed` = those that passed, `big` = one big blind,
    `capped` = all blinds up to the bring-in, `unstated` = the book gives no amount. `live`: the part that counts as a
    bet; the rest is dead.
    """

    total: Literal["sum", "all-blinds", "missed", "big", "capped", "unstated"]
    live: Literal["bring-in", "minimum-open", "big", "all", "unstated"]
    option: Literal["", "makeup-option"] = ""
    option_total: Literal["", "sum", "all-blinds", "missed", "big", "capped"] = ""
    option_live: Literal["", "bring-in", "minimum-open", "big", "all"] = ""


class Acted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player who acts without paying what is owed: what counts as acting, and when the post is due."""

    with_: Literal["anything", "chips"] = msgspec.field(name="with")
    due: Literal["later-deal", "next-deal"]


class FreePass(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who may change seats and let the blinds pass once.

    `leaving`: the positions that the player may come from. `to`: how many seats past the next big blind the new seat
    may be; [] = anywhere. `behind_button`: the player comes back in once the button has passed.
    """

    leaving: list[Literal["small", "button"]]
    to: list[int]
    behind_button: bool = False


@dataclass(frozen=True, slots=True)
class Point:
    """One point that a book may decide."""

    key: str
    section: str  # a key of `SECTIONS`
    title: str  # in a few words, for lists
    shape: object  # the type of its value: bool, int, float, a Literal, a list, or a struct above


SECTIONS: Final = {
    "A": translatable("Button and blinds"),
    "B": translatable("Straddles"),
    "C": translatable("Entering the game"),
    "D": translatable("Missed blinds"),
    "E": translatable("Seat changes"),
    "F": translatable("The deal"),
    "G": translatable("The board"),
    "H": translatable("Betting"),
    "I": translatable("Showdown and games"),
    "J": translatable("Thresholds"),
    "K": translatable("What the house spreads, takes and pays"),
    "L": translatable("Seats of a tournament"),
}


def _build_points(section: str, section_points: Mapping[str, tuple[str, object]]) -> dict[str, Point]:
    return {key: Point(key, section, title, shape) for key, (title, shape) in section_points.items()}


_BUTTON_AND_BLIND_POINTS: Final[dict[str, tuple[str, object]]] = {
    "button.method.tournament": ("button method, tournament", Method),
    "button.method.cash_limit": ("button method, limit cash", Method),
    "button.method.cash_big_bet": ("button method, pot-limit and no-limit cash", Method),
    "blinds.when_button_moves": ("blinds under the moving button", Literal["positional", "owed", "adjusted"]),
    "blinds.dead_blind_posted": ("a blind due at an empty seat", Literal["not-posted", "posted", "cannot-arise"]),
    "button.last_action_when_dead": (
        "last action with a dead button",
        Literal["nearest-before", "same-player", "cannot-arise"],
    ),
    "button.repeat_last_action": ("last action twice running", Repeat),
    "button.eligibility": (
        "who may not have the button",
        list[Literal["no-big-blind", "missed-blind", "new", "made-up-between", "short-blind"]],
    ),
    "button.absent_due": ("an absent player due the button", Literal["dealt-in-if-in-room", "passed-over"]),
    "button.buy": ("buying the button", bool),
    "button.initial": ("button of the first hand", Literal["right-of-dealer", "draw"]),
    "button.initial.tournament": (
        "button of the first hand, tournament",
        Literal["right-of-dealer", "draw", "draw-unless-seats-drawn"],
    ),
    "button.moves_after_misdeal": ("whether a misdeal moves the button", bool),
    "blinds.order": ("where the blinds are", Literal["clockwise", "next-seats", "consecutive", "usually-two"]),
    "blinds.heads_up_small_blind": ("small blind of two players", Literal["button", "opponent"]),
    "blinds.heads_up_transition": ("three players become two", Literal["no-big-blind-twice"]),
    "blinds.live": ("whether a blind counts as a bet", bool),
    "blinds.oversize": ("a blind above the structure's amount", Literal["forbidden", "allowed"]),
    "blinds.short_at_least_half": ("an all-in blind of half or more", Literal["as-full"]),
    "blinds.short_below_half": ("an all-in blind of less than half", Literal["as-full", "next-posts"]),
    "blinds.post_before_viewing": ("whether blinds go in before looking", bool),
}
_STRADDLE_POINTS: Final[dict[str, tuple[str, object]]] = {
    "straddle.allowed": ("straddles", Literal["unless-barred", "limit-if-specified", "no"]),
    "straddle.seat": ("who may straddle", Literal["after-last-blind"]),
    "straddle.button": ("whether the button may straddle", bool),
    "straddle.sleeper": ("a straddle from another seat", Literal["no", "shift-manager", "floor"]),
    "straddle.max_count": ("how many straddles", Count),
    "straddle.size": ("size of a straddle", Straddle),
    "straddle.live": ("whether the straddler may raise", bool),
    "straddle.opener": ("who opens over a straddle", Literal["after-straddler"]),
    "straddle.bring_in": ("bring-in over a straddle", Literal["above-by-ratio"]),
    "straddle.barred_but_accepted": ("a barred straddle let in", Literal["stands-after-action"]),
    "straddle.clears_missed_blind": ("whether a straddle settles missed blinds", bool),
    "straddle.makeup_in_seat": ("making up in the straddle seat", Literal["opens"]),
}
_ENTRY_POINTS: Final[dict[str, tuple[str, object]]] = {
    "entry.post.limit_low": ("new player, limit below the boundary", Entry),
    "entry.post.limit_high": ("new player, limit from the boundary up", Entry),
    "entry.post.big_bet": ("new player, pot-limit and no-limit", Entry),
    "entry.post.lowball": ("new player, lowball", Entry),
    "entry.zone": ("new player after the button, before the big blind", Literal["barred", "open"]),
    "entry.let_button_pass": ("newcomer waits until the button passes", Literal["owes-big-blind", "dealt-in"]),
    "entry.transfer": ("player moved by the house", Literal["free-until-big-blind"]),
    "entry.playing_over": ("playing over", Literal["new-player"]),
    "entry.new_game": ("newly started game", Literal["established-after-first-hand", "free-first-revolution"]),
    "entry.tournament": ("newcomer to a tournament table", Literal["not-behind-button"]),
    "entry.bust_reentry": ("broke and back", Literal["new-once-big-blind-missed", "owes-missed", "as-absent"]),
    "entry.posts_move_opener": (
        "entry post and the first to act",
        Literal["no", "left-of-blinds", "left-of-furthest-blind"],
    ),
}
_MISSED_BLIND_POINTS: Final[dict[str, tuple[str, object]]] = {
    "missed.ways_back": ("ways back in", list[Literal["big-blind", "post", "straddle", "button"]]),
    "missed.both.limit": ("both blinds missed, limit", MakeUp),
    "missed.both.big_bet": ("both blinds missed, pot-limit and no-limit", MakeUp),
    "missed.small_only": ("only the small blind missed", MakeUp),
    "missed.big_only": ("only the big blind missed", MakeUp),
    "missed.zone.limit": ("making up between button and big blind, limit", bool),
    "missed.zone.big_bet": ("making up between button and big blind, big bet", bool),
    "missed.excuses_rotation": ("make-up excuses the next blind in turn", Literal["no", "between-blinds", "yes"]),
    "missed.marker": ("missed-blind marker", bool),
    "missed.option": ("whether the make-up poster may raise", bool),
    "missed.looked_not_acted": ("owing, looked, not acted", Literal["dead-hand", "no-penalty"]),
    "missed.acted": ("owing and already acted", Acted),
    "missed.escaped_is_missed": ("a blind escaped by the method", Literal["no-debt", "owed"]),
}
_SEAT_CHANGE_POINTS: Final[dict[str, tuple[str, object]]] = {
    "seat_change.away": ("moving away from the blinds", Literal["big-blind-if-far", "wait-as-gained"]),
    "seat_change.closer": ("moving closer", Free),
    "seat_change.after_big_blind": ("moving right after the big blind", Literal["small-blind-if-far", "as-any"]),
    "seat_change.free_pass": ("blinds may pass once", FreePass),
    "seat_change.new_game": ("newly started game", Literal["free-until-blind-passed"]),
    "seat_change.lowball": ("lowball", Literal["kill-or-wait"]),
}
_DEAL_POINTS: Final[dict[str, tuple[str, object]]] = {
    "deal.order": ("order of the deal", Literal["first-left-of-button", "last-to-button"]),
    "deal.exposed.index1": ("first card exposed", Exposed),
    "deal.exposed.index2": ("second card exposed", Exposed),
    "deal.exposed.later": ("one later card exposed", Exposed),
    "deal.exposed.count_misdeal": ("several cards exposed", Exposed),
    "deal.exposed.replacement": ("what becomes of an exposed card", Literal["is-burned", "on-deck-then-burned"]),
    "deal.extra.one_first_player": (
        "one extra card to the first player",
        Literal["is-burned", "wrong-count", "misdeal"],
    ),
    "deal.extra.several": ("several extra cards", Literal["misdeal", "wrong-count"]),
    "deal.wrong_count.before_two": ("wrong count found early", Literal["misdeal"]),
    "deal.wrong_count.after_two": ("wrong count found late", Literal["forfeit"]),
    "deal.boxed": ("boxed card", Literal["scrap", "two-misdeal"]),
    "deal.joker": ("joker in a game without", Literal["scrap-or-foul-hand", "misdeal-or-scrap"]),
}
_Burn: TypeAlias = Literal["corrected", "reshuffled", "scrambled", "stands", "until-award"]
_BOARD_POINTS: Final[dict[str, tuple[str, object]]] = {
    "board.burns_per_street": ("burns before each street", int),
    "board.oversize_flop": ("flop of four or more cards", Literal["redealt", "scrambled"]),
    "board.oversize_flop.reburn": ("whether the new flop takes a burn", bool),
    "board.oversize_flop.cut": ("whether the deck is cut", bool),
    "board.oversize_flop.after_action": ("oversize flop acted on", Literal["stands", "redealt"]),
    "board.premature_flop": ("flop too early", Literal["redealt-no-burn"]),
    "board.premature_turn": ("turn too early", Literal["river-becomes-turn", "redealt-no-burn"]),
    "board.premature_river": ("river too early", Literal["redealt-no-burn"]),
    "board.premature.player_option": ("whether players may accept the card", bool),
    "board.burn_error.flop_unexposed": ("flop burn wrong, nothing face up", _Burn),
    "board.burn_error.flop_exposed": ("flop burn wrong, face up, no action", _Burn),
    "board.burn_error.turn_river": ("turn or river burn wrong, no action", _Burn),
    "board.burn_error.after_action": ("burn wrong, street acted on", _Burn),
    "board.burn_error.all_in": ("burn wrong, everybody all-in", _Burn),
}
_BETTING_POINTS: Final[dict[str, tuple[str, object]]] = {
    "betting.opener.preflop": ("opens round one", Literal["after-last-post", "after-blinds", "after-furthest-blind"]),
    "betting.opener.later": ("opens later rounds", Literal["first-after-button"]),
    "betting.split_limit": ("bet size by street", Literal["low-low-high-high"]),
    "betting.raise_cap": ("raises in a round", int),
    "betting.cap_heads_up": ("the cap with two left", Literal["none-if-not-capped-before", "none-if-two-in-event"]),
    "betting.check_raise": ("check and raise", bool),
    "betting.string_raise": ("string raise", bool),
    "betting.partial_raise": ("chips beyond a call, in silence", Literal["half-completes"]),
    "betting.oversize_chip": ("one big chip in silence", Literal["call"]),
    "betting.smallest_chip": ("smallest unit", Literal["of-posts"]),
    "allin.limit.below_half": ("limit all-in below half a bet", Literal["does-not-reopen"]),
    "allin.limit.half_or_more": ("limit all-in of half a bet or more", Literal["full-bet"]),
    "allin.big_bet.reopen": (
        "short all-ins, pot-limit and no-limit",
        Literal["full-raise-added-up", "full-raise-single"],
    ),
    "allin.all_chips": ("whether an all-in puts everything in", bool),
    "pot_limit.max": ("most in pot-limit", Literal["pot-with-call", "pot-with-call-full-blinds"]),
    "pot_limit.min_open": ("opening bet in pot-limit", Literal["set"]),
    "pot_limit.two_handed": ("beyond the pot by agreement", bool),
    "no_limit.min_open": ("opening bet in no-limit", Literal["set"]),
    "no_limit.min_raise": ("smallest raise in no-limit", Literal["largest-of-round"]),
    "stakes.table_stakes": ("table stakes", bool),
}
_SHOWDOWN_AND_GAME_POINTS: Final[dict[str, tuple[str, object]]] = {
    "showdown.play_board.declare": ("declaring to play the board", Literal["words-or-gesture", "words", "no-effect"]),
    "showdown.play_board.keep_cards": ("whether playing the board takes the cards", bool),
    "showdown.cards_face_up": ("cards to be tabled to win", int),
    "showdown.kill_losers_first": ("whether losing hands are killed first", bool),
    "showdown.winner_face_up": ("whether the winner stays face up", bool),
    "game.holdem.hole_use": ("hole cards used, hold'em", list[int]),
    "game.omaha.hole_use": ("hole cards used, Omaha", list[int]),
    "game.split.low_qualifier": ("low qualifier", int),
}
_THRESHOLD_POINTS: Final[dict[str, tuple[str, object]]] = {
    "entry.stake_boundary": ("where higher limits begin: lower bet, in the currency", float),
    "seat_change.players_passed": ("players passed that make a move far", int),
    "straddle.multiple": ("straddle, in big blinds", int),
    "entry.lowball_multiple": ("lowball entry, in big blinds", int),
    "blinds.half": ("part of a blind that counts as all of it", float),
    "allin.half": ("part of a bet that counts as all of it, all-in", float),
    "betting.half": ("part of a raise that must be completed", float),
    "deal.acted": ("players who have acted before a wrong count is late", int),
    "deal.exposed.indexes": ("cards off the deck whose exposure is a misdeal", list[int]),
    "deal.exposed.count": ("exposed cards that are a misdeal", int),
    "substantial_action": ("substantial action", Literal["two-with-chips-or-three"]),
}
_SEATING_POINTS: Final[dict[str, tuple[str, object]]] = {
    "seating.assigned": ("how seats are given out", Literal["drawn"]),
    "seating.mover": ("who moves to balance tables", Literal["next-big-blind"]),
    "seating.moved_to": ("seat of a player who balances a table", Literal["worst-position"]),
    "seating.moved_to_stud": ("seat of a player who balances a table, stud", Literal["last-open-seat"]),
    "seating.halt": ("players fewer than the fullest table at which a table stops", int),
    "seating.breaking_order": ("which table breaks first", Literal["highest-number", "lowest-number"]),
    "seating.redraw": ("tables left at which all seats are drawn again", list[int]),
    "seating.final_table": ("most players at the final table, eight or more seats", int),
    "seating.final_table_short": ("most players at the final table, seven seats or fewer", int),
    "seating.late_stack": ("stack of a late entry or re-entry", Literal["full"]),
}
POINTS: Final[dict[str, Point]] = {
    key: point
    for section, table in zip(
        SECTIONS,
        (
            _BUTTON_AND_BLIND_POINTS,
            _STRADDLE_POINTS,
            _ENTRY_POINTS,
            _MISSED_BLIND_POINTS,
            _SEAT_CHANGE_POINTS,
            _DEAL_POINTS,
            _BOARD_POINTS,
            _BETTING_POINTS,
            _SHOWDOWN_AND_GAME_POINTS,
            _THRESHOLD_POINTS,
            HOUSE_POINTS,
            _SEATING_POINTS,
        ),
        strict=True,
    )
    for key, point in _build_points(section, table).items()
}
"""Every point that a book can decide, by its key, in the order of the printed matrix."""


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a book decides on one point: the value, the clauses that decide it, and a few words."""

    value: Any = msgspec.field(name="is")
    clauses: tuple[str, ...] = ()
    says: str = ""
    literal: bool = False  # only a literal reading of a general sentence covers the point


@dataclass(frozen=True, eq=False)
class Policy:
    """All rulings of a book. A key that isn't in `POINTS` raises `KeyError`."""

    rulings: Mapping[str, Ruling]

    def get(self, key: str) -> Ruling | None:
        """Return the book's ruling on a point, or None if the book is silent."""
        return self.rulings.get(POINTS[key].key)

    def value(self, key: str) -> Any:  # noqa: ANN401 - of the point's own type
        """Return the value of the book's ruling on a point, or None if the book is silent."""
        ruling = self.get(key)
        return None if ruling is None else ruling.value

    def clauses(self, key: str) -> tuple[str, ...]:
        """Return the clauses that decide a point; () = the book is silent."""
        ruling = self.get(key)
        return () if ruling is None else ruling.clauses

    def list_decided_points(self, clause: str) -> list[str]:
        """Return the keys of the points that a clause decides, in the order of `POINTS`."""
        return list(self._by_clause.get(clause, ()))

    @cached_property
    def _by_clause(self) -> dict[str, list[str]]:
        points_by_clause: dict[str, list[str]] = {}
        for key in POINTS:
            for clause in self.clauses(key):
                points_by_clause.setdefault(clause, []).append(key)
        return points_by_clause


FALLBACKS: Final[dict[str, Ruling]] = {
    "blinds.heads_up_small_blind": Ruling("button", (), "the usual answer of later books"),
    "blinds.heads_up_transition": Ruling("no-big-blind-twice", (), "nobody has two big blinds running"),
    "blinds.when_button_moves": Ruling("positional", (), "the blinds follow the button"),
    "button.moves_after_misdeal": Ruling(value=False, says="a misdeal isn't a completed deal"),
    "substantial_action": Ruling("two-with-chips-or-three", (), "two acts with chips in one of them, or three acts"),
    "missed.small_only": Ruling(MakeUp("missed", "bring-in"), (), "by analogy with both blinds missed"),
    "missed.big_only": Ruling(MakeUp("missed", "bring-in"), (), "by analogy with both blinds missed"),
    "entry.post.big_bet": Ruling("big", (), "as in limit games of the same size"),
}
"""Rulings to show a state by where a book is silent or gives no amount. No finding rests on them."""


def parse_ruling(key: str, table: object) -> Ruling:
    """Parse the entry of a policy point; raise `RulebookError` that shows the allowed values."""
    find_point(key)
    try:
        raw_ruling = convert(table, Ruling)
    except msgspec.ValidationError as error:
        raise RulebookError(f"{key}: {error}", 'A point is { is = value, clauses = ["..."], says = "..." }.') from None
    try:
        value = convert(raw_ruling.value, POINTS[key].shape, strict=True)
    except msgspec.ValidationError as error:
        raise _explain_value_error(key, raw_ruling.value, error) from None
    return Ruling(value, raw_ruling.clauses, raw_ruling.says, raw_ruling.literal)


def _explain_value_error(key: str, value: object, error: msgspec.ValidationError) -> RulebookError:
    """Return the error for a point's value of the wrong type; in a list of tables, with the entry's number."""
    allowed_text = f"Allowed: {describe_allowed(POINTS[key].shape)}."
    entry_match = _ENTRY_PATH.search(str(error)) if key in HOUSE_POINTS else None
    if entry_match is None:
        return RulebookError(f"{key}: {value!r} will not do: {error}", allowed_text)
    entry_error = explain_entry_error(error)
    problem = str(error)[: entry_match.start()].strip() if entry_error is None else str(entry_error)
    place = f"entry {int(entry_match[1]) + 1}"
    if entry_match[2]:
        place += f", {entry_match[2]}"
    return RulebookError(f"{key}: {place}: {problem}", allowed_text if entry_error is None else entry_error.hint)


def find_point(key: str) -> Point:
    """Return the point with this key; raise `RulebookError` with the nearest keys if there is none."""
    if key not in POINTS:
        raise RulebookError(f"there is no policy point {key!r}", _suggest_keys(key))
    return POINTS[key]


def describe_allowed(shape: object, tables: int = 0) -> str:
    """Describe the values of a type, as a book writes them.

    `tables`: how many tables the value is nested in. From two on, its fields aren't described.

    >>> describe_allowed(Literal["dead", "moving"]), describe_allowed(bool), describe_allowed(list[int])
    ('"dead", "moving"', 'true, false', 'a list of whole numbers')
    """
    origin = get_origin(shape)
    if origin is Literal:
        return ", ".join(f'"{option}"' for option in get_args(shape))
    if origin in (list, tuple):
        return f"a list of {describe_allowed(get_args(shape)[0], tables)}"
    if origin in (Union, UnionType):
        return " or ".join(describe_allowed(option, tables) for option in get_args(shape) if option is not type(None))
    if isinstance(shape, type) and issubclass(shape, msgspec.Struct):
        return f"a table of {', '.join(_describe_fields(shape, tables + 1))}" if tables < 2 else "a table"
    type_words: dict[object, str] = {bool: "true, false", int: "whole numbers", float: "numbers", str: "text"}
    return type_words.get(shape, "")


def _describe_fields(shape: type[msgspec.Struct], tables: int) -> Iterator[str]:
    type_hints = get_type_hints(shape)
    for field in msgspec.structs.fields(shape):
        yield f"{field.encode_name} ({describe_allowed(type_hints[field.name], tables)})"


def _suggest_keys(key: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only in an error

    similar_keys = get_close_matches(key, POINTS, 3, 0.5)
    return f"Near it: {', '.join(similar_keys)}." if similar_keys else "All points: handledger rules --matrix."
