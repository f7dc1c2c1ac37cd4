#!/usr/bin/env python3
"""Check a handledger evidence file (.hlev) offline: `python3 verify_hlev.py FILE.hlev --key KEY`. Standard library only, Python 3.9 or later.

KEY is the public key of the ledger (name+id+base64), got from elsewhere than the evidence; without it only agreement is checked. --witness KEY
demands a witness's cosignature, --quorum N that many of them. Exit 0: it holds, 4: not, 2: not tried. All is counted before it is read.
"""

import argparse, base64, hashlib, itertools, json, os, re, struct, sys, zlib

FORMAT, KINDS = "handledger/evidence/1", {1: "hand", 2: "table", 3: "case", 4: "house"}
MOST_BYTES, MOST_MEMBERS, MOST_RATIO, MOST_RULES, MOST_UNDER = 64 << 20, 5000, 100, 1 << 20, {"stamps/": 64, "rules/": 16, "view/": 4, "source/": 4}
MOST_JSON, MOST_SIGNS, MOST_DEPTH = 8 << 20, 400_000, 16  # bytes, commas, quotes and brackets of all JSON together; how deep in one another
MOST_NOTE, MOST_SIGNATURES, MOST_PATH, MOST_STAMP, MOST_PARTS = 1 << 20, 64, 63, 1 << 16, 64
PUT = {"BlindPosted": (3, 4), **dict.fromkeys("StraddlePosted AntePosted BringInPosted DeadMoneyTaken PotSeeded Called Bet Raised Completed".split(), (2,))}
TOOK = {"BetReturned", "PostReturned", "PotAwarded", "DropTaken"}  # chips that go in and out stand at these places of events
UNSETTLED = {"CorrectionMade", "ChipsReturned", "PotTakenBack", "CashOutTaken", "HandVoided", "PotImpounded"}
LOCAL, END, HEAD = struct.Struct("<4sHHHHHIIIHH"), struct.Struct("<4sHHHHIIH"), struct.Struct(">QIBQqBQQHHHHI")
HASHES = {"608648016503040201": "sha256", "608648016503040202": "sha384", "608648016503040203": "sha512"}
HIDES = ("HoleCardsDealt", "HoleCardsLearned", "CardsDrawn", "CardsDiscarded", "CardsMucked", "Folded")
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}(/[a-z0-9][a-z0-9._@-]{0,99}){0,3}")
NUMBER, SIGNER, CARD = re.compile(r"0|[1-9][0-9]{0,17}"), re.compile(r"[^\s+]{1,300}"), re.compile(r"[2-9TJQKA][cdhs]|Jk")
WORDS, NESTS = re.compile(rb'"[^"]*"?'), re.compile(rb"[][{}]")  # the strings of JSON without escapes; what nests
ODD = re.compile(rb"[0-9]{19}|[0-9][.eE]|N|I")  # numbers that nothing here holds: huge, broken, NaN, Infinity

class Refused(Exception):
    """The evidence does not hold: a stable code and a sentence."""
    code, __str__ = property(lambda self: self.args[0]), lambda self: str(self.args[1])

def need(holds, code, sentence):
    """Go on only if `holds`."""
    if not holds: raise Refused(code, sentence)

def unbase64(text, code, size=None):
    """Decode base64 that has one spelling."""
    try: found = base64.b64decode(text.encode("ascii"), validate=True)
    except ValueError: found = b""
    need(base64.b64encode(found).decode() == text and size in (None, len(found)), code, "base64 is none, of a wrong length, or written in an unusual way")
    return found

