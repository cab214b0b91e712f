"""What manifests, workflows, tasks and licenses state becomes records, with the lines that state it."""

# ruff: noqa: E501, ISC004  each row is a file as it is written, and what it states

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import pytest

from cortex.indexers.connectors import manifests
from cortex.indexers.connectors.pages import page
from cortex.substrate.model import Record, Skipped
from tests.brains import index_records, open_new
from tests.tables import walk
from tests.trees import read_tree, write


def stated(path: str, text: str) -> dict[str, str]:
    """The title of each record that a file gives, by its ref without the file."""
    records = list(manifests.read(page(path, text), source="demo"))
    assert all(isinstance(one, Record) and one.body in text for one in records), "verbatim"
    return {one.ref.partition("#")[2]: one.title for one in records if isinstance(one, Record)}


PYPROJECT = """\
[project]
name = "kestrel"
version = "2.1"
description = "Watches birds."
license = "BSD-3-Clause"
requires-python = ">=3.10"
maintainers = [{name = "Ada Lovelace", email = "ada@example.org"}]
classifiers = [
    "Development Status :: 4 - Beta",
    "Programming Language :: Python :: 3.10",  # the oldest
    "Programming Language :: Python :: 3.11",
]
dependencies = [
    "click >= 8, < 9",
    "attrs",
]

[project.optional-dependencies]
fast = ["numpy"]

[project.urls]
"Release notes" = "https://kestrel.example/changes"
Homepage = "https://github.com/ada/kestrel"

[tool.ruff]
line-length = 100

[tool.tox.env.style]
commands = [["ruff", "check"], ["mypy", "src"]]
"""


def test_a_pyproject_states_the_properties_of_its_project() -> None:
    found = stated("pyproject.toml", PYPROJECT)
    assert found == {
        "name": "Name: kestrel",
        "version": "Version: 2.1",
        "purpose": "Purpose: Watches birds.",
        "license": "License: BSD-3-Clause",
        "versions": "Supported Python versions: 3.10 or later (>=3.10)",
        "maintainers": "Maintainers: Ada Lovelace <ada@example.org>",
        "status": "Status: 4 - Beta",
        "named-versions": "Listed Python versions: 3.10, 3.11",
        "dependencies": "Runtime dependencies: click >= 8,< 9, attrs",
        "optional-dependencies": "Optional dependencies (fast): numpy",
        "changelog": "Changelog: https://kestrel.example/changes",
        "homepage": "Homepage: https://github.com/ada/kestrel",
        "repository": "Repository: https://github.com/ada/kestrel",
        "linters": "Linters: ruff",
        "line-length": "Line length: 100",
        "lint": "Check or format the code: tox -e style (ruff check)",
        "type-checkers": "Type checkers: mypy",
    }


