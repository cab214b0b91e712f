"""The page in headless Chromium: ask, open a citation, be refused, filter, undo; by keyboard, narrow, dark, broken."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from cortex.compactor.run import compact
from cortex.evals.asking import smoke
from cortex.evals.cases import load_suite
from cortex.substrate.access import create_token
from cortex.substrate.ledger import ledger_path, open_ledger
from cortex.substrate.model import Scope
from cortex.substrate.status import size_of
from tests.brains import WHY, copied, index_records, nowhere, open_new, place, record
from tests.surfaces.http_sites import Site, serving

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
NOW = datetime(2026, 9, 1, tzinfo=UTC)
LATER = datetime(2027, 9, 1, tzinfo=UTC)
LATEST = datetime(2028, 9, 1, tzinfo=UTC)
ANSWERED = "Which runner issue is live resource usage of a packet blocked on?"
PINNED = "What did we decide to pin above the other retrieval rows?"
REFUSED = "How much does the team plan cost per seat?"
HOSTILE = "Never run <img src=x onerror=\"document.title='broken in'\"> in the gateway."
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: the tests of the page are left out")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def site(demo_brain: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The demo project with a hostile directive in it, one compaction behind it and two runs of an eval."""
    path = copied(demo_brain, tmp_path_factory.mktemp("page") / "brain.db")
    with open_new(path) as brain:
        twice = (record("directive:seed-x.md#1", HOSTILE), record("directive:seed-y.md#1", HOSTILE))
        index_records(brain, *twice, source="hostile")
        compact(brain, now=LATER)
        suite = load_suite(Path(__file__).parents[2] / "evals" / "smoke.yaml")
        with open_ledger(ledger_path(path)) as ledger:
            _keep(ledger, brain, suite)
            _keep(ledger, brain, suite)
    with serving(path, may=frozenset({"read", "write", "admin"})) as site:
        yield site


def _keep(ledger: object, brain: object, suite: object) -> None:
    from cortex.evals import history  # noqa: PLC0415

    done = smoke(brain, suite, scope=Scope(), runs=1)  # type: ignore[arg-type]
    history.keep(
        ledger, history.worst(done), command="smoke", passed=done.passed, size=size_of(brain),  # type: ignore[arg-type]
        commit="0a1b2c3d", version="0.1.0", now=NOW,
    )  # fmt: skip


@pytest.fixture(scope="module")
def tab(browser: Browser, site: Site) -> Page:
    """The one tab of all tests: each context of a browser, and each page in it, starts processes."""
    return browser.new_context(base_url=site.url).new_page()


Visit = Callable[..., Page]


@pytest.fixture
def visit(tab: Page) -> Visit:
    """Bring the tab to a server as if nobody had been there; its page is yet to be opened."""

    def visit(site: Site, width: int = 1280, height: int = 860) -> Page:
        tab.unroute_all()
        tab.set_viewport_size({"width": width, "height": height})
        tab.emulate_media(color_scheme="light", reduced_motion="reduce")  # or each turn is drawn 60 times a second
        tab.goto(f"{site.url}/healthz")
        tab.context.clear_cookies()
        tab.evaluate("localStorage.clear(); sessionStorage.clear()")
        return tab

    return visit


@pytest.fixture
def page(visit: Visit, site: Site) -> Iterator[Page]:
    page = visit(site)
    wrong: list[str] = []

    def is_icon(said: ConsoleMessage) -> bool:
        return said.location["url"] == f"{site.url}/favicon.ico"  # which a browser looks for beside /healthz

    heard: dict[Any, Callable[[Any], None]] = {
        "console": lambda said: (
            wrong.append(said.text) if said.type in ("error", "warning") and not is_icon(said) else None
        ),
        "pageerror": lambda error: wrong.append(str(error)),
        "request": lambda request: None if request.url.startswith(site.url) else wrong.append(request.url),
    }
    for event, hear in heard.items():
        page.on(event, hear)
    yield page
    for event, hear in heard.items():
        page.remove_listener(event, hear)
    assert wrong == []


