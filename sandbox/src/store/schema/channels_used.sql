-- The channel of each customer's last accepted transaction of a type.
CREATE TABLE channels_used (
    tenant_id   INTEGER NOT NULL REFERENCES tenants (id),
    customer_id TEXT NOT NULL,
    type        TEXT NOT NULL,
    channel     TEXT NOT NULL,
    used_at     INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, customer_id, type)
) STRICT, WITHOUT ROWID;
