"""Errors of a case: what contradicts it or is missing, and what to type. A form shows `form_hint` where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.errors import AddressError, CaseError, ConflictError, NothingFoundError, UsageError

_SHOW_HINT: Final = "handledger case show lists what the case has."

# Opening a case


def unknown_case(number: str) -> NothingFoundError:
    """Return the error for a number that no case has."""
    return NothingFoundError(f"no case {number!r} in this ledger", "handledger case list shows all.")


def not_opened() -> CaseError:
    """Return the error for an event of a case that doesn't exist yet."""
    return CaseError("this case doesn't exist yet", "Open it first: handledger case open.")


def number_taken(number: str) -> CaseError:
    """Return the error for the number of another case."""
    return CaseError(
        f"there is already a case {number!r}",
        "Leave out --number to get the next free one. To add to that case: handledger case note.",
    )


def bad_number(number: str) -> CaseError:
    """Return the error for a case number that can't be one."""
    return CaseError(
        f"{number!r} can't be the number of a case",
        "Use up to 40 letters, digits, dots, dashes and underlines. Begin with a letter or digit.",
    )


def negative_amount() -> CaseError:
    """Return the error for a disputed amount below zero."""
    return CaseError("the disputed amount is less than nothing", "Write it without the minus.")


def no_subject(table_option: str) -> UsageError:
    """Return the error for a case about nothing; `table_option`: how the table is named."""
    return UsageError(
        "a case needs a hand or a table",
        f"Name a hand, T7/408 or T7/408@17-20, or add {table_option}.",
        form_hint="Name a hand, or a table.",
    )


def hold_in_lake() -> UsageError:
    """Return the error for a hold on a hand of another ledger."""
    return UsageError(
        "a hold keeps names of this ledger, and these hands are from another one", "Leave out --hold. Hold them there."
    )


def case_closed(number: str, outcome: str) -> CaseError:
    """Return the error for an event of a closed case."""
    return CaseError(
        f"this case is closed ({outcome})",
        f"To go on with it: handledger case reopen {number} --why REASON",
        form_hint="It can be reopened, with a reason.",
    )


def too_many_writers(number: str) -> CaseError:
    """Return the error for a case that other programs write to all the time."""
    return CaseError(
        f"other programs keep writing to case {number!r}, so this wasn't added",
        "Look at the case and try again: handledger case show.",
    )


def changed_since_shown() -> ConflictError:
    """Return the error for a form whose case has grown since it was shown."""
    return ConflictError(
        "Something was added to this case since you opened the page.",
        "It's in the record above. If what you wrote still fits, send it again.",
    )


# Hands, people and tables of a case


def hand_linked_already() -> CaseError:
    """Return the error for a hand, or a part of it, that the case has."""
    return CaseError("this case already has that hand, or that part of it", _SHOW_HINT)


def bad_span() -> CaseError:
    """Return the error for a part of a hand that ends before it begins."""
    return CaseError(
        "a part of a hand begins at event 1 or later and can't end before it begins",
        "Write the first event and the last: 408@17-20.",
    )


def span_outside_hand(address: str, hand: str, event_count: int, example: str) -> AddressError:
    """Return the error for a part of a hand that the hand doesn't have."""
    return AddressError(
        f"{address!r} isn't a span of hand {hand!r}, which has {event_count} events",
        f"Give the first and the last event: {example}@17-20.",
    )


def foreign_hand_incomplete() -> CaseError:
    """Return the error for a hand of another ledger without what identifies it."""
    return CaseError(
        "a hand of another ledger needs that ledger's id, its position there and the hash of its commits",
        "Let the program read them: handledger case link --lake LAKE",
    )


def other_money(hand: str) -> CaseError:
    """Return the error for a hand that is played for other money."""
    return CaseError(f"hand {hand!r} isn't played for the same money as this case", "Open another case for it.")


def seat_not_in_hands(seat: int, seats: Sequence[int]) -> UsageError:
    """Return the error for a seat in which nobody sat."""
    return UsageError(
        f"nobody sat in seat {seat} in the hands of this case", f"Seats there: {', '.join(map(str, seats))}."
    )


