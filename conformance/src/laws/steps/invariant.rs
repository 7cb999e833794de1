//! Invariant: what the description of a property says that it is while its record stands, or does not stand, in some
//! state: "null unless the payment is `authorized`", "`0.00` for a void invoice". Held against every answer, where no
//! documented one is otherwise.

use openapi_document::view::MediaType;
use openapi_document::{Node, Pointer};

use crate::checks::{self, Check};
use crate::model::{Call, Flag, Model, Record, names, prose};
use crate::shape::Shape;

use super::due::Due;
use crate::laws::amounts::amount::Amount;

/// What a property of an answer is not, though its description says so.
#[derive(Debug)]
pub(crate) struct Contradiction {
    /// What finds it.
    pub(crate) check: &'static Check,
    /// Where it stands.
    pub(crate) pointer: Pointer,
    /// What is said.
    pub(crate) due: String,
    /// What is told.
    pub(crate) told: String,
}

/// What a clause says of a property: what it is in some states, or in all others.
#[derive(Debug, PartialEq, Eq)]
struct Clause<'s> {
    due: Due,
    states: Vec<&'s str>,
    /// Whether it is so in all states but these.
    is_unless: bool,
    /// Whether the states are written as the wire has them, so that no others can be meant.
    is_exact: bool,
}

/// Words that a clause may begin with, or a state stand beside.
const PLAIN: [&str; 16] = [
    "it", "is", "are", "always", "this", "the", "a", "an", "and", "or", "in", "still", "any",
    "all", "status", "state",
];

/// The first property of an answered record that is not as its description says for its state.
pub(crate) fn contradiction<'d>(
    model: &Model<'d>,
    call: &Call<'d>,
    body: &Node,
) -> Option<Contradiction> {
    let kind = call.record()?;
    let success = call.success.as_ref()?;
    let clauses = of_kind(model, kind);
    let settled = model.settled().iter().find(|own| own.kind.is(kind));
    let flags = model.flags().iter().filter(|own| own.kind.is(kind));
    let flags: Vec<&Flag<'d>> = flags.filter(|own| is_so(model, own)).collect();
    if clauses.is_empty() && settled.is_none() && flags.is_empty() {
        return None;
    }
    let records: Vec<(Pointer, &Node)> = match &success.items {
        None => vec![(kind.at.clone(), body.at(&kind.at)?)],
        Some(at) => {
            let items = body.at(at)?.items().enumerate();
            let own = items.map(|(index, item)| {
                let at = at.join(index.to_string());
                let at = kind.at.segments().fold(at, |at, own| at.join(own));
                (at, item.at(&kind.at))
            });
            own.filter_map(|(at, own)| Some((at, own?))).collect()
        }
    };
    records.into_iter().find_map(|(at, record)| {
        let wrong = |own: &&&Flag<'d>| untrue(own, record);
        if let Some(flag) = flags.iter().find(wrong) {
            return Some(Contradiction {
                check: &checks::EFFECT_DIFFERS,
                pointer: at.join(flag.name),
                due: flag.told(),
                told: record.get(flag.name)?.to_json(),
            });
        }
        let state = state(record).filter(|_| !model.is_moving(record))?;
        if let Some((settled, due)) = settled.and_then(|own| Some((own, own.due(record, is_left)?)))
        {
            return Some(Contradiction {
                check: &checks::EFFECT_DIFFERS,
                pointer: at.join(settled.property),
                due,
                told: format!("{state:?}"),
            });
        }
        clauses.iter().find_map(|(name, clause)| {
            let own = record.get(name)?;
            let is_due = clause.is_about(state) && !clause.due.holds(own);
            (is_due && is_shown(model, kind, (name, clause), state)).then(|| Contradiction {
                check: &checks::EFFECT_DIFFERS,
                pointer: at.join(*name),
                due: format!("{}, as its text says of {state}", clause.due.shown()),
                told: own.to_json(),
            })
        })
    })
}

