//! Casing: what a text says to be kept in small letters, or without the spaces around it, is, however it was sent.

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::Sent;
use crate::model::{Call, Role, prose};
use crate::shape::Shape;
use crate::value;

use super::trimmed;
use crate::laws::steps::clashes::lettered;
use crate::laws::trial::answered::{record_of, succeeded};
use crate::laws::trial::draft::{Claim, Draft, Tried};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// Tries an operation that makes records with a text of which the case of the letters is told.
pub(crate) async fn run<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.role != Role::Create || call.body.is_none() || !world.may_write() {
        return Ok(false);
    }
    let kept = said_of(world, call, says_small);
    let mut tried = trimmed::look(world, call, draft).await;
    for name in kept {
        tried |= is_small(world, call, name, draft).await.is_some();
    }
    Ok(tried)
}

/// The properties of a body that are texts.
fn texts<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> Vec<&'d str> {
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let is_text = |own: &&str| {
        let property = shape.property(document, own);
        property.type_name() == Some("string") && property.known_values().is_empty()
    };
    let names = shape.property_names().into_iter();
    names.filter(is_text).collect()
}

/// The texts of a body of which something is said: by their own descriptions, as they are sent or shown, or by a sentence of the
/// operation that names no other.
pub(super) fn said_of<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    says: fn(&[String]) -> bool,
) -> Vec<&'d str> {
    let document = world.model.document;
    let sent = Shape::of(document, call.body.as_ref());
    let shown = Shape::of(document, call.record().map(|own| &own.schema));
    let listed = texts(world, call);
    let spoken = call.spoken();
    let of_operation = spoken.iter().filter(|own| says(own));
    let named: Vec<&str> = of_operation.filter_map(|own| only(own, &listed)).collect();
    let is_said = |name: &&str| {
        let all = [
            sent.property(document, name),
            shown.property(document, name),
        ];
        let texts = all
            .iter()
            .filter_map(|own| own.keyword("description").and_then(Node::as_str));
        let mut said = texts.flat_map(prose::spoken);
        named.contains(name) || said.any(|own| says(&own))
    };
    listed.iter().copied().filter(is_said).collect()
}

/// The only one of some properties that a sentence names.
fn only<'d>(words: &[String], listed: &[&'d str]) -> Option<&'d str> {
    let mut named = listed.iter().filter(|own| prose::speaks_of(words, own));
    named.next().filter(|_| named.next().is_none()).copied()
}

fn says_small(words: &[String]) -> bool {
    const OPEN: [&str; 8] = [
        "not", "must", "only", "may", "if", "unless", "compared", "never",
    ];
    const SMALL: [&str; 3] = ["lowercase", "lowercased", "downcased"];
    let pairs = [["lower", "case"], ["small", "letters"]];
    let is_small = words
        .windows(2)
        .any(|own| pairs.iter().any(|pair| own == *pair));
    let is_kept = prose::has(
        words,
        &[
            "however",
            "keep",
            "kept",
            "store",
            "stored",
            "save",
            "return",
            "returned",
            "put",
            "converted",
            "normalised",
            "normalized",
            "lowercased",
            "saved",
        ],
    );
    (is_small || prose::has(words, &SMALL)) && is_kept && !prose::has(words, &OPEN)
}

/// A request with a text of its body in capitals, where that is valid; and that text.
fn in_capitals<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, sent): (&Ready<'_, 'd>, &Sent),
    name: &str,
) -> Option<(Sent, String)> {
    let mut sent = sent.clone();
    // What is made to be new may be digits alone.
    let mut json = lettered(world, call, sent.json.as_ref()?, name)?;
    let text = json.get(name)?.as_str()?.to_ascii_uppercase();
    value::put(&mut json, &Pointer::root().join(name), value::string(&text)).ok()?;
    world.put_valid(call, (&mut sent, &ready.call), json)?;
    Some((sent, text))
}

/// Sent in capitals, it comes back in small letters.
async fn is_small<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    name: &str,
    draft: &mut Draft,
) -> Option<()> {
    let ready = world.ready(call, "casing").await.ok()?;
    let sent = world.compose(&ready, "casing").ok()?;
    let (sent, capitals) = in_capitals(world, call, (&ready, &sent), name)?;
    let exchange = world.send(sent).await;
    let shown = record_of(call, &exchange).filter(|_| succeeded(&exchange))?;
    let came = shown.get(name)?.as_str()?;
    let due = capitals.to_ascii_lowercase();
    if came != due && came.eq_ignore_ascii_case(&due) {
        let expected = format!("{due}: it is said to be kept in small letters");
        let at = call.record()?.at.join(name);
        let claim = Claim::new(&checks::EFFECT_DIFFERS, Ground::Text, expected, came).at(at);
        world.differ(draft, call, claim, &exchange);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::names;

    #[test]
    fn what_is_said_of_the_case_of_letters() {
        for (text, expected) in [
            ("The address, in lower case, however it was sent", true),
            ("Stored lowercased", true),
            ("We store addresses in lower case", true),
            ("It must be in lower case", false),
            ("In any case it is kept", false),
            (
                "The e-mail address is kept in lower case and is unique regardless of case",
                true,
            ),
            (
                "Addresses are compared in lower case and kept as they were sent",
                false,
            ),
            ("It may be stored in lower case", false),
        ] {
            assert_eq!(says_small(&names::words(text)), expected, "{text}");
        }
    }

    #[test]
    fn sentences_that_name_one_property() {
        for (text, expected) in [
            ("The e-mail address is kept in lower case", Some("email")),
            ("The name and the email are kept in lower case", None),
            ("All of it is kept in lower case", None),
        ] {
            let words = prose::spoken(text).remove(0);
            assert_eq!(only(&words, &["name", "email"]), expected, "{text}");
        }
    }
}
