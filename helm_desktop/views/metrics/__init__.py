"""The metrics of the dock."""

from helm_desktop.views.metrics.panel import MetricsView

__all__ = ["MetricsView"]
