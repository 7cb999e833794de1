//! What an answer that holds a page has beside the items.

use super::schema::Schemas;
use crate::ir::{End, Field, Next, Shape, Type, Usage};

/// Properties with the items, where there are other lists.
const ITEMS: [&str; 7] = [
    "data", "items", "results", "entries", "records", "values", "elements",
];

/// Properties that tell about the page.
const ABOUT: [&str; 8] = [
    "meta",
    "metadata",
    "pagination",
    "paging",
    "pageinfo",
    "responsemetadata",
    "links",
    "page",
];

const MORE: [&str; 3] = ["hasmore", "hasnextpage", "hasnext"];
const TOTAL: [&str; 5] = [
    "total",
    "totalcount",
    "totalitems",
    "totalresults",
    "totalelements",
];
const PAGES: [&str; 1] = ["totalpages"];
const LIMIT: [&str; 1] = ["limit"];

/// Properties with the address of the next page.
const LINKS: [&str; 7] = [
    "nextpageuri",
    "nextpageurl",
    "nexturl",
    "nexturi",
    "nextlink",
    "nexthref",
    "odatanextlink",
];

/// The body of an answer, as far as paging goes.
pub(super) struct Envelope<'s> {
    schemas: &'s Schemas,
    body: &'s Usage,
}

