"""The words of iPoker's files, and the facts at the beginning of a session."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.readers import amounts, currencies, games
from ledger.readers.document_hand import DocumentHeader
from ledger.readers.marked import MarkupSource, Tag, parse_lowercase_attributes, replace_entities
from ledger.readers.markup import COUNTS, HandTags
from ledger.vocabulary import Chips, Street

VENUE: Final = "iPoker"

LIMITS: Final[tuple[tuple[Betting, tuple[str, ...]], ...]] = (
    ("no-limit", ("no limit", "no-limit", "nolimit", "nl", "sl", "lz", "бл")),
    ("pot-limit", ("pot limit", "pot-limit", "potlimit", "pl", "lp")),
    ("limit", ("fixed limit", "limit", "fl", "l")),
)
"""The betting as the game type names it, in lower case. The first that fits counts."""

GAMES: Final = games.FLOP | {"short-deck", "omaha5", "omaha5-8", "omaha6", "omaha6-8", "stud", "stud8"}
OWN_NAMES: Final = {"lh": "holdem", **dict.fromkeys(("5 card stud", "5-card stud", "five card stud"), "stud5")}
"""`stud5` is read, but can't be replayed yet."""


def find_variant(name: str) -> str:
    """Return the variant of a game named in lower case, as in `omaha hilow`, or "" if it is unknown."""
    return OWN_NAMES.get(name) or games.find_variant(name, GAMES) or ""


OWN_STAKES: Final = ("smallblind", "bigblind", "ante")
"""The stakes that a hand itself contains."""

VARIANT_BY_CARDS: Final = {2: "holdem", 4: "omaha", 5: "omaha5", 6: "omaha6"}
"""Number of hole cards → the variant of a game without a name."""

STUD: Final = frozenset(("stud", "stud8", "stud5"))

BOARD_STREETS: Final[dict[str, Street]] = {"flop": "flop", "turn": "turn", "river": "river"}
OWN_CARD_STREETS: Final[dict[str, Street]] = {
    "second street": "preflop",
    "third street": "third",
    "fourth street": "fourth",
    "fifth street": "fifth",
    "sixth street": "sixth",
    "seventh street": "seventh",
    "river": "seventh",
}
"""Streets that deal cards to each player."""

TYPE_OF_WORD: Final = {
    "fold": "0",
    "sb": "1",
    "small blind": "1",
    "bb": "2",
    "big blind": "2",
    "call": "3",
    "check": "4",
    "bet": "5",
    "all in": "7",
    "all-in": "7",
    "allin": "7",
    "sit out": "9",
    "sitting out": "9",
    "ante": "15",
    "bring in": "16",
    "bring-in": "16",
    "raise to": "23",
}
"""`actiontxt` of archives, in lower case → the type of the same act."""

FACES: Final = {1: "u", 2: "du", 3: "ddu"}

_RANKS: Final = {**{rank: rank for rank in "23456789TJQKA"}, "10": "T", "1": "A"}
_SUITS: Final = frozenset("CDHS")
_CACHE_SIZE: Final = 20_000


@lru_cache(maxsize=_CACHE_SIZE)
def parse_cards(text: str) -> str:
    """Return `H3 D10 X` as cards. Anything else raises `UnreadableHandError`."""
    return "".join(_parse_card(word) for word in text.upper().split())


def _parse_card(word: str) -> str:
    if word in ("X", "XX", "??"):
        return "??"
    if word[0] in _SUITS and word[1:] in _RANKS:
        return _RANKS[word[1:]] + word[0].lower()
    if word[-1] in _SUITS and word[:-1] in _RANKS:
        return _RANKS[word[:-1]] + word[-1].lower()
    raise UnreadableHandError(f"{word[:40]!r} isn't a card", kind="cards")


_BLANKS: Final = re.compile(r"[\s\u00a0\u202f\u2009']+")
_ESCAPED_EURO: Final = "\\x80"
"""The four characters that some programs write for cp1252's euro."""
_DIGITS: Final = frozenset("0123456789")


