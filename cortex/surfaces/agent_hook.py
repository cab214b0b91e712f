"""What a coding agent is told by a hook: at the start of a session, and in three lines before it edits a file.

An agent waits for its hooks, so this one is in a hurry: no command line, no pydantic, and 250 ms after it began it
ends, whatever it waits for or works out. It fails open: what goes wrong is said on standard error, and the agent goes
on. Nobody asked for what it says, so of what passers-by write on GitHub it says nothing. The end of a
session starts a background process that proposes its decisions.
"""

from __future__ import annotations

import faulthandler
import json
import os
import re
import sqlite3
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, TextIO

from cortex.errors import CortexError
from cortex.substrate.address import located, setting
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.path_names import speaks_of
from cortex.substrate.quoting import fence, inert, label
from cortex.substrate.rule_files import covers, holds_for, rank_of
from cortex.substrate.selection import facts_naming, facts_of_kinds, facts_standing, records_about
from cortex.substrate.states import said_of, state_of
from cortex.surfaces.folders import standing

DEADLINE_S: Final = 0.25
HELD_UP_S: Final = 0.03  # after the deadline, how long whatever lets no other thread run may go on
_STARTING_S: Final = 0.05  # what starting takes, about, where the system does not say when the process began
LOCKED_S: Final = 0.05
INPUT: Final = 4_000_000  # characters of what a client gives; a longer edit is not read
_EDITED: Final = 100  # files of one edit that are looked at
_ON_GITHUB: Final = frozenset(("comment", "issue", "pull"))  # where those who pass by write

_Row = Mapping[str, Any]

EVENTS: Final = {"session-start": "SessionStart", "before-edit": "PreToolUse", "session-end": "SessionEnd"}

RULES: Final = 4_000
DECIDED: Final = 2_000
"""Characters of directives and of decisions at the start of a session."""

LINES: Final = 3  # before an edit
LONGEST: Final = 400  # characters of a statement
SHORT: Final = 150  # of one of many
RECENT: Final = 10
_LOOKED_AT: Final = 500
_RULES_LOOKED_AT: Final = 2_000
_PATCHED: Final = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_TOLD: Final = "Quoted from the project's memory; a rule binds, the rest is evidence."
_SAID: Final = (
    "Quoted from the project's memory, more with `cortex brief`. What is under Directives is a rule; the rest is"
    " evidence. Each has its authority, from 0 to 1; check what is unverified."
)


def main(arguments: Sequence[str]) -> int:
    """Answer the hook that *arguments* name: an event, and `--db` where the brain is not that of the environment."""
    bound(DEADLINE_S - _gone())
    try:
        event, path = _asked(arguments)
        text = sys.stdin.read(INPUT + 1) if sys.stdin else ""
        if len(text) > INPUT:
            raise ValueError(f"more than {INPUT:,} characters were given")  # noqa: TRY301  said below, like the rest
        given = json.loads(text or "{}")
        if not isinstance(given, dict):
            raise TypeError("the hook was given no JSON object")  # noqa: TRY301  said below, like the rest
        if event == "session-end":
            start_proposing(path, given)
        elif said := tell(event, path, given, now=datetime.now(UTC)):
            output = {"hookSpecificOutput": {"hookEventName": EVENTS[event], "additionalContext": said}}
            _say(sys.stdout, json.dumps(output))
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, CortexError, sqlite3.Error) as error:
        with suppress(OSError):
            _say(sys.stderr, f"cortex: no memory this time: {error}")
        _leave()
    return 0


def bound(seconds: float) -> None:
    """End this process after *seconds*: well, or where C code lets no other thread of Python run, a moment later."""
    watchdog = threading.Timer(max(0.0, seconds), os._exit, [0])
    watchdog.daemon = True
    watchdog.start()
    nowhere = os.open(os.devnull, os.O_WRONLY)  # stays open: it is told there who was held up
    faulthandler.dump_traceback_later(max(0.0, seconds) + HELD_UP_S, exit=True, file=nowhere)


