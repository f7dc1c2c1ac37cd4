"""Hands that were told before, on their way in: which hand an account tells, and whether it stands now.

The same source told anew stands instead of what it told before, and so does a hand told to its end
instead of one that was cut off. Nothing else changes what stands: it is stored beside it.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias
from uuid import UUID

import msgspec

from ledger.case.events import CaseLinked
from ledger.event import Event
from ledger.hand.corrections import apply_corrections
from ledger.hand.ending import CorrectionMade
from ledger.house.events import CheckpointSigned, SourceImported, SourceRejected
from ledger.intake.evenings import Comparison, Evening, Rival, settle_run
from ledger.store.hands.hand_accounts import TableKey, entries_after, hand_accounts, repeated_numbers
from ledger.store.hands.table_streams import accounts_as_told
from ledger.store.requests.case_streams import all_cases
from ledger.streams import HOUSE
from ledger.table.events import AccountChosen, AccountPlaced, ChoiceRule, HandPlayed
from ledger.table.identity import Identity, are_days_apart, decide_identity, is_redeal
from ledger.table.numbers import Key, number_key
from ledger.table.standing import HandAccounts, group_accounts
from ledger.vocabulary import TextRef

if TYPE_CHECKING:
    from ledger.hand.opening import HandOpened
    from ledger.store import Ledger

AccountOutcome: TypeAlias = Literal["new", "same", "second", "superseded"]

_decode_hand: Final = msgspec.json.Decoder(HandPlayed).decode


class IncomingAccount(NamedTuple):
    """An account that is being imported."""

    stream: UUID  # of its table
    opened: HandOpened
    hand: HandPlayed
    known: bool  # the ledger had this very account before
    contested: bool  # its number was told before at its table


class Verdict(NamedTuple):
    """What becomes of an account, what the table is told of that, and why, if somebody must know."""

    became: AccountOutcome
    said: tuple[Event, ...] = ()
    instead: str = ""  # the account that stood before, hex
    doubtful: bool = False
    kept: str = ""  # why what stood stays, although this would stand instead of it
    home: str = ""  # an account of the same hand that was there before, hex
    evening: Evening = ""  # whether it was taken for another evening's, or may be


class Editions:
    """Which sources are one source told anew: imported from the same path, or of the same `source` line."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger."""
        self._ledger = ledger
        self._keys: dict[str, set[str]] = {}
        self._digests: dict[str, set[str]] = {}  # key → digests that were read from there
        self._last: dict[str, str] = {}  # key → digest that was read from there last
        self.read = 0  # how often a source was read to its end
        self._pipe = ledger.people.reference("-")
        self.sealed = 0  # up to this position a checkpoint binds the log
        self.imported: dict[tuple[str, str], SourceImported] = {}
        self.rejected: dict[str, array[int]] = {}  # source → positions of what was rejected of it
        self._version = 0  # of the house's stream, up to which it was read
        self._ahead: Counter[tuple[str, str]] = Counter()  # what was learned before it was read there
        self.read_on()

    def read_on(self) -> None:
        """Read what the house was told since: whoever imports again and again reads all of it once."""
        self.__dict__.pop("cited", None)
        for entry in entries_after(self._ledger, HOUSE, self._version):
            event, self._version = entry.event, entry.version
            if isinstance(event, SourceImported):
                key = event.source, event.reader
                if self._ahead[key]:
                    self._ahead[key] -= 1
                else:
                    self.learn(event)
            elif isinstance(event, SourceRejected):
                self.rejected.setdefault(event.source, array("q")).append(entry.position)
            elif isinstance(event, CheckpointSigned):
                self.sealed = entry.position

    def finished_now(self, event: SourceImported) -> None:
        """Take in that a source was read just now, as the house will be told, or was."""
        self._ahead[event.source, event.reader] += 1
        self.learn(event)

    def learn(self, event: SourceImported) -> None:
        """Take in that a source was read."""
        self.read += 1
        self.imported[event.source, event.reader] = event
        keys = {key for key in (event.origin, event.told) if key}
        if not keys and event.name != self._pipe:  # by an older program, which kept no more
            keys = {name_key(event.name)}
        self._keys.setdefault(event.source, set()).update(keys)
        for key in keys:
            self._digests.setdefault(key, set()).add(event.source)
            self._last[key] = event.source

    def knows(self, source: str) -> bool:
        """Tell whether any reader has read a source to its end."""
        return source in self._keys

    def told_by(self, source: str, keys: set[str]) -> bool:
        """Tell whether a source was read from one of these places, or says that it is one of these."""
        return not self._keys.get(source, set()).isdisjoint(keys)

    def earlier(self, digest: str, keys: set[str]) -> bool:
        """Tell whether other editions were read from these places."""
        return any(other != digest for key in keys for other in self._digests.get(key, ()))

    def overtaken(self, digest: str, keys: set[str]) -> bool:
        """Tell whether another edition was read from the same place since this one was."""
        last = [self._last[key] for key in keys if key in self._last]
        return bool(last) and digest not in last

    def last_read(self, keys: set[str]) -> str:
        """Return the digest that was read last from one of these places, "" if none was."""
        return next((self._last[key] for key in sorted(keys) if key in self._last), "")

    def finished(self, digest: str, reader: str, keys: set[str]) -> SourceImported | None:
        """Return what was said of a source when this reader had read it to its end.

        None also where another edition was read from the same place since: this one is told anew.
        """
        return None if self.overtaken(digest, keys) else self.imported.get((digest, reader))

    def family(self, keys: set[str]) -> list[SourceImported]:
        """Return what was said of the sources that were read from one of these places, in the order of their ids."""
        found = {digest for key in keys for digest in self._digests.get(key, ())}
        return [event for (digest, _), event in sorted(self.imported.items()) if digest in found] if found else []

    @cached_property
    def cited(self) -> dict[str, str]:
        """The accounts that cases concern: id of the stream → number of the case."""
        return {
            event.hand: case.number
            for case in all_cases(self._ledger)
            for event in case.events
            if isinstance(event, CaseLinked)
        }


