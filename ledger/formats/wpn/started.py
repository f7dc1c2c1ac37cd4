"""The first generation (to 2019): `Game started at:`, `Player X raises (6)`, results only in the summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import ClassVar, Final

from ledger.errors import UnreadableHandError
from ledger.formats.wpn.hand import VENUE, WITNESSES, WpnHand, find_variant, parse_file_name, split_note
from ledger.hand.betting import Bet, BetReturned, Called, Checked, Completed, Folded, Raised
from ledger.hand.dealing import BoardDealt, DealCompleted, HoleCardsDealt, HoleCardsLearned, HowKnown, StreetDealt
from ledger.hand.ending import CardsMucked, DropTaken, ResultDeclared
from ledger.hand.opening import AntePosted, Betting, BlindPosted, BringInPosted, GameSet, OptionSet, TournamentSet
from ledger.hand.variants import VARIANTS
from ledger.readers import acts, amounts, games, presence, stud
from ledger.readers.cards import read_groups
from ledger.readers.hand import SEATS
from ledger.readers.incomplete import no_second_line
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows, parse_phrase, parse_small_number, require_number
from ledger.readers.signatures import build_head_test
from ledger.readers.text_format import HandLines
from ledger.vocabulary import UNKNOWN_CARD, Cards, Chips, Seat, Street, Witness

HEAD: Final = "Game started at:"
LATER_STREETS: Final[dict[str, Street]] = {
    "Third street": "fourth",
    "Fourth street": "fifth",
    "Fifth street": "sixth",
    "Sixth street": "seventh",
}
"""The name of a stud street in the text is that of the street that ends → the street that begins."""
DROPS: Final = {"Rake": "rake", "JP fee": "jackpot", "JP Fee": "jackpot"}
EVENTS_AFTER_DEAL: Final = frozenset(
    (Bet, BetReturned, BoardDealt, BringInPosted, Called, CardsMucked, Checked, Completed, Folded, Raised, StreetDealt)
)
"""Events that can't happen before all cards are dealt."""
_MAX_POST_LINES: Final = 200
_ENDINGS_OF_OTHER_ACTS: Final = (" folds", " checks", "]", " mucks cards", " ------")
_DIGITS: Final = 24
_CACHE_SIZE: Final = 20_000


