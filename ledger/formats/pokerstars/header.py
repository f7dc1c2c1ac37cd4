"""Parse the first two lines of a hand: room, number, game, stakes, tournament, date and table."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec import structs

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.pokerstars.words import FIRST_WORDS, GAMES, LIMIT_TITLES, LOCAL_FIRST_WORDS, ROOMS, TITLES
from ledger.hand.opening import Betting, GameSet, OptionSet, TournamentSet
from ledger.readers import amounts, currencies, games, timestamps
from ledger.readers.phrases import parse_small_number, require_number
from ledger.readers.signatures import ends_hand, list_head_starts
from ledger.vocabulary import Chips, Millis

CODES: Final = frozenset(code for code in currencies.CURRENCIES if len(code) == 3 and code.isupper()) | {"SC"}
_BUY_IN_WORDS: Final = CODES | {"FREEROLL", "FPP", "TICKET", "STARSCOIN"}
_DAY_SEPARATORS: Final = "./-"
_CACHE_SIZE: Final = 4096
_LOCAL_WINDOW: Final = 80
"""In other languages, the room's name and the hand's number are within this many characters of the first line."""
SUMMARY: Final = "PokerStars Tournament #"
"""The beginning of a tournament's summary, which isn't a hand."""
NO_LIMIT_AFTER: Final = OptionSet("other", "pot limit before the flop, no limit after")
_NO_LIMIT_AFTER_WORDS: Final = " pot limit pre-flop, no limit post-flop"
_ZOOM: Final = OptionSet("other", "zoom")
_ARCHIVE_MARKS: Final = ("", "\ufeff", "> ", ">", " ", "  ", "   ", "    ", "\t", "\t\t", "\t\t\t")
"""What archives put before the lines of a hand."""
_RULE_LENGTH: Final = 20
"""The text between a rule's stars is shorter than this: `# 1`, or `n. 27` and `№2` in other languages."""


class GameSetup(NamedTuple):
    """The game of a header, the same for every hand of a table or level."""

    events: tuple[Event, ...]  # [TournamentSet], GameSet, OptionSet...
    game: GameSet
    tournament: str = ""
    club: str = ""


class PokerStarsHeader(NamedTuple):
    """The parts of a hand's first line."""

    room: str
    zoom: bool
    number: str
    game_text: str  # between the number and the date
    date_text: str  # the date as written


class PokerStarsTable(NamedTuple):
    """The parts of the line that names the table."""

    name: str
    seats: int
    button: int | None
    play_money: bool | None  # None if the line says `(Real Money)`


def is_local(line: str) -> bool:
    """Whether this is a hand's first line in a language other than English."""
    beginning = line[:_LOCAL_WINDOW]
    return (
        line.startswith(LOCAL_FIRST_WORDS)
        and "PokerStars" in beginning
        and any("0" <= character <= "9" for character in beginning)
    )


def is_first_line(line: str) -> bool:
    """Whether this is a hand's first line."""
    if not line.startswith(FIRST_WORDS):
        line = line.lstrip("\ufeff \t>")
        if not line.startswith(FIRST_WORDS):
            return is_local(line)
    number_sign = line.find(" #")
    return (
        number_sign > 0
        and line[number_sign - 4 : number_sign].upper() in ("HAND", "GAME")
        and line[number_sign + 2 : number_sign + 3].isdigit()
    ) or is_local(line)


NUMBERED: Final = "Hand #"
"""The beginning of a line that numbers the hands of an archive."""


def is_rule(line: str) -> bool:
    """Whether this is `*********** # 1 **************` or `Hand #1: `, which archives put before a hand."""
    line = line.rstrip()
    if line.startswith(NUMBERED):
        return line.endswith(":") and line[len(NUMBERED) : -1].isdigit()
    if not line.startswith("*****"):
        return False
    inner_text = line.strip("* \t")
    return line.endswith("*****") and ("#" in line or (inner_text[-1:].isdigit() and len(inner_text) < _RULE_LENGTH))


