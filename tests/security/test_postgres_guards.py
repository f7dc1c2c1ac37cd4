"""Whatever somebody changes around the tables of a ledger in PostgreSQL is found, or the verdict names it."""

from __future__ import annotations

import re
from urllib.parse import quote

import psycopg
import pytest

import ledger
from ledger.errors import IntegrityError, LedgerBusyError, StoreError
from ledger.house.events import StaffRegistered
from ledger.store.database.tables import LATER_TABLES
from ledger.store.people.vault import Vault
from ledger.store.requests.erasure import list_blind_spots
from ledger.streams import HOUSE
from tests.ledger.store.conftest import empty_schema, postgres_server

__all__ = ["postgres_server"]

pytestmark = pytest.mark.postgres

DETECTED_CHANGES = [
    "CREATE OR REPLACE FUNCTION handledger_forever() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
    "CREATE OR REPLACE FUNCTION handledger_follows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
    "ALTER FUNCTION handledger_forever() SET search_path = public",
    "ALTER FUNCTION handledger_follows() SECURITY DEFINER",
    "ALTER FUNCTION handledger_follows() OWNER TO thief",
    "ALTER TABLE log DISABLE TRIGGER log_unchanged",
    "ALTER TABLE log DISABLE TRIGGER ALL",
    "ALTER TABLE log ENABLE REPLICA TRIGGER log_follows",
    "ALTER TABLE log ENABLE ALWAYS TRIGGER log_follows",
    "ALTER TABLE blocks DISABLE TRIGGER ALL",
    "DROP TRIGGER log_follows ON log",
    "DROP TRIGGER log_unchanged ON log; CREATE TRIGGER log_unchanged BEFORE UPDATE ON log FOR EACH STATEMENT EXECUTE FUNCTION handledger_forever()",
    "DROP TRIGGER log_unchanged ON log; CREATE TRIGGER log_unchanged BEFORE UPDATE OR DELETE OR TRUNCATE ON log FOR EACH STATEMENT WHEN (false) EXECUTE FUNCTION handledger_forever()",
    "DROP TRIGGER log_unchanged ON log; CREATE OR REPLACE FUNCTION public.handledger_forever() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; CREATE TRIGGER log_unchanged BEFORE UPDATE OR DELETE OR TRUNCATE ON log FOR EACH STATEMENT EXECUTE FUNCTION public.handledger_forever()",
    "CREATE FUNCTION spy() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; CREATE TRIGGER spy BEFORE INSERT ON names FOR EACH ROW EXECUTE FUNCTION spy()",
    "CREATE RULE lie AS ON INSERT TO openings DO INSTEAD NOTHING",
    "CREATE RULE lie AS ON UPDATE TO erased DO ALSO DELETE FROM names",
    "CREATE OR REPLACE VIEW events AS SELECT position, ''::text AS stream, version AS version, 'hand'::text AS kind, 'x'::text AS type, ''::text AS data, at AS recorded, position AS commit_position FROM log WHERE false",
    "DO $$ BEGIN EXECUTE 'CREATE OR REPLACE VIEW events AS ' || rtrim(pg_get_viewdef('events'::regclass), ';') || ' WHERE l.\"position\" <> 3'; END $$",
    "ALTER VIEW events SET (security_barrier = true)",
    "ALTER VIEW events RENAME COLUMN stream TO other",
    "DROP VIEW events",
    "DROP VIEW events; CREATE TABLE events (position bigint)",
    "CREATE OR REPLACE FUNCTION public.told(bytea) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'x'::text $$; CREATE OR REPLACE VIEW events AS SELECT position::bigint AS position, public.told(stream) AS stream, version AS version, 'x'::text AS kind, 'x'::text AS type, 'x'::text AS data, at AS recorded, position AS commit_position FROM log",
    "ALTER VIEW events OWNER TO thief",
    "ALTER TABLE log OWNER TO thief",
    "ALTER TABLE dictionaries OWNER TO thief",
    "GRANT UPDATE ON log TO thief",
    "GRANT DELETE ON dictionaries TO thief",
    "GRANT UPDATE (data) ON log TO thief",
    "GRANT TRUNCATE ON names TO thief",
    "GRANT TRIGGER ON openings TO thief",
    "GRANT SELECT ON names TO PUBLIC",
    "GRANT INSERT ON log TO PUBLIC",
    "ALTER TABLE log ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE log FORCE ROW LEVEL SECURITY",
    "CREATE POLICY few ON erased USING (false)",
    "CREATE TABLE more () INHERITS (log)",
    "CREATE TABLE parent (one integer, position bigint, hash bytea); ALTER TABLE head INHERIT parent",
    "ALTER TABLE log SET UNLOGGED",
    "ALTER TABLE log DROP CONSTRAINT log_place",
    "ALTER TABLE hands DROP CONSTRAINT hands_identity; ALTER TABLE hands ADD CONSTRAINT hands_identity UNIQUE (place, number, account, started)",
    "ALTER TABLE names DROP CONSTRAINT names_pkey",
    "ALTER TABLE blocks DROP CONSTRAINT blocks_source_fkey",
    "ALTER TABLE names ADD CONSTRAINT few CHECK (length(name) < 5)",
    "ALTER TABLE sources ADD CONSTRAINT once UNIQUE (name)",
    "ALTER TABLE log ADD COLUMN more text",
    "ALTER TABLE names ALTER COLUMN name SET DEFAULT 'x'",
    "ALTER TABLE names ALTER COLUMN name DROP NOT NULL",
    "ALTER TABLE names ALTER COLUMN name TYPE varchar(40)",
    'ALTER TABLE names ALTER COLUMN name TYPE text COLLATE "default"',
    "DROP INDEX log_key",
    "DROP INDEX log_key; CREATE INDEX log_key ON log (key) WHERE key IS NOT NULL",
    "DROP INDEX log_key; CREATE UNIQUE INDEX log_key ON log (key) WHERE key = 'x'",
    "CREATE FUNCTION deed(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1'; CREATE INDEX doing ON names (deed(name))",
    "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'log_pkey'::regclass",
    "CREATE UNIQUE INDEX blocking ON names (name)",
    "DROP TABLE snapshots",
    "ALTER TABLE names RENAME TO names_; CREATE VIEW names AS SELECT * FROM names_",
    "DELETE FROM head",
    "INSERT INTO head VALUES (2, 9, '')",
    "UPDATE head SET one = 2",
]