def test_a_record_tells_the_lines_that_state_it() -> None:
    records = {one.ref: one for one in manifests.read(page("pyproject.toml", PYPROJECT), source="demo")}  # type: ignore[union-attr]
    one = records["project:pyproject.toml#named-versions"]
    assert isinstance(one, Record)
    assert (one.lines, one.labels) == ((10, 11), ("named versions", "Python"))
    assert one.body.splitlines()[0].strip().endswith("# the oldest")


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("setup.cfg", "[options]\npython_requires = >=3.8\ninstall_requires =\n    attrs>=1\n    click\n", [
            "Supported Python versions: 3.8 or later (>=3.8)", "Runtime dependencies: attrs>=1, click"]),
        ("setup.py", "import os\nos.abort()\nsetup(name='kestrel', license='MIT', install_requires=['attrs'])\n", [
            "Name: kestrel", "License: MIT", "Runtime dependencies: attrs"]),
        ("package.json", json.dumps({"name": "kestrel", "engines": {"node": ">=20"}, "license": "ISC", "main": "a.js",
            "repository": "ada/kestrel", "scripts": {"test": "vitest run", "lint": "eslint ."},
            "dependencies": {"got": "^14"}}, indent=1), [
            "Name: kestrel", "Supported Node.js versions: 20 or later (>=20)", "License: ISC",
            "Repository: https://github.com/ada/kestrel", "Run the tests: npm test (vitest run)",
            "Check or format the code: npm run lint (eslint .)", "Runtime dependencies: got ^14", "Linters: eslint"]),
        ("Cargo.toml", '[package]\nname = "kestrel"\nrust-version = "1.80"\nlicense = "MIT OR Apache-2.0"\n'
            '[dependencies]\nlog = "0.4"\nzip = { version = "2", optional = true }\n[dev-dependencies]\nrand = "0.9"\n', [
            "Supported Rust versions: 1.80 or later", "License: MIT OR Apache-2.0", "Runtime dependencies: log 0.4",
            "Optional dependencies: zip 2", "Development dependencies: rand 0.9"]),
        ("go.mod", "module example.org/kestrel\n\ngo 1.22\n\nrequire (\n\texample.org/a v1.0.0\n"
            "\texample.org/b v2.0.0 // indirect\n)\n", [
            "Name: example.org/kestrel", "Supported Go versions: 1.22 or later", "Runtime dependencies: example.org/a v1.0.0"]),
        ("pom.xml", '<project xmlns="http://maven.apache.org/POM/4.0.0"><artifactId>kestrel</artifactId>\n'
            "<properties><maven.compiler.release>17</maven.compiler.release></properties>\n"
            "<licenses><license><name>Apache-2.0</name></license></licenses>\n<dependencies>\n"
            "<dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency>\n"
            "<dependency><groupId>junit</groupId><artifactId>junit</artifactId><scope>test</scope></dependency>\n"
            "</dependencies></project>\n", [
            "Name: kestrel", "Supported Java versions: 17 or later", "License: Apache-2.0",
            "Runtime dependencies: g:a:1", "Development dependencies (test): junit:junit"]),
        ("kestrel.gemspec", 'Gem::Specification.new do |s|\n  s.name = "kestrel"\n  s.license = "MIT"\n'
            '  s.required_ruby_version = ">= 3.1"\n  s.add_dependency "rack", "~> 3"\n'
            '  s.metadata["changelog_uri"] = "https://kestrel.example/log"\nend\n', [
            "Name: kestrel", "License: MIT", "Supported Ruby versions: 3.1 or later (>=3.1)",
            "Runtime dependencies: rack ~> 3", "Changelog: https://kestrel.example/log"]),
        ("tox.ini", "[tox]\nenvlist = py310, lint\n[testenv]\ncommands = pytest {posargs}\n[testenv:lint]\ncommands =\n"
            "    pre-commit run --all-files\n", [
            "Run the tests: tox (pytest)", "Check or format the code: tox -e lint (pre-commit run --all-files)",
            "Test environments: py310, lint"]),
        ("Makefile", "X := 1\n.PHONY: test\ntest: deps\n\t@echo testing\n\tgo test ./...\n\ndocs:\n\tmkdocs build\n", [
            "Run the tests: make test (go test ./...)", "Build the documentation: make docs (mkdocs build)"]),
        ("justfile", "# Check all\n@lint *args:\n    ruff check {{args}}\n", ["Check or format the code: just lint (ruff check)"]),
        ("noxfile.py", "import nox\n\n@nox.session\ndef tests(session):\n    session.run('pytest', '-x')\n", [
            "Run the tests: nox -s tests (pytest -x)"]),
        (".pre-commit-config.yaml", "repos:\n- repo: https://github.com/astral-sh/ruff-pre-commit\n  hooks:\n  - id: ruff\n"
            "  - id: codespell\n", ["Linters: ruff, codespell"]),
        (".python-version", "3.12\n", ["Python version used for development: 3.12"]),
        ("SECURITY.md", "# Security\n\nWe value it.\n\nPlease report holes to sec@example.org, not in public.\n", [
            "Report a vulnerability: Please report holes to sec@example.org, not in public."]),
        (".github/SECURITY.md", "# Security\n\nPlease <b>e-mail</b> holes to <sec@example.org>, not in public.\n", [
            "Report a vulnerability: Please e-mail holes to sec@example.org, not in public."]),
        ("CODE_OF_CONDUCT.md", "# Conduct\n\nBe kind to who reports a bug.\n\nAbuse may be reported to kind@example.org.\n", [
            "Report a breach of the code of conduct: Abuse may be reported to kind@example.org.",
            "Code of conduct: CODE_OF_CONDUCT.md"]),
        ("README.md", "# Kestrel\n\n[![ci](a.svg)](b)\n\nKestrel *watches* birds and [counts](c.md) them.\n\n"
            "```\n$ pip install kestrel\n```\n\nThe tests pass.\n", [
            "Purpose: Kestrel watches birds and counts them.", "Install: pip install kestrel"]),
        ("CONTRIBUTING.rst", "Contributing\n============\n\nRun::\n\n    pip install -e .\n    python -m pytest -x\n", [
            "Set up a development environment: pip install -e .", "Run the tests: python -m pytest -x",
            "Contributing guide: CONTRIBUTING.rst"]),
        ("CHANGELOG.md", "# Changes\n\n## 1.0\n", ["Changelog: CHANGELOG.md"]),
        ("setup.py", "setup(name='kestrel', entry_points={'console_scripts': ['kes = k:main'], 'x': ['y = z']})\n", [
            "Commands it installs: kes"]),
        ("pyproject.toml", '[project]\nname = "kestrel"\ndependencies = []\n', ["Runtime dependencies: none"]),
        ("kestrel.gemspec", 'Gem::Specification.new do |s|\n  s.name = "kestrel"\n  s.executables = ["kes"]\nend\n', [
            "Commands it installs: kes", "Runtime dependencies: none"]),
        ("main.go", "package main\n\nfunc main() {}\n", ["Commands it installs: demo"]),
        ("cmd/kes/main.go", "package main\n", ["Commands it installs: kes"]),
        ("src/bin/kes.rs", "fn main() {}\n", ["Commands it installs: kes"]),
        ("Makefile.am", "bin_PROGRAMS = kes\n", ["Commands it installs: kes"]),
        ("configure.ac", "AC_INIT([kes], [1.0], [bugs@kestrel.example])\n", ["Issue tracker: bugs@kestrel.example"]),
        ("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(kes VERSION 1.2 LANGUAGES C)\n", [
            "Supported CMake versions: 3.20 or later", "Version: 1.2"]),
        ("README.md", "# Kestrel\n\n```gradle\nimplementation 'org.k:kestrel:1.0'\n```\n\n```\nautoreconf -i   # from git\n"
            "./configure\nmake clean\nmake -j8\nmake check\n```\n\nOr `mvn -q clean package`.\n", [
            "Install: implementation 'org.k:kestrel:1.0'", "Build: autoreconf -i && ./configure && make -j8",
            "Run the tests: make check", "Build: mvn -q clean package"]),
        (".github/workflows/all.yml", "name: All\non:\n  push:\n    tags: ['*']\n  pull_request:\n", [
            "Workflow All: runs on push (tags *), pull_request"]),
        ("Makefile", "verify: lint vet\n\ngosec:\n\tgosec ./...\n", [
            "Task make verify: lint vet", "Task make gosec: gosec ./..."]),
        ("examples/README.md", "# Examples\n", ["Examples: examples/README.md"]),
        (".github/workflows/scan.yml", "name: Scan\non:\n  schedule:\n    - cron: '41 3 * * 6'\n    - cron: '*/5 * * * *'\n", [
            "Schedule of Scan: cron 41 3 * * 6 (every Saturday at 03:41 UTC), cron */5 * * * *"]),
        (".github/dependabot.yml", "updates:\n- package-ecosystem: npm\n  schedule:\n    interval: monthly\n", [
            "Schedule of Dependabot's updates of npm: monthly"]),
        (".pre-commit-config.yaml", "repos:\n- repo: https://github.com/a/tox-toml-fmt\n- repo: https://github.com/a/mirrors-mypy\n", [
            "Type checkers: mypy"]),
        (".github/workflows/ship.yml", "on: release\njobs:\n  ship:\n    uses: a/b/.github/workflows/goreleaser.yml@main\n", [
            "Release: .github/workflows/ship.yml runs on release"]),
    ],
    ids=map(str, count()),
)  # fmt: skip
def test_each_family_of_files_states_what_it_holds(path: str, text: str, expected: list[str]) -> None:
    titles = stated(path, text).values()
    assert [one for one in expected if one not in titles] == [], [*titles]


