//! Adding: the parts of a request that a text says to add up to a whole are refused where they do not: "the amounts of the
//! splits have to add up to the `amount`; otherwise `422`".

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::model::Call;
use crate::names;
use crate::prose;
use crate::value;

use super::told::{Told, is_otherwise};
use crate::amount::{self, Amount, names_amount};
use crate::answered::{succeeded, told};
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;

/// The parts of a body, the property of each, and what they add up to.
struct Parts {
    list: String,
    part: String,
    whole: String,
}

/// Sends one unit less in the first part, and one more in the last.
pub(super) async fn look<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    body: &Node,
    draft: &mut Draft,
) -> Option<()> {
    let sentences: Vec<&str> = call.texts().flat_map(prose::sentences).collect();
    let parts = parts(body)?;
    let said = sentences.iter().position(|own| says(own, &parts))?;
    let next = sentences.get(said + 1).filter(|own| is_otherwise(own));
    let whole = format!("{} {}", sentences[said], next.copied().unwrap_or_default());
    let count = body.get(&parts.list)?.items().count();
    for (index, more) in [(0, -1), (count.checked_sub(1)?, 1)] {
        let tag = format!("adding-{more}");
        let ready = scene.ready(call, &tag).await.ok()?;
        let mut sent = scene.compose(&ready, &tag).ok()?;
        let mut json = sent.json.clone()?;
        let at = Pointer::root()
            .join(parts.list.as_str())
            .join(index.to_string());
        let at = at.join(parts.part.as_str());
        let form = json.at(&at)?.clone();
        let own = Amount::read(&form)?;
        let other = amount::like(&form, own.with(own.units + more).node());
        value::put(&mut json, &at, other).ok()?;
        scene.put_valid(call, (&mut sent, &ready.call), json)?;
        let exchange = scene.send(sent).await;
        if succeeded(&exchange) {
            let expected = format!(
                "a refusal: `{}` do not add up to `{}`",
                parts.list, parts.whole
            );
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
        Told::read(scene.model, &whole).judge(scene, call, &exchange, draft);
    }
    Some(())
}

/// The one list of a body whose items come to one amount of it.
fn parts(body: &Node) -> Option<Parts> {
    let mut found = Vec::new();
    for list in body
        .entries()
        .filter(|own| own.value.as_sequence().is_some())
    {
        let first = list
            .value
            .items()
            .next()
            .into_iter()
            .flat_map(Node::entries);
        for part in first.filter(|own| names_amount(&own.key)) {
            let mut all = list
                .value
                .items()
                .map(|own| Amount::read(own.get(&part.key)?));
            let Some(sum) = all
                .next()
                .flatten()
                .and_then(|first| all.try_fold(first, |sum, own| sum.plus(own?)))
            else {
                continue;
            };
            let is_sum = |own: &Node| {
                Amount::read(own)
                    .is_some_and(|own| own.compared(sum).is_some_and(std::cmp::Ordering::is_eq))
            };
            let whole = body
                .entries()
                .filter(|own| own.value.as_sequence().is_none() && is_sum(&own.value));
            found.extend(whole.map(|whole| Parts {
                list: list.key.clone(),
                part: part.key.clone(),
                whole: whole.key.clone(),
            }));
        }
    }
    <[_; 1]>::try_from(found).ok().map(|[only]| only)
}

/// Whether a sentence says that they have to.
fn says(sentence: &str, parts: &Parts) -> bool {
    const ADDS: [&str; 6] = ["add", "adds", "sum", "total", "together", "amount"];
    const HAS: [&str; 6] = ["must", "have", "has", "equal", "equals", "match"];
    let words = names::words(&sentence.to_lowercase());
    let speaks = |name: &str| {
        let own = names::words(name);
        words.windows(own.len().max(1)).any(|part| part == own)
    };
    let is_plain = !prose::has(&words, &["if", "unless", "may", "not"]);
    is_plain
        && prose::has(&words, &ADDS)
        && prose::has(&words, &HAS)
        && speaks(&parts.list)
        && speaks(&parts.whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_adds_up() {
        let body = r#"{"amount":12,"splits":[{"to":"a","amount":10},{"to":"b","amount":2}]}"#;
        let own = parts(&openapi_document::json::read_text(body).unwrap()).unwrap();
        assert_eq!(
            (&*own.list, &*own.part, &*own.whole),
            ("splits", "amount", "amount")
        );
        for (sentence, expected) in [
            (
                "The amounts of the splits have to add up to the `amount` of the charge",
                true,
            ),
            ("The sum of the splits must equal `amount`", true),
            ("The splits may add up to the amount", false),
            ("Splits the amount", false),
        ] {
            assert_eq!(says(sentence, &own), expected, "{sentence}");
        }
        let other = r#"{"amount":13,"splits":[{"amount":10},{"amount":2}]}"#;
        assert!(parts(&openapi_document::json::read_text(other).unwrap()).is_none());
    }
}
