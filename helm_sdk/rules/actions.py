"""What is done when a rule fires: programs and webhooks in threads, the rest by whoever asks."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import threading
import time
import urllib.request
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from helm_sdk.protocol.messages import Command
from helm_sdk.rules.budget import Budget
from helm_sdk.rules.firing import Firing
from helm_sdk.rules.labels import action_words, firing_words
from helm_sdk.rules.spec import Action, Notify, Program, Send, Webhook

NOTIFY_SECONDS = 10.0  # between notifications of one rule
_UNDER_WAY = 64
_SAID = 300  # characters of what a program said that are kept


SendCommand = Callable[[Command, str, Callable[[str], None]], None]


@dataclass(frozen=True)
class RunFacts:
    """The run that a rule fired on."""

    run_id: str
    name: str
    project: str
    folder: Path


@dataclass(frozen=True)
class ActionResult:
    """What came of one action."""

    firing: Firing
    action: Action
    ok: bool
    text: str


class ActionRunner:
    """Acts for one run.

    send(command, via, settled) and notify(title, text, beep) are called on the thread that calls `act`;
    told(done) on any thread. `send` calls settled(problem) once: with "" when the run has the command, else
    with why it was not sent; an exception says the same. `used`: seconds since each Send of a rule was used
    before, by the rule's id.
    refuses(action): why somebody does not want it done, in one sentence; empty: it is done.
    """

    def __init__(
        self,
        run: RunFacts,
        send: SendCommand,
        notify: Callable[[str, str, bool], None],
        told: Callable[[ActionResult], None],
        used: Mapping[str, list[float]] | None = None,
        refuses: Callable[[Action], str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.run = run
        self._send, self._notify, self._told, self._clock = send, notify, told, clock
        self._refuses = refuses
        self._used = {rule: list(ago) for rule, ago in (used or {}).items()}
        self._began = clock()
        self._budgets: dict[tuple[str, int], Budget] = {}
        self._notified: dict[str, float] = {}
        self._running = 0
        self._counting = threading.Lock()
        self._closed = False

    def act(self, firing: Firing) -> None:
        """Do all that the rule asks for."""
        for index, action in enumerate(firing.rule.then):
            refused = self._refuses(action) if self._refuses is not None else ""
            if refused:
                self._told(ActionResult(firing, action, False, refused))
            elif isinstance(action, Notify):
                self._notify_once(firing, action)
            elif isinstance(action, Send):
                self._order(firing, action, index)
            elif self._running >= _UNDER_WAY:
                self._told(ActionResult(firing, action, False, "left out: too many are under way"))
            else:
                with self._counting:
                    self._running += 1
                work = partial(self._work, firing, action)
                # A daemon: closing the window never waits for somebody else's server.
                threading.Thread(target=work, name="helm-rule", daemon=True).start()

    def close(self) -> None:
        """Tell nothing more; what runs is left to its own timeout."""
        self._closed = True

    def _notify_once(self, firing: Firing, action: Notify) -> None:
        now = self._clock()
        if now - self._notified.get(firing.rule.id, -math.inf) < NOTIFY_SECONDS:
            self._told(ActionResult(firing, action, False, "not notified again so soon"))
            return
        self._notified[firing.rule.id] = now
        self._notify(f"{firing.rule.title} · {self.run.name}", firing_words(firing), action.beep)
        self._told(ActionResult(firing, action, True, "told"))

    def _order(self, firing: Firing, action: Send, index: int) -> None:
        place = (firing.rule.id, index)
        budget = self._budgets.get(place)
        if budget is None:
            passed = self._clock() - self._began
            before = [ago + passed for ago in self._used.get(firing.rule.id, ())]
            budget = self._budgets[place] = Budget(action, before, self._clock)
        budget.action = action  # as the rule says now
        refused = budget.use()
        if refused:
            self._told(ActionResult(firing, action, False, refused))
            return
        rule = firing.rule
        command = Command(
            id=str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.run.run_id}/{firing.key}/{index}")),
            capability=action.control,
            input=action.input,
            process=action.process,
            reason=action.reason or f"rule {rule.title}: {firing_words(firing)}",
        )

        def settled(problem: str) -> None:
            text = f"{action.control} was not sent: {problem}" if problem else f"sent {action.control}"
            self._told(ActionResult(firing, action, not problem, text))

        try:
            self._send(command, f"rule {rule.title}"[:120], settled)
        except Exception as error:
            settled(str(error))

    def _work(self, firing: Firing, action: Action) -> None:
        try:
            if isinstance(action, Program):
                text = _run_program(action, self._payload(firing))
            else:
                assert isinstance(action, Webhook)
                text = _post(action, self._payload(firing))
            done = ActionResult(firing, action, True, text)
        except Exception as error:
            done = ActionResult(firing, action, False, f"{action_words(action)} failed: {error}")
        with self._counting:
            self._running -= 1
        if not self._closed:
            self._told(done)

    def _payload(self, firing: Firing) -> dict[str, Any]:
        value = firing.value
        return {
            "rule": firing.rule.title,
            "text": firing_words(firing),
            "run": self.run.name,
            "run_id": self.run.run_id,
            "project": self.run.project,
            "folder": str(self.run.folder),
            "process": firing.process,
            "metric": firing.streams[0],
            "step": firing.step,
            "value": value if value is None or math.isfinite(value) else str(value),
            "time": firing.time,
        }


def _run_program(action: Program, said: dict[str, Any]) -> str:
    facts = {f"HELM_RULE_{name.upper()}": "" if item is None else str(item) for name, item in said.items()}
    process = subprocess.Popen(
        action.command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, **facts},
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=action.timeout_s)
    except subprocess.TimeoutExpired:
        _end(process)
        raise RuntimeError(f"it took longer than {action.timeout_s:g} s and was ended") from None
    text = output.decode(errors="replace").strip()[-_SAID:]
    if process.returncode:
        raise RuntimeError(f"exit {process.returncode}" + (f": {text}" if text else ""))
    return f"ran {action.command[0]}" + (f": {text}" if text else "")


def _end(process: subprocess.Popen[bytes]) -> None:
    """The program and what it started."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except ProcessLookupError:
        pass
    process.communicate()


def _post(action: Webhook, said: dict[str, Any]) -> str:
    request = urllib.request.Request(
        action.url,
        data=json.dumps(said, allow_nan=False).encode(),
        headers={"Content-Type": "application/json", "User-Agent": "helm"},
        method="POST",
    )
    with urllib.request.urlopen(request, timeout=action.timeout_s) as answer:
        return f"{action_words(action)}: {answer.status}"
