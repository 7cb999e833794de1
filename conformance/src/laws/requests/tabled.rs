//! Tabled: of the values that a table lists for a property, such as the numbers of test cards, each is answered as
//! documented, and one that is said to be declined is not granted.

use openapi_document::{Node, Pointer, Value};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role, names, prose};
use crate::shape::Shape;
use crate::value;

use super::test_numbers::tells_reason;
use super::{declined, kept, valued};
use crate::laws::trial::answered::{record_of, status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// So many rows of a table are tried at most.
const ROWS: usize = 10;

/// A number of so many digits is a value without marks, too.
const DIGITS: usize = 12;

/// Words of rows whose value is not granted.
const DECLINED: [&str; 7] = [
    "declined", "declines", "refused", "rejected", "denied", "fails", "cannot",
];

/// One row: its value, and what is said beside it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row<'d> {
    pub(super) value: &'d str,
    said: &'d str,
}

impl<'d> Row<'d> {
    /// The only thing that is written as code beside the value.
    pub(super) fn only_mark(&self) -> Option<&'d str> {
        let mut marks = self.said.split('`').skip(1).step_by(2);
        marks.next().filter(|_| marks.next().is_none())
    }
}

/// The rows of all tables for an operation whose value is said to be declined, whatever else there is.
pub(super) fn declined<'d>(call: &Call<'d>) -> Vec<Row<'d>> {
    const OPEN: [&str; 12] = [
        "up", "larger", "more", "over", "above", "below", "less", "if", "when", "may", "approved",
        "first",
    ];
    let texts = call.overall.into_iter().chain(call.texts());
    let mut rows: Vec<Row<'d>> = texts.flat_map(tables).flatten().collect();
    rows.retain(|own| {
        let words = names::words(&own.said.to_lowercase());
        prose::has(&words, &DECLINED) && !prose::has(&words, &OPEN)
    });
    rows
}

/// Sends each value of a table that has the one which the request has by itself.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (valid, body): (&Sent, &Node),
    draft: &mut Draft,
) -> Option<()> {
    let texts = call.overall.into_iter().chain(call.texts());
    let tables: Vec<Vec<Row<'d>>> = texts.flat_map(tables).collect();
    let (at, rows) = tables.iter().find_map(|rows| {
        let at = leaf(body, &Pointer::root(), &|text| {
            rows.iter().any(|own| own.value == text)
        })?;
        Some((at, rows))
    })?;
    let own = body.at(&at)?.clone();
    let others = other_nouns(world, call);
    let is_reason = at.segments().any(|own| valued::names_cause(&own));
    let mut is_mended = false;
    for (index, row) in rows.iter().take(ROWS).enumerate() {
        if own.as_str() == Some(row.value) {
            continue;
        }
        let tag = format!("tabled-{index}");
        let ready = world.ready(call, &tag).await.ok()?;
        let with = |json: &mut Node| value::put(json, &at, value::string(row.value));
        let is_declined = !is_reason && declines(row.said, &others);
        let before = match world.compose(&ready, &tag) {
            Ok(sent) if is_declined && call.response(declined::DECLINED).is_some() => {
                Box::pin(declined::before(world, call, (&ready, &sent))).await
            }
            _ => None,
        };
        let Some(exchange) = send(world, call, (&ready, &tag), with).await else {
            continue;
        };
        declined::hold(world, call, (before, &exchange), draft).await;
        if is_declined {
            Box::pin(kept::look(world, call, &exchange, draft)).await;
        }
        let exchange = if !is_declined && matches!(status(&exchange), Some(400 | 422)) {
            let again = beside(world, call, (&ready, &tag), (&at, row.value)).await;
            again.unwrap_or(exchange)
        } else {
            exchange
        };
        judge(world, call, (row, &at, is_declined), &exchange, draft);
        if is_declined && !succeeded(&exchange) && !is_mended {
            is_mended = true;
            mended(world, call, (&ready, valid), draft).await;
        }
    }
    Some(())
}

/// The last words of what other operations make.
fn other_nouns(world: &World<'_, '_, '_, '_>, call: &Call<'_>) -> Vec<String> {
    let noun = |own: &Call<'_>| names::words(&own.record()?.name).pop();
    let own = noun(call);
    let makers = world.model.of(Role::Create).filter_map(noun);
    makers.filter(|name| Some(name) != own.as_ref()).collect()
}

/// Whether what is said beside a value is that it is not granted; of what is made with it later, such as `every payment is declined`,
/// another operation is told.
fn declines(said: &str, others: &[String]) -> bool {
    let said = said.to_lowercase().replace(" but ", ",");
    let mut clauses = said.split([',', ';', '|']).map(names::words);
    clauses.any(|own| {
        let is_other = own
            .iter()
            .any(|word| others.contains(&names::singular(word)));
        prose::has(&own, &DECLINED) && !is_other
    })
}

