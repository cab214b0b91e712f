"""The values Cortex speaks of: records, facts, citations, answers, scopes. All frozen and closed."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

REFUSAL = "I don't have that information yet."

RecordType = Literal[
    "directive",
    "pull",
    "issue",
    "outcome",
    "doc",
    "comment",
    "commit",
    "ownership",
    "event",
    "project",  # what a manifest, a workflow or a license says of the project
    "code",  # a module, class or function of the public API
    "release",  # a tag
]
Kind = Literal[
    "decision",  # a choice, with its reason, what was rejected, who agreed, or its recorded status
    "spec",  # how something is, or must be
    "process",  # how work is done
    "incident",  # what failed in use
    "ownership",
    "cross_repo",
    "directive",
    "change",  # what a commit or a pull request did, or an issue asks for
]
Relation = Literal[
    "fixes",
    "fixed_by",
    "mentions",
    "duplicates",
    "reverts",
    "reverts_part",
    "reapplies",
    "follows",
    "merges",
    "came_with",
    "supersedes",
    "superseded_by",
    "amends",
    "revalues",
    "co_author",
    "replies",
    "reviews",
    "touches",
    "moved_to",
    "releases",  # of a tag: the commit it names
    "says_supersedes",  # and the rest: claims of what nobody of the project stands behind
    "says_superseded_by",
    "says_reverts",
    "says_reverts_part",
    "says_reapplies",
    "says_fixed_by",
]
QuestionClass = Literal["A", "B"]
Evidence = Literal["strong", "moderate", "weak", "none"]

_UNSTORABLE = {0: "\ufffd"} | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


def storable(text: str) -> str:
    """*text* with what SQLite and UTF-8 cannot hold (NUL, lone surrogates) as U+FFFD, character for character."""
    if text.isascii() and "\0" not in text:
        return text
    return text.translate(_UNSTORABLE)


def called(type_: str, title: str) -> str:
    """What a record of this *title* is called: of code the name alone, without what it takes."""
    return title.partition("(")[0] if type_ == "code" else title


def _storable(value: object) -> object:
    return storable(value) if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_storable)]
Utc = Annotated[AwareDatetime, AfterValidator(lambda t: t.astimezone(UTC))]
Share = Annotated[float, Field(ge=0, le=1)]


class Value(BaseModel):
    """Frozen, and closed to names it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Link(Value):
    """One row points at another: what it fixes, reverts, mentions, or who wrote it with whom."""

    relation: Relation
    to_ref: Text = Field(description="such as 'issue:496', 'commit:0a1b2c3d4e5f', 'person:Ada Lovelace <ada@…>'")
    to_source: Text = Field("", description="'' is the record's own source, else 'owner/name'")


class Record(Value):
    """A row of project truth, as its origin states it.

    The body of an issue or a pull request is its title, a blank line and its text, and that of a commit its whole
    message: what a fact is drawn from always stands in the body.
    """

    source: Text
    type: RecordType
    ref: Text = Field(description="unique in its source, such as 'issue:496'", min_length=1)
    title: Text = Field("", description="one line; a comment's is its thread's, a doc's its headings joined by ' › '")
    body: Text = Field(description="verbatim; offsets of excerpts count its characters from 0")
    blocks: Text = Field(
        "", description="kind, place and depth of each block of a document, as its format's parser found them"
    )
    url: Text = ""
    path: Text = Field("", description="the file it stands in or speaks of, from the root of its repository")
    lines: tuple[int, int] | None = Field(None, description="first and last line in that file, from 1")
    author: Text = ""
    association: Text = Field(
        "", description="GitHub's author_association, 'MEMBER', or who told the brain: 'agent codex'"
    )
    state: Text = Field("", description="open, closed, merged, accepted, superseded, shipped, …")
    labels: tuple[Text, ...] = ()
    assignees: tuple[Text, ...] = ()
    merged_by: Text = ""
    closed_by: Text = ""
    thread: Text = Field("", description="ref of the issue or pull a comment stands under")
    created_at: Utc | None = None
    updated_at: Utc | None = None
    closed_at: Utc | None = None
    merged_at: Utc | None = None
    links: tuple[Link, ...] = Field((), description="what the origin itself states; references in the text are added")


class Skipped(Value):
    """An input that gave no record, or less than all of it: named, counted and shown."""

    input: Text = Field(description="such as 'comments.jsonl:17' or 'docs/huge.md'")
    reason: Text = Field(description="one clause, the same for the same cause so that it can be counted")
    kept: bool = Field(default=False, description="its record is there all the same, without what the reason names")


