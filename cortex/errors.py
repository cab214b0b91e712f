"""Every error Cortex raises on purpose.

CortexError                 exit code 1
├── UsageError              2   the caller asked for something that cannot be
│   ├── EmptyQuestion
│   ├── EmptyBrief
│   ├── UnknownSource
│   ├── AmbiguousSource     several sources could be meant
│   ├── UnknownHandle
│   ├── UnknownRun          no compaction has this number, or it is undone already
│   ├── StillRunning        a compaction that somebody is at work on
│   ├── NothingCaptured
│   ├── BadInput            a file the caller named cannot be used at all
│   ├── RepositoryElsewhere  a folder's git repository leads to another place
│   ├── BadSetting          an environment variable that is not what its setting takes
│   ├── BadParameter        a parameter of an operation that is missing, unknown, or not what it takes
│   ├── UnknownOperation
│   ├── NotAllowed          the caller may not do this, whatever it sends
│   ├── TokenNeeded         a request without a token, or with one that is none
│   ├── TooManyRequests     more than this caller may send
│   ├── TokenExists
│   ├── UnknownToken
│   ├── DeliveryUnsigned    a webhook's delivery without the signature its secret gives
│   ├── DeliveryRepeated    a webhook's delivery that was here before
│   ├── Outranked           somebody who is trusted more said otherwise
│   ├── NoModel             a model was asked for, and none is ready
│   └── MissingExtra        a part that is not installed
├── NothingFound            1   there was nothing to index
├── GitHubFailed            1   GitHub said no, or did not answer
├── TooManyWrites           1   a server has more writes to do than it lets wait
├── TookTooLong             1   a request was not answered by its deadline
├── CompactionStopped       1   a job could not be finished: what it had not written yet was rolled back
├── CompactionUnfinished    1   its jobs are done, and what follows them could not be written
├── BudgetSpent             1   the budget does not cover another call of a model
├── TiersFailed             1   no model answered
├── UnusableReply           1   a model answered, and not what was asked
└── BrainError              3   the database cannot be used
    ├── BrainMissing
    ├── BrainTooNew
    ├── BrainTooOld         an older Cortex wrote it, and it cannot be brought up to date from here
    ├── NotABrain
    ├── BrainDamaged
    ├── BrainBusy
    ├── BrainUnwritable
    └── DiskFull            1   nothing is wrong with the brain, and it stands as it was
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path


class CortexError(Exception):
    """Something went wrong that a person can mend.

    Attributes:
        hint: what to try, as one clause.
        exit_code: of the command line: 1 failed, 2 usage, 3 the brain cannot be used.
        http_status: of the HTTP surface.
    """

    exit_code = 1
    http_status = 500

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message}; {self.hint}" if self.hint else message


class UsageError(CortexError):
    """The caller asked for something that cannot be."""

    exit_code = 2
    http_status = 400


class EmptyQuestion(UsageError):
    """A question without a single word in it."""

    def __init__(self, question: str = "") -> None:
        problem = "the question has no words in it" if question.strip() else "the question is empty"
        super().__init__(problem, hint='use words, such as "who owns the parser?"')
        self.question = question


class EmptyBrief(UsageError):
    """A brief for nothing: neither a task nor a path."""

    def __init__(self) -> None:
        super().__init__("a brief needs a task or a path", hint="say what is to be done, or name the files")


class UnknownSource(UsageError):
    """A source the brain does not hold, or the scope does not allow."""

    http_status = 404

    def __init__(self, name: str, known: Iterable[str] | None) -> None:
        self.name, self.known = name, tuple(known or ())
        listed = f"this brain holds: {', '.join(self.known) or 'none yet'}"
        super().__init__(f"no source {name!r} here", hint="index it first" if known is None else listed)

    def nameless(self) -> UnknownSource:
        """The same for a caller that may not read what the sources are called."""
        return UnknownSource(self.name, None)


class AmbiguousSource(UsageError):
    """Several sources could be meant."""

    def __init__(self, what: str, names: Iterable[str]) -> None:
        self.what, self.names = what, tuple(names)
        listed = ", ".join(self.names) or "several sources"
        super().__init__(f"{what} could be of {listed}", hint="name one with --source")

    def nameless(self) -> AmbiguousSource:
        """The same for a caller that may not read what the sources are called."""
        return AmbiguousSource(self.what, ())


class UnknownHandle(UsageError):
    """Neither a fact, nor a record, nor a passage of one."""

    http_status = 404

    def __init__(self, handle: str) -> None:
        super().__init__(
            f"nothing here is called {handle!r}",
            hint="handles look like fact-0a1b2c3d4e5f, refs like issue:496, pull:958, issue:496@120-310 or PR #958;"
            " look for it with: cortex search",
        )
        self.handle = handle


class UnknownRun(UsageError):
    """A number that is no compaction's, or that of one that was undone."""

    http_status = 404

    def __init__(self, run: int, problem: str) -> None:
        super().__init__(f"run {run} {problem}", hint="look its number up with: cortex compactions")
        self.run, self.problem = run, problem


