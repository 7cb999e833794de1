CREATE TABLE transactions (
    tenant_id         INTEGER NOT NULL REFERENCES tenants (id),
    id                TEXT NOT NULL,
    -- Counts the changes: a decision holds only for the version it was made on.
    version           INTEGER NOT NULL CHECK (version > 0),
    collection        TEXT NOT NULL CHECK (collection IN ('transactions', 'payouts')),
    type              TEXT NOT NULL CHECK (type IN ('TRT_PURCHASE', 'TRT_REFUND', 'TRT_PAYOUT')),
    parent_id         TEXT,
    subscription_id   TEXT,
    merchant_id       TEXT NOT NULL,
    origin_id         TEXT,
    payment_channel   TEXT,
    status            TEXT NOT NULL,
    currency          TEXT NOT NULL,
    amount            INTEGER NOT NULL CHECK (amount >= 0),
    two_step          INTEGER NOT NULL CHECK (two_step IN (0, 1)),
    capturing         INTEGER CHECK (capturing > 0 AND capturing <= amount),
    captured          INTEGER NOT NULL CHECK (captured >= 0 AND captured <= amount),
    refunding         INTEGER NOT NULL CHECK (refunding >= 0),
    refunded          INTEGER NOT NULL CHECK (refunded >= 0),
    attempts          INTEGER NOT NULL CHECK (attempts > 0),
    authentication    TEXT,
    -- Where the customer answers, as long as they are asked.
    challenge_page    TEXT,
    reject_code       TEXT,
    due_at            INTEGER,
    due_then          TEXT,
    planned_capture   TEXT,
    planned_refund    TEXT,
    planned_renew     TEXT,
    created_at        INTEGER NOT NULL,
    modified_at       INTEGER NOT NULL,
    details           TEXT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, parent_id) REFERENCES transactions (tenant_id, id),
    FOREIGN KEY (tenant_id, subscription_id) REFERENCES subscriptions (tenant_id, id),
    UNIQUE (tenant_id, collection, merchant_id),
    CHECK (amount > 0 OR subscription_id IS NOT NULL),
    CHECK (refunding + refunded <= captured),
    CHECK ((due_at IS NULL) = (due_then IS NULL)),
    CHECK (challenge_page IS NULL OR (authentication IS NOT NULL AND status = 'PENDING')),
    CHECK ((type = 'TRT_REFUND') = (parent_id IS NOT NULL)),
    CHECK ((type = 'TRT_PAYOUT') = (collection = 'payouts'))
) STRICT;

-- The latest, for the start page.
CREATE INDEX transactions_listed ON transactions (tenant_id, created_at, id);

-- At most one refund of a purchase is active, whatever the code above believes.
CREATE UNIQUE INDEX one_active_refund ON transactions (tenant_id, parent_id)
    WHERE type = 'TRT_REFUND' AND status = 'PENDING';
CREATE INDEX refunds_of_purchase ON transactions (tenant_id, parent_id, created_at, id)
    WHERE parent_id IS NOT NULL;

CREATE UNIQUE INDEX open_pages ON transactions (tenant_id, challenge_page)
    WHERE challenge_page IS NOT NULL;

-- Attempts that were followed by another; the last one is the transaction itself.
CREATE TABLE attempts (
    tenant_id      INTEGER NOT NULL REFERENCES tenants (id),
    transaction_id TEXT NOT NULL,
    number         INTEGER NOT NULL CHECK (number > 0),
    status         TEXT NOT NULL,
    reject_code    TEXT,
    authentication TEXT,
    ended_at       INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, transaction_id, number),
    FOREIGN KEY (tenant_id, transaction_id) REFERENCES transactions (tenant_id, id)
) STRICT;

CREATE TABLE offers (
    tenant_id          INTEGER NOT NULL REFERENCES tenants (id),
    attempt_id         TEXT NOT NULL,
    transaction_id     TEXT NOT NULL,
    place              INTEGER NOT NULL,
    attempt_no         INTEGER NOT NULL,
    provider_id        TEXT NOT NULL,
    terms_uuid         TEXT NOT NULL,
    expires_at         INTEGER NOT NULL,
    amount             INTEGER NOT NULL,
    crypto_amount      INTEGER NOT NULL,
    crypto_network_fee INTEGER NOT NULL,
    selected           INTEGER NOT NULL CHECK (selected IN (0, 1)),
    PRIMARY KEY (tenant_id, attempt_id),
    FOREIGN KEY (tenant_id, transaction_id) REFERENCES transactions (tenant_id, id),
    UNIQUE (tenant_id, transaction_id, attempt_no, provider_id)
) STRICT;
CREATE UNIQUE INDEX one_selected_offer ON offers (tenant_id, transaction_id) WHERE selected = 1;

-- What was answered to the first use of a natural key. Never the body that asked for it.
CREATE TABLE answers (
    tenant_id   INTEGER NOT NULL REFERENCES tenants (id),
    collection  TEXT NOT NULL,
    merchant_id TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    body        TEXT NOT NULL,
    PRIMARY KEY (tenant_id, collection, merchant_id)
) STRICT, WITHOUT ROWID;

-- What was answered to the first command with an idempotency key. Never the body that asked for it.
CREATE TABLE command_answers (
    tenant_id       INTEGER NOT NULL REFERENCES tenants (id),
    operation       TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint     BLOB NOT NULL,
    body            TEXT NOT NULL,
    PRIMARY KEY (tenant_id, operation, idempotency_key)
) STRICT, WITHOUT ROWID;
