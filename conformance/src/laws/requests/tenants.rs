//! Tenants: records of one tenant must not be found by another one, which a header or credentials identify.

use openapi_document::view::{Location, Parameter};

use crate::checks;
use crate::collect::request;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::names;
use crate::value;

use super::neighbour;
use crate::answered::{describe, key_name, succeeded};
use crate::laws::lists::filling;
use crate::laws::lists::paging::Paging;
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};

/// Words of headers that name a tenant.
const OWNERS: [&str; 6] = [
    "tenant",
    "account",
    "organization",
    "organisation",
    "workspace",
    "company",
];

/// Tests an operation with the neighbour's credentials, else with another tenant header.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if !scene.sender.wire.target.neighbour.is_empty() && call.operation.requires_credentials() {
        return neighbour::run(scene, call, draft).await.or(Ok(false));
    }
    let all = request::parameters(&call.operation, scene.selection);
    let Some(parameter) = all.iter().find(|item| is_owner(item)) else {
        return Ok(false);
    };
    let applied = match call.role {
        Role::List => list(scene, call, parameter, draft).await,
        Role::Read | Role::Change | Role::Delete => one(scene, call, parameter, draft).await,
        _ => return Ok(false),
    };
    applied.or(Ok(false))
}

fn is_owner(parameter: &Parameter<'_>) -> bool {
    let words = names::words(parameter.name);
    let owner = words.iter().any(|word| OWNERS.contains(&word.as_str()));
    parameter.location == Location::Header && parameter.required() && owner
}

/// The same request for another tenant. `None` if the header's schema does not allow another value.
fn of_another<'d>(scene: &Scene<'_, 'd>, parameter: &Parameter<'d>, sent: &Sent) -> Option<Sent> {
    let text = sent.header(parameter.name)?;
    let turned = text.chars().map(|char| match char {
        'a'..='y' | 'A'..='Y' | '0'..='8' => char::from_u32(u32::from(char) + 1).unwrap_or(char),
        'z' => 'a',
        'Z' => 'A',
        '9' => '0',
        other => other,
    });
    let other: String = turned.collect();
    let fits = parameter.schema().is_none_or(|schema| {
        let found = scene
            .contract()
            .validate_request(&schema, &value::string(&other));
        found.is_ok_and(|all| all.is_empty())
    });
    let mut sent = sent.clone();
    sent.headers
        .retain(|(name, _)| !name.eq_ignore_ascii_case(parameter.name));
    sent.headers.push((parameter.name.to_owned(), other));
    fits.then_some(sent)
}

async fn one<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    parameter: &Parameter<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "tenants").await?;
    let sent = scene.compose(&ready, "tenants")?;
    // A record that the run did not create may be public.
    if ready.state.kept.as_ref().is_none_or(Vec::is_empty) {
        return Ok(false);
    }
    let Some(other) = of_another(scene, parameter, &sent) else {
        return Ok(false);
    };
    let exchange = scene.send(other).await;
    if succeeded(&exchange) {
        found(scene, call, parameter, &exchange, draft);
    }
    Ok(true)
}

async fn list<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    parameter: &Parameter<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let (record, with) = filling::filled(scene, list, "tenants", 1).await?;
    let key = key_name(list).and_then(|key| Some((key, record.get(key)?)));
    let (Some((key, value)), Some(other)) = (key, of_another(scene, parameter, &with)) else {
        return Ok(false);
    };
    let paging = Paging::of(scene, list);
    let address = (&record, &other);
    let search = paging.find(scene, list, address, (key, value)).await?;
    if let (Some(_), Some(last)) = (&search.found, &search.last) {
        found(scene, list, parameter, last, draft);
    }
    Ok(true)
}

fn found<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    parameter: &Parameter<'d>,
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let claim = Claim::new(
        &checks::FOREIGN_PARENT_FOUND,
        Basis::Names,
        format!("no record of another `{}`", parameter.name),
        describe(exchange),
    );
    scene.differ(draft, call, claim, exchange);
}
