"""Whether a thing was merged, and when, is told of the pull request that brought it, not of those beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from cortex.composer.ask import ask
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.model import Record, Scope
from tests.brains import index_records, record

START = datetime(2024, 1, 1, tzinfo=UTC)


def pull(number: int, body: str, *, merged: bool = True, closed: bool = False) -> Record:
    at = START + timedelta(days=number - 1)
    state = "merged" if merged else "closed" if closed else "open"
    return record(
        f"pull:{number}", body, author="ada", state=state, created_at=at, closed_at=at if merged or closed else None,
        merged_at=at if merged else None, merged_by="bob" if merged else "",
    )  # fmt: skip


def comment(of: int, number: int, body: str) -> Record:
    at = datetime(2024, 1, of, tzinfo=UTC)
    return record(f"comment:{of}#{number}", body, author="cleo", thread=f"pull:{of}", created_at=at)


@pytest.fixture(scope="module")
def pulls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    with open_brain(tmp_path_factory.mktemp("merged") / "brain.db") as brain:
        index_records(
            brain,
            pull(3, 'Add "tidegate" module implementing TG7'),
            pull(4, "Add tide gate to CHANGELOG"),
            pull(5, "Add tests for the tide gate"),
            pull(6, "Use the tide gate in the lock\n\nWhere tide gate is merged, tide gate tests.", merged=False),
            pull(7, "Slow valves and more"),
            *(comment(7, 70 + place, f"The snifter of basin {place} whistles.") for place in range(9)),
            pull(8, "WIP: turbine", merged=False),
            *(comment(8, 90 + place, f"The turbine of basin {place} whistles.") for place in range(9)),
            pull(9, "docs: turbine"),
            pull(10, "Add door lock", merged=False),
            pull(11, "Add door lock icon"),
            pull(12, "Slack alerts: groundwork"),
            pull(13, "Dashboard, first draft (not wired up)"),
            pull(14, "Implement GraphQL schema validation"),
            pull(15, "Rename the winch"),
            pull(16, "Add exhaustive test for the boom"),
            pull(17, "Encryption (#17)"),
            pull(18, "Remove encryption again"),
            pull(19, "Add support for sirens with tests"),
            pull(20, 'Revert "Add support for sirens with tests"\n\nReverts #19.'),
            pull(21, 'Revert "Add fog horn"\n\nWould revert #22.', merged=False),
            pull(22, "Add the fog horn at 80 Hz (RFC 7)"),
            pull(23, "Add code signing to the README"),
            pull(24, "Add buoy patterns"),
            pull(25, "Buoy", merged=False),
            pull(26, "Add lamps (1/3)"),
            pull(27, "Remove lamps icon"),
        )
        yield brain


@pytest.mark.parametrize(
    ("text", "number", "day"),
    [
        ("Is the tide gate merged?", 3, "2024-01-03"),
        ("When was the tide gate module merged?", 3, "2024-01-03"),
        ("Has the tidegate been merged yet?", 3, "2024-01-03"),
        ("Who merged the tide gate?", 3, "2024-01-03"),
        ("When was encryption merged?", 17, "2024-01-17"),
        ("Is the fog horn merged?", 22, "2024-01-22"),
    ],
)
def test_the_pull_request_that_brought_a_thing_tells_that_it_was_merged(
    pulls: Brain, text: str, number: int, day: str
) -> None:
    answer = ask(pulls, text, scope=Scope())
    assert answer.citations[0].record.ref == f"pull:{number}"
    assert f"merged {day} by bob" in answer.answer.split("\n")[0]


@pytest.mark.parametrize("text", ["Is the turbine merged?", "When was the turbine merged?"])
def test_of_what_was_not_merged_no_other_change_is_told_as_it(pulls: Brain, text: str) -> None:
    answer = ask(pulls, text, scope=Scope())
    assert answer.refused or not answer.answer.startswith("PR #9 (")


@pytest.mark.parametrize(
    "text",
    [
        "When was the snifter merged?", "Are Slack alerts merged?", "Is the dashboard merged?", "Is GraphQL merged?",
        "When was the GraphQL schema merged?", "Is the winch merged?", "Who merged the winch?", "Are lamps merged?",
        "Is the exhaustive test merged?", "Is the boom merged?", "Who merged code signing?",
    ],
)  # fmt: skip
def test_a_title_that_brings_less_than_the_thing_or_another_does_not_tell_that_it_was_merged(
    pulls: Brain, text: str
) -> None:
    answer = ask(pulls, text, scope=Scope())
    assert answer.refused or " (merged " not in answer.answer.split("\n")[0]


@pytest.mark.parametrize(
    ("text", "number"), [("Is the door lock merged?", 10), ("Who merged the door lock?", 10), ("Are buoys merged?", 25)]
)
def test_one_that_is_open_and_more_exactly_it_stands_first(pulls: Brain, text: str, number: int) -> None:
    first = ask(pulls, text, scope=Scope()).answer.split("\n")[0]
    assert first.startswith(f"PR #{number} by ada, open")


@pytest.mark.parametrize(("text", "number"), [("Is encryption merged?", 18), ("Are sirens merged?", 20)])
def test_what_took_it_out_since_is_told_before_what_brought_it(pulls: Brain, text: str, number: int) -> None:
    answer = ask(pulls, text, scope=Scope())
    assert [one.record.ref for one in answer.citations][:2] == [f"pull:{number}", f"pull:{number - 1}"]


def test_before_it_was_merged_it_was_not(pulls: Brain) -> None:
    answer = ask(pulls, "Is the tide gate merged?", scope=Scope(), as_of=datetime(2024, 1, 2, tzinfo=UTC))
    assert "merged 2024-01-03" not in answer.answer


@pytest.fixture
def told(brain: Brain) -> Callable[..., list[int]]:
    """The numbers that an answer is made of, in its order, where these were all the pull requests; none if refused."""

    def ask_of(text: str, *titles: str | Record) -> list[int]:
        pulls = [pull(place, one) if isinstance(one, str) else one for place, one in enumerate(titles, start=1)]
        index_records(brain, *pulls)
        answer = ask(brain, text, scope=Scope())
        framed = [line for line in answer.answer.splitlines() if line.startswith("PR #")]
        return [] if answer.refused else [int(line.removeprefix("PR #").split()[0]) for line in framed]

    return ask_of


@pytest.mark.parametrize(
    "title",
    [
        "Restore the weir", "Re-enable the weir", "Reinstate weir (#3)", "Bring back the weir", "Redo the weir",
        "Bring the weir back", "Add the weir again", "Weir (third attempt)", "Weir, take 2",
        "Revert the removal of the weir", 'Revert "Remove the weir"',
    ],
)  # fmt: skip
def test_what_brought_a_thing_back_is_told_first(told: Callable[..., list[int]], title: str) -> None:
    assert told("Is the weir merged?", "Add the weir", "Remove the weir", title)[0] == 3


@pytest.mark.parametrize(
    "title",
    [
        "Remove the weir: it flooded", "Deprecate and remove the weir", "Weir removed", "Removed weirs due to floods",
        "Kill the weir", "basin: drop the weir", "ci: remove the weir", "Get rid of the weir and its gauge",
        "Replace the weir with a sluice", "Unmerge the weir", 'Revert "Add the weir" (#2)', "Remove support for weirs",
    ],
)  # fmt: skip
def test_whatever_took_a_thing_out_is_told_before_what_brought_it(told: Callable[..., list[int]], title: str) -> None:
    assert told("Is the weir merged?", "Add the weir", title)[:2] == [2, 1]
    assert told("When was the weir merged?", "Add the weir", title)[:2] == [1, 2]


@pytest.mark.parametrize(
    "title",
    ["Remove the weir gauge", "Disable the weir by default", "docs: remove the weir", "Drop the weir for boats"],
)
def test_what_took_out_something_of_it_is_not_told_before_it(told: Callable[..., list[int]], title: str) -> None:
    assert told("Is the weir merged?", "Add the weir", title)[0] == 1


def test_what_may_have_brought_it_back_is_told_after_what_took_it_out(told: Callable[..., list[int]]) -> None:
    assert told("Is the weir merged?", "Add the weir", "Remove the weir", "Polish the weir")[:3] == [2, 3, 1]


def test_what_else_was_done_with_all_of_it_is_told_after_it(told: Callable[..., list[int]]) -> None:
    assert told("Is the weir merged?", "Add the weir", "Sunset the weir")[:2] == [1, 2]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Is the weir merged?", "feat(basin): add the weir"), ("Is the weir merged?", "lower basin: Add the weir"),
        ("Is the weir merged?", "[basin] Weir"), ("Is the weir merged?", "CANAL-12: Add weirs"),
        ("Is the weir merged?", "basin: weir support"), ("Is the weir merged?", "Enable the weir"),
        ("Is the weir merged?", "Weir + gauge"), ("Has the weir been merged into main yet?", "Add the weir"),
        ("Did bob merge the weir?", "Add the weir"), ("Is ada's weir merged?", "Add the weir"),
        ("Is NMEA/2 merged?", "Add NMEA/2"), ("Is AIS 1.3 merged?", "Support AIS 1.3"),
        ("Are the Lua.js hooks merged?", "Add Lua.js hooks"), ("Is the ferry policy merged?", "Add ferry policies"),
    ],
)  # fmt: skip
def test_a_title_brings_a_thing_however_it_begins_and_the_name_is_written(
    told: Callable[..., list[int]], text: str, title: str
) -> None:
    assert told(text, title, "Oil the winch")[:1] == [1]


@pytest.mark.parametrize(
    ("text", "number"), [("Are the C++ hooks merged?", 1), ("Are the C hooks merged?", 2), ("Is HTTPS merged?", 3)]
)
def test_a_name_is_compared_with_its_signs(told: Callable[..., list[int]], text: str, number: int) -> None:
    assert told(text, "Add C++ hooks", "Add C hooks", "Add HTTPS", "Add HTTP")[0] == number


@pytest.mark.parametrize("title", ["Weir (backport to 1.x)", "[1.x] Add the weir", "fix: weir"])
def test_one_for_an_older_branch_or_that_mends_it_did_not_bring_it(told: Callable[..., list[int]], title: str) -> None:
    assert told("Is the weir merged?", pull(1, "Weir", merged=False), title)[0] == 1


@pytest.mark.parametrize("title", ["Weir v2", "Weir (rebased)", "Weir, second try"])
def test_another_try_that_was_merged_is_told_before_the_one_that_was_closed(
    told: Callable[..., list[int]], title: str
) -> None:
    assert told("Is the weir merged?", pull(1, "Add the weir", merged=False, closed=True), title)[0] == 2


def test_another_try_of_what_was_never_tried_is_another_thing(told: Callable[..., list[int]]) -> None:
    assert told("Is the weir merged?", "Weir v2") == []


@pytest.mark.parametrize(
    "said",
    [
        "ACK the weir. Squash and I'll merge, then the winch is merged.", "The gauge can be merged into the weir.",
        "I doubt that much interest is left in the weir; merge what is there.", "Once the weir is merged we can row.",
    ],
)  # fmt: skip
def test_what_only_has_the_words_does_not_tell_that_it_was_merged(brain: Brain, said: str) -> None:
    index_records(brain, pull(1, "Oil the winch"), comment(1, 11, said))
    assert ask(brain, "Is the weir merged?", scope=Scope()).refused
    assert ask(brain, "When was the weir merged?", scope=Scope()).refused


def test_who_says_that_it_was_merged_is_heard(brain: Brain) -> None:
    index_records(brain, pull(1, "Oil the winch"), comment(1, 11, "The weir was merged on 3 May 2024."))
    assert "3 May 2024" in ask(brain, "When was the weir merged?", scope=Scope()).answer


def test_what_links_tell_to_have_brought_it_back_takes_away_the_revert(told: Callable[..., list[int]]) -> None:
    titles = ("Add the weir", 'Revert "Add the weir"\n\nReverts #1.', "Raise the water\n\nRelands #1.")
    assert told("Is the weir merged?", *titles)[:2] == [1, 3]


def test_what_one_project_took_out_is_not_gone_from_another(brain: Brain) -> None:
    index_records(brain, pull(1, "Add the weir"), source="canal/upper")
    index_records(brain, pull(2, "Remove the weir"), source="canal/lower")
    assert ask(brain, "Is the weir merged?", scope=Scope()).citations[0].record.ref == "pull:1"


@pytest.mark.parametrize(
    "title",
    [
        "Remove weirs with no water", "Delete weirs and locks older than 30 days", "Remove weir, lock and gauge badges",
        "Kill the weir: flaky test", "Drop weir / lock menu", "Remove weirs (unused ones)", "Delete weirs until 2022",
        "Eliminate weirs, leaks and globals in tests", "Remove the weir code", "Purge weirs because of disk space",
    ],
)  # fmt: skip
def test_what_takes_out_some_of_it_or_what_is_called_after_it_is_not_told_first(
    told: Callable[..., list[int]], title: str
) -> None:
    assert told("Is the weir merged?", "Add weirs", title)[0] == 1


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Was eel search merged?", "Eel search 🎉"), ("Was quick eel merged?", 'Add "quick eel" dialog'),
        ("Was eel mode merged?", "Adding eel mode"), ("Were eel maps merged?", "ENH: Eel maps"),
        ("Was live eel merged?", "Implement #12: live eel"), ("Was eel undo merged?", "Closes GH-31 — add eel undo"),
        ("Was EELF support merged?", "Add support for OBOE, EELF and PIKE images"),
        ("Was the eel migration merged?", "Migrate from perch to eel"),
        ("Was the eel 5 upgrade merged?", "Upgrade to eel 5"),
        ("Was the eel rewrite merged?", "Rewrite the eel in Rust"),
        ("Was eel support merged?", "Initial support for eel"),
        ("Were eel imports merged?", "Add eel imports (behind a flag)"),
        ("When was the eel build system merged?", "build: Add eel-based build system"),
        ("When was eelgcd merged?", "Eelgcd inverses, drop the old symbols, remove libperch"),
        ('Was "EelKey -> EelPackage" merged?', "EelKey -> EelPackage"),
    ],
)  # fmt: skip
def test_a_merged_title_that_has_all_of_the_thing_is_told_though_not_surely(
    brain: Brain, text: str, title: str
) -> None:
    index_records(brain, pull(1, "Oil the winch"), pull(2, title), pull(3, "Paint the boats"))
    answer = ask(brain, text, scope=Scope())
    assert answer.answer.startswith("PR #2 ")
    assert answer.evidence == "moderate"


@pytest.mark.parametrize(
    "title",
    ["Remove the eel ladder", "test: eel ladder", "Eel ladder, part 1 of 3", "Add eel ladder docs", "Add the eel"],
)
def test_a_merged_title_that_takes_it_out_or_has_less_of_it_tells_nothing(brain: Brain, title: str) -> None:
    index_records(brain, pull(1, "Oil the winch"), pull(2, title), pull(3, "Paint the boats"))
    answer = ask(brain, "Was the eel ladder merged?", scope=Scope())
    assert answer.refused


def test_who_merged_what_a_title_only_has_all_of_is_told(brain: Brain) -> None:
    index_records(brain, pull(1, "Oil the winch"), pull(2, "build: Add eel-based build system"))
    assert "merged 2024-01-02 by bob" in ask(brain, "Who merged the eel build system?", scope=Scope()).answer


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Was the night view merged?", "Add a night view to the chart"),
        ("Is eel_delay merged?", "Add eel_delay to Frame"),
        ("Were eel maps merged?", "WIP: Add eel maps to the start page"),
        ("Was the sluice field merged?", "add a sluice field to the log"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_one_that_would_have_brought_a_thing_to_some_place_tells_that_it_was_not_merged(
    brain: Brain, text: str, title: str, *, closed: bool
) -> None:
    others = pull(1, "Oil the winch"), pull(3, "Paint the boats")
    index_records(brain, *others, pull(2, title, merged=False, closed=closed))
    answer = ask(brain, text, scope=Scope())
    assert answer.answer.startswith(f"PR #2 by ada, {'closed unmerged' if closed else 'open'}")
    assert answer.evidence == "moderate"


@pytest.mark.parametrize(
    "title",
    ["Add tests of the eel ladder", "eel ladder: paint it", "Add a lamp to the eel ladder", "Remove the eel ladder"],
)
def test_one_that_would_have_brought_something_else_to_it_does_not(brain: Brain, title: str) -> None:
    index_records(brain, pull(1, "Oil the winch"), pull(2, title, merged=False, closed=True))
    assert ask(brain, "Was the eel ladder merged?", scope=Scope()).refused


def test_what_was_merged_with_its_words_is_told_before_what_was_not(brain: Brain) -> None:
    closed = pull(2, "Add eel mode to the chart", merged=False, closed=True)
    index_records(brain, pull(1, "Initial eel mode on the map"), closed)
    assert ask(brain, "Was eel mode merged?", scope=Scope()).answer.startswith("PR #1 ")
