"""What Python source gives, in a small invented package and in files that nobody wrote by hand."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from cortex.composer.pipeline import ask
from cortex.indexers.connectors import python_api
from cortex.indexers.connectors.pages import MOST, TOO_MANY
from cortex.indexers.feeds import Feed
from cortex.indexers.run import index
from cortex.substrate.model import Record, Scope
from tests.brains import open_new
from tests.tables import walk
from tests.trees import by_ref, read_tree, records, skipped, write

NOW = datetime(2030, 1, 1, tzinfo=UTC)

KILN = '''"""Fires pots."""

# Pots that fit on a shelf.
MOST_POTS = 24
_ODD = object()


class Kiln:
    """A kiln with one door."""

    #: degrees an hour
    slope = 150

    def __init__(self, door, shelves=3, *, most=MOST_POTS):
        self.door = door

    @property
    def is_hot(self) -> bool:
        """Whether the door is locked."""

    def fire(self, pots: list[str], degrees: int = 1040) -> float:
        """Fire *pots* until they ring.

        The result is the hours that it took. A cracked pot is ignored.

        Example::

            kiln.fire(["mug"])

        :param degrees: at which it is held
        """
        if len(pots) > MOST_POTS:
            raise ValueError(f"A shelf holds at most {MOST_POTS} pots")

    def _cool(self):
        return 1


def lid():
    return "cork"


async def watch(kiln, every=60): ...
'''

PACKAGE = {
    "src/pottery/__init__.py": "from ._kiln import Kiln, watch as look\nfrom .glaze import *\n",
    "src/pottery/_kiln.py": KILN,
    "src/pottery/glaze.py": 'def dip(pot):\n    "Dip it."\n',
    "tests/test_kiln.py": 'def test_fire():\n    """Not public."""\n',
}


@pytest.fixture
def pottery(tmp_path: Path) -> dict[str, Record]:
    return by_ref(write(tmp_path, PACKAGE))


def refs(root: Path) -> list[str]:
    return [record.ref for record in records(root) if record.type == "code"]


@walk(
    ("name", "title", "lines"),
    [
        ("", "pottery._kiln", (1, 1)),
        ("#MOST_POTS", "pottery._kiln.MOST_POTS = 24", (3, 4)),
        ("#Kiln", "pottery.Kiln(door, shelves=3, *, most=24)", (8, 12)),
        ("#Kiln.__init__", "pottery.Kiln(door, shelves=3, *, most=24)", (14, 14)),
        ("#Kiln.is_hot", "pottery.Kiln.is_hot -> bool", (17, 19)),
        ("#Kiln.fire", "pottery.Kiln.fire(pots, degrees=1040) -> float", (21, 31)),
        ("#Kiln.fire~2", "pottery.Kiln.fire: A shelf holds at most 24 pots", (32, 33)),
        ("#lid", "pottery._kiln.lid()", (39, 40)),
    ],
)
def test_each_definition_is_called_by_its_public_name(
    pottery: dict[str, Record], name: str, title: str, lines: tuple[int, int]
) -> None:
    record = pottery[f"code:src/pottery/_kiln.py{name}"]
    assert (record.title, record.lines) == (title, lines)
    assert record.body == "\n".join(KILN.splitlines()[lines[0] - 1 : lines[1]])


def test_what_a_package_exports_all_of_goes_by_the_package(pottery: dict[str, Record]) -> None:
    assert pottery["code:src/pottery/glaze.py#dip"].title == "pottery.dip(pot)"


def test_private_undocumented_and_tested_code_gives_nothing(pottery: dict[str, Record]) -> None:
    assert not [ref for ref in pottery if "_cool" in ref or "_ODD" in ref or "tests/" in ref]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("print 'python two'\n", python_api.NO_PYTHON),
        ("x = " + "-" * 200_000 + "1\n", python_api.NO_PYTHON),
        ("x = " + "(" * 5_000 + ")" * 5_000 + "\n", python_api.NO_PYTHON),
        ("def f(a=" + "+".join("a" * 20_000) + "):\n    'Adds.'\n", python_api.NO_PYTHON),
    ],
    ids=["python 2", "minus signs", "brackets", "a long sum"],
)
def test_what_cannot_be_parsed_is_counted_and_named(tmp_path: Path, text: str, reason: str) -> None:
    write(tmp_path, {"odd.py": text, "fine.py": '"""Fine."""\n'})
    assert skipped(tmp_path) == {"odd.py": reason}
    assert refs(tmp_path) == ["code:fine.py"]


def test_no_file_gives_more_than_its_share(tmp_path: Path) -> None:
    write(tmp_path, {"many.py": "def f(a=1):\n    'Says.'\n" * (MOST + 5)})
    assert len(refs(tmp_path)) == MOST
    assert skipped(tmp_path) == {"many.py": TOO_MANY}


def test_nothing_is_run(tmp_path: Path) -> None:
    write(tmp_path, {"evil.py": f'"""Evil."""\nopen({str(tmp_path / "ran")!r}, "w")\n'})
    assert refs(tmp_path) == ["code:evil.py"]
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what does fire() return?", "The result is the hours that it took."),
        ("how many pots does a shelf hold at most?", "at most 24 pots"),
        ("whats the default of degrees in fire()?", "degrees=1040"),
        ("which module defines the kiln?", "src/pottery/_kiln.py line 1: "),
    ],
)
def test_questions_are_answered_from_code_with_its_place(tmp_path: Path, question: str, told: str) -> None:
    root = write(tmp_path / "pottery", PACKAGE)
    with open_new(tmp_path / "brain.db") as brain:

        def read_again() -> bool:
            feed = Feed("tree", lambda _: read_tree(root, source="acme/pottery"))
            return index(brain, [feed], source="acme/pottery", now=NOW).changed

        assert read_again()
        assert not read_again()
        answer = ask(brain, question, scope=Scope(), now=NOW)
    assert told in answer.answer
    assert answer.citations[0].record.type == "code"
