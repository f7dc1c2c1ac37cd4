#!/usr/bin/env python3
"""Check a handledger evidence file (.hlev) offline: `python3 verify_hlev.py FILE.hlev --key KEY`.

Python's standard library only, from 3.9 on. KEY is the public key of the ledger (name+id+base64), got
from elsewhere than the evidence; --witness KEY demands a witness's cosignature, --quorum N that many
of them. Exit 0: verified, 4: not, 2: it could not be tried. The first failure ends it.
"""

import argparse, base64, hashlib, json, re, struct, sys, zipfile, zlib

FORMAT, MOST_BYTES, MOST_MEMBERS, MOST_RATIO = "handledger/evidence/1", 64 << 20, 5000, 100
HEAD = struct.Struct(">QIBQqBQQHHHHI")
KINDS = {1: "hand", 2: "table", 3: "case", 4: "house"}
HASHES = {"608648016503040201": "sha256", "608648016503040202": "sha384", "608648016503040203": "sha512"}
NAME, NUMBER = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}(/[a-z0-9][a-z0-9._@-]{0,99}){0,3}"), re.compile(r"0|[1-9][0-9]{0,17}")

class Refused(Exception):
    """The evidence does not hold: a stable code and a sentence."""
    code, __str__ = property(lambda self: self.args[0]), lambda self: str(self.args[1])

def need(holds, code, sentence):
    """Go on only if `holds`."""
    if not holds:
        raise Refused(code, sentence)

def unbase64(text, code, size=None):
    """Decode base64 that has one spelling."""
    try:
        found = base64.b64decode(text.encode("ascii"), validate=True)
    except ValueError:
        raise Refused(code, "something is not written in base64") from None
    need(base64.b64encode(found).decode() == text and size in (None, len(found)), code, "base64 is written in an unusual way, or too long")
    return found

