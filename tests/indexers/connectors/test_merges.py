from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortex.indexers.connectors.commits import Merge, merged
from tests.tables import walk

LISTED = f"{'a' * 40} Oil gears (Ada)\n"
MESSAGES = {
    "GitHub": (
        "Merge pull request #12 from ada/oil\n\nOil gears\n\nThey squeak.",
        Merge(12, "Oil gears", "They squeak."),
    ),
    "GitHub, nothing said": (
        "Merge pull request #12 from ada/oil",
        Merge(12, "Merge pull request #12 from ada/oil", ""),
    ),
    "GitHub, title in the subject": ("Merge pull request #12: Oil gears", Merge(12, "Oil gears", "")),
    "squash": ("Oil gears (#12)\n\n* first\n* second", Merge(12, "Oil gears", "* first\n* second")),
    "squash by GH-": ("Oil gears (GH-12)", Merge(12, "Oil gears", "")),
    "backport": ("[1.0] Oil gears (GH-12) (#34)", Merge(34, "[1.0] Oil gears (GH-12)", "")),
    "revert": ('Revert "Oil gears (#12)" (#34)', Merge(34, 'Revert "Oil gears (#12)"', "")),
    "merge script": ("Merge ada/engine#12: Oil gears\n\nText", Merge(12, "Oil gears", "Text", of="ada/engine")),
    "merge script without owner": ("Merge #12: Oil gears", Merge(12, "Oil gears", "")),
    "merge script, one commit listed": (
        f"Merge pull request #12\n\n{LISTED}",
        Merge(12, "Oil gears", LISTED.strip(), "Ada"),
    ),
    "bors": ("Auto merge of #12 - ada:oil, r=bob\n\nOil gears\n\nText", Merge(12, "Oil gears", "Text", "ada")),
    "rollup": ("Rollup merge of #12 - ada:oil, r=bob\n\nOil gears", Merge(12, "Oil gears", "", "ada")),
    "GitLab": (
        "Merge branch 'oil' into 'main'\n\nOil gears\n\nSee merge request ada/engine!12",
        Merge(12, "Oil gears", "See merge request ada/engine!12", of="ada/engine"),
    ),
    "Azure DevOps": ("Merged PR 12: Oil gears", Merge(12, "Oil gears", "")),
    "Bitbucket": ("Merged in ada/oil (pull request #12)\n\nOil gears", Merge(12, "Oil gears", "")),
    "a plain merge": ("Merge branch 'main' into oil", None),
    "a plain commit": ("Oil gears, see #12", None),
    "a number inside": ("Oil (#12) gears", None),
    "nothing": ("", None),
}


@walk(("message", "expected"), MESSAGES.values(), ids=MESSAGES.keys())
def test_a_message_tells_which_pull_request_it_merged(message: str, expected: Merge | None) -> None:
    assert merged(message) == expected


@given(st.text() | st.text("Merge pulrqst#12():-\n/", max_size=60))
def test_whatever_the_message_nothing_is_raised(message: str) -> None:
    merge = merged(message)
    assert merge is None or merge.number > 0
