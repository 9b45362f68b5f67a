"""One open run (status, activity, notes, details, sources) and the list of runs."""
