-- The books: each row takes from one account what it gives to another, so that they always balance.
CREATE TABLE entries (
    id             INTEGER PRIMARY KEY,
    tenant_id      INTEGER NOT NULL REFERENCES tenants (id),
    transaction_id TEXT,
    currency       TEXT NOT NULL,
    giver          TEXT NOT NULL,
    taker          TEXT NOT NULL,
    minor          INTEGER NOT NULL CHECK (minor >= 0),
    posted_at      INTEGER NOT NULL,
    FOREIGN KEY (tenant_id, transaction_id) REFERENCES transactions (tenant_id, id),
    CHECK (giver <> taker)
) STRICT;
CREATE INDEX entries_of_transaction ON entries (tenant_id, transaction_id);

-- The folded entries, kept in step with them. Where several connections write, each adds to shards
-- of its own, so that none waits for another; a balance is the sum of its shards.
CREATE TABLE balances (
    tenant_id INTEGER NOT NULL REFERENCES tenants (id),
    currency  TEXT NOT NULL,
    account   TEXT NOT NULL,
    shard     INTEGER NOT NULL,
    minor     INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, currency, account, shard),
    -- Far enough from the end of the integers for two of them to be added.
    CONSTRAINT balance_within_bounds
        CHECK (minor BETWEEN -4611686018427387904 AND 4611686018427387903)
) STRICT, WITHOUT ROWID;
