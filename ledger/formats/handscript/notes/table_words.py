"""The words people use at a table, by meaning."""

from __future__ import annotations

from typing import Final


def split_words(text: str) -> frozenset[str]:
    """Split a text into a set of words."""
    return frozenset(text.split())


def _build_table(rows: dict[str, str]) -> dict[str, str]:
    return {word: meaning for meaning, words in rows.items() for word in words.split()}


VERBS: Final = _build_table(
    {
        "fold": "f fd fold folds folded pass passes surrenders surrendered ducks ducked passed drops bin bins binned dump dumps pitch pitches ditches releases retires retired",
        "check": "x ck ch chk cks check checks checked tap taps tapped rap raps rapped knocks k",
        "call": "c call calls called limps limp limped flats flat flatted overcalls snaps snapped peels peel peeled defends defended",
        "complete": "complete completes completed",
        "bet": "b bet bets lead leads led fire fires fired donks donk stabs barrels",
        "raise": "r rr raise raises raised reraise reraises re-raise re-raises bump reraised re-raised bumps 3-bets 3bets "
        "three-bets 4-bets 4bets four-bets 5-bets five-bets 3bet 4bet 3-bet 4-bet threebets fourbets 3bets 4bets",
        "cap": "caps capped",
        "open": "open opens opened",
        "makes": "makes made make",
        "pots": "pots",
        "all-in": "ai allin all-in shoves shove jams jam ships shoved jammed",
    }
)
"""Verbs for a player's act, in one word."""

SHOWS: Final = split_words("show shows showed shown sh has have had tables tabled reveals flips exposes")
MUCKS: Final = split_words("muck mucks mucked")
WINS: Final = split_words(
    "win wins won takes take took drags drag dragged doubles doubled triples tripled raked scooped collected collects earns earned nets scoops scoop collects rakes"
)
POSTS: Final = split_words("post posts posted")
EVERYONE: Final = split_words("everyone everybody all")
POSITIONS: Final = {
    "utg": "utg",
    "utg+1": "utg+1",
    "co": "cutoff",
    "cutoff": "cutoff",
    "hj": "hijack",
    "hijack": "hijack",
    "btn": "button",
    "button": "button",
    "sb": "small",
    "bb": "big",
    "lj": "lojack",
    "lojack": "lojack",
    "mp": "middle",
    "straddler": "straddle",
}
PRONOUNS: Final = frozenset(("he", "she", "they"))
WRITER_WORDS: Final = frozenset(("i", "me", "hero", "myself", "we", "i'm"))
NUMBER_WORDS: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}

POT_KINDS: Final = {"main": "main", "side": "side", "sides": "sides"}
STREETS: Final = {
    "flop": "flop",
    "f": "flop",
    "turn": "turn",
    "t": "turn",
    "river": "river",
    "r": "river",
    "fl": "flop",
    "tn": "turn",
    "rv": "river",
}
CARDS_ON: Final = {"flop": 3, "turn": 1, "river": 1}

PAUSES: Final = split_words(
    "away smoke smokes walk walks restroom bathroom toilet break lobby dinner phone bar sitout out afk "
    "walking smoking cage outside sandwich food drink drinks snack air coffee water beer"
)
"""Where a player takes a break."""
LEAVE_WORDS: Final = split_words("leaves left quits quit gone up busto bust busts busted eliminated out home leave")
REBUYS: Final = {
    "rebuys": "rebuy",
    "rebuy": "rebuy",
    "rebought": "rebuy",
    "reloads": "rebuy",
    "reload": "rebuy",
    "adds": "top-up",
    "add": "top-up",
    "tops": "top-up",
    "top-up": "top-up",
    "topup": "top-up",
    "buys": "buy-in",
    "bought": "buy-in",
    "borrows": "top-up",
    "borrowed": "top-up",
    "reloaded": "rebuy",
    "rebuyed": "rebuy",
    "re-buys": "rebuy",
    "re-ups": "rebuy",
    "topped": "top-up",
    "added": "top-up",
}

HAND_WORDS: Final = split_words(
    "a an the with straight flush full house boat trips set two pair pairs of quads high card nut nuts top bottom middle "
    "wheel broadway royal aces kings queens jacks tens nines eights sevens sixes fives fours threes deuces twos ace king "
    "queen jack ten nine eight seven six five four three deuce over kicker and better hand best rivered turned flopped "
    "to by s up pocket kicks plays unimproved runner pr hit hits his her my their on which made makes"
)
"""Words that describe a winning hand; the parser skips them."""

RESERVED: Final = frozenset(
    (
        *VERBS,
        *SHOWS - {"sh"},
        *MUCKS,
        *WINS,
        *POSTS,
        *EVERYONE,
        *POSITIONS,
        *PRONOUNS,
        *STREETS,
        *PAUSES,
        *LEAVE_WORDS,
        *REBUYS,
        *split_words(
            "seat seats blind blinds small big straddle straddles ante antes burn board button dealer hand end in and to the "
            "for of pot push pushed misdeal rake deal dead both rest others level table room new with from moves moved is "
            "goes sits waits back returns stack folds deals game limit no-limit nl puts throws tosses says said wants joins joined at sat sit comes came arrives arrived"
        ),
    )
)
"""Words that can't be part of a name in a list of seats, except in quotes."""

OF_TABLE: Final = split_words(
    "new sits joins leaves left quits moved moves busts busted eliminated away break button btn blind blinds level stakes "
    "limit ante antes stack stacks rebuys seat seats waits"
)
"""Words that may change who plays, or for what."""
