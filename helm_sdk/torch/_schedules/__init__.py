"""Learning rates: schedules, overrides, the forecast that is published as the plan."""
