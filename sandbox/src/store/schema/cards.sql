-- Cards as they may be kept: neither number nor security code. The fingerprint is a keyed hash by
-- which a number that comes again is recognised.
CREATE TABLE cards (
    tenant_id            INTEGER NOT NULL REFERENCES tenants (id),
    id                   TEXT NOT NULL,
    customer_id          TEXT NOT NULL,
    -- What the customer has saved it for.
    purpose              TEXT NOT NULL
        CHECK (purpose IN ('payment', 'payout', 'payout-profile', 'recipient')),
    fingerprint          BLOB NOT NULL,
    bin                  TEXT NOT NULL,
    last4                TEXT NOT NULL,
    organization         TEXT NOT NULL,
    -- The year times one hundred, and the month.
    expiry               INTEGER,
    -- What comes of using it, where that is not acceptance.
    outcome              TEXT,
    name                 TEXT NOT NULL,
    is_default           INTEGER NOT NULL CHECK (is_default IN (0, 1)),
    first_transaction_id TEXT,
    details              TEXT NOT NULL,
    created_at           INTEGER NOT NULL,
    updated_at           INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, customer_id) REFERENCES customers (tenant_id, id),
    UNIQUE (tenant_id, customer_id, purpose, fingerprint)
) STRICT;
CREATE UNIQUE INDEX one_default_card ON cards (tenant_id, customer_id, purpose)
    WHERE is_default = 1;

-- What stands for a saved card in the purchases of its customer.
CREATE TABLE payment_tokens (
    tenant_id            INTEGER NOT NULL REFERENCES tenants (id),
    token                TEXT NOT NULL,
    card_id              TEXT NOT NULL,
    customer_id          TEXT NOT NULL,
    first_transaction_id TEXT NOT NULL,
    created_at           INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, token),
    FOREIGN KEY (tenant_id, card_id) REFERENCES cards (tenant_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_of_card ON payment_tokens (tenant_id, card_id);
CREATE INDEX tokens_of_customer ON payment_tokens (tenant_id, customer_id, created_at);

-- The card of a transaction that is not accepted yet: it is saved with the customer when it is. It
-- is written before the transaction, and so refers to nothing.
CREATE TABLE presented_cards (
    tenant_id      INTEGER NOT NULL REFERENCES tenants (id),
    transaction_id TEXT NOT NULL,
    customer_id    TEXT NOT NULL,
    purpose        TEXT NOT NULL CHECK (purpose IN ('payment', 'payout')),
    fingerprint    BLOB NOT NULL,
    bin            TEXT NOT NULL,
    last4          TEXT NOT NULL,
    organization   TEXT NOT NULL,
    expiry         INTEGER,
    outcome        TEXT,
    name           TEXT NOT NULL,
    -- The id that the saved card gets, unless the customer has saved it before.
    card_id        TEXT NOT NULL,
    token          TEXT,
    PRIMARY KEY (tenant_id, transaction_id)
) STRICT, WITHOUT ROWID;

-- Pages on which a customer enters one card. Whoever has the token may; only its hash is kept.
CREATE TABLE card_entries (
    tenant_id   INTEGER NOT NULL REFERENCES tenants (id),
    token_hash  BLOB NOT NULL,
    customer_id TEXT NOT NULL,
    details     TEXT NOT NULL,
    expires_at  INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, token_hash),
    FOREIGN KEY (tenant_id, customer_id) REFERENCES customers (tenant_id, id)
) STRICT, WITHOUT ROWID;
