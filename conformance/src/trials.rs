//! Trials: each tests one kind of fact on an operation. They see facts, never the texts of the document.
//!
//! A trial is a file with two functions: `applies` says on which operations it tests a rule, and `run` tests the facts of
//! its kind about one operation. A line of the table below names the kind, the file and the law whose cases report it.

mod access;
mod counter;
mod default;
mod effect;
pub(crate) mod equation;
mod immutable;
mod in_use;
mod kept;
mod list_omits;
mod magic_value;
mod moving;
mod no_effect;
mod on_delete;
pub(crate) mod plan;
mod range;
mod reference;
mod refusal;
mod relation;
pub(crate) mod requires;
mod side_effect;
mod sum_limit;
pub(crate) mod taking;
mod timing;
mod whole;

use openapi_facts::rule::{
    Access, Async, Counter, Default, Effect, Equation, Immutable, ListOmits, MagicValue, NoEffect,
    OnDelete, Range, Reference, Refusal, Relation, Requires, SideEffect, SumLimit, Timing,
};
use openapi_facts::{Fact, Rule};

use crate::model::{Call, Model};
use crate::scene::Scene;
use crate::scene::draft::{Draft, Tried};

pub(crate) use plan::{evidence, plan, tested_by};

macro_rules! trials {
    ($($kind:literal $rule:ident $trial:ident $law:literal;)*) => {
        /// The kinds of facts that trials test, each with the law whose cases report it.
        const TESTED: &[(&str, &str)] = &[$(($kind, $law)),*];

        /// The law whose case tests a rule on an operation.
        fn law_of(rule: &Rule, model: &Model<'_>, call: &Call<'_>) -> Option<&'static str> {
            match rule {
                $(Rule::$rule(rule) if $trial::applies(rule, model, call) => Some($law),)*
                _ => None,
            }
        }

        /// Tries the facts about an operation that the cases of a law test.
        pub(crate) async fn run<'d>(
            law: &str,
            scene: &mut Scene<'_, '_, '_, 'd>,
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
                if !facts.is_empty() {
                    let other = Box::pin($trial::run(scene, call, &facts, draft)).await;
                    tried = both(tried, other);
                }
            })*
            tried
        }
    };
}

trials! {
    "effect" Effect effect "effects";
    "default" Default default "defaults";
    "requires" Requires requires "constraints";
    "immutable" Immutable immutable "merge";
    "on-delete" OnDelete on_delete "deletion";
    "on-delete" OnDelete in_use "barred";
    "async" Async moving "histories";
    "refusal" Refusal refusal "answers";
    "no-effect" NoEffect no_effect "isolation";
    "side-effect" SideEffect side_effect "effects";
    "range" Range range "constraints";
    "relation" Relation relation "constraints";
    "reference" Reference reference "references";
    "access" Access access "tenants";
    "list-omits" ListOmits list_omits "listing";
    "timing" Timing timing "terms";
    "magic-value" MagicValue magic_value "effects";
    "sum-limit" SumLimit sum_limit "sums";
    "equation" Equation equation "balance";
    "counter" Counter counter "moves";
}

/// What became of two trials of one case: it is exercised where one of them was, else skipped for the first reason.
pub(crate) fn both(one: Tried, other: Tried) -> Tried {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok(one || other),
        (Ok(true), Err(_)) | (Err(_), Ok(true)) => Ok(true),
        (Err(reason), _) | (_, Err(reason)) => Err(reason),
    }
}
