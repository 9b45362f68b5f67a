"""The data of a drag and drop of metrics."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMimeData

METRICS = "application/x-helm-metrics"


def metrics_data(names: Sequence[str]) -> QMimeData:
    """Return the names of metrics in a format for charts, and as text for other programs."""
    data = QMimeData()
    text = "\n".join(names)
    data.setData(METRICS, text.encode())
    data.setText(text)
    return data


def dragged(data: QMimeData) -> list[str]:
    """Return the names of the metrics that are dragged; empty for other data."""
    raw = bytes(data.data(METRICS).data())
    return [name for name in raw.decode(errors="replace").split("\n") if name]
