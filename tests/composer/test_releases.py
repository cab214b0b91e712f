"""What a changelog tells of releases: which is the latest, when one was made, what changed in it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record

NOW = datetime(2026, 11, 22, tzinfo=UTC)

TOLD = {
    "Changelog › Unreleased › Added": "A panel for tides.",
    "Changelog › [2.1.0-rc1] - 2026-09-01 › Added": "A draft of the new planner.",
    "Changelog › [2.0.0] - 2026-08-03 › Added": "Berths are planned by ship.",
    "Changelog › [2.0.0] - 2026-08-03 › Removed": "The export as PDF is gone.",
    "Changelog › v1.10.0 (2026-02-01)": "Tugs are told by radio.",
    "Changelog › v1.9.0 (2025-11-20)": "Cranes are numbered.",
    "Changelog › How we release": "Every Tuesday.",
}


@pytest.fixture(name="released")
def _released(brain: Brain) -> Brain:
    told = [
        record(f"doc:CHANGELOG.md#part-{place}", body, title=title, path="CHANGELOG.md", lines=(10 * place, 10 * place))
        for place, (title, body) in enumerate(TOLD.items(), 1)
    ]
    guide = record(
        "doc:docs/guide.md#2-0", "Use the latest version.", title="Guide › 2.0.0 and later", path="docs/guide.md"
    )
    index_records(brain, *told, guide)
    return brain


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("When was 2.0.0 released?", "Changelog › [2.0.0] - 2026-08-03"),
        ("When did version 1.10.0 come out?", "Changelog › v1.10.0 (2026-02-01)"),
        ("What was removed in 2.0.0?", "Changelog › [2.0.0] - 2026-08-03 › Removed"),
        ("What changed in v1.9.0?", "Changelog › v1.9.0 (2025-11-20)"),
        ("What is the latest release?", "Changelog › [2.0.0] - 2026-08-03"),
        ("What is our current version?", "Changelog › [2.0.0] - 2026-08-03"),
        ("How many releases were there?", "3 in all: Changelog › [2.0.0] - 2026-08-03"),
    ],
)
def test_a_release_is_told_by_its_part_of_the_changelog(released: Brain, question: str, first: str) -> None:
    answer = ask(released, question, scope=Scope())
    assert answer.answer.startswith(first), answer.answer
    assert answer.evidence == "strong"


def test_every_release_is_listed_the_newest_first(released: Brain) -> None:
    answer = ask(released, "Which releases are there?", scope=Scope())
    assert [citation.record.ref[-1] for citation in answer.citations] == ["2", "3", "5", "6"]


@pytest.mark.parametrize("question", ["When was 3.0.0 released?", "When was tide 2.0 cut?", "What is the latest tug?"])
def test_what_no_changelog_tells_is_not_answered_by_it(released: Brain, question: str) -> None:
    assert "in all" not in ask(released, question, scope=Scope()).answer
    assert not ask(released, question, scope=Scope()).answer.startswith("Changelog › [2.1")


def test_what_was_released_later_is_not_known_before(released: Brain) -> None:
    answer = ask(released, "What is the latest release?", scope=Scope(), as_of=datetime(2026, 3, 1, tzinfo=UTC))
    assert not answer.refused
    assert answer.answer.startswith("Changelog › v1.10.0 (2026-02-01)")


def changelog(*titles: str, path: str = "CHANGELOG.md") -> list[Record]:
    """The parts of a changelog, the first line of each telling its heading."""
    return [
        record(f"doc:{path}#part-{place}", f"Told by part {place}: {title}.", title=f"Changelog › {title}", path=path,
               lines=(10 * place, 10 * place))
        for place, title in enumerate(titles, 1)
    ]  # fmt: skip


def told(brain: Brain, question: str) -> list[str]:
    """The headings of what answers."""
    answer = ask(brain, question, scope=Scope(), now=NOW)
    return [one.record.title.removeprefix("Changelog › ") for one in answer.citations]


@pytest.mark.parametrize(
    ("titles", "latest"),
    [
        (("2.0.0", "1.9.0 - 2024-01-01", "1.8.0 - 2023-01-01"), "2.0.0"),
        (("2.0.0 (6 May 2024)", "1.9.0 (2024-01-01)"), "2.0.0 (6 May 2024)"),
        (("2.0.0 / 06.05.2024", "1.9.0 / 01.01.2024"), "2.0.0 / 06.05.2024"),
        (('Version 2.0 "Heron" (Sept. 6th, 2024)', "Version 1.9"), 'Version 2.0 "Heron" (Sept. 6th, 2024)'),
        (("1.9.5 - 2024-06-01", "2.0.0 - 2024-05-06", "1.9.4 - 2024-01-06"), "2.0.0 - 2024-05-06"),
        (("1.10.0", "1.9.0", "1.9.0-rc1"), "1.10.0"),
        (("3.0.0 [YANKED] - 2024-05-06", "2.9.0 - 2024-01-06"), "2.9.0 - 2024-01-06"),
        (("3.1.0 - 2027-05-06", "3.0.0 - 2024-01-06"), "3.0.0 - 2024-01-06"),
        (("3.1.0 (unreleased)", "3.0.0 - 2024-01-06"), "3.0.0 - 2024-01-06"),
        (("1.0.0 - 2024-05-06", "2019.4 - 2019-04-01", "2018.1 - 2018-01-01"), "1.0.0 - 2024-05-06"),
        (("gulls 3.4.0, 12 March 2024", "gulls 3.3.0, 1 Feb 2024", "3.2.0"), "gulls 3.4.0, 12 March 2024"),
        (("v4", "v3 (2024-01-06)", "v3-rc1"), "v4"),
        (("Release 12", "Release 11"), "Release 12"),
        (("2.0.0 › Python 3.9", "1.9.0 › Fixed"), "2.0.0 › Python 3.9"),
        (("2.0.0 - 2024-05-06", "3.0 API", "From 1.0 to 4.0", "3.1 – 3.4"), "2.0.0 - 2024-05-06"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_latest_release_is_that_of_the_highest_version_that_was_made_and_stands(
    brain: Brain, titles: tuple[str, ...], latest: str
) -> None:
    index_records(brain, *changelog(*titles))
    assert told(brain, "What is the latest release?") == [latest]


@pytest.mark.parametrize(
    ("question", "headings"),
    [
        ("What changed since 1.0.0?", ["2.0.0 › Added", "1.1.0", "1.1.0 › Security", "1.1.0 › Fixed"]),
        ("What changed after 1.1.0?", ["2.0.0 › Added"]),
        ("What changed between 0.9.0 and 1.0.0?", ["v1.0.0"]),
        ("What was added since 1.0.0?", ["2.0.0 › Added"]),
        ("What changed in v2?", ["2.0.0 › Added"]),
        ("What changed since version 1?", ["2.0.0 › Added", "1.1.0", "1.1.0 › Security", "1.1.0 › Fixed"]),
        ("What changed in 1.1.0?", ["1.1.0", "1.1.0 › Security", "1.1.0 › Fixed"]),
        ("What did 1.1.0 fix?", ["1.1.0 › Security", "1.1.0 › Fixed", "1.1.0"]),
        ("What security fixes were made in 1.1.0?", ["1.1.0 › Security", "1.1.0"]),
        ("What was removed in 1.1.0?", []),
        ("Which fixes are in 1.1.0?", ["1.1.0 › Security", "1.1.0 › Fixed", "1.1.0"]),
        ("What was removed in 1.0.0?", ["v1.0.0"]),
        ("Is 1.1.0 the latest version?", ["2.0.0 › Added", "1.1.0"]),
        ("Is there a newer version than 1.0.0?", ["2.0.0 › Added"]),
        ("What is the latest release before 2.0.0?", ["1.1.0", "1.1.0 › Security", "1.1.0 › Fixed"]),
        ("What was the first release?", ["0.9.0"]),
        ("What was the release before 2.0.0?", ["1.1.0", "1.1.0 › Security", "1.1.0 › Fixed"]),
        ("Which release came right before 1.0.0?", ["0.9.0"]),
        ("Which version followed 0.9.0?", ["v1.0.0"]),
        ("What changed in the release after 1.1.0?", ["2.0.0 › Added"]),
        ("What changed since the last release?", ["Unreleased › Added"]),
        ("Which releases fixed security bugs?", ["1.1.0 › Security"]),
        ("What changed in 0.99.0?", []),
        ("What is the next release?", ["Unreleased › Added"]),
        ("Which version is the newest?", ["2.0.0 › Added"]),
        ("What version are we on?", ["2.0.0 › Added"]),
        ("Has 1.0.0 been released?", ["v1.0.0"]),
        ("How many releases are there?", ["2.0.0 › Added", "1.1.0", "v1.0.0", "0.9.0"]),
        ("When was 1.0.0 released?", []),
    ],
)
def test_a_span_of_releases_and_one_release_are_told_whole(brain: Brain, question: str, headings: list[str]) -> None:
    titles = ("Unreleased › Added", "2.0.0 › Added", "1.1.0", "1.1.0 › Fixed", "1.1.0 › Security", "v1.0.0", "0.9.0")
    index_records(brain, *changelog(*titles))
    assert told(brain, question) == headings


def test_the_changelog_of_the_project_comes_before_those_of_its_packages(brain: Brain) -> None:
    index_records(
        brain,
        *changelog("1.2.0 - 2024-05-06"),
        *changelog("7.0.0 - 2024-01-06", path="packages/ui/CHANGELOG.md"),
        *changelog("1.2.0 - 2022-05-06", path="packages/cli/CHANGELOG.md"),
    )
    assert told(brain, "What is the latest release?") == ["1.2.0 - 2024-05-06"]
    assert told(brain, "What is the latest release of ui?") == ["7.0.0 - 2024-01-06"]
    assert told(brain, "What changed in 7.0.0?") == ["7.0.0 - 2024-01-06"]
    assert told(brain, "When was 1.2.0 of the cli released?") == ["1.2.0 - 2022-05-06"]


def test_the_changelog_of_the_folder_above_comes_before_that_of_its_documents(brain: Brain) -> None:
    index_records(brain, *changelog("1.2.0"), *changelog("99.0.0", path="docs/changelog.md"))
    assert told(brain, "What is the latest release?") == ["1.2.0"]


def test_where_today_is_not_known_what_is_dated_was_released_unless_its_heading_says_otherwise(brain: Brain) -> None:
    commit = record("commit:0a1b2c3d4e5f", "Prepare 3.0.0", created_at=datetime(2024, 1, 5, tzinfo=UTC))
    index_records(brain, commit, *changelog("3.2.0 - 2024-07-06 (planned)", "3.1.0 - 2024-05-06", "3.0.0 - 2024-01-06"))
    for now, latest in (None, "3.1.0 - 2024-05-06"), (datetime(2024, 2, 1, tzinfo=UTC), "3.0.0 - 2024-01-06"):
        answer = ask(brain, "What is the latest release?", scope=Scope(), now=now)
        assert [one.record.title for one in answer.citations] == [f"Changelog › {latest}"]


@pytest.mark.parametrize(
    "question", ["What is the latest release?", "Which releases are there?", "When was 3.0.0 released?"]
)
def test_before_its_first_release_a_project_has_none(brain: Brain, question: str) -> None:
    talk = record(
        "comment:7#1", "The latest release of Debian broke 3.0.0.", created_at=datetime(2021, 1, 5, tzinfo=UTC)
    )
    index_records(brain, talk, *changelog("3.1.0 - 2024-05-06", "3.0.0 - 2024-01-06"))
    assert ask(brain, question, scope=Scope(), as_of=datetime(2022, 1, 1, tzinfo=UTC)).refused
    assert not ask(brain, question, scope=Scope(), as_of=datetime(2025, 1, 1, tzinfo=UTC)).refused


def test_what_is_out_is_what_the_changelog_or_who_released_it_tells(brain: Brain) -> None:
    told_of = record("comment:7#1", "Checking that zlib is at least version 0.9.0... yes, it is out.")
    commit = record("commit:0a1b2c3d4e5f", "Release 4.0.0", created_at=datetime(2025, 1, 5, tzinfo=UTC))
    index_records(brain, told_of, commit, *changelog("3.1.0 - 2024-05-06", "3.0.0 - 2024-01-06"))
    assert told(brain, "Is 3.0.0 out?") == ["3.0.0 - 2024-01-06"]
    assert told(brain, "Is 0.9.0 out?") == []
    assert told(brain, "Was 4.0.0 released?") == ["Release 4.0.0"]


@pytest.mark.parametrize(
    ("titles", "each"),
    [
        (("widget 2.3 (5 Jan 2024)", "gadget 9.0 (2024)"), ["gadget 9.0 (2024)", "widget 2.3 (5 Jan 2024)"]),
        (("@x/ui 3.0", "@x/cli 1.2", "@x/ui 2.0", "@x/cli 1.1"), ["@x/ui 3.0", "@x/cli 1.2"]),
        (("Heron 2.0", "Egret 1.9", "Crane 1.8"), ["Heron 2.0"]),
    ],
    ids=["one is the project", "packages", "names of versions"],
)  # fmt: skip
def test_of_things_in_one_file_the_latest_of_each_is_told(
    brain: Brain, titles: tuple[str, ...], each: list[str]
) -> None:
    index_records(brain, *changelog(*titles), source="ann/widget")
    assert told(brain, "What is the latest release?") == each


def test_of_a_thing_that_is_named_its_own_latest_is_told(brain: Brain) -> None:
    titles = ("widget 2.3.0 (5 Jan 2024)", "gadget 9.0.0 (6 Jan 2024)", "gadget 8.0.0")
    index_records(brain, *changelog(*titles), source="ann/widget")
    assert told(brain, "What is the latest release of gadget?") == ["gadget 9.0.0 (6 Jan 2024)"]
    assert told(brain, "What is the latest version of widget?") == ["widget 2.3.0 (5 Jan 2024)"]


def test_of_packages_alone_the_latest_of_each_is_told(brain: Brain) -> None:
    ui, cli = (changelog(*titles, path=f"packages/{name}/CHANGELOG.md")
               for name, titles in {"ui": ("7.0.0", "6.0.0"), "cli": ("1.2.0", "1.1.0")}.items())  # fmt: skip
    index_records(brain, *ui, *cli)
    assert told(brain, "What is the latest release?") == ["7.0.0", "1.2.0"]


@pytest.mark.parametrize(
    ("question", "headings"),
    [
        ("What's the newest version?", ["3.2.0 - 2025-09-01 › Added"]),
        ("What’s the latest release?", ["3.2.0 - 2025-09-01 › Added"]),
        ("What's new in 3.0?", ["3.0.0 - 2025-02-01 › Removed", "3.0.0 - 2025-02-01 › Fixed"]),
        ("Which release came before 3.0.0?", ["2.8.0 - 2024-11-01 › Added"]),
        ("Which release came after 2.8.1?", ["3.2.0 - 2025-09-01 › Added"]),
        ("What was the previous release?", ["3.0.0 - 2025-02-01 › Removed", "3.0.0 - 2025-02-01 › Fixed"]),
        ("What is the latest 2.8 release?", ["2.8.1 - 2025-06-01 › Fixed"]),
        ("What is the latest 2.x release?", ["2.8.1 - 2025-06-01 › Fixed"]),
        ("What is the latest patch release of 2.8?", ["2.8.1 - 2025-06-01 › Fixed"]),
        ("What is the latest 5.x release?", []),
        ("What was the last release in 2024?", ["2.8.0 - 2024-11-01 › Added"]),
        ("What was the last release before 2025?", ["2.8.0 - 2024-11-01 › Added"]),
        ("What was the last release before 2025-01-31?", ["2.8.0 - 2024-11-01 › Added"]),
        ("Which version was current in January 2025?", ["2.8.0 - 2024-11-01 › Added"]),
        ("What was the first release since June 2025?", ["2.8.1 - 2025-06-01 › Fixed"]),
        ("Which releases were made last year?", ["3.2.0 - 2025-09-01 › Added", "3.0.0 - 2025-02-01 › Removed",
                                                 "2.8.1 - 2025-06-01 › Fixed"]),
        ("Which releases were made in 2019?", []),
        ("What was the release before 9.1?", []),
        ("What changed since 7.0.0?", []),
    ],
)  # fmt: skip
def test_releases_are_told_by_their_days_and_lines_and_by_versions_there_are(
    brain: Brain, question: str, headings: list[str]
) -> None:
    titles = ("3.2.0 - 2025-09-01 › Added", "3.0.0 - 2025-02-01 › Removed", "3.0.0 - 2025-02-01 › Fixed",
              "2.8.1 - 2025-06-01 › Fixed", "2.8.0 - 2024-11-01 › Added")  # fmt: skip
    index_records(brain, *changelog(*titles))
    assert told(brain, question) == headings


def test_what_a_line_of_its_part_calls_unreleased_is_no_release(brain: Brain) -> None:
    newest, *others = changelog("Version 6.2", "Version 6.1 - 2024-05-01", "Version 6.0 - 2024-01-05")
    index_records(brain, newest.model_copy(update={"body": "Release date: TBD\n\n- The tide clock."}), *others)
    assert told(brain, "What is the latest release?") == ["Version 6.1 - 2024-05-01"]
    assert told(brain, "What was the previous release?") == ["Version 6.0 - 2024-01-05"]
    assert told(brain, "What is the next release?") == ["Version 6.2"]


def test_a_bound_that_one_changelog_holds_is_none_of_another(brain: Brain) -> None:
    index_records(brain, *changelog("8.1.0", "8.0.0", path="packages/mast/CHANGELOG.md"),
                  *changelog("2.1.0", "2.0.0", path="packages/keel/CHANGELOG.md"))  # fmt: skip
    assert told(brain, "What changed since 2.0.0?") == ["2.1.0"]
    assert told(brain, "What was the release before 2.1.0?") == ["2.0.0"]


def test_candidates_are_not_counted_and_what_was_withdrawn_is_as_it_is_listed(brain: Brain) -> None:
    index_records(brain, *changelog("4.0.0", "4.0.0-beta.1", "3.9.0 (YANKED)", "3.8.0 - 2024-01-05"))
    answer = ask(brain, "How many releases are there?", scope=Scope(), now=NOW)
    assert answer.answer.startswith("3 in all: Changelog › 4.0.0")
    assert "3.9.0 (YANKED)" in answer.answer


LOG = {
    "Unreleased › Added": "- Sails may be furled by a timer.",
    "1.6.0 - 2025-09-01 › Added": "- More tests of the anchor lamp.\n- Ropes have colours.",
    "1.5.0 - 2025-05-01 › Removed": "- Rust 1.60 builds no more.",
    "1.4.0 - 2025-03-01 › Fixed": "- The anchor lamp no longer flickers.",
    "1.3.0 - 2025-02-01 › Added": "- Sailmaker 1.5 is asked.\n- The anchor lamp, which is lit at dusk.",
}


@pytest.mark.parametrize(
    ("question", "headings"),
    [
        ("Which version added the anchor lamp?", ["1.3.0 - 2025-02-01 › Added"]),
        ("When was the anchor lamp released?", ["1.3.0 - 2025-02-01 › Added"]),
        ("Which version fixed the anchor lamp?", ["1.4.0 - 2025-03-01 › Fixed"]),
        ("In which release was Rust 1.60 dropped?", ["1.5.0 - 2025-05-01 › Removed"]),
        ("Which version introduced coloured ropes?", ["1.6.0 - 2025-09-01 › Added"]),
        ("In what version was the furling of sails added?", ["Unreleased › Added"]),
    ],
)
def test_the_release_that_did_something_is_the_first_whose_part_says_so(
    brain: Brain, question: str, headings: list[str]
) -> None:
    parts = changelog(*LOG)
    index_records(
        brain, *(one.model_copy(update={"body": body}) for one, body in zip(parts, LOG.values(), strict=True))
    )
    assert told(brain, question) == headings


def test_without_a_changelog_only_what_tells_a_release_says_which_is_the_latest(brain: Brain) -> None:
    process = record("doc:docs/process.md#releases", "A release is made from the latest main by the release team.",
                     title="Release process", path="docs/process.md")  # fmt: skip
    issue = record("issue:4", "Releasing which locks?\n\nSection 4.2 asks to release the latest locks.")
    index_records(brain, process, issue)
    for question in "What is the latest release?", "What's the previous release?", "What is the next release?":
        assert ask(brain, question, scope=Scope(), now=NOW).refused
    commits = [
        record(f"commit:0a1b2c3d4e5{minor}", f"Release 6.{minor}.0", created_at=datetime(2025, minor, 5, tzinfo=UTC))
        for minor in (1, 3, 2)
    ]
    index_records(brain, *commits)
    answer = ask(brain, "What is the latest release?", scope=Scope(), now=NOW)
    assert answer.citations[0].record.title == "Release 6.3.0"
    assert answer.evidence == "moderate"


@pytest.mark.parametrize(
    "question",
    [
        "Which version of Rust is supported?",
        "What version of Rust does it support?",
        "Which version of Rust do we ship?",
        "Which version of the Rust compiler is included?",
    ],
)
def test_which_version_of_a_thing_is_supported_is_not_told_by_the_release_that_first_did(
    brain: Brain, question: str
) -> None:
    titles = "2.0.0 - 2025-09-01 › Removed", "1.0.0 - 2025-02-01 › Added"
    bodies = "- Rust 1.60.", "- Support of the compiler of Rust 1.60, which is shipped."
    parts = [one.model_copy(update={"body": body}) for one, body in zip(changelog(*titles), bodies, strict=True)]
    readme = record("doc:README.md", "The supported version of Rust is 1.80.", title="Keel", path="README.md")
    index_records(brain, *parts, readme)
    assert told(brain, question)[:1] != ["1.0.0 - 2025-02-01 › Added"]
    for asked in "Which version first supported Rust 1.60?", "In which version is Rust 1.60 supported?":
        assert told(brain, asked) == ["1.0.0 - 2025-02-01 › Added"]


def test_when_something_will_be_released_is_told_by_what_is_not_released_yet(brain: Brain) -> None:
    parts = changelog("Unreleased › Added", "1.0.0 - 2025-02-01 › Added")
    index_records(brain, parts[0].model_copy(update={"body": "- Anchors of Rust 1.90."}), parts[1])
    assert told(brain, "When will Rust 1.90 anchors be released?") == ["Unreleased › Added"]


@pytest.mark.parametrize(
    ("question", "title", "body", "known"),
    [
        ("Which version is current?", "Keel", "Planks for boats. We are at version 4.2 since May 2024.", True),
        ("What is the latest version?", "Bump version to 4.3.0", "Bump version to 4.3.0", True),
        (
            "Which version is current?",
            "Keel › Versions",
            "| version | date |\n|---|---|\n| 4.2 | 2024-05-01 |\n| 4.1 | 2024-01-01 |",
            True,
        ),
        ("Which version is current?", "Keel", "The plank format is at version 4.2 since May 2024.", False),
        ("What is the latest version?", "Keel", "Bump the version of Sailmaker to 4.3.0", False),
        ("What is the latest version?", "Keel", "Version 1.2 of the latest tide format is read.", False),
    ],
)
def test_without_a_changelog_a_version_told_of_nothing_else_is_the_project_s(
    brain: Brain, question: str, title: str, body: str, *, known: bool
) -> None:
    index_records(brain, record("doc:README.md", body, title=title, path="README.md"))
    answer = ask(brain, question, scope=Scope(), now=NOW)
    assert answer.evidence == ("moderate" if known else "none")


def test_what_changed_in_a_release_without_a_part_is_told_by_the_line_that_names_it(brain: Brain) -> None:
    newer, older = changelog("2.5.0 - 2025-09-01", "2.4.0 - 2025-02-01")
    index_records(brain, newer.model_copy(update={"body": "- Public moorings were removed in 2.4.2."}), older)
    assert told(brain, "What was removed in 2.4.2?") == ["2.5.0 - 2025-09-01"]
    assert told(brain, "What was removed in 2.4.3?") == []


@pytest.mark.parametrize("question", ["Who made the latest release?", "Why is there no newer version?"])
def test_who_made_a_release_and_why_is_not_told_by_which_it_is(released: Brain, question: str) -> None:
    assert not ask(released, question, scope=Scope(), now=NOW).answer.startswith("Changelog › [2.0.0]")


NUMBERED = {
    "2.1 (2025-06-01)": "- Lamps with a timer (#31)\n- No more tar (#30)",
    "2.0 (2025-04-01)": "- Faster winches",
    "1.9 (2025-03-01)": "- Lamps (#22), removed in 1.9.1\n- Tar in tins (#20)",
}


@pytest.mark.parametrize(
    ("question", "headings"),
    [
        ("Which version introduced lamps?", ["1.9 (2025-03-01)"]),
        ("Which PRs are in 2.1?", ["2.1 (2025-06-01)"]),
        ("Which pull requests are in 1.9?", ["1.9 (2025-03-01)"]),
        ("Which PRs are in 2.0?", []),
    ],
)
def test_a_part_tells_the_numbers_of_its_release_and_what_came_with_it_though_it_went_later(
    brain: Brain, question: str, headings: list[str]
) -> None:
    parts = zip(changelog(*NUMBERED), NUMBERED.values(), strict=True)
    index_records(brain, *(one.model_copy(update={"body": body}) for one, body in parts))
    assert told(brain, question) == headings


HATCHES = {
    "2.2.0 - 2025-06-01 › Removed": "- Brass portholes.",
    "2.1.0 - 2025-04-01 › Added": "- Night signals.\n- Support of Lua 5.4, as was asked.",
    "2.0.0 - 2025-01-01 › Added": "- A poster for crews whose night signals come by mail.\n- Brass portholes.",
    "1.9.0 - 2024-10-01 › Added": "- A test of Lua 5.4 on the quay.",
}


@pytest.mark.parametrize(
    ("question", "headings", "evidence"),
    [
        ("Which version added night signals?", ["2.1.0", "2.0.0"], "moderate"),
        ("When were night signals released?", ["2.1.0", "2.0.0"], "moderate"),
        ("Which version added Lua 5.4 support?", ["2.1.0", "1.9.0"], "moderate"),
        ("Since which version is Lua 5.4 supported?", ["2.1.0", "1.9.0"], "moderate"),
        ("Which version has the new brass portholes?", ["2.0.0"], "strong"),
        ("Which version stopped supporting brass portholes?", ["2.2.0"], "strong"),
        ("Which version no longer supports brass portholes?", ["2.2.0"], "strong"),
        ("Which release came out in April 2025?", ["2.1.0"], "strong"),
        ("What came after 2.1.0?", ["2.2.0"], "strong"),
    ],
)
def test_the_line_that_is_the_thing_tells_of_it_before_one_that_but_names_it(
    brain: Brain, question: str, headings: list[str], evidence: str
) -> None:
    parts = zip(changelog(*HATCHES), HATCHES.values(), strict=True)
    index_records(brain, *(one.model_copy(update={"body": body}) for one, body in parts))
    assert [one.partition(" ")[0] for one in told(brain, question)] == headings
    assert ask(brain, question, scope=Scope(), now=NOW).evidence == evidence
