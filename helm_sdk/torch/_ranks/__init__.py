"""How the ranks of a job agree: one run, and each change at the same step on every rank."""