def ask(page: Page, question: str, at: str = "") -> None:
    page.goto(f"{at}/")
    field = page.get_by_label("Your question")
    field.fill(question)
    field.press("Enter")


def test_a_question_is_answered_with_citations_that_open_where_they_stand(page: Page) -> None:
    ask(page, ANSWERED)
    pill = page.get_by_role("button", name=re.compile("Citation 1: issue #1093"))
    pill.click()
    reader = page.get_by_role("complementary", name="Reader")
    expect(reader.get_by_role("heading", level=2)).to_have_text("Show live resource usage of a packet")
    marked = " ".join(reader.locator("mark").all_inner_texts())
    assert "Blocked on o8-labs/o8-runner#97" in marked
    assert marked.replace("`", "") in reader.locator(".body").inner_text().replace("\n\n", " ").replace("`", "")
    expect(pill).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Escape")
    expect(reader).to_be_hidden()
    expect(pill).to_be_focused()


MARKED = """() => {
    const body = document.querySelector('#reader .body');
    const words = (text) => text.match(/[\\p{L}\\p{N}]+/gu) || [];
    const marks = [...body.querySelectorAll('mark')];
    const torn = marks.filter((mark) => /[\\p{L}\\p{N}]$/u.test(mark.previousSibling?.textContent || '')
        && /^[\\p{L}\\p{N}]/u.test(mark.textContent) || /[\\p{L}\\p{N}]$/u.test(mark.textContent)
        && /^[\\p{L}\\p{N}]/u.test(mark.nextSibling?.textContent || ''));
    return [marks.flatMap((mark) => words(mark.textContent)), torn.length];
}"""
"""The words that are marked, and how many marks begin or end within one."""


QUOTED = [
    ANSWERED,
    PINNED,
    "What was the root cause of packets being dispatched twice?",
    "What do I have to run before every commit?",
]


def test_the_words_that_are_marked_are_those_that_the_answer_quotes(page: Page) -> None:
    for question in QUOTED:
        ask(page, question)
        expect(page.locator(".turn .meta")).to_be_visible()
        quoting = page.locator(".statement:has(blockquote):visible")
        assert quoting.count()
        for nth in range(quoting.count()):
            statement = quoting.nth(nth)
            statement.locator(".pill").click()
            expect(page.locator("#reader mark").first).to_be_visible()
            marked, torn = page.evaluate(MARKED)
            assert (marked, torn) == (re.findall(r"[^\W_]+", statement.locator("blockquote").inner_text()), 0)
            page.keyboard.press("Escape")


BETWEEN: list[tuple[str, tuple[int, int], str, list[str]]] = [
    ("Use **`make`** here. Not there.", (0, 31), "Use make here.", ["Use **`make`** here."]),
    ("See [the plan](docs/plan.md) for\nmore words", (0, 38), "See the plan for", ["See [the plan", "for"]),
    ("the start ~~the end~~ and the end of it", (0, 39), "the start and the end", ["the start", "and the end"]),
    ("Developers use forks", (0, 12), "", ["Developers use"]),
    ("Developers use forks", (0, 20), "nothing of it", ["Developers use forks"]),
    ("One. Two. Three.", (0, 16), "Two. …", ["Two."]),
    ("One two three. Four.", (0, 7), "One two three.", ["One two three."]),
]
"""Texts, what of them is the excerpt, what an answer quotes of it, and what is marked."""


def test_what_is_quoted_is_marked_whatever_stands_between_its_words(page: Page) -> None:
    page.goto("/#/sources")
    script = """async ([text, [start, end], quoted]) => {
        const { quotedIn } = await import('/web/marking.js');
        return quotedIn(text, start, end, quoted).map(([from, to]) => text.slice(from, to));
    }"""
    assert [page.evaluate(script, [*given]) for *given, _ in BETWEEN] == [marked for *_, marked in BETWEEN]


