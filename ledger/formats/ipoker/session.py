"""What stands at the beginning of a session: the game, the table, the currency, the tournament."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ledger.formats.ipoker.words import LIMITS, bare, currency, variant_of
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.readers import amounts
from ledger.readers.games import unknown_game
from ledger.readers.marked import Source, Tag, attributes, plain

_MOST: Final = 500
_CODES: Final = frozenset(("N/A", ""))


@dataclass(frozen=True, slots=True)
class Session:
    """The facts that all games of a session share."""

    code: str
    game: str  # as named, without stakes; "" = not named
    variant: str  # "" = not named
    betting: Betting
    stakes: tuple[str, ...]  # small and big blind or bet, and an ante, without currency
    unit: str
    table: str
    tournament: str
    chairs: int  # 0 = not told
    nickname: str  # whose file it is
    apart: bool | None  # bets that nobody called are left out of what was won; None = not told
    costs: TournamentSet | None
    games: dict[tuple[int, tuple[str, ...]], GameSet] = field(default_factory=dict)
    """Once they are known: by exponent, and by the stakes that the game itself names."""


def session(source: Source, head: list[Tag]) -> Session:
    """Read the tags up to the first game. A game type that cannot be read raises `UnreadableHandError`."""
    facts: dict[str, str] = {}
    code = ""
    for tag in head:
        if tag.name == "session":
            code = attributes(source, tag).get("sessioncode", "")
        elif tag.name not in facts:
            end = source.text.find("<", tag.stop, tag.stop + _MOST)
            facts[tag.name] = plain(source.words(tag.stop, max(end, tag.stop))).strip()
    written = facts.get("gametype", "")
    game, betting, stakes = _game(written)
    variant = variant_of(game)
    if game and not variant:
        raise unknown_game(written)
    table = facts.get("tablename", "")
    tournament = ""
    named = facts.get("tournamentname", "") or facts.get("tournamentcode", "")
    if named or not stakes:
        tournament = facts.get("tournamentcode", "") or _number(table) or named or table or code
    unit = "chips"
    if not tournament:
        unit = _code(facts.get("tablecurrency", "")) or currency(written) or _code(facts.get("currency", ""))
    if facts.get("mode", "").lower() in ("fun", "play", "playmoney") and not tournament:
        unit = "play"
    return Session(
        code[:40],
        written,
        variant,
        betting,
        tuple(bare(one) for one in stakes),
        unit or "chips",
        table[:_MOST],
        tournament[:_MOST],
        _chairs(facts.get("tablesize", "")),
        _told(facts.get("nickname", "")),
        {"true": True, "false": False}.get(facts.get("uncalled_bet_enabled", "").lower()),
        _costs(facts) if tournament else None,
    )


def _chairs(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else 0


def _told(text: str) -> str:
    return "" if text in _CODES else text


def _code(text: str) -> str:
    upper = text.upper()
    return upper if len(upper) == 3 and upper.isascii() and upper.isalpha() else currency(text)


def _number(table: str) -> str:
    """Return the number at the end of `Twister $1 SNG, 900000021`, "" if there is none."""
    last = table.replace(",", " ").split()[-1:]
    return last[0] if last and last[0].isascii() and last[0].isdecimal() and len(last[0]) > 5 else ""


def _game(written: str) -> tuple[str, Betting, list[str]]:
    """Split `Omaha PL €5/€10` into game, betting and stakes."""
    words = _joined(written.split())
    stakes: list[str] = []
    ante = ""
    while words and any(one.isdecimal() for one in words[-1]) and not _is_word(words[-1]):
        last = words.pop()
        if words and words[-1].lower() == "ante":
            words.pop()
            ante = last
        elif "/" in last:
            stakes = last.split("/")[:2]
        else:
            stakes = [last, *stakes]
    if len(words) > 2 and "/" in words[-3] and words[-2].lower() == "x2":
        stakes = words[-3].split("/")[:2]  # `LH 20/40 x2 Limit $10/$20`: the bets, twice the blinds
        words[-3:] = words[-1:]
    text = " ".join(words).lower()
    betting: Betting | None = None
    for name, kind in LIMITS:
        if text == name or text.endswith(" " + name):
            text, betting = text[: -len(name)].strip(), kind
            break
    if betting is None:
        betting = "pot-limit" if "omaha" in text else "no-limit"
    found = [one for one in stakes if bare(one)]
    return text, betting, [*found, ante] if bare(ante).strip("0.,") and len(found) == 2 else found


def _joined(words: list[str]) -> list[str]:
    """Put together what blanks part within an amount: `2.50 kr/5 kr`, `€1 000/€2 000`."""
    parted = any("/" in word for word in words)
    joined: list[str] = []
    for word in words:
        money = word.partition("/")[0].lower().rstrip(".")
        thousands = parted and word[:3].isdecimal() and not word[3:4].isdecimal()
        if joined and joined[-1][-1:].isdecimal() and (money in _MONEY or thousands):
            joined[-1] += word
        else:
            joined.append(word)
    return joined


_MONEY: Final = frozenset(
    ("kr", "€", "$", "£", "eur", "usd", "gbp", "sek", "dkk", "nok", "rsd", "din", "kn", "lei", "ron")
)


def _is_word(word: str) -> bool:
    """Tell whether a word with a digit names the game: `6+`, `5-card`."""
    return word.endswith("+") or word.lower().endswith("card")


def _costs(facts: dict[str, str]) -> TournamentSet:
    """Read `€4.65 + €0.35`: prize and fee; between them a third part is a bounty."""
    written = facts.get("buyin", "") or facts.get("totalbuyin", "")
    parts = [amounts.maybe(bare(one), 2) for one in written.split("+")] if written else []
    if len(parts) not in (1, 2, 3) or None in parts or bare(written) == "":
        parts = [None]
    return TournamentSet(
        "",
        parts[0],
        parts[-1] if len(parts) > 1 else None,
        parts[1] if len(parts) == 3 else None,
        _code(facts.get("tournamentcurrency", "")) or currency(written),
        written,
    )
