"""What a project states is told to questions in words that no template has, where the extra semantic is installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cortex.composer.pipeline import ask
from cortex.composer.query.likely import likeliest, read_model
from cortex.language.project import properties
from cortex.llm.encoder import find_encoder
from cortex.substrate.brain import Brain
from cortex.substrate.encoder import Encoder
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, open_new
from tests.composer.test_profile import FILES
from tests.tables import walk
from tests.trees import read_tree, write

pytest.importorskip("wordllama", reason="needs the extra semantic")

SECURITY = {"SECURITY.md": "# Security\n\nReport a vulnerability by a mail to:\n\nowls@night.example\n"}


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    found = find_encoder(tmp_path_factory.mktemp("cache"))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def owl(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    root = write(tmp_path_factory.mktemp("owl"), {**FILES, **SECURITY})
    with open_new(tmp_path_factory.mktemp("brain") / "brain.db") as brain:
        found = [one for one in read_tree(root, source="acme/night-owl") if isinstance(one, Record)]
        index_records(brain, *found, source="acme/night-owl", origin="tree")
        yield brain


def answer(brain: Brain, question: str, encoder: Encoder | None) -> str:
    return ask(brain.encoding(lambda: encoder), question, scope=Scope()).answer


ASKED = [
    ("what licence is this under, can we ship it in a closed source product?", "License: MIT"),
    ("we found a security hole in it, where should we send the report about it?", "Report a vulnerability: “"),
    ("which operating systems do the tests run on in CI, windows too?", "CI runs on: ubuntu-latest, windows-latest"),
    ("what other packages get pulled in when i use it", "Runtime dependencies: numpy>=2, sounddevice"),
]


@walk(("question", "expected"), ASKED)
def test_it_is_answered_from_what_the_files_state(owl: Brain, encoder: Encoder, question: str, expected: str) -> None:
    assert answer(owl, question, encoder).startswith(expected)
    assert not answer(owl, question, None).startswith(expected), "no template knows it"


@walk(
    "question",
    [
        "who invented the license of wrenlang?",
        "what licence is redis under, can we ship it in a closed source product?",
        "which licence did the old recorder of Ferdinand have, can we still get it?",
        "why was the MIT license chosen over GPL?",
        "how do I test my own recordings with it?",
    ],
)
def test_what_asks_for_something_else_is_not_taken_for_it(owl: Brain, encoder: Encoder, question: str) -> None:
    assert not answer(owl, question, encoder).startswith(("License:", "Authors:", "Maintainers:", "Run the tests:"))


def test_the_vectors_of_another_encoder_are_not_weighed(encoder: Encoder) -> None:
    text = "what licence is this under, can we ship it in a closed source product?"
    (vector,) = encoder.encode([text])
    assert likeliest(text, vector, encoder.name)[0] == "license"
    assert likeliest(text, vector, "another/256:0") == ("", 0.0)
    assert likeliest(text, b"", encoder.name) == ("", 0.0)


def test_every_class_of_the_model_is_known_and_fits_the_encoder(encoder: Encoder) -> None:
    model = read_model()
    assert set(model.weights) - set(properties()) == {"nothing", "latest release"}
    assert model.encoder == encoder.name, "fit it again: python bench/likely.py --write"
