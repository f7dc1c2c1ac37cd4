"""Serve a folder that `handledger pocket` wrote, at /pocket/. It holds nothing of the ledger, so it needs no key."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ledger import safe
from ledger.errors import UsageError
from ledger.text.language import phrase
from web.pocket.folder import MARKER

if TYPE_CHECKING:
    from starlette.requests import Request

PREFIX: Final = "/pocket/"
_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
"""The page itself narrows it: only its worker may compile WebAssembly."""
_HEADERS: Final = {"content-security-policy": _POLICY, "cache-control": "no-cache", "referrer-policy": "no-referrer"}
_MEDIA_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}


def list_routes(folder: Path) -> list[Route]:
    """Return a route for each file of the folder, which is read when the server starts. `UsageError` if it isn't such a folder."""
    if not (folder / MARKER).is_file():
        raise UsageError(
            phrase("{folder} isn't a folder of the page for phones", folder=safe.terminal(str(folder))),
            phrase("Write it first: handledger pocket -o {folder}", folder=safe.terminal(str(folder))),
        )
    routes = [Route(PREFIX.rstrip("/"), _redirect_to_folder, methods=["GET"])]
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.is_symlink():
            continue
        name = path.relative_to(folder).as_posix()
        answer = partial(_answer_file, path.read_bytes(), _MEDIA_TYPES.get(path.suffix, "application/octet-stream"))
        routes.append(Route(PREFIX + ("" if name == "index.html" else name), answer, methods=["GET"]))
    return routes


async def _redirect_to_folder(_: Request) -> Response:
    return RedirectResponse(PREFIX, status_code=308)


async def _answer_file(data: bytes, media_type: str, _: Request) -> Response:
    return Response(data, media_type=media_type, headers=_HEADERS)
