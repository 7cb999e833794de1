CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries
    BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;
-- Books are thrown away as a whole, when nobody has them any more.
CREATE TRIGGER entries_are_not_removed BEFORE DELETE ON entries
    WHEN EXISTS (SELECT 1 FROM merchants WHERE tenant_id = OLD.tenant_id)
        OR EXISTS (SELECT 1 FROM snapshots WHERE tenant_id = OLD.tenant_id)
    BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;
