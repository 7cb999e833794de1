//! Compares two documents: what changed for those who use the contract.
//!
//! A change is judged by what is valid, not by how it is written: parts may be moved, renamed and
//! put in another order. What may be found is data ([`rules`]). Schemas are brought into one form
//! and compared once per pair (`schema/`); what differs in a pair is weighed where it is used
//! (`walk`).
//!
//! It knows no rule of style and no file: two loaded documents come in, changes come out. Begin with
//! `operations.rs`, then `schema/pair.rs`.

mod change;
mod explanation;
mod options;
mod registry;
mod rule;

mod number;
mod report;
mod schema;
mod side;

mod bodies;
mod both;
mod callbacks;
mod components;
mod info;
mod lifecycle;
mod links;
mod media_types;
mod operations;
mod parameters;
mod place;
mod property;
mod reach;
mod responses;
mod security;
mod seen;
mod servers;
mod usage;
mod walk;

pub use change::{Change, Reach, Spot};
pub use options::Options;
pub use registry::{rule, rules};
pub use rule::{Action, Area, Direction, Kind, Level, Rule};

use openapi_document::view::Document;
use report::{Finding, Report, Scope};
use schema::Pairs;
use usage::Use;

/// Everything that changed for those who use the contract, in the order of the revision's source.
pub fn compare(base: &Document, revision: &Document, options: &Options) -> Vec<Change> {
    let mut comparison = Comparison {
        report: Report::new(base, revision),
        pairs: Pairs::new(base, revision),
        uses: Vec::new(),
        options,
    };
    operations::compare(&mut comparison);
    security::compare_components(&mut comparison);
    servers::compare_root(&mut comparison);
    operations::compare_webhooks(&mut comparison);
    schema::complete(&mut comparison.pairs);
    walk::walk(&mut comparison);
    components::compare(&mut comparison);
    info::compare(&mut comparison);
    comparison.report.finish()
}

/// A comparison on its way.
#[derive(Debug)]
struct Comparison<'d, 'o> {
    report: Report<'d>,
    pairs: Pairs<'d>,
    /// Where pairs of schemas are used.
    uses: Vec<Use<'d>>,
    options: &'o Options,
}

impl<'d> Comparison<'d, '_> {
    /// The two documents.
    fn documents(&self) -> (&'d Document, &'d Document) {
        (self.report.base.document, self.report.revision.document)
    }

    fn push(&mut self, finding: Finding<'d>) {
        self.report.push(finding);
    }
}
