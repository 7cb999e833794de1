//! An operation that is brought to succeed answers as documented, and with what was sent.

use spec::document::Method;
use spec::{Node, Pointer, Value};

use crate::checks;
use crate::exchange::{Exchange, NoAnswer};
use crate::model::{Call, Role};
use crate::shape::Shape;

use super::answered::{record_of, status, told};
use super::compare::shown;
use super::world::{Claim, Draft, World};

/// Tries every operation that documents a success.
pub(super) async fn run(world: &mut World<'_, '_, '_, '_>) {
    for call in world.calls() {
        if call.success.is_none() {
            continue;
        }
        let mut draft = world.draft("success", call);
        if let Err(reason) = of(world, call, &mut draft).await {
            fails(world, call, &mut draft);
            draft.skip(reason);
        }
        world.settle(draft);
    }
}

async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let success = call.success.as_ref().ok_or("no success is documented")?;
    let ready = world.ready(call, "success").await?;
    let exchange = world.call(&ready, "success").await?;
    world.judge(draft, call, &success.response, &exchange);
    comes_back(world, call, &exchange, draft);
    if let (Some(code), true) = (status(&exchange), draft.is_clean()) {
        let id = draft.id().to_owned();
        world.reach(call, code, &id);
    }
    Ok(())
}

/// Where no way leads to a success: a refusal may have its reasons, a failure of the server has none.
fn fails<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>, draft: &mut Draft) {
    let Some(exchange) = world.refused(call) else {
        return;
    };
    let check = match (status(exchange), &exchange.outcome) {
        (Some(501), _) => &checks::NOT_IMPLEMENTED,
        (Some(500..), _) => &checks::SERVER_ERROR,
        (None, Err(NoAnswer::Timeout(_))) => &checks::NO_ANSWER,
        (None, Err(NoAnswer::Closed(_))) => &checks::CONNECTION_CLOSED,
        _ => return,
    };
    let claim = Claim {
        check,
        pointer: Pointer::root(),
        expected: "a documented answer".to_owned(),
        actual: told(exchange),
        spot: world.spot(call),
    };
    world.differ(draft, call, claim, exchange);
}

/// What a record is made of, or changed to, is in the answer under the same name.
fn comes_back<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let method = call.operation.method;
    let writes = call.role == Role::Create
        || (call.role == Role::Change && matches!(method, Method::Put | Method::Patch));
    let (Some(sent), Some(record), Some(kind)) = (
        exchange.sent.json.as_ref().filter(|_| writes),
        record_of(call, exchange),
        call.record(),
    ) else {
        return;
    };
    let document = world.model.document;
    let asked = Shape::of(document, call.body.as_ref());
    let answered = Shape::of(document, Some(&kind.schema));
    for entry in sent.entries() {
        let (one, other) = (
            asked.property(document, &entry.key),
            answered.property(document, &entry.key),
        );
        let actual = record.get(&entry.key);
        let is_same = actual.is_some_and(|own| is_same(&entry.value, own));
        if !is_one(&one, &other) || is_same || is_untold(&entry.value, actual) {
            continue;
        }
        let pointer = kind.at.join(entry.key.as_str());
        let own = Pointer::root().join(entry.key.as_str());
        let claim = Claim {
            check: &checks::ECHO,
            expected: format!("{} as sent", world.shown(call, &own, Some(&entry.value))),
            actual: match actual {
                Some(actual) => world.shown(call, &own, Some(actual)),
                None => shown(None),
            },
            pointer,
            spot: world.spot(call),
        };
        world.differ(draft, call, claim, exchange);
    }
}

/// Whether a property is the same thing in a request and in an answer: of one type and one form, and
/// nothing that is written only, or may be written in several ways.
fn is_one(asked: &Shape<'_>, answered: &Shape<'_>) -> bool {
    let is_plain = |own: &Shape<'_>| {
        own.offers().is_none() && !own.flag("writeOnly") && own.format() != Some("date-time")
    };
    asked.type_name().is_some()
        && asked.type_name() == answered.type_name()
        && asked.format() == answered.format()
        && is_plain(asked)
        && is_plain(answered)
}

/// Nothing was sent, and nothing came.
fn is_untold(sent: &Node, actual: Option<&Node>) -> bool {
    let is_empty = |own: &Node| match &own.value {
        Value::Null => true,
        Value::Sequence(items) => items.is_empty(),
        Value::Mapping(mapping) => mapping.entries.is_empty(),
        _ => false,
    };
    is_empty(sent) && actual.is_none_or(is_empty)
}

/// Whether everything that was sent is there; what is there beyond it was added by the server.
fn is_same(sent: &Node, actual: &Node) -> bool {
    match (&sent.value, &actual.value) {
        (Value::Mapping(_), Value::Mapping(_)) => sent.entries().all(|entry| {
            let actual = actual.get(&entry.key);
            actual.is_some_and(|own| is_same(&entry.value, own))
        }),
        (Value::Sequence(one), Value::Sequence(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|own| other.iter().any(|other| is_same(own, other)))
        }
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.parse::<f64>().ok() == other.parse::<f64>().ok()
        }
        _ => sent.same_value(actual),
    }
}
