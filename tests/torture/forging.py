"""What a forger who knows the format does to evidence: each function returns other members, made by chance.

Nothing here knows what a verifier looks at. A forger has other evidence of the same room, a key of the
own, and this very program.
"""

from __future__ import annotations

import base64
import copy
import json
import random
import re
from collections.abc import Callable
from typing import Any, Final

from cli.proofs import refound_findings
from ledger import chain
from ledger.evidence import offline as untyped
from ledger.seal.note import COSIGNATURE, ED25519, Checkpoint, HeldKey, cosign_note, sign_text
from ledger.seal.tree import build_inclusion_path, compute_root_over
from tests.torture.genuine import ATTACKER, WITNESSES, Genuine, consistent, packed

offline: Any = untyped
Files = dict[str, bytes]
Forger = Callable[[Files, Genuine, random.Random], Files]

_ODD: Final[tuple[Any, ...]] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    9,
    300,
    2**53,
    10**30,
    "",
    "x",
    "error",
    "certain",
    "00",
    [],
    {},
    [1],
    {"a": 1},
    "hilton",
    "undated-r9",
    "Ah",
    "\ud800",
    "\u202e",
    1e400,
    float("nan"),
    0.5,
)


def json_of(data: bytes) -> Any:
    return json.loads(data)


def bytes_of(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode("utf-8", "surrogatepass")


def places(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value in a document, that of the whole left out."""
    pairs = (
        list(document.items() if isinstance(document, dict) else enumerate(document))
        if isinstance(document, dict | list)
        else []
    )
    return [place for step, inside in pairs for place in [(*path, step), *places(inside, (*path, step))]]


def changed(document: Any, chance: random.Random) -> Any:
    """Return a document of which one value is changed, removed, doubled, or changed for another of it."""
    document = copy.deepcopy(document)
    paths = places(document)
    if not paths:
        return chance.choice(_ODD)
    path, other_path = chance.choice(paths), chance.choice(paths)
    inside = document
    for step in path[:-1]:
        inside = inside[step]
    old_value, last = inside[path[-1]], path[-1]
    match chance.randrange(6):
        case 0:
            del inside[last]
        case 1 if isinstance(inside, list):
            inside.insert(last, copy.deepcopy(old_value))
        case 2:
            value = document
            for step in other_path:
                value = value[step]
            inside[last] = copy.deepcopy(value)
        case 3:
            inside[last] = chance.choice(_ODD)
        case 4 if isinstance(inside, dict):
            inside[str(last) + "x"] = inside.pop(last)
        case _:
            inside[last] = (
                not old_value
                if isinstance(old_value, bool)
                else old_value + chance.choice((1, -1, 200))
                if isinstance(old_value, int)
                else f"{old_value}x"
            )
    return document


def choose_member(files: Files, chance: random.Random, start: str = "") -> str:
    """Return the name of a member."""
    return chance.choice(sorted(name for name in files if name.startswith(start)) or [""])


def removed(files: Files, room: Genuine, chance: random.Random) -> Files:
    removed_name = choose_member(files, chance)
    return {name: data for name, data in files.items() if name != removed_name}


def exchanged(files: Files, room: Genuine, chance: random.Random) -> Files:
    """Members of one kind, or one of them, are another bundle's."""
    other_files = room.members[chance.choice(sorted(room.files))]
    name = choose_member(files, chance)
    if chance.random() < 0.5 and name in other_files:
        return files | {name: other_files[name]}
    start = name.split("/")[0]
    kept_files = {n: d for n, d in files.items() if n.split("/")[0] != start}
    return kept_files | {n: d for n, d in other_files.items() if n.split("/")[0] == start}


def added(files: Files, room: Genuine, chance: random.Random) -> Files:
    """A member stands twice, or a strange one comes in."""
    name = choose_member(files, chance)
    new_name = chance.choice(
        [
            "view/hand.txt",
            "view/more.txt",
            "stamps/0001.tsr",
            f"{name}x",
            f"{name.split('/')[0]}/0002",
            "rules/own.toml",
            "source/00-0",
            "openings.json",
            "findings.json",
            "entries/0002",
            "proofs/0002",
        ]
    )
    return files | {new_name: files[name]}


def told_otherwise(files: Files, room: Genuine, chance: random.Random) -> Files:
    """A value of a JSON member is changed."""
    name = chance.choice(sorted(n for n in files if n.endswith(".json")))
    return files | {name: bytes_of(changed(json_of(files[name]), chance))}


def findings(files: Files, room: Genuine, chance: random.Random) -> Files:
    """A finding says something else, is gone, or stands twice."""
    if "findings.json" not in files:
        return told_otherwise(files, room, chance)
    document = json_of(files["findings.json"])
    if isinstance(document, dict) and isinstance(document.get("findings"), list) and chance.random() < 0.8:
        document["findings"] = changed(document["findings"], chance)
    else:
        document = changed(document, chance)
    return files | {"findings.json": bytes_of(document)}


def rules(files: Files, room: Genuine, chance: random.Random) -> Files:
    """A rulebook is altered, and the digest in the findings made to fit it."""
    name = choose_member(files, chance, "rules/")
    if not name:
        return told_otherwise(files, room, chance)
    text = files[name].decode("utf-8", "replace")
    match chance.randrange(4):
        case 0:
            matches = list(re.finditer(r"[0-9]+", text))
            match_found = chance.choice(matches)
            text = text[: match_found.start()] + chance.choice(["3", "9", "0", "17"]) + text[match_found.end() :]
        case 1:
            text = re.sub(
                r'edition = "[^"]*"',
                f'edition = "{chance.choice(["undated-r1", "undated-r9", "2024"])}"',
                text,
                count=1,
            )
        case 2:
            lines = text.split("\n")
            del lines[chance.randrange(len(lines))]
            text = "\n".join(lines)
        case _:
            text += "\n# ours"
    files = files | {name: text.encode()}
    if chance.random() < 0.8:
        files = refound(files, name, chance)
    return files


def refound(files: Files, name: str, chance: random.Random) -> Files:
    """Make the findings those that come out under the altered book, as this program finds them."""
    try:
        book = refound_findings.read_house_book(name.removeprefix("rules/").removesuffix(".toml"), (files[name],))
        document = json_of(files["findings.json"])
        for named_book in document["books"]:
            if refound_findings.name_rule_member(named_book["name"]) == name:
                named_book |= {"digest": book.digest, "edition": book.edition}
        if chance.random() < 0.5:
            entries = sorted(n for n in files if n.startswith("entries/"))
            contents = {
                "files": files,
                "entries": [offline.read_entry(files[n]) for n in entries],
                "index": {
                    "entries": [n.removeprefix("entries/") for n in entries],
                    "stream": json_of(files["bundle.json"])["stream"],
                },
            }
            names = [named_book["name"] for named_book in document["books"] if named_book["name"] != "record"]
            books = [refound_findings.read_house_book(n, (files[refound_findings.name_rule_member(n)],)) for n in names]
            document |= refound_findings._judge_again(contents, books) or {}
    except Exception:  # noqa: BLE001 - a forger whose book is wrong leaves the findings as they are
        return files
    return files | {"findings.json": bytes_of(document)}


def altered(files: Files, room: Genuine, chance: random.Random) -> Files:
    """A byte of a member is another."""
    name = choose_member(files, chance, chance.choice(["", "source/", "view/", "entries/", "proofs/", "rules/"]))
    data = bytearray(files.get(name, b""))
    if not data:
        return removed(files, room, chance)
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return files | {name: bytes(data)}


def event(files: Files, room: Genuine, chance: random.Random) -> Files:
    """A value of an event, or of the head of its commit, is changed."""
    name = choose_member(files, chance, "entries/")
    try:
        start = offline.read_entry(files[name])["data"]
    except (offline.Refused, KeyError):
        return altered(files, room, chance)
    events = changed(json_of(files[name][start:]), chance)
    head = bytearray(files[name][:start])
    if chance.random() < 0.3:
        head[chance.randrange(len(head))] ^= 1 << chance.randrange(8)
    if isinstance(events, list) and chance.random() < 0.7:
        head[8:12] = len(events).to_bytes(4, "big")
    return files | {name: bytes(head) + bytes_of(events)}


def proof(files: Files, room: Genuine, chance: random.Random) -> Files:
    """Index, path or checkpoint of proofs are changed, all alike or one alone."""
    names = sorted(n for n in files if n.startswith("proofs/"))
    if not names:
        return removed(files, room, chance)
    names = names if chance.random() < 0.7 else [chance.choice(names)]
    seed = chance.random()
    return files | {name: _reproved(files[name], room, random.Random(seed)) for name in names}


def _reproved(data: bytes, room: Genuine, chance: random.Random) -> bytes:
    head, _, note = data.decode("utf-8", "replace").partition("\n\n")
    text, _, below = note.rpartition("\n\n")
    lines, signers, parts = head.split("\n"), below.splitlines(), text.split("\n")
    attacker = HeldKey(room.signer.key.name, ATTACKER, ED25519)
    match chance.randrange(10):
        case 0 if len(lines) > 1:
            index = int(lines[1][6:]) if lines[1][6:].isdigit() else 0
            lines[1] = f"index {chance.choice([chance.randrange(200), index + 2 ** chance.randrange(9), 125, 127])}"
        case 1 if len(lines) > 3:
            del lines[chance.randrange(2, len(lines))]
        case 2 if len(lines) > 2:
            lines.insert(chance.randrange(2, len(lines)), lines[chance.randrange(2, len(lines))])
        case 3 if len(parts) == 3:
            parts[1] = str(chance.randrange(300))
        case 4 if len(parts) == 3:
            parts[2] = base64.b64encode(chance.randbytes(32)).decode()
        case 5 if len(parts) == 3:
            parts[0] = chance.choice([parts[0] + "x", "other.example/x/1", ""])
        case 6 if signers:
            signers.append(chance.choice(signers))
        case 7 if signers:
            del signers[chance.randrange(len(signers))]
        case 8 if signers:
            line = chance.choice(signers).split(" ")
            line[1] = chance.choice([witness.key.name for witness in WITNESSES] + ["helper.example", line[1] + "x"])
            signers.insert(chance.randrange(len(signers) + 1), " ".join(line))
        case _:
            chance.shuffle(signers)
    note_text = "\n".join(parts) + "\n"
    note = "\n".join([note_text, *signers]) + "\n"
    if chance.random() < 0.3:
        note = (
            sign_text(note_text, attacker)
            if chance.random() < 0.5
            else note + sign_text(note_text, attacker).rpartition("\n\n")[2]
        )
    if chance.random() < 0.2:
        try:
            note = cosign_note(note, HeldKey("auditor.example", ATTACKER, COSIGNATURE), 5)
        except Exception:  # noqa: BLE001 - what is no note any more stays as it is
            return data[:-1]
    return ("\n".join(lines) + "\n\n" + note).encode()


def own_log(files: Files, room: Genuine, chance: random.Random) -> Files:
    """An event is changed, and a log made around it that the forger's own key signs, of the room's name."""
    files = event(files, room, chance) if chance.random() < 0.8 else files
    names = sorted(n.removeprefix("entries/") for n in files if n.startswith("entries/"))
    leaves = [chain.hash_leaf(files[f"entries/{n}"]) for n in names] + [chance.randbytes(32)]
    point = Checkpoint(room.signer.key.name, len(leaves), compute_root_over(leaves))
    note = sign_text(str(point), HeldKey(room.signer.key.name, ATTACKER, ED25519))
    if chance.random() < 0.5:  # with the true signatures of another checkpoint
        true = room.members["bare hand"]["proofs/0001"].decode()
        note += true[true.index("\u2014") :]
    kept_files = {n: d for n, d in files.items() if not n.startswith("proofs/")}
    for leaf_index, name in enumerate(names):
        path = build_inclusion_path(
            leaf_index, len(leaves), lambda level, index: compute_root_over(leaves[index << level : index + 1 << level])
        )
        lines = ["c2sp.org/tlog-proof@v1", f"index {leaf_index}", *(base64.b64encode(node).decode() for node in path)]
        kept_files[f"proofs/{name}"] = ("\n".join(lines) + "\n\n" + note).encode()
    return _indexed(kept_files, size=len(leaves))


def shortened(files: Files, room: Genuine, chance: random.Random) -> Files:
    """Commits are left out at the end, at the start or between, and the rest numbered anew."""
    names = sorted(n.removeprefix("entries/") for n in files if n.startswith("entries/"))
    kept_names = chance.choice([names[:-1], names[1:], [n for n in names if chance.random() < 0.7], names[::-1]])
    other_files = {n: d for n, d in files.items() if not n.startswith(("entries/", "proofs/"))}
    for index, name in enumerate(kept_names, 1):
        other_files[f"entries/{index:04}"] = files[f"entries/{name}"]
        if f"proofs/{name}" in files:
            other_files[f"proofs/{index:04}"] = files[f"proofs/{name}"]
    return _indexed(other_files, entries=[f"{index:04}" for index in range(1, len(kept_names) + 1)])


def openings(files: Files, room: Genuine, chance: random.Random) -> Files:
    """An opening is another hand's, stands twice, or opens another card."""
    own_openings = files.get("openings.json") or room.members["other"]["openings.json"]
    other_openings = json_of(room.members[chance.choice(["other", "live", "sealed"])]["openings.json"])
    document = json_of(own_openings)
    if not isinstance(document, list) or not document or not all(isinstance(opening, dict) for opening in document):
        return told_otherwise(files, room, chance)
    match chance.randrange(5):
        case 0:
            document.append(chance.choice(document))
        case 1:
            document[chance.randrange(len(document))] = chance.choice(other_openings)
        case 2:
            opening, second_opening = chance.choice(document), chance.choice(document)
            opening["value"], second_opening["value"] = second_opening.get("value"), opening.get("value")
        case 3:
            del document[chance.randrange(len(document))]
        case _:
            document = changed(document, chance)
    return files | {"openings.json": bytes_of(document)}


def _indexed(files: Files, **fields: Any) -> Files:
    index = json_of(files["bundle.json"]) if "bundle.json" in files else {}
    return files | {"bundle.json": bytes_of(index | fields if isinstance(index, dict) else fields)}


FORGERS: Final[dict[str, Forger]] = {
    "a member removed": removed,
    "members exchanged with another bundle's": exchanged,
    "a member doubled or added": added,
    "a value of JSON": told_otherwise,
    "a finding": findings,
    "a rulebook, digest and findings made to fit": rules,
    "a byte of a member": altered,
    "an event": event,
    "a proof or its checkpoint": proof,
    "a log of the forger's own": own_log,
    "commits left out": shortened,
    "an opening": openings,
}


def forged(room: Genuine, chance: random.Random) -> tuple[str, str, bytes]:
    """Return what was done, to which bundle, and the forged file; sometimes two or three things at once."""
    name = chance.choice(sorted(room.files))
    files = room.members[name]
    many = chance.choice((1, 1, 1, 1, 2, 2, 3))
    kinds = chance.choices(sorted(FORGERS), k=many)
    for kind in kinds:
        try:
            files = FORGERS[kind](files, room, chance)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            continue  # what the forger did before left nothing to do this to
    if chance.random() < 0.92:
        files = consistent(files)
    return kinds[0] if many == 1 else "several of these", name, packed(files)