# Ed25519 (RFC 8032 section 5.1), to verify only: nothing here is secret, it need not be constant in time.
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, ROOT = -121665 * pow(121666, P - 2, P) % P, pow(2, (P - 1) // 4, P)

def recover(data):
    """Return the point of 32 bytes, None if there is none."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x * ROOT % P if (x * x - square) % P else x
    return None if y >= P or (x * x - square) % P or (x == 0 and sign) else (P - x if x & 1 != sign else x, y)

def plus(a, b):
    """Add two points in extended coordinates (x, y, z, t)."""
    c, d, e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P, 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    g, h, i, j = d - c, f - e, f + e, d + c
    return (g * h % P, i * j % P, h * i % P, g * j % P)

def times(number, point):
    """Multiply a point."""
    found, step = (0, 1, 1, 0), (*point, 1, point[0] * point[1] % P)
    for bit in range(number.bit_length()):
        found, step = plus(found, step) if number >> bit & 1 else found, plus(step, step)
    return found

def ed25519(public, signature, message):
    """Whether an Ed25519 signature fits."""
    key, r, s = recover(public), recover(signature[:32]), int.from_bytes(signature[32:], "little")
    if key is None or r is None or len(signature) != 64 or s >= ORDER:
        return False
    base = recover((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
    told = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little")
    left, right = times(s, base), plus((*r, 1, r[0] * r[1] % P), times(told % ORDER, key))
    return not (left[0] * right[2] - right[0] * left[2]) % P and not (left[1] * right[2] - right[1] * left[2]) % P

def read_key(text):
    """Return name, kind, id and bytes of a public key; ValueError if it is none."""
    name, told, data = text.strip().split("+", 2)
    raw = base64.b64decode(data, validate=True)
    found = hashlib.sha256(name.encode() + b"\n" + raw).digest()[:4]
    if len(raw) != 33 or raw[0] not in (1, 4) or found.hex() != told:
        raise ValueError("no Ed25519 key, or a damaged one")
    return name, raw[0], found, raw[1:]

def signed_by(text, lines, key):
    """Whether `key` signed a note; a signature of it that does not fit refuses everything."""
    name, kind, number, public = key
    for who, raw in lines:
        if who == name and raw[:4] == number:
            time = f"cosignature/v1\ntime {int.from_bytes(raw[4:12], 'big')}\n" if kind == 4 else ""
            fits = len(raw) == (76 if time else 68) and ed25519(public, raw[-64:], (time + text).encode())
            need(fits, "signature", f"the signature of {name} does not fit")
            return True
    return False

def checkpoint(note, key, witnesses, quorum):
    """Steps 3 to 6: return size and root that the log's key and enough witnesses signed, and the log's own bytes."""
    text, gap, below = note.rpartition("\n\n")
    need(gap and below.endswith("\n") and len(note) < 1 << 20, "checkpoint", "the checkpoint is cut off")
    parts = [line.split(" ") for line in below[:-1].split("\n")]
    need(len(parts) <= 64 and all(len(p) == 3 and p[0] == "\u2014" and p[1] for p in parts), "checkpoint", "a signature line is not written as it should be")
    lines = [(who, unbase64(data, "checkpoint")) for _, who, data in parts]
    said = text.split("\n")
    need(len(said) == 3 and NUMBER.fullmatch(said[1]), "checkpoint", "a checkpoint has origin, size and root")
    need(said[0] == key[0], "origin", f"the evidence is of the log {said[0]!r}, the key is of {key[0]!r}")
    need(signed_by(text + "\n", lines, key), "unsigned", "the key of the log did not sign this checkpoint")
    seen = sum(signed_by(text + "\n", lines, one) for one in witnesses)
    need(seen >= quorum, "witness", f"{seen} of the witnesses cosigned, {quorum} are demanded")
    own = next(" ".join(part) for part in parts if part[1] == key[0])
    return int(said[1]), unbase64(said[2], "checkpoint", 32), f"{text}\n\n{own}\n".encode()

def included(leaf, index, size, path):
    """Step 7: return the root that a path leads to (RFC 9162 section 2.1.3.2)."""
    need(0 <= index < size, "inclusion", "the proof is of a place that the log does not have")
    at, last = index, size - 1
    for step in path:
        need(last, "inclusion", "the proof is too long")
        if at & 1 or at == last:
            leaf = hashlib.sha256(b"\1" + step + leaf).digest()
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            leaf = hashlib.sha256(b"\1" + leaf + step).digest()
        at, last = at >> 1, last >> 1
    need(not last, "inclusion", "the proof is too short")
    return leaf

def over(leaves):
    """Return the root over leaves (RFC 6962 section 2.1)."""
    half = 1 << (len(leaves) - 1).bit_length() - 1 if len(leaves) > 1 else 0
    return leaves[0] if not half else hashlib.sha256(b"\1" + over(leaves[:half]) + over(leaves[half:])).digest()

def members(path):
    """Step 1: return the container's members; it must be written in the one way it can be."""
    try:
        with zipfile.ZipFile(path) as file, open(path, "rb") as raw:
            infos = file.infolist()
            need(len(infos) <= MOST_MEMBERS and sum(i.file_size for i in infos) <= MOST_BYTES, "container", "it is too large")
            need([i.filename for i in infos] == sorted({i.filename for i in infos}), "container", "its names are not sorted, or stand twice")
            data, front, back = raw.read(2 * MOST_BYTES), b"", b""
            for i in infos:
                need(NAME.fullmatch(i.filename) and i.compress_type in (0, 8), "container", f"a member is called {i.filename!r}, or packed in a strange way")
                need(i.file_size <= MOST_RATIO * max(i.compress_size, 1), "container", "it is a bomb")
                name, at = i.filename.encode(), len(front)
                said = struct.pack("<HHHHIIIHH", 0, i.compress_type, 0, 33, i.CRC, i.compress_size, i.file_size, len(name), 0)
                start = at + 30 + len(name)
                front += b"PK\3\4\x14\0" + said + name + data[start : start + i.compress_size]
                back += b"PK\1\2\x14\3\x14\0" + said + struct.pack("<HHHII", 0, 0, 0, 0o644 << 16, at) + name
            end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, len(infos), len(infos), len(back), len(front), 0)
            need(data == front + back + end, "container", "it is not written as handledger writes it")
            return {info.filename: file.read(info) for info in infos}
    except (zipfile.BadZipFile, zipfile.LargeZipFile, OSError, EOFError, ValueError, struct.error, RuntimeError, KeyError, zlib.error, OverflowError) as error:
        raise Refused("container", f"it cannot be opened: {error}") from None

def parsed(data, code):
    """Return the JSON of a member."""
    once = lambda pairs: need(len(dict(pairs)) == len(pairs), "json", "a key stands twice in an object") or dict(pairs)
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=once, parse_constant=lambda _: need(0, code, "no number"))
    except (ValueError, RecursionError):
        raise Refused(code, "a member is no JSON") from None

def read_entry(data):
    """Step 9: return what a commit says, from the very bytes that are hashed."""
    need(len(data) >= HEAD.size, "entry", "a commit is cut off")
    position, count, kind, version, at, sourced, start, length, *sizes = HEAD.unpack(data[: HEAD.size])
    need(sourced in (0, 1) and kind in KINDS, "entry", "a commit's head is not written as it should be")
    rest, parts = HEAD.size, []
    for size in (32 * sourced, *sizes):
        parts.append(data[rest : rest + size])
        rest += size
    need(rest <= len(data), "entry", "a commit is cut off")
    events = parsed(data[rest:], "entry")
    need(isinstance(events, list) and len(events) == count > 0, "entry", "a commit does not hold as many events as it says")
    need(all(isinstance(e, list) and e and isinstance(e[0], str) for e in events), "entry", "a commit holds what is no event")
    return {"position": position, "count": count, "kind": KINDS[kind], "version": version, "at": at, "source": parts[0].hex(),
            "start": start, "length": length, "stream": parts[1].hex(), "by": parts[3].decode("utf-8", "replace"), "data": rest, "events": events}

