"""Command lines of each command that work (GOOD) and that fail (BAD). `{book}`, `{night}` and other fixtures are filled in."""

from __future__ import annotations

GOOD: dict[str, list[list[str]]] = {
    "import": [
        ["import", "{night}", "--ledger", "{new}"],
        ["import", "--dry-run", "{night}", "--ledger", "{book}"],
        ["import", "--to-shards", "{empty}/lake", "{night}"],
    ],
    "new": [["new", "{empty}/friday.hand", "--table", "T7", "--game", "limit 10/20"]],
    "read": [["read", "{night}"]],
    "handscript": [["handscript"], ["handscript", "--card"]],
    "rejects": [["rejects", "--ledger", "{book}"], ["rejects", "--bytes", "--ledger", "{book}"]],
    "log": [
        ["log", "--ledger", "{book}"],
        ["log", "-n", "1", "--table", "T1", "--ledger", "{book}"],
        ["log", "--count", "--where", "pot>0", "--ledger", "{book}"],
    ],
    "results": [["results", "--ledger", "{book}"], ["results", "pot>0", "--by", "day", "--ledger", "{book}"]],
    "statistics": [
        ["statistics", "--ledger", "{book}"],
        ["statistics", "--by", "position", "--counts", "--ledger", "{book}"],
        ["statistics", "--by", "stakes", "--where", "pot>0", "--ledger", "{book}"],
        ["statistics", "--format", "csv", "--ledger", "{book}"],
    ],
    "rates": [["rates", "-r", "hilton", "--by", grouping, "--ledger", "{book}"] for grouping in ("clause", "table")],
    "findings": [["findings", "--ledger", "{book}"]],
    "seats": [["seats", "T1", "--ledger", "{book}"]],
    "aftermath": [["aftermath", "1", "-r", "hilton", "--ledger", "{book}"]],
    "fairness": [["fairness", "-r", "hilton", "--ledger", "{book}"]],
    "show": [["show", "1", "--ledger", "{book}"], ["show", "1@8", "--ledger", "{book}"]],
    "replay": [["replay", "2", "--ledger", "{book}"]],
    "floor": [["floor", "T1", "-r", "hilton", "--ledger", "{book}"]],
    "device": [["device", "--ledger", "{book}"], ["device", "add", "tablet-3", "--table", "T1", "--ledger", "{own}"]],
    "user": [["user", "--ledger", "{book}"], ["user", "add", "Maria", "--role", "dealer", "--ledger", "{own}"]],
    "report": [
        ["report", "1", "--ledger", "{book}"],
        ["report", "2", "-r", "hilton", "--as", "1", "--ledger", "{book}"],
    ],
    "audit": [
        ["audit", "--rulebook", "hilton", "--ledger", "{book}", *options] for options in ([], ["--format", "csv"])
    ],
    "rules": [["rules"], ["rules", "hilton"], ["rules", "hilton", "B8a.1"]],
    "compare": [["compare", "1", "2", "--ledger", "{book}"]],
    "accounts": [
        ["accounts", "1", "--ledger", "{own}"],
        ["accounts", "1", "--apart", "1", "--by", "floor", "--why", "so it was", "--ledger", "{own}"],
    ],
    "correct": [
        ["correct", "1@1", 'remark "as told"', "--insert", "--by", "floor", "--why", "forgotten", "--ledger", "{own}"]
    ],
    "export": [
        ["export", "1", "--to", format_name, "--lossy", "--ledger", "{book}"]
        for format_name in ("phh", "ohh", "handscript", "jsonl", "csv", "original")
    ],
    "due": [
        ["due", "T1", "-r", "hilton", "--ledger", "{book}"],
        ["due", "T1", "-r", "hilton", "-r", "rrop4", "--before", "2", "--ledger", "{book}"],
    ],
    "why": [["why", "1", "--ledger", "{book}"], ["why", "2", "due", "-r", "hilton", "--ledger", "{book}"]],
    "shard": [
        ["shard", "-o", "{empty}", "--ledger", "{own}"],
        ["shard", "table:T1", "-o", "{lake}", "--ledger", "{own}"],
    ],
    "lake": [
        ["lake", "audit", "{lake}", "--out", "{empty}", "-r", "hilton", *options] for options in ([], ["--jobs", "2"])
    ]
    + [
        ["lake", "log", "{found}", "--where", "pot>0"],
        ["lake", "log", "{found}", "--count"],
        ["lake", "results", "{found}"],
    ],
    "seal": [["seal", "--key", "{key}", "--ledger", "{own}"]],
    "cosign": [["cosign", "{request}", "--log", "{log}", "--name", "auditor.example", "--key", "{wkey}"]],
    "evidence": [
        ["evidence", "1", "-o", "{empty}/e.hlev", "-r", "house-burn", "--verifier", "--ledger", "{own}"],
        ["evidence", "1", "-o", "{empty}/e.hlev", "--lake", "{lake}"],
    ],
    "verify": [
        ["verify", "{lake}"],
        ["verify", "--ledger", "{book}"],
        ["verify", "{hlev}", "--key", "{log}"],
        ["verify", "{hlev}"],
    ],
    "people": [
        ["people", "--ledger", "{own}"],
        ["people", "list", "a", "--ledger", "{own}"],
        ["people", "hold", "{person}", "--days", "3", "--ledger", "{own}"],
    ],
    "case": [
        ["case", "list", "--ledger", "{own}"],
        ["case", "show", "X1", "--ledger", "{own}"],
        ["case", "open", "1@3-5", "--claim", "mine", "--by", "player", "--hold", "--ledger", "{own}"],
        ["case", "note", "X1", "so it was", "--by", "dealer", "--person", "{person}", "--ledger", "{own}"],
        ["case", "hold", "X1", "table", "T1", "--days", "3", "--ledger", "{own}"],
        ["case", "due", "X1", "--days", "10", "--for", "decision", "--ledger", "{own}"],
    ],
    "demo": [["demo"]],
    "schema": [["schema"], ["schema", "import"], ["schema", "hand.blind-posted"]],
}