def name_erased() -> UsageError:
    """Return the error for a name that was erased."""
    return UsageError(
        "this name was erased from the ledger and can't be recorded again",
        "Leave out --person; the role (--by) is recorded anyway.",
    )


def text_names_person(option: str) -> UsageError:
    """Return the error for a text with a name, where no name may be."""
    return UsageError(
        f"{option} names a person, and this text can never be erased",
        "Name the office, the place or the thing. Put the person in --person or in a note.",
        form_hint="Name the office, the place or the thing: this text can never be erased.",
    )


def ambiguous_source(source: str, count: int) -> AddressError:
    """Return the error for a name that several imported files have."""
    return AddressError(f"{source!r} matches {count} sources", "Give the file's SHA-256.")


def lake_of_this_ledger() -> UsageError:
    """Return the error for `--lake` with a lake of this ledger."""
    return UsageError("this lake was written from this ledger", "Leave out --lake: the hand is here.")


def ambiguous_lake_hand(address: str, stream_ids: Sequence[str]) -> AddressError:
    """Return the error for a number that several hands of a lake have."""
    return AddressError(
        f"{len(stream_ids)} hands of this lake are called {address!r}",
        f"Choose one by its id: {', '.join(stream_ids[:9])}",
    )


def unknown_lake_hand(address: str) -> NothingFoundError:
    """Return the error for a hand that a lake doesn't have."""
    return NothingFoundError(f"no hand {address!r} in this lake", "Name it by its number or id.")


def no_hand_of_lake() -> CaseError:
    """Return the error for a finding in a lake from which the case has no hand."""
    return CaseError(
        "this case concerns no hand of this lake, so its findings can't be cited",
        "Link the hand first: handledger case link NUMBER HAND --lake LAKE",
    )


def lake_hand_changed(hand: str) -> CaseError:
    """Return the error for a hand of a lake with other bytes than the one in the case."""
    return CaseError(
        f"hand {hand!r} of this lake isn't the one in the case: its bytes are different",
        "Use the lake from which the hand was linked.",
    )


# Statements and evidence


def empty_statement() -> CaseError:
    """Return the error for a statement without words."""
    return CaseError("the statement is empty", "Write what the person said.")


def empty_remark() -> CaseError:
    """Return the error for a remark without words."""
    return CaseError("the remark is empty", "Write what is to be noted.")


def remark_with_person() -> UsageError:
    """Return the error for a remark with the person who made it."""
    return UsageError("a remark is nobody's statement", "Leave out --remark, or --person and --seat.")


def bad_digest() -> CaseError:
    """Return the error for a digest that isn't one."""
    return CaseError("this isn't a file's SHA-256", "Write its 64 hex digits in small letters.")


def evidence_without_place() -> CaseError:
    """Return the error for evidence that nobody could find again."""
    return CaseError(
        "evidence needs a file, or a label that says where it is kept",
        "Name the file, or write for example: --label 'chips in the cage, bag 12'",
    )


def attached_already() -> CaseError:
    """Return the error for a file that the case has."""
    return CaseError("this file is already attached", _SHOW_HINT)


def recording_ends_early() -> CaseError:
    """Return the error for a recording that ends before it begins."""
    return CaseError("the recording ends before it begins", "Write --from and --to in UTC, the earlier time first.")


def no_evidence_file(path: str) -> UsageError:
    """Return the error for a file that doesn't exist."""
    return UsageError(f"there is no file {path}", "If there is no file, say where the evidence is kept: --label TEXT.")


def unreadable_evidence(path: str, reason: str) -> UsageError:
    """Return the error for a file that the system doesn't let us read; `reason`: what the system says."""
    return UsageError(f"{path} can't be read: {reason.lower()}", "Check that it can be read, then attach it again.")


# Holds and deadlines


def held_already(kind: str) -> CaseError:
    """Return the error for a hold that the case has; `kind`: hand, table, source or person."""
    return CaseError(
        f"that {kind} is already held until the same time", "Another --until moves it. handledger case lift ends it."
    )


def not_held(kind: str) -> CaseError:
    """Return the error for lifting a hold that the case doesn't have."""
    return CaseError(f"this case doesn't hold that {kind}", "handledger case show lists its holds.")