def name_key(name: TextRef) -> str:
    """Return the key by which a source is known again that was imported by an older program."""
    return f"as {name}"


class AccountChooser:
    """Decides for the accounts of one source. `memory` is shared by all sources of a dry run."""

    def __init__(self, ledger: Ledger, source: str, keys: set[str], editions: Editions, memory: AccountCache) -> None:
        """Take the digest of the source, what it is known by, and what is known of all."""
        self._keys = keys
        self._ledger = ledger
        self._source = source
        self._editions = editions
        self._memory = memory
        self.again = editions.earlier(source, keys)
        self._repeated: dict[UUID, set[str]] = {}
        self._read: dict[tuple[UUID, str], list[Rival]] = {}
        self._last: dict[UUID, Key] = {}  # of each table the number of the last hand that was compared
        self._parted: dict[UUID, set[str]] = defaultdict(set)  # sources of another evening than the run's

    def decide(self, coming: Sequence[IncomingAccount]) -> list[Verdict]:
        """Return what becomes of each of these accounts, in the order of the source."""
        self._read = {}
        self._memory.look_again()
        wanted = [
            one.contested or (one.known and self.again and one.hand.number in self._told_twice(one)) for one in coming
        ]
        repeated = {(one.stream, one.hand.number) for one, told in zip(coming, wanted, strict=True) if told}
        self._fetch(one for one, told in zip(coming, wanted, strict=True) if told)
        found = self._compared([one for one, told in zip(coming, wanted, strict=True) if told and not one.known])
        verdicts: list[Verdict] = []
        for one, told in zip(coming, wanted, strict=True):
            if one.known and self._is_of_other_evening(one):
                verdicts.append(Verdict("same", evening="undated"))
            elif not told:
                verdicts.append(Verdict("same" if one.known else "new"))
            elif one.known:
                verdicts.append(self._back(one))
            else:
                verdicts.append(self._beside(one, found[one.hand.hand]))
            key = one.stream, one.hand.number
            if not one.known and (self._memory.lasting or key in repeated):
                self._memory.add(key, one.hand, self._source)
            self._memory.say(key, verdicts[-1].said)
        return verdicts

    def _told_twice(self, one: IncomingAccount) -> set[str]:
        """Return the numbers of a table that were told more than once."""
        found = self._repeated.get(one.stream)
        if found is None:
            opened = one.opened
            place = TableKey(opened.venue, opened.tournament, opened.table)
            found = self._repeated[one.stream] = repeated_numbers(self._ledger, place)
        return found

    def _rivals(self, one: IncomingAccount) -> list[Rival]:
        """Return the accounts of this number at this table that came before, itself not among them."""
        key = one.stream, one.hand.number
        found = list(self._stored(one, key))
        stored = {rival.hand.hand for rival in found}
        found += [rival for rival in self._memory.of(key) if rival.hand.hand not in stored]
        return found

    def _stored(self, one: IncomingAccount, key: tuple[UUID, str]) -> list[Rival]:
        """Return those that the ledger has."""
        if key not in self._read:
            self._fetch((one,))
        return self._read[key]

    def _fetch(self, coming: Iterable[IncomingAccount]) -> None:
        """Read the accounts of these numbers that the ledger has, those of a batch together."""
        wanted: dict[UUID, list[IncomingAccount]] = {}
        for one in coming:
            if (one.stream, one.hand.number) not in self._read:
                self._read[one.stream, one.hand.number] = []
                wanted.setdefault(one.stream, []).append(one)
        for stream, of_table in wanted.items():
            opened = of_table[0].opened
            place = TableKey(opened.venue, opened.tournament, opened.table)
            found = hand_accounts(self._ledger, place, (one.hand.number for one in of_table))
            for told, hand in accounts_as_told(self._ledger, found):
                self._read[stream, told.number].append(Rival(hand, told.source, told.position))

    def _hands(self, one: IncomingAccount, rivals: list[Rival]) -> list[HandAccounts[Rival]]:
        return group_accounts(rivals, self._memory.said(self._ledger, one.stream, one.hand.number))

    def told_first(self, one: IncomingAccount) -> tuple[str, bool]:
        """Return the first account of the hand that this one tells, and whether no other hand had its number before."""
        rivals = self._rivals(one)
        if all(rival.hand.hand != one.hand.hand for rival in rivals):
            rivals.append(Rival(one.hand, self._source))
        hands = self._hands(one, rivals)
        hand = _hand_of_account(hands, one.hand.hand)
        return hand.accounts[0].hand.hand, hand is hands[0]

    def mine(self, source: str) -> bool:
        """Tell whether a source is this one, or another edition of it."""
        return source == self._source or self._editions.told_by(source, self._keys)

    # which hand

    def _compared(self, coming: list[IncomingAccount]) -> dict[str, Comparison]:
        """Return for each account whether it tells the hand of each of its rivals.

        Numbers run on from hand to hand of a table: where one hand of a run is another evening's, those that
        could be either are as well.
        """
        found: dict[str, Comparison] = {}
        runs: dict[UUID, list[Comparison]] = defaultdict(list)
        earlier: dict[tuple[UUID, str], list[Rival]] = defaultdict(list)
        for one in coming:
            run, number = runs[one.stream], number_key(one.hand.number)
            if one.stream in self._last and self._last[one.stream] >= number:
                self._settle(one.stream, run)
                run.clear()
                self._parted[one.stream].clear()
            self._last[one.stream] = number
            key = one.stream, one.hand.number
            compared = Comparison(one.hand, [*self._rivals(one), *earlier[key]], self._answer)
            earlier[key].append(Rival(one.hand, self._source))
            found[one.hand.hand] = compared
            run.append(compared)
        for stream, run in runs.items():
            self._settle(stream, run)
        return found

    def _settle(self, stream: UUID, run: Sequence[Comparison]) -> None:
        settle_run(run, self._is_edition, self._parted[stream])

    def _is_of_other_evening(self, one: IncomingAccount) -> bool:
        """Tell whether a hand was there to the letter, told by a source of another evening than its file's."""
        parted = self._parted.get(one.stream, set())
        return bool(parted) and any(
            rival.hand.hand == one.hand.hand and rival.source in parted for rival in self._rivals(one)
        )

    def _is_edition(self, source: str) -> bool:
        """Tell whether a source is an earlier edition of this one."""
        return source != self._source and self.mine(source)

    def _answer(self, rival: Rival, hand: HandPlayed) -> Identity:
        told = rival.hand
        times = told.started is not None and hand.started is not None
        began_twice = times and told.started != hand.started and told.voided == hand.voided
        if rival.source == self._source and (began_twice or is_redeal(told, hand)):
            return "other"  # one source does not give one hand two beginnings
        answer = decide_identity(told, hand)
        if answer == "doubtful" and times and not self.mine(rival.source):
            return "other"  # that only the date is wrong is likely in one source alone
        return answer

    # whether it stands

    def _beside(self, one: IncomingAccount, compared: Comparison) -> Verdict:
        """Decide for an account that is new, of a number that was told before."""
        rivals, answers = self._rivals(one), compared.answers
        hands = [hand for hand in self._hands(one, rivals) if not _is_dated_apart(hand, one.hand, answers)]
        home = _find_hand_by_answer(hands, answers, "same", one.hand)
        doubtful = None if home else _find_hand_by_answer(hands, answers, "doubtful", one.hand)
        number, stream = one.hand.number, one.hand.hand
        if home is None and doubtful is None:
            return Verdict(
                "new", (AccountPlaced(number, stream, stream),), evening="apart" if compared.is_parted else ""
            )
        if home is None:
            assert doubtful is not None  # noqa: S101 - one of the two is there
            other = doubtful.accounts[0].hand.hand
            said = AccountPlaced(number, stream, other, doubtful=True)
            return Verdict("second", (said,), doubtful=True)
        first = home.accounts[0].hand.hand
        undated: Evening = "undated" if compared.is_undated else ""
        stands, rule, kept = self._standing(home, one.hand)
        mine = Rival(one.hand, self._source)
        events: list[Event] = []
        if not _is_grouped_with(group_accounts([*rivals, mine], self._said(one)), home, stream):
            events.append(AccountPlaced(number, stream, first))
        known = self._said(one, events)
        if _hand_of_account(group_accounts([*rivals, mine], known), stream).stands.hand.hand != stands:
            before = home.stands.hand.hand
            events.append(AccountChosen(number, stands, before if before != stands else "", rule=rule))
        if stands == stream:
            return Verdict("superseded", tuple(events), home.stands.hand.hand, home=first, evening=undated)
        return Verdict("second", tuple(events), kept=kept, home=first, evening=undated)

    def _standing(self, home: HandAccounts[Rival], hand: HandPlayed) -> tuple[str, ChoiceRule, str]:
        """Return which account stands once `hand` is there, by which rule, and why it stays if it must."""
        stands = home.stands
        cut = not stands.hand.completed and not stands.hand.voided
        whole = hand.completed or bool(hand.voided)
        anew = self.mine(stands.source)
        rule: ChoiceRule = "kept"
        if anew and stands.source != self._source and (whole or cut):
            rule = "same-source"
        elif hand.completed and not stands.hand.completed and (anew or cut):
            rule = "finished"
        if rule == "kept":
            return stands.hand.hand, rule, ""
        kept = self._bound(stands)
        return (stands.hand.hand, "kept", kept) if kept else (hand.hand, rule, "")

    def bound(self, accounts: Iterable[str], position: int) -> str:
        """Say why nobody but a person, with a reason, replaces this; "" if nothing binds it."""
        for account in accounts:
            case = self._editions.cited.get(account)
            if case is not None:
                return f"case {case} is about it"
        if 0 < position <= self._editions.sealed:
            return "a signed checkpoint covers it"
        return ""

    def _bound(self, rival: Rival) -> str:
        return self.bound((rival.hand.hand,), rival.position)

    def _back(self, one: IncomingAccount) -> Verdict:
        """Decide for an account that the ledger has, in a source of which another edition was read since."""
        hands = self._hands(one, self._rivals(one))
        hand = _hand_of_account(hands, one.hand.hand)
        stands = hand.stands
        if stands.hand.hand == one.hand.hand or one.hand.hand in hand.doubtful:
            return Verdict("same")
        chosen = hand.chosen
        if (chosen is not None and not chosen.rule) or not self.mine(stands.source):
            return Verdict("same")  # somebody decided, or another source stands
        kept = self._bound(stands)
        if kept or not (one.hand.completed or one.hand.voided):
            return Verdict("same", kept=kept)
        said: tuple[Event, ...] = (AccountChosen(one.hand.number, one.hand.hand, stands.hand.hand, rule="same-source"),)
        if not self._memory.told(self._ledger, one.stream, one.hand.hand):
            said = (one.hand, *said)
        return Verdict("superseded", said, stands.hand.hand)

    def _said(self, one: IncomingAccount, more: Iterable[Event] = ()) -> list[Event]:
        return [*self._memory.said(self._ledger, one.stream, one.hand.number), *more]


