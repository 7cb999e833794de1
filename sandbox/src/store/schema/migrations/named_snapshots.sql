ALTER TABLE snapshots ADD COLUMN name TEXT;
ALTER TABLE merchants ADD COLUMN snapshots_taken INTEGER NOT NULL DEFAULT 0;
UPDATE merchants SET snapshots_taken =
    (SELECT coalesce(max(number), 0) FROM snapshots WHERE merchant_id = merchants.id);
CREATE INDEX transactions_listed ON transactions (tenant_id, created_at, id);
