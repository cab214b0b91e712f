from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortex.indexers.connectors import decisions, directives
from cortex.indexers.connectors.pages import page
from cortex.substrate.model import Record, Skipped, storable
from tests.tables import walk
from tests.trees import by_ref, records, skipped, write


def read(text: str, path: str = "AGENTS.md") -> list[Record]:
    return [item for item in directives.read(page(path, text), source="demo") if isinstance(item, Record)]


def rules(text: str, path: str = "AGENTS.md") -> list[tuple[str, str]]:
    return [(record.title, record.body) for record in read(text, path)]


SEED = """\
# Interface rules

Write for people who are in a hurry.

## Packets

- No native form controls: use clickable rows,
  not `<select>` or `<input>`.
- [ ] One font: Plus Jakarta Sans.
1. Run this before every commit:

   ```sh
   npx tsc --noEmit
   ```

| File | Lines |
|------|-------|
| *.tsx | 800 |
| *.css | 400 |
"""


def test_every_item_paragraph_and_row_is_a_rule_with_its_number() -> None:
    assert [(r.ref, r.title, r.body, r.lines) for r in read(SEED, "seed-ui.md")] == [
        ("directive:seed-ui.md#1", "Interface rules", "Write for people who are in a hurry.", (3, 3)),
        (
            "directive:seed-ui.md#2",
            "Interface rules › Packets",
            "No native form controls: use clickable rows,\n  not `<select>` or `<input>`.",
            (7, 8),
        ),
        ("directive:seed-ui.md#3", "Interface rules › Packets", "One font: Plus Jakarta Sans.", (9, 9)),
        (
            "directive:seed-ui.md#4",
            "Interface rules › Packets",
            "Run this before every commit:\n\n   ```sh\n   npx tsc --noEmit\n   ```",
            (10, 14),
        ),
        ("directive:seed-ui.md#5", "Interface rules › Packets › File / Lines", "| *.tsx | 800 |", (18, 18)),
        ("directive:seed-ui.md#6", "Interface rules › Packets › File / Lines", "| *.css | 400 |", (19, 19)),
    ]
    assert {(r.type, r.state, r.path) for r in read(SEED, "seed-ui.md")} == {("directive", "active", "seed-ui.md")}


@walk(
    ("text", "expected"),
    [
        ("- Names\n  - verbs\n  - plurals\n", [("AGENTS.md › Names", "verbs"), ("AGENTS.md › Names", "plurals")]),
        ("- Be *kind*.\n  - Say why.\n", [("AGENTS.md", "Be *kind*."), ("AGENTS.md › Be kind.", "Say why.")]),
        ("- A\n  - B\n    - c\n", [("AGENTS.md › A › B", "c")]),
        (
            "- Use spaces\n  Indented continuation.\n  - two of them\n",
            [
                ("AGENTS.md", "Use spaces\n  Indented continuation."),
                ("AGENTS.md › Use spaces Indented continuation.", "two of them"),
            ],
        ),
        (
            "- Be kind.\n\n  Most of all:\n\n  ```\n  x\n  ```\n  - to people\n",
            [
                ("AGENTS.md", "Be kind.\n\n  Most of all:\n\n  ```\n  x\n  ```"),
                ("AGENTS.md › Be kind. Most of all", "to people"),
            ],
        ),
        ("Always:\n\n- a\n- b\n", [("AGENTS.md › Always", "a"), ("AGENTS.md › Always", "b")]),
        (
            "We use gears. Each of them:\n\n- a\n",
            [("AGENTS.md", "We use gears. Each of them:"), ("AGENTS.md › Each of them", "a")],
        ),
        (
            "Chosen: A, because\n\n* it turns\n",
            [("AGENTS.md › Chosen: A, because", "it turns")],
        ),
        (
            "- Use conventional commit messages\n  - feat for features\n",
            [
                ("AGENTS.md", "Use conventional commit messages"),
                ("AGENTS.md › Use conventional commit messages", "feat for features"),
            ],
        ),
        ("Run:\n\n```\nmake\n```\n", [("AGENTS.md", "Run:\n\n```\nmake\n```")]),
        ("```\nmake\n```\n", [("AGENTS.md", "```\nmake\n```")]),
        ("- a\n\n```\nmake\n```\n", [("AGENTS.md", "a\n\n```\nmake\n```")]),
        ("> Never *ever*.\n> Really.\n", [("AGENTS.md", "Never *ever*.\n> Really.")]),
        ("a\n\n---\n\nb\n", [("AGENTS.md", "a"), ("AGENTS.md", "b")]),
        ("<!-- - hidden -->\n\n- a\n", [("AGENTS.md", "a")]),
        ("<important>\n- a\n- b\n</important>\n", [("AGENTS.md", "a"), ("AGENTS.md", "b")]),
        ("@AGENTS.md\n\n- a\n\n@docs/x.md\n", [("AGENTS.md", "a")]),
        ("- a\r\n- b\r\n", [("AGENTS.md", "a"), ("AGENTS.md", "b")]),
        ("- a\n\n  more of a\n\n- b\n", [("AGENTS.md", "a\n\n  more of a"), ("AGENTS.md", "b")]),
    ],
    ids=[
        "parents", "sentence", "deeper", "continued", "continued below", "introduction",
        "introducing sentence", "unfinished",
        "bare parent", "code below", "code alone",
        "code after",
        "quote", "rule across", "comment", "tags", "imports", "crlf", "paragraphs",
    ],
)  # fmt: skip
def test_a_rule_is_what_a_reader_takes_for_one(text: str, expected: list[tuple[str, str]]) -> None:
    assert rules(text) == expected