NAMED_CHANGES = {
    "CREATE TABLE theirs (x integer)": "tables that are not handledger's: theirs",
    "CREATE VIEW theirs AS SELECT 1": "tables that are not handledger's: theirs",
    "CREATE MATERIALIZED VIEW theirs AS SELECT 1": "tables that are not handledger's: theirs",
    "CREATE SEQUENCE theirs": "tables that are not handledger's: theirs",
    "CREATE INDEX quicker ON names (name)": "indexes that are not handledger's: quicker",
    "CREATE FUNCTION lag(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'": "not handledger's, and casts that PostgreSQL does not have: lag",
    "CREATE DOMAIN number AS bigint": "casts that PostgreSQL does not have: number",
    "GRANT INSERT ON log TO thief": "thief (INSERT log)",
    "GRANT UPDATE (card) ON openings TO thief": "thief (UPDATE openings)",
    "GRANT SELECT, DELETE ON names TO thief": "thief (DELETE names, SELECT)",
    "ALTER TABLE stamps OWNER TO thief": "and on again; owner: keeper, thief",
    "GRANT CREATE ON SCHEMA {schema} TO thief": "still to be made: thief",
    "GRANT CREATE ON SCHEMA {schema} TO PUBLIC": "still to be made: everybody",
    "ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT ALL ON TABLES TO thief": "still to be made: thief",
}

EVERYWHERE = {
    "CREATE FUNCTION public.watch() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'; CREATE EVENT TRIGGER watch ON ddl_command_start EXECUTE FUNCTION public.watch()": (
        "event triggers): watch",
        "DROP EVENT TRIGGER watch; DROP FUNCTION public.watch",
    ),
    "ALTER DATABASE postgres SET search_path = evil": (
        "change: search_path",
        "ALTER DATABASE postgres RESET search_path",
    ),
    "ALTER ROLE keeper SET session_replication_role = replica": (
        None,
        "ALTER ROLE keeper RESET session_replication_role",
    ),
    "CREATE FUNCTION pg_catalog.lag(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'": (
        None,
        "DROP FUNCTION pg_catalog.lag(bigint)",
    ),
    "CREATE CAST (bigint AS bytea) WITH INOUT": ("cast bigint", "DROP CAST (bigint AS bytea)"),
}


@pytest.fixture(scope="session")
def thieving(postgres_server: str) -> str:
    """The server, with another role; a ledger as it is made there is sound."""
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("CREATE ROLE thief")
    with ledger.open(make_ledger(postgres_server)) as book:
        assert book.verify() == []
    return postgres_server


def schema_of(url: str) -> str:
    return url.rpartition("search_path%3D")[2]


