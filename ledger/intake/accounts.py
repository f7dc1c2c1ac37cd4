"""Decide which hand an imported account describes, and which account of that hand counts.

A corrected file replaces its earlier edition, and a complete hand replaces one that was cut off. Any other account is
stored next to the one that counts.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias
from uuid import UUID

from ledger.case.events import CaseLinked
from ledger.event import Event
from ledger.house.events import CheckpointSigned, SourceImported, SourceRejected
from ledger.intake.account_cache import AccountCache
from ledger.intake.evenings import Comparison, Evening, Rival, settle_run
from ledger.store.hands.hand_accounts import TableKey, list_hand_accounts, list_repeated_numbers, read_entries_after
from ledger.store.hands.table_streams import correct_accounts
from ledger.store.requests.case_streams import all_cases
from ledger.streams import HOUSE
from ledger.table.events import AccountChosen, AccountPlaced, ChoiceRule, HandPlayed
from ledger.table.identity import Identity, are_days_apart, decide_identity, is_redeal
from ledger.table.numbers import NumberKey, number_key
from ledger.table.standing_accounts import HandAccounts, group_accounts
from ledger.vocabulary import TextRef

if TYPE_CHECKING:
    from ledger.hand.opening import HandOpened
    from ledger.store import Ledger

AccountOutcome: TypeAlias = Literal["new", "same", "second", "superseded"]


class IncomingAccount(NamedTuple):
    """An account of a hand that is being imported."""

    stream: UUID  # of its table
    opened: HandOpened
    hand: HandPlayed
    is_known: bool  # the ledger already has this account
    is_contested: bool  # its table already has a hand of this number


class Verdict(NamedTuple):
    """The decision about an account, and the events that record it at the table."""

    outcome: AccountOutcome
    table_events: tuple[Event, ...] = ()
    replaced_account: str = ""  # the account that counted before, hex
    is_doubtful: bool = False
    keep_reason: str = ""  # why the earlier account still counts, although this one would replace it
    first_account: str = ""  # the first account of the same hand, hex
    evening: Evening = ""  # whether it is, or may be, another evening's hand


class Editions:
    """Knows which sources are editions of one another: imported from one path, or with one `source` line."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger."""
        self._ledger = ledger
        self._keys: dict[str, set[str]] = {}
        self._digests: dict[str, set[str]] = {}  # key → digests that were read under it
        self._last_digests: dict[str, str] = {}  # key → digest that was read last under it
        self.sources_read = 0  # number of sources that were read to the end
        self._pipe = ledger.people.reference("-")
        self.sealed_position = 0  # the last position of the log under a signed checkpoint
        self.imported: dict[tuple[str, str], SourceImported] = {}
        self.reject_positions: dict[str, array[int]] = {}  # source → log positions of its rejects
        self._version = 0  # of the last event read from the house's stream
        self._learned_early: Counter[tuple[str, str]] = Counter()  # imports added before their event was read
        self.read_on()

    def read_on(self) -> None:
        """Read the house's new events, so that repeated imports read each event once."""
        self.__dict__.pop("case_numbers", None)
        for house_entry in read_entries_after(self._ledger, HOUSE, self._version):
            event, self._version = house_entry.event, house_entry.version
            if isinstance(event, SourceImported):
                source_key = event.source, event.reader
                if self._learned_early[source_key]:
                    self._learned_early[source_key] -= 1
                else:
                    self.learn(event)
            elif isinstance(event, SourceRejected):
                self.reject_positions.setdefault(event.source, array("q")).append(house_entry.position)
            elif isinstance(event, CheckpointSigned):
                self.sealed_position = house_entry.position

    def add_finished(self, event: SourceImported) -> None:
        """Add a source that was just read; its event in the house's stream will not count twice."""
        self._learned_early[event.source, event.reader] += 1
        self.learn(event)

    def learn(self, event: SourceImported) -> None:
        """Add a source that was read to its end."""
        self.sources_read += 1
        self.imported[event.source, event.reader] = event
        source_names = {name for name in (event.origin, event.told) if name}
        if not source_names and event.name != self._pipe:  # imported by an older program, which stored nothing else
            source_names = {hash_name(event.name)}
        self._keys.setdefault(event.source, set()).update(source_names)
        for name in source_names:
            self._digests.setdefault(name, set()).add(event.source)
            self._last_digests[name] = event.source

    def has_read(self, source: str) -> bool:
        """Whether any reader has read a source to its end."""
        return source in self._keys

    def is_read_from(self, source: str, keys: AbstractSet[str]) -> bool:
        """Whether a source was read under one of these keys."""
        return not self._keys.get(source, set()).isdisjoint(keys)

    def has_earlier(self, digest: str, keys: AbstractSet[str]) -> bool:
        """Whether other editions were read under these keys."""
        return any(other_digest != digest for name in keys for other_digest in self._digests.get(name, ()))

    def is_overtaken(self, digest: str, keys: AbstractSet[str]) -> bool:
        """Whether another edition was read under the same keys after this one."""
        last_digests = [self._last_digests[name] for name in keys if name in self._last_digests]
        return bool(last_digests) and digest not in last_digests

    def find_last_digest(self, keys: AbstractSet[str]) -> str:
        """Return the digest that was read last under one of these keys, or ""."""
        return next((self._last_digests[name] for name in sorted(keys) if name in self._last_digests), "")

    def find_finished(self, digest: str, reader: str, keys: AbstractSet[str]) -> SourceImported | None:
        """Return the event of a source that this reader has read to its end, or None.

        Return None as well if another edition was read since: this one must be imported again.
        """
        return None if self.is_overtaken(digest, keys) else self.imported.get((digest, reader))

    def find_family(self, keys: AbstractSet[str]) -> list[SourceImported]:
        """Return the events of all editions that were read under one of these keys, ordered by digest."""
        family_digests = {digest for name in keys for digest in self._digests.get(name, ())}
        return (
            [event for (digest, _), event in sorted(self.imported.items()) if digest in family_digests]
            if family_digests
            else []
        )

    @cached_property
    def case_numbers(self) -> dict[str, str]:
        """The case numbers of accounts that cases are about, by the account's id."""
        return {
            event.hand: case.number
            for case in all_cases(self._ledger)
            for event in case.events
            if isinstance(event, CaseLinked)
        }


