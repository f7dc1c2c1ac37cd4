"""Reader of the XML of the Microgaming network (Prima), as stored by its clients and by trackers.

`docs/formats/microgaming.md` has the table from element to event, and what the format cannot say.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Iterable
from typing import ClassVar, Final

from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, DropTaken, HandCompleted, RemarkNoted, ResultDeclared
from ledger.hand.opening import BlindPosted, NotDealtIn, TournamentSet
from ledger.presence import ConnectionLost
from ledger.readers import acts, amounts, currencies, games, markup
from ledger.readers.cards import CARD_WORDS
from ledger.readers.document_hand import DocumentChair, DocumentHeader
from ledger.readers.markup import HandTags, TagNode
from ledger.readers.payouts import count_missing_chips, declare_rake, infer_rake, split_uncalled_awards
from ledger.readers.xml_hand import XmlHand, build_xml_format
from ledger.vocabulary import Cards, Chips, Seat, Witness

GAMES: Final = games.FLOP | {"omaha5"}
KINDS: Final = ("multi table ", "single table ", "sit & go ", "sit and go ", "mtt ", "stt ")
"""The prefix of a game's name in tournaments."""

_LOST: Final = frozenset("?\ufffd")
_TEXT_MOST: Final = 400


def parse_card(value: str, suit: str) -> str | None:
    """Return the card with this value and suit, or None if there is no such card."""
    return CARD_WORDS.get(value.strip().upper() + suit.strip().lower())


def unpack_text(packed: str) -> str:
    """Decode UTF-16 in base64; return "" for other text."""
    if not packed or len(packed) > _TEXT_MOST:
        return ""
    try:
        return b64decode(packed, validate=True).decode("utf-16-le").strip()
    except (binascii.Error, ValueError):
        return ""


def choose_readable_name(written_name: str, packed: str) -> str:
    """Return a name as written, or from base64 if the written name lost some letters."""
    if written_name and not _LOST & set(written_name):
        return written_name
    return unpack_text(packed) or written_name


_NOISE: Final = ("----PRIMA.DAT----",)
_EXTENDED: Final = "ExtendedTableName:"
_MAX_NAME: Final = 200


