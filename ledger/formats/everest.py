"""Reader of the XML of Everest Poker, as stored by its client.

`docs/formats/everest.md` has the table from element to event, and what the format cannot say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, HandCompleted, ResultDeclared
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.presence import WordsSaid
from ledger.readers import acts, amounts, currencies, games, markup, timestamps
from ledger.readers.cards import CARD_WORDS, build_card_reader, map_unknown_cards
from ledger.readers.document_hand import DocumentChair, DocumentHeader
from ledger.readers.marked import MarkupSource, Tag, parse_lowercase_attributes, replace_entities
from ledger.readers.markup import HandTags, MarkupPart, TagNode
from ledger.readers.phrases import build_rows
from ledger.readers.xml_hand import XmlHand, build_xml_format
from ledger.vocabulary import Cards, Chips, Seat, Witness

cards: Final = build_card_reader({**CARD_WORDS, **map_unknown_cards("--", "??")})
"""Parses `10h, Kd`; returns None if one of them isn't a card."""

HUNDREDTHS: Final = 2
"""The exponent of all amounts: cents, and hundredths of a chip in tournaments."""

_MAX_VALUE: Final = 200
_WORDS_MOST: Final = 2000
_DIGITS_MOST: Final = 12
_CACHE_SIZE: Final = 20_000
_BLANK: Final = " \t\r\n\0\ufeff\x1a"


@lru_cache(maxsize=_CACHE_SIZE)
def parse_whole_cents(text: str) -> Chips | None:
    """Parse a whole number of cents; return None for other text."""
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < _DIGITS_MOST else None


def parse_stakes(text: str) -> tuple[Chips, ...]:
    """Parse the amounts of `0,01 €/0,02 €`; return () for other text."""
    stake_amounts = [amounts.read_or_none("".join(stake.split()), HUNDREDTHS) for stake in text.split("/")]
    return (
        tuple(stake for stake in stake_amounts if stake is not None)
        if len(stake_amounts) < 3 and None not in stake_amounts
        else ()
    )


@dataclass(frozen=True, slots=True)
class EverestSession:
    """The facts that all hands of a session share."""

    table: str
    tournament: str
    variant: str
    betting: Betting
    unit: str
    written: str


def read_session(source: MarkupSource, head: list[Tag]) -> EverestSession:
    """Read a session's tag. Raise `UnreadableHandError` if the game is unknown."""
    values = parse_lowercase_attributes(source, next(tag for tag in head if tag.name == "session"))
    game, limit = values.get("game", "").strip()[:_MAX_VALUE], values.get("gametype", "").strip()[:_MAX_VALUE]
    variant = games.find_variant(game.lower().removesuffix("tournament").strip(" -"), games.FLOP)
    betting = games.LIMITS.get(limit.lower().replace("-", " "))
    if variant is None or betting is None:
        raise games.unknown_game(game, limit)
    table = values.get("tablename", "").strip()[:_MAX_VALUE]
    ring = values.get("type", "ring").strip().lower() == "ring"
    unit = currencies.find_currency(values.get("money", "")) or "chips" if ring else "chips"
    return EverestSession(
        table,
        "" if ring else values.get("id", "").strip()[:_MAX_VALUE] or table,
        variant,
        betting,
        unit,
        f"{game} {limit}",
    )


