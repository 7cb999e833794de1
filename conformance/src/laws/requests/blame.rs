//! Blame: a refusal that is said to name the property that is wrong names one, where one alone was.

use openapi_document::view::MediaType;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, names, prose};
use crate::mutation::UNDECLARED;
use crate::shape::Shape;
use crate::value;

use crate::laws::trial::answered::status;
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// Names of what tells where a mistake is.
const PLACES: [&str; 7] = [
    "param",
    "parameter",
    "field",
    "property",
    "pointer",
    "path",
    "location",
];

/// Words of what a text says to be told there.
const OF: [&str; 4] = ["property", "properties", "parameter", "field"];

/// Looks at the refusal of a body in which one property was broken.
pub(super) fn look<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    broken: &Pointer,
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let code = status(exchange).filter(|own| matches!(own, 400 | 422));
    let answer = exchange.outcome.as_ref().ok();
    let (Some(response), Some(body)) = (
        code.and_then(|code| call.response(code)),
        answer.and_then(|own| own.json()),
    ) else {
        return;
    };
    // A refusal need not repeat the name of a property that its schema does not know.
    if broken.last().is_none_or(|name| name == UNDECLARED) {
        return;
    }
    let content = response.content();
    let shown: Vec<&Node> = content
        .iter()
        .flat_map(MediaType::examples)
        .map(|own| own.value.node)
        .collect();
    let media = content.iter().find(|own| own.schema().is_some());
    let schema = media.and_then(MediaType::schema);
    let shape = Shape::of(world.model.document, schema.as_ref());
    let place = || place(world, call, &shape);
    let Some(at) = world.found.place_of_blame(call, status(exchange), place) else {
        return;
    };
    let is_text = |own: &Node| own.as_str().is_some_and(|own| !own.is_empty());
    let is_shown = shown.iter().any(|own| own.at(&at).is_some_and(is_text));
    let told = body.at(&at);
    let is_missing = told.is_none_or(|own| own.is_null() || own.as_str() == Some(""));
    if is_shown && is_missing {
        let name = broken.segments().collect::<Vec<_>>().join(".");
        let expected = format!("`{name}`, which is wrong");
        let told = told.map_or_else(|| "absent".to_owned(), Node::to_json);
        let claim = Claim::new(&checks::FIELD_MISSING, Ground::Text, expected, told).at(at);
        world.differ(draft, call, claim, exchange);
    }
}

/// Leaves out two properties that have to be there, where a text says that each of those that are wrong is named: the list
/// of them has two entries then.
pub(super) async fn of_all<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let response = call.first_of(&[400, 422])?;
    let texts = call.overall.into_iter().chain(call.texts());
    let mut said = texts.chain(response.at.node.get("description").and_then(Node::as_str));
    said.any(|own| prose::spoken(own).iter().any(|own| names_each(own)))
        .then_some(())?;
    let shape = Shape::of(world.model.document, call.body.as_ref());
    let ready = world.ready(call, "blame").await.ok()?;
    let mut sent = world.compose(&ready, "blame").ok()?;
    let mut json = sent.json.clone()?;
    let required = shape.property_names().into_iter();
    let required: Vec<&str> = required.filter(|own| shape.requires(own)).take(2).collect();
    let [one, other] = required[..] else {
        return None;
    };
    value::remove(&mut json, one);
    value::remove(&mut json, other);
    world.put_json(&mut sent, &ready.call, json);
    let exchange = world.send(sent).await;
    let told = exchange.outcome.as_ref().ok()?.json()?;
    let is_refused = matches!(status(&exchange), Some(400 | 422));
    let (at, count) = list_of(told, &Pointer::root()).filter(|_| is_refused)?;
    if count == 1 {
        let expected = format!("an entry for `{one}`, and one for `{other}`");
        let claim = Claim::new(&checks::FIELD_MISSING, Ground::Text, expected, "one entry").at(at);
        world.differ(draft, call, claim, &exchange);
    }
    Some(())
}