/// Whether a flag does not tell what its text says of two numbers.
fn untrue(flag: &Flag<'_>, record: &Node) -> bool {
    let compare = |one: &Node, other: &Node| {
        let (one, other) = (Amount::read_signed(one)?, Amount::read_signed(other)?);
        one.compared(other)
    };
    let told = record.get(flag.name).and_then(Node::as_bool);
    told.is_some_and(|told| flag.due(record, compare).is_some_and(|due| due != told))
}

/// Whether a flag is so in each documented record, of which there is one at least.
fn is_so<'d>(model: &Model<'d>, flag: &Flag<'d>) -> bool {
    let all = shown(model, &flag.kind);
    let mut told = all.iter().filter(|own| own.get(flag.name).is_some());
    told.next().is_some() && all.iter().all(|own| !untrue(flag, own))
}

/// Whether something is left of an amount.
fn is_left(amount: &Node) -> Option<bool> {
    Amount::read_signed(amount).map(|own| own.units > 0)
}

/// Whether the description of a property tells what it is in the state of a record.
pub(crate) fn tells<'d>(model: &Model<'d>, kind: &Record<'d>, record: &Node, name: &str) -> bool {
    let Some(state) = state(record) else {
        return false;
    };
    let clauses = of_kind(model, kind);
    clauses
        .iter()
        .any(|(own, clause)| *own == name && clause.is_about(state))
}

/// The only state that a record tells.
fn state(record: &Node) -> Option<&str> {
    let own = names::own_state(record.entries().map(|own| own.key.as_str()))?;
    record.get(own)?.as_str()
}

/// What the properties of a kind of record are said to be in its states.
fn of_kind<'d>(model: &Model<'d>, kind: &Record<'d>) -> Vec<(&'d str, Clause<'d>)> {
    let document = model.document;
    let shape = Shape::of(document, Some(&kind.schema));
    let listed = shape.property_names();
    let Some(property) = names::own_state(listed.iter().copied()) else {
        return Vec::new();
    };
    let states = shape.property(document, property).known_values();
    let of = |name: &'d str| {
        let own = shape.property(document, name);
        let text = own.keyword("description").and_then(Node::as_str);
        let text = text.unwrap_or_default();
        let all = clauses(text, &kind.name, &states).into_iter();
        // What happened once, such as `captured_at`, is told in later states, too.
        let is_own = |clause: &Clause<'_>| {
            let words = names::words(name);
            let mut told = clause.states.iter().flat_map(|own| names::words(own));
            clause.is_unless && told.any(|own| words.contains(&own))
        };
        all.filter(|own| !is_own(own))
            .map(|own| (name, own))
            .collect::<Vec<_>>()
    };
    listed.into_iter().flat_map(of).collect()
}

/// Whether the documented answers of a kind of record leave no doubt: none in a state is otherwise, and where the text
/// does not write the states as the wire does, one is so.
fn is_shown<'d>(
    model: &Model<'d>,
    kind: &Record<'d>,
    (name, clause): (&str, &Clause<'_>),
    state: &str,
) -> bool {
    let alike = shown(model, kind).into_iter();
    let alike = alike.filter(|own| self::state(own) == Some(state));
    let mut alike = alike.filter_map(|own| own.get(name)).peekable();
    let is_told = !clause.is_unless || clause.is_exact || alike.peek().is_some();
    is_told && alike.all(|own| clause.due.holds(own))
}

/// The documented records of a kind.
fn shown<'d>(model: &Model<'d>, kind: &Record<'d>) -> Vec<&'d Node> {
    let of_kind = |own: &&Call<'d>| own.record().is_some_and(|own| own.is(kind));
    let mut shown = Vec::new();
    for call in model.calls.iter().filter(of_kind) {
        let media = call.success.as_ref().and_then(|own| own.media.as_ref());
        let at = call.record().map(|own| &own.at);
        let items = call.success.as_ref().and_then(|own| own.items.as_ref());
        for example in media.map(MediaType::examples).unwrap_or_default() {
            let body = example.value.node;
            let all: Vec<&'d Node> = match items {
                None => vec![body],
                Some(items) => body.at(items).into_iter().flat_map(Node::items).collect(),
            };
            shown.extend(all.into_iter().filter_map(|own| own.at(at?)));
        }
    }
    shown
}