def test_what_is_marked_far_down_a_narrow_reader_is_brought_into_sight(visit: Visit, tmp_path: Path) -> None:
    path = place(tmp_path / "brain.db")
    filler = "\n\n".join(f"Paragraph {number} says nothing of it." for number in range(120))
    with open_new(path) as opened:
        index_records(opened, record("issue:7", f"Leases\n\n{filler}\n\nA lease lasts 30 s because runners sleep."))
    with serving(path) as site:
        page = visit(site, 360, 740)
        ask(page, "Why does a lease last 30 s?", at=site.url)
        page.locator(".pill").first.click()
        expect(page.locator("#reader mark").last).to_contain_text("A lease lasts 30 s because runners sleep.")
        expect(page.locator("#reader mark").last).to_be_in_viewport()


def test_a_refusal_is_said_plainly_with_three_of_the_nearest_rows_at_most(page: Page) -> None:
    ask(page, REFUSED)
    expect(page.locator(".refused")).to_have_text("I don't have that information yet.")
    expect(page.get_by_text("none of which answers it")).to_be_visible()
    assert 1 <= page.locator("details .fact").count() <= 3
    page.locator("details .fact").first.click()
    expect(page.get_by_role("complementary", name="Reader").locator("mark").first).to_be_visible()


def test_a_conversation_goes_on_and_needs_no_mouse(page: Page) -> None:
    ask(page, ANSWERED)
    expect(page.locator(".pill").first).to_be_visible()
    page.locator("body").click(position={"x": 5, "y": 500})
    page.keyboard.press("/")
    page.keyboard.type(REFUSED)
    page.keyboard.press("Enter")
    expect(page.locator(".refused")).to_be_visible()
    expect(page.get_by_role("article")).to_have_count(2)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name="Reader")).to_be_visible()


def test_a_question_that_follows_another_is_asked_of_what_that_was_answered_from(page: Page) -> None:
    ask(page, PINNED)
    expect(page.locator(".pill").first).to_be_visible()
    field = page.get_by_label("Your question")
    for question in (REFUSED, "and who decided that?"):
        field.fill(question)
        field.press("Enter")
    last = page.get_by_role("article").nth(2)
    asked = "and who decided PR #958?"
    expect(last.get_by_text(f"Asked: {asked}")).to_be_visible()
    expect(last.locator(".pill").first).to_contain_text("PR #958")
    expect(page.get_by_role("article").nth(1).get_by_text("Asked:")).to_have_count(0)
    expect(last.get_by_role("heading")).to_be_in_viewport()
    expect(last.locator("blockquote").first).to_be_in_viewport()


def test_facts_are_filtered_and_their_history_is_shown(page: Page) -> None:
    page.goto("/#/facts")
    count = page.locator("main p.faint")
    expect(count).to_have_text(re.compile(r"^\d+ facts$"))
    every = count.inner_text()
    page.get_by_role("combobox", name="Kind").select_option("change")
    expect(count).not_to_have_text(every)
    expect(page.locator(".fact .tag.kind").first).to_have_text("change")
    page.get_by_role("combobox", name="Authority").select_option("0.95")
    page.get_by_label("Words").fill("stream partial")
    expect(page.locator(".fact").first).to_contain_text("stream partial")
    expect(page).to_have_url(re.compile(r"words=stream\+partial"))
    page.locator(".fact").first.click()
    reader = page.get_by_role("complementary", name="Reader")
    expect(reader.get_by_role("heading", name="History")).to_be_visible()
    page.get_by_label("Words").fill("there is no such fact")
    expect(page.get_by_text("No fact is like this")).to_be_visible()


def test_a_fact_that_was_merged_away_leads_to_what_stands_for_it(page: Page, site: Site) -> None:
    (gone,) = site.call("facts", archived=True).json["facts"]
    page.goto("/#/facts?archived=on")
    page.locator(".fact").click()
    reader = page.get_by_role("complementary", name="Reader")
    expect(reader.locator(".tag.off").first).to_have_text("taken out")
    reader.get_by_role("button", name=gone["replaced_by"]).first.click()
    expect(reader.locator("mark")).to_have_text(HOSTILE)
    expect(reader.get_by_text("merged in")).to_be_visible()
    reader.get_by_role("button", name="← Back").click()
    expect(reader.get_by_role("heading", name="Merged into")).to_be_visible()


