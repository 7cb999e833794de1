//! The frozen list: a file beside the contract, written by a command, that names every case and check which
//! a certificate of a version is about.

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

/// The form of the file.
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
    /// Where it stands.
    pub line: usize,
}

/// Why a list cannot be used: everything that is wrong with it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct FrozenError(String);

impl Frozen {
    /// Reads a list.
    ///
    /// # Errors
    /// It cannot be read, or something in it is not what it should be; all of it, each with its line.
    pub fn read(path: &Path) -> Result<Self, FrozenError> {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| FrozenError(format!("failed to read {file}: {error}")))?;
        Self::parse(&file, &text)
    }

    /// Reads the text of a list.
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

    /// That the list is of another version of the contract, where it is.
    pub fn mismatch(&self, version: &str) -> Option<String> {
        (self.version != version).then(|| {
            format!(
                "{} is of the contract's version {}, and this one is {version}",
                self.file, self.version
            )
        })
    }

    /// Which list it is, for certificates.
    pub fn identity(&self) -> ListIdentity {
        let name = Path::new(&self.file).file_stem();
        ListIdentity {
            name: name.map_or_else(String::new, |own| own.to_string_lossy().into_owned()),
            sha256: sha256(&self.text),
        }
    }

    /// How strongly it demands a case, if it does.
    pub fn level(&self, operation: &str, case: &str) -> Option<Level> {
        let (level, _) = self.cases.get(operation)?.get(case)?;
        Some(*level)
    }

    /// Whether it was made when there was a check.
    pub fn has_check(&self, check: &str) -> bool {
        self.checks.contains(check)
    }

    /// How many cases it has.
    pub fn len(&self) -> usize {
        self.cases.values().map(BTreeMap::len).sum()
    }

    /// Whether it demands nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its entries.
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
            self.wrong(of_or(of, root), &format!("there is no text `{key}`"));
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
            .filter(|own| !KEYS.contains(&own.key.as_str()))
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
            if !checks::ALL.iter().any(|own| own.id == id) {
                self.wrong(check, &format!("there is no check `{id}`"));
            }
            frozen.checks.insert(id.to_owned());
        }
        for operation in root.get("cases").into_iter().flat_map(Node::entries) {
            let cases = operation.value.entries();
            let mut own = BTreeMap::new();
            for case in cases {
                let level = case.value.as_str().and_then(Level::parse);
                if level.is_none() {
                    self.wrong(&case.value, "a level is MUST, SHOULD or MAY");
                }
                let line = self.sources.place(case.key_span).line;
                own.insert(case.key.clone(), (level.unwrap_or(Level::Must), line));
            }
            frozen.cases.insert(operation.key.clone(), own);
        }
        frozen
    }
}

fn of_or<'n>(of: &'n Node, root: &'n Node) -> &'n Node {
    if of.as_mapping().is_some() { of } else { root }
}

/// A list as it is written. It is read as a tree, since what is wrong with it has a line.
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

/// What stands above a list.
const HEAD: &str = "# What a certificate of this version of the contract is about. Written by `conformance requirements`; never changed.\n";

/// The text of a list: operation → case → level.
///
/// # Errors
/// It is not written.
pub(super) fn text(
    (version, sha256): (&str, &str),
    cases: &BTreeMap<String, BTreeMap<String, Level>>,
) -> Result<String, serde_yaml::Error> {
    let list = Written {
        requirements: FORM,
        contract: WrittenContract { version, sha256 },
        suite: TOOL.version,
        checks: checks::ALL.iter().map(|own| own.id).collect(),
        cases,
    };
    Ok(format!("{HEAD}{}", serde_yaml::to_string(&list)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
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
            let own = BTreeMap::from([(id.to_owned(), Level::Must)]);
            let cases = BTreeMap::from([(id.to_owned(), own)]);
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
    fn every_mistake_is_told_with_its_line() {
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
            let own = lines.iter().find(|own| own.contains(part));
            assert!(
                own.is_some_and(|own| own.starts_with(place)),
                "{part}: {error}"
            );
        }
    }
}
