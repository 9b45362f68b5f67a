"""The rules of the open run: evaluated on new batches, described as texts, and tried on its history."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from helm_desktop.model.series.series_model import Series, SeriesStore
from helm_sdk.protocol.messages import Batch, Heartbeat
from helm_sdk.rules import Firing, Rule, RuleEngine, RuleState, Send, problem_of, rule_words, state_words
from helm_sdk.rules.offers import offers
from helm_sdk.rules.watches import WatchedStream

TICK_MS = 500
CHUNK = 4096
MARKS = 200  # marks that are drawn of one rule, so that a rule that fires often does not cover the chart


class RulesModel(QObject):
    """The rules and their states. Firings in the history of a run are only marked and not acted on."""

    rules_changed = Signal()  # the list of rules, or one of them
    states_changed = Signal()
    edited = Signal(str)  # the id of a rule that the user changed or removed, to be stored
    fired = Signal(object)  # a Firing outside of the history, to be acted on
    marks_changed = Signal()

    def __init__(self, store: SeriesStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._engine = RuleEngine()
        self._marks: dict[str, list[Firing]] = {}
        self._live = False
        self._ended = False
        self._clock = QTimer(self, interval=TICK_MS)
        self._clock.timeout.connect(self._tick)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules, in the order of the list."""
        return tuple(self._engine.rules)

    @property
    def states(self) -> list[RuleState]:
        """The state of each rule."""
        return list(self._engine.states.values())

    def text(self, rule_id: str) -> tuple[str, str]:
        """Return a rule and its state as texts."""
        state = self._engine.states[rule_id]
        return rule_words(state.rule), state_words(state, None if self._ended else self._engine.now())

    def marks(self) -> list[Firing]:
        """Return the newest firings of each rule that is marked, in the history of the run too."""
        return [
            firing
            for rule_id, firings in self._marks.items()
            if (state := self._engine.states.get(rule_id)) is not None and state.rule.mark
            for firing in firings[-MARKS:]
            if firing.step is not None
        ]

    def offered(self) -> list[Rule]:
        """Return suggestions: rules for the metrics of this run that are not in the list yet."""
        known = {(rule.metric, rule.when) for rule in self._engine.rules}
        names = [name for name, series in self._store.series.items() if series.kind != "axis"]
        return [rule for rule in offers(names) if (rule.metric, rule.when) not in known]

    # Edits -------------------------------------------------------------------------------------

    def set_rules(self, rules: Iterable[Rule]) -> None:
        """Set all rules: those of another project, or as another program has changed them."""
        wanted = {rule.id: rule for rule in rules}
        known = {rule.id: rule for rule in self._engine.rules}
        if wanted == known:
            return
        for rule_id in known.keys() - wanted.keys():
            self._engine.remove(rule_id)
            self._marks.pop(rule_id, None)
        for rule_id, rule in wanted.items():
            if known.get(rule_id) != rule:
                self._install(rule)
        self._on_rules_changed()

    def set_rule(self, rule: Rule) -> None:
        """Add a rule, or change the one with its id."""
        self._install(rule)
        self._on_rules_changed()
        self.edited.emit(rule.id)

    def remove(self, rule_id: str) -> None:
        """Remove a rule."""
        self._engine.remove(rule_id)
        self._marks.pop(rule_id, None)
        self._on_rules_changed()
        self.edited.emit(rule_id)

    def enable(self, rule_id: str, on: bool) -> None:
        """Enable or disable a rule."""
        self.set_rule(msgspec.structs.replace(self._engine.states[rule_id].rule, enabled=on))

    def trial(self, rule: Rule) -> Iterator[list[int]]:
        """Yield the steps at which a rule would have fired in this run, after each part of the history."""
        engine = RuleEngine()
        state = engine.add(msgspec.structs.replace(rule, enabled=True))
        steps: list[int] = []
        for _ in self._history(engine, state):
            steps += [firing.step for firing in engine.fired() if firing.step is not None]
            yield sorted(steps)
        yield sorted(steps)

    # Updates of the run ------------------------------------------------------------------------

    def apply(self, batch: Batch) -> None:
        """Evaluate the rules on a batch."""
        self._engine.apply(batch)

    def on_heartbeat(self, heartbeat: Heartbeat) -> None:
        """Store the time of a heartbeat, and whether the run is paused."""
        self._engine.on_heartbeat(heartbeat.time)
        self._engine.pause(heartbeat.paused)

    def set_ended(self, on: bool) -> None:
        """Set whether the run has ended."""
        self._ended = on
        self._engine.end(on)
        self._update_clock()

    def caught_up(self) -> None:
        """Begin to act on firings: the whole history has been read."""
        self.notify_fired()
        self._live = True
        self._update_clock()

    def notify_fired(self) -> None:
        """Emit the signals of rules that fired since the last call."""
        firings = self._engine.fired()
        self._store_firings(firings)
        if firings:
            self.marks_changed.emit()
        if self._live:
            for firing in firings:
                self.fired.emit(firing)
        if self._engine.states:
            self.states_changed.emit()

    # Inside ------------------------------------------------------------------------------------

    def _install(self, rule: Rule) -> None:
        self.notify_fired()
        self._marks.pop(rule.id, None)
        state = self._engine.add(rule)
        for _ in self._history(self._engine, state):
            continue
        self._store_firings(self._engine.fired())

    def _history(self, engine: RuleEngine, state: RuleState) -> Iterator[None]:
        for series in [own for own in self._store.series.values() if state.rule.matches(own.name)]:
            yield from _feed(engine, state, series)

    def _store_firings(self, firings: list[Firing]) -> None:
        for firing in firings:
            self._marks.setdefault(firing.rule.id, []).append(firing)

    def _on_rules_changed(self) -> None:
        self._update_clock()
        self.rules_changed.emit()
        self.states_changed.emit()
        self.marks_changed.emit()

    def _update_clock(self) -> None:
        """Run the clock while a rule for missing data is enabled: no batch comes then to evaluate it."""
        waits = any(rule.enabled and rule.when == "no data" for rule in self._engine.rules)
        if waits and self._live and not self._ended:
            self._clock.start()
        else:
            self._clock.stop()

    def _tick(self) -> None:
        self._engine.tick()
        self.notify_fired()


def _feed(engine: RuleEngine, state: RuleState, series: Series) -> Iterator[None]:
    for segment in sorted(series.segments.values(), key=lambda segment: segment.attempt):
        stream = WatchedStream(segment.process, segment.attempt, series.name, series.better)
        steps, times, values = segment.tail(segment.count)
        for at in range(0, len(steps), CHUNK):
            cut = slice(at, at + CHUNK)
            engine.feed(state, stream, steps[cut].tolist(), times[cut].tolist(), values[cut].tolist())
            yield


def trial_text(steps: list[int], *, whole: bool = True) -> str:
    """Return a text such as "Would have fired 2 times in this run: steps 214, 871"."""
    if not steps:
        return "Would not have fired in this run" if whole else "Searching this run…"
    times = "once" if len(steps) == 1 else f"{len(steps):,} times"
    shown = ", ".join(f"{step:,}" for step in steps[:5])
    more = ", …" if len(steps) > 5 else ""
    return f"Would have fired {times} in this run: step{'s' if len(steps) > 1 else ''} {shown}{more}"


def problem_of_rule(rule: Rule) -> str:
    """Return why a rule cannot be added, in one sentence; empty when it can."""
    message = problem_of(rule)
    if not message and any(
        isinstance(action, Send) and not math.isfinite(action.per_s) for action in rule.then
    ):
        message = "The time of the budget must be finite"
    return message
