//! No more is made than a text says there may be: "an order can have 5 refunds at most; a sixth is refused with `409`".

use openapi_document::view::{Document, Method};

use openapi_document::{Node, Pointer, Value};

use crate::case::Step;
use crate::checks;
use crate::conflicts::Conflicts;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value;

use crate::amount::{self, Amount, names_amount};
use crate::answered::{own_key, record_of, status, succeeded, told};
use crate::laws::requests::key::{header, set_key};
use crate::laws::requests::told::Told;
use crate::laws::requests::untouched::Untouched;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::ground::Ground;
use crate::scene::{Ready, Scene};

/// A number that is higher is not tried.
const MOST: usize = 12;

/// How many a text allows.
#[derive(Debug, PartialEq, Eq)]
struct Room {
    most: usize,
    /// What is said of it, and of one more.
    said: String,
    /// Words of which the state of what is counted is one, where not all are.
    states: Vec<String>,
}

impl Room {
    /// Whether a record is in one of the states that count.
    fn counts(&self, record: &Node) -> bool {
        let mut states = record.entries().filter(|own| names::tells_state(&own.key));
        states.any(|state| {
            let state = state.value.as_str().unwrap_or_default().to_lowercase();
            self.states.contains(&state)
        })
    }
}

/// Tries an operation whose texts say how many there may be of what it makes.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let makes = call.role == Role::Create && call.operation.method == Method::Post;
    if !makes || !scene.may_write() {
        return Ok(false);
    }
    let Some(room) = room(call) else {
        return Ok(false);
    };
    let ready = scene.ready(call, "capacity").await?;
    let mut known: Vec<Node> = Vec::new();
    let mut made = Vec::new();
    for number in 0..=room.most {
        let before = if number == room.most {
            Untouched::of(scene, call, &ready).await
        } else {
            None
        };
        let sent = little(scene, call, &ready, &format!("capacity-{number}"))?;
        let again = another(scene, call, (&sent, &ready.call), number);
        let mut exchange = scene.send(sent).await;
        let key = |own: &Exchange| record_of(call, own)?.get(own_key(call)?).cloned();
        let is_known = |own: &Exchange| {
            let is_it = |key: Node| known.iter().any(|own| own.same_value(&key));
            key(own).is_some_and(is_it)
        };
        // The same once more may be answered with what there is.
        if is_known(&exchange) {
            let Some(again) = again else {
                return Ok(false);
            };
            exchange = scene.send(again).await;
            if is_known(&exchange) {
                return Ok(false);
            }
        }
        known.extend(key(&exchange));
        let is_granted = succeeded(&exchange);
        if is_granted && number == room.most && !are_counted(scene, call, &room, &made).await {
            return Ok(false);
        }
        made.push(exchange.clone());
        if !is_granted || number == room.most {
            judge(scene, call, &room, (number, &exchange), draft);
        }
        if let Some(before) = before.filter(|_| !is_granted) {
            before.look(scene, call, &exchange, draft).await;
        }
        if !is_granted {
            break;
        }
    }
    Ok(true)
}

/// Whether all that was made before still counts, as it is read now: it is in a state that does, or in the one that it was made
/// in.
async fn are_counted<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    room: &Room,
    made: &[Exchange],
) -> bool {
    for exchange in made {
        let Some(record) = record_of(call, exchange) else {
            continue;
        };
        let readers = scene.readers_for(call, record, &exchange.sent);
        let Some(reader) = readers.first().copied() else {
            continue;
        };
        let read = scene.read(reader, record, &exchange.sent).await;
        let counted = read.is_ok_and(|read| {
            record_of(reader, &read).is_some_and(|now| {
                if room.states.is_empty() {
                    is_in_state_of(record, now)
                } else {
                    room.counts(now)
                }
            })
        });
        if !counted {
            return false;
        }
    }
    true
}

/// Whether a record is in the state in which it was made.
fn is_in_state_of(made: &Node, now: &Node) -> bool {
    let mut states = made
        .entries()
        .filter(|entry| names::tells_state(&entry.key));
    states.all(|state| {
        let now = now.get(&state.key);
        now.is_none_or(|now| now.same_value(&state.value))
    })
}

