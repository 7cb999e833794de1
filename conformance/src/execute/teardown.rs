//! Teardown: deletes the records of a run at its end.

use std::collections::BTreeMap;

use super::Sender;
use crate::answered::status;
use crate::event::Cleaned;
use crate::exchange::Sent;

impl Sender<'_, '_> {
    /// Deletes the records that the run created and that still exist. Repeats deletions that were
    /// refused once, because a record may be in use first.
    pub(super) async fn clean_up(&mut self) -> Cleaned {
        let mut cleaned = Cleaned::default();
        let mut refused = BTreeMap::new();
        for _ in 0..2 {
            for deletion in self.account.records.deletions() {
                if self.account.lost().is_some() {
                    break;
                }
                let address = deletion.url.clone();
                let exchange = self.send(self.plain(deletion)).await;
                match status(&exchange) {
                    Some(200..=299) => cleaned.deleted += 1,
                    Some(404 | 410) => {}
                    other => {
                        refused.insert(address, reason(other));
                    }
                }
            }
        }
        cleaned.left = self.account.records.left(&refused);
        cleaned
    }

    /// The request with only the headers that every request of the run has.
    pub(super) fn plain(&self, mut sent: Sent) -> Sent {
        let common = &self.wire.target.headers;
        let is_common = |name: &str| {
            common
                .iter()
                .any(|(header, _)| header.eq_ignore_ascii_case(name))
        };
        sent.headers.retain(|(name, _)| is_common(name));
        sent
    }
}

/// Why a record remains although the run tried to delete it.
fn reason(status: Option<u16>) -> String {
    match status {
        Some(status) => format!("the server answered {status} to its deletion"),
        None => "its deletion was not answered, or not sent".to_owned(),
    }
}
