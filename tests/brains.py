"""Brains for tests: records put and indexed by hand, and what a brain holds, for comparing two."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cortex.indexers.connectors import Cursor, Item
from cortex.indexers.feeds import Feed, export_feeds
from cortex.indexers.references import references
from cortex.indexers.run import IndexReport, index
from cortex.substrate.address import is_database
from cortex.substrate.authority import authority_of
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Record
from cortex.substrate.records import Incoming, begin_listing, put_records
from cortex.substrate.sources import register_source
from cortex.substrate.text_index import engine_of
from tests import postgres

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LATER = datetime(2026, 2, 1, tzinfo=UTC)
SEEDS = Path(__file__).parent.parent / "seeds"

Rows = list[tuple[Any, ...]]


@cache
def _empty() -> bytes:
    with TemporaryDirectory() as folder:
        open_brain(path := Path(folder) / "brain.db").close()
        return path.read_bytes()


WHY = (
    "Clocks drift by up to a minute on these machines, so we can't rely on `Lease.ends_at` alone. This uses the"
    " monotonic clock instead, because it is never set back while a process runs."
)
"""What makes a decision of any change: why it is done, over what."""


def open_new(path: Path | str) -> Brain:
    """The brain at *path*; where there is none it is made in a tenth of the time that the migrations take.

    Where the tests run on PostgreSQL, a database stands for the file.
    """
    path = path if isinstance(path, Path) else Path(path)
    return open_brain(postgres.database(path)) if postgres.CHOSEN and not path.is_file() else open_file(path)


def place(path: Path) -> Path:
    """Where the brain at *path* is: a new database stands for it where the tests run on PostgreSQL."""
    return postgres.database(path) if postgres.CHOSEN else path


def copied(path: Path, into: Path) -> Path:
    """Where a brain is that holds what the one at *path* does, in a file at *into* or a database that stands for it."""
    return postgres.copied(path, into) if is_database(path) else Path(shutil.copy(path, into))


def nowhere(path: Path) -> Path:
    """Where no brain is yet: *path*, or a database that holds nothing."""
    return postgres.bare(path) if postgres.CHOSEN else path


def foreign(path: Path) -> Path:
    """Where what is no brain is: words at *path*, or a database of another program."""
    if postgres.CHOSEN:
        return postgres.foreign(path)
    path.write_text("no brain", "utf-8")
    return path


def forget(path: Path) -> None:
    """Lose all that the brain at *path* holds."""
    if is_database(path):
        postgres.forget(path)
    else:
        for file in path.parent.glob(f"{path.name}*"):
            file.unlink()


def retire(path: Path) -> None:
    """Let no other test have the database, if it is one: its tables will not be as they were."""
    if is_database(path):
        postgres.retire(path)


def image(path: Path) -> bytes:
    """All that a brain holds, for comparing or searching: a file with its log, or every row; of none nothing."""
    if is_database(path):
        return postgres.image(path)
    files = (path, path.with_name(f"{path.name}-wal"))
    return b"".join(file.read_bytes() for file in files if file.is_file())


def open_file(path: Path) -> Brain:
    """As `open_new`, a file on every engine."""
    return _copied(_empty, path)


def hurry(brain: Brain) -> None:
    """Have what is written wait for no disk."""
    if not is_database(brain.path):
        brain.db.execute("pragma synchronous = off")


@cache
def _demo() -> bytes:
    with TemporaryDirectory() as folder:
        with open_file(path := Path(folder) / "brain.db") as brain:
            index_demo(brain)
        return path.read_bytes()


def open_demo(path: Path) -> Brain:
    """The brain at *path*; where there is none it holds the demo project, as `index_demo` makes it."""
    if not postgres.CHOSEN:
        return _copied(_demo, path)
    brain = open_new(path)
    if not brain.db.execute("select 1 from sources").fetchone():
        index_demo(brain)
    return brain


def _copied(made: Callable[[], bytes], path: Path) -> Brain:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_bytes(made())
    return open_brain(path)


def record(ref: str, body: str = "", **fields: Any) -> Record:  # noqa: ANN401  any field of Record
    """A record of *ref*'s type, its title the body's first line where none is given."""
    type_ = ref.partition(":")[0]
    title = fields.pop("title", body.partition("\n")[0])
    return Record(**{"source": "demo", "type": type_, "ref": ref, "title": title, "body": body or title} | fields)


def put(
    brain: Brain, *records: Record, source: str = "demo", origin: str = "github", now: datetime = NOW
) -> dict[str, int]:
    """Store *records* as an index run would, without making facts of them."""
    source_id = register_source(brain, source, location="", now=now)
    begin_listing(brain)
    return put_records(brain, [incoming(one, origin) for one in records], source_id=source_id, now=now)


def incoming(one: Record, origin: str = "github") -> Incoming:
    return Incoming(one, lambda body: references(body, own=[one.source]), authority=authority_of(one), origin=origin)


def index_records(brain: Brain, *items: Item, source: str = "demo", origin: str = "github") -> IndexReport:
    """Index *items* as all that *origin* has."""
    return index(brain, [feed_of(items, origin)], source=source, now=NOW)


def feed_of(items: Sequence[Item], origin: str = "github") -> Feed:
    def read(_: str | None) -> Iterator[Item]:
        yield from items
        yield Cursor(value="", complete=True)

    return Feed(origin, read)


def index_demo(brain: Brain, *, now: datetime = NOW) -> list[IndexReport]:
    """Index both repositories of the demo project."""
    sources = {"o8-labs/o8": "o8", "o8-labs/o8-runner": "o8-runner"}
    return [index(brain, export_feeds(SEEDS / folder, name), source=name, now=now) for name, folder in sources.items()]


def dump(brain: Brain) -> dict[str, Rows]:
    """Every row of every table, the full-text indexes' own included; postings of a block have no order."""
    of_file = "select name from pragma_table_list where schema = 'main' and type in ('table', 'shadow') order by name"
    of_database = "select tablename from pg_tables where schemaname = 'public' order by tablename"
    tables = of_database if is_database(brain.path) else of_file
    names = [name for (name,) in brain.db.execute(tables)]
    held = {name: sorted(brain.db.execute(f"select * from {name}"), key=repr) for name in names}  # noqa: S608
    if "postings" in held:
        held["postings"] = sorted(
            (*row[:-1], *sorted(row[-1][at : at + 9] for at in range(0, len(row[-1]), 9))) for row in held["postings"]
        )
    return held


