"""partypoker's text: both generations, the form sent by mail, and programs that imitate it.

`docs/formats/partypoker.md` has the table from line to event, and what the format doesn't contain.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import ClassVar, Final

from ledger.formats.partypoker.hand import PartyPokerSeating, RaiseRule
from ledger.formats.partypoker.header import (
    HAND_BEGINNINGS,
    PartyPokerHeader,
    begins_hand,
    build_tournament_set,
    clean_amount,
    get_game_set,
    parse_pot,
    parse_start_time,
    read_header,
)
from ledger.hand.betting import CashOutTaken, TimeWarned
from ledger.hand.dealing import HoleCardsDealt, HoleCardsLearned
from ledger.hand.ending import (
    BountyWon,
    CardsMucked,
    CardsShown,
    Half,
    HandCompleted,
    PlayerFinished,
    PotAwarded,
    RemarkNoted,
    ResultDeclared,
)
from ledger.hand.opening import OptionSet
from ledger.presence import WordsSaid
from ledger.readers import acts, amounts, payouts, presence, stud
from ledger.readers.acts import ActionHandler
from ledger.readers.hand import HandBuilder
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import build_rows, parse_small_number
from ledger.readers.signatures import list_foreign_heads
from ledger.readers.text_format import HandLines, TextGrammar, build_text_format
from ledger.readers.text_hand import build_conditional_handler, build_event_handler, is_in_summary
from ledger.vocabulary import Cards, Chips, Seat, Street, Witness

WITNESSES: Final = Witness.from_names("BUTTON ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS CLOCKS BLIND_AMOUNTS")
"""What the text always records. Posts are not among it: tournaments leave blinds out, and a player who
comes back to a cash table may post without a line. Rake and returned bets have no lines at all."""
PREFACE: Final = ("#Game No", "Game #")
"""Lines before a hand's first one, with its number and a note that it starts."""

LATER_STREETS: Final[Mapping[str, Street]] = {
    "fourth street": "fourth",
    "fifth street": "fifth",
    "sixth street": "sixth",
    "seventh street": "seventh",
    "river": "seventh",
}
FIRST_DEALS: Final = ("", "down cards", "third street")
"""Headings of the first deal."""
TIME_BANK_WORDS: Final = tuple(f"will be using {whose} time bank for this hand" for whose in ("their", "his", "her"))
TIMEOUT_WORDS: Final = ("did not respond in time", "could not respond in time")
TURN_WORDS: Final = ("folds", "checks", *TIMEOUT_WORDS, "could not respond in time.(disconnected)", *TIME_BANK_WORDS)
"""Acts of the next seat to act, which prove its chair even if the list lacks it."""
_MAX_SPEAKER_LENGTH: Final = 25
_SHOW_EVENTS: Final = (CardsShown, CardsMucked)
_ENDING_EVENTS: Final = (*_SHOW_EVENTS, PotAwarded)


