INSERT INTO secrets (name, secret) SELECT name, secret FROM first_secrets;

-- A tenant was a merchant, whose clock nobody could move.
INSERT INTO tenants (id, clock_offset, made_at)
    SELECT id, 0, coalesce((SELECT min(created_at) FROM first_transactions t WHERE t.tenant_id = first_tenants.id), 0)
    FROM first_tenants;
INSERT INTO merchants (id, name, tenant_id) SELECT id, name, id FROM first_tenants;
INSERT INTO credentials (username, merchant_id, key_hash)
    SELECT username, tenant_id, key_hash FROM first_credentials;

-- Of customers there was nothing but an id.
INSERT INTO customers (tenant_id, id, merchant_customer_id, details, created_at, updated_at)
    SELECT c.tenant_id, c.id, c.id, '{}', t.made_at, t.made_at
    FROM first_customers c JOIN tenants t ON t.id = c.tenant_id;

-- Purchases before the refunds that refer to them.
INSERT INTO transactions (tenant_id, id, version, collection, type, parent_id, merchant_id, origin_id,
        payment_channel, status, currency, amount, two_step, capturing, captured, refunding, refunded, attempts,
        reject_code, due_at, due_then, planned_capture, planned_refund, planned_renew, created_at, modified_at,
        details)
    SELECT tenant_id, id, 1, collection, type, parent_id, merchant_id, origin_id,
        payment_channel, status, currency, amount, two_step, capturing, captured, refunding, refunded, attempts,
        reject_code, due_at, due_then, planned_capture, planned_refund, planned_renew, created_at, modified_at,
        details
    FROM first_transactions ORDER BY parent_id IS NOT NULL, created_at, id;
INSERT INTO timers (tenant_id, kind, subject, due_at)
    SELECT tenant_id, 'transaction', id, due_at FROM first_transactions WHERE due_at IS NOT NULL;
INSERT INTO attempts (tenant_id, transaction_id, number, status, reject_code, authentication, ended_at)
    WITH RECURSIVE earlier (tenant_id, id, number, ended_at) AS (
        SELECT tenant_id, id, attempts - 1, modified_at FROM first_transactions WHERE attempts > 1
        UNION ALL SELECT tenant_id, id, number - 1, ended_at FROM earlier WHERE number > 1)
    SELECT tenant_id, id, number, 'REJECTED', NULL, NULL, ended_at FROM earlier;
INSERT INTO offers (tenant_id, attempt_id, transaction_id, place, attempt_no, provider_id, terms_uuid, expires_at,
        amount, crypto_amount, crypto_network_fee, selected)
    SELECT t.tenant_id, o.attempt_id, o.transaction_id, o.rowid, o.attempt_no, o.provider_id, o.terms_uuid,
        o.expires_at, o.amount, o.crypto_amount, o.crypto_network_fee, o.selected
    FROM first_offers o JOIN first_transactions t ON t.id = o.transaction_id;
INSERT INTO answers (tenant_id, collection, merchant_id, fingerprint, body)
    SELECT tenant_id, collection, merchant_id, fingerprint, body FROM first_answers;

-- An entry was two postings that cancelled out: what was given, then what was taken.
INSERT INTO entries (tenant_id, transaction_id, currency, giver, taker, minor, posted_at)
    SELECT g.tenant_id, g.transaction_id, g.currency, g.account, t.account, t.minor, t.posted_at
    FROM postings g JOIN postings t ON t.entry = g.entry AND t.id > g.id ORDER BY g.id;
INSERT INTO balances (tenant_id, currency, account, shard, minor)
    SELECT tenant_id, currency, account, 0, minor FROM first_balances;

DROP TABLE postings;
DROP TABLE first_offers;
DROP TABLE first_answers;
DROP TABLE first_balances;
DROP TABLE first_credentials;
DROP TABLE first_customers;
DROP TABLE first_transactions;
DROP TABLE first_secrets;
DROP TABLE first_tenants;
