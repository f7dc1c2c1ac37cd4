#!/usr/bin/env python3
"""Check a handledger evidence file (.hlev) offline: `python3 verify_hlev.py FILE.hlev --key KEY`. Standard library only, Python 3.9 or later.

KEY is the public key of the ledger (name+id+base64), got from elsewhere than the evidence; without it only agreement is checked. --witness KEY
demands a witness's cosignature, --quorum N that many of them. Exit 0: it holds, 4: not, 2: not tried. All is counted before it is read."""

import argparse, base64, hashlib, itertools, json, os, re, struct, sys, zlib

FORMAT, KINDS = "handledger/evidence/1", {1: "hand", 2: "table", 3: "case", 4: "house"}
MOST_BYTES, MOST_MEMBERS, MOST_RATIO, MOST_RULES, MOST_IN_FOLDER = 64 << 20, 5000, 100, 1 << 20, {"stamps/": 64, "rules/": 16, "view/": 5, "source/": 4}
MOST_JSON, MOST_SIGNS, MOST_DEPTH = 8 << 20, 400_000, 16  # bytes, commas, quotes and brackets of all JSON together; how deep in one another
MOST_NOTE, MOST_SIGNATURES, MOST_PATH, MOST_STAMP, MOST_PARTS = 1 << 20, 64, 63, 1 << 16, 64
CHIPS_IN = {"BlindPosted": (3, 4), **dict.fromkeys("StraddlePosted AntePosted BringInPosted DeadMoneyTaken PotSeeded Called Bet Raised Completed".split(), (2,))}
CHIPS_OUT, UNSETTLED = {"BetReturned", "PostReturned", "PotAwarded", "DropTaken"}, {"CorrectionMade", "ChipsReturned", "PotTakenBack", "CashOutTaken", "HandVoided", "PotImpounded"}  # chips go in and out at these places of events
LOCAL, END, HEAD = struct.Struct("<4sHHHHHIIIHH"), struct.Struct("<4sHHHHIIH"), struct.Struct(">QIBQqBQQHHHHI")
HASHES = {"608648016503040201": "sha256", "608648016503040202": "sha384", "608648016503040203": "sha512"}
HIDES = ("HoleCardsDealt", "HoleCardsLearned", "CardsDrawn", "CardsDiscarded", "CardsMucked", "Folded")
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}(/[a-z0-9][a-z0-9._@-]{0,99}){0,3}")
NUMBER, SIGNER, CARD = re.compile(r"0|[1-9][0-9]{0,17}"), re.compile(r"[^\s+]{1,300}"), re.compile(r"[2-9TJQKA][cdhs]|Jk")
WORDS, NESTS = re.compile(rb'"[^"]*"?'), re.compile(rb"[][{}]")  # the strings of JSON without escapes; what nests
ODD_NUMBERS = re.compile(rb"[0-9]{19}|[0-9][.eE]|N|I")  # numbers that nothing here holds: huge, broken, NaN, Infinity

class Refused(Exception):
    """The evidence does not hold: a stable code and a sentence."""
    code, __str__ = property(lambda self: self.args[0]), lambda self: str(self.args[1])

def require(condition, code, sentence):
    """Go on only if the condition holds."""
    if not condition: raise Refused(code, sentence)

def unbase64(text, code, size=None):
    """Decode base64 that has one spelling."""
    try: decoded = base64.b64decode(text.encode("ascii"), validate=True)
    except ValueError: decoded = b""
    require(base64.b64encode(decoded).decode() == text and size in (None, len(decoded)), code, "base64 is none, of a wrong length, or written in an unusual way")
    return decoded

