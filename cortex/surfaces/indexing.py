"""Bringing a project into a brain: what there is at a place, and reading it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from pydantic import Field

from cortex.errors import BadInput, CortexError, NothingFound
from cortex.indexers.connectors import decisions, directives, documents, git, ownership
from cortex.indexers.connectors.git_command import asked
from cortex.indexers.connectors.listing import list_tree
from cortex.indexers.connectors.worktrees import files_folder
from cortex.indexers.distilling import Crew
from cortex.indexers.feeds import Feed, export_feeds, github_feed, project_feeds, remote_name, source_of_export
from cortex.indexers.journal.contents import feeds as journal_feeds
from cortex.indexers.journal.contents import read as read_journal
from cortex.indexers.reading import OriginReport, Progress
from cortex.indexers.run import FactsReport, IndexReport
from cortex.indexers.run import index as run_index
from cortex.substrate.brain import Brain
from cortex.substrate.holdings import held_of_github, holds
from cortex.substrate.model import Scope, Skipped, Value, storable
from cortex.substrate.queue import Job, jobs
from cortex.substrate.sources import as_held, find_source, register_source, remove_source
from cortex.surfaces.github import Remote, threads
from cortex.surfaces.journaling import is_used, journal_of, kept_choice, migrate
from cortex.surfaces.models import Modelled
from cortex.surfaces.naming import Chosen, choose_name, files_from, location_of, project_folder
from cortex.surfaces.remembering import apply_all, store_earlier

NAMED: Final = 10  # dead jobs that a run names
_SORTS: Final[Mapping[str, Callable[[str], bool]]] = {
    "ownership": ownership.claims,
    "directives": directives.claims,
    "decisions": decisions.claims,
    "documents": documents.claims,
}

NAMESAKE: Final = "where another project stands that had the name already; then this one's is longer"


class Project(Value):
    """What stands at a place, before any of it is read."""

    source: str
    location: str
    namesake: str = Field("", description=NAMESAKE)
    registered: bool = Field(description="newly; False when the brain knew it")
    commits: int = Field(description="that HEAD reaches; 0 where there is no history")
    documents: int = Field(description="files")
    directives: int = Field(description="files of rules: seed-*.md, AGENTS.md, CLAUDE.md, …")
    decisions: int = Field(description="decision records")
    ownership: int = Field(description="CODEOWNERS, OWNERS, MAINTAINERS files")


class Indexed(Value):
    """What an index run did to one source."""

    source: str
    location: str
    namesake: str = Field("", description=NAMESAKE)
    instead_of: str = Field("", description="where the files of this source were read from before, if elsewhere")
    changed: bool
    run: int | None = Field(description="its number; none when nothing changed")
    origins: tuple[OriginReport, ...] = Field(description="what each connector brought")
    facts: tuple[FactsReport, ...] = Field(description="what each path did to the facts")
    skipped: tuple[Skipped, ...]
    reasons: Mapping[str, int] = Field(description="skipped inputs by reason, most first")
    redacted: Mapping[str, int] = Field(description="secrets in what was read, by kind; none of them is stored")
    undone: tuple[str, ...] = Field(description="what could not be read, or not to its end, and why; none is all well")
    dead: int = Field(description="jobs of the source that will not be tried again unless somebody asks for it")
    dead_jobs: tuple[Job, ...] = Field(description="the first of them")
    waiting: int = Field(description="jobs that are left for another run")
    models: Modelled | None = Field(None, description="what models had to do with it; none where the rules were asked")
    seconds: float

    @property
    def records(self) -> int:
        """How many records were read."""
        return sum(origin.added + origin.replaced + origin.unchanged for origin in self.origins)


def init(brain: Brain, root: Path, *, source: str | None = None, now: datetime) -> Project:
    """Register the project at *root* as a source; twice, and the second changes nothing."""
    if not root.is_dir():
        raise BadInput(root, "no such folder", hint="name a repository or a folder of documents")
    root = project_folder(brain, root, named=source is not None)
    called = Chosen(as_held(brain, storable(source))) if source else choose_name(brain, root)
    location = location_of(root)
    known = find_source(brain, called.name) is not None
    counts = Counter(_sort_of(path) for path in list_tree(files_folder(root)) if isinstance(path, str))
    around = git.top(root)
    is_within = around is not None and around != root.resolve()
    if is_within and not (known or any(counts[sort] for sort in _SORTS)):
        raise BadInput(root, "holds nothing that Cortex reads", hint=f"the repository it is in stands at {around}")
    register_source(brain, called.name, location=location, now=now)
    return Project(
        source=called.name,
        location=location,
        namesake=called.namesake,
        registered=not known,
        commits=0
        if around and around != root.resolve()
        else int(asked(root, "rev-list", "--count", "HEAD", "--") or 0),
        documents=counts["documents"],
        directives=counts["directives"],
        decisions=counts["decisions"],
        ownership=counts["ownership"],
    )


def index(  # noqa: PLR0913  one argument for each option of the command
    brain: Brain,
    root: Path | None = None,
    *,
    export: Path | None = None,
    github: Remote | None = None,
    source: str | None = None,
    federated: bool | None = None,
    authority: Mapping[str, float] | None = None,
    again: bool = False,
    crew: Crew = Crew(),  # noqa: B008  immutable
    progress: Progress = lambda *_: None,
    now: datetime,
) -> Indexed:
    """Bring the project at *root*, a *github* repository or an *export* of one, or both as one source, up to date.

    Args:
        root: a repository or a folder of documents. A folder that a repository tracks stands for all of it, unless
            *source* names it or it was indexed on its own before.
        source: what to call it; by default what `choose_name` finds.
    """
    started = perf_counter()
    root = project_folder(brain, root, named=source is not None) if root else None
    place = root or export or (github and github.address)
    if place is None:
        raise TypeError("name a root, a repository or an export")
    _feeds(brain, root, export, source or "")
    location = location_of(place)
    kept = kept_choice(brain, location)
    called = (
        Chosen(as_held(brain, storable(source)))
        if source
        else choose_name(brain, root, export=export, github=github, kept=kept.name if kept else "")
    )
    if kept and kept.archived and federated is None and find_source(brain, called.name) is None:
        federated = False
    before = files_from(brain, called.name) if root and source else ""
    journal = journal_of(brain, called.name, root)
    migrate(brain, journal, called.name)
    feeds = [*_feeds(brain, root, export, called.name)]
    if github:
        held = partial(held_of_github, brain, called.name)
        feeds.append(github_feed(github.repository, called.name, partial(threads, brain, called.name), held))
    contents = cache(lambda: read_journal(journal))
    feeds += journal_feeds(journal, contents, called.name) if is_used(brain, journal, called.name) else []
    with _forgotten_if_empty(brain, called.name):
        store_earlier(brain, contents(), called.name, authority=authority, now=now)
        report = run_index(
            brain, feeds, source=called.name, location=location, known_as=_known_as(root, export, github),
            federated=federated, authority=authority, again=again, crew=crew, progress=progress, now=now,
        )  # fmt: skip
        if not holds(brain, called.name):
            raise NothingFound(place, [f"{count} × {reason}" for reason, count in _reasons(report).most_common(3)])
    reviewed = apply_all(brain, contents(), called.name, authority=authority, now=now)
    return Indexed(
        **dict(report),
        **_unfinished(brain, called.name),
        location=location,
        namesake=called.namesake,
        instead_of="" if before == location else before,
        changed=report.changed or reviewed > 0,
        reasons=dict(_reasons(report).most_common()),
        redacted=dict(sum((Counter(origin.redacted) for origin in report.origins), Counter[str]()).most_common()),
        undone=tuple(f"{origin.origin}: {origin.undone}" for origin in report.origins if origin.undone),
        seconds=round(perf_counter() - started, 3),
    )


def _unfinished(brain: Brain, source: str) -> dict[str, Any]:
    """The fields of `Indexed` that tell of jobs that are left."""
    left = jobs(brain, scope=Scope(sources=(source,)))
    dead = tuple(job for job in left if job.state == "dead")
    return {"dead": len(dead), "dead_jobs": dead[:NAMED], "waiting": len(left) - len(dead)}


def _reasons(report: IndexReport) -> Counter[str]:
    return Counter(skipped.reason for skipped in report.skipped)


def _feeds(brain: Brain, root: Path | None, export: Path | None, source: str) -> Sequence[Feed]:
    known = partial(threads, brain, source)
    exported = export_feeds(export, source, known) if export else []
    return [*exported, *(project_feeds(root, source, known) if root else [])]


def _known_as(root: Path | None, export: Path | None, github: Remote | None) -> list[str]:
    """What the project is called where it is read from, whatever the brain calls it."""
    names = [remote_name(root) if root else "", source_of_export(export) if export else ""]
    return [*filter(None, names), *([github.repository.name] if github else [])]


@contextmanager
def _forgotten_if_empty(brain: Brain, source: str) -> Iterator[None]:
    """Forget *source* again where it was not there before, and an error leaves it without a record."""
    known = find_source(brain, source)
    try:
        yield
    except CortexError:
        if known is None and (made := find_source(brain, source)) and not holds(brain, source):
            remove_source(brain, made)
        raise


def holds_something(folder: Path) -> bool:
    """Whether there is anything to index: a repository, or a file that Cortex reads."""
    return bool(git.top(folder)) or any(_sort_of(path) for path in list_tree(folder) if isinstance(path, str))


def _sort_of(path: str) -> str:
    return next((sort for sort, claims in _SORTS.items() if claims(path)), "")
