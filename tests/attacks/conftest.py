from __future__ import annotations

from tests.surfaces.conftest import demo_brain

__all__ = ["demo_brain"]
