//! Pages: the pages of a list must join without gap or repeat, in the requested or documented size and order.

use std::collections::BTreeSet;

use openapi_document::Node;
use openapi_document::view::{Location, Parameter};
use openapi_facts::Evidence;

use crate::checks::{self, Check};
use crate::exchange::Exchange;
use crate::model::{Call, Role};
use crate::shape::Shape;
use crate::value;

use super::addressed_list::AddressedList;
use super::filling::{create_items, filled};
use super::filter_parameters::filters;
use super::order::orders;
use super::paging::{Paging, Walk};
use super::sorted;
use crate::answered::{describe, items_of, succeeded};
use crate::scene::Scene;
use crate::scene::draft::{Draft, Tried};

/// At least this many records are created, so that there are several pages.
const FEW: u64 = 3;

/// The page size for the beginning of a long list.
const SHORT: u64 = 10;

/// At most this many missing keys are named.
const SHOWN: usize = 3;

/// Larger pages are not filled on purpose.
const MANY: u64 = 20;

/// Tests a list that has pages or an order.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if list.role != Role::List {
        return Ok(false);
    }
    let paging = Paging::of(scene, list);
    let has_defaults = !defaults(scene, list).is_empty();
    let is_plain = paging.size.is_none() && paging.by.is_none() && !has_defaults;
    if is_plain && orders(scene, list).is_empty() {
        let says = sorted::fact(scene, list).is_some();
        return Ok(says && in_order(scene, list, paging, draft).await.is_ok());
    }
    Box::pin(test_call(scene, list, paging, draft))
        .await
        .map(|()| true)
}

/// Tests the documented order of a list without pages.
async fn in_order<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    paging: Paging<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let created = create_items(scene, list, "paging", FEW).await;
    let (record, with) = created.ok_or("no operation is known to create its records")?;
    let listed = AddressedList {
        list,
        paging,
        record,
        with,
    };
    let whole = listed.whole(scene, &[]).await?;
    listed.is_sorted(scene, &whole, draft);
    listed.sorted(scene, &whole, draft).await?;
    Ok(())
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    list: &Call<'d>,
    paging: Paging<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let wanted = wanted(scene, list, &paging);
    let (record, with) = filled(scene, list, "paging", wanted).await?;
    let mut listed = AddressedList {
        list,
        paging,
        record,
        with,
    };
    listed.find_first_page(scene).await?;
    let whole = listed.whole(scene, &[]).await?;
    if whole.pages.is_empty() {
        return Err("the list has no items".to_owned());
    }
    listed.is_sorted(scene, &whole, draft);
    listed.as_asked(scene, &whole, draft).await?;
    listed.as_read(scene, &whole, draft).await?;
    listed.divided(scene, &whole, draft).await?;
    for order in orders(scene, list) {
        listed.ordered(scene, &order, draft).await?;
    }
    listed.sorted(scene, &whole, draft).await?;
    for (name, value) in defaults(scene, list) {
        listed.default(scene, (name, value), draft).await?;
    }
    listed.entries(scene, draft).await?;
    listed.bounds(scene, draft).await
}

/// The number of records to create: one more than the default page size, if that is not too many.
fn wanted<'d>(scene: &Scene<'_, 'd>, list: &Call<'d>, paging: &Paging<'d>) -> u64 {
    let all = defaults(scene, list);
    let size = all.iter().find(|(name, _)| Some(*name) == paging.size);
    let size = size.and_then(|(_, value)| value.as_u64());
    size.filter(|size| *size <= MANY)
        .map_or(FEW, |size| FEW.max(size + 1))
}

/// The optional query parameters with a documented default, with their values.
fn defaults<'d>(scene: &Scene<'_, 'd>, list: &Call<'d>) -> Vec<(&'d str, Node)> {
    let parameters = list.operation.parameters().into_iter();
    let optional = parameters
        .filter(|parameter| parameter.location == Location::Query && !parameter.required());
    optional
        .filter_map(|parameter| Some((parameter.name, default(scene, list, &parameter)?)))
        .collect()
}

fn default<'d>(scene: &Scene<'_, 'd>, list: &Call<'d>, parameter: &Parameter<'d>) -> Option<Node> {
    let schema = parameter.schema();
    let shape = Shape::of(scene.model.document, schema.as_ref());
    let default = scene.default_of(list, parameter.name, &shape);
    let value = default.map(|(_, value)| value);
    let observed = || {
        let pagination = scene.model.behaviour.pagination.as_ref()?;
        let mut observed = pagination.parameters.iter();
        let observed = observed.find(|item| item.name.text == parameter.name)?;
        let is_number = matches!(shape.type_name(), Some("integer" | "number"));
        Some(if is_number {
            value::number(&observed.default)
        } else {
            value::string(&observed.default)
        })
    };
    value.or_else(observed).filter(|node| !node.is_null())
}