/// A name without what its spellings differ in.
pub(super) fn squashed(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

impl<'s> Envelope<'s> {
    pub(super) fn of(schemas: &'s Schemas, body: &'s Usage) -> Self {
        Self { schemas, body }
    }

    /// The place of the items, where it is beyond doubt.
    pub(super) fn items(&self) -> Option<String> {
        if matches!(self.body.ty, Type::List(_)) {
            return Some(String::new());
        }
        let fields = self.fields(self.body);
        let lists: Vec<&Field> = fields
            .into_iter()
            .filter(|field| is_list(&field.usage) && squashed(&field.wire) != "links")
            .collect();
        let known = |field: &&&Field| ITEMS.contains(&squashed(&field.wire).as_str());
        let only = match lists.as_slice() {
            [only] => only,
            several => {
                let mut known = several.iter().filter(known);
                known.next().filter(|_| known.next().is_none())?
            }
        };
        Some(format!("/{}", escaped(&only.wire)))
    }

    /// Whether there is a list of items at a place that the bindings can reach.
    pub(super) fn is_list(&self, place: &str) -> bool {
        let reached = reach(self.schemas, self.body, place);
        reached.is_some_and(|steps| {
            let last = steps.last().map_or(self.body, |step| &step.usage);
            is_list(last)
        })
    }

    /// Whether the items have a scalar property of that name.
    pub(super) fn items_have(&self, name: &str) -> bool {
        let usage = match self.items() {
            Some(place) if place.is_empty() => self.body,
            Some(place) => match reach(self.schemas, self.body, &place).as_deref() {
                Some([.., last]) => &last.usage,
                _ => return false,
            },
            None => return false,
        };
        let Type::List(item) = &usage.ty else {
            return false;
        };
        self.fields(item)
            .iter()
            .any(|field| field.wire == name && field.required && is_scalar(&field.usage.ty))
    }

    /// What tells that a page is the last one.
    pub(super) fn ends(&self) -> Vec<End> {
        let flag = self.find(&MORE, |ty| *ty == Type::Bool);
        let number = |names: &[&str]| self.find(names, is_number).map(|(place, _)| place);
        let ends = [
            flag.map(|(place, _)| End::More(place)),
            number(&TOTAL).map(End::Total),
            number(&PAGES).map(End::Pages),
        ];
        ends.into_iter().flatten().collect()
    }

    /// The place of the number of items that the server took for a page.
    pub(super) fn limit(&self) -> Option<String> {
        self.find(&LIMIT, is_number).map(|(place, _)| place)
    }

    /// The place of a scalar with one of these names, and its name.
    pub(super) fn scalar(&self, names: &[&str]) -> Option<(String, String)> {
        self.find(names, is_scalar)
    }

    /// The address of the next page.
    pub(super) fn link(&self) -> Option<Next> {
        if let Some((place, _)) = self.find(&LINKS, is_text) {
            return Some(Next::Link(place));
        }
        let fields = self.fields(self.body);
        let named = |name: &'static str| {
            let fields = fields.iter().copied();
            fields.filter(move |field| squashed(&field.wire) == name)
        };
        let addressed = named("next").find(|next| is_text(&next.usage.ty));
        if addressed.is_some_and(|next| next.usage.constraints.uri) {
            return Some(Next::Link("/next".to_owned()));
        }
        named("links").find_map(|links| {
            let place = format!("/{}", escaped(&links.wire));
            if let Type::List(item) = &links.usage.ty {
                let parts = self.fields(item);
                let has = |name: &str| parts.iter().any(|part| part.wire == name);
                return (has("rel") && has("href")).then_some(Next::Relation(place));
            }
            let direct = self
                .next_in(&links.usage)
                .map(|next| format!("{place}{next}"));
            let inner = || {
                let pages = self.fields(&links.usage);
                let pages = pages.into_iter().find(|field| field.wire == "pages")?;
                Some(format!("{place}/pages{}", self.next_in(&pages.usage)?))
            };
            direct.or_else(inner).map(Next::Link)
        })
    }

    /// `next`, or the `href` in it.
    fn next_in(&self, links: &Usage) -> Option<String> {
        let fields = self.fields(links);
        let next = fields.into_iter().find(|field| field.wire == "next")?;
        if is_text(&next.usage.ty) {
            return Some("/next".to_owned());
        }
        let parts = self.fields(&next.usage);
        let href = parts.iter().find(|part| part.wire == "href")?;
        is_text(&href.usage.ty).then(|| "/next/href".to_owned())
    }

    /// A property of the body, or of what tells about the page, with one of these names.
    fn find(&self, names: &[&str], is: impl Fn(&Type) -> bool) -> Option<(String, String)> {
        let fields = self.fields(self.body);
        let about = fields
            .iter()
            .filter(|field| ABOUT.contains(&squashed(&field.wire).as_str()));
        let inner = about.flat_map(|field| {
            let place = format!("/{}", escaped(&field.wire));
            let fields = self.fields(&field.usage).into_iter();
            fields.map(move |inner| (place.clone(), inner))
        });
        let outer = fields.iter().map(|field| (String::new(), *field));
        let all: Vec<(String, &Field)> = outer.chain(inner).collect();
        names.iter().find_map(|name| {
            let (place, field) = all
                .iter()
                .find(|(_, field)| squashed(&field.wire) == *name && is(&field.usage.ty))?;
            Some((
                format!("{place}/{}", escaped(&field.wire)),
                (*name).to_owned(),
            ))
        })
    }

    /// The properties of an object, or of all objects that a union may be.
    fn fields(&self, usage: &Usage) -> Vec<&'s Field> {
        let Type::Named(id) = usage.ty else {
            return Vec::new();
        };
        match self.schemas.shape(id) {
            Some(Shape::Struct(object)) => object.fields.iter().collect(),
            Some(Shape::Union(union)) => {
                let of = |usage: &Usage| match usage.ty {
                    Type::Named(id) => match self.schemas.shape(id) {
                        Some(Shape::Struct(object)) => object.fields.as_slice(),
                        _ => &[],
                    },
                    _ => &[],
                };
                let variants = union.variants.iter();
                variants.flat_map(|variant| of(&variant.usage)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The fields on the way to a place that can be reached without asking which variant a value is.
fn reach<'s>(schemas: &'s Schemas, body: &'s Usage, place: &str) -> Option<Vec<&'s Field>> {
    let (mut usage, mut steps) = (body, Vec::new());
    for name in place.split('/').skip(1) {
        let Type::Named(id) = usage.ty else {
            return None;
        };
        let Some(Shape::Struct(object)) = schemas.shape(id) else {
            return None;
        };
        let field = object
            .fields
            .iter()
            .find(|field| escaped(&field.wire) == name)?;
        steps.push(field);
        usage = &field.usage;
    }
    Some(steps)
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn is_list(usage: &Usage) -> bool {
    matches!(usage.ty, Type::List(_)) && !usage.sensitive
}

fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Int32 | Type::Int64 | Type::Uint64 | Type::Number)
}

fn is_text(ty: &Type) -> bool {
    *ty == Type::Text
}

fn is_scalar(ty: &Type) -> bool {
    is_number(ty) || matches!(ty, Type::Text | Type::Uuid)
}