/// Sends the call with another body, where its schema allows that.
async fn send<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, tag): (&Ready<'_, 'd>, &str),
    change: impl Fn(&mut Node) -> Result<(), String>,
) -> Option<Exchange> {
    let mut sent = world.compose(ready, tag).ok()?;
    let mut json = sent.json.clone()?;
    change(&mut json).ok()?;
    world.put_valid(call, (&mut sent, &ready.call), json)?;
    Some(world.send(sent).await)
}

/// What goes with a value may have to be longer for it, as the security code of a card: sends it with one more digit.
async fn beside<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, tag): (&Ready<'_, 'd>, &str),
    (at, value): (&Pointer, &str),
) -> Option<Exchange> {
    let body = world.compose(ready, tag).ok()?.json?;
    let mut outer = at.clone();
    outer.pop();
    let is_digits = |own: &str| !own.is_empty() && own.bytes().all(|byte| byte.is_ascii_digit());
    let siblings: Vec<(Pointer, String)> = body
        .at(&outer)?
        .entries()
        .map(|own| (outer.join(own.key.as_str()), &own.value))
        .filter(|(own, _)| own != at)
        .filter_map(|(own, node)| {
            let text = node.as_str().filter(|text| is_digits(text))?;
            Some((own, format!("{text}{}", &text[text.len() - 1..])))
        })
        .collect();
    for (index, (sibling, longer)) in siblings.iter().enumerate() {
        let tag = format!("{tag}-{index}");
        let with = |json: &mut Node| {
            value::put(json, at, value::string(value))?;
            value::put(json, sibling, value::string(longer))
        };
        let exchange = send(world, call, (ready, &tag), with).await;
        if let Some(exchange) = exchange.filter(succeeded) {
            return Some(exchange);
        }
    }
    None
}

/// Holds an answer against the documented one of its status.
fn judge<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (row, at, is_declined): (&Row<'d>, &Pointer, bool),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let record = record_of(call, exchange).filter(|_| succeeded(exchange));
    if let Some(record) = record {
        is_as_said(world, call, (row, record), exchange, draft);
    }
    // What is declined may be a record of that.
    let is_recorded = record.is_some_and(|own| {
        let mut states = own.entries().filter(|own| names::tells_state(&own.key));
        states.any(|own| {
            prose::has(
                &names::words(own.value.as_str().unwrap_or_default()),
                &DECLINED,
            )
        })
    });
    // Of a number that is only told of for all operations nothing says that this one declines it.
    let is_told = !row.value.bytes().all(|own| own.is_ascii_digit())
        || record.is_none_or(|own| own.entries().any(|own| names::tells_state(&own.key)))
        || call.response(402).is_some();
    if is_declined && succeeded(exchange) && !is_recorded && is_told {
        let expected = format!("a refusal of \"{}\": {}", row.value, row.said.trim());
        let claim = Claim::new(
            &checks::CONSTRAINT_IGNORED,
            Ground::Text,
            expected,
            told(exchange),
        )
        .at(at.clone());
        world.differ(draft, call, claim, exchange);
        return;
    }
    let response = status(exchange).and_then(|code| call.response(code));
    let reason = row.only_mark().filter(|_| is_declined);
    if let (Some(response), Some(reason), Some(declined::DECLINED)) =
        (&response, reason, status(exchange))
    {
        let told = (row.value, reason);
        tells_reason(world, call, (response, told), exchange, draft);
    }
    if let Some(response) = response {
        world.judge_form(draft, call, &response, exchange);
    }
    if let Some(code) = status(exchange) {
        world.reach(call, code, draft);
    }
}

/// What a row marks that is a value of a closed list of one property alone is told there.
fn is_as_said<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (row, record): (&Row<'d>, &Node),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    const LATER: [&str; 14] = [
        "then", "later", "after", "becomes", "become", "until", "once", "when", "if", "seconds",
        "capture", "captured", "first", "or",
    ];
    let document = world.model.document;
    let shape = Shape::of(document, call.record().map(|own| &own.schema));
    let words = names::words(&row.said.to_lowercase());
    let marked = row.said.split('`').skip(1).step_by(2).count();
    if world.model.is_moving(record) || marked != 1 || prose::has(&words, &LATER) {
        return;
    }
    for said in row.said.split('`').skip(1).step_by(2) {
        let has = |own: &&str| shape.property(document, own).known_values().contains(&said);
        let mut names = shape.property_names().into_iter().filter(has);
        let Some(name) = names.next().filter(|_| names.next().is_none()) else {
            continue;
        };
        let own = record.get(name);
        if own.and_then(Node::as_str) != Some(said) {
            let at = Pointer::root().join(name);
            let expected = format!("{said:?}, as the table says of {}", row.value);
            let told = world.shown(call, &at, own);
            let claim = Claim::new(&checks::FINAL_VALUE, Ground::Text, expected, told).at(at);
            world.differ(draft, call, claim, exchange);
        }
    }
}