class PartyPokerHand(PartyPokerSeating):
    """A hand of partypoker: `Name act [$5 USD]`, without a colon."""

    # -- lines --------------------------------------------------------------------------------------

    def read_action(self, seat: Seat, act_text: str) -> bool:
        """Read the text after a name, without full stops at its end."""
        stripped_text = act_text.rstrip(".")
        is_read = super().read_action(seat, stripped_text)
        if is_read and stripped_text != act_text and stripped_text in self.acts_read:
            self.acts_read[act_text] = self.acts_read[stripped_text]
        return is_read

    def read_line(self, line: str) -> bool:
        """Read a line without a listed player at its beginning, or two winners in one line."""
        if line[-1] == "." and line[-2:-1] != " ":
            line = line[:-1]
        second_line = self.find_second_line(line)
        if second_line:
            return self.read_part(line[: -len(second_line) - 1]) and self.read_part(second_line)
        return super().read_line(line) or self.read_unlisted_player(line) or self.add_chat(line)

    def read_part(self, line: str) -> bool:
        """Read a part of a line."""
        return self.read_player_line(line) or self.read_line(line)

    def find_second_line(self, line: str) -> str:
        """Return the line of a second winner that some files append to the first one's, or "" if there is none."""
        if line.count(" wins ") < 2 or not any(line.startswith(f"{name} wins ") for name in self.seats):
            return ""  # it may be a chat message
        line_starts = [line_start for name in self.seats if (line_start := line.find(f".{name} wins ")) >= 0]
        return line[min(line_starts) + 1 :] if line_starts else ""

    def add_chat(self, line: str) -> bool:
        """Read `Ada: nh`. A spectator may chat too."""
        seated_name = next((name for name in self.find_names_at_start(line) if line[len(name) :][:1] == ":"), "")
        name, colon, words = (
            (seated_name, ":", line[len(seated_name) + 1 :].strip()) if seated_name else line.partition(": ")
        )
        is_chat = bool(seated_name) or (bool(colon) and 0 < len(name) <= _MAX_SPEAKER_LENGTH)
        if is_chat:
            self.add_event(WordsSaid(self.people.text(words), self.seats.get(seated_name), self.get_player_id(name)))
        return is_chat

    def read_unlisted_player(self, line: str) -> bool:
        """Read an act of a player who isn't in the list, and find the player's chair."""
        text_before, opening, _ = line[:-1].rpartition("[" if line.endswith("]") else "(")
        name_and_words = text_before.rstrip() if opening and line.endswith(("]", ")")) else line
        for words in self.ACTS_WITH_AMOUNT if name_and_words is not line else TURN_WORDS:
            name = name_and_words[: -len(words) - 1]
            if name_and_words.endswith(" " + words) and (seat := self.find_chair(name.strip())):
                return self.read_action(seat, line[len(name) + 1 :].strip())
        return False

    # -- the deal -----------------------------------------------------------------------------------

    def read_starred_heading(self, title: str, text_after: str) -> bool:
        """Read `** Dealing Flop ** [ 4h, 4s, Jh ]`, `** Dealing down cards **`, `** Summary **`."""
        subject = title.strip().lower().removeprefix("dealing").lstrip()
        board_cards = self.read_cards(text_after) if "[" in text_after else None
        if subject in self.STREETS and board_cards:
            self.deal_board(self.STREETS[subject], board_cards)
        elif subject in FIRST_DEALS and not text_after.strip(" :"):
            if not stud.is_stud(self) and not self.small_blind_seat and not self.big_blind_seat:
                self.infer_blinds()
            stud.begin_deal(self)
        elif subject == "summary":
            self.start_summary()
        else:
            return subject in LATER_STREETS and stud.begin_street(self, LATER_STREETS[subject])
        return True

    def deal_hole_cards(self, name: Seat, cards: Cards) -> bool:
        """Read `Dealt to Name [  Kh 4c ]`: hole cards, or a street's card of stud."""
        upcards = ""
        if stud.is_stud(self):
            upcards = {"third": "ddu", "seventh": "d"}.get(self.street, "u")
            if len(upcards) != len(cards) // 2:
                return False
        self.has_own_cards, self.owner_seat = True, name
        self.add_hole_cards(HoleCardsDealt(name, cards, upcards))
        return True

    # -- the showdown -------------------------------------------------------------------------------

    def decline_show(self, seat: Seat, cards: Cards = "", claim: str = "") -> None:
        """Read `doesn't show [ Jc, Jd ]a pair of Jacks.`, which reveals the cards all the same.

        For a player who has folded, a line without cards is a remark.
        """
        self.close_bets()
        if not cards and seat in self.folded:
            self.add_remark()
            return
        self.add_event(CardsMucked(seat, cards, True))
        if claim.strip():
            self.add_event(RemarkNoted(self.people.text(claim.strip())))

    def decline_show_before(self, seat: Seat, next_line: str) -> bool:
        """Read `does not show cards.Bo wins $5`, which has the next line appended."""
        self.decline_show(seat)
        return self.read_part(next_line)

    def add_newcomer(self, who: str) -> None:
        """Keep `Bo has joined the table` as a remark. A newcomer isn't one of the list's masked players."""
        self.newcomers.add(who)
        self.add_remark()

    def sit_out_before(self, seat: Seat, next_line: str) -> bool:
        """Read `is sitting outBo posts big blind [$1 USD]`, which has the next line appended."""
        if not any(next_line.startswith(f"{name} ") for name in self.seats):
            return False
        presence.sit_out(self, seat)
        return self.read_part(next_line)

    def collect_pot(self, seat: Seat, winnings_text: str) -> bool:
        """Read `$5 USD from the side pot 1 with a flush`, `600 chips`, `Lo ($90.50 USD) from …`."""
        amount, _, pot_text = winnings_text.partition(" from ")
        half: Half = "low" if amount[:3] == "Lo " else "high" if amount[:3] == "Hi " else ""
        amount = amount[3:] if half else amount
        if not any(letter.isdigit() for letter in amount[:40]) or len(amount) > 60 or " wins " in pot_text:
            return False
        pot_number = parse_pot(pot_text)
        if half == "low":
            for event_index, event in enumerate(self.events):
                if isinstance(event, PotAwarded) and event.pot == pot_number and not event.half:
                    self.events[event_index] = PotAwarded(
                        event.seat, event.amount, pot_number, event.run, event.board, "high"
                    )
        self.award(seat, self.parse_amount(amount), pot_number, half=half)
        if " with " in pot_text:
            self.seats_with_claim.add(seat)
        return True

    def cash_out(self, seat: Seat, price_text: str) -> bool:
        """Read `for $22.77 USD` after `cashed out`, perhaps with ` fee $0.23`."""
        price, _, fee = price_text.partition(" fee ")
        amount = price.rpartition("for ")[2]
        if not any(letter.isdigit() for letter in amount):
            return False
        self.add_event(CashOutTaken(seat, self.parse_amount(amount), self.parse_amount(fee) if fee else 0))
        return True

    def set_cash_out_price(self, seat: Seat, amount: Chips) -> bool:
        """Read `Cashout Amount is 23.01`."""
        sale_indexes = [
            event_index
            for event_index, event in enumerate(self.events)
            if isinstance(event, CashOutTaken) and event.seat == seat
        ]
        for event_index in sale_indexes[-1:]:
            self.events[event_index] = CashOutTaken(seat, amount)
        return bool(sale_indexes)

    def add_ranking(self, name: Seat, ranking_text: str) -> bool:
        """Read `finished in 3 place and received $5 USD`."""
        rank, _, prize = ranking_text.partition(" and received ")
        place = parse_small_number(rank.split(" ")[0].rstrip(".stndrh"), 9)
        if place:
            self.add_event(PlayerFinished(name, place, amounts.read_or_none(clean_amount(prize), 2) if prize else None))
        return bool(place)

    def add_bounty(self, seat: Seat, loser_name: str, prize_text: str) -> bool:
        """Read `has knocked out Bo and won a $0.10 USD bounty prize`."""
        prize = amounts.read_or_none(clean_amount(prize_text), 2)
        if prize is not None:
            self.add_event(BountyWon(seat, prize, self.find_seat_by_name(loser_name) or None))
        return prize is not None

    def add_time_warning(self, time_text: str) -> None:
        """Read `Your time bank will be activated in 6 secs`, a notice to the file's owner."""
        seconds = parse_small_number(time_text.partition(" ")[0], 4)
        if self.owner_seat and seconds:
            self.add_event(TimeWarned(self.owner_seat, seconds))
        else:
            self.add_remark()

    # -- the summary ----------------------------------------------------------------------------------

    def declare_pots(self, pots_text: str) -> bool:
        """Read `Main Pot: $4 Side Pot 1: $3 Rake: $0.20`."""
        pot_name = "main pot"
        for pot_part in pots_text.split(":"):
            amount_text, _, text_after = pot_part.strip().partition(" ")
            if not any(letter.isdigit() for letter in amount_text):
                return False
            amount = self.parse_amount(amount_text)
            if pot_name == "main pot":
                self.add_event(ResultDeclared("main-pot", None, amount))
            elif pot_name.startswith("side pot"):
                self.add_event(
                    ResultDeclared(
                        "side-pot", None, amount, "", parse_small_number(pot_name.rpartition(" ")[2], 2) or 1
                    )
                )
            elif pot_name == "rake" or pot_name.startswith("jackpot"):
                self.take_drop("rake" if pot_name == "rake" else "jackpot", amount)
            else:
                return False
            pot_name = " ".join(text_after.split()).lower()
        return not pot_name

    def declare_balance(self, seat: Seat, balance_text: str) -> bool:
        """Read `$0.96, bet $0.21, collected $0.31, net +$0.1[ Kc, As ] [ a flush -- As … ]`."""
        words, bracket, shown_text = balance_text.partition("[")
        stack, *parts = words.strip().rstrip(".").split(", ")
        self.add_event(ResultDeclared("end-stack", seat, self.parse_amount(stack)))
        parts_known = [self.declare_balance_part(seat, part.strip()) for part in parts]
        if bracket:
            cards_text, _, claim = shown_text.partition("]")
            parts_known.append(self.learn_balance_cards(seat, cards_text, claim))
        return all(parts_known)

    def declare_balance_part(self, seat: Seat, balance_part: str) -> bool:
        """Read one part of a balance."""
        first_word, _, amount = balance_part.removesuffix("(folded)").strip().partition(" ")
        amount = amount.strip()
        if first_word == "collected":
            if not any(isinstance(event, CashOutTaken) and event.seat == seat for event in self.events):
                self.award(seat, self.parse_amount(amount))  # for a hand that was sold, the house pays the price
        elif first_word in ("lost", "net"):
            net_result = self.parse_amount(amount.lstrip("+-"))
            is_loss = first_word == "lost" or amount.startswith("-")
            self.add_event(ResultDeclared("net", seat, -net_result if is_loss else net_result))
        elif balance_part == "sits out":
            self.mark_left_out(seat, "sitting-out", is_recorded=True)
        elif first_word.lower() == "cashed":
            return self.cash_out(seat, amount.removeprefix("out").replace("balance", "for"))
        else:
            return first_word == "bet" or balance_part in ("didn't bet (folded)", "didn't bet")
        return True

    def learn_balance_cards(self, seat: Seat, cards_text: str, claim: str) -> bool:
        """Read the cards of a balance, unless a line has shown them already, and the hand they made."""
        cards = self.read_cards(cards_text)
        if cards is None:
            return False
        if not any(
            isinstance(event, _SHOW_EVENTS) and (event.seat, event.cards) == (seat, cards) for event in self.events
        ):
            self.add_event(HoleCardsLearned(seat, cards))
        words = claim.strip(" []").partition(" -- ")[0]
        if words:
            self.add_event(RemarkNoted(self.people.text(words)))
            self.seats_with_claim.add(seat)
        return True

    def finish(self) -> None:
        """Infer what only the whole hand shows, and complete it."""
        if self.summary_line:
            self.place = next(
                line_number for line_number in range(self.end_line - 1, 0, -1) if self.lines.text[line_number].strip()
            )
        else:
            events_backward = zip(reversed(self.event_places), reversed(self.events), strict=True)
            self.place = next(
                (line_number for line_number, event in events_backward if isinstance(event, PotAwarded)), -1
            )
            if self.place < 0:
                return
        self.leave_out_silent()
        payouts.split_uncalled_awards(self, is_always_paid=True)
        self.infer_returns()
        self.infer_dead_small()
        payouts.infer_rake(self)
        self.add_event(HandCompleted())

    ACTS_WITH_AMOUNT: ClassVar[Mapping[str, ActionHandler]] = {
        "calls": PartyPokerSeating.add_call,
        **dict.fromkeys(("bets", "double bets"), acts.bet),
        **dict.fromkeys(("raises", "completes"), PartyPokerSeating.raise_by_rule),
        **dict.fromkeys(("is all-In", "is all-In ", "is all-in", "is all-in "), acts.go_all_in_by),
        **dict.fromkeys(("posts small blind", "posts the small blind"), PartyPokerSeating.post_small_blind),
        **dict.fromkeys(("posts big blind", "posts the big blind"), acts.post_big_blind),
        **dict.fromkeys(("posts big blind + dead", "posts small blind + dead", "posts both"), acts.post_both_blinds),
        **dict.fromkeys(("posts dead blind", "posts dead"), acts.post_dead_chips),
        "posts button blind": PartyPokerSeating.post_button_blind,
        **dict.fromkeys(("posts ante", "posts the ante", "posts ante of"), acts.post_ante),
        **dict.fromkeys(("posts straddle", "posts a straddle", "straddles"), acts.post_straddle),
        **dict.fromkeys(("bring-ins", "brings-in", "posts bring-in"), acts.bring_in),
    }
    """The words between a name and an amount in brackets → the function that adds the act."""
    ACTIONS = (
        ("raises {_} to {amount}", acts.raise_to),
        *((words + " [{amount}]", make) for words, make in ACTS_WITH_AMOUNT.items()),
        *((words + " ({amount})", make) for words, make in ACTS_WITH_AMOUNT.items()),
        *((words + "[{amount}]", make) for words, make in ACTS_WITH_AMOUNT.items()),
        *((words + "({amount})", make) for words, make in ACTS_WITH_AMOUNT.items()),
        ("folds", acts.fold),
        ("checks", PartyPokerSeating.add_check),
    )
    PLAYER_LINES = (
        ("wins {winnings_text}", collect_pot),
        ("shows{_}[{cards}]{claim}", PhraseHand.show_cards),
        *build_rows(PhraseHand.add_remark, "shows{_} for low{_}", "shows{_} for high{_}"),
        *build_rows(decline_show, "doesn't show cards", "does not show cards"),
        *build_rows(decline_show, "doesn't show [{cards}]{claim}", "doesn't show  [{cards}]{claim}"),
        ("does not show cards.{next_line}", decline_show_before),
        *build_rows(PhraseHand.muck_cards, "mucks", "mucks cards"),
        *build_rows(PartyPokerSeating.mark_all_in, "is all-In", "is all-in"),
        *build_rows(PhraseHand.add_remark, "opens", "Forward Folds", "- Selects point card"),
        *build_rows(presence.sit_out, "is sitting out", "sits out"),
        ("is sitting out{next_line}", sit_out_before),
        *build_rows(presence.leave_table, "has left the table"),
        *build_rows(presence.come_back, "has returned to the table", "is back"),
        *build_rows(PhraseHand.expire_clock, *TIMEOUT_WORDS),
        ("could not respond in time.(disconnected)", PhraseHand.expire_clock_offline),
        *build_rows(presence.use_time_bank, *TIME_BANK_WORDS),
        *build_rows(
            PhraseHand.lose_connection,
            "has been disconnected",
            "is disconnected",
            "is disconnected. We will wait for {_}",
        ),
        *build_rows(PhraseHand.restore_connection, "is connected", "has reconnected", "has been reconnected"),
        *build_rows(PhraseHand.restore_connection, "has reconnected and has {_}", "has been reconnected and has {_}"),
        *build_rows(cash_out, "cashed out{price_text}", "cashes out{price_text}"),
        ("opted for cash-out", build_event_handler(CashOutTaken)),
        ("Cashout Amount is {amount}", set_cash_out_price),
        *build_rows(PhraseHand.add_remark, "Cash-out Premium % is {_}", "probabilty is {_}", "probability is {_}"),
        ("finished in {ranking_text}", add_ranking),
        ("has knocked out {loser_name} and won a {prize_text} bounty prize{_}", add_bounty),
        *build_rows(
            build_conditional_handler(is_in_summary, declare_balance),
            "balance {balance_text}",
            "Cashed out  balance {balance_text}",
        ),
    )
    LINES = (
        ("**{title}**{text_after}", read_starred_heading),
        ("Dealt to {name} [{cards}]", deal_hole_cards),
        *build_rows(PhraseHand.ignore_line, "Game #{_}", "#Game No{_}", "Creating {_}", "Dealt to {name}"),
        ("Player {name} finished in {ranking_text}", add_ranking),
        (
            "Congratulations to player {name} for winning tournament{_}",
            build_event_handler(partial(PlayerFinished, rank=1)),
        ),
        ("Your time bank will be activated in {time_text}", add_time_warning),
        *build_rows(
            PhraseHand.add_remark, ">{_}", "There is no qualifying{_}", "There was no qualifying{_}", "You have {_}"
        ),
        *build_rows(PhraseHand.add_remark, "Your {_}", "Table {_}", "Trny{_}", "Blinds{_}", "The hand history for {_}"),
        ("{who} has joined the table", add_newcomer),
        ("{who} has left the table", presence.leave_table),
        ("{who} is sitting out", presence.sit_out),
    )
    SUMMARY_LINES = (("Board:{cards}", PhraseHand.declare_whole_board), ("Main Pot:{pots_text}", declare_pots))