@lru_cache(maxsize=_CACHE_SIZE)
def strip_amount(text: str) -> str:
    """Return an amount without its currency and the blanks between its digits: `€1 480` → `1480`."""
    compact_text = _BLANKS.sub("", text.replace(_ESCAPED_EURO, "€"))
    start, stop = 0, len(compact_text)
    while start < stop and compact_text[start] not in _DIGITS:
        start += 1
    while stop > start and compact_text[stop - 1] not in _DIGITS:
        stop -= 1
    minus_sign = "-" if "-" in compact_text[:start] else ""
    if compact_text[max(start - 1, 0) : start] in (".", ",") and start == 1:
        start = 0  # `.50`
    return minus_sign + compact_text[start:stop]


@lru_cache(maxsize=_CACHE_SIZE)
def parse_chips(text: str, exponent: int) -> Chips:
    """Return an amount in units of 10^-exponent. Anything else raises `UnreadableHandError`."""
    return amounts.read(strip_amount(text), exponent)


def find_currency(text: str) -> str:
    """Return the currency that an amount is written with, or "" if there is none."""
    text = text.replace(_ESCAPED_EURO, "€")
    known_currency = currencies.find_currency(text)
    if known_currency:
        return known_currency
    letters = "".join(letter for letter in text if letter.isascii() and letter.isalpha()).upper()
    return letters if len(letters) == 3 else ""


_MAX_TEXT_LENGTH: Final = 500
_PLACEHOLDERS: Final = frozenset(("N/A", ""))


@dataclass(frozen=True, slots=True)
class IpokerSession:
    """The facts that all games of a session share."""

    game: str  # as written; "" = not named
    variant: str  # "" = not named
    betting: Betting
    stakes: tuple[str, ...]  # small and big blind or bet, and an ante, without currency
    unit: str
    table: str
    tournament: str
    chair_count: int  # 0 = unknown
    nickname: str  # the file's owner
    excludes_uncalled: bool | None  # the winnings don't include uncalled bets; None = unknown
    tournament_set: TournamentSet | None
    venue: str  # the room; trackers also store other rooms' hands and name them here
    game_sets: dict[tuple[int, tuple[str, ...]], GameSet] = field(default_factory=dict)
    """Games so far, by exponent and by the stakes that the game itself contains."""


def read_session(source: MarkupSource, tags: list[Tag]) -> IpokerSession:
    """Read the tags before the first game. An unreadable game type raises `UnreadableHandError`."""
    facts = _read_facts(source, tags)
    game_type = facts.get("gametype", "")
    game_name, betting, stakes = _split_game_type(game_type)
    variant = find_variant(game_name)
    if game_name and not variant:
        raise games.unknown_game(game_type)
    tournament = _find_tournament(facts, has_stakes=bool(stakes))
    site = facts.get("pokersite", "")[:_MAX_TEXT_LENGTH]
    return IpokerSession(
        game_type,
        variant,
        betting,
        tuple(strip_amount(stake) for stake in stakes),
        _find_unit(facts, is_tournament=bool(tournament)),
        facts.get("tablename", "")[:_MAX_TEXT_LENGTH],
        tournament[:_MAX_TEXT_LENGTH],
        COUNTS.get(facts.get("tablesize", ""), 0),
        _drop_placeholder(facts.get("nickname", "")),
        {"true": True, "false": False}.get(facts.get("uncalled_bet_enabled", "").lower()),
        _parse_buy_in(facts) if tournament else None,
        site if site and site.lower() != VENUE.lower() else VENUE,
    )


def _read_facts(source: MarkupSource, tags: list[Tag]) -> dict[str, str]:
    """Return the text of each tag by its name, and the session's own code as `sessioncode`."""
    facts: dict[str, str] = {}
    for tag in tags:
        if tag.name == "session":
            facts["sessioncode"] = parse_lowercase_attributes(source, tag).get("sessioncode", "")
        elif tag.name not in facts:
            text_end = source.text.find("<", tag.stop, tag.stop + _MAX_TEXT_LENGTH)
            facts[tag.name] = replace_entities(source.decode_text(tag.stop, max(text_end, tag.stop))).strip()
    return facts


