//! The gate: levels as they were set, what is accepted, and what the version has to become.

use jiff::civil::Date;
use openapi_document::{Document, Node, Pointer};

use crate::baseline::Baseline;
use crate::catalogue::{Family, SAME_VERSION, VERSION};
use crate::diff::{self, Pair};
use crate::finding::{Finding, Place, Side};
use crate::fingerprint;
use crate::input::{Input, version_of};
use crate::level::Level;
use crate::levels::Levels;
use crate::release::{Step, Verdict, judge, went_down};
use crate::report::{Report, Task};

/// How hard a run is judged.
#[derive(Debug, Default)]
pub struct Gate {
    /// The levels that differ from those of the rules.
    pub levels: Levels,
    /// What is accepted.
    pub baseline: Baseline,
}

impl Gate {
    /// Gives findings the levels that were set, and leaves out what is off.
    pub fn weigh(&self, report: &mut Report) {
        for finding in &mut report.findings {
            if let Some(level) = self.levels.get(finding.rule) {
                finding.level = level;
            }
        }
        report.findings.retain(|own| own.level != Level::Off);
    }

    /// Tells equal findings apart and takes away what is accepted. To be called once, when all is
    /// found.
    pub fn settle(&self, report: &mut Report, today: Date) {
        fingerprint::tell_apart(&mut report.findings);
        let judged: &[Family] = match report.task {
            Task::Lint => &[Family::Read, Family::Lint],
            // Where nothing was compared, nothing can be missed.
            Task::Diff if report.versions.iter().all(|own| own.step == Step::None) => &[],
            Task::Diff => &[Family::Diff, Family::Gate],
        };
        self.baseline.apply(report, judged, today);
        self.weigh(report);
    }
}

/// Adds what the contract's version has to become; to be called when levels are set.
pub fn judge_version(pair: &Pair, base: &Input, revision: &Input, report: &mut Report) {
    let step = diff::step(pair, &report.findings);
    let (was, is) = (version_of(&pair.base), version_of(&pair.revision));
    let verdict = judge("the contract", &was, &is, step);
    if !verdict.is_enough {
        let sides = [
            (&pair.revision, Side::Revision, revision.revision()),
            (&pair.base, Side::Base, base.revision()),
        ];
        let places = sides.into_iter();
        let places = places.filter_map(|(document, side, of)| version(document, side, of));
        let (rule, level) = match step {
            Step::Minor | Step::Major => (VERSION, Level::Error),
            _ if went_down(&was, &is) => (VERSION, Level::Error),
            Step::None | Step::Patch => (SAME_VERSION, Level::Info),
        };
        let finding = not_raised(rule, level, &verdict, places.collect());
        report.findings.push(finding);
    }
    report.versions.push(verdict);
}

/// What is said of a version that was not raised far enough.
pub fn not_raised(
    rule: &'static str,
    level: Level,
    verdict: &Verdict,
    places: Vec<Place>,
) -> Finding {
    let least = verdict.least.as_deref().unwrap_or_default();
    let (of, was, is) = (&verdict.of, &verdict.base, &verdict.revision);
    let title = if went_down(was, is) {
        format!("the version of {of} went down: {was} became {is}")
    } else {
        let step = verdict.step.as_str();
        format!("the version of {of} asks for a {step} step: {was} became {is}")
    };
    Finding {
        fingerprint: fingerprint::of(rule, None, &verdict.of, least),
        rule,
        level,
        title,
        operation: None,
        subject: verdict.of.clone(),
        reach: Vec::new(),
        axes: None,
        part: "version".to_owned(),
        places,
        help: Some(format!("raise it to {least} or further")),
        accepted: None,
    }
}

fn version(document: &Document, side: Side, of: Option<&str>) -> Option<Place> {
    let pointer = Pointer::from_iter(["info", "version"]);
    let node: &Node = document.root.at(&pointer)?;
    let label = match side {
        Side::Base => "it was this",
        Side::Revision => "it is this",
    };
    Some(Place {
        pointer: Some(pointer.to_string()),
        ..Place::new(&document.sources, node.span, label, side, of)
    })
}
