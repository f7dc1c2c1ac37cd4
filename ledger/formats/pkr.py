"""Reader of PKR's text (closed in 2017): calls have the street's total, and every stack is listed at the end.

`docs/formats/pkr.md` has the table from line to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from msgspec.structs import replace

from ledger.event import Event
from ledger.hand.ending import Half, ResultDeclared
from ledger.hand.opening import ButtonPlaced, TournamentSet
from ledger.presence import ChipsAdded, ChipsKind, EntryDeferred, SeatTaken, StackCounted
from ledger.readers import acts, games, presence
from ledger.readers.cards import CARD_WORDS, build_card_reader, map_unknown_cards
from ledger.readers.hand import SEATS
from ledger.readers.headed_hand import HeadedHand, build_room_format
from ledger.readers.heads import HeadFields, HeadTemplates
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows, parse_small_number
from ledger.readers.signatures import build_number_test
from ledger.readers.text_format import HandLines
from ledger.readers.text_hand import build_seat_event_handler
from ledger.vocabulary import Cards, Seat, Witness

AWAY_MARK: Final = "(away from table)"
FIRST: Final = "Table #"
NUMBER: Final = "Starting Hand #"
HAS_REMARKS: Final = (
    *("High Card", "One Pair", "Two Pairs", "Three of a Kind", "Straight", "Flush", "Full House", "Four of a Kind"),
    *("Royal", "low hand: ", "high hand: ", "no qualifying low hand", "joined from ", "reconnected"),
)
"""Objects of `has` that no event records."""
CASES: Final = (str.lower, str.upper)
_read_cards: Final = build_card_reader(
    {
        change_rank(word[:-1]) + change_suit(word[-1]): card
        for word, card in CARD_WORDS.items()
        for change_rank in CASES
        for change_suit in CASES
    }
    | map_unknown_cards("XX")
)


class PkrHand(HeadedHand):
    """Reads a hand with lines such as `Ada raises to $4 (all-in)`, without a colon."""

    VENUE, GAMES = "PKR", games.FLOP | {"omaha5", "omaha5-8"}
    HEAD = HeadTemplates(
        f"{FIRST}{{_}} - Tournament #{{tournament}} {{table}}",
        f"{FIRST}{{_}} - STT #{{tournament}}",
        f"{FIRST}{{_}} - {{table}}",
        later_lines=(
            f"{NUMBER}{{number}}",
            "Game Type: {game}",
            "Limit Type: {limit}",
            "Start time of hand: {written}",
            "Table Type: {kind}",
            "Money Type: {money}",
            "Blinds are now {stakes}",
            "Button is at seat {button}",
            "Last Hand {_}",
        ),
        needed_fields={
            "number": f"its line {NUMBER!r}",
            "game": "its line 'Game Type:'",
            "limit": "its line 'Limit Type:'",
        },
    )
    WITNESSES = Witness.from_names(
        "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE STACKS_AFTER ACTS BOARD SHOWDOWN AWARDS DROP CLOCKS CONNECTIONS"
        " CHIP_PURCHASES BLIND_AMOUNTS CHAT"
    )
    """The text lacks returned bets, except for antes."""
    NAME_ENDINGS = ("",)
    ALL_IN = (" (all-in)",)
    SEAT_ROWS = ("Seat {seat}: {name} - {stack}",)

    @classmethod
    def build_game_events(cls, fields: HeadFields, page: HandLines) -> Iterator[Event]:
        """Read the kind of table and money. In fixed limit, the text has the blinds instead of the bets."""
        in_tournament = fields["kind"] == "TOURNAMENT" or bool(fields["tournament"])
        if in_tournament:
            yield TournamentSet()
        stakes, play = fields["stakes"], fields["money"].startswith("PLAY")
        unit = games.find_currency(stakes, tournament=in_tournament, play=play, default="USD")
        variant, betting = games.parse_game_and_limit(fields["game"], fields["limit"], cls.GAMES)
        stake_texts = [stake.strip() for stake in stakes.split("/") if stake.strip()]
        game = games.build_game_set(
            variant, betting, stake_texts, unit=unit, exponent=page.exponent, tournament=in_tournament
        )
        blinds = game.blinds + game.bets
        yield replace(game, blinds=blinds if any(blinds) else (), bets=())
        fields["table"] = fields["table"].removeprefix(FIRST).strip()

    def begin(self) -> None:
        """Start without purchases."""
        self.bought: set[Seat] = set()  # seats that bought chips, which their final stacks include

    def clean_amount(self, text: str) -> str:
        """Return an amount unchanged."""
        return text

    def read_cards(self, text: str) -> Cards | None:
        """Parse `[T c][2 s]`, `[qs] [XX]`, `[9s Ac 5s]`; return None if one of them isn't a card."""
        parts = (part.strip(" [") for part in text.split("]"))
        return _read_cards(" ".join("".join(part.split()) if part[1:2] == " " else part for part in parts))

    def take_seat_row(self, seat: Seat, row: Mapping[str, str]) -> None:
        """Read `Seat 1: Ada - $4.06 (away from table)`. A bounty is in brackets after the name."""
        stack = row["stack"].removesuffix(AWAY_MARK)
        name = row["name"].partition(" (bounty value ")[0] if row["name"].endswith(")") else row["name"]
        self.deal_in(seat, name, self.parse_amount(stack.strip()))
        if stack != row["stack"]:
            self.absence_reasons[seat] = "sitting-out"

    def read_button(self, seat: Seat) -> bool:
        """Read `Moving Button to seat 4`. Before the posts, it is this hand's button."""
        if not any(self.betting.chips.put_in.values()) and seat < SEATS:
            button_indexes = [index for index, event in enumerate(self.events) if isinstance(event, ButtonPlaced)]
            for index in button_indexes:
                self.events[index], self.event_places[index] = ButtonPlaced(seat), self.place
            if not button_indexes:
                self.add_event(ButtonPlaced(seat))
        return seat < SEATS

    def read_end_stack(self, seat: Seat, who: str, stack_text: str) -> None:
        """Read `Seat 1: Ada - $5` after the awards. A player without a seat arrived during the hand."""
        amount = self.parse_amount(stack_text.removesuffix(AWAY_MARK).strip())
        if seat in self.stacks:
            self.end_stacks[seat] = amount, self.place
        else:
            self.add_event(SeatTaken(seat, self.get_player_id(who), stack=amount))

    def read_gesture(self, seat: Seat, words: str) -> bool:
        """Read an avatar's gesture, which ends with a stop: `yawns.`, `says Boom!`."""
        moves = words.endswith((".", "!"))
        if moves:
            self.say_words(seat, words)
        return moves

    def read_win(self, seat: Seat, amount_text: str, claim: str = "", pot_number: str = "") -> None:
        """Read `$2 from side pot #1 with: Flush`, `5 with low hand: A2345`, `5, disconnection protection`."""
        amount, _, number_text = amount_text.partition(" from side pot #")
        if ", disconnection" in amount:
            amount = amount.partition(",")[0]
        half: Half = "high" if claim.startswith(" high hand") else "low" if claim.startswith(" low hand") else ""
        self.award(
            seat, self.parse_amount(amount.strip()), parse_small_number(pot_number or number_text, 2) or None, half=half
        )

    def read_tie(self, seat: Seat, amount_text: str, claim: str = "") -> bool:
        """Read `ties $5 with low hand: A2345`."""
        tied = any(map(str.isdigit, amount_text[:3]))
        if tied:
            self.read_win(seat, amount_text, claim)
        return tied

    def read_purchase(self, seat: Seat, amount_text: str, kind: ChipsKind = "buy-in") -> None:
        """Read `brings $4 to table 90000027`, which the final stack may include."""
        self.bought.add(seat)
        self.add_event(
            ChipsAdded(seat, self.parse_amount(amount_text.partition(" ")[0]), kind, "player", self.get_player(seat))
        )

    def finish(self) -> None:
        """Settle the bets, declare the final stacks and complete the hand."""
        self.close_bets()
        if not self.total_awarded:
            return
        self.infer_returns_by_pot(self.total_awarded + self.total_drop)
        for seat, (stack, line_number) in self.end_stacks.items():
            self.place = line_number
            self.add_event(
                StackCounted(seat, stack) if seat in self.bought else ResultDeclared("end-stack", seat, stack)
            )
        self.leave_out_silent()
        self.complete_hand()

    ACTIONS = (
        ("folds", acts.fold),
        ("checks", acts.check),
        ("calls {amount}", acts.call_to),
        ("bets {amount}", acts.bet),
        ("raises to {amount}", acts.raise_to),
        ("posts small blind ({amount})", acts.post_small_blind),
        ("posts big blind ({amount})", acts.post_big_blind),
        ("posts ante of {amount}", acts.post_ante),
        ("posts {amount} dead", acts.make_up_small_blind),
        ("posts {amount}", acts.post_small_or_big_to_enter),
    )
    PLAYER_LINES = (
        ("folds and shows {cards}", PhraseHand.fold),
        ("shows {cards}", PhraseHand.show_known_cards),
        ("mucks", PhraseHand.muck_cards),
        ("doesn't show", PhraseHand.decline_to_show),
        *build_rows(read_win, "wins {amount_text} with{claim}", "wins {amount_text}"),
        *build_rows(read_win, "ties, and wins {amount_text} with{claim}", "ties, and wins {amount_text}"),
        *build_rows(
            read_win,
            *(f"ties side pot #{{pot_number}}, and wins {{amount_text}}{claim}" for claim in (" with{claim}", "")),
        ),
        *build_rows(read_tie, "ties {amount_text} with{claim}", "ties {amount_text}"),
        ("rebuys {amount_text}", partial(read_purchase, kind="rebuy")),
        ("brings {amount_text}", read_purchase),
        *build_rows(PhraseHand.lose_connection, "has become disconnected{_}", "has disconnected{_}"),
        ("has{_}time bank{_}", PhraseHand.add_remark),
        *build_rows(PhraseHand.add_remark, *(f"has {words}{{_}}" for words in HAS_REMARKS)),
        *build_rows(
            PhraseHand.expire_clock, *(f"did not respond in time and is {what}" for what in ("folded", "checked"))
        ),
        *build_rows(presence.use_time_bank, "has requested more time", "is using the time bank"),
        (
            "will be dealt in after the button",
            build_seat_event_handler(lambda seat, player: EntryDeferred(seat, player, "button-passed")),
        ),
        ("{words}", read_gesture),
    )
    LINES = (
        ("Seat {seat}: {who} - {stack_text}", read_end_stack),
        ("Moving Button to seat {seat}", read_button),
        ("Dealing Cards", PhraseHand.finish_deal),
        ("Dealing {cards} to {name}", PhraseHand.deal_own_cards),
        ("Dealing {street} {cards}", PhraseHand.deal_new_cards),
        ("Taking Rake of {amount} from{_}", PhraseHand.take_rake),
        *build_rows(
            PhraseHand.read_uncalled_return, "Returning {amount} to {name} uncalled", "Returning {amount} to {name}"
        ),
        *build_rows(
            PhraseHand.end_hand, *(f"End {of} {noun}{{_}}" for of in ("of", "Of") for noun in ("Hand", "hand"))
        ),
        *build_rows(
            PhraseHand.add_remark,
            "There is no qualifying low hand",
            "{_} has joined from Tournament Table #{_}",
            "{_} brings {_} to table {_}",
        ),
        *build_rows(PhraseHand.ignore_line, "Pot sizes: {_}", "Shuffling Deck{_}", "No Rake Taken{_}"),
        ("{_}: {_}", PhraseHand.read_talk),
    )


FORMAT: Final = build_room_format(
    PkrHand, "pkr", "PKR text", FIRST, line_test=build_number_test(" - "), own_heads=("PKR",), later_line=NUMBER
)
