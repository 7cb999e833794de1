//! Reads the decided cases of a report, to write a list of requirements or to compare them with
//! one.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::frozen::{self, Frozen, FrozenError};
use crate::checks;
use crate::level::Level;

/// Why a report cannot become a list.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The text is not a report.
    #[error("no report of a run: {0}")]
    Form(#[from] serde_json::Error),
    /// The run tested only a part of the contract.
    #[error(
        "the run was of a part of the contract only: give no --area, --operation, --case, --shard or --profile of an area"
    )]
    Part,
}

/// Why a list cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// The list cannot be serialized as YAML.
    #[error("no YAML: {0}")]
    Form(#[from] serde_yaml::Error),
    /// The written list cannot be read.
    #[error("the list could not be read again: {0}")]
    Again(#[from] FrozenError),
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
    #[serde(default)]
    cases: Vec<String>,
    shard: Option<String>,
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

/// The decided cases of a run of a whole contract.
#[derive(Debug)]
pub struct Decided {
    /// The contract's version.
    pub version: String,
    sha256: String,
    /// Operation → case → level.
    cases: BTreeMap<String, BTreeMap<String, Level>>,
}

impl Decided {
    /// Reads a report. A skipped case is no requirement yet.
    ///
    /// # Errors
    /// The text is not a report, or the run tested only a part of the contract.
    pub fn read(text: &str) -> Result<Self, ReportError> {
        let report: Report = serde_json::from_str(text)?;
        let scope = &report.run.configuration;
        let named = [&scope.areas, &scope.operations, &scope.cases];
        if named.iter().any(|names| !names.is_empty()) || scope.shard.is_some() {
            return Err(ReportError::Part);
        }
        let mut cases: BTreeMap<String, BTreeMap<String, Level>> = BTreeMap::new();
        for case in report.cases {
            let is_decided = !matches!(case.verdict.as_str(), "skip" | "error")
                && !matches!(case.area.as_str(), "deviations" | "requirements" | "hooks");
            if let (true, Some(level)) = (is_decided, Level::parse(&case.level)) {
                let levels = cases.entry(case.operation_id).or_default();
                levels.insert(case.id, level);
            }
        }
        let Contract { version, sha256 } = report.run.contract;
        Ok(Self {
            version,
            sha256,
            cases,
        })
    }

    /// The text of the list with all cases.
    ///
    /// # Errors
    /// The list cannot be serialized, or the result cannot be read.
    pub fn list(&self, file: &str) -> Result<String, ListError> {
        let text = frozen::text((&self.version, &self.sha256), &self.cases)?;
        Frozen::parse(file, &text)?;
        Ok(text)
    }

    /// The cases and checks that a list lacks.
    pub fn beyond<'l>(&'l self, list: &Frozen) -> BTreeSet<&'l str> {
        let cases = self.cases.iter().flat_map(|(operation, cases)| {
            let new = cases
                .keys()
                .filter(|item| list.level(operation, item).is_none());
            new.map(String::as_str)
        });
        let checks = checks::ALL.iter().map(|item| item.id);
        cases
            .chain(checks.filter(|check| !list.has_check(check)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(version: &str) -> Decided {
        let contract = format!(r#"{{"version": "{version}", "sha256": "ab"}}"#);
        let configuration = r#"{"areas": [], "operations": [], "shard": null}"#;
        let case = r#"{"id": "getA/200/x", "operationId": "getA", "area": "a", "level": "SHOULD", "verdict": "pass"}"#;
        let run = format!(r#"{{"contract": {contract}, "configuration": {configuration}}}"#);
        Decided::read(&format!(r#"{{"run": {run}, "cases": [{case}]}}"#)).unwrap()
    }

    #[test]
    fn a_list_that_its_reader_refuses_is_not_written() {
        let decided_cases = decided("1.0");
        let list = Frozen::parse("list.yaml", &decided_cases.list("list.yaml").unwrap()).unwrap();
        assert_eq!(list.level("getA", "getA/200/x"), Some(Level::Should));
        assert!(decided_cases.beyond(&list).is_empty());
        // `serde_yaml` writes this string without quotes, and YAML 1.2 reads it as a number.
        let error = decided("1e400").list("list.yaml").unwrap_err().to_string();
        assert!(error.contains("list.yaml:4:"), "{error}");
        assert!(error.contains("no text `version`"), "{error}");
    }
}
