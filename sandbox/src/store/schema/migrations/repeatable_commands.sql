ALTER TABLE merchants ADD COLUMN catalogue_binds INTEGER NOT NULL DEFAULT 1 CHECK (catalogue_binds IN (0, 1));

CREATE TABLE command_answers (
    tenant_id       INTEGER NOT NULL REFERENCES tenants (id),
    operation       TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint     BLOB NOT NULL,
    body            TEXT NOT NULL,
    PRIMARY KEY (tenant_id, operation, idempotency_key)
) STRICT, WITHOUT ROWID;
