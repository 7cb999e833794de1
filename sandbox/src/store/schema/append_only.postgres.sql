CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'entries are append-only'; END $$;
CREATE TRIGGER entries_are_not_changed BEFORE UPDATE OR TRUNCATE ON entries
    EXECUTE FUNCTION refuse_change();
-- Books are thrown away as a whole, when nobody has them any more.
CREATE FUNCTION refuse_removal() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN
        IF EXISTS (SELECT 1 FROM merchants WHERE tenant_id = OLD.tenant_id)
            OR EXISTS (SELECT 1 FROM snapshots WHERE tenant_id = OLD.tenant_id) THEN
            RAISE EXCEPTION 'entries are append-only';
        END IF;
        RETURN OLD;
    END $$;
CREATE TRIGGER entries_are_not_removed BEFORE DELETE ON entries
    FOR EACH ROW EXECUTE FUNCTION refuse_removal();
