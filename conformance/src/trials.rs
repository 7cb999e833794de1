//! Trials: each tests one kind of fact on an operation.
//!
//! A trial is a file with two functions: `applies` selects the operations on which it tests a rule, and `run` tests
//! the facts of its kind about one operation. It sees facts, never the texts of the document. A line of the table below
//! names the kind, the file and the law that reports it, and whether `run` gets `each` fact or `all` of them at once.

mod access;
mod counter;
mod default;
mod derived;
mod distinct;
mod effect;
mod idempotency;
mod immutable;
mod in_use;
pub(crate) mod invariant;
mod list_omits;
mod magic_value;
mod moving;
mod no_effect;
mod on_delete;
mod pair;
pub(crate) mod plan;
pub(crate) mod range;
mod reference;
mod refusal;
pub(crate) mod relation;
pub(crate) mod requires;
mod side_effect;
mod sum_limit;
pub(crate) mod taking;
mod timing;

use openapi_facts::rule::{
    Access, Async, Counter, Default, Effect, Equation, Idempotency, Immutable, ListOmits,
    MagicValue, NoEffect, OnDelete, Range, Reference, Refusal, Relation, Requires, SideEffect,
    SumLimit, Timing, Unique,
};
use openapi_facts::{Evidence, Fact, Rule};

use crate::model::{Call, Model};
use crate::scene::Scene;
use crate::scene::draft::{Draft, Tried};

pub(crate) use plan::{evidence, is_entry, plan, tested_by, tested_in_law, untestable};

/// Runs a trial on the facts of its kind about an operation: one by one, or all at once.
macro_rules! run {
    (each $trial:ident $scene:ident $call:ident $facts:ident $draft:ident) => {{
        let mut tried = Ok(false);
        for (fact, rule) in $facts {
            let one = Box::pin($trial::run($scene, $call, (fact, rule), $draft)).await;
            $draft.account_for(fact, &one);
            tried = both(tried, weighed(fact, one));
        }
        tried
    }};
    (all $trial:ident $scene:ident $call:ident $facts:ident $draft:ident) => {
        match &$facts[..] {
            [] => Ok(false),
            facts => Box::pin($trial::run($scene, $call, facts, $draft)).await,
        }
    };
}

macro_rules! trials {
    ($($kind:literal $rule:ident $trial:ident $law:literal $each:ident;)*) => {
        /// The kinds of facts that trials test, each with the law whose cases report it.
        const TESTED: &[(&str, &str)] = &[$(($kind, $law)),*];

        /// The law whose case tests a rule on an operation.
        fn law_of(rule: &Rule, model: &Model<'_>, call: &Call<'_>) -> Option<&'static str> {
            match rule {
                $(Rule::$rule(rule) if $trial::applies(rule, model, call) => Some($law),)*
                _ => None,
            }
        }

        /// Tests the facts about an operation that belong to a law.
        pub(crate) async fn run<'d>(
            law: &str,
            scene: &mut Scene<'_, 'd>,
            call: &Call<'d>,
            draft: &mut Draft,
        ) -> Tried {
            let mut tried = Ok(false);
            $(if law == $law {
                let model = scene.model;
                let facts = scene.facts_about(call).filter_map(|fact| match &fact.rule {
                    Rule::$rule(rule) => Some((fact, rule)),
                    _ => None,
                });
                let facts: Vec<(&Fact, &$rule)> = facts
                    .filter(|(fact, rule)| {
                        fact.rule.holds() && $trial::applies(rule, model, call)
                    })
                    .collect();
                tried = both(tried, run!($each $trial scene call facts draft));
            })*
            if law == invariant::LAW {
                tried = both(tried, Box::pin(invariant::run(scene, call, draft)).await);
            }
            tried
        }
    };
}

trials! {
    "effect" Effect effect "effects" all;
    "default" Default default "defaults" each;
    "requires" Requires requires "constraints" each;
    "immutable" Immutable immutable "merge" each;
    "on-delete" OnDelete on_delete "deletion" each;
    "on-delete" OnDelete in_use "barred" each;
    "async" Async moving "histories" each;
    "refusal" Refusal refusal "answers" each;
    "no-effect" NoEffect no_effect "isolation" each;
    "side-effect" SideEffect side_effect "effects" each;
    "range" Range range "constraints" each;
    "relation" Relation relation "constraints" each;
    "reference" Reference reference "references" each;
    "access" Access access "tenants" each;
    "list-omits" ListOmits list_omits "listing" each;
    "timing" Timing timing "terms" each;
    "magic-value" MagicValue magic_value "effects" each;
    "sum-limit" SumLimit sum_limit "sums" each;
    "equation" Equation derived "balance" each;
    "unique" Unique distinct "clashes" each;
    "idempotency" Idempotency idempotency "repetition" each;
    "counter" Counter counter "moves" each;
}

/// Combines the results of two trials of one case: tested if one of them was, else skipped for the first reason.
pub(crate) fn both(one: Tried, other: Tried) -> Tried {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok(one || other),
        (Ok(true), Err(_)) | (Err(_), Ok(true)) => Ok(true),
        (Err(reason), _) | (_, Err(reason)) => Err(reason),
    }
}

/// Turns a failed trial of a fact that was only read into "nothing to test", as the fact may concern something else.
fn weighed(fact: &Fact, tried: Tried) -> Tried {
    match fact.evidence() {
        Evidence::Stated => tried,
        _ => tried.or(Ok(false)),
    }
}
