"""Who may change what: the policy that each run reads from a file and enforces when a command comes in.

What a policy says is here; `policy.file` reads it, `policy.judge` judges by it.
"""

from helm_sdk.policy.labels import in_words
from helm_sdk.policy.parse import PolicyError, parse_policy
from helm_sdk.policy.spec import ControlRule, Policy, PolicySection, ProgramBound, ProgramLimit, ProgramLimits

__all__ = [
    "ControlRule",
    "Policy",
    "PolicyError",
    "PolicySection",
    "ProgramBound",
    "ProgramLimit",
    "ProgramLimits",
    "in_words",
    "parse_policy",
]
