"""Checkpoints: a folder each, with a manifest, without pickle."""

from __future__ import annotations

from helm_sdk.torch._checkpoints.store import CheckpointError, CheckpointStore, read_manifest, verify

__all__ = ["CheckpointError", "CheckpointStore", "read_manifest", "verify"]
