"""The Claude CLI on this machine, `claude -p`, with its tools, its settings and its memory switched off."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from contextlib import suppress
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, Final

from cortex.llm.apis import PERSON_MENDS, is_too_long, one_line
from cortex.llm.model import STOPPED, Answer, Failure, Reply, Request, tokens
from cortex.llm.setup import Tier

BARE: Final = (
    "--tools", "",  # a model that reads records may do nothing
    "--setting-sources", "",  # nobody's CLAUDE.md, hooks and plugins have a say
    "--strict-mcp-config",
    "--disable-slash-commands",
    "--no-session-persistence",
)  # fmt: skip
"""What makes an agent a plain model."""

MOST_USD: Final = 10_000  # what no call costs; a sum that is more, or no number, is none
_SIGNED_OUT: Final = re.compile(
    r"/login\b|\bnot logged in\b|\binvalid api key\b|\boauth token (?:has )?expired\b|\bcredit balance is too low\b",
    re.I,
)
_NOT_PASSED_ON: Final = frozenset({"CLAUDECODE"})  # by which the CLI refuses to run below itself, as from an agent
_QUIET: Final = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}


class ClaudeCli:
    """One process a call, in an empty folder: no project's instructions are in reach.

    It reads and writes files: a pipe would be waited for as long as anything the program left behind holds it open.
    """

    def __init__(self, tier: Tier) -> None:
        self._tier, self._program = tier, tier.program or "claude"
        self._environment = {name: value for name, value in tier.environment.items() if name not in _NOT_PASSED_ON}
        self._folder = TemporaryDirectory(prefix="cortex-")

    async def call(self, model: str, request: Request[Answer], *, worst_usd: float) -> Reply | Failure:
        """What the model says to *request*."""
        schema = request.schema
        arguments = (
            "-p", "--output-format", "json", "--model", model, "--system-prompt", request.system, *BARE,
            "--max-budget-usd", f"{max(worst_usd, 0.0001):.4f}",
            *(("--json-schema", json.dumps(schema)) if schema else ()),
        )  # fmt: skip
        limit = {"CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(request.max_tokens)}
        with TemporaryFile() as asked, TemporaryFile() as out, TemporaryFile() as err:
            asked.write(request.content.encode())
            asked.seek(0)
            try:
                process = await asyncio.create_subprocess_exec(
                    self._program, *arguments, cwd=self._folder.name, env={**self._environment, **_QUIET, **limit},
                    stdin=asked, stdout=out, stderr=err, start_new_session=True,
                )  # fmt: skip
            except OSError as error:
                return Failure(f"cannot run {self._program}: {error.strerror or error}", broken=True)
            try:
                code = await process.wait()
            finally:
                await _end(process)
            out.seek(0)
            err.seek(0)
            return read(out.read(), err.read(), code, self._tier)

    async def close(self) -> None:
        """Remove the folder."""
        self._folder.cleanup()


async def _end(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError, PermissionError):  # gone; or only zombies are left, as macOS puts it
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def read(out: bytes, err: bytes, code: int, tier: Tier) -> Reply | Failure:
    """What the CLI printed as a reply, or as a failure.

    Source: the result message of https://code.claude.com/docs/en/headless.
    """
    result = None
    with suppress(ValueError):
        result = json.loads(out)
    if not isinstance(result, dict) or result.get("type") != "result":
        said = one_line((err or out).decode("utf-8", "replace"), tier) or "nothing"
        broken = bool(code and _SIGNED_OUT.search(said))
        return Failure(
            f"claude ended with {code} and said: {said}", again=not broken, charged=not broken, broken=broken
        )
    if result.get("is_error") or code or str(result.get("subtype", "success")) != "success":
        return _failed(result, code, tier)
    structured = result.get("structured_output")
    text = str(result.get("result") or "") if structured is None else json.dumps(structured)
    return Reply(text, *_tokens(result), STOPPED.get(str(result.get("stop_reason")), ""), _dollars(result))


def _failed(result: dict[str, Any], code: int, tier: Tier) -> Failure:
    status = result.get("api_error_status")
    said = one_line(str(result.get("result") or result.get("errors") or result.get("subtype") or ""), tier)
    broken = status in PERSON_MENDS or bool(_SIGNED_OUT.search(said))
    asked, told = _tokens(result)
    return Failure(
        f"claude failed ({status or code or result.get('subtype')}): {said}",
        again=not broken and status != 400 and result.get("subtype") in (None, "success", "error_during_execution"),
        charged=True,
        broken=broken,
        too_long=is_too_long(said),
        input_tokens=asked,
        output_tokens=told,
        cost_usd=_dollars(result),
    )


def _tokens(result: dict[str, Any]) -> tuple[int | None, int | None]:
    usage = result.get("usage")
    if not isinstance(usage, dict):
        return None, None
    cached = (usage.get(name) or 0 for name in ("cache_creation_input_tokens", "cache_read_input_tokens"))
    return tokens(usage.get("input_tokens") or 0, *cached), tokens(usage.get("output_tokens"))


def _dollars(result: dict[str, Any]) -> float | None:
    cost = result.get("total_cost_usd")
    return float(cost) if isinstance(cost, int | float) and 0 <= cost <= MOST_USD else None
