//! A list of requirements, made of the report of a run.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::frozen;
use crate::level::Level;

/// Why a report makes no list.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// It is none.
    #[error("no report of a run: {0}")]
    Form(#[from] serde_json::Error),
    /// A part of the contract is not in it.
    #[error(
        "the run was of a part of the contract only: give no --area, --operation, --case or --profile of an area"
    )]
    Part,
}

#[derive(Deserialize)]
struct Report {
    run: Run,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Run {
    contract: Contract,
    configuration: Configuration,
}

#[derive(Deserialize)]
struct Contract {
    version: String,
    sha256: String,
}

#[derive(Deserialize)]
struct Configuration {
    areas: Vec<String>,
    operations: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    id: String,
    operation_id: String,
    area: String,
    level: String,
    verdict: String,
}

/// The name and the text of the list of all that a run has decided; what was skipped is no requirement yet.
///
/// # Errors
/// The text is no report, or of a part of the contract.
pub fn of_report(text: &str) -> Result<(String, String), ReportError> {
    let report: Report = serde_json::from_str(text)?;
    let scope = &report.run.configuration;
    if !scope.areas.is_empty() || !scope.operations.is_empty() {
        return Err(ReportError::Part);
    }
    let mut cases: BTreeMap<String, BTreeMap<String, Level>> = BTreeMap::new();
    for case in report.cases {
        let is_decided = !matches!(case.verdict.as_str(), "skip" | "error")
            && !matches!(case.area.as_str(), "deviations" | "requirements");
        if let (true, Some(level)) = (is_decided, Level::parse(&case.level)) {
            let own = cases.entry(case.operation_id).or_default();
            own.insert(case.id, level);
        }
    }
    let contract = &report.run.contract;
    let name = contract.sha256.get(..12).unwrap_or(&contract.sha256);
    let text = frozen::text((&contract.version, &contract.sha256), &cases);
    Ok((format!("{name}.yaml"), text))
}
