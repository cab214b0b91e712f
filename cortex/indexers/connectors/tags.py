"""Tags of versions as releases, each with its message and its commit, read whenever a tag came, moved or went."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import quote

from cortex.indexers.connectors import Cursor, Item, commits
from cortex.indexers.connectors.commits import Site
from cortex.indexers.connectors.fields import BODY_LIMIT, BODY_TOO_LONG
from cortex.indexers.connectors.git import moment, remote, site_of
from cortex.indexers.connectors.git_command import GitStopped, asked, streamed, tokens
from cortex.language.changelogs import version_of_tag
from cortex.substrate.model import Link, Record, Skipped

_FIELDS: Final = (
    "refname:strip=2", "objecttype", "objectname", "*objecttype", "*objectname", "creatordate:unix", "taggername",
    "authorname", "contents", "contents:signature",
)  # fmt: skip


def read(root: Path, *, source: str, since: str | None = None) -> Iterator[Item]:
    """A release of each tag that is called as a version is; nothing where there is no repository, or no tag changed.

    Where a repository has several packages a release's title begins with its package, if that is not called as it is.

    Args:
        root: as of `git.read`.
        since: the last cursor.

    Raises:
        BadInput: as of `git.read`.
    """
    if not root.is_dir() or asked(root, "rev-parse", "--git-dir") is None:
        return
    origin, rows = remote(root), list[list[str]]()
    own = {name.rpartition("/")[2].casefold() for name in (source, origin.name if origin else "")}
    layout = "".join(f"%({field})%00" for field in _FIELDS)
    try:
        with streamed(root, "for-each-ref", f"--format={layout}", "refs/tags") as output:
            told = (token.decode(errors="surrogateescape") for token in tokens(output))
            rows = [[name.lstrip("\n"), *(next(told, "") for _ in _FIELDS[1:])] for name in told]
    except GitStopped as error:
        yield Skipped(input="git tags", reason=f"git stopped: {error}")
        yield Cursor(value="", stopped=f"git stopped: {error}")
        return
    own |= _successor(rows, own)
    state = hashlib.sha256(repr((origin, sorted(own), rows)).encode(errors="surrogatepass")).hexdigest()[:16]
    if state != since:
        for row in rows:
            yield from _release(row, source, own, site_of(origin))
    yield Cursor(value=state, complete=state != since)


def _successor(rows: Iterable[Sequence[str]], own: Container[str]) -> set[str]:
    """The one other package that tags name, where the project's own have ended: 'kiln-parent' after 'kiln' 1.2."""
    made = [(version[0].casefold(), int(row[5] or 0)) for row in rows if (version := version_of_tag(row[0]))]
    others = {package for package, _ in made if package and package not in own}
    began = min((at for package, at in made if package in others), default=0)
    alone = len(others) == 1 and all(at <= began for package, at in made if package not in others)
    return others if alone else set()


def _release(row: Sequence[str], source: str, own: set[str], site: Site) -> Iterator[Record | Skipped]:
    name, type_, sha, of_type, of_sha, seconds, tagger, author, message, signature = row
    version = version_of_tag(name)
    if not version:
        return
    ref = f"release:{name}"
    if (of_type or type_) not in ("commit", "tag"):
        yield Skipped(input=ref, reason="a tag that names no commit")
        return
    if len(message) > BODY_LIMIT:
        yield Skipped(input=ref, reason=BODY_TOO_LONG)
        return
    package = "" if version[0].casefold() in own else version[0]
    said = message.removesuffix(signature).strip() if of_type else commits.subject(message)
    links = (Link(relation="releases", to_ref=commits.ref(of_sha or sha)),) if of_type != "tag" else ()
    at = moment(seconds)
    yield Record(
        source=source,
        type="release",
        ref=ref,
        title=f"{package} {version[1]}".strip(),
        body=said or name,
        url=site.tag and site.tag + quote(name),
        author=tagger.strip() or author,
        created_at=at,
        updated_at=at,
        links=links,
    )