FACTS = """
    select s.name, r.ref, f.handle, f.kind, f.statement, f.excerpt, f.start, f.end_, f.authority, f.confidence,
        f.base_confidence, f.fingerprint, f.path, f.valid_from, f.valid_until, f.touched_at, f.parts
    from facts f join records r on r.id = f.record_id join sources s on s.id = f.source_id order by f.handle
"""
RECORDS = """
    select s.name, r.ref, r.type, r.title, r.body, r.state, r.authority, r.origin, r.content_hash, r.gone_at is null,
        (select facts from promotions where record_id = r.id)
    from records r join sources s on s.id = r.source_id order by 1, 2
"""
PASSAGES = """
    select s.name, r.ref, p.start, p.end_, p.context, p.body, p.parts
    from passages p join records r on r.id = p.record_id join sources s on s.id = p.source_id order by 1, 2, 3
"""
QUEUE = """
    select s.name, r.ref, q.content_hash, q.path, q.state, q.produced
    from facts_queue q join records r on r.id = q.record_id join sources s on s.id = q.source_id order by 1, 2, 3
"""
LINKS = """
    select s.name, l.from_ref, l.relation, l.to_source, l.to_ref
    from links l join sources s on s.id = l.source_id order by 1, 2, 3, 4, 5
"""
TERMS = "select index_name, term, documents from term_frequencies where term <> ' ' order by 1, 2"
POSTINGS = "select index_name, term, sum(octet_length(data)) / 9 from postings group by 1, 2 order by 1, 2"


def content(brain: Brain) -> dict[str, Rows]:
    """What a brain knows, without the ids and the times that depend on how it came to know it."""
    asked = {
        "facts": FACTS, "records": RECORDS, "passages": PASSAGES, "queue": QUEUE, "links": LINKS,
        "terms": POSTINGS if is_database(brain.path) else TERMS,
    }  # fmt: skip
    return {name: brain.db.execute(statement).fetchall() for name, statement in asked.items()}


def statements(brain: Brain, *, ref: str = "") -> list[str]:
    """The statements of the facts, or of those of one record, in their order."""
    asked = """
        select f.statement from facts f join records r on r.id = f.record_id
        where :ref in ('', r.ref) order by r.ref, f.start, f.statement
    """
    return [statement for (statement,) in brain.db.execute(asked, {"ref": ref})]


def trace(brain: Brain, heed: Callable[[str], object] | None) -> None:
    """Let *heed* see each statement that *brain* is about to run; None ends that."""
    if not is_database(brain.path):
        brain.db.set_trace_callback(heed)
        return
    db: Any = brain.db
    vars(db).pop("execute", None)
    if heed:
        run = db.execute
        db.execute = lambda statement, parameters=(): (heed(statement), run(statement, parameters))[1]


@contextmanager
def refusing(brain: Brain, table: str) -> Iterator[type[Exception]]:
    """No row can be put into *table* inside, because of a power cut; with the error that tells it."""
    if is_database(brain.path):
        with postgres.refusing(brain, table) as error:
            yield error
        return
    brain.db.execute(
        f"create temp trigger fail before insert on main.{table} begin select raise(abort, 'power cut'); end"
    )
    yield sqlite3.IntegrityError
    brain.db.execute("drop trigger fail")


def indexes_agree(brain: Brain) -> bool:
    """Whether the full-text indexes hold exactly what their tables do."""
    return all(engine_of(brain.db).examined(brain.db, read_only=brain.read_only))
