"""The controls that a run declares, their values, and the commands to them."""