def sniff(head: bytes) -> int:
    """Return how likely this is partypoker's text, from 0 (no) to 100 (certain)."""
    text = head.decode("utf-8", "replace")
    return 95 if any(word in text for word in HAND_BEGINNINGS) else 0


def read_hand(page: HandLines) -> PartyPokerHand:
    """Read one hand.

    Programs that write this text don't agree on the meaning of the number after `raises`. If calls
    don't match the bets, try the other two meanings, and blinds inferred from the button if no line
    posts them. The reading with the fewest unmatched calls wins.
    """
    line_texts, header_line = page.lines.text, page.head_line
    header = read_header(line_texts, header_line, page.end_line)
    best_hand = read_with_rules(
        page,
        header,
        PartyPokerHand(page.lines, page.people, header.venue, get_game_set(header, page.exponent), page.first_line),
    )
    other_rules: tuple[tuple[RaiseRule, bool], ...] = (
        (HandBuilder.raise_to, False),
        (HandBuilder.raise_over, False),
        (HandBuilder.raise_by, True),
    )
    for raise_rule, infers_from_button in other_rules:
        if best_hand.unmatched_calls:
            hand = PartyPokerHand(page.lines, page.people, header.venue, best_hand.game, page.first_line)
            hand.raise_rule, hand.infers_from_button = raise_rule, infers_from_button
            best_hand = min(
                best_hand, read_with_rules(page, header, hand), key=lambda candidate: candidate.unmatched_calls
            )
    return best_hand


