"""One run and the list of runs: status, activity, notes, details, sources."""