class Fact(Value):
    """One typed, self-contained statement taken from one record; `excerpt == record.body[start:end]`."""

    handle: str = Field(pattern=r"^fact-[0-9a-f]{12}$")
    source: str
    record: str = Field(description="ref of the record it was taken from")
    kind: Kind
    statement: str
    excerpt: str
    start: int = Field(ge=0, description="character of the record's body")
    end: int = Field(ge=0, description="character after the last")
    authority: Share
    confidence: Share
    fingerprint: str = Field(description="hash of the normalised statement")

    @model_validator(mode="after")
    def _spans_its_excerpt(self) -> Self:
        if self.end - self.start != len(self.excerpt):
            raise ValueError(f"excerpt of {len(self.excerpt)} characters at {self.start}-{self.end}")
        return self


class CitedRecord(Value):
    """The record behind a citation, as a reader needs it to judge the citation."""

    type: RecordType
    ref: str
    title: str
    url: str = ""
    path: str = ""
    lines: tuple[int, int] | None = None
    author: str = ""
    state: str = ""
    labels: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    merged_by: str = ""
    created_at: datetime | None = None
    updated_at: datetime | None = None
    closed_at: datetime | None = None
    merged_at: datetime | None = None
    reverted_by: str = Field("", description="ref of the pull request or commit that took it back")
    replaces: str = Field("", description="ref of what held before it")
    superseded_by: str = Field("", description="ref of what holds since")
    amended_by: str = Field("", description="ref of the decision that changed a part of it since")
    unverified: bool = Field(default=False, description="nobody of the project wrote all of it or took it up")


class Citation(Value):
    """What an answer rests on: a fact, or a passage of a record that is no fact yet."""

    handle: str = Field(
        description="'fact-…', or the record's ref and span: 'issue:496@120-310', after the name of its source where "
        "another has a record of that ref: 'acme/app/issue:496@120-310'"
    )
    statement: str
    excerpt: str = Field(description="verbatim from the record's body")
    kind: Kind | None = Field(description="none for a passage that is no fact yet")
    authority: Share
    confidence: Share
    record: CitedRecord
    source: str


class Statement(Value):
    """One statement of an answer: words of ours, a quotation, or both; what the record says is in `quote` alone."""

    text: str = Field("", description="our words, made of stored fields; '' where the statement is a quotation")
    quote: str = Field("", description="what the record says, made inert; each line after the first is code, indented")
    attribution: str = Field("", description="who wrote it, where and when; the headings it stands under")
    citations: tuple[str, ...] = Field(description="handles of the citations it rests on", min_length=1)


class Answer(Value):
    """An answer with its citations, or the refusal with none.

    Invariant: `refused` exactly when `answer` is the refusal, and then there are no citations; every citation's
    handle stands in `answer` as `[CITATION:handle]`.
    """

    question: str
    class_: QuestionClass = Field(alias="class")
    answer: str
    refused: bool
    composer: str = Field(description="'extractive', or the model tier that wrote it")
    evidence: Evidence = Field("none", description="how well the rows cover it; weak where what leads is unverified")
    statements: tuple[Statement, ...] = Field((), description="the answer, statement by statement")
    citations: tuple[Citation, ...] = ()
    considered: tuple[Citation, ...] = Field((), description="nearest rows of a refused question, best first")
    timings_ms: Mapping[str, float] = Field(default_factory=dict, description="milliseconds; 'total' is always there")

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, serialize_by_alias=True)

    @model_validator(mode="after")
    def _cites_or_refuses(self) -> Self:
        if self.refused != (self.answer == REFUSAL) or self.refused == bool(self.citations):
            raise ValueError("an answer has citations, the refusal has none")
        return self


class Scope(Value):
    """What a caller may read, and the one source it may write.

    `sources` None means every federated source; a name means that source alone, federated or not.
    """

    sources: tuple[str, ...] | None = None
    writes: str | None = None


class Hit(Value):
    """A row a search found, best first."""

    ref: str = Field(description="handle of the fact, or the record's ref and span")
    statement: str
    excerpt: str
    score: float = Field(description="higher is better; comparable within one search only")
    record: CitedRecord
    source: str


_SHOWN: Final = "LNPS"
_FILLERS: Final = "\u115f\u1160\u2800\u3164\uffa0"  # letters and a symbol that fonts leave empty


def is_blank(text: str) -> bool:
    r"""Whether *text* has no character that shows: blanks, what joins or turns others, and marks on nothing are none.

    >>> is_blank("\u200b \ufe0f\u3164"), is_blank("…")
    (True, False)
    """
    return not any(unicodedata.category(one)[0] in _SHOWN and one not in _FILLERS for one in text)
