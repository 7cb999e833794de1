//! The coverage table: a row for each operation, a column for each status. A cell has the
//! documented examples and the covered parts of the schema.

use std::collections::{BTreeMap, BTreeSet};

use super::{anchor, short};
use crate::coverage::{Documented, Part, PartKind};
use crate::event::CaseReport;
use crate::report::Record;

/// The operations of one area.
#[derive(Debug)]
pub(super) struct Area<'r> {
    pub(super) name: &'r str,
    pub(super) operations: Vec<Operation<'r>>,
}

/// A row.
#[derive(Debug)]
pub(super) struct Operation<'r> {
    pub(super) id: &'r str,
    /// One cell for each status of the table.
    pub(super) cells: Vec<Option<Cell<'r>>>,
}

/// The coverage of one documented answer.
#[derive(Debug)]
pub(super) struct Cell<'r> {
    pub(super) answers: u64,
    pub(super) examples: Vec<Example<'r>>,
    pub(super) parts: Vec<Shown<'r>>,
    pub(super) seen: usize,
}

/// A documented example and its verdict.
#[derive(Debug)]
pub(super) struct Example<'r> {
    pub(super) name: &'r str,
    pub(super) verdict: &'static str,
    pub(super) anchor: String,
}

/// A branch or a property.
#[derive(Debug)]
pub(super) struct Shown<'r> {
    pub(super) seen: u64,
    pub(super) kind: &'static str,
    pub(super) text: String,
    pub(super) spec: &'r crate::spot::Spot,
}

/// The statuses of the table, and its rows by area.
pub(super) fn matrix(record: &Record) -> (Vec<&str>, Vec<Area<'_>>) {
    let answers = record
        .coverage
        .as_ref()
        .map(|coverage| coverage.answers.as_slice());
    let answers = answers.unwrap_or_default();
    let statuses: BTreeSet<&str> = answers.iter().map(|answer| &*answer.status).collect();
    let statuses: Vec<&str> = statuses.into_iter().collect();
    let cases = by_answer(record);
    let mut areas: Vec<Area<'_>> = Vec::new();
    for answer in answers {
        let index = areas.iter().position(|area| area.name == answer.area);
        let index = index.unwrap_or_else(|| {
            let name = &answer.area;
            areas.push(Area {
                name,
                operations: Vec::new(),
            });
            areas.len() - 1
        });
        let operations = &mut areas[index].operations;
        if operations
            .last()
            .is_none_or(|operation| operation.id != answer.operation_id)
        {
            let cells = statuses.iter().map(|_| None).collect();
            let id = &answer.operation_id;
            operations.push(Operation { id, cells });
        }
        let column = statuses.iter().position(|status| *status == answer.status);
        if let (Some(row), Some(column)) = (operations.last_mut(), column) {
            row.cells[column] = Some(cell(answer, &cases));
        }
    }
    (statuses, areas)
}

type ByAnswer<'r> = BTreeMap<(&'r str, &'r str), Vec<(&'r str, &'r CaseReport)>>;

/// The cases with ids of the form `<operationId>/<status>/<example>`.
fn by_answer(record: &Record) -> ByAnswer<'_> {
    let mut cases = ByAnswer::new();
    for case in &record.cases {
        let rest = case.id.strip_prefix(&*case.operation_id);
        let rest = rest.and_then(|rest| rest.strip_prefix('/'));
        if let Some((status, example)) = rest.and_then(|rest| rest.split_once('/')) {
            let key = (&*case.operation_id, status);
            cases.entry(key).or_default().push((example, case));
        }
    }
    cases
}

fn cell<'r>(answer: &'r Documented, cases: &ByAnswer<'r>) -> Cell<'r> {
    let key = (&*answer.operation_id, &*answer.status);
    let cases = cases.get(&key).map(Vec::as_slice).unwrap_or_default();
    let example = |(name, case): &(&'r str, &'r CaseReport)| Example {
        name,
        verdict: case.verdict.as_str(),
        anchor: anchor(&case.id),
    };
    Cell {
        answers: answer.seen,
        examples: cases.iter().map(example).collect(),
        parts: answer.parts.iter().map(shown).collect(),
        seen: answer.parts.iter().filter(|part| part.seen > 0).count(),
    }
}

fn shown(part: &Part) -> Shown<'_> {
    let kind = match part.kind {
        PartKind::OneOf => "oneOf",
        PartKind::AnyOf => "anyOf",
        PartKind::Property => "",
    };
    let place = if part.pointer.is_empty() {
        "body"
    } else {
        &part.pointer
    };
    let name = part.name.as_ref().map(|name| format!(" → {name}"));
    Shown {
        seen: part.seen,
        kind,
        text: short(&format!("{place}{}", name.unwrap_or_default())),
        spec: &part.spec,
    }
}
