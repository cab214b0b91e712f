"""GitHub over the network gives what an export of it gives, whatever happens on the way; real HTTP on loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from cortex.errors import GitHubFailed
from cortex.indexers import reading
from cortex.indexers.connectors import Cursor, Item, github_export, github_http, github_live
from cortex.indexers.connectors.github_http import Repository
from cortex.indexers.connectors.github_rows import Thread
from cortex.indexers.delivering import delivered, store
from cortex.indexers.distilling import Crew
from cortex.indexers.feeds import export_feeds, github_feed
from cortex.indexers.run import index
from cortex.substrate.brain import Brain, open_brain
from cortex.substrate.holdings import held_of_github
from cortex.substrate.model import Record, Skipped
from cortex.surfaces.github import threads
from tests.brains import NOW, SEEDS, content, copied, indexes_agree, open_new
from tests.indexers.connectors.github_server import Fault, GitHubServer, broken, cut, other, refuse, serving

NAME = "o8-labs/o8"


@pytest.fixture(autouse=True, scope="module")
def _small_pages() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NO_PROXY", "127.0.0.1")
        patch.setattr(github_http, "PER_PAGE", 10)
        patch.setattr(github_live, "PER_PAGE", 10)
        yield


def exported(made: Path, *, one_in: int = 1) -> Path:
    """The demo project's issues, pull requests and comments, or a part of each, in the folder *made*."""
    made.mkdir()
    for name in ("issues", "pulls", "comments"):
        rows = (SEEDS / "o8" / f"{name}.jsonl").read_bytes().splitlines(keepends=True)
        (made / f"{name}.jsonl").write_bytes(b"".join(rows[::one_in]))
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An export, to be edited."""
    return exported(tmp_path / "export")


@pytest.fixture
def server(folder: Path) -> Iterator[GitHubServer]:
    with serving(folder, NAME) as found:
        yield found


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    with open_new(tmp_path / "live.db") as opened:
        yield opened


class Live(NamedTuple):
    """A brain that read GitHub once.

    Attributes:
        asked: the addresses that were asked for, in their order.
    """

    brain: Path
    asked: list[str]


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Live:
    made = tmp_path_factory.mktemp("once")
    with serving(exported(made / "export"), NAME) as server, open_new(made / "brain.db") as brain:
        index_live(brain, server)
        return Live(brain.path, [*server.asked])


@pytest.fixture
def indexed(once: Live, tmp_path: Path) -> Iterator[Brain]:
    """A brain that has read what the server has."""
    with open_brain(copied(once.brain, tmp_path / "live.db")) as opened:
        yield opened


def repository(server: GitHubServer, waited: list[tuple[float, str]] | None = None, *, token: str = "") -> Repository:
    waits = [] if waited is None else waited
    return Repository(NAME, address=server.address, token=token, wait=lambda *wait: waits.append(wait))


def index_live(
    brain: Brain, server: GitHubServer, *, again: bool = False, workers: int = 1
) -> tuple[int, int, int, int]:
    """What became of the records: added, replaced, unchanged, gone."""
    feed = github_feed(repository(server), NAME, lambda: threads(brain, NAME), lambda: held_of_github(brain, NAME))
    (origin,) = index(brain, [feed], source=NAME, again=again, crew=Crew(workers), now=NOW).origins
    return origin.added, origin.replaced, origin.unchanged, origin.gone


def of_folder(folder: Path, tmp_path: Path) -> dict[str, list[tuple[object, ...]]]:
    """What a brain holds that read the folder."""
    with open_new(tmp_path / "folder.db") as brain:
        index(brain, export_feeds(folder, NAME), source=NAME, now=NOW)
        return content(brain)


def test_records_are_those_of_the_folder(server: GitHubServer, folder: Path) -> None:
    found = [item for item in github_live.read(repository(server), source=NAME) if isinstance(item, Record)]
    listed = [item for item in github_export.read(folder, source=NAME) if isinstance(item, Record)]
    assert len(found) == len(listed) > 170
    assert {one.ref: one for one in found} == {one.ref: one for one in listed}


def test_a_brain_is_that_of_the_folder(server: GitHubServer, brain: Brain, folder: Path, tmp_path: Path) -> None:
    assert index_live(brain, server)[0] > 170
    assert content(brain) == of_folder(folder, tmp_path)


FAULTS: dict[str, Fault] = {
    "secondary": refuse(403, "You have exceeded a secondary rate limit", Retry_After="7"),
    "too many": refuse(429, "slow down"),
    "error": refuse(500, "oops"),
    "gateway": refuse(502, "bad gateway"),
    "cut": cut,
    "broken": broken,
    "null": other(None),
    "a number": other(7),
    "no keep-alive": refuse(503, "closing", Connection="close"),
}


@pytest.fixture(scope="module")
def part(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A third of the project."""
    return exported(tmp_path_factory.mktemp("part") / "export", one_in=3)