def make_stop_check(
    is_beginning: Callable[[str], bool], first_words: tuple[str, ...], *other_rooms: str
) -> Callable[[str], bool]:
    """Return a predicate of lines: whether a hand of this room ends before the line, because something else begins."""
    own_words = {
        (archive_mark + first_word)[:4] if archive_mark else first_word.partition(" ")[0]
        for archive_mark in _ARCHIVE_MARKS
        for first_word in first_words
    }
    all_words = (*own_words, *list_head_starts(other_rooms)[1])
    word_beginnings = {word[:4] for word in all_words}

    def stops(line: str) -> bool:
        return ("#" in line or (line[:4] in word_beginnings and line.startswith(all_words))) and (
            is_beginning(line) or ends_hand(line, other_rooms) or is_rule(line)
        )

    return stops


@lru_cache(maxsize=_CACHE_SIZE)
def _parse_room(header_words: str) -> tuple[str, bool]:
    """Return the room in a header's first words, and whether the hand is Zoom."""
    upper_words = header_words.upper()
    room_names = (room_name for room_name in ROOMS if upper_words.startswith(room_name.upper()))
    return next(room_names, header_words), "ZOOM" in upper_words


def parse_header(line: str) -> PokerStarsHeader:
    """Parse a hand's first line."""
    line = line.strip("\ufeff \t\r>")
    room_words, _, number_and_rest = line.partition(" #")
    hand_number, colon, game_and_date = number_and_rest.partition(":")
    if not colon:
        hand_number = number_and_rest.split(" ", 1)[0]
    require_number(hand_number)
    date_dash = _find_date(game_and_date)
    return PokerStarsHeader(
        *_parse_room(room_words), hand_number, game_and_date[:date_dash].strip(), game_and_date[date_dash + 3 :].strip()
    )


def _find_date(game_and_date: str) -> int:
    """Return the index of the ` - ` before the date, or the length of the text if it has no date."""
    dash_index = game_and_date.rfind(" - ")
    while dash_index >= 0:
        day_text = game_and_date[dash_index + 3 : dash_index + 8]
        if (day_text[:4].isdigit() and day_text[4:] in ("/", "-")) or (
            day_text[:2].isdigit() and day_text[2:3] in _DAY_SEPARATORS
        ):
            return dash_index
        dash_index = game_and_date.rfind(" - ", 0, dash_index)
    return len(game_and_date)


def parse_moment(date_text: str) -> Millis | None:
    """Return when the hand began, or None if the text doesn't say."""
    return timestamps.parse_start(format_english_date(date_text))


def format_english_date(date_text: str) -> str:
    """Return a date as `2025/02/05`. Clients in other languages write `05-02-2025`, and programs `2025-02-05`."""
    if date_text[4:5] == "/":
        return date_text
    return " ".join(map(_put_year_first, date_text.split(" ")))


def _put_year_first(date_word: str) -> str:
    bracket, day_text = date_word[: date_word.startswith("[")], date_word.removeprefix("[")
    if day_text[:4].isdigit() and day_text[4:5] == "-":
        return bracket + day_text.replace("-", "/")
    separator = day_text[2:3]
    day_parts = day_text.split(separator) if separator and separator in _DAY_SEPARATORS else []
    return f"{bracket}{day_parts[2]}/{day_parts[1]}/{day_parts[0]}" if len(day_parts) == 3 else date_word


def parse_game(hand_header: PokerStarsHeader, exponent: int | None, play_money: bool | None) -> GameSetup:
    """Return the game of a header. If the exponent is None, the currency's own applies."""
    return _parse_game(hand_header.game_text, exponent, play_money, hand_header.zoom)


@lru_cache(maxsize=_CACHE_SIZE)
def _parse_game(game_text: str, exponent: int | None, play_money: bool | None, is_zoom: bool) -> GameSetup:
    club = tournament_number = ""
    game_text = amounts.close_rupee_gaps(game_text)
    if game_text.startswith("{") and "}" in game_text:
        club, _, game_text = game_text[1:].partition("}")
        game_text = game_text.strip()
    if game_text[:5].lower() == "zoom ":
        game_text, is_zoom = game_text[5:], True
    zoom_option = (_ZOOM,) if is_zoom else ()
    has_tournament_number = game_text[:12].lower() == "tournament #"
    if has_tournament_number:
        tournament_number, _, game_text = game_text[12:].partition(",")
        if not tournament_number.strip():
            raise UnreadableHandError("the tournament has no number", kind="header")
    if has_tournament_number or " - level " in game_text.lower():  # some converters leave the number out
        costs, game, options = _parse_tournament(game_text.strip(), exponent or 0)
        return GameSetup((costs, game, *options, *zoom_option), game, tournament_number.strip(), club.strip())
    game, options = _parse_cash_game(game_text, exponent, play_money=play_money)
    return GameSetup((game, *options, *zoom_option), game, "", club.strip())


