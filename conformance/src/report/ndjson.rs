//! Writes `events.ndjson`: one line for each event of a run, when it happens.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

use super::{Counts, json, pretty};
use crate::coverage::Documented;
use crate::event::{CaseReport, Consumer, Event, Start, Wants};
use crate::tool::{TOOL, Tool};
use crate::traffic::{Comparison, Traffic};

/// The name of the file.
pub const NAME: &str = "events.ndjson";

#[derive(Serialize)]
#[serde(tag = "event", rename_all = "camelCase")]
enum Line<'e> {
    #[serde(rename_all = "camelCase")]
    Started {
        version: &'static str,
        tool: Tool,
        run: &'e Start,
    },
    Exchange(&'e Traffic),
    Compared(&'e Comparison),
    Case(&'e CaseReport),
    Coverage {
        answers: &'e [Documented],
    },
    #[serde(rename_all = "camelCase")]
    Finished {
        verdict: &'static str,
        counts: Counts,
        requests: u64,
        duration_ms: u64,
    },
}

/// The version of the format of lines.
pub const VERSION: &str = "1.0";

/// The JSON Schema of a line, without the definitions that it shares with the report.
const OWN_SCHEMA: &str = include_str!("../../events.schema.json");

/// The JSON Schema of a line. A case has the properties of the report's cases, and `event`.
///
/// # Errors
/// An embedded schema is not JSON.
pub fn schema() -> Result<String, serde_json::Error> {
    let mut schema: Value = serde_json::from_str(OWN_SCHEMA)?;
    let mut report: Value = serde_json::from_str(json::SCHEMA)?;
    let mut shared = report["$defs"].take();
    for name in ["tool", "run", "counts"] {
        shared[name] = report["properties"][name].take();
    }
    shared["case"]["properties"]["event"] = true.into();
    if let (Some(to), Some(from)) = (schema["$defs"].as_object_mut(), shared.as_object()) {
        for (name, definition) in from {
            to.entry(name.clone()).or_insert_with(|| definition.clone());
        }
    }
    pretty(&schema)
}

/// Writes the lines during the run.
#[derive(Debug)]
pub struct Ndjson<W> {
    out: W,
    counts: Counts,
}

impl<W: Write> Ndjson<W> {
    /// Writes the lines to `out`.
    pub fn new(out: W) -> Self {
        Self {
            out,
            counts: Counts::default(),
        }
    }

    fn line(&mut self, line: &Line<'_>) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        self.out.write_all(b"\n")
    }
}

impl<W: Write> Consumer for Ndjson<W> {
    fn wants(&self) -> Wants {
        Wants::ALL
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        let line = match event {
            Event::Started(run) => Line::Started {
                version: VERSION,
                tool: TOOL,
                run,
            },
            Event::Exchange(traffic) => Line::Exchange(traffic),
            Event::Compared(comparison) => Line::Compared(comparison),
            Event::Case(case) => {
                self.counts.add(case.verdict);
                Line::Case(case)
            }
            Event::Coverage(coverage) => Line::Coverage {
                answers: &coverage.answers,
            },
            Event::Finished(finish) => Line::Finished {
                verdict: self.counts.verdict().as_str(),
                counts: self.counts,
                requests: finish.requests,
                duration_ms: u64::try_from(finish.duration.as_millis()).unwrap_or(u64::MAX),
            },
        };
        self.line(&line)?;
        // A reader who follows the file sees complete cases.
        if matches!(event, Event::Case(_) | Event::Finished(_)) {
            self.out.flush()?;
        }
        Ok(())
    }
}