DIGITS = "# A\n\n| Min | Max |\n|---|---|\n| 1 | 2 |\n| 3 | lines |\n\n- 42\n- 4 spaces\n"


def test_numbers_alone_are_no_rule() -> None:
    assert [record.body for record in read(DIGITS, "AGENTS.md")] == ["| 3 | lines |", "4 spaces"]


@pytest.mark.parametrize(
    "path",
    [
        "seed-ui.md", "docs/seed-api.md", "AGENTS.md", "a/b/AGENTS.md", "CLAUDE.md", "GEMINI.md", ".cursorrules",
        ".kiro/steering/tech.md", ".continue/rules/a.md", ".amazonq/rules/a.md", "web/.trae/rules/project_rules.md",
        ".cursor/rules/ui.mdc", "web/.cursor/rules/deep/ui.md", ".windsurfrules", ".clinerules", ".rules",
        ".github/copilot-instructions.md", ".github/instructions/ui.instructions.md",
    ],
)  # fmt: skip
def test_a_directive_file_is_known_by_its_name_anywhere(tmp_path: Path, path: str) -> None:
    write(tmp_path, {path: "- One rule\n"})
    assert [(r.ref, r.type) for r in records(tmp_path)] == [(f"directive:{path}#1", "directive")]


@pytest.mark.parametrize("path", ["docs/agents.md", "reseed-x.md", "MYAGENTS.md", "rules/ui.md"])
def test_a_document_about_agents_is_a_document(tmp_path: Path, path: str) -> None:
    assert {r.type for r in records(write(tmp_path, {path: "- One rule\n"}))} == {"doc"}


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("description: State\nglobs: *.ts,*.tsx\nalwaysApply: false", "State (*.ts,*.tsx)"),
        ("description: State\nglobs: ['src/**']", "State (src/**)"),
        ("description:\nglobs:\nalwaysApply: true", ".cursor/rules/ui.mdc"),
        ("applyTo: '**'", ".cursor/rules/ui.mdc"),
    ],
    ids=["no yaml", "list", "empty", "everywhere"],
)
def test_an_editors_rule_says_what_it_is_for(tmp_path: Path, front: str, title: str) -> None:
    write(tmp_path, {".cursor/rules/ui.mdc": f"---\n{front}\n---\n- One rule\n"})
    assert [(r.title, r.body) for r in records(tmp_path)] == [(title, "One rule")]
    assert skipped(tmp_path) == {}


NYGARD = """\
# {number}. {name}

Date: 2024-05-0{number}

## Status

{status}

## Context

There are gears.

## Decision

We will use {name}:

- always
- everywhere

## Consequences

Noise.
"""
MADR = """\
---
status: "{status}"
date: 2024-05-06
decision-makers: [Ada, Bob]
---
# {name}

## Context and Problem Statement

Which one?

## Considered Options

* A
* B

## Decision Outcome

Chosen option: "A", because it turns.

### Consequences

* Good, because it turns

## More Information

None.
"""
MADR_2 = """\
# {name}

* Status: {status}
* Deciders: Ada, Bob
* Date: 2024-05-06

Technical Story: none

## Decision Drivers

* Noise

## Decision Outcome

Chosen option: "A", because it turns.

### Positive Consequences

* None

## Links

* Refined by nobody
"""
Y_STATEMENT = "# {name}\n\n**Status:** {status}  \n**Date:** 6 May 2024\n\nFacing noise, we decided for A.\n"


