"""The opening of a hand from its fields, its remarks, and who gets the pot if the file doesn't say.

That follows from folds, from the cards, from what the file declares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from ledger.errors import VariantError
from ledger.event import Event
from ledger.formats.phh.header import PhhHeader, list_stand_in_names
from ledger.formats.phh.scanner import ScannedFields, TextPiece
from ledger.formats.phh.words import WITNESSES
from ledger.hand import evaluate
from ledger.hand.chips import HandChips
from ledger.hand.ending import DropTaken, Half, PotAwarded, RemarkNoted
from ledger.hand.opening import BlindRole, ButtonPlaced, GameSet, HandOpened, PostReturned, SeatDealtIn, TournamentSet
from ledger.hand.pots import pots
from ledger.hand.variants import VARIANTS
from ledger.people import People
from ledger.readers.hand import SEATS, HandBuilder
from ledger.readers.spans import Spans
from ledger.vocabulary import Cards, Chips, Seat, split_cards

_SEAT: Final = itemgetter(0)


class HandOpening(HandBuilder):
    """A hand while it is read. Players are numbered from 0 in dealing order, as in the file."""

    def __init__(self, header: PhhHeader, scanned: ScannedFields, people: People) -> None:
        """Begin a hand; `scanned` has its fields and their places."""
        self.spans = Spans()
        super().__init__(self.spans, people, header.venue, _build_game_set(header), self.spans.add(0, 0))
        if max(header.seats) >= SEATS:
            self.seat_limit = max(header.seats) + 1
        self.scanned = scanned
        self.header = header
        self.dealing_order = header.seats  # in dealing order
        self.game_kind = header.game.kind
        if self.game_kind == "stud":
            self.betting.street = "third"
        count = len(header.seats)
        self.hole_cards = [""] * count
        self.shown_cards = [""] * count
        self.mucked_players: set[int] = set()
        self.acted_seats: set[Seat] = set()
        self.antes_paid: dict[Seat, Chips] = {}
        self.dead_chips: dict[Seat, Chips] = {}
        self.all_in_seats: set[Seat] = set()  # seats that put their whole stack in
        self.cards_owed: dict[int, int] = {}  # cards that a draw still owes
        self.board_cards: Cards = ""  # the board
        self.round_number = 0
        self.players_to_deal = set(range(count))  # players without their cards of the street
        self.is_deal_complete = False  # every seat has its first cards
        self.is_street_pending = False  # the street's cards have come, its StreetDealt hasn't

    # -- places and events ------------------------------------------------------------------------

    def point_at(self, start: int, end: int) -> None:
        """Make these characters the current place."""
        self.place = self.spans.add(start, end - start)

    def point_at_field(self, *keys: str) -> None:
        """Make the first of these fields that the file has the current place."""
        for key in keys:
            if key in self.scanned.spans:
                start, _, end = self.scanned.spans[key]
                self.place = self.spans.add(start, end - start)
                return

    def infer_behind(self, event: Event) -> None:
        """Infer an event that isn't in the file; its place is the end of the current one."""
        starts, lengths = self.spans.starts, self.spans.lengths
        self.inferred.append(len(self.events))
        self.events.append(event)
        self.event_places.append(len(starts))
        starts.append(starts[self.place] + lengths[self.place])
        lengths.append(0)

    def affordable_chips(self, seat: Seat, amount_due: Chips) -> tuple[Chips, bool | None]:
        """Return how much of `amount_due` the seat has, and whether it is all-in with it (None for an unknown stack)."""
        stack = self.stacks[seat]
        if stack is None:
            return amount_due, None
        stack_left = stack - self.get_chips_put_in(seat)
        if amount_due < stack_left:
            return amount_due, False
        if stack_left > 0:
            self.all_in_seats.add(seat)
        return max(stack_left, 0), True

    def players_left(self) -> list[int]:
        """Return the players who haven't folded."""
        return [player_index for player_index, seat in enumerate(self.dealing_order) if seat not in self.folded]

    # -- the parts of a hand --------------------------------------------------------------------

    def read_opening(self) -> None:
        """Read everything before the first action."""
        header, scanned = self.header, self.scanned
        self.point_at_field("hand", "variant")
        self.event_places[0] = self.place
        self.set_opening(
            HandOpened(
                header.venue,
                header.table,
                header.number,
                WITNESSES,
                header.started_at,
                header.date_text,
                header.seat_count,
                header.event,
            )
        )
        self.point_at_field("variant")
        if header.level:
            self.add_event(TournamentSet(header.level))
        self.add_event(self.game)
        if scanned.comments_before or scanned.extra_fields:
            self.put_remarks(scanned.comments_before)
            self.put_remarks(scanned.extra_fields)
        self.point_at_field("players", "starting_stacks")
        player_id, venue = self.people.player, header.venue
        names = header.names
        if not all(names):
            names = [name or stand_in for name, stand_in in zip(names, list_stand_in_names(header), strict=True)]
        self.stacks = dict(zip(self.dealing_order, header.stacks, strict=True))
        self.events += [
            SeatDealtIn(seat, player_id(venue, name), stack)
            for seat, stack, name in sorted(zip(self.dealing_order, header.stacks, names, strict=True), key=_SEAT)
        ]
        self.event_places += [self.place] * len(self.dealing_order)
        if self.game_kind != "stud":
            self.inferred.append(len(self.events))
            self.add_event(ButtonPlaced(self.dealing_order[-1]))
        if any(header.antes):
            self.point_at_field("antes")
            self._put_antes()
        self.point_at_field("blinds_or_straddles")
        if any(header.blinds):
            self._put_blinds()

    def _put_antes(self) -> None:
        """Post the antes and the dead small blinds among them, and return the excess of uneven antes."""
        header, common_ante = self.header, _find_usual_ante(self.header.antes)
        payers = [player_index for player_index, chips in enumerate(header.antes) if chips]
        lone_payer = payers[0] if len(payers) == 1 else -1
        big_blind_index = 1 if len(self.dealing_order) > 2 else 0
        table_pays = lone_payer in (big_blind_index, len(self.dealing_order) - 1) and header.blinds[lone_payer] >= 0
        for player_index in payers:
            seat, chips, makeup_chips = self.dealing_order[player_index], header.antes[player_index], 0
            if not table_pays and chips > common_ante and self._is_missed_small(player_index, chips - common_ante):
                chips, makeup_chips = common_ante, chips - common_ante
            chips, all_in = self.affordable_chips(seat, chips)
            if chips:
                (self.dead_chips if table_pays and not header.trims_antes else self.antes_paid)[seat] = chips
                self.post_ante(seat, chips, for_table=table_pays, all_in=all_in)
            makeup_chips, all_in = self.affordable_chips(seat, makeup_chips)
            if makeup_chips:
                self.dead_chips[seat] = makeup_chips
                self.post_blind(seat, "makeup-small", 0, makeup_chips, all_in=all_in)
        if header.trims_antes:
            self._trim_highest_ante()

    def _trim_highest_ante(self) -> None:
        """Return what the highest ante has above the next one."""
        layers = [self.antes_paid.get(seat, 0) for seat in self.dealing_order]
        *_, second_layer, top_layer = sorted(layers)
        if excess := top_layer - second_layer:
            seat = self.dealing_order[layers.index(top_layer)]
            self.antes_paid[seat] -= excess
            self.betting.move_chips(seat, -excess)
            self.inferred.append(len(self.events))
            self.add_event(PostReturned(seat, excess, "ante", True))

    def _is_missed_small(self, player_index: int, dead_chips: Chips) -> bool:
        """Whether the dead money beyond the usual ante is a missed small blind."""
        blinds = self.header.blinds
        small_blind = blinds[0] if len(blinds) > 2 else blinds[-1]
        return blinds[player_index] < 0 or (blinds[player_index] == 0 and dead_chips == small_blind)

    def _put_blinds(self) -> None:
        """Post blinds, straddles and live posts out of position in dealing order, the small blind first."""
        header, blinds, last_index = self.header, self.header.blinds, len(self.dealing_order) - 1
        posting_order = (1, 0) if last_index == 1 else range(last_index + 1)
        for position, player_index in enumerate(posting_order):
            amount_due = blinds[player_index]
            if not amount_due:
                continue
            chips, all_in = self.affordable_chips(seat := self.dealing_order[player_index], abs(amount_due))
            if not chips:
                continue
            if amount_due < 0:
                role: BlindRole | None = (
                    "makeup-big" if header.antes[player_index] > _find_usual_ante(header.antes) else "entry"
                )
            elif position == 0:
                is_only_blind = not blinds[posting_order[1]]
                role = "big" if is_only_blind and amount_due >= header.bets[0] > 0 else "small"
            elif position == 1:
                role = "big"
            else:
                role = self._role_behind_blinds(player_index)
            if role is None:
                self.post_straddle(seat, chips, "button" if player_index == last_index else "straddle", all_in=all_in)
            else:
                self.post_blind(seat, role, chips, all_in=all_in)

    def _role_behind_blinds(self, player_index: int) -> BlindRole | None:
        """Return the role of a live post out of position, None for a straddle."""
        blinds = self.header.blinds
        highest_blind = max(blinds[:2])
        if not highest_blind and player_index == len(self.dealing_order) - 1:
            return "button"
        return "entry" if blinds[player_index] <= highest_blind else None

    def put_remarks(self, remark_pieces: list[TextPiece]) -> None:
        """Put comments, and the fields without an event of their own, as remarks."""
        for remark_text, start, end in remark_pieces:
            self.point_at(start, end)
            self.add_event(
                RemarkNoted(
                    self.people.text(get_comment_content(remark_text) if remark_text[0] == "#" else remark_text)
                )
            )


