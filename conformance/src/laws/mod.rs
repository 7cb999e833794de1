//! Laws: rules that hold for any server, derived from names and shapes in the document.
//!
//! Each law is a file. It prepares operations, sends requests, and reports one case per operation:
//! `laws/<law>/<operationId>`. The behaviour file confirms or excludes laws.

use futures_util::future::{FutureExt as _, LocalBoxFuture};
use openapi_document::behaviour::Reading;
use openapi_facts::Evidence;

use crate::model::{Call, Role};
use crate::scene::Scene;
use crate::scene::draft::{Draft, Tried};

mod facts_only;
mod lists;
mod notices;
mod queue;
pub(crate) mod readings;
mod records;
mod requests;
mod schedule;
mod shared;
pub(crate) mod steps;
mod watching;

pub(crate) use schedule::hold;

/// One law.
#[derive(Debug, PartialEq, Eq)]
pub struct Law {
    /// The id in kebab-case; it never changes.
    pub id: &'static str,
    /// The rule, in one line.
    pub doc: &'static str,
    /// When the law runs.
    pub(crate) stage: Stage,
    /// The strongest evidence that its findings can have.
    pub evidence: Evidence,
}

/// When a law runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Before all others, as it finds the recipes that make operations succeed.
    First,
    /// Concurrently: it uses only records that it created.
    Beside,
    /// Concurrently and first: it mostly waits.
    Waiting,
    /// Concurrently for a record, alone for a list, which other laws change.
    Mismatch,
    /// With few others: it sends concurrent requests on records that it created.
    Racing,
    /// Alone: other laws would change what it observes, such as a new record with the key of a deleted one.
    Alone,
}

impl Stage {
    /// The stage in which the law runs on an operation.
    fn on(self, call: &Call<'_>) -> Self {
        match self {
            Self::Mismatch if call.role == Role::List => Self::Alone,
            Self::Mismatch => Self::Beside,
            _ => self,
        }
    }
}

macro_rules! laws {
    ($($group:ident$(::$module:ident)?, $id:literal, $stage:ident, $evidence:ident, $doc:literal;)*) => {
        /// All laws, in the order of the report.
        pub static ALL: &[Law] = &[$(Law { id: $id, doc: $doc, stage: Stage::$stage, evidence: Evidence::$evidence }),*];

        /// Runs a law on an operation. The future is boxed, as the futures of all laws together would take more than
        /// half of a
        /// thread's stack.
        fn run<'r, 'd>(
            law: &Law,
            scene: &'r mut Scene<'_, 'd>,
            call: &'r Call<'d>,
            draft: &'r mut Draft,
        ) -> LocalBoxFuture<'r, Tried> {
            match law.id {
                $($id => $group$(::$module)?::run(scene, call, draft).boxed_local(),)*
                _ => std::future::ready(Ok(false)).boxed_local(),
            }
        }
    };
}

