"""Settings, a section beside the other, over the whole window."""

from helm_desktop.views.settings.page import SettingsPage

__all__ = ["SettingsPage"]