def _build_game_set(header: PhhHeader) -> GameSet:
    """Return which game it is."""
    first, second = sorted(header.blinds[:2])
    blinds = (first, second) if first > 0 else (second,) if second > 0 else ()
    return GameSet(
        header.game.variant,
        header.game.betting,
        "tournament" if header.level else "unknown",
        header.unit,
        header.exponent,
        blinds,
        _find_usual_ante(header.antes),
        header.bets,
        header.bring_in,
    )


def _find_usual_ante(antes: list[Chips]) -> Chips:
    """Return the most frequent ante; if two are equally frequent, the lower one."""
    if antes.count(antes[0]) == len(antes):
        return antes[0]
    return min(set(antes), key=lambda chips: (-antes.count(chips), chips))


def get_comment_content(comment_text: str) -> str:
    """Return a comment's text without the hash and one blank."""
    return comment_text[2:] if comment_text.startswith("# ") else comment_text[1:] or "#"


PotShare = tuple[int, Chips, int | None, Half]
"""Player, chips, pot, half."""


def infer_awards(hand: HandOpening, *, is_over: bool) -> list[PotAwarded | DropTaken]:
    """Return the awards that follow from the hand, none if neither cards nor results decide.

    `is_over`: the betting of the last street is closed. Uncalled bets have been returned already.
    """
    pot_total = hand.get_total_put_in()
    if not pot_total:
        return []
    shares, rake = _choose_shares(hand, pot_total, is_over=is_over)
    events: list[PotAwarded | DropTaken] = [
        PotAwarded(hand.dealing_order[player_index], chips, pot, 1, 1, half)
        for player_index, chips, pot, half in shares
        if chips
    ]
    if rake > 0:
        events.append(DropTaken("rake", rake))
    return events