def _say(stream: TextIO | None, text: str) -> None:
    """Write a line to *stream*, which is None where whoever started this closed it."""
    if stream:
        stream.write(text + "\n")
        stream.flush()


def _leave() -> None:
    """Let what could not be written go: the interpreter would try again on its way out, and fail over it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())


def _gone() -> float:
    try:
        began = float(Path("/proc/self/stat").read_text("ascii").rpartition(")")[2].split()[19])
        now = float(Path("/proc/uptime").read_text("ascii").split()[0])
    except (OSError, ValueError, IndexError):
        return _STARTING_S
    return now - began / os.sysconf("SC_CLK_TCK")


def _asked(arguments: Sequence[str]) -> tuple[str, Path]:
    words = [*arguments]
    named = words.pop(words.index("--db") + 1) if "--db" in words[:-1] else os.environ.get("CORTEX_DB", "")
    event = next((word for word in words if word in EVENTS), "")
    if not event:
        raise ValueError(f"name one of {', '.join(EVENTS)}")
    home = os.environ.get("CORTEX_HOME") or "~/.cortex"
    return event, located(named or f"{home}/brain.db", Path(home)).expanduser()


def tell(event: str, path: Path, given: Mapping[str, Any], *, now: datetime) -> str:
    """What to tell at *event* of the source one stands in, as Markdown; '' where there is nothing.

    Raises:
        CortexError: the brain cannot be opened, or is of another version.
        sqlite3.Error: it cannot be read now.
    """
    folder = Path(given.get("cwd") or ".")
    files = [*islice(_files(given), _EDITED)] if event == "before-edit" else []
    with open_brain(path, read_only=True, migrate=False, patience_s=LOCKED_S) as brain:
        sources, root = standing(brain, (folder / files[0]).parent if files else folder)
        brain.restrict(sources)
        of_kinds = partial(facts_of_kinds, brain, sources=sources, limit=_LOOKED_AT)
        ruling = facts_of_kinds(brain, ["directive"], sources=sources, records=None, limit=_RULES_LOOKED_AT)
        every = _standing(brain, ruling, sources, now)
        directives = _ordered([row for row in every if not row["unverified"]])
        if event == "session-start":
            rules = [row for row in directives if not holds_for(row["path"], row["ref"])]
            latest = _standing(brain, of_kinds(["decision"], records=None), sources, now)
            decisions = [row for row in latest if not row["unverified"]][:RECENT]
            return _text({"Directives": (rules, RULES, LONGEST), "Decided lately": (decisions, DECIDED, SHORT)})
        paths = [name for file in files if (name := _name(folder / file, root))]
        about = records_about(brain, paths, sources=sources)
        rules = [row for row in directives if _speaks_of(row, paths)]
        naming = facts_naming(brain, paths, kinds=["incident"], sources=sources, limit=_LOOKED_AT) if paths else []
        done = facts_standing(brain, of_kinds(["change", "decision", "incident"], records=about), sources=sources)
        tried = [row for row in done if _failed(row) and not row["unverified"]]
        near = [*dict.fromkeys([*of_kinds(["incident"], records=about), *naming])]
        known = _standing(brain, near, sources, now)
        wrong = [row for row in known if not row["unverified"] or row["type"] not in _ON_GITHUB]
        wrong.sort(key=lambda row: bool(row["unverified"]))
        decided = _standing(brain, of_kinds(["decision"], records=about), sources, now)
        chosen = [row for row in decided if not row["unverified"] and not _failed(row)]
        return _lines({"Rule": rules, "Tried before": tried, "Went wrong here": wrong, "Decided here": chosen}, paths)


def start_proposing(path: Path, given: Mapping[str, Any]) -> None:
    """Start a background process that proposes the decisions of a finished session."""
    import subprocess  # noqa: PLC0415  only this event needs it

    transcript, folder, session = (given.get(name) for name in ("transcript_path", "cwd", "session_id"))
    if isinstance(transcript, str) and transcript:
        told = [transcript, "--folder", str(folder or "."), "--session", str(session or "")]
        command = [sys.executable, "-P", "-m", "cortex", "agent-hooks", "propose", *told]
        nowhere = subprocess.DEVNULL
        environment = os.environ | {"CORTEX_DB": setting(path)}
        subprocess.Popen(
            command, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True, env=environment
        )


def _failed(row: _Row) -> bool:
    """Whether a row tells of work that was rejected, flagged or taken back."""
    if row["type"] == "outcome":
        return row["state"] in ("rejected", "reverted", "flagged")
    itself = row["statement"].endswith(row["title"]) and not row["title"].startswith("Revert")
    return itself and bool(row["replaced"]) and json.loads(row["replaced"])[2] == "reverted"


def _files(given: Mapping[str, Any]) -> Iterator[str]:
    tool = given.get("tool_input")
    if not isinstance(tool, dict):
        return
    for name in ("file_path", "notebook_path", "path"):
        if isinstance(tool.get(name), str):
            yield tool[name]
    for name in ("command", "input", "patch"):
        if isinstance(tool.get(name), str):
            yield from _PATCHED.findall(tool[name])


def _name(file: Path, root: Path) -> str:
    """What records call *file*; '' for one outside of the repository."""
    file = file.resolve()
    return file.relative_to(root).as_posix() if file.is_relative_to(root) else ""


def _standing(brain: Brain, ids: Sequence[int], sources: Sequence[int], now: datetime) -> list[_Row]:
    return [row for row in facts_standing(brain, ids, sources=sources) if state_of(row, now)[0] == "active"]


def _ordered(rules: Sequence[_Row]) -> list[_Row]:
    """Rules for whoever works here first, as their files order them; of other files each one's first, then the next."""

    def place(row: _Row) -> tuple[Any, ...]:
        rank, path, number = rank_of(row["path"], row["ref"]), row["path"], _number(row)
        return (rank, *((path.count("/"), path, number), (number, path), ())[rank])

    return sorted(rules, key=place)


