//! Standing: a record must stay in an unfiltered list after a step changes its state, with the values of its reading.

use openapi_document::Node;
use openapi_document::view::Method;

use crate::checks;
use crate::model::{Call, Role};

use super::listing::{differ, lists, reread};
use super::paging::Paging;
use super::states::{is_left_out, may_omit, of_state};
use crate::answered::{key_name, record_of, status};
use crate::scene::Scene;
use crate::scene::addressing::can_address;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};

/// Tests a step on a record, if a list of such records can be filtered by state.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.role != Role::Change || !scene.may_write() || lists(scene, call).is_empty() {
        return Ok(false);
    }
    let mut all = lists(scene, call).into_iter();
    let found = all.find_map(|list| Some((list, of_state(scene, list)?)));
    let is_step = call.operation.method == Method::Post;
    let Some((list, property)) = found.filter(|_| is_step) else {
        return Ok(false);
    };
    test_call(scene, call, (list, property), draft)
        .await
        .or(Ok(false))
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (list, property): (&Call<'d>, &str),
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "standing").await?;
    let done = scene.call(&ready, "standing").await?;
    let record = record_of(call, &done)
        .ok_or("no record was answered")?
        .clone();
    if status(&done) == Some(202) || scene.model.is_moving(&record) {
        return Ok(false);
    }
    let record = reread(scene, call, &record, &done.sent)
        .await
        .unwrap_or(record);
    let state = record
        .get(property)
        .and_then(Node::as_str)
        .unwrap_or_default();
    let key = key_name(call).ok_or("the record has no key")?;
    let value = record.get(key).ok_or("the record has no key")?;
    if is_left_out(state) || may_omit(scene, list, state) || !can_address(list, &record, &done.sent)
    {
        return Ok(false);
    }
    let paging = Paging::of(scene, list);
    let address = (&record, &done.sent);
    let search = paging.find(scene, list, address, (key, value)).await?;
    let Some(last) = &search.last else {
        return Ok(false);
    };
    match &search.found {
        Some(item) => differ(scene, (call, list), (&record, item, last), draft),
        None if search.ended => {
            let claim = Claim::new(
                &checks::LIST_MISSES,
                Basis::Names,
                format!("an item for the record in the state {state}, as no filter is set"),
                format!("{} items without it", search.seen),
            );
            scene.differ(draft, list, claim, last);
        }
        None => {}
    }
    Ok(true)
}
