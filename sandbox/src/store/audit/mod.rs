//! The books, checked from their first entry, and the records beside them.

mod books;
mod notifications;
mod records;
mod states;

use super::connection::Connection;
use super::error::StoreError;
use super::{details, schema};

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

/// The rule on what describes records.
const DETAILS: &str = "details-can-be-read";

/// The rules that are queries as they stand.
fn queries() -> impl Iterator<Item = &'static Rule> {
    let money = books::RULES.iter().chain(&records::RULES);
    money.chain(&notifications::RULES)
}

/// The names of all rules.
pub fn rules() -> impl Iterator<Item = &'static str> {
    queries()
        .map(|(rule, _)| *rule)
        .chain([states::RULE, DETAILS])
}

/// Every breach of every rule; an empty list is a clean bill.
pub fn audit(connection: &Connection) -> Result<Vec<Finding>, StoreError> {
    let mut findings = Vec::new();
    let kept = kept(connection);
    for (rule, sql) in queries() {
        findings.extend(breaches(connection, rule, &format!("{kept} {sql}"))?);
    }
    let states = format!("{kept} {}", states::query());
    findings.extend(breaches(connection, states::RULE, &states)?);
    let unreadable = details::unreadable(connection)?;
    findings.extend(unreadable.into_iter().map(|subject| Finding {
        rule: DETAILS,
        subject,
    }));
    Ok(findings)
}

/// Restricts the tables of a query to the rows of tenants that somebody has. Those of others are being copied or removed,
/// a part at a time, and need not fit together.
fn kept(connection: &Connection) -> String {
    let schema = if connection.is_postgres() {
        "sandbox"
    } else {
        "main"
    };
    let table = |table: &&str| {
        format!(
            "{table} AS (SELECT * FROM {schema}.{table} WHERE tenant_id IN (SELECT tenant_id FROM merchants
                 UNION ALL SELECT tenant_id FROM snapshots))"
        )
    };
    let tables: Vec<String> = schema::OF_TENANT.iter().map(table).collect();
    format!("WITH {}", tables.join(", "))
}

fn breaches(
    connection: &Connection,
    rule: &'static str,
    sql: &str,
) -> Result<Vec<Finding>, StoreError> {
    connection.all(sql, &[], |row| {
        let subject = row.at(0)?;
        Ok(Finding { rule, subject })
    })
}