def decision(tmp_path: Path, style: str, status: str) -> dict[str, Record]:
    return by_ref(write(tmp_path, {"docs/adr/0001-gears.md": style.format(number=1, name="Gears", status=status)}))


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        (NYGARD, {"doc": ["", "#status", "#context", "#consequences"], "directive": ["#1", "#2", "#3"]}),
        (
            MADR,
            {
                "doc": [
                    "", "#context-and-problem-statement", "#considered-options", "#decision-outcome/consequences",
                    "#more-information",
                ],
                "directive": ["#1"],
            },
        ),
        (
            MADR_2,
            {
                "doc": ["", "#decision-drivers", "#decision-outcome/positive-consequences", "#links"],
                "directive": ["#1"],
            },
        ),
        (Y_STATEMENT, {"doc": [""], "directive": ["#1"]}),
    ],
    ids=["nygard", "madr", "madr 2", "y-statement"],
)  # fmt: skip
def test_what_an_accepted_decision_says_is_a_directive(
    tmp_path: Path, style: str, expected: dict[str, list[str]]
) -> None:
    found = decision(tmp_path, style, "Accepted")
    by_type = {kind: [r.ref.removeprefix(f"{kind}:docs/adr/0001-gears.md") for r in found.values() if r.type == kind]
               for kind in ("doc", "directive")}  # fmt: skip
    assert by_type == expected
    assert {record.state for record in found.values()} == {"accepted"}
    assert {record.created_at.month for record in found.values() if record.created_at} == {5}
    assert skipped(tmp_path) == {}


def test_the_rules_of_a_decision_are_its_paragraphs_and_items(tmp_path: Path) -> None:
    found = [r for r in decision(tmp_path, NYGARD, "Accepted").values() if r.type == "directive"]
    assert [(r.title, r.body) for r in found] == [
        ("1. Gears › Decision", "We will use Gears:"),
        ("1. Gears › Decision › We will use Gears", "always"),
        ("1. Gears › Decision › We will use Gears", "everywhere"),
    ]


@pytest.mark.parametrize("style", [NYGARD, MADR, MADR_2, Y_STATEMENT], ids=["nygard", "madr", "madr 2", "y-statement"])
@pytest.mark.parametrize("status", ["proposed", "rejected", "deprecated", "superseded"])
def test_a_decision_that_does_not_stand_is_a_document(tmp_path: Path, style: str, status: str) -> None:
    found = decision(tmp_path, style, status)
    assert {(record.type, record.state) for record in found.values()} == {("doc", status)}
    assert any("A" in record.body or "We will" in record.body for record in found.values())


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("ACCEPTED", "accepted"),
        ("**Accepted** 2024-05-06", "accepted"),
        ("Accepted (was proposed)", "accepted"),
        ("Approved", "accepted"),
        ("Draft", "proposed"),
        ("In Review", "proposed"),
        ("Not accepted", "rejected"),
        ("Not accepted yet", "proposed"),
        ("Not yet accepted", "proposed"),
        ("~~Proposed~~ Accepted", "accepted"),
        ("Accepted, not implemented yet", "accepted"),
        ("Superceded by something else", "superseded"),
        ("Accepted, partially superseded by 9", "accepted"),
        ("Supersedes nothing; accepted", "accepted"),
        ("Parked, for now", "parked"),
        ("- 2024-05-01: proposed\n- 2024-05-06: accepted", "accepted"),
        ("<!-- one of: proposed, accepted -->\nAccepted", "accepted"),
    ],
)
def test_a_status_is_read_however_it_is_written(tmp_path: Path, status: str, state: str) -> None:
    assert {record.state for record in decision(tmp_path, NYGARD, status).values()} == {state}


