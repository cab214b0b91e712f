"""A data folder from a repository that keeps an archive of its own discussion, as those of the IETF do.

    python bench/archived.py CLONE OUT

CLONE is a git repository (bare or not) whose branch `gh-pages` holds the `archive.json` that the action
quicwg/archive-repo writes: issues, pull requests, comments and reviews as GitHub's GraphQL API names them. OUT gets
`issues.jsonl`, `pulls.jsonl`, `comments.jsonl`, `commits.jsonl` and `docs/` with the field names of GitHub's REST API,
and `gold/issue_to_pr.jsonl`: the merged pull request that says it closes an issue that was closed within three days.
An archive names no comment by number: a comment's `id` is its thread's number and a counter, from 10^12 up.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

DOCS: Final = re.compile(r"(?i)(?:\.md|(?:^|/)CODEOWNERS)$")
CLOSES: Final = re.compile(r"(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#([0-9]+)")
SOON: Final = timedelta(days=3)
COMMIT: Final = "%x1e%H%x1f%an%x1f%aI%x1f%cn%x1f%cI%x1f%P%x1f%s%x1f%b%x1f"


def git(clone: Path, *args: str) -> str:
    """What git prints; `CalledProcessError` with its own message when it fails."""
    done = subprocess.run(["git", "-C", str(clone), *args], check=True, stdout=subprocess.PIPE)
    return done.stdout.decode("utf-8", "replace")


def user(login: str | None) -> dict[str, str]:
    """A person as the REST API writes one, GitHub's own stand-in for somebody who left."""
    return {"login": login or "ghost"}


def record(repo: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """What an issue and a pull request have in common."""
    return {
        "id": None,
        "node_id": row["id"],
        "number": row["number"],
        "repo": repo,
        "html_url": row["url"],
        "title": row["title"],
        "body": row["body"],
        "state": "open" if row["state"] == "OPEN" else "closed",
        "user": user(row["author"]),
        "labels": [{"name": name} for name in row["labels"]],
        "assignees": [user(login) for login in row["assignees"]],
        "created_at": row["createdAt"],
        "updated_at": row["updatedAt"],
        "closed_at": row["closedAt"],
        "author_association": row["authorAssociation"],
        "comments": len(row["comments"]),
    }


def pull(repo: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """A pull request."""
    merge = row["mergeCommit"]
    return {
        **record(repo, row),
        "merged": row["mergedAt"] is not None,
        "merged_at": row["mergedAt"],
        "merged_by": user(row["mergedBy"]) if row["mergedBy"] else None,
        "merge_commit_sha": merge["oid"] if merge else None,
        "base": {"ref": row["baseRefName"], "sha": row["baseRefOid"], "repo": row["baseRepository"]},
        "head": {"ref": row["headRefName"], "sha": row["headRefOid"], "repo": row["headRepository"]},
    }


def comments(repo: str, row: Mapping[str, Any], *, is_pull: bool) -> Iterator[dict[str, Any]]:
    """The comments, reviews and their remarks of one thread, oldest first within each kind."""
    told = 0

    def said(kind: str, at: Mapping[str, Any], **more: object) -> dict[str, Any]:
        nonlocal told
        told += 1
        return {
            "id": 10**12 + row["number"] * 10**5 + told,
            "kind": kind,
            "repo": repo,
            "issue_number": row["number"],
            "is_pull": is_pull,
            "user": user(at["author"]),
            "body": at["body"],
            "created_at": at["createdAt"],
            "updated_at": at["updatedAt"],
            "html_url": f"{row['url']}#c{told}",
            "author_association": at.get("authorAssociation", "NONE"),
            **more,
        }

    for comment in row["comments"]:
        yield said("issue_comment", comment)
    for review in row.get("reviews", ()):
        commit = (review["commit"] or {}).get("abbreviatedOid")
        of = said("review", review, state=review["state"], commit_id=commit, submitted_at=review["createdAt"])
        yield of
        for remark in review["comments"]:
            yield said("review_comment", {"author": review["author"], **remark}, pull_request_review_id=of["id"])


def commits(clone: Path) -> Iterator[dict[str, Any]]:
    """The commits at the repository's head, newest first."""
    for part in git(clone, "log", "--name-only", f"--format={COMMIT}").split("\x1e")[1:]:
        sha, author, date, committer, commit_date, parents, subject, body, files = part.split("\x1f")
        yield {
            "sha": sha,
            "author": author,
            "date": date,
            "committer": committer,
            "commit_date": commit_date,
            "parents": parents.split(),
            "subject": subject,
            "body": body.strip(),
            "files": [name for name in files.split("\n") if name],
        }


def closed_by(issues: Iterable[Mapping[str, Any]], pulls: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Which merged pull request fixed an issue, by the author's own words and the dates."""
    open_until = {row["number"]: row for row in issues if row["closed_at"]}
    for row in pulls:
        said = f"{row['title']}\n{row['body']}" if row["merged"] else ""
        for number in dict.fromkeys(map(int, CLOSES.findall(said))):
            issue = open_until.get(number)
            if issue and abs(_at(issue["closed_at"]) - _at(row["merged_at"])) <= SOON:
                yield {
                    "id": f"issue_to_pr-{number}-{row['number']}",
                    "query": issue["title"],
                    "relevant": [f"pr:{row['number']}"],
                    "exclude": [f"issue:{number}"],
                    "kind": "issue_to_pr",
                }


def _at(stamp: str) -> datetime:
    return datetime.fromisoformat(stamp)


def write(path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """How many rows went into the file at *path*."""
    kept = list(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in kept), "utf-8")
    return len(kept)


def convert(clone: Path, out: Path) -> dict[str, int]:
    """A data folder at *out*; how many rows each of its files has."""
    archive = json.loads(git(clone, "show", "gh-pages:archive.json"))
    repo = archive["repo"]
    issues = [record(repo, row) for row in archive["issues"]]
    pulls = [pull(repo, row) for row in archive["pulls"]]
    told = [row for issue in archive["issues"] for row in comments(repo, issue, is_pull=False)]
    told += [row for asked in archive["pulls"] for row in comments(repo, asked, is_pull=True)]
    found = {
        "issues": write(out / "issues.jsonl", issues),
        "pulls": write(out / "pulls.jsonl", pulls),
        "comments": write(out / "comments.jsonl", told),
        "commits": write(out / "commits.jsonl", commits(clone)),
        "gold/issue_to_pr": write(out / "gold" / "issue_to_pr.jsonl", closed_by(issues, pulls)),
        "docs": 0,
    }
    for name in git(clone, "ls-tree", "-r", "--name-only", "-z", "HEAD").split("\0"):
        if DOCS.search(name):
            path = out / "docs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(git(clone, "show", f"HEAD:{name}"), "utf-8")
            found["docs"] += 1
    return found


def main() -> None:
    """Convert, and print how many rows of each kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    print(json.dumps(convert(options.clone, options.out)))


if __name__ == "__main__":
    main()
