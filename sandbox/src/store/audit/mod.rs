//! The books, checked from their first entry, and the records beside them.

mod books;
mod notifications;
mod records;
mod states;

use super::connection::Connection;
use super::details;
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
    for (rule, sql) in queries() {
        findings.extend(breaches(connection, rule, sql)?);
    }
    findings.extend(breaches(connection, states::RULE, &states::query())?);
    let unreadable = details::unreadable(connection)?;
    findings.extend(unreadable.into_iter().map(|subject| Finding {
        rule: DETAILS,
        subject,
    }));
    Ok(findings)
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
