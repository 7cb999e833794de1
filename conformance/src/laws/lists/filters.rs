//! Filters: a filtered list must have all matching records, and no others.

use openapi_document::{Node, Pointer, Value};

use crate::checks::{self, Check};
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::names;
use crate::prose;
use crate::value;

use super::filling;
use super::filter::Filter;
use super::filter_parameters::filters;
use super::paging::{Paging, Walk};
use super::totals::{of_others, promises, said_of};
use crate::answered::{key_name, succeeded};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};

/// Filters with at most this many matches are read in pages of one.
const SMALL: usize = 10;

/// At most this many pairs of filters are tested.
const PAIRS: usize = 6;

/// Tests a list with filters.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let filters = filters(scene, list);
    if list.role != Role::List || filters.is_empty() {
        return Ok(false);
    }
    test_call(scene, list, &filters, draft).await.map(|()| true)
}

/// A list with a record and a request to address it.
pub(super) struct FilteredList<'s, 'd> {
    pub(super) list: &'s Call<'d>,
    pub(super) paging: Paging<'d>,
    pub(super) record: Node,
    pub(super) with: Sent,
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    filters: &[Filter<'d>],
    draft: &mut Draft,
) -> Result<(), String> {
    let paging = Paging::of(scene, list);
    let (record, with) = filling::filled(scene, list, "filters", 2).await?;
    let listed = FilteredList {
        list,
        paging,
        record,
        with,
    };
    for property in filters.iter().filter_map(Filter::among) {
        filling::create_with_two(scene, list, property).await;
    }
    let whole = listed.walk(scene, &[]).await?;
    if whole.pages.is_empty() {
        return Err("the list has no items".to_owned());
    }
    for filter in filters {
        listed.holds(scene, filter, &whole, draft).await?;
    }
    if draft.is_clean() {
        listed.both_hold(scene, filters, &whole, draft).await?;
    }
    if draft.is_clean() {
        listed.in_pages(scene, filters, &whole, draft).await?;
    }
    Ok(())
}

impl<'d> FilteredList<'_, 'd> {
    pub(super) async fn walk(
        &self,
        scene: &mut Scene<'_, 'd>,
        more: &[(&str, Node)],
    ) -> Result<Walk, String> {
        let size = self.paging.largest();
        let address = (&self.record, &self.with);
        self.paging
            .walk(scene, self.list, address, size, more)
            .await
    }

