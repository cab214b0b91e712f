from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cortex.composer.ask import ask
from cortex.indexers.feeds import project_feeds
from cortex.indexers.run import index
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import REFUSAL, Scope
from tests.trees import write

NOW = datetime(2026, 1, 2, tzinfo=UTC)
README = """# Tiny

Tiny serves maps on port 8443 behind nginx.

## Ownership

Grace owns the parser. Ada owns the renderer.

## Rules

Never parse HTML with regular expressions, because nesting cannot be expressed.
The cache keeps at most 500 pages.

```python
def openAtlas():
    pass
```
"""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    folder = tmp_path_factory.mktemp("tiny")
    write(folder / "project", {"README.md": README})
    with open_brain(folder / "brain.db") as brain:
        index(brain, project_feeds(Path(folder / "project"), "tiny"), source="tiny", now=NOW)
        yield brain


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who owns the parser?", "Grace owns the parser"),
        ("Which port is Tiny served on?", "8443"),
        ("How many pages does the cache keep?", "500"),
        ("Should we parse HTML with regular expressions?", "Never parse HTML"),
        ("openAtlas", "def openAtlas"),
    ],
    ids=["who", "which", "how many", "yes or no", "an identifier in code"],
)
def test_four_records_are_enough_to_answer_from(tiny: Brain, question: str, said: str) -> None:
    answered = ask(tiny, question, scope=Scope())
    assert said in answered.answer.splitlines()[0]
    assert answered.citations[0].record.path == "README.md"
    assert answered.evidence != "none"


@pytest.mark.parametrize(
    "question", ["hello", "why", "NOT", "What licence is it under?", "Who wrote the database layer?"]
)
def test_what_four_records_do_not_say_is_refused(tiny: Brain, question: str) -> None:
    answered = ask(tiny, question, scope=Scope())
    assert (answered.answer, answered.refused, answered.evidence) == (REFUSAL, True, "none")