def _parse_cash_game(
    game_text: str, exponent: int | None, *, play_money: bool | None
) -> tuple[GameSet, list[OptionSet]]:
    """Read `Hold'em No Limit ($1/$2 USD)` or `HORSE (Razz Limit, $2/$4 USD)`."""
    text_before, bracket_text = _split_bracket(game_text, "stakes")
    game_name, bracket_text = text_before, bracket_text.replace("\xa0", " ")
    mixed_game, comma, stakes_text = bracket_text.rpartition(", ")
    if comma:
        game_name = mixed_game
    else:
        stakes_text = bracket_text
    currency = next((code for code in stakes_text.split() if code in CODES), "")
    if not currency:
        currency = currencies.find_currency(stakes_text)
    if not currency or play_money:
        currency = "chips" if play_money is None else "play"
    if exponent is None:
        exponent = 2 if currency in CODES or currency in currencies.CURRENCIES else 0
    variant, betting, game_title = _identify_game(game_name)
    blinds, ante, bet_cap = _parse_stakes(stakes_text, exponent)
    game_title = f"{text_before} ({mixed_game}" if comma else game_title
    game = games.build_game_set(
        variant, betting, blinds, unit=currency, exponent=exponent, ante=ante, written=game_title
    )
    return game, [*([OptionSet("bet-cap", bet_cap)] if bet_cap else []), *_list_game_options(game_name)]


def _parse_stakes(stakes_text: str, exponent: int) -> tuple[tuple[Chips, ...], Chips, Chips]:
    """Return blinds or bets, ante and cap."""
    ante = bet_cap = 0
    blinds: tuple[Chips, ...] = ()
    for stakes_part in stakes_text.split(" - "):
        words = stakes_part.split()
        lower_part = stakes_part.lower()
        if "/" in stakes_part and not blinds:
            blinds = tuple(
                amounts.read(blind_text, exponent) for blind_text in words[0].split("/") if blind_text and words
            )
        elif lower_part.startswith("button blind"):
            blinds = (amounts.read(words[-1], exponent),)
        elif lower_part.startswith("ante") and len(words) > 1:
            ante = amounts.read(words[1], exponent)
        elif "cap" in lower_part.split() and words:
            bet_cap = amounts.read(words[0], exponent)
    return blinds, ante, bet_cap


def _split_bracket(header_text: str, content: str) -> tuple[str, str]:
    """Return the text before the last bracket, and the text in it. `content` names that text in the error."""
    opening_index, closing_index = header_text.rfind("("), header_text.rfind(")")
    if opening_index < 0 or closing_index < opening_index:
        raise UnreadableHandError(f"no {content} in {header_text[:80]!r}", kind="header")
    return header_text[:opening_index].strip(), header_text[opening_index + 1 : closing_index]


def _identify_game(game_name: str) -> tuple[str, Betting, str]:
    """Return variant, betting, and the game's name as written, or "" if it is PokerStars' current name."""
    known_game = find_game(game_name)
    if known_game is None:
        raise games.unknown_game(game_name)
    variant, betting = known_game
    return variant, betting, "" if game_name == f"{TITLES[variant]} {LIMIT_TITLES[betting]}" else game_name


def _list_game_options(game_name: str) -> list[OptionSet]:
    return [NO_LIMIT_AFTER] if game_name.lower().endswith(_NO_LIMIT_AFTER_WORDS) else []


def find_game(game_name: str) -> tuple[str, Betting] | None:
    """Return variant and betting of a game's name, or None for an unknown game."""
    if _list_game_options(game_name):
        game_name = game_name[: -len(_NO_LIMIT_AFTER_WORDS)] + " no limit"
    variant, betting = games.split_limit(game_name, GAMES)
    return (variant, betting) if variant and betting else None


