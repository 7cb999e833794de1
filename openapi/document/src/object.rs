//! The objects of a document in one list, found by one walk.

use crate::grammar::{Kind, Shape, is_reference};
use crate::node::Node;
use crate::pointer::Pointer;

/// An object of the document and the way from the object in which it stands.
#[derive(Debug)]
pub struct Object<'d> {
    /// The object itself.
    pub node: &'d Node,
    /// What the specification calls it.
    pub kind: Kind,
    /// The place of its parent in the list.
    pub parent: Option<usize>,
    /// The field of its parent; empty for the document itself.
    pub field: &'d str,
    /// Its name or number under that field, where the field holds many.
    pub member: Member<'d>,
}

/// Which of the objects under a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Member<'d> {
    /// The field holds one.
    Only,
    /// The one of that name.
    Key(&'d str),
    /// The one with that number.
    Index(usize),
}

impl<'d> Object<'d> {
    /// Whether it is a `$ref` to an object instead.
    pub fn is_reference(&self) -> bool {
        is_reference(self.node, self.kind)
    }

    /// Its name under the field of its parent, where it has one.
    pub fn name(&self) -> Option<&'d str> {
        match self.member {
            Member::Key(name) => Some(name),
            Member::Only | Member::Index(_) => None,
        }
    }

    /// Adds the way from the parent to a pointer.
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

/// Every object below the root, parents first; what a reference leads to is not below it.
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
