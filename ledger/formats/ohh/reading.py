"""Open Hand History to events: each object is one hand, each event points at the member that told it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from ledger import presence as p
from ledger.errors import UnreadableHandError
from ledger.formats.ohh import words as w
from ledger.formats.ohh.deals import DRAWS, FIRST, brought_in, dealt, drawn
from ledger.formats.ohh.habits import told_whole
from ledger.formats.ohh.words import cards_of, objects, text, who
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import holdings
from ledger.hand import opening as o
from ledger.hand.opening import Betting
from ledger.hand.variants import VARIANTS
from ledger.people import People, chair_name
from ledger.readers import acts, amounts, timestamps
from ledger.readers.games import STUD
from ledger.readers.hand import SEATS
from ledger.readers.json_hand import JsonRecord, RecordHand, count_below
from ledger.readers.spans import elements
from ledger.vocabulary import Cards, Chips, PlayerId, Seat, Street

_FLAGS: Final = {"fast": "zoom", "anonymous": "anonymous"}
"""Flags of a hand → the house's option that they tell."""

_DEALS: Final = ("dealt cards", "dealt card")
_SEEDS: Final = "add to pot"
"""The one act that is no player's."""
_HELD: Final = (d.HoleCardsDealt, d.CardsDiscarded, d.CardsDrawn)

Spanned: TypeAlias = Mapping[str, tuple[int, int]]
"""Start and length of members by name."""