/// What a text says to be emptied by a later success is, where something was declined before.
async fn mended<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, valid): (&Ready<'_, 'd>, &Sent),
    draft: &mut Draft,
) -> Option<()> {
    let sentences: Vec<&str> = call.texts().flat_map(prose::sentences).collect();
    sentences
        .iter()
        .any(|own| says_emptied(own))
        .then_some(())?;
    let body = valid.json.clone()?;
    let with = |json: &mut Node| {
        *json = body.clone();
        Ok(())
    };
    let exchange = send(world, call, (ready, "tabled-mended"), with).await?;
    let record = record_of(call, &exchange)?;
    for entry in record.entries() {
        let marked = format!("`{}`", entry.key);
        let mut said = sentences.iter().filter(|own| says_emptied(own));
        let is_left = match &entry.value.value {
            Value::String(own) => !own.is_empty(),
            Value::Mapping(own) => !own.entries.is_empty(),
            _ => false,
        };
        if is_left && said.any(|own| own.contains(&marked)) {
            let pointer = Pointer::root().join(entry.key.as_str());
            let expected = "nothing: a later success is said to empty it";
            let told = world.shown(call, &pointer, Some(&entry.value));
            let claim =
                Claim::new(&checks::EFFECT_DIFFERS, Ground::Text, expected, told).at(pointer);
            world.differ(draft, call, claim, &exchange);
        }
    }
    Some(())
}

/// Whether a sentence says that a later success empties something.
fn says_emptied(text: &str) -> bool {
    const EMPTIES: [&str; 6] = [
        "empties", "emptied", "clears", "cleared", "removes", "resets",
    ];
    let words = names::words(text);
    let is_later = prose::has(&words, &["later", "next", "successful", "success"]);
    is_later && prose::has(&words, &EMPTIES) && !prose::has(&words, &["never", "cannot", "if"])
}

/// Where a body has a text of some kind.
fn leaf(node: &Node, at: &Pointer, is_it: &impl Fn(&str) -> bool) -> Option<Pointer> {
    if node.as_str().is_some_and(is_it) {
        return Some(at.clone());
    }
    let mut entries = node.entries();
    entries.find_map(|own| leaf(&own.value, &at.join(own.key.as_str()), is_it))
}

/// The tables of a text whose first column has values.
fn tables(text: &str) -> Vec<Vec<Row<'_>>> {
    let mut found = vec![Vec::new()];
    for line in text.lines() {
        let Some(row) = line.trim().strip_prefix('|') else {
            found.push(Vec::new());
            continue;
        };
        let row = row.split_once('|').and_then(|(first, said)| {
            let first = first.trim();
            let marked = first
                .strip_prefix('`')
                .and_then(|own| own.strip_suffix('`'));
            let is_number =
                |own: &&str| own.len() >= DIGITS && own.bytes().all(|own| own.is_ascii_digit());
            let value = marked.or(Some(first).filter(is_number))?;
            Some(Row { value, said })
        });
        if let (Some(last), Some(row)) = (found.last_mut(), row) {
            last.push(row);
        }
    }
    found.retain(|own| own.len() > 1);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_not_granted() {
        let others = ["payment".to_owned()];
        for (said, expected) in [
            ("visa | declined |", true),
            ("visa | cannot be saved |", true),
            ("visa | works |", false),
            ("can be saved, but every payment is declined |", false),
            ("is saved but fails later |", true),
        ] {
            assert_eq!(declines(said, &others), expected, "{said}");
        }
    }

    #[test]
    fn tables_of_values() {
        let text = "Cards:\n\n| Number | Then |\n|---|---|\n| `42` | works |\n| `43` | declined |\n\nNone | `a` |";
        let found = tables(text);
        let rows: Vec<_> = found
            .iter()
            .flatten()
            .map(|own| (own.value, own.said.trim()))
            .collect();
        assert_eq!(rows, [("42", "works |"), ("43", "declined |")]);
        assert!(tables("| a | b |\n|---|---|\n| c | d |").is_empty());
        assert!(tables("| `a` | alone |").is_empty());
    }

    #[test]
    fn texts_that_say_what_a_success_empties() {
        for (text, expected) in [
            ("A later attempt that is granted empties `last_error`", true),
            ("`last_error` is cleared by the next attempt", true),
            ("A later attempt never clears `last_error`", false),
            ("`last_error` is cleared", false),
        ] {
            assert_eq!(says_emptied(text), expected, "{text}");
        }
    }
}