def assigned_already() -> CaseError:
    """Return the error for a person who works on the case."""
    return CaseError("that person already works on the case, in that role", _SHOW_HINT)


def due_already() -> CaseError:
    """Return the error for a deadline that the case has."""
    return CaseError("that deadline is already set", "Another time moves it.")


def deadline_missing(days_option: str) -> UsageError:
    """Return the error for a deadline without a time; `days_option`: how days are given."""
    return UsageError("when is it due?", f"Write a day, 2026-12-07, or {days_option} 10.")


def two_deadlines(option: str) -> UsageError:
    """Return the error for a deadline that is given twice."""
    return UsageError(f"{option} and --days both set the deadline", "Use one of them.")


def no_days() -> UsageError:
    """Return the error for a deadline in no days."""
    return UsageError("0 days from now is now", "Write 1 or more.")


def authority_missing() -> CaseError:
    """Return the error for a notice to nobody."""
    return CaseError("which authority was told?", "Write its name.")


# Findings, rulings and payments


def bad_fingerprint(fingerprint: str, digits: int) -> UsageError:
    """Return the error for a text that can't be the beginning of a fingerprint."""
    return UsageError(
        f"{fingerprint!r} isn't a fingerprint",
        f"Copy {digits} or more of its hex digits: audit prints it with each finding.",
    )


def case_without_hands() -> CaseError:
    """Return the error for a finding in a case without hands."""
    return CaseError(
        "this case has no hands, so it can't have findings", "Link the hand first: handledger case link NUMBER HAND"
    )


def unknown_finding(fingerprint: str, hint: str) -> NothingFoundError:
    """Return the error for a finding that the hands don't have; `hint`: those that they have."""
    return NothingFoundError(
        f"the hands of this case have no finding {fingerprint!r}", hint, form_hint="Choose one from the list."
    )


def ambiguous_finding(fingerprint: str, count: int) -> AddressError:
    """Return the error for the beginning of several fingerprints."""
    return AddressError(f"{fingerprint!r} matches {count} findings", "Type more digits of the fingerprint.")


def cited_already() -> CaseError:
    """Return the error for a finding that the case cites."""
    return CaseError("that finding is cited already", _SHOW_HINT)


def clause_without_book() -> UsageError:
    """Return the error for a clause without its rulebook."""
    return UsageError("a clause of which rulebook?", "Name the book with --rulebook.", form_hint="Choose the rulebook.")


def unknown_clause(book: str, clause: str) -> UsageError:
    """Return the error for a clause that the book doesn't have."""
    return UsageError(f"{book} has no clause {clause!r}", f"handledger rules {book} lists its clauses.")


def decided_already(number: str) -> CaseError:
    """Return the error for a second ruling."""
    return CaseError(
        "this case is decided already",
        f"After an appeal there can be another ruling: handledger case appeal {number} --by ROLE. "
        "To void a wrong entry: handledger case void.",
        form_hint="After an appeal there can be another ruling. A wrong entry can be voided.",
    )


def ruling_without_decision() -> CaseError:
    """Return the error for a ruling without a decision."""
    return CaseError("the ruling has no decision", "Write it with --decision.")


def ruling_clause_without_book() -> CaseError:
    """Return the error for a ruling whose clause has no rulebook."""
    return CaseError("a clause of which rulebook?", "Name the book with --rulebook.", form_hint="Choose the rulebook.")


def payment_without_ruling() -> CaseError:
    """Return the error for a payment that no ruling orders."""
    return CaseError("only a ruling orders payments", "Rule with: handledger case rule --pay 3=15 --pay 5=-15")


def bad_payment(text: str) -> UsageError:
    """Return the error for `--pay` without a seat or an amount."""
    return UsageError(f"--pay: {text!r} isn't a payment", "Write SEAT=AMOUNT: --pay 3=15 --pay 5=-15.")


def half_payment() -> UsageError:
    """Return the error for a row of a form with half a payment."""
    return UsageError("a payment needs both who and how much", "Fill in the other half of the row, or empty it.")


def payment_of_nothing() -> CaseError:
    """Return the error for a payment of 0."""
    return CaseError("a payment can't be 0", "Leave it out.")


