"""Open Hand History to events: each object is one hand, and each event points at its member."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from ledger import presence as p
from ledger.errors import UnreadableHandError
from ledger.formats.ohh import words as w
from ledger.formats.ohh.deals import DRAW_STREETS, FIRST_STREETS, infer_bring_in, infer_deal, infer_draw
from ledger.formats.ohh.habits import has_street_totals
from ledger.formats.ohh.words import read_cards, read_objects, read_player_id, read_text
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import holdings
from ledger.hand import opening as o
from ledger.hand.opening import Betting
from ledger.hand.variants import VARIANTS
from ledger.people import People, format_chair_name
from ledger.readers import acts, amounts, timestamps
from ledger.readers.games import STUD
from ledger.readers.hand import SEATS
from ledger.readers.json_hand import JsonRecord, RecordHand, parse_count_below
from ledger.readers.spans import find_elements
from ledger.vocabulary import Cards, Chips, PlayerId, Seat, Street

_OPTION_OF_FLAG: Final = {"fast": "zoom", "anonymous": "anonymous"}
"""Flags of a hand → the house's option."""

_MAX_POTS: Final = 100

_DEAL_ACTS: Final = ("dealt cards", "dealt card")
_SEED_ACT: Final = "add to pot"
"""The only act without a player."""
_CARD_EVENTS: Final = (d.HoleCardsDealt, d.CardsDiscarded, d.CardsDrawn)

MemberSpans: TypeAlias = Mapping[str, tuple[int, int]]
"""Start and length of members by name."""


