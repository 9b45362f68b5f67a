"""A card for each declared control, with a form made from its schema by kind alone."""

from helm_desktop.views.controls.panel import ControlsPanel

__all__ = ["ControlsPanel"]
