//! Counts for each generator how many documents of many publishers it generates, and how many of
//! those crates compile.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use super::generator::Generator;
use super::row::Run;
use super::{Arguments, documents_of};

/// The counts of one generator.
#[derive(Debug, PartialEq)]
struct Counts {
    generator: &'static str,
    generated: usize,
    /// `None` if nothing is compiled.
    compile: Option<usize>,
    /// Seconds of CPU for the documents that all generators read.
    seconds: f64,
}

/// The table of all generators; empty without the folder. Generators take turns at each document.
pub(super) fn table(
    arguments: &Arguments,
    ready: &[(&'static Generator, PathBuf)],
    folder: &Path,
) -> anyhow::Result<String> {
    let (documents, compiled) = (&arguments.wild, !arguments.uncompiled);
    if !documents.is_dir() {
        let place = documents.display();
        return Ok(format!(
            "\nDocuments of `wild` are left out: there is no {place}.\n"
        ));
    }
    let all = documents_of(documents, &[])?;
    let tried: Vec<&PathBuf> = all.iter().step_by(arguments.wild_one_of.max(1)).collect();
    let ready = ready.iter().filter(|(own, _)| own.is_compiled);
    let mut counts: Vec<Counts> = ready
        .clone()
        .map(|(own, _)| Counts {
            generator: own.name,
            generated: 0,
            compile: compiled.then_some(0),
            seconds: 0.0,
        })
        .collect();
    let mut common = 0;
    for document in &tried {
        let mut seconds = Vec::new();
        for ((generator, program), counts) in ready.clone().zip(&mut counts) {
            let mut run = Run::new(document, generator, program, folder);
            run.generate()?;
            let out = run.out().to_owned();
            let row = run.row(compiled)?;
            counts.generated += usize::from(row.generated.is_ok());
            if let Some(compile) = &mut counts.compile {
                *compile += usize::from(matches!(row.compilation, Some(Ok(_))));
                // The crates of hundreds of documents would fill a disk.
                fs::remove_dir_all(out)?;
            }
            seconds.push(row.generated.ok().map(|(seconds, _)| seconds));
        }
        let seconds: Option<Vec<f64>> = seconds.into_iter().collect();
        common += usize::from(seconds.is_some());
        for (counts, seconds) in counts.iter_mut().zip(seconds.unwrap_or_default()) {
            counts.seconds += seconds;
        }
        eprintln!("{}: {counts:?}", document.display());
    }
    Ok(text(&counts, tried.len(), all.len(), common))
}

fn text(rows: &[Counts], tried: usize, all: usize, common: usize) -> String {
    let mut text = format!(
        "\n| {tried} of the {all} documents of `wild` | generated | compile | CPU s for the {common} that all generate |\n|---|---|---|---|\n"
    );
    for row in rows {
        let compile = row
            .compile
            .map_or_else(String::new, |compile| format!("{compile} of {tried}"));
        let _ = writeln!(
            text,
            "| {} | {} of {tried} | {compile} | {:.2} |",
            row.generator, row.generated, row.seconds
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_counts_what_compiles_among_all_that_was_tried() {
        let rows = [Counts {
            generator: "ours",
            generated: 3,
            compile: Some(2),
            seconds: 1.5,
        }];
        let text = text(&rows, 4, 186, 3);
        assert!(
            text.contains("| 4 of the 186 documents of `wild` |"),
            "{text}"
        );
        assert!(
            text.ends_with("| ours | 3 of 4 | 2 of 4 | 1.50 |\n"),
            "{text}"
        );
    }
}
