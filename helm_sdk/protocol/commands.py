"""Commands: the message, its states, and which state may follow which."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from helm_sdk.protocol.message import Message

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
"""The message that readers give a command that was open when its run ended, which wrote none itself."""


def may_follow(before: str, after: str) -> bool:
    """Return True when state `after` may follow state `before` (empty: before the first state)."""
    return after in NEXT.get(before, frozenset())


class Command(Message, frozen=True, kw_only=True):
    """A request to change a control."""

    id: str
    capability: str
    input: Any = None
    version: str = ""  # empty: the version that the run declares
    process: str = ""  # empty: the one that declares the control; "all": every one that does
    reason: str = ""
    expires_step: int | None = None
    expires_in: float | None = None  # seconds after it is received
    expect_revision: int | None = None
    supersedes: str = ""


class CommandState(Message, frozen=True, kw_only=True):
    """One state that a command reached: the body of an event of kind "command"."""

    command_id: str
    capability: str
    state: str  # one of commands.STATES
    sender: str = ""  # the name that the allow-list gives the sender's key
    sender_key: str = ""
    via: str = ""  # what the sending program calls itself
    approval: str = ""  # who may approve, from "awaiting approval" on: "sender" (too) or "another key"
    approver: str = ""
    input: Any = None  # on "received"
    reason: str = ""
    message: str = ""  # why it was rejected, failed or awaits approval, in one sentence
    frames: tuple[str, ...] = ()  # the last frames of a handler that raised
    safe_point: str = ""
    revision: int = 0  # how many changes of the control were applied, this one included
    expect_revision: int | None = None
    expires_step: int | None = None
    expires_at: float | None = None
    supersedes: str = ""
    old: Any = None
    new: Any = None
    result: Any = None
    ran_at: float | None = None  # on "confirmed"
    ranks: dict[str, Any] = msgspec.field(
        default_factory=dict
    )  # on "applied" with several ranks: old and new of each, by process
