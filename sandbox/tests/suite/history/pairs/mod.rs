//! Tries every event on records in every reachable state, over HTTP. Events in the tables of
//! `spec/behaviour.yaml` happen; all others are refused and change nothing.

mod links;
mod notifications;
mod offers;
mod plans;
mod products;
mod reports;
mod subscriptions;
mod table;
mod transactions;

use std::collections::BTreeSet;

use serde_json::Value;

use self::table::Table;
use super::world::World;
use crate::databases::{self, Fresh};
use crate::process::Reply;

/// A record, with the data that events on it need.
struct Subject {
    id: String,
    more: Value,
}

/// What happens to an event that the table does not allow.
enum Refusal {
    /// The caller gets a problem with this status and code.
    Problem(u16, &'static str),
    /// The caller gets a page with this status.
    Page(u16),
    /// The event does not address the record: a timer or another record causes it. Nothing happens.
    Ignored,
    /// The event is stored for later; the state stays.
    Deferred,
}

/// The state of the record forbids the event.
const CONFLICT: Refusal = Refusal::Problem(409, "E1409");
/// The record does not exist.
const UNKNOWN: Refusal = Refusal::Problem(404, "E1404");

/// Creates records of one machine, reads them, and causes events on them.
trait Driver {
    /// Their database table.
    const TABLE: &'static str;

    /// Creates a record and brings it into a state, ready for an event.
    async fn bring(&self, world: &World, state: &str, event: &str) -> Subject;

    /// Its state.
    async fn state(&self, world: &World, subject: &Subject) -> String;

    /// Causes the event; `None` when no request causes it.
    async fn attempt(&self, world: &World, subject: &Subject, event: &str) -> Option<Reply>;

    /// What happens to the event when the table does not allow it.
    fn refusal(&self, state: &str, event: &str) -> Refusal;

