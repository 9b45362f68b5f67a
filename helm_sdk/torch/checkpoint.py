"""Checkpoints: a folder each, with a manifest, without pickle."""

from __future__ import annotations

from helm_sdk.torch._checkpoints.store import CheckpointError, Store, read_manifest, verify

__all__ = ["CheckpointError", "Store", "read_manifest", "verify"]