def test_a_compaction_is_undone(page: Page, site: Site) -> None:
    (run,) = site.call("compactions").json["compactions"]
    page.goto("/#/compactions")
    undo = page.get_by_role("button", name=f"Undo run {run['run']}")
    undo.click()
    page.get_by_role("button", name="Cancel").click()
    assert site.call("compactions").json["compactions"][0]["undone_by"] is None
    undo.click()
    page.get_by_role("button", name="Undo it").click()
    expect(page.locator(".tag.off").first).to_have_text(re.compile("undone by run"))
    expect(page.get_by_role("article", name=f"Run {run['run']}", exact=True)).to_be_focused()
    assert site.call("compactions").json["compactions"][0]["undone_by"]
    assert site.call("facts", archived=True).json["total"] == 0


def test_what_bears_on_a_file_is_recalled_from_an_address(page: Page) -> None:
    page.goto("/#/recall?task=let%20packets%20be%20retried&path=packages/orchestrator")
    expect(page.get_by_role("region", name="Rules").locator(".fact").first).to_be_visible()
    expect(page.get_by_label("Task")).to_have_value("let packets be retried")


def test_the_card_says_what_is_unverified_and_what_was_left_out_where_that_is_all(visit: Visit, tmp_path: Path) -> None:
    path = place(tmp_path / "brain.db")
    with open_new(path) as opened:
        rules = (record(f"directive:seed-x.md#{n}", f"Indent the lines of module {n} with tabs.") for n in range(50))
        old = record("pull:1", f"Require envelopes to be sealed\n\n{WHY}", state="merged", merged_at=NOW)
        new = record("pull:2", "Encrypt\n\nSupersedes #1.", state="merged", merged_at=NOW + timedelta(days=1))
        index_records(opened, *rules, old, new)
    with serving(path) as site:
        page = visit(site)
        page.goto(f"{site.url}/#/recall?task=indent%20with%20tabs")
        expect(page.locator(".fact").first).to_contain_text("Indent the lines")
        expect(page.get_by_text("over the budget").first).to_be_visible()
        page.goto(f"{site.url}/#/recall?task=seal%20envelopes")
        expect(page.locator(".fact").first).to_contain_text("replaced by pull:2")
        expect(page.get_by_text("Left out: 1 superseded")).to_be_visible()
        said = site.call("remember", text="We decided to fly by zeppelin.", by="ada", where="chat").json
        page.goto(f"{site.url}/#/recall?task=fly%20by%20zeppelin")
        note = page.get_by_role("button", name="We decided to fly by zeppelin.")
        expect(note).to_contain_text("unverified")
        assert said["authority"] == 0.6


def test_what_waits_is_edited_and_approved_or_rejected(visit: Visit, brain: Path) -> None:
    said = {"by": "ada", "where": "chat", "source": "o8-labs/o8"}
    with serving(brain, may=frozenset({"read", "write", "admin"})) as site:
        for text in ("Deploy <b>never</b> on Fridays.", "Deploy on Mondays."):
            site.call("remember", text=text, **said)
        page = visit(site)
        page.goto(f"{site.url}/#/review")
        page.get_by_role("article", name="Deploy on Mondays.").get_by_role("button", name="Reject").click()
        expect(page.get_by_role("article", name="Deploy on Mondays.")).to_have_count(0)
        waits = page.get_by_role("article", name="Deploy <b>never</b> on Fridays.")
        waits.get_by_text("Edit").click()
        waits.get_by_label("What it says").fill("Never deploy on Fridays.")
        waits.get_by_label("Kind").select_option("directive")
        waits.get_by_role("button", name="Approve").click()
        expect(waits).to_have_count(0)
        notes = {one["text"]: (one["kind"], one["state"]) for one in site.call("notes").json["notes"]}
        assert notes == {
            "Never deploy on Fridays.": ("directive", "active"), "Deploy on Mondays.": ("note", "rejected"),
        }  # fmt: skip


