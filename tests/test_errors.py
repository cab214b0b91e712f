"""Each error says what happened, what was found and what to try."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from cortex import errors
from cortex.errors import CortexError
from tests.tables import walk


def classes() -> dict[str, type[CortexError]]:
    return {
        name: value
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, CortexError) and value.__module__ == errors.__name__
    }


STRAY = re.compile(r"^\s*class (\w+)\((?:\w+\.)?\w*(?:Exception|Error)\)", re.MULTILINE)


def strays() -> list[tuple[Path, str]]:
    """Exceptions of other modules than `cortex.errors`: signals between neighbours."""
    package = Path(errors.__file__).parent
    others = (path for path in package.rglob("*.py") if path != Path(errors.__file__))
    return [(path, name) for path in others for name in STRAY.findall(path.read_text("utf-8"))]


@walk(("path", "name"), strays(), ids=lambda value: str(getattr(value, "name", value)))
def test_an_exception_defined_elsewhere_is_caught_in_its_own_folder(path: Path, name: str) -> None:
    neighbours = "\n".join(module.read_text("utf-8") for module in path.parent.glob("*.py"))
    assert re.search(rf"except \(?[\w., ]*\b{name}\b", neighbours)


def leaves() -> list[type[CortexError]]:
    return [error for error in classes().values() if not error.__subclasses__()]


EXAMPLES: dict[str, CortexError] = {
    error.__class__.__name__: error
    for error in (
        errors.EmptyQuestion(" ?"),
        errors.EmptyBrief(),
        errors.UnknownSource("web", ["api", "docs"]),
        errors.AmbiguousSource("issue:1", ["api", "docs"]),
        errors.UnknownHandle("fact-0"),
        errors.UnknownRun(7, "is no compaction"),
        errors.NothingCaptured(12),
        errors.BadInput(Path("issues.jsonl"), "no such file", hint="name a folder that exists"),
        errors.RepositoryElsewhere(Path("engine"), Path("/srv/other")),
        errors.BadSetting("CORTEX_BUDGET_USD", "'much' is no number"),
        errors.BadParameter("search", "limit", "it takes a whole number from 1 to 1,000", ["query (needed)", "limit"]),
        errors.UnknownOperation("forget", ["ask", "search"]),
        errors.NotAllowed("a remote client", "index", "it runs on the brain's own machine only"),
        errors.TokenNeeded("this token is none, or was revoked"),
        errors.TooManyRequests(seconds=7),
        errors.TooManyWrites(seconds=10),
        errors.TookTooLong("brief", 5),
        errors.TokenExists("ci"),
        errors.UnknownToken("ci", ["nightly", "board"]),
        errors.DeliveryUnsigned("X-Hub-Signature-256"),
        errors.DeliveryRepeated("72d3162e-cc78-11e3-81ab-4c9367dc0958"),
        errors.Outranked("outcome:empty-state-copy"),
        errors.NotKept(Path(".cortex/notes/a.md"), "No space left on device"),
        errors.NothingFound(Path("empty"), ["no history", "no documents"]),
        errors.GitHubFailed("repos/ada/parser", status=404, said="404 Not Found"),
        errors.CompactionStopped(3, "time_decay", "web", "disk full", changed=7),
        errors.NoModel("A"),
        errors.BudgetSpent(["anthropic: the budget of the run, $1.00, does not cover a call of up to $0.1000 more"]),
        errors.TiersFailed(["claude: no reply within 60 s", "openai: HTTP 529: overloaded"]),
        errors.UnusableReply("anthropic", "claude-haiku-5-5", "the reply was cut off"),
        errors.MissingExtra("github", "cortex index --github"),
        errors.BrainMissing(Path("brain.db")),
        errors.ServerAway("postgresql://db.example.com/notes", "connection refused"),
        errors.BrainFailed("postgresql://db.example.com/notes", 'relation "facts" does not exist'),
        errors.Interrupted("postgresql://db.example.com/notes"),
        errors.BrainTooNew(Path("brain.db"), found=9, known=1),
        errors.BrainTooOld(Path("brain.db"), found=1, known=9),
        errors.OtherBrain(Path("brain.db")),
        errors.NotABrain(Path("brain.db"), "it is another program's database"),
        errors.BrainDamaged(Path("brain.db"), "database disk image is malformed"),
        errors.BrainBusy(Path("brain.db"), waited_s=30),
        errors.BrainUnwritable(Path("brain.db"), "Permission denied"),
        errors.DiskFull(Path("brain.db"), "database or disk is full"),
        errors.CompactionUnfinished(3, "database or disk is full"),
        errors.StillRunning(3, "ada:4711"),
        errors.LeaseLost(12),
        errors.WorkersLost(3),
    )
}


def test_every_error_has_an_example_here() -> None:
    assert set(EXAMPLES) == {error.__name__ for error in leaves()}


@walk("error", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_an_error_says_in_one_line_what_happened_and_what_to_try(error: CortexError) -> None:
    message, hint = error.args[0], error.hint
    assert message
    assert hint
    assert str(error) == f"{message}; {hint}"
    assert "\n" not in str(error)
    assert not str(error).endswith(".")


@walk("error", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_an_error_keeps_and_tells_what_was_found(error: CortexError) -> None:
    facts = {name: value for name, value in vars(error).items() if name not in {"hint", "question"}}
    assert facts or isinstance(error, errors.EmptyQuestion | errors.EmptyBrief)
    for value in facts.values():
        for told in value if isinstance(value, tuple) else (value,):
            assert str(told) in str(error)


@walk("error", classes().values(), ids=classes().keys())
def test_exit_codes_are_the_ones_the_command_line_promises(error: type[CortexError]) -> None:
    assert error.exit_code in {1, 2, 3}
    assert (error.exit_code == 2) is issubclass(error, errors.UsageError)
    usable = issubclass(error, errors.DiskFull)
    assert (error.exit_code == 3) is (issubclass(error, errors.BrainError) and not usable)


@walk("error", classes().values(), ids=classes().keys())
def test_an_error_of_the_caller_is_a_4xx_and_any_other_a_5xx(error: type[CortexError]) -> None:
    assert error.http_status // 100 == (4 if issubclass(error, errors.UsageError) else 5)


@walk("error", classes().values(), ids=classes().keys())
def test_every_error_says_what_it_stands_for(error: type[CortexError]) -> None:
    assert error.__doc__
    assert error.__doc__ != getattr(error.__base__, "__doc__", None)


def test_an_unknown_source_in_an_empty_brain_is_told_so() -> None:
    assert str(errors.UnknownSource("web", [])) == "no source 'web' here; this brain holds: none yet"