def _find_tournament(facts: dict[str, str], *, has_stakes: bool) -> str:
    """Return the tournament's number or name, or "" for a cash game. A game without stakes is a tournament's."""
    code = facts.get("tournamentcode", "")
    name = facts.get("tournamentname", "") or code
    if has_stakes and not name:
        return ""
    table = facts.get("tablename", "")
    return code or _find_number_at_end(table) or name or table or facts.get("sessioncode", "")


def _find_unit(facts: dict[str, str], *, is_tournament: bool) -> str:
    """Return the currency that the session is played for: `chips` in tournaments, `play` for play money."""
    if is_tournament:
        return "chips"
    if facts.get("mode", "").lower() in ("fun", "play", "playmoney"):
        return "play"
    return (
        _find_currency_code(facts.get("tablecurrency", ""))
        or find_currency(facts.get("gametype", ""))
        or _find_currency_code(facts.get("currency", ""))
        or "chips"
    )


def _drop_placeholder(text: str) -> str:
    return "" if text in _PLACEHOLDERS else text


def _find_currency_code(text: str) -> str:
    upper_text = text.upper()
    return upper_text if len(upper_text) == 3 and upper_text.isascii() and upper_text.isalpha() else find_currency(text)


def _find_number_at_end(table: str) -> str:
    """Return the number at the end of `Twister $1 SNG, 900000021`, or "" if there is none."""
    last_words = table.replace(",", " ").split()[-1:]
    return (
        last_words[0]
        if last_words and last_words[0].isascii() and last_words[0].isdecimal() and len(last_words[0]) > 5
        else ""
    )


def _split_game_type(game_type: str) -> tuple[str, Betting, list[str]]:
    """Split `Omaha PL €5/€10` into the game in lower case, the betting and the stakes."""
    words = _join_amount_words(currencies.join_amounts(game_type).split())
    stakes = _pop_stakes(words)
    game_name = " ".join(words).lower()
    for betting, limit_names in LIMITS:
        for limit_name in limit_names:
            if game_name == limit_name or game_name.endswith(" " + limit_name):
                return game_name[: -len(limit_name)].strip(), betting, stakes
    return game_name, "pot-limit" if "omaha" in game_name else "no-limit", stakes


def _pop_stakes(words: list[str]) -> list[str]:
    """Remove the stakes from the end of the words. Return the two blinds or bets, and the ante if there is one."""
    stakes: list[str] = []
    ante = ""
    while words and any(letter.isdecimal() for letter in words[-1]) and not _is_game_word(words[-1]):
        last_word = words.pop()
        if words and words[-1].lower() == "ante":
            words.pop()
            ante = last_word
        elif "/" in last_word:
            stakes = last_word.split("/")[:2]
        else:
            stakes = [last_word, *stakes]
    if len(words) > 2 and "/" in words[-3] and words[-2].lower() == "x2":
        stakes = words[-3].split("/")[:2]  # `LH 20/40 x2 Limit $10/$20`: the bets are twice the blinds
        words[-3:] = words[-1:]
    stakes = [stake for stake in stakes if strip_amount(stake)]
    has_ante = len(stakes) == 2 and bool(strip_amount(ante).strip("0.,"))
    return [*stakes, ante] if has_ante else stakes


def _join_amount_words(words: list[str]) -> list[str]:
    """Join words that are parts of one amount: `2.50 kr/5 kr`, `€1 000/€2 000`."""
    has_slash = any("/" in word for word in words)
    joined_words: list[str] = []
    for word in words:
        currency_word = word.partition("/")[0].lower().rstrip(".")
        is_thousands = has_slash and word[:3].isdecimal() and not word[3:4].isdecimal()
        if joined_words and joined_words[-1][-1:].isdecimal() and (currency_word in _CURRENCY_WORDS or is_thousands):
            joined_words[-1] += word
        else:
            joined_words.append(word)
    return joined_words