class AccountCache:
    """What the accounts of a batch, or of a whole dry run (`lasting`), say of one another."""

    def __init__(self, *, lasting: bool = False) -> None:
        """Remember nothing yet."""
        self.lasting = lasting
        self._told: dict[tuple[UUID, str], list[tuple[bytes, str]]] = {}
        self._saying: dict[tuple[UUID, str], list[Event]] = {}
        self._tables: dict[UUID, _TableDecisions] = {}
        self._fresh: set[UUID] = set()  # tables whose words were read in this batch

    def add(self, key: tuple[UUID, str], hand: HandPlayed, source: str) -> None:
        """Remember an account; encoded, as a dry run may meet very many."""
        self._told.setdefault(key, []).append((msgspec.json.encode(hand), source))

    def of(self, key: tuple[UUID, str]) -> list[Rival]:
        """Return the accounts of a number."""
        return [Rival(_decode_hand(data), source) for data, source in self._told.get(key, ())]

    def say(self, key: tuple[UUID, str], events: Sequence[Event]) -> None:
        """Remember what the table is to be told of a number."""
        if events:
            self._saying.setdefault(key, []).extend(events)

    def said(self, ledger: Ledger, stream: UUID, number: str) -> list[Event]:
        """Return what was said of a number: by the table's stream, and since."""
        return [*self._words(ledger, stream).of(number), *self._saying.get((stream, number), ())]

    def told(self, ledger: Ledger, stream: UUID, account: str) -> bool:
        """Tell whether a table was told of an account: an older program told it of first ones only."""
        return int(account, 16) in self._words(ledger, stream).accounts

    def look_again(self) -> None:
        """Take it that tables may have been told more: their streams are read on when they are asked for."""
        self._fresh.clear()

    def _words(self, ledger: Ledger, stream: UUID) -> _TableDecisions:
        words = self._tables.setdefault(stream, _TableDecisions())
        if stream not in self._fresh:
            self._fresh.add(stream)
            words.read(ledger, stream)
        return words

    def stored(self) -> None:
        """Forget what is in the ledger now; what a dry run met never is."""
        if not self.lasting:
            self._told, self._saying = {}, {}


