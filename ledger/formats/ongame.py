"""Reader of OnGame's text (bwin and others, closed in 2015): end stacks in every summary, pots before the rake.

`docs/formats/ongame.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from ledger.event import Event
from ledger.hand.dealing import CardsDiscarded, CardsDrawn, HoleCardsLearned
from ledger.hand.ending import Half, ResultDeclared
from ledger.hand.opening import BlindPosted
from ledger.readers import acts, games, payouts, stud
from ledger.readers.cards import CARD_WORDS, map_unknown_cards
from ledger.readers.headed_hand import HeadedHand, build_room_format
from ledger.readers.heads import HeadFields, HeadTemplates
from ledger.readers.phrase_hand import PhraseHand, parse_signed_amount
from ledger.readers.phrases import build_rows, parse_small_number
from ledger.readers.text_format import HandLines
from ledger.readers.text_hand import build_conditional_handler
from ledger.vocabulary import Cards, Chips, Seat, Street, Witness, split_cards

FIRST: Final = "***** History for hand"
RAKE: Final = "Rake taken: "
HALVES: Final[dict[str, Half]] = {"High": "high", "Low": "low", "": ""}


class OnGameHand(HeadedHand):
    """Reads a hand with lines such as `Name act $5` and `Name act 5 [all in]`, without a colon."""

    VENUE = "OnGame"
    HEAD = HeadTemplates(
        f"{FIRST} {{number}} (TOURNAMENT: {{name}}, {{tournament}}, buy-in: {{price}})",
        f"{FIRST} {{number}} (TOURNAMENT: {{name}}, {{tournament}})",
        f"{FIRST} {{number}} (TOURNAMENT: {{name}})",
        f"{FIRST} {{number}}",
        later_lines=(
            "Start hand: {written}",
            "Table: {table} ({limit} {game} {stakes}, ante: {ante}, {money})",
            "Table: {table} ({limit} {game} {stakes}, {money})",
            "Button: seat {button}",
            "User: {_}",
            "Players in round: {_}",
        ),
        rule="*",
        needed_fields={"table": "its table"},
        has_letters=True,
        max_digits=60,
        marks="-",
    )
    GAMES, MONEY, SUMMER_NAMED = games.FLOP | games.STUD | {"draw5"}, "USD", True
    WITNESSES = Witness.from_names(
        "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE STACKS_AFTER ACTS BOARD AWARDS POTS DROP BLIND_AMOUNTS DISCARDS"
    )
    """The text lacks returned bets, the showdown's order, clocks, and who comes and goes."""
    CARDS: ClassVar = {**CARD_WORDS, **map_unknown_cards("-", "X", "XX", "??")}
    clean_amount = PhraseHand.strip_brackets
    NAME_ENDINGS = ("",)
    ALL_IN = (" [all in]",)
    HAND_STREETS: ClassVar[Mapping[str, Street]] = {words.lower(): street for words, street in stud.STREETS.items()}

    @classmethod
    def build_game_events(cls, fields: HeadFields, page: HandLines) -> Iterator[Event]:
        """Read a tournament's price and the kind of money."""
        if "name" in fields:
            yield games.parse_costs(fields["price"], fields["name"].strip('"'))
        money, table = fields["money"].lower(), fields["table"]
        chips = money in ("chips", "tc")
        yield cls.build_game(fields, page.exponent, tournament=chips, play=money.startswith("play"))
        fields["table"] = (table.rpartition("[")[0].rstrip() or table) if table.endswith("]") else table

    def list_witnesses(self) -> int:
        """Return the facts that this hand's text records. Without the summary's heading, the rake may be missing."""
        return self.WITNESSES & ~int(Witness.DROP) if self.headless else self.WITNESSES

    def begin(self) -> None:
        """Start without cards and a summary."""
        self.board_by_street: dict[Street, Cards] = {}  # the board cards of each street
        self.cards_by_seat: dict[Seat, Cards] = {}  # the known cards of each seat
        self.discard_indexes: dict[Seat, int] = {}  # the index of each seat's discard event
        self.headless = False  # the summary lacks its heading
        self.awaited: list[int] = []  # the summary's lines with pots and rake, read after the seats

    def read_small_blind(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Post the small blind. A second small blind that is all-in is a short big blind."""
        is_short_big_blind = all_in and not self.big_blind_seat and self.small_blind_seat
        self.post_blind(seat, "big" if is_short_big_blind else "small", amount, all_in=all_in)

    def read_dead_blind(self, seat: Seat, amount: Chips, all_in: bool | None) -> None:
        """Post a dead blind. The seat's big blind before it is also a make-up blind."""
        for index, event in enumerate(self.events):
            if isinstance(event, BlindPosted) and event.seat == seat and event.role in ("big", "entry"):
                self.events[index] = BlindPosted(seat, "makeup-big", event.live, 0, event.all_in)
                if self.big_blind_seat == seat:
                    self.big_blind_seat = 0
        self.post_blind(seat, "makeup-small", 0, amount, all_in=all_in)

    def read_dealt_cards(self, name: Seat, cards: Cards) -> None:
        """Read `Dealing to Hero: [Tc, 9h]`."""
        stud.deal_street_cards(self, name, cards)
        self.cards_by_seat[name] = self.cards_by_seat.get(name, "") + cards

    def deal_street_board(self, street: Street, cards: Cards) -> None:
        """Read `--- Dealing flop [2d, Ad, Th]`. If the board is run out, the text repeats it from the flop on."""
        if self.board_by_street.get(street) != cards:
            self.board_by_street[street] = cards
            self.deal_board(street, cards)

    def read_change(self, seat: Seat, count_text: str) -> bool:
        """Read `changed 2 cards`; the draw itself has no line."""
        if count_text not in ("0", "1", "2", "3", "4", "5"):
            return False
        if self.street == "preflop" and self.game.variant == "draw5":
            self.infer_street("first-draw")
        self.discard_indexes[seat] = len(self.events)
        return acts.discard_cards(self, seat, int(count_text))

    def read_draw(self, name: Seat, cards: Cards) -> None:
        """Read `New hand for Hero: [8h, 9h, 6s, Ah, Jh]`: the cards that are new were drawn."""
        old_cards, new_cards = split_cards(self.cards_by_seat.get(name, "")), split_cards(cards)
        index = self.discard_indexes.get(name, -1)
        event = self.events[index] if index >= 0 else None
        discarded = [card for card in old_cards if card not in new_cards]
        if isinstance(event, CardsDiscarded) and event.count == len(discarded):
            self.events[index] = CardsDiscarded(name, event.count, "".join(discarded))
        self.add_event(CardsDrawn(name, "".join(card for card in new_cards if card not in old_cards)))
        self.cards_by_seat[name] = cards

    def defer_until_seats(self) -> None:
        """Remember a line with a pot or the rake until the seats after it are read.

        Where its heading was lost, the summary begins so; as lost as that may be the line of the rake.
        """
        if not self.summary_line:
            self.headless = True
            self.start_summary()
        self.awaited.append(self.place)

    def read_result(self, result: tuple[Seat, str]) -> bool:
        """Read `Seat 5: Ada ($1.05), net: -$1.05, [Qd, Qh] (PAIR QUEEN)`. Every part must be valid."""
        money, shows, cards_text = result[1].partition(", [")
        stack_text, nets, amount = money.partition(", net: ")
        inner, closed, claim = cards_text.partition("]")
        stack = self.parse_amount_or_none(stack_text[1:-1]) if stack_text[:1] + stack_text[-1:] == "()" else None
        net = parse_signed_amount(self, amount) if nets else 0
        cards = self.read_cards(inner) if closed else None
        if stack is None or net is None or (shows and cards is None):
            return False
        self.end_stacks[result[0]] = stack, self.place
        if nets:
            self.declare_net(result[0], net)
        if cards is not None:
            self.add_cards(result[0], cards, claim)
        return True

    def add_cards(self, seat: Seat, cards: Cards, claim: str) -> None:
        """Add the cards of a seat, as shown if an opponent was left."""
        if seat not in self.folded and len(self.folded) < len(self.stacks) - 1:
            self.show_known_cards(seat, cards, claim.strip(" ()"))
        elif self.cards_by_seat.get(seat) != cards:
            self.add_event(HoleCardsLearned(seat, cards))

    def finish(self) -> None:
        """Pay the pots, declare the final stacks and complete the hand."""
        total: Chips | None = None
        for line_number in self.awaited:
            self.place, line = line_number, self.lines.text[line_number].strip()
            if line.startswith(RAKE):
                self.take_drop("rake", self.parse_amount(line[len(RAKE) :]))
            else:
                total = (total or 0) + self.read_pot(line)
        if total is not None:
            self.place = self.awaited[0]
            self.declare_total_pot(total)
            self.infer_returns(total)
            payouts.return_unmatched_ante(self, in_the_end=True)
        if self.headless:
            payouts.infer_rake(self)
        self.add_end_stacks()
        if self.last_line:
            self.complete_hand()

    def read_pot(self, line: str) -> Chips:
        """Read `Side pot 1: 330 won by A (165 High), B (165 Low)`; return the pot."""
        label, _, pot_text = line.partition(": ")
        amount, _, winners = pot_text.partition(" won by ")
        pot_number, pot = parse_small_number(label.rpartition(" ")[2], 2), self.parse_amount(amount)
        self.add_event(ResultDeclared("side-pot" if pot_number else "main-pot", None, pot, "", pot_number))
        while winners:  # a name may contain any text, so search for the known names
            seat, winner_text = next(iter(self.find_named_seats(winners)), (0, ""))
            inner, closed, winners = winner_text[1:].partition(")")
            won, _, half = inner.partition(" ")
            if not seat or winner_text[:1] != "(" or not closed or half not in HALVES:
                self.add_unread(line)
                break
            self.award(seat, self.parse_amount(won), pot_number, half=HALVES[half])
            winners = winners.removeprefix(", ")
        return pot

    ACTIONS = (
        *acts.COMMON_ACTIONS,
        ("raises {_} to {amount}", acts.raise_to),
        *build_rows(acts.bring_in, "small bring in {amount}", "big bring in {amount}"),
        ("posts small blind {amount}", read_small_blind),
        ("posts big blind {amount}", acts.post_big_or_makeup_blind),
        *build_rows(read_dead_blind, "posts dead blind {amount}", "posts dead small blind {amount}"),
        ("posts ante {amount}", acts.post_ante),
        ("posts straddle {amount}", acts.post_straddle),
    )
    PLAYER_LINES = (("changed {count_text} card{_}", read_change),)
    LINES = (
        ("---", PhraseHand.ignore_line),
        ("--- Dealing {street} [{cards}]", deal_street_board),
        ("Dealing pocket cards", stud.begin_deal),
        ("Dealing to {name}: [{cards}]", read_dealt_cards),
        ("Dealing {hand_street}", stud.begin_street),
        (
            "New hand for {name}: [{cards}]",
            build_conditional_handler(lambda hand: hand.game.variant == "draw5", read_draw),
        ),
        ("Summary:", PhraseHand.start_summary),
        *build_rows(defer_until_seats, "Main pot: {_}", "Side pot {_}"),
        (RAKE + "{_}", defer_until_seats),
    )
    SUMMARY_LINES = (("Seat {result}", read_result), ("***** End of hand {_}", PhraseHand.end_hand))


FORMAT: Final = build_room_format(
    OnGameHand, "ongame", "OnGame text", FIRST + " ", own_heads=(FIRST,), words=("History for hand ",)
)
