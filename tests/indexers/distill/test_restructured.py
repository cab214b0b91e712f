"""reStructuredText: what defines, limits and describes is read wherever its markup puts it."""

from __future__ import annotations

from cortex.indexers.distill.rules import distill
from cortex.indexers.distill.text import Text
from tests.tables import walk


def doc(body: str) -> Text:
    return Text(1, "doc", "doc:guide.rst#queue", "Guide › Queue", body, "", "", None, "", "guide.rst")


def facts(body: str) -> list[str]:
    """The facts of *body* without their headings; each excerpt is in its text."""
    found = list(distill(doc(body)))
    assert all(body[one.start : one.end].strip() for one in found)
    return [one.statement.removeprefix("Guide › Queue: ") for one in found]


READ = {
    "definition list": (
        (
            "lease\n   The time for which a job belongs to one worker.\n\n"
            "fence : integer\n   A number that grows with every lease.\n"
        ),
        ["lease: The time for which a job belongs to one worker.", "fence: A number that grows with every lease."],
    ),
    "option": (
        "--wait=SECONDS\n   How long a writer waits for another, 5 seconds by default.\n",
        ["--wait=SECONDS: How long a writer waits for another, 5 seconds by default."],
    ),
    "described": (
        (
            ".. py:data:: BUSY_TIMEOUT\n   :type: int\n\n   How long a writer waits for another.\n\n"
            "   .. versionchanged:: 2.0\n\n      The default is 5000 milliseconds.\n"
        ),
        [
            "BUSY_TIMEOUT: How long a writer waits for another.",
            "BUSY_TIMEOUT: Changed in 2.0: The default is 5000 milliseconds.",
        ],
    ),
    "glossary": (
        ".. glossary::\n\n   epoch\n      The span between two checkpoints.\n",
        ["epoch: The span between two checkpoints."],
    ),
    "roles and links": (
        "A writer must call :meth:`~app.Queue.take` first, see `the guide <guide.html>`_ for more.\n",
        ["A writer must call `app.Queue.take` first, see the guide for more."],
    ),
    "numbered items": ("#. Every worker must renew its lease.\n", ["Every worker must renew its lease."]),
}


@walk(("body", "told"), READ.values(), ids=READ.keys())
def test_what_is_read(body: str, told: list[str]) -> None:
    assert facts(body) == told


UNREAD = {
    "literal block": "Every worker runs this::\n\n   must_never = at_least(4096) of the limit of open files\n",
    "comment": ".. A worker MUST renew its lease at least every 30 seconds.\n",
    "quotation": "   A worker MUST renew its lease at least every 30 seconds.\n\nSo says the guide.\n",
    "doctest": ">>> worker must renew its lease at least every 30 seconds\n",
    "rest of a table that was cut": "lease_s   60   seconds that it must last\nretries   3    tries, at most\n",
    "rows that nobody names": "=====  ====  =====\na      1     must\nb      2     never\n=====  ====  =====\n",
    "what repeats its term": ".. function:: url_for\n\n   The `url_for` function.\n",
    "table of a file": ".. csv-table:: Timeouts\n   :file: timeouts.csv\n",
    "data under a term": "`queue-plugin`\n   *last release*: May 2, *status*: 4 - Beta, *requires*: queue>=2\n",
}


@walk("body", UNREAD.values(), ids=UNREAD.keys())
def test_what_says_nothing(body: str) -> None:
    assert facts(body) == []


def test_an_item_is_not_introduced_by_what_shows_code() -> None:
    body = "Example::\n\n   take(job)\n\n- Every worker must renew its lease.\n"
    assert facts(body) == ["Every worker must renew its lease."]


@walk("body", ["\n".join(" " * n + "- a" for n in range(400)), "a\n" * 30_000, "| a\n" * 20_000])
def test_what_is_deep_or_long_is_read_in_time(body: str) -> None:
    facts(body)
