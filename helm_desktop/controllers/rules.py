"""Between the rules of a run and the world: the project's file, notifications, programs, commands."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from helm_desktop.controllers.command_sender import CommandSender
from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.model.run.activity import ActivityEntry
from helm_desktop.storage.preferences import Preferences, RuleAct
from helm_desktop.storage.rule_files import RuleFiles
from helm_desktop.storage.storage_thread import Storage
from helm_desktop.views.watch import WatchPanel
from helm_desktop.window.notifier import Notifier
from helm_sdk.protocol.messages import Command
from helm_sdk.record.errors import RecordError
from helm_sdk.rules import Action, Firing, Program, Rule, Send, Webhook
from helm_sdk.rules.labels import firing_words

if TYPE_CHECKING:
    from helm_desktop.model.run.session import Session
    from helm_sdk.rules.actions import ActionResult, ActionRunner

PAGE = "Watch"
LOOK_MS = 2000
CAME_MOST = 500  # firings of which actions may still be under way
_ACTS: dict[RuleAct, str] = {"send": "send changes", "run": "run programs", "webhook": "call addresses"}
_log = logging.getLogger(__name__)


class RulesController(QObject):
    """Keeps the rules of the open run's project, and acts when one fires."""

    notified = Signal(str)
    _done = Signal(object)  # Done, from any thread

    def __init__(
        self,
        current: CurrentRun,
        sender: CommandSender,
        panel: WatchPanel,
        settings: Preferences,
        notifier: Notifier,
        storage: Storage,
        keep: bool,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._storage = storage
        self._sender, self._panel = sender, panel
        self._settings, self._notifier = settings, notifier
        self._keep_files = keep  # pictures for scripts look the same for everybody
        self._session: Session | None = None
        self._project = ""
        self._came: dict[str, list[ActionResult]] = {}  # of each firing, what came of it
        self._actor: ActionRunner | None = None
        self._due: list[Firing] = []  # fired before it was read what rules have sent
        self._files = RuleFiles(storage, self)
        self._files.read.connect(self._apply_rules)
        self._files.notified.connect(self.notified)
        self._look = QTimer(self, interval=LOOK_MS)
        self._look.timeout.connect(self._files.check)
        self._done.connect(self._on_result)
        current.changed.connect(self._run_changed)
        current.follow("about_changed", self._begin)
        current.follow("rules.edited", self._write)
        current.follow("rules.fired", self._act)

    def _run_changed(self, before: Session | None, now: Session) -> None:
        self._session = now
        self._stop_acting()
        self._project = ""
        self._files.open("")
        self._came.clear()
        self._panel.set_session(now)

    def stop(self) -> None:
        """Start nothing more. Safe to call more than once."""
        self._look.stop()
        self._stop_acting()
        self._notifier.close()

    # The project's file ------------------------------------------------------------------------

    def _begin(self) -> None:
        """The project is known."""
        session = self._session
        if session is not None and session.project and session.project != self._project:
            self._project = session.project
            if self._keep_files:
                self._files.open(self._project)
                self._look.start()

    def _apply_rules(self, rules: tuple[Rule, ...]) -> None:
        if self._session is not None:
            self._session.rules.set_rules(rules)

    def _write(self, rule_id: str) -> None:
        """Keep one rule as it is now; what another window has done to others stays."""
        if self._session is not None and self._keep_files:
            self._files.store(rule_id, self._session.rules.rules)

    # Acting ------------------------------------------------------------------------------------

    def _act(self, firing: Firing) -> None:
        session = self._session
        if session is None or not session.folder:
            return
        self._record(firing)
        if self._actor is not None:
            self._actor.act(firing)
            return
        self._due.append(firing)
        if len(self._due) == 1:
            folder = Path(session.folder)
            self._storage.run(partial(_used_before, folder), partial(self._begin_acting, session))

    def _begin_acting(self, session: Session, used: dict[str, list[float]]) -> None:
        """What rules have sent before is known: their limits count it."""
        if session is not self._session:
            return
        self._actor = self._made(session, used)
        due, self._due = self._due, []
        for firing in due:
            self._actor.act(firing)

    def _made(self, session: Session, used: dict[str, list[float]]) -> ActionRunner:
        from helm_sdk.rules.actions import ActionRunner, RunFacts

        run_id = session.record.run_id if session.record is not None else ""
        facts = RunFacts(run_id, session.name, session.project, Path(session.folder))
        return ActionRunner(facts, self._send, self._notify, self._done.emit, used, self._refuses)

    def _on_result(self, done: ActionResult) -> None:
        session = self._session
        if session is None:
            return
        firing = done.firing
        self._record(firing, done)
        if done.text not in ("told", "not notified again so soon"):
            came = self._came.setdefault(firing.key, [])
            came.append(done)
            while len(self._came) > CAME_MOST:
                self._came.pop(next(iter(self._came)))
            text = " · ".join([f"{firing.rule.title}: {firing_words(firing)}", *(one.text for one in came)])
            bad = not all(one.ok for one in came)
            session.activity.add(
                ActivityEntry(f"rule/{firing.key}", firing.step, firing.time, "rule", text, bad)
            )

    def _record(self, firing: Firing, *done: ActionResult) -> None:
        session = self._session
        if session is not None and session.folder:
            self._storage.run(partial(_record_firing, Path(session.folder), firing, done))

    def _send(self, command: Command, via: str, settled: Callable[[str], None]) -> None:
        self._sender.send(command, via).when_settled(settled)

    def _notify(self, title: str, text: str, beep: bool) -> None:
        self.notified.emit(f"▲ {title}: {text}")
        self._notifier.notify(title, text, beep)

    def _refuses(self, action: Action) -> str:
        """Return why the preferences keep a rule from doing something; empty when they do not."""
        act = _act_of(action)
        if act is None or self._settings.rules_may(act):
            return ""
        return f"not done: Settings, Notifications says that rules may not {_ACTS[act]}"

    def _stop_acting(self) -> None:
        if self._actor is not None:
            self._actor.close()
            self._actor = None
        self._due.clear()


def _act_of(action: Action) -> RuleAct | None:
    """Return what an action is called in the preferences; telling is never kept from a rule."""
    if isinstance(action, Send):
        return "send"
    if isinstance(action, Program):
        return "run"
    return "webhook" if isinstance(action, Webhook) else None


def _record_firing(folder: Path, firing: Firing, done: tuple[ActionResult, ...]) -> None:
    from helm_sdk.rules.store import record_firing

    try:
        record_firing(folder, firing, done)
    except Exception:
        _log.warning("what a rule did could not be written in %s", folder, exc_info=True)


def _used_before(folder: Path) -> dict[str, list[float]]:
    """Seconds since each rule has sent something in a run, by its id."""
    from helm_sdk.rules.store import read_fired, used

    try:
        return used(read_fired(folder))
    except RecordError:
        return {}
