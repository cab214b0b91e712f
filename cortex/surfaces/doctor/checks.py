"""What may be wrong: with the brain's file, its rows, its indexes and how late it is, and with what is around it."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from shlex import join, quote
from typing import Any, Final, Literal

from pydantic import Field

from cortex.compactor.schedule import last_compaction, overdue
from cortex.errors import BadInput, NotABrain, RepositoryElsewhere, UsageError
from cortex.indexers.connectors.git_command import asked
from cortex.indexers.promotion import pending_promotion
from cortex.llm.encoder import find_encoder
from cortex.llm.setup import SIZES, standings
from cortex.substrate import address
from cortex.substrate.address import is_database
from cortex.substrate.model import Value
from cortex.substrate.queue import Job, jobs
from cortex.substrate.search import counted
from cortex.substrate.sources import kept_cursor
from cortex.substrate.status import unfinished_runs
from cortex.substrate.tasks import tasks
from cortex.substrate.vectors import count_passages, unencoded
from cortex.substrate.verify import FULL_TEXT
from cortex.surfaces import agent_hook, clients, hooking, scheduling
from cortex.surfaces.doctor.examined import Examined, Trouble, Unchecked
from cortex.surfaces.models import setup_of
from cortex.surfaces.render import amount, day
from cortex.surfaces.starting import adding, is_own, located, serves
from cortex.surfaces.working import alive

LEFT: Final = 0.1  # share of the passages that may wait for the next index run: what agents recorded since the last one
PATIENCE: Final = timedelta(hours=1)  # for how long a job may wait before somebody should ask why


def usable(found: Examined) -> Iterator[Trouble]:
    """The brain is there, is one of this version, and every page of it can be read."""
    if found.unusable:
        yield found.unusable


def private(found: Examined) -> Iterator[Trouble]:
    """The brain's file is its owner's to read and to write, and nobody else's."""
    path = found.call.path.absolute()
    if found.brain and not found.brain.is_secured:
        raise Unchecked("the database does not secure its rows by source: its user could not make a role for readers")
    if sys.platform == "win32" or is_database(path) or not path.is_file():
        return
    mode = path.stat().st_mode
    if mode & 0o077:
        who = "everybody on this machine" if mode & 0o007 else "whoever is in its group"
        yield Trouble(f"{who} may open {path}", f"chmod go-rwx {quote(str(path))}")
    if not mode & 0o200 or not os.access(path, os.W_OK):
        yield Trouble(f"{path} may not be written to", f"chmod u+rw {quote(str(path))}")


def finished(found: Examined) -> Iterator[Trouble]:
    """Every index run came to its end."""
    began = unfinished_runs(found.opened)
    for source in found.sources:
        if source.id in began and (command := found.index(source)):
            began_at = f"{began[source.id]:%Y-%m-%d at %H:%M} UTC"
            said = f"indexing {source.name} began on {began_at} and has not ended: it was stopped,"
            yield Trouble(f"{said} unless it still goes on", command)


def distilled(found: Examined) -> Iterator[Trouble]:
    """No task or job of the queue is dead, or waits though nothing keeps it, and every record has its facts."""
    brain = found.opened
    if lost := tasks(brain, states=("dead",)):
        said = f"{amount(len(lost), 'task')} of workers died, the first to {lost[0].key}: {lost[0].error}"
        mend = f"{found.cortex('queue', 'resume', str(lost[0].id))} && {found.cortex('worker', '--drain')}"
        yield Trouble(f"{said}; if it dies again: cortex queue cancel {lost[0].id}", mend)
    unfinished = jobs(brain)
    dead = [job for job in unfinished if job.state == "dead"]
    if dead:
        said = f"{amount(len(dead), 'job')} of the queue died, the first on {dead[0].ref}: {dead[0].error}"
        mend = f"{found.cortex('queue', 'retry')} && {found.cortex('queue', 'work')}"
        yield Trouble(f"{said}; if they die again: cortex queue drop --dead", mend)
    elif stuck := [job for job in unfinished if _is_stuck(job, found.call.now)]:
        said = f"{amount(len(stuck), 'job')} of the queue {'waits' if len(stuck) == 1 else 'wait'} for nobody"
        yield Trouble(f"{said}, the first since {day(stuck[0].enqueued_at)}", found.cortex("queue", "work"))
    elif not unfinished:
        for source in found.sources:
            if pending_promotion(brain, source_id=source.id):
                yield Trouble(f"records of {source.name} wait for their facts", found.cortex("queue", "work"))