def hash_name(name: TextRef) -> str:
    """Return the key of a source that an older program imported."""
    return f"as {name}"


class AccountChooser:
    """Decides about the accounts of one source. All sources of an import share the cache."""

    def __init__(
        self, ledger: Ledger, source: str, keys: AbstractSet[str], editions: Editions, cache: AccountCache
    ) -> None:
        """Take the digest of the source, its keys, and what all sources share."""
        self._keys = keys
        self._ledger = ledger
        self._source = source
        self._editions = editions
        self._cache = cache
        self.has_earlier_editions = editions.has_earlier(source, keys)
        self._repeats_by_table: dict[UUID, set[str]] = {}
        self._stored_rivals: dict[tuple[UUID, str], list[Rival]] = {}
        self._last_numbers: dict[UUID, NumberKey] = {}  # the number of each table's last compared hand
        self._other_evenings: dict[UUID, set[str]] = defaultdict(set)  # table → sources of other evenings

    def decide(self, accounts: Sequence[IncomingAccount]) -> list[Verdict]:
        """Decide about each account, in the order of the source."""
        self._stored_rivals = {}
        self._cache.mark_stale()
        compared_accounts = [account for account in accounts if self._needs_comparison(account)]
        compared_numbers = {(account.stream, account.hand.number) for account in compared_accounts}
        self._fetch_rivals(compared_accounts)
        comparisons = self._compare_all([account for account in compared_accounts if not account.is_known])
        verdicts: list[Verdict] = []
        for account in accounts:
            table_number = account.stream, account.hand.number
            verdict = self._judge(account, comparisons)
            verdicts.append(verdict)
            if not account.is_known and (self._cache.is_dry_run or table_number in compared_numbers):
                self._cache.add(table_number, account.hand, self._source)
            self._cache.add_events(table_number, verdict.table_events)
        return verdicts

    def _needs_comparison(self, account: IncomingAccount) -> bool:
        """Whether other accounts of the same number have a say in the decision."""
        if account.is_contested:
            return True
        may_be_repeated = account.is_known and self.has_earlier_editions
        return may_be_repeated and account.hand.number in self._find_repeated_numbers(account)

    def _judge(self, account: IncomingAccount, comparisons: dict[str, Comparison]) -> Verdict:
        """Decide about one account. `comparisons`: those of the new ones that need it, by id."""
        if account.is_known and self._is_of_other_evening(account):
            return Verdict("same", evening="undated")
        if not self._needs_comparison(account):
            return Verdict("same" if account.is_known else "new")
        if account.is_known:
            return self._judge_known(account)
        return self._judge_new(account, comparisons[account.hand.hand])

    def _find_repeated_numbers(self, account: IncomingAccount) -> set[str]:
        """Return the numbers that several hands of the table have."""
        numbers = self._repeats_by_table.get(account.stream)
        if numbers is None:
            opened = account.opened
            table_key = TableKey(opened.venue, opened.tournament, opened.table)
            numbers = self._repeats_by_table[account.stream] = list_repeated_numbers(self._ledger, table_key)
        return numbers

    def _find_rivals(self, account: IncomingAccount) -> list[Rival]:
        """Return the earlier accounts of the same number at the same table."""
        table_number = account.stream, account.hand.number
        rivals = list(self._find_stored(account, table_number))
        stored_ids = {rival.hand.hand for rival in rivals}
        rivals += [rival for rival in self._cache.find_rivals(table_number) if rival.hand.hand not in stored_ids]
        return rivals

    def _find_stored(self, account: IncomingAccount, table_number: tuple[UUID, str]) -> list[Rival]:
        """Return the rivals that are stored in the ledger."""
        if table_number not in self._stored_rivals:
            self._fetch_rivals((account,))
        return self._stored_rivals[table_number]

    def _fetch_rivals(self, accounts: Iterable[IncomingAccount]) -> None:
        """Read the stored accounts of these numbers, one query for each table."""
        accounts_by_table: dict[UUID, list[IncomingAccount]] = {}
        for account in accounts:
            if (account.stream, account.hand.number) not in self._stored_rivals:
                self._stored_rivals[account.stream, account.hand.number] = []
                accounts_by_table.setdefault(account.stream, []).append(account)
        for stream, table_accounts in accounts_by_table.items():
            opened = table_accounts[0].opened
            table_key = TableKey(opened.venue, opened.tournament, opened.table)
            stored_rows = list_hand_accounts(
                self._ledger, table_key, (account.hand.number for account in table_accounts)
            )
            for stored_account, stored_hand in correct_accounts(self._ledger, stored_rows):
                self._stored_rivals[stream, stored_account.number].append(
                    Rival(stored_hand, stored_account.source, stored_account.position)
                )

    def _group_hands(self, account: IncomingAccount, rivals: list[Rival]) -> list[HandAccounts[Rival]]:
        return group_accounts(rivals, self._cache.find_events(self._ledger, account.stream, account.hand.number))

    def find_first_account(self, account: IncomingAccount) -> tuple[str, bool]:
        """Return the first account of the same hand, and whether it is the first hand of its number."""
        rivals = self._find_rivals(account)
        if all(rival.hand.hand != account.hand.hand for rival in rivals):
            rivals.append(Rival(account.hand, self._source))
        hands = self._group_hands(account, rivals)
        hand = _find_hand_of_account(hands, account.hand.hand)
        return hand.accounts[0].hand.hand, hand is hands[0]

    def is_own_source(self, source: str) -> bool:
        """Whether a source is this one, or another edition of it."""
        return source == self._source or self._editions.is_read_from(source, self._keys)

    # which hand an account belongs to

    def _compare_all(self, accounts: list[IncomingAccount]) -> dict[str, Comparison]:
        """Compare each account with its rivals; the keys are the ids of the accounts.

        Hand numbers of a table count on. If one hand of a run is another evening's, the uncertain hands of the run
        are, too.
        """
        comparisons: dict[str, Comparison] = {}
        runs: dict[UUID, list[Comparison]] = defaultdict(list)
        earlier_rivals: dict[tuple[UUID, str], list[Rival]] = defaultdict(list)
        for account in accounts:
            run, number = runs[account.stream], number_key(account.hand.number)
            if account.stream in self._last_numbers and self._last_numbers[account.stream] >= number:
                self._settle_run(account.stream, run)
                run.clear()
                self._other_evenings[account.stream].clear()
            self._last_numbers[account.stream] = number
            table_number = account.stream, account.hand.number
            comparison = Comparison(
                account.hand, [*self._find_rivals(account), *earlier_rivals[table_number]], self._compare_hands
            )
            earlier_rivals[table_number].append(Rival(account.hand, self._source))
            comparisons[account.hand.hand] = comparison
            run.append(comparison)
        for stream, run in runs.items():
            self._settle_run(stream, run)
        return comparisons

    def _settle_run(self, stream: UUID, run: Sequence[Comparison]) -> None:
        settle_run(run, self._is_edition, self._other_evenings[stream])

    def _is_of_other_evening(self, account: IncomingAccount) -> bool:
        """Whether the ledger has this account, but from a source of another evening."""
        other_sources = self._other_evenings.get(account.stream, set())
        return bool(other_sources) and any(
            rival.hand.hand == account.hand.hand and rival.source in other_sources
            for rival in self._find_rivals(account)
        )

    def _is_edition(self, source: str) -> bool:
        """Whether a source is another edition of this one."""
        return source != self._source and self.is_own_source(source)

    def _compare_hands(self, rival: Rival, hand: HandPlayed) -> Identity:
        rival_hand = rival.hand
        has_both_times = rival_hand.started is not None and hand.started is not None
        began_twice = has_both_times and rival_hand.started != hand.started and rival_hand.voided == hand.voided
        if rival.source == self._source and (began_twice or is_redeal(rival_hand, hand)):
            return "other"  # a source never starts a hand twice
        answer = decide_identity(rival_hand, hand)
        if answer == "doubtful" and has_both_times and not self.is_own_source(rival.source):
            return "other"  # only within one source is a wrong date likely
        return answer

    # which account counts

    def _judge_new(self, account: IncomingAccount, comparison: Comparison) -> Verdict:
        """Decide about a new account whose number its table already has."""
        rivals, answers = self._find_rivals(account), comparison.answers
        hands = [
            hand for hand in self._group_hands(account, rivals) if not _is_dated_apart(hand, account.hand, answers)
        ]
        same_hand_group = _find_hand_by_answer(hands, answers, "same", account.hand)
        doubtful_group = None if same_hand_group else _find_hand_by_answer(hands, answers, "doubtful", account.hand)
        number, account_id = account.hand.number, account.hand.hand
        if same_hand_group is None and doubtful_group is None:
            return Verdict(
                "new",
                (AccountPlaced(number, account_id, account_id),),
                evening="apart" if comparison.is_other_evening else "",
            )
        if same_hand_group is None:
            assert doubtful_group is not None  # noqa: S101 - one of the two is there
            other_account = doubtful_group.accounts[0].hand.hand
            placement = AccountPlaced(number, account_id, other_account, doubtful=True)
            return Verdict("second", (placement,), is_doubtful=True)
        first_account = same_hand_group.accounts[0].hand.hand
        undated: Evening = "undated" if comparison.is_undated else ""
        standing_account, rule, keep_reason = self._choose_standing(same_hand_group, account.hand)
        own_rival = Rival(account.hand, self._source)
        events: list[Event] = []
        if not _is_grouped_with(
            group_accounts([*rivals, own_rival], self._build_decisions(account)), same_hand_group, account_id
        ):
            events.append(AccountPlaced(number, account_id, first_account))
        decisions = self._build_decisions(account, events)
        if (
            _find_hand_of_account(
                group_accounts([*rivals, own_rival], decisions), account_id
            ).standing_account.hand.hand
            != standing_account
        ):
            replaced_account = same_hand_group.standing_account.hand.hand
            events.append(
                AccountChosen(
                    number,
                    standing_account,
                    replaced_account if replaced_account != standing_account else "",
                    rule=rule,
                )
            )
        if standing_account == account_id:
            return Verdict(
                "superseded",
                tuple(events),
                same_hand_group.standing_account.hand.hand,
                first_account=first_account,
                evening=undated,
            )
        return Verdict("second", tuple(events), keep_reason=keep_reason, first_account=first_account, evening=undated)

    def _choose_standing(self, hand_group: HandAccounts[Rival], hand: HandPlayed) -> tuple[str, ChoiceRule, str]:
        """Return which account counts once `hand` is stored, by which rule, and why the earlier one must stay, if so."""
        stands = hand_group.standing_account
        is_cut_off = not stands.hand.completed and not stands.hand.voided
        is_whole = hand.completed or bool(hand.voided)
        is_same_source = self.is_own_source(stands.source)
        rule: ChoiceRule = "kept"
        if is_same_source and stands.source != self._source and (is_whole or is_cut_off):
            rule = "same-source"
        elif hand.completed and not stands.hand.completed and (is_same_source or is_cut_off):
            rule = "finished"
        if rule == "kept":
            return stands.hand.hand, rule, ""
        keep_reason = self._find_rival_binding(stands)
        return (stands.hand.hand, "kept", keep_reason) if keep_reason else (hand.hand, rule, "")

    def find_binding(self, accounts: Iterable[str], position: int) -> str:
        """Return why only a person may replace these accounts, or "" if software may."""
        for account in accounts:
            case = self._editions.case_numbers.get(account)
            if case is not None:
                return f"case {case} is about it"
        if 0 < position <= self._editions.sealed_position:
            return "a signed checkpoint covers it"
        return ""

    def _find_rival_binding(self, rival: Rival) -> str:
        return self.find_binding((rival.hand.hand,), rival.position)

    def _judge_known(self, account: IncomingAccount) -> Verdict:
        """Decide about a known account of a source whose other edition was read since."""
        hands = self._group_hands(account, self._find_rivals(account))
        hand = _find_hand_of_account(hands, account.hand.hand)
        standing_rival = hand.standing_account
        if standing_rival.hand.hand == account.hand.hand or account.hand.hand in hand.doubtful:
            return Verdict("same")
        chosen = hand.chosen
        if (chosen is not None and not chosen.rule) or not self.is_own_source(standing_rival.source):
            return Verdict("same")  # a person decided, or another source's account counts
        keep_reason = self._find_rival_binding(standing_rival)
        if keep_reason or not (account.hand.completed or account.hand.voided):
            return Verdict("same", keep_reason=keep_reason)
        table_events: tuple[Event, ...] = (
            AccountChosen(account.hand.number, account.hand.hand, standing_rival.hand.hand, rule="same-source"),
        )
        if not self._cache.has_account(self._ledger, account.stream, account.hand.hand):
            table_events = (account.hand, *table_events)
        return Verdict("superseded", table_events, standing_rival.hand.hand)

    def _build_decisions(self, account: IncomingAccount, new_events: Iterable[Event] = ()) -> list[Event]:
        return [*self._cache.find_events(self._ledger, account.stream, account.hand.number), *new_events]