class StillRunning(UsageError):
    """A compaction that somebody is at work on."""

    http_status = 409

    def __init__(self, run: int, by: str) -> None:
        super().__init__(f"run {run} is still running{by and f' ({by})'}", hint="undo it when it has ended")
        self.run, self.by = run, by


class NothingCaptured(UsageError):
    """No question is kept, or none of that number."""

    http_status = 404

    def __init__(self, number: int | None = None) -> None:
        super().__init__(
            "no question is kept yet" if number is None else f"no question {number} is kept",
            hint="keep them with: cortex capture on; list them with: cortex capture list",
        )
        self.number = number


class BadInput(UsageError):
    """A file or folder the caller named cannot be used at all."""

    def __init__(self, path: Path | str, problem: str, *, hint: str = "") -> None:
        super().__init__(f"{path}: {problem}", hint=hint)
        self.path, self.problem = path, problem


class RepositoryElsewhere(UsageError):
    """A folder's git repository leads to files or a history in another place; nothing was read there."""

    def __init__(self, folder: Path, place: Path) -> None:
        super().__init__(
            f"{folder}: its git repository leads outside of the folder, to {place}",
            hint="look at its .git, core.worktree and alternates; if you trust it: "
            f"git clone --no-local {shlex.quote(str(folder))} COPY, and index the copy",
        )
        self.folder, self.place = folder, place