_CURRENCY_WORDS: Final = frozenset(
    ("kr", "€", "$", "£", "eur", "usd", "gbp", "sek", "dkk", "nok", "rsd", "din", "kn", "lei", "ron")
)


def _is_game_word(word: str) -> bool:
    """Whether a word with a digit belongs to the game's name: `6+`, `5-card`."""
    return word.endswith("+") or word.lower().endswith("card")


def _parse_buy_in(facts: dict[str, str]) -> TournamentSet:
    """Read `€4.65 + €0.35`, the prize and the fee. A part between them is a bounty."""
    buy_in = facts.get("buyin", "") or facts.get("totalbuyin", "")
    currency = _find_currency_code(facts.get("tournamentcurrency", "")) or find_currency(buy_in)
    return games.parse_costs("+".join(map(strip_amount, buy_in.split("+"))), buy_in, currency=currency)


_MAX_CODE_LENGTH: Final = 40


def read_header(sheet: HandTags, session: IpokerSession, exponent: int | None) -> DocumentHeader:
    """Return the facts about a game before its players. Damaged ones raise `UnreadableHandError`."""
    game_code = sheet.get("gamecode")
    if not game_code or len(game_code) > _MAX_CODE_LENGTH:
        raise UnreadableHandError("the game has no number", kind="header")
    own_stakes = {
        name: strip_amount(replace_entities(stake_lines[0].text))
        for name in OWN_STAKES
        if (stake_lines := sheet.lines[name])
    }
    exponent = (0 if session.unit == "chips" else 2) if exponent is None else exponent
    stakes_key = exponent, tuple(own_stakes.values())
    game = session.game_sets.get(stakes_key) if session.variant else None
    if game is None:
        game = session.game_sets[stakes_key] = build_game_set(
            session, own_stakes, session.variant or _find_variant_by_cards(sheet), exponent
        )
    start_text = next((text for line in sheet.lines["startdate"] if (text := replace_entities(line.text).strip())), "")
    return DocumentHeader(
        game_code,
        session.table,
        game,
        session.tournament,
        session.tournament_set,
        start_text,
        chairs=session.chair_count,
        venue=session.venue,
    )


def _find_variant_by_cards(sheet: HandTags) -> str:
    """Return the variant of a game without a name, which the number of hole cards shows."""
    card_lines = [line for round_line in sheet.lines["round"] for line in round_line.get_children("cards")]
    pockets = [parse_cards(line.text) for line in card_lines if line.get("type").strip().lower() == "pocket"]
    variant = VARIANT_BY_CARDS.get(max(map(len, pockets), default=0) // 2, "")
    if not variant:
        raise UnreadableHandError("the game is not named, nor do its cards tell which it is", kind="unknown-game")
    return variant


def build_game_set(session: IpokerSession, own_stakes: dict[str, str], variant: str, exponent: int) -> GameSet:
    """Return the game with the session's stakes or, if it has none, those of the hand itself."""
    stake_texts = session.stakes
    has_own_blinds = not stake_texts and "smallblind" in own_stakes and "bigblind" in own_stakes
    if has_own_blinds:
        stake_texts = own_stakes["smallblind"], own_stakes["bigblind"]
    if len(stake_texts) == 2 and own_stakes.get("ante"):
        stake_texts = (*stake_texts, own_stakes["ante"])
    stakes = tuple(amounts.read(stake_text, exponent) for stake_text in stake_texts)
    blinds, ante = stakes[:2] if len(stakes) >= 2 else (), stakes[2] if len(stakes) > 2 else 0
    bets: tuple[Chips, ...] = ()
    if session.betting == "limit" and blinds and not has_own_blinds:  # a hand's own blinds don't show the larger bet
        # Stakes of a limit game are its bets; the blinds are half of them.
        bets, blinds = blinds, (blinds[0] // 2, blinds[0])
    return GameSet(
        variant,
        session.betting,
        "tournament" if session.tournament else "cash",
        session.unit,
        exponent,
        () if variant in STUD else blinds,
        ante,
        bets,
        0,
        session.game,
    )
