-- What calculations have answered: a transaction may go back to each until it expires.
CREATE TABLE quotes (
    tenant_id      INTEGER NOT NULL REFERENCES tenants (id),
    id             TEXT NOT NULL,
    type           TEXT NOT NULL,
    merchant_id    TEXT,
    channel        TEXT NOT NULL,
    organization   TEXT,
    order_amount   INTEGER NOT NULL CHECK (order_amount > 0),
    order_currency TEXT NOT NULL,
    base           INTEGER NOT NULL CHECK (base >= 0),
    fee            INTEGER NOT NULL CHECK (fee >= 0),
    currency       TEXT NOT NULL,
    rate           TEXT NOT NULL,
    expires_at     INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX quotes_by_expiry ON quotes (tenant_id, expires_at);
