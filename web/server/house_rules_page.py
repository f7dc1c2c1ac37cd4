"""Build the page on which a house writes its own rules: the questions, the draft, and what it would change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from ledger.errors import HandledgerError
from ledger.text.language import join_sentences, phrase
from projections.books import rulebook
from projections.books.adoption import AdoptionScope, find_book_in_force, read_adoptions_version
from projections.books.draft_answers import (
    LEFT_OPEN,
    NONE_OF_THESE,
    OFF,
    describe_part,
    describe_value,
    list_members,
    make_list_mark,
    read_answers,
)
from projections.books.house_draft import (
    HouseDraft,
    find_naming_problems,
    find_needed_points,
    find_open_points,
    suggest_edition,
    suggest_title,
)
from projections.books.house_lines import EXAMPLES, write_lines
from projections.books.house_questions import QUESTIONS
from projections.books.point_question import find_part_types, find_shape, make_answer_key
from projections.books.rulebook import BOOK_SUFFIX
from projections.books.shelf import Shelf
from projections.obligations.policy import POINTS, SECTIONS
from projections.tables.book_comparison import BookComparison, compare_recent_hands
from web.server import page_errors
from web.server.access.roles import AccessRight, has_right
from web.server.documents import AnswerField, AnswerOption, HousePoint, HouseRulesPage

if TYPE_CHECKING:
    from ledger.store import Ledger
    from projections.books.point_question import PartQuestion, PointQuestion
    from projections.books.rulebook import Rulebook
    from projections.obligations.policy import Ruling
    from web.server.page_request import PageRequest

AGAINST_BASE: Final = "base"
AGAINST_FORCE: Final = "force"
_DEFAULT_BASE: Final = "rrop4"
UNSTATED: Final = "unstated"
"""How a part of an answer says that the rules don't decide it."""
_MAX_PLACES: Final = 300
_NOT_SENT_BACK: Final = frozenset({"token", "version", "said", "language"})
"""Fields of a request that are no answers."""


class DraftForm:
    """A draft as the fields of a form give it, with what is wrong with it."""

    def __init__(self, ledger: Ledger, fields: Mapping[str, str]) -> None:
        """Read the fields. Raise `NothingFoundError` if they name no book to start from."""
        self.fields = {name: text for name, text in fields.items() if text and name not in _NOT_SENT_BACK}
        self.shelf = Shelf(ledger)
        base_name = self.get_text("base") or self._suggest_base()
        self.base = _load_base(self.shelf, base_name)
        self.is_own_base = base_name.partition("@")[0] in self.shelf.list_own_names()
        self.name = self.get_text("name") or (self.base.plain_name if self.is_own_base else "")
        self.title = self.get_text("title") or suggest_title(self.base, is_own_base=self.is_own_base)
        self.edition = self.get_text("edition") or suggest_edition(self.base, is_own_base=self.is_own_base)
        self.open_points, self.needed_points = find_open_points(self.base), find_needed_points(self.base)
        answers = read_answers(self.base.policy, self.fields)
        self.draft = HouseDraft(self.base, self.is_own_base, answers.changes, self.title, self.edition)
        self.problems = answers.problems
        self.naming_problems = find_naming_problems(self.name, self.title, self.edition)
        if not self.name and "sent" not in self.fields:
            self.naming_problems.pop("name", None)  # a look needs none
        if answers.changes and not self.naming_problems.keys() - {"name"}:
            self.problems = {**self.draft.find_problems(), **self.problems}
            if self.name and not self.problems and not self.naming_problems and self._is_edition_taken():
                self.naming_problems["edition"] = phrase(
                    "Edition {edition} of {name} is adopted with another text. Write another edition.",
                    edition=self.edition,
                    name=self.name,
                )

    def get_text(self, name: str) -> str:
        """Return the text of a field; "" if it is empty or missing."""
        return self.fields.get(name, "").strip()

    def _is_edition_taken(self) -> bool:
        digest = self.draft.load(self.name).digest
        return any(
            (adoption.book, adoption.edition) == (self.name, self.edition)
            and adoption.digest
            and not digest.startswith(adoption.digest.lower())
            for adoption in self.shelf.adopted
        )

    @property
    def shown_fields(self) -> dict[str, str]:
        """The fields for addresses: those of changed or wrong answers, and those that aren't answers."""
        shown_points = {*self.draft.changes, *self.problems}
        return {
            name: text
            for name, text in self.fields.items()
            if (key := name.partition("/")[0]) not in POINTS or key in shown_points
        }

    @property
    def is_sound(self) -> bool:
        """Whether the draft changes something, and nothing is wrong with its answers."""
        return bool(self.draft.changes) and not self.problems and not self.naming_problems.keys() - {"name"}

    def _suggest_base(self) -> str:
        """Return the house's newest own book, else the one in force, else a usual one."""
        adopted_names = [adoption.book for adoption in self.shelf.adopted if adoption.until is None]
        known_names = list_bases(self.shelf)
        return next((name for name in reversed(adopted_names) if name in known_names), _DEFAULT_BASE)


