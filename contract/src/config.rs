//! `contract.toml`: the configuration of the gate.

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::level::Level;
use crate::levels::{Levels, Line};
use crate::output::Output;
use crate::problems::Problems;
use crate::toml_file::TomlFile;

/// The default file name; the file is optional.
pub const NAME: &str = "contract.toml";

const RULE: &str = "configuration";
const KEYS: &[&str] = &[
    "document", "base", "baseline", "fail-on", "output", "crate", "levels",
];

/// The configuration. Paths are relative to the folder of the file.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The default documents.
    pub documents: Vec<PathBuf>,
    /// The default revision to compare with.
    pub base: Option<String>,
    /// The baseline file.
    pub baseline: Option<PathBuf>,
    /// The lowest level that fails a run; `None` if nothing does.
    pub fail_on: Option<FailOn>,
    /// The outputs.
    pub outputs: Vec<Output>,
    /// The manifest of the generated crate.
    pub manifest: Option<PathBuf>,
    /// The configured levels.
    pub levels: Levels,
}

/// What fails a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailOn {
    /// Findings of this level or above.
    Level(Level),
    /// Nothing.
    Never,
}

impl FailOn {
    /// The words for it.
    pub const WORDS: [&str; 4] = ["error", "warning", "info", "never"];

    /// Parses a word.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "never" => Some(Self::Never),
            word => Level::parse(word)
                .filter(|level| *level != Level::Off)
                .map(Self::Level),
        }
    }

    /// The lowest level that fails a run; `None` if nothing does.
    pub fn level(self) -> Option<Level> {
        match self {
            Self::Level(level) => Some(level),
            Self::Never => None,
        }
    }
}

impl Config {
    /// Reads a configuration file.
    ///
    /// # Errors
    /// The file cannot be read, or has errors; all errors are listed.
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
        let title = format!("`{word}` is not a level to fail on");
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
    for line in unknown {
        file.wrong(line.range, line.title, "selects no rule", Some(line.help));
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
            let title = format!("`{word}` is not a level");
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
    fn all_errors_are_reported_at_once() {
        let text = "documnt = \"a.yaml\"\nfail-on = \"warnin\"\noutput = [\"sariff\"]\n\
                    [levels]\nunknown-kez = \"off\"\nduplicate-key = \"erorr\"\nunknown-key = 3\n";
        let rendered = read(text).unwrap_err().render(false);
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
            assert!(rendered.contains(part), "{part} is not in {rendered}");
        }
        let rendered = read("base = \n[levels\n").unwrap_err().render(false);
        assert!(rendered.contains("contract.toml:1:"), "{rendered}");
    }
}