class OhhHand(RecordHand):
    """The hand being told."""

    def begin(self) -> None:
        """Know nothing yet of what the rounds tell."""
        self.chips_by_text = self.people.read_before.results_of("numbers", self.exponent)
        parts = objects(self.value, "rounds")
        rounds = [objects(part, "actions") for part in parts]
        self.acts = [act for part in rounds for act in part]
        # Of several hands of which no owner is named nobody can say how they are known.
        known = self.value["hero_player_id"] if "hero_player_id" in self.value else self._one_known()
        self.hero = who(known)
        self.has_own_cards = False  # somebody's own cards are told
        self.brought: Chips = 0  # the bring-in, where it can be told from a bet
        if self.game.variant in STUD and self.game.betting == "limit":
            self.brought = brought_in(rounds, self.parse_chips)
        self.whole = told_whole(
            rounds, sum(self.parse_chips(pot.get("amount")) for pot in objects(self.value, "pots")), self.parse_chips
        )
        self.held: list[tuple[int, Seat, dict[str, object]]] = []  # cards that stand with their players
        self.seat_of: dict[str, Seat] = {}  # by the player's id
        self.seen: Counter[Street | None] = Counter()  # streets told so far
        self.often: Counter[Street | None] = Counter(_street(part) for part in parts if part.get("cards"))

    def _one_known(self) -> object:
        """Return the id of the one player of whom the record deals cards, None if there are several."""
        dealt = (act for act in self.acts if act.get("cards") and text(act.get("action")).lower() in _DEALS)
        known = {who(act.get("player_id")) for act in dealt}
        return known.pop() if len(known) == 1 else None

    def parse_chips(self, value: object) -> Chips:
        """Return an amount; what is missing is nothing."""
        if not value:
            return 0
        if not isinstance(value, str):
            return amounts.number(value, self.exponent)
        found = self.chips_by_text.get(value)
        if found is None:
            found = self.chips_by_text[value] = amounts.number(value, self.exponent)
        return found

    def within(self, inside: Spanned, value: dict[str, object], name: str) -> list[tuple[int, dict[str, object]]]:
        """Return the objects of a member, each with its place; `inside` has start and length of the members."""
        found = objects(value, name)
        where = elements(self.data, *inside[name]) if found else ()
        return [(self.spans.add(*span), one) for span, one in zip(where, found, strict=True)]

    def of_hand(self, name: str) -> list[tuple[int, dict[str, object]]]:
        """Return the objects of a member of the hand, each with its place."""
        return self.member_elements(name) if objects(self.value, name) else []

    # -- the table ------------------------------------------------------------------------------

    def options(self) -> None:
        """Tell the house's options that the hand has."""
        limit = self.value.get("bet_limit")
        if limit is None:
            self.inferred += [index for index, event in enumerate(self.events) if isinstance(event, o.GameSet)]
        cap = self.parse_chips(limit.get("bet_cap")) if isinstance(limit, dict) else 0
        if cap:
            self.place = self.member_places["bet_limit"]
            self.add_event(o.OptionSet("bet-cap", cap))
        flags = self.value.get("flags")
        self.place = self.member_places.get("flags", self.member_places[""])
        for flag in flags if isinstance(flags, list) else []:
            option = _FLAGS.get(text(flag).lower())
            if option:
                self.add_event(o.OptionSet("other", option))

    def players(self, first: int) -> None:
        """Tell the seats; `first` is the number of the first one."""
        players = self.of_hand("players")
        if not players:
            raise UnreadableHandError("no player is named", kind="no-players")
        acting: set[str] = set()
        if any(player.get("is_sitting_out") is True for _, player in players):
            acts = (act for act in self.acts if text(act.get("action")).lower() not in w.BESIDE)
            acting = {who(act.get("player_id")) for act in acts}
        for self.place, player in sorted(players, key=lambda one: _seat_of(one[1], first)):
            seat, called = _seat_of(player, first), who(player.get("id"))
            name = text(player.get("name")) or self._unnamed(seat, player.get("id"))
            chips = None if (stack := player.get("starting_stack")) is None else amounts.number(stack, self.exponent)
            if player.get("is_sitting_out") is True and called not in acting:
                self.leave_seat_out(seat, name, chips, "sitting-out")
            else:
                self.seat_player(seat, name, chips, bounty=amounts.number(player.get("player_bounty") or 0, 2))
            if called in self.seat_of:
                raise UnreadableHandError("two players have one id", kind="damaged")
            self.seat_of[called] = seat
            if player.get("cards"):
                self.held.append((self.spans.add(*self.member_spans(self.place)["cards"]), seat, player))
            self.add_unread_members(player, w.PLAYER)

    def _unnamed(self, seat: Seat, called: object) -> str:
        """Return what a player without a name is called: by the id, if that is no mere number of this hand."""
        known = called if isinstance(called, str) and not called.isdecimal() else ""
        return known or chair_name(seat, f"hand {text(self.value.get('game_number'))}")

    def button(self, first: int) -> None:
        """Tell where the button lies."""
        button = self.value.get("dealer_seat")
        if type(button) is int and first <= button < SEATS - 1 + first:
            self.place = self.member_places["dealer_seat"]
            self.add_event(o.ButtonPlaced(button + 1 - first))

    # -- rounds ---------------------------------------------------------------------------------

    def rounds(self) -> None:
        """Tell the rounds in their order."""
        found = self.of_hand("rounds")
        for whole, part in found:
            inside = self.member_spans(whole)
            self.begin_street(part, whole, inside)
            for at, act in self.within(inside, part, "actions"):
                self.place = at
                self.act(act)
        if found:
            self.complete_deal()

    def begin_street(self, part: dict[str, object], whole: int, inside: Spanned) -> None:
        """Begin a round."""
        street = _street(part)
        self.place = self.spans.add(*inside["street"]) if "street" in inside else whole
        if street is None:
            self.add_unread(f"street {str(part.get('street'))[:200]}")
        elif street in w.BOARDS:
            self.complete_deal()
            self.deal_board_part(street, part, self.spans.add(*inside["cards"]) if "cards" in inside else whole)
        elif street == "showdown":
            self.complete_deal()
            if not self.seen["showdown"]:
                self.close_bets()
                self.add_event(e.ShowdownBegun())
        elif street in FIRST:
            self.betting.street = "third" if self.game.variant in STUD else "preflop"
        else:
            self.complete_deal()
            self.deal_street(street)
        self.seen[street] += 1

    def deal_board_part(self, street: Street, part: dict[str, object], at: int) -> None:
        """Deal to the board; a street that comes several times is run several times."""
        runs = max(self.often[one] for one in w.BOARDS)
        if self.often[street] > 1 and not any(isinstance(event, b.RunsAgreed) for event in self.events):
            self.add_inferred(b.RunsAgreed(runs), place=self.place)
        self.place = at
        cards = cards_of(part.get("cards"))
        if cards:
            self.deal_board(street, cards, run=self.seen[street] + 1)
        else:
            self.next_street(street)

    def complete_deal(self) -> None:
        """Let the deal be over, once."""
        if not self.is_deal_complete:
            self.is_deal_complete, at = True, self.place
            for place, seat, player in self.held:
                self.place = place
                if not self.has_cards(seat):
                    self.deals(seat, {"player_id": player.get("id"), "cards": player["cards"]})
            self.place = at
            self.add_inferred(d.DealCompleted(), place=self.place)

    def act(self, act: dict[str, object]) -> None:
        """Tell one act."""
        name = act.get("action")
        name = name.lower() if isinstance(name, str) else ""
        seat = self.seat_of.get(who(act.get("player_id")), 0)
        chips, other = CHIPS.get(name), OTHERS.get(name)
        if not w.ACT.issuperset(act) or (not seat and name != _SEEDS) or not (chips or other):
            self.add_unread_value(act)
            return
        if name in PLAYED:
            self.complete_deal()
        if chips:
            said = act.get("is_allin")
            amount = self.parse_chips(act.get("amount")) - (self.bet_of(seat) if self.whole and name in PLAYED else 0)
            chips(self, seat, amount, said if isinstance(said, bool) else None)
        elif other:
            other(self, seat, act)

    def deals(self, seat: Seat, act: dict[str, object]) -> None:
        """Deal cards to a seat: the owner's, or such as were learned later; behind a draw those that it got."""
        told = cards_of(act.get("cards"))
        own = bool(told) and self.hero == who(act.get("player_id"))
        self.has_own_cards |= own
        if self.street in DRAWS:
            self.redraws(seat, told)
        elif told or self.street not in FIRST or not self.has_cards(seat):
            event = dealt(self.game.variant, self.street, seat, told, own=own)
            if event is not None:
                self.add_event(event)

    def has_cards(self, seat: Seat) -> bool:
        """Tell whether a seat was dealt cards."""
        return any(isinstance(one, d.HoleCardsDealt) and one.seat == seat for one in self.events)

    def redraws(self, seat: Seat, told: Cards) -> None:
        """Tell the cards of a draw, and infer those that went for them."""
        held = holdings.hole([one for one in self.events if isinstance(one, _HELD)], seat)
        for event in drawn(seat, held, told):
            if isinstance(event, d.CardsDiscarded):
                self.inferred.append(len(self.events))
            self.add_event(event)

    def opens(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Bet, or bring it in."""
        if self.brought and self.street == "third" and not self.betting.bet_to_call:
            self.post_bring_in(seat, amount, all_in=all_in)
        else:
            self.bet(seat, amount, all_in=all_in)

    def raises(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Raise with so many chips more, or fill a bring-in up."""
        fills = self.street == "third" and 0 < self.betting.bet_to_call == self.brought
        self.raise_by(seat, amount, all_in=all_in)
        if fills:
            self.events[-1] = b.Completed(seat, amount, self.bet_of(seat), all_in)

    def extra_blind(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Post a blind out of turn, which makes up for a missed one where a dead one went before."""
        dead = any(isinstance(event, o.BlindPosted) and event.seat == seat and event.dead for event in self.events)
        self.post_blind(seat, "makeup-big" if dead else "entry", amount, all_in=all_in)

    def shows(self, seat: Seat, act: dict[str, object]) -> None:
        """Show a hand of which perhaps only some cards are told; none told is a muck."""
        if not (cards := cards_of(act.get("cards"))):
            self.mucks(seat, act)
            return
        self.close_bets()
        if self.street in ("preflop", "flop", "turn", "river"):
            cards += "??" * (VARIANTS[self.game.variant].start_cards - len(cards) // 2)
        self.add_event(e.CardsShown(seat, cards))

    def mucks(self, seat: Seat, act: dict[str, object]) -> None:
        """Muck a hand."""
        self.close_bets()
        self.add_event(e.CardsMucked(seat, cards_of(act.get("cards"))))

    def player_in(self, seat: Seat) -> PlayerId:
        """Return who sits in a seat, "" if nobody was told to."""
        seated = (event for event in self.events if isinstance(event, o.SeatDealtIn | o.SeatLeftOut | p.SeatTaken))
        return next((event.player for event in seated if event.seat == seat), "")

    # -- pots -----------------------------------------------------------------------------------

    def settle(self) -> None:
        """Tell the awards, the drop, and what the record declares; the hand is over with them."""
        found = self.of_hand("pots")
        if not found:
            return
        declared = 0
        for nth, (whole, pot) in enumerate(found):
            number = pot.get("number")
            which = number if type(number) is int and 0 <= number < 100 else None  # not `true`
            amount = self.parse_chips(pot.get("amount"))
            declared += amount
            for at, win in self.within(self.member_spans(whole), pot, "player_wins"):
                self.place = at
                self.win(win, which if len(found) > 1 else None)
            self.place = whole
            taken = {"rake": self.parse_chips(pot.get("rake")), "jackpot": self.parse_chips(pot.get("jackpot"))}
            for kind, chips in taken.items():
                if chips or (pot.get(kind) is not None and not nth):
                    self.add_event(e.DropTaken(kind, chips))  # type: ignore[arg-type]  # both are kinds of drop
            if len(found) > 1:
                self.add_event(e.ResultDeclared("side-pot" if which else "main-pot", None, amount, "", which or 0))
            self.add_unread_members(pot, w.POT)
        self.place = self.member_places["pots"]
        self.add_event(e.ResultDeclared("total-pot", None, declared))
        self.infer_returns(declared)
        self.add_event(e.HandCompleted())

    def win(self, win: dict[str, object], pot: int | None) -> None:
        """Tell what a player won of a pot."""
        seat = self.seat_of.get(who(win.get("player_id")))
        if seat is None or not w.WIN.issuperset(win):
            self.add_unread_value(win)
            return
        if cash := self.parse_chips(win.get("cashout_amount")):
            self.add_event(b.CashOutTaken(seat, cash, self.parse_chips(win.get("cashout_fee"))))
        amount = self.parse_chips(win.get("win_amount"))
        if amount and not cash:
            self.award(seat, amount, pot)
        if self.parse_chips(win.get("bonus_amount")):
            self.add_event(e.RemarkNoted(self.people.text(f"bonus {win['bonus_amount']}")))


CHIPS: Final[Mapping[str, Callable[[OhhHand, Seat, Chips, bool | None], None]]] = {
    "post sb": acts.one_small_blind,
    "post bb": acts.big_blind,
    "post ante": acts.antes,
    "post dead": acts.missed_small,
    "post extra blind": OhhHand.extra_blind,
    "straddle": acts.straddles,
    "check": acts.checks,
    "call": acts.calls,
    "bet": OhhHand.opens,
    "raise": OhhHand.raises,
}
"""An act's name, small letters → how it is told of its chips."""

OTHERS: Final[Mapping[str, Callable[[OhhHand, Seat, dict[str, object]], None]]] = {
    "dealt cards": OhhHand.deals,
    "dealt card": OhhHand.deals,
    "fold": lambda hand, seat, act: hand.fold(seat, cards_of(act.get("cards"))),
    "shows cards": OhhHand.shows,
    "mucks cards": OhhHand.mucks,
    "added chips": lambda hand, seat, act: hand.add_event(
        p.ChipsAdded(seat, hand.parse_chips(act.get("amount")), player=hand.player_in(seat))
    ),
    "sits down": lambda hand, seat, _: hand.add_event(p.SeatTaken(seat, hand.player_in(seat))),
    "stands up": lambda hand, seat, _: hand.add_event(p.SeatLeft(seat, hand.player_in(seat), "left")),
    _SEEDS: lambda hand, _, act: hand.add_event(o.PotSeeded("promotion", hand.parse_chips(act.get("amount")))),
}
"""The same of what has no chips that are bet."""

PLAYED: Final = frozenset(("fold", "check", "call", "bet", "raise"))


def tell(
    data: bytes, value: dict[str, object], place: tuple[int, int], people: People, exponent: int | None
) -> OhhHand:
    """Read the hand; one that cannot be read raises `UnreadableHandError`."""
    number = text(value.get("game_number"))
    if not number:
        raise UnreadableHandError("the hand has no game_number", kind="no-header")
    info = value.get("tournament_info")
    tournament = bool(value.get("tournament")) or bool(info)
    venue = text(value.get("site_name")) or text(value.get("network_name")) or "unknown room"
    game = _game(value, exponent, tournament=tournament)
    hand = OhhHand(JsonRecord(data, place, value), people, venue, game)
    where, whole = hand.member_places, hand.member_places[""]
    if tournament:
        hand.place = where.get("tournament_info", whole)
        hand.add_event(_tournament(info if isinstance(info, dict) else {}))
    hand.place = where.get("game_type", whole)
    hand.add_event(game)
    hand.options()
    # Some writers count seats from 0, as programs do.
    seats = [player.get("seat") for player in objects(value, "players")]
    first = 0 if any(seat == 0 and seat is not False for seat in seats) else 1
    hand.players(first)
    hand.button(first)
    hand.rounds()
    hand.mark_table_ante()
    hand.settle()
    hand.add_unknown_values(w.ROOT)
    written = text(value.get("start_date_utc"))
    hand.open_hand(
        text(value.get("table_name")),
        number,
        w.WITNESSES,
        timestamps.parse_iso(written),
        written,
        count_below(value.get("table_size"), SEATS),
        text(info.get("tournament_number")) if isinstance(info, dict) else "",
    )
    return hand


def _game(hand: dict[str, object], exponent: int | None, *, tournament: bool) -> o.GameSet:
    written = text(hand.get("game_type"))
    variant = w.GAMES.get(written.lower().replace(" ", "").replace("_", ""))
    limit = hand.get("bet_limit")
    kind = text(limit.get("bet_type")) if isinstance(limit, dict) else ""
    betting = w.LIMITS.get(kind.upper()) or _assumed_betting(hand, variant)
    if variant is None or betting is None:
        raise UnreadableHandError(f"the game {written!r} with the limit {kind!r} is not known", kind="game")
    variant = w.FIVE_CARDS.get((variant, _dealt(hand)), variant)
    currency = text(hand.get("currency"))
    unit = "chips" if tournament else "play" if currency in w.PLAY else currency
    if exponent is None:
        exponent = 0 if unit in ("chips", "play") else 2
    blinds = [amounts.number(hand.get(name) or 0, exponent) for name in ("small_blind_amount", "big_blind_amount")]
    return o.GameSet(
        variant,
        betting,
        "tournament" if tournament else "cash",
        unit,
        exponent,
        tuple(blinds) if any(blinds) else (),
        amounts.number(hand.get("ante_amount") or 0, exponent),
    )


def _assumed_betting(hand: dict[str, object], variant: str | None) -> Betting | None:
    """Return no-limit where the limit is left out, as version 1.4.9 allows: it asks least of any bet. None in stud."""
    return "no-limit" if hand.get("bet_limit") is None and variant is not None and variant not in STUD else None


def _dealt(hand: dict[str, object]) -> int:
    """Return how many cards the first hand has that the record tells."""
    for part in objects(hand, "rounds"):
        for act in objects(part, "actions"):
            if act.get("action") in ("Dealt Cards", "Shows Cards") and isinstance(cards := act.get("cards"), list):
                return len(cards)
    return 0


def _tournament(info: dict[str, object]) -> o.TournamentSet:
    buyin, fee, bounty = (
        None if (cost := info.get(f"{name}_amount")) is None else amounts.number(cost, 2)
        for name in ("buyin", "fee", "bounty_fee")
    )
    return o.TournamentSet("", buyin, fee, bounty, text(info.get("currency")), text(info.get("name")))


def _seat_of(player: dict[str, object], first: int) -> Seat:
    """Return the seat as tables count them, from 1."""
    seat = player.get("seat")
    if not isinstance(seat, int) or isinstance(seat, bool) or not first <= seat < SEATS - 1 + first:
        raise UnreadableHandError(f"there is no seat {str(seat)[:20]!r}", kind="seat")
    return seat + 1 - first


def _street(part: dict[str, object]) -> Street | None:
    name = part.get("street")
    return w.STREETS.get(name.lower()) if isinstance(name, str) else None
