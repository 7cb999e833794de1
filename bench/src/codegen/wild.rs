//! Counts for each generator how many documents of many publishers it generates, and how many of
//! those crates compile.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use super::documents_of;
use super::generator::Generator;
use super::row::Run;

/// The counts of one generator.
#[derive(Debug, PartialEq, Eq)]
struct Counts {
    generator: &'static str,
    generated: usize,
    compile: usize,
}

/// The table of all generators. Only one document in `one_of` is tried; nothing without the folder.
pub(super) fn table(
    documents: &Path,
    one_of: usize,
    ready: &[(&'static Generator, PathBuf)],
    folder: &Path,
) -> anyhow::Result<String> {
    if !documents.is_dir() {
        let place = documents.display();
        return Ok(format!(
            "\nDocuments of `wild` are left out: there is no {place}.\n"
        ));
    }
    let all = documents_of(documents, &[])?;
    let tried: Vec<&PathBuf> = all.iter().step_by(one_of.max(1)).collect();
    let mut rows = Vec::new();
    for (generator, program) in ready.iter().filter(|(own, _)| own.is_compiled) {
        let mut counts = Counts {
            generator: generator.name,
            generated: 0,
            compile: 0,
        };
        for document in &tried {
            let mut run = Run::new(document, generator, program, folder);
            run.generate()?;
            let out = run.out().to_owned();
            let row = run.row(true)?;
            counts.generated += usize::from(row.generated.is_ok());
            counts.compile += usize::from(matches!(row.compilation, Some(Ok(_))));
            // The crates of hundreds of documents would fill a disk.
            fs::remove_dir_all(out)?;
        }
        eprintln!("{counts:?}");
        rows.push(counts);
    }
    Ok(text(&rows, tried.len(), all.len()))
}

fn text(rows: &[Counts], tried: usize, all: usize) -> String {
    let mut text = format!(
        "\n| {tried} of the {all} documents of `wild` | generator | generated | compile |\n|---|---|---|---|\n"
    );
    for row in rows {
        let Counts {
            generator,
            generated,
            compile,
        } = row;
        let _ = writeln!(
            text,
            "| documents of `wild`: generated / compile | {generator} | {generated} of {tried} | {compile} of {tried} |"
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
            compile: 2,
        }];
        let text = text(&rows, 4, 186);
        assert!(
            text.contains("| 4 of the 186 documents of `wild` |"),
            "{text}"
        );
        assert!(text.ends_with("| ours | 3 of 4 | 2 of 4 |\n"), "{text}");
    }
}
