//! Distinct: items of a list in a body that a text says may name a thing once are refused where two of them name the same:
//! "Each SKU may be used by one line item only; otherwise `422`".

use openapi_document::{Node, Pointer, Value};

use crate::checks;
use crate::model::Call;
use crate::names;
use crate::prose;
use crate::value;

use super::told::{Told, is_otherwise};
use crate::answered::{succeeded, told};
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;

/// What a sentence says to be told once.
struct Once {
    /// The list, and the property of its items.
    list: String,
    name: String,
    told: Told,
}

/// Sends two items that name the same.
pub(super) async fn look<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    body: &Node,
    draft: &mut Draft,
) {
    for once in said(scene, call, body) {
        of(scene, call, &once, draft).await;
    }
}

async fn of<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    once: &Once,
    draft: &mut Draft,
) -> Option<()> {
    let tag = format!("distinct-{}", once.name);
    let ready = scene.ready(call, &tag).await.ok()?;
    let mut sent = scene.compose(&ready, &tag).ok()?;
    let mut json = sent.json.clone()?;
    let item = with_little(json.get(&once.list)?.items().next()?);
    let mut items = json.get(&once.list)?.clone();
    items.value = Value::Sequence(vec![item.clone(), item]);
    let at = Pointer::root().join(once.list.as_str());
    value::put(&mut json, &at, items).ok()?;
    scene.put_valid(call, (&mut sent, &ready.call), json)?;
    let exchange = scene.send(sent).await;
    let at = at.join("1").join(once.name.as_str());
    if succeeded(&exchange) {
        let expected = format!("a refusal: `{}` is told once only", once.name);
        let claim = Claim::new(
            &checks::CONSTRAINT_IGNORED,
            Ground::Text,
            expected,
            told(&exchange),
        )
        .at(at);
        scene.differ(draft, call, claim, &exchange);
        return Some(());
    }
    once.told.judge(scene, call, &exchange, draft);
    Some(())
}

/// An item that asks for one of what it counts, so that two are not too many.
fn with_little(item: &Node) -> Node {
    let mut own = item.clone();
    for entry in item.entries() {
        let words = names::words(&entry.key);
        let counts = prose::has(&words, &["quantity", "qty", "count", "units"]);
        if counts && entry.value.as_u64().is_some() {
            let at = Pointer::root().join(entry.key.as_str());
            // It is there.
            let _ = value::put(&mut own, &at, value::number(1));
        }
    }
    own
}

/// What sentences say to be told once.
fn said<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, body: &Node) -> Vec<Once> {
    let lists = body.entries().filter_map(|own| {
        let first = own.value.items().next()?;
        Some((own.key.as_str(), first))
    });
    let lists: Vec<(&str, &Node)> = lists.collect();
    let texts: Vec<&str> = call.texts().flat_map(prose::sentences).collect();
    let mut found = Vec::new();
    for (at, sentence) in texts.iter().enumerate() {
        if !says_once(sentence) {
            continue;
        }
        // What comes of it may stand behind a semicolon.
        let next = texts.get(at + 1).filter(|own| is_otherwise(own));
        let whole = format!("{sentence} {}", next.copied().unwrap_or_default());
        let words = names::words(&whole.to_lowercase());
        let refused = ["409", "422", "400", "refused", "rejected"];
        if !prose::has(&words, &refused) {
            continue;
        }
        let named = lists.iter().find_map(|(list, item)| {
            let name = item.entries().find(|own| is_named(sentence, &own.key))?;
            Some(((*list).to_owned(), name.key.clone()))
        });
        if let Some((list, name)) = named {
            found.push(Once {
                list,
                name,
                told: Told::read(scene.model, &whole),
            });
        }
    }
    found
}

/// Whether a sentence says that each of something is told once: `each SKU may be used by one line item only`.
fn says_once(sentence: &str) -> bool {
    let words = names::words(&sentence.to_lowercase());
    let has = |list: &[&str]| prose::has(&words, list);
    let is_one = has(&["once", "twice", "unique", "distinct", "duplicate"])
        || (has(&["one"]) && has(&["only"]));
    let is_of_each = has(&["each", "every", "no", "same"]);
    is_one && is_of_each && !has(&["unless", "if", "except"])
}

/// Whether a sentence names a property of an item, but for the word that says it is a key: `line_item_id`.
fn is_named(sentence: &str, name: &str) -> bool {
    let words = names::words(&sentence.to_lowercase());
    let mut own = names::words(name);
    if own.len() > 1 && own.last().is_some_and(|own| own == "id") {
        own.pop();
    }
    own.len() <= words.len() && words.windows(own.len()).any(|part| part == own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_once() {
        for (sentence, name, expected) in [
            ("Each SKU may be used by one line item only", "sku", true),
            (
                "Each line item may be named once in a parcel",
                "line_item_id",
                true,
            ),
            ("No SKU may appear twice", "sku", true),
            ("Each SKU has one price", "sku", false),
            ("Each SKU may be used once", "quantity", false),
        ] {
            let found = says_once(sentence) && is_named(sentence, name);
            assert_eq!(found, expected, "{sentence}");
        }
    }
}
