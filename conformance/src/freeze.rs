//! The command `requirements`: writes a run's requirements as a list, or compares them with the
//! newest list.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use conformance::requirements::{Decided, Lists};

use crate::{CONFORMS, DIFFERS, HARNESS, complain, say};

/// Writes a list when the newest one lacks requirements of the run. With `check`, prints what it
/// lacks. Returns the exit code.
pub(crate) fn freeze(report: &Path, folder: &Path, check: bool) -> u8 {
    match outcome(report, folder, check) {
        Ok(Ok(text)) => {
            say(&text);
            CONFORMS
        }
        Ok(Err(lacking)) => complain(&lacking, DIFFERS),
        Err(error) => complain(&format!("{error:#}"), HARNESS),
    }
}

/// A message about the result, or what the newest list lacks.
fn outcome(report: &Path, folder: &Path, check: bool) -> anyhow::Result<Result<String, String>> {
    let failed = || format!("failed to read {}", report.display());
    let text = fs::read_to_string(report).with_context(failed)?;
    let decided = Decided::read(&text).with_context(failed)?;
    let lists = if folder.is_dir() {
        Lists::in_folder(folder).with_context(|| format!("failed to read {}", folder.display()))?
    } else {
        Lists::default()
    };
    let version = &decided.version;
    let file = folder.join(format!("{}.yaml", lists.next(version)));
    let lacking = match lists.newest(version).transpose()? {
        Some(newest) => {
            let lacking = decided.beyond(&newest);
            if lacking.is_empty() {
                let (name, count) = (newest.identity().name, newest.len());
                return Ok(Ok(format!(
                    "requirements: {name} has all of them, {count} cases"
                )));
            }
            let ids: Vec<&str> = lacking.into_iter().collect();
            format!(
                "{}\n{} requirements are in no list of the version {version}",
                ids.join("\n"),
                ids.len()
            )
        }
        None => format!("there is no list of the version {version}"),
    };
    if check {
        return Ok(Err(format!(
            "{lacking}: they warn at most, until `conformance requirements` writes {}. Certificates by earlier lists stay as they are",
            file.display()
        )));
    }
    let failed = || format!("failed to write {}", file.display());
    let text = decided.list(&file.display().to_string());
    let text = text.with_context(failed)?;
    fs::create_dir_all(folder).with_context(failed)?;
    let mut to = File::create_new(&file).with_context(failed)?;
    to.write_all(text.as_bytes()).with_context(failed)?;
    Ok(Ok(format!("requirements: {}", file.display())))
}
