"""The facts of a run, and the tensors of the model that it trains."""

from __future__ import annotations

from typing import Any

import msgspec

from helm_sdk.protocol.messages import TensorInfo


class ModelCatalogue:
    """The newest facts and tensors."""

    def __init__(self) -> None:
        self.tensors: tuple[TensorInfo, ...] = ()
        self.facts: dict[str, Any] = {}

    def read_tensors(self, body: Any) -> None:
        """Read the body of a "tensors" catalogue; raise `msgspec.ValidationError` for a bad one."""
        entries = body.get("tensors", ()) if isinstance(body, dict) else body
        self.tensors = msgspec.convert(entries, tuple[TensorInfo, ...])

    def add_facts(self, body: dict[str, Any]) -> None:
        """Add the facts of a "facts" catalogue."""
        self.facts.update(body)

    @property
    def offers_captures(self) -> bool:
        """Whether the run lists tensors that can be captured: its script has set `captures=True`."""
        return bool(self.tensors)
