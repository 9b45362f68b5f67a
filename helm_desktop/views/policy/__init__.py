"""Who may change what: the editor of the policy file."""

from helm_desktop.views.policy.dialog import PolicyDialog

__all__ = ["PolicyDialog"]
