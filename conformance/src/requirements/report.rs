//! What a run has decided, as its report tells: what a list of requirements is made of, or held to.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::frozen::{self, Frozen, FrozenError};
use crate::checks;
use crate::level::Level;

/// Why a report makes no list.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// It is none.
    #[error("no report of a run: {0}")]
    Form(#[from] serde_json::Error),
    /// A part of the contract is not in it.
    #[error(
        "the run was of a part of the contract only: give no --area, --operation, --case, --shard or --profile of an area"
    )]
    Part,
}

/// Why a list is not written.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// YAML has no form for it.
    #[error("no YAML: {0}")]
    Form(#[from] serde_yaml::Error),
    /// Its reader refuses it.
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

/// Everything that a run of a whole contract has decided.
#[derive(Debug)]
pub struct Decided {
    /// The contract's version.
    pub version: String,
    sha256: String,
    /// Operation → case → level.
    cases: BTreeMap<String, BTreeMap<String, Level>>,
}

impl Decided {
    /// Reads a report; what was skipped is no requirement yet.
    ///
    /// # Errors
    /// The text is no report, or of a part of the contract.
    pub fn read(text: &str) -> Result<Self, ReportError> {
        let report: Report = serde_json::from_str(text)?;
        let scope = &report.run.configuration;
        let named = [&scope.areas, &scope.operations, &scope.cases];
        if named.iter().any(|own| !own.is_empty()) || scope.shard.is_some() {
            return Err(ReportError::Part);
        }
        let mut cases: BTreeMap<String, BTreeMap<String, Level>> = BTreeMap::new();
        for case in report.cases {
            let is_decided = !matches!(case.verdict.as_str(), "skip" | "error")
                && !matches!(case.area.as_str(), "deviations" | "requirements" | "hooks");
            if let (true, Some(level)) = (is_decided, Level::parse(&case.level)) {
                let own = cases.entry(case.operation_id).or_default();
                own.insert(case.id, level);
            }
        }
        let Contract { version, sha256 } = report.run.contract;
        Ok(Self {
            version,
            sha256,
            cases,
        })
    }

    /// The text of the list of all of it.
    ///
    /// # Errors
    /// It is not written, or could not be read again.
    pub fn list(&self, file: &str) -> Result<String, ListError> {
        let text = frozen::text((&self.version, &self.sha256), &self.cases)?;
        Frozen::parse(file, &text)?;
        Ok(text)
    }

    /// What a list does not have of it: cases, and the checks of this suite.
    pub fn beyond<'l>(&'l self, list: &Frozen) -> BTreeSet<&'l str> {
        let cases = self.cases.iter().flat_map(|(operation, cases)| {
            let new = cases
                .keys()
                .filter(|own| list.level(operation, own).is_none());
            new.map(String::as_str)
        });
        let checks = checks::ALL.iter().map(|own| own.id);
        cases
            .chain(checks.filter(|own| !list.has_check(own)))
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
    fn a_list_is_written_where_its_reader_takes_it() {
        let own = decided("1.0");
        let list = Frozen::parse("list.yaml", &own.list("list.yaml").unwrap()).unwrap();
        assert_eq!(list.level("getA", "getA/200/x"), Some(Level::Should));
        assert!(own.beyond(&list).is_empty());
        // `serde_yaml` takes this for a string that needs no quotes, and YAML 1.2 for a number.
        let error = decided("1e400").list("list.yaml").unwrap_err().to_string();
        assert!(error.contains("list.yaml:4:"), "{error}");
        assert!(error.contains("no text `version`"), "{error}");
    }
}
