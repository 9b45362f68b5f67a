"""Rules that watch a run: what has to hold, for how long, and what then. No Qt, no files, no sockets."""

from helm_sdk.rules.engine import RuleEngine
from helm_sdk.rules.firing import Firing
from helm_sdk.rules.labels import rule_words, state_words
from helm_sdk.rules.spec import (
    Action,
    HoldFor,
    Notify,
    Program,
    Rule,
    RuleError,
    RuleFile,
    Send,
    Webhook,
    parse_rules,
    problem_of,
)
from helm_sdk.rules.state import RuleState

__all__ = [
    "Action",
    "Firing",
    "HoldFor",
    "Notify",
    "Program",
    "Rule",
    "RuleEngine",
    "RuleError",
    "RuleFile",
    "RuleState",
    "Send",
    "Webhook",
    "parse_rules",
    "problem_of",
    "rule_words",
    "state_words",
]
