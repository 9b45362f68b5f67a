"""Between the policy file and the window: who may send is judged by it, and it is edited here."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Signal

from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.model.rules.approvers import PolicyModel
from helm_sdk.keys import KeysError, export_public, own_name
from helm_sdk.policy import Policy, PolicyError
from helm_sdk.policy.file import POLICY_FILE, PolicyFile, read_policy
from helm_sdk.record.errors import RecordError
from helm_sdk.record.host import host_name
from helm_sdk.record.json_file import write_plain
from helm_sdk.record.layout import config_home

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session
    from helm_desktop.views.settings.approvals import ApprovalsSection

LOOK_S = 0.5


class PolicyController(QObject):
    """The policy of the user whose runs these are."""

    said = Signal(str)

    def __init__(self, current: CurrentRun, parent: QObject) -> None:
        super().__init__(parent)
        self._section: ApprovalsSection | None = None
        self._session: Session | None = None
        self._policy: PolicyModel | None = None
        self._looked_at = 0.0
        current.changed.connect(self._run_changed)
        current.follow("about_changed", self._judge)
        current.follow("status_changed", self._look)

    def _run_changed(self, before: Session | None, now: Session) -> None:
        """What is sent to another run is judged by the rules of its project."""
        self._session, self._policy = now, None
        self._judge()

    def _judge(self) -> None:
        """The run is known now: if it goes by the policy of this user, so does the window."""
        session = self._session
        if session is None or self._policy is not None or not session.project:
            return
        if elsewhere := _elsewhere(session):
            session.controls.approvals.set_policy(None, elsewhere)
            return
        file = PolicyFile(config_home() / POLICY_FILE)
        self._policy = PolicyModel(file, session.project, own_name(), own_key=_own_key, parent=session)
        session.controls.approvals.set_policy(self._policy)

    def _look(self) -> None:
        """With the run's signs of life, but not with each point that comes: the file may be far away."""
        now = time.monotonic()
        if self._policy is not None and now - self._looked_at >= LOOK_S:
            self._looked_at = now
            self._policy.look()

    def serve(self, section: ApprovalsSection) -> None:
        """Look after this section."""
        self._section = section
        section.save_requested.connect(self._save)

    def refresh(self) -> None:
        """Show what the file says. A file that cannot be used is not written over."""
        if self._section is None:
            return
        path = config_home() / POLICY_FILE
        try:
            policy = read_policy(path)
        except PolicyError as error:
            self._section.show_problem(f"{error}. Mend or move it first: runs reject every change until then")
        else:
            session = self._session
            projects = [session.project] if session is not None and session.project else []
            self._section.show_policy(policy, projects, str(path))

    def _save(self, policy: Policy) -> None:
        assert self._section is not None
        path = config_home() / POLICY_FILE
        try:
            write_plain(path, msgspec.to_builtins(policy))
        except RecordError as error:
            self.said.emit(f"The policy was not saved: {error}")
            return
        self._section.saved(policy)
        if self._policy is not None:
            self._policy.look()
        self.said.emit(f"Saved {path}: your runs go by it from the next command on")


def _elsewhere(session: Session) -> str:
    """Whose policy the run's processes read, where it is not this user's on this machine."""
    away = {facts.host for facts in session.processes if facts.host} - {host_name()}
    if away:
        return f"the policy on {min(away)}"
    try:
        mine = not hasattr(os, "getuid") or Path(session.folder).stat().st_uid == os.getuid()
    except OSError:
        mine = True
    return "" if mine else "the policy of its owner"


def _own_key() -> str:
    try:
        return export_public()
    except KeysError:
        return ""
