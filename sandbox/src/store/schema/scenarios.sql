-- The script of outcomes: what the next calls are answered with. A line that is used up is gone.
CREATE TABLE scenarios (
    tenant_id       INTEGER NOT NULL REFERENCES tenants (id),
    number          INTEGER NOT NULL CHECK (number > 0),
    operation       TEXT,
    payment_channel TEXT,
    outcome         TEXT NOT NULL,
    remaining       INTEGER NOT NULL CHECK (remaining > 0),
    PRIMARY KEY (tenant_id, number)
) STRICT, WITHOUT ROWID;