@pytest.fixture(scope="module")
def undisturbed(part: Path) -> tuple[list[Item], int]:
    """What is read of it where nothing fails, and in how many requests."""
    with serving(part, NAME) as server:
        return records(server), len(server.asked)


def records(server: GitHubServer, waited: list[tuple[float, str]] | None = None) -> list[Item]:
    found = github_live.read(repository(server, waited), source=NAME)
    return [one for one in found if not isinstance(one, Cursor)]  # which has a mark of the server's address


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_what_fails_once_is_asked_again(fault: Fault, part: Path, undisturbed: tuple[list[Item], int]) -> None:
    (whole, requests), waited = undisturbed, list[tuple[float, str]]()
    with serving(part, NAME) as server:
        server.faults = dict.fromkeys(range(2, requests, 5), fault)
        assert records(server, waited) == whole
    assert len(waited) >= requests // 5


@pytest.mark.parametrize(
    ("fault", "seconds"),
    [
        (refuse(403, "secondary rate limit", Retry_After="37"), 37),
        (refuse(429, "", Retry_After="5"), 5),
        (refuse(429, "", Retry_After="soon", Date="Mon, 21 Sep 2026 14:13:20 GMT"), 60),
        (refuse(403, "You have exceeded a secondary rate limit. Please wait."), 60),
        (refuse(403, "You have triggered an abuse detection mechanism. Please wait a few minutes."), 60),
        (refuse(403, "API rate limit exceeded", X_RateLimit_Remaining="0", X_RateLimit_Reset="1790000600",
                Date="Mon, 21 Sep 2026 14:13:20 GMT"), 601),
        (refuse(403, "API rate limit exceeded", X_RateLimit_Remaining="0", X_RateLimit_Reset="1789999999",
                Date="Mon, 21 Sep 2026 14:13:20 GMT"), 1),
        (refuse(500, ""), 1),
    ],
    ids=["retry after", "429", "no time", "secondary", "older words", "primary", "reset is over",
         "error"],
)  # fmt: skip
def test_github_is_waited_for_as_long_as_it_says(fault: Fault, seconds: int, server: GitHubServer) -> None:
    waited: list[tuple[float, str]] = []
    server.faults = {1: fault}
    repository(server, waited).find()
    assert [wait for wait, _ in waited] == [seconds]


def test_each_secondary_limit_in_a_row_is_waited_for_longer(server: GitHubServer) -> None:
    waited: list[tuple[float, str]] = []
    server.faults = dict.fromkeys((1, 2, 3), refuse(429, ""))
    repository(server, waited).find()
    assert [wait for wait, _ in waited] == [60, 120, 240]


@pytest.mark.parametrize(
    ("fault", "tries", "said"),
    [
        (refuse(500, "oops"), 6, "500 oops"),
        (cut, 6, "ChunkedEncodingError|ConnectionError"),
        (refuse(401, "Bad credentials"), 1, "401 Bad credentials; .*gh auth login"),
        (refuse(404, "Not Found"), 1, "404 Not Found; check owner/name"),
        (refuse(403, "Resource not accessible by integration"), 1, "403 Resource not accessible"),
        (refuse(403, "secondary rate limit", Retry_After="90000"), 1, "403 secondary rate limit"),
        (refuse(429, "", Retry_After="1"), 11, "429"),
    ],
    ids=["error", "cut", "no token", "no repository", "not allowed", "days", "for ever"],
)
def test_what_does_not_pass_is_said(fault: Fault, tries: int, said: str, server: GitHubServer) -> None:
    server.faults = dict.fromkeys(range(1, 100), fault)
    with pytest.raises(GitHubFailed, match=said):
        repository(server).find()
    assert len(server.asked) == tries


def test_a_second_reading_asks_only_what_changed_and_changes_nothing(server: GitHubServer, brain: Brain) -> None:
    index_live(brain, server)
    before, asked = content(brain), len(server.asked)
    cursors = brain.db.execute("select * from cursors").fetchall()
    assert index_live(brain, server) == (0, 0, 0, 0)
    assert server.statuses[asked:] == [200, 304, 304, 304, 200, 200, 200]
    assert content(brain) == before
    assert brain.db.execute("select * from cursors").fetchall() == cursors


