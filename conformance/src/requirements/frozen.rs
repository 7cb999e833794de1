//! The frozen list: a file beside the contract with every case and check of a certificate for that
//! version. A command writes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use openapi_document::{Node, SourceMap};
use serde::Serialize;

use crate::checks;
use crate::contract::identity::sha256;
use crate::level::Level;
use crate::list_identity::ListIdentity;
use crate::tool::TOOL;

/// The version of the file format.
const FORM: &str = "1";

/// A list.
#[derive(Debug, Clone, Default)]
pub struct Frozen {
    file: String,
    text: String,
    version: String,
    checks: BTreeSet<String>,
    /// Operation → case → level and line.
    cases: BTreeMap<String, BTreeMap<String, (Level, usize)>>,
}

/// One entry of the list.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'f> {
    /// The operation.
    pub operation: &'f str,
    /// The case.
    pub case: &'f str,
    /// The line in the file.
    pub line: usize,
}

/// Every mistake in a list.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct FrozenError(String);

impl Frozen {
    /// Reads a list.
    ///
    /// # Errors
    /// The file cannot be read, or has mistakes. Reports all of them with their lines.
    pub fn read(path: &Path) -> Result<Self, FrozenError> {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| FrozenError(format!("failed to read {file}: {error}")))?;
        Self::parse(&file, &text)
    }

    /// Parses the text of a list.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn parse(file: &str, text: &str) -> Result<Self, FrozenError> {
        let mut sources = SourceMap::default();
        let id = sources.add(file, text.to_owned());
        let root = openapi_document::yaml::read(&sources, id)
            .map_err(|error| FrozenError(format!("{file}: {error}")))?;
        let mut reader = Reader {
            sources: &sources,
            mistakes: String::new(),
        };
        let frozen = Frozen {
            text: text.to_owned(),
            ..reader.list(file, &root)
        };
        if reader.mistakes.is_empty() {
            Ok(frozen)
        } else {
            Err(FrozenError(reader.mistakes.trim_end().to_owned()))
        }
    }

    /// A message when the list is for another version of the contract.
    pub fn mismatch(&self, version: &str) -> Option<String> {
        (self.version != version).then(|| {
            format!(
                "{} is of the contract's version {}, and this one is {version}",
                self.file, self.version
            )
        })
    }

    /// The name and hash of the list, for certificates.
    pub fn identity(&self) -> ListIdentity {
        let name = Path::new(&self.file).file_stem();
        ListIdentity {
            name: name.map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            sha256: sha256(&self.text),
        }
    }

    /// The level of a case. `None` when the list lacks the case.
    pub fn level(&self, operation: &str, case: &str) -> Option<Level> {
        let (level, _) = self.cases.get(operation)?.get(case)?;
        Some(*level)
    }

    /// Whether the check existed when the list was written.
    pub fn has_check(&self, check: &str) -> bool {
        self.checks.contains(check)
    }

    /// The number of cases.
    pub fn len(&self) -> usize {
        self.cases.values().map(BTreeMap::len).sum()
    }

    /// Whether the list has no cases.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries.
    pub fn cases(&self) -> impl Iterator<Item = Entry<'_>> {
        self.cases.iter().flat_map(|(operation, cases)| {
            cases.iter().map(move |(case, (_, line))| Entry {
                operation,
                case,
                line: *line,
            })
        })
    }

    /// A line of the file, for people.
    pub fn place(&self, line: usize) -> String {
        format!("{}:{line}", self.file)
    }
}

struct Reader<'s> {
    sources: &'s SourceMap,
    mistakes: String,
}

