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
    """A change to send. The run checks it, and says in one sentence what is wrong with it.

    input: as the control's schema has it, decimal strings kept to the letter. reason: is kept with the
    change. process: one by name, "all" that declare the control, else the first. expires_in: seconds after
    receipt; expires_step: the last step at which it may be applied. expect_revision: reject it when the
    control was changed since (`RunView.current`). supersedes: the id of a request that waits, and that this
    one replaces. id: one of your own, up to 200 characters: sent twice, it is taken once.
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