BAD: dict[str, list[list[str]]] = {
    "import": [
        ["import"],
        ["import", "/nowhere/at/all", "--ledger", "{new}"],
        ["import", "{empty}", "--ledger", "{new}"],
        ["import", "{night}", "--ledger", "{text}"],
        ["import", "--format", "runes", "{night}", "--ledger", "{new}"],
        ["import", "{text}", "--ledger", "{new}"],
        ["import", "--to-shards", "{lake}", "{night}"],
        ["import", "--to-shards", "{empty}/lake", "/nowhere/at/all"],
        ["import", "--to-shards", "{empty}/lake", "-"],
        ["import", "--to-shards", "{empty}/lake", "--compress", "{night}"],
        ["import", "--hands", "3", "{night}", "--ledger", "{new}"],
    ],
    "new": [
        ["new"],
        ["new", "{text}", "--game", "limit 10/20"],
        ["new", "{empty}/friday.hand", "--game", "chess"],
        ["new", "/nowhere/at/all.hand", "--game", "no-limit holdem 2/5"],
    ],
    "read": [["read"], ["read", "/nowhere/at/all"], ["read", "{empty}"]],
    "handscript": [["handscript", "--card", "-o", "/nowhere/at/all.pdf"]],
    "rejects": [["rejects", "--ledger", "{new}"], ["rejects", "--nonsense"]],
    "log": [["log", "--ledger", "{new}"], ["log", "--table", "none", "--ledger", "{book}"], ["log", "-n", "x"]],
    "results": [
        ["results", "--ledger", "{new}"],
        ["results", "pot>=", "--ledger", "{book}"],
        ["results", "pot>999999", "--ledger", "{book}"],
    ],
    "statistics": [
        ["statistics", "--ledger", "{new}"],
        ["statistics", "Nobody", "--ledger", "{book}"],
        ["statistics", "--by", "moon", "--ledger", "{book}"],
        ["statistics", "--where", "pot>=", "--ledger", "{book}"],
    ],
    "rates": [["rates", "--ledger", "{book}"], ["rates", "-r", "none", "--ledger", "{book}"]],
    "findings": [["findings", "--as-of", "never", "--ledger", "{book}"]],
    "fairness": [["fairness", "--ledger", "{book}"], ["fairness", "-r", "none", "--ledger", "{book}"]],
    "aftermath": [["aftermath", "999", "-r", "hilton", "--ledger", "{book}"]],
    "seats": [["seats", "none", "--ledger", "{book}"], ["seats", "T1", "--at", "noon", "--ledger", "{book}"]],
    "show": [
        ["show", "999", "--ledger", "{book}"],
        ["show", "1@99", "--ledger", "{book}"],
        ["show"],
        ["show", "1@flop", "--ledger", "{book}"],
        ["show", "none.txt:3", "--ledger", "{book}"],
        ["show", "T1#1", "--ledger", "{book}"],
        ["show", "1~7", "--ledger", "{book}"],
        ["show", "", "--ledger", "{book}"],
    ],
    "replay": [["replay", "999", "--ledger", "{book}"]],
    "why": [["why", "999", "--ledger", "{book}"], ["why", "1", "colour", "--ledger", "{book}"]],
    "report": [["report", "999", "--ledger", "{book}"], ["report", "1", "-r", "none", "--ledger", "{book}"]],
    "audit": [["audit", "--rulebook", "none", "--ledger", "{book}"], ["audit", "999", "--ledger", "{book}"]],
    "rules": [["rules", "none"], ["rules", "hilton", "Z99"]],
    "compare": [
        ["compare", "1", "--ledger", "{book}"],
        ["compare", "1", "999", "--ledger", "{book}"],
        ["compare", "1", "1", "--ledger", "{book}"],
    ],
    "accounts": [
        ["accounts", "999", "--ledger", "{own}"],
        ["accounts", "1", "--choose", "7", "--by", "floor", "--why", "x", "--ledger", "{own}"],
        ["accounts", "1", "--choose", "1", "--ledger", "{own}"],
        ["log", "--as-of", "noon", "--ledger", "{book}"],
    ],
    "correct": [
        ["correct", "1@2", "--ledger", "{own}"],
        ["correct", "1@2", "6 bets", "--by", "floor", "--why", "x", "--ledger", "{own}"],
        ["correct", "1", "5 folds", "--by", "floor", "--why", "x", "--ledger", "{own}"],
        ["correct", "1@1", "--remove", "--by", "floor", "--why", "x", "--ledger", "{own}"],
    ],
    "export": [
        ["export", "--to", "runes", "--ledger", "{book}"],
        ["export", "999", "--to", "phh", "--ledger", "{book}"],
    ],
    "shard": [
        ["shard", "--ledger", "{book}"],
        ["shard", "pot>", "-o", "{empty}", "--ledger", "{book}"],
        ["shard", "hand:999", "-o", "{empty}", "--ledger", "{book}"],
        ["shard", "-o", "{text}", "--ledger", "{book}"],
    ],
    "lake": [
        ["lake", "audit", "{empty}", "--out", "{empty}"],
        ["lake", "log", "{empty}"],
        ["lake", "log", "{found}", "--where", "pot>"],
        ["lake", "log", "{found}", "--by", "dealer"],
        ["lake", "results", "{found}", "--where", "pot>999999"],
        ["lake", "audit", "{lake}"],
        ["lake", "audit", "{lake}", "--out", "{empty}", "-r", "none"],
        ["lake", "audit", "{lake}", "--out", "{text}", "-r", "hilton"],
        ["lake", "audit", "{lake}", "--out", "{empty}", "--engine", "spark"],
        ["lake", "audit", "{lake}", "--out", "{empty}", "--engine", "spark", "--jobs", "2", "--master", "local[2]"],
        ["lake", "audit", "{lake}", "--out", "{empty}", "--engine", "spark", "--master", "local[2]", "--conf", "x"],
        ["lake", "audit", "{lake}", "--out", "{empty}", "--master", "local[2]"],
    ],
    "due": [
        ["due", "T1", "--ledger", "{book}"],
        ["due", "none", "-r", "hilton", "--ledger", "{book}"],
        ["due", "T1", "-r", "none", "--ledger", "{book}"],
        ["due", "T1", "-r", "hilton", "--before", "999", "--ledger", "{book}"],
    ],
    "seal": [
        ["seal", "--key", "{empty}/no.key", "--ledger", "{own}"],
        ["seal", "--key", "{text}", "--ledger", "{own}"],
        ["seal", "--every", "1", "--for-witness", "0", "--ledger", "{own}"],
        ["seal", "--new-key", "--key", "{text}", "--ledger", "{own}"],
    ],
    "cosign": [
        ["cosign", "{request}", "--log", "no key", "--name", "x", "--key", "{wkey}"],
        ["cosign", "{empty}/none", "--log", "{log}", "--name", "x", "--key", "{wkey}"],
    ],
    "evidence": [
        ["evidence", "999", "-o", "{empty}/e.hlev", "--ledger", "{own}"],
        ["evidence", "1", "--ledger", "{own}"],
        ["evidence", "1", "-o", "{empty}/e.hlev", "--as", "nobody here", "--ledger", "{own}"],
        ["evidence", "999", "-o", "{empty}/e.hlev", "--lake", "{lake}"],
        ["evidence", "1", "-o", "{empty}/e.hlev", "--lake", "{empty}"],
    ],
    "verify": [
        ["verify", "{text}", "--key", "no key"],
        ["verify", "{hlev}", "--quorum", "1"],
        ["verify", "{empty}/none.hlev", "--key", "{log}"],
        ["verify", "--ledger", "{new}"],
        ["verify", "--ledger", "{text}"],
        ["verify", "--ledger", "mysql://x/y"],
    ],
    "people": [
        ["people", "forget", "nobody at all", "--ledger", "{own}"],
        ["people", "merge", "{person}", "--ledger", "{own}"],
        ["people", "merge", "{person}", "{person}", "--why", "x", "--ledger", "{own}"],
        ["people", "forget", "--ledger", "{own}"],
    ],
    "case": [
        ["case"],
        ["case", "show", "none", "--ledger", "{own}"],
        ["case", "open", "--claim", "x", "--by", "floor", "--ledger", "{own}"],
        ["case", "open", "1", "--claim", "x", "--by", "floor", "--lake", "{empty}", "--ledger", "{own}"],
        ["case", "open", "1", "--claim", "x", "--by", "floor", "--number", "X1", "--ledger", "{own}"],
        ["case", "open", "1", "--claim", "x", "--by", "floor", "--number", "a b", "--ledger", "{own}"],
        ["case", "close", "X1", "upheld", "--ledger", "{own}"],
        ["case", "rule", "X1", "--decision", "x", "--by", "floor", "--pay", "1", "--ledger", "{own}"],
        ["case", "cite", "X1", "none", "-r", "hilton", "--ledger", "{own}"],
        ["case", "due", "X1", "--ledger", "{own}"],
        ["case", "attach", "X1", "{empty}/none", "--ledger", "{own}"],
        ["case", "runes"],
    ],
    "demo": [["demo", "--nonsense"]],
    "schema": [["schema", "runes"]],
    "device": [
        ["device", "add", "--ledger", "{own}"],
        ["device", "retire", "nobody", "--ledger", "{own}"],
        ["device", "list", "x", "--ledger", "{own}"],
        ["device", "runes", "--ledger", "{own}"],
    ],
    "record": [
        ["record", "T99", "--ledger", "{own}"],
        ["record", "T1", "-r", "none", "--ledger", "{own}"],
        ["record", "T9", "--venue", "V", "--game", "cards", "--ledger", "{own}"],
        ["record", "T9", "--venue", "V", "--records", "all of it", "--ledger", "{own}"],
    ],
    "floor": [
        ["floor", "none", "--ledger", "{book}"],
        ["floor", "T1", "-r", "hilton", "-r", "rrop4", "--ledger", "{book}"],
    ],
    "user": [
        ["user", "add", "Maria", "--ledger", "{own}"],
        ["user", "add", "--role", "dealer", "--ledger", "{own}"],
        ["user", "add", "x\ny", "--role", "dealer", "--ledger", "{own}"],
        ["user", "revoke", "nobody", "--ledger", "{own}"],
        ["user", "code", "nobody", "--ledger", "{own}"],
        ["user", "list", "x", "--ledger", "{own}"],
    ],
    "pocket": [["pocket", "-o", "{empty}/pocket", "--from", "{empty}/nothing"], ["pocket", "--from", "{empty}"]],
    "mcp": [
        ["mcp", "--names", "anything", "--ledger", "{book}"],
        ["mcp", "--max-characters", "5", "--ledger", "{book}"],
    ],
    "serve": [
        ["serve", "--tls-cert", "{night}", "--ledger", "{book}"],
        ["serve", "--tls-cert", "{night}", "--tls-key", "{night}", "--ledger", "{book}"],
        ["serve", "--address", "192.0.2.1", "--ledger", "{book}"],
        ["serve", "--role", "boss", "--ledger", "{book}"],
        ["serve", "--ledger", "{new}"],
    ],
}

GOING_ON = {"mcp", "pocket", "record", "serve"}
"""Commands that go on until they are stopped, or that need another program's files (`tests/web/test_pocket.py`): their documents are tested beside them (`test_record.py`, `test_mcp.py`, `tests/web/test_server.py`)."""
