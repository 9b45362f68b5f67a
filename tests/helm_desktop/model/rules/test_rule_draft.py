"""A rule as it is typed, and what is wrong with each field."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helm_desktop.model.rules.action_draft import ActionDraft, draft_of_action
from helm_desktop.model.rules.rule_draft import RuleDraft, draft_of
from helm_desktop.model.series.durations import parse_span, typed_span
from helm_sdk.rules import Action, HoldFor, Notify, Program, Rule, Send, Webhook, problem_of
from helm_sdk.rules.labels import span_words
from helm_sdk.rules.offers import offers

SPANS = st.integers(1, 10**6).map(lambda count: HoldFor(steps=count)) | st.integers(1, 119).map(
    lambda count: HoldFor(seconds=float(count))
)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("", HoldFor()),
        ("20", HoldFor(steps=20)),
        ("1,200 steps", HoldFor(steps=1200)),
        ("5 min", HoldFor(seconds=300.0)),
        ("30s", HoldFor(seconds=30.0)),
        ("1 h 30 min", HoldFor(seconds=5400.0)),
        ("0.5 h", HoldFor(seconds=1800.0)),
        ("five", None),
        ("1.5 steps", None),
        ("5 min 3", None),
        ("5 parsecs", None),
    ],
)
def test_that_a_span_is_read(text: str, span: HoldFor | None) -> None:
    assert parse_span(text) == span


@given(SPANS)
def test_that_a_spans_words_say_it(span: HoldFor) -> None:
    assert parse_span(span_words(span)) == span


@given(st.floats(0.0, 1e12))
def test_that_any_time_is_typed_so_that_it_is_read_back(seconds: float) -> None:
    assert parse_span(typed_span(HoldFor(seconds=seconds))) == HoldFor(seconds=seconds)


@pytest.mark.parametrize(
    ("draft", "field", "sentence"),
    [
        (RuleDraft(), "metric", "Choose a metric"),
        (RuleDraft(metric="a"), "value", "Type a value"),
        (RuleDraft(metric="a", value="high"), "value", "high is not a number"),
        (RuleDraft(metric="a", value="nan"), "value", "must be finite"),
        (RuleDraft(metric="a", value="1", hold="a while"), "hold", "not a number of steps"),
        (RuleDraft(metric="a", when="no data", hold="20"), "hold", "needs a time"),
        (RuleDraft(metric="a", when="no data"), "hold", "needs a time"),
        (RuleDraft(metric="a", when="plateau"), "hold", "a plateau needs"),
        (RuleDraft(metric="a", when="change", value="0"), "value", "0 %"),
    ],
)
def test_that_each_field_of_a_rule_has_its_own_problem(draft: RuleDraft, field: str, sentence: str) -> None:
    assert draft.rule() is None
    assert sentence in draft.wrong[field]


@pytest.mark.parametrize(
    ("action", "field", "sentence"),
    [
        (ActionDraft("run"), "command", "Type the program"),
        (ActionDraft("run", command="a 'b"), "command", "quote"),
        (ActionDraft("run", command="a", timeout="soon"), "timeout", "not a time"),
        (ActionDraft("run", command="a", timeout="0 s"), "timeout", "more than 0"),
        (ActionDraft("webhook", url="example.org"), "url", "http"),
        (ActionDraft("send"), "control", "Choose a control"),
        (ActionDraft("send", control="lr", input="{"), "input", "not JSON"),
        (ActionDraft("send", control="lr", budget="0"), "budget", "1 or more"),
        (ActionDraft("send", control="lr", per="20 steps"), "per", "not a time"),
        (ActionDraft("send", control="lr", cool_down="3"), "cool_down", "not a time"),
    ],
)
def test_that_each_field_of_an_action_has_its_own_problem(
    action: ActionDraft, field: str, sentence: str
) -> None:
    draft = RuleDraft(metric="a", value="1", then=[ActionDraft("notify"), action])
    assert draft.rule() is None
    assert sentence in action.wrong[field]
    assert draft.problem == action.wrong[field]


def test_that_an_empty_time_is_the_usual_one() -> None:
    assert ActionDraft("run", command="say it").action() == Program(command=("say", "it"), timeout_s=30.0)
    assert ActionDraft("webhook", url="http://h").action() == Webhook(url="http://h", timeout_s=10.0)
    send = ActionDraft("send", control="lr", per="", cool_down="0").action()
    assert send == Send(control="lr", input={}, budget=3, per_s=3600.0, cool_down_s=0.0)
    assert ActionDraft("capture").action() == Send(control="capture", input={})


SAY = Program(command=("say", "it is"), timeout_s=5.0)
RARE = Send(control="lr", input={"a": 1}, per_s=60.0, process="rank-1", reason="why", cool_down_s=0.0)
CALL = Webhook(url="http://h/x", timeout_s=3.0)
RULES = [
    Rule(id="a", name="n", metric="x", when="above", value=2.5, hold=HoldFor(steps=20)),
    Rule(id="b", metric="x*", when="not finite", then=(Notify(beep=True),)),
    Rule(id="c", metric="x", when="change", value=-20.0, over=HoldFor(seconds=60.0), then=()),
    Rule(id="d", metric="x", when="no data", hold=HoldFor(seconds=300.0), then=(SAY,)),
    Rule(id="e", metric="x", when="below", then=(CALL, Send(control="lr", input={"a": 1}))),
    Rule(
        id="f", metric="x", when="below", then=(RARE, Send(control="pause"), SAY), mark=False, enabled=False
    ),
    Rule(id="g", metric="x", when="plateau", value=0.1234567, hold=HoldFor(seconds=90.5), better="higher"),
    Rule(id="h", metric="x", when="above", then=(SAY, RARE, Notify(), Send(control="capture"), SAY, CALL)),
    *offers(["train/loss", "system/gpu0/utilization_percent", "system/disk_free_bytes"]),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_that_a_rule_comes_back_from_the_form_as_it_was(rule: Rule) -> None:
    made = draft_of(rule).rule()
    assert made is not None
    assert problem_of(made) == ""
    assert made == rule


ACTIONS = st.one_of(
    st.builds(Notify, beep=st.booleans()),
    st.builds(Program, command=st.lists(st.text(), min_size=1).map(tuple), timeout_s=st.floats(1e-6, 1e9)),
    st.builds(Webhook, url=st.just("http://h/x?y=1"), timeout_s=st.floats(1e-6, 1e9)),
    st.builds(
        Send,
        control=st.sampled_from(["lr", "capture", "ünï"]),
        input=st.dictionaries(st.text(), st.integers() | st.text() | st.booleans() | st.none()),
        budget=st.integers(1, 10**6),
        per_s=st.floats(1e-6, 1e9),
        cool_down_s=st.floats(0.0, 1e9),
    ),
)


@given(ACTIONS)
def test_that_any_action_comes_back_from_the_form_as_it_was(action: Action) -> None:
    draft = draft_of_action(action)
    assert draft.action() == action, draft.wrong
