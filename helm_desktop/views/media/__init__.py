"""What a run logged besides numbers, one value at a time."""

from helm_desktop.views.media.panel import MediaView

__all__ = ["MediaView"]
