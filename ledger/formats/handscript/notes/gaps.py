"""Sentences that no phrase reads and that may hide an act: the turns around them show whether they do."""

from __future__ import annotations

from typing import Final

from ledger.formats.handscript.notes.noted_hand import NotedHand
from ledger.formats.handscript.notes.questions import QuestionError
from ledger.formats.handscript.notes.statements import Kind, Statement
from ledger.formats.handscript.notes.unread_words import explain_unread
from ledger.formats.handscript.tokens import quote

_GROUP_ACTS: Final[frozenset[Kind]] = frozenset(("next", "everyone", "folds-to", "checks-to"))
_RESULTS: Final[frozenset[Kind]] = frozenset(("show", "muck", "win", "chop"))


def open_gap(hand: NotedHand, statement: Statement) -> None:
    """Keep an unread sentence as a remark, and watch the next turn if it may hide one."""
    hand.write(f"remark {quote(statement.text)}", statement.line)
    if hand.betting.is_over or hand.misdealt:
        return
    if hand.gap is None and not _only_names_players_without_turns(hand, statement):
        hand.gap = statement


def _only_names_players_without_turns(hand: NotedHand, statement: Statement) -> bool:
    """Whether a sentence names players who have no turn left in this betting round, and nobody else."""
    if not statement.players or statement.unclear or not hand.betting.pending:
        return False
    seats = [hand.roster.find(ref) for ref in statement.players]
    return all(seat is not None and seat in hand.dealt and seat not in hand.betting.pending for seat in seats)


def check_gap(hand: NotedHand, statement: Statement) -> None:
    """Ask about an unread sentence if the next statement doesn't follow from the turns before it."""
    if hand.gap is None or statement.kind in ("remark", "gap", "pot", "strict", "time", "seats", "fact"):
        return
    if not _follows_turns(hand, statement):
        raise ask_about(hand, hand.gap)
    if statement.kind in _RESULTS or not hand.betting.pending:
        hand.showdown_gap = hand.showdown_gap or hand.gap
    hand.gap = None


def _follows_turns(hand: NotedHand, statement: Statement) -> bool:
    """Whether a statement can come next if the unread sentence before it hides no act."""
    pending = hand.betting.pending
    if statement.kind == "act":
        seats = [hand.resolve(ref, statement.line) for ref in statement.players]
        is_next = bool(pending) and hand.keeps_order and seats[0] == pending[0]
        return is_next and statement.qualifier != "out-of-turn"
    if statement.kind in _GROUP_ACTS:
        return False
    return not pending or hand.betting.is_over or statement.kind not in _PLAY


_PLAY: Final[frozenset[Kind]] = frozenset(("board", "misdeal", "end", *_RESULTS))


def check_end(hand: NotedHand) -> None:
    """Ask about an unread sentence before the end if it may hide acts or who won."""
    gap = hand.gap or hand.showdown_gap
    betting = hand.betting
    if gap is None or betting.is_over or hand.misdealt:
        return
    has_open_turns = hand.gap is not None and bool(betting.pending)
    if has_open_turns or not (hand.winners or hand.chop):
        raise ask_about(hand, gap)


def ask_about(hand: NotedHand, gap: Statement) -> QuestionError:
    """Return the question about an unread sentence."""
    return QuestionError(explain_unread(gap.line, gap.text, hand.roster))
