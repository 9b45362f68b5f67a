"""Between the rules of a run and the world: the project's file, notifications, programs, commands."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from helm_desktop.controllers.command_sender import CommandSender
from helm_desktop.controllers.current_run import CurrentRun
from helm_desktop.model.run.activity import ActivityEntry
from helm_desktop.storage.preferences import Preferences, RuleAct
from helm_desktop.views.watch import WatchPanel
from helm_desktop.window.notifier import Notifier
from helm_sdk.protocol.messages import Command
from helm_sdk.record.errors import RecordError
from helm_sdk.record.json_file import stamp_of
from helm_sdk.rules import Action, Firing, Program, Rule, RuleError, Send, Webhook
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

    said = Signal(str)
    _done = Signal(object)  # Done, from any thread

    def __init__(
        self,
        current: CurrentRun,
        sender: CommandSender,
        panel: WatchPanel,
        settings: Preferences,
        notifier: Notifier,
        keep: bool,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._sender, self._panel = sender, panel
        self._settings, self._notifier = settings, notifier
        self._keep_files = keep  # pictures for scripts look the same for everybody
        self._session: Session | None = None
        self._project = ""
        self._stamp: object = None
        self._unkept: set[str] = set()  # rules that could not be written yet
        self._came: dict[str, list[ActionResult]] = {}  # of each firing, what came of it
        self._actor: ActionRunner | None = None
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="helm-rules")
        self._look = QTimer(self, interval=LOOK_MS)
        self._look.timeout.connect(self._read)
        self._done.connect(self._told)
        current.changed.connect(self._run_changed)
        current.follow("about_changed", self._begin)
        current.follow("rules.edited", self._write)
        current.follow("rules.fired", self._act)

    def _run_changed(self, before: Session | None, now: Session) -> None:
        self._session = now
        self._stop_acting()
        self._project, self._stamp = "", None
        self._unkept.clear()
        self._came.clear()
        self._panel.set_session(now)

    def stop(self) -> None:
        """Start nothing more. Safe to call more than once."""
        self._look.stop()
        self._stop_acting()
        self._writer.shutdown(wait=True)
        self._notifier.close()

    # The project's file ------------------------------------------------------------------------

    def _begin(self) -> None:
        """The project is known."""
        session = self._session
        if session is not None and session.project and session.project != self._project:
            self._project = session.project
            self._read()
            if self._keep_files:
                self._look.start()

    def _read(self) -> None:
        from helm_sdk.rules.store import read_rules, rules_path

        session = self._session
        if session is None or not self._project or not self._keep_files:
            return
        path = rules_path(self._project)
        stamp = stamp_of(path)
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            session.rules.set_rules(read_rules(path))
        except (RuleError, RecordError) as error:
            self.said.emit(str(error))

    def _write(self, rule_id: str) -> None:
        """Keep one rule as it is now; what another window has done to others stays."""
        from helm_sdk.rules.store import rules_path, write_rules

        session = self._session
        if session is None or not self._project or not self._keep_files:
            return
        path = rules_path(self._project)
        try:
            kept = {rule.id: rule for rule in self._kept(path)}
            mine = {rule.id: rule for rule in session.rules.rules}
            self._unkept.add(rule_id)
            for changed in self._unkept:
                if changed in mine:
                    kept[changed] = mine[changed]
                else:
                    kept.pop(changed, None)
            write_rules(path, tuple(kept.values()))
        except (RecordError, OSError) as error:
            self.said.emit(f"The rule holds until this window closes, it could not be kept: {error}")
        else:
            self._unkept.clear()
            session.rules.set_rules(kept.values())
        self._stamp = stamp_of(path)

    def _kept(self, path: Path) -> tuple[Rule, ...]:
        """The rules in the file. One that holds none is kept aside and never written over."""
        from helm_sdk.rules.store import read_rules

        try:
            return read_rules(path)
        except (RuleError, RecordError) as error:
            aside = path.with_suffix(".unread.json")
            path.replace(aside)
            self.said.emit(f"{error}; it was moved to {aside.name}, and rules are kept anew")
            return ()

    # Acting ------------------------------------------------------------------------------------

    def _act(self, firing: Firing) -> None:
        session = self._session
        if session is None or not session.folder:
            return
        self._keep(firing)
        if self._actor is None:
            self._actor = self._made(session)
        self._actor.act(firing)

    def _made(self, session: Session) -> ActionRunner:
        from helm_sdk.rules.actions import ActionRunner, RunFacts
        from helm_sdk.rules.store import read_fired, used

        folder = Path(session.folder)
        run_id = session.record.run_id if session.record is not None else ""
        facts = RunFacts(run_id, session.name, session.project, folder)
        try:
            before = used(read_fired(folder))
        except RecordError:
            before = {}
        return ActionRunner(facts, self._send, self._notify, self._done.emit, before, self._refuses)

    def _told(self, done: ActionResult) -> None:
        session = self._session
        if session is None:
            return
        firing = done.firing
        self._keep(firing, done)
        if done.text not in ("told", "not told again so soon"):
            came = self._came.setdefault(firing.key, [])
            came.append(done)
            while len(self._came) > CAME_MOST:
                self._came.pop(next(iter(self._came)))
            text = " · ".join([f"{firing.rule.title}: {firing_words(firing)}", *(one.text for one in came)])
            bad = not all(one.ok for one in came)
            session.activity.add(
                ActivityEntry(f"rule/{firing.key}", firing.step, firing.time, "rule", text, bad)
            )

    def _keep(self, firing: Firing, *done: ActionResult) -> None:
        session = self._session
        if session is not None and session.folder:
            self._later(partial(_keep_fired, Path(session.folder), firing, done))

    def _later(self, work: Callable[[], object]) -> None:
        try:
            self._writer.submit(work)
        except RuntimeError:  # the window is closing
            return

    def _send(self, command: Command, via: str, settled: Callable[[str], None]) -> None:
        self._sender.send(command, via).when_settled(settled)

    def _notify(self, title: str, text: str, beep: bool) -> None:
        self.said.emit(f"▲ {title}: {text}")
        self._notifier.tell(title, text, beep)

    def _refuses(self, action: Action) -> str:
        """Why the reader's preferences keep a rule from doing something."""
        act = _act_of(action)
        if act is None or self._settings.rules_may(act):
            return ""
        return f"not done: Settings, Notifications says that rules may not {_ACTS[act]}"

    def _stop_acting(self) -> None:
        if self._actor is not None:
            self._actor.close()
            self._actor = None


def _act_of(action: Action) -> RuleAct | None:
    """What an action is called in the preferences; telling is never kept from a rule."""
    if isinstance(action, Send):
        return "send"
    if isinstance(action, Program):
        return "run"
    return "webhook" if isinstance(action, Webhook) else None


def _keep_fired(folder: Path, firing: Firing, done: tuple[ActionResult, ...]) -> None:
    from helm_sdk.rules.store import keep_fired

    try:
        keep_fired(folder, firing, done)
    except Exception:
        _log.warning("what a rule did could not be kept in %s", folder, exc_info=True)