def test_what_is_installed_beside_the_project_and_what_only_tells_of_a_command_is_no_way_to_install_or_build() -> None:
    text = "# Kestrel\n\n    npm install -g osprey\n    pip install kestrel\n    ./configure --help\n    make\n"
    assert stated("README.md", text) == {"install": "Install: pip install kestrel", "build": "Build: make"}


def test_a_role_is_no_command() -> None:
    assert "test" not in stated("README.rst", "Kestrel\n=======\n\nSee :ref:`pytest <pytest:fixtures>` first.\n")


def test_what_a_tool_runs_by_itself_is_no_way_to_release_and_a_long_recipe_ends_with_a_whole_word() -> None:
    long = "docker run --rm " + "--volume /a:/b " * 9
    told = stated("package.json", json.dumps({"scripts": {"postversion": "npm publish", "test": long}}, indent=1))
    assert "release" not in told
    assert told["test"].endswith("/a:/b …)")


def test_options_and_files_of_a_command_are_neither_tools_nor_what_is_run() -> None:
    text = "# Kestrel\n\n    uv run --only-group tox tox run -e docset\n    cargo install --path . --locked\n"
    assert "test" not in stated("README.md", text)
    assert "develop" not in stated("README.md", text)
    assert stated(".pre-commit-config.yaml", "repos:\n- repo: https://github.com/a/tox-toml-fmt\n") == {}
    steps = "jobs:\n  a:\n    steps:\n    - run: pytest --junitxml out/junit.xml\n"
    assert stated(".github/workflows/ci.yml", steps)["test-tools"] == "Test tools: pytest"


