//! Laws: what must hold of a server whatever its records are, derived from the document by names and
//! shapes, and sharpened by the behaviour file. Each law is a file; it brings operations to their
//! calls, sends what it needs, and says what it finds in a case for each operation: `laws/<law>/<operationId>`.

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
    /// Kebab-case, kept for ever.
    pub id: &'static str,
    /// What must hold, in one line.
    pub doc: &'static str,
    /// When it is tried.
    pub(crate) stage: Stage,
    /// The strongest evidence on which it finds something.
    pub evidence: Evidence,
}

/// When a law is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Before the others: it finds out how operations are brought to succeed.
    First,
    /// Beside others: it looks at records of its own only.
    Beside,
    /// Beside others, and before them: it waits for time to pass.
    Waiting,
    /// Beside others on a record, and alone on a list, which others would change.
    Apart,
    /// Beside a few others: it races on records of its own.
    Racing,
    /// Alone: it looks at what others would change.
    Alone,
}

impl Stage {
    /// When a law of this stage is tried on an operation.
    fn on(self, call: &Call<'_>) -> Self {
        match self {
            Self::Apart if call.role == Role::List => Self::Alone,
            Self::Apart => Self::Beside,
            _ => self,
        }
    }
}

macro_rules! laws {
    ($($group:ident$(::$module:ident)?, $id:literal, $stage:ident, $evidence:ident, $doc:literal;)*) => {
        /// Every law there is, in the order in which they are reported.
        pub static ALL: &[Law] = &[$(Law { id: $id, doc: $doc, stage: Stage::$stage, evidence: Evidence::$evidence }),*];

        /// Tries a law on an operation. The future is on the heap: awaited here, those of all laws together would take
        /// more than half of a thread's stack.
        fn run<'r, 'd>(
            law: &Law,
            scene: &'r mut Scene<'_, '_, '_, 'd>,
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
    records::success, "success", First, Stated, "an operation that is brought to succeed answers as documented, with what was sent";
    requests::authentication, "authentication", Beside, Stated, "without credentials, with garbled ones or those of another scheme nothing is granted";
    requests::unknown, "unknown", Beside, Stated, "a key that nobody has is not found";
    requests::references, "references", Beside, Read, "what a body names has to be there, and what is named must not be deleted";
    requests::constraints, "constraints", Beside, Stated, "a request that breaks one keyword of its schema is refused, and one at its bounds is not";
    records::agreement, "agreement", Beside, Read, "what was answered is what is read, by every key, in every list and each time";
    lists::listing, "listing", Alone, Read, "what was made is in the lists of its kind, and looks there as it is read";
    lists::pages, "paging", Alone, Read, "pages join without gap or repeat, in the size and order that was asked for, else the documented ones";
    records::deletion, "deletion", Beside, Read, "what is deleted is gone: it is not read, not listed, and not deleted again";
    records::parents, "parents", Beside, Read, "a child is found under its own parent only";
    requests::repetition, "repetition", Alone, Read, "the same request with the same key makes one record, and another one with that key is refused";
    requests::head, "head", Apart, Stated, "HEAD answers as GET does, without a body";
    requests::location, "location", Beside, Stated, "where a success says that its record stands, it is";
    requests::methods, "methods", Beside, Stated, "another method, kind of answer, kind or size of body is refused, as documented";
    requests::parameters, "parameters", Beside, Stated, "a parameter that breaks one keyword of its schema is refused, and so is a body that ends early";
    requests::refusals, "refusals", Beside, Read, "a change that is refused leaves its record as it was";
    steps::races, "races", Racing, Read, "what is granted once, one after another, is granted once when asked at once";
    steps::rivals, "rivals", Racing, Read, "of two steps that exclude each other one is granted when both are asked for at once";
    requests::bounds, "bounds", Beside, Read, "a request at the bounds of its schema is granted, and comes back as it was sent";
    records::freshness, "freshness", Beside, Read, "each record has a key of its own, and times move with what they tell of";
    records::inheritance, "inheritance", Beside, Shown, "a child has its parent's key, and what the examples of both have in common";
    facts_only, "sums", Alone, Stated, "what is taken from a record never exceeds it: not at once, not in parts, not at the same time";
    notices::notifications, "notifications", Waiting, Stated, "what a callback or a webhook promises comes: once, in time, signed and in its form";
    facts_only, "balance", Beside, Stated, "an amount that a fact computes from others is what they come to, in each answer";
    facts_only, "moves", Alone, Stated, "an operation raises or lowers a number by as much as a fact says, and never beyond its bounds";
    records::merge, "merge", Beside, Read, "what a patch does not name stays as it was, and what it sets to null is null";
    lists::standing, "standing", Alone, Read, "what a step has changed stays in the lists that can be asked for its state";
    records::replacing, "replacing", Beside, Read, "what a PUT leaves out has its default, or is no longer what it was";
    requests::item_defaults, "defaults", Beside, Stated, "a property that is left out does what its documented default does";
    records::omitted, "omitted", Alone, Read, "what a request leaves out is not taken from the one before it";
    records::isolation, "isolation", Alone, Read, "what is done to one record is done to no other one";
    records::versions, "versions", Beside, Stated, "an entity tag tells versions apart: it moves with each change, and another version is not changed";
    requests::tenants, "tenants", Beside, Read, "what belongs to one tenant is not found by another";
    requests::rights, "rights", Beside, Stated, "whoever may only read is refused what changes something, as documented";
    steps::finality, "finality", Beside, Read, "what is over stays over: no step leads from a state whose name says so";
    steps::taken, "clashes", Beside, Read, "a value that is unique, as a fact says, is refused for another record";
    steps::barred, "barred", Beside, Read, "an operation is refused in the states in which facts bar it";
    lists::filters, "filters", Alone, Read, "a list that is asked for the records with a value has all of them, and no others";
    requests::leftovers, "leftovers", Alone, Read, "a request that is refused makes no record";
    records::pairs, "pairs", Beside, Shown, "what a documented pair shows an operation to do to a record, and to leave alone, is what it does";
    facts_only, "terms", Beside, Stated, "a time is so long after another one as a fact says";
    steps::histories, "histories", Beside, Read, "whatever is done with a record, it is read as the last step has left it";
    steps::chronicle, "chronicle", Beside, Read, "a list of what has happened to a record tells of each step once, under its name";
    facts_only, "effects", Beside, Stated, "an operation that is granted gives a property the value that a fact says";
    requests::answers, "answers", Alone, Stated, "whatever an answer was asked for, it is as the schema of its documented status says";
}

/// The strongest evidence on which a law's case can find something.
pub fn evidence(confirmed: &[Reading], law: &str, operation: &str) -> Evidence {
    let confirms = |reading: &Reading| reading.is_about(law, operation);
    if confirmed.iter().any(confirms) {
        return Evidence::Stated;
    }
    let known = ALL.iter().find(|item| item.id == law);
    known.map_or(Evidence::Stated, |law| law.evidence)
}
