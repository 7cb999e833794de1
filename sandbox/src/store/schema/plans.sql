-- What a subscription costs, and when it is charged.
CREATE TABLE plans (
    tenant_id      INTEGER NOT NULL REFERENCES tenants (id),
    id             TEXT NOT NULL,
    product_id     TEXT NOT NULL,
    active         INTEGER NOT NULL CHECK (active IN (0, 1)),
    trial_days     INTEGER NOT NULL CHECK (trial_days >= 0),
    charge_day     INTEGER CHECK (charge_day BETWEEN 1 AND 31),
    currency       TEXT NOT NULL,
    setup_fee      INTEGER NOT NULL CHECK (setup_fee >= 0),
    amount         INTEGER NOT NULL CHECK (amount > 0),
    interval_unit  TEXT NOT NULL CHECK (interval_unit IN ('day', 'week', 'month', 'year')),
    interval_count INTEGER NOT NULL CHECK (interval_count > 0),
    total_count    INTEGER CHECK (total_count > 0),
    retries        INTEGER NOT NULL CHECK (retries IN (0, 1)),
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    deleted_at     INTEGER,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, product_id) REFERENCES products (tenant_id, id)
) STRICT;
CREATE INDEX plans_in_order ON plans (tenant_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX plans_of_product ON plans (tenant_id, product_id, created_at, id)
    WHERE deleted_at IS NULL;
