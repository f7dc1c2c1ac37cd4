# What the single-file verifier offers, for type checkers: it has no annotations itself, as it must stay short and run anywhere.
from collections.abc import Sequence
from typing import TypeAlias, TypedDict

FORMAT: str
MOST_BYTES: int

Key: TypeAlias = tuple[str, int, bytes, bytes]  # name, kind, id and bytes of a public key

class Refused(Exception):  # noqa: N818 - its name there
    code: str
    def __init__(self, code: str, sentence: str) -> None: ...

class BundleEntry(TypedDict):
    position: int
    count: int
    kind: str
    version: int
    at: int
    source: str
    start: int
    length: int
    stream: str
    by: str
    marks: bytes
    data: int
    events: list[list[object]]

class Index(TypedDict):
    format: str
    audience: str
    ledger: str
    stream: str
    size: int
    entries: list[str]
    files: dict[str, str]

class Stamp(TypedDict):
    name: str
    time: str
    imprint: str

class Checked(TypedDict):
    origin: str
    size: int
    root: str
    entries: list[BundleEntry]
    opened: int
    money: int | None
    files: dict[str, bytes]
    index: Index
    stamps: list[Stamp]
    signed: bytes
    checked: bool
    witnesses: int
    quorum: int
    beside: list[str]

def read_key(text: str) -> Key: ...
def unfit(key: Key | None, witnesses: Sequence[Key], quorum: int | None) -> str: ...
def parsed(data: bytes, code: str) -> object: ...
def check(data: bytes, key: Key | None, witnesses: Sequence[Key] = ..., quorum: int | None = None) -> Checked: ...
def verdict(evidence: Checked, unproved: Sequence[str]) -> str: ...
