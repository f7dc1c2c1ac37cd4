"""Sorts words that no phrase reads: a remark, a sentence that may hide an act, or one that has to be asked about.

A remark names no player, number, card or word of the game. A `gap` may hide an act; the turns around it show whether it
does. Anything with a number, a card, a correction or a ruling is unread: it may change what the hand's other lines mean.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ledger.formats.handscript.notes.statements import Kind
from ledger.formats.handscript.notes.table_words import (
    EVERYONE,
    LEAVE_WORDS,
    MUCKS,
    OF_TABLE,
    PAUSES,
    POSITIONS,
    POSTS,
    PRONOUNS,
    REBUYS,
    SHOWS,
    STREETS,
    VERBS,
    WINS,
    WRITER_WORDS,
    split_words,
)
from ledger.formats.handscript.notes.tokenizer import Token, split_cards_word

CORRECTIONS: Final = split_words(
    "no not never sorry correction corrected actually oops mistake mistakes wrong meant scratch undo cancel error "
    "except instead should rather nope strike crossed misread typo fix unless would could might if claims claimed swears"
)
"""Words that may take back or qualify what another sentence says."""
DOUBTS: Final = split_words(
    "missed missing forgot forgotten maybe probably perhaps possibly unclear unknown unsure can't cannot couldn't "
    "lost either or unseen blocked guess likely supposedly apparently allegedly presumably"
)
RULINGS: Final = split_words(
    "misdeal misdealt void voided burn burned burnt dead killed fouled foul exposed exposes flashed floor ruling ruled ruling "
    "rule rules penalty declared returned refund refunded dispute disputed split splits chop chopped chops quartered twice "
    "insurance redeal redealt reshuffled reshuffle boxed joker premature backed unprotected angle string "
    "kicks kick paid pays pay owes owed short shorted rake drop raked dropped jackpot pot main side post posts posted straddle "
    "straddles straddled ante antes kill bought missed"
)
"""Words about a hand that change what its chips or cards mean."""
_UNREAD_WORDS: Final = CORRECTIONS | DOUBTS | RULINGS
SUBORDINATE: Final = split_words(
    "if would could should might when until before because that hoping thinking wanted wants unless or says said claims saying asks "
    "asked told tells whether why how although though"
)
"""Words of a sentence whose clauses can't be read one by one."""
_GROUPS: Final = split_words(
    "both nobody none others other rest another one two three four five six blind blinds straddler someone "
    "somebody anyone who them him her us opponent opponents aggressor caller callers raiser player players villain"
)
_ACTING: Final = frozenset((*VERBS, *SHOWS, *MUCKS, *WINS, *POSTS, *STREETS))
_GAP_WORDS: Final = frozenset(
    (*_ACTING, *EVERYONE, *POSITIONS, *PRONOUNS, *WRITER_WORDS, *_GROUPS, *split_words("button btn"))
)
"""Words of a sentence that may hide an act."""
_TABLE_WORDS: Final = frozenset((*PAUSES, *LEAVE_WORDS, *REBUYS, *OF_TABLE)) - frozenset(("up", "out", "phone", "bar"))
_GROUP_WORDS: Final = frozenset((*EVERYONE, *POSITIONS, *PRONOUNS, *_GROUPS))
_TIME_UNITS: Final = split_words("second seconds sec secs minute minutes min mins hour hours years beers drinks times")
_OPENING_WORDS: Final = split_words("blind blinds small big sb bb button btn bought posts puts throws")
"""Words of the opening: before the first act they may hide a post or the button."""
MOVING: Final = split_words(
    "go goes going went gone leave leaves left leaving walk walks walked walking step steps stepped stand stands stood get gets "
    "got getting take takes took break home car cab bathroom restroom smoke food dinner phone bar back return returns sit sits "
    "sat busy away quit quits done cash cashes chips rebuy rebuys reload reloads buy buys bought add adds top tops borrow "
    "borrows borrowed change changes move moves moved switch out up cage call call's lunch snack kids bed wife husband vanish vanishes vanished disappears disappeared finished night enough "
    "absent late busy kitchen parking errand getting leaving called"
)
"""Words about coming, going and buying chips."""


