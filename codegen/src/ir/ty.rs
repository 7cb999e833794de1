//! Types and the places that use them.

use super::{Constraints, Docs};

/// The index of a type in [`super::Api::types`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub usize);

/// What a value is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// `true` or `false`
    Bool,
    /// A whole number of 32 bits with sign.
    Int32,
    /// A whole number of 64 bits with sign.
    Int64,
    /// A whole number of 64 bits without sign.
    Uint64,
    /// A number that keeps its digits.
    Number,
    /// A text.
    Text,
    /// A decimal number that travels as text.
    Decimal,
    /// A calendar date.
    Date,
    /// A point in time.
    Timestamp,
    /// A UUID.
    Uuid,
    /// Bytes that are a body or a part of one.
    Bytes,
    /// A file that is a part of a body.
    File,
    /// Any JSON value.
    Any,
    /// A list.
    List(Box<Usage>),
    /// An object with free names.
    Map(Box<Usage>),
    /// A value that travels as JSON inside a text.
    JsonText(Box<Usage>),
    /// A named type.
    Named(TypeId),
}

/// A type at a place where it is used, and what holds there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Usage {
    /// The type.
    pub ty: Type,
    /// Whether `null` is allowed in place of a value.
    pub nullable: bool,
    /// Whether the value must never be printed.
    pub sensitive: bool,
    /// Whether the value lies behind a pointer, because its type contains itself.
    pub boxed: bool,
    /// The constraints of the value.
    pub constraints: Constraints,
}

impl Usage {
    /// A type without anything more.
    pub fn plain(ty: Type) -> Self {
        Self {
            ty,
            nullable: false,
            sensitive: false,
            boxed: false,
            constraints: Constraints::default(),
        }
    }

    /// Any JSON value, `null` among them.
    pub fn any() -> Self {
        Self::plain(Type::Any)
    }

    /// The type of its own that is used, where it is one.
    pub fn named(&self) -> Option<TypeId> {
        match self.ty {
            Type::Named(id) => Some(id),
            _ => None,
        }
    }

    /// Every type of its own that is used, also inside lists and maps.
    pub fn mentions(&self) -> Option<TypeId> {
        match &self.ty {
            Type::Named(id) => Some(*id),
            Type::List(inner) | Type::Map(inner) | Type::JsonText(inner) => inner.mentions(),
            _ => None,
        }
    }
}

/// A named type.
#[derive(Debug, Clone)]
pub struct TypeDef {
    /// Its name in `components`, where it has one.
    pub component: Option<String>,
    /// Every place that uses it, as words from the outside in; sorted.
    pub contexts: Vec<Vec<String>>,
    /// Its documentation.
    pub docs: Docs,
    /// Its shape, such as a structure or a union.
    pub shape: Shape,
    /// A schema, as JSON, with the constraints that the shape does not express.
    pub rule: Option<String>,
    /// Indices of the areas that use it.
    pub areas: Vec<usize>,
    /// Whether an operation or a schema with a name uses it, or it has a name itself.
    pub used: bool,
}

/// The shape of a type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Shape {
    /// An object with known names.
    Struct(Struct),
    /// One of several texts.
    Choice(Choice),
    /// One of several types.
    Union(Union),
    /// Another type under a name, because it contains itself.
    Wrapper(Usage),
    /// A body in several parts.
    Parts(Struct),
    /// Data of server-sent events. The names of the events are the tags of the union.
    Events(Union),
}

impl Shape {
    /// The number of required properties.
    pub fn required(&self) -> usize {
        match self {
            Self::Struct(object) | Self::Parts(object) => {
                object.fields.iter().filter(|field| field.required).count()
            }
            _ => 0,
        }
    }
}

/// An object with known names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Struct {
    /// The fields by name.
    pub fields: Vec<Field>,
    /// The type of the values under other names; `None` when they are not kept.
    pub rest: Option<Usage>,
    /// Whether other names are refused.
    pub closed: bool,
    /// Whether a value that is no object is kept, too: the schema has no `type`.
    pub loose: bool,
}

/// A field of a [`Struct`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// The name on the wire.
    pub wire: String,
    /// What it holds.
    pub usage: Usage,
    /// Whether it is required.
    pub required: bool,
    /// The media type of a part, where the document names one for it.
    pub media_type: Option<String>,
    /// Its documentation.
    pub docs: Docs,
}

/// One of several texts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Choice {
    /// The known values in the order of the document.
    pub values: Vec<ChoiceValue>,
    /// Whether other values are accepted as well.
    pub open: bool,
}

/// A value of a [`Choice`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ChoiceValue {
    /// The text on the wire.
    pub wire: String,
    /// What the document says about this value.
    pub docs: Docs,
}

/// One of several types.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Union {
    /// The types in the order of the document.
    pub variants: Vec<Variant>,
    /// The property that distinguishes them, if any.
    pub tag: Option<Tag>,
    /// Whether several may fit one value.
    pub overlap: Overlap,
}

/// Whether several variants of a [`Union`] may fit one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Overlap {
    /// At most one does.
    Apart,
    /// Several may.
    Several,
    /// Several may, and what only some of them keep is held by the last one, which keeps all.
    Combined,
}

/// The property that distinguishes the variants of a [`Union`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tag {
    /// Its name on the wire.
    pub property: String,
    /// The variant of values without a known value there, by its index.
    pub default: Option<usize>,
}

/// One type of a [`Union`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Variant {
    /// A word for it.
    pub word: String,
    /// The type.
    pub usage: Usage,
    /// The tag values that select it.
    pub tags: Vec<String>,
    /// What kind of JSON value it is.
    pub kind: JsonKind,
}

/// The kind of a JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JsonKind {
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    Text,
    /// An array.
    List,
    /// An object.
    Object,
    /// An object, or any value that no other alternative accepts.
    Loose,
    /// More than one of these.
    Any,
}
