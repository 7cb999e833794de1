-- Customers' subscriptions. Days are text, YYYY-MM-DD, in UTC.
CREATE TABLE subscriptions (
    tenant_id            INTEGER NOT NULL REFERENCES tenants (id),
    id                   TEXT NOT NULL,
    version              INTEGER NOT NULL CHECK (version > 0),
    plan_id              TEXT NOT NULL,
    customer_id          TEXT NOT NULL,
    -- The purchase is written right after the subscription that it begins, and refers to it.
    first_transaction_id TEXT NOT NULL,
    status               TEXT NOT NULL CHECK (status IN ('ordered', 'trial', 'active', 'expired')),
    start_day            TEXT NOT NULL,
    end_day              TEXT,
    paid                 INTEGER NOT NULL CHECK (paid >= 0),
    remaining            INTEGER CHECK (remaining >= 0),
    next_charge          TEXT,
    next_attempt         TEXT,
    declines             INTEGER NOT NULL CHECK (declines >= 0),
    attempts             INTEGER NOT NULL CHECK (attempts >= 0),
    charging             INTEGER NOT NULL CHECK (charging IN (0, 1)),
    cancel_reason        TEXT,
    email                TEXT,
    external_id          TEXT NOT NULL,
    payment_channel      TEXT,
    payment_source_id    TEXT NOT NULL,
    -- What the provider answers to the charges, where the merchant has asked for something.
    outcomes             TEXT,
    -- What describes the transactions that make the charges.
    details              TEXT NOT NULL,
    created_at           INTEGER NOT NULL,
    updated_at           INTEGER NOT NULL,
    deleted_at           INTEGER,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, plan_id) REFERENCES plans (tenant_id, id),
    FOREIGN KEY (tenant_id, customer_id) REFERENCES customers (tenant_id, id),
    UNIQUE (tenant_id, first_transaction_id)
) STRICT;
CREATE INDEX subscriptions_in_order ON subscriptions (tenant_id, created_at, id)
    WHERE deleted_at IS NULL;
CREATE INDEX subscriptions_of_plan ON subscriptions (tenant_id, plan_id, created_at, id)
    WHERE deleted_at IS NULL;
CREATE INDEX subscriptions_of_customer ON subscriptions (tenant_id, customer_id, created_at, id)
    WHERE deleted_at IS NULL;
