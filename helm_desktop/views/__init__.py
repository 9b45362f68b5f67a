"""One package a screen; no view imports another."""