/// The list in an error whose items name places, and how many it has.
fn list_of(error: &Node, at: &Pointer) -> Option<(Pointer, usize)> {
    error.entries().find_map(|entry| {
        let at = at.join(entry.key.as_str());
        if entry.value.as_mapping().is_some() {
            return list_of(&entry.value, &at);
        }
        let items = entry.value.as_sequence()?;
        let names_place = |own: &Node| PLACES.iter().any(|place| own.get(place).is_some());
        let is_list = !items.is_empty() && items.iter().all(names_place);
        is_list.then_some((at, items.len()))
    })
}

/// Whether a sentence says that each property which is wrong is named, and not the first of them alone.
fn names_each(sentence: &[String]) -> bool {
    const EACH: [&str; 4] = ["each", "every", "all", "per"];
    const OPEN: [&str; 5] = ["may", "can", "if", "sometimes", "should"];
    const WRONG: [&str; 7] = [
        "offending",
        "invalid",
        "wrong",
        "broken",
        "violated",
        "failing",
        "failed",
    ];
    let has_entry = prose::has(
        sentence,
        &["entry", "entries", "item", "items", "listed", "names"],
    );
    let is_property = prose::has(sentence, &OF) || prose::has(sentence, &["fields"]);
    has_entry
        && is_property
        && prose::has(sentence, &EACH)
        && prose::has(sentence, &WRONG)
        && !prose::has(sentence, &OPEN)
}

/// Where an error tells the property that is wrong, by its name and a text.
fn place<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>, error: &Shape<'d>) -> Option<Pointer> {
    let document = world.model.document;
    let overall = call.overall.unwrap_or_default();
    let of = |shape: &Shape<'d>, at: &Pointer| {
        let mut names = shape.property_names().into_iter();
        names.find_map(|name| {
            let own = shape.property(document, name);
            let text = own.keyword("description").and_then(Node::as_str);
            let is_said =
                text.is_some_and(|text| says_what(text, None)) || says_what(overall, Some(name));
            let is_place = PLACES.contains(&name) && own.type_name() == Some("string");
            (is_place && is_said).then(|| at.join(name))
        })
    };
    let root = Pointer::root();
    of(error, &root).or_else(|| {
        let mut names = error.property_names().into_iter();
        names.find_map(|name| of(&error.property(document, name), &root.join(name)))
    })
}

/// Whether a text says that a property or parameter is named which is to blame.
fn says_what(text: &str, name: Option<&str>) -> bool {
    const BLAME: [&str; 8] = [
        "blame",
        "wrong",
        "fault",
        "invalid",
        "caused",
        "names",
        "offending",
        "failed",
    ];
    prose::sentences(text).into_iter().any(|sentence| {
        let marked = |name: &str| {
            sentence.contains(&format!("`{name}`")) || sentence.contains(&format!(".{name}`"))
        };
        let words = names::words(sentence);
        let is_some = prose::has(&words, &["may", "sometimes", "if", "possible"]);
        name.is_none_or(marked) && prose::has(&words, &OF) && prose::has(&words, &BLAME) && !is_some
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_about_each_mistake() {
        for (sentence, expected) in [
            (
                "For a 400, `details` has one entry for each offending field, not only for the first one",
                true,
            ),
            ("`errors` lists one item per invalid field", true),
            ("There may be an entry for each invalid field", false),
            ("Each field has an entry", false),
        ] {
            let words = names::words(sentence);
            assert_eq!(names_each(&words), expected, "{sentence}");
        }
    }

    #[test]
    fn texts_that_say_who_is_to_blame() {
        for (text, name, expected) in [
            ("The property or parameter that is to blame.", None, true),
            (
                "`error.param` names the property that is wrong",
                Some("param"),
                true,
            ),
            ("`field` is the invalid field", Some("field"), true),
            ("The offending field, if there is one", None, false),
            (
                "`error.code` names the property that is wrong",
                Some("param"),
                false,
            ),
            ("A path", None, false),
        ] {
            assert_eq!(says_what(text, name), expected, "{text}");
        }
    }
}
