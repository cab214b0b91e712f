"""The demo project's brain, and commands on it, as the tests of the surfaces have them."""

from __future__ import annotations

from tests.surfaces.conftest import brain, cortex, demo_brain, process

__all__ = ["brain", "cortex", "demo_brain", "process"]