impl Clause<'_> {
    /// Whether it says what a property is in a state.
    fn is_about(&self, state: &str) -> bool {
        self.states.contains(&state) != self.is_unless
    }
}

/// What a description says of states; the kind of record is told by its last word.
fn clauses<'s>(text: &str, kind: &str, states: &[&'s str]) -> Vec<Clause<'s>> {
    let sentences = prose::sentences(text).into_iter();
    let one = |own: &String| {
        let both = both(own, kind, states);
        both.unwrap_or_else(|| clause(own, kind, states).into_iter().collect())
    };
    let mut found = Vec::new();
    for sentence in sentences {
        let parts = parts(sentence, states);
        // Where more than one part tells of states, all others are those of none of them.
        if let [before, rest] = &parts[..] {
            found.extend(otherwise(before, rest, (kind, states)));
        }
        found.extend(parts.iter().flat_map(one));
    }
    found
}

/// What a property is in all states but those that the clause before tells of: `the total while the invoice is open, otherwise 0`.
fn otherwise<'s>(
    before: &str,
    text: &str,
    (kind, states): (&str, &[&'s str]),
) -> Option<Clause<'s>> {
    const LINKS: [&str; 4] = [" while ", " when ", " if ", " as long as "];
    let value = text.strip_prefix("otherwise ")?.trim();
    let edges = |own: char| "`'\"().".contains(own);
    let due = Due::read(value.trim_matches(edges))?;
    let rest = LINKS
        .iter()
        .find_map(|link| Some(before.split_once(link)?.1));
    let told = clause(&format!("null while {}", rest?), kind, states)?;
    Some(Clause {
        due,
        is_unless: !told.is_unless,
        ..told
    })
}

/// The parts of a sentence between commas; a list of states is one: `released`, `refunded` or `split`.
fn parts(sentence: &str, states: &[&str]) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in sentence.split(", ") {
        let first = part.split_whitespace().next().unwrap_or_default();
        let first = first.trim_matches(|own: char| !own.is_alphanumeric());
        let goes_on = states.iter().any(|own| own.eq_ignore_ascii_case(first));
        match parts.last_mut().filter(|_| goes_on) {
            Some(last) => {
                last.push(' ');
                last.push_str(part);
            }
            None => parts.push(part.to_owned()),
        }
    }
    parts
}

/// What a clause says that tells when a property is there, and when it is not: `set if and only if the status is open`.
fn both<'s>(text: &str, kind: &str, states: &[&'s str]) -> Option<Vec<Clause<'s>>> {
    const THERE: [&str; 5] = ["set", "present", "given", "filled", "there"];
    let lower = text.to_lowercase();
    let (before, _) = lower.split_once(" if and only if ")?;
    let mut words = before.split_whitespace();
    let is_plain = |own: &str| PLAIN.contains(&own) || THERE.contains(&own);
    let is_there = words.clone().any(|own| THERE.contains(&own)) && words.all(is_plain);
    let rest = text.get(before.len() + " if and only if ".len()..)?;
    let absent = clause(&format!("null unless {rest}"), kind, states).filter(|_| is_there)?;
    let there = Clause {
        due: Due::Something,
        states: absent.states.clone(),
        is_unless: !absent.is_unless,
        is_exact: absent.is_exact,
    };
    Some(vec![absent, there])
}