def test_coming_back_to_a_question_in_an_address_does_not_ask_it_again(page: Page) -> None:
    page.goto("/#/facts")
    page.goto(f"/#/ask?q={ANSWERED.replace(' ', '%20')}")
    expect(page.locator(".turn .pill").first).to_be_visible()
    page.goto("/#/sources")
    page.go_back()
    expect(page.locator(".turn")).to_have_count(1)
    page.wait_for_timeout(300)
    expect(page.locator(".turn")).to_have_count(1)


def test_facts_that_come_late_do_not_take_back_who_has_gone_elsewhere(page: Page) -> None:
    page.goto("/#/facts")
    expect(page.get_by_role("button", name="Show more")).to_be_visible()
    page.get_by_role("button", name="Show more").evaluate("more => { location.hash = '#/sources'; more.click(); }")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sources")
    assert page.evaluate("location.hash") == "#/sources"


def test_a_compaction_that_changed_nothing_offers_nothing_to_undo(visit: Visit, tmp_path: Path) -> None:
    path = place(tmp_path / "brain.db")
    with open_new(path) as opened:
        index_records(opened, record("issue:1", "Another"))
        compact(opened, now=NOW)
    with serving(path) as site:
        page = visit(site)
        page.goto(f"{site.url}/#/compactions")
        expect(page.get_by_text("Nothing was left to clean.")).to_be_visible()
        expect(page.get_by_role("button", name=re.compile("Undo"))).to_have_count(0)
        page.goto(f"{site.url}/#/evals")
        expect(page.get_by_text("No eval was run yet")).to_be_visible()
        path.rename(tmp_path / "moved.db")
        page.goto(f"{site.url}/#/sources")
        page.goto(f"{site.url}/#/evals")
        expect(page.get_by_role("alert")).to_contain_text("no brain at")


