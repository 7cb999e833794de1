//! Entries: a list whose items nothing makes by itself, such as what has moved the balance of an account, is filled by
//! what else is done with its record. Then it is held to its order, its pages, and the balance that it tells after each.

use std::cmp::Ordering;

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::Sent;
use crate::model::{Call, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value;

use super::filling::maker;
use super::pages::Stand;
use super::paging::Walk;
use crate::amount::{Amount, names_amount};
use crate::answered::{own_key, record_of, succeeded};
use crate::scene::Scene;
use crate::scene::draft::Draft;

/// So many operations are tried at most.
const MOST: usize = 8;

impl<'d> Stand<'_, 'd> {
    /// Lets each operation happen that may leave something in the list, and looks at it then.
    pub(crate) async fn entries(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let parameter = self.list.path_parameters().last().copied();
        let parent = parameter.and_then(|own| scene.model.creator_for(&self.list.operation, own));
        let (Some(parameter), Some(parent)) = (parameter, parent) else {
            return Ok(());
        };
        if maker(scene, self.list).is_some() || !scene.may_write() {
            return Ok(());
        }
        for call in feeders(scene, parent) {
            for stand in fed(scene, call, (parent, parameter)).await {
                let stand = self.elsewhere(stand);
                let whole = stand.whole(scene, &[]).await?;
                stand.as_described(scene, &whole, draft);
                stand.adds_up(scene, &whole, draft);
                stand.divided(scene, &whole, draft).await?;
            }
            if !draft.is_clean() {
                break;
            }
        }
        Ok(())
    }

    /// Each balance is the one before it and what the entry tells of, where the document says that it is.
    pub(super) fn adds_up(&self, scene: &Scene<'_, '_, '_, 'd>, whole: &Walk, draft: &mut Draft) {
        let (Some(told), Some(last)) = (balance(scene, self.list), &whole.last) else {
            return;
        };
        // Each currency has a balance of its own.
        if !self.is_of_one_currency(whole, told.balance) {
            return;
        }
        let read = |name| -> Option<Vec<Amount>> {
            let all = self.values(whole, name).into_iter();
            all.map(|own| Amount::read_signed(own?)).collect()
        };
        let (Some(balances), Some(amounts)) = (read(told.balance), read(told.amount)) else {
            return;
        };
        let is_wrong = |is_down| wrong(&balances, &amounts, is_down);
        if let (Some(at), Some(_)) = (is_wrong(true), is_wrong(false)) {
            let texts = (
                format!("the balance before it and its own `{}`", told.amount),
                value::plain(&balances[at].node()),
            );
            let place = Pointer::root().join(told.balance);
            self.differ_at(scene, (&checks::SUM_DIFFERS, place), texts, last, draft);
        }
    }
}

/// The properties of an entry that tell of a balance after it, and of how much it has moved that.
struct Told<'d> {
    balance: &'d str,
    amount: &'d str,
}

/// Those of a list, where a text says how they hang together.
fn balance<'d>(scene: &Scene<'_, '_, '_, 'd>, list: &Call<'d>) -> Option<Told<'d>> {
    let document = scene.model.document;
    let shape = Shape::of(document, list.record().map(|own| &own.schema));
    let all = shape.property_names();
    let is_balance = |name: &&&str| {
        let words = names::words(name);
        prose::has(&words, &["balance"]) && prose::has(&words, &["after", "running", "resulting"])
    };
    let balance = *all.iter().find(is_balance)?;
    let mut amounts = all.iter().filter(|own| names_amount(own));
    let amount = *amounts.next().filter(|_| amounts.next().is_none())?;
    let text = |name| {
        let own = shape.property(document, name);
        own.keyword("description").and_then(Node::as_str)
    };
    let own = [text(balance), text(amount)].into_iter().flatten();
    let mut spoken = list.texts().chain(own).flat_map(prose::spoken);
    let has_way = shape.property_names().into_iter().any(|own| {
        let known = shape.property(document, own).known_values().into_iter();
        let words = known.flat_map(names::words).collect::<Vec<_>>();
        prose::has(&words, &["debit", "credit"])
    });
    let may_be_less = !has_way
        && may_be_negative(&shape.property(document, amount))
        && !may_be_negative(&shape.property(document, balance));
    (may_be_less || spoken.any(|own| is_signed(&own, amount))).then_some(Told { balance, amount })
}

