-- Keys of the keyed hashes, drawn when the database is made.
CREATE TABLE secrets (
    name   TEXT PRIMARY KEY,
    secret BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tenants (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE credentials (
    username  TEXT PRIMARY KEY,
    tenant_id INTEGER NOT NULL REFERENCES tenants (id),
    key_hash  BLOB NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;

CREATE TABLE customers (
    id        TEXT PRIMARY KEY,
    tenant_id INTEGER NOT NULL REFERENCES tenants (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE transactions (
    id                TEXT PRIMARY KEY,
    tenant_id         INTEGER NOT NULL REFERENCES tenants (id),
    collection        TEXT NOT NULL CHECK (collection IN ('transactions', 'payouts')),
    type              TEXT NOT NULL CHECK (type IN ('TRT_PURCHASE', 'TRT_REFUND', 'TRT_PAYOUT')),
    parent_id         TEXT REFERENCES transactions (id),
    merchant_id       TEXT NOT NULL,
    origin_id         TEXT,
    payment_channel   TEXT,
    status            TEXT NOT NULL,
    currency          TEXT NOT NULL,
    amount            INTEGER NOT NULL CHECK (amount > 0),
    two_step          INTEGER NOT NULL CHECK (two_step IN (0, 1)),
    capturing         INTEGER CHECK (capturing > 0 AND capturing <= amount),
    captured          INTEGER NOT NULL CHECK (captured >= 0 AND captured <= amount),
    refunding         INTEGER NOT NULL CHECK (refunding >= 0),
    refunded          INTEGER NOT NULL CHECK (refunded >= 0),
    attempts          INTEGER NOT NULL CHECK (attempts > 0),
    reject_code       TEXT,
    due_at            INTEGER,
    due_then          TEXT,
    planned_capture   TEXT,
    planned_refund    TEXT,
    planned_renew     TEXT,
    created_at        INTEGER NOT NULL,
    modified_at       INTEGER NOT NULL,
    details           TEXT NOT NULL,
    UNIQUE (tenant_id, collection, merchant_id),
    CHECK (refunding + refunded <= captured),
    CHECK ((due_at IS NULL) = (due_then IS NULL)),
    CHECK ((type = 'TRT_REFUND') = (parent_id IS NOT NULL)),
    CHECK ((type = 'TRT_PAYOUT') = (collection = 'payouts'))
) STRICT;

-- At most one refund of a purchase is active, whatever the code above believes.
CREATE UNIQUE INDEX one_active_refund ON transactions (parent_id)
    WHERE type = 'TRT_REFUND' AND status = 'PENDING';
CREATE INDEX refunds_of_purchase ON transactions (parent_id, created_at, id)
    WHERE parent_id IS NOT NULL;
CREATE INDEX due_transactions ON transactions (due_at, id) WHERE due_at IS NOT NULL;

CREATE TABLE offers (
    attempt_id         TEXT PRIMARY KEY,
    transaction_id     TEXT NOT NULL REFERENCES transactions (id),
    attempt_no         INTEGER NOT NULL,
    provider_id        TEXT NOT NULL,
    terms_uuid         TEXT NOT NULL,
    expires_at         INTEGER NOT NULL,
    amount             INTEGER NOT NULL,
    crypto_amount      INTEGER NOT NULL,
    crypto_network_fee INTEGER NOT NULL,
    selected           INTEGER NOT NULL CHECK (selected IN (0, 1)),
    UNIQUE (transaction_id, attempt_no, provider_id)
) STRICT;
CREATE UNIQUE INDEX one_selected_offer ON offers (transaction_id) WHERE selected = 1;

-- What was answered to the first use of a natural key. Never the body that asked for it.
CREATE TABLE answers (
    tenant_id   INTEGER NOT NULL REFERENCES tenants (id),
    collection  TEXT NOT NULL,
    merchant_id TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    body        TEXT NOT NULL,
    PRIMARY KEY (tenant_id, collection, merchant_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE postings (
    id             INTEGER PRIMARY KEY,
    entry          INTEGER NOT NULL,
    tenant_id      INTEGER NOT NULL REFERENCES tenants (id),
    transaction_id TEXT REFERENCES transactions (id),
    currency       TEXT NOT NULL,
    account        TEXT NOT NULL,
    minor          INTEGER NOT NULL,
    posted_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX postings_of_transaction ON postings (transaction_id);
CREATE TRIGGER postings_are_not_changed BEFORE UPDATE ON postings
    BEGIN SELECT RAISE(ABORT, 'postings are append-only'); END;
CREATE TRIGGER postings_are_not_removed BEFORE DELETE ON postings
    BEGIN SELECT RAISE(ABORT, 'postings are append-only'); END;

-- The folded postings, kept in step with them.
CREATE TABLE balances (
    tenant_id INTEGER NOT NULL REFERENCES tenants (id),
    currency  TEXT NOT NULL,
    account   TEXT NOT NULL,
    minor     INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, currency, account)
) STRICT, WITHOUT ROWID;
