"""The arguments of `init`, checked."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from helm_sdk._shared.notice import print_notice
from helm_sdk._shared.plain import config_of


@dataclass(frozen=True)
class InitArguments:
    """The arguments of `init`, checked; an empty text or None stands for an argument that was not given."""

    project: str
    name: str
    config: dict[str, Any]
    tags: tuple[str, ...]
    notes: str
    resume: str
    fork_from: str
    fork_step: int | None
    join: str
    process: str
    role: str


def checked(
    project: str | None,
    name: str | None,
    config: Any,
    tags: Sequence[str],
    notes: str,
    resume: str | None,
    fork_from: str | None,
    join: str | None,
    process: str,
    role: str,
) -> InitArguments:
    """Return the checked arguments, completed from the environment. Raises TypeError and ValueError."""
    project = project if project is not None else os.environ.get("HELM_RUN_PROJECT") or "default"
    for label, text in (("project", project), ("name", name or ""), ("process", process), ("role", role)):
        if not isinstance(text, str):
            raise TypeError(f"the {label} of a run is text, not {type(text).__name__}")
    if not project.strip():
        raise ValueError("the project of a run has no name")
    if process == "rank-0":
        process = os.environ.get("HELM_RUN_PROCESS") or process
    plain, odd = config_of(config)
    if odd:
        print_notice(
            f"Values of the configuration that JSON cannot represent are kept as text: {', '.join(odd[:5])}"
        )
    origin, _, at = (fork_from or "").partition("@")
    return InitArguments(
        project=project,
        name=name or "",
        config=plain,
        tags=(tags,) if isinstance(tags, str) else tuple(map(str, tags)),
        notes=str(notes or ""),
        resume=resume or "",
        fork_from=origin,
        fork_step=int(at) if at.isdigit() else None,
        join=join or "",
        process=process,
        role=role,
    )
