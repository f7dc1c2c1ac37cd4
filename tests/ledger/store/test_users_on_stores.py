"""Users, links, codes, sessions, revocation and approvals: the same on every store."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

import ledger
from ledger.errors import NothingFoundError, UsageError
from ledger.house.devices import digest_of
from ledger.house.events import DeviceEnrolled, DeviceRetired
from ledger.house.users import CODE_MILLIS, SESSION_MILLIS
from ledger.recording.author import Recording, parse_writer
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.requests import sign_ins
from ledger.store.requests.erasure import erase
from ledger.streams import HOUSE
from web.api.api_errors import ApprovalNeededError
from web.api.device_requests import NewTable
from web.api.page_acts import ApprovedAct, PageAct, PagePerson
from web.api.tables import RecordedTables
from web.server.access.user_directory import UserDirectory
from web.server.access.visitors import Visitor
from web.server.keep_page import PAGE_DEVICE
from web.server.table_keeper import page_person

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.store import Ledger

T7 = TableKey("Riverside Cardroom", "", "T7")
HAND = ("hand 412", "seat 1 Ana 500", "seat 2 Bo 500", "button 1", "1 posts small 2", "2 posts big 5", "deal done")


class WallClock:
    """A clock that stands where it was put."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


def sign_in(book: Ledger, name: str, role: str = "dealer") -> str:
    """Enrol a user and sign in by a code; return the session's secret."""
    user, _ = sign_ins.enrol_user(book, name, role)  # type: ignore[arg-type]  # one of the roles
    code = sign_ins.issue_code(book, user).code
    match = UserDirectory(book).find_user_of_code(code)
    assert match is not None
    secret = sign_ins.open_session(book, match[0].user, "", match[1])
    assert secret is not None
    return secret


def test_a_user_signs_in_and_out_in_the_view_of_every_program(book: Ledger, url: str) -> None:
    secret = sign_in(book, "Maria")
    with ledger.open(url, clock=book.now) as second:
        directory = UserDirectory(second)
        session = directory.find_session(secret)
        assert session is not None
        assert session.role == "dealer"
        sign_ins.close_session(book, session.user, session.digest)
        assert directory.find_session(secret) is None
        assert directory.find_session("") is None