/// Holds the last answer against what is said: one too many is refused, with its status.
fn judge<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    room: &Room,
    (number, exchange): (usize, &Exchange),
    draft: &mut Draft,
) {
    if succeeded(exchange) {
        let record = record_of(call, exchange);
        if !room.states.is_empty() && !record.is_some_and(|record| room.counts(record)) {
            return;
        }
        let expected = format!("a refusal: there may be {} at most", room.most);
        let actual = format!("{}, of number {}", told(exchange), number + 1);
        let claim = Claim::new(&checks::SUM_EXCEEDED, Ground::Text, expected, actual);
        scene.differ(draft, call, claim, exchange);
        return;
    }
    // What it takes from may be the reason sooner; where there was one before, it is refused as is said all the same.
    let due = Told::read(scene.model, &room.said);
    if number == room.most || (number > 0 && due.status.is_some() && due.status == status(exchange))
    {
        due.judge(scene, call, exchange, draft);
    }
}

/// A new request that takes as little as may be of what there is.
fn little<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    tag: &str,
) -> Result<Sent, String> {
    let mut sent = scene.compose(ready, tag)?;
    if let Some(header) = header(scene, call) {
        set_key(&mut sent, header, ready.state.fresh.fork(tag).uuid());
    }
    let Some(mut json) = sent.json.clone() else {
        return Ok(sent);
    };
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let amounts = json.entries().filter(|own| names_amount(&own.key));
    let amounts: Vec<(String, Amount)> = amounts
        .filter_map(|own| Some((own.key.clone(), Amount::read(&own.value)?)))
        .collect();
    let [(name, amount)] = &amounts[..] else {
        return Ok(sent);
    };
    let least = shape.property(document, name);
    let least = least.keyword("minimum").and_then(Amount::read);
    let least = least.map_or_else(|| amount.with(1), |own| amount.with(own.units.max(1)));
    if amount.is_whole() && least.units < amount.units {
        amount::put(&mut json, name, least)?;
        let schema = call.body.as_ref().ok_or("the call has no schema")?;
        if scene.contract().validate_request(schema, &json)?.is_empty() {
            scene.put_json(&mut sent, &ready.call, json);
        }
    }
    Ok(sent)
}

/// The same request with one of its whole numbers moved by so many, where that is valid: a card that expires in another year.
fn another<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (sent, step): (&Sent, &Step<'d>),
    by: usize,
) -> Option<Sent> {
    let json = sent.json.as_ref()?;
    json.entries().find_map(|own| {
        let whole: i64 = match &own.value.value {
            Value::Number(text) if !names_amount(&own.key) && !is_cyclic(&own.key) => {
                text.parse().ok()?
            }
            _ => return None,
        };
        let moved = whole.checked_add(i64::try_from(by).ok()?)?;
        let mut json = json.clone();
        let at = Pointer::root().join(&*own.key);
        value::put(&mut json, &at, value::number(moved)).ok()?;
        let mut sent = sent.clone();
        scene.put_valid(call, (&mut sent, step), json)?;
        Some(sent)
    })
}

/// Whether a number begins again after so many, whatever its schema says.
fn is_cyclic(name: &str) -> bool {
    prose::has(
        &names::words(name),
        &["month", "day", "hour", "minute", "quantity"],
    )
}

/// Whether they say how many there may be.
/// Whether a conflict tells of items that the body lists, such as places: "a shelf is taken". What an example shows is
/// free again when its record is gone.
pub(crate) fn takes_places(document: &Document, call: &Call<'_>) -> bool {
    let body = Shape::of(document, call.body.as_ref());
    let is_list = |name: &&str| {
        let items = body.property(document, name).items(document);
        items.type_name() == Some("string")
    };
    let mut lists = body.property_names().into_iter().filter(is_list);
    let conflicts = Conflicts::of(&call.operation);
    lists.any(|name| {
        let words = names::words(name).join(" ");
        conflicts.tells_of(&names::singular(&words))
    })
}

pub(crate) fn is_limited(call: &Call<'_>) -> bool {
    room(call).is_some()
}

/// What the texts of an operation say of how many there may be of what it makes.
fn room(call: &Call<'_>) -> Option<Room> {
    let sentences: Vec<&str> = call.texts().flat_map(prose::sentences).collect();
    sentences.iter().enumerate().find_map(|(at, sentence)| {
        let (most, states) = most(sentence, &call.about)?;
        let next = sentences.get(at + 1).filter(|own| speaks_of_next(own));
        let said = format!("{sentence} {}", next.copied().unwrap_or_default());
        Some(Room { most, said, states })
    })
}