def _choose_shares(hand: HandOpening, pot_total: Chips, *, is_over: bool) -> tuple[list[PotShare], Chips]:
    """Return the shares and the rake: by the play, or as declared if the play doesn't decide or the results agree with it.

    Without shares there is no rake.
    """
    rake = hand.header.rake or 0
    shares = _share_by_play(hand, pot_total, is_over=is_over)
    if shares is not None and _match_declared_stacks(hand, shares):
        return shares, rake
    declared_sums = _share_by_results(hand, pot_total)
    if declared_sums is not None and (
        shares is None or _results_agree(declared_sums, _sum_by_player(shares), len(shares))
    ):
        declared_shares: list[PotShare] = [
            (player_index, chips, None, "") for player_index, chips in sorted(declared_sums.items())
        ]
        return declared_shares, rake or pot_total - sum(declared_sums.values())
    if shares is None:
        return [], 0
    return _take_rake(shares, rake) if rake else shares, rake


def _match_declared_stacks(hand: HandOpening, shares: list[PotShare]) -> bool:
    """Whether the shares lead to exactly the stacks that the file declares."""
    if hand.header.finishing_stacks is None:
        return False
    final_stacks = [None if hand.stacks[seat] is None else hand.get_stack_left(seat) for seat in hand.dealing_order]
    for player_index, chips, _, _ in shares:
        final_stacks[player_index] = (final_stacks[player_index] or 0) + chips
    return final_stacks == hand.header.finishing_stacks


def _sum_by_player(shares: Sequence[PotShare]) -> dict[int, Chips]:
    sums: Counter[int] = Counter()
    for player_index, chips, _, _ in shares:
        sums[player_index] += chips
    return +sums  # drops players without chips


