-- Version 4. How runs of each tool went, by the last run of each; no user is named. The tools that ran longest ago give way.
CREATE TABLE tool_runs (
    seq INTEGER PRIMARY KEY,
    tool TEXT NOT NULL UNIQUE,
    runs INTEGER NOT NULL,
    error_rate REAL NOT NULL,
    timed INTEGER NOT NULL,
    avg_latency_ms REAL NOT NULL
);
