"""Follow the effects of a wrong button or blind: the affected hands, and who paid too much or too little.

The table is replayed twice under one book: as recorded, and corrected, with the button and blinds where the book puts
them from the wrong hand on. The game is back in step with the first hand on which both replays agree again about
positions and payments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from ledger.table.events import HandPlayed, Post
from ledger.text.language import phrase, translatable
from ledger.vocabulary import Chips, PlayerId, Seat
from projections.audit.blind_fairness import NON_BLIND_ROLES, measure_gap, sum_blinds_paid, sum_dues
from projections.findings.doubts import ALL_READ
from projections.findings.finding import Share
from projections.obligations.dues import Due, Method, Placement, collect_methods, list_blind_posters
from projections.table_walk.replay import ReplayProgress, TableCheckpoint, ignore_progress, replay_from
from projections.table_walk.table_context import ContextsByBook

if TYPE_CHECKING:
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding

_BLIND_ROLES: Final = frozenset({"small", "big", "extra"})

POSITIONS_RIGHT: Final = translatable("its button and blinds are where the book puts them")
_RECORD_UNFINISHED: Final = translatable("it isn't over, or the table uses another account of it")


class ButtonAndBlinds(msgspec.Struct, frozen=True):
    """The seats of the button and the blinds; a seat is None if nobody has the position or the record doesn't say who."""

    button: Seat | None
    small: Seat | None
    big: Seat | None


class AffectedHand(msgspec.Struct, frozen=True):
    """An affected hand."""

    number: str
    stream: str  # its id, hex
    recorded: ButtonAndBlinds
    should: ButtonAndBlinds
    money: list[Share]  # each seat's overpayment (+) or underpayment (-)
    untold: str = ""  # why the amounts are unknown; "" = they are known


class Overpayment(msgspec.Struct, frozen=True):
    """A player's overpayment (+) or underpayment (-) over all these hands."""

    seat: Seat
    player: PlayerId
    amount: Chips


class KnockOn(msgspec.Struct, frozen=True):
    """The effects of a wrong button or blind. Either `in_step` or `why` is set."""

    fingerprint: str  # of the finding; "" if the user asked about the hand
    book: str
    hands: list[AffectedHand]  # the affected hands, the finding's first
    money: list[Overpayment]  # players who came out even are left out
    in_step: str  # number of the first hand in step again; "" = none on record
    settled: bool  # from that hand on, everybody owes what they would without the error
    why: str  # why it can't be followed further; "" = the game was back in step
    method: Method  # the method of moving the button that the corrected replay assumes
    assumed: bool  # the book allows several methods; `method` is the one nearest to the record
    likely: bool  # not certain: the finding isn't, the method is assumed, or lines of these hands weren't read
    unit: str = ""
    exponent: int = 0


def is_table_finding(book: Rulebook, finding: Finding) -> bool:
    """Whether a finding's clause looks at several hands of a table, so that it may affect later hands."""
    clause = book.clauses.get(finding.clause)
    return clause is not None and clause.spec is not None and clause.spec.reads_table


def follow_knock_on(
    checkpoint: TableCheckpoint,
    book: Rulebook,
    stream: str,
    finding: Finding | None = None,
    on_progress: ReplayProgress = ignore_progress,
) -> KnockOn:
    """Return the effects of a wrong hand, or of a finding in it. If its button and blinds are right, `hands` is empty.

    `stream` is the id of the hand's stream, hex. Both replays go through the table's entries side by side.
    """
    walk = _KnockOnWalk(book, finding)
    context_pairs = zip(replay_from(checkpoint, [book]), replay_from(checkpoint, [book]), strict=True)
    for count, (recorded_context, corrected_context) in enumerate(context_pairs, 1):
        on_progress(count)
        if (walk.hands or recorded_context.hand.hand == stream) and not walk.add_hand(
            recorded_context, corrected_context
        ):
            break
    return walk.build_result()


