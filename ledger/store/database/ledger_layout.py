"""The layout of a ledger without SQLAlchemy: its marks, its tables' names, the guards that keep the log append-only."""

# ruff: noqa: S608 - statements are made of constants, numbers and question marks

from __future__ import annotations

from typing import Final

APPLICATION_ID: Final = 0x484C6467  # "HLdg", in the header of a SQLite file
SCHEMA: Final = 2
"""Version of this layout. A ledger with a higher one is refused.

1: the secret behind the ids of players is in `about`, and there are no `salts`. Such a ledger can be
read and written; `people key --take-out` makes it 2.
"""

TABLES: Final = frozenset(
    (
        "log",
        "writers",
        "dictionaries",
        "head",
        "about",
        "places",
        "hands",
        "names",
        "texts",
        "salts",
        "openings",
        "erased",
        "sources",
        "blocks",
        "blackened",
        "progress",
        "tracking",
        "snapshots",
        "tiles",
        "checkpoints",
        "stamps",
        "rulebooks",
    )
)
"""The names of a ledger's tables; `ledger.store.database.tables` defines them."""

GAP: Final = "handledger: positions follow one another without a gap"
VERSION: Final = "handledger: versions of a stream follow one another, all of one kind"
FOREVER: Final = "handledger: what is in the log stays as it is"

HIDDEN: Final = "(compressed)"
"""The type of events that SQL can't read in the view of events; their data is NULL there."""

_KIND_WORDS = (
    "CASE l.kind WHEN 1 THEN 'hand' WHEN 2 THEN 'table' WHEN 3 THEN 'case' WHEN 4 THEN 'house' ELSE 'opaque' END"
)

# ROLLBACK, not ABORT: a statement that may be undone by itself costs a copy of each page it touches,
# which doubles the time of an insert; an append gives up its whole transaction anyway.
SQLITE_GUARDS: Final = (
    f"""CREATE TRIGGER log_follows BEFORE INSERT ON log BEGIN
  SELECT RAISE(ROLLBACK, '{GAP}') WHERE NEW.count < 1
    OR NEW.position - NEW.count IS NOT (SELECT coalesce(max(position), 0) FROM log);
  SELECT RAISE(ROLLBACK, '{VERSION}') FROM (SELECT version + count AS next, kind FROM log
    WHERE stream = NEW.stream ORDER BY version DESC LIMIT 1)
    WHERE next <> NEW.version OR kind <> NEW.kind;
  SELECT RAISE(ROLLBACK, '{VERSION}') WHERE NEW.version <> 1 AND NEW.kind <> 0
    AND NOT EXISTS (SELECT 1 FROM log WHERE stream = NEW.stream);
END""",
    f"""CREATE TRIGGER log_unchanged BEFORE UPDATE ON log BEGIN
  SELECT RAISE(ROLLBACK, '{FOREVER}');
END""",
    f"""CREATE TRIGGER log_kept BEFORE DELETE ON log BEGIN
  SELECT RAISE(ROLLBACK, '{FOREVER}');
END""",
    f"""CREATE TRIGGER dictionary_unchanged BEFORE UPDATE ON dictionaries BEGIN
  SELECT RAISE(ROLLBACK, '{FOREVER}');
END""",
    f"""CREATE TRIGGER dictionary_kept BEFORE DELETE ON dictionaries BEGIN
  SELECT RAISE(ROLLBACK, '{FOREVER}');
END""",
    f"""CREATE VIEW events AS
  SELECT l.position - l.count + 1 + e.key AS position, lower(hex(l.stream)) AS stream,
    l.version + e.key AS version, {_KIND_WORDS} AS kind,
    CASE l.codec WHEN 0 THEN substr(e.value, 3, instr(substr(e.value, 3), '"') - 1) ELSE '{HIDDEN}' END AS type,
    e.value AS data, l.at AS recorded, l.position AS commit_position
  FROM log AS l, json_each(CASE l.codec WHEN 0 THEN l.data
    ELSE '[' || rtrim(replace(hex(zeroblob(l.count)), '00', 'null,'), ',') || ']' END) AS e""",
)

POSTGRES_GUARDS: Final = (
    f"""CREATE FUNCTION handledger_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM (SELECT position, count, lag(position) OVER (ORDER BY position) AS before
      FROM fresh) AS f WHERE f.count < 1 OR f.position - f.count <> coalesce(f.before,
        (SELECT coalesce(max(l.position), 0) FROM log AS l
          WHERE l.position < (SELECT min(position) FROM fresh)))) THEN
    RAISE EXCEPTION '{GAP}';
  END IF;
  IF EXISTS (SELECT 1 FROM fresh AS f LEFT JOIN LATERAL (SELECT l.version + l.count AS next, l.kind
      FROM log AS l WHERE l.stream = f.stream AND l.version < f.version
      ORDER BY l.version DESC LIMIT 1) AS p ON true
      WHERE CASE WHEN p.next IS NULL THEN f.version <> 1 AND f.kind <> 0
        ELSE p.next <> f.version OR p.kind <> f.kind END) THEN
    RAISE EXCEPTION '{VERSION}';
  END IF;
  RETURN NULL;
END $$""",
    """CREATE TRIGGER log_follows AFTER INSERT ON log REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION handledger_follows()""",
    f"""CREATE FUNCTION handledger_forever() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '{FOREVER}';
END $$""",
    """CREATE TRIGGER log_unchanged BEFORE UPDATE OR DELETE OR TRUNCATE ON log
  FOR EACH STATEMENT EXECUTE FUNCTION handledger_forever()""",
    """CREATE TRIGGER dictionary_unchanged BEFORE UPDATE OR DELETE OR TRUNCATE ON dictionaries
  FOR EACH STATEMENT EXECUTE FUNCTION handledger_forever()""",
    "REVOKE UPDATE, DELETE, TRUNCATE ON log, dictionaries FROM PUBLIC",
    f"""CREATE VIEW events AS
  SELECT l.position - l.count + e.place AS position, encode(l.stream, 'hex') AS stream,
    l.version + e.place - 1 AS version, {_KIND_WORDS} AS kind,
    CASE l.codec WHEN 0 THEN e.value ->> 0 ELSE '{HIDDEN}' END AS type,
    CASE l.codec WHEN 0 THEN e.value::text END AS data, l.at AS recorded,
    l.position AS commit_position
  FROM log AS l CROSS JOIN LATERAL jsonb_array_elements(CASE l.codec
    WHEN 0 THEN convert_from(l.data, 'UTF8')::jsonb
    ELSE to_jsonb(array_fill(NULL::text, ARRAY[l.count])) END) WITH ORDINALITY AS e(value, place)""",
)