/// How many of a kind a sentence allows: `up to 5 bank accounts`, `5 refunds at most`, `refunded at most 5 times`; and the words that it tells which of
/// them by: `5 open payouts`, 5 payouts that are `pending`.
fn most(sentence: &str, kind: &str) -> Option<(usize, Vec<String>)> {
    const SOMETIMES: [&str; 15] = [
        "if",
        "unless",
        "per",
        "page",
        "minute",
        "hour",
        "day",
        "month",
        "second",
        "seconds",
        "characters",
        "digits",
        "recommended",
        "default",
        "example",
    ];
    const UP_TO: [&[&str]; 6] = [
        &["up", "to"],
        &["at", "most"],
        &["no", "more", "than"],
        &["not", "more", "than"],
        &["maximum", "of"],
        &["most"],
    ];
    let words = names::words(&sentence.to_lowercase());
    let last = kind.rsplit(' ').next()?;
    let found = words.iter().enumerate().find_map(|(at, own)| {
        let number = number(own).filter(|own| (1..=MOST).contains(own))?;
        let is_it = |own: &String| names::singular(own) == last;
        let of_kind = words[at + 1..].iter().take(3).position(is_it);
        // `can be refunded at most 5 times`
        let is_done = |own: &String| names::is_done(own, last);
        let of_times = || {
            let is_times = words.get(at + 1).is_some_and(|own| own == "times");
            let may = prose::has(&words[..at], &["can", "cannot"]);
            (is_times && may && words[..at].iter().any(is_done)).then_some(0)
        };
        let of_kind = of_kind.or_else(of_times)?;
        let before = UP_TO.iter().any(|list| {
            let own = &words[..at];
            own.len() >= list.len() && own[own.len() - list.len()..].iter().eq(list.iter())
        });
        let after = &words[at + of_kind + 2..];
        let after = after.len() >= 2 && after[0] == "at" && after[1] == "most";
        let between = words[at + 1..].iter().take(of_kind);
        let kind = names::words(kind);
        let of_them = between.filter(|own| !kind.contains(own)).cloned();
        (before || after).then(|| (number, of_them.collect::<Vec<_>>()))
    });
    let (number, mut states) = found?;
    // The code of the refusal stands beside.
    let plain = prose::without_asides(sentence);
    let plain = plain.split(" code ").next().unwrap_or_default();
    let marked = plain.split('`').skip(1).step_by(2);
    let marked = marked.filter(|own| own.parse::<u16>().is_err());
    states.extend(marked.map(str::to_lowercase));
    (!prose::has(&words, &SOMETIMES)).then_some((number, states))
}

/// A number in digits or as a word.
fn number(word: &str) -> Option<usize> {
    const WORDS: [&str; 10] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let spelt = WORDS.iter().position(|own| *own == word).map(|own| own + 1);
    spelt.or_else(|| word.parse().ok())
}

/// Whether a sentence goes on about one more: a further one is answered with `429`.
fn speaks_of_next(sentence: &str) -> bool {
    const NEXT: [&str; 12] = [
        "further",
        "another",
        "more",
        "additional",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eleventh",
        "next",
    ];
    let words = names::words(&sentence.to_lowercase());
    words.iter().take(3).any(|own| NEXT.contains(&own.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_there_may_be() {
        for (sentence, kind, expected) in [
            ("An order can have 5 refunds at most", "refund", Some(5)),
            (
                "A seller can have up to five bank accounts",
                "bank account",
                Some(5),
            ),
            ("At most 3 open payouts are kept", "payout", Some(3)),
            (
                "A seller can have at most 5 payouts that are `pending`",
                "payout",
                Some(5),
            ),
            ("No more than 4 cards of a customer", "card", Some(4)),
            ("A maximum of 2 notes", "note", Some(2)),
            ("At most 100 refunds", "refund", None),
            ("At most 5 refunds per day", "refund", None),
            ("At most 5 digits of the card", "card", None),
            ("5 refunds are usual", "refund", None),
            ("Up to 5 captures", "refund", None),
            (
                "An order can be refunded at most five times",
                "refund",
                Some(5),
            ),
            ("An order can be tried at most five times", "refund", None),
        ] {
            let found = most(sentence, kind).map(|own| own.0);
            assert_eq!(found, expected, "{sentence}");
        }
        let states = |text| most(text, "payout").map(|own| own.1.join(" "));
        let of_state = "at most 5 payouts that are `pending`";
        assert_eq!(states(of_state).as_deref(), Some("pending"));
        assert_eq!(states("up to 3 open payouts").as_deref(), Some("open"));
        assert_eq!(states("up to 3 payouts").as_deref(), Some(""));
        for of_code in [
            "at most 3 payouts (`409` `too_many_payouts`)",
            "at most 3 payouts, else the answer is `409` with the code `too_many_payouts`",
        ] {
            assert_eq!(states(of_code).as_deref(), Some(""));
        }
        assert!(speaks_of_next(" A further one is answered with `429`"));
    }
}