    pub(super) fn records<'a>(&self, walk: &'a Walk) -> Vec<&'a Node> {
        let at = self.list.record().map(|kind| &kind.at);
        let items = walk.pages.iter().flatten();
        items.filter_map(|item| item.at(at?)).collect()
    }

    /// A filtered list must have only matching records, and the record whose value is requested.
    async fn holds(
        &self,
        scene: &mut Scene<'_, 'd>,
        filter: &Filter<'d>,
        whole: &Walk,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let records = self.records(whole);
        let has = |node: &&Node| filter.value(node).is_some();
        let telling = records
            .iter()
            .copied()
            .filter(has)
            .find(|record| filter.has_several(record) || filter.has_other_case(record));
        let one = telling.or_else(|| records.into_iter().find(has));
        let Some(one) = one else { return Ok(()) };
        for requested in filter.requested(one) {
            let given = self
                .walk(scene, &[(filter.parameter, requested.clone())])
                .await?;
            let Some(last) = given.last.as_ref().filter(|exchange| succeeded(exchange)) else {
                continue;
            };
            let records = self.records(&given);
            let strange = records
                .iter()
                .find(|record| !filter.fits(record, &requested));
            if let Some(strange) = strange {
                let texts = (
                    format!("only records that match `{}`", filter.parameter),
                    shown(filter.value(strange)),
                );
                self.differ(scene, filter, (&checks::FILTER_IGNORED, texts), last, draft);
                return Ok(());
            }
            let due = self.due(scene, (filter, &requested), one, whole);
            if due.is_some_and(|record| given.ended && !self.has(&records, record)) {
                let texts = (
                    format!("each record that matches `{}`", filter.parameter),
                    format!("{} records, without one that matches", records.len()),
                );
                self.differ(scene, filter, (&checks::FILTER_MISSES, texts), last, draft);
                return Ok(());
            }
            if self
                .miscounts(scene, (filter, &requested), &given, draft)
                .await?
            {
                return Ok(());
            }
        }
        Ok(())
    }

    /// A record that must be in the filtered list: the one whose value is requested, else the first matching one of
    /// the whole list.
    fn due<'a>(
        &self,
        scene: &Scene<'_, 'd>,
        (filter, requested): (&Filter<'d>, &Node),
        one: &'a Node,
        whole: &'a Walk,
    ) -> Option<&'a Node> {
        let others = self.records(whole).into_iter();
        let others = others.filter(|_| filter.is_exact());
        let mut all = std::iter::once(one).chain(others);
        all.find(|node| filter.is_certain(node, requested) && !scene.model.is_moving(node))
    }

    /// The total of a filtered list must be the number of its records. Returns whether it twice was not.
    async fn miscounts(
        &self,
        scene: &mut Scene<'_, 'd>,
        (filter, requested): (&Filter<'d>, &Node),
        given: &Walk,
        draft: &mut Draft,
    ) -> Result<bool, String> {
        // A bound of the id is a paging cursor.
        let id = self.list.record().and_then(|record| record.key);
        let is_cursor = !filter.is_exact() && id == Some(filter.property);
        if is_cursor || of_others(scene, self.list, given).is_none() {
            return Ok(false);
        }
        let again = self
            .walk(scene, &[(filter.parameter, requested.clone())])
            .await?;
        let found = of_others(scene, self.list, &again);
        let Some((found, last)) = found.zip(again.last.as_ref()) else {
            return Ok(false);
        };
        let (name, items, observed) = found;
        let texts = (
            format!("`{name}` {items}, as many as match `{}`", filter.parameter),
            observed.to_string(),
        );
        self.differ(scene, filter, (&checks::TOTAL_DIFFERS, texts), last, draft);
        Ok(true)
    }

    /// Two filters in one request must both hold.
    async fn both_hold(
        &self,
        scene: &mut Scene<'_, 'd>,
        filters: &[Filter<'d>],
        whole: &Walk,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let exact: Vec<&Filter<'d>> = filters.iter().filter(|filter| filter.is_exact()).collect();
        let pairs = exact.iter().enumerate().flat_map(|(at, one)| {
            let others = exact[at + 1..].iter();
            others.map(move |other| (*one, *other))
        });
        for (first, second) in pairs.take(PAIRS) {
            self.pair_holds(scene, (first, second), whole, draft)
                .await?;
        }
        Ok(())
    }

    /// Requests the values of two filters, taken from different records if possible.
    async fn pair_holds(
        &self,
        scene: &mut Scene<'_, 'd>,
        (first, second): (&Filter<'d>, &Filter<'d>),
        whole: &Walk,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let records = self.records(whole);
        let value =
            |filter: &Filter<'d>, record: &Node| filter.requested(record).into_iter().next();
        let values = |node: &&Node| Some((value(first, node)?, value(second, node)?));
        let all: Vec<(Node, Node)> = records.iter().filter_map(values).collect();
        let Some((one, other)) = all.first() else {
            return Ok(());
        };
        let apart = all
            .iter()
            .find(|pair| !pair.0.same_value(one) && !pair.1.same_value(other));
        // If all records agree in the second property, a value that none of them has.
        let known = records.first().map(|record| second.requested(record));
        let none = known.and_then(|item| item.into_iter().find(|node| !node.same_value(other)));
        let other = apart.map(|pair| &pair.1).or(none.as_ref()).unwrap_or(other);
        let query = [
            (first.parameter, one.clone()),
            (second.parameter, other.clone()),
        ];
        let given = self.walk(scene, &query).await?;
        let Some(last) = given.last.as_ref().filter(|exchange| succeeded(exchange)) else {
            return Ok(());
        };
        for (filter, requested) in [(first, one), (second, other)] {
            let records = self.records(&given);
            if let Some(strange) = records
                .iter()
                .find(|record| !filter.fits(record, requested))
            {
                let texts = (
                    format!(
                        "records that match `{}` and `{}`",
                        first.parameter, second.parameter
                    ),
                    shown(filter.value(strange)),
                );
                self.differ(scene, filter, (&checks::FILTER_IGNORED, texts), last, draft);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Matching records must also come in small pages, wherever they are in the list.
    async fn in_pages(
        &self,
        scene: &mut Scene<'_, 'd>,
        filters: &[Filter<'d>],
        whole: &Walk,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let records = self.records(whole);
        let Some(first) = records.first() else {
            return Ok(());
        };
        let mut exact = filters.iter().filter(|filter| filter.is_exact());
        // A rare value of a later record, with few enough matches to read one by one.
        let found = exact.find_map(|entry| {
            let one = entry.value(first)?;
            let all = records.iter().filter_map(|record| entry.value(record));
            let times = |value: &Node| all.clone().filter(|node| node.same_value(value)).count();
            let others = all.clone().filter(|other| !other.same_value(one));
            let rarest = others.min_by_key(|other| times(other))?;
            Some((entry, rarest.clone(), one.clone()))
        });
        let Some((filter, requested, first)) = found else {
            return Ok(());
        };
        if self.keeps(scene, (filter, &first), draft).await? {
            return Ok(());
        }
        let query = [(filter.parameter, requested.clone())];
        let given = self.walk(scene, &query).await?;
        let all = self.records(&given).len();
        if self.paging.size.is_none() || !given.ended || all == 0 || all > SMALL {
            return Ok(());
        }
        self.comes_to_an_end(scene, (filter, &query), all, draft)
            .await?;
        let address = (&self.record, &self.with);
        let walk = self.paging.walk(scene, self.list, address, Some(1), &query);
        let small = walk.await?;
        let is_granted = |exchange: &&Exchange| succeeded(exchange);
        let Some(exchange) = small.last.as_ref().filter(is_granted) else {
            return Ok(());
        };
        let came = self.records(&small).len();
        if small.ended && came < all {
            let texts = (
                format!(
                    "each of {all} records that match `{}`, in pages of 1",
                    filter.parameter
                ),
                format!("{came} records in these pages"),
            );
            self.differ(
                scene,
                filter,
                (&checks::PAGE_MISSES, texts),
                exchange,
                draft,
            );
        }
        Ok(())
    }

    /// The filter must hold on each page. Returns whether it does not.
    async fn keeps(
        &self,
        scene: &mut Scene<'_, 'd>,
        (filter, requested): (&Filter<'d>, &Node),
        draft: &mut Draft,
    ) -> Result<bool, String> {
        if self.paging.size.is_none() || self.paging.by.is_none() {
            return Ok(false);
        }
        let address = (&self.record, &self.with);
        let query = [(filter.parameter, requested.clone())];
        let walk = self.paging.walk(scene, self.list, address, Some(1), &query);
        let walk = walk.await?;
        let records = self.records(&walk);
        let strange = records
            .iter()
            .find(|record| !filter.fits(record, requested));
        let Some((strange, last)) = strange.zip(walk.last.as_ref()) else {
            return Ok(false);
        };
        let texts = (
            format!(
                "only records that match `{}` on each page",
                filter.parameter
            ),
            shown(filter.value(strange)),
        );
        self.differ(scene, filter, (&checks::FILTER_IGNORED, texts), last, draft);
        Ok(true)
    }

    /// A page with all matching records must not promise more.
    async fn comes_to_an_end(
        &self,
        scene: &mut Scene<'_, 'd>,
        (filter, query): (&Filter<'d>, &[(&str, Node)]),
        all: usize,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let address = (&self.record, &self.with);
        let walk = self
            .paging
            .walk(scene, self.list, address, Some(all as u64), query);
        let full = walk.await?;
        let Some(last) = full.last.as_ref().filter(|exchange| succeeded(exchange)) else {
            return Ok(());
        };
        let is_whole = full.pages.first().is_some_and(|page| page.len() == all)
            && full.pages.iter().map(Vec::len).sum::<usize>() == all;
        let observed = full.observed.first().into_iter().flatten();
        let mut promising = observed.filter(|(name, node)| {
            let is_flag = matches!(node.value, Value::Bool(_));
            let said = said_of(scene, self.list, name);
            let is_sure = !prose::has(&names::words(said), &["may", "might"]);
            is_flag && is_sure && promises(name, node) == Some(true)
        });
        if let Some((name, _)) = promising.next().filter(|_| is_whole) {
            let texts = (
                format!("the end of the list: all of {all} records are on the page"),
                format!("`{name}` promises more"),
            );
            self.differ(scene, filter, (&checks::MORE_PROMISED, texts), last, draft);
        }
        Ok(())
    }

    pub(super) fn has(&self, records: &[&Node], one: &Node) -> bool {
        let Some(key) = key_name(self.list) else {
            return true;
        };
        let value = one.get(key);
        let is_it = |other: &&Node| {
            value
                .zip(other.get(key))
                .is_some_and(|(a, b)| a.same_value(b))
        };
        records.iter().any(is_it)
    }

    pub(super) fn differ(
        &self,
        scene: &Scene<'_, 'd>,
        filter: &Filter<'d>,
        (check, (expected, actual)): (&'static Check, (String, String)),
        exchange: &Exchange,
        draft: &mut Draft,
    ) {
        let claim = Claim::new(check, Basis::Names, expected, actual)
            .at(Pointer::root().join("query").join(filter.parameter));
        scene.differ(draft, self.list, claim, exchange);
    }
}

fn shown(node: Option<&Node>) -> String {
    match node.map(|entry| &entry.value) {
        None | Some(Value::Mapping(_) | Value::Sequence(_)) => "another record".to_owned(),
        Some(_) => format!(
            "a record with {}",
            node.map_or_else(String::new, |node| value::excerpt(&node.to_json()))
        ),
    }
}
