//! Ranges: two query parameters of which a text says which of them must not lie beyond the other one are refused the other way
//! round.

use openapi_document::view::{Location, Parameter};
use openapi_document::{Node, Pointer};

use super::parameters::judge;
use super::unknown::is_allowed;
use crate::case::ArgumentValue;
use crate::collect::request;
use crate::laws::trial::answered::succeeded;
use crate::laws::trial::draft::Draft;
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};
use crate::model::{Call, names, prose};
use crate::shape::Shape;
use crate::value;

/// Which of two is the greater one, or may be: the one that a sentence is about, or the other one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Greater {
    This,
    Other,
}

/// Sends both ends as they should be, and the other way round.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    draft: &mut Draft,
) {
    let all = request::parameters(&call.operation, world.selection);
    let query = all.iter().filter(|own| own.location == Location::Query);
    let query: Vec<&Parameter<'d>> = query.collect();
    for low in &query {
        for high in &query {
            if low.name != high.name && is_said(call, low, high) {
                let _ = turned(world, (call, ready), (low, high), draft).await;
            }
        }
    }
}

async fn turned<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    (call, ready): (&Call<'d>, &Ready<'_, 'd>),
    (low, high): (&Parameter<'d>, &Parameter<'d>),
    draft: &mut Draft,
) -> Option<()> {
    let (less, more) = values(world, low, high)?;
    for (is_right, pair) in [(true, [&less, &more]), (false, [&more, &less])] {
        let mut step = ready.call.clone();
        for (own, value) in [low, high].into_iter().zip(pair) {
            let value = ArgumentValue::Example(value.clone());
            let mut argument = request::argument(world.contract(), own, value);
            argument.natural_key = false;
            let arguments = &mut step.request.arguments;
            arguments.retain(|known| known.name != own.name || known.location != own.location);
            arguments.push(argument);
        }
        let tag = format!("ranges-{}-{is_right}", high.name);
        let sent = world.compose_step(ready, &step, &tag).ok()?;
        let exchange = world.send(sent).await;
        if is_right {
            succeeded(&exchange).then_some(())?;
            continue;
        }
        let what = format!("`{}` lies before `{}`", high.name, low.name);
        let pointer = Pointer::root().join("query").join(high.name);
        judge(
            world,
            call,
            (Ground::Name(high.at.node.span), pointer, &what),
            &exchange,
            draft,
        );
    }
    Some(())
}

/// A less and a greater value that both parameters take.
fn values<'d>(
    world: &World<'_, '_, '_, 'd>,
    low: &Parameter<'d>,
    high: &Parameter<'d>,
) -> Option<(Node, Node)> {
    let schemas = [low.schema()?, high.schema()?];
    let [one, other] = [0, 1].map(|at: usize| Shape::of(world.model.document, schemas.get(at)));
    if one.type_name() != other.type_name() || one.format() != other.format() {
        return None;
    }
    let (less, more) = match (one.type_name()?, one.format()) {
        ("string", Some("date")) => ["2024-03-01", "2024-04-02"].map(value::string).into(),
        ("string", Some("date-time")) => ["2024-03-01T00:00:00Z", "2024-04-02T00:00:00Z"]
            .map(value::string)
            .into(),
        ("integer" | "number", _) => {
            let least = |own: &Shape<'d>| own.keyword("minimum").and_then(Node::as_u64);
            let least = least(&one).max(least(&other)).unwrap_or(1);
            (value::number(least + 1), value::number(least + 2))
        }
        _ => return None,
    };
    let takes = |own: &Node| {
        let mut all = schemas.iter();
        all.all(|schema| is_allowed(world.contract(), schema, own))
    };
    (takes(&less) && takes(&more)).then_some((less, more))
}

/// Whether a text says that one parameter must not lie beyond another one.
fn is_said(call: &Call<'_>, low: &Parameter<'_>, high: &Parameter<'_>) -> bool {
    let tells = |text: &str, (about, other): (&str, &str), is_own, wanted| {
        let mut all = prose::sentences(text).into_iter();
        all.any(|own| greater(own, (about, other), is_own) == Some(wanted))
    };
    let own = |own: &Parameter<'_>, names, wanted| {
        let text = own.at.node.get("description").and_then(Node::as_str);
        text.is_some_and(|text| tells(text, names, true, wanted))
    };
    let general = |names, wanted| {
        let mut texts = call.texts();
        texts.any(|text| tells(text, names, false, wanted))
    };
    let (rising, falling) = ((high.name, low.name), (low.name, high.name));
    own(high, rising, Greater::This)
        || own(low, falling, Greater::Other)
        || general(rising, Greater::This)
        || general(falling, Greater::Other)
}

