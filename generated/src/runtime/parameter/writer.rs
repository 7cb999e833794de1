//! Taking typed values apart into a tree of texts.

use std::borrow::Cow;

use serde::Serialize;
use serde::ser::{
    Error as _, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::Error;

use super::super::number::RAW_TOKEN;
use super::tree::{Entry, Tree, parse};

/// Converts a value to a tree; `None` for a value that would be `null`.
struct Writer;

/// A list under construction, and the variant it belongs to.
pub(super) struct Items {
    items: Vec<Tree>,
    variant: Option<&'static str>,
}

/// An object under construction, and the variant it belongs to.
pub(super) struct Entries {
    members: Vec<Entry>,
    key: Option<String>,
    variant: Option<&'static str>,
    /// Whether it is not an object, but the JSON text of a number or a raw value.
    raw: bool,
}

impl Items {
    fn new(length: Option<usize>, variant: Option<&'static str>) -> Self {
        let items = Vec::with_capacity(length.unwrap_or_default());
        Self { items, variant }
    }

    fn add<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.items.extend(value.serialize(Writer)?);
        Ok(())
    }

    fn finish(self) -> Tree {
        of_variant(self.variant, Tree::List(self.items))
    }
}

impl Entries {
    fn new(length: Option<usize>, variant: Option<&'static str>) -> Self {
        Self {
            members: Vec::with_capacity(length.unwrap_or_default()),
            key: None,
            variant,
            raw: false,
        }
    }

    /// The name of what is nothing is never copied.
    fn add<T: Serialize + ?Sized>(
        &mut self,
        key: impl Into<Cow<'static, str>>,
        value: &T,
    ) -> Result<(), Error> {
        let tree = value.serialize(Writer)?;
        self.members.extend(tree.map(|tree| (key.into(), tree)));
        Ok(())
    }

    /// By name; of a name that is there twice the last one counts.
    fn finish(mut self) -> Result<Option<Tree>, Error> {
        if self.raw {
            let text = self.members.pop().and_then(|(_, tree)| tree.into_text());
            return parse(&text.unwrap_or_default());
        }
        self.members.sort_by(|(one, _), (other, _)| one.cmp(other));
        self.members.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                std::mem::swap(later, earlier);
            }
            same
        });
        Ok(Some(of_variant(self.variant, Tree::Map(self.members))))
    }
}

fn of_variant(variant: Option<&'static str>, tree: Tree) -> Tree {
    match variant {
        Some(name) => Tree::Map(vec![(name.into(), tree)]),
        None => tree,
    }
}

macro_rules! printed {
    ($($method:ident: $value:ty),* $(,)?) => {
        $(fn $method(self, value: $value) -> Result<Option<Tree>, Error> {
            Ok(Some(Tree::Text(value.to_string())))
        })*
    };
}

impl Tree {
    /// Takes a value apart. Numbers keep their digits; `null` is nothing.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Option<Self>, serde_json::Error> {
        value.serialize(Writer)
    }
}

impl Serializer for Writer {
    type Ok = Option<Tree>;
    type Error = Error;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Items;
    type SerializeMap = Entries;
    type SerializeStruct = Entries;
    type SerializeStructVariant = Entries;

    printed! {
        serialize_bool: bool, serialize_char: char, serialize_str: &str,
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_i128: i128, serialize_u128: u128,
    }

    fn serialize_f32(self, value: f32) -> Result<Option<Tree>, Error> {
        parse(&serde_json::to_string(&value)?)
    }

    fn serialize_f64(self, value: f64) -> Result<Option<Tree>, Error> {
        parse(&serde_json::to_string(&value)?)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Option<Tree>, Error> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<Option<Tree>, Error> {
        Ok(None)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Option<Tree>, Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Option<Tree>, Error> {
        Ok(None)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Option<Tree>, Error> {
        Ok(None)
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<Option<Tree>, Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<Option<Tree>, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Option<Tree>, Error> {
        let mut entries = Entries::new(Some(1), None);
        entries.add(variant, value)?;
        entries.finish()
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Items, Error> {
        Ok(Items::new(length, None))
    }

    fn serialize_tuple(self, length: usize) -> Result<Items, Error> {
        Ok(Items::new(Some(length), None))
    }

    fn serialize_tuple_struct(self, _name: &'static str, length: usize) -> Result<Items, Error> {
        Ok(Items::new(Some(length), None))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Items, Error> {
        Ok(Items::new(Some(length), Some(variant)))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Entries, Error> {
        Ok(Entries::new(length, None))
    }

    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Entries, Error> {
        let raw = name == RAW_TOKEN;
        Ok(Entries {
            raw,
            ..Entries::new(Some(length), None)
        })
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Entries, Error> {
        Ok(Entries::new(Some(length), Some(variant)))
    }
}

macro_rules! items {
    ($($trait:ident $method:ident),* $(,)?) => {
        $(impl $trait for Items {
            type Ok = Option<Tree>;
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.add(value)
            }

            fn end(self) -> Result<Option<Tree>, Error> {
                Ok(Some(self.finish()))
            }
        })*
    };
}

items! {
    SerializeSeq serialize_element, SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field, SerializeTupleVariant serialize_field,
}

macro_rules! fields {
    ($($trait:ident),* $(,)?) => {
        $(impl $trait for Entries {
            type Ok = Option<Tree>;
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.add(key, value)
            }

            fn end(self) -> Result<Option<Tree>, Error> {
                self.finish()
            }
        })*
    };
}

fields!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for Entries {
    type Ok = Option<Tree>;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let key = key.serialize(Writer)?.and_then(Tree::into_text);
        self.key = Some(key.ok_or_else(|| Error::custom("key must be a string"))?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = self.key.take();
        self.add(key.unwrap_or_default(), value)
    }

    fn end(self) -> Result<Option<Tree>, Error> {
        self.finish()
    }
}
