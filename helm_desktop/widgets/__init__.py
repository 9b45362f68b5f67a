"""Widgets that know nothing of Helm."""

from helm_desktop.widgets.count_button import CountButton
from helm_desktop.widgets.elided_label import ElidedLabel
from helm_desktop.widgets.empty_state import EmptyState
from helm_desktop.widgets.find_field import FindField
from helm_desktop.widgets.flow_layout import FlowLayout
from helm_desktop.widgets.icon_button import IconButton
from helm_desktop.widgets.key_handlers import handle_key
from helm_desktop.widgets.mark_glyph import MarkGlyph, mark_colour, paint_mark
from helm_desktop.widgets.notice_button import NoticeButton
from helm_desktop.widgets.number_field import NumberField
from helm_desktop.widgets.page_with_chapters import ChapterPage
from helm_desktop.widgets.pill import Pill
from helm_desktop.widgets.progress_line import ProgressLine
from helm_desktop.widgets.search_button import SearchButton
from helm_desktop.widgets.search_field import SearchField
from helm_desktop.widgets.section import FoldingSection
from helm_desktop.widgets.segmented import SegmentedControl
from helm_desktop.widgets.split_bar import Share, SplitBar
from helm_desktop.widgets.state_dot import StateDot
from helm_desktop.widgets.step_track import Step, StepTrack
from helm_desktop.widgets.switch import ToggleSwitch
from helm_desktop.widgets.tab_order import has_focus, walk

__all__ = [
    "ChapterPage",
    "CountButton",
    "ElidedLabel",
    "EmptyState",
    "FindField",
    "FlowLayout",
    "FoldingSection",
    "IconButton",
    "MarkGlyph",
    "NoticeButton",
    "NumberField",
    "Pill",
    "ProgressLine",
    "SearchButton",
    "SearchField",
    "SegmentedControl",
    "Share",
    "SplitBar",
    "StateDot",
    "Step",
    "StepTrack",
    "ToggleSwitch",
    "handle_key",
    "has_focus",
    "mark_colour",
    "paint_mark",
    "walk",
]
