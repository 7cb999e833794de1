//! Diff: compares two documents and reports the changes that matter to users of the contract.
//!
//! The comparison considers which values are valid, not how schemas are written: parts may be
//! moved, renamed and reordered. The rules are data ([`rules`]). Each pair of schemas is normalized
//! and compared once (`schema/`); the differences of a pair are then rated at each use (`walk`).
//!
//! The package knows no style rules and reads no files: the input is two loaded documents,
//! optionally with their behaviour files, and the output is a list of changes. Begin with
//! `operations.rs`, then `schema/pair.rs`.
//!
//! # Example
//!
//! ```
//! use jiff::civil::date;
//! use openapi_diff::{Options, compare};
//! use openapi_document::loader;
//!
//! let base = "\
//! openapi: 3.1.0
//! info: {title: Orders, version: 1.0.0}
//! paths:
//!   /orders:
//!     get:
//!       operationId: listOrders
//!       parameters: [{name: limit, in: query, schema: {type: integer, maximum: 100}}]
//!       responses: {'200': {description: All orders.}}
//! ";
//! let revision = base.replace("maximum: 100", "maximum: 50");
//! let base = loader::load_text("base.yaml", base)?;
//! let revision = loader::load_text("revision.yaml", &revision)?;
//! let changes = compare(&base, &revision, &Options::on(date(2026, 1, 31)));
//! let is_found = |id| changes.iter().any(|change| change.rule.id == id);
//! assert!(is_found("request-parameter-max-decreased"));
//! # Ok::<(), openapi_document::loader::LoadError>(())
//! ```

mod change;
mod contract;
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
mod facts;
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
pub use contract::Contract;
pub use options::Options;
pub use registry::{rule, rules};
pub use rule::{Action, Area, Direction, Kind, Level, Rule};

use openapi_document::view::Document;
use report::{Finding, Report, Scope};
use schema::Pairs;
use usage::Use;

/// All changes that matter to users of the contract, in source order of the revision.
///
/// Facts about the service are compared, too. Behaviour files count only if both sides have one.
pub fn compare<'d>(
    base: impl Into<Contract<'d>>,
    revision: impl Into<Contract<'d>>,
    options: &Options,
) -> Vec<Change> {
    let (base, revision) = (base.into(), revision.into());
    let mut comparison = Comparison {
        report: Report::new(base.document, revision.document),
        pairs: Pairs::new(base.document, revision.document),
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
    facts::compare(&mut comparison, base, revision);
    info::compare(&mut comparison);
    facts::compare_files(&mut comparison, base, revision);
    comparison.report.finish()
}

/// A comparison in progress.
#[derive(Debug)]
struct Comparison<'d, 'o> {
    report: Report<'d>,
    pairs: Pairs<'d>,
    /// The uses of pairs of schemas.
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
