//! Lint: rules that check a document, its behaviour file and its scenarios.
//!
//! Each rule is a constant in a file: an id, a level, an explanation and a check function.
//! [`RULES`] lists the rules on documents; [`lint`] runs them. The loader in `openapi-document`
//! checks what it needs to read a document at all. Begin with `rule.rs`, then any rule.
//!
//! # Example
//!
//! ```
//! use openapi_document::loader;
//!
//! let text = "\
//! openapi: 3.1.0
//! info: {title: Orders, version: 1.0.0}
//! paths:
//!   /orders:
//!     get:
//!       responses: {'200': {description: All orders.}}
//! ";
//! let document = loader::load_text("api.yaml", text)?;
//! let findings = openapi_lint::lint(&document);
//! assert!(findings.iter().any(|finding| finding.rule == "operation-without-error"));
//! # Ok::<(), openapi_document::loader::LoadError>(())
//! ```

mod alternatives;
mod behaviour;
mod body_without_meaning;
mod bounds;
mod callbacks;
mod catalogue;
mod components;
mod context;
mod contradiction;
mod discriminators;
mod duplicate_key;
mod duplicate_operation_id;
mod edit;
mod enum_values;
mod error_schema;
mod example_form;
mod example_pairing;
mod facts;
mod field_types;
mod fix;
mod impossible_schema;
mod invalid_example;
mod invalid_pattern;
mod level;
mod levels;
mod links;
mod markdown;
mod money_as_number;
mod operation_id_form;
mod operation_responses;
mod page;
mod parameters;
mod path_form;
mod path_overlap;
mod path_parameters;
mod peers;
mod presence;
mod provenance;
mod reference;
mod required_examples;
mod rule;
mod run;
mod scenario;
mod schema_keywords;
mod schema_type;
mod second_reader;
mod secret_field;
mod security;
mod security_coverage;
mod server_url;
mod server_variable;
mod structure;
mod tags;
mod undefined_required;
mod unknown_key;
mod unknown_type;
mod unsigned_webhook;
mod words;

pub use behaviour::RULES as BEHAVIOUR_RULES;
pub use catalogue::RULES;
pub use facts::RULES as FACT_RULES;
pub use fix::{FixedFile, fix};
pub use level::Level;
pub use levels::{Levels, UnknownRule};
pub use page::page;
pub use peers::{Peer, peers};
pub use rule::Rule;
pub use run::{
    lint, lint_behaviour, lint_behaviour_with, lint_facts, lint_facts_with, lint_scenarios,
    lint_scenarios_with, lint_with,
};
pub use scenario::RULES as SCENARIO_RULES;
