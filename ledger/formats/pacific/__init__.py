"""888poker's text in every language of its client, and that of its older names Pacific and Cassava.

`docs/formats/888poker.md` has the table from line to event, and what the format doesn't contain.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import islice
from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.pacific.card_languages import ENGLISH, LANGUAGES, SECOND_RUN_WORDS, PacificLanguage
from ledger.hand.betting import Folded
from ledger.hand.dealing import DealCompleted
from ledger.hand.ending import HandCompleted, RemarkNoted
from ledger.hand.opening import GameSet, OptionSet, TournamentSet
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers import acts, amounts, currencies, games, payouts, presence, text_format
from ledger.readers.currencies import never_odd
from ledger.readers.hand_boundaries import cutter
from ledger.readers.phrase_hand import PhraseHand
from ledger.readers.phrases import require_number, rows_told_by, small_number
from ledger.readers.signatures import begins_with_head, foreign_heads, sniffer
from ledger.readers.text_format import HandLines, TextGrammar
from ledger.readers.text_hand import Pot
from ledger.vocabulary import Cards, Chips, Seat, Witness

VENUE: Final = "888poker"
WITNESSES: Final = Witness.from_names(
    "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS BLIND_AMOUNTS"
)
"""No line contains rake, returned bets or players who sit out."""
HEADER_WORDS: Final = " Hand History for Game "
BETFAIR: Final = "Betfair Poker"
"""The skin whose own tables have other words for some acts. Its players may not be the network's."""
GAMES: Final = games.FLOP | {"short-deck", "omaha5", "omaha5-8"}
LIMIT_SPELLINGS: Final = {"fix limit": "fixed limit"}
DEAL_HEADINGS: Final = frozenset(("down cards", "hole cards", "cards"))
PLAY_MONEY_WORDS: Final = ("(Practice Play)", "(Play Money)")
MOJIBAKE: Final = "\xc2"
"""The rest of a no-break space that was decoded as two characters."""
CURRENCY_SIGNS: Final = "".join(currencies.SYMBOLS)
LEADING_MARKS: Final = "\ufeff \t"