class _TableDecisions:
    """What a table's stream says of accounts; its hands are passed over, of which there are many."""

    def __init__(self) -> None:
        self._upto = 0
        self._found: list[tuple[int, Event]] = []
        self._held: dict[str, list[Event]] | None = None  # by number, until more is said
        self.accounts: set[int] = set()

    def read(self, ledger: Ledger, stream: UUID) -> None:
        """Read on from where reading stopped."""
        for entry in entries_after(ledger, stream, self._upto):
            self._upto = entry.version
            if isinstance(entry.event, HandPlayed):
                self.accounts.add(int(entry.event.hand, 16))
            elif isinstance(entry.event, AccountPlaced | AccountChosen | CorrectionMade):
                self._found.append((entry.version, entry.event))
                self._held = None

    def of(self, number: str) -> list[Event]:
        if self._held is None:
            self._held = defaultdict(list)
            for _, event in apply_corrections(self._found):
                self._held[getattr(event, "number", "")].append(event)
        return self._held.get(number, [])


def _is_dated_apart(hand: HandAccounts[Rival], told: HandPlayed, answers: dict[str, Identity]) -> bool:
    """Tell whether a hand was on another day, though an account of it from before it was dated looks alike."""
    stands = hand.stands.hand
    return answers.get(stands.hand) == "other" and are_days_apart(stands, told)


def _find_hand_by_answer(
    hands: list[HandAccounts[Rival]], answers: dict[str, Identity], wanted: Identity, told: HandPlayed
) -> HandAccounts[Rival] | None:
    """Return the hand to which `answers` assign an account; of a void deal and the next one its like."""
    found = [hand for hand in hands if any(answers.get(account.hand.hand) == wanted for account in hand.accounts)]
    alike = (hand for hand in found if bool(hand.first.hand.voided) == bool(told.voided))
    return next(alike, found[0] if found else None)


def _hand_of_account(hands: list[HandAccounts[Rival]], stream: str) -> HandAccounts[Rival]:
    return next(hand for hand in hands if any(one.hand.hand == stream for one in hand.accounts))


def _is_grouped_with(hands: list[HandAccounts[Rival]], home: HandAccounts[Rival], stream: str) -> bool:
    """Tell whether an account stands beside those of `home` without a word."""
    found = _hand_of_account(hands, stream)
    return found.accounts[0].hand.hand == home.accounts[0].hand.hand
