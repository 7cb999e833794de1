//! The books, checked from their first posting.

use std::path::Path;

use rusqlite::Connection;

use super::connection;
use super::error::StoreError;

/// One thing that does not add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule that is broken.
    pub rule: &'static str,
    /// What breaks it.
    pub subject: String,
}

/// A rule: its name, and a query that gives one row of text for each breach.
type Rule = (&'static str, &'static str);

const RULES: [Rule; 9] = [
    (
        "postings-of-an-entry-sum-to-zero",
        "SELECT 'entry ' || entry FROM postings GROUP BY entry, currency HAVING sum(minor) <> 0",
    ),
    (
        "postings-of-a-currency-sum-to-zero",
        "SELECT 'tenant ' || tenant_id || ' ' || currency FROM postings
         GROUP BY tenant_id, currency HAVING sum(minor) <> 0",
    ),
    (
        "balances-are-folded-postings",
        "SELECT tenant_id || ' ' || currency || ' ' || account FROM (
             SELECT tenant_id, currency, account, minor FROM balances
             UNION ALL SELECT tenant_id, currency, account, -minor FROM postings)
         GROUP BY tenant_id, currency, account HAVING sum(minor) <> 0",
    ),
    (
        "refunds-do-not-exceed-what-was-taken",
        "SELECT p.id FROM transactions p JOIN transactions r ON r.parent_id = p.id
         WHERE r.status IN ('PENDING', 'ACCEPTED') GROUP BY p.id
         HAVING sum(r.amount) > max(p.captured)",
    ),
    (
        "sums-of-a-purchase-are-those-of-its-refunds",
        "SELECT p.id FROM transactions p LEFT JOIN transactions r ON r.parent_id = p.id
         WHERE p.type = 'TRT_PURCHASE' GROUP BY p.id
         HAVING max(p.refunded) <> sum(iif(r.status = 'ACCEPTED', r.amount, 0))
             OR max(p.refunding) <> sum(iif(r.status = 'PENDING', r.amount, 0))",
    ),
    (
        "one-refund-is-active-at-a-time",
        "SELECT parent_id FROM transactions WHERE type = 'TRT_REFUND' AND status = 'PENDING'
         GROUP BY parent_id HAVING count(*) > 1",
    ),
    (
        "reserves-are-those-of-open-transactions",
        "SELECT tenant_id || ' ' || currency || ' ' || account FROM (
             SELECT tenant_id, currency, account, minor FROM balances
                 WHERE account IN ('refunds', 'payouts')
             UNION ALL SELECT tenant_id, currency,
                 iif(type = 'TRT_REFUND', 'refunds', 'payouts'), -amount FROM transactions
                 WHERE type <> 'TRT_PURCHASE' AND status = 'PENDING')
         GROUP BY tenant_id, currency, account HAVING sum(minor) <> 0",
    ),
    (
        "a-transaction-has-moved-what-it-says",
        "SELECT t.id FROM transactions t LEFT JOIN postings p
             ON p.transaction_id = t.id AND p.account = 'outside'
         GROUP BY t.id
         HAVING coalesce(sum(p.minor), 0) <> iif(t.type = 'TRT_PURCHASE', -max(t.captured),
             iif(t.status = 'ACCEPTED', t.amount, 0))",
    ),
    (
        "an-answer-belongs-to-a-transaction",
        "SELECT a.collection || ' ' || a.merchant_id FROM answers a LEFT JOIN transactions t
             USING (tenant_id, collection, merchant_id) WHERE t.id IS NULL",
    ),
];

/// Audits the database at a path and writes nothing to it.
///
/// # Errors
/// It cannot be read, or is no database of this program.
pub fn audit_file(path: &Path) -> Result<Vec<Finding>, StoreError> {
    audit(&connection::open_for_reading(path)?)
}

/// Every breach of every rule; an empty list is a clean bill.
pub fn audit(connection: &Connection) -> Result<Vec<Finding>, StoreError> {
    let mut findings = Vec::new();
    for (rule, sql) in RULES {
        let mut statement = connection.prepare(sql)?;
        let subjects = statement.query_map([], |row| row.get::<_, String>(0))?;
        for subject in subjects {
            findings.push(Finding {
                rule,
                subject: subject?,
            });
        }
    }
    Ok(findings)
}