@pytest.mark.parametrize(
    "style", ["# {}\n\nStatus: {}\n", "# {}\n\n## Status\n\n{}\n", "---\nstatus: '{1}'\n---\n# {0}\n"]
)
@pytest.mark.parametrize(
    ("status", "day"),
    [
        ("accepted, 2024-05-06", "2024-05-06"),
        ("Accepted (2024-05-06)", "2024-05-06"),
        ("**Accepted** on 6 May 2024", "2024-05-06"),
        ("2024-05-06 accepted", "2024-05-06"),
        ("proposed 2024-05-01, accepted 2024-05-06", "2024-05-06"),
        ("accepted 2024-05-06, superseded by ADR 5 on 2024-09-01", "2024-05-06"),
        ("superseded by ADR 5, 2024-09-01", ""),
        ("superseded by ADR 5 (accepted 2024-09-01)", ""),
        ("deprecated, 2024-09-01", ""),
        ("accepted; next review 2025-05-06", ""),
        ("accepted", ""),
    ],
)
def test_a_decision_is_of_the_day_beside_its_status(tmp_path: Path, style: str, status: str, day: str) -> None:
    text = style.format("Gears", status) + "\n## Decision\n\nWe will oil the gears.\n"
    found = by_ref(write(tmp_path, {"docs/adr/0001-gears.md": text}))["doc:docs/adr/0001-gears.md"]
    assert (f"{found.created_at:%Y-%m-%d}" if found.created_at else "") == day


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Superseded by [ADR 2](0002-wheels.md)", "Accepted"),
        ("Superceded by [2. Wheels](0002-wheels.md)", "Accepted\n\nSupercedes [1. Gears](0001-gears.md)"),
        ("Superseded by ADR-0002", "Accepted"),
        ("Superseded by 0002-wheels.md", "Accepted"),
        ("Replaced by 2", "Accepted"),
        ("Accepted", "Accepted\n\nSupersedes ADR-1"),
        ("Accepted", "Accepted, replaces [gears](./0001-gears.md#decision) as of 2024-05-06"),
    ],
)
def test_the_newer_decision_points_at_the_one_it_supersedes(tmp_path: Path, older: str, newer: str) -> None:
    write(tmp_path, {"docs/adr/0001-gears.md": NYGARD.format(number=1, name="Gears", status=older)})
    write(tmp_path, {"docs/adr/0002-wheels.md": NYGARD.format(number=2, name="Wheels", status=newer)})
    found = by_ref(tmp_path)
    links = [(ref, link.relation, link.to_ref) for ref, record in found.items() for link in record.links]
    assert links == [("doc:docs/adr/0002-wheels.md", "supersedes", "doc:docs/adr/0001-gears.md")]
    assert {record.state for record in found.values() if "0001" in record.path} == {"superseded"}
    assert {record.path for record in found.values() if record.type == "directive"} == {"docs/adr/0002-wheels.md"}
    assert skipped(tmp_path) == {}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Accepted", "Accepted\n\nAmends ADR 1"),
        ("Accepted", "Accepted\n\nAmends [1. Gears](0001-gears.md)"),
        ("Accepted", "Accepted\n\nPartially supersedes ADR 1"),
        ("Accepted\n\nAmended by [2. Wheels](0002-wheels.md)", "Accepted"),
        ("Amended by ADR 2", "Accepted"),
        ("Accepted, partially superseded by 2", "Accepted"),
    ],
)
def test_a_decision_that_is_amended_stands_and_the_other_points_at_it(tmp_path: Path, older: str, newer: str) -> None:
    write(tmp_path, {"docs/adr/0001-gears.md": NYGARD.format(number=1, name="Gears", status=older)})
    write(tmp_path, {"docs/adr/0002-wheels.md": NYGARD.format(number=2, name="Wheels", status=newer)})
    found = by_ref(tmp_path)
    links = [(ref, link.relation, link.to_ref) for ref, record in found.items() for link in record.links]
    assert links == [("doc:docs/adr/0002-wheels.md", "amends", "doc:docs/adr/0001-gears.md")]
    assert {record.state for record in found.values()} == {"accepted"}
    assert skipped(tmp_path) == {}


def test_a_decision_that_is_superseded_is_so_whatever_amended_it_before(tmp_path: Path) -> None:
    status = "Superseded by ADR 3\n\nAmended by ADR 2"
    write(tmp_path, {f"docs/adr/000{n}-x.md": f"# X {n}\n\n## Status\n\nAccepted\n" for n in (2, 3)})
    write(tmp_path, {"docs/adr/0001-gears.md": NYGARD.format(number=1, name="Gears", status=status)})
    assert {one.state for one in records(tmp_path) if "0001" in one.path} == {"superseded"}


def test_a_field_names_what_a_decision_amends_unless_it_is_but_proposed(tmp_path: Path) -> None:
    text = "# {}\n\nStatus: {}\nAmends: ADR 1\n\n## Decision\n\nWe will oil.\n"
    write(tmp_path, {"adr/0001-a.md": "# A\n\nStatus: accepted\n\n## Decision\n\nWe will wait.\n"})
    write(tmp_path, {"adr/0002-b.md": text.format("B", "accepted"), "adr/0003-c.md": text.format("C", "proposed")})
    found = by_ref(tmp_path)
    assert [link.relation for link in found["doc:adr/0002-b.md"].links] == ["amends"]
    assert found["doc:adr/0003-c.md"].links == ()


