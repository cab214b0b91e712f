"""Which questions are put to which brain, the demo project among them, and where the runs of evals are kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from cortex.composer.pipeline import ask
from cortex.errors import BadInput, BrainError, RepositoryElsewhere
from cortex.evals import history
from cortex.evals.asking import Evaluation
from cortex.evals.capture import take_in
from cortex.evals.cases import Case, load_suite
from cortex.evals.history import Command
from cortex.indexers.connectors.git_command import asked, is_changed
from cortex.indexers.distilling import Crew
from cortex.packaged import files
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.ledger import Ledger, ledger_path, open_ledger
from cortex.substrate.model import Answer, Scope, Value
from cortex.substrate.status import Size
from cortex.surfaces.contract import Call, Progress
from cortex.surfaces.encoding import Models, models_of
from cortex.surfaces.indexing import Indexed, index
from cortex.surfaces.journaling import journal_folder
from cortex.surfaces.session import Session

PROJECTS: Final = ("o8", "o8-runner")
CASE_FILES: Final = ("smoke.yaml", "demo.yaml")


class Answered(Value):
    """A question of the demo with what the brain said."""

    question: Case
    answer: Answer


def index_demo(
    brain: Brain, *, crew: Crew | None = None, progress: Progress = lambda *_: None, now: datetime
) -> Iterator[Indexed]:
    """Index both repositories of the demo project."""
    for name in PROJECTS:
        yield index(brain, export=_folder() / name, crew=crew or Crew(), progress=progress, now=now)


def ask_demo(brain: Brain, sources: tuple[str, ...]) -> Iterator[Answered]:
    """Ask every smoke question, one a category, and one that nothing answers."""
    for case in load_suite(case_file("smoke.yaml")).cases:
        yield Answered(question=case, answer=ask(brain, case.question, scope=Scope(sources=sources)))


def case_file(name: str) -> Path:
    """Where the demo project's cases called *name* are: in the installed package, else in the checkout."""
    installed = _folder() / name
    return installed if installed.is_file() else _folder().parent / "evals" / name


def _folder() -> Path:
    """The demo project: in the installed package, else in the checkout."""
    package = files("cortex")
    for folder in (package / "_demo", package.parent / "seeds"):
        if (folder / PROJECTS[0]).is_dir():
            return folder
    raise BadInput(package / "_demo", "the demo project is not there", hint="install Cortex again")


OWN_SMOKE: Final = Path("evals/smoke.yaml")
OWN_CASES: Final = Path("evals/cases.yaml")
RELEASED: Final = "released.yaml"


def chosen(cases: Path | None, *, own: Path, bundled: str, of_demo: bool, named: str = "") -> tuple[Path, bool]:
    """The file of cases to use and whether they are asked of the demo project.

    Args:
        cases: the file the caller named; None is *own* where there is one, else the *bundled* one.
        of_demo: the caller asks for the demo project; its own case files are always asked of it.
        named: the brain the caller named; the demo project is no stand-in for it.
    """
    if named and not cases and not of_demo and not own.is_file():
        raise BadInput(
            own, f"no such file, so nothing to ask {named}", hint="write one with: cortex smoke init; or say --demo"
        )
    ours = case_file(bundled)
    path = cases or (own if own.is_file() and not of_demo else ours)
    of_demo = of_demo or any(path.is_file() and path.samefile(case_file(name)) for name in CASE_FILES)
    return path, of_demo


@contextmanager
def brain_of(call: Call, *, of_demo: bool) -> Iterator[Brain]:
    """The brain of *call*, read-only, or a temporary one that holds the demo project."""
    models = models_of(call.settings)
    with temporary_brain(models) if of_demo else call.reader() as brain:
        if of_demo:
            deque(index_demo(brain, crew=Crew(encoder=models.find_encoder()), now=call.now), maxlen=0)
        yield brain


@contextmanager
def temporary_brain(models: Models) -> Iterator[Brain]:
    """A brain that is gone afterwards."""
    with TemporaryDirectory(prefix="cortex-demo-") as folder, open_brain(Path(folder) / "brain.db") as brain:
        yield brain.encoding(*models)


def commit() -> str:
    """The commit of the repository one stands in, with a '+' when something is not committed; '' outside of one."""
    try:
        head = asked(Path(), "rev-parse", "--verify", "--short=12", "HEAD", climb=True)
        return head + ("+" if is_changed(Path()) else "") if head else ""
    except (BadInput, RepositoryElsewhere):
        return ""


def ledger(here: Session) -> Ledger:
    """The ledger beside the session's brain, created where missing, with the feedback file taken in."""
    book = open_ledger(ledger_path(here.path))
    take_in(book, feedback_file(here), now=here.now())
    return book


def feedback_file(here: Session) -> Path:
    """The file of feedback: private, for it holds questions."""
    return journal_folder(here.path) / "feedback.jsonl"


def keep_run(here: Session, done: Evaluation, *, command: Command, passed: bool, size: Size, of_demo: bool) -> None:
    """Add a run to the history; a remark tells where it cannot be kept, and the verdict stands anyway.

    What was asked of the demo project stands under a name of its own, for it says nothing of the session's brain.
    """
    if of_demo:
        done = done.model_copy(update={"suite": f"{done.suite} (demo)"})
    try:
        with ledger(here) as book:
            history.keep(
                book, done, command=command, passed=passed, size=size, commit=commit(),
                version=version("cortex-project-memory"), now=here.now(),
            )  # fmt: skip
    except BrainError as error:
        here.remark(f"this run is not kept in the history: {error}")
