"""Metrics on their way by drag and drop."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMimeData

METRICS = "application/x-helm-metrics"


def metrics_data(names: Sequence[str]) -> QMimeData:
    """Return names, for a chart to take and as text for everything else."""
    data = QMimeData()
    text = "\n".join(names)
    data.setData(METRICS, text.encode())
    data.setText(text)
    return data


def dragged(data: QMimeData) -> list[str]:
    """Return the names that are dragged."""
    raw = bytes(data.data(METRICS).data())
    return [name for name in raw.decode(errors="replace").split("\n") if name]
