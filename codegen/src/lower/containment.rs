//! Handles types that contain themselves: boxes a use in each cycle, and cuts cycles that consume
//! no part of the value.

use openapi_document::Span;

use super::schema::Schemas;
use crate::ir::{JsonKind, Shape, Type, TypeId, Union, Usage};

/// Replaces an alternative with any value when it leads back to its union for the same value: to
/// read it, a type would try the same value again for ever. Returns the places of such
/// alternatives.
pub(super) fn cut_endless(schemas: &mut Schemas) -> Vec<Span> {
    let edges: Vec<Vec<usize>> = schemas
        .shapes_mut()
        .map(|shape| shape.map(|shape| same_value(shape)).unwrap_or_default())
        .collect();
    let component = strongly_connected(&edges);
    let is_endless = |owner: usize, usage: &Usage| {
        usage
            .named()
            .is_some_and(|TypeId(target)| component[target] == component[owner])
    };
    let mut cut = Vec::new();
    for (owner, shape) in schemas.shapes_mut().enumerate() {
        match shape {
            Some(Shape::Union(union)) => {
                let endless: Vec<usize> = (0..union.variants.len())
                    .filter(|index| is_endless(owner, &union.variants[*index].usage))
                    .collect();
                if !endless.is_empty() {
                    take_anything(union, &endless);
                    cut.push((owner, endless));
                }
            }
            Some(Shape::Wrapper(usage)) if is_endless(owner, usage) => *usage = Usage::any(),
            _ => {}
        }
    }
    let places = |(owner, endless): (usize, Vec<usize>)| schemas.branches(TypeId(owner), &endless);
    cut.into_iter().flat_map(places).collect()
}

/// The types that read the same value as this type.
fn same_value(shape: &Shape) -> Vec<usize> {
    let usages = match shape {
        Shape::Union(_) | Shape::Wrapper(_) => usages(shape),
        Shape::Struct(_) | Shape::Parts(_) | Shape::Events(_) | Shape::Choice(_) => Vec::new(),
    };
    let ids = usages.into_iter().filter_map(Usage::named);
    ids.map(|TypeId(index)| index).collect()
}

/// Makes the given variants accept any value. Without a tag, keeps one such variant and puts it
/// last, because an earlier one would accept the values of the others.
fn take_anything(union: &mut Union, endless: &[usize]) {
    for &index in endless {
        let variant = &mut union.variants[index];
        variant.usage = Usage::any();
        variant.kind = JsonKind::Any;
    }
    if union.tag.is_some() {
        return;
    }
    let is_any = |variant: &crate::ir::Variant| variant.usage.ty == Type::Any;
    let (any, mut variants): (Vec<_>, Vec<_>) = union.variants.drain(..).partition(is_any);
    variants.extend(any.into_iter().take(1));
    union.variants = variants;
}

/// Boxes every direct use of a type that leads back to the type which uses it.
pub(super) fn box_cycles(schemas: &mut Schemas) {
    let mut shapes: Vec<Option<&mut Shape>> = schemas.shapes_mut().collect();
    let contained: Vec<Vec<usize>> = shapes
        .iter()
        .map(|shape| {
            let usages = shape.as_deref().map(usages).unwrap_or_default();
            let ids = usages.into_iter().filter_map(Usage::named);
            ids.map(|TypeId(index)| index).collect()
        })
        .collect();
    let component = strongly_connected(&contained);
    for (index, shape) in shapes.iter_mut().enumerate() {
        let Some(shape) = shape else { continue };
        for usage in usages_mut(shape) {
            if let Some(TypeId(target)) = usage.named() {
                usage.boxed = component[target] == component[index];
            }
        }
    }
}

fn usages(shape: &Shape) -> Vec<&Usage> {
    match shape {
        Shape::Struct(object) | Shape::Parts(object) => {
            object.fields.iter().map(|field| &field.usage).collect()
        }
        Shape::Union(union) | Shape::Events(union) => union
            .variants
            .iter()
            .map(|variant| &variant.usage)
            .collect(),
        Shape::Wrapper(usage) => vec![usage],
        Shape::Choice(_) => Vec::new(),
    }
}

fn usages_mut(shape: &mut Shape) -> Vec<&mut Usage> {
    match shape {
        Shape::Struct(object) | Shape::Parts(object) => object
            .fields
            .iter_mut()
            .map(|field| &mut field.usage)
            .collect(),
        Shape::Union(union) | Shape::Events(union) => union
            .variants
            .iter_mut()
            .map(|variant| &mut variant.usage)
            .collect(),
        Shape::Wrapper(usage) => vec![usage],
        Shape::Choice(_) => Vec::new(),
    }
}

/// The number of each node's strongly connected component; a node alone has one of its own, so
/// edges from it to itself count as a circle. (Kosaraju, without recursion.)
fn strongly_connected(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut backward = vec![Vec::new(); edges.len()];
    for (from, targets) in edges.iter().enumerate() {
        for &to in targets {
            backward[to].push(from);
        }
    }
    let mut finished = Vec::new();
    let mut seen = vec![false; edges.len()];
    for root in 0..edges.len() {
        visit(root, edges, &mut seen, &mut finished);
    }
    let mut component = vec![usize::MAX; edges.len()];
    let mut seen = vec![false; edges.len()];
    for &root in finished.iter().rev() {
        let mut members = Vec::new();
        visit(root, &backward, &mut seen, &mut members);
        for member in members {
            component[member] = root;
        }
    }
    component
}

/// Depth first; nodes are pushed when everything after them has been.
fn visit(root: usize, edges: &[Vec<usize>], seen: &mut [bool], finished: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[root], true) {
        return;
    }
    let mut open = vec![(root, 0)];
    while let Some((node, next)) = open.pop() {
        let Some(&target) = edges[node].get(next) else {
            finished.push(node);
            continue;
        };
        open.push((node, next + 1));
        if !std::mem::replace(&mut seen[target], true) {
            open.push((target, 0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Tag, Variant};

    #[test]
    fn endless_alternatives_are_the_last_one() {
        let variant = |ty| Variant {
            word: "A".to_owned(),
            usage: Usage::plain(ty),
            tags: Vec::new(),
            kind: JsonKind::Text,
        };
        let variants = [Type::Named(TypeId(0)), Type::Text, Type::Named(TypeId(1))];
        let mut union = Union {
            overlap: crate::ir::Overlap::Apart,
            variants: variants.map(variant).to_vec(),
            tag: None,
        };
        let mut tagged = union.clone();
        take_anything(&mut union, &[0, 2]);
        let types = |union: &Union| {
            let variants = union.variants.iter();
            variants
                .map(|variant| variant.usage.ty.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(types(&union), [Type::Text, Type::Any]);
        tagged.tag = Some(Tag {
            property: "kind".to_owned(),
            default: None,
        });
        take_anything(&mut tagged, &[0, 2]);
        assert_eq!(types(&tagged), [Type::Any, Type::Text, Type::Any]);
    }

    #[test]
    fn circles_share_a_component() {
        let component = strongly_connected(&[vec![1], vec![2], vec![0], vec![0], vec![4]]);
        assert_eq!(component[0], component[1]);
        assert_eq!(component[1], component[2]);
        assert_ne!(component[0], component[3]);
        assert_ne!(component[3], component[4]);
    }
}