WORKFLOW = """\
name: CI
on:
  push:
    tags: ['v*']
jobs:
  test:
    runs-on: ${{ matrix.os || 'ubuntu-latest' }}
    strategy:
      matrix:
        include:
          - {py: '3.10'}
          - {py: '3.14', os: windows-latest}
        db-version: ["9", "10"]
    steps:
      - uses: actions/setup-python@v5
        with:
          python-version: ${{ matrix.py }}
      - run: |
          pip install .
          python -m pytest --cov-fail-under=95
  publish:
    runs-on: ubuntu-latest
    steps:
      - run: twine upload dist/*
"""


def test_a_workflow_tells_its_systems_versions_tests_and_what_makes_a_release() -> None:
    found = stated(".github/workflows/ci.yml", WORKFLOW)
    assert found["ci-platforms"] == "CI runs on: windows-latest, ubuntu-latest"
    assert found["ci-versions"] == "Python versions tested in CI: 3.10, 3.14"
    assert found["ci-versions~2"] == "db versions tested in CI: 9, 10"
    assert found["test"] == "Run the tests: python -m pytest --cov-fail-under=95"
    assert found["coverage"] == "Required test coverage: 95%"
    assert found["release"] == "Release: .github/workflows/ci.yml runs on push (tags v*)"


def test_a_matrix_of_combinations_tells_its_systems() -> None:
    job = "runs-on: ${{ matrix.job.os }}\n    strategy: {matrix: {job: [{target: a, os: linux-9}, {target: b, os: mac-4}]}}"
    found = stated(".github/workflows/ci.yml", f"on: push\njobs:\n  test:\n    {job}\n    steps: [{{run: pytest}}]\n")
    assert found["ci-platforms"] == "CI runs on: linux-9, mac-4"


