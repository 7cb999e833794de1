//! Letter case: what texts say of upper and lower case, and a text in the other one.

use openapi_document::{Node, Pointer};

use crate::model::{Call, names, prose};
use crate::shape::Shape;
use crate::value;

use super::clashes::{maker_of, said};
use crate::laws::trial::world::World;

/// Whether a sentence says that upper and lower case are one.
pub(crate) fn ignores_case(sentence: &[String]) -> bool {
    const IGNORES: [&str; 7] = [
        "regardless",
        "insensitive",
        "insensitively",
        "ignoring",
        "ignored",
        "irrespective",
        "whatever",
    ];
    let has = |words: &[&str]| prose::has(sentence, words);
    let at = |wanted: &[&str]| {
        sentence
            .iter()
            .position(|own| wanted.contains(&own.as_str()))
    };
    // `must not belong to another one (capital and small letters count as the same)`
    let from = at(&["upper", "capital", "uppercase", "case"]);
    let denies = sentence
        .iter()
        .skip(from.unwrap_or_default())
        .any(|own| own == "not");
    let both = (has(&["upper"]) && has(&["lower"]) && has(&["case"]))
        || (has(&["capital"]) && has(&["small"]))
        || (has(&["uppercase"]) && has(&["lowercase"]));
    let are_same = both && has(&["same", "alike", "equal"]) && !denies;
    let without_regard = (has(&["case"]) || both)
        && sentence
            .windows(2)
            .any(|own| own[0] == "without" && own[1] == "regard");
    let is_ignored = (has(&["case"]) || both) && has(&IGNORES) && !has(&["not"]);
    let is_none = (has(&["no"]) && has(&["difference", "matter"]))
        || (has(&["not"]) && has(&["matter"]) && !has(&["only"]));
    let matters_not = (has(&["case"]) || both) && is_none;
    // "A code may be typed in any mixture of upper and lower case", "lower case letters are fine"
    let is_any = both && has(&["any"]) && has(&["mixture", "mix", "combination"]);
    let may_be = has(&["lower", "lowercase", "small"])
        && has(&["case", "letters", "lowercase"])
        && has(&["fine", "accepted", "welcome", "too"])
        && !has(&["upper", "capital", "uppercase"])
        && !has(&[
            "digits",
            "numbers",
            "hyphens",
            "dashes",
            "underscores",
            "consists",
            "contain",
            "contains",
            "characters",
        ]);
    let is_free = (is_any || may_be) && !has(&["not", "never", "only"]);
    let is_plain = has(&["insensitively"]) && !has(&["not"]);
    is_ignored || is_free || is_plain || are_same || matters_not || (without_regard && !denies)
}

/// Whether a text of the operation, of what makes its record, of the property, or one of the whole document that speaks of it says that.
pub(super) fn is_of_one_case<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    property: &str,
) -> bool {
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref()).property(document, property);
    let own = shape.keyword("description").and_then(Node::as_str);
    let mut own = own.into_iter().flat_map(prose::spoken);
    // An email is an address.
    let last = names::words(property).pop();
    let is_email = last.is_some_and(|own| own == "email");
    let speaks_of = |words: &Vec<String>| {
        let is_address = is_email && prose::has(words, &["addresses"]);
        is_address || prose::speaks_of(words, property)
    };
    let mut overall = call.overall.into_iter().flat_map(prose::spoken);
    let maker = maker_of(world, call).into_iter();
    let mut said = maker.chain([call]).flat_map(said);
    said.any(|own| ignores_case(&own))
        || own.any(|own| ignores_case(&own))
        || overall.any(|own| speaks_of(&own) && ignores_case(&own))
}

/// A body whose text has letters in the place of digits, where that is as valid.
pub(crate) fn lettered<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    body: &Node,
    property: &str,
) -> Option<Node> {
    let letter = |own: char| match own.to_digit(10) {
        Some(digit) => char::from(b'A' + u8::try_from(digit).unwrap_or_default()),
        None => own,
    };
    let text: String = body.get(property)?.as_str()?.chars().map(letter).collect();
    let mut whole = body.clone();
    value::put(
        &mut whole,
        &Pointer::root().join(property),
        value::string(&text),
    )
    .ok()?;
    let found = world
        .contract()
        .validate_request(call.body.as_ref()?, &whole);
    found.is_ok_and(|all| all.is_empty()).then_some(whole)
}

/// A text in the other case.
pub(crate) fn in_other_case(own: &Node) -> Option<Node> {
    let text = own.as_str()?;
    let turned: String = text
        .chars()
        .map(|own| {
            if own.is_ascii_lowercase() {
                own.to_ascii_uppercase()
            } else {
                own.to_ascii_lowercase()
            }
        })
        .collect();
    (turned != text).then(|| value::string(&turned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_the_case_of_letters() {
        for (text, expected) in [
            (
                "It must not belong to another seller (capital and small letters count as the same).",
                true,
            ),
            (
                "It must not be in use: addresses are compared without regard to upper and lower case.",
                true,
            ),
            ("Capital and small letters are not the same.", false),
            ("Unique, whatever its letter case.", true),
            (
                "An email belongs to one client, upper and lower case being the same.",
                true,
            ),
            ("Upper and lower case are not the same.", false),
            ("An email, upper and lower case do not matter.", true),
            ("Upper and lower case make no difference.", true),
            ("Upper and lower case matter.", false),
            (
                "A coupon code may be typed in any mixture of upper and lower case.",
                true,
            ),
            (
                "People type the code, so lower case letters are fine.",
                true,
            ),
            ("Lower case letters are not accepted.", false),
            (
                "Lower case letters, digits and hyphens are accepted.",
                false,
            ),
            ("Letter case counts.", false),
            ("The `reference` must be unique.", false),
        ] {
            let words = prose::spoken(text).remove(0);
            assert_eq!(ignores_case(&words), expected, "{text}");
        }
    }
}
