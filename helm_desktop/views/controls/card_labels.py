"""The lines at the top of a card."""

from helm_desktop import format as fmt
from helm_desktop.model.controls.control import Control
from helm_desktop.model.controls.labels import value_text
from helm_desktop.model.controls.schedule_labels import all_override_labels
from helm_desktop.views.controls.changes import clock_words


def value_line(control: Control) -> str:
    """Return what stands at the right of the name: the value now, or who declares a mixture."""
    if control.mixture is not None:
        return f"by {control.capability.provider}"
    return value_text(control.node, control.current.value) if control.takes_input else ""


def state_line(control: Control) -> str:
    """What stands below the name: why it cannot be used, what ran and by which schedule, or that nothing
    was changed."""
    if control.unavailable:
        return f"Unavailable: {control.unavailable}"
    if control.note.text:
        return control.note.text
    return " · ".join(
        part for part in (_ran_line(control), all_override_labels(control.rate_overrides)) if part
    )


def _ran_line(control: Control) -> str:
    if control.ran is not None:
        return f"Ran at {fmt.number(control.ran.value)} at step {fmt.step(control.ran.step)}"
    change = control.current.change
    if change is not None:
        at = f" at step {fmt.step(change.step)}" if change.step is not None else ""
        return f"Last run{at}" if control.button else f"Set{at}"
    if control.latest is not None or control.sent is not None:
        return ""
    if control.button:
        return "Never run"
    return "No change sent" if control.current.value is None else "Starting value · no change sent"


def since_line(control: Control) -> str:
    """Since when the newest command waits; nothing when none does."""
    record = control.latest
    if record is None or not record.open:
        return ""
    return f"{record.state} since {clock_words(record.track[-1].time)}"


def now_line(control: Control) -> str:
    """Return the label of the bar of what is set."""
    change = control.current.change
    set_at = change is not None and change.step is not None
    return f"Now — set at step {fmt.step(change.step)}" if change and set_at else "Now — starting value"
