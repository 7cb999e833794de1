//! Compares this project's generator with the best other one for each document.

use std::fmt::Write;

use super::row::Row;

const HEAD: &str = "| document | generation, without rustfmt : fastest peer | `cargo check` of the client : best peer that compiles |\n|---|---|---|\n";

/// The table of the ratios.
pub(super) fn table(rows: &[Row]) -> String {
    let mut text = HEAD.to_owned();
    for document in rows.chunk_by(|a, b| a.document == b.document) {
        let generation = ratio(document, "ours without rustfmt", |row| {
            row.generated.as_ref().ok().map(|(seconds, _)| *seconds)
        });
        let check = ratio(document, "ours", |row| match &row.compilation {
            Some(Ok((seconds, _))) => Some(*seconds),
            _ => None,
        });
        let name = &document[0].document;
        let _ = writeln!(text, "| {name} | {generation} | {check} |");
    }
    text
}

fn ratio(rows: &[Row], ours: &str, seconds: impl Fn(&Row) -> Option<f64>) -> String {
    let selected = rows.iter().find(|row| row.generator == ours);
    let peers = rows.iter().filter(|row| !row.generator.starts_with("ours"));
    let peers = peers.filter_map(|row| Some((seconds(row)?, row.generator)));
    let best = peers.min_by(|a, b| a.0.total_cmp(&b.0));
    match (selected.and_then(&seconds), best) {
        (None, _) => String::new(),
        (Some(selected), None) => format!("{selected:.2} s, no peer"),
        (Some(selected), Some((peer, name))) => {
            let percent = 100.0 * selected / peer;
            format!("{selected:.2} : {peer:.2} s = **{percent:.0} %** ({name})")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(generator: &'static str, seconds: f64, check: Option<f64>) -> Row {
        Row {
            document: "orders".to_owned(),
            generator,
            generated: Ok((seconds, 1)),
            lines: 1,
            compilation: Some(check.map_or(Err("3 errors".to_owned()), |it| Ok((it, 1)))),
        }
    }

    #[test]
    fn a_peer_that_does_not_compile_is_not_the_best() {
        let rows = [
            row("ours", 2.0, Some(3.0)),
            row("ours without rustfmt", 0.5, None),
            row("ploidy 0.15.0", 1.0, None),
            row("openapi-to-rust 0.23.0", 2.0, Some(4.0)),
            row("openapi-generator 7.26.0", 9.0, Some(5.0)),
        ];
        let text = table(&rows);
        assert!(
            text.contains("0.50 : 1.00 s = **50 %** (ploidy 0.15.0)"),
            "{text}"
        );
        assert!(
            text.contains("3.00 : 4.00 s = **75 %** (openapi-to-rust 0.23.0)"),
            "{text}"
        );
    }

    #[test]
    fn without_a_peer_there_is_no_ratio() {
        let text = table(&[
            row("ours", 2.0, Some(3.0)),
            row("ours without rustfmt", 1.0, None),
        ]);
        assert!(text.contains("3.00 s, no peer"), "{text}");
    }
}
