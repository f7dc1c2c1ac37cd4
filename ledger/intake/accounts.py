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
    is_known: bool  # the ledger had this very account before
    is_contested: bool  # its number was told before at its table


class Verdict(NamedTuple):
    """What becomes of an account, what the table is told of that, and why, if somebody must know."""

    outcome: AccountOutcome
    table_events: tuple[Event, ...] = ()
    replaced_account: str = ""  # the account that stood before, hex
    is_doubtful: bool = False
    keep_reason: str = ""  # why what stood stays, although this would stand instead of it
    first_account: str = ""  # an account of the same hand that was there before, hex
    evening: Evening = ""  # whether it was taken for another evening's, or may be


class Editions:
    """Which sources are one source told anew: imported from the same path, or of the same `source` line."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger."""
        self._ledger = ledger
        self._keys: dict[str, set[str]] = {}
        self._digests: dict[str, set[str]] = {}  # key → digests that were read from there
        self._last_digests: dict[str, str] = {}  # key → digest that was read from there last
        self.sources_read = 0  # how often a source was read to its end
        self._pipe = ledger.people.reference("-")
        self.sealed_position = 0  # up to this position a checkpoint binds the log
        self.imported: dict[tuple[str, str], SourceImported] = {}
        self.reject_positions: dict[str, array[int]] = {}  # source → positions of what was rejected of it
        self._version = 0  # of the house's stream, up to which it was read
        self._learned_early: Counter[tuple[str, str]] = Counter()  # what was learned before it was read there
        self.read_on()

    def read_on(self) -> None:
        """Read what the house was told since: whoever imports again and again reads all of it once."""
        self.__dict__.pop("case_numbers", None)
        for entry in entries_after(self._ledger, HOUSE, self._version):
            event, self._version = entry.event, entry.version
            if isinstance(event, SourceImported):
                key = event.source, event.reader
                if self._learned_early[key]:
                    self._learned_early[key] -= 1
                else:
                    self.learn(event)
            elif isinstance(event, SourceRejected):
                self.reject_positions.setdefault(event.source, array("q")).append(entry.position)
            elif isinstance(event, CheckpointSigned):
                self.sealed_position = entry.position

    def add_finished(self, event: SourceImported) -> None:
        """Take in that a source was read just now, as the house will be told, or was."""
        self._learned_early[event.source, event.reader] += 1
        self.learn(event)

    def learn(self, event: SourceImported) -> None:
        """Take in that a source was read."""
        self.sources_read += 1
        self.imported[event.source, event.reader] = event
        keys = {key for key in (event.origin, event.told) if key}
        if not keys and event.name != self._pipe:  # by an older program, which kept no more
            keys = {name_key(event.name)}
        self._keys.setdefault(event.source, set()).update(keys)
        for key in keys:
            self._digests.setdefault(key, set()).add(event.source)
            self._last_digests[key] = event.source

    def has_read(self, source: str) -> bool:
        """Tell whether any reader has read a source to its end."""
        return source in self._keys

    def is_read_from(self, source: str, keys: set[str]) -> bool:
        """Tell whether a source was read from one of these places, or says that it is one of these."""
        return not self._keys.get(source, set()).isdisjoint(keys)

    def has_earlier(self, digest: str, keys: set[str]) -> bool:
        """Tell whether other editions were read from these places."""
        return any(other != digest for key in keys for other in self._digests.get(key, ()))

    def is_overtaken(self, digest: str, keys: set[str]) -> bool:
        """Tell whether another edition was read from the same place since this one was."""
        last = [self._last_digests[key] for key in keys if key in self._last_digests]
        return bool(last) and digest not in last

    def last_digest(self, keys: set[str]) -> str:
        """Return the digest that was read last from one of these places, "" if none was."""
        return next((self._last_digests[key] for key in sorted(keys) if key in self._last_digests), "")

    def find_finished(self, digest: str, reader: str, keys: set[str]) -> SourceImported | None:
        """Return what was said of a source when this reader had read it to its end.

        None also where another edition was read from the same place since: this one is told anew.
        """
        return None if self.is_overtaken(digest, keys) else self.imported.get((digest, reader))

    def find_family(self, keys: set[str]) -> list[SourceImported]:
        """Return what was said of the sources that were read from one of these places, in the order of their ids."""
        found = {digest for key in keys for digest in self._digests.get(key, ())}
        return [event for (digest, _), event in sorted(self.imported.items()) if digest in found] if found else []

    @cached_property
    def case_numbers(self) -> dict[str, str]:
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
        self.has_earlier_editions = editions.has_earlier(source, keys)
        self._repeats_by_table: dict[UUID, set[str]] = {}
        self._stored_rivals: dict[tuple[UUID, str], list[Rival]] = {}
        self._last_numbers: dict[UUID, Key] = {}  # of each table the number of the last hand that was compared
        self._other_evenings: dict[UUID, set[str]] = defaultdict(set)  # sources of another evening than the run's

    def decide(self, coming: Sequence[IncomingAccount]) -> list[Verdict]:
        """Return what becomes of each of these accounts, in the order of the source."""
        self._stored_rivals = {}
        self._memory.mark_stale()
        wanted = [
            one.is_contested
            or (one.is_known and self.has_earlier_editions and one.hand.number in self._find_repeated_numbers(one))
            for one in coming
        ]
        repeated = {(one.stream, one.hand.number) for one, told in zip(coming, wanted, strict=True) if told}
        self._fetch_rivals(one for one, told in zip(coming, wanted, strict=True) if told)
        found = self._compare_all([one for one, told in zip(coming, wanted, strict=True) if told and not one.is_known])
        verdicts: list[Verdict] = []
        for one, told in zip(coming, wanted, strict=True):
            if one.is_known and self._is_of_other_evening(one):
                verdicts.append(Verdict("same", evening="undated"))
            elif not told:
                verdicts.append(Verdict("same" if one.is_known else "new"))
            elif one.is_known:
                verdicts.append(self._judge_known(one))
            else:
                verdicts.append(self._judge_new(one, found[one.hand.hand]))
            key = one.stream, one.hand.number
            if not one.is_known and (self._memory.is_dry_run or key in repeated):
                self._memory.add(key, one.hand, self._source)
            self._memory.add_events(key, verdicts[-1].table_events)
        return verdicts

    def _find_repeated_numbers(self, one: IncomingAccount) -> set[str]:
        """Return the numbers of a table that were told more than once."""
        found = self._repeats_by_table.get(one.stream)
        if found is None:
            opened = one.opened
            place = TableKey(opened.venue, opened.tournament, opened.table)
            found = self._repeats_by_table[one.stream] = repeated_numbers(self._ledger, place)
        return found

    def _rivals(self, one: IncomingAccount) -> list[Rival]:
        """Return the accounts of this number at this table that came before, itself not among them."""
        key = one.stream, one.hand.number
        found = list(self._find_stored(one, key))
        stored = {rival.hand.hand for rival in found}
        found += [rival for rival in self._memory.rivals_of(key) if rival.hand.hand not in stored]
        return found

    def _find_stored(self, one: IncomingAccount, key: tuple[UUID, str]) -> list[Rival]:
        """Return those that the ledger has."""
        if key not in self._stored_rivals:
            self._fetch_rivals((one,))
        return self._stored_rivals[key]

    def _fetch_rivals(self, coming: Iterable[IncomingAccount]) -> None:
        """Read the accounts of these numbers that the ledger has, those of a batch together."""
        wanted: dict[UUID, list[IncomingAccount]] = {}
        for one in coming:
            if (one.stream, one.hand.number) not in self._stored_rivals:
                self._stored_rivals[one.stream, one.hand.number] = []
                wanted.setdefault(one.stream, []).append(one)
        for stream, of_table in wanted.items():
            opened = of_table[0].opened
            place = TableKey(opened.venue, opened.tournament, opened.table)
            found = hand_accounts(self._ledger, place, (one.hand.number for one in of_table))
            for told, hand in accounts_as_told(self._ledger, found):
                self._stored_rivals[stream, told.number].append(Rival(hand, told.source, told.position))

    def _group_hands(self, one: IncomingAccount, rivals: list[Rival]) -> list[HandAccounts[Rival]]:
        return group_accounts(rivals, self._memory.events_for(self._ledger, one.stream, one.hand.number))

    def find_first_account(self, one: IncomingAccount) -> tuple[str, bool]:
        """Return the first account of the hand that this one tells, and whether no other hand had its number before."""
        rivals = self._rivals(one)
        if all(rival.hand.hand != one.hand.hand for rival in rivals):
            rivals.append(Rival(one.hand, self._source))
        hands = self._group_hands(one, rivals)
        hand = _hand_of_account(hands, one.hand.hand)
        return hand.accounts[0].hand.hand, hand is hands[0]

    def is_own_source(self, source: str) -> bool:
        """Tell whether a source is this one, or another edition of it."""
        return source == self._source or self._editions.is_read_from(source, self._keys)

    # which hand

    def _compare_all(self, coming: list[IncomingAccount]) -> dict[str, Comparison]:
        """Return for each account whether it tells the hand of each of its rivals.

        Numbers run on from hand to hand of a table: where one hand of a run is another evening's, those that
        could be either are as well.
        """
        found: dict[str, Comparison] = {}
        runs: dict[UUID, list[Comparison]] = defaultdict(list)
        earlier: dict[tuple[UUID, str], list[Rival]] = defaultdict(list)
        for one in coming:
            run, number = runs[one.stream], number_key(one.hand.number)
            if one.stream in self._last_numbers and self._last_numbers[one.stream] >= number:
                self._settle_run(one.stream, run)
                run.clear()
                self._other_evenings[one.stream].clear()
            self._last_numbers[one.stream] = number
            key = one.stream, one.hand.number
            compared = Comparison(one.hand, [*self._rivals(one), *earlier[key]], self._compare_hands)
            earlier[key].append(Rival(one.hand, self._source))
            found[one.hand.hand] = compared
            run.append(compared)
        for stream, run in runs.items():
            self._settle_run(stream, run)
        return found

    def _settle_run(self, stream: UUID, run: Sequence[Comparison]) -> None:
        settle_run(run, self._is_edition, self._other_evenings[stream])

    def _is_of_other_evening(self, one: IncomingAccount) -> bool:
        """Tell whether a hand was there to the letter, told by a source of another evening than its file's."""
        parted = self._other_evenings.get(one.stream, set())
        return bool(parted) and any(
            rival.hand.hand == one.hand.hand and rival.source in parted for rival in self._rivals(one)
        )

    def _is_edition(self, source: str) -> bool:
        """Tell whether a source is an earlier edition of this one."""
        return source != self._source and self.is_own_source(source)

    def _compare_hands(self, rival: Rival, hand: HandPlayed) -> Identity:
        told = rival.hand
        times = told.started is not None and hand.started is not None
        began_twice = times and told.started != hand.started and told.voided == hand.voided
        if rival.source == self._source and (began_twice or is_redeal(told, hand)):
            return "other"  # one source does not give one hand two beginnings
        answer = decide_identity(told, hand)
        if answer == "doubtful" and times and not self.is_own_source(rival.source):
            return "other"  # that only the date is wrong is likely in one source alone
        return answer

    # whether it stands

    def _judge_new(self, one: IncomingAccount, compared: Comparison) -> Verdict:
        """Decide for an account that is new, of a number that was told before."""
        rivals, answers = self._rivals(one), compared.answers
        hands = [hand for hand in self._group_hands(one, rivals) if not _is_dated_apart(hand, one.hand, answers)]
        home = _find_hand_by_answer(hands, answers, "same", one.hand)
        doubtful = None if home else _find_hand_by_answer(hands, answers, "doubtful", one.hand)
        number, stream = one.hand.number, one.hand.hand
        if home is None and doubtful is None:
            return Verdict(
                "new", (AccountPlaced(number, stream, stream),), evening="apart" if compared.is_other_evening else ""
            )
        if home is None:
            assert doubtful is not None  # noqa: S101 - one of the two is there
            other = doubtful.accounts[0].hand.hand
            said = AccountPlaced(number, stream, other, doubtful=True)
            return Verdict("second", (said,), is_doubtful=True)
        first = home.accounts[0].hand.hand
        undated: Evening = "undated" if compared.is_undated else ""
        stands, rule, kept = self._choose_standing(home, one.hand)
        mine = Rival(one.hand, self._source)
        events: list[Event] = []
        if not _is_grouped_with(group_accounts([*rivals, mine], self._decisions_for(one)), home, stream):
            events.append(AccountPlaced(number, stream, first))
        known = self._decisions_for(one, events)
        if _hand_of_account(group_accounts([*rivals, mine], known), stream).stands.hand.hand != stands:
            before = home.stands.hand.hand
            events.append(AccountChosen(number, stands, before if before != stands else "", rule=rule))
        if stands == stream:
            return Verdict("superseded", tuple(events), home.stands.hand.hand, first_account=first, evening=undated)
        return Verdict("second", tuple(events), keep_reason=kept, first_account=first, evening=undated)

    def _choose_standing(self, home: HandAccounts[Rival], hand: HandPlayed) -> tuple[str, ChoiceRule, str]:
        """Return which account stands once `hand` is there, by which rule, and why it stays if it must."""
        stands = home.stands
        cut = not stands.hand.completed and not stands.hand.voided
        whole = hand.completed or bool(hand.voided)
        anew = self.is_own_source(stands.source)
        rule: ChoiceRule = "kept"
        if anew and stands.source != self._source and (whole or cut):
            rule = "same-source"
        elif hand.completed and not stands.hand.completed and (anew or cut):
            rule = "finished"
        if rule == "kept":
            return stands.hand.hand, rule, ""
        kept = self._find_rival_binding(stands)
        return (stands.hand.hand, "kept", kept) if kept else (hand.hand, rule, "")

    def find_binding(self, accounts: Iterable[str], position: int) -> str:
        """Say why nobody but a person, with a reason, replaces this; "" if nothing binds it."""
        for account in accounts:
            case = self._editions.case_numbers.get(account)
            if case is not None:
                return f"case {case} is about it"
        if 0 < position <= self._editions.sealed_position:
            return "a signed checkpoint covers it"
        return ""

    def _find_rival_binding(self, rival: Rival) -> str:
        return self.find_binding((rival.hand.hand,), rival.position)

    def _judge_known(self, one: IncomingAccount) -> Verdict:
        """Decide for an account that the ledger has, in a source of which another edition was read since."""
        hands = self._group_hands(one, self._rivals(one))
        hand = _hand_of_account(hands, one.hand.hand)
        stands = hand.stands
        if stands.hand.hand == one.hand.hand or one.hand.hand in hand.doubtful:
            return Verdict("same")
        chosen = hand.chosen
        if (chosen is not None and not chosen.rule) or not self.is_own_source(stands.source):
            return Verdict("same")  # somebody decided, or another source stands
        kept = self._find_rival_binding(stands)
        if kept or not (one.hand.completed or one.hand.voided):
            return Verdict("same", keep_reason=kept)
        said: tuple[Event, ...] = (AccountChosen(one.hand.number, one.hand.hand, stands.hand.hand, rule="same-source"),)
        if not self._memory.has_account(self._ledger, one.stream, one.hand.hand):
            said = (one.hand, *said)
        return Verdict("superseded", said, stands.hand.hand)

    def _decisions_for(self, one: IncomingAccount, more: Iterable[Event] = ()) -> list[Event]:
        return [*self._memory.events_for(self._ledger, one.stream, one.hand.number), *more]