class MicrogamingHand(XmlHand):
    """Reads a hand."""

    VENUE = "Microgaming"
    WITNESSES = Witness.from_names("BUTTON POSTS ANTES STACKS_BEFORE STACKS_AFTER ACTS BOARD SHOWDOWN AWARDS POTS")
    """Newer files also record returned bets."""
    HAND_TAG = HAND_WORD = "game"
    LINE_TAGS = ("seat", "action")
    PARENT_TAGS: ClassVar = {"card": frozenset(("action",)), "seat": frozenset(("action",))}
    FRAME_TAGS = frozenset(("seats", "gameplay", "?xml", "games", "root"))
    PLAYER_MEMBER, FIRST_CHAIR = "seat", 1

    def read_parts(self) -> None:
        """Add the events of all parts, in the hand's order."""
        self.owner = self.sheet.count("playerseat") or 0  # the seat of the file's owner, 0 = an observer
        # In files without a version, acts have the street's total, and all-ins the chips added.
        self.totals = "hhversion" not in self.sheet.attributes
        rake = amounts.read_or_none(self.sheet.get("rake"), 0) if self.game.format == "cash" else None
        self.rake = None if rake is None else rake * 10**self.exponent // 100
        self.actions = self.lines["action"]
        self.paid_seats = [line for action in self.actions for line in action.get_children("seat")]
        self.kinds = {line.get("type") for line in self.actions}
        self.acting = [
            (line, self.find_chair_seat(line.get("seat"))) for line in self.actions if line.get("type") in BUSY
        ]
        self.take_seats(self.sort_by_chair(self.lines["seat"], "num"))
        self.read_lines(self.actions)
        self.add_unknown_tags()
        self.settle()

    def add_unknown_tags(self) -> None:
        """Keep the texts between the tags, such as the table's longer name, except the client's frame."""
        unknown_stretches = list(self.sheet.unknown_tags)
        for start, stop in markup.find_stretches_between(self.source, self.sheet.inner, self.sheet.stop):
            offset = start
            for line in self.source.text[start:stop].splitlines(keepends=True):
                words = line.strip(" \t\r\n\ufeff")
                words_start = offset + line.find(words)
                offset += len(line)
                if words.startswith(_EXTENDED):
                    self.point_at_stretch(words_start, words_start + len(words))
                    self.add_event(
                        RemarkNoted(self.people.text(self.source.decode_text(words_start, words_start + len(words))))
                    )
                elif words and words not in _NOISE:
                    unknown_stretches.append((words_start, words_start + len(words)))
        for start, stop in unknown_stretches:
            self.add_unread_stretch(start, stop)

    # -- seats ------------------------------------------------------------------------------------

    def read_chair(self, line: TagNode) -> DocumentChair | None:
        """Read a seat. A player marked as sitting out is dealt in if they act."""
        seat, is_away = self.find_chair_seat(line.get("num")), line.get("sittingout") == "true"
        if seat is None:
            return None
        stack = self.parse_amount(line.get("balance"))
        plays = seat in {acting_seat for _, acting_seat in self.acting} or not (is_away or self.paid_seats)
        absence: NotDealtIn = "sitting-out" if is_away else "no-chips" if stack == 0 else "unknown"
        return DocumentChair(
            seat,
            choose_readable_name(line.get("alias"), line.get("unicodealias")),
            stack,
            None if plays else absence,
            line.get("dealer") == "true",
            inferred=not plays and not is_away,
        )

    def seat_unlisted(self, seats: Iterable[TagNode]) -> None:
        """Seat players who act on unlisted chairs."""
        listed_seats = {seat for line in seats if (seat := self.find_chair_seat(line.get("num"))) is not None}
        self.seat_by_chair(self.acting, listed_seats, self.head.number)

    # -- posts and acts ---------------------------------------------------------------------------

    def read_entry_post(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Post to get a hand: a small blind is a live make-up blind, and more is an entry post."""
        small = self.game.blinds[0] if len(self.game.blinds) == 2 else 0
        self.post_blind(seat, "makeup-small" if amount == small else "entry", amount)

    def read_jackpot(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Take a jackpot contribution, which comes from the stack, not from the pot."""
        self.post_dead_money(seat, amount)
        self.total_drop += amount
        self.add_event(DropTaken("jackpot", amount))

    def read_call(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Call by the chips added or, in old files, to the street's total."""
        self.call(seat, amount - self.get_bet(seat) if self.totals else amount)

    def read_wager(self, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
        """Bet, raise or post by the chips added or, in old files, to the street's total."""
        self.wager(seat, amount if self.totals else self.get_bet(seat) + amount)

    def read_all_in(self, seat: Seat, amount: Chips) -> bool:
        """Go all-in: before the big blind with the post that is due, later with a wager."""
        if seat in self.folded:
            return False
        if self.big_blind_seat or self.is_deal_complete:
            self.complete_deal()
            self.wager(seat, self.get_bet(seat) + amount, all_in=True)
        else:
            small = not self.small_blind_seat and "BigBlind" in self.kinds
            self.post_blind(seat, "small" if small else "big", amount, all_in=True)
        return True

    # -- cards ------------------------------------------------------------------------------------

    def read_cards(self, line: TagNode) -> Cards | None:
        """Parse the cards of an action; return None if one isn't a card."""
        cards = [parse_card(card_tag.get("value"), card_tag.get("suit")) for card_tag in line.get_children("card")]
        return None if None in cards else "".join(filter(None, cards))

    def read_dealt_cards(self, seat: Seat, cards: Cards) -> bool:
        """Deal a seat its cards."""
        self.has_own_cards = self.has_own_cards or (bool(cards) and seat == self.owner)
        if cards:
            self.add_event(HoleCardsDealt(seat, cards))
        return bool(cards)

    def read_lost_connection(self, seat: Seat) -> None:
        """Read a lost connection. The value, the time to reconnect, isn't kept."""
        name = next((name for name, chair in self.seats.items() if chair == seat), "")  # "" if two seats have the name
        self.add_event(ConnectionLost(seat, self.get_player_id(name) if name else ""))

    # -- the end ----------------------------------------------------------------------------------

    def settle(self) -> None:
        """Add the awards and the final stacks. A hand without them isn't over."""
        self.close_bets()
        for line in self.paid_seats:
            self.point_at_tag(line.tag)
            if not self.read_as("paid", line.attributes, line):
                self.keep_unknown(line)
        if not self.total_awarded:
            return
        if self.uncalled_bets:
            self.split_awards()
        self.infer_returns()
        self.place = self.hand_place
        if self.rake is None:
            infer_rake(self)
        elif self.rake:
            declare_rake(self, self.rake)
        ends = [
            (line, self.find_seat(line.get("num")), self.parse_amount(line.get("endbalance")))
            for line in self.lines["seat"]
        ]
        self.infer_dead_small(ends)
        for line, seat, end in ends:
            if seat and end is not None:
                self.point_at_tag(line.tag)
                self.add_event(ResultDeclared("end-stack", seat, end))
        self.place = self.hand_place
        self.add_event(HandCompleted())

    def split_awards(self) -> None:
        """Separate an uncalled bet from the award that includes it, if the rake shows that it does."""
        unpaid = self.get_total_put_in() - self.total_drop - self.total_awarded
        if self.rake is None:
            split_uncalled_awards(self, is_always_paid=False)
        elif unpaid == self.rake or unpaid < sum(amount for _, amount, _ in self.uncalled_bets):
            split_uncalled_awards(self, is_always_paid=True)

    def infer_dead_small(self, ends: list[tuple[TagNode, Seat | None, Chips | None]]) -> None:
        """Infer the dead small blind that some files leave out of a new player's post.

        Both must show it: what the seat has in the end, and what is missing in the pot.
        """
        missing = self.total_awarded + self.total_drop - self.get_total_put_in()
        for _, seat, end in ends if missing > 0 else ():
            if (
                not seat
                or self.stacks.get(seat) is None
                or end is None
                or count_missing_chips(self, seat, end) != missing
            ):
                continue
            for index, event in enumerate(self.events):
                if isinstance(event, BlindPosted) and event.seat == seat and event.role == "entry":
                    self.betting.move_chips(seat, missing)
                    self.insert_event(index, BlindPosted(seat, "makeup-small", 0, missing))
                    return

    POSTS = (
        ("SmallBlind {amount}", acts.post_small_blind_once),
        ("BigBlind {amount}", acts.post_big_blind_once),
        ("PostedToPlay {amount}", read_entry_post),
        ("Ante {amount}", acts.post_ante),
        ("BadBeatContribution {amount}", read_jackpot),
        ("MoneyReturned {amount}", lambda hand, seat, amount, _: hand.return_uncalled(seat, amount)),
    )
    ACTIONS = (
        ("Fold", acts.fold),
        ("Check", acts.check),
        ("Call {amount}", read_call),
        ("Bet {amount}", read_wager),
        ("Raise {amount}", read_wager),
    )
    ROWS = (
        ("AllIn seat={name} value={amount}", read_all_in),
        ("DealCards seat={name} {cards}", read_dealt_cards),
        ("DealFlop {cards}", lambda hand, cards: hand.deal_street_board("flop", cards)),
        ("DealTurn {cards}", lambda hand, cards: hand.deal_street_board("turn", cards)),
        ("DealRiver {cards}", lambda hand, cards: hand.deal_street_board("river", cards)),
        ("ShowCards seat={name} {cards}", lambda hand, seat, cards: hand.add_event(CardsShown(seat, cards))),
        ("MuckCards seat={name} {cards}", lambda hand, seat, cards: hand.add_event(CardsMucked(seat, cards))),
        ("Disconnect seat={name}", read_lost_connection),
        ("Win {payments}", lambda _hand, line: bool(line.get_children("seat"))),  # read when all payments are known
        ("paid num={name} amount={amount} pot={pot?}", XmlHand.award),
    )


BUSY: Final = frozenset(
    ["SmallBlind", "BigBlind", "PostedToPlay", "Ante", "DealCards", "AllIn", "Fold", "Check", "Call", "Bet", "Raise"]
)
"""Actions that show that a player is dealt in."""


def read_header(sheet: HandTags, _shared: None, exponent: int | None) -> DocumentHeader:
    """Read the attributes of `Game`. Raise `UnreadableHandError` if the game is unknown."""
    number, kind = markup.parse_hand_number(sheet.attributes, "game"), sheet.get("tabletype").lower()
    in_tournament = sheet.get("istournament") not in ("0", "", "false") or kind in ("mtt", "stt")
    name = choose_readable_name(sheet.attributes["tablename"], sheet.attributes["unicodetablename"])[:_MAX_NAME]
    table, tournament = _split_tournament(name) if in_tournament else (name, "")
    game_text, limit = sheet.get("gametype"), sheet.get("betlimit")
    game = game_text.lower().replace("&apos;", "'")
    for game_prefix in KINDS:
        game = game.removeprefix(game_prefix)
    variant, betting = games.parse_game_and_limit(game, limit, GAMES, limit, game_text)
    sign = unpack_text(sheet.attributes["currencysymbol"]).strip()
    unit = "play" if sheet.get("realmoney") == "false" else currencies.find_currency(sign) or "chips"
    setup = games.build_game_set(
        variant,
        betting,
        [stake for stake in sheet.get("stakes").split("|") if stake][:2],
        unit="chips" if in_tournament else unit,
        exponent=exponent,
        tournament=in_tournament,
        written=f"{game_text} {limit}",
    )
    return DocumentHeader(
        number,
        table,
        setup,
        tournament,
        TournamentSet(written=name) if in_tournament else None,
        sheet.get("date"),
        chairs=sheet.count("tablesize") or 0,
        witnesses=0 if in_tournament or amounts.read_or_none(sheet.get("rake"), 0) is None else int(Witness.DROP),
    )


def _split_tournament(name: str) -> tuple[str, str]:
    """Split `Christmas Day[90000025]:Table 10` into the table and the tournament."""
    _, bracket, number_and_table = name.rpartition("[")
    number, _, table = number_and_table.partition("]")
    if not bracket or not number.isascii() or not number.isdecimal():
        return name, name
    return table.lstrip(": ").removeprefix("Table ").strip() or name, number


FORMAT: Final = build_xml_format(
    "microgaming",
    "Microgaming (Prima) XML",
    MicrogamingHand,
    read_header,
    markup.build_sniffer(("<Game ",), ("betlimit=", "gametypeid=", "<Seat num=", "unicodetablename=")),
    "<Game ",
)