def test_what_changed_is_read_and_nothing_else(
    server: GitHubServer, indexed: Brain, folder: Path, tmp_path: Path
) -> None:
    asked = len(server.asked)
    edit(
        folder,
        "pulls",
        221,
        body="Switches tabular figures on. We decided against Inter.",
        updated_at="2026-12-01T00:00:00Z",
    )
    edit(
        folder, "issues", 158, state="open", state_reason="reopened", closed_at=None, updated_at="2026-12-01T00:00:01Z"
    )
    edit(folder, "comments", 3121630964, body="Electron: we decided.", updated_at="2026-12-02T00:00:00Z")
    server.read(folder)
    assert index_live(indexed, server)[:2] == (0, 3)
    assert content(indexed) == of_folder(folder, tmp_path)
    paths = [address.partition("?")[0].removeprefix(f"/repos/{NAME}") for address in server.asked[asked:]]
    assert set(paths) <= {"", "/issues", "/issues/comments", "/pulls/comments", "/pulls/221", "/pulls/221/reviews",
                          "/pulls/1127", "/pulls/1127/reviews"}  # fmt: skip


def test_pages_that_never_end_are_left(server: GitHubServer, brain: Brain, folder: Path, tmp_path: Path) -> None:
    server.endless = True
    index_live(brain, server)
    assert content(brain) == of_folder(folder, tmp_path)
    edit(folder, "issues", 158, updated_at="2026-12-01T00:00:01Z")
    server.read(folder)
    index_live(brain, server)
    assert standing(brain)


@pytest.mark.parametrize("answer", [{"message": ""}, None], ids=["object", "null"])
@pytest.mark.parametrize("path", ["/issues?", "/reviews?", "/issues/comments?", "/pulls/comments?"])
def test_an_answer_of_another_shape_is_no_empty_list(
    answer: object, path: str, server: GitHubServer, once: Live, indexed: Brain
) -> None:
    before = content(indexed)
    first = 1 + next(place for place, address in enumerate(once.asked) if path in address)
    server.faults = dict.fromkeys(range(first, first + github_http.TRIES), other(answer))
    with pytest.raises(GitHubFailed, match="of another shape"):
        index_live(indexed, server, again=True)
    assert content(indexed) == before


def test_comments_of_a_thread_that_was_retitled_have_its_title(
    server: GitHubServer, brain: Brain, folder: Path, tmp_path: Path
) -> None:
    """So have their facts: live, and from a folder that is read a second time."""
    with open_new(tmp_path / "again.db") as again:
        index_live(brain, server)
        index(again, export_feeds(folder, NAME), source=NAME, now=NOW)
        edit(folder, "issues", 158, title="How long is a packet?", updated_at="2026-12-01T00:00:00Z")
        edit(folder, "pulls", 221, title="Of figures", updated_at="2026-12-01T00:00:01Z")
        server.read(folder)
        index_live(brain, server)
        index(again, export_feeds(folder, NAME), source=NAME, now=NOW)
        titles = "select distinct thread, title from records where thread in ('issue:158', 'pull:221') order by 1"
        assert [*brain.db.execute(titles)] == [("issue:158", "How long is a packet?"), ("pull:221", "Of figures")]
        assert content(brain) == content(again) == of_folder(folder, tmp_path)
        assert index_live(brain, server) == (0, 0, 0, 0)
        assert indexes_agree(brain)


def test_a_webhook_that_tells_a_new_title_tells_it_of_the_comments_too(
    indexed: Brain, folder: Path, tmp_path: Path
) -> None:
    edit(folder, "issues", 158, title="How long is a packet?", updated_at="2026-12-01T00:00:00Z")
    rows = map(json.loads, filter(None, (folder / "issues.jsonl").read_text("utf-8").split("\n")))
    row = next(row for row in rows if row["number"] == 158)
    found = delivered("issues", {"action": "edited", "issue": row}, source=NAME, where="a delivery")
    store(indexed, found, source=NAME, authority={}, now=NOW)
    index(indexed, [], source=NAME, now=NOW)
    assert content(indexed) == of_folder(folder, tmp_path)


def standing(brain: Brain) -> set[str]:
    return {ref for (ref,) in brain.db.execute("select ref from records where gone_at is null")}


