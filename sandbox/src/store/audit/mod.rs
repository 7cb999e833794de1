//! Audits the database: recomputes the ledger and checks the relations between records.

mod books;
mod notifications;
mod records;
mod states;

use super::connection::Connection;
use super::error::StoreError;
use super::{details, schema};

/// A violation of an audit rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The violated rule.
    pub rule: &'static str,
    /// A text that identifies the violation.
    pub subject: String,
}

/// A rule: its name, and a query that returns one row of text per violation.
type Rule = (&'static str, &'static str);

/// The rule that all stored details can be parsed.
const DETAILS: &str = "details-can-be-read";

/// The rules that consist of one fixed query.
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

/// All violations of all rules; empty when the database is consistent.
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

/// The `WITH` clause that restricts a query to the records of merchants and snapshots. Retired
/// tenants are copied or removed in parts, so their rows need not be consistent.
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
