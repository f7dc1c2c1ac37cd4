"""The commands in groups, and their former names."""

from __future__ import annotations

from typing import Final

GROUPS: Final = {
    "Bring in": {
        "import": "Import hand histories and account for every byte.",
        "new": "Create a file for a night of notes, with example lines.",
        "read": "Show how notes are read, line by line, before you import them.",
        "handscript": "Print a one-page card of handscript to keep at the table.",
        "rejects": "List what couldn't be read: where, why and how to fix it.",
    },
    "Look": {
        "log": "List hands, one line each.",
        "show": "Show a hand event by event, or the table after one event.",
        "replay": "Replay a hand step by step.",
        "seats": "List who sat where at a table, and for how long.",
        "results": "Add up what players won and lost.",
        "statistics": "Count how players play: VPIP, PFR, 3-bet, aggression, showdowns.",
        "serve": "Show the ledger in a browser.",
        "mcp": "Let an assistant look things up in the ledger and in rulebooks.",
    },
    "Judge": {
        "audit": "Check hands against rulebooks and report violations.",
        "findings": "List findings under the house's rulebooks, now or as of a date.",
        "why": "Explain a figure: its events, its clauses, its source bytes.",
        "aftermath": "Follow a wrong button or blind until the game is right again.",
        "rates": "Count findings per 1,000 hands, by clause, table, day or player.",
        "fairness": "Compare the blinds each player paid with the blinds due.",
        "rules": "List, explain, compare and adopt rulebooks.",
    },
    "At the table": {
        "floor": "Show a stopped game: last hands, findings and what is due.",
        "due": "Show where the button goes, who posts and who may play.",
        "record": "Record a table as it plays, and check every line.",
    },
    "Disputes": {
        "case": "Keep a dispute: claim, hands, statements, ruling and payments.",
        "compare": "Compare two accounts of one hand.",
        "accounts": "List the accounts of a hand and choose the one that counts.",
        "correct": "Correct an event of a hand and keep the first version on record.",
    },
    "Prove": {
        "seal": "Sign the ledger so that nobody can rewrite it unnoticed.",
        "cosign": "Countersign a checkpoint as an independent witness.",
        "evidence": "Write a hand as evidence that others can verify.",
        "verify": "Verify a ledger, a lake or a file of evidence.",
    },
    "Share": {
        "report": "Write hands as one HTML page or PDF.",
        "export": "Export hands as PHH, Open Hand History, PokerStars text or rows.",
        "shard": "Write whole tables as Parquet files: a lake.",
        "lake": "Audit a lake, and list its hands and results.",
        "pocket": "Write a page for phones that shows who posts what, also offline.",
    },
    "Set up": {
        "demo": "Import sample hands, check them and show what to try next.",
        "device": "List, add and retire the devices that may record tables.",
        "user": "List, add and revoke the people who sign in to the pages.",
        "people": "List, merge, hold and forget people.",
        "schema": "Print the JSON Schema of a document or an event.",
    },
}
"""Group → its commands, each with the one sentence that its help begins with: listing them imports none."""

COMMANDS: Final = {name: summary for commands in GROUPS.values() for name, summary in commands.items()}
"""Command → its sentence, in the order of the help."""

FORMER_NAMES: Final = {"witness": "cosign", "owed": "due", "known": "findings", "knock-on": "aftermath"}
"""Former name → command. A former name runs nothing; its error says the new one."""
