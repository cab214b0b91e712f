"""A connection to PostgreSQL that takes the statements which SQLite takes, and gives the rows that SQLite gives."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, cached_property, partial
from inspect import signature
from itertools import count
from struct import pack
from typing import Any, Final

import psycopg
from psycopg import pq
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.pq import Format
from psycopg.types.bool import BoolBinaryLoader
from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper, NumericBinaryLoader
from psycopg.types.string import StrBinaryDumper, TextBinaryLoader

from cortex.errors import BrainBusy, BrainDamaged, BrainFailed, BrainUnwritable, DiskFull, Interrupted, ServerAway
from cortex.substrate.postgres.translation import translated

Parameters = Mapping[str, object] | Sequence[object]

_ASKED: Final = "cortex_sql asks"
"""The message of a notice by which a function that Python computes asks for a value."""

_OPTIONS: Final = {
    "search_path": "public,cortex_sql,pg_catalog,pg_temp", "random_page_cost": "1.1",
    "timezone": "UTC", "client_min_messages": "notice", "jit": "off", "cortex.sources": "0",
}  # fmt: skip

_PERMITTED: Final = "connect as the owner of its tables, at a server that takes writes"

_TYPES: Final = {"int": "bigint", "float": "double precision", "bool": "boolean"}
_WITHOUT: Final = {"text": "''", "bigint": "0", "double precision": "0", "boolean": "false"}
PREPARED: Final = 500  # statements that the server keeps of a connection; there are some 300
PART: Final = 2000  # rows that are fetched at once where there are many
_BIGINT, _BIGINTS = 20, 1016  # types, by their numbers
_CODEPOINT_0: Final = "\ufffd"  # PostgreSQL stores no NUL


class Numbers(list[int]):
    """Whole numbers that many statements are given: they are spelled once, as PostgreSQL takes an array of bigint."""

    @cached_property
    def spelled(self) -> bytes:
        """The array in its binary format."""
        head = pack("!iiiii", 1, 0, _BIGINT, len(self), 1) if self else pack("!iii", 0, 0, _BIGINT)
        return head + b"".join(pack("!iq", 8, number) for number in self)


class _NumbersDumper(Dumper):
    format = Format.BINARY
    oid = _BIGINTS

    def dump(self, obj: Numbers) -> Buffer:
        return obj.spelled


class Connection:
    """One connection, in autocommit.

    Attributes:
        place: the address of the database, without a password.
        total_changes: rows that it has inserted, updated and deleted.
        scope: the sources whose rows statements are about; None is all.
    """

    def __init__(self, url: str, place: str, *, patience_s: float) -> None:
        self.place, self._patience_s = place, patience_s
        options = " ".join(f"-c {name}={value}" for name, value in _OPTIONS.items())
        try:
            self._postgres = psycopg.connect(
                url, autocommit=True, connect_timeout=10, application_name="cortex",
                options=f"{options} -c lock_timeout={patience_s * 1000:.0f}",
            )  # fmt: skip
        except psycopg.Error as error:
            raise ServerAway(place, " ".join(str(error).split())) from error
        # A statement is planned once: that takes longer than most of them run.
        self._postgres.prepare_threshold, self._postgres.prepared_max = 0, PREPARED
        _adapt(self._postgres.adapters)
        self._functions: dict[str, Callable[..., Any]] = {}
        self._calls = re.compile("(?!)")
        self._asked: set[str] = set()
        self._readings = count()
        self._postgres.add_notice_handler(partial(_hear, self._asked))  # no method, which would keep this from going
        self.total_changes = 0
        self.scope: Numbers | None = None

    def execute(self, statement: str, parameters: Parameters = ()) -> Cursor:
        """Run a statement of SQLite's dialect; one that calls functions of Python, until all they gave is known."""
        text = self._translated(statement)
        if self._functions and self._calls.search(text):
            return self._computed(text, parameters)
        return self._run(text, parameters)

    def executemany(self, statement: str, rows: Iterable[Parameters]) -> Cursor:
        """Run a statement for each of *rows*; the cursor counts what all of them changed."""
        cursor = self._postgres.cursor()
        with self._failing(), self._whole():
            cursor.executemany(self._translated(statement), [self._storable(row) for row in rows])
        self.total_changes += max(cursor.rowcount, 0)
        return Cursor(self, cursor)

    @contextmanager
    def reading(self, statement: str, parameters: Parameters = ()) -> Iterator[Cursor]:
        """The rows of a statement, fetched a part at a time: the server keeps the rest."""
        name = f"reading_{next(self._readings)}"
        with self._failing(), self._postgres.cursor(name, withhold=not self.in_transaction) as cursor:
            cursor.itersize = PART
            cursor.execute(self._translated(statement), self._storable(parameters), binary=True)
            yield Cursor(self, cursor)

    def copy(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Insert *rows* by COPY."""
        with self._failing(), self._postgres.cursor().copy(f"copy {table} ({', '.join(columns)}) from stdin") as copy:
            for row in rows:
                copy.write_row(row)

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._postgres.info.transaction_status != pq.TransactionStatus.IDLE

    def script(self, text: str) -> None:
        """Run statements of PostgreSQL's own."""
        with self._failing():
            self._postgres.execute(text, prepare=False)

    @property
    def lost(self) -> bool:
        """Whether it is no more, as far as was heard of the server; it is not asked."""
        with suppress(psycopg.OperationalError):
            for _ in range(2):  # the server's last words, then that it has gone
                self._postgres.pgconn.consume_input()
        return self._postgres.closed

    def hear(self, channel: str, seconds: float) -> bool:
        """Whether something is notified at *channel* within so many *seconds*."""
        with self._failing():
            self._postgres.execute(f"listen {channel}".encode())
            return any(True for _ in self._postgres.notifies(timeout=seconds, stop_after=1))

    def undo(self, savepoint: str = "") -> None:
        """Roll back, to *savepoint* where it is given.

        Were psycopg told of it, it would have the server forget every statement that it has planned.
        """
        statement = f"rollback to savepoint {savepoint}" if savepoint else "rollback"
        with self._failing():
            done = self._postgres.pgconn.exec_(statement.encode())
        if done.status != pq.ExecStatus.COMMAND_OK:
            raise ServerAway(self.place, " ".join(done.get_error_message().split()))

    def cancel(self) -> None:
        """Stop what runs now; for another thread to call."""
        with suppress(psycopg.Error):  # a server that is away runs nothing, and whoever asked it is told
            self._postgres.cancel_safe()

    def close(self) -> None:
        """End it."""
        self._postgres.close()

    def define(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        """Let statements call these functions, which give the same for the same.

        One of PostgreSQL's looks their values up, and asks for those that it has not by a notice: what asked is rolled
        back, Python computes them, and it runs again. That lets statements that SQLite runs in one piece stay in one.
        """
        new = {name: function for name, function in functions.items() if name not in self._functions}
        if new and not self._functions:
            self._run("create temp table computed (function text, key text, value text, primary key (function, key))")
        for name, function in new.items():
            self._run(_asking(name, function))
        self._functions |= new
        self._calls = re.compile(rf"\b({'|'.join(self._functions)})\(")

    def _run(self, text: str, parameters: Parameters = ()) -> Cursor:
        cursor = self._postgres.cursor(binary=True)
        with self._failing():
            cursor.execute(text, self._storable(parameters))
        if cursor.statusmessage and cursor.statusmessage.startswith(("INSERT", "UPDATE", "DELETE")):
            self.total_changes += cursor.rowcount
        return Cursor(self, cursor)

    def _translated(self, statement: str) -> str:
        return translated(statement, has_scope=self.scope is not None)

    def _storable(self, parameters: Parameters) -> dict[str, object]:
        if not isinstance(parameters, Mapping):
            return {str(place): _without_nul(value) for place, value in enumerate(parameters)} | {
                "in_scope": self.scope
            }
        stored = {name: _without_nul(value) for name, value in parameters.items()}
        return (
            stored | {f"{name}__null": value is None for name, value in parameters.items()} | {"in_scope": self.scope}
        )

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Turn what the server says into errors a person can act on."""
        try:
            yield
        except psycopg.errors.QueryCanceled as error:
            raise Interrupted(self.place) from error
        except (
            psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure
        ) as error:  # fmt: skip
            raise BrainBusy(self.place, waited_s=self._patience_s) from error
        except psycopg.errors.DiskFull as error:
            raise DiskFull(self.place, str(error).strip()) from error
        except (psycopg.errors.ReadOnlySqlTransaction, psycopg.errors.InsufficientPrivilege) as error:
            raise BrainUnwritable(self.place, _sentence(error), hint=_PERMITTED) from error
        except psycopg.OperationalError as error:
            raise ServerAway(self.place, _sentence(error)) from error
        except (psycopg.errors.DataCorrupted, psycopg.errors.IndexCorrupted) as error:
            raise BrainDamaged(self.place, _sentence(error)) from error
        except psycopg.Error as error:
            raise BrainFailed(self.place, _sentence(error)) from error

    def _computed(self, text: str, parameters: Parameters) -> Cursor:
        text = self._calls.sub(r"pg_temp.\1(", text)
        with self._whole():
            while True:
                self._asked.clear()
                self._run("savepoint asking")
                try:
                    cursor = self._run(text, parameters)
                except BrainFailed:
                    if not self._asked:
                        raise
                if not self._asked:
                    self._run("release savepoint asking")
                    return cursor
                self.undo("asking")
                self._compute()

    def _compute(self) -> None:
        rows = []
        for asked in self._asked:
            name, key, *given = json.loads(asked)
            value = self._functions[name](*given)
            rows.append((name, key, None if value is None else str(value)))
        self.copy("pg_temp.computed", ("function", "key", "value"), rows)

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """A transaction, unless one is open."""
        if self.in_transaction:
            yield
            return
        self._run("begin")
        try:
            yield
            self._run("commit")
        except BaseException:
            self._run("rollback")
            raise


class Cursor:
    """What a statement gave."""

    def __init__(self, connection: Connection, cursor: psycopg.Cursor[Any]) -> None:
        self._connection, self._cursor = connection, cursor

    @property
    def rowcount(self) -> int:
        """How many rows it changed."""
        return self._cursor.rowcount

    @property
    def lastrowid(self) -> int:
        """The number of the row that was inserted last."""
        return int(self._connection.execute("select lastval()").fetchone()[0])

    @property
    def description(self) -> Sequence[Sequence[Any]]:
        """Its columns, each with its name first."""
        return self._cursor.description or ()

    def fetchone(self) -> Any:  # noqa: ANN401  a row
        """The next row; None where there is none."""
        return self._cursor.fetchone()

    def fetchall(self) -> list[Any]:
        """The rows that are left."""
        return self._cursor.fetchall()

    def fetchmany(self, size: int) -> list[Any]:
        """The next *size* rows, or what is left."""
        return self._cursor.fetchmany(size)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:  # noqa: ANN401  a row
        return next(self._cursor)


def _sentence(error: psycopg.Error) -> str:
    return " ".join((error.diag.message_primary or str(error)).split())


def _hear(asked: set[str], notice: psycopg.errors.Diagnostic) -> None:
    if notice.message_primary == _ASKED and notice.message_detail:
        asked.add(notice.message_detail)


def _asking(name: str, function: Callable[..., Any]) -> str:
    """The function of PostgreSQL that looks up what *function* gives, or asks for it."""
    given = [_type(one.annotation) for one in signature(function).parameters.values()]
    gives = _type(signature(function).return_annotation)
    values = ", ".join(f"${n}" for n in range(1, len(given) + 1))
    return f"""
        create function pg_temp.{name}({", ".join(given)}) returns {gives} language plpgsql as $$
        declare
            asked text := md5(json_build_array({values})::text);
            found_ text;
        begin
            select value into found_ from pg_temp.computed where function = '{name}' and key = asked;
            if not found then
                raise notice using message = '{_ASKED}', detail = json_build_array('{name}', asked, {values})::text;
                return {_WITHOUT[gives]};
            end if;
            return found_;
        end
        $$
    """  # noqa: S608  names of functions and types


def _type(annotation: object) -> str:
    return _TYPES.get(str(getattr(annotation, "__name__", annotation)).partition(" ")[0], "text")


def _without_nul(value: object) -> object:
    return value.replace("\0", _CODEPOINT_0) if isinstance(value, str) and "\0" in value else value


class _NumberLoader(NumericBinaryLoader):
    """Sums of whole numbers are whole."""

    def load(self, data: Buffer) -> Any:  # noqa: ANN401  as psycopg has it
        number = super().load(data)
        return int(number) if number == number.to_integral_value() else float(number)


class _TruthLoader(BoolBinaryLoader):
    """What is true is 1."""

    def load(self, data: Buffer) -> Any:  # noqa: ANN401  as psycopg has it
        return int(super().load(data))


@cache
def _loaders() -> dict[str, type[Loader]]:
    return {"numeric": _NumberLoader, "bool": _TruthLoader, "json": TextBinaryLoader}


def _adapt(adapters: psycopg.adapt.AdaptersMap) -> None:
    adapters.register_dumper(str, StrBinaryDumper)
    for dumper in (Int8Dumper, Int8BinaryDumper):  # the first within arrays, which would else be of smallint, too
        adapters.register_dumper(int, dumper)
    adapters.register_dumper(Numbers, _NumbersDumper)
    for name, loader in _loaders().items():
        adapters.register_loader(name, loader)
