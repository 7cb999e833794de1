CREATE TABLE reports (
    tenant_id         INTEGER NOT NULL REFERENCES tenants (id),
    id                TEXT NOT NULL,
    date_from         TEXT NOT NULL,
    date_to           TEXT NOT NULL,
    type              TEXT,
    currency          TEXT,
    status            TEXT NOT NULL,
    created_at        INTEGER NOT NULL,
    ready_at          INTEGER,
    transaction_count INTEGER,
    PRIMARY KEY (tenant_id, id),
    CHECK ((ready_at IS NULL) = (transaction_count IS NULL))
) STRICT;
CREATE INDEX reports_in_order ON reports (tenant_id, created_at, id);

-- Beside the reports, so that a list does not read files.
CREATE TABLE report_files (
    tenant_id INTEGER NOT NULL REFERENCES tenants (id),
    report_id TEXT NOT NULL,
    content   TEXT NOT NULL,
    PRIMARY KEY (tenant_id, report_id),
    FOREIGN KEY (tenant_id, report_id) REFERENCES reports (tenant_id, id)
) STRICT;
