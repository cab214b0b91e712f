"""Every error Cortex raises on purpose; docs/reference/errors.md has their tree."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any


class _Sentences(Formatter):
    """Fills in templates; of several things `{names:, |none}` joins them, or says that there is none."""

    def format_field(self, value: object, format_spec: str) -> str:
        if not isinstance(value, tuple):
            return str(super().format_field(value, format_spec))
        joiner, _, nothing = format_spec.partition("|")
        return joiner.join(map(str, value)) or nothing


_SENTENCES = _Sentences()


class CortexError(Exception):
    """Something went wrong that a person can mend.

    A class is declared with templates of its sentence and its hint. What stands in braces there are the facts that it
    is raised with, by name, in that order or in that of *facts*, and its attributes.

    Attributes:
        hint: what to try, as one clause.
        exit_code: of the command line: 1 failed, 2 usage, 3 the brain cannot be used.
        http_status: of the HTTP surface.
    """

    exit_code = 1
    http_status = 500
    _says, _hint = "{message}", ""
    _facts: tuple[str, ...] = ("message",)

    def __init_subclass__(cls, says: str = "", hint: str = "", facts: str = "", status: int = 0, code: int = 0) -> None:
        cls._says, cls._hint = says or cls._says, hint or cls._hint
        cls.http_status, cls.exit_code = status or cls.http_status, code or cls.exit_code
        named = (name for _, name, _, _ in _SENTENCES.parse(cls._says + cls._hint) if name)
        cls._facts = tuple(facts.split() or dict.fromkeys(named))

    def __init__(self, *facts: Any, hint: str = "", **named: Any) -> None:  # noqa: ANN401  whatever was found
        for name, fact in (dict(zip(self._facts, facts, strict=False)) | named).items():
            setattr(self, name, tuple(fact) if isinstance(fact, Iterable) and not isinstance(fact, str) else fact)
        super().__init__(_SENTENCES.vformat(self._says, (), vars(self)))
        self.hint = hint or _SENTENCES.vformat(self._hint, (), vars(self))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...  # noqa: ANN401  a fact

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message}; {self.hint}" if self.hint else message


class UsageError(CortexError, status=400, code=2):
    """The caller asked for something that cannot be."""


class EmptyQuestion(UsageError, says="the question {problem}", hint='use words, such as "who owns the parser?"'):
    """A question without a single word in it."""

    def __init__(self, question: str = "") -> None:
        super().__init__("has no words in it" if question.strip() else "is empty", question=question)


class EmptyBrief(UsageError, says="a brief needs a task or a path", hint="say what is to be done, or name the files"):
    """A brief for nothing: neither a task nor a path."""


class UnknownSource(UsageError, status=404):
    """A source the brain does not hold, or the scope does not allow."""

    def __init__(self, name: str, known: Iterable[str] | None) -> None:
        self.name, self.known = name, tuple(known or ())
        listed = f"this brain holds: {', '.join(self.known) or 'none yet'}"
        super().__init__(f"no source {name!r} here", hint="index it first" if known is None else listed)

    def nameless(self) -> UnknownSource:
        """The same for a caller that may not read what the sources are called."""
        return UnknownSource(self.name, None)


class AmbiguousSource(UsageError, says="{what} could be of {names:, |several sources}", hint="name one with --source"):
    """Several sources could be meant."""

    def nameless(self) -> AmbiguousSource:
        """The same for a caller that may not read what the sources are called."""
        return AmbiguousSource(self.what, ())


class UnknownHandle(
    UsageError, status=404, says="nothing here is called {handle!r}",
    hint="handles look like fact-0a1b2c3d4e5f, refs like issue:496, pull:958, issue:496@120-310 or PR #958;"
    " look for it with: cortex search",
):  # fmt: skip
    """Neither a fact, nor a record, nor a passage of one."""


class UnknownRun(
    UsageError, status=404, says="run {run} {problem}", hint="look its number up with: cortex compactions"
):
    """A number that is no compaction's, or that of one that was undone."""


class StillRunning(UsageError, status=409, says="run {run} is still running{who}", hint="undo it when it has ended"):
    """A compaction that somebody is at work on."""

    def __init__(self, run: int, by: str) -> None:
        super().__init__(run, by and f" ({by})", by=by)


class NothingCaptured(
    UsageError, status=404, says="{what}", hint="keep them with: cortex capture on; list them with: cortex capture list"
):
    """No question is kept, or none of that number."""

    def __init__(self, number: int | None) -> None:
        super().__init__("no question is kept yet" if number is None else f"no question {number} is kept")


class BadInput(UsageError, says="{path}: {problem}"):
    """A file or folder the caller named cannot be used at all."""


class RepositoryElsewhere(
    UsageError, says="{folder}: its git repository leads outside of the folder, to {place}",
    hint="look at its .git, core.worktree and alternates; if you trust it: git clone --no-local {quoted} COPY, and"
    " index the copy",
):  # fmt: skip
    """A folder's git repository leads to files or a history in another place; nothing was read there."""

    def __init__(self, folder: Path, place: Path) -> None:
        super().__init__(folder, place, quoted=shlex.quote(str(folder)))


