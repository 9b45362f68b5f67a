"""The dock's Watch section: rules, the form of a rule, and what waits for approval."""

from helm_desktop.views.watch.panel import WatchPanel

__all__ = ["WatchPanel"]
