"""Whatever is asked: an answer that cites, the refusal, or that the question has no words; and nothing is written."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from cortex.substrate.brain import Brain
from tests.composer.hostile import DRAWS, problem, questions

COUNT = 400


def content(brain: Brain) -> dict[str, str]:
    """The digest of each file of *brain* that holds what is committed."""
    (path,) = (path for _, name, path in brain.db.execute("pragma database_list") if name == "main")
    files = [Path(path), Path(f"{path}-wal")]
    return {file.name: sha256(file.read_bytes()).hexdigest() for file in files if file.exists() and file.stat().st_size}


def test_fuzzed_questions_are_answered_with_citations_or_refused_and_change_nothing(demo: Brain) -> None:
    before = content(demo)
    found = [(kind, text, problem(demo, text)) for kind, text in questions(COUNT, seed=COUNT)]
    assert [(kind, text[:200], wrong) for kind, text, wrong in found if wrong not in ("", "-")] == []
    assert content(demo) == before
    assert {kind for kind, _, _ in found} == DRAWS.keys()
    assert sum(wrong == "" for _, _, wrong in found) > COUNT / 2
