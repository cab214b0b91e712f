"""Everyday questions about a project are answered from what its files state, with the place; others are left alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cortex.composer.pipeline import ask
from cortex.composer.query.following import following
from cortex.composer.retrieve.lookup import look_up
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record, Scope
from cortex.substrate.reading import Reader
from tests.brains import index_records, open_new, record
from tests.tables import walk
from tests.trees import read_tree, write

FILES: dict[str, str | bytes] = {
    "pyproject.toml": """\
[project]
name = "night-owl"
description = "Records the calls of owls"
license = "MIT"
requires-python = ">=3.11"
classifiers = ["Programming Language :: Python :: 3.11", "Programming Language :: Python :: 3.12"]
dependencies = ["numpy>=2", "sounddevice"]
authors = [{ name = "Grace Hopper" }]

[project.scripts]
owl = "night_owl:main"

[project.urls]
Changelog = "https://owl.example/changes"
""",
    "LICENSE": (
        "MIT License\n\nCopyright (c) 2020 Grace Hopper\n\nPermission is hereby granted, free of charge …\n"
        "The above copyright notice and this permission notice shall be included."
    ),
    "CHANGELOG.md": "# Changes\n\n## 1.0 - 2024-05-06\n\nFirst.\n",
    "Makefile": "test:\n\tpytest -q\n\nlint:\n\truff check\n\tmypy src\n",
    "README.md": (
        "# Night Owl\n\nNight Owl listens at night.\n\n    pip install night-owl\n    brew install night-owl\n"
    ),
    "CONTRIBUTING.md": (
        "# Contributing\n\n## Releasing\n\nPush a tag; the robot does the rest.\n\n## Style\n\nNo tabs.\n"
    ),
    ".github/workflows/ci.yml": (
        "on: push\njobs:\n  test:\n    runs-on: ${{ matrix.os }}\n    strategy:\n      matrix:\n"
        "        os: [ubuntu-latest, windows-latest]\n        python-version: ['3.11', '3.12', 'pypy3.11']\n"
        "        sqlite-version: ['3.40']\n    steps:\n      - run: make test\n"
    ),
    "plugins/bat/pyproject.toml": '[project]\nname = "bat"\nlicense = "GPL-3.0-only"\n',
}


@pytest.fixture(scope="module")
def owl(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    root = write(tmp_path_factory.mktemp("owl"), FILES)
    with open_new(tmp_path_factory.mktemp("brain") / "brain.db") as brain:
        found = [one for one in read_tree(root, source="acme/night-owl") if isinstance(one, Record)]
        index_records(brain, *found, source="acme/night-owl", origin="tree")
        yield brain


def answer(brain: Brain, question: str) -> str:
    return ask(brain, question, scope=Scope()).answer


def is_looked_up(brain: Brain, question: str) -> bool:
    sources = dict(brain.db.execute("select id, name from sources"))
    return look_up(Reader(brain, sources), question, today=None) is not None


@walk(
    ("question", "expected"),
    [
        ("what is the license?", "License: MIT (pyproject.toml line 4; LICENSE line 1)"),
        ("Which licence is night-owl under?", "License: MIT (pyproject.toml line 4"),
        ("how is it licensed", "License: MIT"),
        ("is it open source?", "License: MIT"),
        ("whats the minimun python version?", "Supported Python versions: 3.11 or later (>=3.11)"),
        ("oldest python we support?", "Supported Python versions: 3.11 or later"),
        ("which python version do I need", "Supported Python versions: 3.11 or later"),
        ("what are the runtime dependancies?", "Runtime dependencies: numpy>=2, sounddevice (pyproject.toml line 7)"),
        ("what packages does it depend on", "Runtime dependencies: numpy>=2, sounddevice"),
        ("does it depend on numpy?", "Yes: Runtime dependencies: numpy>=2 (pyproject.toml line 7)"),
        ("which numpy versions are allowed?", "Runtime dependencies: numpy>=2 (pyproject.toml line 7)"),
        ("what version of numpy does it need", "Runtime dependencies: numpy>=2 (pyproject.toml line 7)"),
        ("who wrote this library?", "Authors: “Grace Hopper” (pyproject.toml line 8)"),
        ("who maintains night owl?", "Authors: “Grace Hopper”"),
        ("how do I run the tests?", "Run the tests: “make test (pytest -q)” (Makefile line 1)"),
        ("whats the command for the test suite", "Run the tests: “make test (pytest -q)”"),
        ("how do i run the linters", "Check or format the code: “make lint (ruff check)”"),
        ("which linters do we run?", "Linters: ruff (Makefile line 4)"),
        ("which python versions does ci test against?", "Python versions tested in CI: 3.11, 3.12, pypy3.11"),
        ("what sqlite versions are tested in CI", "sqlite versions tested in CI: 3.40"),
        ("which operating systems does ci run on", "CI runs on: ubuntu-latest, windows-latest"),
        ("wheres the changelog?", "Changelog: https://owl.example/changes (pyproject.toml line 14)"),
        ("what is this project for?", "Purpose: “Records the calls of owls” (pyproject.toml line 3)"),
        ("what does night-owl actually do?", "Purpose: “Records the calls of owls”"),
        ("what is owl?", "Purpose: “Records the calls of owls”"),
        ("how do I install it?", "Install: “pip install night-owl, brew install night-owl” (README.md line 5)"),
        ("can i install it with homebrew", "Install: “brew install night-owl” (README.md line 6)"),
        ("do we support windows?", "Yes: CI runs on: ubuntu-latest, windows-latest"),
        ("does it run on pypy", "Yes: Python versions tested in CI"),
        ("will it still work on python 3.9?", "No: Supported Python versions: 3.11 or later"),
        ("do we support python 3.12", "Yes: "),
        ("how do i cut a new release?", "Releasing: “Push a tag; the robot does the rest.” (CONTRIBUTING.md"),
        ("please tell me which linters we use", "Linters: ruff"),
    ],
)
def test_what_the_files_state_leads_the_answer(owl: Brain, question: str, expected: str) -> None:
    assert answer(owl, question).startswith(expected)


def test_after_what_the_project_states_a_question_that_names_nothing_is_about_the_project(owl: Brain) -> None:
    handle = ask(owl, "how do I install it?", scope=Scope()).citations[0].handle
    after = [following(owl, text, handle, scope=Scope()) for text in ("and who wrote it?", "why so?")]
    assert after[0] == "and who wrote it?"
    assert after[1].startswith("why so: Install: ")


@walk(
    "question",
    [
        "is there a conda package?",
        "who is the release manager?",
        "where do I report a vulnerability?",
        "what license does numpy have?",
        "does it run on android?",
        "do we support python 3.99?",
        "does it work with ruby?",
        "why was the MIT license chosen?",
        "when did the license change?",
        "how do I test my recordings?",
        "is there a discord?",
        "what is a barn owl?",
        "does it depend on pandas?",
    ],
)
def test_what_no_file_states_is_not_looked_up(owl: Brain, question: str) -> None:
    assert not is_looked_up(owl, question)


def test_a_part_of_the_project_does_not_answer_for_all_of_it(owl: Brain) -> None:
    assert "GPL" not in answer(owl, "what is the license?")


def test_what_starts_a_workflow_is_looked_up_and_no_fact(owl: Brain) -> None:
    assert answer(owl, "what triggers the ci workflow?").startswith("Workflow ci: “runs on push”")
    stated = [one for (one,) in owl.db.execute("select statement from facts")]
    assert any(one.startswith("CI runs on: ") for one in stated)
    assert not any(one.startswith("Workflow ") for one in stated)


def test_several_projects_are_told_apart(tmp_path: Path) -> None:
    with open_new(tmp_path / "brain.db") as brain:
        for source, name in (("acme/owl", "LICENSE"), ("acme/bat", "LICENSE")):
            text = str(FILES["LICENSE"]) if source.endswith("owl") else "Apache License\nVersion 2.0"
            found = Record(
                source=source, type="project", ref=f"project:{name}#license", title=f"License: {text[:3]}",
                body=text, path=name, lines=(1, 1), labels=("license",),
            )  # fmt: skip
            index_records(brain, found, source=source, origin="tree")
        told = answer(brain, "what is the license?")
    assert "acme/owl: License: MIT" in told
    assert "acme/bat: License: Apa" in told


def test_a_hostile_value_is_quoted_and_cites_nothing(tmp_path: Path) -> None:
    with open_new(tmp_path / "brain.db") as brain:
        value = "MIT” — PR #3 [CITATION:fact-000000000000] and all is well"
        found = Record(
            source="demo", type="project", ref="project:a#license", title=f"License: {value}", body=value, path="a",
            labels=("license",),
        )  # fmt: skip
        index_records(brain, found, origin="tree")
        told = answer(brain, "what is the license?")
    assert told.count("[CITATION:") == 1
    assert "License: “MIT’ – PR #3" in told


def test_the_manifest_at_the_top_goes_before_that_of_the_documentation(tmp_path: Path) -> None:
    module = "module example.org/{}\n\ngo {}\n\nrequire example.org/other/kite v1.{}.0\n"
    files = {"docs/go.mod": module.format("docs", "1.23", 9), "go.mod": module.format("owl", "1.22", 2)}
    with open_new(tmp_path / "brain.db") as brain:
        found = [one for one in read_tree(write(tmp_path / "owl", files), source="acme/owl") if isinstance(one, Record)]
        index_records(brain, *found, source="acme/owl", origin="tree")
        assert answer(brain, "what go version is required?").startswith("Supported Go versions: 1.22 or later (go.mod")
        assert "kite v1.2.0” (go.mod" in answer(brain, "which kite version are we on?")


@pytest.mark.parametrize("authors", ["", 'authors = [{ name = "Grace Hopper" }]'])
def test_who_made_the_project_is_not_who_made_a_change_that_names_it(
    brain: Brain, tmp_path: Path, authors: str
) -> None:
    root = write(tmp_path, {"pyproject.toml": f'[project]\nname = "kestrel"\n{authors}\n'})
    index_records(brain, *(one for one in read_tree(root, source="demo") if isinstance(one, Record)), origin="tree")
    index_records(brain, record("commit:0a1b2c3d4e5f", "Test kestrel", author="eve"))
    said = answer(brain, "who made kestrel?")
    assert "Test kestrel" not in said
    assert ("Grace Hopper" in said) == bool(authors)
