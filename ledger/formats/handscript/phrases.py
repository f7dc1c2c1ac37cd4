"""Table phrases and their lines in handscript: `4 rebuys 300`, `flop taken back`, `burn and turn 8h`.

A phrase is a pattern over the words of a line. `UNAMBIGUOUS` phrases are read. `ADVISED` phrases leave something open,
so the writer is shown the lines that they may mean. Phrases never add a player, chips or a card that neither the line
nor the table has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.formats.handscript import tableside
from ledger.formats.handscript.cards import normalize_cards
from ledger.formats.handscript.context import Context
from ledger.formats.handscript.counts import is_few
from ledger.formats.handscript.tokens import TAIL, Group, get_text, is_quoted, quote

PhraseGroups: TypeAlias = dict[str, str]
LineWriter: TypeAlias = Callable[[PhraseGroups, Context], str]
"""Returns the lines for a pattern's groups, separated by semicolons, or "" if they don't fit the table."""


class ScriptPhrase(NamedTuple):
    """A phrase: its pattern, and the lines that it means."""

    pattern: str
    lines: str | LineWriter
    hint: str = ""

    def build_lines(self, text: str, context: Context) -> str:
        """Return the lines that a matching text means at a table, or "" if they don't fit."""
        match = _compile_pattern(self.pattern).fullmatch(text)
        groups = {name: _group(name, value) for name, value in match.groupdict().items()} if match else {}
        amount = groups.get("amount")
        if amount and f"{amount} chips" in text and is_few(amount, context):
            return ""  # a number of chips of unknown value
        return self.lines(groups, context) if callable(self.lines) else " ".join(self.lines.format(**groups).split())

    def build_hint(self, text: str) -> str:
        """Return the hint for a matching text."""
        match = _compile_pattern(self.pattern).fullmatch(text)
        return self.hint.format(**match.groupdict()) if match else ""


_CARD: Final = "(?:(?:10|[2-9TJQKA])[shdc♠♥♦♣]|jk|[?][?])"
_NAME: Final = '(?-i:[A-Z])[^ "]*'
_SLOTS: Final = {
    "SEAT": "(?P<seat>[0-9]{1,3})",
    "AMOUNT": r"(?P<amount>[0-9]+(?:\.[0-9]+)?)",
    "CARDS": f"(?P<cards>{_CARD}(?: ?{_CARD})*)",
    "CARD": f"(?P<card>{_CARD})",
    "OTHER": f"(?P<other>{_CARD})",
    "NAME": f'(?P<name>{_NAME}(?: {_NAME})?(?: {_NAME})?|"[^"]+")',
    "STREET": "(?P<street>flop|turn|river)",
    "WHO": "(?P<who>dealer|floor|player)",
    "COUNT": "(?P<count>[0-9])",
}
_SLOT: Final = re.compile(r"\b(?:SEAT|AMOUNT|CARDS|CARD|OTHER|NAME|STREET|WHO|COUNT)\b")
_OF_CARDS: Final = frozenset(("cards", "card", "other"))


def _group(name: str, value: str | None) -> str:
    """Return a pattern's group in handscript's notation."""
    if value is None:
        return ""
    if name in _OF_CARDS:
        return " ".join(filter(None, map(normalize_cards, value.split())))
    if name == "name":
        return quote(value.strip(_QUOTE)) if " " in value else value
    return value.lower()


_QUOTE: Final = '"'


def phrase(pattern: str, lines: str | LineWriter, hint: str = "") -> ScriptPhrase:
    """Build a phrase from its pattern. Words in capitals are placeholders for values."""
    return ScriptPhrase(pattern, lines, hint)


