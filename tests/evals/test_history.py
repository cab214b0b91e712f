"""Every run is kept beside the brain and shown as it went: rates, what fell and at which commit."""

from __future__ import annotations

import re
import stat
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cortex.errors import BrainTooNew, NotABrain
from cortex.evals.asking import Result, summed
from cortex.evals.cases import Case, Suite
from cortex.evals.history import Size, keep, runs
from cortex.evals.ledger import Ledger, ledger_path, open_ledger
from cortex.evals.report import report
from cortex.evals.report_page import page
from cortex.evals.scoring import Verdict
from cortex.substrate.model import REFUSAL, Answer
from tests.surfaces.conftest import Ran
from tests.trees import GIT_IDENTITY

Cortex = Callable[..., Ran]
START = datetime(2026, 1, 1, tzinfo=UTC)
NASTY = "</script><script>alert(1)</script><b>&amp;"
CASES = {
    name: Case(id=name, category=name[:-1], question=f"What of {name}? {NASTY}", cites=("issue:1",), must=(NASTY,))
    for name in ("a1", "a2", "b1")
}
SUITE = Suite(name="cases.yaml", rubric="cases", cases=tuple(CASES.values()))


def ran(ledger: Ledger, day: int, commit: str, *, text: str = "", **verdicts: Verdict) -> int:
    results = [
        Result(
            case=CASES[name],
            verdict=verdict,
            problems=() if verdict == "right" else (f"does not say {NASTY!r}",),
            answer=Answer.model_validate(
                {"question": "q", "class": "A", "answer": REFUSAL, "refused": True, "composer": "x" + text}
                | {"timings_ms": {"total": 10.0 * day + 1}}
            ),
        )
        for name, verdict in verdicts.items()
    ]
    return keep(
        ledger, summed(SUITE, results), command="eval", passed=False, size=Size(records=9, facts=8, bytes=7),
        commit=commit, version="0", now=START + timedelta(days=day),
    )  # fmt: skip


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return open_ledger(tmp_path / "brain.evals.db")


def test_a_run_is_kept_with_when_where_and_what(ledger: Ledger) -> None:
    ran(ledger, 1, "abc", a1="right", a2="wrong", b1="right")
    (run,) = runs(ledger)
    assert (run.at, run.commit, run.size.records, run.right, run.total) == (START + timedelta(days=1), "abc", 9, 2, 3)
    assert {name: rate.share for name, rate in run.categories.items()} == {"a": 0.5, "b": 1.0}
    assert (run.ms_p50, [one.case_id for one in run.outcomes]) == (11.0, ["a1", "a2", "b1"])


def test_texts_that_do_not_change_are_kept_once(ledger: Ledger) -> None:
    for day in range(20):
        ran(ledger, day, "abc", a1="right", a2="wrong", b1="right")
    (texts,) = ledger.db.execute("select count(*) from eval_texts").fetchone()
    assert texts == len(CASES) + 1


def test_a_regression_carries_the_commit_that_brought_it(ledger: Ledger) -> None:
    ran(ledger, 1, "good", a1="right", a2="right", b1="right")
    ran(ledger, 2, "breaks", a1="right", a2="wrong", b1="right")
    ran(ledger, 3, "still", a1="right", a2="wrong", b1="right")
    ran(ledger, 4, "mends", a1="right", a2="right", b1="right")
    (history,) = report(ledger, now=START).suites
    (fell,) = history.regressions
    assert (fell.commit, fell.category, fell.before, fell.after, fell.cases) == ("breaks", "a", 1.0, 0.5, ("a2",))


def test_a_case_shows_what_was_answered_before(ledger: Ledger) -> None:
    first = ran(ledger, 1, "one", a1="right", text="old")
    ran(ledger, 2, "two", a1="wrong")
    (history,) = report(ledger, now=START).suites
    (case,) = history.cases
    assert (case.right, case.asked, case.latest.verdict) == (1, 2, "wrong")
    assert [(run, kept.composer) for run, kept in case.earlier] == [(first, "xold")]


