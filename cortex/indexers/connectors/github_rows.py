"""Records of what GitHub's REST API states: issues, pull requests, comments, reviews and review comments.

The objects may come from a folder or over the network; their own fields tell what they are. An issue that was closed
for another reason than being done has the state 'closed as not planned' or 'closed as duplicate'. A milestone is
among the labels, as 'milestone: 1.0'. Whoever deleted their account is 'ghost', as GitHub shows them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

from cortex.indexers.connectors.fields import BODY_LIMIT, BODY_TOO_LONG, Fields
from cortex.substrate.model import Link, Record, Skipped

ThreadType = Literal["issue", "pull"]
Shape = Literal[ThreadType, "comment", "commit"]

VERDICTS: Final = ("approved", "changes_requested", "dismissed")  # what a review may say without a word
NO_VERDICT: Final = "a review without a verdict or a word"
BLANK: Final = "a comment whose text is blank"
SAYS_NOTHING: Final = (NO_VERDICT, BLANK)
"""What was read and has nothing to store: whatever it said before, it says no longer."""

_IN_THREAD = re.compile(r"/(issues|pull|pulls)/(\d{1,18})(?=[/#?]|$)")
_COMMENT_ID = re.compile(r"#(?:issuecomment-|discussion_r|pullrequestreview-)(\d{1,18})$")


class Thread(NamedTuple):
    """What comments need to know of the issue or pull request they stand under."""

    type: ThreadType
    title: str


def shape(row: Mapping[str, Any]) -> Shape | None:
    """What the fields of *row* say it is."""
    if "sha" in row and not row.keys().isdisjoint(("commit", "subject", "message")):
        return "commit"
    if "open_issues" in row:  # a milestone
        return None
    if "title" in row or "number" in row:
        told = not row.keys().isdisjoint(("merged", "merged_at", "merge_commit_sha", "draft"))
        return "pull" if told or listed(row) or "/pull/" in str(row.get("html_url")) else "issue"
    return "comment" if "body" in row and not row.keys().isdisjoint(("user", "id", "html_url")) else None


def listed(row: Mapping[str, Any]) -> bool:
    """Whether this is a pull request as a listing of issues shows it: without who merged it and as what."""
    return isinstance(row.get("pull_request"), Mapping)


def ref_of(fields: Fields) -> str:
    """The ref of the record that *fields* become, 'listed:' a number where a listing of issues has a pull request.

    It is '' for a commit, and for what has no ref.
    """
    held = shape(fields.row)
    if held == "comment":
        number, identity = _thread_number(fields), _identity(fields)
        return f"comment:{number}#{identity}" if number and identity else ""
    if held in ("issue", "pull"):
        number = fields.number("number")
        return f"{'listed' if listed(fields.row) else held}:{number}" if number else ""
    return ""


def thread(fields: Fields, *, source: str, held: ThreadType) -> Record | Skipped:
    """The record of an issue or a pull request."""
    number = fields.number("number")
    if number is None:
        return Skipped(input=fields.where, reason="no number")
    fields.expect("title", "state", "created_at", "user")
    title, text = fields.line("title"), fields.text("body")
    if len(text) > BODY_LIMIT or len(title) > BODY_LIMIT:
        return Skipped(input=fields.where, reason=BODY_TOO_LONG)
    merged_at = fields.time("merged_at", within="pull_request" if listed(fields.row) else None)
    state = fields.text("state").lower() or ("closed" if fields.row.get("closed_at") else "open")
    reason = fields.row.get("state_reason")
    if state == "closed" and reason in ("not_planned", "duplicate"):
        state = f"closed as {reason.replace('_', ' ')}"
    merged = held == "pull" and (merged_at is not None or fields.row.get("merged") is True)
    milestone, sha = fields.row.get("milestone"), fields.row.get("merge_commit_sha")
    milestone = milestone.get("title") if isinstance(milestone, Mapping) else milestone
    merges = [Link(relation="merges", to_ref=f"commit:{sha[:12]}")] if merged and isinstance(sha, str) and sha else []
    return Record(
        source=source,
        type=held,
        ref=f"{held}:{number}",
        title=title,
        body=f"{title}\n\n{text}" if text else title,
        url=fields.web("html_url"),
        author=author(fields),
        association=fields.text("author_association"),
        state="merged" if merged else state,
        labels=(
            *fields.names("labels", "name"),
            *([f"milestone: {milestone}"] if isinstance(milestone, str) and milestone else []),
        ),
        assignees=fields.names("assignees", "login"),
        merged_by=fields.person("merged_by"),
        closed_by=fields.person("closed_by"),
        created_at=fields.time("created_at"),
        updated_at=fields.time("updated_at"),
        closed_at=fields.time("closed_at"),
        merged_at=merged_at,
        links=tuple(merges),
    )


def author(fields: Fields) -> str:
    """Who wrote it; 'ghost' for a deleted account."""
    return "ghost" if fields.row.get("user", "") is None else fields.person("user")


def comment(fields: Fields, *, source: str, threads: Mapping[int, Thread]) -> Record | Skipped:
    """The record of a comment, a review or a review comment; the body of a review without a word is its verdict."""
    number, identity, text = _thread_number(fields), _identity(fields), fields.text("body")
    is_review = fields.row.get("kind") == "review" or "submitted_at" in fields.row
    state = fields.text("state").lower() if is_review else ""
    bare = is_review and not text.strip()
    if bare and state in VERDICTS:
        text = state.upper()
    problem = (
        NO_VERDICT if bare and state not in VERDICTS
        else "no thread number" if number is None
        else "no id" if identity is None
        else BLANK if not text.strip() and isinstance(fields.row.get("body"), str)
        else "no body" if not text.strip()
        else BODY_TOO_LONG if len(text) > BODY_LIMIT
        else ""
    )  # fmt: skip
    if number is None or problem:
        return Skipped(input=fields.where, reason=problem)
    fields.expect("submitted_at" if is_review else "created_at", "user")
    on_pull = fields.row.get("is_pull") or not fields.row.keys().isdisjoint(("pull_request_url", "path"))
    on_pull = on_pull or is_review or "/pull/" in str(fields.row.get("html_url"))
    under = threads.get(number) or Thread("pull" if on_pull else "issue", "")
    earlier = fields.number("in_reply_to_id")
    # An outdated comment on code stands where it stood when it was written.
    last = fields.number("line") or fields.number("original_line")
    first = fields.number("start_line" if fields.row.get("line") else "original_start_line")
    links = [Link(relation="replies", to_ref=f"comment:{number}#{earlier}")] if earlier else []
    links += [Link(relation="reviews", to_ref=f"pull:{number}")] if state in VERDICTS else []
    return Record(
        source=source,
        type="comment",
        ref=f"comment:{number}#{identity}",
        title=f"Review of pull request #{number}" if bare else under.title,
        body=text,
        url=fields.web("html_url"),
        path=fields.text("path"),
        lines=(first if first and first <= last else last, last) if last else None,
        author=author(fields),
        association=fields.text("author_association"),
        state=state,
        thread=f"{under.type}:{number}",
        created_at=fields.time("created_at" if fields.row.get("created_at") else "submitted_at"),
        updated_at=fields.time("updated_at" if fields.row.get("updated_at") else "submitted_at"),
        links=tuple(links),
    )


def _thread_number(fields: Fields) -> int | None:
    if number := fields.number("issue_number") or fields.number("pull_number"):
        return number
    for name in ("issue_url", "pull_request_url", "html_url"):
        if found := _IN_THREAD.search(str(fields.row.get(name, ""))):
            return int(found[2])
    return None


def _identity(fields: Fields) -> int | None:
    in_address = _COMMENT_ID.search(fields.web("html_url"))
    return fields.number("id") or (int(in_address[1]) if in_address else None)
