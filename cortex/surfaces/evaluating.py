"""What the commands for evals share: which questions are put to which brain, and at which commit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from cortex.errors import BadInput, RepositoryElsewhere
from cortex.evals.cases import Suite, load_suite
from cortex.indexers.connectors.git_command import asked, is_changed
from cortex.indexers.crew import Crew
from cortex.substrate.brain import Brain, open_brain
from cortex.surfaces import demo
from cortex.surfaces.encoding import Models

OWN_SMOKE: Final = Path("evals/smoke.yaml")
OWN_CASES: Final = Path("evals/cases.yaml")
RELEASED: Final = "released.yaml"


def chosen(
    cases: Path | None, *, own: Path, bundled: str, of_demo: bool, named: Path | None = None
) -> tuple[Path, bool]:
    """The file of cases to use and whether they are asked of the demo project.

    Args:
        cases: the file the caller named; None is *own* where there is one, else the *bundled* one.
        of_demo: the caller asks for the demo project; its own case files are always asked of it.
        named: the brain the caller named; the demo project is no stand-in for it.

    Raises:
        BadInput: a brain was named, and there is no file of cases to ask it.
    """
    if named and not cases and not of_demo and not own.is_file():
        raise BadInput(
            own, f"no such file, so nothing to ask {named}", hint="write one with: cortex smoke init; or say --demo"
        )
    ours = demo.case_file(bundled)
    path = cases or (own if own.is_file() and not of_demo else ours)
    of_demo = of_demo or any(path.is_file() and path.samefile(demo.case_file(name)) for name in demo.CASE_FILES)
    return path, of_demo


def released_file(path: Path) -> Path:
    """Where the released rates of the cases in *path* are kept: beside them."""
    return path.with_name(RELEASED)


@contextmanager
def brain_of(
    reader: Callable[[], AbstractContextManager[Brain]], *, of_demo: bool, models: Models, now: datetime
) -> Iterator[Brain]:
    """What *reader* opens, or a temporary one that holds the demo project."""
    if not of_demo:
        with reader() as brain:
            yield brain
        return
    with TemporaryDirectory(prefix="cortex-evals-") as folder, open_brain(Path(folder) / "brain.db") as brain:
        crew = Crew(encoder=models.find_encoder())
        for _ in demo.index_demo(brain, crew=crew, progress=lambda *_: None, now=now):
            pass
        yield brain.encoding(*models)


def load(path: Path) -> Suite:
    """The suite in *path*."""
    return load_suite(path)


def commit() -> str:
    """The commit of the repository one stands in, with a '+' when something is not committed; '' outside of one."""
    try:
        head = asked(Path(), "rev-parse", "--verify", "--short=12", "HEAD", climb=True)
        return head + ("+" if is_changed(Path()) else "") if head else ""
    except (BadInput, RepositoryElsewhere):
        return ""