def list_bases(shelf: Shelf) -> list[str]:
    """Return the names of books that a draft can start from: the house's own, then the program's."""
    return [*shelf.list_own_names(), *rulebook.list_names()]


def _load_base(shelf: Shelf, name: str) -> Rulebook:
    if name.endswith(BOOK_SUFFIX) or name.partition("@")[0] not in (*shelf.list_own_names(), *rulebook.list_names()):
        raise page_errors.base_unknown(name, list_bases(shelf))
    return shelf.load(name)


def build_house_rules_page(page_request: PageRequest) -> HouseRulesPage:
    """Return the page of a draft. The fields of the address hold its answers."""
    ledger, fields = page_request.ledger, page_request.parameters
    form = DraftForm(ledger, fields)
    is_looking = "see" in form.fields
    base, changes = form.base, form.draft.changes
    book_in_force = _find_book_in_force(form.shelf, ledger)
    page = HouseRulesPage(
        finding_count=page_request.finding_count,
        bases=list_bases(form.shelf),
        base=base.name,
        base_title=base.title,
        is_own_base=form.is_own_base,
        points=[_build_point(form, key) for key in POINTS],
        changed=len(changes),
        problems={"": form.problems[""]} if "" in form.problems else {},
        answers=form.shown_fields,
        name=form.name,
        title=form.title,
        edition=form.edition,
        toml=form.draft.write() if form.is_sound else "",
        in_force="" if book_in_force is None else f"{book_in_force.name} ({book_in_force.edition})",
        against=AGAINST_BASE,
        version=read_adoptions_version(ledger),
    )
    if is_looking or "sent" in form.fields:
        page.problems |= form.naming_problems
    _add_places(page, ledger)
    chosen_against = form.get_text("against") or AGAINST_FORCE
    if chosen_against == AGAINST_FORCE and book_in_force is not None:
        page.against = AGAINST_FORCE
    if is_looking and form.is_sound and has_right(page_request.role, AccessRight.FINDINGS):
        old = book_in_force if page.against == AGAINST_FORCE and book_in_force is not None else base
        _add_comparison(page, ledger, old, form.draft)
    return page


def _find_book_in_force(shelf: Shelf, ledger: Ledger) -> Rulebook | None:
    """Return the book that is in force everywhere now, or None if there is none, or if its file is missing."""
    adoption = find_book_in_force(ledger, AdoptionScope("", "", None))
    try:
        return None if adoption is None else shelf.load_adopted(adoption)
    except HandledgerError:
        return None


def _add_places(page: HouseRulesPage, ledger: Ledger) -> None:
    rows = list(ledger.tables())
    page.rooms = sorted({row.venue for row in rows if row.venue})[:_MAX_PLACES]
    page.tables = sorted({row.table for row in rows if row.table})[:_MAX_PLACES]


def _add_comparison(page: HouseRulesPage, ledger: Ledger, old: Rulebook, draft: HouseDraft) -> None:
    """Compare the draft with a book, in the judging process if there is one."""
    new = draft.load()
    try:
        comparison = (
            compare_recent_hands(ledger, old, new) if ledger.judging is None else ledger.judging.compare(old, new)
        )
    except HandledgerError as error:  # the answers are sound all the same
        page.problems["see"] = join_sentences([error.message, error.hint])
        return
    if isinstance(comparison, BookComparison):
        page.comparison = comparison
    else:
        page.is_comparing, page.judged_hands, page.total = True, comparison.judged_hands, comparison.total


def _build_point(form: DraftForm, key: str) -> HousePoint:
    ruling, question = form.base.policy.get(key), QUESTIONS[key]
    is_left_open = form.draft.changes.get(key, msgspec.UNSET) is LEFT_OPEN
    return HousePoint(
        key=key,
        section=phrase(SECTIONS[POINTS[key].section]),
        question=phrase(question.text),
        book_answer="" if ruling is None else _describe_ruling(key, ruling),
        clauses=[] if ruling is None else list(ruling.clauses),
        is_changed=key in form.draft.changes,
        can_leave_open=key in form.open_points,
        is_left_open=is_left_open,
        problem=form.problems.get(key, ""),
        fields=_build_fields(form, key, None if ruling is None else ruling.value),
    )


