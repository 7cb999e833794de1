//! Entries: tests order and paging of a list that other operations fill, such as the movements of an account.

use openapi_document::Node;

use crate::exchange::Sent;
use crate::model::Call;
use crate::value;

use super::addressed_list::AddressedList;
use super::filling::{creator, feeders};
use crate::answered::{key_name, record_of, succeeded};
use crate::scene::Scene;
use crate::scene::draft::Draft;

impl<'d> AddressedList<'_, 'd> {
    /// Calls each operation that may add to the list, then tests the list.
    pub(crate) async fn entries(
        &self,
        scene: &mut Scene<'_, 'd>,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let parameter = self.list.path_parameters().last().copied();
        let parent = parameter.and_then(|name| scene.model.creator_for(&self.list.operation, name));
        let (Some(parameter), Some(parent)) = (parameter, parent) else {
            return Ok(());
        };
        if creator(scene, self.list).is_some() || !scene.may_write() {
            return Ok(());
        }
        for call in feeders(scene, parent) {
            for listed in fed(scene, call, (parent, parameter)).await {
                let listed = self.elsewhere(listed);
                let whole = listed.whole(scene, &[]).await?;
                listed.is_sorted(scene, &whole, draft);
                listed.divided(scene, &whole, draft).await?;
            }
            if !draft.is_clean() {
                break;
            }
        }
        Ok(())
    }
}

/// The records that an operation used when it succeeded, each with a request to address the list below it.
async fn fed<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (parent, parameter): (&Call<'d>, &str),
) -> Vec<(Node, Sent)> {
    let Ok(ready) = scene.ready(call, "entries").await else {
        return Vec::new();
    };
    let done = scene.call(&ready, "entries").await;
    if !done.is_ok_and(|exchange| succeeded(&exchange)) {
        return Vec::new();
    }
    let label = parent.operation.label();
    let kept = ready.state.kept.iter().flatten();
    let created = kept.filter(|exchange| exchange.sent.operation == label);
    let present = created.filter_map(|exchange| {
        let record = record_of(parent, exchange)?;
        let key = record.get(key_name(parent)?)?;
        let mut with = exchange.sent.clone();
        with.path_arguments
            .push((parameter.to_owned(), value::plain(key)));
        Some((record.clone(), with))
    });
    present.collect()
}
