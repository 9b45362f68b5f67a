"""Rules that watch a run: what has to hold, for how long, and what then. No Qt, no files, no sockets."""

from helm_sdk.rules.engine import Engine
from helm_sdk.rules.firing import Firing
from helm_sdk.rules.labels import rule_words, state_words
from helm_sdk.rules.spec import (
    Action,
    Notify,
    Program,
    Rule,
    RuleError,
    RuleFile,
    Send,
    Span,
    Webhook,
    parse_rules,
    problem_of,
)
from helm_sdk.rules.state import RuleState

__all__ = [
    "Action",
    "Engine",
    "Firing",
    "Notify",
    "Program",
    "Rule",
    "RuleError",
    "RuleFile",
    "RuleState",
    "Send",
    "Span",
    "Webhook",
    "parse_rules",
    "problem_of",
    "rule_words",
    "state_words",
]
