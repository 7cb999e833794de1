//! Dispatcher: sends the events of a run to all consumers.

use std::collections::BTreeSet;
use std::io;

use crate::collect::Selection;
use crate::deviations::Known;
use crate::event::{Consumer, Event};
use crate::hooks;
use crate::requirements::Requirements;

/// Sends the events in scope, and marks requirements and known deviations.
pub(super) struct Dispatcher<'t, 'c> {
    pub(super) consumers: &'t mut [&'c mut dyn Consumer],
    pub(super) selection: &'t Selection,
    pub(super) known: Known,
    requirements: Requirements,
    /// Operations that received a request.
    ran: BTreeSet<String>,
    failed: Option<io::Error>,
}

impl<'t, 'c> Dispatcher<'t, 'c> {
    pub(super) fn new(
        consumers: &'t mut [&'c mut dyn Consumer],
        selection: &'t Selection,
        known: Known,
        requirements: Requirements,
    ) -> Self {
        Self {
            consumers,
            selection,
            known,
            requirements,
            ran: BTreeSet::new(),
            failed: None,
        }
    }

    /// Dispatches one event.
    pub(super) fn dispatch(&mut self, mut event: Event) {
        match &mut event {
            Event::Case(case) if !hooks::is_hook(case) && !self.selection.wants(&case.id) => {
                return;
            }
            Event::Case(case) => {
                self.requirements.mark(case);
                self.known.mark(case);
                if case.requests > 0 {
                    self.ran.insert(case.operation_id.clone());
                }
            }
            Event::Finished(_) if self.selection.cases.is_empty() => {
                let is_shard = self.selection.shard.is_some();
                let mut wrong = self.known.settle(&self.ran, is_shard);
                if self.selection.areas.is_empty() && self.selection.operations.is_empty() {
                    wrong.extend(self.requirements.settle(self.selection));
                }
                for case in wrong {
                    self.send(&Event::Case(case));
                }
            }
            _ => {}
        }
        self.send(&event);
    }

    fn send(&mut self, event: &Event) {
        for consumer in self.consumers.iter_mut() {
            match consumer.event(event) {
                // A closed pipe ends only the terminal output; the report is still written.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
                Err(error) => {
                    self.failed.get_or_insert(error);
                }
                Ok(()) => {}
            }
        }
    }

    /// Returns the first error of a consumer.
    pub(super) fn finish(self) -> io::Result<()> {
        self.failed.map_or(Ok(()), Err)
    }
}
