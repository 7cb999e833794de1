//! Row: the measurements of one document and one generator.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::compilation::{self, Compilation};
use super::cost::{self, Cost};
use super::generator::{self, Generator};
use super::stem;
use programs::workspace;

/// A longer generation is not repeated, in seconds.
const LONG: f64 = 5.0;

/// The run of one generator for one document.
pub(super) struct Run<'a> {
    document: &'a Path,
    generator: &'static Generator,
    program: &'a Path,
    out: PathBuf,
    target: PathBuf,
    least: Option<Cost>,
}

/// The result of a run.
pub(super) struct Row {
    pub(super) document: String,
    pub(super) generator: &'static str,
    /// The cost of generating, or the error message.
    pub(super) generated: Result<(f64, u64), String>,
    pub(super) lines: usize,
    pub(super) compilation: Option<Compilation>,
}

impl<'a> Run<'a> {
    /// Creates a run. Generated and compiled files are below `folder`.
    pub(super) fn new(
        document: &'a Path,
        generator: &'static Generator,
        program: &'a Path,
        folder: &Path,
    ) -> Self {
        let name = generator::package(&stem(document));
        Self {
            document,
            generator,
            program,
            out: folder.join("crates").join(generator.folder).join(name),
            target: folder.join("check"),
            least: None,
        }
    }

    /// The folder of the crate.
    pub(super) fn out(&self) -> &Path {
        &self.out
    }

    /// Generates into an empty folder, unless an earlier generation took long or failed.
    pub(super) fn generate(&mut self) -> anyhow::Result<()> {
        if (self.least.as_ref()).is_some_and(|it| it.seconds > LONG || it.complaint.is_some()) {
            return Ok(());
        }
        if self.out.exists() {
            fs::remove_dir_all(&self.out)?;
        }
        fs::create_dir_all(&self.out)?;
        let mut command = (self.generator).command(self.program, self.document, &self.out);
        let cost = cost::of(&mut command)?;
        if (self.least.as_ref()).is_none_or(|least| cost.seconds < least.seconds) {
            self.least = Some(cost);
        }
        Ok(())
    }

    /// Counts and compiles the crate that was generated last.
    pub(super) fn row(self, compiled: bool) -> anyhow::Result<Row> {
        let document = stem(self.document);
        let mut row = Row {
            document,
            generator: self.generator.name,
            generated: Err("not tried".to_owned()),
            lines: 0,
            compilation: None,
        };
        let Some(cost) = self.least else {
            return Ok(row);
        };
        if let Some(complaint) = cost.complaint {
            row.generated = Err(complaint);
            return Ok(row);
        }
        row.generated = Ok((cost.seconds, cost.megabytes));
        self.generator.complete(&self.out, &row.document)?;
        row.lines = workspace::lines(&self.out)?;
        if compiled && self.generator.is_compiled {
            let features = self.generator.features;
            row.compilation = Some(compilation::of(&self.out, features, &self.target)?);
        }
        Ok(row)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "| {} | {} | ", self.document, self.generator)?;
        let (seconds, megabytes) = match &self.generated {
            Ok(cost) => cost,
            Err(complaint) => return write!(f, "no: {complaint} | | | | | | |"),
        };
        let lines = self.lines;
        match &self.compilation {
            None => write!(f, "yes | | {seconds:.2} | {megabytes} | {lines} | | |"),
            Some(Err(errors)) => write!(
                f,
                "yes | no: {errors} | {seconds:.2} | {megabytes} | {lines} | | |"
            ),
            Some(Ok((check, peak))) => write!(
                f,
                "yes | yes | {seconds:.2} | {megabytes} | {lines} | {check:.2} | {peak} |"
            ),
        }
    }
}
