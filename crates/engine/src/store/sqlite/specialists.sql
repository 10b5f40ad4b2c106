-- version 5. How tasks of each specialist ended in each area and operation, by kind of error; a success has none.
-- The row of the empty user is the tenant as a whole.
CREATE TABLE specialists (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    specialist TEXT NOT NULL,
    area TEXT NOT NULL,
    operation TEXT NOT NULL,
    error TEXT NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, specialist, area, operation, error)
) WITHOUT ROWID;
ALTER TABLE completions ADD COLUMN specialist TEXT NOT NULL DEFAULT '';
ALTER TABLE completions ADD COLUMN error_kind TEXT NOT NULL DEFAULT '';
-- The threshold before any rule, and the rule that moved it.
ALTER TABLE decisions ADD COLUMN threshold_base REAL;
ALTER TABLE decisions ADD COLUMN threshold_rule TEXT NOT NULL DEFAULT '';
-- Quality gates that the task must pass, one per line.
ALTER TABLE decisions ADD COLUMN gates TEXT NOT NULL DEFAULT '';
