"""One index run: read every feed, store what changed, make its facts, count the terms."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

from cortex.indexers.changes import index_changes
from cortex.indexers.distilling import Crew, Line, distill_queue
from cortex.indexers.feeds import Feed
from cortex.indexers.processes import Processes
from cortex.indexers.promotion import pending_promotion, promote, vouch
from cortex.indexers.reading import OriginReport, Progress, Reading, drop_misnumbered, read, retitle
from cortex.indexers.taking_back import link_reverts, link_values
from cortex.substrate import archive, queue, records, search, sources, status, vectors
from cortex.substrate.brain import Brain
from cortex.substrate.changes import due_for_changes
from cortex.substrate.encoder import Encoder
from cortex.substrate.facts import end_facts
from cortex.substrate.model import Skipped, Value

PATHS: Final = ("docs", "comments")


class FactsReport(Value):
    """What one path did to the facts."""

    path: str
    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    failed: int = 0  # attempts that are to be repeated
    dead: int = 0  # jobs that are not


class IndexReport(Value):
    """What an index run did, per connector and path."""

    source: str
    run: int | None  # none when nothing changed
    origins: tuple[OriginReport, ...]
    facts: tuple[FactsReport, ...]
    skipped: tuple[Skipped, ...]

    @property
    def changed(self) -> bool:
        """Whether the run wrote anything."""
        return self.run is not None


def index(  # noqa: PLR0913  what a run is told, each by name
    brain: Brain,
    feeds: Sequence[Feed],
    *,
    source: str,
    location: str = "",
    known_as: Collection[str] = (),
    federated: bool | None = None,
    authority: Mapping[str, float] | None = None,
    again: bool = False,
    crew: Crew = Crew(),  # noqa: B008  immutable
    progress: Progress = lambda *_: None,
    command: str = "index",
    now: datetime,
) -> IndexReport:
    """Bring *source* up to date with its feeds; run twice, the second writes nothing.

    Args:
        known_as: other names of the project, such as that of its remote: a reference that names one stays within.
        authority: a project's own numbers, by line of the authority table.
        again: read everything, even what did not change since the last time, and what another distiller read.
        crew: who works on it; the rows that come out are the same whoever does.
        command: what the run is called: 'record' reads nothing but what somebody just said, 'deliver' nothing at all.
    """
    own = {source, *known_as}
    source_id = sources.register_source(brain, source, location=location, federated=federated, now=now)
    records.begin_listing(brain)
    skipped: list[Skipped] = []
    with brain.confined(source_id), Processes(crew.workers) as processes:
        into = Reading(brain, source_id, source, authority or {}, again, processes, progress, now, own)
        origins = [read(into, feed, skipped) for feed in feeds]
        changed = any(origin.added or origin.replaced or origin.gone for origin in origins)
        changed |= drop_misnumbered(into) + retitle(into) > 0
        changed |= crew.encoder is not None and encode_passages(brain, crew.encoder, progress) > 0
        queue.tidy_jobs(brain, source_id=source_id)
        for path, distiller in zip(PATHS, (crew.docs, crew.comments), strict=True):
            rank, name = distiller.version
            queue.requeue_outranked(brain, source_id=source_id, path=path, rank=rank, distiller=name, again=again)
        if not (changed or is_due(brain, source_id=source_id) or status.was_interrupted(brain, source_id=source_id)):
            return IndexReport(source=source, run=None, origins=tuple(origins), facts=(), skipped=tuple(skipped))
        run_id = status.start_run(brain, command, source_id=source_id, now=now)
        facts = make_facts(brain, source_id, run_id, crew, processes, progress, now=now)
        report = IndexReport(source=source, run=run_id, origins=tuple(origins), facts=facts, skipped=tuple(skipped))
        status.finish_run(brain, run_id, report=report.model_dump(exclude={"skipped"}), skipped=skipped, now=now)
    return report


def work(
    brain: Brain,
    *,
    source_id: int,
    crew: Crew = Crew(),  # noqa: B008  immutable
    progress: Progress = lambda *_: None,
    now: datetime,
) -> tuple[FactsReport, ...]:
    """Make the facts that are due of a source, and read nothing; beside a run that indexes it, they share the work.

    Returns:
        What each path did; empty when there was nothing to do.
    """
    if not is_due(brain, source_id=source_id):
        return ()
    with brain.confined(source_id), Processes(crew.workers) as processes:
        if crew.encoder is not None:
            encode_passages(brain, crew.encoder, progress)
        queue.tidy_jobs(brain, source_id=source_id)
        run_id = status.start_run(brain, "work", source_id=source_id, now=now)
        facts = make_facts(brain, source_id, run_id, crew, processes, progress, now=now)
        status.finish_run(brain, run_id, report={"facts": [one.model_dump() for one in facts]}, now=now)
    return facts


def is_due(brain: Brain, *, source_id: int) -> bool:
    """Whether a record of a source waits for its facts; asking writes nothing."""
    queued = any(queue.open_jobs(brain, source_id=source_id, path=path) for path in PATHS)
    due = queued or pending_promotion(brain, source_id=source_id)
    return due or next(due_for_changes(brain, source_id=source_id), None) is not None


def due_sources(brain: Brain) -> list[str]:
    """The sources of which a record waits for its facts, or whose last run was cut short; asking writes nothing."""
    named = sources.source_names(brain).items()
    with brain.unrestricted():
        return [
            name for id_, name in named if is_due(brain, source_id=id_) or status.was_interrupted(brain, source_id=id_)
        ]


def make_facts(
    brain: Brain, source_id: int, run_id: int, crew: Crew, processes: Processes, progress: Progress, *, now: datetime
) -> tuple[FactsReport, ...]:
    """Make the facts of what is stored: links and what they change, promotion, the queue path by path, the terms."""
    records.resolve_links(brain, source_id=source_id)
    vouch(brain, source_id=source_id)
    queue.requeue_closings(brain, source_id=source_id)
    link_reverts(brain, source_id=source_id)
    link_values(brain, source_id=source_id)
    index_changes(brain, source_id=source_id)
    progress("promoting", 0, 1)
    promoted = promote(brain, source_id=source_id, run_id=run_id, now=now)
    progress("promoting", 1, 1)
    made = [FactsReport(path="promotion", **promoted._asdict())]
    for path in PATHS:
        done = distill_queue(Line(brain, source_id, path, run_id, crew, processes, progress, now))
        counts = {name: getattr(done, name) for name in FactsReport.model_fields if name != "path"}
        made.append(FactsReport(path=path, **counts))
    with brain.transaction():
        archive.revive_merged(brain, source_id=source_id)
        end_facts(brain, source_id=source_id)
    progress("counting terms", 0, 1)
    with brain.transaction():
        search.count_terms(brain)
    progress("counting terms", 1, 1)
    return tuple(made)


AT_ONCE: Final = 2_048  # passages encoded between two transactions: a quarter of a second


def encode_passages(brain: Brain, encoder: Encoder, progress: Progress = lambda *_: None) -> int:
    """Store a vector for each passage without one of *encoder*, and say of how many; a second time of none.

    Vectors are made while others may write; of a passage that changed meanwhile none is stored.
    """
    waiting = vectors.unencoded(brain, encoder=encoder.name)
    for start in range(0, len(waiting), AT_ONCE):
        texts = _unencoded(brain, encoder, waiting[start : start + AT_ONCE])
        made = dict(zip(texts, encoder.encode([*texts.values()]), strict=True))
        with brain.confined(None), brain.transaction():  # a block of vectors is of several sources
            left = _unencoded(brain, encoder, [*texts])
            same = {passage: made[passage] for passage, text in left.items() if text == texts[passage]}
            vectors.put_vectors(brain, same, encoder=encoder.name)
        progress("encoding", len(texts), len(waiting))
    return len(waiting)


def _unencoded(brain: Brain, encoder: Encoder, passages: Sequence[int]) -> dict[int, str]:
    """The texts of those of *passages* that have no vector yet."""
    return dict(vectors.texts_of(brain, vectors.unencoded(brain, encoder=encoder.name, of=passages)))
