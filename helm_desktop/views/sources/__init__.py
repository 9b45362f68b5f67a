"""What a run's processes wrote and declared, over the whole window."""

from helm_desktop.views.sources.page import SourcesPage

__all__ = ["SourcesPage"]
