//! Filling: records are made for a list, so that there is something in it.

use spec::{Mapping, Node, Pointer, Value};

use crate::exchange::Sent;
use crate::model::{self, Call, Role};
use crate::value;

use crate::laws::amounts::amount::Amount;
use crate::laws::amounts::taking::{Taking, request, taking};
use crate::laws::trial::addressing::can_address;
use crate::laws::trial::answered::{record_of, succeeded};
use crate::laws::trial::world::{Ready, World};

/// Makes records for a list where their maker is known; what the list is addressed with.
pub(crate) async fn stand<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    list: &Call<'d>,
    law: &str,
    wanted: u64,
) -> Result<(Node, Sent), String> {
    if let Some(made) = make(world, list, law, wanted).await {
        return Ok(made);
    }
    let ready = world.ready(list, law).await?;
    let sent = world.compose(&ready, law)?;
    Ok((value::node(Value::Mapping(Mapping::default())), sent))
}

/// Makes some records for a list.
pub(crate) async fn make<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    list: &Call<'d>,
    law: &str,
    wanted: u64,
) -> Option<(Node, Sent)> {
    let maker = maker(world, list)?;
    let law = format!("{law}-{}", list.operation.label());
    let ready = world.ready(maker, &law).await.ok()?;
    let part = part(world, maker, &ready, wanted).await;
    let mut last = None;
    for index in 0..wanted {
        let tag = format!("{law}-{index}");
        let part = part.as_ref().map(|(own, part)| (own, (*part, &*tag)));
        let small = part.and_then(|(own, part)| request(world, &ready, own, part).ok());
        let mut exchange = match small {
            Some(small) => world.send(small).await,
            None => world.call(&ready, &tag).await.ok()?,
        };
        // So little may not be taken: then all at once.
        if part.is_some() && index == 0 && !succeeded(&exchange) {
            exchange = world.call(&ready, &tag).await.ok()?;
        }
        let Some(record) = record_of(maker, &exchange).cloned() else {
            break;
        };
        last = Some((record, exchange.sent));
    }
    last.filter(|(record, with)| can_address(list, record, with))
}

/// The operation that makes what a list has, where anything may be made.
pub(crate) fn maker<'w, 'd>(
    world: &World<'w, '_, '_, 'd>,
    list: &Call<'d>,
) -> Option<&'w Call<'d>> {
    let kind = list.record()?;
    let makes = |own: &&Call<'d>| own.record().is_some_and(|own| kind.tells_of(own));
    let mut makers: Vec<&Call<'d>> = world.model.of(Role::Create).filter(makes).collect();
    model::nearest(list, &mut makers);
    makers.first().copied().filter(|_| world.may_write())
}

/// Makes a record that has another value beside the first one, in a property that is a list of texts.
pub(crate) async fn make_with_two<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    list: &Call<'d>,
    property: &str,
) -> Option<()> {
    let maker = maker(world, list)?;
    let tag = format!("two-{property}-{}", list.operation.label());
    let ready = world.ready(maker, &tag).await.ok()?;
    let mut sent = world.compose(&ready, &tag).ok()?;
    let mut json = sent.json.clone()?;
    let first = json.get(property)?.items().next()?.as_str()?.to_owned();
    let two = [first.clone(), format!("{first}x")].map(|own| value::string(&own));
    let both = value::node(Value::Sequence(two.to_vec()));
    value::put(&mut json, &Pointer::root().join(property), both).ok()?;
    world.put_valid(maker, (&mut sent, &ready.call), json)?;
    let made = world.send(sent).await;
    succeeded(&made).then_some(())
}

/// What each of some records may take of the one that they all are parts of.
pub(crate) async fn part<'w, 'd>(
    world: &mut World<'w, '_, '_, 'd>,
    maker: &Call<'d>,
    ready: &Ready<'_, 'd>,
    wanted: u64,
) -> Option<(Taking<'w, 'd>, Amount)> {
    let taking = taking(world, maker, ready).await.filter(|_| wanted > 1)?;
    let units = taking.whole.units / i128::from(wanted);
    let part = taking.whole.with(units);
    (units > 0).then_some((taking, part))
}