/// What a clause says: a value, `unless` or the like, the record, and its states.
fn clause<'s>(text: &str, kind: &str, states: &[&'s str]) -> Option<Clause<'s>> {
    let kind = kind.rsplit(' ').next().unwrap_or_default();
    let edges = |own: char| "`'\"(),:".contains(own);
    let raw: Vec<&str> = text.split_whitespace().collect();
    let first = raw
        .iter()
        .position(|own| !PLAIN.contains(&own.to_lowercase().as_str()))?;
    let (value, rest) = raw[first..].split_first()?;
    let (link, rest) = rest.split_first()?;
    let due = Due::read(value.trim_matches(edges))?;
    let is_kind = |own: &str| {
        let own = names::singular(own.trim_matches(edges));
        own == kind || own == "it"
    };
    let (mut is_unless, is_of) = match *link {
        "unless" => (true, false),
        "while" | "once" | "when" | "if" => (false, false),
        "for" => (false, true),
        _ => return None,
    };
    let mut said = rest.to_vec();
    if is_of {
        // `for a void invoice`, `for void or draft invoices`
        said.pop().filter(|own| is_kind(own))?;
    } else if let Some(at) = said.iter().position(|own| *own == "is" || *own == "are") {
        // Without a verb it is nothing but states: `null while pending`.
        let about: Vec<&str> = said.drain(..=at).collect();
        let mut subject = about.iter().map(|own| own.trim_matches(edges));
        let is_plain = |own: &str| {
            is_kind(own) || matches!(own, "the" | "its" | "is" | "are" | "status" | "state")
        };
        subject.all(is_plain).then_some(())?;
        if said.first() == Some(&"not") {
            said.remove(0);
            is_unless = !is_unless;
        }
    }
    let mut found = Vec::new();
    let mut is_exact = true;
    for word in said {
        let own = word.trim_matches(edges);
        if let Some(state) = states.iter().find(|state| state.eq_ignore_ascii_case(own)) {
            found.push(*state);
            is_exact &= word.starts_with('`') || word.starts_with('"');
        } else if !PLAIN.contains(&own) {
            return None;
        }
    }
    (!found.is_empty()).then_some(Clause {
        due,
        states: found,
        is_unless,
        is_exact,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_descriptions_say_of_states() {
        let states = ["authorized", "captured", "failed", "void", "open"];
        for (text, expected) in [
            (
                "What can still be captured. `0.00` unless the payment is `authorized`.",
                Some(("0.00", &["authorized"][..], true, true)),
            ),
            (
                "Why it failed; null unless the status is `failed`.",
                Some(("null", &["failed"], true, true)),
            ),
            (
                "Null while the payment is open.",
                Some(("null", &["open"], false, false)),
            ),
            (
                "`total` less what was paid; `0.00` for a void payment.",
                Some(("0.00", &["void"], false, false)),
            ),
            (
                "Null once the payment is void or failed",
                Some(("null", &["void", "failed"], false, false)),
            ),
            ("null while open.", Some(("null", &["open"], false, false))),
            ("null while the bank is asked", None),
            (
                "False if it is not open",
                Some(("false", &["open"], true, false)),
            ),
            (
                "What to do. Set if and only if the status is `open`.",
                Some(("null", &["open"], true, true)),
            ),
            (
                "`null` unless `status` is `captured`, `failed` or `void`, and set then.",
                Some(("null", &["captured", "failed", "void"], true, true)),
            ),
            (
                "The total while the payment is open, otherwise 0.",
                Some(("0", &["open"], true, false)),
            ),
            (
                "What is left as long as the payment is `open`, otherwise `0.00`.",
                Some(("0.00", &["open"], true, true)),
            ),
            ("The total while the card is open, otherwise 0.", None),
            (
                "The total while the payment is `open`, the fee while it is `void`, otherwise 0.",
                None,
            ),
            ("Not set if and only if it is open", None),
            ("Paid if and only if it is captured", None),
            // What is said of something else, of what was, or of more than a state.
            ("Null unless the card is open", None),
            ("Null until the payment is captured", None),
            ("Null unless the payment is captured in part", None),
            ("Null unless the payment was captured", None),
            ("When it was captured; null before", None),
            ("0.00 for void payments of the customer", None),
            ("Never null while the payment is open", None),
        ] {
            let found = clauses(text, "payment", &states);
            let found = found.first().map(|own| {
                let states = own.states.clone();
                (own.due.shown(), states, own.is_unless, own.is_exact)
            });
            let expected = expected.map(|(due, states, is_unless, is_exact)| {
                (due.to_owned(), states.to_vec(), is_unless, is_exact)
            });
            assert_eq!(found, expected, "{text}");
        }
    }
}