# Ed25519 (RFC 8032 section 5.1), to verify only: nothing here is secret, it need not be constant in time.
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
BASE = (15112221349535400772501151409588531511454012693041857206046113283949847762202, 4 * pow(5, P - 2, P) % P)
D, ROOT = -121665 * pow(121666, P - 2, P) % P, pow(2, (P - 1) // 4, P)

def recover(data):
    """Return the point of 32 bytes, None if there is none."""
    sign, y = data[31] >> 7, int.from_bytes(data, "little") & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x * ROOT % P if (x * x - square) % P else x
    return None if y >= P or (x * x - square) % P or (x == 0 and sign) else (P - x if x & 1 != sign else x, y)

def plus(a, b):
    """Add two points in extended coordinates (x, y, z, t)."""
    c, d, e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P, 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    return ((d - c) * (f - e) % P, (f + e) * (d + c) % P, (f - e) * (f + e) % P, (d - c) * (d + c) % P)

def times(number, point):
    """Multiply a point."""
    found, step = (0, 1, 1, 0), (*point, 1, point[0] * point[1] % P)
    for bit in range(number.bit_length()):
        found, step = plus(found, step) if number >> bit & 1 else found, plus(step, step)
    return found

def ed25519(public, signature, message):
    """Whether an Ed25519 signature of 64 bytes fits."""
    key, r, s = recover(public), recover(signature[:32]), int.from_bytes(signature[32:], "little")
    if key is None or r is None or s >= ORDER: return False
    told = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % ORDER
    left, right = times(s, BASE), plus((*r, 1, r[0] * r[1] % P), times(told, key))
    return not (left[0] * right[2] - right[0] * left[2]) % P and not (left[1] * right[2] - right[1] * left[2]) % P

def read_key(text):
    """Return name, kind, id and bytes of a public key; ValueError if it is none."""
    name, told, data = text.strip().split("+", 2)
    raw = base64.b64decode(data, validate=True)
    found = hashlib.sha256(name.encode() + b"\n" + raw).digest()[:4]
    if len(raw) != 33 or raw[0] not in (1, 4) or found.hex() != told or not SIGNER.fullmatch(name): raise ValueError("no Ed25519 key, or a damaged one")
    return name, raw[0], found, raw[1:]

def unfit(key, witnesses, quorum):
    """Return why keys and quorum make no sense together, "" if they do. Keys are compared by their bytes: anybody may choose a name."""
    seen = {one[3] for one in witnesses}
    return ("a quorum is of witnesses, and none is named" if quorum is not None and not seen else
            "witnesses vouch for the log of a key, and none is given" if seen and key is None else
            "the same witness is named twice" if len(seen) < len(witnesses) else
            "the log's own key is no witness" if key is not None and key[3] in seen else
            f"the quorum is 1 to {len(seen)} here" if quorum is not None and not 1 <= quorum <= len(seen) else "")

def signed_by(text, lines, key):
    """Whether `key` signed a note; a signature of it that does not fit refuses everything."""
    name, kind, _, public = key
    found = [raw for who, raw in lines if who == name and raw[:4] == key[2]]
    for raw in found:
        time = f"cosignature/v1\ntime {int.from_bytes(raw[4:12], 'big')}\n" if kind == 4 else ""
        need(len(raw) == (76 if time else 68) and ed25519(public, raw[-64:], (time + text).encode()), "signature", f"the signature of {name} does not fit")
    return bool(found)

def checkpoint(note, key, witnesses, quorum):
    """Steps 3 to 6: return origin, size and root that the log's key and enough witnesses signed, and the log's own bytes."""
    text, gap, below = note.rpartition("\n\n")
    need(gap and below.endswith("\n") and len(note) <= MOST_NOTE and below.count("\n") <= MOST_SIGNATURES, "checkpoint", "the checkpoint is cut off, or too long")
    need(not re.search("[\0-\t\v-\x1f]", note), "checkpoint", "the checkpoint holds control characters")
    parts = [line.split(" ") for line in below[:-1].split("\n")]
    need(all(len(p) == 3 and p[0] == "\u2014" and SIGNER.fullmatch(p[1]) for p in parts), "checkpoint", "a signature line is not written as it should be")
    said, lines = text.split("\n"), [(who, unbase64(data, "checkpoint")) for _, who, data in parts]
    need(len(said) == 3 and 0 < len(said[0]) <= 300 and NUMBER.fullmatch(said[1]) and all(len(raw) > 4 for _, raw in lines), "checkpoint", "a checkpoint has origin, size and root, and signatures")
    root = unbase64(said[2], "checkpoint", 32)
    if key is not None:
        need(said[0] == key[0], "origin", f"the evidence is of the log {said[0]!r}, the key is of {key[0]!r}")
        need(signed_by(text + "\n", lines, key), "unsigned", "the key of the log did not sign this checkpoint")
        seen = sum(signed_by(text + "\n", lines, one) for one in witnesses)
        need(seen >= quorum, "witness", f"{seen} of the witnesses cosigned, {quorum} are demanded")
    own = [" ".join(part) for part, (who, raw) in zip(parts, lines) if who == said[0] and (key is None or raw[:4] == key[2])]
    need(own, "unsigned", "the log itself did not sign this checkpoint")
    return said[0], int(said[1]), root, f"{text}\n\n{own[0]}\n".encode()

above = lambda left, right: hashlib.sha256(b"\1" + left + right).digest()  # the node of the tree above two others

def included(leaf, index, size, path):
    """Step 7: return the root that a path leads to (RFC 6962 section 2.1.1), the last step of which is the highest."""
    need(bool(path) == (size > 1) and index < size, "inclusion", "the proof is too short, too long, or of a place that the log does not have")
    if size == 1: return leaf
    half = 1 << (size - 1).bit_length() - 1
    if index < half: return above(included(leaf, index, half, path[:-1]), path[-1])
    return above(path[-1], included(leaf, index - half, size - half, path[:-1]))

def over(leaves):
    """Return the root over leaves (RFC 6962 section 2.1)."""
    half = 1 << (len(leaves) - 1).bit_length() - 1 if len(leaves) > 1 else 0
    return above(over(leaves[:half]), over(leaves[half:])) if half else leaves[0]

def members(data):
    """Step 1: return the container's members. Nothing is searched: it is read from its start, and must be written in the one way in which it can be."""
    need(len(data) <= MOST_BYTES, "container", "it is too large")
    found, at, last, whole, back = {}, 0, "", 0, bytearray()
    while data[at : at + 4] == b"PK\3\4" and len(data) >= at + LOCAL.size:
        told = LOCAL.unpack_from(data, at)
        packing, crc, packed, size, length = told[3], *told[6:10]
        start, whole = at + LOCAL.size + length, whole + size
        need(len(found) < MOST_MEMBERS and whole <= MOST_BYTES and size <= MOST_RATIO * max(packed, 1), "container", "it holds too much")
        name, body = data[at + LOCAL.size : start].decode("ascii", "replace"), data[start : start + packed]
        need(NAME.fullmatch(name) and name > last, "container", f"a member is called {name[:100]!r}, or names stand twice or out of order")
        need(told == (b"PK\3\4", 20, 0, 8 if name[:6] == "rules/" else 0, 0, 33, crc, packed, size, length, 0), "container", "it is not written as handledger writes it")
        try: found[name] = zlib.decompressobj(-15).decompress(body, size + 1) if packing else body
        except zlib.error: raise Refused("container", f"{name} is damaged") from None
        need(len(found[name]) == size and zlib.crc32(found[name]) == crc, "container", f"{name} is damaged")
        back += b"PK\1\2\x14\3" + data[at + 4 : at + LOCAL.size] + struct.pack("<HHHII", 0, 0, 0, 0o644 << 16, at) + name.encode()
        last, at = name, start + packed
    need(data[at:] == back + END.pack(b"PK\5\6", 0, 0, len(found), len(found), len(back), at, 0), "container", "it is no container, or not written as handledger writes it")
    return found

def parsed(data, code):
    """Return the JSON of a member: its depth and its numbers are looked at before it is parsed."""
    plain = WORDS.sub(b"", data.replace(rb"\\", b"").replace(rb'\"', b""))
    depths = itertools.accumulate(1 if found[0] in b"[{" else -1 for found in NESTS.finditer(plain))
    need(max(depths, default=0) <= MOST_DEPTH and not ODD.search(plain), code, "a member is nested too deeply, or holds a number that handledger does not write")
    once = lambda pairs: need(len(dict(pairs)) == len(pairs), "json", "a key stands twice in an object") or dict(pairs)
    try: return json.loads(data.decode("utf-8"), object_pairs_hook=once)
    except (ValueError, RecursionError): raise Refused(code, "a member is no JSON") from None

def read_entry(data):
    """Step 9: return what a commit says, from the very bytes that are hashed."""
    need(len(data) >= HEAD.size, "entry", "a commit is cut off")
    position, count, kind, version, at, sourced, start, length, *sizes = HEAD.unpack_from(data)
    ends = list(itertools.accumulate((32 * sourced, *sizes), initial=HEAD.size))
    need(sourced in (0, 1) and kind in KINDS and sizes[0] == 16 and ends[-1] <= len(data), "entry", "a commit's head is not written as it should be")
    source, stream, _clock, by, _key, marks = (data[one:other] for one, other in zip(ends, ends[1:]))
    events = parsed(data[ends[-1]:], "entry")
    need(isinstance(events, list) and len(events) == count > 0 and all(isinstance(e, list) and e and isinstance(e[0], str) for e in events), "entry", "a commit does not hold the events that it says")
    return {"position": position, "count": count, "kind": KINDS[kind], "version": version, "at": at, "source": source.hex(), "start": start, "length": length,
            "stream": stream.hex(), "by": by.decode("utf-8", "replace"), "marks": marks, "data": ends[-1], "events": events}

def check(data, key, witnesses=(), quorum=None):
    """Check the bytes of a file; return what it proves, claims and leaves open. `Refused` if it does not hold. Without `key` nobody's signature is looked at."""
    files = members(data)
    told = [files[name] for name in files if name.startswith("entries/") or name.endswith(".json")]
    need(sum(map(len, told)) <= MOST_JSON and sum(one.count(sign) for one in told for sign in (b",", b"[", b"]", b"{", b"}", b'"')) <= MOST_SIGNS, "large", "it holds too much JSON")
    need(sum(len(files[name]) for name in files if name.startswith("rules/")) <= MOST_RULES and all(sum(name.startswith(under) for name in files) <= most for under, most in MOST_UNDER.items()), "large", "it holds too many members of one kind, or too much of rulebooks")
    need("bundle.json" in files, "index", "it has no bundle.json")
    index = parsed(files["bundle.json"], "index")
    need(isinstance(index, dict) and set(index) == {"format", "audience", "ledger", "stream", "size", "entries", "files"} and index["format"] == FORMAT, "index", "it is of another format or version")
    named, beside, proofs = index["entries"], index["files"], sorted(n for n in files if n.startswith("proofs/"))
    need(isinstance(beside, dict) and index["audience"] in ("house", "public", "player"), "index", "it is not written as it should be")
    need(isinstance(named, list) and 0 < len(named) <= len(files) and named == [f"{n:04}" for n in range(1, len(named) + 1)], "index", "its commits are not numbered one by one")
    need(set(files) == {"bundle.json", *(f"entries/{n}" for n in named), *proofs, *beside}, "index", "its members are not those of its index")
    for name, digest in beside.items():
        need(name in ("openings.json", "findings.json") or name.split("/")[0] in ("rules", "stamps", "view", "source") and "/" in name, "index", "it holds what it should not")
        need(hashlib.sha256(files[name]).hexdigest() == digest, "index", f"{name} is not what its index says")
    leaves = {n: hashlib.sha256(b"\0" + files[f"entries/{n}"]).digest() for n in named}
    entries = [read_entry(files[f"entries/{n}"]) for n in named]
    need(proofs and all(name[7:] in leaves for name in proofs), "proof", "it holds no proof, or one of a commit that is not there")
    notes, places = set(), {}
    for name in proofs:
        head, gap, note = files[name].decode("utf-8", "replace").partition("\n\n")
        lines = head.split("\n")
        need(gap and "\ufffd" not in note and lines[0] == "c2sp.org/tlog-proof@v1" and 2 <= len(lines) <= 2 + MOST_PATH and lines[1][:6] == "index " and NUMBER.fullmatch(lines[1][6:]), "proof", "a proof is not written as it should be")
        notes, places[name[7:]] = notes | {note}, (int(lines[1][6:]), [unbase64(line, "proof", 32) for line in lines[2:]])
        need(len(notes) == 1, "proof", "the proofs are of different checkpoints")
    quorum = len(witnesses) if quorum is None else quorum
    origin, size, root, signed = checkpoint(notes.pop(), key, witnesses, quorum)
    lost = [name for name, (place, path) in places.items() if included(leaves[name], place, size, path) != root]
    need(not lost, "inclusion", f"these commits are not in the log that was signed: {lost[:9]}")
    need(("findings.json" in beside) == any(n.startswith("rules/") for n in beside) <= (entries[0]["kind"] == "hand"), "index", "findings are of a hand, and come with the rules that they are of")
    need(index["size"] == size and index["size"] is not True and index["stream"] == entries[0]["stream"] and index["ledger"] == origin.split("/")[-2:][0], "index", "it is of another log, stream or size than it says")
    whole(named, entries, leaves, places)
    opened = openings(files.get("openings.json"), entries)
    read = {(f"source/{e['source'][:32]}-{e['start']}", e["length"]) for e in entries}  # an extract's bytes are under no signature
    need(all((name, len(files[name])) in read for name in files if name.startswith("source/")), "source", "an extract is not what a commit was read from")
    stamps = [stamp(name, files[name], signed) for name in sorted(files) if name.startswith("stamps/")]
    return {"origin": origin, "size": size, "root": root.hex(), "entries": entries, "opened": opened, "money": money(entries), "files": files, "index": index, "stamps": stamps,
            "signed": signed, "checked": key is not None, "witnesses": len(witnesses), "quorum": quorum, "beside": sorted(n for n in beside if n != "openings.json")}

def whole(named, entries, leaves, places):
    """Step 8: every commit is proved itself, or by the seal over its hand; none is left out between them."""
    at, stream, last = 1, entries[0]["stream"], entries[-1]["events"][-1]
    for entry in entries:
        need((entry["stream"], entry["kind"], entry["version"]) == (stream, entries[0]["kind"], at), "stream", f"a commit is of another stream, or events are missing before {entry['version']}")
        at += entry["count"]
    if len(places) == len(named): return
    need([*places] == named[-1:] and last[0] == "HandSealed" and entries[-1]["count"] == 1 and len(last) >= 5, "proof", "not every commit is proved, by itself or by a seal at the end")
    need(last[1] == at - 2 and over([leaves[n] for n in named[:-1]]).hex() == last[2], "seal", "the seal is not over these commits")

def openings(data, entries):
    """Step 10: return how many hidden cards are opened; each must be committed to in the events, and stand here once."""
    told = [] if data is None else parsed(data, "opening")
    need(isinstance(told, list), "opening", "the openings are no list")
    hidden = {one for e in entries for event in e["events"] if event[0] in HIDES for part in event[2:] if isinstance(part, str) for one in re.findall(r"\{([0-9a-f]{64})\}", part)}
    for one in told:
        need(isinstance(one, dict) and set(one) == {"label", "salt", "value"} and all(isinstance(v, str) for v in one.values()) and re.fullmatch("[0-9a-f]{64}", one["salt"]) and CARD.fullmatch(one["value"]), "opening", "an opening is not written as it should be")
        said = b"handledger/commit/v1\0" + one["label"].encode("utf-8", "surrogatepass") + b"\0" + bytes.fromhex(one["salt"]) + one["value"].encode()
        need(hashlib.sha256(said).hexdigest() in hidden, "opening", "an opening fits no commitment, or stands twice")
        hidden.remove(hashlib.sha256(said).hexdigest())
    return len(told)

def der(data, *path):
    """Return tag and content of the DER values that fill `data`, or those inside the value to which `path` leads."""
    at, found = 0, []
    while at < len(data) and len(found) < MOST_PARTS:
        tag, size, at = data[at], data[at + 1], at + 2
        if size > 127: size, at = int.from_bytes(data[at : at + (size & 127)], "big"), at + (size & 127)
        found.append((tag, data[at : at + size]))
        at += size
    need(at == len(data), "stamp", "a time stamp is cut off, or of too many parts")
    return der(found[path[0]][1], *path[1:]) if path else found

def stamp(name, answer, given):
    """Step 11: return when a time stamp (RFC 3161) over the checkpoint says it was there. Who says so is not asked."""
    need(len(answer) <= MOST_STAMP, "stamp", f"{name} is too long")
    try:
        kind, info = der(answer, 0, 1, 1, 0, 2)[0][1].hex(), der(answer, 0, 1, 1, 0, 2, 1, 0, 0)
        need(der(answer, 0, 0)[0] == (2, b"\0") and kind == "2a864886f70d0109100104", "stamp", f"{name} was not granted")
        hashed, imprint = HASHES[der(info[2][1], 0)[0][1].hex()], der(info[2][1])[1][1]
        when = re.fullmatch(r"([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})(\.[0-9]+)?Z", info[4][1].decode("ascii")).groups()
    except (ValueError, IndexError, KeyError, AttributeError): raise Refused("stamp", f"{name} is no time stamp") from None
    need(hashlib.new(hashed, given).digest() == imprint, "stamp", f"{name} is over something else than this checkpoint")
    return {"name": name, "time": "{}-{}-{} {}:{}:{} UTC".format(*when), "imprint": imprint.hex()}

def money(entries):
    """Step 12: return chips put in less chips paid out, as the events tell them; None if they do not."""
    events = [event for entry in entries for event in entry["events"]]
    if entries[0]["kind"] != "hand" or {e[0] for e in events} & UNSETTLED: return None  # what holds after these takes the whole program to say
    paid = [(1, e[at]) for e in events if e[0] in PUT for at in PUT[e[0]] if len(e) > at] + [(-1, e[2]) for e in events if e[0] in TOOK and len(e) > 2]
    return sum(sign * chips for sign, chips in paid if isinstance(chips, int))

def verdict(found, beside):
    """Return the line that a reader goes by. `beside` are members that nobody vouches for: whatever they say may have been changed."""
    entries, first = found["entries"], found["entries"][0]["events"][0]
    told = [one[:80] for one in first[1:4] if isinstance(one, str)]
    what = {"HandOpened": "hand {2!r} of table {1!r}, {0!r}", "CaseOpened": "case {0!r}"}.get(first[0] if len(told) == 3 else "", "the " + entries[0]["kind"] + " " + entries[0]["stream"]).format(*told)
    text = f"{sum(e['count'] for e in entries)} events of one {entries[0]['kind']} stand in the log of {found['origin']!r}, which had {found['size']:,} commits when it was signed: {what}."
    if found["witnesses"]: text += f" {found['quorum']} or more of the {found['witnesses']} witnesses that were named cosigned it."
    text += f" Not covered: {', '.join([*beside, 'for whom it was made', 'what came after the last event here'])}."
    return ("VERIFIED: " if found["checked"] else "CONSISTENT, SIGNER NOT CHECKED: without a key anybody may have made all of this. It says: ") + f"{text}"

def main(args):
    """Check what the command line names."""
    getattr(sys.stdout, "reconfigure", dict)(errors="backslashreplace")
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    for name, how in (("file", {}), ("--key", {"type": read_key}), ("--witness", {"type": read_key, "action": "append", "default": []}), ("--quorum", {"type": int})):
        reader.add_argument(name, **how)
    said = reader.parse_args(args)
    if wrong := unfit(said.key, said.witness, said.quorum) or "" if os.path.isfile(said.file) else "there is no such file": reader.error(wrong)
    try:
        with open(said.file, "rb") as file:
            found = check(file.read(MOST_BYTES + 1), said.key, said.witness, said.quorum)
    except (Refused, OSError) as refusal:
        print(f"NOT VERIFIED ({getattr(refusal, 'code', 'container')}): {refusal}")
        return 4
    print(verdict(found, found["beside"]))
    print("chips: " + ("cannot be added up here" if found["money"] is None else "add up" if not found["money"] else f"{found['money']} more went in than came out"))
    print(f"{found['opened']} opened cards are those that were committed to. Claimed: that all happened so, and when; handledger verify finds findings and rules again")
    for one in found["stamps"]:
        print(f"claimed: {one['name']} says that the checkpoint existed before {one['time']}. Not checked: who says so. For that, with the authority's root:\n"
              f"    unzip -p FILE.hlev {one['name']} > answer.tsr; openssl ts -verify -digest {one['imprint']} -in answer.tsr -CAfile ROOTS.pem")
    return 0

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
