"""Step 1: the first tables."""

SQL = (
    # One row: who writes, and the last sequence number on disk.
    """CREATE TABLE process (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        record TEXT NOT NULL,
        last_seq INTEGER NOT NULL,
        stats_seq INTEGER NOT NULL
    )""",
    # A stream may be defined again (a unit that comes later); the newest row of an id counts.
    """CREATE TABLE streams (
        row INTEGER PRIMARY KEY,
        seq INTEGER NOT NULL,
        id INTEGER NOT NULL,
        name TEXT NOT NULL,
        kind TEXT NOT NULL,
        unit TEXT NOT NULL,
        better TEXT NOT NULL
    )""",
    # Streams that are logged together: their ids as little-endian uint32.
    "CREATE TABLE sets (id INTEGER PRIMARY KEY, streams BLOB NOT NULL UNIQUE)",
    # Chunks of one set never overlap in sequence numbers.
    """CREATE TABLE chunks (
        id INTEGER PRIMARY KEY,
        set_id INTEGER NOT NULL,
        first_seq INTEGER NOT NULL,
        last_seq INTEGER NOT NULL,
        rows INTEGER NOT NULL,
        crc INTEGER NOT NULL,
        parts BLOB NOT NULL,
        body BLOB NOT NULL
    )""",
    "CREATE UNIQUE INDEX chunks_by_set ON chunks (set_id, first_seq, last_seq, rows)",
    """CREATE TABLE events (
        row INTEGER PRIMARY KEY,
        seq INTEGER NOT NULL,
        id INTEGER NOT NULL,
        kind TEXT NOT NULL,
        time REAL NOT NULL,
        step INTEGER,
        crc INTEGER NOT NULL,
        body BLOB NOT NULL
    )""",
    "CREATE INDEX events_by_seq ON events (seq)",
    # Only the newest revision of a kind.
    """CREATE TABLE catalogues (
        kind TEXT PRIMARY KEY,
        seq INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        crc INTEGER NOT NULL,
        body BLOB NOT NULL
    )""",
    # Per stream, as of process.stats_seq; readers add the few rows since.
    # The value is a little-endian float64: a REAL column would lose NaN and the sign of zero.
    """CREATE TABLE stats (
        stream INTEGER PRIMARY KEY,
        count INTEGER NOT NULL,
        first_step INTEGER NOT NULL,
        last_step INTEGER NOT NULL,
        top_step INTEGER NOT NULL,
        last_value BLOB NOT NULL,
        last_time REAL NOT NULL,
        non_finite INTEGER NOT NULL,
        repeats INTEGER NOT NULL
    )""",
)
