//! HTML: writes the report as one self-contained page. Texts of a document are escaped, and the
//! page may not load anything.

use std::io;

use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::finding::{Finding, Place, Side};
use crate::level::Level;
use crate::report::{Counts, Report, TOOL};

const STYLE: &str = include_str!("../../templates/report.css");
const SCRIPT: &str = include_str!("../../templates/report.js");

/// The whole page.
#[derive(Template)]
#[template(path = "report.html")]
struct Page<'r> {
    policy: String,
    style: &'static str,
    script: &'static str,
    tool: String,
    report: &'r Report,
    title: &'r str,
    outcome: &'static str,
    counts: Counts,
    levels: Vec<(Level, usize)>,
    parts: Vec<&'r str>,
    cards: Vec<Card<'r>>,
}

/// A finding on the page.
struct Card<'r> {
    finding: &'r Finding,
    /// Its level, or `accepted`.
    weight: &'static str,
    sides: Vec<Panel<'r>>,
}

/// The lines of one place.
struct Panel<'r> {
    /// The word for its side.
    name: &'static str,
    place: &'r Place,
    path: String,
    lines: Vec<Line<'r>>,
}

/// A line, with its marked part separate.
struct Line<'r> {
    number: usize,
    before: &'r str,
    meant: &'r str,
    after: &'r str,
}

/// The text of the page.
///
/// # Errors
/// The template fails.
pub fn text(report: &Report) -> io::Result<String> {
    let mut parts: Vec<&str> = report
        .findings
        .iter()
        .map(|finding| finding.part.as_str())
        .collect();
    parts.sort_unstable();
    parts.dedup();
    let counts = report.counts();
    let title = report.documents.first().or(report.base.as_ref());
    let page = Page {
        policy: policy(),
        style: STYLE,
        script: SCRIPT,
        tool: format!("{} {}", TOOL.name, TOOL.version),
        report,
        title: title.map_or("Contract", |document| document.title.as_str()),
        outcome: report.outcome().as_str(),
        counts,
        levels: vec![
            (Level::Error, counts.error),
            (Level::Warning, counts.warning),
            (Level::Info, counts.info),
        ],
        parts,
        cards: report.findings.iter().map(card).collect(),
    };
    page.render().map_err(io::Error::other)
}

/// The content security policy: nothing is loaded, and only the page's script runs.
fn policy() -> String {
    let hash = STANDARD.encode(Sha256::digest(SCRIPT.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{hash}'; style-src 'unsafe-inline'; img-src data:; \
         base-uri 'none'; form-action 'none'"
    )
}

fn card(finding: &Finding) -> Card<'_> {
    let mut sides: Vec<Panel<'_>> = finding.places.iter().map(panel).collect();
    // The old document is on the left.
    sides.sort_by_key(|panel| panel.place.side);
    let weight = match finding.accepted {
        Some(_) => "accepted",
        None => finding.level.as_str(),
    };
    Card {
        finding,
        weight,
        sides,
    }
}

fn panel(place: &Place) -> Panel<'_> {
    let excerpt = &place.excerpt;
    let text = excerpt.text.as_str();
    let split = |at: usize| text.split_at_checked(at).unwrap_or((text, ""));
    let (before, _) = split(excerpt.start);
    let (upto, after) = split(excerpt.end);
    let first = place.line.saturating_sub(excerpt.before.len());
    let lead = excerpt.before.iter().enumerate();
    let mut lines: Vec<Line<'_>> = lead
        .map(|(index, line)| around(first + index, line))
        .collect();
    lines.push(Line {
        number: place.line,
        before,
        meant: upto.get(before.len()..).unwrap_or_default(),
        after,
    });
    let follow = excerpt.after.iter().enumerate();
    lines.extend(follow.map(|(index, line)| around(place.line + 1 + index, line)));
    Panel {
        name: match place.side {
            Side::Base => "base",
            Side::Revision => "revision",
        },
        place,
        path: place.path(),
        lines,
    }
}

fn around(number: usize, line: &str) -> Line<'_> {
    Line {
        number,
        before: line,
        meant: "",
        after: "",
    }
}
