//! Plans: lists the plans for a call, the most promising first.

use openapi_document::Node;
use openapi_document::view::Method;

use super::change::Change;
use super::choice::{Choice, choices};
use super::growth::Grower;
use super::ingredients::Ingredients;
use super::plan::Plan;
use crate::collect::request;
use crate::model::{Call, Role};
use crate::names;
use crate::prose;
use crate::sample::Extent;
use crate::shape::Shape;

/// At most this many changes before a creation are tried.
const DEEP: usize = 4;

/// At most this many pairs of changes are tried; before a creation, `DEEP_PAIRS`.
const PAIRS: usize = 6;
const DEEP_PAIRS: usize = 2;

/// At most this many plans without a change come before those with one. For a refusal: at most this many without its
/// success before it, and as many with it.
pub(super) const MOST_PLAIN: usize = 12;

/// At most this many optional references are tried alone.
const ALONE: usize = 2;

/// At most this many operations have their records taken from examples, each in a separate plan.
const STANDING: usize = 3;

/// At most this many plans first pay what is due.
const SETTLING: usize = 4;

/// This many plans are tried with optional references first.
const NAMING: usize = 6;

/// The source of a record is searched in this many levels above it.
const ABOVE: usize = 1;

/// Required references of a body are searched to this depth of items.
const INNER: usize = 2;

