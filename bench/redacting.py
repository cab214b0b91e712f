"""Which secrets are taken out before anything is stored, and which real records are touched, beside public rules.

    python bench/redacting.py DATA_FOLDER [DATA_FOLDER …] [--gitleaks gitleaks.toml] [--write]

The secrets are made at run time: every provider's token, passwords in their places (tests/substrate/secret_shapes.py),
and 60 texts in which only what stands near a value tells. Real records are the issues, pull requests, comments and
commits of the folders. detect-secrets counts where it is installed, gitleaks' rules (its `config/gitleaks.toml`) where
they are given: each finds a secret where it reports a piece of it, and touches a record where it reports anything.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from data import rows

sys.path.append(str(Path(__file__).parents[1]))
from cortex.substrate.secrets import MARK, redact
from tests.substrate.secret_shapes import NEAR, filled, positives

RESULTS: Final = Path(__file__).parent / "results" / "redacting.md"
SEEDS: Final = 5
MOST_RECORDS: Final = 30_000
FLAG: Final = re.compile(r"\(\?([a-z]+)\)")
HEAD: Final = (
    "# Secrets\n\n`python bench/redacting.py FOLDER … --gitleaks gitleaks.toml --write`: secrets made at run time, and "
    "real records\nthat are touched, of which at most a handful hold one.\n\n"
    "| | tokens and places | only told by what stands near | real records touched |\n|---|---:|---:|---:|\n"
)
Scanner = Callable[[str], Iterable[str]]
"""Gives what it reports of a text."""


def ours(text: str) -> list[str]:
    """The values that stand no more in *text* as it is stored."""
    left = redact(text)
    return re.split(r"\s+", text) if left != text and MARK in left else []


def of_detect_secrets(scratch: Path) -> Scanner | None:
    """What detect-secrets reports of a file with its default plugins and filters."""
    try:
        from detect_secrets.core.scan import scan_file  # type: ignore[import-not-found]  # noqa: PLC0415
        from detect_secrets.settings import default_settings  # type: ignore[import-not-found]  # noqa: PLC0415
    except ImportError:
        return None

    def scan(text: str) -> list[str]:
        path = scratch / "text.md"
        path.write_text(text, "utf-8")
        with default_settings():
            return [str(one.secret_value) for one in scan_file(str(path))]

    return scan


def of_gitleaks(path: Path) -> Scanner:
    """What the rules of a `gitleaks.toml` report: a keyword, a pattern, entropy, and what they allow."""
    config = tomllib.loads(path.read_text("utf-8"))
    made = [(one.get("keywords", []), _compiled(one["regex"]), one) for one in config["rules"] if "regex" in one]

    def scan(text: str) -> Iterator[str]:
        low = text.lower()
        for keywords, pattern, rule in made:
            if pattern and (not keywords or any(one in low for one in keywords)):
                yield from (found for found in map(_value, pattern.finditer(text)) if _is_drawn(found, rule))

    return scan


def _compiled(source: str) -> re.Pattern[str] | None:
    """Go's pattern as Python's: a flag in the middle holds up to the end."""
    source = source.replace(r"\z", r"\Z")
    while flag := FLAG.search(source, 1):
        source = f"{source[: flag.start()]}(?{flag[1]}:{source[flag.end() :]})"
    try:
        return re.compile(source)
    except re.error:
        return None


def _value(match: re.Match[str]) -> str:
    return next((group for group in match.groups() if group), match[0])


def _is_drawn(value: str, rule: dict[str, Any]) -> bool:
    from cortex.substrate.secret_texture import bits  # noqa: PLC0415

    words = [word for one in rule.get("allowlists", []) for word in one.get("stopwords", [])]
    return bits(value) >= rule.get("entropy", 0) and not any(word in value.lower() for word in words)


def records(folders: Iterable[Path]) -> Iterator[str]:
    """The texts of the records, without those that came with a mark of ours."""
    for folder in folders:
        for name in ("issues", "pulls", "comments", "commits"):
            for row in rows(folder, name):
                text = "\n".join(str(row.get(one) or "") for one in ("title", "subject", "body"))
                if MARK not in text:
                    yield text


def found(scan: Scanner, texts: Iterable[tuple[str, str]]) -> list[bool]:
    """Whether *scan* reports a piece of the secret of each of *texts*."""
    return [_holds(scan, text, secret) for text, secret in texts]


def _holds(scan: Scanner, text: str, secret: str) -> bool:
    if scan is ours:
        return secret not in redact(text)
    return any(one and (one in secret or secret in one) for one in scan(text))


def main() -> None:
    """Measure what is found and what is touched."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--gitleaks", type=Path, help="its rules: config/gitleaks.toml")
    parser.add_argument("--write", action="store_true", help=f"keep the table in {RESULTS.name}")
    given = parser.parse_args()
    shapes = [(one.text, one.secret) for one in positives(400, seed=2)]
    drawn = ((text, filled(shape, Random(seed))) for text, shape in NEAR for seed in range(SEEDS))  # noqa: S311
    near = [(text.replace("{}", secret), secret) for text, secret in drawn]
    real = list(dict.fromkeys(records(given.folders)))
    real = Random(0).sample(real, min(MOST_RECORDS, len(real)))  # noqa: S311  which, no secret
    lines = []
    with TemporaryDirectory() as scratch:
        scanners: dict[str, Scanner | None] = {"Cortex": ours, "detect-secrets": of_detect_secrets(Path(scratch))}
        scanners |= {"gitleaks": of_gitleaks(given.gitleaks)} if given.gitleaks else {}
        for name, scan in scanners.items():
            if scan is None:
                continue
            told = [found(scan, texts) for texts in (shapes, near)]
            touched = sum(any(True for _ in scan(text)) for text in real)
            shares = [f"{sum(one)} of {len(one)} ({sum(one) / len(one):.2f})" for one in told]
            lines.append(f"| {name} | {' | '.join(shares)} | {touched} of {len(real)} |")
            print(lines[-1], flush=True)
    if given.write:
        RESULTS.write_text(HEAD + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