class BadSetting(UsageError, says="{name}: {problem}", hint="mend it or unset it"):
    """An environment variable that is not what its setting takes."""


class BadParameter(
    UsageError, status=422, says="{operation}: {where}{problem}", hint="{operation} takes {takes:, |no parameters}"
):
    """A parameter of an operation that is missing, unknown, or not what it takes."""

    def __init__(self, operation: str, parameter: str, problem: str, takes: Iterable[str]) -> None:
        where = f"{parameter}: " if parameter else ""
        super().__init__(operation, where, problem, tuple(takes), parameter=parameter)


class UnknownOperation(UsageError, status=404, says="there is no operation {name!r}", hint="there are: {known:, }"):
    """Nothing Cortex does is called that."""


class NoModel(UsageError, says="no model is ready for class {class_}", hint="cortex tiers says what each one lacks"):
    """A model was asked for, and no tier has one that is ready."""


class MissingExtra(
    UsageError, says="{command} needs the extra {extra!r}", hint="pip install 'cortex-project-memory[{extra}]'",
    facts="extra command",
):  # fmt: skip
    """A part of Cortex that is not installed."""


class NotAllowed(
    UsageError, status=403, says="{caller} may not call {operation!r}: {problem}",
    hint="ask whoever runs this Cortex for it",
):  # fmt: skip
    """The caller may not do this, whatever it sends."""


class TokenNeeded(
    UsageError, status=401, says="{problem}",
    hint="send 'Authorization: Bearer TOKEN'; make one with: cortex token create",
):  # fmt: skip
    """A request without a token where one is needed, or with one that is none, or no longer."""


class TooManyRequests(UsageError, status=429, says="too many requests", hint="send the next in {seconds} s"):
    """A caller sent more requests than it may."""


class TokenExists(
    UsageError, status=409, says="there is a token {name!r} already",
    hint="name another, or first: cortex token revoke {name}",
):  # fmt: skip
    """A token of this name is in force."""


class UnknownToken(UsageError, status=404, says="no token {name!r} is in force", hint="there are: {known:, |none}"):
    """No token of this name is in force."""


class DeliveryUnsigned(
    UsageError, status=401, says="the delivery has no {header} that its body and our secret give",
    hint="give the webhook the secret that CORTEX_GITHUB_WEBHOOK_SECRET holds",
):  # fmt: skip
    """A delivery of a webhook that is not signed with the secret we share."""


class DeliveryRepeated(
    UsageError, status=409, says="the delivery {delivery!r} was taken already",
    hint="what it says is stored, and facts of it that are still due are made without another delivery",
):  # fmt: skip
    """A delivery of a webhook that was here before."""


class Outranked(
    UsageError, status=409, says="{ref} was recorded by somebody trusted more, and stays as it is",
    hint="record what you saw under another name, or ask them to change it",
):  # fmt: skip
    """Somebody who is trusted more said otherwise."""


class NotKept(
    CortexError, status=507, says="cannot write {path}: {problem}; nothing was recorded",
    hint="fix that and run it again",
):  # fmt: skip
    """A file of notes, outcomes or reviews could not be written; it is unchanged, and nothing was recorded."""


class NothingFound(
    CortexError, says="nothing to index in {place}{why}",
    hint="name a git repository, a folder with documents, or an export with --github-export",
):  # fmt: skip
    """A place that was to be indexed gave not a single record."""

    def __init__(self, place: Path | str, reasons: Iterable[str] = ()) -> None:
        super().__init__(place, f" ({'; '.join(reasons)})" if reasons else "")


class GitHubFailed(CortexError, status=502):
    """GitHub said no, or did not answer though it was asked several times."""

    def __init__(self, asked: str, *, status: int, said: str) -> None:
        hint = {
            401: "the token is no good: mend GITHUB_TOKEN, or: gh auth login",
            403: "the token may not read it: give it one that may with GITHUB_TOKEN",
            404: "check owner/name; of a private repository GitHub says so to whoever may not read it",
        }.get(status, "what was read stays; run it again to go on")
        super().__init__(f"GitHub did not give {asked}: {said}", hint=hint)
        self.asked, self.status, self.said = asked, status, said


class TooManyWrites(
    CortexError, status=503, says="too many writes wait for their turn", hint="send it again in {seconds} s"
):
    """A server has more writes to do than it lets wait; nothing was written."""


class TookTooLong(
    CortexError, status=504, says="{operation} took longer than {seconds:g} s, and was stopped",
    hint="ask for less, or of one source; let requests take longer with CORTEX_REQUEST_SECONDS",
):  # fmt: skip
    """A request was not answered by its deadline, and was stopped; nothing was written."""


