"""The life of a command: its states, their order, and how a control's value follows from them."""

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
"""What readers say of a command that was open when its run ended: a dead process cannot write it."""


def may_follow(before: str, after: str) -> bool:
    """Return True when a command in state `before` (empty: unknown yet) may become `after`."""
    return after in NEXT.get(before, frozenset())


class Command(Message, frozen=True, kw_only=True):
    """A change that somebody asks for."""

    id: str
    capability: str
    input: Any = None
    version: str = ""  # empty: whatever the run declares
    process: str = ""  # empty: the one that declares it; "all": each that does
    reason: str = ""
    expires_step: int | None = None
    expires_in: float | None = None  # seconds from receipt
    expect_revision: int | None = None
    supersedes: str = ""


class CommandState(Message, frozen=True, kw_only=True):
    """The body of an event of kind "command"."""

    command_id: str
    capability: str
    state: str  # one of commands.STATES
    sender: str = ""  # the name that the allow-list gives the sender's key
    sender_key: str = ""
    via: str = ""  # the program that sent it, in its own words
    approval: str = ""  # from "awaiting approval" on: "sender" (who may give it too) or "another key"
    approver: str = ""
    input: Any = None  # on "received"
    reason: str = ""
    message: str = ""  # why it was rejected, failed or has to be approved: one sentence
    frames: tuple[str, ...] = ()  # the last frames of a handler that raised
    safe_point: str = ""
    revision: int = 0  # the control's revision: applied changes so far, this one included
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
