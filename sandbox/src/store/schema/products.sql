-- What customers subscribe to.
CREATE TABLE products (
    tenant_id   INTEGER NOT NULL REFERENCES tenants (id),
    id          TEXT NOT NULL,
    name        TEXT NOT NULL,
    description TEXT,
    url         TEXT,
    type        TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    deleted_at  INTEGER,
    PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE INDEX products_in_order ON products (tenant_id, created_at, id) WHERE deleted_at IS NULL;
