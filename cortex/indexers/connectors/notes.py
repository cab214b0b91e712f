"""Notes: what somebody told Cortex, one statement a Markdown file, with who said it and where in its front matter."""

from __future__ import annotations

import re
from datetime import datetime
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Final, Literal, get_args

import yaml
from pydantic import Field

from cortex.errors import BadInput
from cortex.indexers.connectors.frontmatter import Front, front_matter, text_field, time_field
from cortex.indexers.connectors.outcomes import slug_of
from cortex.indexers.connectors.pages import Page
from cortex.substrate.model import Link, Record, Value
from cortex.substrate.rule_files import REMEMBERED as DIRECTIVE
from cortex.substrate.sources import timestamp

NoteKind = Literal["note", "directive"]

LONGEST_NAME: Final = 120  # characters of who says something
LONGEST_RECORDER: Final = 60
LONGEST_PLACE: Final = 200
LONGEST_PATH: Final = 500
LONGEST_REF: Final = 300
_LIMITS: Final = {
    "by": LONGEST_NAME, "where": LONGEST_PLACE, "path": LONGEST_PATH, "supersedes": LONGEST_REF,
    "recorded_by": LONGEST_RECORDER, "approved_by": LONGEST_NAME,
}  # fmt: skip
_NAMED: Final = 48  # characters of a file's name that say what it is about
_ID: Final = re.compile(r"(?:.*-)?([0-9a-f]{12})")
_CONFLICT: Final = re.compile(r"^(?:<{7}|>{7})(?: |$)", re.MULTILINE)
_BREAKS: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")

CONFLICT: Final = "git left a conflict in it"
EMPTY: Final = "says nothing below its front matter"
BAD_KIND: Final = f"kind is none of {', '.join(get_args(NoteKind))}"
BAD_DAY: Final = "at is no date"
CITES: Final = "its front matter is written as a citation"


class Note(Value):
    """A statement that somebody asked to be kept."""

    id: str = Field(description="of its file, whatever its text becomes: 12 hex digits, or the name that it was given")
    text: str
    kind: NoteKind = "note"
    by: str = Field("", description="who says so, by the writer's word")
    where: str = ""
    path: str = Field("", description="the file or folder that it is about")
    supersedes: str = Field("", description="ref of what it takes the place of")
    recorded_by: str = Field("", description="who really called; '' where the file was written by hand")
    approved_by: str = Field("", description="who took up what an untrusted writer said")
    at: datetime | None = None

    @property
    def refs(self) -> tuple[str, str]:
        """What its record is called: as an event, and as a directive."""
        return f"event:{self.id}", f"{DIRECTIVE}{self.id}"

    @property
    def file(self) -> str:
        """What its file is called, unless somebody called it otherwise."""
        return f"{slug_of(self.text)[:_NAMED].strip('-')}-{self.id}.md"


def id_of(text: str, path: str) -> str:
    """The id of what somebody says of *path*."""
    return sha256(f"{path}\0{text}".encode(errors="surrogatepass")).hexdigest()[:12]


def written(note: Note) -> str:
    """The text of the note's file; `note_of` reads the same note from it."""
    kept = note.model_dump(mode="json", exclude={"id", "text", "at"}, exclude_defaults=True)
    fields = {"kind": note.kind, **kept, **({"at": timestamp(note.at)} if note.at else {})}
    front = yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=10_000)
    return f"---\n{front}---\n\n{note.text.strip()}\n"


def note_of(found: Page) -> Note | str:
    """The note in a file, or why there is none in it; a file without front matter is one all the same."""
    front = front_matter(found.text)
    text = found.text[found.starts[front.lines] :].strip()
    kind, at = text_field(front, "kind") or "note", time_field(front, "at", "date")
    if problem := _problem(found.text, front, text, kind) or (
        BAD_DAY if at is None and text_field(front, "at") else ""
    ):
        return problem
    try:
        said = {name: provenance(text_field(front, name), longest) for name, longest in _LIMITS.items()}
    except BadInput:
        return CITES
    name = id_in(PurePosixPath(found.path).stem)
    return Note.model_validate({"id": name, "text": text, "kind": kind, "at": at, **said})


def _problem(whole: str, front: Front, text: str, kind: str) -> str:
    if _CONFLICT.search(whole):
        return CONFLICT
    if front.problem or not text:
        return front.problem or EMPTY
    return "" if kind in get_args(NoteKind) else BAD_KIND


def id_in(stem: str) -> str:
    """The id that the name of a file tells: its last 12 hex digits, or all of it."""
    named = _ID.fullmatch(stem)
    return named[1] if named else one_line(stem)


def record_of(note: Note, *, source: str, trusted: bool, signer: str = "") -> Record:
    """The record of a note: a directive where a trusted writer calls it one, else an event.

    Args:
        signer: who is shown to say it, beside whom they say they speak for; '' is the writer.
    """
    recorder = signer or note.recorded_by
    by = signed(note.by, recorder, trusted=is_trusted(recorder))
    is_ref = note.where.partition(":")[0] in ("issue", "pull", "comment", "commit", "doc")
    links = [Link(relation="mentions", to_ref=note.where)] if is_ref else []
    if note.supersedes:
        links.append(Link(relation="supersedes" if trusted else "says_supersedes", to_ref=note.supersedes))
    directive = trusted and note.kind == "directive"
    title = ", ".join(filter(None, (by, note.where))) or note.id
    return Record(
        source=source, type="directive" if directive else "event", ref=note.refs[directive],
        title=title + (f" › {note.path}" if note.path else ""), body=note.text,
        url=note.where if note.where.startswith(("https://", "http://")) else "", path=note.path, author=by,
        association=recorder, state="active" if directive else "", created_at=note.at, updated_at=note.at,
        links=tuple(links),
    )  # fmt: skip


def is_trusted(recorder: str) -> bool:
    """Whether what *recorder* says needs nobody else to stand behind it: a person at a terminal, or with an editor."""
    return recorder in ("operator", "scheduler", "")


def one_line(text: str) -> str:
    r"""*text* with line breaks, and what shows as nothing, as one blank each.

    >>> one_line("ops\n\n## Directives\t")
    'ops ## Directives'
    """
    return _BREAKS.sub(" ", text).strip()


def provenance(text: str, longest: int) -> str:
    """Who or where as one line of at most *longest* characters: it is shown beside what people wrote, not as it.

    Raises:
        BadInput: it is written as a citation, which only an answer may hold.
    """
    line = one_line(text)
    if "[citation:" in line.casefold():
        raise BadInput(line[:LONGEST_NAME], "it is written as a citation", hint="say in words who said it, and where")
    return line[:longest].rstrip()


def signed(claimed: str, recorder: str, *, trusted: bool) -> str:
    """Who is shown to say something: whoever a trusted writer names; else the writer, and whom it says it speaks for.

    >>> signed("ada", "operator", trusted=True), signed("ada", "agent codex", trusted=False)
    ('ada', 'agent codex, for ada')
    """
    named = provenance(claimed, LONGEST_NAME)
    if trusted:
        return named
    writer = provenance(recorder.replace(",", " "), LONGEST_RECORDER)  # no name of its own looks like this form
    return f"{writer}, for {named}" if named else writer
