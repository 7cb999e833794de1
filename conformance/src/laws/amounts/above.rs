//! Above: an amount of what is made that a text says to be made of what stands in the record above it: "the `amount` of the payment
//! is the `amount` of the link times `quantity`, plus `tip_amount`".

use openapi_document::{Mapping, Node, Pointer, Value};

use crate::checks;
use crate::model::{Call, Role, names, prose};
use crate::value;

use super::amount::Amount;
use super::expression::Expression;
use super::formula::SOMETIMES;
use crate::laws::trial::answered::{record_of, succeeded};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// So many ways are tried at most.
const WAYS: usize = 3;

/// What a sentence says of a property of what is made.
#[derive(Debug, PartialEq, Eq)]
struct Rule {
    subject: String,
    expression: Expression,
}

/// Makes a record as its examples do, and holds it against what is said.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let kind = call.record().filter(|_| call.role == Role::Create)?;
    let marked = |own: &&str| own.contains('`') && own.contains(" of the ");
    let sentences = call.texts().flat_map(prose::sentences);
    let sentences: Vec<&str> = sentences.filter(marked).collect();
    if sentences.is_empty() {
        return None;
    }
    let mut tried = None;
    for (index, way) in world.ways(call).into_iter().enumerate().take(WAYS) {
        let tag = format!("above-{index}");
        let Ok(ready) = world.prepare(way, &tag).await else {
            continue;
        };
        let Some((maker, parent)) = world.made_before(call, &ready) else {
            continue;
        };
        let above = maker.record()?.name.clone();
        let rules = sentences
            .iter()
            .filter_map(|own| read(own, (&kind.name, &above)));
        let rules: Vec<Rule> = rules.collect();
        let around = around(&above, parent)?;
        if rules.is_empty() {
            return tried;
        }
        let Ok(made) = world.call(&ready, &tag).await else {
            continue;
        };
        let Some(record) = record_of(call, &made).filter(|_| succeeded(&made)) else {
            continue;
        };
        for rule in &rules {
            let told = record.get(&rule.subject).and_then(Amount::read_signed);
            let due = told.and_then(|told| rule.expression.of(&[&around, record], told));
            let Some((told, due)) = told.zip(due) else {
                continue;
            };
            tried = Some(());
            if told.compared(due).is_some_and(std::cmp::Ordering::is_ne) {
                let expected = format!("{}, as is said", value::plain(&due.node()));
                let at = Pointer::root().join(rule.subject.as_str());
                let claim = Claim::new(
                    &checks::SUM_DIFFERS,
                    Ground::Text,
                    expected,
                    value::plain(&told.node()),
                );
                world.differ(draft, call, claim.at(at), &made);
                return tried;
            }
        }
    }
    tried
}

/// The record above, under its name.
fn around(name: &str, parent: &Node) -> Option<Node> {
    let mut around = value::node(Value::Mapping(Mapping::default()));
    let name = names::words(name).pop()?;
    value::put(
        &mut around,
        &Pointer::root().join(name.as_str()),
        parent.clone(),
    )
    .ok()?;
    Some(around)
}

/// Reads a sentence about a kind of record, and the one above it.
fn read(sentence: &str, (kind, above): (&str, &str)) -> Option<Rule> {
    let noun = |own: &str| names::words(own).pop();
    let (own, above) = (noun(kind)?, noun(above)?);
    let (subject, said) = sentence
        .split_once(" is ")
        .or_else(|| sentence.split_once(" = "))?;
    let is_sometimes = prose::has(&prose::unmarked(&sentence.to_lowercase()), &SOMETIMES);
    let (before, rest) = subject.split_once('`')?;
    let (subject, whose) = rest.split_once('`')?;
    let is_plain = matches!(before.trim().to_lowercase().as_str(), "" | "the" | "its");
    let whose = whose.trim();
    let is_own =
        whose.is_empty() || whose == format!("of the {own}") || whose == format!("of a {own}");
    if is_sometimes || !is_plain || !is_own {
        return None;
    }
    let whole = format!("` of the {above}");
    said.contains(&whole).then_some(())?;
    // `amount` of the link
    let mut said = said.to_owned();
    while let Some(at) = said.find(&whole) {
        let from = said[..at].rfind('`')?;
        let name = said[from + 1..at].to_owned();
        said.replace_range(from..at + whole.len(), &format!("`{above}.{name}`"));
    }
    Some(Rule {
        subject: subject.to_owned(),
        expression: Expression::read(&said)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_of_the_record_above() {
        let kinds = ("payment", "payment link");
        let text = "The `amount` of the payment is the `amount` of the link times `quantity`, plus `tip_amount`";
        let rule = read(text, kinds).unwrap();
        assert_eq!(rule.subject, "amount");
        let node = |text: &str| openapi_document::json::read_text(text).unwrap();
        let around = around("payment link", &node(r#"{"amount":4500}"#)).unwrap();
        let record = node(r#"{"amount":5000,"quantity":2,"tip_amount":500}"#);
        let told = Amount::read(record.get("amount").unwrap()).unwrap();
        let due = rule.expression.of(&[&around, &record], told).unwrap();
        assert_eq!(due.units, 9500);
        for text in [
            "The `amount` of the refund is the `amount` of the link times `quantity`",
            "The `amount` is the `amount` of the payment times `quantity`",
            "The `amount` is the `amount` of the link times `quantity` if it is not paid",
            "The `currency` is that of the link",
            "The `amount` is the `amount` of the link",
        ] {
            assert_eq!(read(text, kinds), None, "{text}");
        }
    }
}