class EverestHand(XmlHand):
    """Reads a hand."""

    VENUE = "Everest"
    WITNESSES = Witness.from_names(
        "BUTTON POSTS POST_LIVENESS STACKS_BEFORE ACTS BOARD SHOWDOWN AWARDS POTS DROP RETURNED_BETS CHAT"
    )
    HAND_TAG, SHARED_TAG = "hand", "session"
    MISSING_HINT = "Which game is played, and where, stands in the session before a file's hands."
    PLAYER_MEMBER, AMOUNT_MEMBER, FIRST_CHAIR = "position", "amount", 0

    @classmethod
    def sort_tags(cls, source: MarkupSource, part: MarkupPart) -> HandTags:
        """Return a hand's elements in order with their texts. End tags count only if text follows them."""
        inner, text_source, nodes = part.inner, source.without_comments, []
        stops = [tag.start for tag in inner[1:]]
        for tag, stop in zip(inner, [*stops, part.stop], strict=True):
            name, _, tag_end = tag
            words = text_source[tag_end:stop]
            if words and not words.isspace():
                words = words.rstrip(_BLANK)
                text = replace_entities(source.decode_value(words)).strip()
                nodes.append(TagNode(tag, parse_lowercase_attributes(source, tag), tag_end + len(words), text=text))
            elif name[0] != "/":
                nodes.append(TagNode(tag, parse_lowercase_attributes(source, tag), tag_end))
        return HandTags(nodes[0].attributes, {"": nodes}, inner, part.stop)

    def read_parts(self) -> None:
        """Add the events of all parts, in the hand's order."""
        first, *lines = self.lines[""]
        self.total: tuple[TagNode, Chips, Chips, Chips] | None = None  # the last pot, its rake, its tax
        self.acting = [(line, self.find_chair_seat(line.get("position"))) for line in lines if line.tag.name in BUSY]
        self.busy = {seat for _, seat in self.acting}
        self.has_hole_cards = any(line.tag.name == "hole" for line in lines)
        self.take_seats(self.sort_by_chair((line for line in lines if line.tag.name == "seat"), "position"))
        dealer = next((line for line in lines if line.tag.name == "dealer"), None)
        if dealer is not None and not self.place_button(dealer, self.find_chair_seat(dealer.get("position"))):
            self.add_unread_stretch(dealer.tag.start, dealer.tag.stop)
        for line in lines:
            self.read_tag(line)
        if first.text:
            self.add_unread_stretch(first.tag.stop, first.stop)
        self.settle()

    def read_tag(self, line: TagNode) -> None:
        """Read a tag and the text after it. Keep unknown tags and texts as unread."""
        name = line.tag[0]
        if name not in SEAT_TAGS and name[0] != "/":
            self.point_at(line)
            if not self.read_as(name, line.attributes, line):
                self.keep_unknown(line)
        if line.text and name not in TEXTS:
            self.add_unread_stretch(line.tag.stop, line.stop)

    def point_at(self, line: TagNode) -> None:
        """Use an element's place, with its text if it has one, for the events that come next."""
        name, start, stop = line.tag
        self.place = self.spans.add(start, (line.stop if name in TEXTS else stop) - start)

    def keep_unknown(self, line: TagNode) -> None:
        """Keep an unknown element as unread."""
        self.add_unread_stretch(line.tag.start, line.stop if line.tag.name in TEXTS else line.tag.stop)

    # -- seats ------------------------------------------------------------------------------------

    def read_chair(self, line: TagNode) -> DocumentChair | None:
        """Read a seat. A player without cards and acts isn't dealt in."""
        seat, stack = self.find_chair_seat(line.get("position")), parse_whole_cents(line.get("balance"))
        if seat is None:
            return None
        plays = seat in self.busy or not self.has_hole_cards
        return DocumentChair(seat, line.get("name"), stack, None if plays else "no-chips" if stack == 0 else "unknown")

    def seat_unlisted(self, seats: Iterable[TagNode]) -> None:
        """Seat players who act on unlisted chairs."""
        listed_seats = {
            seat for seat_line in seats if (seat := self.find_chair_seat(seat_line.get("position"))) is not None
        }
        self.seat_by_chair(self.acting, listed_seats, self.head.number)

    # -- posts and acts ---------------------------------------------------------------------------

    def parse_amount(self, value: str | None) -> Chips | None:
        """Parse an amount; return None for any other value."""
        return parse_whole_cents(value or "")

    def read_blind(self, seat: Seat, amount: Chips, penalty: Chips | None) -> bool:
        """Post the small or the big blind, by the amount; a later big blind is an entry post. A penalty is dead."""
        if penalty:
            self.post_blind(seat, "makeup-small", 0, penalty)
        small = self.game.blinds[0] if len(self.game.blinds) == 2 else 0
        is_first_post = not self.small_blind_seat and not self.big_blind_seat
        if not amount:
            return bool(penalty)
        if is_first_post and (amount <= small if small else len(self.stacks) > 1):
            self.post_blind(seat, "small", amount)
        elif not self.big_blind_seat:
            self.post_blind(seat, "big", amount)
        elif small and amount <= small:
            self.post_blind(seat, "makeup-small", 0, amount)
        else:
            self.post_blind(seat, "entry", amount)
        return True

    def read_wager(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Check, bet, call or raise, by the chips added and the bet before."""
        if amount:
            self.wager(seat, self.get_bet(seat) + amount)
        else:
            self.check(seat)

    # -- cards, pots, chat ------------------------------------------------------------------------

    def read_cards(self, line: TagNode) -> Cards | None:
        """Parse the cards of an element; return None if one of them isn't a card."""
        return cards(line.text)

    def read_dealt_cards(self, seat: Seat, card: Cards) -> None:
        """Deal a card to the file's owner; other players' cards are face down."""
        if card != "??":
            self.has_own_cards = True
            self.add_event(HoleCardsDealt(seat, card))

    def read_swept_pot(self, line: TagNode) -> bool:
        """Remember the pot after a street with its drops so far. The last pot is declared at the end."""
        pot, rake, tax = (
            parse_whole_cents(line.text),
            parse_whole_cents(line.get("rake") or "0"),
            parse_whole_cents(line.get("tax") or "0"),
        )
        if pot is None or rake is None or tax is None:
            return False
        self.total = line, pot, rake, tax
        return True

    def read_chat(self, line: TagNode) -> None:
        """Add a player's words."""
        name = line.get("name")
        if (moment := timestamps.parse_seconds(line.get("time"))) is not None:
            self.times[len(self.events)] = moment
        words = self.people.text(line.text[:_WORDS_MOST])
        self.add_event(WordsSaid(words, self.seats.get(name), self.get_player_id(name) if name else ""))

    def settle(self) -> None:
        """Take the rake and tax of the last pot. A hand without awards isn't over."""
        self.close_bets()
        if not self.total_awarded:
            return
        if self.total is not None:
            line, pot, rake, tax = self.total
            self.point_at_tag(line.tag)
            self.take_drop("rake", rake)
            self.take_drop("tax", tax)
            self.add_event(ResultDeclared("total-pot", amount=pot + rake + tax))
        self.infer_returns()
        self.place = self.hand_place
        self.add_event(HandCompleted())

    POSTS = (("ante {chips}", acts.post_ante),)
    ACTIONS = (("fold", acts.fold), ("bet {amount}", read_wager))
    ROWS = (
        ("blind position={name} amount={amount} penalty={amount?}", read_blind),
        ("push position={name} amount={amount}", XmlHand.return_uncalled),
        ("hole position={name} {cards}", read_dealt_cards),
        ("community {cards}", XmlHand.deal_next_cards),
        ("sweep {pot_text}", read_swept_pot),
        ("show position={name} {cards}", lambda hand, seat, cards: hand.add_event(CardsShown(seat, cards))),
        ("xshow position={name}", lambda hand, seat: hand.add_event(CardsMucked(seat, declined=True))),
        ("win position={name} amount={amount} pot={pot?}", XmlHand.award),
        ("chat {words}", read_chat),
        *build_rows(XmlHand.add_remark, "xblind {line}", "prize {line}"),
    )
    """`xblind`, a declined post, doesn't show which blind was due. `prize` is about the tournament, not the hand."""


BUSY: Final = frozenset(("ante", "blind", "hole", "fold", "bet"))
"""Elements that show that a player is dealt in."""

SEAT_TAGS: Final = frozenset(("seat", "dealer"))
"""Elements that are read before all others."""

TEXTS: Final = frozenset(("hole", "sweep", "community", "show", "chat"))
"""Elements with text."""


def read_header(sheet: HandTags, session_facts: EverestSession, _exponent: int | None) -> DocumentHeader:
    """Read the facts before the seats."""
    number, start_text = markup.parse_hand_number(sheet.attributes, "hand"), sheet.get("time")
    game = GameSet(
        session_facts.variant,
        session_facts.betting,
        "tournament" if session_facts.tournament else "cash",
        session_facts.unit,
        HUNDREDTHS,
        parse_stakes(sheet.get("blinds")),
        0,
        parse_stakes(sheet.get("stakes")) if session_facts.betting == "limit" else (),
        0,
        session_facts.written,
    )
    costs = TournamentSet(written=session_facts.table) if session_facts.tournament else None
    return DocumentHeader(
        number,
        session_facts.table,
        game,
        session_facts.tournament,
        costs,
        start_text,
        timestamps.parse_seconds(start_text),
    )


FORMAT: Final = build_xml_format(
    "everest",
    "Everest Poker XML",
    EverestHand,
    read_header,
    markup.build_sniffer(
        ("<SESSION ", "<HAND "), ("<SESSION time=", "<HAND time=", "<SEAT position=", "tableName="), (0, 40, 70, 95, 98)
    ),
    "<HAND ",
    "<SESSION",
    read_session,
)
