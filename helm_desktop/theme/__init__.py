"""Tokens, the only stylesheet, pens and icons."""