def check(path, key, witnesses=(), quorum=None):
    """Check a file; return what it proves, claims and leaves open. `Refused` if it does not hold."""
    files = members(path)
    need("bundle.json" in files, "index", "it has no bundle.json")
    index = parsed(files["bundle.json"], "index")
    need(isinstance(index, dict) and set(index) == {"format", "audience", "ledger", "stream", "size", "entries", "files"} and index["format"] == FORMAT, "index", "it is of another format or version")
    named, beside = index["entries"], index["files"]
    need(isinstance(named, list) and 0 < len(named) <= MOST_MEMBERS and named == [f"{n:04}" for n in range(1, len(named) + 1)], "index", "its commits are not numbered one by one")
    need(isinstance(beside, dict) and index["audience"] in ("house", "public", "player"), "index", "it is not written as it should be")
    need(set(files) == {"bundle.json", *(f"entries/{n}" for n in named), *(n for n in files if n.startswith("proofs/")), *beside}, "index", "its members are not those of its index")
    for name, digest in beside.items():
        need(name.split("/")[0] in ("rules", "stamps", "view", "source", "openings.json", "findings.json"), "index", "it holds what it should not")
        need(hashlib.sha256(files[name]).hexdigest() == digest, "index", f"{name} is not what its index says")
    leaves = {n: hashlib.sha256(b"\0" + files[f"entries/{n}"]).digest() for n in named}
    entries = [read_entry(files[f"entries/{n}"]) for n in named]
    quorum = len(witnesses) if quorum is None else quorum
    proven, point = set(), None
    for name in sorted(n for n in files if n.startswith("proofs/")):
        entry = name[7:]
        need(entry in leaves, "proof", "a proof is of a commit that is not there")
        head, gap, note = files[name].decode("utf-8", "replace").partition("\n\n")
        lines = head.split("\n")
        need(gap and lines[0] == "c2sp.org/tlog-proof@v1" and len(lines) >= 2 and NUMBER.fullmatch(lines[1][6:]) and lines[1][:6] == "index ", "proof", "a proof is not written as it should be")
        path_ = [unbase64(line, "proof", 32) for line in lines[2:]]
        before, point = point, checkpoint(note, key, witnesses, quorum)
        need(before in (None, point), "proof", "the proofs are of different checkpoints")
        need(included(leaves[entry], int(lines[1][6:]), point[0], path_) == point[1], "inclusion", f"the commit {entry} is not in the log that was signed")
        proven.add(entry)
    need(point is not None, "proof", "it holds no proof")
    need(index["size"] == point[0] and index["stream"] == entries[0]["stream"] and index["ledger"] == key[0].split("/")[-2:][0], "index", "it is of another log, stream or size than it says")
    sealed(named, entries, leaves, proven)
    opened = openings(files.get("openings.json"), entries)
    extract(files, entries)
    stamps = [stamp(name, files[name], point[2]) for name in sorted(files) if name.startswith("stamps/")]
    return {"size": point[0], "root": point[1].hex(), "entries": entries, "opened": opened, "money": money(entries), "files": files, "index": index, "stamps": stamps, "signed": point[2]}

def sealed(named, entries, leaves, proven):
    """Steps 7 and 8: every commit is proved itself, or by the seal over its hand; none is left out."""
    at, stream = 1, entries[0]["stream"]
    for name, entry in zip(named, entries):
        need(entry["stream"] == stream and entry["kind"] == entries[0]["kind"], "stream", "the commits are of different streams")
        need(entry["version"] == at, "stream", f"events are missing: {at} was expected, {entry['version']} comes")
        at += entry["count"]
        last = entry["events"][-1]
        if name in proven and last[0] == "HandSealed" and entry["count"] == 1 and named[0] != name:
            before = named[: named.index(name)]
            need(len(last) >= 5 and last[1] == entry["version"] - 1 and over([leaves[n] for n in before]).hex() == last[2], "seal", "the seal is not over these commits")
            proven.update(before)
    need(set(named) <= proven, "proof", "not every commit is proved")

def openings(data, entries):
    """Step 10: return how many hidden cards are opened; each must fit a commitment in the events."""
    told, hidden = [] if data is None else parsed(data, "opening"), json.dumps([e["events"] for e in entries])
    need(isinstance(told, list), "opening", "the openings are no list")
    for one in told:
        need(isinstance(one, dict) and set(one) == {"label", "salt", "value"} and all(isinstance(v, str) for v in one.values()) and re.fullmatch("[0-9a-f]{64}", one["salt"]), "opening", "an opening is not written as it should be")
        said = b"handledger/commit/v1\0" + one["label"].encode() + b"\0" + bytes.fromhex(one["salt"]) + one["value"].encode()
        need("{" + hashlib.sha256(said).hexdigest() + "}" in hidden, "opening", "an opening fits no commitment")
    return len(told)