/// Words in the places of names, of which some are ordinary words.
const THIS: &str = "thisparameter";
const OTHER: &str = "otherparameter";

/// The words of a sentence in which a name stands as one word. A name of one word has to be marked.
fn spoken(sentence: &str, (about, other): (&str, &str)) -> Vec<String> {
    let marked = sentence.replace(&format!("`{about}`"), THIS);
    let marked = marked.replace(&format!("`{other}`"), OTHER);
    let mut words = names::words(&marked);
    for (name, own) in [(about, THIS), (other, OTHER)] {
        let name = names::words(name);
        let at = words.windows(name.len()).position(|part| part == name);
        if let Some(at) = at.filter(|_| name.len() > 1) {
            words.splice(at..at + name.len(), [own.to_owned()]);
        }
    }
    words
}

/// Which of two parameters a sentence says to be the greater one, where it asks for that; `is_own` where it is the description
/// of the first, which it then need not name.
fn greater(sentence: &str, names: (&str, &str), is_own: bool) -> Option<Greater> {
    const ABOVE: [&str; 6] = ["after", "later", "greater", "above", "larger", "higher"];
    const BELOW: [&str; 7] = [
        "before", "earlier", "less", "below", "smaller", "lower", "precede",
    ];
    const OPEN: [&str; 10] = [
        "if", "unless", "may", "when", "should", "or", "except", "without", "by", "and",
    ];
    const SPANS: [&str; 10] = [
        "day", "days", "week", "weeks", "month", "months", "year", "years", "hour", "hours",
    ];
    let words = spoken(sentence, names);
    let has = |list: &[&str]| prose::has(&words, list);
    let is_number = |own: &String| {
        let is_status = matches!(own.as_str(), "400" | "422");
        own.bytes().any(|own| own.is_ascii_digit()) && !is_status
    };
    let asks = has(&["must", "has", "needs", "cannot"]);
    let is_refused = has(&["refused", "rejected", "invalid"]) && !asks;
    if !(asks || is_refused) || has(&OPEN) || has(&SPANS) || words.iter().any(is_number) {
        return None;
    }
    let compares = |own: &&str| ABOVE.contains(own) || BELOW.contains(own);
    let mut all = words.iter().map(String::as_str).enumerate();
    let (at, word) = all.find(|(_, own)| compares(own))?;
    let is_only = !all.any(|(_, own)| compares(&own));
    let place = |name: &str| words.iter().position(|own| own == name);
    let is_about = match place(THIS) {
        Some(own) => own < at,
        None => is_own,
    };
    // What it is compared with comes next.
    let next = words[at + 1..].iter();
    let next = next.take_while(|own| matches!(own.as_str(), "than" | "the"));
    let is_next = place(OTHER) == Some(at + 1 + next.count());
    let is_denied = has(&["not", "no", "never", "cannot"]);
    if !(is_only && is_about && is_next) || (is_refused && is_denied) {
        return None;
    }
    Some(if ABOVE.contains(&word) == (is_denied || is_refused) {
        Greater::Other
    } else {
        Greater::This
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_of_two_is_the_greater_one() {
        let names = ("to", "from_day");
        for (text, is_own, expected) in [
            (
                "Must not be earlier than `from_day`, else `400`.",
                true,
                Some(Greater::This),
            ),
            ("Must be after `from_day`.", true, Some(Greater::This)),
            (
                "Must not be later than `from_day`",
                true,
                Some(Greater::Other),
            ),
            (
                "`to` has to be before `from_day`",
                false,
                Some(Greater::Other),
            ),
            (
                "A `to` before `from_day` is refused with 400",
                false,
                Some(Greater::This),
            ),
            ("A `to` before `from_day` is not refused", false, None),
            ("Must not be earlier than `from_day`", false, None),
            (
                "Must not be earlier than `from_day` if that is given",
                true,
                None,
            ),
            ("Must not be more than 31 days after `from_day`", true, None),
            ("Must be a week after `from_day`", true, None),
            ("Must not be earlier than today", true, None),
            ("Earlier than `from_day`", true, None),
        ] {
            let mut found = prose::sentences(text).into_iter();
            let found = found.find_map(|own| greater(own, names, is_own));
            assert_eq!(found, expected, "{text}");
        }
        let names = ("created_before", "created_from");
        let text = "`created_before` must not be earlier than created_from";
        assert_eq!(greater(text, names, false), Some(Greater::This));
    }
}