def _is_dated_apart(hand: HandAccounts[Rival], new_hand: HandPlayed, answers: dict[str, Identity]) -> bool:
    """Whether a hand was played on another day, although an undated account of it looks the same."""
    standing_hand = hand.standing_account.hand
    return answers.get(standing_hand.hand) == "other" and are_days_apart(standing_hand, new_hand)


def _find_hand_by_answer(
    hands: list[HandAccounts[Rival]], answers: dict[str, Identity], answer: Identity, new_hand: HandPlayed
) -> HandAccounts[Rival] | None:
    """Return the hand with such an answer, or None. A void deal matches a void deal first, a played hand a played one."""
    matches = [hand for hand in hands if any(answers.get(account.hand.hand) == answer for account in hand.accounts)]
    same_kind = (hand for hand in matches if bool(hand.first_account.hand.voided) == bool(new_hand.voided))
    return next(same_kind, matches[0] if matches else None)


def _find_hand_of_account(hands: list[HandAccounts[Rival]], account_id: str) -> HandAccounts[Rival]:
    return next(hand for hand in hands if any(account.hand.hand == account_id for account in hand.accounts))


def _is_grouped_with(hands: list[HandAccounts[Rival]], expected_group: HandAccounts[Rival], account_id: str) -> bool:
    """Whether an account already belongs to the expected hand without a new event."""
    hand_group = _find_hand_of_account(hands, account_id)
    return hand_group.accounts[0].hand.hand == expected_group.accounts[0].hand.hand