def _is_stuck(job: Job, now: datetime) -> bool:
    if job.state == "leased":
        late = job.lease_until is not None and job.lease_until < now
        return late or not alive(job.lease_owner or "")
    return (job.not_before or job.enqueued_at) + PATIENCE < now


def fresh(found: Examined) -> Iterator[Trouble]:
    """What was read of each repository is what is checked out there now."""
    brain = found.opened
    for source in found.sources:
        value, _ = kept_cursor(brain, source.id, "git")
        if value is None or source.folder is None:
            continue
        try:
            head = asked(source.folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        except BadInput as error:
            yield Trouble(str(error), f"git config --global --add safe.directory {quote(source.location)}")
            continue
        except RepositoryElsewhere as error:
            yield Trouble(str(error), "")
            continue
        read = value.partition(" ")[0]
        if head and head != read:
            ahead = asked(source.folder, "rev-list", "--count", f"{read}..{head}")
            how = f"{amount(int(ahead), 'commit')} ahead of" if ahead and ahead != "0" else "elsewhere than"
            yield Trouble(f"{source.name} is {how} what was read of it", found.index(source))


def encoded(found: Examined) -> Iterator[Trouble]:
    """Passages have vectors, by which those that say the same in other words are found."""
    encoder = find_encoder(found.call.settings.cache_folder)
    if encoder is None:
        install = "pip install 'cortex-project-memory[semantic]'"
        raise Unchecked(f"passages that say the same in other words are found once the extra semantic is in: {install}")
    brain = found.opened
    without, every = unencoded(brain, encoder=encoder.name), count_passages(brain)
    if len(without) > LEFT * every:
        said = f"{amount(len(without), 'passage')} of {every:,} have no vector yet"
        yield Trouble(said, next((command for one in found.sources if (command := found.index(one))), ""))


def verbatim(found: Examined) -> Iterator[Trouble]:
    """Every excerpt is what its record says, and every handle follows from what it names."""
    wrong = [failure for failure in found.failures if not failure.of_table]
    if wrong:
        again = [command for source in found.sources if (command := found.index(source, "--again"))]
        mend = " && ".join([found.cortex("verify", "--mend"), *again])
        said = f"{amount(len(wrong), 'failure')} of facts to hold, the first of {wrong[0].what}: {wrong[0].problem}"
        yield Trouble(said, mend)


def in_step(found: Examined) -> Iterator[Trouble]:
    """The full-text indexes hold what their rows say, and their terms are counted."""
    wrong = [failure.what for failure in found.failures if failure.what in FULL_TEXT]
    if wrong:
        verb = "does" if len(wrong) == 1 else "do"
        yield Trouble(f"{' and '.join(wrong)} {verb} not hold what the rows say", found.cortex("verify", "--mend"))

    if not counted(found.opened):
        said = "the terms that searches are planned by are not counted, so that they look at every row"
        yield Trouble(said, found.cortex("verify", "--mend"))


def compacted(found: Examined) -> Iterator[Trouble]:
    """The last compaction is no older than a night and a morning."""
    brain = found.opened
    if overdue(brain, now=found.call.now):
        last = last_compaction(brain, now=found.call.now)
        said = f"was last compacted on {day(last)}" if last else "was never compacted"
        yield Trouble(f"the brain {said}", found.cortex("compact"))


def scheduled(found: Examined) -> Iterator[Trouble]:
    """The machine compacts this brain every night."""
    home, settings, path = Path.home(), found.call.settings, found.call.path
    try:
        here = scheduling.plan(None, path, settings, home).manager
    except UsageError as error:
        raise Unchecked(str(error)) from error
    left = scheduling.others(path, home)
    manager = next(iter(sorted(scheduling.installed(home), key=left.__contains__)), None)
    wanted = scheduling.plan(manager or here, path, settings, home)
    install = found.cortex("schedule", "install", "--with", wanted.manager, "--yes")
    if manager is None:
        yield Trouble("nothing compacts the brain every night", install)
    elif wanted.replaces:
        yield Trouble(f"what {manager} runs every night compacts {wanted.replaces}, which this ends", install)
    elif any(text != wanted.files[name] for name, text in scheduling.written(wanted).items()):
        yield Trouble(f"what {manager} runs every night is for another hour, setting or Cortex", install)
    elif not scheduling.switched_on(manager):
        anew = [found.cortex("schedule", "remove"), found.cortex("schedule", "install", "--with", here, "--yes")]
        yield Trouble(f"what {manager} is to run every night is written, and not switched on", " && ".join(anew))


def hooked(found: Examined) -> Iterator[Trouble]:
    """Where git indexes behind commits, all hooks are in and start a Cortex that is there."""
    for folder in found.folders:
        try:
            hooks = hooking.hooks(folder).hooks
        except (BadInput, RepositoryElsewhere):
            continue
        if not any(hook.state == "installed" for hook in hooks):
            continue
        mend = found.cortex("hook", "install", str(folder))
        missing = [hook.name for hook in hooks if hook.state == "missing"]
        programs = {hooking.program_of(Path(hook.path)) for hook in hooks}
        gone = sorted(program for program in programs if program and not shutil.which(program))
        if missing:
            yield Trouble(f"{folder} has hooks of ours, but not in {', '.join(missing)}", mend)
        elif gone:
            yield Trouble(f"the hooks of {folder} start {', '.join(gone)}, which is not there", mend)


def ready(found: Examined) -> Iterator[Trouble]:
    """Every model that is named can be called."""
    for one in standings(setup_of(found.call.settings)):
        if one.model and not one.ready:
            _, install, extra = one.why.partition("pip install")
            mend = install + extra or f"unset CORTEX_{one.tier.upper()}_{SIZES[one.class_].upper()}"
            yield Trouble(f"{one.model} of {one.tier} cannot be called: {one.why}", mend)


def agents_hooked(found: Examined) -> Iterator[Trouble]:
    """Where coding agents have hooks of ours, all are in and start a Cortex on a brain."""
    for folder in found.folders:
        for agent in clients.AGENTS:
            ours = clients.ours_in(_held(folder / clients.FILES[agent]))
            said, database = _wrong_with_hooks(ours, folder) if ours else ("", False)
            if said:
                install = ["cortex", "agent-hooks", "install", "--agent", agent, "--write", *_naming(found, database)]
                yield Trouble(f"{agent} in {folder} {said}", f"cd {quote(str(folder))} && {join(install)}")


def _wrong_with_hooks(ours: Sequence[clients.Hook], folder: Path) -> tuple[str, bool]:
    """What is wrong, and whether a brain has to be named to mend it; '' where nothing is."""
    if gone := [one.program for one in ours if not shutil.which(one.program)]:
        return f"starts {gone[0]}, which is not there", False
    placed = {one.event for one in ours if agent_hook.EVENTS.get(one.event) == one.under}
    if missing := [event for event in agent_hook.EVENTS if event not in placed]:
        return f"lacks a hook: {missing[0]}", False
    if lost := [one.db for one in ours if one.db and not _is_there(one.db, folder)]:
        return f"is told of {lost[0]}, where there is no brain", True
    return "", False


def connected(found: Examined) -> Iterator[Trouble]:
    """MCP clients that have us among their servers start a Cortex that serves a brain."""
    for client in clients.clients().values():
        for path, folder in {client.file(folder, Path.home()): folder for folder in found.folders[::-1]}.items():
            server: Any = _held(path)
            for name in (*client.at, clients.NAME):
                server = server.get(name, {}) if isinstance(server, dict) else {}
            if isinstance(server, dict) and isinstance(server.get("command"), str):
                said, database = _wrong_with_server(server, folder)
                install = ["cortex", "mcp", "install", "--client", client.name, "--write", *_naming(found, database)]
                if said:
                    yield Trouble(f"{path} has {client.name} {said}", f"cd {quote(str(folder))} && {join(install)}")
                elif is_own(server["command"], folder) and not serves():
                    yield Trouble(f"{path} has {client.name} start a Cortex without the extra 'serve'", adding("serve"))


def _wrong_with_server(server: Mapping[str, Any], folder: Path) -> tuple[str, bool]:
    """As for hooks. It is not started: whatever is called cortex in a project's file may be anybody's program."""
    program, words, environment = server["command"], clients.told_by(server), server.get("env")
    if located(program, folder) is None:
        return f"start {program}, which is not there", False
    if words is None:
        return "", False
    if not clients.serves(words):
        return f"tell {program} what starts no server", False
    named = words[words.index("--db") + 1] if "--db" in words[:-1] else ""
    database = named or (environment.get("CORTEX_DB", "") if isinstance(environment, dict) else "")
    if database and not _is_there(str(database), folder):
        return f"start {program} on {database}, where there is no brain", True
    return "", False


def _is_there(database: str, folder: Path) -> bool:
    """Whether a brain may be there: a database is asked for none."""
    try:
        placed = address.located(database, Path())
    except NotABrain:
        return False
    return is_database(placed) or (folder / placed.expanduser()).is_file()


def _naming(found: Examined, database: bool) -> list[str]:  # noqa: FBT001  whether there is anything to name
    return ["--db", address.argument(found.call.path)] if database else []


def _held(path: Path) -> Mapping[str, Any]:
    """What another program's configuration holds; nothing where it is not there, or only that program reads it."""
    try:
        text = path.read_text("utf-8")
        held = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except (OSError, ValueError):
        return {}
    return held if isinstance(held, dict) else {}


Look = Callable[[Examined], Iterable[Trouble]]

WITHOUT_BRAIN: Final[Mapping[str, Look]] = {
    "brain": usable,
    "permissions": private,
    "git hooks": hooked,
    "agent hooks": agents_hooked,
    "clients": connected,
    "models": ready,
}
WITH_BRAIN: Final[Mapping[str, Look]] = {
    "runs": finished,
    "queue": distilled,
    "freshness": fresh,
    "facts": verbatim,
    "indexes": in_step,
    "vectors": encoded,
    "compaction": compacted,
    "schedule": scheduled,
}


class Finding(Value):
    """What one check found."""

    check: str
    state: Literal["healthy", "wrong", "unchecked"]
    said: str = Field(description="what is wrong, or why it was not checked, or what holds")
    command: str = Field("", description="for a shell: it mends what a command can mend")


def findings(found: Examined) -> list[Finding]:
    """What each check finds, in their order."""
    return [_finding(name, look, found) for name, look in {**WITHOUT_BRAIN, **WITH_BRAIN}.items()]


def _finding(name: str, look: Look, found: Examined) -> Finding:
    if name in WITH_BRAIN and found.brain is None:
        return Finding(check=name, state="unchecked", said="the brain cannot be used")
    try:
        troubles = [*look(found)]
    except Unchecked as why:
        return Finding(check=name, state="unchecked", said=str(why))
    if not troubles:
        return Finding(check=name, state="healthy", said=(look.__doc__ or "").strip())
    commands = dict.fromkeys(one.command for one in troubles if one.command)
    return Finding(
        check=name, state="wrong", said="; ".join(one.said for one in troubles), command=" && ".join(commands)
    )