def without(folder: Path, file: str, *keys: int) -> None:
    """Delete the rows of *file* with these numbers or ids."""
    path = folder / f"{file}.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    kept = [row for row in rows if not {row.get("number"), row.get("id")} & {*keys}]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept), "utf-8")


@pytest.mark.parametrize("again", [False, True])
def test_what_was_deleted_is_gone_the_next_time(
    again: bool,  # noqa: FBT001
    server: GitHubServer, indexed: Brain, folder: Path, tmp_path: Path,
) -> None:  # fmt: skip
    rows = [json.loads(line) for line in (folder / "comments.jsonl").read_text("utf-8").split("\n") if line]
    deleted = [next(row["id"] for row in rows if row["kind"] == kind) for kind in ("issue_comment", "review_comment")]
    under = [row["id"] for row in rows if row["issue_number"] == 158]
    without(folder, "comments", *deleted, *under)
    without(folder, "issues", 158)
    server.read(folder)
    asked = len(server.asked)
    assert index_live(indexed, server, again=again)[3] == len({*deleted, *under}) + 1
    assert again or len(server.asked) - asked < 45, "only the lists that are too short, and what they lack"
    assert standing(indexed) == {ref for _, ref, *_ in of_folder(folder, tmp_path)["records"]}
    assert index_live(indexed, server)[3] == 0


def test_a_blanked_comment_returns_with_its_text(
    server: GitHubServer, brain: Brain, folder: Path, tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in (folder / "comments.jsonl").read_text("utf-8").split("\n") if line]
    edit(folder, "comments", rows[0]["id"], body="")
    server.read(folder)
    index_live(brain, server)
    edit(folder, "comments", rows[0]["id"], body="We decided on Inter.", updated_at="2026-12-01T00:00:00Z")
    server.read(folder)
    assert index_live(brain, server)[0] == 1
    assert content(brain) == of_folder(folder, tmp_path)


def test_a_review_whose_words_were_taken_out_is_gone(
    server: GitHubServer, brain: Brain, folder: Path, tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in (folder / "comments.jsonl").read_text("utf-8").split("\n") if line]
    review = next(row for row in rows if row["kind"] == "review" and row["body"])
    edit(folder, "comments", review["id"], state="COMMENTED")
    server.read(folder)
    index_live(brain, server)
    edit(folder, "comments", review["id"], body="", state="COMMENTED")
    edit(folder, "pulls", review["issue_number"], updated_at="2026-12-01T00:00:00Z")
    server.read(folder)
    assert index_live(brain, server)[3] == 1
    assert standing(brain) == {ref for _, ref, *_ in of_folder(folder, tmp_path)["records"]}


def test_a_webhook_that_tells_of_a_blanked_comment_takes_it_out(indexed: Brain, folder: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in (folder / "comments.jsonl").read_text("utf-8").split("\n") if line]
    row = next(row for row in rows if row["kind"] == "issue_comment")
    edit(folder, "comments", row["id"], body="")
    found = delivered("issue_comment", {"action": "edited", "comment": row | {"body": ""}}, source=NAME, where="it")
    assert store(indexed, found, source=NAME, authority={}, now=NOW).gone == 1
    index(indexed, [], source=NAME, now=NOW)
    assert standing(indexed) == {ref for _, ref, *_ in of_folder(folder, tmp_path)["records"]}


def test_what_is_deleted_while_another_row_comes_is_gone_too(
    server: GitHubServer, brain: Brain, folder: Path, tmp_path: Path
) -> None:
    comments = folder / "comments.jsonl"
    first, second, *rest = comments.read_text("utf-8").splitlines(keepends=True)
    comments.write_text("".join([second, *rest]), "utf-8")
    server.read(folder)
    index_live(brain, server)
    comments.write_text("".join([first, *rest]), "utf-8")
    edit(folder, "comments", json.loads(first)["id"], updated_at="2026-12-01T00:00:00Z")
    server.read(folder)
    added, *_, gone = index_live(brain, server)
    assert (added, gone) == (1, 1), "as many rows as before, and yet one is gone"
    assert standing(brain) == {ref for _, ref, *_ in of_folder(folder, tmp_path)["records"]}


