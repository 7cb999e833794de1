CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'entries are append-only'; END $$;
CREATE TRIGGER entries_are_not_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
    EXECUTE FUNCTION refuse_change();
