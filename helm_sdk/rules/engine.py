"""Evaluates rules over what a run client brings: batches, and the time that passes without any."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from helm_sdk.protocol.messages import Batch, PointGroup, StreamDef
from helm_sdk.rules.firing import Firing
from helm_sdk.rules.spec import Rule
from helm_sdk.rules.state import RuleState
from helm_sdk.rules.watches import KINDS, Hit, NoDataWatch, Watch, WatchedStream, extremes

_CHUNK = 1024


@dataclass
class _Block:
    """Watches of one kind of rule on neighbouring columns of a group."""

    state: RuleState
    first: int
    watches: list[Watch]
    silence: bool = field(init=False)

    def __post_init__(self) -> None:
        self.silence = self.state.rule.when == "no data"


Source = tuple[str, int]


class RuleEngine:
    """Feed it every batch in order, tell it of the time, take what fired. One thread.

    Points passed over by their extremes cost a few nanoseconds each, whatever the number of rules on them.
    """

    def __init__(self, rules: Iterable[Rule] = (), clock: Callable[[], float] = time.monotonic) -> None:
        self.states: dict[str, RuleState] = {}
        self._clock = clock
        self._streams: dict[Source, dict[int, WatchedStream]] = {}
        self._watches: dict[tuple[str, WatchedStream], Watch] = {}
        self._blocks: dict[tuple[Source, tuple[int, ...]], list[_Block]] = {}
        self._hits: list[tuple[RuleState, Hit]] = []
        self._heard: tuple[float, float] | None = None  # the run's time, and ours when it was told
        self._newest: dict[str, int] = {}
        self._paused = self._ended = False
        self._began: float | None = None
        for rule in rules:
            self.add(rule)

    # What it watches ---------------------------------------------------------------------------

    @property
    def rules(self) -> list[Rule]:
        """Every rule, in order."""
        return [state.rule for state in self.states.values()]

    def add(self, rule: Rule) -> RuleState:
        """Watch by a rule from now on, in place of the one of the same id."""
        for key in [key for key in self._watches if key[0] == rule.id]:
            del self._watches[key]
        state = self.states[rule.id] = RuleState(rule)
        self._blocks.clear()
        if rule.enabled:
            for streams in self._streams.values():
                for stream in streams.values():
                    self._watch(state, stream)
            self._expect(state)
        return state

    def remove(self, rule_id: str) -> None:
        """Watch by this rule no more."""
        self.states.pop(rule_id, None)
        self._blocks.clear()

    def feed(
        self,
        state: RuleState,
        stream: WatchedStream,
        steps: Sequence[int],
        times: Sequence[float],
        values: Sequence[float],
    ) -> None:
        """History of one stream for one rule alone, such as one that is new."""
        watch = self._watch(state, stream)
        if watch is None:
            return
        for at in range(0, len(steps), _CHUNK):
            cut = slice(at, at + _CHUNK)
            if watch.busy or not watch.calm(*extremes(values[cut])):
                watch.add(zip(steps[cut], times[cut], values[cut], strict=True))

    # What comes in -----------------------------------------------------------------------------

    def apply(self, batch: Batch) -> None:
        """The next batch of a process."""
        source = (batch.process, batch.attempt)
        self._attempt(*source)
        if batch.streams:
            self._define(source, batch.streams)
        for group in batch.groups:
            self._group(source, group)

    def on_heartbeat(self, at: float) -> None:
        """The run said at this time of its own clock that it lives."""
        if self._heard is None or at >= self._heard[0]:
            self._heard = (at, self._clock())
        if self._began is None:
            self._began = at
            for state in self.states.values():
                self._expect(state)

    def pause(self, on: bool) -> None:
        """While the run is paused nothing is missed."""
        if self._paused and not on:
            now = self.now()
            for watch in self._silences():
                watch.seen = now if watch.seen is None or now is None else max(watch.seen, now)
        self._paused = on

    def end(self, on: bool = True) -> None:
        """The run is over: nothing more will come, and that is no silence."""
        self._ended = on

    def now(self) -> float | None:
        """Return the run's clock: when it was last heard, and what has passed here since."""
        if self._heard is None:
            return None
        at, then = self._heard
        return at + max(0.0, self._clock() - then)

    def tick(self) -> None:
        """Look at what has not come. Not before all that is there has been taken."""
        now = self.now()
        if now is None or self._paused or self._ended:
            return
        for watch in self._silences():
            watch.silent(now)

    # What fired --------------------------------------------------------------------------------

    def fired(self) -> list[Firing]:
        """Return what fired since the last call; streams of one process at one step together."""
        together: dict[tuple[str, str, int, int | None], tuple[Rule, list[Hit]]] = {}
        for state, hit in self._hits:
            state.count_firing(hit)
            key = (state.rule.id, hit.stream.process, hit.stream.attempt, hit.step)
            together.setdefault(key, (state.rule, []))[1].append(hit)
        self._hits.clear()
        firings = []
        for (_, process, attempt, step), (rule, hits) in together.items():
            names = tuple(dict.fromkeys(hit.stream.name for hit in hits))
            firings.append(Firing(rule, process, attempt, step, hits[0].time, names, hits[0].value))
        return sorted(firings, key=lambda firing: firing.time)

    # Inside ------------------------------------------------------------------------------------

    def _attempt(self, process: str, attempt: int) -> None:
        if attempt > self._newest.get(process, 0):
            self._newest[process] = attempt
            self._ended = False
            for state in self.states.values():
                state.watches = [own for own in state.watches if self._current(own.stream)]

    def _define(self, source: Source, streams: Iterable[StreamDef]) -> None:
        known = self._streams.setdefault(source, {})
        for stream in streams:
            made = known[stream.id] = WatchedStream(*source, stream.name, stream.better)
            for state in self.states.values():
                self._watch(state, made)
        for key in [key for key in self._blocks if key[0] == source]:
            del self._blocks[key]

    def _watch(self, state: RuleState, stream: WatchedStream) -> Watch | None:
        rule = state.rule
        if not rule.enabled or not rule.matches(stream.name):
            return None
        watch = self._watches.get((rule.id, stream))
        if watch is None:

            def report(hit: Hit) -> None:
                self._hits.append((state, hit))

            watch = self._watches[rule.id, stream] = KINDS[rule.when](rule, stream, report)
            if self._current(stream):
                if state.watches and not state.watches[0].stream.attempt:  # it was missed until now
                    state.watches = [own for own in state.watches if own.stream.name != stream.name]
                state.watches.append(watch)
        return watch

    def _current(self, stream: WatchedStream) -> bool:
        return stream.attempt >= self._newest.get(stream.process, 0)

    def _expect(self, state: RuleState) -> None:
        """A metric that is named and never came is missed too, from when the run was first heard."""
        rule = state.rule
        waits = rule.when == "no data" and rule.enabled and not rule.pattern
        if waits and self._began is not None and not state.watches:
            watch = self._watch(state, WatchedStream("", 0, rule.metric))
            if isinstance(watch, NoDataWatch):
                watch.seen = self._began

    def _silences(self) -> list[NoDataWatch]:
        return [
            watch
            for state in self.states.values()
            if state.rule.when == "no data"
            for watch in state.watches
            if isinstance(watch, NoDataWatch)
        ]

    def _group(self, source: Source, group: PointGroup) -> None:
        key = (source, group.streams)
        blocks = self._blocks.get(key)
        if blocks is None:
            blocks = self._blocks[key] = self._laid_out(source, group.streams)
        rows = group.rows
        if not rows:
            return
        times = memoryview(group.times).cast("d")
        self.on_heartbeat(times[0])
        self.on_heartbeat(times[rows - 1])
        if not blocks:
            return
        steps = memoryview(group.steps).cast("q")
        values = memoryview(group.values).cast("d")
        known: dict[tuple[int, int], tuple[float, float, bool]] = {}
        for block in blocks:
            first, watches = block.first, block.watches
            if block.silence:
                for watch in watches:
                    watch.add(zip(steps, times, times, strict=True))
                continue
            place = (first * rows, (first + len(watches)) * rows)
            found = known.get(place)
            if found is None:
                found = known[place] = extremes(values[place[0] : place[1]])
            if watches[0].calm(*found):
                for watch in watches:
                    if watch.began is not None:
                        watch.began, watch.lasted = None, False
                continue
            for at, watch in enumerate(watches, first):
                column = values[at * rows : (at + 1) * rows]
                if watch.began is not None or rows < 3 or not watch.calm(*extremes(column)):
                    watch.add(zip(steps, times, column, strict=True))

    def _laid_out(self, source: Source, streams: tuple[int, ...]) -> list[_Block]:
        known = self._streams.get(source, {})
        blocks: list[_Block] = []
        for state in self.states.values():
            open_block: _Block | None = None
            for at, stream_id in enumerate(streams):
                stream = known.get(stream_id)
                watch = None if stream is None else self._watch(state, stream)
                if watch is None:
                    open_block = None
                elif open_block is None:
                    open_block = _Block(state, at, [watch])
                    blocks.append(open_block)
                else:
                    open_block.watches.append(watch)
        return blocks
