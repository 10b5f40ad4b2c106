-- Version 2. Which tools each conversation was offered, by the last turn of each; those without a turn for long give way.
CREATE TABLE offered (
    seq INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    session TEXT NOT NULL,
    state TEXT NOT NULL,
    UNIQUE (tenant, session)
);
