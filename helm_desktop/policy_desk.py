"""Opens the editor of the policy on the file, and writes what it says."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import QObject, Qt, Signal

from helm_desktop.screen import Screen
from helm_sdk.policy import Policy, PolicyError
from helm_sdk.policy.file import POLICY_FILE, read_policy
from helm_sdk.record.errors import RecordError
from helm_sdk.record.json_file import write_plain
from helm_sdk.record.layout import config_home


class PolicyDesk(QObject):
    """The policy of the user whose runs these are."""

    said = Signal(str)

    def __init__(self, screen: Screen, parent: QObject) -> None:
        super().__init__(parent)
        self._screen = screen

    def open(self, projects: Sequence[str]) -> None:
        """Show the editor. A file that cannot be used is not written over."""
        from helm_desktop.views.policy import PolicyDialog

        path = config_home() / POLICY_FILE
        try:
            policy = read_policy(path)
        except PolicyError as error:
            self.said.emit(f"{error}. Mend or move it first: runs reject every change until then")
            return
        dialog = PolicyDialog(policy, projects, str(path), self._screen.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.save_requested.connect(self._save)
        dialog.open()

    def _save(self, policy: Policy) -> None:
        path = config_home() / POLICY_FILE
        try:
            write_plain(path, msgspec.to_builtins(policy))
        except RecordError as error:
            self.said.emit(f"The policy was not saved: {error}")
            return
        self.said.emit(f"Saved {path}: your runs go by it from the next command on")
