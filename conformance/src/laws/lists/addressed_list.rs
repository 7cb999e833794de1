//! Addressed list: a list with its paging and a record to address it.

use std::time::Duration;

use openapi_document::{Node, Pointer};

use crate::answered::{items_of, key_name};
use crate::checks::{self, Check};
use crate::exchange::{Exchange, Sent};
use crate::model::Call;
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft};

use super::order::value_of;
use super::paging::{Paging, Walk};

/// Times in whole seconds differ after this time.
pub(super) const SECOND: Duration = Duration::from_millis(1050);

/// A list with its paging, and a record and request to address it.
pub(crate) struct AddressedList<'s, 'd> {
    pub(crate) list: &'s Call<'d>,
    pub(crate) paging: Paging<'d>,
    pub(super) record: Node,
    pub(super) with: Sent,
}

impl<'d> AddressedList<'_, 'd> {
    /// The same list, addressed with another record.
    pub(crate) fn elsewhere(&self, (record, with): (Node, Sent)) -> Self {
        Self {
            list: self.list,
            paging: self.paging.clone(),
            record,
            with,
        }
    }

    /// Reads one page.
    pub(super) async fn read(
        &self,
        scene: &mut Scene<'_, 'd>,
        query: &[(&str, Node)],
    ) -> Result<Exchange, String> {
        let sent = scene.compose_read(self.list, &self.record, &self.with, query)?;
        Ok(scene.send(sent).await)
    }

    pub(crate) async fn walk(
        &self,
        scene: &mut Scene<'_, 'd>,
        size: Option<u64>,
        more: &[(&str, Node)],
    ) -> Result<Walk, String> {
        let address = (&self.record, &self.with);
        self.paging
            .walk(scene, self.list, address, size, more)
            .await
    }

    /// The list in pages of the largest size.
    pub(crate) async fn whole(
        &self,
        scene: &mut Scene<'_, 'd>,
        more: &[(&str, Node)],
    ) -> Result<Walk, String> {
        let walk = self.walk(scene, self.paging.largest(), more).await?;
        if !walk.pages.is_empty() {
            return Ok(walk);
        }
        self.walk(scene, None, more).await
    }

    pub(super) fn key(&self, item: &Node) -> Option<String> {
        let record = item.at(&self.list.record()?.at)?;
        let key = key_name(self.list)?;
        Some(record.get(key)?.to_json())
    }

    pub(crate) fn keys(&self, walk: &Walk) -> Vec<String> {
        let items = walk.pages.iter().flatten();
        items.filter_map(|item| self.key(item)).collect()
    }

    pub(super) fn keys_of(&self, page: &Exchange) -> Vec<String> {
        let items = items_of(self.list, page).unwrap_or_default();
        let keys = items.iter().filter_map(|item| self.key(item));
        keys.collect()
    }

    pub(crate) fn differ(
        &self,
        scene: &Scene<'_, 'd>,
        (check, place): (&'static Check, &str),
        (expected, actual): (String, String),
        exchange: &Exchange,
        draft: &mut Draft,
    ) {
        let pointer = match place {
            "" => Pointer::root(),
            name => Pointer::root().join("query").join(name),
        };
        self.differ_at(scene, (check, pointer), (expected, actual), exchange, draft);
    }

    /// Like [`Self::differ`], for a place in an item.
    pub(crate) fn differ_at(
        &self,
        scene: &Scene<'_, 'd>,
        (check, pointer): (&'static Check, Pointer),
        (expected, actual): (String, String),
        exchange: &Exchange,
        draft: &mut Draft,
    ) {
        let is_of_pages = [&checks::PAGE_REPEATS, &checks::PAGE_MISSES].contains(&check);
        let basis = is_of_pages.then(|| self.paging.basis(scene, self.list));
        let basis = basis.unwrap_or(Basis::Names);
        let claim = Claim::new(check, basis, expected, actual).at(pointer);
        scene.differ(draft, self.list, claim, exchange);
    }

    pub(crate) fn records<'a>(&self, walk: &'a Walk) -> Vec<&'a Node> {
        let Some(kind) = self.list.record() else {
            return Vec::new();
        };
        let items = walk.pages.iter().flatten();
        items.filter_map(|item| item.at(&kind.at)).collect()
    }

    pub(crate) fn values<'a>(&self, walk: &'a Walk, property: &str) -> Vec<Option<&'a Node>> {
        let records = self.records(walk).into_iter();
        records.map(|record| value_of(record, property)).collect()
    }
}
