//! Pages of a list join without gap or repeat, have the size that was asked for, come in the order
//! that was asked for, and as documented where nothing was asked for.

use std::collections::BTreeSet;

use openapi_document::Node;
use openapi_document::view::{Location, Parameter};
use openapi_facts::Evidence;

use crate::checks::{self, Check};
use crate::exchange::Exchange;
use crate::model::{Call, Role};
use crate::shape::Shape;
use crate::value;

use super::asked::filters;
use super::filling::{make, stand};
use super::order::orders;
use super::paging::{Paging, Walk};
use super::sorted;
use super::stand::Stand;
use crate::answered::{items_of, succeeded, told};
use crate::scene::Scene;
use crate::scene::draft::{Draft, Tried};

/// So many records are made at least, so that there is something to divide.
const FEW: u64 = 3;

/// The size of the pages that the beginning of a long list is divided into.
const SHORT: u64 = 10;

/// So many keys of missing items are named.
const SHOWN: usize = 3;

/// A page beyond this is not filled on purpose.
const MANY: u64 = 20;

/// Tries a list that can be divided or ordered.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
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
    Box::pin(of(scene, list, paging, draft))
        .await
        .map(|()| true)
}

/// A list that cannot be divided stands in the order that is documented.
async fn in_order<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    list: &Call<'d>,
    paging: Paging<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let made = make(scene, list, "paging", FEW).await;
    let (record, with) = made.ok_or("nothing is known to make its records")?;
    let stand = Stand {
        list,
        paging,
        record,
        with,
    };
    let whole = stand.whole(scene, &[]).await?;
    stand.is_sorted(scene, &whole, draft);
    stand.sorted(scene, &whole, draft).await?;
    Ok(())
}

async fn of<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    list: &Call<'d>,
    paging: Paging<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let wanted = wanted(scene, list, &paging);
    let (record, with) = stand(scene, list, "paging", wanted).await?;
    let mut stand = Stand {
        list,
        paging,
        record,
        with,
    };
    stand.find_first_page(scene).await?;
    let whole = stand.whole(scene, &[]).await?;
    if whole.pages.is_empty() {
        return Err("the list has no items".to_owned());
    }
    stand.is_sorted(scene, &whole, draft);
    stand.as_asked(scene, &whole, draft).await?;
    stand.as_read(scene, &whole, draft).await?;
    stand.divided(scene, &whole, draft).await?;
    for order in orders(scene, list) {
        stand.ordered(scene, &order, draft).await?;
    }
    stand.sorted(scene, &whole, draft).await?;
    for (name, value) in defaults(scene, list) {
        stand.default(scene, (name, value), draft).await?;
    }
    stand.entries(scene, draft).await?;
    stand.bounds(scene, draft).await
}

/// How many records are made: one more than a page has by itself, where that is not too many.
fn wanted<'d>(scene: &Scene<'_, '_, '_, 'd>, list: &Call<'d>, paging: &Paging<'d>) -> u64 {
    let all = defaults(scene, list);
    let size = all.iter().find(|(name, _)| Some(*name) == paging.size);
    let size = size.and_then(|(_, value)| value.as_u64());
    size.filter(|size| *size <= MANY)
        .map_or(FEW, |size| FEW.max(size + 1))
}

/// The query parameters that have a documented default, with its value.
fn defaults<'d>(scene: &Scene<'_, '_, '_, 'd>, list: &Call<'d>) -> Vec<(&'d str, Node)> {
    let parameters = list.operation.parameters().into_iter();
    let optional = parameters.filter(|own| own.location == Location::Query && !own.required());
    optional
        .filter_map(|own| Some((own.name, default(scene, list, &own)?)))
        .collect()
}

