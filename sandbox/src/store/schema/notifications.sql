-- What merchants are told of their transactions, written in the same commit as what it tells of.
CREATE TABLE notifications (
    tenant_id      INTEGER NOT NULL REFERENCES tenants (id),
    id             TEXT NOT NULL,
    transaction_id TEXT NOT NULL,
    -- Counts the notifications of a transaction, from 1.
    sequence       INTEGER NOT NULL CHECK (sequence > 0),
    event          TEXT NOT NULL,
    url            TEXT NOT NULL,
    -- What is shared by addresses that one receiver answers.
    origin         TEXT NOT NULL,
    -- Word for word what is sent and signed.
    body           TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('waiting', 'delivered', 'gone', 'exhausted')),
    -- How often it was sent at all, and since it was last told to begin anew.
    attempts       INTEGER NOT NULL CHECK (attempts >= 0),
    tries          INTEGER NOT NULL CHECK (tries >= 0),
    -- Whether it is to be sent now; when not, a timer may make it so at `due_at`.
    ready          INTEGER NOT NULL CHECK (ready IN (0, 1)),
    due_at         INTEGER,
    -- Who is sending it, and until when by the machine's clock nobody else may.
    lease          TEXT,
    leased_until   INTEGER,
    created_at     INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, transaction_id) REFERENCES transactions (tenant_id, id),
    UNIQUE (tenant_id, transaction_id, sequence),
    CHECK ((lease IS NULL) = (leased_until IS NULL)),
    CHECK (ready = 0 OR due_at IS NULL)
) STRICT;
CREATE INDEX notifications_ready ON notifications (created_at, sequence) WHERE ready = 1;
CREATE INDEX notifications_listed ON notifications (tenant_id, created_at, id);

-- How each attempt to send one has ended. What the receiver said is not kept.
CREATE TABLE notification_attempts (
    tenant_id       INTEGER NOT NULL REFERENCES tenants (id),
    notification_id TEXT NOT NULL,
    number          INTEGER NOT NULL CHECK (number > 0),
    made_at         INTEGER NOT NULL,
    milliseconds    INTEGER NOT NULL CHECK (milliseconds >= 0),
    -- One of them: the status of the answer, or why there was none.
    status          INTEGER,
    failure         TEXT,
    PRIMARY KEY (tenant_id, notification_id, number),
    FOREIGN KEY (tenant_id, notification_id) REFERENCES notifications (tenant_id, id),
    CHECK ((status IS NULL) <> (failure IS NULL))
) STRICT, WITHOUT ROWID;

-- Faults that somebody asked for, each in how many of a hundred notifications.
CREATE TABLE notification_faults (
    tenant_id  INTEGER NOT NULL REFERENCES tenants (id),
    duplicated INTEGER NOT NULL CHECK (duplicated BETWEEN 0 AND 100),
    reordered  INTEGER NOT NULL CHECK (reordered BETWEEN 0 AND 100),
    dropped    INTEGER NOT NULL CHECK (dropped BETWEEN 0 AND 100),
    PRIMARY KEY (tenant_id)
) STRICT, WITHOUT ROWID;

-- What a merchant's notifications are signed with. They outlive a reset, as credentials do.
CREATE TABLE signing_secrets (
    merchant_id INTEGER NOT NULL REFERENCES merchants (id),
    number      INTEGER NOT NULL CHECK (number > 0),
    secret      BLOB NOT NULL,
    -- When it stops signing, by the merchant's clock; the present one has no end.
    retires_at  INTEGER,
    PRIMARY KEY (merchant_id, number)
) STRICT, WITHOUT ROWID;
