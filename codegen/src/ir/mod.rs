//! What a document says, in the generator's own words: plain nouns, no tokens, no source objects.

pub mod api;
pub mod behaviour;
pub mod constraint;
pub mod docs;
pub mod example;
pub mod exchange;
pub mod link;
pub mod operation;
mod paging;
mod server;
pub mod ty;

pub use api::{Api, Area, Scheme, SchemeKind};
pub use behaviour::Behaviour;
pub use constraint::{Bound, Constraints};
pub use docs::Docs;
pub use example::{Example, Role};
pub use exchange::Exchange;
pub use link::{Expression, Link};
pub use openapi_document::view::{Location, Method, Status};
pub use operation::{
    Body, Content, Encoding, FormField, Header, Operation, Parameter, PathPart, Repeat,
    Requirement, Response, Style,
};
pub use paging::{End, Next, Paging};
pub use server::{Server, ServerVariable};
pub use ty::{
    Choice, ChoiceValue, Field, JsonKind, Overlap, Shape, Struct, Tag, Type, TypeDef, TypeId,
    Union, Usage, Variant,
};
