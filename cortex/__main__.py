"""The program's entry: how a process starts and ends, and one line for Ctrl-C even while it imports.

Why it takes these shortcuts: docs/decisions/0073-a-process-starts-and-ends-at-once.md.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress
from types import ModuleType
from typing import NoReturn


def main() -> NoReturn:
    """Run `cortex`."""
    codes: list[int] = []
    atexit.register(_end, codes)  # first in, last out: after threads and other handlers have ended
    gc.disable()  # nothing that is imported is garbage; `cortex.surfaces.cli` enables it for the command
    _load_no_pydantic_plugins()
    try:
        _run()
    except KeyboardInterrupt:
        from cortex.surfaces import INTERRUPTED, SAID  # noqa: PLC0415

        sys.stderr.write(f"cortex: {SAID}\n")
        sys.exit(INTERRUPTED)
    except SystemExit as done:
        if isinstance(done.code, int):
            codes.append(done.code)
        raise


def _run() -> NoReturn:
    if sys.argv[1:3] == ["agent-hooks", "run"] and "--help" not in sys.argv:  # an agent waits
        from cortex.surfaces.agent_hook import main as answer  # noqa: PLC0415

        sys.exit(answer(sys.argv[3:]))
    from cortex.surfaces.cli import main as run  # noqa: PLC0415  an interrupt while it is imported is caught above

    run()


def _load_no_pydantic_plugins() -> None:
    loader = ModuleType("pydantic.plugin._loader")
    vars(loader)["get_plugins"] = tuple
    sys.modules[loader.__name__] = loader


def _end(codes: list[int]) -> None:
    if codes:
        for stream in filter(None, (sys.stdout, sys.stderr)):  # a caller may have closed one
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(codes[0] & 0xFF)


if __name__ == "__main__":
    main()
