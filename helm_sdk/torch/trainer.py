"""The trainer: a loop's streams, its controls and its safe point."""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from helm_sdk._run.run import Run
from helm_sdk._shared.notice import Notices
from helm_sdk._shared.scalars import number
from helm_sdk.torch._controls.registry import chosen
from helm_sdk.torch._coordination import REDUCTIONS, Coordination
from helm_sdk.torch._ranks.choice import settled
from helm_sdk.torch._ranks.single import SingleProcess
from helm_sdk.torch._steps import clipping, meter
from helm_sdk.torch._steps.data_waits import STREAM, DataWaitMeter, DataWaits
from helm_sdk.torch._steps.nonfinite import NonFiniteReports
from helm_sdk.torch._watched_loop import WatchedLoop
from helm_sdk.torch._wrappers import plain_optimizers, plain_schedulers

_PAUSE_POLL_S = 0.5


class Trainer(DataWaitMeter):
    """What `helm_sdk.torch.init` returns. `run` is the run; every call belongs to the thread of the loop."""

    def __init__(
        self,
        run: Run,
        *,
        log_ranks: str = "zero",
        control_every: int = 1,
        on_nonfinite: str = "warn",
        coordination: Coordination | None = None,
    ) -> None:
        if log_ranks not in ("zero", "all"):
            raise ValueError(f'log_ranks is "zero" or "all", not {log_ranks!r}')
        if control_every < 1:
            raise ValueError(f"control_every is a number of steps, 1 or more, not {control_every!r}")
        if on_nonfinite not in ("warn", "skip", "pause"):
            raise ValueError(f'on_nonfinite is "warn", "skip" or "pause", not {on_nonfinite!r}')
        self.run = run
        self.coordination: Coordination = coordination or SingleProcess(run)
        self._log_all = log_ranks == "all"
        self.on_nonfinite = on_nonfinite
        self._control_every = control_every
        self._notices = Notices()
        self._watched: WatchedLoop | None = None
        self._meter = meter.StepMeter()
        self._waits = DataWaits(run)
        run._around = self._meter.around
        self._nonfinite = NonFiniteReports(self._tell_nonfinite)
        self._step: int | None = None
        self._stride = 1
        self._plan: tuple[int | None, int | None] = (None, None)
        self._calls = 0
        self._tokens = 0.0
        self._token_steps = 0
        run._closers.append(self.release)  # also at an exit without `finish`

    # Set-up ------------------------------------------------------------------------------------

    def watch(
        self,
        model: torch.nn.Module,
        *optimizers: torch.optim.Optimizer,
        scheduler: Any = None,
        scaler: Any = None,
        controls: Iterable[str] | None = None,
        eval_fn: Callable[[], Any] | None = None,
        captures: bool = True,
    ) -> None:
        """Declare the controls of this loop and publish the model's tensors.

        Groups are named group0, group1, …; with several optimizers adamw/group0 and so on, in streams
        (optim/lr/adamw/group0) and in commands alike.

        scheduler: one, or a list of them. scaler: a torch.amp.GradScaler.
        controls: names; None gives every one but `stop`. `eval` is there exactly when `eval_fn` is given:
        a function without arguments that returns numbers by name. captures: list the model's tensors for the
        app. Raises ValueError for an unknown name.
        """
        names = chosen(controls, eval_fn is not None)
        if self.on_nonfinite == "pause" and "resume" not in names:
            names.append("resume")  # what pauses by itself must be able to go on
        if not isinstance(model, torch.nn.Module):
            raise TypeError(f"watch takes a torch module first, {type(model).__name__} is none")
        before = set(self._watched.controls) if self._watched is not None else set()
        self.release()
        self.coordination = settled(self.coordination)
        watched = WatchedLoop(self, model, plain_optimizers(optimizers), plain_schedulers(scheduler), scaler)
        self._watched = watched
        if not self.run.disabled:
            self.coordination.watch(watched)
            watched.begin(names, eval_fn, tensors=captures)
            watched.plan_publisher.set(*self._plan)
            for name in before - set(watched.controls):
                self.coordination.set_unavailable(name, "the loop does not watch it any more")

    def plan(self, step: int | None = None, tokens: int | None = None) -> None:
        """Say how far the run goes, in steps or tokens, and publish the rates planned until then."""
        self.run.plan(step=step, tokens=tokens)
        self._plan = (step, tokens)
        if self._watched is not None and not self.run.disabled:
            self._watched.plan_publisher.set(step, tokens)

    # The loop ----------------------------------------------------------------------------------

    def clip_grad_norm_(self, max_norm: float | None = None) -> torch.Tensor:
        """Measure the norm of all gradients and clip to the grad_clip control's limit, else to `max_norm`.

        Call it after backward and before the optimizer. With a watched scaler the gradients are unscaled
        first. Returns the norm before clipping, a tensor without dimensions (NaN before `watch`). Where it is
        not finite nothing is scaled.
        """
        watched = self._watched
        if watched is None:
            self._notices.once("clip", "clip_grad_norm_ does nothing before watch(model, optimizer)")
            return torch.tensor(float("nan"))
        if watched.scaling:
            clipping.unscale(watched.scaler, watched.rates.optimizers)
        norm = watched.clipping.clip(watched.parameters, max_norm)
        if watched.skipping is not None:
            watched.skipping.measured(norm)
        return norm

    def step(
        self,
        step: int | None = None,
        *,
        loss: Any = None,
        samples: float | None = None,
        tokens: float | None = None,
        metrics: Mapping[str, Any] | None = None,
    ) -> None:
        """End a training step: log its core streams and apply at most one waiting control.

        step: int64; without it the last + 1. loss: a number or a tensor of one element, whose graph is not
        kept. samples, tokens: what this step took in. metrics: more numbers by name. While the run is paused
        the call does not return.
        """
        if self.run.disabled:
            return
        now = time.perf_counter()
        at = self._take_step(step)
        try:
            self._log_step(at, now, loss, samples, tokens, metrics)
        except Exception as error:
            self._notices.once("step", f"tr.step could not log everything: {error!r} (told once)")
        self._calls += 1
        if self._calls % self._control_every == 0:
            self.coordination.serve(at)
        watched = self._watched
        if watched is not None and watched.gate.paused:
            self._hold(at)
        self._meter.mark()

    def log(self, values: Mapping[str, Any], step: int | None = None, **axes: float) -> None:
        """Record numbers by name, as `run.log`; from rank 0 alone unless `log_ranks` is "all"."""
        if self._logs:
            self.run.log(values, step=step, **axes)

    def log_reduced(self, values: Mapping[str, Any], op: str = "mean", step: int | None = None) -> None:
        """Record numbers that every rank gives, reduced over the ranks: "mean", "sum", "max" or "min".

        Every rank calls it with the same names at the same step; the loop waits for nobody. A value that
        not every rank gave is left out, and told once. With one process it is `tr.log`.
        """
        if op not in REDUCTIONS:
            raise ValueError(f"op is one of {', '.join(REDUCTIONS)}, not {op!r}")
        if not self.run.disabled:
            self.coordination.reduce(values, op, self._step if step is None else step)

    @property
    def should_stop(self) -> bool:
        """Whether somebody asked the loop to end."""
        return self._watched is not None and self._watched.gate.should_stop

    # Checkpoints -------------------------------------------------------------------------------

    def save_checkpoint(
        self, name: str = "", *, pin: bool = False, wait: bool = False
    ) -> dict[str, Any] | None:
        """Save model, optimizers, schedules, scaler and random state under the run's checkpoints/.

        Returns {"checkpoint", "step", "bytes", "commit"}; None after a failure, which is an event and a line,
        never an exception. The loop waits for the copy to host memory; large ones are written by a thread
        unless `wait`.
        """
        watched = self._watched
        if self.run.disabled:
            return None
        if watched is None:
            self._notices.once("save", "save_checkpoint does nothing before watch(model, optimizer)")
            return None
        try:
            return watched.save(name, pin, self._step, wait=wait)
        except Exception as error:
            watched.saver.tell_failure(self._step, error)
            self._notices.once(f"save {error}", f"the checkpoint was not saved, training goes on: {error}")
            return None

    def load_checkpoint(self, which: str | Path = "latest") -> dict[str, Any]:
        """Verify a checkpoint (a name, a folder, or "latest") and put all of it into the training.

        Returns its manifest; the next step is the saved one + 1. Raises CheckpointError, with nothing
        changed, when a file is missing or damaged or when names or shapes differ.
        """
        watched = self._watched
        if watched is None:
            raise RuntimeError("load_checkpoint needs watch(model, optimizer) first")
        manifest = watched.load(which)
        self._step, self._stride = manifest["step"], 1
        self._tokens = float(manifest.get("tokens") or 0)
        self._token_steps = int(manifest.get("token_steps") or 0)
        if self._step is not None:
            self.run._start_at(self._step)
            self.run._set_step(self._step)
        watched.plan_publisher.renew()
        return manifest

    def finish(self, outcome: str = "finished") -> None:
        """Write what is under way and end the run; optimizers and schedulers are left as they were found."""
        self.release()
        self.run.finish(outcome)

    def release(self) -> None:
        """Let go of the watched loop: hooks off, the schedule's own rates back, checkpoints written."""
        self._waits.tell()
        if self._watched is not None:
            self._watched.close()
            self._watched = None

    def settle_plan(self, timeout: float) -> bool:
        """Wait until the planned rates asked for are published; whether they are."""
        return self._watched is None or self._watched.plan_publisher.planner.wait(timeout)

    def __enter__(self) -> Trainer:
        return self

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        self.release()
        self.run.__exit__(kind, error, trace)

    # Inside ------------------------------------------------------------------------------------

    @property
    def next_step(self) -> int:
        """The step that the loop is in: the last, and the stride that it has gone by."""
        return 0 if self._step is None else self._step + self._stride

    @property
    def tokens(self) -> tuple[float, int]:
        """(tokens seen, steps that said how many)."""
        return self._tokens, self._token_steps

    @contextmanager
    def outside(self, name: str) -> Iterator[None]:
        """A span that is no part of a step's time."""
        with self._meter.outside(), self.run.span(name):
            yield

    @property
    def _logs(self) -> bool:
        return self._log_all or self.coordination.rank == 0

    def _take_step(self, step: Any) -> int:
        at = self.next_step if self._step is None else self._step + 1
        if step is not None:
            try:
                at = step if type(step) is int else operator.index(step)
            except TypeError:
                self._notices.once("step number", f"a step is a whole number, {step!r} is not (told once)")
        if self._step is not None and at > self._step:
            self._stride = at - self._step
        self._step = at
        return at

    def _log_step(
        self, at: int, now: float, loss: Any, samples: float | None, tokens: float | None, metrics: Any
    ) -> None:
        values: dict[str, Any] = {}
        if loss is not None:
            values["train/loss"] = read = loss if type(loss) is float else number(loss)
            self._nonfinite.see("train/loss", at, read)
            if read is None:
                values["train/loss"] = loss  # the run says what is wrong with it
        watched = self._watched
        if watched is not None:
            watched.collect(values, at, self._nonfinite)
        seconds = self._meter.seconds(now)
        if seconds is not None:
            meter.rates(values, seconds, samples, tokens)
        waited = self._waits.take()
        if waited is not None:
            values[STREAM] = waited
        if tokens is not None:
            self._tokens += tokens
            self._token_steps += 1
        if metrics:
            values.update(metrics)
        if values and self._logs:
            if self._token_steps:
                self.run.log(values, step=at, tokens=self._tokens)
            else:
                self.run.log(values, step=at)
        self.run._set_step(at)
        if self._nonfinite.waits:
            self._nonfinite.look()
        if watched is not None:
            watched.after_step(at, self._tokens, self._token_steps)

    def _hold(self, step: int) -> None:
        """Stay here while paused; commands are served, and time passes in a part of its own."""
        watched = self._watched
        assert watched is not None
        self.run._paused(True)
        if self.on_nonfinite == "pause":
            self._notices.once("held", "the loop is held until somebody sends resume (told once)")
        try:
            with self.run.span("pause"):
                while watched.gate.paused and not self.run.disabled:
                    self.coordination.wait(_PAUSE_POLL_S)
                    self.coordination.serve(step)
        finally:
            self.run._paused(False)

    def _tell_nonfinite(self, name: str, step: int, value: float) -> None:
        shown = repr(value)
        body = {"what": "nonfinite", "stream": name, "value": shown, "message": f"{name} is {shown}"}
        self.run._event("warning", step, body)
        self._notices.once(f"nonfinite {name}", f"{name} is {shown} at step {step} (told once)")
        watched = self._watched  # a rank's own loss holds no other rank: there only the gradients do
        if self.on_nonfinite == "pause" and watched is not None and self.coordination.world == 1:
            watched.gate.paused = watched.gate.paused or name == "train/loss"