def extract(files, entries):
    """Step 11: extracts of sources are named and as long as the commits say."""
    for name in (n for n in files if n.startswith("source/")):
        need(any(name == f"source/{e['source'][:32]}-{e['start']}" and len(files[name]) == e["length"] for e in entries), "source", "an extract is not what a commit was read from")

def der(data, *path):
    """Return tag and content of the DER values that fill `data`, or those inside the value to which `path` leads."""
    at, found = 0, []
    while at < len(data):
        tag, size, at = data[at], data[at + 1], at + 2
        if size > 127:
            size, at = int.from_bytes(data[at : at + (size & 127)], "big"), at + (size & 127)
        found.append((tag, data[at : at + size]))
        at += size
    need(at == len(data), "stamp", "a time stamp is cut off")
    return der(found[path[0]][1], *path[1:]) if path else found

def stamp(name, answer, given):
    """Step 11: return when a time stamp (RFC 3161) over the checkpoint says it was there. Who says so is not asked."""
    try:
        need(len(answer) <= 1 << 16, "stamp", f"{name} is too long")
        kind, info = der(answer, 0, 1, 1, 0, 2)[0][1].hex(), der(answer, 0, 1, 1, 0, 2, 1, 0, 0)
        need(der(answer, 0, 0)[0] == (2, b"\0") and kind == "2a864886f70d0109100104", "stamp", f"{name} was not granted")
        hashed, imprint = HASHES[der(info[2][1], 0)[0][1].hex()], der(info[2][1])[1][1]
        when = re.fullmatch(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z", info[4][1].decode("ascii")).groups()
    except (ValueError, IndexError, KeyError, AttributeError):
        raise Refused("stamp", f"{name} is no time stamp") from None
    need(hashlib.new(hashed, given).digest() == imprint, "stamp", f"{name} is over something else than this checkpoint")
    return {"name": name, "time": "{}-{}-{} {}:{}:{} UTC".format(*when), "imprint": imprint.hex()}

def money(entries):
    """Step 12: return chips put in less chips paid out, as the events tell them; None if they do not."""
    fields = {"BlindPosted": ((3, 1), (4, 1)),
              **dict.fromkeys(("StraddlePosted", "AntePosted", "BringInPosted", "DeadMoneyTaken", "PotSeeded", "Called", "Bet", "Raised", "Completed"), ((2, 1),)),
              **dict.fromkeys(("BetReturned", "PostReturned", "PotAwarded", "DropTaken"), ((2, -1),))}
    events = [event for entry in entries for event in entry["events"]]
    if entries[0]["kind"] != "hand" or {e[0] for e in events} & {"CorrectionMade", "ChipsReturned", "PotTakenBack", "CashOutTaken", "HandVoided", "PotImpounded"}:
        return None  # what holds after these takes the whole program to say
    return sum(sign * e[at] for e in events for at, sign in fields.get(e[0], ()) if len(e) > at and isinstance(e[at], int))

def main(args):
    """Check what the command line names."""
    getattr(sys.stdout, "reconfigure", dict)(errors="backslashreplace")
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    reader.add_argument("file")
    reader.add_argument("--key", type=read_key, required=True)
    reader.add_argument("--witness", type=read_key, action="append", default=[])
    reader.add_argument("--quorum", type=int)
    said = reader.parse_args(args)
    try:
        found = check(said.file, said.key, said.witness, said.quorum)
    except Refused as refusal:
        print(f"NOT VERIFIED ({refusal.code}): {refusal}")
        return 4
    print(f"VERIFIED: {sum(e['count'] for e in found['entries'])} events of one {found['entries'][0]['kind']} stand in the log of {said.key[0]}, which had {found['size']} commits when it was signed.")
    print(f"proven: the events, their order and completeness up to the last one here; {len(said.witness)} witnesses asked for")
    print(f"claimed: that they happened so, and when; what stands under view/; {found['opened']} opened cards are as dealt")
    print("chips: " + ("cannot be added up here" if found["money"] is None else "add up" if not found["money"] else f"{found['money']} more went in than came out"))
    for one in found["stamps"]:
        print(f"claimed: {one['name']} says that the checkpoint existed before {one['time']}. Not checked: who says so. For that, with the authority's root:\n"
              f"    unzip -p FILE.hlev {one['name']} > answer.tsr; openssl ts -verify -digest {one['imprint']} -in answer.tsr -CAfile ROOTS.pem")
    print("not covered: what came after the last event; findings (handledger verify finds them again)")
    return 0

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