class _KnockOnWalk:
    """Compares the two replays from the wrong hand on."""

    def __init__(self, book: Rulebook, finding: Finding | None) -> None:
        self._book = book.name
        self._finding = finding
        self._method: Method | None = None
        self._assumed = False
        self.hands: list[AffectedHand] = []
        self._sums: dict[tuple[Seat, PlayerId], Chips] = {}
        self._back_in_step = ""
        self._open_reason = _RECORD_UNFINISHED
        self._is_settled = self._has_unread_lines = False
        self._steady_hands = 0  # hands in step at the end of `hands`
        self._unit, self._exponent = "", 0

    def add_hand(self, recorded_contexts: ContextsByBook, corrected_contexts: ContextsByBook) -> bool:
        """Compare a hand in both replays; return False when the effects end or can't be followed further."""
        hand = recorded_contexts.hand
        self._unit, self._exponent = hand.unit, hand.exponent
        if hand.voided and not self.hands:
            self._open_reason = phrase("the hand did not count")
            return False
        corrected_due = corrected_contexts[self._book].due
        if self._check_for_end(hand, recorded_contexts[self._book].due, corrected_due):
            return False
        placement = self._choose_placement(corrected_due, hand)
        if placement is None:
            self._open_reason = phrase(
                "the book does not settle where button and blinds belonged on hand {hand}", hand=hand.number
            )
            return False
        amounts_due = sum_dues(placement, corrected_due, hand)
        amounts_paid = sum_blinds_paid(hand)
        is_paid_right = amounts_due is None or not measure_gap(
            _limit_to_stacks(amounts_due, amounts_paid, hand), amounts_paid
        )
        if not self.hands and is_paid_right and _matches_placement(placement, hand):
            self._open_reason = POSITIONS_RIGHT
            return False
        self._add_hand(hand, placement, amounts_due, amounts_paid)
        self._has_unread_lines = self._has_unread_lines or recorded_contexts.unread_lines != ALL_READ
        last_hand = self.hands[-1]
        is_in_step = _matches_placement(placement, hand) and not last_hand.money and not last_hand.untold
        self._steady_hands = self._steady_hands + 1 if is_in_step else 0
        corrected_contexts.replace_hand(_correct_hand(corrected_contexts.hand, placement, corrected_due))
        return True

    def _check_for_end(self, hand: HandPlayed, recorded_due: Due, corrected_due: Due) -> bool:
        """Return whether the effects end before this hand, or can't be followed to it.

        Note the reason, or that this hand is back in step.
        """
        unknown_reason = recorded_due.unknown or corrected_due.unknown
        if unknown_reason:
            self._open_reason = phrase(
                "it's unclear what was due on hand {hand} ({reason})", hand=hand.number, reason=unknown_reason
            )
            return True
        if self.hands and _make_comparison_key(recorded_due) == _make_comparison_key(corrected_due):
            self._is_settled = True
            self._back_in_step = hand.number
            return True
        if not self._steady_hands:
            return False
        allowed_positions = _collect_allowed_positions(corrected_due, self._method)
        return bool(allowed_positions) and allowed_positions == _collect_allowed_positions(recorded_due, self._method)

    def _choose_placement(self, due: Due, hand: HandPlayed) -> Placement | None:
        """Return the placement that matches the record, else the nearest one by the same method, or None if that is unclear."""
        certain_placements = [candidate for candidate in due.placements if candidate.judged and not candidate.doubtful]
        if not certain_placements:
            return None
        same_method = [
            placement
            for placement in certain_placements
            if self._method in (None, placement.method, *placement.equal_methods)
        ] or certain_placements
        amounts_paid = sum_blinds_paid(hand)

        def measure_distance(candidate: Placement) -> tuple[bool, bool, Chips]:
            amounts_due = sum_dues(candidate, due, hand)
            return (
                not _matches_placement(candidate, hand),
                candidate.button != hand.button,
                measure_gap(amounts_due or {}, amounts_paid),
            )

        nearest = min(same_method, key=measure_distance)
        if self._method is None:
            self._method = nearest.method
            self._assumed = (
                len(collect_methods(certain_placements)) > 1
                and len({_find_spots(placement) for placement in certain_placements}) > 1
            )
        elif len({_find_spots(placement) for placement in same_method}) > 1 and not _matches_placement(nearest, hand):
            return None
        return nearest

    def _add_hand(
        self,
        hand: HandPlayed,
        placement: Placement,
        amounts_due: dict[Seat, Chips] | None,
        amounts_paid: dict[Seat, Chips],
    ) -> None:
        """Add an affected hand, and each player's overpayment to the sums."""
        overpayments: list[Share] = []
        unknown_reason = "" if amounts_due is not None else "the record leaves open what somebody owed"
        if hand.voided or not hand.completed:
            unknown_reason = "the hand does not count, or has no end on record"
        elif amounts_due is not None:
            amounts_owed = _limit_to_stacks(amounts_due, amounts_paid, hand)
            balances = {
                seat: amounts_paid.get(seat, 0) - amounts_owed.get(seat, 0)
                for seat in sorted(amounts_paid.keys() | amounts_owed.keys())
            }
            overpayments = [Share(seat, chips) for seat, chips in balances.items() if chips]
            players = {dealt_player.seat: dealt_player.player for dealt_player in hand.dealt_in}
            for overpayment in overpayments:
                seat_and_player = overpayment.seat, players.get(overpayment.seat, "")
                self._sums[seat_and_player] = self._sums.get(seat_and_player, 0) + overpayment.amount
        recorded_spots = ButtonAndBlinds(
            hand.button, _find_blind_seat(hand, "small", hand.small), _find_blind_seat(hand, "big", hand.big)
        )
        self.hands.append(
            AffectedHand(
                number=hand.number,
                stream=hand.hand,
                recorded=recorded_spots,
                should=_find_spots(placement),
                money=overpayments,
                untold=unknown_reason,
            )
        )

    def build_result(self) -> KnockOn:
        """Return the effects found so far."""
        if self.hands and self._open_reason == _RECORD_UNFINISHED:
            self._open_reason = phrase("the record ends with hand {hand}", hand=self.hands[-1].number)
        if self._steady_hands:
            self._back_in_step = self.hands[-self._steady_hands].number
            del self.hands[-self._steady_hands :]
        finding = self._finding
        is_finding_doubtful = finding is not None and finding.certainty != "certain"
        return KnockOn(
            fingerprint="" if finding is None else finding.fingerprint,
            book=self._book,
            hands=self.hands,
            money=[Overpayment(seat, player, chips) for (seat, player), chips in sorted(self._sums.items()) if chips],
            in_step=self._back_in_step,
            settled=self._is_settled,
            why="" if self._back_in_step else self._open_reason,
            method=self._method or "record",
            assumed=self._assumed,
            likely=self._assumed or self._has_unread_lines or is_finding_doubtful,
            unit=self._unit,
            exponent=self._exponent,
        )


