"""A table without a file or ledger: who has the button, who posts what, and by which rule."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, cast, get_args

from handledger import door_errors, table_document
from handledger.answers import Due, Fault, HandPost, Pick, RecordedHand, SeatedPlayer
from handledger.due_builder import DueBuilder
from handledger.games import MAX_DECIMALS, parse_game, write_game
from handledger.hand_plan import KINDS, MAX_CHIPS, ROLES, HandPlanner, HandSheet, SeatPost, build_events, name_blinds
from handledger.table_arguments import check_name, find_book, is_for_tournaments_only, is_number, read_options
from handledger.table_log import TOURNAMENT, TableIdentity, TableLog, find_origin, make_people
from ledger.hand.opening import GameSet
from ledger.hand.seat_maps import FEW_SEATS
from ledger.presence import Origin, PlayerAway, PlayerBack, PlayerBusted, SeatLeft, SeatMoved, SeatTaken, StackCounted
from ledger.table.events import BlindsOwed, GameStarted, PlayerEstablished
from projections.books.rulebook import Rulebook
from projections.live.entry_choices import EntryChoices

if TYPE_CHECKING:
    from handledger.answers import PostKind
    from handledger.table_log import Step
    from ledger.table.events import OwedBlind, TableEvent
    from ledger.table.state import SeatState
    from projections.live.next_hand import DealPlan
    from projections.obligations import dues

_PICKS: Final[tuple[str, ...]] = get_args(Pick)
_ORIGINS: Final[tuple[str, ...]] = get_args(Origin)


class Table:
    """A table under a rulebook. It keeps who sits where and every hand, and says what is due on the next one.

    Seats are numbers from 1, clockwise. Amounts are integers in the table's smallest unit: whole chips, or with decimals
    in the stakes 10^-`exponent` of them. What can't be raises `TableError`, `GameTextError`, `PostsError` or
    `RulebookError`, each with a sentence and a hint.

    >>> table = Table("limit 10/20", seats=9, rulebook="hilton")
    >>> for seat, name in enumerate(["Ana", "Bo", "Cy", "Di"], start=1):
    ...     table.sit(seat, name)
    >>> table.deal(button=4).posts[1]
    HandPost(seat=2, kind='big blind', chips=10, dead=0)
    >>> table.sit(6, "Eve")
    >>> due = table.due()
    >>> due.button, due.small_blind, due.big_blind
    (1, 2, 3)
    >>> due.seat(6).status, due.seat(6).chips, due.seat(6).choices
    ('may_choose', 10, ('post', 'wait'))
    """

    def __init__(
        self,
        game: str | GameSet,
        *,
        seats: int = 9,
        rulebook: str | Rulebook | None = None,
        tournament: bool = False,
        running: bool = False,
        options: Mapping[str, int | str] | None = None,
        unit: str | None = None,
        exponent: int = 0,
    ) -> None:
        """Take the game, as in `limit 10/20`, `NL 2/5 ante 1` or `PLO 5/5`, and the number of chairs, 2 to 64.

        `rulebook`: a built-in book, NAME@EDITION, the path of a `.toml` file, or a loaded book. `running`: whether hands
        were dealt before the first one here. Who sits down before it then played in them, and owes nothing unless `owes`
        says so; newcomers aren't those of a new game. `options`: options of the
        house that a book leaves to it, such as `{"button-method": "dead", "entry-post-required": 1}`. `unit`: a currency
        such as "USD", by default that of the sign in the game. `exponent`: at least so many decimals are counted. `game`
        may also be the event `GameSet` of a record, which has its own unit.
        """
        if not is_number(seats, 2, FEW_SEATS):
            raise door_errors.number_out_of_range("seats", seats, 2, FEW_SEATS)
        self.seats = seats
        self._is_tournament = bool(tournament)
        if not is_number(exponent, 0, MAX_DECIMALS):
            raise door_errors.number_out_of_range("exponent", exponent, 0, MAX_DECIMALS)
        if isinstance(game, GameSet):
            self._game, game = game, write_game(game)
        else:
            self._game = parse_game(game, tournament=self._is_tournament, exponent=exponent, unit=unit)
        self._game_text = self._first_game = game
        self._book = find_book(rulebook)
        self._options = read_options(options or {})
        self._picks: dict[int, Pick] = {}
        self._undo_points: list[tuple[int, GameSet, str, dict[int, Pick]]] = []
        self._log = TableLog(TableIdentity(seats=seats, tournament=TOURNAMENT if self._is_tournament else ""))
        self._is_running = bool(running)
        self._log.open(self._game, self._options, is_running=self._is_running)

    def __repr__(self) -> str:
        """Return the call that makes such a table, and how many hands it has."""
        book = None if self._book is None else self._book.name
        return f"<Table {self._game_text!r}, seats={self.seats}, rulebook={book!r}, hands={self.hands}>"

    # What the table is now

    @property
    def game(self) -> str:
        """The game and its stakes, as written."""
        return self._game_text

    @property
    def exponent(self) -> int:
        """How many decimals an amount has: 0 for whole chips."""
        return self._game.exponent

    @property
    def unit(self) -> str:
        """What is played for: a currency code, or "chips"."""
        return self._game.unit

    @property
    def is_tournament(self) -> bool:
        """Whether it's a tournament's table."""
        return self._is_tournament

    @property
    def is_running(self) -> bool:
        """Whether hands were dealt before the first one here."""
        return self._is_running

    @property
    def rulebook(self) -> Rulebook | None:
        """The rulebook, or None without one."""
        return self._book

    @property
    def hands(self) -> int:
        """How many hands were dealt."""
        return self._log.state.hands

    @property
    def number(self) -> str:
        """The number of the last hand; "" before the first."""
        return self._log.state.number

    @property
    def seated(self) -> dict[int, SeatedPlayer]:
        """The players by seat."""
        return {
            seat: SeatedPlayer(seat, self._log.find_name(seat_state.player), seat_state.stack, seat_state.presence)
            for seat, seat_state in sorted(self._log.state.seats.items())
        }

    # What happens between hands

    def sit(self, seat: int, name: str, stack: int | None = None, *, origin: Origin | None = None) -> None:
        """Seat a player. Before the first hand the player is in the game from its start, later a newcomer.

        If the game was running, a player without an `origin` who is seated before the first hand has played in it already.
        `stack`: None = unknown. `origin`: where the player comes from if a book asks, such as "broken-game".
        """
        self._require_seat(seat)
        check_name(name)
        if stack is not None and not is_number(stack, 0, MAX_CHIPS):
            raise door_errors.number_out_of_range("stack", stack, 0, MAX_CHIPS)
        if origin is not None and origin not in _ORIGINS:
            raise door_errors.bad_choice("origin", origin, _ORIGINS)
        state = self._log.state
        if seat in state.seats:
            raise door_errors.taken_seat(seat, self._log.find_name(state.seats[seat].player))
        player = self._log.find_player(name)
        other_seat = state.seat_of(player)
        if other_seat is not None:
            raise door_errors.seated_elsewhere(name, other_seat.seat, seat)
        if self._is_running and origin is None and not state.hands:
            self._add(PlayerEstablished(seat, player), *([] if stack is None else [StackCounted(seat, stack)]))
            return
        self._add(SeatTaken(seat, player, find_origin(origin, has_hands=bool(state.hands)), stack))

    def owes(self, seat: int, *blinds: PostKind) -> None:
        """Note which blinds a player missed before the first hand here: "small blind", "big blind" or both.

        >>> table = Table("limit 10/20", rulebook="hilton", running=True)
        >>> for seat, name in enumerate(["Ana", "Bo", "Cy", "Di"], start=1):
        ...     table.sit(seat, name)
        >>> table.owes(2, "small blind")
        >>> hand = table.deal(button=3)
        >>> table.due().seat(2).missed
        ('small blind',)
        """
        seat_state = self._find_seat(seat)
        blind_kinds = [KINDS[role] for role in name_blinds(self._game.blinds)]
        if not blind_kinds:
            raise door_errors.no_positions(self._game.variant)
        if not blinds:
            raise door_errors.bad_choice("blinds", blinds, blind_kinds)
        for blind in blinds:
            if blind not in blind_kinds:
                raise door_errors.bad_choice("blinds", blind, blind_kinds)
        if not self._is_running or self._log.state.hands:
            raise door_errors.owes_too_late(self._log.find_name(seat_state.player))
        roles = tuple(cast("OwedBlind", ROLES[blind]) for blind in dict.fromkeys(blinds))
        self._add(BlindsOwed(seat, roles, seat_state.player))

    def leave(self, seat: int) -> None:
        """Give up a seat."""
        seat_state = self._find_seat(seat)
        self._add(SeatLeft(seat, seat_state.player, "left", seat_state.stack))
        self._picks.pop(seat, None)

    def away(self, seat: int, *, in_room: bool | None = None) -> None:
        """Note that a player is away. `in_room`: whether still in the room, if a book asks; None = unknown."""
        seat_state = self._find_seat(seat)
        if seat_state.presence == "away":
            raise door_errors.absent_already(seat_state.seat, self._log.find_name(seat_state.player))
        self._add(PlayerAway(seat, seat_state.player, None if in_room is None else bool(in_room), "away"))

    def back(self, seat: int) -> None:
        """Note that a player is back."""
        seat_state = self._find_seat(seat)
        if seat_state.presence == "present":
            raise door_errors.not_away(self._log.find_name(seat_state.player))
        self._add(PlayerBack(seat, seat_state.player))

    def move(self, seat: int, new_seat: int) -> None:
        """Move a player to an empty seat."""
        seat_state = self._find_seat(seat)
        self._require_seat(new_seat)
        holder = self._log.state.seats.get(new_seat)
        if holder is not None:
            raise door_errors.taken_seat(new_seat, self._log.find_name(holder.player))
        pick = self._picks.pop(seat, None)
        self._add(SeatMoved(seat_state.player, seat, new_seat))
        if pick is not None:
            self._picks[new_seat] = pick

    def set_stack(self, seat: int, chips: int) -> None:
        """Set a player's stack before the coming hand; 0 = no chips. After a hand stacks are unknown again."""
        seat_state = self._find_seat(seat)
        if not is_number(chips, 0, MAX_CHIPS):
            raise door_errors.number_out_of_range("chips", chips, 0, MAX_CHIPS)
        if chips:
            self._add(StackCounted(seat, chips))
        else:
            self._add(StackCounted(seat, chips), PlayerBusted(seat, seat_state.player))

    def choose(self, seat: int, pick: Pick | None) -> None:
        """Note what a player wants who may choose: "post", "wait" or "play" without a post; None forgets it.

        It holds until the player gets cards. `TableError` if the player can't choose that on the coming hand.
        """
        seat_state = self._find_seat(seat)
        if pick is None:
            self._save_undo_point()
            self._picks.pop(seat, None)
            return
        if pick not in _PICKS:
            raise door_errors.bad_choice("pick", pick, _PICKS)
        possible_picks = self._find_due(self._require_book(None))[1].kinds.get(seat, [])
        if pick not in possible_picks:
            raise door_errors.no_such_pick(self._log.find_name(seat_state.player), pick, possible_picks)
        self._save_undo_point()
        self._picks[seat] = pick

    def change_game(self, game: str) -> None:
        """Play another game or other stakes from the coming hand on, such as the next level of a tournament."""
        new_game = parse_game(game, tournament=self._is_tournament, exponent=self.exponent, unit=self.unit)
        if new_game.exponent > self.exponent:
            raise door_errors.too_many_decimals(game, self.exponent)
        self._add(new_game)
        self._game, self._game_text = new_game, game

    # Hands

    def deal(
        self,
        button: int | None = None,
        posts: Mapping[int, int | Mapping[str, int]] | None = None,
        *,
        dealt: Collection[int] | None = None,
    ) -> RecordedHand:
        """Record a hand: as due, or as stated. What isn't stated is as due.

        `posts`: chips by seat, as in `{3: 5, 4: 10}`, or by kind, as in `{6: {"make-up": 10, "dead": 5}}`. With a `button`
        alone, the blinds go to the next players. `dealt`: the seats that get cards. The hand is recorded even if it's
        wrong: ask `check` first. `PostsError` if it can't be, or if something isn't stated and nobody can tell it.
        """
        hand_sheet = self._plan_hand(self._book, button, posts, dealt)
        self._record_sheet(hand_sheet)
        return _describe_sheet(hand_sheet, self.number)

    def due(self, rulebook: str | Rulebook | None = None) -> Due:
        """Return what is due on the coming hand, under another book if one is named.

        >>> table = Table("no-limit 1/3", rulebook="rrop4")
        >>> table.sit(1, "Ana"); table.sit(2, "Bo"); table.sit(5, "Cy")
        >>> table.due().unknown
        "Can't tell: no hand of this game is recorded, and no draw for the button."
        """
        book = self._require_book(rulebook)
        due, choices, plan = self._find_due(book)
        names = {seat: player.name for seat, player in self.seated.items()}
        return DueBuilder(due, choices, plan, book, self._game, names).build()

    def check(
        self,
        button: int | None = None,
        posts: Mapping[int, int | Mapping[str, int]] | None = None,
        *,
        dealt: Collection[int] | None = None,
        rulebook: str | Rulebook | None = None,
    ) -> tuple[Fault, ...]:
        """Return what would be wrong with the coming hand if it's dealt like this, before anybody acts.

        The arguments are those of `deal`. () = nothing that the table's history can show.

        >>> table = Table("limit 10/20", rulebook="hilton")
        >>> for seat, name in enumerate(["Ana", "Bo", "Cy", "Di"], start=1):
        ...     table.sit(seat, name)
        >>> hand = table.deal()
        >>> [fault.sentence for fault in table.check(button=3)]
        ['The small blind skipped seat 2']
        """
        from handledger.hand_check import judge_each_missing_post, list_faults  # noqa: PLC0415 - loads every check of the books

        book = self._require_book(rulebook)

        def judge(hand_sheet: HandSheet) -> tuple[Fault, ...]:
            events = build_events(hand_sheet, self._log.state, self._game, self._options, self._log.identity)
            return list_faults(book, events, self._log.build_contexts(book, events))

        return judge_each_missing_post(self._plan_hand(book, button, posts, dealt), self._find_due(book)[0], judge)

    def undo(self) -> bool:
        """Take back the last step, a hand or what happened between hands; return False before the first."""
        if not self._undo_points:
            return False
        step_count, self._game, self._game_text, self._picks = self._undo_points.pop()
        self._log.truncate(step_count)
        return True

    # The table as a document

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain JSON, which `from_dict` reads. A hand is kept as facts: no rule is asked again.

        >>> table = Table("no-limit 1/3", seats=6, rulebook="rrop4")
        >>> table.sit(2, "Ana")
        >>> table.to_dict()["steps"]
        [{'do': 'sit', 'seat': 2, 'name': 'Ana', 'origin': 'game-start'}]
        """
        return table_document.write_table(self)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], *, rulebook: str | Rulebook | None = None) -> Table:
        """Make the table of a document that `to_dict` returned; `rulebook` instead of the document's.

        A step `{"do": "deal"}` may also be as due, or as stated: `{"do": "deal", "button": 2, "posts": {"3": 5}}`.
        `TableError` with the place if the document can't be. It may come from a stranger: it can't name a file.
        """
        return table_document.read_table(cls, document, rulebook)

    def to_handscript(self) -> str:
        """Return the table in handscript, which `handledger import` and `from_handscript` read."""
        from handledger.table_script import write_script  # noqa: PLC0415 - loads the notation

        return write_script(self._log.identity, self._log.steps, self._log.people)

    @classmethod
    def from_handscript(cls, text: str, *, rulebook: str | Rulebook | None = None) -> Table:
        """Read a table with its hands from handscript. The next hand has the game and the options of the last.

        `UnreadableHandError` names the line that can't be read; `TableError` if the text has several tables.
        """
        from handledger.table_script import read_script  # noqa: PLC0415 - loads the notation

        if not isinstance(text, str):
            raise door_errors.not_text("text", text)
        people = make_people()
        script = read_script(text, people)
        is_tournament = script.game.format == "tournament"
        table = cls(script.game, seats=max(2, script.identity.seats), rulebook=rulebook, tournament=is_tournament)
        table._options = script.options
        table._log = TableLog(script.identity, people)
        table._is_running = not any(isinstance(event, GameStarted) for step in script.steps for event in step.events)
        for step in script.steps:
            table._log.add_step(step)
        table.seats = max(table.seats, *table._log.state.seats, 0)
        return table

    # Helpers

    def _plan_hand(
        self, book: Rulebook | None, button: int | None, posts: object, dealt: Collection[int] | None
    ) -> HandSheet:
        """Return the coming hand as stated; what isn't stated is as due."""
        if button is not None:
            self._require_seat(button)
        due, _, plan = self._find_due(self._require_book(book))
        stated_posts = None if posts is None else self._read_posts(posts, plan)
        dealt_seats = None if dealt is None else self._read_dealt(dealt, plan)
        planner = HandPlanner(self._log.state, due, plan, self._game)
        return planner.build_stated_sheet(button, stated_posts, dealt_seats)

    def _record_sheet(self, hand_sheet: HandSheet) -> None:
        self._save_undo_point()
        events = build_events(hand_sheet, self._log.state, self._game, self._options, self._log.identity)
        self._log.add_hand(events, hand_sheet)
        for seat in hand_sheet.dealt:
            self._picks.pop(seat, None)

    def _find_due(self, book: Rulebook) -> tuple[dues.Due, EntryChoices, DealPlan]:
        """Return the engine's dues on the coming hand, the players' choices, and the hand that follows from them."""
        walk = self._log.walk(book)
        due = walk.add_doubts(book.name, walk.keepers[book.name][1].find_due(walk.state), None)
        choices = EntryChoices(walk.state, due)
        return due, choices, choices.plan(self._picks)

    def _read_posts(self, posts: object, plan: DealPlan) -> dict[int, object]:
        if not isinstance(posts, Mapping):
            raise door_errors.bad_posts(posts)
        for seat in posts:
            self._require_present(seat, plan)
        return dict(posts)

    def _read_dealt(self, dealt: object, plan: DealPlan) -> tuple[int, ...]:
        if not isinstance(dealt, Collection) or isinstance(dealt, str | bytes | Mapping):
            raise door_errors.bad_dealt(dealt)
        seats = tuple(dealt)
        for seat in seats:
            self._require_present(seat, plan)
        return seats

    def _require_present(self, seat: object, plan: DealPlan) -> None:
        """Raise an error if a seat is empty, its player has no chips, or is away where the book deals no absent player in."""
        seat_state = self._find_seat(seat)
        if seat_state.presence == "away" and seat_state.seat not in plan.dealt:
            raise door_errors.absent_dealt(seat_state.seat, self._log.find_name(seat_state.player))
        if seat_state.stack == 0:
            raise door_errors.dealt_without_chips(seat_state.seat, self._log.find_name(seat_state.player))

    def _find_seat(self, seat: object) -> SeatState:
        self._require_seat(seat)
        seat_state = self._log.state.seats.get(cast("int", seat))
        if seat_state is None:
            raise door_errors.vacant_seat(cast("int", seat))
        return seat_state

    def _require_seat(self, seat: object) -> None:
        if not is_number(seat, 1, self.seats):
            raise door_errors.bad_seat(seat, self.seats)

    def _require_book(self, rulebook: str | Rulebook | None) -> Rulebook:
        book = self._book if rulebook is None else find_book(rulebook)
        if book is None:
            raise door_errors.no_rulebook()
        if not self._is_tournament and is_for_tournaments_only(book):
            raise door_errors.tournament_book(book.name)
        return book

    def _add(self, *events: TableEvent) -> None:
        self._save_undo_point()
        self._log.add(events)

    def _add_steps(self, steps: Iterable[Step]) -> None:
        """Add steps that were read. The next hand has the game of the last."""
        self._save_undo_point()
        for step in steps:
            self._log.add_step(step)
            games = [event for event in step.events if isinstance(event, GameSet)]
            if games:
                self._game, self._game_text = games[-1], write_game(games[-1])

    def _save_undo_point(self) -> None:
        self._undo_points.append((len(self._log.steps), self._game, self._game_text, dict(self._picks)))


def _describe_sheet(hand_sheet: HandSheet, number: str) -> RecordedHand:
    return RecordedHand(
        number,
        hand_sheet.button,
        hand_sheet.small,
        hand_sheet.big,
        tuple(sorted(hand_sheet.dealt)),
        tuple(map(_describe_post, hand_sheet.posts)),
    )


def _describe_post(post: SeatPost) -> HandPost:
    return HandPost(post.seat, KINDS.get(post.role, post.role), post.live, post.dead)
