//! Party: a record that a request pays something into or out of, told by the keys that it names.

use openapi_document::Node;

use crate::exchange::Sent;
use crate::model::{self, Call, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value;

use super::flow::{Flow, balances, of_part, of_verb, tells_of_balance};
use crate::answered::{own_key, record_of};
use crate::laws::steps::outcome::{Change, outcomes};
use crate::scene::{Ready, Scene};

/// A record that something is paid into or out of.
pub(crate) struct Party<'w, 'd> {
    pub(crate) flow: Flow,
    pub(crate) maker: &'w Call<'d>,
    pub(crate) reader: &'w Call<'d>,
    pub(crate) record: Node,
    pub(crate) with: Sent,
}

/// What the text of an operation says of a balance; else the last part of the path, or the name of the operation.
pub(crate) fn flow(call: &Call<'_>) -> Option<Flow> {
    said(call)
        .or_else(|| of_verb(model::collection(call.operation.path)))
        .or_else(|| call.operation.id().and_then(of_verb))
}

/// The way that an amount goes by the text of an operation, where it says one only: a credit note lowers what an invoice
/// comes to, whatever a credit does to an account.
fn said(call: &Call<'_>) -> Option<Flow> {
    way(call.texts())
}

/// What a text says to be taken from what a record has, or put to it, with the word for that: `total_debit is taken from the
/// balance of the account`. None where it says both, as then there are two sides.
fn passed(text: &str) -> Option<(Flow, String)> {
    const TAKEN: [&str; 5] = ["taken", "deducted", "debited", "subtracted", "withdrawn"];
    const PUT: [&str; 4] = ["added", "credited", "paid", "put"];
    /// So many words stand between `from` and what tells how much is there: `the account's available balance`.
    const BETWEEN: usize = 6;
    const DOUBTFUL: [&str; 11] = [
        "not", "never", "no", "unless", "may", "if", "when", "would", "rejected", "failed", "later",
    ];
    let of_sentence = |words: Vec<String>| {
        let way = |at: usize| {
            let way = match (words[at].as_str(), words.get(at + 1)?.as_str()) {
                (done, "from") if TAKEN.contains(&done) => Flow::Out,
                (done, "to" | "into") if PUT.contains(&done) => Flow::In,
                _ => return None,
            };
            let mut rest = words[at + 2..].iter().take(BETWEEN);
            let place = rest.find(|own| tells_of_balance(own))?;
            (!prose::has(&words[..at], &DOUBTFUL)).then(|| (way, place.clone()))
        };
        (0..words.len()).filter_map(way).collect::<Vec<_>>()
    };
    let mut all = prose::spoken(text).into_iter().flat_map(of_sentence);
    let first = all.next()?;
    all.all(|own| own.0 == first.0).then_some(first)
}

/// Whether the text of an operation says that something is taken from what a record has, or put to it.
pub(crate) fn says_passed(call: &Call<'_>) -> bool {
    call.texts().any(|own| passed(own).is_some())
}

/// The way of an amount where a text says that it is taken from what a record has, or put to that.
fn passed_of(call: &Call<'_>, record: &Node) -> Option<Flow> {
    let has = |word: &String| {
        let mut names = balances(record).into_iter();
        names.any(|own| names::words(own).contains(word))
    };
    let mut all = call.texts().filter_map(passed);
    let (way, _) = all.find(|(_, word)| has(word))?;
    all.all(|(own, _)| own == way).then_some(way)
}

/// The way that all of some go.
fn only(mut ways: impl Iterator<Item = Flow>) -> Option<Flow> {
    let first = ways.next()?;
    ways.all(|own| own == first).then_some(first)
}

/// Whether a text says that what is taken is taken at once, whatever becomes of it.
pub(crate) fn is_at_once(call: &Call<'_>) -> bool {
    const AT_ONCE: [&str; 4] = [
        " at once ",
        " immediately ",
        " right away ",
        " straight away ",
    ];
    let mut all = call.texts().flat_map(prose::sentences);
    all.any(|own| {
        let words = format!(" {} ", names::words(own).join(" "));
        passed(own).is_some() && AT_ONCE.iter().any(|own| words.contains(own))
    })
}

fn way<'t>(texts: impl Iterator<Item = &'t str>) -> Option<Flow> {
    let all = texts.flat_map(outcomes);
    only(all.filter_map(|own| {
        let way = match own.change {
            Change::Up => Flow::In,
            Change::Down => Flow::Out,
        };
        tells_of_balance(&own.property).then_some(way)
    }))
}