LEAVING: Final = split_words(
    "leave leaves left leaving home quit quits cash cashes chips rebuy rebuys rebought reload reloads buy buys bought add adds tops "
    "borrow borrows borrowed break away smoke bathroom restroom walk walks busto"
)
"""Words about leaving and buying chips that no act of a hand has."""


def classify(tokens: Sequence[Token], text: str, *, is_apart: bool, is_opening: bool) -> Kind:
    """Return what unread words are. `is_apart`: they begin a sentence or name their subject themselves."""
    if not is_apart or _must_be_asked(tokens, is_opening=is_opening):
        return "unread"
    if _names_unknown_player(tokens):
        return "unread"
    if any(token.kind == "name" or token.low in _GAP_WORDS for token in tokens):
        return "gap"
    return "remark" if len(re.findall(r"[^\W\d_]{2,}", text)) > 1 else "unread"


def changes_no_result(text: str, tokens: Sequence[Token]) -> bool:
    """Whether words after a hand's end leave it as it is: no number, card, win or correction."""
    words_of_result = CORRECTIONS | RULINGS | WINS | SHOWS | MUCKS | {"gets", "got", "actually"}
    if any(character.isdigit() for character in text) and not any(token.low in LEAVING for token in tokens):
        return False
    return not any(
        token.kind != "name"
        and (token.low in words_of_result or token.low.endswith("n't") or split_cards_word(token.text))
        for token in tokens
    )


def is_harmless(token: Token) -> bool:
    """Whether a word of an aside changes nothing: no player, number, card or act."""
    if token.kind in ("name", "number", "text") or token.text in "?+=<>%~(":
        return False
    if token.low in ("no", "more", "action", "betting", "all", "in"):
        return True
    return not (
        token.low in _GAP_WORDS or token.low in _UNREAD_WORDS or token.low in _TABLE_WORDS or _may_be_card(token)
    )


def names_group(token: Token) -> bool:
    """Whether a word refers to players without a name: `both`, `they`."""
    return token.kind != "name" and token.low in _GROUP_WORDS


def _must_be_asked(tokens: Sequence[Token], *, is_opening: bool) -> bool:
    """Whether words hold a number, a card, a correction, a doubt or a ruling."""
    if is_opening and _may_be_opening(tokens):
        return True
    next_words = [*(token.low for token in tokens[1:]), ""]
    return any(_is_doubtful(token, next_word) for token, next_word in zip(tokens, next_words, strict=False))


def _may_be_opening(tokens: Sequence[Token]) -> bool:
    """Whether words before the first act may say who deals or posts."""
    has_name = any(token.kind == "name" for token in tokens)
    return any(token.low in _OPENING_WORDS or (has_name and token.low == "dealer") for token in tokens)


def _is_doubtful(token: Token, next_word: str) -> bool:
    """Whether a word is a number, a card, a correction, a doubt or a ruling; a length of time isn't."""
    if token.low in _UNREAD_WORDS or token.text in "?+=<>%~" or token.low.endswith("n't"):
        return True
    if token.kind == "number":
        return next_word not in _TIME_UNITS
    return token.kind == "text" or (token.kind == "word" and _may_be_card(token))


def _names_unknown_player(tokens: Sequence[Token]) -> bool:
    """Whether somebody whom no list contains may act: `Ed wins`."""
    acts = [token.kind != "name" and token.low in _ACTING for token in tokens]
    starts_with_name = len(tokens) > 1 and may_be_name(tokens[0]) and acts[1] and tokens[0].low not in _GAP_WORDS
    return starts_with_name or (any(acts) and any(may_be_name(token) for token in tokens[1:]))


def _may_be_card(token: Token) -> bool:
    has_digit = any(map(str.isdigit, token.text))
    return bool(split_cards_word(token.text)) or has_digit or (len(token.text) == 1 and token.low not in ("a", "i"))


def may_be_name(token: Token) -> bool:
    """Whether a word may be a name that no list contains."""
    return token.kind == "word" and token.text[:1].isupper() and not token.text.isupper()
