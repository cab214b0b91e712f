"""Where something stands in the code is told by the files that commits about it changed, in any language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cortex.composer.pipeline import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Scope
from cortex.surfaces.indexing import index
from tests.brains import NOW, open_new
from tests.trees import commit, git, write


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    root = write(
        tmp_path_factory.mktemp("kiln"), {"src/main.rs": "fn main() {}\n", "README.md": "# Kiln\n\nFires clay.\n"}
    )
    git(root, "init", "--quiet")
    commit(root, "Begin")
    for title, files in (
        (
            "Stop the whole heating tree when a sensor fails",
            {"src/halt_elements.rs": "fn halt() {}\n", "src/main.rs": "// 1\n"},
        ),
        ("Draw the curve of temperatures", {"src/plot.rs": "fn plot() {}\n", "src/main.rs": "// 2\n"}),
        ("Draw the curve smoothly", {"src/plot.rs": "fn plot() { smooth() }\n", "tests/plot.rs": "// curve\n"}),
        ("Parse firing programs", {"src/old_parser.rs": "fn parse() {}\n", "src/main.rs": "// 3\n"}),
    ):
        write(root, files)
        commit(root, title)
    git(root, "mv", "src/old_parser.rs", "src/program.rs")
    commit(root, "Rename the parser of firing programs")
    with open_new(root.parent / "brain.db") as made:
        index(made, root, now=NOW)
    with open_brain(made.path, read_only=True) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "file"),
    [
        ("where is the code that stops the heating tree?", "src/halt_elements.rs"),
        ("where is the temperature curve code?", "src/plot.rs"),
    ],
)
def test_the_file_comes_first(brain: Brain, question: str, file: str) -> None:
    assert ask(brain, question, scope=Scope(), now=NOW).answer.startswith(f"{file}: changed by commit ")


def test_a_file_that_is_gone_is_not_named(brain: Brain) -> None:
    told = ask(brain, "which file defines the firing programs?", scope=Scope(), now=NOW).answer
    assert "src/program.rs: changed by commit " in told
    assert "old_parser.rs:" not in told


def test_nothing_is_made_up_for_what_the_project_has_not(brain: Brain) -> None:
    assert ask(brain, "where is the billing code?", scope=Scope(), now=NOW).refused


def test_the_files_of_the_tree_are_kept_as_they_are_now(brain: Brain) -> None:
    brain.restrict(None)
    files = {path for (path,) in brain.db.execute("select path from tree")}
    assert files == {
        "README.md",
        "src/halt_elements.rs",
        "src/main.rs",
        "src/plot.rs",
        "src/program.rs",
        "tests/plot.rs",
    }