def do(url: str, sql: str) -> None:
    """As the superuser, who may change catalogs too."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET allow_system_table_mods = on")
        connection.execute(sql.replace("{schema}", schema_of(url)).encode())


def make_ledger(server: str) -> str:
    url = empty_schema(server)
    with ledger.open(url) as book, book.database.core(write=True) as core:
        LATER_TABLES.create_all(core)
    return url


def verdict(url: str) -> tuple[list[str], list[str]]:
    try:
        with ledger.open(url, read_only=True) as book:
            return [p.reason for p in book.verify()], list_blind_spots(book)
    except IntegrityError as damage:  # opening names it, and nothing more is read
        return [damage.message], []


@pytest.mark.parametrize("deed", DETECTED_CHANGES)
def test_what_guards_the_log_is_compared_word_by_word(thieving: str, deed: str) -> None:
    url = make_ledger(thieving)
    do(url, deed)
    problems, _ = verdict(url)
    assert problems


@pytest.mark.parametrize("deed", NAMED_CHANGES)
def test_what_lies_around_the_tables_is_named(thieving: str, deed: str) -> None:
    url = make_ledger(thieving)
    do(url, deed)
    problems, blind_spots = verdict(url)
    assert problems == [], "it is no proof of a wrong"
    assert any(NAMED_CHANGES[deed] in blind_spot for blind_spot in blind_spots), blind_spots


@pytest.mark.parametrize("deed", EVERYWHERE)
def test_what_is_changed_for_the_whole_database_is_told(thieving: str, deed: str) -> None:
    words, undo = EVERYWHERE[deed]
    url = make_ledger(thieving)
    do(url, deed)
    try:
        problems, blind_spots = verdict(url)
    finally:
        do(url, undo)
    assert problems if words is None else any(words in blind_spot for blind_spot in blind_spots)


@pytest.mark.parametrize("deed", DETECTED_CHANGES[:24:2])
def test_nothing_is_written_where_the_guards_were_changed(thieving: str, deed: str) -> None:
    url = make_ledger(thieving)
    do(url, deed)
    problems, _ = verdict(url)
    assert problems
    with pytest.raises(IntegrityError, match="guards the log was changed"):
        ledger.open(url)


def test_a_role_that_may_not_read_a_table_gets_no_verdict(thieving: str) -> None:
    url = make_ledger(thieving)
    schema = schema_of(url)
    do(
        url,
        f"""
        DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'reader') THEN
          CREATE ROLE reader LOGIN PASSWORD 'x'; END IF; END $$;
        GRANT USAGE ON SCHEMA {schema} TO reader;
        GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO reader; REVOKE SELECT ON names FROM reader
    """,
    )
    reader_url = re.sub(r"//keeper:[^@]*@", "//reader:x@", url)
    with ledger.open(reader_url, read_only=True) as book, pytest.raises(StoreError, match="may not do this"):
        book.verify()
    do(url, "GRANT SELECT ON names TO reader")
    problems, blind_spots = verdict(reader_url)
    assert problems == []
    assert any("reader (SELECT)" in blind_spot for blind_spot in blind_spots)


def test_a_table_that_somebody_locks_is_no_broken_ledger(thieving: str) -> None:
    url = make_ledger(thieving)
    with psycopg.connect(url) as connection, ledger.open(url, read_only=True, timeout=0.2) as book:
        connection.execute("LOCK TABLE names IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(LedgerBusyError):
            book.verify()
        connection.rollback()
        assert book.verify() == []


def test_no_table_and_no_function_of_another_schema_answers_for_the_ledger(thieving: str) -> None:
    schema = schema_of(make_ledger(thieving))
    do(
        thieving,
        f"""
        CREATE SCHEMA e{schema}; CREATE TABLE e{schema}.names (LIKE {schema}.names);
        CREATE FUNCTION e{schema}.lag(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';
        CREATE FUNCTION e{schema}.max(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'
    """,
    )
    text = f"{thieving}?options={quote(f'-csearch_path={schema},e{schema},pg_catalog', safe='')}"
    with ledger.open(text) as book:
        ann = book.people.player("V", "Ann")
        book.append("house", HOUSE, [StaffRegistered(ann, "dealer")])
        assert book.head()[0] == 2
        assert book.verify() == []
        assert book.people.name(ann) == "Ann"
        with book.database.core(write=True) as core:
            core.exec_driver_sql("CREATE TEMP TABLE names (id text, venue text, name text)")
            core.exec_driver_sql(f"INSERT INTO pg_temp.names VALUES ('{ann}', 'V', 'Bob')")
            people = Vault(book.database, book.people.ids)
            assert core.exec_driver_sql("SELECT name FROM names").scalar_one() == "Ann"
            assert people.name(ann) == "Ann"
