//! Audit rules for the relations between records, apart from the ledger.

use super::Rule;

/// The rules, in the order of their tables.
pub(super) const RULES: [Rule; 14] = [
    (
        "a-refund-is-of-a-purchase-in-its-currency",
        "SELECT r.id FROM transactions r JOIN transactions p
             ON p.tenant_id = r.tenant_id AND p.id = r.parent_id
         WHERE p.type <> 'TRT_PURCHASE' OR p.currency <> r.currency",
    ),
    (
        "only-an-accepted-purchase-has-taken-money",
        "SELECT id FROM transactions WHERE (captured > 0)
             <> (type = 'TRT_PURCHASE' AND status = 'ACCEPTED' AND amount > 0)",
    ),
    (
        "a-purchase-at-once-has-taken-its-amount",
        "SELECT id FROM transactions WHERE type = 'TRT_PURCHASE' AND status = 'ACCEPTED'
             AND two_step = 0 AND captured <> amount",
    ),
    (
        "what-is-being-captured-is-pending",
        "SELECT id FROM transactions WHERE capturing IS NOT NULL AND status <> 'PENDING'",
    ),
    (
        "a-rejection-has-its-code",
        "SELECT id FROM transactions WHERE (status = 'REJECTED') <> (reject_code IS NOT NULL)",
    ),
    (
        "nothing-is-due-after-the-end",
        "SELECT id FROM transactions
         WHERE due_at IS NOT NULL AND status NOT IN ('PENDING', 'AUTHORIZED')",
    ),
    (
        "a-timer-is-that-of-what-is-due",
        "SELECT w.subject FROM timers w LEFT JOIN transactions t
             ON t.tenant_id = w.tenant_id AND t.id = w.subject AND t.due_at = w.due_at
         WHERE w.kind = 'transaction' AND t.id IS NULL",
    ),
    (
        "an-offer-is-made-for-a-payout",
        "SELECT o.attempt_id FROM offers o JOIN transactions t
             ON t.tenant_id = o.tenant_id AND t.id = o.transaction_id
         WHERE t.type <> 'TRT_PAYOUT' OR o.amount <> t.amount",
    ),
    (
        "one-offer-is-taken-at-most",
        "SELECT transaction_id FROM offers WHERE selected = 1
         GROUP BY tenant_id, transaction_id HAVING count(*) > 1",
    ),
    (
        "a-subscription-begins-with-a-purchase",
        "SELECT s.id FROM subscriptions s LEFT JOIN transactions t
             ON t.tenant_id = s.tenant_id AND t.id = s.first_transaction_id
                 AND t.type = 'TRT_PURCHASE' AND (s.status = 'ordered' OR t.status = 'ACCEPTED')
         WHERE t.id IS NULL",
    ),
    (
        "what-has-ended-is-not-charged",
        "SELECT id FROM subscriptions WHERE status IN ('ordered', 'expired')
             AND (next_charge IS NOT NULL OR next_attempt IS NOT NULL OR charging = 1)",
    ),
    (
        "a-live-subscription-is-to-a-plan-that-is-there",
        "SELECT s.id FROM subscriptions s JOIN plans p
             ON p.tenant_id = s.tenant_id AND p.id = s.plan_id
         WHERE p.deleted_at IS NOT NULL AND s.deleted_at IS NULL
             AND s.status IN ('trial', 'active')",
    ),
    (
        "a-live-plan-is-of-a-product-that-is-there",
        "SELECT p.id FROM plans p JOIN products o
             ON o.tenant_id = p.tenant_id AND o.id = p.product_id
         WHERE o.deleted_at IS NOT NULL AND p.deleted_at IS NULL",
    ),
    (
        "notifications-of-a-transaction-are-counted",
        "SELECT transaction_id FROM notifications
         GROUP BY tenant_id, transaction_id HAVING max(sequence) <> count(*)",
    ),
];