@cache
def _compile_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a pattern with its placeholders, on first use."""
    return re.compile(_SLOT.sub(lambda slot: _SLOTS[slot[0]], pattern), re.IGNORECASE)


def normalize_phrase_text(words: Sequence[str]) -> str:
    """Join the words of a line to a text for matching, or return "" if the line contains quotes or groups."""
    if any(isinstance(word, Group) or TAIL in word for word in words):
        return ""
    return " ".join(quote(get_text(word)) if is_quoted(word) else str(word) for word in words)


def find_meanings(phrases: tuple[ScriptPhrase, ...], text: str, context: Context) -> Iterator[tuple[ScriptPhrase, str]]:
    """Yield each phrase that matches a text, with its lines."""
    for candidate in _match_phrases(phrases, text):
        try:
            lines = candidate.build_lines(text, context)
        except UnreadableHandError:  # an amount finer than the table's unit
            continue
        if lines:
            yield candidate, lines


def split_lines(lines: str) -> list[str]:
    """Split lines at semicolons outside quotes."""
    line_parts: list[str] = []
    for part in lines.split("; "):
        if line_parts and (line_parts[-1].count(_QUOTE) - line_parts[-1].count("\\" + _QUOTE)) % 2:
            line_parts[-1] += f"; {part}"
        else:
            line_parts.append(part)
    return line_parts


@lru_cache(maxsize=2048)
def _match_phrases(phrases: tuple[ScriptPhrase, ...], text: str) -> tuple[ScriptPhrase, ...]:
    """Return the phrases that match a text. Cached, because a night repeats most of its lines."""
    return tuple(candidate for candidate in phrases if _compile_pattern(candidate.pattern).fullmatch(text))


_MONEY: Final = (
    r"(?:in |for |with |by )*AMOUNT(?: (?:more|in chips|chips|dollars|behind|to (?:his|her|the|their) stack))*"
)
_DECK: Final = r"(?: deck (?P<deck>[0-9]+))?"
_STACK: Final = "(?:with|for) AMOUNT(?: in chips| chips)?"
_JOINS: Final = "(?:sits?(?: down)?|joins?|takes?|took|sat(?: down)?)(?: in| at| on)?"
_WITHDRAWN: Final = r"(?:taken|pulled|put|brought) back(?: up)?|withdrawn|retracted|taken off"
_NO_BURN: Final = r"(?:no|without a|without|missing|no card|with no) burn(?:ed|t)?(?: card)?"
_PREMATURE: Final = r"(?:too early|too soon|early|prematurely?|before (?:the )?(?:betting|action) (?:was|is) (?:over|done|complete|closed))"
_MISDEALT: Final = "(?:calls?|called|declares?|declared|rules?|ruled)"
_ALL: Final = "(?:all|all players|all of them|they all|everybody|everyone|it is|it|action is)"
_ADDED: Final = "If you know how much was added, write: {seat} adds AMOUNT"
_BURNED_TWICE: Final = "If nobody said so at the table, write the burns alone, each on a line."
_FOR: Final = "(?:for|instead of|in place of|in exchange for)"
_CARD_COUNT: Final = "(?:[0-9]{1,2}|two|three|four|five|some|several|his|her|both)(?: hole)?"
_HOLDS: Final = r"(?: (?:is|was|has|had|holds|held|count|counts|counted|at|of|comes to|came to))*"
_SHIFT: Final = r"(?: (?:for |of )?(?:the )?(?P<shift>[a-z]+) shift| shift (?P<shift_name>[a-z]+))?"
_FUND_PAID: Final = r"(?:the )?(?P<fund>jackpot|promo(?:tion)?)(?: is| was)?[- ]paid(?: out)?"

UNAMBIGUOUS: Final[tuple[ScriptPhrase, ...]] = (
    # who is there
    phrase(r"SEAT (?:sits?|sat) out (?:the )?next hand", "{seat} away next-hand"),
    phrase(
        r"SEAT (?:is )?(?:sits?|sat|sitting|stays?|stayed|goes|went|steps?|stepped|walks?|walked) (?:out|away|off)"
        r"(?: (?:of|from) the (?:game|table|room))?",
        "{seat} away",
    ),
    phrase(r"SEAT (?:takes?|took|is taking|(?:is |goes |went )?on) (?:a )?(?:break|walk)", "{seat} away"),
    phrase(
        r"SEAT (?:is |comes? |came |gets? |got |goes |went )?back(?: in| at the table| to the (?:game|table))?(?: again)?",
        "{seat} back",
    ),
    phrase(r"SEAT (?:returns?|returned)(?: to (?:the |his |her )?(?:game|table|seat))?", "{seat} back"),
    phrase(
        r"SEAT (?:sits?|sat|sitting) (?:back(?: in| down)?|(?:in|down) again|in|down)",
        lambda found, context: f"{found['seat']} back" if tableside.write_player(found["seat"], context) else "",
    ),
    phrase(
        r"SEAT (?:(?:leaves|leave|left|quits?)(?: (?:the|this|our))?(?: (?:table|game|seat|for good|for the (?:night|day)))?"
        r"|(?:goes|went|going) home|cashes? out and leaves)",
        tableside.leave_table,
    ),
    phrase(
        r"SEAT (?:leaves?|left)(?: the table)? (?:busted|broke)", lambda f, c: tableside.leave_table(f, c, "busted")
    ),
    phrase(
        r"SEAT (?:leaves?|left|quits?)(?: the (?:table|game)| seat [0-9]+)? with AMOUNT(?: in chips| chips)?",
        lambda f, c: tableside.leave_table(f, c, f"stack {f['amount']}"),
    ),
    phrase(
        r"SEAT (?:cashes|cash|cashed|cashing) out(?: with| for)?(?: AMOUNT(?: in chips| chips)?)?",
        lambda f, c: (
            "" if c.state.opened else tableside.leave_table(f, c, f"stack {f['amount']}" if f["amount"] else "")
        ),
    ),
    phrase(rf"SEAT sits?(?: down)? NAME {_STACK}", "{seat} sits {name} stack {amount}"),
    phrase(rf"(?:(?:a )?new player )?NAME {_JOINS} seat SEAT {_STACK}", "{seat} sits {name} stack {amount}"),
    phrase(rf"(?:(?:a )?new player )?NAME {_JOINS} seat SEAT", "{seat} sits {name}"),
    phrase(rf"(?:a )?new player NAME(?: in| at|,)? seat SEAT {_STACK}", "{seat} sits {name} stack {amount}"),
    phrase(r"SEAT (?:is )?(?:waits?|waiting)(?: for)?(?: the)? (?:big blind|bb|big)", "{seat} waits for big-blind"),
    phrase(
        r"SEAT (?:is )?waiting",
        lambda f, c: (
            "" if int(f["seat"]) in c.state.live else f"{f['seat']} waits"
        ),  # with cards it is no wait for a blind
    ),
    phrase(
        r"SEAT (?:is given|was given|gets?|got|has)?(?: a| the)? ?missed[- ](?:(?P<blind>big|small)[- ])?blinds? (?:button|marker)",
        lambda f, _: f"{f['seat']} marker missed-{f['blind'] or 'blind'}",
    ),
    phrase(r"(?:the )?(?:new|next) dealer(?: is|:)? NAME", "dealer {name}"),
    phrase(
        r"(?:(?:a )?new deck|decks? (?:change|changed|is changed)|change of decks?)(?: (?:in play|comes in))?",
        "deck-changed",
    ),
    phrase(r"(?:(?:the )?floor(?: is| was)?(?: called)?|(?:calls?|called)(?: for)?(?: the)? floor)", "floor-called"),
    phrase(r"SEAT (?:calls?|called|asks?)(?: for)?(?: the)? floor", "floor-called by player seat {seat}"),
    phrase(r"(?:the )?table (?:has |is )?(?:breaks|broke|broken|closes|closed)", "game-broken"),
    phrase(r"(?:the )?table (?:is )?paused", "paused"),
    phrase(r"(?:the )?table resumes", "resumed"),
    phrase(r"SEAT (?:buys?|bought) (?:the )?button(?: for AMOUNT)?", "{seat} buys-button {amount}"),
    phrase(
        r"SEAT (?:takes?|took|removes?) AMOUNT (?:off|from)(?: the table| his stack| her stack)?",
        "{seat} removes {amount}",
    ),
    phrase(r"SEAT (?:stands?|stood|gets|got) up(?: (?:from|and leaves) the (?:table|game))?", tableside.stand_up),
    phrase(r"SEAT (?:busts?(?: out)?|busted(?: out)?|is (?:busted|broke|felted))", "{seat} busts"),
    # chips
    phrase(rf"SEAT (?:re-?buys?|re-?bought|re-?loads?|re-?loaded) {_MONEY}", "{seat} adds {amount} rebuy"),
    phrase(rf"SEAT (?:takes? |took )?(?:a )?re-?buy(?: of)? {_MONEY}", "{seat} adds {amount} rebuy"),
    phrase(rf"SEAT (?:tops?|topped)[ -](?:up|off) {_MONEY}", "{seat} adds {amount} top-up"),
    phrase(rf"SEAT (?:buys?|bought)[ -]in {_MONEY}", "{seat} adds {amount} buy-in"),
    phrase(rf"SEAT (?:takes? |took )?(?:the |an )?add-?s?[ -]on(?: of)? {_MONEY}", "{seat} adds {amount} add-on"),
    phrase(rf"SEAT (?:buys?|bought|adds?|added) {_MONEY}", "{seat} adds {amount}"),
    phrase(r"SEAT (?:pays?|paid)(?: for)? time(?: charge)?(?: of)? AMOUNT", "{seat} time-charge {amount}"),
    # the money around the table
    phrase(
        rf"(?:the )?(?P<box>drop|jackpot|promo(?:tion)?)[- ]box{_HOLDS} AMOUNT(?: in chips| chips)?{_SHIFT}",
        lambda found, _: tableside.count_box(found),
    ),
    phrase(rf"box drop{_HOLDS} AMOUNT{_SHIFT}", lambda found, _: tableside.count_box(found)),
    phrase(rf"(?:the )?(?:dealer's )?(?:chip )?tray{_HOLDS} AMOUNT(?: in chips| chips)?", "tray {amount}"),
    phrase(r"(?:a |the )?(?P<what>fill|credit)(?: slip)?(?: of| for| is| was)? AMOUNT", "{what} {amount}"),
    phrase(rf"{_FUND_PAID} (?:to )?seat SEAT (?:for )?AMOUNT", tableside.pay_fund),
    phrase(rf"{_FUND_PAID} AMOUNT to seat SEAT", tableside.pay_fund),
    phrase(rf"{_FUND_PAID} AMOUNT to NAME", tableside.pay_fund),
    # words
    phrase(
        r"SEAT (?:announces?|announced|declares?|declared) (?P<what>fold|check|call|bet|raise|all-in|all in)"
        r"s?(?: (?:to |of )?AMOUNT)?",
        lambda found, _: f"{found['seat']} says {found['what'].replace(' ', '-')} {found['amount']}".strip(),
    ),
    phrase(r"SEAT (?:plays?|played|is playing) (?:the )?board", "{seat} plays-board"),
    phrase(
        r"SEAT calls? (?:the )?(?:bet |raise |all-in )?(?:of |by )?seat (?P<other_seat>[0-9]{1,2})(?:'s)?(?: (?:bet|raise|all-in))?",
        tableside.call_seat_bet,
    ),
    phrase(r"SEAT (?:flats|flat calls|flat-calls|limps|limps in|overcalls|calls it)", "{seat} calls"),
    phrase(r"SEAT (?:opens?|opened|leads?|led)(?: out)?(?: to| for| with)? AMOUNT", tableside.open_betting),
    phrase(
        r"SEAT (?:collects?|collected|scoops?|scooped|rakes in|drags|is paid|was paid|takes down) AMOUNT"
        r"(?: (?:from|out of) (?:the )?pot| in chips)?",
        "{seat} wins {amount}",
    ),
    phrase(
        r"uncalled(?: bet)?(?: of)? AMOUNT (?:is |was )?(?:returned|goes back|given back|back) to (?:seat )?SEAT",
        "{seat} uncalled {amount}",
    ),
    phrase(r"SEAT [2-9][- ]?bets?(?: it)? to AMOUNT", "{seat} raises to {amount}"),
    phrase(
        r"SEAT (?:open[- ])?(?:folds?|folded)(?: face up| showing| with| shows| and shows)? CARDS",
        "{seat} folds {cards}",
    ),
    phrase(
        r"SEAT (?:posts? |makes? |puts? (?:on|out|up) )?(?:a |the )?(?:live )?straddles?(?: of| to| for)? AMOUNT",
        "{seat} straddles {amount}",
    ),
    phrase(r"SEAT (?:posts?|puts? (?:in|up)) (?:an |the |his |her )?ante(?: of)? AMOUNT", "{seat} antes {amount}"),
    phrase(rf"{_ALL} antes?(?: up)?(?: for)? AMOUNT", tableside.ante_all),
    # cards
    phrase(
        rf"SEAT (?:gets?|got|takes?|is given) (?:a |an |the )?CARD {_FOR} (?:a |the )?OTHER",
        "{seat} swaps {other} for {card}",
    ),
    phrase(
        r"SEAT (?:'?s )?(?:replaces?|replaced|exchanges?|exchanged|swaps?|swapped|changes?|changed) (?:the )?CARD "
        r"(?:is )?(?:by|with|for|against|to) (?:the )?OTHER",
        "{seat} swaps {card} for {other}",
    ),
    phrase(
        r"(?:seat )?SEAT (?:'s )?CARD (?:is |was )?(?:replaced|exchanged) (?:by|with|for) (?:the )?OTHER",
        "{seat} swaps {card} for {other}",
    ),
    phrase(
        r"(?P<who>dealer|player) (?:exposes?|exposed|flashes|flashed|turns up) (?:the )?seat SEAT CARD" + _DECK,
        lambda found, _: (
            f"exposed {found['card']} seat {found['seat']} by {found['who']}"
            + (f" deck {found['deck']}" if found["deck"] else "")
        ),
    ),
    phrase(r"SEAT (?:tables?|tabled|turns over|turned over|rolls over|opens) CARDS", "{seat} shows {cards}"),
    phrase(
        r"(?:the )?CARD (?:of|from|in) seat SEAT (?:is |was )?(?:replaced|exchanged) (?:by|with|for) (?:the )?OTHER",
        "{seat} swaps {card} for {other}",
    ),
    phrase(r"SEAT (?:has|had|holds?|held) COUNT (?:hole |down ?)?cards?", tableside.report_card_count),
    phrase(r"SEAT (?:gets?|got|was dealt|is dealt) COUNT (?:hole |down ?)?cards?", tableside.report_too_many_cards),
    phrase(r"(?:an )?extra card (?:to |for |at |in |on |goes to |went to |dealt to )?seat SEAT", "{seat} gets-extra"),
    phrase(
        r"SEAT (?:has|had|gets?|got|is dealt|was dealt) (?:an? |the )?extra card(?: CARD)?", "{seat} gets-extra {card}"
    ),
    phrase(r"SEAT (?:has |had |holds |held |finds |found |gets |got )?(?:a |the )?joker", "joker seat {seat}"),
    phrase(r"(?:a )?joker (?:in|at|for|to|with|on) (?:the hand of )?seat SEAT", "joker seat {seat}"),
    phrase(rf"(?:the )?WHO {_MISDEALT} (?:it )?(?:a )?mis-?deal", "misdeal by {who}"),
    phrase(
        rf"(?:the )?WHO {_MISDEALT} (?:it )?(?:a )?mis-?deal (?P<why>wrong[- ]count|extra[- ]card|boxed[- ]card|joker)",
        lambda found, _: f"misdeal {found['why'].replace(' ', '-')} by {found['who']}",
    ),
    phrase(
        rf"(?:(?:the )?WHO {_MISDEALT} (?:it )?(?:a )?)?mis-?deal[,:]?(?: as| because| for)?"
        r"(?: (?:a|an|one|two|three|four|[0-9]))?(?: hole)?(?: cards?)?(?: (?:was|were|is|are))? exposed(?: cards?)?",
        lambda found, _: f"misdeal exposed-card by {found['who']}" if found["who"] else "misdeal exposed-card",
    ),
    phrase(
        rf"(?:the )?STREET (?:cards? )?CARDS (?:is |was |are |were )?(?:{_WITHDRAWN})", "withdrawn {street} {cards}"
    ),
    phrase(rf"(?:the )?STREET(?: cards?)? (?:is |was |are |were )?(?:{_WITHDRAWN})", tableside.withdraw_street),
    phrase(r"(?:(?:the )?dealer )?(?:takes|took) back the STREET", tableside.withdraw_street),
    phrase(r"(?:(?:the|a) )?(?:new|redeal|re-deal|redealt|re-dealt|replacement) STREET CARDS", tableside.redeal_street),
    phrase(r"STREET (?:redealt|re-dealt|dealt again|again) CARDS", tableside.redeal_street),
    phrase(
        r"(?:(?:the )?(?:dealer|deck) )?(?:is |was )?(?:re)?shuffle[sd]?(?:,| and| the deck and|, and|) cuts?(?: the deck)?",
        "shuffle; cut",
    ),
    phrase(
        r"burn[st]?(?:ed)? 2 cards?|2 cards (?:are |were )?burn(?:ed|t)|two cards (?:are |were )?burn(?:ed|t)",
        tableside.burn_two_cards,
    ),
    phrase(r"burn[st]?(?:ed)? two cards?", tableside.burn_two_cards),
    phrase(
        r"(?:the )?(?:dealer )?burns?(?:,| and|, and|) (?:deals |turns )?(?:the )?STREET CARDS", tableside.burn_and_deal
    ),
    phrase(
        r"(?P<who>dealer|player) (?:exposes?|exposed|flashes|flashed|shows|turns up) (?:the )?CARD (?:of |from |to |in |at |on )?seat SEAT"
        + _DECK,
        lambda found, _: (
            f"exposed {found['card']} seat {found['seat']} by {found['who']}"
            + (f" deck {found['deck']}" if found["deck"] else "")
        ),
    ),
    phrase(
        r"(?P<who>dealer) (?:exposes?|exposed|flashes|flashed|turns up) (?:the )?CARD" + _DECK,
        lambda found, _: (
            f"exposed {found['card']} by {found['who']}" + (f" deck {found['deck']}" if found["deck"] else "")
        ),
    ),
    phrase(r"(?:a )?boxed(?: card)? CARD", "boxed {card}"),
    phrase(r"(?:the )?CARD (?:is |was |lies )?boxed", "boxed {card}"),
    # several at once
    phrase(rf"{_ALL} (?:checks?|checked)(?: it)?(?: around| through| down)?", tableside.check_all),
    phrase(r"(?:is )?(?:checks?|checked) (?:around|through)", tableside.check_all),
    phrase(rf"(?:{_ALL} )?(?:folds?|folded)(?: around)? to (?:seat )?SEAT", tableside.fold_to),
)
"""Phrases with a single meaning, which are read."""

ADVISED: Final[tuple[ScriptPhrase, ...]] = (
    phrase(
        r"SEAT calls? (?:with|using|by throwing in) (?:a|an|one|1)(?: single)? AMOUNT(?:[- ](?:dollar|unit))? chip",
        "{seat} moves {amount} chips {amount}; {seat} calls",
        "The chip is one line, the call another.",
    ),
    phrase(
        r"SEAT (?P<verb>calls|bets|posts|antes) with (?:[0-9]+|two|three|four|five)(?: \w+)? chips",
        lambda found, _: f"{found['seat']} calls" if found["verb"] == "calls" else "",
        "Chips are told by their values, as in: {seat} moves 10 chips 5/5",
    ),
    phrase(
        r"SEAT (?P<act>calls?|bets?|raises? to|straddles|posts small|posts big) AMOUNT (?:with|using|by throwing in) "
        r"(?:a|an|one|1)(?: single)? (?P<chip>[0-9.]+)(?:[- ](?:dollar|unit))? chip",
        "{seat} moves {chip} chips {chip}; {seat} {act} {amount}",
        "The chip is one line, the act another.",
    ),
    phrase(
        r"SEAT (?P<act>calls?|bets?|raises? to|straddles|posts small|posts big) AMOUNT (?:with|using|in) "
        r"(?:[0-9]+|two|three|four|five)(?: \w+)? chips",
        "{seat} {act} {amount}",
        "Chips are told by their values, as in: {seat} moves 10 chips 5/5",
    ),
    phrase(
        r"SEAT (?:throws?|threw|tosses|tossed|puts?|places?) (?:in |out )?(?:a|an|one|1)(?: single)? "
        r"AMOUNT(?:[- ](?:dollar|unit))? chip(?: in| out| forward)?",
        "{seat} moves {amount} chips {amount}",
        "Then write what it was: {seat} calls, bets or raises.",
    ),
    phrase(
        r"SEAT calls? with (?:a|an|one|his|her|some|two|three|four)(?: [a-z]+)? chips?",
        "{seat} calls",
        "Chips are told by their values, as in: {seat} moves 10 chips 5/5",
    ),
    phrase(
        r"SEAT (?P<act>calls?|bets?|raises?) out of turn(?: (?P<to>to))? AMOUNT",
        lambda f, _: (
            f"{f['seat']} {f['act'].rstrip('s')}s {'to ' if f['act'].startswith('raise') else ''}{f['amount']}"
        ),
    ),
    phrase(
        r"SEAT (?:gets?|got|is dealt) (?:a |the )?CARD(?:,)? (?:face[- ]?up|exposed)",
        "{seat} gets {card}; exposed {card} seat {seat}",
    ),
    phrase(r"(?:(?:the )?WHO .*)?mis-?deal[,:]? .*\bexposed\b.*", "misdeal exposed-card"),
    phrase(r"(?:the )?dealer misdeals?|(?:the )?dealer misdealt", "misdeal"),
    phrase(r"(?:the )?table (?:(?:is|goes) on |takes )?(?:a )?break", "paused break"),
    phrase(r"(?:the )?table (?P<name>\S+) (?:has |is )?(?:breaks|broke|broken|closes|closed)", tableside.close_table),
    phrase(
        rf"{_CARD_COUNT} cards (?:(?:was|were|are|is|got|get) )?(?:exposed|flashed)(?: by (?:the )?WHO)?",
        lambda f, _: "exposed CARDS" + (f" by {f['who']}" if f["who"] else ""),
    ),
    phrase(rf"(?:exposed {_CARD_COUNT} cards|{_CARD_COUNT} exposed cards)", "exposed CARDS"),
    phrase(rf"(?:seat )?SEAT (?:exposes?|exposed|flashes|flashed) {_CARD_COUNT} cards", "exposed CARDS seat {seat}"),
    phrase(r"(?:no|dead|missing) (?P<role>small|big)(?: blind)?", "skipped {role}"),
    phrase(r"SEAT calls? with COUNT (?:hole )?cards", tableside.call_with_cards),
    phrase(
        r"SEAT calls? (?:the )?(?:bet |raise |all-in )?(?:of |by )?seat [0-9]+(?:'s)?(?: (?:bet|raise))?",
        "{seat} calls",
    ),
    phrase(
        rf"SEAT (?:rebuys?|tops? (?:up|off)|adds? on|reloads?) (?:back )?to {_MONEY}", "{seat} counted {amount}", _ADDED
    ),
    phrase(r"SEAT (?:stands?|stood|gets|got) up(?: .*)?", tableside.stand_up_in_hand),
    phrase(
        rf"SEAT (?:puts?|throws?|tosses|threw|pushes|slides) (?:in |out )?{_MONEY}(?: in(?:to the pot)?| forward)?",
        tableside.put_chips_in,
        "Say what it was: a bet, a call or a raise. A motion of chips is written: moves.",
    ),
    phrase(
        r"SEAT (?:makes a |made a )?string[- ](?P<act>raise|bet)[sd]?(?: (?:to |of )?AMOUNT)?",
        tableside.write_string_act,
        "If it was held to be a call, write: {seat} calls",
    ),
    phrase(r"SEAT [2-9][- ]?bets? AMOUNT", "{seat} raises to {amount}"),
    phrase(r"SEAT (?:is |hand is |hand )?foul(?:ed)?", "{seat} killed fouled"),
    phrase(
        r"(?:(?:the )?hand (?:of|in) )?(?:seat )?SEAT (?:hand )?(?:is |was )?(?:dead|declared dead)", "{seat} killed"
    ),
    phrase(r"(?:seat )?SEAT (?:has a )?dead hand", "{seat} killed"),
    phrase(r"dead hand(?: in| for)?(?: seat)? SEAT", "{seat} killed"),
    phrase(
        r"(?:the )?WHO (?:kills|killed|mucks|mucked) (?:the )?hand (?:of|in) (?:seat )?SEAT", "{seat} killed by {who}"
    ),
    phrase(r"SEAT (?:has|holds) CARDS", "{seat} shows {cards}", "If it was not shown to all, write: {seat} held CARDS"),
    phrase(rf"SEAT (?:gets?|got|takes?|took|is given|was given) back {_MONEY}", tableside.return_chips),
    phrase(rf"SEAT (?:gets?|got|takes?|took|is given|was given) {_MONEY} back", tableside.return_chips),
    phrase(
        r"(?:the )?(?:dealer )?(?:double|two|2)[- ]burn(?:s|ed)?|(?:(?:the )?dealer )?burn(?:s|ed|t)? twice",
        "noticed double-burn",
        _BURNED_TWICE,
    ),
    phrase(_NO_BURN, "noticed no-burn"),
    phrase(
        r"(?:the )?(?:dealer )?(?:forgets|forgot|skips|skipped|did not|does not|didn't|doesn't) (?:to |the )?burn",
        "noticed no-burn by dealer",
    ),
    phrase(rf"STREET (?:is |was )?CARDS {_NO_BURN}", "{street} {cards}; noticed no-burn"),
    phrase(r"(?:early|premature) STREET(?: CARDS)?", tableside.deal_too_early),
    phrase(rf"STREET (?:is |was |comes? |came |dealt )?{_PREMATURE}", tableside.deal_too_early),
    phrase(rf"STREET (?:is |was )?CARDS (?:is |was |came |dealt )?{_PREMATURE}", tableside.deal_too_early),
    phrase(
        r"(?:(?:the|a) )?(?:new|redeal|re-deal|redealt|replacement) STREET CARDS",
        "withdrawn {street} CARDS; {street} {cards}",
    ),
    phrase(rf"(?:the )?STREET(?: cards?)? (?:is |was |are |were )?(?:{_WITHDRAWN})", "withdrawn {street} CARDS"),
    phrase(r"SEAT (?:buys?|bought)[ -]in(?: .* chips)?", "{seat} adds AMOUNT buy-in"),
    phrase(r"SEAT (?:rebuys?|rebought|re-buys?|reloads?)(?: .* chips)?", "{seat} adds AMOUNT rebuy"),
    phrase(r"SEAT tops? (?:up|off)(?: .* chips)?", "{seat} adds AMOUNT top-up"),
    phrase(r"SEAT breaks?", "{seat} away"),
    phrase(
        r"agreed (?P<what>\S+) (?P<seats>[0-9]{1,2}(?:,?(?: and)? (?:seat )?[0-9]{1,2})+)", tableside.write_agreement
    ),
    phrase(r"SEAT (?:buys?|bought)(?: .*)? chips", "{seat} adds AMOUNT"),
    phrase(r"SEAT (?:leaves?|left) AMOUNT", lambda f, c: tableside.leave_table(f, c, f"stack {f['amount']}")),
    phrase(r"SEAT (?:goes|went) south(?: with)? AMOUNT", "{seat} removes {amount}"),
    phrase(r"SEAT (?:keeps?|kept|stays? with|plays?|has) (?:the |his |her )?CARD", 'remark "seat {seat} keeps {card}"'),
    phrase(r"SEAT (?:has|had|holds?) COUNT (?:hole )?cards?", 'remark "seat {seat} has {count} cards"'),
)
"""Phrases that leave something open, which get advice. Words in capitals are placeholders."""


def is_phrase(text: str) -> bool:
    """Whether a text matches a phrase at any table."""
    return bool(_match_phrases(UNAMBIGUOUS, text) or _match_phrases(ADVISED, text))


def list_patterns() -> list[re.Pattern[str]]:
    """Return the pattern of every phrase."""
    return [_compile_pattern(spoken_phrase.pattern) for spoken_phrase in (*UNAMBIGUOUS, *ADVISED)]
