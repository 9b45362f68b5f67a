"""What each subject of the window does: one controller each, handed only the parts that it uses."""