class PacificHand(PhraseHand):
    """A hand of 888poker: `Ada raises [$5]`, with cards in the language of its client."""

    NAME_ENDINGS = ("",)

    def begin(self) -> None:
        """Begin in English."""
        self.language = ENGLISH
        self.end_line = 0  # the last line that shows the hand's end

    def clean_amount(self, text: str) -> str:
        """Return an amount without blanks and with an unambiguous decimal mark."""
        return clean_amount(text)

    def read_cards(self, text: str) -> Cards | None:
        """Return ` 8h, Qh ` as cards, or None if one of them isn't a card in this language."""
        return self.language.read_cards(text)

    def read_starred_heading(self, title: str, text_after: str) -> bool:
        """Read `** Dealing flop ** [ 3s, 9d, Ts ]`, `** Dealing down cards **`, `** Summary **`."""
        subject = heading_of(title)
        if subject in self.STREETS and "[" in text_after:
            board_cards = self.read_cards(text_after.strip(" :[]"))
            if board_cards is not None:
                self.deal_board(self.STREETS[subject], board_cards)
            return board_cards is not None
        if subject in DEAL_HEADINGS and not text_after.strip(" :"):
            self.leave_out_folders()
            self.add_event(DealCompleted())
        elif subject == "summary":
            self.starts_summary()
            self.end_line = self.place
        return subject in DEAL_HEADINGS or subject == "summary"

    def leave_out_folders(self) -> None:
        """Leave out the players who "fold" before the deal and put nothing in: the room's word for not dealt in."""
        for event_index, event in enumerate(self.events):
            if isinstance(event, Folded) and not self.chips_put_in(event.seat):
                self.events[event_index] = RemarkNoted(
                    self.people.text(self.lines.text[self.event_places[event_index]].strip())
                )
                self.folded.discard(event.seat)
                self.mark_left_out(event.seat, "unknown", is_recorded=True)

    def post_dead_blind(self, seat: Seat, posted: str) -> None:
        """Read `posts dead blind [$1 + $2]`: the dead and the live part. A single amount is dead."""
        dead_amount, plus, live_amount = posted.partition("+")
        self.post_blind(seat, "makeup-small", 0, self.amount(dead_amount.strip()))
        if plus:
            self.post_blind(seat, "makeup-big", self.amount(live_amount.strip()))

    def collect_pot(self, seat: Seat, amount: Chips) -> None:
        """Read `collected [ $5 ]`."""
        self.award(seat, amount)
        self.end_line = self.place

    def collect_run(self, run_word: str, name: Seat, amount: Chips) -> None:
        """Read `Primo runout Ada collected [ 925 ]`: the seat's winnings with the board of one run."""
        self.award(name, amount, run=2 if run_word.lower().startswith(SECOND_RUN_WORDS) else 1)
        self.end_line = self.place

    def finish(self) -> None:
        """Infer what only the whole hand shows, and complete it."""
        if not self.end_line:
            return
        if self.total_awarded:
            self.leave_out_silent()
        payouts.split_uncalled_awards(self, is_always_paid=False)
        self.infer_returns()
        if self.total_awarded:
            payouts.return_unmatched_ante(self)
        payouts.infer_rake(self)
        self.place = self.end_line
        self.add_event(HandCompleted())

    SEAT_LIST_LINES = (
        ("Seat {seat} is the button", PhraseHand.note_button),
        *rows_told_by(
            PhraseHand.ignores,
            "Table {_}",
            "Tournament {_}",
            "Total number of players{_}",
            "Total number of active players{_}",
        ),
    )
    ACTIONS = (
        *acts.four_actions("folds", "checks", "calls [{amount}]", "bets [{amount}]"),
        ("raises [{amount}]", acts.raises_by),
        *rows_told_by(
            acts.puts_all_in, *(f"{verb} [{{amount}}]" for verb in ("all-in", "all-In", "goes all-in", "is all-in"))
        ),
        ("posts small blind [{amount}]", acts.one_small_blind),
        ("posts big blind [{amount}]", acts.big_blind),
        *rows_told_by(acts.antes, "posts ante [{amount}]", "posts the ante [{amount}]"),
        *rows_told_by(
            acts.straddles, *(f"{verb} [{{amount}}]" for verb in ("straddles", "posts straddle", "posts a straddle"))
        ),
    )
    PLAYER_LINES = (
        *rows_told_by(collect_pot, "collected [{amount}]", "wins [{amount}]"),
        ("shows [{cards}]", PhraseHand.shows),
        ("mucks [{cards}]", PhraseHand.mucks),
        ("posts dead blind [{posted}]", post_dead_blind),
        *rows_told_by(
            PhraseHand.declines,
            *(f"did not show {whose}hand{stop}" for whose in ("", "his ", "her ", "their ") for stop in ("", ".")),
        ),
        *rows_told_by(PhraseHand.mucks, "mucks", "mucks hand"),
        *rows_told_by(presence.sits_out, "sits out", "is sitting out", "is sit out"),
        ("has left the table", presence.leaves),
        ("has returned", presence.returns),
        *rows_told_by(PhraseHand.disconnects, "is disconnected", "has disconnected"),
        *rows_told_by(PhraseHand.reconnects, "has reconnected", "is connected"),
    )
    LINES = (
        ("Dealt to {name} [{cards}]", PhraseHand.own_cards),
        ("{run_word} runout {name} collected [{amount}]", collect_run),
        *rows_told_by(PhraseHand.add_remark, "(Hi:{_}", "(Lo:{_}"),
        ("#Game No{_}", PhraseHand.ignores),
        ("**{title}**{text_after}", read_starred_heading),
        ("{_}: {_}", PhraseHand.read_talk),
    )


class BetfairHand(PacificHand):
    """A hand of Betfair's own tables. `Ada raises to [$1]` is the street's total, and an all-in has a line before the act."""

    def win_pot(self, seat: Seat, amount: Chips, pot: Pot) -> None:
        """Read `wins $6.26 from side pot #1 with a straight`."""
        self.awards_pot(seat, amount, pot)
        self.end_line = self.place

    def read_starred_heading(self, title: str, text_after: str) -> bool:
        """Read `** Showdown **` and `** Hand Conclusion **`, and the headings of the network's other tables."""
        subject = heading_of(title)
        if subject == "showdown":
            self.all_show()
        elif subject == "hand conclusion":
            self.starts_summary()
        return subject in ("showdown", "hand conclusion") or super().read_starred_heading(title, text_after)

    ACTIONS = (("raises to [{amount}]", acts.raises_to), *PacificHand.ACTIONS)
    PLAYER_LINES = (
        *rows_told_by(win_pot, "wins {amount} from {pot} with {_}", "wins {amount} from {pot}"),
        ("shows [{cards}] {_}", PhraseHand.shows),
        ("goes all-in", PacificHand.ignores),
        *PacificHand.PLAYER_LINES,
    )
    LINES = (
        ("************{_}", PhraseHand.ignores),
        ("**{title}**{text_after}", read_starred_heading),
        *PacificHand.LINES,
    )


