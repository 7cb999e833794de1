//! Allowance: a record that tells how many may be made under it (`maxPayments`, which payments "never exceed") takes no more, one
//! after another or at once.

use openapi_document::Node;
use openapi_document::view::Location;

use crate::case::ArgumentValue;
use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, names, prose};
use crate::shape::Shape;
use crate::value;

use crate::laws::amounts::amount::{self, Amount};
use crate::laws::requests::key::{header, set_key};
use crate::laws::trial::answered::{own_key, record_of, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// So many are asked for at once, of which one is allowed.
const TWINS: usize = 4;

/// A record under which as few may be made as can be asked for.
struct Stand<'w, 'd> {
    ready: Ready<'w, 'd>,
    /// How many.
    most: usize,
    /// The property that tells.
    name: &'d str,
}

/// Makes one too many; whether a text says how many there may be.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let stand = stand(world, call, "allowance").await?;
    for number in 0..=stand.most {
        let sent = one(world, call, &stand, number)?;
        let exchange = world.send(sent).await;
        match (number == stand.most, succeeded(&exchange)) {
            (true, true) => differ(world, call, &stand, (&exchange, draft)),
            (true, false) => {
                let refuses = |own: &u16| matches!(own, 402 | 403 | 409 | 410 | 422);
                world.judge_seen(draft, call, &exchange, refuses);
            }
            // Something else stands in the way.
            (false, false) => return None,
            (false, true) => {}
        }
    }
    let is_due = draft.is_clean() && world.sender.policy.races;
    is_due.then_some(())?;
    let stand = self::stand(world, call, "allowance-at-once").await?;
    let twins = 0..stand.most + TWINS - 1;
    let twins = twins.map(|own| one(world, call, &stand, own));
    let twins: Vec<Sent> = twins.collect::<Option<_>>()?;
    let all = world.send_together(twins).await;
    let granted = all.iter().filter(|own| succeeded(own));
    if let Some(beyond) = granted.skip(stand.most).last() {
        differ(world, call, &stand, (beyond, draft));
    }
    Some(())
}

async fn stand<'w, 'd>(
    world: &mut World<'w, '_, '_, 'd>,
    call: &Call<'d>,
    tag: &str,
) -> Option<Stand<'w, 'd>> {
    let parameter = call.path_parameters().last().copied()?;
    let maker = world.model.creator_for(&call.operation, parameter)?;
    let name = allowance(world, call, maker)?;
    let mut ready = world.ready(call, tag).await.ok()?;
    let of_maker = world.ready(maker, tag).await.ok()?;
    let mut sent = world.compose(&of_maker, tag).ok()?;
    let mut json = sent.json.clone()?;
    let told = json.get(name).and_then(Amount::read)?;
    let shape = Shape::of(world.model.document, maker.body.as_ref());
    let least = shape.property(world.model.document, name);
    let least = least.keyword("minimum").and_then(Amount::read);
    let most = least.map_or(1, |own| own.units.max(1));
    amount::put(&mut json, name, told.with(most)).ok()?;
    world.put_valid(maker, (&mut sent, &of_maker.call), json)?;
    let made = world.send(sent).await;
    let record = record_of(maker, &made).filter(|_| succeeded(&made))?;
    let key = value::plain(record.get(own_key(maker)?)?);
    for argument in &mut ready.call.request.arguments {
        if argument.location == Location::Path && argument.name == parameter {
            argument.value = ArgumentValue::Example(value::string(&key));
            argument.natural_key = false;
        }
    }
    let most = usize::try_from(most).ok().filter(|own| *own <= TWINS)?;
    Some(Stand { ready, most, name })
}

/// A request of its own.
fn one<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    stand: &Stand<'_, 'd>,
    number: usize,
) -> Option<Sent> {
    let tag = format!("allowance-{number}");
    let mut sent = world
        .compose_step(&stand.ready, &stand.ready.call, &tag)
        .ok()?;
    if let Some(header) = header(world, call) {
        set_key(&mut sent, header, stand.ready.state.fresh.fork(&tag).uuid());
    }
    Some(sent)
}

fn differ<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    stand: &Stand<'_, 'd>,
    (granted, draft): (&Exchange, &mut Draft),
) {
    let expected = format!("a refusal: `{}` is {}", stand.name, stand.most);
    let actual = format!("{}, of one more", told(granted));
    let claim = Claim::new(&checks::SUM_EXCEEDED, Ground::Text, expected, actual);
    world.differ(draft, call, claim, granted);
}

/// The property of a record by which it is told how many may be made under it, where a text says that there are no more.
fn allowance<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    maker: &Call<'d>,
) -> Option<&'d str> {
    call.first_of(&[409, 422, 403, 410])?;
    let document = world.model.document;
    let body = Shape::of(document, maker.body.as_ref());
    let shown = Shape::of(document, maker.record().map(|own| &own.schema));
    let noun = names::words(&call.record()?.name).pop()?;
    let described = shown.property_names().into_iter().filter_map(|name| {
        let own = shown.property(document, name);
        own.keyword("description").and_then(Node::as_str)
    });
    let texts: Vec<&str> = described.chain(call.texts()).chain(maker.texts()).collect();
    let mut all = body.property_names().into_iter();
    all.find(|name| {
        let is_told = shown.property(document, name).type_name() == Some("integer");
        let says = |text: &&str| {
            prose::sentences(text)
                .into_iter()
                .any(|own| bounds(own, name))
        };
        is_told && limits(name, &noun, &call.about) && texts.iter().any(says)
    })
}

/// Whether a property is called as the most of a kind of record.
fn limits(name: &str, noun: &str, about: &str) -> bool {
    let words = names::words(name);
    let counted = match &words[..] {
        [first, .., last] if matches!(first.as_str(), "max" | "maximum") => last,
        [.., counted, last] if last == "limit" => counted,
        _ => return false,
    };
    let counted = names::singular(counted);
    counted == noun || about.ends_with(&counted)
}

/// Whether a sentence says that there is no more than a property tells.
fn bounds(sentence: &str, name: &str) -> bool {
    const BOUNDS: [&str; 8] = [
        "exceed", "exceeds", "exceeded", "reach", "reaches", "until", "most", "more",
    ];
    let words = names::words(&sentence.to_lowercase());
    sentence.contains(&format!("`{name}`")) && prose::has(&words, &BOUNDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_that_limit_a_kind_of_record() {
        for (name, expected) in [
            ("maxPayments", true),
            ("max_uses", false),
            ("payment_limit", true),
            ("maxAmount", false),
            ("payments", false),
        ] {
            assert_eq!(limits(name, "payment", "payment"), expected, "{name}");
        }
        assert!(bounds("It never exceeds `maxPayments`.", "maxPayments"));
        assert!(!bounds(
            "`maxPayments` is shown to the payer",
            "maxPayments"
        ));
    }
}