class AccountCache:
    """What the accounts of a batch, or of a whole dry run (`is_dry_run`), say of one another."""

    def __init__(self, *, is_dry_run: bool = False) -> None:
        """Remember nothing yet."""
        self.is_dry_run = is_dry_run
        self._accounts: dict[tuple[UUID, str], list[tuple[bytes, str]]] = {}
        self._pending: dict[tuple[UUID, str], list[Event]] = {}
        self._decisions: dict[UUID, _TableDecisions] = {}
        self._fresh_tables: set[UUID] = set()  # tables whose words were read in this batch

    def add(self, key: tuple[UUID, str], hand: HandPlayed, source: str) -> None:
        """Remember an account; encoded, as a dry run may meet very many."""
        self._accounts.setdefault(key, []).append((msgspec.json.encode(hand), source))

    def rivals_of(self, key: tuple[UUID, str]) -> list[Rival]:
        """Return the accounts of a number."""
        return [Rival(_decode_hand(data), source) for data, source in self._accounts.get(key, ())]

    def add_events(self, key: tuple[UUID, str], events: Sequence[Event]) -> None:
        """Remember what the table is to be told of a number."""
        if events:
            self._pending.setdefault(key, []).extend(events)

    def events_for(self, ledger: Ledger, stream: UUID, number: str) -> list[Event]:
        """Return what was said of a number: by the table's stream, and since."""
        return [*self._read_decisions(ledger, stream).events_for(number), *self._pending.get((stream, number), ())]

    def has_account(self, ledger: Ledger, stream: UUID, account: str) -> bool:
        """Tell whether a table was told of an account: an older program told it of first ones only."""
        return int(account, 16) in self._read_decisions(ledger, stream).accounts

    def mark_stale(self) -> None:
        """Take it that tables may have been told more: their streams are read on when they are asked for."""
        self._fresh_tables.clear()

    def _read_decisions(self, ledger: Ledger, stream: UUID) -> _TableDecisions:
        words = self._decisions.setdefault(stream, _TableDecisions())
        if stream not in self._fresh_tables:
            self._fresh_tables.add(stream)
            words.read(ledger, stream)
        return words

    def forget_stored(self) -> None:
        """Forget what is in the ledger now; what a dry run met never is."""
        if not self.is_dry_run:
            self._accounts, self._pending = {}, {}


class _TableDecisions:
    """What a table's stream says of accounts; its hands are passed over, of which there are many."""

    def __init__(self) -> None:
        self._version = 0
        self._numbered: list[tuple[int, Event]] = []
        self._by_number: dict[str, list[Event]] | None = None  # by number, until more is said
        self.accounts: set[int] = set()

    def read(self, ledger: Ledger, stream: UUID) -> None:
        """Read on from where reading stopped."""
        for entry in entries_after(ledger, stream, self._version):
            self._version = entry.version
            if isinstance(entry.event, HandPlayed):
                self.accounts.add(int(entry.event.hand, 16))
            elif isinstance(entry.event, AccountPlaced | AccountChosen | CorrectionMade):
                self._numbered.append((entry.version, entry.event))
                self._by_number = None

    def events_for(self, number: str) -> list[Event]:
        if self._by_number is None:
            self._by_number = defaultdict(list)
            for _, event in apply_corrections(self._numbered):
                self._by_number[getattr(event, "number", "")].append(event)
        return self._by_number.get(number, [])


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
