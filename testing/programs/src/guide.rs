//! Follows guides exactly: writes the files and runs the commands of their readers.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};

/// A fenced block of a guide, with the comment in the line before it.
#[derive(Debug, PartialEq, Eq)]
pub enum Block {
    /// After `<!-- file NAME -->`: a file that the reader writes.
    File {
        /// The path, relative to the reader's folder.
        name: String,
        /// The content.
        text: String,
    },
    /// A block in `sh`: commands that the reader runs.
    Commands {
        /// The commands.
        script: String,
        /// The exit code after `<!-- exit CODE -->`, else 0.
        code: i32,
    },
}

/// The blocks of a guide in Markdown, in order. Ignores blocks in other languages.
pub fn blocks(guide: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut note = "";
    let mut lines = guide.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.extend(block(note, language, text.join("\n") + "\n"));
        }
        note = line;
    }
    blocks
}

fn block(note: &str, language: &str, text: String) -> Option<Block> {
    let word = |key: &str| {
        let note = note.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
        note.strip_prefix(key)
    };
    if let Some(name) = word("file ") {
        let name = name.to_owned();
        return Some(Block::File { name, text });
    }
    let code = word("exit ").and_then(|code| code.parse().ok());
    (language == "sh").then(|| Block::Commands {
        script: text,
        code: code.unwrap_or_default(),
    })
}

/// The indented commands below a heading of a guide.
pub fn commands_below(guide: &str, heading: &str) -> String {
    let heading = format!("## {heading}\n");
    let rest = guide.split_once(&heading).map_or("", |(_, rest)| rest);
    let section = rest.split("\n## ").next().unwrap_or_default();
    let lines = section.lines().filter_map(|line| line.strip_prefix("    "));
    lines.collect::<Vec<_>>().join("\n")
}

/// Writes each file of a guide into a folder and runs each command there, with the given `PATH`.
/// Returns the output of the commands.
///
/// # Errors
/// A command ends with another exit code than the guide states.
pub fn follow(blocks: Vec<Block>, folder: &Path, path: &str) -> anyhow::Result<String> {
    let mut printed = String::new();
    for block in blocks {
        match block {
            Block::File { name, text } => std::fs::write(folder.join(&name), text)
                .with_context(|| format!("failed to write {name}"))?,
            Block::Commands { script, code } => printed += &shell(&script, code, folder, path)?,
        }
    }
    Ok(printed)
}

/// Runs a script in a folder with the given `PATH`. Returns its output.
///
/// # Errors
/// The script ends with another exit code.
pub fn shell(script: &str, code: i32, folder: &Path, path: &str) -> anyhow::Result<String> {
    let mut bash = Command::new("bash");
    bash.args(["-eo", "pipefail", "-c", script]);
    bash.current_dir(folder)
        .envs([("PATH", path), ("CI", "true")]);
    for name in ["GITHUB_ACTIONS", "GITHUB_BASE_REF", "GITHUB_STEP_SUMMARY"] {
        bash.env_remove(name);
    }
    let output = bash.output().context("failed to start bash")?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    let status = output.status;
    ensure!(
        status.code() == Some(code),
        "expected exit code {code}, got {status}, from\n{script}\n{text}"
    );
    Ok(text)
}
