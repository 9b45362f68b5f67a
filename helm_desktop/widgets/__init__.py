"""Widgets that know nothing of Helm."""
