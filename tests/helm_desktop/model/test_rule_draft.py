"""A rule as it is typed, and what is wrong with each field."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helm_desktop.model.rule_draft import RuleDraft, draft_of, parse_span
from helm_sdk.rules import Notify, Program, Rule, Send, Span, Webhook, problem_of
from helm_sdk.rules.offers import offers
from helm_sdk.rules.words import span_words

SPANS = st.integers(1, 10**6).map(lambda count: Span(steps=count)) | st.integers(1, 119).map(
    lambda count: Span(seconds=float(count))
)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("", Span()),
        ("20", Span(steps=20)),
        ("1,200 steps", Span(steps=1200)),
        ("5 min", Span(seconds=300.0)),
        ("30s", Span(seconds=30.0)),
        ("1 h 30 min", Span(seconds=5400.0)),
        ("0.5 h", Span(seconds=1800.0)),
        ("five", None),
        ("1.5 steps", None),
        ("5 min 3", None),
        ("5 parsecs", None),
    ],
)
def test_that_a_span_is_read(text: str, span: Span | None) -> None:
    assert parse_span(text) == span


@given(SPANS)
def test_that_a_spans_words_say_it(span: Span) -> None:
    assert parse_span(span_words(span)) == span


BASE: Any = {"metric": "a", "value": "1"}
SENDS: Any = {**BASE, "then": {"send"}, "control": "lr"}


@pytest.mark.parametrize(
    ("draft", "field", "sentence"),
    [
        (RuleDraft(), "metric", "which metric"),
        (RuleDraft(metric="a"), "value", "which value"),
        (RuleDraft(metric="a", value="high"), "value", "high is no number"),
        (RuleDraft(metric="a", value="nan"), "value", "must be finite"),
        (RuleDraft(metric="a", value="1", hold="a while"), "hold", "no number of steps"),
        (RuleDraft(metric="a", when="no data", hold="20"), "hold", "needs a time"),
        (RuleDraft(metric="a", when="no data"), "hold", "needs a time"),
        (RuleDraft(metric="a", when="plateau"), "hold", "a plateau needs"),
        (RuleDraft(metric="a", when="change", value="0"), "value", "0 %"),
        (RuleDraft(**BASE, then={"run"}), "command", "which program"),
        (RuleDraft(**BASE, then={"run"}, command="a 'b"), "command", "quote"),
        (RuleDraft(**BASE, then={"webhook"}, url="example.org"), "url", "http"),
        (RuleDraft(**BASE, then={"send"}), "control", "which control"),
        (RuleDraft(**SENDS, input="{"), "input", "no JSON"),
        (RuleDraft(**SENDS, budget="0"), "budget", "1 or more"),
        (RuleDraft(**SENDS, cool_down="3"), "cool_down", "no time"),
    ],
)
def test_that_what_is_wrong_is_said_beside_its_field(draft: RuleDraft, field: str, sentence: str) -> None:
    assert draft.rule() is None
    assert sentence in draft.wrong[field]


SAY = Program(command=("say", "it is"), timeout_s=5.0)
RARE = Send(control="lr", input={"a": 1}, per_s=60.0, process="rank-1", reason="why")
CALL = Webhook(url="http://h/x", timeout_s=3.0)
RULES = [
    Rule(id="a", name="n", metric="x", when="above", value=2.5, hold=Span(steps=20)),
    Rule(id="b", metric="x*", when="not finite", then=(Notify(beep=True),)),
    Rule(id="c", metric="x", when="change", value=-20.0, over=Span(seconds=60.0), then=()),
    Rule(id="d", metric="x", when="no data", hold=Span(seconds=300.0), then=(SAY,)),
    Rule(id="e", metric="x", when="below", then=(CALL, Send(control="lr", input={"a": 1}))),
    Rule(
        id="f", metric="x", when="below", then=(RARE, Send(control="pause"), SAY), mark=False, enabled=False
    ),
    *offers(["train/loss", "system/gpu0/utilization_percent", "system/disk_free_bytes"]),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_that_a_rule_comes_back_from_the_form_as_it_was(rule: Rule) -> None:
    made = draft_of(rule).rule()
    assert made is not None
    assert problem_of(made) == ""
    assert sorted(made.then, key=repr) == sorted(rule.then, key=repr)
    assert msgspec.structs.replace(made, then=rule.then) == rule
