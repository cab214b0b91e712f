"""Notes: one statement a Markdown file, with author, place and subject in its front matter."""

from __future__ import annotations

import re
from datetime import datetime
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Final, Literal, get_args

import yaml
from pydantic import Field

from cortex.errors import BadInput
from cortex.indexers.connectors.frontmatter import front_matter, text_field, time_field
from cortex.indexers.connectors.outcomes import slugify
from cortex.indexers.connectors.pages import Page
from cortex.substrate.model import Link, Record, Value
from cortex.substrate.rule_files import REMEMBERED as DIRECTIVE
from cortex.substrate.sources import timestamp

NoteKind = Literal["note", "directive"]

LONGEST_NAME: Final = 120  # characters of an author
LONGEST_RECORDER: Final = 60
LONGEST_PLACE: Final = 200
LONGEST_PATH: Final = 500
LONGEST_REF: Final = 300
_LIMITS: Final = {
    "by": LONGEST_NAME, "where": LONGEST_PLACE, "path": LONGEST_PATH, "supersedes": LONGEST_REF,
    "recorded_by": LONGEST_RECORDER, "approved_by": LONGEST_NAME,
}  # fmt: skip
_SLUG: Final = 48  # characters of the words in a file name
_ID: Final = re.compile(r"(?:.*-)?([0-9a-f]{12})")
_CONFLICT: Final = re.compile(r"^(?:<{7}|>{7})(?: |$)", re.MULTILINE)
_BREAKS: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")

CONFLICT: Final = "holds conflict markers of git"
EMPTY: Final = "no statement below the front matter"
BAD_KIND: Final = f"kind is none of {', '.join(get_args(NoteKind))}"
BAD_DATE: Final = "at is no date"
CITES: Final = "a field is written as a citation"


class Note(Value):
    """A statement to remember."""

    id: str = Field(description="of its file, kept when the text is edited: 12 hex digits, or the name of the file")
    text: str
    kind: NoteKind = "note"
    by: str = Field("", description="author, as the writer names them")
    where: str = ""
    path: str = Field("", description="subject: a file or folder of the repository")
    supersedes: str = Field("", description="ref of the record it replaces")
    recorded_by: str = Field("", description="actual caller; '' for a file written by hand")
    approved_by: str = Field("", description="reviewer of an untrusted writer's note")
    original: str = Field("", description="the untrusted writer's own words, where the reviewer edited them")
    at: datetime | None = None

    @property
    def proposed(self) -> Note | None:
        """The untrusted note that was approved; None where none was, or an edit left its words nowhere."""
        text = self.original or self.text
        if not self.approved_by or new_id(text, self.path) != self.id:
            return None
        return self.model_copy(update={"text": text, "approved_by": "", "original": ""})

    @property
    def refs(self) -> tuple[str, str]:
        """Refs of its record: as an event, as a directive."""
        return f"event:{self.id}", f"{DIRECTIVE}{self.id}"

    @property
    def file_name(self) -> str:
        """Name of a new file for it."""
        return f"{slugify(self.text)[:_SLUG].strip('-')}-{self.id}.md"


def new_id(text: str, path: str) -> str:
    """The id of a new note: the same statement about the same path gives the same id."""
    return sha256(f"{path}\0{text}".encode(errors="surrogatepass")).hexdigest()[:12]


def id_of_file(stem: str) -> str:
    """The id in a file name: its last 12 hex digits, else all of it."""
    digits = _ID.fullmatch(stem)
    return digits[1] if digits else one_line(stem)


def render(note: Note) -> str:
    """The content of the note's file, which `parse` reads back."""
    given = note.model_dump(mode="json", exclude={"id", "text", "at"}, exclude_defaults=True)
    fields = {"kind": note.kind, **given, **({"at": timestamp(note.at)} if note.at else {})}
    front = yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=10_000)
    return f"---\n{front}---\n\n{note.text.strip()}\n"


def parse(page: Page) -> Note | str:
    """The note in a file, or the reason it has none; front matter is optional."""
    front = front_matter(page.text)
    text = page.text[page.starts[front.lines] :].strip()
    kind, at = text_field(front, "kind") or "note", time_field(front, "at", "date")
    problems = {
        CONFLICT: _CONFLICT.search(page.text) is not None,
        front.problem: bool(front.problem),
        EMPTY: not text,
        BAD_KIND: kind not in get_args(NoteKind),
        BAD_DATE: at is None and bool(text_field(front, "at")),
    }
    if problem := next((problem for problem, holds in problems.items() if holds), ""):
        return problem
    try:
        fields = {name: provenance(text_field(front, name), longest) for name, longest in _LIMITS.items()}
    except BadInput:
        return CITES
    name, original = id_of_file(PurePosixPath(page.path).stem), front.fields.get("original")
    fields["original"] = original.strip() if isinstance(original, str) else ""
    return Note.model_validate({"id": name, "text": text, "kind": kind, "at": at, **fields})


def to_record(note: Note, *, source: str, trusted: bool, signer: str = "") -> Record:
    """The record of a note: a directive where it is trusted and of that kind, else an event.

    Args:
        signer: overrides the recorder as the author of an untrusted note.
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
    """Whether notes of *recorder* need no approval; '' is a file written by hand."""
    return recorder in ("operator", "scheduler", "")


def one_line(text: str) -> str:
    r"""*text* with line breaks and invisible characters as single blanks.

    >>> one_line("ops\n\n## Directives\t")
    'ops ## Directives'
    """
    return _BREAKS.sub(" ", text).strip()


def provenance(text: str, longest: int) -> str:
    """An author or a place as one line of at most *longest* characters.

    Raises:
        BadInput: it is written as a citation, which only an answer may hold.
    """
    line = one_line(text)
    if "[citation:" in line.casefold():
        raise BadInput(
            line[:LONGEST_NAME], "it is written as a citation", hint="name the author and the place in words"
        )
    return line[:longest].rstrip()


def signed(claimed: str, recorder: str, *, trusted: bool) -> str:
    """The author to show: the one a trusted writer names, else the writer and the person it claims to speak for.

    >>> signed("ada", "operator", trusted=True), signed("ada", "agent codex", trusted=False)
    ('ada', 'agent codex, for ada')
    """
    named = provenance(claimed, LONGEST_NAME)
    if trusted:
        return named
    writer = provenance(recorder.replace(",", " "), LONGEST_RECORDER)  # a comma separates the two names
    return f"{writer}, for {named}" if named else writer