def test_evals_and_sources_say_how_things_are(page: Page) -> None:
    page.goto("/#/evals")
    expect(page.get_by_role("img", name=re.compile("Share right over 2 runs"))).to_be_visible()
    page.get_by_role("link", name="Sources").click()
    expect(page.get_by_role("article", name="o8-labs/o8", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Sources")).to_have_attribute("aria-current", "page")


def test_markup_in_a_record_stays_text(page: Page) -> None:
    page.goto("/#/facts?source=hostile")
    page.locator(".fact").first.click()
    expect(page.locator("#reader mark")).to_have_text(HOSTILE)
    expect(page.locator("img[src='x']")).to_have_count(0)
    assert "broken in" not in page.title()


def test_nothing_is_wider_than_a_narrow_screen_and_every_control_has_a_name(page: Page) -> None:
    nameless = (
        "all => all.filter(e => !(e.ariaLabel || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)"
    )
    for section in ("ask", "recall", "facts", "review", "compactions", "evals", "queue", "sources"):
        page.goto(f"/#/{section}")
        expect(page.locator("main h1, main .talk").first).to_be_attached()
        for width in (320, 390):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, section
            controls = page.locator("button:visible, input:visible, select:visible, textarea:visible, a:visible")
            assert controls.evaluate_all(nameless) == [], section


FOCUS = "document.activeElement === document.body || !!document.activeElement.closest('#reader')"


def test_where_the_reader_is_all_there_is_to_see_it_is_a_dialog_that_back_closes(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/#/sources")
    ask(page, ANSWERED)
    pill = page.locator(".pill").first
    pill.click()
    reader = page.get_by_role("dialog", name="Reader")
    expect(reader.get_by_role("heading", level=2)).to_be_focused()
    expect(reader).to_have_attribute("aria-modal", "true")
    seen = set()
    for _ in range(25):
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUS)
        seen.add(page.evaluate("document.activeElement.textContent"))
    assert "Close" in seen
    page.go_back()
    expect(reader).to_be_hidden()
    expect(pill).to_be_focused()
    expect(page.get_by_role("article")).to_have_count(1)
    pill.click()
    expect(reader).to_be_visible()
    reader.get_by_role("button", name="Close the reader").click()
    expect(reader).to_be_hidden()
    page.get_by_role("link", name="Facts").click()
    expect(page.get_by_role("heading", level=1, name="Facts")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("article")).to_have_count(1)
    pill.click()
    page.set_viewport_size({"width": 1280, "height": 860})
    expect(page.get_by_role("complementary", name="Reader")).to_be_visible()
    page.get_by_label("Your question").click()
    expect(page.get_by_label("Your question")).to_be_focused()


def test_the_theme_follows_the_system_until_somebody_chooses(visit: Visit, site: Site) -> None:
    page = visit(site)
    page.emulate_media(color_scheme="dark")
    page.goto(f"{site.url}/")
    html = page.locator("html")
    expect(html).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Switch to the light theme").click()
    page.reload()
    expect(html).to_have_attribute("data-theme", "light")


def test_a_page_that_needs_a_token_asks_for_it_once(visit: Visit, brain: Path) -> None:
    with open_new(brain) as opened:
        create_token(opened, "board", "token of board", grants=["read"], sources=None, now=NOW)
    with serving(brain, open=False) as site:
        page = visit(site)
        page.goto(f"{site.url}/#/sources")
        page.get_by_role("textbox", name="Token").fill("token of board")
        page.get_by_role("button", name="Use it").click()
        expect(page.get_by_role("article", name="o8-labs/o8", exact=True)).to_be_visible()
        page.goto(f"{site.url}/#/facts")
        expect(page.locator(".fact").first).to_be_visible()


def test_a_token_that_may_not_read_can_be_changed_and_forgotten(visit: Visit, brain: Path) -> None:
    with open_new(brain) as opened:
        create_token(opened, "ci", "token of ci", grants=["write"], sources=None, now=NOW)
        create_token(opened, "board", "token of board", grants=["read"], sources=None, now=NOW)
    with serving(brain, open=False) as site:
        page = visit(site, 320, 700)
        page.goto(f"{site.url}/#/sources")
        expect(page.get_by_role("button", name="Token", exact=True)).to_be_hidden()
        page.get_by_role("textbox", name="Token").fill("token of ci")
        page.get_by_role("textbox", name="Token").press("Enter")
        refused = page.get_by_role("alert")
        expect(refused).to_contain_text("This token may not do that: it needs the grant 'read'")
        expect(refused).not_to_contain_text("terminal")
        refused.get_by_role("button", name="Give another token").click()
        page.get_by_role("textbox", name="Token").fill("token of board")
        page.get_by_role("button", name="Use it").click()
        expect(page.get_by_role("article", name="o8-labs/o8", exact=True)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        page.get_by_role("button", name="Token", exact=True).click()
        page.get_by_role("button", name="Forget the one there is").click()
        expect(page.get_by_role("dialog")).to_contain_text("a token is needed here")
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("button", name="Token", exact=True)).to_be_hidden()
        expect(page.get_by_role("alert")).not_to_contain_text("Bearer")
        expect(page.get_by_role("button", name="Give a token")).to_be_visible()


@pytest.mark.parametrize("grants", [["read"], ["read", "admin"]], ids=["read", "admin"])
def test_undoing_is_offered_to_whoever_may_do_it(
    visit: Visit, brain: Path, grants: list[Literal["read", "admin"]]
) -> None:
    with open_new(brain) as opened:
        create_token(opened, "board", "token of board", grants=grants, sources=None, now=NOW)
        done = compact(opened, now=LATER)
    with serving(brain, open=False) as site:
        page = visit(site)
        page.goto(f"{site.url}/#/compactions")
        page.get_by_role("textbox", name="Token").fill("token of board")
        page.get_by_role("button", name="Use it").click()
        expect(page.get_by_role("article", name=f"Run {done.run}", exact=True)).to_be_visible()
        expect(page.get_by_role("button", name=f"Undo run {done.run}")).to_have_count(int("admin" in grants))


def test_whoever_may_undo_in_one_source_is_offered_what_it_may_undo_and_no_more(visit: Visit, brain: Path) -> None:
    with open_new(brain) as opened:
        create_token(opened, "board", "token of board", grants=["read", "admin"], sources=["o8-labs/o8"], now=NOW)
        of_all, of_one = compact(opened, now=LATER).run, compact(opened, source="o8-labs/o8", now=LATEST).run
    with serving(brain, open=False) as site:
        page = visit(site)
        page.goto(f"{site.url}/#/compactions")
        page.get_by_role("textbox", name="Token").fill("token of board")
        page.get_by_role("button", name="Use it").click()
        page.get_by_role("button", name=f"Undo run {of_one}").click()
        expect(page.get_by_role("article", name=f"Run {of_all}", exact=True)).to_contain_text("here yours")
        expect(page.get_by_role("button", name=f"Undo run {of_all}")).to_have_count(0)
        page.get_by_role("button", name="Undo it").click()
        expect(page.locator(".tag.off").first).to_have_text(re.compile("undone by run"))


def test_what_was_remembered_says_who_really_recorded_it(visit: Visit, brain: Path) -> None:
    with serving(brain) as site:
        site.call("remember", text="Drones sleep.", by="ada", where="the meeting", source="o8-labs/o8")
        page = visit(site)
        page.goto(f"{site.url}/#/facts?words=Drones")
        expect(page.locator(".fact .tag.off")).to_have_text("unverified")
        page.locator(".fact").click()
        reader = page.get_by_role("complementary", name="Reader")
        expect(reader).to_contain_text("by loopback, for ada")
        expect(reader.locator(".tag.off").first).to_have_text("unverified")
        expect(reader).to_contain_text("recorded by loopback")
        reader.get_by_role("button", name="remembered").click()
        expect(reader).to_contain_text("In full")
        expect(reader).to_contain_text("recorded by loopback")


def test_a_question_can_be_asked_though_the_greeting_failed(visit: Visit, site: Site) -> None:
    page = visit(site)
    page.route("**/v1/sources", lambda route: route.abort())
    page.goto(f"{site.url}/")
    expect(page.get_by_role("alert")).to_contain_text("Cortex cannot be reached")
    page.get_by_label("Your question").fill(ANSWERED)
    page.get_by_label("Your question").press("Enter")
    expect(page.locator(".pill").first).to_be_visible()
    page.goto(f"{site.url}/#/facts")
    expect(page.get_by_role("heading", level=1, name="Facts")).to_be_visible()
    expect(page).to_have_title("Facts · Cortex")


def test_nothing_is_cut_where_the_reader_or_the_screen_leaves_little_room(visit: Visit, site: Site) -> None:
    page = visit(site, 1100, 800)
    page.goto(f"{site.url}/#/facts")
    page.locator(".fact").first.click()
    expect(page.get_by_role("complementary", name="Reader")).to_be_visible()
    for select in page.locator(".filters select").all():
        assert select.evaluate("one => one.clientWidth") >= 130
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{site.url}/#/evals")
    expect(page.locator("figcaption")).to_contain_text("Share of right answers")
    for row in page.locator("tbody tr").all():
        assert row.evaluate("one => one.clientHeight") < 120


def test_an_empty_brain_and_none_at_all_are_said_with_what_to_do(visit: Visit, tmp_path: Path) -> None:
    path = nowhere(tmp_path / "brain.db")
    with serving(path) as site:
        page = visit(site)
        page.goto(f"{site.url}/#/sources")
        expect(page.get_by_role("alert")).to_contain_text("cortex index")
        open_new(path).close()
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_text("The brain is empty")).to_be_visible()
        page.get_by_role("link", name="Ask", exact=True).click()
        expect(page.get_by_text("There is nothing to ask yet.")).to_be_visible()
    page.get_by_label("Your question").fill("who?")
    page.get_by_label("Your question").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