impl<'d> Grower<'_, 'd> {
    /// The plans for a call: each example of the call with each example of its record's creator, then with one change
    /// of the record in between.
    pub(super) fn plans(&self, call: &Call<'d>, examples: &[Option<&'d str>]) -> Vec<Plan<'d>> {
        let all = self.creators(call);
        let creator = all.first().copied();
        let ingredients = Ingredients {
            examples,
            creator: creator.map(|call| call.operation.label()),
            creator_examples: creator.map_or_else(|| vec![None], Self::keys),
        };
        let mut between: Vec<Change<'d>> = Vec::new();
        for change in all.iter().flat_map(|creator| self.changes(creator, call)) {
            if !between.contains(&change) {
                between.push(change);
            }
        }
        let pairs = self.pairs(call, &between);
        let mentioned = self.mentioned(call, &between).into_iter();
        let more: Vec<_> = in_turns(vec![
            mentioned.map(|change| vec![change]).collect(),
            pairs.clone(),
        ]);
        // A required record may exist by chance, so plans that create it come first.
        let fillers = self.model.fillers(call).into_iter();
        let mut plain: Vec<Plan<'d>> = fillers
            .flat_map(|call| ingredients.plans(&[Change::plain(call.operation.label())]))
            .collect();
        plain.extend(ingredients.plans(&[]));
        let chosen = self.chosen(call, creator, plain.first());
        // A creation may need the same changes before it whatever values it sends.
        let choices: Vec<Choice> = chosen
            .iter()
            .filter_map(|plan| plan.choice.clone())
            .collect();
        plain.splice(1.min(plain.len())..1.min(plain.len()), chosen);
        let single = between.iter().map(|change| vec![change.clone()]);
        let single: Vec<_> = single.chain(pairs.iter().cloned()).collect();
        let listed = plain.first().map(|plan| self.by_list(call, plan, &single));
        let settled = between.clone();
        let between = between.into_iter().map(|change| vec![change]).chain(pairs);
        let changed = between.map(|changes| ingredients.plans(&changes)).collect();
        let mut deep = self.deep(call, creator, examples, &more);
        let with = deep.iter().take(DEEP).flat_map(|plan| {
            let with_choice = |choice: &Choice| Plan {
                choice: Some(choice.clone()),
                ..plan.clone()
            };
            choices
                .iter()
                .take(ALONE)
                .map(with_choice)
                .collect::<Vec<_>>()
        });
        let with: Vec<Plan<'d>> = with.take(DEEP).collect();
        deep.extend(with);
        // Plain plans first, then one per change in turn; the list is cut later.
        let rest = plain.split_off(plain.len().min(MOST_PLAIN));
        let mut plain = self.naming_more(call, creator, plain);
        plain.extend(in_turns(changed));
        plain.extend(rest);
        if all.is_empty() {
            plain.splice(0..0, self.gathering(call, &ingredients));
        }
        // A list of all clients' records is used last.
        let is_restricted = self.is_restricted(call);
        let at = if is_restricted { 0 } else { plain.len() };
        plain.splice(at..at, listed.unwrap_or_default());
        let bare = plain
            .first()
            .filter(|_| may_be_bare(call))
            .map(|item| Plan {
                bare: Some(call.operation.label()),
                naming: Vec::new(),
                ..item.clone()
            });
        let at = plain.len().min(MOST_PLAIN);
        plain.splice(at..at, bare);
        deep.extend(self.settling(&ingredients, &settled));
        deep.extend(ingredients.after_first_example(call));
        let mut standing = Self::typed(call, plain.first());
        standing.extend(self.standing(call, examples));
        standing.extend(self.on_existing(call, &ingredients));
        let kept = deep.len() + standing.len();
        plain.truncate(super::MOST.saturating_sub(kept).max(1));
        plain.append(&mut deep);
        plain.append(&mut standing);
        plain
    }

    /// Plans that first create what the call collects, by its text.
    fn gathering(&self, call: &Call<'d>, ingredients: &Ingredients<'_, 'd>) -> Vec<Plan<'d>> {
        let all = self.model.gathered(call).into_iter();
        let all = all.map(|call| Change::plain(call.operation.label()));
        all.flat_map(|item| ingredients.plans(&[item])).collect()
    }

    /// The plans for a call whose record exists: each example, unchanged and after changes.
    pub(super) fn plans_onward(
        &self,
        call: &Call<'d>,
        examples: &[Option<&'d str>],
    ) -> Vec<Plan<'d>> {
        let creator = self.creator(call);
        let mut between: Vec<Change<'d>> = Vec::new();
        for change in creator
            .into_iter()
            .flat_map(|other| self.changes(other, call))
        {
            if !between.contains(&change) {
                between.push(change);
            }
        }
        let pairs = self.pairs(call, &between);
        let single = between.into_iter().map(|change| vec![change]);
        let ingredients = Ingredients {
            examples,
            creator: creator.map(|call| call.operation.label()),
            creator_examples: vec![None],
        };
        let all = std::iter::once(Vec::new()).chain(single).chain(pairs);
        let plans = all.filter_map(|changes| ingredients.plans(&changes).into_iter().next());
        // The other examples follow: they can be tried once the first one has succeeded.
        let others = ingredients.plans(&[]).into_iter().skip(1);
        plans.take(MOST_PLAIN).chain(others).collect()
    }

    /// Plans that pay everything that is due on the record before the call, directly or after another change.
    fn settling(&self, ingredients: &Ingredients<'_, 'd>, between: &[Change<'d>]) -> Vec<Plan<'d>> {
        let pays = |change: &&Change<'d>| {
            let paid = self
                .model
                .call(&change.operation)
                .filter(|call| call.role == Role::Create);
            paid.is_some_and(|call| self.due(call).is_some())
        };
        let all = between.iter().filter(pays).flat_map(|pays| {
            let first = between.iter().filter(move |item| *item != pays);
            let pairs = first.map(move |first| vec![first.clone(), pays.clone()]);
            std::iter::once(vec![pays.clone()]).chain(pairs)
        });
        let plans = all.filter_map(|changes| ingredients.plans(&changes).into_iter().next());
        let settled = |plan| Plan {
            settles: true,
            ..plan
        };
        plans.take(SETTLING).map(settled).collect()
    }

    /// Plans that take the records of one required operation from the examples: an example may name a record in a
    /// state that created records do not have.
    fn standing(&self, call: &Call<'d>, examples: &[Option<&'d str>]) -> Vec<Plan<'d>> {
        let removes = call.operation.method == Method::Delete;
        let mut found: Vec<&Call<'d>> = if removes {
            Vec::new()
        } else {
            self.creators(call)
        };
        let mut next = 0;
        while let Some(creator) = found.get(next).copied().filter(|_| next < STANDING) {
            let fillers = self.model.fillers(creator);
            for item in self.creators(creator).into_iter().chain(fillers) {
                let label = item.operation.label();
                let mut known = found.iter().copied().chain(std::iter::once(call));
                if !known.any(|call| call.operation.label() == label) {
                    found.push(item);
                }
            }
            next += 1;
        }
        let creator = self.creator(call);
        let creator = creator.map(|call| {
            let key = Self::keys(call).first().copied().flatten();
            (call.operation.label(), key)
        });
        let created = found.iter().rev().take(STANDING);
        let on = created.map(|created| Plan {
            example: examples.first().copied().flatten(),
            creator: creator.clone(),
            based_on: Some(created.operation.label()),
            ..Plan::default()
        });
        on.collect()
    }

    /// The first plan with each value that the creating request may set in addition.
    fn chosen(
        &self,
        call: &Call<'d>,
        creator: Option<&Call<'d>>,
        first: Option<&Plan<'d>>,
    ) -> Vec<Plan<'d>> {
        let all = creator.map(|item| choices(self.model, item, call));
        let with = |choice| {
            Some(Plan {
                choice: Some(choice),
                ..first?.clone()
            })
        };
        all.into_iter().flatten().filter_map(with).collect()
    }

    /// Puts variants with optional references before the first plans.
    fn naming_more(
        &self,
        call: &Call<'d>,
        creator: Option<&Call<'d>>,
        plain: Vec<Plan<'d>>,
    ) -> Vec<Plan<'d>> {
        let mut all = Vec::new();
        for (index, plan) in plain.into_iter().enumerate() {
            let mut naming = self.naming(call, creator, &plan);
            naming.truncate(match index {
                0 => naming.len(),
                1..NAMING => 1,
                _ => 0,
            });
            all.append(&mut naming);
            all.push(plan);
        }
        all
    }

    /// Variants of a plan that also name records which the examples omit, such as the customer of a payment: all of
    /// them,
    /// then each alone. Only these reveal counts, sums and deletion rules of the named records.
    fn naming(
        &self,
        call: &Call<'d>,
        creator: Option<&Call<'d>>,
        first: &Plan<'d>,
    ) -> Vec<Plan<'d>> {
        let creator = creator.zip(first.creator.as_ref());
        let of_creator = creator.map(|(item, (_, key))| (item, *key));
        let all = std::iter::once((call, first.example)).chain(of_creator);
        let all = all.flat_map(|(call, key)| {
            let label = call.operation.label();
            let names = self.unnamed(call, key).into_iter();
            names.map(move |name| (label.clone(), name))
        });
        let all: Vec<(String, &'d str)> = all.collect();
        let each = all.iter().cloned().map(|change| vec![change]).take(ALONE);
        let each = each.filter(|_| all.len() > 1);
        let choices = std::iter::once(all.clone()).chain(each);
        let with = |naming| Plan {
            naming,
            ..first.clone()
        };
        choices.filter(|item| !item.is_empty()).map(with).collect()
    }

    /// The properties of a body that can name a record and that an example lacks.
    fn unnamed(&self, call: &Call<'d>, key: Option<&str>) -> Vec<&'d str> {
        let document = self.model.document;
        let Ok(Some(body)) = request::body(self.contract, &call.operation, key) else {
            return Vec::new();
        };
        let Some(shown) = body.value.plain() else {
            return Vec::new();
        };
        let shape = Shape::of(document, call.body.as_ref());
        let is_created = |kind: &String| {
            let creator = self.model.creator_of(kind);
            creator.is_some_and(|other| other.operation.label() != call.operation.label())
        };
        let may_name = |name: &&str| {
            let property = shape.property(document, name);
            let kind = self.model.named_by(&property, name);
            shown.get(name).is_none_or(Node::is_null)
                && property.type_name() == Some("string")
                && kind.as_ref().is_some_and(is_created)
        };
        let names = shape.property_names().into_iter();
        names.filter(may_name).collect()
    }

    /// Plans that change the parent record before the creation: an item must be on sale before it is booked. Further
    /// plans also change the created record, which may need it, too.
    fn deep(
        &self,
        call: &Call<'d>,
        creator: Option<&Call<'d>>,
        examples: &[Option<&'d str>],
        between: &[Vec<Change<'d>>],
    ) -> Vec<Plan<'d>> {
        let Some(creator) = creator else {
            return Vec::new();
        };
        let of_each = self.creators(creator).into_iter();
        let of_each = of_each.map(|call| self.changes(call, creator)).collect();
        let mut changes: Vec<Change<'d>> = Vec::new();
        for change in in_turns(of_each) {
            if change.operation != call.operation.label() && !changes.contains(&change) {
                changes.push(change);
            }
        }
        changes.truncate(DEEP);
        let pairs = self.creators(creator).into_iter().take(1);
        let pairs = pairs.flat_map(|call| self.pairs(creator, &self.changes(call, creator)));
        let before = changes.into_iter().map(|change| vec![change]);
        let before: Vec<Vec<Change<'d>>> = before.chain(pairs.take(DEEP_PAIRS)).collect();
        let plain = before.iter().map(|item| (item, Vec::new()));
        let more = before.iter().flat_map(|item| {
            between
                .iter()
                .take(DEEP)
                .map(move |more| (item, more.clone()))
        });
        let full = plain.clone().chain(more.take(2 * DEEP));
        let full = full.map(|item| (item, Extent::Full));
        let lean = plain.take(DEEP).map(|item| (item, Extent::Required));
        let plans = full.chain(lean).map(|((before, changes), extent)| Plan {
            example: examples.first().copied().flatten(),
            creator: Some((
                creator.operation.label(),
                Self::keys(creator).first().copied().flatten(),
            )),
            changes,
            extent,
            extent_before: extent,
            before_creator: before.clone(),
            ..Plan::default()
        });
        plans.collect()
    }

    /// The operation that creates the call's record.
    pub(super) fn creator(&self, call: &Call<'d>) -> Option<&Call<'d>> {
        self.creators(call).first().copied()
    }

    /// The operations that create what a call needs: the record of its path, then those that its body must name. A
    /// named record that is the source of another one comes first: the customer's orders before the customer.
    pub(super) fn creators(&self, call: &Call<'d>) -> Vec<&Call<'d>> {
        let mut all = self.makers_in_order(call);
        let is_of_path = !call.path_parameters().is_empty();
        if let (Some(first), false) = (all.first(), is_of_path) {
            let first = first.operation.label();
            let is_above = |call: &&Call<'d>| self.derives_from(call, &first, ABOVE);
            if let Some(at) = all.iter().position(is_above) {
                all[..=at].rotate_right(1);
            }
        }
        all
    }

    /// Whether an operation's record needs a record of another operation, directly or within `deep` levels.
    fn derives_from(&self, call: &Call<'d>, creator: &str, deep: usize) -> bool {
        let all = self.makers_in_order(call);
        let is_it = |call: &&Call<'d>| call.operation.label() == creator;
        all.iter().any(is_it)
            || (deep > 0
                && all
                    .iter()
                    .any(|call| self.derives_from(call, creator, deep - 1)))
    }

    /// Like [`Self::makers`], in the order of the body.
    fn makers_in_order(&self, call: &Call<'d>) -> Vec<&Call<'d>> {
        let mut of_path = call.path_parameters().into_iter().rev();
        let by_path = of_path.find_map(|name| {
            let issuer = || self.model.issuer_for(&call.operation, name);
            let creator = self.model.creator_for(&call.operation, name);
            creator.or_else(|| issuer().map(|pair| pair.0))
        });
        let shape = Shape::of(self.model.document, call.body.as_ref());
        let mut kinds = Vec::new();
        self.named(&shape, 0, &mut kinds);
        kinds.extend(self.named_in_lists(&shape));
        let by_body = kinds.iter().filter_map(|kind| self.model.creator_of(kind));
        let by_value = self.makers_with_value(call);
        let by_list = self.makers_of_listed(call);
        let mut found: Vec<&Call<'d>> = Vec::new();
        for creator in by_path
            .into_iter()
            .chain(by_body)
            .chain(by_value)
            .chain(by_list)
        {
            let label = creator.operation.label();
            let mut known = found.iter().copied().chain(std::iter::once(call));
            if !known.any(|call| call.operation.label() == label) {
                found.push(creator);
            }
        }
        found
    }

    /// Adds the kinds of record that a body must name; those of its items come last.
    fn named(&self, shape: &Shape<'d>, depth: usize, kinds: &mut Vec<String>) {
        let document = self.model.document;
        let names = shape.property_names().into_iter();
        let required: Vec<&str> = names.filter(|name| shape.requires(name)).collect();
        let named_kind = |name: &&str| self.model.named_by(&shape.property(document, name), name);
        kinds.extend(required.iter().filter_map(named_kind));
        if depth < INNER {
            for name in required {
                let part = shape.property(document, name);
                self.named(&part.items(document), depth + 1, kinds);
                // `links: {mandate: MD0001}`
                self.named(&part, depth + 1, kinds);
            }
        }
    }

    /// The kinds of record that lists of keys in a body may name.
    fn named_in_lists(&self, shape: &Shape<'d>) -> Vec<String> {
        let document = self.model.document;
        let names = shape.property_names().into_iter();
        let listed_kind = |name| {
            let property = shape.property(document, name);
            let is_list = property.type_name() == Some("array");
            let kind = self.model.named_by(&property, name);
            kind.filter(|_| is_list)
        };
        names.filter_map(listed_kind).collect()
    }

    /// The operations that create records with a path value that no operation creates: payments at a terminal, for a
    /// path of that terminal.
    fn makers_with_value(&self, call: &Call<'d>) -> Vec<&Call<'d>> {
        let names = call.path_parameters().into_iter();
        let unmade = |name: &&str| self.model.creator_for(&call.operation, name).is_none();
        let unmade: Vec<&str> = names.filter(unmade).collect();
        let takes = |call: &&Call<'d>| {
            let shape = Shape::of(self.model.document, call.body.as_ref());
            let mut properties = shape.property_names().into_iter();
            properties.any(|property| unmade.iter().any(|name| names::same(property, name)))
        };
        let posts = |call: &&Call<'d>| call.operation.method == Method::Post;
        let writes = call.operation.method == Method::Post;
        let creators = self.model.of(Role::Create).filter(|_| writes);
        creators.filter(posts).filter(takes).collect()
    }

    /// The changes of a creator's record that may precede the call: steps on it, steps on records that it caused,
    /// creations below it such as a payment, then one change per state that an operation can set.
    fn changes(&self, creator: &Call<'d>, call: &Call<'d>) -> Vec<Change<'d>> {
        let Some(record) = creator.record() else {
            return Vec::new();
        };
        let call_label = call.operation.label();
        let is_of_record = |call: &&Call<'d>| call.record().is_some_and(|kind| kind.is(record));
        let of_record: Vec<&Call<'d>> = self.model.of(Role::Change).filter(is_of_record).collect();
        let posts = |call: &&Call<'d>| call.operation.method == Method::Post;
        let is_other = |label: &String| *label != call_label;
        let label = creator.operation.label();
        let is_under = |call: &&Call<'d>| {
            let of_path = call.path_parameters().last().copied();
            let creator = of_path.and_then(|name| self.model.creator_for(&call.operation, name));
            creator.is_some_and(|call| call.operation.label() == label)
        };
        let created = self.model.of(Role::Create).filter(posts);
        let created = created.filter(is_under).map(|call| call.operation.label());
        let plain = of_record.iter().copied().filter(posts);
        let plain = plain.map(|call| call.operation.label());
        let created = created.filter(is_other).take(DEEP);
        // An invoice that a subscription caused is paid by a step on the invoice.
        let is_issued = |call: &&Call<'d>| {
            let of_path = call.path_parameters().last().copied();
            let issuer = of_path.and_then(|name| self.model.issuer_for(&call.operation, name));
            issuer.is_some_and(|(call, _)| call.operation.label() == label)
        };
        let of_issued = self.model.of(Role::Change).filter(posts).filter(is_issued);
        let of_issued = of_issued.map(|call| call.operation.label());
        let of_issued = of_issued.filter(is_other).take(DEEP);
        // A batch that names a record may change its state: `Each collection becomes submitted`.
        let document = self.model.document;
        let shape = Shape::of(document, Some(&record.schema));
        let states = shape.property_names().into_iter();
        let states = states.filter(|word| names::names_state(word));
        let states = states.map(|name| shape.property(document, name).known_values());
        let states: Vec<&str> = states.flatten().collect();
        let leads = |call: &&Call<'d>| {
            let mut led = led_to(call).into_iter();
            let names_it = || {
                let all = self.makers_in_order(call).into_iter();
                all.map(|call| call.operation.label())
                    .any(|item| item == label)
            };
            led.any(|word| states.contains(&word.as_str())) && names_it()
        };
        let naming = self.model.of(Role::Create).filter(posts).filter(leads);
        let naming = naming.map(|call| call.operation.label());
        let naming = naming.filter(|item| is_other(item) && *item != label);
        let naming = naming.take(DEEP);
        let all = plain
            .filter(is_other)
            .chain(of_issued)
            .chain(created)
            .chain(naming);
        let plain = all.map(Change::plain);
        let forms = of_record.iter().flat_map(|call| self.forms(call, record));
        // Without its optional body a step may do more than its example, such as capture the full amount.
        let bare = of_record
            .iter()
            .filter(|call| posts(call) && may_be_bare(call));
        let bare = bare.map(|call| call.operation.label()).filter(is_other);
        plain.chain(forms).chain(bare.map(Change::bare)).collect()
    }

    /// The changes that lead to a state which the texts of a call or of its refusals mention: `shipped`, `not checked
    /// in`.
    fn mentioned(&self, call: &Call<'d>, changes: &[Change<'d>]) -> Vec<Change<'d>> {
        let refusals = [400, 403, 409, 422].into_iter();
        let texts = refusals.filter_map(|code| call.text_of(code));
        let words: Vec<String> = texts.chain(call.texts()).flat_map(names::words).collect();
        let is_stated = |change: &&Change<'d>| {
            if let Some(state) = change.state() {
                return words.windows(state.len()).any(|part| part == state);
            }
            let verb = self.model.call(&change.operation);
            let verb = verb
                .map(|call| names::words(&call.about))
                .unwrap_or_default();
            let is_of = |part: &[String]| {
                let rest = part[1..] == verb[1..];
                rest && names::is_done(&part[0], &verb[0])
            };
            !verb.is_empty() && words.windows(verb.len()).any(is_of)
        };
        // "only succeeded payments" mentions the change whose text says that the payment becomes `succeeded`.
        let leads_there = |change: &&Change<'d>| {
            let call = self.model.call(&change.operation);
            let states = call.map(led_to).unwrap_or_default();
            states.iter().any(|item| words.contains(item))
        };
        let (mentioned, others): (Vec<_>, Vec<_>) = changes.iter().partition(is_stated);
        let others = others.into_iter().filter(leads_there);
        mentioned.into_iter().chain(others).cloned().collect()
    }

    /// Pairs of changes whose second one leads to a mentioned state. If an operation can set several states, its own
    /// forms come first in the pair, then other changes.
    fn pairs(&self, call: &Call<'d>, changes: &[Change<'d>]) -> Vec<Vec<Change<'d>>> {
        let mentioned = self.mentioned(call, changes);
        let with = |last: &Change<'d>| {
            let is_form = |change: &Change<'d>| change.state().is_some();
            let is_same =
                |change: &&Change<'d>| change.operation == last.operation && is_form(last);
            let forms = changes.iter().filter(|item| is_same(item) && is_form(item));
            let others = changes.iter().filter(|item| !is_same(item));
            let first = forms.chain(others).filter(|item| *item != last);
            first
                .map(|first| vec![first.clone(), last.clone()])
                .collect()
        };
        let mut pairs = in_turns(mentioned.iter().map(with).collect());
        pairs.truncate(PAIRS);
        pairs
    }
}

/// The first item of each list, then the second of each, and so on.
fn in_turns<T>(lists: Vec<Vec<T>>) -> Vec<T> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.extend(lists.iter_mut().filter_map(Iterator::next));
        if all.len() == before {
            return all;
        }
    }
}

/// The states that a call leads to by its text: `the payment becomes succeeded`.
fn led_to(call: &Call<'_>) -> Vec<String> {
    let said = call.texts().flat_map(prose::spoken);
    let states = said.flat_map(|item| {
        let pairs: Vec<_> = item.windows(2).map(<[String]>::to_vec).collect();
        let after = pairs
            .into_iter()
            .filter(|item| item[0].starts_with("become"));
        after.map(|item| item[1].clone())
    });
    states
        .filter(|word| !matches!(word.as_str(), "the" | "a" | "an"))
        .collect()
}

/// Whether the body of a call is optional.
fn may_be_bare(call: &Call<'_>) -> bool {
    let body = call.operation.request_body();
    body.is_some_and(|parameter| !parameter.required())
}
