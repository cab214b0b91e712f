"""How to do something is answered by the part of a document that holds the commands, from its heading on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cortex.composer.ask import ask
from cortex.composer.steps import with_code
from cortex.language.markdown import Span
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Answer, Record, Scope
from tests.brains import index_records, record

LONG = " ".join(f"Keep the lantern of hall {number} away from reports of leaks." for number in range(12))


def part(path: str, headings: str, body: str) -> Record:
    slug = "/".join(heading.lower().replace(" ", "-") for heading in headings.split(" › ")[1:])
    heading = headings.rpartition(" › ")[2]
    return record(f"doc:{path}#{slug}", f"## {heading}\n\n{body}", title=headings, path=path)


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("steps") / "brain.db") as brain:
        index_records(
            brain,
            part("SAFETY.md", "Safety › Reporting a leak", f"Write to leaks@dam.example at once.\n\n{LONG}"),
            part("README.md", "Dam › Building with Ninja", "Out of the tree, please."),
            part(
                "README.md", "Dam › Building with Ninja › On Linux",
                "```sh\nninja -C out      # compile it all\nninja -C out test # run the tests\n```",
            ),
            part("README.md", "Dam › Do not", "Never do it like this:\n\n```\ngate drain --force\n```"),
            part("README.md", "Dam › Drain (old way, removed in 2.0)", "```\ngate drain --old\n```"),
            part("README.md", "Dam › Draining", "Drain a basin:\n\n```\ngate drain latest\n```"),
            part(
                "README.md", "Dam › Emptying barges",
                "Do not run:\n\n    barge empty --all\n\nRun instead:\n\n    barge prune",
            ),
            part(
                "README.md", "Dam › Greasing a hinge",
                "Nobody greases one any more with:\n\n```\nhinge grease --all\n```\n\n"
                "That ruins seals. Use\n\n```\nhinge oil\n```",
            ),
            part(
                "README.md", "Dam › Weighing the crates",
                "Rather than\n\n```\ncrate weigh\n```\n\ntake\n\n```\nscale read crate\n```",
            ),
            part(
                "README.md", "Dam › Lowering the boom",
                "Some were tempted to do\n\n```\nboom lower --quick\n```\n\nand broke its chain, so ring the office.",
            ),
            part("README.md", "Dam › Flushing a pipe", "> **Note**: all downstream is lost.\n\n```\npipe flush\n```"),
            part(
                "README.md", "Dam › Moving a pump",
                "To move a pump by crane:\n\n```\npump lift\n```\n\nTo move a pump by raft:\n\n```\npump float\n```",
            ),
            part(
                "README.md", "Dam › Painting buoys",
                "Buoys last longer with it.\n\nThe command here is of no effect:\n\n    $ buoy paint\n\n"
                "What works:\n\n    $ buoy spray\n",
            ),
            part("README.md", "Dam › Sluices", "Sluices are opened by hand.\n\n    $ sluice open 3"),
            *(
                record(f"pull:{number}", f"Run the tests on board {number}\n\nWe run the tests there.", state="merged")
                for number in range(1, 9)
            ),
        )  # fmt: skip
        yield brain


def asked(brain: Brain, text: str) -> Answer:
    return ask(brain, text, scope=Scope())


def test_the_first_sentence_below_the_heading_that_is_asked_is_told(guide: Brain) -> None:
    first = asked(guide, "How do I report a leak?").answer.split("\n")[0]
    assert "Write to leaks@dam.example at once." in first


def test_the_part_that_holds_the_commands_comes_before_threads(guide: Brain) -> None:
    first = asked(guide, "How do I run the tests?").citations[0]
    assert first.record.ref == "doc:README.md#building-with-ninja/on-linux"
    assert "ninja -C out test" in first.excerpt


def test_commands_below_a_heading_that_is_asked_are_told_with_it(guide: Brain) -> None:
    refs = [one.record.ref for one in asked(guide, "How do I build with Ninja?").citations]
    assert "doc:README.md#building-with-ninja/on-linux" in refs[:2]


@pytest.mark.parametrize("text", ["How do I open a sluice?", "How do I open the sluices?"])
def test_code_that_follows_is_in_what_is_told(guide: Brain, text: str) -> None:
    assert "sluice open 3" in asked(guide, text).answer.split("\n")[0]


def test_a_command_is_told_with_the_line_that_introduces_it_before_what_is_forbidden_or_gone(guide: Brain) -> None:
    lines = asked(guide, "How do I drain a basin?").answer.split("\n")
    assert "Drain a basin:" in lines[0]
    assert "gate drain latest" in lines[0]
    assert all("Never do it like this" in line for line in lines if "--force" in line)


@pytest.mark.parametrize("text", ["How do I empty barges?", "How do I empty all barges?"])
def test_what_is_to_be_run_instead_is_told_first(guide: Brain, text: str) -> None:
    lines = asked(guide, text).answer.split("\n")
    assert "Run instead: barge prune" in lines[0]
    assert "--all" not in lines[0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("How do I grease a hinge?", ("any more", "--all", "That ruins seals", "hinge oil")),
        ("How do I weigh the crates?", ("Rather than", "crate weigh", "take", "scale read crate")),
        ("How do I weigh crates by hand?", ("Rather than", "crate weigh", "take", "scale read crate")),
        ("How do I lower the boom?", ("Some were tempted to do", "--quick", "and broke its chain")),
        ("How do I flush a pipe?", ("all downstream is lost", "pipe flush")),
        ("How do I move a pump?", ("by crane", "pump lift", "by raft", "pump float")),
        ("How do I paint buoys?", ("of no effect", "buoy paint", "What works", "buoy spray")),
    ],
    ids=["what was", "rather than", "half its heading", "goes on", "a note above", "two ways", "indented"],
)
def test_a_command_is_told_with_what_stands_beside_it_in_its_part(
    guide: Brain, text: str, told: tuple[str, ...]
) -> None:
    first = asked(guide, text).answer.split("\n")[0]
    assert [one for one in told if one not in first] == [], first


def test_one_way_of_two_is_told_from_the_line_that_says_what_is_asked(guide: Brain) -> None:
    first = asked(guide, "How do I move a pump by raft?").answer.split("\n")[0]
    assert "pump float" in first
    assert "pump lift" not in first


def test_who_asks_for_no_steps_gets_no_document_first_for_its_commands(guide: Brain) -> None:
    assert asked(guide, "Which pull request runs the tests on board 3?").citations[0].record.ref == "pull:3"


@pytest.mark.parametrize(
    ("body", "end"),
    [
        ("Run it:\n\n    $ make\n    $ make install\n\nDone.", "install"),
        ("Run it:\n\n```\nmake\n```\n\nDone.", "```"),
        ("Run it:\n\nor not.\n\n    $ make", "it:"),
        ("Run it:\n\n    $ " + "make " * 90, "it:"),
    ],
    ids=["indented", "fenced", "not at once", "too long"],
)
def test_a_window_goes_on_with_the_code_right_behind_it_as_far_as_it_fits(body: str, end: str) -> None:
    assert body[: with_code(body, Span(0, 7), 60).end].endswith(end)
