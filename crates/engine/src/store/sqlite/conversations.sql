-- Version 3. What is remembered of each conversation until its time is over, and how choices went. Numbers are never given
-- twice, so that a turn sees whether another came between, though the conversation was forgotten meanwhile.
CREATE TABLE conversations (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    session TEXT NOT NULL,
    user TEXT NOT NULL,
    state TEXT NOT NULL,
    until_ms INTEGER NOT NULL,
    UNIQUE (tenant, session)
);
CREATE INDEX conversations_of_user ON conversations (tenant, user);
CREATE INDEX conversations_by_end ON conversations (until_ms);

-- A row a turn that was interpreted, in order; the oldest give way. What became of a call is the empty text until the
-- next turn tells. What was said and chosen is not kept here.
CREATE TABLE choices (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    session TEXT NOT NULL,
    user TEXT NOT NULL,
    tool TEXT NOT NULL,
    outcome TEXT NOT NULL,
    matched_by TEXT NOT NULL,
    confidence REAL NOT NULL,
    latency_us REAL NOT NULL,
    verdict TEXT NOT NULL,
    at_ms INTEGER NOT NULL
);
CREATE INDEX choices_of_session ON choices (tenant, session, verdict);
CREATE INDEX choices_of_user ON choices (tenant, user);