class BadSetting(UsageError):
    """An environment variable that is not what its setting takes."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name}: {problem}", hint="mend it or unset it")
        self.name, self.problem = name, problem


class BadParameter(UsageError):
    """A parameter of an operation that is missing, unknown, or not what it takes."""

    http_status = 422

    def __init__(self, operation: str, parameter: str, problem: str, takes: Iterable[str]) -> None:
        super().__init__(
            f"{operation}: {f'{parameter}: ' if parameter else ''}{problem}",
            hint=f"{operation} takes {', '.join(takes) or 'no parameters'}",
        )
        self.operation, self.parameter, self.problem = operation, parameter, problem


class UnknownOperation(UsageError):
    """Nothing Cortex does is called that."""

    http_status = 404

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name, self.known = name, tuple(known)
        super().__init__(f"there is no operation {name!r}", hint=f"there are: {', '.join(self.known)}")


class NoModel(UsageError):
    """A model was asked for, and no tier has one that is ready."""

    def __init__(self, class_: str) -> None:
        super().__init__(f"no model is ready for class {class_}", hint="cortex tiers says what each one lacks")
        self.class_ = class_


class MissingExtra(UsageError):
    """A part of Cortex that is not installed."""

    def __init__(self, extra: str, command: str) -> None:
        super().__init__(f"{command} needs the extra {extra!r}", hint=f"pip install 'cortex-project-memory[{extra}]'")
        self.extra, self.command = extra, command


class NotAllowed(UsageError):
    """The caller may not do this, whatever it sends."""

    http_status = 403

    def __init__(self, caller: str, operation: str, problem: str) -> None:
        super().__init__(f"{caller} may not call {operation!r}: {problem}", hint="ask whoever runs this Cortex for it")
        self.caller, self.operation, self.problem = caller, operation, problem


class TokenNeeded(UsageError):
    """A request without a token where one is needed, or with one that is none, or no longer."""

    http_status = 401

    def __init__(self, problem: str) -> None:
        super().__init__(problem, hint="send 'Authorization: Bearer TOKEN'; make one with: cortex token create")
        self.problem = problem


class TooManyRequests(UsageError):
    """A caller sent more requests than it may."""

    http_status = 429

    def __init__(self, *, seconds: int) -> None:
        super().__init__("too many requests", hint=f"send the next in {seconds} s")
        self.seconds = seconds


class TokenExists(UsageError):
    """A token of this name is in force."""

    http_status = 409

    def __init__(self, name: str) -> None:
        super().__init__(
            f"there is a token {name!r} already", hint=f"name another, or first: cortex token revoke {name}"
        )
        self.name = name


class UnknownToken(UsageError):
    """No token of this name is in force."""

    http_status = 404

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name, self.known = name, tuple(known)
        super().__init__(f"no token {name!r} is in force", hint=f"there are: {', '.join(self.known) or 'none'}")


class DeliveryUnsigned(UsageError):
    """A delivery of a webhook that is not signed with the secret we share."""

    http_status = 401

    def __init__(self, header: str) -> None:
        super().__init__(
            f"the delivery has no {header} that its body and our secret give",
            hint="give the webhook the secret that CORTEX_GITHUB_WEBHOOK_SECRET holds",
        )
        self.header = header


class DeliveryRepeated(UsageError):
    """A delivery of a webhook that was here before."""

    http_status = 409

    def __init__(self, delivery: str) -> None:
        super().__init__(
            f"the delivery {delivery!r} was taken already",
            hint="what it says is stored, and facts of it that are still due are made without another delivery",
        )
        self.delivery = delivery


class Outranked(UsageError):
    """Somebody who is trusted more said otherwise."""

    http_status = 409

    def __init__(self, ref: str) -> None:
        super().__init__(
            f"{ref} was recorded by somebody trusted more, and stays as it is",
            hint="record what you saw under another name, or ask them to change it",
        )
        self.ref = ref


class NothingFound(CortexError):
    """A place that was to be indexed gave not a single record."""

    def __init__(self, place: Path | str, reasons: Iterable[str] = ()) -> None:
        self.place, self.reasons = place, tuple(reasons)
        why = f" ({'; '.join(self.reasons)})" if self.reasons else ""
        super().__init__(
            f"nothing to index in {place}{why}",
            hint="name a git repository, a folder with documents, or an export with --github-export",
        )


class GitHubFailed(CortexError):
    """GitHub said no, or did not answer though it was asked several times."""

    http_status = 502

    def __init__(self, asked: str, *, status: int, said: str) -> None:
        hint = {
            401: "the token is no good: mend GITHUB_TOKEN, or: gh auth login",
            403: "the token may not read it: give it one that may with GITHUB_TOKEN",
            404: "check owner/name; of a private repository GitHub says so to whoever may not read it",
        }.get(status, "what was read stays; run it again to go on")
        super().__init__(f"GitHub did not give {asked}: {said}", hint=hint)
        self.asked, self.status, self.said = asked, status, said


class TooManyWrites(CortexError):
    """A server has more writes to do than it lets wait; nothing was written."""

    http_status = 503

    def __init__(self, *, seconds: int) -> None:
        super().__init__("too many writes wait for their turn", hint=f"send it again in {seconds} s")
        self.seconds = seconds


class TookTooLong(CortexError):
    """A request was not answered by its deadline, and was stopped; nothing was written."""

    http_status = 504

    def __init__(self, operation: str, seconds: float) -> None:
        super().__init__(
            f"{operation} took longer than {seconds:g} s, and was stopped",
            hint="ask for less, or of one source; let requests take longer with CORTEX_REQUEST_SECONDS",
        )
        self.operation, self.seconds = operation, seconds


class CompactionStopped(CortexError):
    """A job could not be finished: what it had not written yet was rolled back, and what came before stands.

    Attributes:
        changed: facts that the job had changed for good by then.
    """

    def __init__(self, run: int, job: str, source: str, problem: str, *, changed: int) -> None:
        got = f"ended after {changed:,} of its changes, which stand" if changed else "was rolled back"
        super().__init__(
            f"run {run} stopped: {job} of {source} {got}: {problem}",
            hint=f"what ran before it stands; mend that and run it again, or take it back: cortex compact --undo {run}",
        )
        self.run, self.job, self.source, self.problem, self.changed = run, job, source, problem, changed


class CompactionUnfinished(CortexError):
    """The jobs of a compaction are done, and what follows them could not be written."""

    def __init__(self, run: int, problem: str) -> None:
        super().__init__(
            f"the jobs of run {run} are done, but not what follows them: {problem}",
            hint=f"mend that and run it again, or take it back with: cortex compact --undo {run}",
        )
        self.run, self.problem = run, problem


class BudgetSpent(CortexError):
    """What may be spent does not cover another call of a model."""

    http_status = 503

    def __init__(self, reasons: Iterable[str]) -> None:
        self.reasons = tuple(reasons)
        super().__init__(
            f"no more calls can be paid: {'; '.join(self.reasons)}",
            hint="raise CORTEX_BUDGET_RUN_USD or CORTEX_BUDGET_DAY_USD, or wait for tomorrow",
        )


class TiersFailed(CortexError):
    """No model answered: every tier failed, or is left alone because it did."""

    http_status = 502

    def __init__(self, reasons: Iterable[str]) -> None:
        self.reasons = tuple(reasons)
        super().__init__(f"no model answered: {'; '.join(self.reasons)}", hint="look at them with: cortex tiers")


class UnusableReply(CortexError):
    """A model answered, and not what was asked; or it was asked more than it reads."""

    http_status = 502

    MORE_THAN_READ = "asked more than it reads"

    def __init__(self, tier: str, model: str, problem: str) -> None:
        super().__init__(f"{model} ({tier}): {problem}", hint="ask again, ask for less, or name another model")
        self.tier, self.model, self.problem = tier, model, problem

    @property
    def too_long(self) -> bool:
        """Whether the same words would be too long another time as well."""
        return self.problem.startswith(self.MORE_THAN_READ)


class BrainError(CortexError):
    """The database cannot be used."""

    exit_code = 3
    http_status = 503


class BrainMissing(BrainError):
    """There is no brain where one was asked for, or an empty file in its place."""

    def __init__(self, path: Path) -> None:
        self.path, self.is_empty = path, path.is_file()
        first = "restore a copy of the brain, or remove the empty file and " if self.is_empty else ""
        found = f"an empty file and no brain at {path}" if self.is_empty else f"no brain at {path}"
        super().__init__(found, hint=f"{first}make one with: cortex index PATH")


class BrainTooNew(BrainError):
    """A later Cortex wrote this brain."""

    def __init__(self, path: Path, *, found: int, known: int) -> None:
        super().__init__(
            f"{path} has schema {found}, this Cortex knows up to {known}",
            hint="upgrade Cortex, or open a copy made before the upgrade",
        )
        self.path, self.found, self.known = path, found, known


class BrainTooOld(BrainError):
    """An older Cortex wrote this brain, and whoever opens it may not write, or must not."""

    def __init__(self, path: Path, *, found: int, known: int) -> None:
        super().__init__(
            f"{path} has schema {found}, this Cortex reads {known}",
            hint="where it can be written, bring it up to date with: cortex doctor",
        )
        self.path, self.found, self.known = path, found, known


class NotABrain(BrainError):
    """The file is no SQLite database, or one of another program."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path} is not a brain: {problem}", hint="name another file with --db")
        self.path, self.problem = path, problem


class BrainDamaged(BrainError):
    """SQLite cannot make out what the file holds."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(
            f"{path} is damaged: {problem}", hint="restore a copy of it, or index again into a new file with --db"
        )
        self.path, self.problem = path, problem


class BrainBusy(BrainError):
    """Another process held the write lock for longer than the busy timeout."""

    def __init__(self, path: Path, *, waited_s: float) -> None:
        super().__init__(f"{path} was locked for {waited_s:.0f} s", hint="wait for the other writer, then run it again")
        self.path, self.waited_s = path, waited_s


class BrainUnwritable(BrainError):
    """The file, its folder or its disk takes no writes; nothing was changed."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"cannot write {path}: {problem}", hint="free the disk or name another file with --db")
        self.path, self.problem = path, problem


class DiskFull(BrainError):
    """There is no room on the disk for what was to be written; nothing was changed, and the brain can be read."""

    exit_code = 1
    http_status = 507

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(
            f"cannot write {path}: no room on its disk ({problem})", hint="make room there, then run it again"
        )
        self.path, self.problem = path, problem