/// Whether the body names both sides of what is moved.
pub(crate) fn names_parts<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>) -> bool {
    let shape = Shape::of(scene.model.document, call.body.as_ref());
    let mut names = shape.property_names().into_iter();
    names.any(|name| of_part(name).is_some())
}

/// The records that a request names, each with the way that the amount goes there.
pub(crate) fn parties<'w, 'd>(
    scene: &Scene<'w, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Result<Vec<Party<'w, 'd>>, String> {
    let sent = scene.compose(ready, "moves")?;
    let mut parties = Vec::new();
    for exchange in ready.state.kept.as_deref().unwrap_or_default() {
        let maker = scene.model.call(&exchange.sent.operation);
        let Some(maker) = maker.filter(|own| own.role == Role::Create) else {
            continue;
        };
        let record = record_of(maker, exchange);
        let key = own_key(maker).and_then(|key| record?.get(key));
        let (Some(record), Some(key)) = (record, key) else {
            continue;
        };
        // What an entry tells to have been there after it stays so.
        let is_entry = |own: &&str| prose::has(&names::words(own), &["after", "before"]);
        let told = balances(record);
        if !told.is_empty() && told.iter().all(is_entry) {
            continue;
        }
        let Some(flow) = towards(call, &sent, (key, record)) else {
            continue;
        };
        let readers = scene.readers_for(maker, record, &exchange.sent);
        let reader = readers.first().copied();
        let is_in_path = sent
            .path_arguments
            .iter()
            .any(|own| own.1 == value::plain(key));
        let beneath = reader.filter(|_| is_in_path && balances(record).is_empty());
        let beneath = beneath.and_then(|own| beneath_of(scene, own));
        if let Some(reader) = beneath.or(reader) {
            parties.push(Party {
                flow,
                maker,
                reader,
                record: record.clone(),
                with: exchange.sent.clone(),
            });
        }
    }
    Ok(parties)
}

/// What reads the balance of a record at an address of its own, beneath that of the record: `/sellers/{id}/balance`.
fn beneath_of<'w, 'd>(scene: &Scene<'w, '_, '_, 'd>, reader: &Call<'d>) -> Option<&'w Call<'d>> {
    let is_it = |own: &&Call<'d>| {
        let rest = own.operation.path.strip_prefix(reader.operation.path);
        let last = rest.and_then(|own| own.strip_prefix('/'));
        last.is_some_and(|own| names::singular(own) == "balance") && own.success.is_some()
    };
    scene.model.of(Role::Read).find(is_it)
}

/// The way that an amount goes between a request and the record of a key.
fn towards(call: &Call<'_>, sent: &Sent, (key, record): (&Node, &Node)) -> Option<Flow> {
    let body = sent.json.iter().flat_map(Node::entries);
    let mut named = body.filter(|entry| entry.value.same_value(key));
    let text = value::plain(key);
    let mut arguments = sent.path_arguments.iter();
    // What a text says of the balance counts more than what a step is called: a reversal may put something back.
    let of_text = || said(call).or_else(|| passed_of(call, record));
    let told = || of_text().or_else(|| flow(call));
    match named.next() {
        Some(entry) => of_part(&entry.key).or_else(told),
        None => arguments.any(|(_, own)| *own == text).then(told)?,
    }
}

pub(crate) async fn read<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    party: &Party<'_, 'd>,
) -> Option<Node> {
    let read = scene.read(party.reader, &party.record, &party.with).await;
    record_of(party.reader, &read.ok()?).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_from_a_balance_or_put_to_one() {
        for (text, expected) in [
            (
                "The total is taken from the account's available balance at once.",
                Some(Flow::Out),
            ),
            (
                "It is credited to the balance of the wallet",
                Some(Flow::In),
            ),
            (
                "It is debited from the balance of one and credited to the balance of the other",
                None,
            ),
            ("If it fails nothing is taken from the balance", None),
            ("The fee is taken from the amount", None),
        ] {
            let found = passed(text).map(|own| own.0);
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn ways_that_texts_tell_of() {
        for (text, expected) in [
            (
                "The invoice's `balance` goes down by the amount.",
                Some(Flow::Out),
            ),
            ("`availableMinor` goes up by it", Some(Flow::In)),
            (
                "The `balance` of the source goes down and the `balance` of the target goes up",
                None,
            ),
            ("`amountCredited` goes up", None),
        ] {
            assert_eq!(way([text].into_iter()), expected, "{text}");
        }
    }
}
