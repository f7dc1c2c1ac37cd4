"""888poker's text in every language of its client, and that of its older names Pacific and Cassava.

`docs/formats/888poker.md` has the table from line to event, and what the format doesn't contain.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.pacific.card_languages import ENGLISH, LANGUAGES, PacificLanguage
from ledger.formats.pacific.first_lines import PacificTableLine, parse_game, parse_price, parse_table_line
from ledger.formats.pacific.hand_lines import BetfairHand, PacificHand
from ledger.hand.opening import OptionSet
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers import text_format
from ledger.readers.currencies import has_no_unusual_amounts
from ledger.readers.hand_boundaries import build_cutter
from ledger.readers.phrases import require_number
from ledger.readers.signatures import build_head_test, build_sniffer, list_foreign_heads
from ledger.readers.text_format import HandLines, TextGrammar
from ledger.vocabulary import Witness

VENUE: Final = "888poker"
BETFAIR: Final = "Betfair Poker"
"""The skin whose own tables have other words for some acts. Its players may not be the network's."""
WITNESSES: Final = Witness.from_names(
    "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS BLIND_AMOUNTS"
)
"""No line contains rake, returned bets or players who sit out."""

HEADER_WORDS: Final = " Hand History for Game "
HEADER_SPELLINGS: Final = (HEADER_WORDS, HEADER_WORDS.replace("for", "For"))
PREFACE: Final = ("#Game No",)
"""How lines above a hand's first line may begin."""
OTHER_BEGINNINGS: Final = list_foreign_heads(*PREFACE, "***** Cassava", "***** 888")
LEADING_MARKS: Final = "\ufeff \t"

begins_hand: Final = build_head_test(
    "*****", lambda line: line[:200].lower().find(HEADER_WORDS.lower()) > 5, marks=LEADING_MARKS
)
"""Whether a hand begins with a line: `***** 888poker Hand History for Game 1 *****`."""


class LanguageChoice:
    """The language of a chunk's cards, as far as its hands have shown it."""

    def __init__(self) -> None:
        self.language = ENGLISH


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk, and rejects for everything else.

    The client writes cards in its user's language, and some letters mean different cards in different languages. Once
    a hand shows the language, it counts for the whole chunk: the hands before it, read as English, are read again.
    """
    choice = LanguageChoice()
    grammar = TextGrammar(
        begins_hand,
        OTHER_BEGINNINGS,
        partial(read_hand, choice),
        PREFACE,
        "*" + LEADING_MARKS,
        HEADER_SPELLINGS,
        has_odd_amounts=has_no_unusual_amounts,
    )
    items: list[Item] = []
    english_count = 0
    for item in text_format.read_chunk(grammar, chunk, people):
        english_count += choice.language is ENGLISH
        items.append(item)
    if choice.language is not ENGLISH and english_count:
        items[:english_count] = islice(text_format.read_chunk(grammar, chunk, people), english_count)
    yield from items


def read_hand(choice: LanguageChoice, page: HandLines) -> PacificHand:
    """Read a hand in the language of its chunk or, if that doesn't fit, in its own."""
    line_texts, game_line = page.lines.text, page.second_line
    brand, number = _parse_first_line(line_texts[page.head_line])
    if game_line == page.end_line:
        raise UnreadableHandError("the hand breaks off after its first line", kind="cut-off")
    is_betfair = brand == BETFAIR
    game_text, _, start_text = " ".join(line_texts[game_line].split()).rpartition("- " if is_betfair else "- ***")
    table_line = _find_table_line(line_texts[game_line + 1 : game_line + 4])
    game = parse_game(game_text.strip(), table_line, page.exponent)
    hand_class, venue = (BetfairHand, "Betfair") if is_betfair else (PacificHand, VENUE)
    hand = hand_class(page.lines, page.people, venue, game, page.first_line)
    hand.place = game_line
    hand.language = detect_language(line_texts[game_line : page.end_line], choice.language)
    hand.add_game_and_read(
        game_line + 1,
        page.end_line,
        parse_price(table_line.price) if table_line.tournament else None,
        *([OptionSet("other", "snap")] if "snap" in brand.lower() else []),
    )
    if choice.language is ENGLISH:
        choice.language = hand.language
    hand.open_hand(
        table_line.table, number, WITNESSES, None, start_text.strip(), table_line.chair_count, table_line.tournament
    )
    return hand


def _parse_first_line(line: str) -> tuple[str, str]:
    """Read `***** 888poker Hand History for Game 1 *****`: the brand and the hand's number."""
    header_words = next((words for words in HEADER_SPELLINGS if words in line), HEADER_WORDS)
    brand, _, number = line.strip().partition(header_words)
    number = number.rstrip("* ").strip()
    require_number(number)
    return brand.strip("* "), number


def _find_table_line(line_texts: list[str]) -> PacificTableLine:
    """Read the first line about a table or a tournament; return empty parts if there is none."""
    text = next((line_text for line_text in line_texts if line_text.startswith(("Table ", "Tournament "))), "")
    return parse_table_line(text.rstrip()) if text else PacificTableLine()


def detect_language(line_texts: list[str], usual_language: PacificLanguage) -> PacificLanguage:
    """Return the first language that can read all cards of these lines; the usual one goes first and last."""
    bracket_texts = [
        line.rpartition("[")[2].rpartition("]")[0]
        for line in line_texts
        if line.startswith(("**", "Dealt to ")) or " shows " in line or " mucks " in line
    ]
    card_texts = [bracket_text for bracket_text in bracket_texts if bracket_text]
    for language in (usual_language, *LANGUAGES):
        if None not in map(language.read_cards, card_texts):
            return language
    return usual_language


FORMAT: Final = Format(
    name="888poker",
    title="888poker text",
    suffixes=(".txt",),
    sniff=build_sniffer(begins_hand, OTHER_BEGINNINGS),
    read=read,
    find_cut=build_cutter(HEADER_SPELLINGS, begins_hand),
)
