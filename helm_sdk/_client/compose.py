"""A change that is to be sent, from a few words."""

from __future__ import annotations

import uuid
from typing import Any

from helm_sdk.protocol.messages import Command


def new_command(
    control: str,
    input: Any = None,
    *,
    reason: str = "",
    process: str = "",
    expires_in: float | None = None,
    expires_step: int | None = None,
    expect_revision: int | None = None,
    supersedes: str = "",
    id: str = "",
) -> Command:
    """Return a command to send. The run checks it, and says in one sentence what is wrong with it.

    Args:
        control: The control's name.
        input: The input as the control's schema has it. A decimal string is kept to the letter.
        reason: Why; it is kept with the change.
        process: One process by name, "all" that declare the control, or empty for the first that does.
        expires_in: How long after receipt it may still be applied, in seconds.
        expires_step: The last step at which it may be applied.
        expect_revision: Reject it when the control was changed since this revision (`RunView.current`).
        supersedes: The id of a waiting command that this one replaces.
        id: An id of your own, up to 200 characters; an id that was sent twice is applied once. Without it a
            random one.
    """
    return Command(
        id=id or str(uuid.uuid4()),
        capability=control,
        input=input,
        process=process,
        reason=reason,
        expires_in=expires_in,
        expires_step=expires_step,
        expect_revision=expect_revision,
        supersedes=supersedes,
    )
