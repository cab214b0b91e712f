"""What may be wrong with the brain itself: its file, its rows, its indexes, and how late it is."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from shlex import quote
from typing import Final

from cortex.compactor.schedule import last_compaction, overdue
from cortex.errors import BadInput, RepositoryElsewhere
from cortex.indexers.connectors.git_command import asked
from cortex.indexers.promotion import pending_promotion
from cortex.llm.encoder import find_encoder
from cortex.substrate.address import is_database
from cortex.substrate.queue import Job, jobs
from cortex.substrate.search import counted
from cortex.substrate.sources import kept_cursor
from cortex.substrate.status import unfinished_runs
from cortex.substrate.tasks import tasks
from cortex.substrate.vectors import count_passages, unencoded
from cortex.substrate.verify import FULL_TEXT
from cortex.surfaces.doctor.examined import Examined, Trouble, Unchecked
from cortex.surfaces.render import amount, day
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