fn default<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    list: &Call<'d>,
    parameter: &Parameter<'d>,
) -> Option<Node> {
    let schema = parameter.schema();
    let shape = Shape::of(scene.model.document, schema.as_ref());
    let own = scene.default_of(list, parameter.name, &shape);
    let own = own.map(|(_, value)| value);
    let told = || {
        let pagination = scene.model.behaviour.pagination.as_ref()?;
        let mut told = pagination.parameters.iter();
        let told = told.find(|own| own.name.text == parameter.name)?;
        let is_number = matches!(shape.type_name(), Some("integer" | "number"));
        Some(if is_number {
            value::number(&told.default)
        } else {
            value::string(&told.default)
        })
    };
    own.or_else(told).filter(|own| !own.is_null())
}

impl<'d> Stand<'_, 'd> {
    /// Where the document does not say so, whether the first page is 1 or 0.
    async fn find_first_page(&mut self, scene: &mut Scene<'_, '_, '_, 'd>) -> Result<(), String> {
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

    /// The records with a value that several have stand in the order that is documented, too.
    async fn as_asked(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        whole: &Walk,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let at = self.list.record().map(|kind| &kind.at);
        let items = whole.pages.iter().flatten();
        let records: Vec<&Node> = items.filter_map(|item| item.at(at?)).collect();
        let filters = filters(scene, self.list);
        let shared = filters.iter().filter(|own| own.is_exact()).find_map(|own| {
            let asked = own.asked(records.first()?).into_iter().next()?;
            let has = |record: &&&Node| own.fits(record, &asked);
            let several = records.iter().filter(has).count() as u64 >= FEW;
            several.then_some((own.parameter, asked))
        });
        let is_due = draft.is_clean() && sorted::fact(scene, self.list).is_some();
        if let (Some(asked), true) = (shared, is_due) {
            let given = self.walk(scene, self.paging.largest(), &[asked]).await?;
            if given.last.as_ref().is_some_and(succeeded) {
                self.is_sorted(scene, &given, draft);
            }
        }
        Ok(())
    }

    /// Pages of another size are together what the whole is.
    pub(crate) async fn divided(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        whole: &Walk,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let Some(name) = self.paging.size else {
            return Ok(());
        };
        let all = self.keys(whole);
        // Of pages with one item some mistakes cannot be seen.
        let least = if all.len() > 2 { 2 } else { 1 };
        let size = if whole.ended {
            (all.len() as u64).div_ceil(8).max(least)
        } else {
            SHORT
        };
        let size = self.paging.maximum.map_or(size, |most| size.min(most));
        // However long a list is, a page that is longer than a short one is seen.
        let short = self.read(scene, &[(name, value::number(least))]).await?;
        let told = items_of(self.list, &short).map_or(0, <[Node]>::len) as u64;
        if told > least && self.allows(scene, name, least) {
            let told = (
                format!("a page of at most {least}"),
                format!("a page of {told}"),
            );
            self.differ(
                scene,
                (&checks::PAGE_SIZE_IGNORED, name),
                told,
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
            let told = (
                format!("pages of at most {size}"),
                format!("a page of {longest}"),
            );
            self.differ(scene, (&checks::PAGE_SIZE_IGNORED, name), told, last, draft);
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
        // Of a list that somebody else adds to meanwhile no number is right for long.
        if is_still {
            self.tells(scene, (&walk, size), draft);
        }
        let most = self.paging.largest().unwrap_or_default();
        let count = all.len() as u64;
        let mut divisors = (size..=most.min(count)).rev();
        // A page that ends where the list does is the last one.
        if let Some(exact) = divisors.find(|own| whole.ended && count.is_multiple_of(*own)) {
            let walk = self.walk(scene, Some(exact), &[]).await?;
            self.tells(scene, (&walk, exact), draft);
        }
        let found = joined(due, &divided, walk.ended || !whole.ended);
        // Somebody else may have made or removed something meanwhile.
        if found.is_none() {
            return Ok(());
        }
        let again = self.whole(scene, &[]).await?;
        if self.keys(&again) == all {
            self.not_joined(scene, found, (size, due, &divided), last, draft);
        }
        Ok(())
    }

    /// Whether a page may be so short, as the schema of its size has it.
    fn allows(&self, scene: &Scene<'_, '_, '_, 'd>, name: &str, size: u64) -> bool {
        let parameters = self.list.operation.parameters();
        let schema = parameters.iter().find(|own| own.name == name);
        let schema = schema.and_then(Parameter::schema);
        let shape = Shape::of(scene.model.document, schema.as_ref());
        let least = shape.keyword("minimum").and_then(Node::as_u64);
        let is_listed = ["enum", "multipleOf", "exclusiveMinimum"];
        least.is_none_or(|least| least <= size)
            && !is_listed.iter().any(|own| shape.keyword(own).is_some())
    }

    /// A list whose last page comes again and again has no end.
    fn comes_to_an_end(&self, scene: &Scene<'_, '_, '_, 'd>, whole: &Walk, draft: &mut Draft) {
        let keys = |page: &Vec<Node>| -> Vec<Option<String>> {
            page.iter().map(|item| self.key(item)).collect()
        };
        let mut last = whole.pages.iter().rev().map(keys);
        let (Some(one), Some(other), Some(exchange)) = (last.next(), last.next(), &whole.last)
        else {
            return;
        };
        if one == other && !one.is_empty() && !one.contains(&None) {
            let told = (
                "nothing after the last page".to_owned(),
                format!("the same {} items again", one.len()),
            );
            self.differ(scene, (&checks::PAGE_REPEATS, ""), told, exchange, draft);
        }
    }

    fn not_joined(
        &self,
        scene: &Scene<'_, '_, '_, 'd>,
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
        let told = (
            format!("each of {} items once, in pages of {size}", all.len()),
            format!("{} items in these pages, {lack}", divided.len()),
        );
        self.differ(scene, (check, ""), told, last, draft);
    }

    /// What is left out does what its default does.
    async fn default(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
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
        // What is only read may be no value at all.
        let is_known = succeeded(&given) || !self.is_default_read(scene, name);
        if keys != other && is_known {
            let told = (
                format!("without `{name}` what its default {shown} gives"),
                format!("{} items for {}", keys.len(), other.len()),
            );
            self.differ(scene, (&checks::DEFAULT_DIFFERS, name), told, &given, draft);
        }
        Ok(())
    }

    /// Whether nothing but a sentence tells the default of a parameter.
    fn is_default_read(&self, scene: &Scene<'_, '_, '_, 'd>, name: &str) -> bool {
        let mut facts = scene.facts_about(self.list);
        facts.any(|fact| {
            let own = fact.rule.subject().and_then(|own| own.name.as_deref());
            fact.rule.kind() == "default" && own == Some(name) && fact.evidence() == Evidence::Read
        })
    }

    /// The largest page is granted; a larger one is not.
    async fn bounds(
        &self,
        scene: &mut Scene<'_, '_, '_, 'd>,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let (Some(name), Some(most)) = (self.paging.size, self.paging.maximum) else {
            return Ok(());
        };
        let largest = self.read(scene, &[(name, value::number(most))]).await?;
        if !succeeded(&largest) {
            let told = (format!("a page of {most}"), told(&largest));
            self.differ(scene, (&checks::VALID_REFUSED, name), told, &largest, draft);
        }
        let beyond = self.read(scene, &[(name, value::number(most + 1))]).await?;
        if succeeded(&beyond) && self.list.refuses_content() {
            let told = (format!("no page of {}", most + 1), told(&beyond));
            let check = &checks::CONSTRAINT_IGNORED;
            self.differ(scene, (check, name), told, &beyond, draft);
        } else if !succeeded(&beyond) {
            scene.judge_refusal(draft, self.list, &beyond);
        }
        Ok(())
    }
}

/// What is wrong with pages that should be a whole.
pub(crate) fn joined(all: &[String], divided: &[String], ended: bool) -> Option<&'static Check> {
    let seen: BTreeSet<&String> = divided.iter().collect();
    if seen.len() < divided.len() {
        return Some(&checks::PAGE_REPEATS);
    }
    let is_missing = |own: &String| !seen.contains(own);
    (ended && all.iter().any(is_missing)).then_some(&checks::PAGE_MISSES)
}
