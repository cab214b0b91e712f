"""Index, compact and smoke: how a brain is filled, kept clean and held to its word."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from cortex.compactor import run as compaction
from cortex.compactor import undo as undoing
from cortex.compactor.run import Compacted
from cortex.compactor.undo import Undone
from cortex.errors import AmbiguousSource, UnknownRun, UsageError
from cortex.evals.asking import RUNS, Smoke
from cortex.evals.asking import smoke as run_smoke
from cortex.evals.cases import load_suite
from cortex.substrate.address import shown
from cortex.substrate.model import Text
from cortex.substrate.status import Size, size_of, source_of_run
from cortex.surfaces import evaluating, indexing
from cortex.surfaces.contract import Call, Flag, Local, Parameters, operation
from cortex.surfaces.github import API, remote
from cortex.surfaces.indexing import Indexed
from cortex.surfaces.models import Distiller as Choice
from cortex.surfaces.models import with_distiller
from cortex.surfaces.operations.parameters import GREATEST, Sources, Workers
from cortex.surfaces.working import alive, crew_here, this_process

Job = Literal["orphans", "low_confidence", "exact_duplicates", "time_decay", "near_duplicates", "contradictions"]


class Cleaning(Parameters):
    """What to clean, or which cleaning to take back."""

    source: Annotated[Text | None, Flag("--source", "NAME", "every source")] = Field(
        None, description="Only this source."
    )
    jobs: Annotated[tuple[Job, ...], Flag("--job")] = Field((), description="Only this job.")
    dry_run: Annotated[bool, Field(description="Show what it would do.")] = False
    contradictions: Annotated[bool, Field(description="Report them too.")] = False
    undo: Annotated[int | None, Flag("--undo", "RUN")] = Field(
        None, ge=1, le=GREATEST, description="Take back that run."
    )


class Gate(Parameters):
    """Which questions to ask, and how often."""

    cases: Annotated[Path | None, Flag(), Local()] = Field(
        None, description="The file of questions; by default evals/smoke.yaml, else the demo project's own."
    )
    demo: Annotated[bool, Field(description="Ask the bundled demo project in a brain made on the spot.")] = False
    runs: int = Field(RUNS, ge=1, le=100, description="How often each is asked.")
    sources: Sources = ()


class Place(Parameters):
    """Where a project is, and what to call it."""

    path: Annotated[Path | None, Flag(), Local()] = Field(
        None, description="A repository or a folder of documents; by default the one you stand in."
    )
    source: Annotated[Text | None, Flag("--source", "NAME", "owner/name, else the folder's name")] = Field(
        None, description="What to call it."
    )
    export: Annotated[Path | None, Flag("--github-export", "DIR"), Local()] = Field(
        None, description="A folder of issues, pulls and comments as GitHub's API returns them."
    )
    github: Annotated[Text | None, Flag("--github", "OWNER/NAME")] = Field(
        None, description="A repository on GitHub, to read its issues, pull requests, comments and reviews."
    )
    github_api: Annotated[Text | None, Flag("--github-api", "URL", API)] = Field(
        None, description="The API of a GitHub Enterprise server, such as https://HOST/api/v3."
    )
    again: Annotated[bool, Field(description="Read everything, even what did not change.")] = False
    workers: Workers = Field(None, ge=1, le=64, description="Processes that compute at once.")
    distiller: Annotated[
        Choice | None, Flag("--distiller", default="rules, unless CORTEX_DISTILLER says otherwise")
    ] = Field(None, description="Who makes facts of docs and comments.")
    federated: Annotated[bool | None, Flag("--federated", off="--isolated", default="federated")] = Field(
        None, description="Whether reads that name no source include it."
    )


class Gated(Smoke):
    """What the gate found, and of what."""

    of_demo: bool = Field(description="it was asked of the demo project")
    size: Size = Field(description="of the brain that was asked")


@operation("admin")
def compact(call: Call, asked: Cleaning) -> Compacted | Undone:
    """Clean the facts, or undo a cleaning.

    Removes gone and unsure facts, merges duplicates, fades old ones.
    """
    if asked.undo is not None and asked.model_fields_set != {"undo"}:
        raise UsageError("undo takes back a whole run", hint="give it alone")
    with call.writer() as brain:
        if asked.undo is not None:
            if call.sources is not None and source_of_run(brain, asked.undo) not in call.sources:
                raise UnknownRun(asked.undo, "is no compaction of a source that may be reached")
            return undoing.undo(brain, asked.undo, alive=alive, now=call.now)
        if asked.source:
            call.scope(brain, (asked.source,))
        elif call.sources is not None:
            raise AmbiguousSource("what is to be cleaned", call.scope(brain, ()).sources or ())
        return compaction.compact(
            brain,
            source=asked.source,
            jobs=asked.jobs,
            dry_run=asked.dry_run,
            contradictions=asked.contradictions,
            kept=timedelta(days=call.settings.archive_days),
            by=this_process(),
            progress=call.progress,
            now=call.now,
        )


@operation("read", local=True, tool=False)
def smoke(call: Call, asked: Gate) -> Gated:
    """Ask a handful of questions three times over; exit 1 unless each answer is right each time.

    The questions are those of evals/smoke.yaml of the project, each with what its answer must hold.
    """
    path, of_demo = evaluating.chosen(
        asked.cases, own=evaluating.OWN_SMOKE, bundled="smoke.yaml", of_demo=asked.demo,
        named=shown(call.path) if call.named else "",
    )  # fmt: skip
    suite = load_suite(path)
    with evaluating.brain_of(call, of_demo=of_demo) as brain:
        done = run_smoke(brain, suite, scope=call.scope(brain, asked.sources), runs=asked.runs)
        return Gated(**dict(done), of_demo=of_demo, size=size_of(brain))


@operation("admin", local=True, tool=False)
def index(call: Call, asked: Place) -> Indexed:
    """Read a project, or an export of one, into the brain.

    PATH is a repository or a folder of documents, by default the one you stand in; a folder in a repository stands
    for all of it, unless `source` names it. With --github or an export, and no path, only that is read. Run again, it
    reads what changed and says so when nothing did.
    """
    if asked.export and asked.github:
        raise UsageError("--github and --github-export are the same rows", hint="give one of them")
    root = asked.path or (None if asked.export or asked.github else Path())
    github = remote(asked.github, asked.github_api or API, call.progress) if asked.github else None
    choice = asked.distiller or call.settings.distiller
    here = crew_here(asked.workers, call.settings.cache_folder)
    with call.maker() as brain, with_distiller(call, choice, here) as (crew, used):
        done = indexing.index(
            brain,
            root,
            export=asked.export,
            github=github,
            source=asked.source,
            federated=asked.federated,
            authority=call.settings.authority,
            again=asked.again,
            crew=crew,
            progress=call.progress,
            now=call.now,
        )
        return done.model_copy(update={"models": used(brain)})
