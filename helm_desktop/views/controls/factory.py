"""Which editor a kind has."""

from helm_desktop.views.controls.collection_editors import ListEditor, MapEditor, ScheduleEditor
from helm_desktop.views.controls.editor import ValueEditor
from helm_desktop.views.controls.fields import (
    ChoiceEditor,
    DurationEditor,
    NumberEditor,
    SwitchEditor,
    TextEditor,
)
from helm_desktop.views.controls.form import RecordForm
from helm_desktop.views.controls.mixture_editor import MixtureEditor
from helm_desktop.views.controls.raw import RawEditor
from helm_sdk.protocol.kinds import (
    Duration,
    Enum,
    ListOf,
    MapOf,
    Mixture,
    Node,
    Record,
    Scalar,
    Schedule,
    Tensors,
    Unknown,
)


def make_editor(node: Node, name: str) -> ValueEditor:
    """Return the editor for a node; what this version has no form for is edited as JSON."""
    match node:
        case Scalar(type="boolean"):
            return SwitchEditor(name)
        case Scalar(type="string"):
            return TextEditor(name)
        case Scalar():
            return NumberEditor(node, name)
        case Enum():
            return ChoiceEditor(node, name)
        case Duration():
            return DurationEditor(name)
        case Record():
            return RecordForm(node, name, make_editor)
        case ListOf():
            return ListEditor(node, name, make_editor)
        case MapOf():
            return MapEditor(node, name, make_editor)
        case Schedule():
            return ScheduleEditor(node, name, make_editor)
        case Mixture():
            return MixtureEditor(node, name)
        case Tensors():
            return RawEditor("A selection of tensors. Choose it in New capture, or write it here.", name)
        case Unknown():
            return RawEditor(f"This version has no form for {node.kind}.", name)
        case _:
            return RawEditor("This takes anything that JSON can say.", name)
