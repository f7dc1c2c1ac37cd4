"""The web pages: whatever is asked or sent in a form, no answer is a fault of ours."""

from __future__ import annotations

from functools import cache
from typing import Final
from urllib.parse import urlencode

from tests.fuzz.asgi import BETWEEN
from tests.fuzz.served import HOST, KEYS, Site
from tests.fuzz.target import Target
from web.server.cases.case_forms import FORMS, OPENING_FORM
from web.server.page_drawer import PAGES

_QUERIES: Final = {
    "table": ["?venue=Riverside&name=T7", "?venue=Riverside&name=T7&tournament="],
    "log": ["", "?q=table:T7", "?q=pot%3E1&page=2", "?since=2026-11-20&sort=pot"],
    "hand": ["?id=412", "?id=T7/411", "?id=412&event=3", "?id=412@5"],
    "findings": ["", "?q=table:T7&page=1", "?clause=hilton.B15a.1"],
    "rules": ["", "?book=hilton", "?book=hilton&clause=B15a.1"],
    "house-rules": [
        "",
        "?base=hilton&button.buy=yes&see=yes",
        "?base=rrop4&missed.ways_back=list&missed.ways_back/post=yes&betting.raise_cap=3&button.initial=off",
    ],
    "results": ["?by=position", "?by=player&q=table:T7"],
    "case": ["?number=2026-1"],
    "keep": ["?venue=Riverside&tournament=&name=T7"],
    "open-case": ["", "?hands=412"],
}
_NIGHT: Final = [
    {"game": "holdem no-limit cash blinds 2/5 unit USD 2", "seats": "9"},
    {"written": "hand 1"},
    {"written": "seat 1 Ana 500"},
    {"written": "seat 2 Bo 500"},
    {"written": "button 1"},
    {"line": "r {amount}", "amount": "15", "behind": "3"},
    {"written": "deal done", "sender": "a", "number": "1", "after": "0"},
]


def targets() -> list[Target]:
    """Return the one target."""
    return [Target("pages", seeds, run, ("web",), work=3_000_000, work_per_byte=300, share=1.5)]


def seeds() -> list[bytes]:
    """Return a request for every page and document, and one of each form."""
    lines = [f"/{page}{kind}{query}" for page in PAGES for query in _QUERIES.get(page, [""]) for kind in ("", ".json")]
    lines += ["/house-rules.toml?base=rrop4&button.buy=yes&name=my-room"]
    lines += ["/", "/favicon.ico", "/static/page.css", "/nowhere", f"/tables?key={KEYS[0].secret}"]
    gets = [_get(target) for target in lines]
    forms = [_form(f"/case/{form.name}", _fields([ask.name for ask in form.asks])) for form in FORMS.values()]
    forms.append(_form("/open-case", _fields([ask.name for ask in OPENING_FORM.asks])))
    forms.append(_form("/open-cards", {"hand": "412", "why": "a claim"}))
    forms.append(_form("/house-rules", {"base": "rrop4", "button.buy": "yes", "name": "my-room", "version": "0"}))
    place = {"venue": "Riverside", "tournament": "", "name": "T9"}
    night = BETWEEN.join(_form("/keep", place | fields) for fields in _NIGHT)
    return [*gets, *forms, night, _upload()]


def run(data: bytes) -> None:
    """Ask the server."""
    _site().run(data)


def _get(target: str) -> bytes:
    return f"GET {target} HTTP\nhost: {HOST}\ncookie: handledger={KEYS[0].secret}\n\n".replace(" HTTP", "").encode()


def _fields(names: list[str]) -> dict[str, str]:
    values = {
        "hands": "412",
        "amount": "15",
        "seat": "3",
        "pay": "1:15",
        "time": "2026-11-21",
        "days": "3",
        "by": "floor",
    }
    return {"number": "2026-1", **{name: values.get(name, "words") for name in names}}


def _form(path: str, fields: dict[str, str]) -> bytes:
    body = urlencode({"token": KEYS[1].token, **fields})
    return _post(path, "application/x-www-form-urlencoded", body.encode())


def _post(path: str, kind: str, body: bytes) -> bytes:
    head = f"POST {path}\nhost: {HOST}\norigin: http://{HOST}\ncookie: handledger={KEYS[1].secret}\ncontent-type: {kind}\n\n"
    return head.encode() + body


def _upload() -> bytes:
    parts = (
        f'--x\r\ncontent-disposition: form-data; name="token"\r\n\r\n{KEYS[1].token}\r\n'
        '--x\r\ncontent-disposition: form-data; name="file"; filename="a.hand"\r\n\r\nhandscript 1\nhand 3\nend\n\r\n--x--\r\n'
    )
    return _post("/imports", "multipart/form-data; boundary=x", parts.encode())


@cache
def _site() -> Site:
    return Site()
