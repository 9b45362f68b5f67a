"""The trainer: a loop's streams, its controls and its safe point."""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from helm_sdk._run.run import Run, disabled_run
from helm_sdk._shared.notice import Notices
from helm_sdk._shared.scalars import number
from helm_sdk.torch._controls.registry import chosen
from helm_sdk.torch._coordination import REDUCTIONS, Coordination
from helm_sdk.torch._ranks.choice import chosen_coordination
from helm_sdk.torch._ranks.single import SingleProcess
from helm_sdk.torch._steps import clipping, meter
from helm_sdk.torch._steps.data_waits import STREAM, DataWaitMeter, DataWaits
from helm_sdk.torch._steps.nonfinite import NonFiniteReports
from helm_sdk.torch._watched_loop import WatchedLoop
from helm_sdk.torch._wrappers import as_list, is_scheduler, plain_optimizers, plain_schedulers

_PAUSE_POLL_S = 0.5


class Trainer(DataWaitMeter):
    """The streams, the controls and the safe point of a PyTorch loop. `helm_sdk.torch.init` returns it.

    Call it from the thread of the loop. It is a context manager: leaving the block calls `finish` with the
    right outcome.

    Attributes:
        run: The run. Its `tunable`, `command`, `on`, `define`, `fact`, `summary` and `span` can be called on
            the trainer too.
        coordination: What decides which command is applied at a step: this process alone, or all ranks
            together.
        on_nonfinite: "warn", "skip" or "pause", as given to `init`.
    """

    def __init__(
        self,
        run: Run,
        *,
        log_ranks: str = "zero",
        control_every: int = 1,
        on_nonfinite: str = "warn",
        coordination: Coordination | None = None,
    ) -> None:
        """Build the trainer of a run. Scripts call `helm_sdk.torch.init`, which does this.

        Args:
            run: The run of this process.
            log_ranks: Which ranks `log` writes from: "zero" or "all".
            control_every: Commands are looked for at each step that this number divides.
            on_nonfinite: What follows a loss or gradients that are not finite: "warn", "skip" or "pause", as
                `helm_sdk.torch.init` says.
            coordination: How the ranks of one job agree. None is for a job of one process.

        Raises:
            ValueError: An argument is none of these values.
        """
        if log_ranks not in ("zero", "all"):
            raise ValueError(f'log_ranks is "zero" or "all", not {log_ranks!r}')
        if control_every < 1:
            raise ValueError(f"control_every is a number of steps, 1 or more, not {control_every!r}")
        if on_nonfinite not in ("warn", "skip", "pause"):
            raise ValueError(f'on_nonfinite is "warn", "skip" or "pause", not {on_nonfinite!r}')
        self.run = run
        # A script that has a trainer needs no second name for its run.
        self.tunable, self.command, self.on = run.tunable, run.command, run.on
        self.define, self.fact, self.summary, self.span = run.define, run.fact, run.summary, run.span
        self.coordination: Coordination = coordination or SingleProcess(run)
        self._log_all = log_ranks == "all"
        self.on_nonfinite = on_nonfinite
        self._control_every = control_every
        self._notices = Notices()
        self.watched: WatchedLoop | None = None  # what the last call of `watch` set up
        self._meter = meter.StepMeter()
        self._waits = DataWaits(run)
        run.trainer_port.set_around_spans(self._meter.around)
        self._nonfinite = NonFiniteReports(self._report_nonfinite)
        self._step: int | None = None
        self._stride = 1
        self._plan: tuple[int | None, int | None] = (None, None)
        self._calls = 0
        self._tokens = 0.0
        self._token_steps = 0
        run.trainer_port.on_close(self.release)  # also at an exit without `finish`

    # Set-up ------------------------------------------------------------------------------------

    def watch(
        self,
        model: torch.nn.Module,
        *optimizers: Any,
        scheduler: Any = None,
        scaler: Any = None,
        controls: Iterable[str] | None = None,
        eval_fn: Callable[[], Any] | None = None,
        captures: bool = True,
    ) -> None:
        """Declare the controls of this loop and publish the list of the model's tensors.

        The parameter groups are named group0, group1, …; with several optimizers adamw/group0 and so on. The
        names are the same in streams (`optim/lr/adamw/group0`) and in commands.

        Args:
            model: The model.
            *optimizers: The optimizers that the loop steps; learning-rate schedulers may stand among them.
            scheduler: A learning-rate scheduler, or a list of them.
            scaler: A `torch.amp.GradScaler`.
            controls: The names of the controls; None declares every one but `stop`.
            eval_fn: A function without arguments that returns numbers by name. It makes the control `eval`.
            captures: Whether the model's tensors are listed for the app.

        Raises:
            TypeError: If `model` is no module.
            ValueError: If a control has an unknown name.
        """
        names = chosen(controls, eval_fn is not None)
        if self.on_nonfinite == "pause" and "resume" not in names:
            names.append("resume")  # what pauses by itself must be able to go on
        if not isinstance(model, torch.nn.Module):
            raise TypeError(f"watch takes a torch module first, {type(model).__name__} is none")
        before = set(self.watched.controls) if self.watched is not None else set()
        self.release()
        self.coordination = chosen_coordination(self.coordination)
        schedulers = [*filter(is_scheduler, optimizers), *as_list(scheduler)]
        stepped = [one for one in optimizers if not is_scheduler(one)]
        watched = WatchedLoop(self, model, plain_optimizers(stepped), plain_schedulers(schedulers), scaler)
        self.watched = watched
        if not self.run.disabled:
            self.coordination.watch(watched)
            watched.begin(names, eval_fn, tensors=captures)
            watched.plan_publisher.set(*self._plan)
            for name in before - set(watched.controls):
                self.coordination.set_unavailable(name, "the loop does not watch it any more")

    def plan(self, step: int | None = None, tokens: int | None = None) -> None:
        """Set how far the run goes, and publish the learning rates that are planned until then.

        Args:
            step: The number of steps.
            tokens: The number of tokens.
        """
        self.run.plan(step=step, tokens=tokens)
        self._plan = (step, tokens)
        if self.watched is not None and not self.run.disabled:
            self.watched.plan_publisher.set(step, tokens)

    # The loop ----------------------------------------------------------------------------------

    def clip_grad_norm_(self, max_norm: float | None = None) -> torch.Tensor:
        """Measure the norm of all gradients and clip it, after `backward` and before `optimizer.step`.

        With a watched scaler the gradients are unscaled first. Where the norm is not finite nothing is
        scaled.

        Args:
            max_norm: The limit until somebody sets the control `grad_clip`; None: no limit.

        Returns:
            The 2-norm over all gradients before clipping, a tensor of shape (); NaN before `watch`.

        Source:
            `torch.nn.utils.clip_grad_norm_`: each gradient is multiplied by min(1, max_norm / (norm + 1e-6)).
        """
        watched = self.watched
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
        """End a training step: log its streams and apply at most one waiting command.

        While the run is paused the call does not return. Apart from what was given, it logs the time of the
        step (`perf/step_time_s`), and what the optimizers really used (`optim/lr/…`, `optim/weight_decay/…`,
        `optim/grad_norm`).

        Args:
            step: The step, an int64; without it the last one + 1.
            loss: The loss: a number or a tensor of one element, whose graph is not kept. It becomes
                `train/loss`.
            samples: The number of samples of this step.
            tokens: The number of tokens of this step.
            metrics: Further numbers by name.
        """
        if self.run.disabled:
            return
        now = time.perf_counter()
        at = self._next_step(step)
        try:
            self._log_step(at, now, loss, samples, tokens, metrics)
        except Exception as error:
            self._notices.once("step", f"tr.step could not log everything: {error!r} (told once)")
        self._calls += 1
        if self._calls % self._control_every == 0:
            self.coordination.apply_next(at)
        watched = self.watched
        if watched is not None:
            if watched.gate.paused:
                self._hold(at)
            watched.prepare_next()
        self._meter.mark()

    def log(self, values: Mapping[str, Any], step: int | None = None, **axes: float) -> None:
        """Record numbers by name, as `Run.log` does; from rank 0 alone unless `log_ranks` is "all".

        Args:
            values: Numbers by stream name, as in `Run.log`.
            step: The step, an int64; without it the run's current step.
            **axes: Further x values, such as `tokens=…`.
        """
        if self._logs:
            self.run.log(values, step=step, **axes)

    def log_reduced(self, values: Mapping[str, Any], op: str = "mean", step: int | None = None) -> None:
        """Record numbers that every rank gives, reduced over the ranks.

        Every rank calls it with the same names at the same step. The loop waits for nobody. A value that not
        every rank gave is left out, with one warning. With one process it does what `log` does.

        Args:
            values: Numbers by stream name.
            op: "mean", "sum", "max" or "min".
            step: The step, an int64; without it the trainer's current step.

        Raises:
            ValueError: If `op` is none of these.
        """
        if op not in REDUCTIONS:
            raise ValueError(f"op is one of {', '.join(REDUCTIONS)}, not {op!r}")
        if not self.run.disabled:
            self.coordination.reduce(values, op, self._step if step is None else step)

    @property
    def should_stop(self) -> bool:
        """Whether somebody sent the control `stop`: the loop ends itself."""
        return self.watched is not None and self.watched.gate.should_stop

    # Checkpoints -------------------------------------------------------------------------------

    def save_checkpoint(
        self, name: str = "", *, pin: bool = False, wait: bool = False
    ) -> dict[str, Any] | None:
        """Save model, optimizers, schedules, scaler and random states under the run's `checkpoints/`.

        The loop waits for the copy to host memory; a thread writes large checkpoints to the disk, unless
        `wait` is given.

        Args:
            name: The folder's name; without it the step's.
            pin: Whether the manifest says that it is to be kept.
            wait: Whether the call returns only when the checkpoint is on the disk.

        Returns:
            A map with "checkpoint" (its name), "step", "bytes" and "commit" (its number). None after a
            failure, which is recorded as an event and printed, and never raised.
        """
        watched = self.watched
        if self.run.disabled:
            return None
        if watched is None:
            self._notices.once("save", "save_checkpoint does nothing before watch(model, optimizer)")
            return None
        try:
            return watched.save(name, pin, self._step, wait=wait)
        except Exception as error:
            watched.saver.report_failure(self._step, error)
            self._notices.once(f"save {error}", f"the checkpoint was not saved, training goes on: {error}")
            return None

    def load_checkpoint(self, which: str | Path = "latest") -> dict[str, Any]:
        """Verify a checkpoint and put all of it into the training. The next step is the saved one + 1.

        Args:
            which: A name, a folder, or "latest": the newest one that is whole.

        Returns:
            Its manifest.

        Raises:
            CheckpointError: If a file is missing or damaged, or if names or shapes differ; nothing is changed
                then.
            RuntimeError: If `watch` was not called before.
        """
        watched = self.watched
        if watched is None:
            raise RuntimeError("load_checkpoint needs watch(model, optimizer) first")
        manifest = watched.load(which)
        self._step, self._stride = manifest["step"], 1
        self._tokens = float(manifest.get("tokens") or 0)
        self._token_steps = int(manifest.get("token_steps") or 0)
        if self._step is not None:
            self.run.trainer_port.start_at(self._step)
            self.run.trainer_port.set_step(self._step)
        watched.plan_publisher.refresh()
        return manifest

    def finish(self, outcome: str = "finished") -> None:
        """Write what is under way and end the run; optimizers and schedulers are left as they were found.

        Args:
            outcome: "finished", "interrupted" or "failed".
        """
        self.release()
        self.run.finish(outcome)

    def release(self) -> None:
        """Stop watching the loop.

        The hooks are removed, the schedule's own rates are put back, and checkpoints are written to the end.
        """
        self._waits.publish()
        if self.watched is not None:
            self.watched.close()
            self.watched = None

    def wait_for_plan(self, timeout: float) -> bool:
        """Wait until the planned rates that were asked for are published.

        Args:
            timeout: How long to wait at most, in seconds.

        Returns:
            Whether they are.
        """
        return self.watched is None or self.watched.plan_publisher.forecasts.wait(timeout)

    def __enter__(self) -> Trainer:
        """Return this trainer."""
        return self

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        """Let go of the loop and end the run: finished, or failed where an exception ended the block."""
        self.release()
        self.run.__exit__(kind, error, trace)

    # Inside ------------------------------------------------------------------------------------

    def __reduce__(self) -> tuple[Callable[[], Trainer], tuple[()]]:
        """Pickle as a trainer that does nothing: another process, as a data loader's, records nothing."""
        return _disabled_trainer, ()

    def __copy__(self) -> Trainer:
        """Return this trainer."""
        return self

    def __deepcopy__(self, memo: object) -> Trainer:
        """Return this trainer."""
        return self

    def begin_after(self, step: int) -> None:
        """Let the next step be the one after this; a framework that resumes says so."""
        self._step, self._stride = step, 1
        if step:
            self.run.trainer_port.start_at(step)

    @property
    def next_step(self) -> int:
        """The step that the loop is in: the last one, and the distance between the last two."""
        return 0 if self._step is None else self._step + self._stride

    @property
    def following_step(self) -> int:
        """The step after the one that the loop is in."""
        return self.next_step + self._stride

    @property
    def tokens(self) -> tuple[float, int]:
        """The number of tokens so far, and the number of steps that gave one."""
        return self._tokens, self._token_steps

    @contextmanager
    def outside(self, name: str) -> Iterator[None]:
        """Return a context manager for work that is no part of a step's time, recorded as a span.

        Args:
            name: The span's name.
        """
        with self._meter.outside(), self.run.span(name):
            yield

    @property
    def _logs(self) -> bool:
        return self._log_all or self.coordination.rank == 0

    def _next_step(self, step: Any) -> int:
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
            self._nonfinite.check("train/loss", at, read)
            if read is None:
                values["train/loss"] = loss  # the run says what is wrong with it
        watched = self.watched
        if watched is not None:
            watched.collect(values, at, self._nonfinite)
        seconds = self._meter.seconds(now)
        if seconds is not None:
            meter.rates(values, seconds, samples, tokens)
        waited = self._waits.pop_step()
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
        self.run.trainer_port.set_step(at)
        if self._nonfinite.has_pending:
            self._nonfinite.check_pending()
        if watched is not None:
            watched.after_step(at, self._tokens, self._token_steps)

    def _hold(self, step: int) -> None:
        """Stay here while paused; commands are served, and time passes in a part of its own."""
        watched = self.watched
        assert watched is not None
        self.run.trainer_port.set_paused(True)
        if self.on_nonfinite == "pause":
            self._notices.once("held", "the loop is held until somebody sends resume (told once)")
        try:
            with self.run.span("pause"):
                while watched.gate.paused and not self.run.disabled:
                    self.coordination.wait(_PAUSE_POLL_S)
                    self.coordination.apply_next(step)
        finally:
            self.run.trainer_port.set_paused(False)

    def _report_nonfinite(self, name: str, step: int, value: float) -> None:
        shown = repr(value)
        body = {"what": "nonfinite", "stream": name, "value": shown, "message": f"{name} is {shown}"}
        self.run.trainer_port.event("warning", step, body)
        self._notices.once(f"nonfinite {name}", f"{name} is {shown} at step {step} (told once)")
        watched = self.watched  # a rank's own loss holds no other rank: there only the gradients do
        if self.on_nonfinite == "pause" and watched is not None and self.coordination.world == 1:
            watched.gate.paused = watched.gate.paused or name == "train/loss"


def _disabled_trainer() -> Trainer:
    """Return a trainer on which every call does nothing."""
    return Trainer(disabled_run())