class StartedHand(WpnHand):
    """A hand of the first generation: `Player Name acts (5)`."""

    LINE_PREFIX: ClassVar[str] = "Player "
    SEAT_ROWS = ("Seat {seat}: {name} ({amount}).", "Seat {seat}: {name} ({amount})")

    def begin(self) -> None:
        """Set up the table and the results."""
        super().begin()
        self.table, self.end_line = "", 0
        self.winnings: list[tuple[Seat, Chips, int]] = []
        self.pot_line: tuple[str, int] | None = None

    def iter_numbered_lines(self, line_number: int, end_line: int) -> Iterator[tuple[int, str]]:
        """Yield the lines with their numbers; before the summary, without the word `Player`."""
        self.end_line = end_line
        for current_line, line in super().iter_numbered_lines(line_number, end_line):
            yield current_line, line if self.summary_line else line.removeprefix(self.LINE_PREFIX)

    def read_line(self, line: str) -> bool:
        """Read any other line, or an action of a player who isn't listed."""
        whole_line = self.lines.text[self.place]
        is_act = not self.summary_line and whole_line.startswith(self.LINE_PREFIX)
        return self.read_unlisted_act(whole_line.removeprefix(self.LINE_PREFIX)) if is_act else super().read_line(line)

    def read_street_heading(self, title: str, board_text: str) -> bool:
        """Read `*** FLOP ***: [2c 7d Kc]` and `*** Third street ***`."""
        card_groups = read_groups(self.read_cards, board_text.strip(" :"))
        if title in self.STREETS and card_groups:
            self.deal_board(self.STREETS[title], card_groups[-1])
        elif title in LATER_STREETS:
            self.deal_street(LATER_STREETS[title])
        else:
            return False
        return True

    # -- cards that come one by one ---------------------------------------------------------------

    def read_card(self, seat: Seat, cards: Cards) -> bool:
        """Deal one card to a seat; during the deal all its cards are one event."""
        if len(cards) != 2:
            return False
        if self.is_stud and self.street not in stud.FIRST_STREETS:
            stud.deal_street_cards(self, seat, cards)
            return True
        event_index = self.hole_card_indexes.setdefault(seat, len(self.events))
        earlier_event = self.events[event_index] if 0 <= event_index < len(self.events) else None
        all_cards = (earlier_event.cards if isinstance(earlier_event, HoleCardsDealt) else "") + cards
        if len(all_cards) > 2 * VARIANTS[self.game.variant].start_cards:
            return False
        orientation = "ddu"[: len(all_cards) // 2] if self.is_stud else ""
        self.betting.street = "third" if self.is_stud else self.street
        self.has_own_cards = self.has_own_cards or (orientation[-1:] != "u" and cards != UNKNOWN_CARD)
        how_known: HowKnown = "unknown" if orientation[-1:] != "u" else "dealt-up"
        cards_dealt = HoleCardsDealt(
            seat, all_cards, orientation, how_known if all_cards.startswith(UNKNOWN_CARD) else "owner"
        )
        if isinstance(earlier_event, HoleCardsDealt):
            self.events[event_index] = cards_dealt  # keeps the place of the first card
        else:
            self.hole_card_indexes[seat] = len(self.events)
            self.add_event(cards_dealt)
        return True

    def read_hidden_card(self, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
        """Read `received a card.`; in games without open cards it only shows that the seat plays."""
        if self.is_stud:
            self.read_card(seat, UNKNOWN_CARD)
        else:
            self.hole_card_indexes.setdefault(seat, -1)

    def end_deal(self) -> None:
        """End the deal before the first action; players without cards are left out."""
        if not self.hole_card_indexes:
            return
        for seat in self.seat_event_index:
            if seat not in self.hole_card_indexes and not self.get_chips_put_in(seat):
                self.leave_out_as_said(seat)
        deal_index = next(
            (event_index for event_index, event in enumerate(self.events) if type(event) in EVENTS_AFTER_DEAL),
            len(self.events),
        )
        self.insert_and_shift(deal_index, DealCompleted())
        self.hole_card_indexes = {
            seat: cards_index + (cards_index >= deal_index) for seat, cards_index in self.hole_card_indexes.items()
        }

    # -- actions whose meaning depends on others --------------------------------------------------

    def read_all_in(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Put the rest of the stack in; before the first card it is a post for less than the full amount."""
        later_posts = None if self.hole_card_indexes else self.find_later_posts()
        act: acts.ActionHandler = acts.go_all_in_by
        if later_posts is not None:
            antes = [event.seat for event in self.events if isinstance(event, AntePosted)]
            roles = [event.role for event in self.events if isinstance(event, BlindPosted)]
            if any(" ante (" in post_line for post_line in later_posts) or (antes and not roles and seat not in antes):
                act = acts.post_ante
            elif self.big_blind_seat:
                act = acts.post_small_or_big_to_enter
            else:
                act = acts.post_big_blind if roles or not later_posts else acts.post_small_blind
        act(self, seat, amount, True)

    def find_later_posts(self) -> list[str] | None:
        """Return the posts before the first card, or None if no card follows them."""
        post_lines: list[str] = []
        for line in map(str.rstrip, self.lines.text[self.place + 1 : self.place + _MAX_POST_LINES]):
            if " received " in line and line.startswith(self.LINE_PREFIX):
                return post_lines
            if line.endswith(_ENDINGS_OF_OTHER_ACTS):
                return None
            if line.endswith((")", " dead bet")):
                post_lines.append(line)
        return None

    # -- players who act but aren't in the list of seats --------------------------------------------

    def read_unlisted_act(self, act_text: str) -> bool:
        """Read an action of a player who isn't in the list of seats; the seat is inferred."""
        name = name_before_act(act_text)
        if name is None or name in self.seats or len(self.stacks) >= SEATS - 1 or self.holds_a_line(name):
            return False
        self.seats[name] = self.find_silent_seat(name) or self.seat_unlisted(name)
        self.index_names()
        event_count = len(self.events)
        is_read = self.read_action(self.seats[name], act_text[len(name) + 1 :].strip())
        self.inferred.extend(range(event_count, len(self.events)))
        return is_read

    def find_silent_seat(self, name: str) -> Seat:
        """Return the seat of the only listed player without a line, if one player is unlisted; otherwise 0."""
        names_seen: set[str] = set()
        unlisted_names = {name}
        for line in self.lines.text[self.event_places[0] + 1 : self.end_line]:
            if not line.startswith((self.LINE_PREFIX, "*" + self.LINE_PREFIX)):
                continue
            act_text = line.lstrip("*")[7:]
            listed_names = [
                listed_name for listed_name in self.list_sorted_names() if act_text.startswith(listed_name + " ")
            ]
            if listed_names:
                names_seen.add(listed_names[0])
            elif line[0] == "P" and (unlisted_name := name_before_act(act_text)) is not None:
                unlisted_names.add(unlisted_name)
        silent_seats = [seat for listed_names, seat in self.seats.items() if listed_names not in names_seen]
        return silent_seats[0] if len(silent_seats) == len(unlisted_names) == 1 else 0

    def seat_unlisted(self, name: str) -> Seat:
        """Seat an unlisted player at the button, if it is free, or in the first free seat."""
        button_seat = self.button_and_line[0] if self.button_and_line else 0
        free_seats = (other_seat for other_seat in range(1, SEATS) if other_seat not in self.stacks)
        seat = next(free_seats) if not button_seat or button_seat in self.stacks else button_seat
        self.deal_in_unlisted(seat, name)
        seat_index = self.seat_event_index[seat]
        self.hole_card_indexes = {
            other_seat: cards_index + (cards_index >= seat_index)
            for other_seat, cards_index in self.hole_card_indexes.items()
        }
        self.hole_card_indexes.setdefault(seat, -1)
        return seat

    # -- the summary: shown cards, awards, and what each player won or lost -------------------------

    def start_summary(self) -> None:
        """Begin the summary."""
        self.end_deal()
        self.summary_line = self.place

    def read_result(self, result_line: str) -> bool:
        """Read `Player X shows: One pair of 9s [Kd Qh]. Bets: 24. Collects: 47. Wins: 23.`."""
        bets_index = result_line.rfind("Bets: ")
        bets_and_net = self.parse_results(result_line[bets_index:]) if bets_index >= 0 else None
        if bets_and_net is None:
            return False
        bets, collects, net_result = bets_and_net
        for seat, result_text in self.find_named_seats(result_line[:bets_index]):
            if result_text.startswith(("shows", "mucks", "does")):
                if not self.read_shown_hand(seat, result_text):
                    self.add_unread(self.lines.text[self.place])
                if collects:
                    self.winnings.append((seat, collects, self.place))
                if bets or net_result:
                    self.add_event(ResultDeclared("net", seat, net_result))
                return True
        if not bets and not collects:  # a player at the table who isn't in the hand
            self.add_remark()
        return not bets and not collects

    def parse_results(self, results_text: str) -> tuple[Chips, Chips, Chips] | None:
        """Read `Bets: 24. Collects: 0. Loses: 24.`: bets, award and net result."""
        result_parts = [result_part.partition(": ") for result_part in results_text.split(". ")]
        if any(not colon or name not in ("Bets", "Collects", "Wins", "Loses") for name, colon, _ in result_parts):
            return None
        amounts_by_name = {name: self.parse_amount(amount) for name, _, amount in result_parts}
        return (
            amounts_by_name.get("Bets", 0),
            amounts_by_name.get("Collects", 0),
            amounts_by_name.get("Wins", 0) - amounts_by_name.get("Loses", 0),
        )

    def read_shown_hand(self, seat: Seat, result_text: str) -> bool:
        """Read the cards of `shows: One pair of 9s [Kd Qh]`, `mucks (does not show: [7h 3c])`."""
        claim_before, opening, card_text = result_text.partition("[")
        card_text, bracket_end, claim_after = card_text.partition("]")
        cards = self.read_cards(card_text) if bracket_end else None
        if not opening or cards is None:
            return not opening
        if result_text.startswith("shows"):
            missing = VARIANTS[self.game.variant].start_cards - len(cards) // 2
            claim = " ".join((claim_before[6:] + claim_after).split()).strip(" .:")
            self.show_cards(seat, cards + UNKNOWN_CARD * missing, claim)
            return True
        cards_index = self.hole_card_indexes.get(seat, -1)
        event = self.events[cards_index] if cards_index >= 0 else None
        if not (isinstance(event, HoleCardsDealt) and event.cards == cards):
            self.add_event(HoleCardsLearned(seat, cards))
        return True

    def keep_pot_line(self, pot_text: str) -> bool:
        """Keep `Pot: 7.05. Rake 0.14. JP fee 0.06` until the awards have been put."""
        is_known = all(drop_text.rpartition(" ")[0] in DROPS for drop_text in pot_text.split(". ")[1:])
        if is_known:
            self.pot_line = pot_text, self.place
        return is_known

    def finish(self) -> None:
        """Finish the hand: awards, drops, returned bets and the end."""
        if not self.summary_line:
            self.end_deal()
            return
        for seat, paid, line_number in self.winnings:
            self.place = line_number
            self.award(seat, paid)
        declared_total: Chips | None = None
        if self.pot_line is not None:
            pot_text, self.place = self.pot_line
            pot_amount, *drop_texts = pot_text.split(". ")
            for name, _, amount in (drop_text.rpartition(" ") for drop_text in drop_texts):
                chips = self.parse_amount(amount)
                self.total_drop += chips
                self.add_event(DropTaken(DROPS[name], chips))  # type: ignore[arg-type]  # one of two
            declared_total = self.parse_amount(pot_amount) + self.total_drop
            if not self.infer_hidden_drop(declared_total):
                self.add_event(ResultDeclared("total-pot", None, declared_total))
        self.infer_returns_by_pot(declared_total)
        self.leave_out_idle(self.absence_reasons)
        if self.last_line:
            self.complete_hand()

    def infer_hidden_drop(self, declared_total: Chips) -> bool:
        """Infer the jackpot fee, which files of 2014 leave out: the chips that went in and weren't paid.

        Only at tables named after the jackpot, and where all that is left of the pot was paid. True if so.
        """
        table_words = self.table.replace("(", " ").replace(")", " ").replace(",", " ").split()
        pot_left, missing_chips = declared_total - self.total_drop, self.get_total_put_in() - declared_total
        if (
            not ("JP" in table_words or "Beast" in table_words)
            or pot_left != self.total_awarded
            or not 0 < missing_chips < pot_left
        ):
            return False
        self.add_inferred(DropTaken("jackpot", missing_chips))
        return True

    def clean_amount(self, text: str) -> str:
        """Return `24.` as an amount."""
        return text.strip().rstrip(".")

    SEAT_LIST_LINES = (
        *build_rows(PhraseHand.note_button, "Seat {seat} is the button", "Seat #{seat} is the button"),
        ("Seat {_} is the button", PhraseHand.is_damaged),
    )
    ACTIONS = (
        *build_rows(read_hidden_card, "received a card.", "received card."),
        *acts.build_four_actions("folds", "checks", "calls ({amount})", "bets ({amount})"),
        ("raises ({amount})", acts.raise_by),
        ("caps ({amount})", WpnHand.read_capped_bet),
        ("has small blind ({amount})", acts.post_small_blind),
        ("has big blind ({amount})", acts.post_big_blind),
        ("posts ({amount})", acts.post_small_or_big_to_enter),
        ("posts dead ({amount})", acts.make_up_small_blind),
        *build_rows(acts.post_ante, "ante ({amount})", "posts ante ({amount})"),
        *build_rows(acts.post_straddle, "straddle ({amount})", "straddles ({amount})", "posts straddle ({amount})"),
        *build_rows(acts.bring_in, "bring in ({amount})", "brings in ({amount})"),
        ("allin ({amount})", read_all_in),
        ("allin", acts.stay_in),
        ("posts ({amount}) as a dead bet", acts.make_up_small_blind),
    )
    PLAYER_LINES = (
        *build_rows(read_card, "received card: [{cards}]", "received a card: [{cards}]"),
        ("mucks cards", PhraseHand.muck_cards),
        *build_rows(PhraseHand.expire_clock, "is timed out.", "is timed out"),
        *build_rows(presence.sit_out, "sitting out", "sits out"),
        ("wait BB", presence.wait_for_big_blind),
        ("stands up", presence.stand_up),
        *build_rows(presence.come_back, "is back", "sits down"),
        *build_rows(PhraseHand.lose_connection, "is disconnected and ALL IN.", "is disconnected", "is disconnected."),
        *build_rows(PhraseHand.restore_connection, "is connected", "is connected.", "is reconnected"),
    )
    LINES = (
        ("*** {title} ***{board_text}", read_street_heading),
        ("Uncalled bet ({amount}) returned to{name}", PhraseHand.read_uncalled_return),
        ("------ Summ{_}", start_summary),
        ("Board: [{cards}]", PhraseHand.declare_whole_board),
        ("Game ended at:{_}", WpnHand.end_hand),
    )
    SUMMARY_LINES = (
        *build_rows(read_result, "Player {result_line}", "*Player {result_line}"),
        ("Pot: {pot_text}", keep_pot_line),
    )


ACT_BEGINNINGS: Final = (
    *(" " + parse_phrase(template).parts[0] for template, _ in StartedHand.ACTIONS),
    *(" received card: [", " mucks cards", " is timed out.", " sitting out", " wait BB", " is disconnected"),
)
"""The words after the name of a player who takes part in the hand."""


def name_before_act(act_text: str) -> str | None:
    """Return the name before an action's words, which may be "", or None if there are no such words."""
    act_indexes = [act_index for act_beginning in ACT_BEGINNINGS if (act_index := act_text.rfind(act_beginning)) >= 0]
    return act_text[: min(act_indexes)] if act_indexes else None


is_first_line: Final = build_head_test(HEAD)


@lru_cache(maxsize=_CACHE_SIZE)
def parse_table(table_text: str) -> tuple[tuple[str, str], str, str, int]:
    """Read `2/4 Braunite ( Beast ) (Omaha) 8-max`: stakes, name, variant and seats."""
    stakes, _, table_text = table_text.partition(" ")
    low_stake, slash, high_stake = stakes.partition("/")
    opening_index, closing_index = table_text.rfind("("), table_text.rfind(")")
    if not slash or opening_index < 0 or closing_index < opening_index:
        raise UnreadableHandError(f"no stakes and game in {table_text[:80]!r}", kind="header")
    chairs = table_text[closing_index + 1 :].strip()
    seats = parse_small_number(chairs.removesuffix("-max")) if chairs.endswith("-max") else 0
    return (
        (low_stake, high_stake),
        table_text[:opening_index].strip(),
        find_variant(table_text[opening_index + 1 : closing_index]),
        seats,
    )


def infer_betting(game_variant: str, stakes: tuple[Chips, ...], line_texts: Iterable[str], exponent: int) -> Betting:
    """Return the limit, which no line has: if it is fixed, the blinds are half the stakes."""
    if game_variant in games.STUD:
        return "limit"
    usual_betting: Betting = "no-limit" if game_variant in ("holdem", "short-deck") else "pot-limit"
    for line in line_texts:
        if line.startswith("*** "):
            break
        if " blind (" not in line:
            continue
        for blind_words, stake in ((" has big blind (", stakes[1]), (" has small blind (", stakes[0])):
            _, separator, amount = line.rpartition(blind_words)
            posted = amounts.read_or_none(amount.rstrip().rstrip(")"), exponent) if separator else None
            if posted and posted == stake:
                return usual_betting
            if posted is not None and 2 * posted == stake:
                return "limit"
    return usual_betting


def read_hand(page: HandLines) -> WpnHand:
    """Read one hand."""
    line_texts = page.lines.text
    date_text, noted_tournament = split_note(line_texts[page.first_line].partition(":")[2])
    id_line = page.second_line
    if id_line >= page.end_line or not line_texts[id_line].startswith("Game ID: "):
        raise no_second_line("`Game ID:`")
    hand_number, _, table_text = line_texts[id_line][9:].strip().partition(" ")
    require_number(hand_number)
    stakes, table_name, game_variant, chairs = parse_table(table_text)
    file_facts = parse_file_name(page.source)
    title, comma, table_after_title = table_name.rpartition(", Table ")
    is_tournament = bool(comma or noted_tournament) or file_facts.is_tournament
    game_set = _read_game(page, game_variant, stakes, table_name, is_tournament=is_tournament)
    hand = StartedHand(page.lines, page.people, VENUE, game_set, page.first_line)
    hand.table, hand.place = table_name, id_line
    costs = TournamentSet(written=title or file_facts.title or table_name) if is_tournament else None
    hand.add_game_and_read(
        id_line + 1, page.end_line, costs, OptionSet("other", "cap") if "CAP" in table_name.split() else None
    )
    tournament_name = (file_facts.tournament or noted_tournament or title or table_name or "?") if is_tournament else ""
    witnesses = WITNESSES | int(Witness.CLOCKS)
    hand.open_hand(
        table_after_title if comma else table_name, hand_number, witnesses, None, date_text, chairs, tournament_name
    )
    return hand


def _read_game(
    page: HandLines, variant: str, stakes: tuple[str, str], table_name: str, *, is_tournament: bool
) -> GameSet:
    """Return the game of a hand; its betting follows from its acts."""
    unit = "play" if table_name.startswith("PM ") else "USD"
    exponent = page.exponent
    if exponent is None:
        exponent = 0 if is_tournament else 2
    bets = tuple(amounts.read(stake, exponent) for stake in stakes)
    betting = infer_betting(variant, bets, page.lines.text[page.second_line : page.end_line], exponent)
    return games.build_game_set(
        variant, betting, bets, unit="chips" if is_tournament else unit, exponent=exponent, tournament=is_tournament
    )
