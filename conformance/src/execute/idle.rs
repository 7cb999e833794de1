//! Idle: prepares recipes for the laws while scenarios wait.

use std::time::Duration;

use tokio::task::yield_now;
use tokio::time::sleep;

use super::account::Account;
use crate::setting::Setting;

/// The run counts as idle when it sends no request for this long.
const QUIET: Duration = Duration::from_millis(4);

/// Finds the recipes of one operation after another while no request is sent.
pub(super) async fn plan(laws: &Setting<'_, '_>, account: &Account<'_>) {
    let mut is_quiet = false;
    let calls = laws.model.calls.iter();
    for call in calls.filter(|call| laws.selection.covers(&call.operation)) {
        while !is_quiet {
            let before = account.requests();
            sleep(QUIET).await;
            is_quiet = account.requests() == before;
        }
        let before = account.requests();
        laws.recipes.for_operation(&call.operation.label());
        yield_now().await;
        is_quiet = account.requests() == before;
    }
}