# Ed25519 (RFC 8032 section 5.1), to verify only: nothing here is secret, it need not be constant in time.
PRIME, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
BASE = (15112221349535400772501151409588531511454012693041857206046113283949847762202, 4 * pow(5, PRIME - 2, PRIME) % PRIME)
CURVE_D, ROOT = -121665 * pow(121666, PRIME - 2, PRIME) % PRIME, pow(2, (PRIME - 1) // 4, PRIME)

def recover(encoded):
    """Return the point of 32 bytes, None if there is none."""
    sign, y_value = encoded[31] >> 7, int.from_bytes(encoded, "little") & (1 << 255) - 1
    square = (y_value * y_value - 1) * pow(CURVE_D * y_value * y_value + 1, PRIME - 2, PRIME) % PRIME
    x_value = pow(square, (PRIME + 3) // 8, PRIME)
    x_value = x_value * ROOT % PRIME if (x_value * x_value - square) % PRIME else x_value
    return None if y_value >= PRIME or (x_value * x_value - square) % PRIME or (x_value == 0 and sign) else (PRIME - x_value if x_value & 1 != sign else x_value, y_value)

def add_points(first, second):
    """Add two points in extended coordinates (x, y, z, t)."""
    c, d, e, f = (first[1] - first[0]) * (second[1] - second[0]) % PRIME, (first[1] + first[0]) * (second[1] + second[0]) % PRIME, 2 * first[3] * second[3] * CURVE_D % PRIME, 2 * first[2] * second[2] % PRIME
    return ((d - c) * (f - e) % PRIME, (f + e) * (d + c) % PRIME, (f - e) * (f + e) % PRIME, (d - c) * (d + c) % PRIME)

def multiply_point(number, point):
    """Multiply a point."""
    product, doubled = (0, 1, 1, 0), (*point, 1, point[0] * point[1] % PRIME)
    for bit in range(number.bit_length()):
        product, doubled = add_points(product, doubled) if number >> bit & 1 else product, add_points(doubled, doubled)
    return product

def ed25519(public, signature, message):
    """Whether an Ed25519 signature of 64 bytes fits."""
    key_point, r_point, scalar = recover(public), recover(signature[:32]), int.from_bytes(signature[32:], "little")
    if key_point is None or r_point is None or scalar >= ORDER: return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % ORDER
    left_side, right_side = multiply_point(scalar, BASE), add_points((*r_point, 1, r_point[0] * r_point[1] % PRIME), multiply_point(challenge, key_point))
    return not (left_side[0] * right_side[2] - right_side[0] * left_side[2]) % PRIME and not (left_side[1] * right_side[2] - right_side[1] * left_side[2]) % PRIME

def read_key(text):
    """Return name, kind, id and bytes of a public key; ValueError if it is none."""
    name, id_text, encoded = text.strip().split("+", 2)
    key_bytes = base64.b64decode(encoded, validate=True)
    key_id = hashlib.sha256(name.encode() + b"\n" + key_bytes).digest()[:4]
    if len(key_bytes) != 33 or key_bytes[0] not in (1, 4) or key_id.hex() != id_text or not SIGNER.fullmatch(name): raise ValueError("no Ed25519 key, or a damaged one")
    return name, key_bytes[0], key_id, key_bytes[1:]

def unfit(key, witnesses, quorum):
    """Return why keys and quorum make no sense together, "" if they do. Keys are compared by their bytes: anybody may choose a name."""
    witness_bytes = {witness[3] for witness in witnesses}
    return ("--quorum counts witnesses: add --witness KEY" if quorum is not None and not witness_bytes else
            "witnesses vouch for the log of a key, and none is given" if witness_bytes and key is None else
            "the same witness is named twice" if len(witness_bytes) < len(witnesses) else "the log's own key is no witness" if key is not None and key[3] in witness_bytes else
            f"the quorum is 1 to {len(witness_bytes)} here" if quorum is not None and not 1 <= quorum <= len(witness_bytes) else "")

def signed_by(text, lines, key):
    """Whether `key` signed a note; a signature of it that does not fit refuses everything."""
    signer_name, kind, _, public = key
    signatures = [signature for line_name, signature in lines if line_name == signer_name and signature[:4] == key[2]]
    for signature in signatures:
        time_line = f"cosignature/v1\ntime {int.from_bytes(signature[4:12], 'big')}\n" if kind == 4 else ""
        require(len(signature) == (76 if time_line else 68) and ed25519(public, signature[-64:], (time_line + text).encode()), "signature", f"the signature of {signer_name} does not fit")
    return bool(signatures)

def checkpoint(note, key, witnesses, quorum):
    """Steps 3 to 6: return origin, size and root that the log's key and enough witnesses signed, and the log's own bytes."""
    text, separator, signature_text = note.rpartition("\n\n")
    require(separator and signature_text.endswith("\n") and len(note) <= MOST_NOTE and signature_text.count("\n") <= MOST_SIGNATURES, "checkpoint", "the checkpoint is cut off, or too long")
    require(not re.search("[\0-\t\v-\x1f]", note), "checkpoint", "the checkpoint holds control characters")
    signature_parts = [line.split(" ") for line in signature_text[:-1].split("\n")]
    require(all(len(fields) == 3 and fields[0] == "\u2014" and SIGNER.fullmatch(fields[1]) for fields in signature_parts), "checkpoint", "a signature line is not written as it should be")
    text_lines, lines = text.split("\n"), [(line_name, unbase64(encoded, "checkpoint")) for _, line_name, encoded in signature_parts]
    require(len(text_lines) == 3 and 0 < len(text_lines[0]) <= 300 and NUMBER.fullmatch(text_lines[1]) and all(len(signature) > 4 for _, signature in lines), "checkpoint", "a checkpoint has origin, size and root, and signatures")
    root = unbase64(text_lines[2], "checkpoint", 32)
    if key is not None:
        require(text_lines[0] == key[0], "origin", f"the evidence is of the log {text_lines[0]!r}, the key is of {key[0]!r}")
        require(signed_by(text + "\n", lines, key), "unsigned", "the key of the log did not sign this checkpoint")
        cosigned_count = sum(signed_by(text + "\n", lines, witness) for witness in witnesses)
        require(cosigned_count >= quorum, "witness", f"{cosigned_count} of the witnesses cosigned, {quorum} are demanded")
    own_lines = [" ".join(line_fields) for line_fields, (line_name, signature) in zip(signature_parts, lines) if line_name == text_lines[0] and (key is None or signature[:4] == key[2])]
    require(own_lines, "unsigned", "the log itself did not sign this checkpoint")
    return text_lines[0], int(text_lines[1]), root, f"{text}\n\n{own_lines[0]}\n".encode()

node_above = lambda left, right: hashlib.sha256(b"\1" + left + right).digest()  # the node of the tree above two others
def included(leaf_hash, leaf_index, tree_size, path):
    """Step 7: return the root that a path leads to (RFC 6962 section 2.1.1), the last step of which is the highest."""
    require(bool(path) == (tree_size > 1) and leaf_index < tree_size, "inclusion", "the proof is too short, too long, or of a place that the log does not have")
    if tree_size == 1: return leaf_hash
    half = 1 << (tree_size - 1).bit_length() - 1
    return node_above(included(leaf_hash, leaf_index, half, path[:-1]), path[-1]) if leaf_index < half else node_above(path[-1], included(leaf_hash, leaf_index - half, tree_size - half, path[:-1]))

def root_over(leaves):
    """Return the root over leaves (RFC 6962 section 2.1)."""
    half = 1 << (len(leaves) - 1).bit_length() - 1 if len(leaves) > 1 else 0
    return node_above(root_over(leaves[:half]), root_over(leaves[half:])) if half else leaves[0]

def members(data):
    """Step 1: return the container's members. Nothing is searched: it is read from its start, and must be written in the one way in which it can be."""
    require(len(data) <= MOST_BYTES, "container", "it is too large")
    contents, offset, last_name, total_size, directory = {}, 0, "", 0, bytearray()
    while data[offset : offset + 4] == b"PK\3\4" and len(data) >= offset + LOCAL.size:
        header = LOCAL.unpack_from(data, offset)
        packing, crc, packed_size, size, name_length = header[3], *header[6:10]
        body_start, total_size = offset + LOCAL.size + name_length, total_size + size
        require(len(contents) < MOST_MEMBERS and total_size <= MOST_BYTES and size <= MOST_RATIO * max(packed_size, 1), "container", "it holds too much")
        member_name, packed_bytes = data[offset + LOCAL.size : body_start].decode("ascii", "replace"), data[body_start : body_start + packed_size]
        require(NAME.fullmatch(member_name) and member_name > last_name, "container", f"a member is called {member_name[:100]!r}, or names are repeated or out of order")
        require(header == (b"PK\3\4", 20, 0, 8 if member_name[:6] == "rules/" else 0, 0, 33, crc, packed_size, size, name_length, 0), "container", "it isn't written as handledger writes it")
        try: contents[member_name] = zlib.decompressobj(-15).decompress(packed_bytes, size + 1) if packing else packed_bytes
        except zlib.error: raise Refused("container", f"{member_name} is damaged") from None
        require(len(contents[member_name]) == size and zlib.crc32(contents[member_name]) == crc, "container", f"{member_name} is damaged")
        directory += b"PK\1\2\x14\3" + data[offset + 4 : offset + LOCAL.size] + struct.pack("<HHHII", 0, 0, 0, 0o644 << 16, offset) + member_name.encode()
        last_name, offset = member_name, body_start + packed_size
    require(data[offset:] == directory + END.pack(b"PK\5\6", 0, 0, len(contents), len(contents), len(directory), offset, 0), "container", "it isn't an evidence file (.hlev), or it was changed")
    return contents

def parsed(data, code):
    """Return the JSON of a member: its depth and its numbers are looked at before it is parsed."""
    structure = WORDS.sub(b"", data.replace(rb"\\", b"").replace(rb'\"', b""))
    require(max(itertools.accumulate(1 if bracket[0] in b"[{" else -1 for bracket in NESTS.finditer(structure)), default=0) <= MOST_DEPTH and not ODD_NUMBERS.search(structure), code, "a member is nested too deeply, or holds a number that handledger does not write")
    unique_keys = lambda pairs: require(len(dict(pairs)) == len(pairs), "json", "a key is repeated in an object") or dict(pairs)
    try: return json.loads(data.decode("utf-8"), object_pairs_hook=unique_keys)
    except (ValueError, RecursionError): raise Refused(code, "a member is no JSON") from None

def read_entry(data):
    """Step 9: return what a commit says, from the very bytes that are hashed."""
    require(len(data) >= HEAD.size, "entry", "a commit is cut off")
    position, count, kind, version, recorded_time, has_source, start, length, *part_sizes = HEAD.unpack_from(data)
    part_ends = list(itertools.accumulate((32 * has_source, *part_sizes), initial=HEAD.size))
    require(has_source in (0, 1) and kind in KINDS and part_sizes[0] == 16 and part_ends[-1] <= len(data), "entry", "a commit's head is not written as it should be")
    source, stream, _clock, writer, _key, marks = (data[part_start:part_end] for part_start, part_end in zip(part_ends, part_ends[1:]))
    events = parsed(data[part_ends[-1]:], "entry")
    require(isinstance(events, list) and len(events) == count > 0 and all(isinstance(event, list) and event and isinstance(event[0], str) for event in events), "entry", "a commit does not hold the events that it says")
    return {"position": position, "count": count, "kind": KINDS[kind], "version": version, "at": recorded_time, "source": source.hex(), "start": start, "length": length, "stream": stream.hex(), "by": writer.decode("utf-8", "replace"), "marks": marks, "data": part_ends[-1], "events": events}

def read_index(files):
    """Return the index; it names every member, and holds the hash of each that is neither a commit nor a proof."""
    require("bundle.json" in files, "index", "it has no bundle.json")
    index = parsed(files["bundle.json"], "index")
    require(isinstance(index, dict) and set(index) == {"format", "audience", "ledger", "stream", "size", "entries", "files"} and index["format"] == FORMAT, "index", "it is of another format or version")
    entry_names, other_members, proofs = index["entries"], index["files"], [member_name for member_name in files if member_name.startswith("proofs/")]
    require(isinstance(other_members, dict) and index["audience"] in ("house", "public", "player"), "index", "it is not written as it should be")
    require(isinstance(entry_names, list) and 0 < len(entry_names) <= len(files) and entry_names == [f"{number:04}" for number in range(1, len(entry_names) + 1)], "index", "its commits are not numbered one by one")
    require(set(files) == {"bundle.json", *(f"entries/{number}" for number in entry_names), *proofs, *other_members}, "index", "its members are not those of its index")
    for member_name, digest in other_members.items():
        require(member_name in ("openings.json", "findings.json") or member_name.split("/")[0] in ("rules", "stamps", "view", "source") and "/" in member_name, "index", "it holds what it should not")
        require(hashlib.sha256(files[member_name]).hexdigest() == digest, "index", f"{member_name} is not what its index says")
    return index

def read_proofs(files, leaves):
    """Return the note that all proofs are of, and each proved commit's place in the log with the path from it."""
    proofs, signed_notes, leaf_paths = sorted(member_name for member_name in files if member_name.startswith("proofs/")), set(), {}
    require(proofs and all(member_name[7:] in leaves for member_name in proofs), "proof", "it holds no proof, or one of a commit that is not there")
    for member_name in proofs:
        header, separator, note = files[member_name].decode("utf-8", "replace").partition("\n\n")
        header_lines = header.split("\n")
        require(separator and "\ufffd" not in note and header_lines[0] == "c2sp.org/tlog-proof@v1" and 2 <= len(header_lines) <= 2 + MOST_PATH and header_lines[1][:6] == "index " and NUMBER.fullmatch(header_lines[1][6:]), "proof", "a proof is not written as it should be")
        signed_notes, leaf_paths[member_name[7:]] = signed_notes | {note}, (int(header_lines[1][6:]), [unbase64(line, "proof", 32) for line in header_lines[2:]])
        require(len(signed_notes) == 1, "proof", "the proofs are of different checkpoints")
    return signed_notes.pop(), leaf_paths

def limit_members(files):
    """Step 2: refuse more JSON, more members of one kind or more text of rulebooks than any evidence needs."""
    json_members = [files[member_name] for member_name in files if member_name.startswith("entries/") or member_name.endswith(".json")]
    require(sum(map(len, json_members)) <= MOST_JSON and sum(member.count(character) for member in json_members for character in (b",", b"[", b"]", b"{", b"}", b'"')) <= MOST_SIGNS, "large", "it holds too much JSON")
    require(sum(len(files[member_name]) for member_name in files if member_name.startswith("rules/")) <= MOST_RULES and all(sum(member_name.startswith(folder) for member_name in files) <= limit for folder, limit in MOST_IN_FOLDER.items()), "large", "it holds too many members of one kind, or too much of rulebooks")

def check(data, key, witnesses=(), quorum=None):
    """Check the bytes of a file; return what it proves, claims and leaves open. `Refused` if it does not hold. Without `key` nobody's signature is looked at."""
    files = members(data)
    limit_members(files)
    index = read_index(files)
    leaves = {number: hashlib.sha256(b"\0" + files[f"entries/{number}"]).digest() for number in index["entries"]}
    entries = [read_entry(files[f"entries/{number}"]) for number in leaves]
    signed_note, leaf_paths = read_proofs(files, leaves)
    origin, size, root_hash, signed_bytes = checkpoint(signed_note, key, witnesses, quorum := len(witnesses) if quorum is None else quorum)
    unproved = [member_name for member_name, (leaf_index, leaf_path) in leaf_paths.items() if included(leaves[member_name], leaf_index, size, leaf_path) != root_hash]
    require(not unproved, "inclusion", f"these commits are not in the log that was signed: {unproved[:9]}")
    require(("findings.json" in index["files"]) == any(number.startswith("rules/") for number in index["files"]) <= (entries[0]["kind"] == "hand"), "index", "findings are of a hand, and come with the rules that they are of")
    require(index["size"] == size and index["size"] is not True and index["stream"] == entries[0]["stream"] and index["ledger"] == origin.split("/")[-2:][0], "index", "it is of another log, stream or size than it says")
    check_stream(entries, leaves, leaf_paths)
    opened_count = openings(files.get("openings.json"), entries)
    source_extracts = {(f"source/{entry['source'][:32]}-{entry['start']}", entry["length"]) for entry in entries}  # an extract's bytes are under no signature
    require(all((member_name, len(files[member_name])) in source_extracts for member_name in files if member_name.startswith("source/")), "source", "an extract is not what a commit was read from")
    stamps = [stamp(member_name, files[member_name], signed_bytes) for member_name in sorted(files) if member_name.startswith("stamps/")]
    return {"origin": origin, "size": size, "root": root_hash.hex(), "entries": entries, "opened": opened_count, "money": money(entries), "files": files, "index": index, "stamps": stamps, "signed": signed_bytes, "checked": key is not None, "witnesses": len(witnesses), "quorum": quorum, "beside": sorted(number for number in index["files"] if number != "openings.json")}

def check_stream(entries, leaves, leaf_paths):
    """Step 8: every commit is proved itself, or by the seal over its hand; none is left out between them."""
    next_version, stream, last_event = 1, entries[0]["stream"], entries[-1]["events"][-1]
    for entry in entries:
        require((entry["stream"], entry["kind"], entry["version"]) == (stream, entries[0]["kind"], next_version), "stream", f"a commit is of another stream, or events are missing before {entry['version']}")
        next_version += entry["count"]
    if len(leaf_paths) == len(leaves): return
    require([*leaf_paths] == [*leaves][-1:] and last_event[0] == "HandSealed" and entries[-1]["count"] == 1 and len(last_event) >= 5, "proof", "not every commit is proved, by itself or by a seal at the end")
    require(last_event[1] == next_version - 2 and root_over([*leaves.values()][:-1]).hex() == last_event[2], "seal", "the seal is not over these commits")

def openings(data, entries):
    """Step 10: return how many hidden cards are opened; each must be committed to in the events, and stand here once."""
    opening_list = [] if data is None else parsed(data, "opening")
    require(isinstance(opening_list, list), "opening", "the openings are no list")
    hidden = {opening for entry in entries for event in entry["events"] if event[0] in HIDES for part in event[2:] if isinstance(part, str) for opening in re.findall(r"\{([0-9a-f]{64})\}", part)}
    for opening in opening_list:
        require(isinstance(opening, dict) and set(opening) == {"label", "salt", "value"} and all(isinstance(text, str) for text in opening.values()) and re.fullmatch("[0-9a-f]{64}", opening["salt"]) and CARD.fullmatch(opening["value"]), "opening", "an opening is not written as it should be")
        committed = b"handledger/commit/v1\0" + opening["label"].encode("utf-8", "surrogatepass") + b"\0" + bytes.fromhex(opening["salt"]) + opening["value"].encode()
        require(hashlib.sha256(committed).hexdigest() in hidden, "opening", "an opening fits no commitment, or is repeated")
        hidden.remove(hashlib.sha256(committed).hexdigest())
    return len(opening_list)

def read_der(data, *path):
    """Return tag and content of the DER values that fill `data`, or those inside the value to which `path` leads."""
    offset, values = 0, []
    while offset < len(data) and len(values) < MOST_PARTS:
        tag, length, offset = data[offset], data[offset + 1], offset + 2
        if length > 127: length, offset = int.from_bytes(data[offset : offset + (length & 127)], "big"), offset + (length & 127)
        values.append((tag, data[offset : offset + length]))
        offset += length
    require(offset == len(data), "stamp", "a time stamp is cut off, or of too many parts")
    return read_der(values[path[0]][1], *path[1:]) if path else values

def stamp(member_name, answer, checkpoint_bytes):
    """Step 11: return when a time stamp (RFC 3161) over the checkpoint says it was there. Who says so is not asked."""
    require(len(answer) <= MOST_STAMP, "stamp", f"{member_name} is too long")
    try:
        kind, info = read_der(answer, 0, 1, 1, 0, 2)[0][1].hex(), read_der(answer, 0, 1, 1, 0, 2, 1, 0, 0)
        require(read_der(answer, 0, 0)[0] == (2, b"\0") and kind == "2a864886f70d0109100104", "stamp", f"{member_name} was not granted")
        hash_name, imprint = HASHES[read_der(info[2][1], 0)[0][1].hex()], read_der(info[2][1])[1][1]
        time_fields = re.fullmatch(r"([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})(\.[0-9]+)?Z", info[4][1].decode("ascii")).groups()
    except (ValueError, IndexError, KeyError, AttributeError): raise Refused("stamp", f"{member_name} is no time stamp") from None
    require(hashlib.new(hash_name, checkpoint_bytes).digest() == imprint, "stamp", f"{member_name} is over something else than this checkpoint")
    return {"name": member_name, "time": "{}-{}-{} {}:{}:{} UTC".format(*time_fields), "imprint": imprint.hex()}

def money(entries):
    """Step 12: return chips put in less chips paid out, as the events tell them; None if they do not."""
    events = [event for entry in entries for event in entry["events"]]
    if entries[0]["kind"] != "hand" or {fields[0] for fields in events} & UNSETTLED: return None  # what holds after these takes the whole program to say
    movements = [(1, fields[place]) for fields in events if fields[0] in CHIPS_IN for place in CHIPS_IN[fields[0]] if len(fields) > place] + [(-1, fields[2]) for fields in events if fields[0] in CHIPS_OUT and len(fields) > 2]
    return sum(sign * chips for sign, chips in movements if isinstance(chips, int))

def verdict(evidence, unproved):
    """Return the line that a reader goes by. `beside` are members that nobody vouches for: whatever they say may have been changed."""
    entries, first = evidence["entries"], evidence["entries"][0]["events"][0]
    names = [field[:80] for field in first[1:4] if isinstance(field, str)]
    subject = {"HandOpened": "hand {2!r} of table {1!r}, {0!r}", "CaseOpened": "case {0!r}"}.get(first[0] if len(names) == 3 else "", "the " + entries[0]["kind"] + " " + entries[0]["stream"]).format(*names)
    text = f"{sum(entry['count'] for entry in entries)} events of one {entries[0]['kind']} are in the log of {evidence['origin']!r}, which had {evidence['size']:,} commits when it was signed: {subject}." + (f" {evidence['quorum']} or more of the {evidence['witnesses']} named witnesses cosigned it." if evidence["witnesses"] else "")
    return ("VERIFIED: " if evidence["checked"] else "CONSISTENT, SIGNER NOT CHECKED: without a key, anyone could have made this file. It says: ") + f"{text} Not covered: {', '.join([*unproved, 'for whom it was made', 'what came after the last event here'])}."

def main(args):
    """Check what the command line names."""
    getattr(sys.stdout, "reconfigure", dict)(errors="backslashreplace")
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    for option, settings in (("file", {}), ("--key", {"type": read_key}), ("--witness", {"type": read_key, "action": "append", "default": []}), ("--quorum", {"type": int})): reader.add_argument(option, **settings)
    options = reader.parse_args(args)
    if mistake := unfit(options.key, options.witness, options.quorum) or "" if os.path.isfile(options.file) else "there is no such file": reader.error(mistake)
    try:
        with open(options.file, "rb") as opened_file:
            evidence = check(opened_file.read(MOST_BYTES + 1), options.key, options.witness, options.quorum)
    except (Refused, OSError) as refusal:
        print(f"NOT VERIFIED ({getattr(refusal, 'code', 'container')}): {refusal}")
        return 4
    print(verdict(evidence, evidence["beside"]))
    print("chips: " + ("cannot be added up here" if evidence["money"] is None else "add up" if not evidence["money"] else f"{evidence['money']} more went in than came out"))
    print((f"{evidence['opened']} opened cards match their commitments." if evidence["opened"] else "No hidden cards were opened.") + " Claimed only: what happened and when. Findings and rules aren't checked here: use handledger verify.")
    for time_stamp in evidence["stamps"]:
        print(f"claimed: {time_stamp['name']} says that the checkpoint existed before {time_stamp['time']}. Not checked: who says so. For that, with the authority's root:\n    unzip -p FILE.hlev {time_stamp['name']} > answer.tsr; openssl ts -verify -digest {time_stamp['imprint']} -in answer.tsr -CAfile ROOTS.pem")
    return 0

if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