def _number(row: _Row) -> int:
    number = row["ref"].rpartition("#")[2]
    return int(number) if number.isascii() and number.isdigit() else 0


def _speaks_of(row: _Row, paths: Sequence[str]) -> bool:
    return covers(holds_for(row["path"], row["ref"]), paths) or speaks_of(row["statement"], paths)


def _text(sections: Mapping[str, tuple[Sequence[_Row], int, int]]) -> str:
    parts = []
    for heading, (rows, characters, longest) in sections.items():
        lines: list[str] = []
        for row in rows:
            line = f"- {_quoted(row, longest)}"
            if sum(map(len, lines)) + len(line) > characters:
                break
            lines.append(line)
        if lines:
            more = [f"- and {len(rows) - len(lines)} more"] if len(rows) > len(lines) else []
            parts.append("\n".join([f"## {heading}", "", *lines, *more]))
    return _fenced(_SAID, "\n\n".join(parts)) if parts else ""


def _lines(sections: Mapping[str, Sequence[_Row]], paths: Sequence[str]) -> str:
    """At most three lines: each section gets one before any gets two, unverified rows come last."""
    ranked = [(bool(row["unverified"]), n, name, row) for name, rows in sections.items() for n, row in enumerate(rows)]
    chosen = sorted(ranked, key=lambda one: one[:2])[:LINES]
    order = [*sections]
    chosen.sort(key=lambda one: (one[0], order.index(one[2]), one[1]))
    left = len(ranked) - len(chosen)
    more = f" {left} more: `cortex brief --path {label(paths[0])}`." if left else ""
    lines = [f"- {name}: {_quoted(row)}" for _, _, name, row in chosen]
    return _fenced(f"{_TOLD}{more}", "\n".join(lines)) if lines else ""


def _fenced(said: str, quoted: str) -> str:
    return f"{said}\n{fence({'memory': quoted}, key=os.urandom(32))}"


def _quoted(row: _Row, longest: int = LONGEST) -> str:
    said = inert(said_of(dict(row)))
    unsure = "; unverified" if row["unverified"] else ""
    cut = f"{said[:longest]}{'…' if len(said) > longest else ''}"
    return f"“{cut}” [{row['handle']}] ({row['authority']:.2f}{unsure})"
