"""A small project whose stored fields are looked up: threads, reviews, commits, owners and a changelog."""

from __future__ import annotations

from datetime import UTC, datetime

from cortex.substrate.brain import Brain
from cortex.substrate.model import Link, Record
from tests.brains import index_records, record


def at(day: str) -> datetime:
    """Noon of *day*, '2024-05-06'."""
    return datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=UTC)


def issue(number: int, title: str, author: str, opened: str, closed: str = "", by: str = "", *labels: str) -> Record:
    return record(
        f"issue:{number}",
        title,
        author=author,
        labels=labels,
        state="closed" if closed else "open",
        closed_by=by,
        created_at=at(opened),
        closed_at=at(closed) if closed else None,
    )


def pull(
    number: int,
    title: str,
    author: str,
    opened: str,
    merged: str = "",
    by: str = "",
    closed: str = "",
    links: tuple[Link, ...] = (),
) -> Record:
    return record(
        f"pull:{number}",
        title,
        author=author,
        state="merged" if merged else "closed" if closed else "open",
        created_at=at(opened),
        merged_at=at(merged) if merged else None,
        merged_by=by if merged else "",
        closed_at=at(merged or closed) if merged or closed else None,
        closed_by=by if closed else "",
        links=links,
    )


def review(on: int, number: int, author: str, state: str, day: str) -> Record:
    return record(
        f"comment:{on}#{number}",
        state.upper(),
        author=author,
        state=state,
        thread=f"pull:{on}",
        created_at=at(day),
        links=(Link(relation="reviews", to_ref=f"pull:{on}"),),
    )


def commit(digits: str, title: str, author: str, day: str, *paths: str, merges: str = "") -> Record:
    links = (*(Link(relation="touches", to_ref=f"file:{path}") for path in paths),)
    links += (Link(relation="merges", to_ref=merges),) if merges else ()
    return record(f"commit:{digits}", title, author=author, created_at=at(day), links=links)


def notes(heading: str, slug: str, line: int, body: str) -> Record:
    return record(
        f"doc:CHANGELOG.md#{slug}", body, title=f"Changelog › {heading}", path="CHANGELOG.md", lines=(line, line + 3)
    )


def owner(line: int, pattern: str, *who: str) -> Record:
    body = f"{pattern} {' '.join(f'@{name}' for name in who)}"
    return record(
        f"ownership:CODEOWNERS#{line}",
        body,
        title=f"CODEOWNERS › {pattern}",
        path="CODEOWNERS",
        lines=(line, line),
        assignees=who,
    )


def fixes(ref: str) -> tuple[Link, ...]:
    return (Link(relation="fixes", to_ref=ref),)


def index_kiln(brain: Brain) -> None:
    """Index the project."""
    index_records(
        brain,
        issue(1, "Glaze cracks on cooling", "ada", "2023-01-10", "", "", "bug", "milestone: 2.0"),
        issue(2, "Add a drying shelf", "ada", "2023-03-10", "", "", "enhancement"),
        issue(3, "Door sticks", "bob-b", "2023-05-10", "2024-03-12", "dan", "bug", "good first issue"),
        issue(4, "Fan is loud", "carol", "2024-01-10", "2024-08-10", "carol", "enhancement", "milestone: 2.0"),
        pull(10, "Grease the door", "ada", "2024-02-01", "2024-03-11", "bob-b", links=fixes("issue:3")),
        pull(11, "Cache the firing curve", "bob-b", "2024-05-02", "2024-09-03", "carol"),
        pull(12, "Rework the burner", "ada", "2024-06-01"),
        pull(13, "Paint it red", "eve", "2024-06-05", closed="2024-06-09", by="dan"),
        pull(
            14,
            "Revert the firing curve",
            "dan",
            "2024-09-20",
            "2024-09-21",
            "dan",
            links=(Link(relation="reverts", to_ref="pull:11"),),
        ),
        review(10, 1, "bob-b", "approved", "2024-03-02"),
        review(12, 2, "bob-b", "approved", "2024-06-02"),
        review(12, 3, "carol", "changes_requested", "2024-07-01"),
        commit("aa11aa11aa11", "Start the kiln", "Ada Low", "2022-12-01", "src/kiln.py", "README.md"),
        commit("bb22bb22bb22", "Grease the door", "Ada Low", "2024-03-11", "src/door.py", merges="pull:10"),
        commit("cc33cc33cc33", "Tidy the door", "Bob B", "2024-04-15", "src/door.py"),
        notes("Unreleased", "unreleased", 3, "- A new burner."),
        notes("[1.2.0] - 2024-10-01 › Added", "120/added", 10, "- The firing curve is cached and taken back (#14)."),
        notes("[1.2.0] - 2024-10-01 › Fixed", "120/fixed", 20, "- Nothing else."),
        notes("[1.1.0] - 2024-04-01", "110", 30, "- The door is greased (#10)."),
        notes("[1.0.0] - 2023-01-01", "100", 40, "- The first kiln."),
        record("doc:docs/adr/0001-wood.md", "# Fire with wood", path="docs/adr/0001-wood.md", state="superseded"),
        record("doc:docs/adr/0002-gas.md", "# Fire with gas", path="docs/adr/0002-gas.md", state="accepted"),
        owner(3, "*", "acme/potters"),
        owner(12, "src/door.py", "dan"),
    )
