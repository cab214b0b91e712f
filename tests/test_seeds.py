"""The demo project agrees with itself, and the answers we expect of it stand where we say they do."""

import json
import re
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.tables import walk

ROOT = Path(__file__).parent.parent
SEEDS, EVALS = ROOT / "seeds", ROOT / "evals"
REPOSITORIES = ("o8", "o8-runner")
CATEGORIES = ("ownership", "decisions", "processes", "incidents", "specs", "cross-repo")
CLOSES = re.compile(r"\b(?:fix|fixes|closes|resolves)\s+#(\d+)", re.IGNORECASE)
HERE = re.compile(r"(?<![\w/])#(\d+)\b")
ELSEWHERE = re.compile(r"\bo8-labs/(o8|o8-runner)#(\d+)")

Row = dict[str, Any]


def rows(repository: str, kind: str) -> list[Row]:
    lines = (SEEDS / repository / f"{kind}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def threads(repository: str) -> dict[int, Row]:
    return {row["number"]: row for kind in ("issues", "pulls") for row in rows(repository, kind)}


def tree(repository: str) -> dict[str, str]:
    root = SEEDS / repository / "docs"
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def rules(text: str) -> list[str]:
    """The list items of a directive file, which holds headings and list items only, each with its further lines."""
    return [item.strip() for item in re.findall(r"^- (.*(?:\n {2}.*)*)", text, re.MULTILINE)]


def owners(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def sections(text: str) -> dict[str, str]:
    """The text below each heading by slug path; '' is what stands before the first heading below the H1."""
    found, path, fenced = {"": ""}, [""] * 6, False
    anchor = ""
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        heading = None if fenced else re.match(r"(#+) (.+)", line)
        if heading and len(heading[1]) > 1:
            level = len(heading[1]) - 2
            path[level:] = [slug(heading[2])] + [""] * (5 - level)
            anchor = "/".join(filter(None, path))
            found[anchor] = ""
        found[anchor] += line + "\n"
    return found


def directive_files(repository: str) -> dict[str, str]:
    return {p: t for p, t in tree(repository).items() if p.startswith("seed-") or p == "AGENTS.md"}


def ownership_file(repository: str) -> tuple[str, str]:
    return next((p, t) for p, t in tree(repository).items() if p.endswith("CODEOWNERS"))


def thread_text(row: Row) -> str:
    meta = [row["user"], *row["assignees"], row.get("merged_by") or {}]
    people = " ".join(person.get("login", "") for person in meta)
    return f"#{row['number']} {row['title']}\n{row['body']}\n{people}"


def every_record() -> dict[str, str]:
    """The text behind each reference an eval case may cite."""
    found: dict[str, str] = {}
    for repository in REPOSITORIES:
        for kind in ("issue", "pull"):
            found |= {f"{kind}:{row['number']}": thread_text(row) for row in rows(repository, f"{kind}s")}
        found |= {f"comment:{c['issue_number']}#{c['id']}": c["body"] for c in rows(repository, "comments")}
        found |= {
            f"commit:{c['sha'][:12]}": f"{c['subject']}\n{c['body']}\n{c['author']}"
            for c in rows(repository, "commits")
        }
        found |= {f"outcome:{o['slug']}": f"{o['title']}\n{o['note']}" for o in rows(repository, "outcomes")}
        for path, text in directive_files(repository).items():
            found |= {f"directive:{path}#{n}": rule for n, rule in enumerate(rules(text), 1)}
        path, text = ownership_file(repository)
        found |= {f"ownership:{path}#{n}": line for n, line in enumerate(owners(text), 1)}
        for path, text in tree(repository).items():
            found |= {f"doc:{path}#{anchor}".rstrip("#"): body for anchor, body in sections(text).items()}
            if "/decisions/" in path:
                found[f"directive:{path}#1"] = sections(text)["decision"]
    return found


def cases(name: str) -> list[Row]:
    found: list[Row] = yaml.safe_load((EVALS / f"{name}.yaml").read_text(encoding="utf-8"))
    return found


def when(text: str) -> datetime:
    return datetime.fromisoformat(text)


EVERY_CASE = [pytest.param(case, id=case["id"]) for name in ("smoke", "demo") for case in cases(name)]
RECORDS = every_record()


def test_the_demo_project_has_about_three_hundred_records() -> None:
    count = 0
    for repository in REPOSITORIES:
        count += sum(len(rows(repository, k)) for k in ("issues", "pulls", "comments", "commits", "outcomes"))
        count += sum(len(rules(text)) for text in directive_files(repository).values())
        count += len(owners(ownership_file(repository)[1]))
        count += sum(path.endswith(".md") and path not in directive_files(repository) for path in tree(repository))
    assert 250 <= count <= 380


@pytest.mark.parametrize("repository", REPOSITORIES)
def test_ids_are_unique(repository: str) -> None:
    for kind, key in [("comments", "id"), ("commits", "sha"), ("outcomes", "slug")]:
        repeated = [value for value, n in Counter(row[key] for row in rows(repository, kind)).items() if n > 1]
        assert not repeated, kind
    numbered = rows(repository, "issues") + rows(repository, "pulls")
    assert len({row["id"] for row in numbered}) == len({row["number"] for row in numbered}) == len(numbered)


def test_no_number_means_two_things() -> None:
    assert not threads("o8").keys() & threads("o8-runner").keys()


@pytest.mark.parametrize("repository", REPOSITORIES)
def test_numbers_are_given_in_the_order_of_creation(repository: str) -> None:
    created = [when(row["created_at"]) for _, row in sorted(threads(repository).items())]
    assert created == sorted(created)


@pytest.mark.parametrize("repository", REPOSITORIES)
def test_dates_of_a_thread_are_in_order(repository: str) -> None:
    for number, row in threads(repository).items():
        closed, updated = row["closed_at"], row["updated_at"]
        assert (row["state"] == "closed") == bool(closed), number
        assert "2025-01-01" < row["created_at"] <= (closed or updated) <= updated < "2026-11", number
        if row.get("merged"):
            assert row["merged_at"] == closed, number
            assert row["merged_by"], number


@pytest.mark.parametrize("repository", REPOSITORIES)
def test_comments_belong_to_a_thread_and_follow_it(repository: str) -> None:
    known = threads(repository)
    replies: Counter[int] = Counter()
    for comment in rows(repository, "comments"):
        thread = known[comment["issue_number"]]
        assert comment["is_pull"] == ("merged" in thread), comment["id"]
        assert thread["created_at"] < comment["created_at"] <= thread["updated_at"], comment["id"]
        assert comment["html_url"].startswith(thread["html_url"] + "#"), comment["id"]
        replies[comment["issue_number"]] += comment["kind"] == "issue_comment"
    assert {number: row["comments"] for number, row in known.items()} == {n: replies[n] for n in known}


@pytest.mark.parametrize("repository", REPOSITORIES)
def test_a_merged_pull_closes_the_issue_it_names(repository: str) -> None:
    known = threads(repository)
    for row in rows(repository, "pulls"):
        for number in CLOSES.findall(row["body"]):
            issue = known[int(number)]
            assert "merged" not in issue, row["number"]
            if row["merged"]:
                assert 0 <= (when(issue["closed_at"]) - when(row["merged_at"])).total_seconds() < 180, row["number"]


@pytest.mark.parametrize("repository", REPOSITORIES)
def test_every_reference_leads_somewhere(repository: str) -> None:
    texts = [f"{r['title']}\n{r['body']}" for r in threads(repository).values()]
    texts += [c["body"] for c in rows(repository, "comments")]
    texts += [f"{c['subject']}\n{c['body']}" for c in rows(repository, "commits")]
    texts += [o["note"] for o in rows(repository, "outcomes")]
    texts += list(tree(repository).values())
    everywhere = {name: threads(name) for name in REPOSITORIES}
    for text in texts:
        for name, number in ELSEWHERE.findall(text):
            assert int(number) in everywhere[name], text
        for number in HERE.findall(text):
            assert int(number) in everywhere[repository], text


@pytest.mark.parametrize("repository", REPOSITORIES)
def test_outcomes_name_a_pull_that_ended_so(repository: str) -> None:
    pulls = {row["number"]: row for row in rows(repository, "pulls")}
    for outcome in rows(repository, "outcomes"):
        assert outcome["status"] in ("shipped", "flagged", "rejected", "reverted"), outcome["slug"]
        pull = pulls[outcome["pull"]]
        assert pull["merged"] == (outcome["status"] != "rejected"), outcome["slug"]
        assert pull["closed_at"][:10] <= outcome["date"], outcome["slug"]


@pytest.mark.parametrize("repository", REPOSITORIES)
def test_merged_pulls_are_in_the_history(repository: str) -> None:
    history = {row["sha"]: row for row in rows(repository, "commits")}
    for row in rows(repository, "pulls"):
        if row["merged"]:
            commit = history[row["merge_commit_sha"]]
            assert commit["date"] == row["merged_at"], row["number"]
            assert f"#{row['number']}" in commit["subject"], row["number"]
    for sha in re.findall(r"This reverts commit ([0-9a-f]{40})", "\n".join(row["body"] for row in history.values())):
        assert sha in history


@pytest.mark.parametrize("repository", REPOSITORIES)
def test_everybody_is_one_of_nine_people_or_two_bots(repository: str) -> None:
    known = set(re.findall(r"^\| ([\w-]+) \|", (SEEDS / "README.md").read_text(), re.MULTILINE)) - {"login"}
    known |= {"o8-ci[bot]", "depwatch[bot]"}
    written = [*threads(repository).values(), *rows(repository, "comments")]
    assert {row["user"]["login"] for row in written} <= known
    assert set(re.findall(r"(?<=\s)@([\w-]+)", ownership_file(repository)[1])) <= known


@pytest.mark.parametrize("repository", REPOSITORIES)
def test_decisions_supersede_each_other_both_ways(repository: str) -> None:
    decisions = {Path(path).name: text for path, text in tree(repository).items() if "/decisions/" in path}
    for name, text in decisions.items():
        for later in re.findall(r"^Status: Superseded by \[\d+\]\((.+)\)", text, re.MULTILINE):
            assert f"Supersedes: [{name[:4]}]({name})" in decisions[later]


@pytest.mark.parametrize("repository", REPOSITORIES)
def test_directive_files_hold_nothing_but_headings_and_rules(repository: str) -> None:
    for path, text in directive_files(repository).items():
        for line in text.splitlines():
            assert not line or line.startswith(("# ", "## ", "- ", "  ")), f"{path}: {line}"


def test_smoke_asks_once_a_category_and_once_in_vain() -> None:
    asked = cases("smoke")
    assert [case["category"] for case in asked if not case.get("unanswerable")] == list(CATEGORIES)
    assert sum(case.get("unanswerable", False) for case in asked) == 1


def test_the_thirty_are_five_a_category_and_a_quarter_has_no_answer() -> None:
    asked = cases("demo")
    assert Counter(case["category"] for case in asked) == dict.fromkeys(CATEGORIES, 5)
    assert 7 <= sum(not case["answerable"] for case in asked) <= 9


def test_case_ids_are_unique() -> None:
    ids = [case["id"] for name in ("smoke", "demo") for case in cases(name)]
    assert len(set(ids)) == len(ids)


@walk("case", EVERY_CASE)
def test_every_cited_record_holds_what_the_answer_must_say(case: Row) -> None:
    answerable = case.get("answerable", not case.get("unanswerable", False))
    assert bool(case["cites"]) == bool(case["must"]) == answerable
    for ref in case["cites"]:
        source = re.sub(r"\s+", " ", RECORDS[ref]).lower()
        for text in case["must"]:
            assert text.lower() in source, f"{ref} does not say {text!r}"
