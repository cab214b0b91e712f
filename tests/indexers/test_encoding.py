"""An index run stores a vector for every passage where an encoder is installed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from vectors import vectors_of

from cortex.indexers.distilling import Crew
from cortex.indexers.run import IndexReport, encode_passages, index
from cortex.llm.encoder import find_encoder
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.encoder import Encoder, Vector
from cortex.substrate.vectors import nearest, unencoded
from cortex.surfaces.remembering import remember
from tests.brains import NOW, feed_of, open_new, record

pytest.importorskip("wordllama", reason="needs the extra semantic")

KEEPING = record("issue:1", "The server keeps every upload for thirty days, then deletes it.")
ICONS = record("issue:2", "The icons of the menu are drawn in blue.")


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    found = find_encoder(tmp_path_factory.mktemp("cache"))
    assert found is not None
    return found


def indexed(brain: Brain, *records: object, encoder: Encoder | None) -> IndexReport:
    return index(brain, [feed_of(records, "github")], source="demo", crew=Crew(encoder=encoder), now=NOW)  # type: ignore[arg-type]


def vectors(brain: Brain, encoder: Encoder) -> dict[str, bytes]:
    told = "select p.id, r.ref from passages p join records r on r.id = p.record_id"
    refs = dict(brain.db.execute(told).fetchall())
    return {refs[passage]: vector for passage, vector in vectors_of(brain, refs, encoder=encoder.name).items()}


def test_what_means_the_same_is_found_in_other_words(brain: Brain, encoder: Encoder) -> None:
    indexed(brain, KEEPING, ICONS, encoder=encoder)
    (asked,) = encoder.encode(["How long does an attachment stay before it is removed?"])
    best, *_ = nearest(brain, asked, encoder=encoder.name, sources=None, limit=2)
    told = "select r.ref from passages p join records r on r.id = p.record_id where p.id = ?"
    assert brain.db.execute(told, (best.passage,)).fetchone() == ("issue:1",)


def test_a_second_run_changes_nothing(brain: Brain, encoder: Encoder) -> None:
    assert indexed(brain, KEEPING, encoder=encoder).changed
    before = vectors(brain, encoder)
    assert not indexed(brain, KEEPING, encoder=encoder).changed
    assert vectors(brain, encoder) == before


def test_a_brain_made_without_an_encoder_gets_its_vectors_by_the_next_run(brain: Brain, encoder: Encoder) -> None:
    indexed(brain, KEEPING, ICONS, encoder=None)
    assert len(unencoded(brain, encoder=encoder.name)) == 2
    assert indexed(brain, KEEPING, ICONS, encoder=encoder).changed
    assert unencoded(brain, encoder=encoder.name) == []


def test_a_changed_record_has_the_vector_that_a_rebuild_gives_it(
    brain: Brain, encoder: Encoder, tmp_path: Path
) -> None:
    changed = ICONS.model_copy(update={"body": "The icons of the menu are green since May."})
    indexed(brain, KEEPING, ICONS, encoder=encoder)
    before = vectors(brain, encoder)
    indexed(brain, KEEPING, changed, encoder=encoder)
    after = vectors(brain, encoder)
    assert before["issue:1"] == after["issue:1"]
    assert before["issue:2"] != after["issue:2"]
    with open_new(tmp_path / "another.db") as another:
        indexed(another, KEEPING, changed, encoder=encoder)
        assert vectors(another, encoder) == after


def test_what_changes_while_vectors_are_made_gets_none_of_its_old_text(
    brain: Brain, encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = ICONS.model_copy(update={"body": "The icons of the menu are green since May."})
    encode = encoder.encode

    def meanwhile(texts: Sequence[str]) -> Sequence[Vector]:
        with open_brain(brain.path) as other:
            indexed(other, KEEPING, changed, encoder=None)
        return encode(texts)

    indexed(brain, KEEPING, ICONS, encoder=None)
    with monkeypatch.context() as patched:
        patched.setattr(encoder, "encode", meanwhile)
        encode_passages(brain, encoder)
    assert set(vectors(brain, encoder)) == {"issue:1"}
    encode_passages(brain, encoder)
    with open_new(tmp_path / "another.db") as another:
        indexed(another, KEEPING, changed, encoder=encoder)
        assert vectors(another, encoder) == vectors(brain, encoder)


@pytest.mark.parametrize("encoded", [True, False])
def test_what_is_remembered_is_encoded_where_the_rest_is(brain: Brain, encoder: Encoder, *, encoded: bool) -> None:
    indexed(brain, ICONS, encoder=encoder if encoded else None)
    remember(
        brain.encoding(lambda: encoder), "Delete uploads after thirty days.", directive=True, by="ada", where="a call",
        recorder="operator", trusted=True, now=NOW,
    )  # fmt: skip
    assert len(unencoded(brain, encoder=encoder.name)) == (0 if encoded else 2)