laws! {
    records::success, "success", First, Stated, "a successful operation answers as documented, with the values that were sent";
    requests::authentication, "authentication", Beside, Stated, "requests without credentials, with altered ones or with those of another scheme are refused";
    requests::unknown, "unknown", Beside, Stated, "a key that does not exist is not found";
    requests::references, "references", Beside, Read, "a request that names an unknown or a deleted record is refused";
    requests::constraints, "constraints", Beside, Stated, "a request that breaks one keyword of its schema is refused and has no effect";
    records::agreement, "agreement", Beside, Read, "every reading of a record shows what was answered, each time";
    lists::listing, "listing", Alone, Read, "a created record is in the lists of its kind, with the values of its reading";
    lists::pages, "paging", Alone, Read, "pages join without gap or repeat, in the requested or documented size and order";
    records::deletion, "deletion", Alone, Read, "a deleted record is not found, not listed and cannot be deleted again";
    records::parents, "parents", Beside, Read, "a child record is found under its parent only";
    requests::repetition, "repetition", Alone, Read, "a request repeated with its key takes effect once, and another request with that key is refused";
    requests::head, "head", Mismatch, Stated, "HEAD is answered like GET, without a body";
    requests::location, "location", Beside, Stated, "the `Location` of a creation leads to the created record";
    requests::methods, "methods", Beside, Stated, "undocumented methods, media types and body sizes are refused, as documented";
    requests::parameters, "parameters", Beside, Stated, "a parameter that breaks one keyword of its schema is refused, and so is a body that ends early";
    requests::refusals, "refusals", Beside, Read, "a refused change leaves its record unchanged";
    steps::races, "races", Racing, Read, "a request that succeeds once in sequence succeeds only once among concurrent requests";
    steps::rivals, "rivals", Racing, Read, "of two steps that exclude each other, one succeeds among concurrent requests";
    requests::bounds, "bounds", Beside, Read, "values at the bounds of a schema are accepted and come back as they were sent";
    records::freshness, "freshness", Beside, Read, "each record has its key, and times move with the events that they show";
    records::inheritance, "inheritance", Beside, Shown, "a child record has its parent's key, and the values that the examples of both share";
    facts_only, "sums", Alone, Stated, "the parts taken from a record never exceed the whole: at once, one by one or concurrently";
    notices::notifications, "notifications", Waiting, Stated, "a documented callback or webhook comes once, in time, signed and in its form";
    facts_only, "balance", Beside, Stated, "an amount that a fact computes from others equals the result, in each answer";
    facts_only, "moves", Alone, Stated, "an operation raises or lowers a number by as much as a fact says, and never beyond its bounds";
    records::merge, "merge", Beside, Read, "a PATCH changes only the properties that it names, and sets null where it sends null";
    lists::standing, "standing", Alone, Read, "a record stays in unfiltered lists after a step changes its state";
    records::replacing, "replacing", Beside, Read, "a PUT resets the properties that it omits";
    requests::item_defaults, "defaults", Beside, Stated, "omitting a property has the same effect as sending its documented default";
    records::omitted, "omitted", Alone, Read, "a property that a request omits does not come from an earlier request";
    records::isolation, "isolation", Alone, Read, "an operation on one record changes no other record";
    records::versions, "versions", Beside, Stated, "an entity tag changes with each change of the record, and a change of another version is refused";
    requests::tenants, "tenants", Beside, Read, "records of one tenant are not found by another one";
    requests::rights, "rights", Beside, Stated, "a read-only client is refused a change where 403 is documented";
    steps::finality, "finality", Beside, Read, "no step leads out of a state that is final by its name";
    steps::clashes, "clashes", Beside, Read, "a second record with a value that a fact says is unique is refused";
    steps::barred, "barred", Beside, Read, "an operation is refused in the states in which facts bar it";
    lists::filters, "filters", Alone, Read, "a filtered list has all matching records, and no others";
    requests::leftovers, "leftovers", Alone, Read, "a refused creation creates no record";
    records::pairs, "pairs", Beside, Shown, "an operation changes the properties that its documented pair shows as changed, and no others";
    facts_only, "terms", Beside, Stated, "a time follows another one after the duration that a fact says";
    steps::histories, "histories", Beside, Read, "a record is read as the last step left it";
    steps::chronicle, "chronicle", Beside, Read, "a list of a record's events shows each step once, under its name";
    facts_only, "effects", Beside, Stated, "a successful operation sets a property to the value that a fact says";
    requests::answers, "answers", Alone, Stated, "every answer follows the schema of its documented status";
}

/// The strongest evidence that findings of a law on an operation can have.
pub fn evidence(confirmed: &[Reading], law: &str, operation: &str) -> Evidence {
    let confirms = |reading: &Reading| reading.is_about(law, operation);
    if confirmed.iter().any(confirms) {
        return Evidence::Stated;
    }
    let known = ALL.iter().find(|item| item.id == law);
    known.map_or(Evidence::Stated, |law| law.evidence)
}
