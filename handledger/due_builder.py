"""Turn the dues of the rulings engine into the answers of the library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from handledger.answers import Due, DueReason, EntryChoice, PostDue, Reading, SeatDue
from handledger.hand_plan import KINDS
from handledger.question_text import make_sentence
from projections.amount_text import amount
from projections.findings.doubts import summarize_doubts
from projections.live.next_hand import make_next_number
from projections.obligations.dues import Placement
from projections.reports.due_call import DueCall
from projections.reports.due_reasons import describe_doubts, drop_duplicate_grounds
from projections.sentences import due as say

if TYPE_CHECKING:
    from handledger.answers import Status
    from ledger.hand.opening import GameSet
    from ledger.vocabulary import Chips, Seat
    from projections.books.rulebook import Rulebook
    from projections.live.entry_choices import EntryChoices
    from projections.live.next_hand import DealPlan
    from projections.obligations import dues

_EMPTY_PLACEMENT: Final = Placement("record", None, None, None)
_ABSENT: Final[dict[str, Status]] = {"away": "away", "broke": "no_chips"}


class DueBuilder:
    """Builds the answer for one table, book and coming hand."""

    def __init__(
        self,
        due: dues.Due,
        choices: EntryChoices,
        plan: DealPlan,
        book: Rulebook,
        game: GameSet,
        names: Mapping[Seat, str],
    ) -> None:
        """Take the dues, the players' choices, the hand that follows from them, its book and game, and the names by seat."""
        self._due, self._choices, self._plan = _show_plan(due, plan), choices, plan
        self._book, self._game, self._names = book, game, names
        away_seats = [seat_due.seat for seat_due in self._due.seats if seat_due.status == "away"]
        self._call = DueCall(self._due, names, away_seats, self._format_sum, describe_doubts(self._due, None))

    def build(self) -> Due:
        """Return the answer."""
        due = self._due
        placement = None if due.unknown else self._plan.placement
        readings = self._list_readings()
        shown_placement = placement or _EMPTY_PLACEMENT
        return Due(
            rulebook=self._book.name,
            edition=self._book.edition,
            hand=make_next_number(due.previous_hand),
            after=due.previous_hand,
            button=shown_placement.button,
            small_blind=shown_placement.small,
            big_blind=shown_placement.big,
            button_is_dead=shown_placement.button_empty,
            small_blind_is_dead=shown_placement.small_empty,
            posts=() if placement is None else self._list_posts(placement),
            seats=tuple(map(self._build_seat, due.seats)),
            dealt=due.dealt if placement is None else tuple(sorted(self._plan.dealt)),
            first_to_act=shown_placement.opener,
            readings=readings,
            choices=tuple(map(self._build_choice, due.choices)),
            unknown=make_sentence(due.unknown),
            unknowns=self._list_unknowns(readings),
            sentence=self._call.build_text(),
            button_reasons=_list_reasons(shown_placement.button_grounds),
            small_blind_reasons=_list_reasons(shown_placement.small_grounds),
            big_blind_reasons=_list_reasons(shown_placement.big_grounds),
        )

    def _list_posts(self, placement: dues.Placement) -> tuple[PostDue, ...]:
        """Return the posts: the blinds of a placement, then those of players who come in."""
        entry_posts = [post for post in self._plan.entry_posts if post not in placement.posts]
        return tuple(map(self._build_post, (*placement.posts, *entry_posts)))

    def _build_post(self, post: dues.DuePost) -> PostDue:
        return PostDue(
            post.seat,
            self._names.get(post.seat, ""),
            KINDS[post.role],
            post.live,
            post.dead,
            _list_clauses(post.grounds),
            _list_reasons(post.grounds),
        )

    def _build_seat(self, seat_due: dues.SeatDue) -> SeatDue:
        grounds = drop_duplicate_grounds((*seat_due.grounds, *(missed.ground for missed in seat_due.missed)))
        return SeatDue(
            seat=seat_due.seat,
            name=self._names.get(seat_due.seat, ""),
            status=self._find_status(seat_due),
            dealt=not self._due.unknown and seat_due.seat in self._plan.dealt,
            posts=tuple(map(self._build_post, self._choices.list_posts(seat_due))),
            chips=seat_due.live,
            dead=seat_due.dead,
            choices=tuple(self._choices.kinds.get(seat_due.seat, ())),
            hands_to_wait=_find_hands_to_wait(seat_due),
            may_have_button=seat_due.button,
            missed=tuple(KINDS[missed.role] for missed in seat_due.missed),
            clauses=_list_clauses(grounds),
            reasons=_list_reasons(grounds),
        )

    def _find_status(self, seat_due: dues.SeatDue) -> Status:
        if seat_due.status in _ABSENT:
            return _ABSENT[seat_due.status]
        if self._choices.kinds.get(seat_due.seat) and seat_due.deal != "open":
            return "may_choose"
        if seat_due.deal == "yes":
            return "plays"
        if seat_due.deal == "if-posts":
            return "must_post"
        return "waits" if seat_due.deal == "no" else "open"

    def _list_readings(self) -> tuple[Reading, ...]:
        """Return the placements that let the shown players in, the shown one first."""
        if self._due.unknown:
            return ()
        return tuple(self._build_reading(placement, self._plan.entry_posts) for placement in self._due.placements)

    def _build_reading(self, placement: dues.Placement, entry_posts: Iterable[dues.DuePost]) -> Reading:
        further_posts = [post for post in entry_posts if post not in placement.posts]
        return Reading(
            placement.button,
            placement.small,
            placement.big,
            tuple(map(self._build_post, (*placement.posts, *further_posts))),
            placement.dealt,
            placement.reading or self._call.describe_placement(placement),
            placement.judged,
            placement.doubtful,
        )

    def _build_choice(self, choice: dues.Choice) -> EntryChoice:
        readings = tuple(self._build_reading(placement, choice.post) for placement in choice.placements)
        return EntryChoice(choice.posting, choice.playing, choice.waiting, choice.dealt, readings)

    def _list_unknowns(self, readings: tuple[Reading, ...]) -> tuple[str, ...]:
        """Return what the answer can't know: missing facts, assumed debts, points that the book leaves open, doubts."""
        due = self._due
        sentences = [due.unknown] if due.unknown else []
        sentences += [summarize_doubts(list(doubt.sentences), doubt.farther_doubt_count) for doubt in due.doubts]
        grounds: list[dues.Ground] = []
        placement = self._plan.placement
        if placement is not None:
            grounds += (*placement.button_grounds, *placement.small_grounds, *placement.big_grounds)
        for seat_due in due.seats:
            if seat_due.deal == "open":
                grounds += seat_due.grounds
            grounds += (missed.ground for missed in seat_due.missed if missed.ground.basis == "assumed")
        sentences += [
            ground.sentence for ground in grounds if ground.is_question or ground.basis in ("fallback", "assumed")
        ]
        if not sentences and not all(reading.is_settled for reading in readings):
            sentences.append(say.unsettled())
        return tuple(dict.fromkeys(map(make_sentence, sentences)))

    def _format_sum(self, live: Chips | None, dead: Chips | None) -> str:
        if dead:
            return say.live_and_dead_sum(self._format_chips(live), self._format_chips(dead))
        return say.unrecorded_amount() if live is None else self._format_chips(live)

    def _format_chips(self, chips: Chips | None) -> str:
        return amount(chips, self._game.unit, self._game.exponent)


