"""Step 2: chunks may hold their times as narrow differences; the tables stay as they are."""

SQL: tuple[str, ...] = ()