def is_showdown_recorded(hand: PartyPokerHand) -> bool:
    """Whether a line shows each hand, and does so before the first pot is paid. Converters write it afterwards."""
    ending_events = [event for event in hand.events if isinstance(event, _ENDING_EVENTS)]
    if hand.seats_with_claim - {event.seat for event in ending_events if not isinstance(event, PotAwarded)}:
        return False
    event_types = list(map(type, ending_events))
    return PotAwarded not in event_types or CardsShown not in event_types[event_types.index(PotAwarded) :]


def read_with_rules(page: HandLines, header: PartyPokerHeader, hand: PartyPokerHand) -> PartyPokerHand:
    """Read one hand with the given meaning of the number after `raises`."""
    hand.end_line, hand.place, hand.chair_count = page.end_line, header.game_line, header.chair_count
    if header.game.is_tournament:
        hand.add_event(build_tournament_set(header))
    hand.add_event(hand.game)
    if header.game.pool:
        hand.add_event(OptionSet("other", header.game.pool))
    hand.seat_players(header)
    hand.read_body(header.first_body_line, page.end_line)
    witnesses = WITNESSES
    if hand.total_drop:
        witnesses |= int(Witness.DROP)
    if hand.summary_line:
        witnesses |= int(Witness.STACKS_AFTER)
    if not is_showdown_recorded(hand):
        witnesses &= ~int(Witness.SHOWDOWN)
    hand.finish()
    hand.infer_anonymous()
    tournament_number = header.game.tournament_number if header.game.is_tournament else ""
    started_at = parse_start_time(header.date_text)
    hand.open_hand(
        header.table, header.hand_number, witnesses, started_at, header.date_text, header.chair_count, tournament_number
    )
    return hand


_GRAMMAR: Final = TextGrammar(
    begins_hand, list_foreign_heads("#Game", "***** Hand"), read_hand, PREFACE, "*\ufeff\0 \t"
)
FORMAT: Final = build_text_format(
    "partypoker", "partypoker text", _GRAMMAR, tuple(head.rstrip() for head in HAND_BEGINNINGS), sniff=sniff
)
