"""The life of a command: its states, their order, and how a control's value follows from them."""

from __future__ import annotations

from typing import Final

RECEIVED: Final = "received"
AWAITING_APPROVAL: Final = "awaiting approval"
WAITING: Final = "waiting"
APPLIED: Final = "applied"
CONFIRMED: Final = "confirmed"
REJECTED: Final = "rejected"
EXPIRED: Final = "expired"
CANCELLED: Final = "cancelled"
SUPERSEDED: Final = "superseded"
FAILED: Final = "failed"

STATES: Final = (
    RECEIVED,
    AWAITING_APPROVAL,
    WAITING,
    APPLIED,
    CONFIRMED,
    REJECTED,
    EXPIRED,
    CANCELLED,
    SUPERSEDED,
    FAILED,
)

NEXT: Final[dict[str, frozenset[str]]] = {
    "": frozenset({RECEIVED, REJECTED}),
    RECEIVED: frozenset({AWAITING_APPROVAL, WAITING, REJECTED, FAILED}),
    AWAITING_APPROVAL: frozenset({WAITING, REJECTED, EXPIRED, CANCELLED, SUPERSEDED, FAILED}),
    WAITING: frozenset({APPLIED, REJECTED, EXPIRED, CANCELLED, SUPERSEDED, FAILED}),
    APPLIED: frozenset({CONFIRMED}),
    CONFIRMED: frozenset(),
    REJECTED: frozenset(),
    EXPIRED: frozenset(),
    CANCELLED: frozenset(),
    SUPERSEDED: frozenset(),
    FAILED: frozenset(),
}

OPEN: Final = frozenset({RECEIVED, AWAITING_APPROVAL, WAITING})
"""States from which a command may still take effect."""

RUN_ENDED: Final = "the run ended first"
"""What readers say of a command that was open when its run ended: a dead process cannot write it."""


def may_follow(before: str, after: str) -> bool:
    """Whether a command in state `before` (empty: unknown yet) may become `after`."""
    return after in NEXT.get(before, frozenset())
