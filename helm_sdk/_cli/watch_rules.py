"""The rules that helmctl watch goes by: what fires while it watches is told and acted on."""

from __future__ import annotations

import queue
import sys
import time
from collections.abc import Callable
from pathlib import Path

from helm_sdk._cli.output import UsageMistake, clean
from helm_sdk.client import BatchUpdate, HeartbeatUpdate, RunClient, Update
from helm_sdk.protocol.messages import Command
from helm_sdk.record.errors import RecordError
from helm_sdk.record.run import RunFolder
from helm_sdk.rules import Firing, Rule, RuleEngine, RuleError
from helm_sdk.rules.actions import ActionResult, ActionRunner, RunFacts
from helm_sdk.rules.labels import firing_words
from helm_sdk.rules.store import read_fired, read_rules, record_firing, rules_path, used

_TICK_SECONDS = 0.5


def load(path: Path | None, project: str) -> tuple[Rule, ...]:
    """Return the rules of a file, or those that the app keeps for the project."""
    place = rules_path(project) if path is None else path.expanduser()
    if path is not None and not place.is_file():
        raise UsageMistake(f"there is no file {place}")
    try:
        return read_rules(place)
    except RuleError as error:
        raise UsageMistake(str(error)) from None


class RuleWatch:
    """An engine beside the client. Quiet about what happened before; acts on what happens from now on."""

    def __init__(self, rules: tuple[Rule, ...], folder: RunFolder, client: RunClient) -> None:
        self._engine = RuleEngine(rules)
        self._client = client
        self._folder = folder
        self._done: queue.SimpleQueue[ActionResult] = queue.SimpleQueue()
        facts = RunFacts(folder.run_id, folder.name, folder.record.project, folder.path)
        self._actor = ActionRunner(
            facts, self._send, self._notify, self._done.put, used(read_fired(folder.path))
        )
        self._caught_up = False
        self._ticked = 0.0

    def apply(self, update: Update) -> None:
        """Look at one update."""
        if isinstance(update, BatchUpdate):
            self._engine.apply(update.batch)
        elif isinstance(update, HeartbeatUpdate):
            self._engine.on_heartbeat(update.heartbeat.time)
            self._engine.pause(update.heartbeat.paused)

    def turn(self, over: bool) -> list[str]:
        """Return a line for each rule that fired since the last turn, and for what came of it."""
        now = time.monotonic()
        if over:
            self._engine.end()
        if self._caught_up and now - self._ticked >= _TICK_SECONDS:
            self._ticked = now
            self._engine.tick()
        lines = []
        for firing in self._engine.fired():
            if self._caught_up:
                lines.append(f"▲ {firing.rule.title}: {firing_words(firing)}")
                self._record(firing)
                self._actor.act(firing)
        self._caught_up = self._caught_up or self._client.caught_up
        while not self._done.empty():
            done = self._done.get()
            lines.append(f"  {done.firing.rule.title}: {done.text}")
            self._record(done.firing, done)
        return lines

    def close(self) -> None:
        """Start nothing more."""
        self._actor.close()

    def _record(self, firing: Firing, *done: ActionResult) -> None:
        try:
            record_firing(self._folder.path, firing, done)
        except RecordError as error:
            print(clean(f"helmctl: what fired could not be kept: {error}"), file=sys.stderr)

    def _send(self, command: Command, via: str, settled: Callable[[str], None]) -> None:
        self._client.send(command, via)
        settled("")

    def _notify(self, title: str, text: str, beep: bool) -> None:
        if beep and sys.stderr.isatty():
            print("\a", end="", file=sys.stderr, flush=True)
