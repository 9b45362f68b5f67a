"""Learning-rate schedules of our own: WSD."""

from __future__ import annotations

from helm_sdk.torch._schedules.wsd import WSDScheduler

__all__ = ["WSDScheduler"]
