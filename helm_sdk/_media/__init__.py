"""Rich values on their way from the loop to files in `media/`."""
