"""Between the policy file and the window: who may send is judged by it, and it is edited here."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.model.rules.approvers import PolicyModel
from helm_desktop.storage.policy_file import CachedPolicyFile, write_policy
from helm_desktop.storage.storage_thread import Storage
from helm_sdk.keys import KeysError, export_public, own_name
from helm_sdk.policy import Policy
from helm_sdk.policy.file import POLICY_FILE, read_policy
from helm_sdk.record.host import host_name
from helm_sdk.record.layout import config_home

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session
    from helm_desktop.views.settings.approvals import ApprovalsSection

LOOK_S = 0.5


class PolicyController(QObject):
    """The policy of the user whose runs these are."""

    notified = Signal(str)

    def __init__(self, current: CurrentRun, storage: Storage, parent: QObject) -> None:
        super().__init__(parent)
        self._storage = storage
        self._section: ApprovalsSection | None = None
        self._session: Session | None = None
        self._file: CachedPolicyFile | None = None
        self._policy: PolicyModel | None = None
        self._finding = False
        self._looked_at = 0.0
        current.changed.connect(self._run_changed)
        current.follow("about_changed", self._judge)
        current.follow("status_changed", self._check_file)

    def _run_changed(self, before: Session | None, now: Session) -> None:
        """What is sent to another run is judged by the rules of its project."""
        self._session, self._file, self._policy = now, None, None
        self._finding = False
        self._judge()

    def _judge(self) -> None:
        """The run is known now: find out whose policy it goes by."""
        session = self._session
        if session is None or self._file is not None or self._finding or not session.project:
            return
        if away := {facts.host for facts in session.processes.all if facts.host} - {host_name()}:
            session.controls.approvals.set_policy(None, f"the policy on {min(away)}")
            return
        self._finding = True
        self._storage.run(partial(_find_owner, session.folder), partial(self._found, session))

    def _found(self, session: Session, owner: _Owner) -> None:
        """If the run goes by the policy of this user, so does the window."""
        if session is not self._session:
            return
        self._finding = False
        if not owner.mine:
            session.controls.approvals.set_policy(None, "the policy of its owner")
            return
        file = self._file = CachedPolicyFile(config_home() / POLICY_FILE, self._storage, session)
        file.changed.connect(partial(self._read, session, owner))
        file.check()

    def _read(self, session: Session, owner: _Owner) -> None:
        file = self._file
        if session is not self._session or file is None:
            return
        if self._policy is not None:
            self._policy.refresh()
            return
        self._policy = PolicyModel(file, session.project, owner.name, own_key=owner.own_key, parent=session)
        session.controls.approvals.set_policy(self._policy)

    def _check_file(self) -> None:
        """With the run's signs of life, but not with each point that comes: the file may be far away."""
        now = time.monotonic()
        if self._file is not None and now - self._looked_at >= LOOK_S:
            self._looked_at = now
            self._file.check()

    def attach(self, section: ApprovalsSection) -> None:
        """Look after this section."""
        self._section = section
        section.save_requested.connect(self._save)

    def refresh(self) -> None:
        """Show what the file says. A file that cannot be used is not written over."""
        if self._section is not None:
            path = config_home() / POLICY_FILE
            self._storage.run(partial(read_policy, path), self._show, self._show_problem)

    def _show(self, policy: Policy | None) -> None:
        session = self._session
        projects = [session.project] if session is not None and session.project else []
        assert self._section is not None
        self._section.show_policy(policy, projects, str(config_home() / POLICY_FILE))

    def _show_problem(self, error: Exception) -> None:
        assert self._section is not None
        self._section.show_problem(f"{error}. Repair or move it first: runs reject every change until then")

    def _save(self, policy: Policy) -> None:
        path = config_home() / POLICY_FILE
        self._storage.run(partial(write_policy, path, policy), partial(self._saved, path), self._not_saved)

    def _saved(self, path: Path, policy: Policy) -> None:
        assert self._section is not None
        self._section.saved(policy)
        if self._file is not None:
            self._file.check()
        self.notified.emit(f"Saved {path}: your runs go by it from the next command on")

    def _not_saved(self, error: Exception) -> None:
        self.notified.emit(f"The policy was not saved: {error}")


@dataclass(frozen=True)
class _Owner:
    """Whether a run's files are this user's, and what this user's own key is called and is."""

    mine: bool
    name: str
    key: str

    def own_key(self) -> str:
        """Return the public key; empty where it cannot be read."""
        return self.key


def _find_owner(folder: str) -> _Owner:
    try:
        mine = not hasattr(os, "getuid") or Path(folder).stat().st_uid == os.getuid()
    except OSError:
        mine = True
    try:
        key = export_public()
    except KeysError:
        key = ""
    return _Owner(mine, own_name(), key)
