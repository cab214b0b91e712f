"""Deliveries of GitHub's webhook: what each kind stores, what goes, and that it can be asked for soon after."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from cortex.indexers.delivering import delivered, store
from cortex.indexers.feeds import export_feeds
from cortex.indexers.run import index
from cortex.settings import Settings
from cortex.substrate.address import argument
from cortex.substrate.brain import open_brain
from cortex.surfaces.http import webhook
from tests.brains import open_new, place
from tests.surfaces.conftest import NOW, Ran
from tests.surfaces.http_sites import Reply, Site, serving
from tests.trees import until

SECRET = "between us"  # noqa: S105
OWN = "its own"
WEB = "https://github.com/o8-labs/o8"
API = "https://api.github.com/repos/o8-labs/o8"
NUMBERS = count(1)


@pytest.fixture
def site(brain: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(webhook, "TOGETHER_S", 0.01)
    with serving(brain, Settings(db=brain, github_webhook_secret=SecretStr(SECRET))) as site:
        yield site


def deliver(
    site: Site, event: str, payload: dict[str, Any], *, repository: str = "o8-labs/o8", secret: str = SECRET
) -> Reply:
    body = json.dumps({"repository": {"full_name": repository}, **payload}).encode()
    headers = {
        "x-github-event": event, "x-github-delivery": f"delivery {next(NUMBERS)}", "content-type": "application/json",
        "x-hub-signature-256": "sha256=" + hmac.new(secret.encode(), body, sha256).hexdigest(),
    }  # fmt: skip
    return site.send("POST", "/webhooks/github", body, headers)


def issue(number: object = 9001, **fields: Any) -> dict[str, Any]:  # noqa: ANN401  any field of an issue
    return {
        "number": number, "title": "Gateway leaks descriptors", "body": "Each lease leaves a pipe open.",
        "state": "open", "user": {"login": "ada"}, "html_url": f"{WEB}/issues/{number}",
        "created_at": "2026-08-30T10:00:00Z", "updated_at": "2026-08-30T10:00:00Z",
    } | fields  # fmt: skip


def pull(number: object = 9002, **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    return issue(number, title="Close the pipes of a lease", body="Fixes #9001", merged=False, draft=False,
                 html_url=f"{WEB}/pull/{number}") | fields  # fmt: skip


def remark(on: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "id": 77, "body": "We decided to close pipes when a lease ends, because runners ran out of descriptors.",
        "user": {"login": "ada"}, "html_url": f"{WEB}/{on}#issuecomment-77", "author_association": "MEMBER",
        "created_at": "2026-08-30T11:00:00Z", "updated_at": "2026-08-30T11:00:00Z",
    } | fields  # fmt: skip


REVIEW = {
    "id": 78, "body": "Good, but wait for the release.", "state": "APPROVED", "user": {"login": "ada"},
    "html_url": f"{WEB}/pull/9002#pullrequestreview-78", "submitted_at": "2026-08-30T12:00:00Z",
}  # fmt: skip


@pytest.mark.parametrize(
    ("event", "payload", "ref"),
    [
        ("issues", {"action": "opened", "issue": issue()}, "issue:9001"),
        ("pull_request", {"action": "opened", "pull_request": pull()}, "pull:9002"),
        ("issue_comment", {"action": "created", "issue": issue(), "comment": remark("issues/9001")},
         "comment:9001#77"),
        ("issue_comment", {"action": "created", "issue": issue(9002, pull_request={}), "comment": remark("pull/9002")},
         "comment:9002#77"),
        ("pull_request_review", {"action": "submitted", "pull_request": pull(), "review": REVIEW}, "comment:9002#78"),
        ("pull_request_review_comment",
         {"action": "created", "pull_request": pull(),
          "comment": remark("pull/9002", path="gateway/lease.py", line=12, html_url=f"{WEB}/pull/9002#discussion_r77")},
         "comment:9002#77"),
    ],
    ids=["issue", "pull", "comment", "comment on a pull", "review", "comment in a review"],
)  # fmt: skip
def test_a_delivery_stores_its_record(site: Site, event: str, payload: dict[str, Any], ref: str) -> None:
    reply = deliver(site, event, payload)
    assert (reply.status, reply.json["added"], reply.json["skipped"]) == (202, 1, 0)
    shown = site.call("get", name=ref, sources=["o8-labs/o8"]).json
    assert shown["record"]["ref"] == ref
    assert shown["record"]["author"] == "ada"


def test_a_comment_that_is_delivered_can_be_asked_for(site: Site) -> None:
    deliver(site, "issues", {"action": "opened", "issue": issue()})
    deliver(site, "issue_comment", {"action": "created", "issue": issue(), "comment": remark("issues/9001")})
    until(lambda: site.call("facts", words="comment:9001#77").json["total"] > 0)
    assert [one["kind"] for one in site.call("facts", words="comment:9001#77").json["facts"]] == ["decision"]
    assert site.call("facts", words="issue:9001").json["total"] >= 1


def test_facts_that_could_not_be_made_are_made_without_another_delivery(
    site: Site, brain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook, "AGAIN_S", 0.05)
    with open_new(brain) as opened:
        opened.db.execute("alter table runs rename to gone")
        assert deliver(site, "issues", {"action": "opened", "issue": issue()}).status == 202
        until(lambda: "facts_of" in site.log.getvalue())
        opened.db.execute("alter table gone rename to runs")
    until(lambda: site.call("facts", words="issue:9001").json["total"] > 0)
    until(lambda: "cortex_facts_due 0.0" in site.send("GET", "/metrics").body.decode())


def test_what_an_earlier_server_was_delivered_gets_its_facts_from_the_next(brain: Path) -> None:
    stored(brain)
    with serving(brain, Settings(db=brain, github_webhook_secret=SecretStr(SECRET))):
        until(lambda: _facts_of(brain, "issue:9001") != [])


def test_what_was_delivered_can_be_worked_off_without_a_server(brain: Path, cortex: Callable[..., Ran]) -> None:
    stored(brain)
    assert cortex("queue", "work", db=brain).out.startswith("o8-labs/o8")
    assert _facts_of(brain, "issue:9001") != []
    assert cortex("queue", "work", db=brain).out.startswith("Nothing to do")


def stored(path: Path) -> None:
    """What a server leaves that ends as soon as it was delivered an issue."""
    found = delivered("issues", {"action": "opened", "issue": issue()}, source="o8-labs/o8", where="")
    with open_new(path) as brain:
        store(brain, found, source="o8-labs/o8", authority={}, now=NOW)
    assert _facts_of(path, "issue:9001") == []


def test_a_delivery_that_could_not_be_noted_may_come_again(site: Site, brain: Path) -> None:
    made = {"action": "opened", "issue": issue()}
    with open_new(brain) as opened:
        opened.db.execute("alter table deliveries rename to gone")
        assert deliver(site, "issues", made).status == 503
        opened.db.execute("alter table gone rename to deliveries")
    assert deliver(site, "issues", made).status == 202
    assert deliver(site, "issues", made).status == 409


def test_an_edit_replaces_and_an_older_state_does_not(site: Site) -> None:
    deliver(site, "issues", {"action": "opened", "issue": issue()})
    later = issue(title="Gateway leaks pipes", updated_at="2026-08-31T10:00:00Z")
    assert deliver(site, "issues", {"action": "edited", "issue": later}).json["replaced"] == 1
    assert deliver(site, "issues", {"action": "edited", "issue": issue()}).json["replaced"] == 0
    assert site.call("get", name="issue:9001").json["record"]["title"] == "Gateway leaks pipes"


def test_what_was_deleted_there_is_gone_here(site: Site) -> None:
    deliver(site, "issues", {"action": "opened", "issue": issue()})
    assert deliver(site, "issues", {"action": "deleted", "issue": issue()}).json["gone"] == 1
    assert site.call("get", name="issue:9001").json["gone_at"]
    assert deliver(site, "issues", {"action": "deleted", "issue": issue(), "sender": {}}).json["gone"] == 0


def test_a_signed_body_is_taken_once_whatever_id_it_comes_under(site: Site) -> None:
    made = {"action": "created", "issue": issue(), "comment": remark("issues/9001")}
    assert deliver(site, "issue_comment", made).json["added"] == 1
    deliver(site, "issue_comment", made | {"action": "deleted"})
    again = deliver(site, "issue_comment", made)
    assert (again.status, again.json["error"]["type"]) == (409, "DeliveryRepeated")
    assert site.call("get", name="comment:9001#77").json["gone_at"]


@pytest.mark.parametrize(
    "updated", ["2026-08-30T11:00:00Z", "2026-08-30T11:30:00Z"], ids=["as it was held", "as it was never held"]
)
def test_an_older_state_that_comes_late_does_not_bring_back_what_was_deleted(site: Site, updated: str) -> None:
    made = {"action": "created", "issue": issue(), "comment": remark("issues/9001")}
    deliver(site, "issue_comment", made)
    deliver(site, "issue_comment", made | {"action": "deleted"})
    late = made | {"action": "edited", "comment": remark("issues/9001", updated_at=updated)}
    reply = deliver(site, "issue_comment", late)
    assert (reply.status, reply.json["added"], reply.json["replaced"]) == (202, 0, 0)
    assert site.call("get", name="comment:9001#77").json["gone_at"]


def test_the_case_of_a_repository_does_not_matter(site: Site) -> None:
    reply = deliver(site, "issues", {"action": "opened", "issue": issue()}, repository="O8-Labs/O8")
    assert reply.json["source"] == "o8-labs/o8"


@pytest.mark.parametrize(("event", "status"), [("ping", 200), ("star", 202), ("push", 202)])
def test_an_event_that_states_no_record_is_taken_and_stores_nothing(site: Site, event: str, status: int) -> None:
    reply = deliver(site, event, {"action": "created"})
    assert (reply.status, reply.json["stored"]) == (status, 0)
    assert ("unused" in reply.json) is (event != "ping")


def test_a_strangers_words_weigh_what_they_would_had_they_been_indexed(site: Site, brain: Path, tmp_path: Path) -> None:
    stranger = {"user": {"login": "eve"}, "author_association": "NONE"}
    bug = issue(title="Crash in gateway/lease.py: outage", state="closed", closed_at="2026-08-30T12:00:00Z") | stranger
    said = remark("issues/9001", issue_url=f"{API}/issues/9001") | stranger
    deliver(site, "issues", {"action": "closed", "issue": bug})
    deliver(site, "issue_comment", {"action": "created", "issue": bug, "comment": said})
    until(lambda: _facts_of(brain, "comment:9001#77") != [])
    rows = [json.dumps(row) for row in (bug, said)]
    (tmp_path / "rows.jsonl").write_text("\n".join(rows), "utf-8")
    other = place(tmp_path / "other.db")
    with open_new(other) as opened:
        index(opened, export_feeds(tmp_path, "o8-labs/o8"), source="o8-labs/o8", now=NOW)
    for ref in ("issue:9001", "comment:9001#77"):
        assert _facts_of(brain, ref) == _facts_of(other, ref) != []


@pytest.mark.parametrize(("sender", "unverified"), [("eve", True), ("ada", False)])
def test_an_issue_is_closed_by_whoever_sent_the_delivery(site: Site, sender: str, *, unverified: bool) -> None:
    bug = issue(state="closed", closed_at="2026-08-30T12:00:00Z", user={"login": "eve"}, author_association="NONE")
    deliver(site, "issues", {"action": "closed", "issue": bug, "sender": {"login": sender}})
    deliver(site, "issues", {"action": "labeled", "issue": bug | {"labels": []}, "sender": {"login": "ada"}})
    until(lambda: site.call("get", name="issue:9001").json["record"]["unverified"] is unverified)


def _facts_of(path: Path, ref: str) -> list[tuple[object, ...]]:
    asked = """
        select f.handle, f.kind, f.statement, f.authority, f.confidence, r.origin = 'agents'
        from facts f join records r on r.id = f.record_id where r.ref = ? order by 1
    """
    with open_brain(path) as opened:
        return opened.db.execute(asked, (ref,)).fetchall()


def test_a_delivery_that_cannot_be_used_is_said_to_be_skipped(site: Site) -> None:
    reply = deliver(site, "issues", {"action": "opened", "issue": issue(number="many")})
    assert (reply.status, reply.json["added"], reply.json["skipped"]) == (202, 0, 1)


def test_a_repository_that_is_none_of_ours_learns_no_name(site: Site) -> None:
    said = deliver(site, "issues", {"action": "opened", "issue": issue()}, repository="ada/parser").json["error"]
    assert (said["type"], said["hint"]) == ("UnknownSource", "index it first")


def test_no_webhook_is_taken_without_a_secret(brain: Path) -> None:
    with serving(brain) as site:
        assert deliver(site, "issues", {"action": "opened", "issue": issue()}).status == 404


def test_the_deliveries_are_counted(site: Site) -> None:
    deliver(site, "issues", {"action": "opened", "issue": issue()})
    site.send("POST", "/webhooks/github", "{}")
    text = site.send("GET", "/metrics").body.decode()
    assert 'cortex_deliveries_total{result="taken"} 1.0' in text
    assert 'cortex_deliveries_total{result="refused"} 1.0' in text


@pytest.mark.parametrize("fallback", ["", SECRET], ids=["none", "fallback"])
def test_a_secret_of_one_source_delivers_to_no_other(brain: Path, fallback: str) -> None:
    """Who holds the secret of one repository's webhook writes nothing of another's."""
    named = {"CORTEX_DB": argument(brain), "CORTEX_GITHUB_WEBHOOK_SECRETS": json.dumps({"O8-labs/o8": OWN})}
    shared = {"CORTEX_GITHUB_WEBHOOK_SECRET": fallback} if fallback else {}
    settings = Settings.read({**named, **shared})
    with serving(brain, settings) as site:
        assert deliver(site, "issues", {"action": "opened", "issue": issue()}, secret=OWN).status == 202
        assert deliver(site, "issues", {"action": "opened", "issue": issue()}).status == 401
        other = {"repository": "acme/other", "secret": OWN}
        assert deliver(site, "issues", {"action": "opened", "issue": issue()}, **other).status == 401
        spelled = {"repository": "o8-lab\u017f/o8"}  # which folds to the name that has a secret of its own
        assert deliver(site, "issues", {"action": "opened", "issue": issue()}, **spelled).status == 401
        assert deliver(site, "issues", {}, repository="", secret=OWN).status == 401