def _describe_ruling(key: str, ruling: Ruling) -> str:
    """Return what a book decides, in its own words; a number as a number."""
    is_number = find_shape(POINTS[key].shape) == "number"
    return describe_value(key, ruling.value) if is_number or not ruling.says else ruling.says


def _build_fields(form: DraftForm, key: str, base_value: object) -> list[AnswerField]:
    question, types = QUESTIONS[key], find_part_types(key)
    if not question.parts:
        return [_build_field(form, key, "", POINTS[key].shape, question, base_value)]
    base_parts = None if base_value is None else msgspec.to_builtins(base_value)
    fields = []
    for name, part in question.parts.items():
        value = msgspec.UNSET if base_parts is None else base_parts.get(name)
        field = _build_field(form, f"{key}/{name}", phrase(part.text), types[name], part, value)
        if key in form.needed_points:  # a check of the book can't do without
            field.options = [option for option in field.options if option.value != UNSTATED]
        if field.kind == "choice" and base_parts is not None:
            field.options[0].text = phrase(
                "As in {book}: {answer}", book=form.base.name, answer=describe_part(key, name, value)
            )
        fields.append(field)
    return fields


def _build_field(
    form: DraftForm,
    name: str,
    label: str,
    value_type: object,
    question: PointQuestion | PartQuestion,
    base_value: object,
) -> AnswerField:
    """Return a field with the answer that was sent, else the book's. `base_value`: None or UNSET = the book is silent."""
    shape = find_shape(value_type)
    sent_text = form.get_text(name)
    if shape == "number":
        return AnswerField(name=name, label=label, kind="number", text="" if sent_text == OFF else sent_text)
    if shape == "lines":
        return AnswerField(
            name=name,
            label=label,
            kind="lines",
            text=sent_text or (write_lines(base_value) if isinstance(base_value, list) else ""),
            example=EXAMPLES[name],
        )
    if shape == "list":
        return _build_list_field(form, name, label, question, base_value)
    is_silent = base_value is msgspec.UNSET or (base_value is None and not label)
    book_text = (
        phrase("{book} doesn't say", book=form.base.name)
        if is_silent or label
        else phrase("As in {book}: {answer}", book=form.base.name, answer=phrase(question.answers[base_value]))
    )
    values = [value for value in question.answers if is_silent or value != base_value]
    known_values = {*map(make_answer_key, values), OFF}
    options = [AnswerOption(value="", text=book_text, is_chosen=sent_text not in known_values)]
    options += [
        AnswerOption(
            value=make_answer_key(value),
            text=phrase(question.answers[value]),
            is_chosen=sent_text == make_answer_key(value),
        )
        for value in values
    ]
    if not label and name in form.open_points:
        options.append(AnswerOption(value=OFF, text=phrase("Our room leaves this open"), is_chosen=sent_text == OFF))
    return AnswerField(name=name, label=label, kind="choice", options=options)


def _build_list_field(
    form: DraftForm, name: str, label: str, question: PointQuestion | PartQuestion, base_value: object
) -> AnswerField:
    base_members = base_value if isinstance(base_value, list) else []
    is_empty_list = base_value == []
    is_sent = bool(form.get_text(name)) and form.get_text(name) != OFF
    options = [
        AnswerOption(
            value=f"{name}/{make_answer_key(member)}",
            text=phrase(question.answers.get(member, str(member))),
            is_chosen=bool(form.get_text(f"{name}/{make_answer_key(member)}")) if is_sent else member in base_members,
        )
        for member in list_members(question, base_members)
    ]
    options.append(
        AnswerOption(
            value=f"{name}/{NONE_OF_THESE}",
            text=phrase("None of these"),
            is_chosen=bool(form.get_text(f"{name}/{NONE_OF_THESE}")) if is_sent else is_empty_list,
        )
    )
    mark = make_list_mark(base_members, is_empty=is_empty_list)
    return AnswerField(name=name, label=label, kind="list", options=options, mark=mark)


def list_sections(points: list[HousePoint]) -> list[tuple[str, list[HousePoint]]]:
    """Return the points of each section, in order."""
    by_section: dict[str, list[HousePoint]] = {}
    for point in points:
        by_section.setdefault(point.section, []).append(point)
    return list(by_section.items())