    /// Whether the table allows the event although nothing changes.
    fn is_silent(&self, _state: &str, _event: &str) -> bool {
        false
    }
}

/// Tries all pairs of a table, except those of unreachable states.
async fn go_through<D: Driver>(fresh: Option<Fresh>, table: Table, driver: D, unreached: &[&str]) {
    let Some(fresh) = fresh else { return };
    let world = World::on(fresh).await;
    let (mut legal, mut illegal) = (0, 0);
    for state in table.reached() {
        for event in &table.events {
            world.reset().await;
            if attempt(&world, &table, &driver, state, event).await {
                legal += 1;
            } else {
                illegal += 1;
            }
        }
    }
    let (states, events) = (table.states.len(), table.events.len());
    assert_eq!(table.unreached(), unreached, "{}", table.name);
    assert_eq!(legal, table.rows.len(), "{}", table.name);
    let pairs = legal + illegal + unreached.len() * events;
    assert_eq!(pairs, states * events, "{}", table.name);
}

/// Causes one event on a fresh record in one state; returns whether it was allowed.
async fn attempt<D: Driver>(
    world: &World,
    table: &Table,
    driver: &D,
    state: &str,
    event: &str,
) -> bool {
    let name = format!("{}: {state} {event}", table.name);
    let subject = driver.bring(world, state, event).await;
    assert_eq!(driver.state(world, &subject).await, state, "{name}");
    let before = world.rows().await;
    let reply = driver.attempt(world, &subject, event).await;
    let after = world.rows().await;
    let stands = driver.state(world, &subject).await;
    let Some(next) = table.next(state, event) else {
        assert_eq!(stands, state, "{name}");
        let rows_of = |rows: &[String]| rows_of(rows, D::TABLE, &subject);
        match driver.refusal(state, event) {
            Refusal::Problem(status, code) => {
                refused(&name, reply, status, code);
                assert_eq!(changes(&before, &after), NOTHING, "{name}");
            }
            Refusal::Page(status) => {
                assert_eq!(reply.map(|reply| reply.status), Some(status), "{name}");
                assert_eq!(changes(&before, &after), NOTHING, "{name}");
            }
            Refusal::Ignored => assert_eq!(rows_of(&after), rows_of(&before), "{name}"),
            Refusal::Deferred => assert_ne!(rows_of(&after), rows_of(&before), "{name}"),
        }
        return false;
    };
    let taken = reply.as_ref().is_none_or(|reply| reply.status < 400);
    assert!(taken, "{name}: {reply:?}");
    assert_eq!(stands, next, "{name}");
    let silent = changes(&before, &after).is_empty();
    assert_eq!(silent, driver.is_silent(state, event), "{name}");
    world.audit().await;
    true
}

/// No changed row.
const NOTHING: [&String; 0] = [];

/// The rows that exist only before or only after.
fn changes<'a>(before: &'a [String], after: &'a [String]) -> Vec<&'a String> {
    let (had, has): (BTreeSet<_>, BTreeSet<_>) = (before.iter().collect(), after.iter().collect());
    had.symmetric_difference(&has).copied().collect()
}

/// The rows of one record.
fn rows_of(rows: &[String], table: &str, subject: &Subject) -> Vec<String> {
    let start = format!("{table}: ");
    let rows_of = |row: &&String| row.starts_with(&start) && row.contains(&subject.id);
    rows.iter().filter(rows_of).cloned().collect()
}

/// Checks that the answer is the documented problem.
fn refused(name: &str, reply: Option<Reply>, status: u16, code: &str) {
    let reply = reply.unwrap_or_else(|| panic!("{name}: no request was made"));
    assert_eq!(reply.status, status, "{name}: {reply:?}");
    let kind = reply.headers["content-type"].to_str().unwrap();
    assert_eq!(kind, "application/problem+json", "{name}");
    assert_eq!(reply.body["code"], code, "{name}: {reply:?}");
    assert_eq!(reply.body["status"], status, "{name}: {reply:?}");
    assert!(reply.body["requestId"].is_string(), "{name}: {reply:?}");
}

/// Creates a module of tests for each machine and each kind of database, and a list of the tables.
macro_rules! pairs {
    ($($name:ident: $table:expr, $driver:expr, unreached $unreached:expr;)*) => {
        mod memory {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                let fresh = Some(super::Fresh::Memory);
                super::go_through(fresh, $table, $driver, &$unreached).await;
            })*
        }

        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                let fresh = super::databases::postgres();
                super::go_through(fresh, $table, $driver, &$unreached).await;
            })*
        }

        mod list {
            /// Every tested table.
            pub(super) fn all() -> Vec<super::Table> {
                vec![$($table),*]
            }
        }
    };
}

pairs! {
    purchases: super::table::of_kind(super::table::Kind::Purchase),
        super::transactions::Transactions(super::table::Kind::Purchase), unreached [];
    refunds: super::table::of_kind(super::table::Kind::Refund),
        super::transactions::Transactions(super::table::Kind::Refund),
        unreached ["AUTHORIZED", "EXPIRED"];
    payouts: super::table::of_kind(super::table::Kind::Payout),
        super::transactions::Transactions(super::table::Kind::Payout), unreached ["AUTHORIZED"];
    offers: super::table::tables::offer(), super::offers::Offers, unreached [];
    subscriptions: super::table::tables::subscription(), super::subscriptions::Subscriptions,
        unreached [];
    plans: super::table::tables::plan(), super::plans::Plans, unreached [];
    products: super::table::tables::product(), super::products::Products, unreached [];
    links: super::table::tables::payment_link(), super::links::Links, unreached [];
    reports: super::table::tables::report(), super::reports::Reports, unreached [];
    notifications: super::table::tables::notification(), super::notifications::Notifications,
        unreached [];
}

#[test]
fn no_machine_is_left_out() {
    let tried = list::all();
    let generated = include_str!("../../../../../generated/src/behaviour/mod.rs");
    let modules = generated.lines().filter_map(|line| {
        let name = line.strip_prefix("pub mod ")?;
        name.strip_suffix(';')
    });
    let modules: Vec<&str> = modules.collect();
    assert!(modules.len() >= 8, "{modules:?}");
    for module in modules {
        let expected = match module {
            "transaction" => table::Kind::ALL.len(),
            _ => 1,
        };
        let found = tried.iter().filter(|table| table.module == module).count();
        assert_eq!(found, expected, "{module}");
    }
}