impl<'d> AddressedList<'_, 'd> {
    /// Tries whether the first page has the number 1 or 0, if the document does not say so.
    async fn find_first_page(&mut self, scene: &mut Scene<'_, 'd>) -> Result<(), String> {
        let Some(name) = self.paging.undocumented_first() else {
            return Ok(());
        };
        let plain = self.read(scene, &[]).await?;
        for first in [1_u64, 0] {
            let page = self.read(scene, &[(name, value::number(first))]).await?;
            if succeeded(&page) && self.keys_of(&page) == self.keys_of(&plain) {
                self.paging.begin_with(first);
                return Ok(());
            }
        }
        Ok(())
    }

    /// A list filtered by a common value must also come in the documented order.
    async fn as_asked(
        &self,
        scene: &mut Scene<'_, 'd>,
        whole: &Walk,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let at = self.list.record().map(|kind| &kind.at);
        let items = whole.pages.iter().flatten();
        let records: Vec<&Node> = items.filter_map(|item| item.at(at?)).collect();
        let filters = filters(scene, self.list);
        let shared = filters
            .iter()
            .filter(|filter| filter.is_exact())
            .find_map(|item| {
                let requested = item.requested(records.first()?).into_iter().next()?;
                let has = |record: &&&Node| item.fits(record, &requested);
                let several = records.iter().filter(has).count() as u64 >= FEW;
                several.then_some((item.parameter, requested))
            });
        let is_due = draft.is_clean() && sorted::fact(scene, self.list).is_some();
        if let (Some(requested), true) = (shared, is_due) {
            let given = self
                .walk(scene, self.paging.largest(), &[requested])
                .await?;
            if given.last.as_ref().is_some_and(succeeded) {
                self.is_sorted(scene, &given, draft);
            }
        }
        Ok(())
    }

    /// Pages of another size must together equal the whole list.
    pub(crate) async fn divided(
        &self,
        scene: &mut Scene<'_, 'd>,
        whole: &Walk,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let Some(name) = self.paging.size else {
            return Ok(());
        };
        let all = self.keys(whole);
        // Pages of one item hide some defects.
        let least = if all.len() > 2 { 2 } else { 1 };
        let size = if whole.ended {
            (all.len() as u64).div_ceil(8).max(least)
        } else {
            SHORT
        };
        let size = self.paging.maximum.map_or(size, |most| size.min(most));
        // A page longer than requested shows in a list of any length.
        let short = self.read(scene, &[(name, value::number(least))]).await?;
        let observed = items_of(self.list, &short).map_or(0, <[Node]>::len) as u64;
        if observed > least && self.allows(scene, name, least) {
            let observed = (
                format!("a page of at most {least}"),
                format!("a page of {observed}"),
            );
            self.differ(
                scene,
                (&checks::PAGE_SIZE_IGNORED, name),
                observed,
                &short,
                draft,
            );
            return Ok(());
        }
        let walk = self.walk(scene, Some(size), &[]).await?;
        let Some(last) = &walk.last else {
            return Ok(());
        };
        let longest = walk.pages.iter().map(Vec::len).max().unwrap_or_default();
        if longest as u64 > size {
            let observed = (
                format!("pages of at most {size}"),
                format!("a page of {longest}"),
            );
            self.differ(
                scene,
                (&checks::PAGE_SIZE_IGNORED, name),
                observed,
                last,
                draft,
            );
            return Ok(());
        }
        if self.paging.by.is_none() {
            return Ok(());
        }
        let divided = self.keys(&walk);
        let mut due = all.as_slice();
        if !whole.ended {
            self.comes_to_an_end(scene, whole, draft);
            due = &due[..divided.len().min(due.len())];
        }
        let is_still = all.iter().collect::<BTreeSet<_>>() == divided.iter().collect();
        // Totals of a list that another client changes meanwhile are not tested.
        if is_still {
            self.check(scene, (&walk, size), draft);
        }
        let most = self.paging.largest().unwrap_or_default();
        let count = all.len() as u64;
        let mut divisors = (size..=most.min(count)).rev();
        // A page size that divides the number of items makes the last page full.
        if let Some(exact) = divisors.find(|item| whole.ended && count.is_multiple_of(*item)) {
            let walk = self.walk(scene, Some(exact), &[]).await?;
            self.check(scene, (&walk, exact), draft);
        }
        let found = joined(due, &divided, walk.ended || !whole.ended);
        // Another client may change the list meanwhile.
        if found.is_none() {
            return Ok(());
        }
        let again = self.whole(scene, &[]).await?;
        if self.keys(&again) == all {
            self.not_joined(scene, found, (size, due, &divided), last, draft);
        }
        Ok(())
    }

    /// Whether the schema of the page size allows a value.
    fn allows(&self, scene: &Scene<'_, 'd>, name: &str, size: u64) -> bool {
        let parameters = self.list.operation.parameters();
        let schema = parameters.iter().find(|parameter| parameter.name == name);
        let schema = schema.and_then(Parameter::schema);
        let shape = Shape::of(scene.model.document, schema.as_ref());
        let least = shape.keyword("minimum").and_then(Node::as_u64);
        let is_listed = ["enum", "multipleOf", "exclusiveMinimum"];
        least.is_none_or(|least| least <= size)
            && !is_listed.iter().any(|item| shape.keyword(item).is_some())
    }

    /// A long list must not repeat its last page forever.
    fn comes_to_an_end(&self, scene: &Scene<'_, 'd>, whole: &Walk, draft: &mut Draft) {
        let keys = |page: &Vec<Node>| -> Vec<Option<String>> {
            page.iter().map(|item| self.key(item)).collect()
        };
        let mut last = whole.pages.iter().rev().map(keys);
        let (Some(one), Some(other), Some(exchange)) = (last.next(), last.next(), &whole.last)
        else {
            return;
        };
        if one == other && !one.is_empty() && !one.contains(&None) {
            let observed = (
                "nothing after the last page".to_owned(),
                format!("the same {} items again", one.len()),
            );
            self.differ(
                scene,
                (&checks::PAGE_REPEATS, ""),
                observed,
                exchange,
                draft,
            );
        }
    }

    fn not_joined(
        &self,
        scene: &Scene<'_, 'd>,
        found: Option<&'static Check>,
        (size, all, divided): (u64, &[String], &[String]),
        last: &Exchange,
        draft: &mut Draft,
    ) {
        let Some(check) = found else { return };
        let missing: Vec<&str> = { all.iter() }
            .filter(|key| !divided.contains(key))
            .map(String::as_str)
            .take(SHOWN)
            .collect();
        let lack = if missing.is_empty() {
            "none missing".to_owned()
        } else {
            format!("missing: {}", missing.join(", "))
        };
        let observed = (
            format!("each of {} items once, in pages of {size}", all.len()),
            format!("{} items in these pages, {lack}", divided.len()),
        );
        self.differ(scene, (check, ""), observed, last, draft);
    }

    /// Omitting a parameter must have the same effect as its default.
    async fn default(
        &self,
        scene: &mut Scene<'_, 'd>,
        (name, value): (&'d str, Node),
        draft: &mut Draft,
    ) -> Result<(), String> {
        let shown = value.to_json();
        let plain = self.read(scene, &[]).await?;
        let given = self.read(scene, &[(name, value)]).await?;
        let again = self.read(scene, &[]).await?;
        let keys = self.keys_of(&plain);
        if !succeeded(&plain) || keys != self.keys_of(&again) {
            return Ok(());
        }
        let other = self.keys_of(&given);
        // A default from a sentence may be no valid value.
        let is_known = succeeded(&given) || !self.is_default_read(scene, name);
        if keys != other && is_known {
            let observed = (
                format!("the same items without `{name}` as with its default {shown}"),
                format!("{} items for {}", keys.len(), other.len()),
            );
            self.differ(
                scene,
                (&checks::DEFAULT_DIFFERS, name),
                observed,
                &given,
                draft,
            );
        }
        Ok(())
    }

    /// Whether only a sentence gives the default of a parameter.
    fn is_default_read(&self, scene: &Scene<'_, 'd>, name: &str) -> bool {
        let mut facts = scene.facts_about(self.list);
        facts.any(|fact| {
            let subject = fact
                .rule
                .subject()
                .and_then(|parameter| parameter.name.as_deref());
            fact.rule.kind() == "default"
                && subject == Some(name)
                && fact.evidence() == Evidence::Read
        })
    }

    /// The server must accept the largest page size and refuse a larger one.
    async fn bounds(&self, scene: &mut Scene<'_, 'd>, draft: &mut Draft) -> Result<(), String> {
        let (Some(name), Some(most)) = (self.paging.size, self.paging.maximum) else {
            return Ok(());
        };
        let largest = self.read(scene, &[(name, value::number(most))]).await?;
        if !succeeded(&largest) {
            let observed = (format!("a page of {most}"), describe(&largest));
            self.differ(
                scene,
                (&checks::VALID_REFUSED, name),
                observed,
                &largest,
                draft,
            );
        }
        let beyond = self.read(scene, &[(name, value::number(most + 1))]).await?;
        if succeeded(&beyond) && self.list.refuses_content() {
            let observed = (format!("no page of {}", most + 1), describe(&beyond));
            let check = &checks::CONSTRAINT_IGNORED;
            self.differ(scene, (check, name), observed, &beyond, draft);
        } else if !succeeded(&beyond) {
            scene.judge_refusal(draft, self.list, &beyond);
        }
        Ok(())
    }
}

/// The check that the pages fail compared with the whole list. `None` if they join.
pub(crate) fn joined(all: &[String], divided: &[String], ended: bool) -> Option<&'static Check> {
    let seen: BTreeSet<&String> = divided.iter().collect();
    if seen.len() < divided.len() {
        return Some(&checks::PAGE_REPEATS);
    }
    let is_missing = |word: &String| !seen.contains(word);
    (ended && all.iter().any(is_missing)).then_some(&checks::PAGE_MISSES)
}
