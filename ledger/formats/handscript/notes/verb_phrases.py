"""Verbs of several words, and filler words: `got out of the way`, `after a long think`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_FORMS: Final = {
    form.split()[0]: form.split()
    for form in (
        "bow bows bowed",
        "call calls called",
        "check checks checked",
        "cold colds",
        "come comes came",
        "drop drops dropped",
        "flat flats",
        "get gets got",
        "give gives gave",
        "go goes went",
        "jam jams jammed",
        "knock knocks knocked",
        "lay lays laid",
        "let lets let",
        "look looks looked",
        "make makes made",
        "move moves moved",
        "open opens opened",
        "pay pays paid",
        "pop pops popped",
        "push pushes pushed",
        "put puts put",
        "rap raps rapped",
        "rip rips ripped",
        "see sees saw",
        "stand stands stood",
        "stay stays stayed",
        "step steps stepped",
        "stick sticks stuck",
        "tag tags tagged",
        "tap taps tapped",
        "throw throws threw",
        "flip flips flipped",
        "roll rolls rolled",
        "turn turns turned",
        "toss tosses tossed",
    )
}
_TEMPLATES: Final = {
    "calls": "come along|go along|stay in|stick around|call at once|call immediately|call right away|make the call|"
    "come with|tag along",
    "folds": "give up|give it up|lay it down|let it go|stand aside|step aside|get out of the way|throw it away|"
    "throw it in|toss it in|bow out|drop out|give way|let go|lay down|put it down|step out of the way",
    "checks": "tap the table|rap the table|knock the table|check it|knock on the table|tap the felt",
    "shows": "turn over|flip over|roll over|turn up|open up",
    "all-in": "move in|rip it|rip it in|stick it in|put it all in|get it all in|push it all in|move all chips forward|"
    "move all chips in|push all chips forward|push all chips in|put all the chips in|jam it|push it in|put in the rest|"
    "throw it all in",
}
_FIXED: Final = {
    "calls": "cold calls|cold-calls|cold called|flat calls|flat-calls|flat called|smooth calls|smooth called|snap calls|"
    "snap-calls|snap called|snap-called|tank calls|tank-calls|tank called|tank-called|hero calls|over-calls|overcalled",
    "folds": "open folds|tank folds|tank-folds|tank folded|tank-folded|snap folds|snap-folds|snap folded|check-folds|"
    "check folds|check-folded|quietly folds",
    "raises": "check-raises|check raises|checkraises|check-raised|check raised|iso-raises|iso raises|iso-raised|isos|iso's|"
    "isolates|isolated|min-raises|min-raised|minraises|minraised|min raises|min raised|pops it|popped it|bumps it|bumped it|"
    "kicks it|kicked it|pumps it|pumped it|hikes it|hiked it|squeezes|squeezed|comes over the top|came over the top|"
    "re-pops it|repops it|repopped it|x/r|xr|c/r|repots|re-pots|repotted|puts in a raise|put in a raise|makes a raise|made a raise",
    "opens": "comes in for|came in for|come in for|enters for|entered for|comes in with a raise to|came in with a raise to",
    "bets": "c-bets|c-bet|cbets|cbet|leads out|led out|fires out|fired out|fires again|fired again|bets out|bet out|"
    "donk-bets|donk bets|donk-bet|over-bets|overbets|barrels again|double barrels|double-barrels|bets again|bet again|"
    "stabs at it for|comes out betting|came out betting|comes out firing|came out firing|continues for|continued for|"
    "continuation bets|continuation bet|value bets|value-bets|probes|probed|leads into them for|makes a bet of|made a bet of",
    "all-in": "open-shoves|open shoves|open-jams|open jams|re-shoves|reshoves|re-jams|rejams|3bet jams|3bet shoves|"
    "over-shoves|overshoves|check-shoves|check-jams|bets all in|open shoved|reshoved|says all in|said all in|says all-in|said all-in|announces all in|"
    "announces all-in|announced all in|announced all-in|declares all in|declared all in",
    "button": "dealer button|the dealer button",
    "utg": "under the gun",
    "utg+1": "utg1|under the gun plus one|under the gun +1|utg plus one",
    "mp": "middle position|mid position",
    "lj": "lo-jack|low jack|lowjack",
    "co": "cut-off|cut off",
    "hj": "hi-jack|high jack",
}


def _iter_inflections(template: str) -> Iterator[str]:
    """Yield a phrase in its plain, third-person and past forms."""
    first_word, _, remaining_words = template.partition(" ")
    for form in _FORMS[first_word]:
        yield f"{form} {remaining_words}"


def _build_phrases() -> dict[str, str]:
    """Map each phrase to the word that it is read as."""
    phrases = {phrase: word for word, fixed in _FIXED.items() for phrase in fixed.split("|")}
    for word, templates in _TEMPLATES.items():
        phrases |= {phrase: word for template in templates.split("|") for phrase in _iter_inflections(template)}
    return phrases


PHRASES: Final = _build_phrases()
"""A phrase → the word that it is read as."""

_ADVERB: Final = re.compile(r"[a-z]{3,}ly")
_UNSURE_ADVERBS: Final = frozenset(
    [
        "only",
        "family",
        "reply",
        "apply",
        "rely",
        "probably",
        "possibly",
        "supposedly",
        "apparently",
        "allegedly",
        "nearly",
        "hardly",
        "barely",
        "partly",
        "mostly",
        "reportedly",
        "presumably",
        "blindly",
        "wrongly",
        "mistakenly",
        "accidentally",
        "illegally",
        "incorrectly",
        "early",
        "originally",
        "initially",
        "previously",
        "falsely",
        "prematurely",
        "verbally",
        "seemingly",
        "evidently",
        "respectively",
        "really",
        "finally",
        "sally",
        "billy",
        "molly",
        "polly",
        "kelly",
        "lily",
        "emily",
        "wally",
        "willy",
        "dolly",
        "holly",
        "elly",
        "ally",
        "july",
        "italy",
    ]
)
"""Adverbs that may change what a sentence means, and words that only look like adverbs."""
_THINKING: Final = (
    r"(?:after|with) (?:a|an|some|much)? ?(?:long|short|little|big|deep|brief|great)? ?"
    r"(?:think|thought|tank|pause|while|moment|minute|sigh|shrug|smile|grin|laugh|deliberation|hesitation|groan)"
)
_A_WHILE: Final = (
    r"(?:for |after )?(?:about |nearly |over |almost |a good |some )?(?:a|an|one|two|three|four|five|ten|twenty|thirty|sixty|\d{1,3}|"
    r"several|a few|a couple of|a full|half a) (?:full )?(?:seconds?|secs?|minutes?|mins?)(?! break)"
)
FILLERS: Final = re.compile(
    rf"(?:{_THINKING}|{_A_WHILE}|for a (?:long |little )?(?:time|while|moment|minute)|in the end|right away|at once|on the spot|this time|"
    r"for value|as a bluff|in position|out of position|as well|of course|in tempo|in a flash|at length|without hesitation|"
    r"without a word|once more|yet again|finally|in turn|(?:his|her|my|the) option|too(?! much| many| big| small| low| late| early| soon)|for the moment|as usual)(?![a-z0-9])",
    re.IGNORECASE,
)
"""Words that change no act."""


def is_filler(word: str) -> bool:
    """Whether a word is an adverb that changes no act: `quickly`."""
    return bool(_ADVERB.fullmatch(word)) and word not in _UNSURE_ADVERBS
