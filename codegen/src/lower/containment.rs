//! Types that contain themselves: somewhere in the circle there has to be a pointer.

use super::schema::Schemas;
use crate::ir::{Shape, TypeId, Usage};

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
        Shape::Union(union) => union
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
        Shape::Union(union) => union
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

    #[test]
    fn circles_share_a_component() {
        let component = strongly_connected(&[vec![1], vec![2], vec![0], vec![0], vec![4]]);
        assert_eq!(component[0], component[1]);
        assert_eq!(component[1], component[2]);
        assert_ne!(component[0], component[3]);
        assert_ne!(component[3], component[4]);
    }
}
