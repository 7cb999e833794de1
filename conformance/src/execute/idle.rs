//! Idle: while a scenario waits for something to come to be, it is found out how each operation is reached, which laws ask for.

use std::time::Duration;

use tokio::task::yield_now;
use tokio::time::sleep;

use super::account::Account;
use crate::setting::Setting;

/// No request is sent for so long before it counts as waiting.
const QUIET: Duration = Duration::from_millis(4);

/// Finds the ways to one operation after another, while no request is sent.
pub(super) async fn plan(laws: &Setting<'_, '_>, account: &Account<'_>) {
    let mut is_quiet = false;
    let calls = laws.model.calls.iter();
    for call in calls.filter(|own| laws.selection.covers(&own.operation)) {
        while !is_quiet {
            let before = account.requests();
            sleep(QUIET).await;
            is_quiet = account.requests() == before;
        }
        let before = account.requests();
        laws.recipes.ways(&call.operation.label());
        yield_now().await;
        is_quiet = account.requests() == before;
    }
}
