"""The subcommands of helmctl, a module each: `EXAMPLE`, `add_arguments(parser)` and `run(args)`."""