def _take_rake(shares: list[PotShare], rake: Chips) -> list[PotShare]:
    """Take the rake from the shares in proportion; odd chips come from the first share."""
    total = sum(chips for _, chips, _, _ in shares)
    rake_parts = [chips * rake // total for _, chips, _, _ in shares]
    rake_parts[0] += rake - sum(rake_parts)
    return [
        (player_index, chips - rake_part, pot, half)
        for (player_index, chips, pot, half), rake_part in zip(shares, rake_parts, strict=True)
    ]


def _share_by_results(hand: HandOpening, pot_total: Chips) -> dict[int, Chips] | None:
    """Return what each player received by the declared stacks or winnings, or None if these can't be true."""
    header = hand.header
    if header.finishing_stacks is not None and None not in header.stacks:
        received = [
            finishing_stack - (starting_stack or 0) + hand.get_chips_put_in(seat)
            for finishing_stack, starting_stack, seat in zip(
                header.finishing_stacks, header.stacks, hand.dealing_order, strict=True
            )
        ]
    elif header.winnings is not None:
        received = header.winnings
    else:
        return None
    paid = sum(received)
    dropped = pot_total - paid
    if min(received) < 0 or paid <= 0 or dropped < 0 or dropped * 10 > pot_total:
        return None
    winnings_by_player = {player_index: chips for player_index, chips in enumerate(received) if chips}
    return winnings_by_player if winnings_by_player.keys() <= set(hand.players_left()) else None


def _results_agree(declared_sums: dict[int, Chips], played_sums: dict[int, Chips], odd_chips: int) -> bool:
    """Whether the declared results differ from the play's only by rake and odd chips."""
    return declared_sums.keys() == played_sums.keys() and all(
        9 * chips <= 10 * (declared_sums[player_index] + odd_chips) and declared_sums[player_index] <= chips + odd_chips
        for player_index, chips in played_sums.items()
    )


def _share_by_play(hand: HandOpening, pot_total: Chips, *, is_over: bool) -> list[PotShare] | None:
    """Return the shares by folds or cards, or None if these don't decide."""
    players_left = hand.players_left()
    if len(players_left) == 1:
        return [(players_left[0], pot_total, 0, "")]
    if not players_left or not is_over:
        return None
    claimants = _drop_hidden_hands(
        hand, [player_index for player_index in players_left if player_index not in hand.mucked_players] or players_left
    )
    if len(claimants) == 1:
        return [(claimants[0], pot_total, 0, "")]
    ranks = _rank_hands(hand, claimants)
    if ranks is None:
        return None
    shares: list[PotShare] = []
    for number, pot in enumerate(pots(_PotStakes(hand, players_left))):
        ranked = {seat: ranks[seat] for seat in pot.seats if seat in ranks}
        if not ranked:
            return None
        whole_pot = evaluate.PotShare(number, 1, 1, "", pot.amount, tuple(ranked), 0)
        for pot_part in evaluate.divide_pot(whole_pot, ranked) if len(ranked) > 1 else [whole_pot]:
            shares += _split_among_winners(hand, pot_part)
    return shares


def _split_among_winners(hand: HandOpening, pot_part: evaluate.PotShare) -> list[PotShare]:
    """Return equal shares of a pot or half, in dealing order; the first winner gets the odd chips."""
    equal_share, odd_chips = divmod(pot_part.amount, len(pot_part.winners))
    first_winner, *others = sorted(hand.dealing_order.index(seat) for seat in pot_part.winners)
    shares: list[PotShare] = [(first_winner, equal_share + odd_chips, pot_part.pot, pot_part.half)]
    shares += [(player_index, equal_share, pot_part.pot, pot_part.half) for player_index in others]
    return shares


class _PotStakes:
    """The chips and players from which pots are made."""

    def __init__(self, hand: HandOpening, players_left: list[int]) -> None:
        self.live, put_in = (
            {hand.dealing_order[player_index] for player_index in players_left},
            hand.betting.chips.put_in,
        )
        self.chips = HandChips.from_totals(
            {**dict.fromkeys(self.live, 0), **{seat: chips for seat, chips in put_in.items() if chips}},
            dead=hand.dead_chips,
            antes=hand.antes_paid,
        )
        self.all_in_seats = hand.all_in_seats

    def is_all_in(self, seat: Seat) -> bool:
        """Whether the seat has nothing left to bet."""
        return seat in self.all_in_seats


def _rank_hands(hand: HandOpening, claimants: list[int]) -> dict[Seat, tuple[int | None, int | None]] | None:
    """Return each claimant's high and low ranks, or None if a card is unknown."""
    variant = VARIANTS[hand.header.game.variant]
    if hand.game_kind == "board" and not _are_all_known(hand.board_cards):
        return None
    ranks = {}
    for player_index in claimants:
        cards, dealt_cards = hand.shown_cards[player_index], hand.hole_cards[player_index]
        if not _are_all_known(cards) or len(cards) < len(dealt_cards):
            cards = dealt_cards
        if not _are_all_known(cards):
            return None
        try:
            ranks[hand.dealing_order[player_index]] = evaluate.rank_hand(
                variant, split_cards(cards), split_cards(hand.board_cards)
            )
        except (VariantError, ValueError, KeyError):
            return None
    return ranks


def _drop_hidden_hands(hand: HandOpening, claimants: list[int]) -> list[int]:
    """Leave out players who showed no card (`sm ????`), if another showed a hand."""
    hidden_players = {
        player_index
        for player_index in claimants
        if hand.shown_cards[player_index]
        and not _are_all_known(hand.hole_cards[player_index])
        and not hand.shown_cards[player_index].strip("?")
    }
    open_hands = [player_index for player_index in claimants if player_index not in hidden_players]
    return open_hands if hidden_players and open_hands else claimants


def _are_all_known(cards: Cards) -> bool:
    """Whether every card of a hand is known."""
    return bool(cards) and "?" not in cards