impl Reader<'_> {
    fn wrong(&mut self, node: &Node, what: &str) {
        let place = self.sources.place(node.span);
        // Writing to a string does not fail.
        let _ = writeln!(self.mistakes, "{place}: {what}");
    }

    fn text(&mut self, root: &Node, of: &Node, key: &str) -> String {
        let text = of.get(key).and_then(Node::as_str);
        if text.is_none() {
            self.wrong(unless_null(of, root), &format!("there is no text `{key}`"));
        }
        text.unwrap_or_default().to_owned()
    }

    fn list(&mut self, file: &str, root: &Node) -> Frozen {
        const KEYS: [&str; 5] = ["requirements", "contract", "suite", "checks", "cases"];
        let mut frozen = Frozen {
            file: file.to_owned(),
            ..Frozen::default()
        };
        for entry in root
            .entries()
            .filter(|entry| !KEYS.contains(&entry.key.as_str()))
        {
            let what = format!(
                "there is no field `{}`; there are {}",
                entry.key,
                KEYS.join(", ")
            );
            self.wrong(&entry.value, &what);
        }
        let form = self.text(root, root, "requirements");
        if !form.is_empty() && form != FORM {
            let what = format!("this program reads lists of form {FORM}, not {form}");
            self.wrong(root, &what);
        }
        match root.get("contract") {
            Some(contract) => frozen.version = self.text(root, contract, "version"),
            None => self.wrong(root, "there is no `contract`"),
        }
        for check in root.get("checks").into_iter().flat_map(Node::items) {
            let id = check.as_str().unwrap_or_default();
            if !checks::ALL.iter().any(|item| item.id == id) {
                self.wrong(check, &format!("there is no check `{id}`"));
            }
            frozen.checks.insert(id.to_owned());
        }
        for operation in root.get("cases").into_iter().flat_map(Node::entries) {
            let cases = operation.value.entries();
            let mut levels = BTreeMap::new();
            for case in cases {
                let level = case.value.as_str().and_then(Level::parse);
                if level.is_none() {
                    self.wrong(&case.value, "a level is MUST, SHOULD or MAY");
                }
                let line = self.sources.place(case.key_span).line;
                levels.insert(case.key.clone(), (level.unwrap_or(Level::Must), line));
            }
            frozen.cases.insert(operation.key.clone(), levels);
        }
        frozen
    }
}

fn unless_null<'n>(of: &'n Node, root: &'n Node) -> &'n Node {
    if of.as_mapping().is_some() { of } else { root }
}

/// A list as it is written. It is read as a tree, so that mistakes have lines.
#[derive(Serialize)]
struct Written<'w> {
    requirements: &'static str,
    contract: WrittenContract<'w>,
    suite: &'static str,
    checks: Vec<&'static str>,
    cases: &'w BTreeMap<String, BTreeMap<String, Level>>,
}

#[derive(Serialize)]
struct WrittenContract<'w> {
    version: &'w str,
    sha256: &'w str,
}

/// The comment above a list.
const HEAD: &str = "# What a certificate of this version of the contract is about. Written by `conformance requirements`; never changed.\n";

/// The text of a list: operation → case → level.
///
/// # Errors
/// The list cannot be serialized.
pub(super) fn text(
    (version, sha256): (&str, &str),
    cases: &BTreeMap<String, BTreeMap<String, Level>>,
) -> Result<String, serde_yaml::Error> {
    let list = Written {
        requirements: FORM,
        contract: WrittenContract { version, sha256 },
        suite: TOOL.version,
        checks: checks::ALL.iter().map(|item| item.id).collect(),
        cases,
    };
    Ok(format!("{HEAD}{}", serde_yaml::to_string(&list)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_list_can_be_read() {
        let ids = [
            "it's/200/x",
            "a: b/200/#1",
            "1.0",
            "on",
            "null",
            "",
            " a ",
            "a\nb",
            "2024-01-01",
            "'",
            "\"",
        ];
        for id in ids {
            let levels = BTreeMap::from([(id.to_owned(), Level::Must)]);
            let cases = BTreeMap::from([(id.to_owned(), levels)]);
            let written = text((id, "1234567890"), &cases).unwrap();
            assert!(written.starts_with("# What a certificate"), "{written}");
            let frozen = Frozen::parse("list.yaml", &written).unwrap();
            assert_eq!(frozen.level(id, id), Some(Level::Must), "{written}");
            assert_eq!(frozen.level(id, "another"), None);
            assert!(frozen.has_check("echo") && !frozen.has_check("eco"));
            assert_eq!(frozen.mismatch(id), None, "{written}");
            assert!(frozen.mismatch("3").is_some());
            assert_eq!(frozen.identity().name, "list");
        }
    }

    #[test]
    fn every_mistake_is_reported_with_its_line() {
        let list = "requirements: '7'\ncontract: {sha256: ab}\nsuite: '0'\nchecks: [eco]\ncases:\n  a:\n    a/1: MOST\nmore: 1\n";
        let error = Frozen::parse("list.yaml", list).unwrap_err().to_string();
        let lines: Vec<&str> = error.lines().collect();
        assert_eq!(lines.len(), 5, "{error}");
        for (part, place) in [
            ("no field `more`", "list.yaml:8:"),
            ("form 1, not 7", "list.yaml:1:"),
            ("no text `version`", "list.yaml:2:"),
            ("no check `eco`", "list.yaml:4:"),
            ("MUST, SHOULD or MAY", "list.yaml:7:"),
        ] {
            let line_of_part = lines.iter().find(|line| line.contains(part));
            assert!(
                line_of_part.is_some_and(|text| text.starts_with(place)),
                "{part}: {error}"
            );
        }
    }
}