class CompactionStopped(
    CortexError, says="run {run} stopped: {job} of {source} {got}: {problem}",
    hint="what ran before it stands; mend that and run it again, or take it back: cortex compact --undo {run}",
):  # fmt: skip
    """A job could not be finished: what it had not written yet was rolled back, and what came before stands.

    Attributes:
        changed: facts that the job had changed for good by then.
    """

    def __init__(self, run: int, job: str, source: str, problem: str, *, changed: int) -> None:
        got = f"ended after {changed:,} of its changes, which stand" if changed else "was rolled back"
        super().__init__(run, job, source, got, problem, changed=changed)


class CompactionUnfinished(
    CortexError, says="the jobs of run {run} are done, but not what follows them: {problem}",
    hint="mend that and run it again, or take it back with: cortex compact --undo {run}",
):  # fmt: skip
    """The jobs of a compaction are done, and what follows them could not be written."""


class BudgetSpent(
    CortexError, status=503, says="no more calls can be paid: {reasons:; }",
    hint="raise CORTEX_BUDGET_RUN_USD or CORTEX_BUDGET_DAY_USD, or wait for tomorrow",
):  # fmt: skip
    """What may be spent does not cover another call of a model."""


class TiersFailed(
    CortexError, status=502, says="no model answered: {reasons:; }", hint="look at them with: cortex tiers"
):
    """No model answered: every tier failed, or is left alone because it did."""


class UnusableReply(
    CortexError, status=502, facts="tier model problem", says="{model} ({tier}): {problem}",
    hint="ask again, ask for less, or name another model",
):  # fmt: skip
    """A model answered, and not what was asked; or it was asked more than it reads."""

    MORE_THAN_READ = "asked more than it reads"

    @property
    def too_long(self) -> bool:
        """Whether the same words would be too long another time as well."""
        return str(self.problem).startswith(self.MORE_THAN_READ)


class BrainError(CortexError, status=503, code=3):
    """The database cannot be used."""


class BrainMissing(BrainError, says="no brain at {path}{but}", hint="make one with: cortex index PATH"):
    """There is no brain where one was asked for, or an empty file in its place."""

    def __init__(self, path: Path | str) -> None:
        empty = isinstance(path, Path) and path.exists()
        hint = "restore a copy, or remove the file and index again" if empty else ""
        super().__init__(path=path, but=": the file is empty" if empty else "", hint=hint)


class ServerAway(
    BrainError, says="cannot reach the database {place}: {problem}",
    hint="look whether its server runs, and at the address that --db or CORTEX_DB names",
):  # fmt: skip
    """The server of a brain's database does not answer, or lets nobody in."""


class BrainFailed(BrainError, says="the database {place} failed: {problem}", hint="check it with: cortex verify"):
    """The server of a brain's database refused a statement."""


class Interrupted(
    BrainError, says="what ran in the database {place} was stopped",
    hint="let requests take longer with CORTEX_REQUEST_SECONDS",
):  # fmt: skip
    """A statement was stopped on the way, because it took too long."""


class BrainTooNew(
    BrainError, says="{path} has schema {found}, this Cortex knows up to {known}",
    hint="upgrade Cortex, or open a copy made before the upgrade",
):  # fmt: skip
    """A later Cortex wrote this brain."""


class BrainTooOld(
    BrainError, says="{path} has schema {found}, this Cortex reads {known}",
    hint="where it can be written, bring it up to date with: cortex doctor",
):  # fmt: skip
    """An older Cortex wrote this brain, and whoever opens it may not write, or must not."""


class NotABrain(BrainError, says="{path} is not a brain: {problem}", hint="name another file with --db"):
    """The file is no SQLite database, or one of another program."""


class OtherBrain(
    BrainError, says="{path} holds something else already",
    hint="copy into a new brain, or go on with one that was begun",
):  # fmt: skip
    """A brain cannot be copied into one that holds what the copy does not; nothing was changed."""


class BrainDamaged(
    BrainError, says="{path} is damaged: {problem}",
    hint="restore a copy of it, or index again into a new file with --db",
):  # fmt: skip
    """SQLite cannot make out what the file holds."""


class BrainBusy(
    BrainError, says="{path} was locked for {waited_s:.0f} s", hint="wait for the other writer, then run it again"
):
    """Another process held the write lock for longer than the busy timeout."""


class LeaseLost(CortexError, says="the lease of task {task} was lost", hint="another worker has it, or it was removed"):
    """A worker wrote for a task that another took over; nothing of it was kept."""


class WorkersLost(
    CortexError, says="{count} workers in a row ended while they had it",
    hint="see what ended them, such as too little memory; it is tried again with: cortex queue resume TASK",
):  # fmt: skip
    """What a task does may be what ends its workers; it is tried again later."""


class BrainUnwritable(
    BrainError, says="cannot write {path}: {problem}", hint="free the disk or name another file with --db"
):
    """The file, its folder or its disk takes no writes; nothing was changed."""


class DiskFull(
    BrainError, status=507, code=1, says="cannot write {path}: no room on its disk ({problem})",
    hint="make room there, then run it again",
):  # fmt: skip
    """There is no room on the disk for what was to be written; nothing was changed, and the brain can be read."""
