//! Audit rules for the ledger and its transactions.

use super::Rule;

/// The rules for money.
pub(super) const RULES: [Rule; 8] = [
    (
        "balances-are-folded-entries",
        "SELECT tenant_id || ' ' || currency || ' ' || account FROM (
             SELECT tenant_id, currency, account, minor FROM balances
             UNION ALL SELECT tenant_id, currency, taker, -minor FROM entries
             UNION ALL SELECT tenant_id, currency, giver, minor FROM entries) AS moved
         GROUP BY tenant_id, currency, account HAVING sum(minor) <> 0",
    ),
    (
        "refunds-do-not-exceed-what-was-taken",
        "SELECT p.id FROM transactions p
             JOIN transactions r ON r.tenant_id = p.tenant_id AND r.parent_id = p.id
         WHERE r.status IN ('PENDING', 'ACCEPTED') GROUP BY p.tenant_id, p.id
         HAVING sum(r.amount) > max(p.captured)",
    ),
    (
        "sums-of-a-purchase-are-those-of-its-refunds",
        "SELECT p.id FROM transactions p
             LEFT JOIN transactions r ON r.tenant_id = p.tenant_id AND r.parent_id = p.id
         WHERE p.type = 'TRT_PURCHASE' GROUP BY p.tenant_id, p.id
         HAVING max(p.refunded) <> sum(CASE WHEN r.status = 'ACCEPTED' THEN r.amount ELSE 0 END)
             OR max(p.refunding) <> sum(CASE WHEN r.status = 'PENDING' THEN r.amount ELSE 0 END)",
    ),
    (
        "one-refund-is-active-at-a-time",
        "SELECT parent_id FROM transactions WHERE type = 'TRT_REFUND' AND status = 'PENDING'
         GROUP BY tenant_id, parent_id HAVING count(*) > 1",
    ),
    (
        "reserves-are-those-of-open-transactions",
        "SELECT tenant_id || ' ' || currency || ' ' || account FROM (
             SELECT tenant_id, currency, account, minor FROM balances
                 WHERE account IN ('refunds', 'payouts')
             UNION ALL SELECT tenant_id, currency,
                 CASE WHEN type = 'TRT_REFUND' THEN 'refunds' ELSE 'payouts' END, -amount
                 FROM transactions WHERE type <> 'TRT_PURCHASE' AND status = 'PENDING') AS reserved
         GROUP BY tenant_id, currency, account HAVING sum(minor) <> 0",
    ),
    (
        "a-transaction-has-moved-what-it-says",
        "SELECT t.id FROM transactions t LEFT JOIN (
             SELECT tenant_id, transaction_id,
                 CASE WHEN taker = 'outside' THEN minor ELSE -minor END AS minor
             FROM entries WHERE giver = 'outside' OR taker = 'outside') AS e
             ON e.tenant_id = t.tenant_id AND e.transaction_id = t.id
         GROUP BY t.tenant_id, t.id
         HAVING coalesce(sum(e.minor), 0) <> max(CASE WHEN t.type = 'TRT_PURCHASE' THEN -t.captured
             WHEN t.status = 'ACCEPTED' THEN t.amount ELSE 0 END)",
    ),
    (
        "an-answer-belongs-to-what-was-made",
        "SELECT a.collection || ' ' || a.merchant_id FROM answers a LEFT JOIN transactions t
             ON t.tenant_id = a.tenant_id AND t.collection = a.collection
                 AND t.merchant_id = a.merchant_id
         LEFT JOIN payment_links l
             ON l.tenant_id = a.tenant_id AND a.collection = 'transactions'
                 AND l.merchant_id = a.merchant_id
         WHERE t.id IS NULL AND l.id IS NULL",
    ),
    (
        "earlier-attempts-are-kept-as-they-failed",
        "SELECT t.id FROM transactions t LEFT JOIN attempts a
             ON a.tenant_id = t.tenant_id AND a.transaction_id = t.id
                 AND a.number < t.attempts AND a.status IN ('REJECTED', 'EXPIRED')
         GROUP BY t.tenant_id, t.id HAVING count(a.number) <> max(t.attempts) - 1",
    ),
];