def test_whose_a_hook_is_names_no_tool() -> None:
    hooks = "repos:\n  - repo: https://github.com/pre-commit/mirrors-mypy\n    hooks: [{id: mypy}]\n"
    hooks += "  - repo: https://github.com/pre-commit/pre-commit-hooks\n    hooks: [{id: check-yaml}]\n"
    found = stated(".pre-commit-config.yaml", hooks)
    assert "linters" not in found
    assert found["type-checkers"] == "Type checkers: mypy"


MIT = """\
MIT License

Copyright (c) 2024 Ada Lovelace

Permission is hereby granted, free of charge, to any person … The above copyright notice and this
permission notice shall be included.
"""
BSD = "Redistribution and use in source and binary\nforms … Neither the name of the holder nor"


@walk(
    ("text", "expected"),
    [
        (MIT, {"license": "License: MIT", "copyright": "Copyright: 2024 Ada Lovelace"}),
        (BSD, {"license": "License: BSD-3-Clause"}),
        ("Apache License\nVersion 2.0, January 2004", {"license": "License: Apache-2.0"}),
        (f"Zope Public License (ZPL) Version 2.1\n\n{BSD}", {"license": "License: ZPL-2.1"}),
        ("All rights are ours.", {}),
    ],
    ids=["MIT", "BSD", "Apache", "Zope", "none"],
)
def test_a_license_is_known_by_its_text(text: str, expected: dict[str, str]) -> None:
    assert stated("LICENSE", text) == expected


BOMB = '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><project><artifactId>&c;</artifactId></project>'


@walk(
    ("path", "text"),
    [
        ("pyproject.toml", "[project\nname ="),
        ("pyproject.toml", "a = " + "[" * 5_000),
        ("package.json", '{"name": '),
        ("package.json", "[" * 100_000),
        ("setup.py", "def ("),
        ("setup.py", "setup(name=" + "(" * 5_000),
        ("pom.xml", "<project><a></project>"),
        ("pom.xml", BOMB),
        (".github/workflows/a.yml", "a: [b"),
        (".github/workflows/a.yml", "[" * 3_000),
    ],
    ids=map(str, count()),
)
def test_a_broken_or_hostile_file_is_named_and_states_nothing(path: str, text: str) -> None:
    (one,) = manifests.read(page(path, text), source="demo")
    assert isinstance(one, Skipped)
    assert one.reason.startswith("not valid")


def test_aliases_that_grow_without_bound_are_cut_off() -> None:
    levels = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 12))
    (one,) = manifests.read(page(".github/workflows/a.yml", f"l0: &l0 [x]\n{levels}"), source="demo")
    assert isinstance(one, Skipped)


def test_values_of_another_kind_than_expected_state_nothing() -> None:
    odd = {"name": ["a"], "license": 7, "author": None, "engines": "node", "scripts": [], "dependencies": {"a": None}}
    assert stated("package.json", json.dumps(odd)) == {}
    assert stated("pyproject.toml", "project = 3\n[tool]\nruff = 1\n[build-system]\nbuild-backend = true\n") == {}
    assert stated(".github/workflows/a.yml", "jobs: [a]\non: 3\n") == {}
    assert stated(".github/workflows/a.yml", "jobs:\n  a:\n    runs-on: {group: x}\n    steps: [1, {with: 2}]\n") == {}


def test_a_file_too_long_is_named() -> None:
    (one,) = manifests.read(page("Makefile", "#" * (manifests.MAX_CHARACTERS + 1)), source="demo")
    assert isinstance(one, Skipped)


def test_a_quoted_key_holds_what_ends_another() -> None:
    tables = '[tool.coverage.omit]\n"os == \'vax\'" = ["a.py"]\n\'say "x".y\' = 1\n["t \'u\'".v]\nw = 2\n'
    assert stated("pyproject.toml", f'{tables}[project]\nlicense = "MIT"\n') == {"license": "License: MIT"}


