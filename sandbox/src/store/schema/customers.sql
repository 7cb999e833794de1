CREATE TABLE customers (
    tenant_id            INTEGER NOT NULL REFERENCES tenants (id),
    id                   TEXT NOT NULL,
    -- The merchant's own id; that of a customer whom a transaction introduced is the service's.
    merchant_customer_id TEXT NOT NULL,
    details              TEXT NOT NULL,
    created_at           INTEGER NOT NULL,
    updated_at           INTEGER NOT NULL,
    deleted_at           INTEGER,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX one_customer_of_an_id ON customers (tenant_id, merchant_customer_id)
    WHERE deleted_at IS NULL;

-- Those to whom a customer sends money by an alias of their wallet, such as a telephone number.
CREATE TABLE instant_recipients (
    tenant_id   INTEGER NOT NULL REFERENCES tenants (id),
    id          TEXT NOT NULL,
    customer_id TEXT NOT NULL,
    name        TEXT NOT NULL,
    currency    TEXT NOT NULL,
    proxy_type  TEXT NOT NULL,
    proxy_value TEXT NOT NULL,
    details     TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, customer_id) REFERENCES customers (tenant_id, id),
    UNIQUE (tenant_id, customer_id, currency, proxy_type, proxy_value)
) STRICT;
