//! Gate: applies levels and the baseline, and checks versions.

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
use crate::release::{Step, Verdict, is_decrease, judge};
use crate::report::{Report, Task};

/// The levels and the baseline of a run.
#[derive(Debug, Default)]
pub struct Gate {
    /// The configured levels.
    pub levels: Levels,
    /// The baseline.
    pub baseline: Baseline,
}

impl Gate {
    /// Applies the configured levels, and removes findings with the level off.
    pub fn weigh(&self, report: &mut Report) {
        for finding in &mut report.findings {
            if let Some(level) = self.levels.get(finding.rule) {
                finding.level = level;
            }
        }
        report
            .findings
            .retain(|finding| finding.level != Level::Off);
    }

    /// Numbers duplicate fingerprints and applies the baseline. Call it once, when all findings are
    /// known.
    pub fn settle(&self, report: &mut Report, today: Date) {
        fingerprint::number_duplicates(&mut report.findings);
        let judged: &[Family] = match report.task {
            Task::Lint => &[Family::Read, Family::Lint],
            // Without a comparison, no entry can be stale.
            Task::Diff
                if report
                    .versions
                    .iter()
                    .all(|verdict| verdict.step == Step::None) =>
            {
                &[]
            }
            Task::Diff => &[Family::Diff, Family::Gate],
        };
        self.baseline.apply(report, judged, today);
        self.weigh(report);
    }
}

/// Adds the verdict on the contract's version; call it after the levels are applied.
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
            _ if is_decrease(&was, &is) => (VERSION, Level::Error),
            Step::None | Step::Patch => (SAME_VERSION, Level::Info),
        };
        let finding = not_raised(rule, level, &verdict, places.collect());
        report.findings.push(finding);
    }
    report.versions.push(verdict);
}

/// The finding about a version that was not increased far enough.
pub fn not_raised(
    rule: &'static str,
    level: Level,
    verdict: &Verdict,
    places: Vec<Place>,
) -> Finding {
    let least = verdict.least.as_deref().unwrap_or_default();
    let (of, was, is) = (&verdict.of, &verdict.base, &verdict.revision);
    let title = if is_decrease(was, is) {
        format!("the version of {of} decreased from {was} to {is}")
    } else {
        let step = verdict.step.as_str();
        format!("the version of {of} needs a {step} step, but went from {was} to {is}")
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
        help: Some(format!("set it to {least} or higher")),
        accepted: None,
    }
}

fn version(document: &Document, side: Side, of: Option<&str>) -> Option<Place> {
    let pointer = Pointer::from_iter(["info", "version"]);
    let node: &Node = document.root.at(&pointer)?;
    let label = match side {
        Side::Base => "the old version",
        Side::Revision => "the new version",
    };
    Some(Place {
        pointer: Some(pointer.to_string()),
        ..Place::new(&document.sources, node.span, label, side, of)
    })
}
