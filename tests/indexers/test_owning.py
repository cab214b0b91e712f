"""Who owns what, as the files of a project say it, and as facts and `owners_of` tell it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cortex.indexers.feeds import project_feeds
from cortex.indexers.run import IndexReport, index
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.owners import owners_of
from tests.brains import NOW, statements
from tests.trees import write


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    with open_brain(tmp_path / "brain.db") as brain:
        yield brain


def read(brain: Brain, root: Path, files: dict[str, str | bytes]) -> IndexReport:
    return index(brain, project_feeds(write(root, files), "demo"), source="demo", now=NOW)


def owners(brain: Brain, path: str) -> list[tuple[str, ...]]:
    (source_id,) = brain.db.execute("select id from sources").fetchone()
    return [one.who for one in owners_of(brain, path, sources=[source_id])]


def test_an_alias_is_a_group_that_owns_nothing_and_is_spelled_out(brain: Brain, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "OWNERS_ALIASES": "aliases:\n  net-approvers:\n    - nina\n    - bob\n",
        "pkg/net/OWNERS": "approvers:\n  - net-approvers\n  - ada\n",
    }
    read(brain, tmp_path / "project", files)
    said = statements(brain)
    assert "net-approvers is a group with nina in it (OWNERS_ALIASES line 3)" in said
    assert not any("owned by nina" in one for one in said)
    assert owners(brain, "pkg/net/socket.go") == [("nina", "bob"), ("ada",)]
    assert owners(brain, "cmd/main.go") == []


def test_of_several_codeowners_the_one_that_github_takes_counts(brain: Brain, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        ".github/CODEOWNERS": "* @ada\n", "CODEOWNERS": "* @bob\n", "docs/CODEOWNERS": "* @eve\n"
    }  # fmt: skip
    report = read(brain, tmp_path / "project", files)
    assert owners(brain, "src/a.py") == [("ada",)]
    told = [(one.input, one.reason) for one in report.skipped]
    reason = ".github/CODEOWNERS counts instead"
    assert told == [("CODEOWNERS", reason), ("docs/CODEOWNERS", reason)]


MAINTAINERS = """\
NETWORK
M: Nina <nina@example.org>
R: Rolf <rolf@example.org>
S: Maintained
F: net/
X: net/wireless/

TAPE DRIVES
S: Orphan
F: drivers/tape/
"""


def test_blocks_of_maintainers_tell_reviewers_exclusions_and_orphans(brain: Brain, tmp_path: Path) -> None:
    read(brain, tmp_path / "project", {"MAINTAINERS": MAINTAINERS})
    assert statements(brain) == [
        "NETWORK is maintained by Nina (MAINTAINERS line 1)",
        "NETWORK is reviewed by Rolf (MAINTAINERS line 3)",
        "TAPE DRIVES has no maintainer (MAINTAINERS line 8)",
    ]
    assert owners(brain, "net/socket.c") == [("Nina",)]
    assert owners(brain, "net/wireless/scan.c") == []
    assert owners(brain, "drivers/tape/tape.c") == [()]