def test_what_a_task_only_sounds_like_it_does_is_not_stated() -> None:
    make = (
        "all:\n\t@echo kestrel\n\ninstall: out/kestrel\n\tcp out/kestrel /usr/local/bin\n\n"
        "ship:\n\t@make build\n\t@make pypi\n\ncoverage:\n\tsphinx-build -b coverage . out\n\n"
        "test-%:\n\tcargo test ${@:test-%=%}\n\nspeed:\n\tgo test -bench=.\n\nlint:\n\tbundle exec rubocop --require rubocop-minitest\n"
    )
    assert stated("Makefile", make) == {
        "task": "Task make install: cp out/kestrel /usr/local/bin",
        "release": "Release: make ship (make pypi)",
        "task~2": "Task make coverage: sphinx-build -b coverage . out",
        "task~3": "Task make speed: go test -bench=.",
        "lint": "Check or format the code: make lint (bundle exec rubocop --require rubocop-minitest)",
        "linters": "Linters: rubocop",
    }
    assert stated("setup/Makefile", "install:\n\tpip install -e .\n") == {}
    (found,) = stated("Makefile", "install:\n\tpip install -e .\n").values()
    assert found == "Set up a development environment: make install (pip install -e .)"


def test_how_a_tool_is_used_is_not_how_it_is_checked(tmp_path: Path) -> None:
    write(tmp_path, {"CONTRIBUTING.md": "# Working on ruff\n\n```sh\nruff check path\ncargo test\n```\n"})
    found = {
        one.title
        for one in read_tree(tmp_path, source="demo/ruff")
        if isinstance(one, Record) and one.type == "project"
    }
    assert found == {"Run the tests: cargo test", "Contributing guide: CONTRIBUTING.md"}


def test_a_part_of_a_project_states_what_is_its_own() -> None:
    found = stated("crates/a/Cargo.toml", '[package]\nname = "a"\nlicense = "MIT"\nrepository = "https://x.example"\n')
    assert found["name"] == "Name of crates/a: a"
    assert "repository" not in found


@walk("path", ["examples/app/package.json", "tests/data/pyproject.toml", "lib/Makefile.am", "x/tests.yml"])
def test_what_is_no_file_of_the_project_itself_is_not_read(path: str) -> None:
    assert not manifests.claims(path)


def test_a_document_stays_one_and_an_empty_manifest_is_not_named(tmp_path: Path) -> None:
    write(
        tmp_path, {"README.md": "# Kestrel\n\nKestrel watches birds at night.\n", "Makefile": "X = 1\n", "go.mod": ""}
    )
    found = [(one.ref, one.type) for one in read_tree(tmp_path, source="demo") if isinstance(one, Record)]
    assert found == [("doc:README.md", "doc"), ("project:README.md#purpose", "project")]
    assert not any(isinstance(one, Skipped) for one in read_tree(tmp_path, source="demo"))


def test_what_is_stated_becomes_a_fact_with_its_place(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": PYPROJECT})
    with open_new(tmp_path / "brain.db") as brain:
        index_records(brain, *(one for one in read_tree(tmp_path, source="demo") if isinstance(one, Record)))
        rows = brain.db.execute("select statement, excerpt, kind from facts order by id").fetchall()
    assert ("License: BSD-3-Clause (pyproject.toml line 5)", 'license = "BSD-3-Clause"', "spec") in rows


def test_the_linters_that_a_linter_runs_and_where_people_talk_are_stated() -> None:
    golangci = 'version: "2"\nlinters:\n  enable:\n    - makezero\n    - misspell\n'
    assert "Linters: makezero, misspell" in stated(".golangci.yaml", golangci).values()
    links = (
        "contact_links:\n- name: Chat\n  url: https://chat.example/owl\n- name: Bug bounty\n  url: https://b.example\n"
    )
    assert stated(".github/ISSUE_TEMPLATE/config.yml", links) == {"chat": "Chat: https://chat.example/owl"}


def test_an_address_below_the_line_that_introduces_it_is_part_of_how_to_report() -> None:
    found = stated(
        "SECURITY.md", "# Security\n\nReport a vulnerability by a mail to:\n\n[us](mailto:owls@night.example)\n"
    )
    assert found["security"] == "Report a vulnerability: Report a vulnerability by a mail to: us (owls@night.example)"