def _parse_tournament(game_text: str, exponent: int) -> tuple[TournamentSet, GameSet, list[OptionSet]]:
    """Read `$1.40+$0.10 USD Badugi Limit - Match Round I, Level V (50/100)`."""
    text_before, stakes_text = _split_bracket(game_text, "level")
    price_and_game, dash, match_and_level = text_before.rpartition(" - ")
    match_round = level = ""
    if dash and "LEVEL" in match_and_level.upper():
        text_before = price_and_game
        level_index = match_and_level.upper().find("LEVEL")
        level, match_round = (
            match_and_level[level_index + 5 :].strip(),
            match_and_level[:level_index].strip().rstrip(","),
        )
    buy_in, game_name = split_price(text_before)
    mixed_game, bracket, game_in_bracket = game_name[:-1].partition("(") if game_name.endswith(")") else ("", "", "")
    variant, betting, game_title = _identify_game(game_name := game_in_bracket if bracket else game_name)
    game_title = f"{mixed_game.strip()} ({game_name}" if bracket else game_title
    blinds, ante, _cap = _parse_stakes(stakes_text, exponent)
    game = games.build_game_set(
        variant, betting, blinds, unit="chips", exponent=exponent, tournament=True, ante=ante, written=game_title
    )
    return _parse_price(buy_in, match_round, level), game, _list_game_options(game_name)


def split_price(price_and_game: str) -> tuple[str, str]:
    """Split a tournament's price from the game's name."""
    words = price_and_game.split(" ")
    word_index = 0
    while word_index < len(words):
        word = words[word_index]
        next_word = words[word_index + 1].lower() if word_index + 1 < len(words) else ""
        is_game = next_word.startswith(("card", "hold")) and (word.isdigit() or word == "6+")
        if is_game or not (
            word == "-"
            or word.endswith(",")
            or word.upper() in _BUY_IN_WORDS
            or _is_price(word)
            or (word.isdigit() and word_index == 0)
        ):
            break
        word_index += 1
    return " ".join(words[:word_index]).rstrip(" -"), " ".join(words[word_index:])


def _is_price(word: str) -> bool:
    if word.upper().endswith("FPP") and word[:-3].isdigit():
        return True
    if word[:1] in currencies.SYMBOLS or word.startswith(tuple(currencies.LONG_SIGNS)):
        return True
    return "+" in word[1:-1] and word[:1].isdigit()


def _parse_price(price_text: str, match_round: str, level_text: str) -> TournamentSet:
    """Read `$10+$1 USD`, `$2.00+$0.50+$0.20 USD` (prize, bounty, fee), `50FPP`, `Freeroll`."""
    words = price_text.split()
    price = words[0] if words else ""
    currency = next((word.upper() for word in words if word.upper() in CODES), "")
    if not currency:
        currency = currencies.find_currency(price)
    if price.upper().endswith("FPP"):
        price, currency = price[:-3], "FPP"
    tournament = games.parse_costs(
        price, f"{price_text} - {match_round}" if match_round else price_text, level_text.upper(), currency=currency
    )
    if price.lower() == "freeroll":
        return structs.replace(tournament, buy_in=0, fee=0, currency=currency)
    unit = tournament.currency or ("play" if tournament.buy_in else "")
    return structs.replace(tournament, fee=tournament.fee or (None if tournament.buy_in is None else 0), currency=unit)


@lru_cache(maxsize=_CACHE_SIZE)
def parse_table(line: str) -> PokerStarsTable | None:
    """Read `Table 'Name' 6-max (Play Money) Seat #5 is the button`; return None for any other line."""
    opening_quote, closing_quote = line.find("'"), line.rfind("'")
    if line[:5].upper() != "TABLE" or opening_quote < 0 or closing_quote == opening_quote:
        return None
    table_name, text_after = line[opening_quote + 1 : closing_quote], line[closing_quote + 1 :].strip()
    table_sizes = [parse_small_number(word[:-4][:3]) for word in text_after.split() if word.lower().endswith("-max")]
    button_index = text_after.find("Seat #")
    button_text = text_after[button_index + 6 :].split(" ", 1)[0] if button_index >= 0 else ""
    button = parse_small_number(button_text) if parse_small_number(button_text) or button_text == "0" else None
    play_money = "(Play Money)" in text_after or (None if "(Real Money)" in text_after else False)
    return PokerStarsTable(
        table_name, next((table_size for table_size in reversed(table_sizes) if table_size), 0), button, play_money
    )
