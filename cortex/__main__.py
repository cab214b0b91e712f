"""The program's entry: Ctrl-C costs one line even while the command line is being imported, a tenth of a second."""

from __future__ import annotations

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run `cortex`."""
    try:
        if sys.argv[1:3] == ["agent-hooks", "run"] and "--help" not in sys.argv:  # an agent waits
            from cortex.surfaces.agent_hook import main as answer  # noqa: PLC0415

            sys.exit(answer(sys.argv[3:]))
        from cortex.surfaces.cli import main as run  # noqa: PLC0415  whatever is imported above can be interrupted

        run()
    except KeyboardInterrupt:
        from cortex.surfaces.interrupted import EXIT_CODE, SAID  # noqa: PLC0415

        sys.stderr.write(f"cortex: {SAID}\n")
        sys.exit(EXIT_CODE)


if __name__ == "__main__":
    main()
