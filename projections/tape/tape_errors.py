"""Errors of a recording's index: what doesn't fit the recording, and what to type instead."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.errors import NothingFoundError, UsageError

_START_EXAMPLES = "Write --starts 2026-11-20T20:15:00-05:00, or without a zone as the room's clock showed it."
_MATCH_EXAMPLE = "Write a hand, an event and the place on the recording: --match T7/408@12=00:41:07.5."


def start_missing() -> UsageError:
    """Return the error for a recording without a start."""
    return UsageError(
        "nobody knows when the recording begins",
        f"{_START_EXAMPLES} Or match a moment that you can see: --match T7/408@12=00:41:07.5.",
    )


def time_unreadable(option: str, typed_time: str) -> UsageError:
    """Return the error for a start or an end that isn't a time."""
    return UsageError(
        f"{option} {typed_time[:40]!r} isn't a time",
        f"Write {option} 2026-11-20T20:15:00-05:00, or without a zone as the room's clock showed it.",
    )


def zones_differ() -> UsageError:
    """Return the error for a start with a zone and an end without, or the other way round."""
    return UsageError(
        "only one of --starts and --ends has a time zone",
        "Write both with their zone, or both as the room's clock showed them.",
    )


def ends_early() -> UsageError:
    """Return the error for a recording that ends before it begins."""
    return UsageError("the recording ends before it begins", "Check --starts, --ends and the offset of the clock.")


def offset_unreadable(typed_offset: str) -> UsageError:
    """Return the error for a clock offset that can't be read."""
    return UsageError(
        f"--clock {typed_offset[:40]!r} isn't an offset",
        "Write by how much the camera's clock is ahead (+) or behind (-): +3.2s, -1m5s.",
    )


def match_unreadable(typed_match: str) -> UsageError:
    """Return the error for a matched moment that can't be read."""
    return UsageError(f"--match {typed_match[:60]!r} can't be read", _MATCH_EXAMPLE)


def match_without_time(address: str) -> UsageError:
    """Return the error for a matched moment without a time in the ledger."""
    return UsageError(
        f"the ledger doesn't know when {address[:60]} happened",
        "Match an event with a time. `handledger show HAND --format json` lists the times of a hand.",
    )


def too_many_matches() -> UsageError:
    """Return the error for more than two matched moments."""
    return UsageError(
        "you matched more than two moments",
        "Match one moment, or two that are far apart: they show a clock that drifts.",
    )


def matches_contradict(percent: float) -> UsageError:
    """Return the error for two matched moments that no camera clock can explain."""
    return UsageError(
        f"between the two matched moments the recording runs {percent:+.1f} % off",
        "Look again for both moments on the recording. A clock that drifts is off by less than 1 %.",
    )


def matches_same_moment() -> UsageError:
    """Return the error for two matches of one moment."""
    return UsageError("both matches are of the same moment", "Match two moments that are far apart, or only one.")


def start_beside_match() -> UsageError:
    """Return the error for a start or an offset together with a matched moment."""
    return UsageError(
        "--match already says where the recording begins", "Leave out --starts and --clock, or leave out --match."
    )


def tape_option_without_tape(option: str, format_name: str) -> UsageError:
    """Return the error for an option of recordings with another format."""
    return UsageError(
        f"{option} belongs to an index of a recording, not to {format_name}", "Add --to webvtt or --to edl."
    )


def nothing_on_recording(hand_count: int, untimed_count: int, outside_count: int) -> NothingFoundError:
    """Return the error for hands that aren't on the recording."""
    if untimed_count == hand_count:
        return NothingFoundError(
            "the record has no times of these hands", "Only hands with a time can be found on a recording."
        )
    return NothingFoundError(
        f"none of these hands is on the recording: {outside_count:,} outside of it, {untimed_count:,} without a time",
        "Check --starts and its zone. `handledger log` shows when hands began.",
    )


def too_many_events(hand_count: int) -> UsageError:
    """Return the error for more hands than an edit decision list numbers."""
    return UsageError(
        f"an edit decision list has room for 999 events, and there are {hand_count:,} hands",
        "Choose fewer hands, such as one table or one night, or write --to webvtt.",
    )


def beyond_a_day() -> UsageError:
    """Return the error for a time code over 24 hours."""
    return UsageError(
        "a hand is more than 24 hours into the recording, where time codes end",
        "Choose the hands of one day, or write --to webvtt.",
    )


# Recordings of a case


def recording_missing(number: str, camera: str | None) -> NothingFoundError:
    """Return the error for a case without such a recording."""
    of_camera = "" if camera is None else f" of camera {camera[:40]!r}"
    return NothingFoundError(
        f"case {number} has no recording{of_camera} whose start is known",
        f"Attach it with its times: handledger case attach {number} FILE --kind video --camera 12 --from TIME --to TIME",
    )


def several_recordings(number: str, cameras: Sequence[str]) -> UsageError:
    """Return the error for a case with recordings of several cameras."""
    names = ", ".join(camera or "(none)" for camera in cameras)
    return UsageError(f"case {number} has recordings of several cameras: {names}", "Choose one with --camera.")


def no_hands_for_tape(number: str) -> NothingFoundError:
    """Return the error for a case without hands in this ledger."""
    return NothingFoundError(
        f"case {number} has no hands in this ledger", f"Link: handledger case link {number} T7/408"
    )
