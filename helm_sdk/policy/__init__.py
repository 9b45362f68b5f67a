"""Who may change what: the policy file that each run reads and enforces when a command comes in."""

from helm_sdk.policy.file import POLICY_FILE, PolicyError, PolicyFile, parse_policy, read_policy
from helm_sdk.policy.judge import Judge, Verdict
from helm_sdk.policy.spec import Bound, ControlRule, Limit, Policy, Programs, Section
from helm_sdk.policy.words import in_words

__all__ = [
    "POLICY_FILE",
    "Bound",
    "ControlRule",
    "Judge",
    "Limit",
    "Policy",
    "PolicyError",
    "PolicyFile",
    "Programs",
    "Section",
    "Verdict",
    "in_words",
    "parse_policy",
    "read_policy",
]
