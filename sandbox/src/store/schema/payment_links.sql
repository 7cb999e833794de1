CREATE TABLE payment_links (
    tenant_id      INTEGER NOT NULL REFERENCES tenants (id),
    id             TEXT NOT NULL,
    -- Counts the changes: a decision holds only for the version it was made on.
    version        INTEGER NOT NULL CHECK (version > 0),
    merchant_id    TEXT NOT NULL,
    -- Where it stands as long as nobody pays; the rest is told by its purchase.
    unpaid         TEXT NOT NULL,
    currency       TEXT NOT NULL,
    amount         INTEGER NOT NULL CHECK (amount > 0),
    expires_at     INTEGER NOT NULL,
    hidden         INTEGER NOT NULL CHECK (hidden IN (0, 1)),
    -- Lower case, to be found by.
    customer_email TEXT,
    transaction_id TEXT,
    created_at     INTEGER NOT NULL,
    details        TEXT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, transaction_id) REFERENCES transactions (tenant_id, id),
    UNIQUE (tenant_id, merchant_id)
) STRICT;
CREATE INDEX payment_links_in_order ON payment_links (tenant_id, created_at, id);
-- Whoever has the id may pay, whoever the merchant is.
CREATE INDEX payment_links_by_id ON payment_links (id);
