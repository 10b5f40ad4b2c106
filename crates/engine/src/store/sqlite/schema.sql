-- Version 1. Tenants that nobody named are the empty text, as are areas and operations.
-- Every row that speaks of a user has a column for the user, so that forgetting finds it.

-- What was told of tasks, once each.
CREATE TABLE completions (
    tenant TEXT NOT NULL,
    task TEXT NOT NULL,
    user TEXT NOT NULL,
    decision TEXT,
    success INTEGER NOT NULL,
    area TEXT NOT NULL,
    operation TEXT NOT NULL,
    complexity REAL,
    confidence REAL,
    time_ms INTEGER,
    error TEXT,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (tenant, task)
) WITHOUT ROWID;
-- The last tasks of a user and of a tenant, by time; those of one instant by their ids.
CREATE INDEX completions_of_user ON completions (tenant, user, at_ms, task, success);
CREATE INDEX completions_of_tenant ON completions (tenant, at_ms, task, success);
CREATE INDEX completions_of_decision ON completions (decision) WHERE decision IS NOT NULL;

-- Sums of the completions. The row of the empty user is the tenant as a whole.
CREATE TABLE users (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    total INTEGER NOT NULL,
    succeeded INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    PRIMARY KEY (tenant, user)
) WITHOUT ROWID;
CREATE TABLE kinds (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    area TEXT NOT NULL,
    operation TEXT NOT NULL,
    total INTEGER NOT NULL,
    succeeded INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, area, operation)
) WITHOUT ROWID;

-- What was decided, in the order it was kept; the oldest give way.
CREATE TABLE decisions (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    route TEXT,
    confidence REAL NOT NULL,
    area TEXT NOT NULL,
    operation TEXT NOT NULL,
    complexity REAL,
    threshold REAL NOT NULL,
    at_ms INTEGER NOT NULL
);
CREATE INDEX decisions_of_user ON decisions (tenant, user);