@lru_cache(maxsize=100)
def heading_of(title: str) -> str:
    """Return the subject of a heading: ` Dealing flop ` → `flop`."""
    return title.strip().lower().removeprefix("dealing").lstrip()


def clean_amount(text: str) -> str:
    """Return an amount without blanks, a currency sign at its end, or points that separate thousands.

    A point before three digits separates thousands, since no amount here has three decimals.

    >>> clean_amount("1.550 $"), clean_amount("3 023,50 $"), clean_amount("$1,234.50"), clean_amount("$ 3.243")
    ('1550', '3023,50', '$1,234.50', '$3243')
    """
    compact_text = "".join(text.replace(MOJIBAKE, "").split())
    if compact_text[-1:] in currencies.SYMBOLS:
        compact_text = compact_text.rstrip(CURRENCY_SIGNS)
    _, point, decimals = compact_text.rpartition(".")
    return compact_text.replace(".", "") if point and len(decimals) == 3 else compact_text


begins_hand: Final = begins_with_head(
    "*****", lambda line: line[:200].lower().find(HEADER_WORDS.lower()) > 5, marks=LEADING_MARKS
)
"""Whether a hand begins with a line: `***** 888poker Hand History for Game 1 *****`."""


class PacificTableLine(NamedTuple):
    """The parts of the table's or the tournament's line."""

    table: str = ""
    chair_count: int = 0
    is_play_money: bool = False
    tournament: str = ""
    price: str = ""


@lru_cache(maxsize=10_000)
def parse_table_line(line: str) -> PacificTableLine:
    """Read `Table Ghent 6 Max (Real Money)` or `Tournament #7 $0.90 + $0.09 - Table #73 9 Max (…)`."""
    table_text = line
    for marker in ("(Real Money)", *PLAY_MONEY_WORDS):
        table_text = table_text.partition(f" {marker}")[0].strip()
    words = (table_text.removesuffix("-max") + " max" if table_text.endswith("-max") else table_text).split(" ")
    chair_count = small_number(words[-2], 2) if len(words) > 2 and words[-1].lower() == "max" else 0
    table_text = " ".join(words[:-2]) if chair_count else table_text
    is_play_money = any(marker in line for marker in PLAY_MONEY_WORDS)
    if table_text.startswith("Table "):
        return PacificTableLine(table_text[6:].strip(), chair_count, is_play_money)
    digits, _, price_and_table = table_text[len("Tournament ") :].strip().lstrip("#").partition(" ")
    require_number(digits, max_digits=20, number_name="the tournament's number")
    price, _, table = price_and_table.rpartition("- Table #")
    if not table or not price:
        price, table = (
            (price_and_table, "") if "Table #" not in price_and_table else ("", price_and_table.partition("#")[2])
        )
    return PacificTableLine(table.strip(), chair_count, is_play_money, digits, price.strip())


@lru_cache(maxsize=10_000)
def parse_game(game_text: str, table_line: PacificTableLine, exponent: int | None) -> GameSet:
    """Read `$1/$2 Blinds No Limit Holdem`, `0,01 $/0,02 $ Blinds Pot Limit OmahaHL Jackpot table`."""
    stakes, separator, written_game = blinds_first(game_text).partition(" Blinds ")
    name = written_game.lower().removesuffix("jackpot table").strip()
    for spelling, usual_spelling in LIMIT_SPELLINGS.items():
        name = name.replace(spelling, usual_spelling)
    variant, betting = games.game_with_limit(name if separator else "", GAMES, game_text)
    unit = (
        "chips"
        if table_line.tournament
        else "play"
        if table_line.is_play_money
        else currencies.currency_of(stakes) or "play"
    )
    if exponent is None:
        exponent = 0 if unit == "chips" else 2  # play money has hundredths here
    small_blind, _, big_blind = stakes.rpartition("/")
    # If the big blind is 0, as in hands with antes only, the amount before it isn't a small blind either.
    blind_texts = (
        (small_blind, big_blind)
        if small_blind and amounts.read(clean_amount(big_blind), exponent)
        else ()
        if small_blind
        else (big_blind,)
    )
    blinds = tuple(amounts.read(clean_amount(blind_text), exponent) for blind_text in blind_texts)
    # The two bets of a fixed limit aren't written here, and they aren't multiples of the blinds: with
    # blinds of 0.06 and 0.12 the room plays bets of 0.12 and 0.25.
    game_format = "tournament" if table_line.tournament else "cash"
    return GameSet(variant, betting, game_format, unit, exponent, blinds, written=written_game)  # type: ignore[arg-type]  # one of two