/// Whether a schema has a form for what is less than nothing: `^-?[0-9]+$`, or a least value below it.
fn may_be_negative(shape: &Shape<'_>) -> bool {
    let pattern = shape.keyword("pattern").and_then(Node::as_str);
    let least = shape.keyword("minimum").and_then(Node::as_number);
    pattern.is_some_and(|own| own.contains("-?")) || least.is_some_and(|own| own.starts_with('-'))
}

/// Whether a sentence says that an amount is added to a balance as it stands, or may be less than nothing.
fn is_signed(sentence: &[String], amount: &str) -> bool {
    let own = names::words(amount);
    let is_named = sentence.windows(own.len()).any(|part| part == own);
    let is_added = is_named && prose::has(sentence, &["plus"]);
    is_added || sentence.first().is_some_and(|own| own == "negative")
}

/// The first entry whose balance is another one than that before it and its own amount, the newest first or last.
fn wrong(balances: &[Amount], amounts: &[Amount], is_down: bool) -> Option<usize> {
    (1..balances.len())
        .map(|at| if is_down { (at, at - 1) } else { (at - 1, at) })
        .find_map(|(older, newer)| {
            let due = balances[older].plus(amounts[newer])?;
            (due.compared(balances[newer]) != Some(Ordering::Equal)).then_some(newer)
        })
}

/// The operations that do something with a kind of record on their way, or with what is made of it.
pub(super) fn feeders<'w, 'd>(
    scene: &Scene<'w, '_, '_, 'd>,
    parent: &Call<'d>,
) -> Vec<&'w Call<'d>> {
    let label = parent.operation.label();
    let model = scene.model;
    let does = |own: &&Call<'d>| {
        let writes = matches!(own.role, Role::Create | Role::Change);
        let before = |own: &Call<'d>| {
            let ways = scene.ways(own).into_iter().filter_map(|own| own.split());
            let mut steps = ways.flat_map(|(_, before)| before);
            steps.any(|own| own.name.operation == label)
        };
        writes && own.operation.method == Method::Post && scene.covers(own) && before(own)
    };
    model.calls.iter().filter(does).take(MOST).collect()
}

/// The records that an operation was brought to its call with, once it has succeeded, and what a list under each
/// is addressed with.
async fn fed<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (parent, parameter): (&Call<'d>, &str),
) -> Vec<(Node, Sent)> {
    let Ok(ready) = scene.ready(call, "entries").await else {
        return Vec::new();
    };
    let done = scene.call(&ready, "entries").await;
    if !done.is_ok_and(|own| succeeded(&own)) {
        return Vec::new();
    }
    let label = parent.operation.label();
    let kept = ready.state.kept.iter().flatten();
    let made = kept.filter(|own| own.sent.operation == label);
    let stands = made.filter_map(|exchange| {
        let record = record_of(parent, exchange)?;
        let key = record.get(own_key(parent)?)?;
        let mut with = exchange.sent.clone();
        with.path_arguments
            .push((parameter.to_owned(), value::plain(key)));
        Some((record.clone(), with))
    });
    stands.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amounts(text: &str) -> Vec<Amount> {
        let list = openapi_document::json::read_text(text).unwrap();
        list.items().filter_map(Amount::read_signed).collect()
    }

    #[test]
    fn balances_follow_from_each_other() {
        for (balances, moved, is_down, expected) in [
            ("[70, 100]", "[-30, 100]", true, None),
            ("[100, 70]", "[100, -30]", false, None),
            ("[70, 100]", "[30, 100]", true, Some(0)),
            ("[90, 70, 100]", "[20, -30, 100]", true, None),
            ("[70, 70, 100]", "[20, -30, 100]", true, Some(0)),
            ("[100]", "[100]", true, None),
        ] {
            let found = wrong(&amounts(balances), &amounts(moved), is_down);
            assert_eq!(found, expected, "{balances} {moved}");
        }
    }

    #[test]
    fn amounts_that_are_added_as_they_stand() {
        for (text, expected) in [
            (
                "`balanceAfter` is that of the entry before it plus its own `amount`.",
                true,
            ),
            ("Negative where the balance goes down.", true),
            ("Always positive: `direction` tells the way.", false),
            ("How much was moved.", false),
        ] {
            let words = prose::spoken(text).remove(0);
            assert_eq!(is_signed(&words, "amount"), expected, "{text}");
        }
    }
}