def _make_comparison_key(due: Due) -> object:
    """Return the parts of dues by which the replays are compared: positions, posts and debts, without reasons."""
    seat_keys = [
        (
            due_seat.seat,
            due_seat.deal,
            due_seat.live,
            due_seat.dead,
            due_seat.button,
            sorted(missed.role for missed in due_seat.missed),
        )
        for due_seat in due.seats
    ]
    return _collect_allowed_positions(due), seat_keys


def _collect_allowed_positions(
    due: Due, method: Method | None = None
) -> set[tuple[ButtonAndBlinds, frozenset[tuple[Seat, str]]]]:
    """Return the positions and blind posts that the book allows, by `method`, or by any method if it is None."""
    return {
        (_find_spots(placement), _list_blind_posts(placement))
        for placement in due.placements
        if placement.judged and method in (None, placement.method, *placement.equal_methods)
    }


def _find_spots(placement: Placement) -> ButtonAndBlinds:
    """Return the seats of the button and the blinds; of several seats that post a blind, the one in its position."""
    small = _choose_poster(placement.small, list_blind_posters(placement, "small"))
    big = _choose_poster(placement.big, list_blind_posters(placement, "big"))
    return ButtonAndBlinds(placement.button, small, big)


def _choose_poster(position: Seat | None, posters: Sequence[Seat]) -> Seat | None:
    """Return the seat of a blind's position if it posts the blind or nobody does, else the first poster."""
    return position if position in posters or not posters else posters[0]


def _list_blind_posts(placement: Placement) -> frozenset[tuple[Seat, str]]:
    return frozenset((post.seat, post.role) for post in placement.posts if post.role in _BLIND_ROLES)


def _find_blind_seat(hand: HandPlayed, role: str, recorded_seat: Seat | None) -> Seat | None:
    """Return a blind's seat as recorded, else the seat that posted it, or None if there is neither."""
    if recorded_seat is not None:
        return recorded_seat
    return next((post.seat for post in hand.posts if post.role == role), None)


def _matches_placement(placement: Placement, hand: HandPlayed) -> bool:
    """Whether the recorded button and blinds of a hand match a placement."""
    posted = frozenset((post.seat, str(post.role)) for post in hand.posts if post.role in _BLIND_ROLES)
    return hand.button in (None, placement.button) and posted == _list_blind_posts(placement)


def _limit_to_stacks(
    amounts_due: dict[Seat, Chips], amounts_paid: dict[Seat, Chips], hand: HandPlayed
) -> dict[Seat, Chips]:
    """Return the dues by seat, each limited to the seat's stack, because nobody can post more."""
    limits = {player.seat: player.before for player in hand.dealt_in if player.before is not None}
    limits |= {post.seat: amounts_paid.get(post.seat, 0) for post in hand.posts if post.all_in}
    return {seat: min(chips, limits.get(seat, chips)) for seat, chips in amounts_due.items()}


def _correct_hand(hand: HandPlayed, placement: Placement, due: Due) -> HandPlayed:
    """Return a hand with the button, blinds and make-up blinds that were due, and everything else as recorded."""
    dealt_seats = {dealt_player.seat for dealt_player in hand.dealt_in}
    other_posts = [post for post in hand.posts if post.role in NON_BLIND_ROLES]
    makeup_posts = [post for due_seat in due.seats if due_seat.seat in dealt_seats for post in due_seat.post]
    due_posts = [
        Post(post.seat, post.role, post.live or 0, post.dead or 0) for post in (*placement.posts, *makeup_posts)
    ]
    return replace(
        hand,
        button=placement.button,
        small=placement.small,
        big=placement.big,
        posts=_drop_repeated_posts([*due_posts, *other_posts]),
        skipped=(),
    )


def _drop_repeated_posts(posts: Sequence[Post]) -> tuple[Post, ...]:
    """Return the first post of each seat and role."""
    return tuple({(post.seat, post.role): post for post in reversed(posts)}.values())[::-1]