def blinds_first(game_text: str) -> str:
    """Return Betfair's `PL $0.05/$0.10 Omaha` with the stakes first. A fixed limit has no stakes here."""
    limit, _, stakes_and_game = game_text.partition(" ")
    stakes, _, game = stakes_and_game.partition(" ")
    return f"{stakes} Blinds {limit} {game}" if limit in ("NL", "PL") else game_text


def tournament_set_of(price: str) -> TournamentSet:
    """Return what the tournament costs: `$0.90 + $0.09`. One without a price is free."""
    cleaned_price = "+".join(map(clean_amount, price.split("+"))) if any(map(str.isdigit, price)) else "0+0"
    return games.costs(cleaned_price, price, currency=currencies.currency_of(price))


class LanguageChoice:
    """The language of a chunk's cards, as far as its hands have shown it."""

    def __init__(self) -> None:
        self.language = ENGLISH


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk, and rejects for everything else.

    The client writes cards in the language of its user, and some cards mean different things in
    different languages. Once a hand shows the language, it applies to all of them: hands that were
    read in English before are read again.
    """
    choice = LanguageChoice()
    grammar = TextGrammar(
        begins_hand,
        OTHER_BEGINNINGS,
        partial(read_hand, choice),
        PREFACE,
        "*" + LEADING_MARKS,
        HEADER_SPELLINGS,
        has_odd_amounts=never_odd,
    )
    items: list[Item] = []
    english_count = 0
    for item in text_format.read_chunk(grammar, chunk, people):
        english_count += choice.language is ENGLISH
        items.append(item)
    if choice.language is not ENGLISH and english_count:
        items[:english_count] = islice(text_format.read_chunk(grammar, chunk, people), english_count)
    yield from items


def detect_language(line_texts: list[str], usual_language: PacificLanguage) -> PacificLanguage:
    """Return the language that can read all cards of these lines: the usual one if it can, or else the first."""
    bracket_texts = [
        line.rpartition("[")[2].rpartition("]")[0]
        for line in line_texts
        if line.startswith(("**", "Dealt to ")) or " shows " in line or " mucks " in line
    ]
    card_texts = [bracket_text for bracket_text in bracket_texts if bracket_text]
    return next(
        (language for language in (usual_language, *LANGUAGES) if None not in map(language.read_cards, card_texts)),
        usual_language,
    )


def read_hand(choice: LanguageChoice, page: HandLines) -> PacificHand:
    """Read one hand in the language of its chunk or, if that doesn't fit, in its own."""
    line_texts, header_line = page.lines.text, page.head_line
    header_words = next((words for words in HEADER_SPELLINGS if words in line_texts[header_line]), HEADER_WORDS)
    brand, _, digits = line_texts[header_line].strip().partition(header_words)
    digits = digits.rstrip("* ").strip()
    require_number(digits)
    game_line = page.second_line
    if game_line == page.end_line:
        raise UnreadableHandError("the hand breaks off after its first line", kind="cut-off")
    is_betfair = brand.strip("* ") == BETFAIR
    game_text, _, start_text = " ".join(line_texts[game_line].split()).rpartition("- " if is_betfair else "- ***")
    next_lines = line_texts[game_line + 1 : game_line + 4]
    table_text = next((line_text for line_text in next_lines if line_text.startswith(("Table ", "Tournament "))), "")
    table_line = parse_table_line(table_text.rstrip()) if table_text else PacificTableLine()
    game = parse_game(game_text.strip(), table_line, page.exponent)
    venue = "Betfair" if is_betfair else VENUE
    hand = (BetfairHand if is_betfair else PacificHand)(page.lines, page.people, venue, game, page.first_line)
    hand.language, hand.place = detect_language(line_texts[game_line : page.end_line], choice.language), game_line
    pool_options = [OptionSet("other", "snap")] if "snap" in brand.lower() else []
    hand.tell_hand(
        game_line + 1,
        page.end_line,
        tournament_set_of(table_line.price) if table_line.tournament else None,
        *pool_options,
    )
    if choice.language is ENGLISH:
        choice.language = hand.language
    hand.open_hand(
        table_line.table, digits, WITNESSES, None, start_text.strip(), table_line.chair_count, table_line.tournament
    )
    return hand


HEADER_SPELLINGS: Final = (HEADER_WORDS, HEADER_WORDS.replace("for", "For"))
PREFACE: Final = ("#Game No",)
OTHER_BEGINNINGS: Final = foreign_heads(*PREFACE, "***** Cassava", "***** 888")
FORMAT: Final = Format(
    name="888poker",
    title="888poker text",
    suffixes=(".txt",),
    sniff=sniffer(begins_hand, OTHER_BEGINNINGS),
    read=read,
    find_cut=cutter(HEADER_SPELLINGS, begins_hand),
)
