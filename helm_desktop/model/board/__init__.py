"""The board: its pages, sections and charts, and the edits of them."""
