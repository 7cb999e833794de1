//! Object: all objects of a document in one list, collected in one walk.

use crate::grammar::{Kind, Shape, is_reference};
use crate::node::Node;
use crate::pointer::Pointer;

/// An object of the document, with its position in its parent.
#[derive(Debug)]
pub struct Object<'d> {
    /// The object itself.
    pub node: &'d Node,
    /// The kind in the specification.
    pub kind: Kind,
    /// The index of its parent in the list.
    pub parent: Option<usize>,
    /// The field of its parent; empty for the document itself.
    pub field: &'d str,
    /// Its key or index under the field, if the field holds several objects.
    pub member: Member<'d>,
}

/// The position of an object under its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Member<'d> {
    /// The field holds one object.
    Only,
    /// The key of the object.
    Key(&'d str),
    /// The index of the object.
    Index(usize),
}

impl<'d> Object<'d> {
    /// Whether it is a `$ref` instead of the object.
    pub fn is_reference(&self) -> bool {
        is_reference(self.node, self.kind)
    }

    /// Its key under the field, if it has one.
    pub fn name(&self) -> Option<&'d str> {
        match self.member {
            Member::Key(name) => Some(name),
            Member::Only | Member::Index(_) => None,
        }
    }

    /// Appends the steps from the parent to this object to a pointer.
    pub fn step(&self, pointer: &mut Pointer) {
        if self.parent.is_none() {
            return;
        }
        pointer.push(self.field);
        match self.member {
            Member::Only => {}
            Member::Key(key) => pointer.push(key),
            Member::Index(index) => pointer.push(index.to_string()),
        }
    }
}

/// All objects below the root, parents first. References are not followed.
pub fn objects(root: &Node) -> Vec<Object<'_>> {
    let mut list = Vec::new();
    let root = Object {
        node: root,
        kind: Kind::Document,
        parent: None,
        field: "",
        member: Member::Only,
    };
    visit(root, &mut list);
    list
}

fn visit<'d>(object: Object<'d>, list: &mut Vec<Object<'d>>) {
    if object.kind == Kind::Any {
        return;
    }
    let (node, kind, is_reference) = (object.node, object.kind, object.is_reference());
    let parent = Some(list.len());
    list.push(object);
    if is_reference {
        return;
    }
    for entry in node.entries() {
        let Some(shape) = kind.shape(&entry.key) else {
            continue;
        };
        let child = |node, kind, member| Object {
            node,
            kind,
            parent,
            field: &entry.key,
            member,
        };
        match shape {
            Shape::One(kind) => visit(child(&entry.value, kind, Member::Only), list),
            Shape::List(kind) => {
                for (index, item) in entry.value.items().enumerate() {
                    visit(child(item, kind, Member::Index(index)), list);
                }
            }
            Shape::Map(kind) => {
                for one in entry.value.entries() {
                    visit(child(&one.value, kind, Member::Key(&one.key)), list);
                }
            }
        }
    }
}