class Read(HTMLParser):
    """What a page is made of, and whether every element that opens is closed."""

    VOID = frozenset({"meta", "line", "circle", "rect", "polyline"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(text: str) -> Read:
    parser = Read()
    parser.feed(text)
    parser.close()
    assert parser.open == []
    return parser


@pytest.mark.parametrize("count", [0, 1, 3, 300])
def test_the_page_is_whole_alone_and_says_its_pictures_in_words(ledger: Ledger, count: int) -> None:
    for day in range(count):
        ran(
            ledger,
            day,
            f"c{day}",
            a1="right" if day % 3 else "refused",
            a2="invented" if day % 7 else "wrong",
            b1="right",
        )
    text = page(report(ledger, now=START))
    found = read(text)
    tags = [tag for tag, _ in found.tags]
    assert not {"script", "link", "img", "iframe", "object"} & set(tags)
    assert not re.search(r"(?:src|href)=\"(?!#)|url\(|@import|http-equiv=\"refresh", text)
    for tag, attributes in found.tags:
        if tag == "svg":
            assert (attributes["role"], bool(attributes["aria-label"])) == ("img", True)
    ids = [attributes["id"] for _, attributes in found.tags if "id" in attributes]
    assert len(set(ids)) == len(ids)
    linked = {attributes["href"] for tag, attributes in found.tags if tag == "a"}
    assert {f"#{name}" for name in ids} >= linked
    assert len(text) < 200_000


def test_a_category_that_fell_is_marked_in_its_chart(ledger: Ledger) -> None:
    ran(ledger, 1, "abcdef123456", a1="right", b1="right")
    ran(ledger, 2, "fedcba654321", a1="wrong", b1="right")
    text = page(report(ledger, now=START))
    assert "<title>fedcba654321: 100% to 0%</title>" in text
    assert ">fedcba65</text>" in text


def luminance(colour: str) -> float:
    full = "".join(digit * 2 for digit in colour) if len(colour) == 3 else colour
    channels = [int(full[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def themes() -> list[dict[str, str]]:
    style = (Path(report.__code__.co_filename).parent / "report.css").read_text("utf-8")
    return [
        dict(re.findall(r"--(\w+): #([0-9a-f]{3,6})\b", block)) for block in re.findall(r":root \{([^}]*)\}", style)
    ]


@pytest.mark.parametrize("theme", themes(), ids=["light", "dark", "paper"])
@pytest.mark.parametrize("ink", ["ink", "dim", "accent", "good", "bad", "second"])
def test_text_stands_out_from_the_page(theme: dict[str, str], ink: str) -> None:
    """Source: WCAG 2.2, contrast (minimum), 4.5 to 1."""
    lighter, darker = sorted((luminance(theme[ink]), luminance(theme["page"])), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def test_commands_keep_their_runs_and_the_report_shows_them(
    cortex: Cortex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    monkeypatch.chdir(repository)
    for command in (["init", "-q"], ["commit", "-qm", "x", "--allow-empty"]):
        subprocess.run(["git", *GIT_IDENTITY, *command], check=True)
    head = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=True)
    assert cortex("eval", "report").out == "No eval has run yet; run one with: cortex eval\n"
    cortex("smoke", "--demo", "--runs", "1")
    cortex("eval", "--demo", "-q")
    ran = cortex("eval", "report", "-o", tmp_path / "evals.html", "--json")
    suites = {suite["suite"]: suite["runs"][0] for suite in ran.json["suites"]}
    assert {name: run["total"] for name, run in suites.items()} == {"smoke.yaml (demo)": 7, "demo.yaml (demo)": 30}
    assert {run["commit"] for run in suites.values()} == {head.stdout.strip()}
    read((tmp_path / "evals.html").read_text("utf-8"))
    assert "smoke.yaml" in cortex("eval", "report").out
    assert "demo.yaml" not in cortex("eval", "report", "--suite", "smoke.yaml (demo)").out


def test_the_history_survives_the_brain(cortex: Cortex, brain: Path) -> None:
    cortex("smoke", "--demo", "--runs", "1")
    brain.unlink()
    assert len(cortex("eval", "report", "--json").json["suites"]) == 1


def test_a_ledger_is_its_owners_alone(tmp_path: Path) -> None:
    path = ledger_path(tmp_path / "brain.db")
    open_ledger(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_is_no_ledger_is_left_alone(tmp_path: Path, brain: Path) -> None:
    with pytest.raises(NotABrain):
        open_ledger(brain)
    with open_ledger(tmp_path / "later.evals.db") as ledger:
        ledger.db.execute("pragma user_version = 99")
    with pytest.raises(BrainTooNew):
        open_ledger(tmp_path / "later.evals.db")


def test_a_verdict_stands_where_it_cannot_be_kept(cortex: Cortex, brain: Path) -> None:
    ledger_path(brain).write_bytes(b"no database at all, just words, and more of them " * 99)
    ran = cortex("smoke", "--demo", "--runs", "1")
    assert ran.code == 0
    assert "this run is not kept in the history: " in ran.err