def test_front_matter_names_what_a_decision_supersedes(tmp_path: Path) -> None:
    newer = MADR.replace("date:", "supersedes: [1, 0002-b.md]\ndate:").format(name="C", status="accepted")
    write(tmp_path, {f"decisions/000{n}-{name}.md": f"# {name}\n\nText.\n" for n, name in enumerate("abc", 1)})
    write(tmp_path, {"decisions/0003-c.md": newer})
    assert [link.to_ref for link in by_ref(tmp_path)["doc:decisions/0003-c.md"].links] == [
        "doc:decisions/0001-a.md",
        "doc:decisions/0002-b.md",
    ]
    assert {r.author for r in records(tmp_path) if r.path.endswith("c.md")} == {"Ada, Bob"}


def test_a_decision_only_proposed_supersedes_nothing_yet(tmp_path: Path) -> None:
    write(tmp_path, {"docs/adr/0001-gears.md": NYGARD.format(number=1, name="Gears", status="Accepted")})
    write(tmp_path, {"docs/adr/0002-b.md": NYGARD.format(number=2, name="B", status="Proposed\n\nSupersedes ADR 1")})
    assert [record for record in records(tmp_path) if record.links] == []
    assert {r.state for r in records(tmp_path) if "0001" in r.path} == {"accepted"}


def test_two_decisions_that_supersede_each_other_stop_nothing(tmp_path: Path) -> None:
    for n, other in ((1, 2), (2, 1)):
        text = NYGARD.format(number=n, name="X", status=f"Accepted. Supersedes ADR {other} and ADR {n}")
        write(tmp_path, {f"docs/adr/000{n}-x.md": text})
    assert {record.state for record in records(tmp_path)} == {"superseded"}


def test_a_decision_that_is_only_headings_is_still_there_to_be_named(tmp_path: Path) -> None:
    write(tmp_path, {"adr/0001-a.md": "# A\n\n## Status\n\nSuperseded by 2\n", "adr/0002-b.md": "# B\n"})
    assert [link.to_ref for link in by_ref(tmp_path)["doc:adr/0002-b.md"].links] == ["doc:adr/0001-a.md"]
    assert by_ref(tmp_path)["doc:adr/0001-a.md"].body == "# A"


def test_a_decision_in_restructured_text_is_read_too(tmp_path: Path) -> None:
    text = "Gears\n=====\n\n:Status: Accepted\n"
    text += "\nDecision\n--------\n\nWe use gears.\n\n* always\n\nContext\n-------\n\nNo."
    found = by_ref(write(tmp_path, {"docs/decisions/0001-gears.rst": text}))
    assert [(r.ref, r.body) for r in found.values() if r.type == "directive"] == [
        ("directive:docs/decisions/0001-gears.rst#1", "We use gears."),
        ("directive:docs/decisions/0001-gears.rst#2", "always"),
    ]
    assert {r.state for r in found.values()} == {"accepted"}


@pytest.mark.parametrize(
    "path", ["docs/adr/README.md", "docs/adr/index.md", "docs/adr/template.md", "adr/adr-template.md"]
)
def test_indexes_and_templates_are_documents(tmp_path: Path, path: str) -> None:
    found = records(write(tmp_path, {path: NYGARD.format(number=1, name="X", status="Accepted")}))
    assert {(record.type, record.state) for record in found} == {("doc", "")}


@walk(
    "path",
    [
        "docs/adr/1.md",
        "docs/adrs/a.md",
        "doc/adr/a.md",
        "adr/a.md",
        "decisions/a.md",
        "architecture/decisions/2024/a.md",
    ],
)
def test_decision_records_are_known_by_their_folder(path: str) -> None:
    assert decisions.claims(path)


PARTS = st.sampled_from(
    [
        "# T", "## Decision", "## Status", "Accepted", "- a", "  - b:", "    - c.", "1. d", "> q", "```",
        "| a |\n|---|\n| b |",
        "", "", "text", "<b>", "<!-- c", "-->", "Status: accepted", "Supersedes ADR 1 and [x](y.md)", "    code", "@x",
        "---", "***",
    ]
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(PARTS, max_size=40).map("\n".join), st.lists(PARTS, max_size=40).map("\r\n".join)))
def test_whatever_the_text_every_rule_stands_at_its_lines(text: str) -> None:
    found = page("docs/adr/0001-a.md", storable(text))
    decided = decisions.read(found, decisions.standing([found]), source="demo")
    items = [*directives.read(found, source="demo"), *decided]
    for record in (item for item in items if not isinstance(item, Skipped)):
        assert record.lines is not None
        first, last = record.lines
        stands = found.text[found.starts[first - 1] : found.starts[last]]
        assert record.body in stands
        assert "\n" not in record.title
    refs = [item.ref for item in items if isinstance(item, Record) and item.type == "directive"]
    assert all(ref.startswith("directive:docs/adr/0001-a.md#") for ref in refs)
