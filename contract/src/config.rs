//! `contract.toml`: how hard the gate judges, and what it is about.

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::level::Level;
use crate::levels::{Levels, Line};
use crate::output::Output;
use crate::problems::Problems;
use crate::toml_file::TomlFile;

/// The file that is read where no other is named and it is there.
pub const NAME: &str = "contract.toml";

const RULE: &str = "configuration";
const KEYS: &[&str] = &[
    "document", "base", "baseline", "fail-on", "output", "crate", "levels",
];

/// What the file says. Paths are relative to its folder.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The documents that are gated where none is named.
    pub documents: Vec<PathBuf>,
    /// The revision to compare with where none is named.
    pub base: Option<String>,
    /// The file of what is accepted.
    pub baseline: Option<PathBuf>,
    /// The least level that makes a run fail.
    pub fail_on: Option<FailOn>,
    /// The outputs.
    pub outputs: Vec<Output>,
    /// The manifest of the crate that is generated from the document.
    pub manifest: Option<PathBuf>,
    /// The levels that differ from those of the rules.
    pub levels: Levels,
}

/// What makes a run fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailOn {
    /// Findings of this level or a heavier one.
    Level(Level),
    /// Nothing.
    Never,
}

impl FailOn {
    /// The words for it.
    pub const WORDS: [&str; 4] = ["error", "warning", "info", "never"];

    /// What a word means.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "never" => Some(Self::Never),
            word => Level::parse(word)
                .filter(|level| *level != Level::Off)
                .map(Self::Level),
        }
    }

    /// The least level that makes a run fail.
    pub fn level(self) -> Option<Level> {
        match self {
            Self::Level(level) => Some(level),
            Self::Never => None,
        }
    }
}

impl Config {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or something in it is not what it should be: all of it.
    pub fn read(path: &Path) -> Result<Self, Problems> {
        let (mut file, text) = TomlFile::read(path, RULE)?;
        let config = Self::of(&mut file, &text, path.parent().unwrap_or(Path::new("")));
        file.finish(config)
    }

    fn of(file: &mut TomlFile, text: &str, folder: &Path) -> Self {
        let mut config = Self::default();
        for (key, value) in file.table(text) {
            match key.get_ref().as_ref() {
                "document" => {
                    let texts = file.strings(&value, "document").into_iter();
                    config.documents = texts.map(|(text, _)| folder.join(text)).collect();
                }
                "base" => config.base = file.string(&value, "base"),
                "baseline" => {
                    let text = file.string(&value, "baseline");
                    config.baseline = text.map(|text| folder.join(text));
                }
                "crate" => {
                    let text = file.string(&value, "crate");
                    config.manifest = text.map(|text| folder.join(text));
                }
                "fail-on" => config.fail_on = fail_on(file, &value),
                "output" => config.outputs = outputs(file, &value, folder),
                "levels" => config.levels = levels(file, &value),
                other => file.unknown_key(other, key.span(), KEYS),
            }
        }
        config
    }
}

fn fail_on(file: &mut TomlFile, value: &Spanned<DeValue<'_>>) -> Option<FailOn> {
    let word = file.string(value, "fail-on")?;
    let known = FailOn::parse(&word);
    if known.is_none() {
        let title = format!("`{word}` is nothing to fail on");
        let help = one_of(&word, &FailOn::WORDS);
        file.wrong(value.span(), title, "no level", Some(help));
    }
    known
}

fn outputs(file: &mut TomlFile, value: &Spanned<DeValue<'_>>, folder: &Path) -> Vec<Output> {
    let mut outputs = Vec::new();
    for (text, range) in file.strings(value, "output") {
        match Output::parse(&text) {
            Ok(output) => outputs.push(output.within(folder)),
            Err(error) => file.wrong(range, error.to_string(), "no output", None),
        }
    }
    outputs
}

fn levels(file: &mut TomlFile, value: &Spanned<DeValue<'_>>) -> Levels {
    let DeValue::Table(table) = value.get_ref() else {
        file.wrong(
            value.span(),
            "`levels` is not a table",
            "write [levels]",
            None,
        );
        return Levels::default();
    };
    let lines: Vec<Line> = lines(file, table);
    let (levels, unknown) = Levels::of(&lines);
    for own in unknown {
        file.wrong(own.range, own.title, "selects no rule", Some(own.help));
    }
    levels
}

fn lines(file: &mut TomlFile, table: &DeTable<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    for (key, value) in table {
        let name = key.get_ref().to_string();
        let Some(word) = file.string(value, &name) else {
            continue;
        };
        let range: Range<usize> = key.span();
        let Some(level) = Level::parse(&word) else {
            let title = format!("`{word}` is no level");
            let help = one_of(&word, &Level::ALL.map(Level::as_str));
            file.wrong(value.span(), title, "no level", Some(help));
            continue;
        };
        lines.push(Line {
            key: name,
            range,
            level,
        });
    }
    lines
}

fn one_of(word: &str, known: &[&'static str]) -> String {
    match openapi_document::spelling::nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it is one of {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config, Problems> {
        let path = Path::new("gate/contract.toml");
        let (mut file, text) = TomlFile::of(path, text, RULE);
        let config = Config::of(&mut file, &text, Path::new("gate"));
        file.finish(config)
    }

    #[test]
    fn paths_are_relative_to_the_file() {
        let config = read(
            "document = \"a.yaml\"\nfail-on = \"warning\"\noutput = [\"terminal\", \"sarif=b.sarif\"]\n\
             [levels]\nunknown-key = \"off\"\n\"unknown-*\" = \"info\"\n",
        )
        .unwrap();
        assert_eq!(config.documents, [Path::new("gate/a.yaml")]);
        assert_eq!(config.fail_on, Some(FailOn::Level(Level::Warning)));
        assert_eq!(
            config.outputs[1].path.as_deref(),
            Some(Path::new("gate/b.sarif"))
        );
        assert_eq!(config.levels.get("unknown-key"), Some(Level::Off));
    }

    #[test]
    fn mistakes_are_told_all_at_once() {
        let text = "documnt = \"a.yaml\"\nfail-on = \"warnin\"\noutput = [\"sariff\"]\n\
                    [levels]\nunknown-kez = \"off\"\nduplicate-key = \"erorr\"\nunknown-key = 3\n";
        let told = read(text).unwrap_err().render(false);
        for part in [
            "there is no key `documnt`",
            "did you mean `document`?",
            "gate/contract.toml:1:1",
            "did you mean `warning`?",
            "gate/contract.toml:3:11",
            "there is no rule `unknown-kez`",
            "did you mean `unknown-key`?",
            "did you mean `error`?",
            "`unknown-key` is not a string",
        ] {
            assert!(told.contains(part), "{part} is not in {told}");
        }
        let told = read("base = \n[levels\n").unwrap_err().render(false);
        assert!(told.contains("contract.toml:1:"), "{told}");
    }
}