def test_a_code_that_many_try_at_once_is_good_once(book: Ledger, url: str) -> None:
    user, _ = sign_ins.enrol_user(book, "Maria", "dealer")
    code = sign_ins.issue_code(book, user).code
    match = UserDirectory(book).find_user_of_code(code)
    assert match is not None
    secrets: list[str | None] = []
    with ledger.open(url, clock=book.now) as second:
        threads = [
            threading.Thread(
                target=lambda opened=opened: secrets.append(sign_ins.open_session(opened, user, "", match[1]))
            )
            for opened in (book, second, book, second)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len([secret for secret in secrets if secret]) == 1
    assert UserDirectory(book).find_user_of_code(code) is None


def test_codes_and_sessions_end_with_their_time_and_no_clock_brings_them_back(new_url: Callable[[], str]) -> None:
    clock = WallClock()
    with ledger.open(new_url(), clock=clock) as book:
        secret = sign_in(book, "Maria")
        user = sign_ins.find_user(book, "Maria").user
        code = sign_ins.issue_code(book, user).code
        directory = UserDirectory(book)
        issued = clock.now
        clock.now = issued + CODE_MILLIS - 1
        assert directory.find_user_of_code(code) is not None
        clock.now = issued + CODE_MILLIS
        assert directory.find_user_of_code(code) is None
        clock.now = issued - 60 * 60 * 1000  # set back by an hour
        assert directory.find_user_of_code(code) is None
        assert directory.find_session(secret) is not None
        clock.now = issued + SESSION_MILLIS
        assert directory.find_session(secret) is None


@pytest.mark.parametrize(
    "end", ["revoked", "new link", "other role", "erased", "device retired", "device has a new key"]
)
def test_whatever_ends_a_user_ends_the_sessions(book: Ledger, end: str) -> None:
    book.append("house", HOUSE, [DeviceEnrolled("tablet-7", digest_of("key"))])
    user, link = sign_ins.enrol_user(book, "Maria", "dealer")
    secret = sign_ins.open_session(book, user, "tablet-7")
    assert secret is not None
    code = sign_ins.issue_code(book, user).code
    directory = UserDirectory(book)
    visitor = Visitor("dealer", user, directory.find_session(secret).digest)  # type: ignore[union-attr]  # just opened
    assert directory.may_stay(visitor)
    if end == "revoked":
        sign_ins.revoke_user(book, user)
    elif end in ("new link", "other role"):
        sign_ins.enrol_user(book, "Maria", "floor" if end == "other role" else "dealer")
    elif end == "erased":
        erase(book, user)
    else:
        new_key = DeviceEnrolled("tablet-7", digest_of("other key"))
        book.append("house", HOUSE, [DeviceRetired("tablet-7") if end == "device retired" else new_key])
    assert directory.find_session(secret) is None
    assert not directory.may_stay(visitor)
    if not end.startswith("device"):
        assert directory.find_user_of_link(link) is None
        assert directory.find_user_of_code(code) is None


def test_names_that_look_the_same_are_one_user(book: Ledger) -> None:
    composed, _ = sign_ins.enrol_user(book, "José", "dealer")
    decomposed, _ = sign_ins.enrol_user(book, "  Jose\u0301 ", "floor")
    assert composed == decomposed
    assert sign_ins.find_user(book, "Jose\u0301").role == "floor"
    assert len(sign_ins.list_users(book)) == 1
    for name in ("", " ", "\u202eairaM", "Ma\nria", "M" * 61):
        with pytest.raises(UsageError):
            sign_ins.enrol_user(book, name, "dealer")
    with pytest.raises(NothingFoundError):
        sign_ins.find_user(book, "Maria")


def test_no_secret_is_in_the_ledger(book: Ledger) -> None:
    user, link = sign_ins.enrol_user(book, "Maria", "dealer")
    code = sign_ins.issue_code(book, user).code
    secret = sign_ins.open_session(book, user, "")
    assert secret is not None
    events = repr([entry.event for entry in book.entries(HOUSE)])
    assert not [word for word in (link, code, secret, "Maria") if word in events]


def test_what_a_floor_approves_is_recorded_once_with_both_names(book: Ledger) -> None:
    maria, flo = (sign_ins.enrol_user(book, name, role)[0] for name, role in (("Maria", "dealer"), ("Flo", "floor")))
    tables = RecordedTables(book, ["hilton"])
    dealer = page_person(Visitor("dealer", maria))
    floor = PagePerson(Recording(flo), "floor")
    tables.open(T7, PAGE_DEVICE, NewTable("holdem no-limit cash blinds 2/5 unit USD 2", 9), floor)
    for number, line in enumerate(HAND, 1):
        tables.record_act(
            T7, PAGE_DEVICE, PageAct(line, "a", number, number - 1, None, tables.find_position(T7)), floor
        )
    with pytest.raises(ApprovalNeededError) as refused:
        tables.record_act(
            T7, PAGE_DEVICE, PageAct("1 killed fouled", "b", 1, 0, None, tables.find_position(T7)), dealer
        )
    assert refused.value.position == tables.find_position(T7)
    approved = PagePerson(Recording(maria, "", flo), "floor")
    code = sign_ins.issue_code(book, flo).code
    match = UserDirectory(book).find_user_of_code(code)
    assert match is not None

    def spend() -> None:
        assert sign_ins.use_code(book, flo, match[1], "approval")

    act = ApprovedAct("1 killed fouled", "form", refused.value.position)
    assert not tables.record_approved(T7, PAGE_DEVICE, act, approved, spend)
    assert tables.record_approved(T7, PAGE_DEVICE, act, approved, spend)  # sent again: it's there already
    assert not sign_ins.use_code(book, flo, match[1], "approval")
    (hand,) = book.hands(number="412")
    last = parse_writer(book.entries(hand.stream)[-1].recorded.writer)
    assert (last.user, last.approver) == (maria, flo)