def payment_of_several() -> CaseError:
    """Return the error for a payment without one receiver."""
    return CaseError("a payment is for a seat, a player or the house", "Name one of them.")


def payment_in_other_money(units: Sequence[str], unit: str) -> CaseError:
    """Return the error for a payment in other money than the earlier ones."""
    return CaseError(
        f"payments of this case are in {', '.join(units)!r}, not in {unit!r}", "Open another case for the other game."
    )


def payments_unbalanced() -> CaseError:
    """Return the error for payments out of which chips come from nowhere, or go."""
    return CaseError(
        "the payments do not add up to zero: what some get, others must pay",
        "Write who pays, --pay 5=-15, or let the house pay what is left over: --house-pays.",
        form_hint="Choose who pays, or let the house pay what is left over.",
    )


def house_pays_nobody() -> UsageError:
    """Return the error for `--house-pays` without a payment."""
    return UsageError(
        "the house pays whom?",
        "Name who receives: --pay 3=15 --house-pays.",
        form_hint="Fill in who receives, and how much.",
    )


def chips_without_worth(option: str) -> UsageError:
    """Return the error for an amount in a case whose hands don't show the money."""
    return UsageError(
        f"{option}: no hand shows what a chip is worth",
        "Name a hand, or a table with hands in this ledger. You can write the amount in the claim.",
    )


def bad_chips(option: str, amount: str, decimals: int) -> UsageError:
    """Return the error for an amount that isn't one."""
    return UsageError(
        f"{option}: {amount!r} isn't an amount",
        f"Write 15 or 12.50, with up to {decimals} decimals." if decimals else "Write whole chips: 15.",
    )


# Appeal, end and correction


def appealed_already(number: str) -> CaseError:
    """Return the error for a second appeal."""
    return CaseError("the ruling is appealed already", f"handledger case rule {number} decides.")


def nothing_to_appeal(number: str) -> CaseError:
    """Return the error for an appeal before the ruling."""
    return CaseError("there is no ruling to appeal yet", f"Rule first: handledger case rule {number}")


def outcome_without_ruling(number: str, outcome: str, *, is_appealed: bool) -> CaseError:
    """Return the error for an end that needs a ruling."""
    reason = "the appeal isn't decided yet" if is_appealed else "nobody has ruled"
    return CaseError(
        f"{outcome!r} is the end of a ruling, and {reason}",
        f"Rule first: handledger case rule {number}. Without a ruling, a case ends as withdrawn, settled, referred or other.",
        form_hint="Rule first."
        if is_appealed
        else "Rule first. Without a ruling a case ends as withdrawn, settled, referred or other.",
    )


def not_closed(status: str) -> CaseError:
    """Return the error for reopening a case that isn't closed."""
    return CaseError(f"this case isn't closed: it is {status}", "Go on with it as it is.")


def unknown_entry(version: int) -> CaseError:
    """Return the error for voiding an entry that the case doesn't have, or that is void."""
    return CaseError(f"this case has no entry {version} in force", "handledger case show numbers them.")


def nothing_to_void() -> CaseError:
    """Return the error for a correction without an entry."""
    return CaseError("there is nothing to void", "Name the entry: handledger case show numbers them.")


def opening_voided() -> CaseError:
    """Return the error for voiding the opening."""
    return CaseError("the opening of a case can't be voided", "Close it: handledger case close NUMBER withdrawn")


def correction_with_events() -> CaseError:
    """Return the error for a correction that would put something else in place."""
    return CaseError("an entry of a case can be voided, but not replaced", "Void it, then add the right one.")


# Fields of a form


def not_in_list(label: str, word: str) -> UsageError:
    """Return the error for a word that a list of a form doesn't have."""
    return UsageError(f"{label}: {word!r} isn't in the list", "Choose one from the list.")


def empty_field(label: str) -> UsageError:
    """Return the error for a field without a text."""
    return UsageError(f"{label} is empty", "Fill it in.")


def bad_field_number(text: str) -> UsageError:
    """Return the error for a field whose number isn't one."""
    return UsageError(f"{text!r} isn't a number", "Write a whole number.")