def _show_plan(due: dues.Due, plan: DealPlan) -> dues.Due:
    """Return the dues with the planned hand in front, where a choice of the players decides it."""
    choice = next((choice for choice in due.choices if plan.placement in choice.placements), None)
    if choice is None:
        return due
    other_choices = [other_choice for other_choice in due.choices if other_choice is not choice]
    return msgspec.structs.replace(
        due, placements=choice.placements, dealt=choice.dealt, choices=(choice, *other_choices)
    )


def _find_hands_to_wait(seat_due: dues.SeatDue) -> int | None:
    """Return how many hands come before the seat's big blind; None if it has no such way in, or gets it on this hand."""
    for way_in in seat_due.ways_in:
        if way_in.kind == "big-blind" and not way_in.is_on_this_hand:
            return way_in.hands_to_wait
    return None


def _list_reasons(grounds: Iterable[dues.Ground]) -> tuple[DueReason, ...]:
    return tuple(DueReason(make_sentence(ground.sentence), ground.clauses, ground.basis) for ground in grounds)


def _list_clauses(grounds: Iterable[dues.Ground]) -> tuple[str, ...]:
    """Return the clauses that decide, each once. If the book is silent, the clause that comes nearest decides nothing."""
    deciding_grounds = (ground for ground in grounds if ground.basis != "fallback")
    return tuple(dict.fromkeys(clause for ground in deciding_grounds for clause in ground.clauses))
