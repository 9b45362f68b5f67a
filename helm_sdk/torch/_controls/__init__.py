"""The trainer's own controls, one a module: what each declares, what it changes, how its effect is seen."""
