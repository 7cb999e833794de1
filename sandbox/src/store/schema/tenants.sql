-- Keys of the keyed hashes, drawn when the database is made.
CREATE TABLE secrets (
    name   TEXT PRIMARY KEY,
    secret BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- One state of a merchant's records: the present one, a snapshot, or one that a reset has retired and
-- that is about to be removed. Every row of every other table belongs to one.
CREATE TABLE tenants (
    id           INTEGER PRIMARY KEY,
    -- How far the clock is ahead of the machine's, in milliseconds.
    clock_offset INTEGER NOT NULL CHECK (clock_offset >= 0),
    made_at      INTEGER NOT NULL
) STRICT;

CREATE TABLE merchants (
    id        INTEGER PRIMARY KEY,
    name      TEXT NOT NULL UNIQUE,
    tenant_id INTEGER NOT NULL UNIQUE REFERENCES tenants (id),
    -- Whether orders that the payment methods do not take are refused. It outlives a reset, as credentials do.
    catalogue_binds INTEGER NOT NULL DEFAULT 1 CHECK (catalogue_binds IN (0, 1)),
    -- How many snapshots were ever taken: the number of the last one.
    snapshots_taken INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE credentials (
    username    TEXT PRIMARY KEY,
    merchant_id INTEGER NOT NULL REFERENCES merchants (id),
    key_hash    BLOB NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;

CREATE TABLE snapshots (
    merchant_id INTEGER NOT NULL REFERENCES merchants (id),
    number      INTEGER NOT NULL CHECK (number > 0),
    tenant_id   INTEGER NOT NULL UNIQUE REFERENCES tenants (id),
    name        TEXT,
    PRIMARY KEY (merchant_id, number)
) STRICT, WITHOUT ROWID;

-- What happens by itself, and when.
CREATE TABLE timers (
    tenant_id INTEGER NOT NULL REFERENCES tenants (id),
    kind      TEXT NOT NULL,
    subject   TEXT NOT NULL,
    due_at    INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, kind, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX timers_in_order ON timers (tenant_id, due_at, kind, subject);