class OhhHand(RecordHand):
    """The hand that is built from one object."""

    def begin(self) -> None:
        """Read ahead: the cards' owner, the bring-in, the meaning of amounts, and runs of a street."""
        self.chips_by_text = self.people.read_before.results_of("numbers", self.exponent)
        round_objects = read_objects(self.value, "rounds")
        rounds = [read_objects(round_object, "actions") for round_object in round_objects]
        self.act_objects = [act for round_object in rounds for act in round_object]
        # Without a named owner, several known hands don't show whose record it is.
        owner = self.value["hero_player_id"] if "hero_player_id" in self.value else self._find_known_player()
        self.owner_id = read_player_id(owner)
        self.has_own_cards = False  # the owner's cards are known
        self.bring_in_amount: Chips = 0  # the bring-in, if it can't be a bet
        if self.game.variant in STUD and self.game.betting == "limit":
            self.bring_in_amount = infer_bring_in(rounds, self.parse_chips)
        self.has_street_totals = has_street_totals(
            rounds,
            sum(self.parse_chips(pot.get("amount")) for pot in read_objects(self.value, "pots")),
            self.parse_chips,
        )
        self.listed_cards: list[tuple[int, Seat, dict[str, object]]] = []  # cards in the list of players
        self.find_seat_by_name: dict[str, Seat] = {}  # by the player's id
        self.street_counts: Counter[Street | None] = Counter()  # streets so far
        self.board_counts: Counter[Street | None] = Counter(
            _find_street(round_object) for round_object in round_objects if round_object.get("cards")
        )

    def _find_known_player(self) -> object:
        """Return the id of the only player with known cards, or None if there are several or none."""
        deals = (
            act for act in self.act_objects if act.get("cards") and read_text(act.get("action")).lower() in _DEAL_ACTS
        )
        known_players = {read_player_id(act.get("player_id")) for act in deals}
        return known_players.pop() if len(known_players) == 1 else None

    def parse_chips(self, value: object) -> Chips:
        """Return an amount in chips, 0 if it is missing."""
        if not value:
            return 0
        if not isinstance(value, str):
            return amounts.read_number(value, self.exponent)
        amount = self.chips_by_text.get(value)
        if amount is None:
            amount = self.chips_by_text[value] = amounts.read_number(value, self.exponent)
        return amount

    def objects_in(
        self, member_spans: MemberSpans, value: dict[str, object], name: str
    ) -> list[tuple[int, dict[str, object]]]:
        """Return the objects of a member, each with its place. `member_spans` are the spans of all members of `value`."""
        json_objects = read_objects(value, name)
        object_spans = find_elements(self.data, *member_spans[name]) if json_objects else ()
        return [
            (self.spans.add(*span), json_object) for span, json_object in zip(object_spans, json_objects, strict=True)
        ]

    def objects_of_hand(self, name: str) -> list[tuple[int, dict[str, object]]]:
        """Return the objects of a member of the hand, each with its place."""
        return self.list_member_elements(name) if read_objects(self.value, name) else []

    # -- the table ------------------------------------------------------------------------------

    def add_options(self) -> None:
        """Add the house's options."""
        limit = self.value.get("bet_limit")
        if limit is None:
            self.inferred += [index for index, event in enumerate(self.events) if isinstance(event, o.GameSet)]
        bet_cap = self.parse_chips(limit.get("bet_cap")) if isinstance(limit, dict) else 0
        if bet_cap:
            self.place = self.member_places["bet_limit"]
            self.add_event(o.OptionSet("bet-cap", bet_cap))
        flags = self.value.get("flags")
        self.place = self.member_places.get("flags", self.member_places[""])
        for flag_name in flags if isinstance(flags, list) else []:
            option = _OPTION_OF_FLAG.get(read_text(flag_name).lower())
            if option:
                self.add_event(o.OptionSet("other", option))

    def seat_players(self, first_seat: int) -> None:
        """Seat the players. `first_seat` is the number of the first seat."""
        players = self.objects_of_hand("players")
        if not players:
            raise UnreadableHandError("no player is named", kind="no-players")
        acting_ids: set[str] = set()
        if any(player.get("is_sitting_out") is True for _, player in players):
            acts_in_hand = (
                act for act in self.act_objects if read_text(act.get("action")).lower() not in w.ACTS_OUTSIDE_HAND
            )
            acting_ids = {read_player_id(act.get("player_id")) for act in acts_in_hand}
        for self.place, player in sorted(players, key=lambda placed_player: _parse_seat(placed_player[1], first_seat)):
            seat, player_id = _parse_seat(player, first_seat), read_player_id(player.get("id"))
            player_name = read_text(player.get("name")) or self._name_for(seat, player.get("id"))
            chips = (
                None if (stack := player.get("starting_stack")) is None else amounts.read_number(stack, self.exponent)
            )
            if player.get("is_sitting_out") is True and player_id not in acting_ids:
                self.leave_seat_out(seat, player_name, chips, "sitting-out")
            else:
                self.seat_player(
                    seat, player_name, chips, bounty=amounts.read_number(player.get("player_bounty") or 0, 2)
                )
            if player_id in self.find_seat_by_name:
                raise UnreadableHandError("two players have one id", kind="damaged")
            self.find_seat_by_name[player_id] = seat
            if player.get("cards"):
                self.listed_cards.append((self.spans.add(*self.find_member_spans(self.place)["cards"]), seat, player))
            self.add_unread_members(player, w.PLAYER_MEMBERS)

    def _name_for(self, seat: Seat, player_id: object) -> str:
        """Return a name for a player without one: the id, unless that is only a number in this hand."""
        name_from_id = player_id if isinstance(player_id, str) and not player_id.isdecimal() else ""
        return name_from_id or format_chair_name(seat, f"hand {read_text(self.value.get('game_number'))}")

    def read_button(self, first_seat: int) -> None:
        """Place the button."""
        button = self.value.get("dealer_seat")
        if type(button) is int and first_seat <= button < SEATS - 1 + first_seat:
            self.place = self.member_places["dealer_seat"]
            self.add_event(o.ButtonPlaced(button + 1 - first_seat))

    # -- rounds ---------------------------------------------------------------------------------

    def add_rounds(self) -> None:
        """Add the rounds in their order."""
        round_objects = self.objects_of_hand("rounds")
        for round_place, round_object in round_objects:
            member_spans = self.find_member_spans(round_place)
            self.begin_street(round_object, round_place, member_spans)
            for act_place, act in self.objects_in(member_spans, round_object, "actions"):
                self.place = act_place
                self.add_act(act)
        if round_objects:
            self.complete_deal()

    def begin_street(self, round_object: dict[str, object], round_place: int, member_spans: MemberSpans) -> None:
        """Begin a round."""
        street = _find_street(round_object)
        self.place = self.spans.add(*member_spans["street"]) if "street" in member_spans else round_place
        if street is None:
            self.add_unread(f"street {str(round_object.get('street'))[:200]}")
        elif street in w.BOARD_STREETS:
            self.complete_deal()
            self.deal_board_part(
                street, round_object, self.spans.add(*member_spans["cards"]) if "cards" in member_spans else round_place
            )
        elif street == "showdown":
            self.complete_deal()
            if not self.street_counts["showdown"]:
                self.close_bets()
                self.add_event(e.ShowdownBegun())
        elif street in FIRST_STREETS:
            self.betting.street = "third" if self.game.variant in STUD else "preflop"
        else:
            self.complete_deal()
            self.deal_street(street)
        self.street_counts[street] += 1

    def deal_board_part(self, street: Street, round_object: dict[str, object], cards_place: int) -> None:
        """Deal to the board. A street that is listed several times is run several times."""
        run_count = max(self.board_counts[board_street] for board_street in w.BOARD_STREETS)
        if self.board_counts[street] > 1 and not any(isinstance(event, b.RunsAgreed) for event in self.events):
            self.add_inferred(b.RunsAgreed(run_count), place=self.place)
        self.place = cards_place
        cards = read_cards(round_object.get("cards"))
        if cards:
            self.deal_board(street, cards, run=self.street_counts[street] + 1)
        else:
            self.begin_betting(street)

    def complete_deal(self) -> None:
        """Complete the deal, once."""
        if not self.is_deal_complete:
            self.is_deal_complete, current_place = True, self.place
            for cards_place, seat, player in self.listed_cards:
                self.place = cards_place
                if not self.was_dealt_cards(seat):
                    self.deal_cards(seat, {"player_id": player.get("id"), "cards": player["cards"]})
            self.place = current_place
            self.add_inferred(d.DealCompleted(), place=self.place)

    def add_act(self, act: dict[str, object]) -> None:
        """Add one act."""
        act_name = act.get("action")
        act_name = act_name.lower() if isinstance(act_name, str) else ""
        seat = self.find_seat_by_name.get(read_player_id(act.get("player_id")), 0)
        add_chips, add_other = CHIP_ACTS.get(act_name), OTHER_ACTS.get(act_name)
        if not w.ACT_MEMBERS.issuperset(act) or (not seat and act_name != _SEED_ACT) or not (add_chips or add_other):
            self.add_unread_value(act)
            return
        if act_name in BETTING_ACTS:
            self.complete_deal()
        if add_chips:
            all_in = act.get("is_allin")
            amount = self.parse_chips(act.get("amount")) - (
                self.get_bet(seat) if self.has_street_totals and act_name in BETTING_ACTS else 0
            )
            add_chips(self, seat, amount, all_in if isinstance(all_in, bool) else None)
        elif add_other:
            add_other(self, seat, act)

    def deal_cards(self, seat: Seat, act: dict[str, object]) -> None:
        """Deal cards to a seat. After a draw they replace the discards."""
        known_cards = read_cards(act.get("cards"))
        is_owner = bool(known_cards) and self.owner_id == read_player_id(act.get("player_id"))
        self.has_own_cards |= is_owner
        if self.street in DRAW_STREETS:
            self.draw_cards(seat, known_cards)
        elif known_cards or self.street not in FIRST_STREETS or not self.was_dealt_cards(seat):
            event = infer_deal(self.game.variant, self.street, seat, known_cards, is_owner=is_owner)
            if event is not None:
                self.add_event(event)

    def was_dealt_cards(self, seat: Seat) -> bool:
        """Whether a seat was dealt cards."""
        return any(isinstance(event, d.HoleCardsDealt) and event.seat == seat for event in self.events)

    def draw_cards(self, seat: Seat, drawn_cards: Cards) -> None:
        """Add the cards of a draw, and infer the discards."""
        held_cards = holdings.list_hole_cards(
            [card_event for card_event in self.events if isinstance(card_event, _CARD_EVENTS)], seat
        )
        for event in infer_draw(seat, held_cards, drawn_cards):
            if isinstance(event, d.CardsDiscarded):
                self.inferred.append(len(self.events))
            self.add_event(event)

    def bet_or_bring_in(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Bet, or post the bring-in."""
        if self.bring_in_amount and self.street == "third" and not self.betting.bet_to_call:
            self.post_bring_in(seat, amount, all_in=all_in)
        else:
            self.bet(seat, amount, all_in=all_in)

    def raise_or_complete(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Raise by this many chips, or complete a bring-in."""
        completes_bring_in = self.street == "third" and 0 < self.betting.bet_to_call == self.bring_in_amount
        self.raise_by(seat, amount, all_in=all_in)
        if completes_bring_in:
            self.events[-1] = b.Completed(seat, amount, self.get_bet(seat), all_in)

    def post_extra_blind(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Post a blind out of turn. After a dead blind it makes up for a missed one, otherwise it is an entry."""
        has_dead_blind = any(
            isinstance(event, o.BlindPosted) and event.seat == seat and event.dead for event in self.events
        )
        self.post_blind(seat, "makeup-big" if has_dead_blind else "entry", amount, all_in=all_in)

    def show_cards(self, seat: Seat, act: dict[str, object]) -> None:
        """Show a hand, even if only some of its cards are known. Without any card it is a muck."""
        if not (cards := read_cards(act.get("cards"))):
            self.muck_cards(seat, act)
            return
        self.close_bets()
        if self.street in ("preflop", "flop", "turn", "river"):
            cards += "??" * (VARIANTS[self.game.variant].start_cards - len(cards) // 2)
        self.add_event(e.CardsShown(seat, cards))

    def muck_cards(self, seat: Seat, act: dict[str, object]) -> None:
        """Muck a hand."""
        self.close_bets()
        self.add_event(e.CardsMucked(seat, read_cards(act.get("cards"))))

    def player_in(self, seat: Seat) -> PlayerId:
        """Return the id of the player in a seat, or "" if it is empty."""
        seat_events = (event for event in self.events if isinstance(event, o.SeatDealtIn | o.SeatLeftOut | p.SeatTaken))
        return next((event.player for event in seat_events if event.seat == seat), "")

    # -- pots -----------------------------------------------------------------------------------

    def award_pots(self) -> None:
        """Add the awards, the drop and the declared results, which complete the hand."""
        pot_objects = self.objects_of_hand("pots")
        if not pot_objects:
            return
        declared_total = 0
        for pot_index, (pot_place, pot) in enumerate(pot_objects):
            written_number = pot.get("number")
            # `type`, because `true` is an int to `isinstance`
            pot_number = written_number if type(written_number) is int and 0 <= written_number < _MAX_POTS else None
            amount = self.parse_chips(pot.get("amount"))
            declared_total += amount
            for win_place, win in self.objects_in(self.find_member_spans(pot_place), pot, "player_wins"):
                self.place = win_place
                self.add_win(win, pot_number if len(pot_objects) > 1 else None)
            self.place = pot_place
            drops = {"rake": self.parse_chips(pot.get("rake")), "jackpot": self.parse_chips(pot.get("jackpot"))}
            for kind, chips in drops.items():
                if chips or (pot.get(kind) is not None and not pot_index):
                    self.add_event(e.DropTaken(kind, chips))  # type: ignore[arg-type]  # both are kinds of drop
            if len(pot_objects) > 1:
                self.add_event(
                    e.ResultDeclared("side-pot" if pot_number else "main-pot", None, amount, "", pot_number or 0)
                )
            self.add_unread_members(pot, w.POT_MEMBERS)
        self.place = self.member_places["pots"]
        self.add_event(e.ResultDeclared("total-pot", None, declared_total))
        self.infer_returns(declared_total)
        self.add_event(e.HandCompleted())

    def add_win(self, win: dict[str, object], pot_number: int | None) -> None:
        """Award a player a share of a pot."""
        seat = self.find_seat_by_name.get(read_player_id(win.get("player_id")))
        if seat is None or not w.WIN_MEMBERS.issuperset(win):
            self.add_unread_value(win)
            return
        if cash_out := self.parse_chips(win.get("cashout_amount")):
            self.add_event(b.CashOutTaken(seat, cash_out, self.parse_chips(win.get("cashout_fee"))))
        amount = self.parse_chips(win.get("win_amount"))
        if amount and not cash_out:
            self.award(seat, amount, pot_number)
        if self.parse_chips(win.get("bonus_amount")):
            self.add_event(e.RemarkNoted(self.people.text(f"bonus {win['bonus_amount']}")))


CHIP_ACTS: Final[Mapping[str, Callable[[OhhHand, Seat, Chips, bool | None], None]]] = {
    "post sb": acts.post_small_blind_once,
    "post bb": acts.post_big_blind,
    "post ante": acts.post_ante,
    "post dead": acts.make_up_small_blind,
    "post extra blind": OhhHand.post_extra_blind,
    "straddle": acts.post_straddle,
    "check": acts.check,
    "call": acts.call,
    "bet": OhhHand.bet_or_bring_in,
    "raise": OhhHand.raise_or_complete,
}
"""An act's name in lower case → the function that adds it, for acts with chips and checks."""

OTHER_ACTS: Final[Mapping[str, Callable[[OhhHand, Seat, dict[str, object]], None]]] = {
    "dealt cards": OhhHand.deal_cards,
    "dealt card": OhhHand.deal_cards,
    "fold": lambda hand, seat, act: hand.fold(seat, read_cards(act.get("cards"))),
    "shows cards": OhhHand.show_cards,
    "mucks cards": OhhHand.muck_cards,
    "added chips": lambda hand, seat, act: hand.add_event(
        p.ChipsAdded(seat, hand.parse_chips(act.get("amount")), player=hand.player_in(seat))
    ),
    "sits down": lambda hand, seat, _: hand.add_event(p.SeatTaken(seat, hand.player_in(seat))),
    "stands up": lambda hand, seat, _: hand.add_event(p.SeatLeft(seat, hand.player_in(seat), "left")),
    _SEED_ACT: lambda hand, _, act: hand.add_event(o.PotSeeded("promotion", hand.parse_chips(act.get("amount")))),
}
"""An act's name in lower case → the function that adds it, for all other acts."""

BETTING_ACTS: Final = frozenset(("fold", "check", "call", "bet", "raise"))


def read_object(
    data: bytes, value: dict[str, object], object_span: tuple[int, int], people: People, exponent: int | None
) -> OhhHand:
    """Read the hand of one object. Raise `UnreadableHandError` if it can't be read."""
    hand_number = read_text(value.get("game_number"))
    if not hand_number:
        raise UnreadableHandError("the hand has no game_number", kind="no-header")
    tournament_info = value.get("tournament_info")
    is_tournament = bool(value.get("tournament")) or bool(tournament_info)
    venue = read_text(value.get("site_name")) or read_text(value.get("network_name")) or "unknown room"
    game = _build_game_set(value, exponent, is_tournament=is_tournament)
    hand = OhhHand(JsonRecord(data, object_span, value), people, venue, game)
    member_places, hand_place = hand.member_places, hand.member_places[""]
    if is_tournament:
        hand.place = member_places.get("tournament_info", hand_place)
        hand.add_event(_build_tournament_set(tournament_info if isinstance(tournament_info, dict) else {}))
    hand.place = member_places.get("game_type", hand_place)
    hand.add_event(game)
    hand.add_options()
    # Some writers count seats from 0, as programs do.
    seats = [player.get("seat") for player in read_objects(value, "players")]
    first_seat = 0 if any(seat == 0 and seat is not False for seat in seats) else 1
    hand.seat_players(first_seat)
    hand.read_button(first_seat)
    hand.add_rounds()
    hand.mark_table_ante()
    hand.award_pots()
    hand.add_unknown_values(w.HAND_MEMBERS)
    start_text = read_text(value.get("start_date_utc"))
    hand.open_hand(
        read_text(value.get("table_name")),
        hand_number,
        w.WITNESSES,
        timestamps.parse_iso(start_text),
        start_text,
        parse_count_below(value.get("table_size"), SEATS),
        read_text(tournament_info.get("tournament_number")) if isinstance(tournament_info, dict) else "",
    )
    return hand


def _build_game_set(hand_object: dict[str, object], exponent: int | None, *, is_tournament: bool) -> o.GameSet:
    game_type = read_text(hand_object.get("game_type"))
    variant = w.GAME_OF_TITLE.get(game_type.lower().replace(" ", "").replace("_", ""))
    limit = hand_object.get("bet_limit")
    bet_type = read_text(limit.get("bet_type")) if isinstance(limit, dict) else ""
    betting = w.BETTING_OF_LIMIT.get(bet_type.upper()) or _assume_betting(hand_object, variant)
    if variant is None or betting is None:
        raise UnreadableHandError(f"the game {game_type!r} with the limit {bet_type!r} is not known", kind="game")
    variant = w.FIVE_CARDS.get((variant, _count_hole_cards(hand_object)), variant)
    currency = read_text(hand_object.get("currency"))
    unit = "chips" if is_tournament else "play" if currency in w.PLAY_CURRENCIES else currency
    if exponent is None:
        exponent = 0 if unit in ("chips", "play") else 2
    blinds = [
        amounts.read_number(hand_object.get(name) or 0, exponent) for name in ("small_blind_amount", "big_blind_amount")
    ]
    return o.GameSet(
        variant,
        betting,
        "tournament" if is_tournament else "cash",
        unit,
        exponent,
        tuple(blinds) if any(blinds) else (),
        amounts.read_number(hand_object.get("ante_amount") or 0, exponent),
    )


def _assume_betting(hand_object: dict[str, object], variant: str | None) -> Betting | None:
    """Return no-limit if the limit is left out, as OHH 1.4.9 allows: no-limit permits every bet. None in stud."""
    return "no-limit" if hand_object.get("bet_limit") is None and variant is not None and variant not in STUD else None


def _count_hole_cards(hand_object: dict[str, object]) -> int:
    """Return how many cards the first known hand has, or 0 if there is none."""
    for round_object in read_objects(hand_object, "rounds"):
        for act in read_objects(round_object, "actions"):
            if act.get("action") in ("Dealt Cards", "Shows Cards") and isinstance(cards := act.get("cards"), list):
                return len(cards)
    return 0


def _build_tournament_set(info: dict[str, object]) -> o.TournamentSet:
    buyin, fee, bounty = (
        None if (cost := info.get(f"{name}_amount")) is None else amounts.read_number(cost, 2)
        for name in ("buyin", "fee", "bounty_fee")
    )
    return o.TournamentSet("", buyin, fee, bounty, read_text(info.get("currency")), read_text(info.get("name")))


def _parse_seat(player: dict[str, object], first_seat: int) -> Seat:
    """Return the seat's number, counted from 1."""
    seat = player.get("seat")
    if not isinstance(seat, int) or isinstance(seat, bool) or not first_seat <= seat < SEATS - 1 + first_seat:
        raise UnreadableHandError(f"there is no seat {str(seat)[:20]!r}", kind="seat")
    return seat + 1 - first_seat


def _find_street(round_object: dict[str, object]) -> Street | None:
    street_name = round_object.get("street")
    return w.STREETS.get(street_name.lower()) if isinstance(street_name, str) else None