def test_what_a_list_merely_skips_is_not_gone(server: GitHubServer, indexed: Brain) -> None:
    """A list that is read while its rows are deleted lacks some that are there: each is asked for by its number."""
    pages = server.listed

    def shifted(path: str) -> list[dict[str, object]] | dict[str, object] | None:
        found = pages(path)
        return found[5:] if isinstance(found, list) and path.endswith("/issues/comments") else found

    server.listed = shifted  # type: ignore[method-assign]
    assert index_live(indexed, server)[3] == 0


def test_rows_that_change_while_they_are_read_push_no_other_out(server: GitHubServer, folder: Path) -> None:
    """What is edited moves to the end; by page numbers the row after it would slip into a page already read."""

    def meanwhile(handler: object) -> bool:  # noqa: ARG001  a fault that lets the server answer
        number = json.loads((folder / "issues.jsonl").read_text("utf-8").split("\n")[0])["number"]
        edit(folder, "issues", number, updated_at="2026-12-01T00:00:00Z")
        server.read(folder)
        return False

    server.faults = {24: meanwhile, 30: meanwhile}
    found = {item.ref for item in github_live.read(repository(server), source=NAME) if isinstance(item, Record)}
    assert found == {item.ref for item in github_export.read(folder, source=NAME) if isinstance(item, Record)}


def test_more_rows_of_one_second_than_a_page_holds_are_all_read(server: GitHubServer, folder: Path) -> None:
    for number in [json.loads(line)["number"] for line in (folder / "issues.jsonl").read_text("utf-8").splitlines()]:
        edit(folder, "issues", number, updated_at="2026-01-01T00:00:00Z", id=None)  # as exports by GraphQL have it
    server.read(folder)
    found = {item.ref for item in github_live.read(repository(server), source=NAME) if isinstance(item, Record)}
    assert found == {item.ref for item in github_export.read(folder, source=NAME) if isinstance(item, Record)}


@pytest.mark.parametrize("workers", [1, 2])
def test_a_reading_that_stops_anywhere_goes_on_from_there(
    workers: int, server: GitHubServer, brain: Brain, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GitHub fails for good every now and then; what was stored is not read again, and nothing is missing."""
    monkeypatch.setattr(reading, "INLINE", 0)  # a page that somebody else prepares might not be stored when it fails
    stored, asked, runs = 0, 0, 0
    while runs < 20:
        server.faults = dict.fromkeys(range(len(server.asked) + 43, len(server.asked) + 60), refuse(500, "down"))
        runs += 1
        try:
            index_live(brain, server, workers=workers)
        except GitHubFailed:
            (held,) = brain.db.execute("select count(*) from records").fetchone()
            assert held >= stored
            stored = held
            continue
        break
    asked = len(server.asked)
    assert runs >= 3
    assert stored > 60
    assert asked < runs * 60
    assert content(brain) == of_folder(folder, tmp_path)


def test_a_comment_that_is_read_later_has_the_title_of_its_thread(server: GitHubServer) -> None:
    items: list[Item] = [*github_live.read(repository(server), source=NAME)]
    cursor = next(
        item for item in reversed(items) if isinstance(item, Cursor) and "comments" not in json.loads(item.value)
    )
    known = {158: Thread("issue", "What exactly is a packet?")}
    later = [*github_live.read(repository(server), source=NAME, since=cursor.value, known=lambda: known)]
    titles = {item.title for item in later if isinstance(item, Record) and item.thread == "issue:158"}
    assert titles == {"What exactly is a packet?"}


def test_a_repository_that_was_renamed_is_asked_by_its_new_name(server: GitHubServer, folder: Path) -> None:
    server.renamed_from = "o8-labs/old"
    old = Repository("o8-labs/old", address=server.address, token="", wait=lambda *_: None)
    found = {item.ref for item in github_live.read(old, source=NAME) if isinstance(item, Record)}
    assert found == {item.ref for item in github_export.read(folder, source=NAME) if isinstance(item, Record)}


def test_a_repository_without_issues_says_so_and_is_never_complete(server: GitHubServer) -> None:
    server.faults = {2: refuse(410, "Issues has been disabled in this repository.")}
    *items, cursor = github_live.read(repository(server), source=NAME)
    assert [item.reason for item in items if isinstance(item, Skipped)] == [
        "GitHub says: 410 Issues has been disabled in this repository."
    ]
    assert isinstance(cursor, Cursor)
    assert not cursor.complete


def edit(folder: Path, file: str, key: int, **fields: object) -> None:
    """Change the row of *file* with this number or id."""
    path = folder / f"{file}.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    edited = [row | fields if key in (row.get("number"), row.get("id")) else row for row in rows]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in edited), "utf-8")
