"""Step 2: chunks may store their times as differences; the tables do not change."""

SQL: tuple[str, ...] = ()
