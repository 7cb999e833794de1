//! Beneath: what is read below a record, and is said to tell how that is now, shows its amounts as they are after a step: the
//! outstanding amount of a quote is that of its agreement.

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::laws::amounts::amount::{Amount, names_amount};
use crate::laws::trial::answered::{record_of, succeeded};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;
use crate::model::{Call, Role, names, prose};

/// Reads both before and after a step.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let mut readers = world.model.of(Role::Read);
    readers.find(|own| own.texts().any(says_now))?;
    let ready = world.ready(call, "beneath").await.ok()?;
    let (maker, record) = world.made_before(call, &ready)?;
    let (maker, record) = (maker.clone(), record.clone());
    let with = world.compose(&ready, "beneath").ok()?;
    let reader = world.readers_for(&maker, &record, &with).first().copied()?;
    let below = below(world, reader)?;
    let stand = (&record, &with);
    let before = both(world, (reader, below), stand).await?;
    let done = world.call(&ready, "beneath").await.ok()?;
    succeeded(&done).then_some(())?;
    let after = both(world, (reader, below), stand).await?;
    let (one, other) = (record_of(reader, &before.0)?, record_of(below, &before.1)?);
    let (own, shown) = (record_of(reader, &after.0)?, record_of(below, &after.1)?);
    if world.model.is_moving(own) {
        return None;
    }
    let is_same = |one: &Node, other: &Node, name: &str| {
        let all = one.get(name).zip(other.get(name));
        all.is_some_and(|(one, other)| one.same_value(other))
    };
    let mut looked = None;
    for entry in own.entries().filter(|own| names_amount(&own.key)) {
        let name = entry.key.as_str();
        let has_moved = one.get(name).is_some() && !is_same(one, own, name);
        // Nothing is as much as nothing, whatever it is of.
        let was = one.get(name).and_then(Amount::read);
        let is_much = was.is_some_and(|own| own.units != 0);
        if !has_moved || !is_much || !is_same(one, other, name) || shown.get(name).is_none() {
            continue;
        }
        looked = Some(());
        if !is_same(own, shown, name) {
            let at = Pointer::root().join(name);
            let due = world.shown(reader, &at, Some(&entry.value));
            let expected = format!("{due}, as `{}` tells it now", reader.operation.label());
            let told = world.shown(below, &at, shown.get(name));
            let claim = Claim::new(
                &checks::READ_DIFFERS,
                Ground::Name(below.operation.at.node.span),
                expected,
                told,
            )
            .at(at);
            world.differ(draft, call, claim, &after.1);
        }
    }
    looked
}

/// What both readers answer.
async fn both<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    (reader, below): (&Call<'d>, &Call<'d>),
    (record, with): (&Node, &Sent),
) -> Option<(Exchange, Exchange)> {
    let own = world.read(reader, record, with).await.ok()?;
    let shown = world.read(below, record, with).await.ok()?;
    Some((own, shown))
}

/// The reader of one part below that of a record, which is said to tell how that is now.
fn below<'w, 'd>(world: &World<'w, '_, '_, 'd>, reader: &Call<'d>) -> Option<&'w Call<'d>> {
    let is_below = |own: &Call<'d>| {
        let rest = own.operation.path.strip_prefix(reader.operation.path);
        rest.is_some_and(|rest| rest.starts_with('/') && !rest.contains('{'))
    };
    let mut readers = world.model.of(Role::Read);
    readers.find(|own| is_below(own) && world.covers(own) && own.texts().any(says_now))
}

/// Whether a text says that it is about what is so now.
fn says_now(text: &str) -> bool {
    const PRESENT: [&str; 3] = ["present", "current", "currently"];
    const TELLS: [&str; 4] = ["state", "reflects", "moment", "always"];
    const FIXED: [&str; 7] = [
        "not", "fixed", "stored", "cached", "expires", "valid", "binding",
    ];
    let is_now = |own: &[String]| {
        let is_asked = prose::has(own, &["now"]) && prose::has(own, &["would"]);
        is_asked || (prose::has(own, &PRESENT) && prose::has(own, &TELLS))
    };
    let mut said = prose::sentences(text).into_iter().map(names::words);
    let is_fixed = prose::has(&names::words(text), &FIXED);
    !is_fixed && said.any(|own| is_now(&own))
}

#[cfg(test)]
mod tests {
    use super::says_now;

    #[test]
    fn what_is_about_what_is_so_now() {
        for (text, expected) in [
            ("The quote always reflects the present state.", true),
            ("Tells what the customer would pay now", true),
            ("A quote is valid for the current day", false),
            ("Returns the quote", false),
            ("Returns the current invoice", false),
        ] {
            assert_eq!(says_now(text), expected, "{text}");
        }
    }
}
