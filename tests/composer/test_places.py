"""A number with its repository is that repository's; what several have is told apart, in answers and for `show`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.composer.places import numbered
from cortex.composer.understanding import understand
from cortex.errors import AmbiguousSource
from cortex.language.stems import Stemmer
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.lookup import ShownPassage, ShownRecord, show
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record

THEN = datetime(2024, 3, 1, tzinfo=UTC)


def pull(number: int, title: str, body: str) -> Record:
    return record(
        f"pull:{number}", f"{title}\n\n{body}", title=title, state="merged", author="ada", merged_by="bob",
        created_at=THEN, merged_at=THEN, closed_at=THEN,
    )  # fmt: skip


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("places") / "brain.db") as opened:
        index_records(
            opened, pull(11, "Raise the upload limit", "Uploads may be ten gigabytes now."), source="acme/app"
        )
        index_records(
            opened,
            pull(11, "Split big uploads", "The agent splits uploads at five gigabytes."),
            pull(12, "Retry uploads", "The agent retries a part three times."),
            source="acme/agent",
        )
        yield opened


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("Was app#11 merged?", ["Raise the upload limit"]),
        ("Was acme/agent#11 merged?", ["Split big uploads"]),
        ("What is #11 in acme/agent?", ["Split big uploads"]),
        ("Was PR 11 of the agent merged?", ["Split big uploads"]),
        ("Was https://github.com/acme/app/pull/11 merged?", ["Raise the upload limit"]),
        ("Was https://github.com/acme/agent/pull/12#issuecomment-5 merged?", ["Retry uploads"]),
        ("Was acme/agent/pull/12 merged?", ["Retry uploads"]),
        ("Was #11 merged?", ["Raise the upload limit", "Split big uploads"]),
    ],
)
def test_a_number_with_its_repository_finds_only_that_record(brain: Brain, text: str, titles: list[str]) -> None:
    assert sorted(one.record.title for one in ask(brain, text, scope=Scope()).citations) == titles


@pytest.mark.parametrize("text", ["Was acme/site#11 merged?", "Was app#12 merged?", "Was acme/app/pull/12 merged?"])
def test_a_number_of_a_repository_that_has_none_is_refused(brain: Brain, text: str) -> None:
    assert ask(brain, text, scope=Scope()).refused


@pytest.mark.parametrize("text", ["Do we use C#8?", "see &#39;", "a/b/c#1", "docs/pull/x"])
def test_what_only_looks_like_one_is_no_number(brain: Brain, text: str) -> None:
    assert numbered(brain, text) == []
    assert understand(brain, text, Stemmer()).numbers == ()


def test_what_two_repositories_have_is_told_apart(brain: Brain) -> None:
    stands = ask(brain, "Was app#11 merged?", scope=Scope()).answer
    assert stands.startswith("acme/app: PR #11 ")
    quoted = ask(brain, "At how many gigabytes does the agent split uploads?", scope=Scope())
    assert "PR #11 by ada, merged, in acme/agent (2024-03-01)" in quoted.answer
    alone = ask(brain, "How often does the agent retry a part?", scope=Scope(sources=("acme/agent",)))
    assert "acme/agent" not in alone.answer


def test_every_handle_of_an_answer_can_be_shown(brain: Brain) -> None:
    answer = ask(brain, "At how many gigabytes does the agent split uploads?", scope=Scope())
    passages = [one.handle for one in answer.citations if not one.handle.startswith("fact-")]
    assert any(handle.startswith("acme/agent/pull:11@") for handle in passages)
    for handle in passages:
        shown = show(brain, handle, scope=Scope())
        assert isinstance(shown, ShownPassage)


def test_a_record_is_shown_by_its_source_and_ref(brain: Brain) -> None:
    shown = show(brain, "acme/app/pull:11", scope=Scope())
    assert isinstance(shown, ShownRecord)
    assert shown.source == "acme/app"
    with pytest.raises(AmbiguousSource):
        show(brain, "pull:11", scope=Scope())
