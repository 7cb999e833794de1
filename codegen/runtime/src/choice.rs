//! Enumerations of texts.
//!
//! `choice!` lists the text of each variant; this module implements the rest.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, Error, Visitor};

/// An enumeration whose values are texts.
pub trait Choice: Clone + Sized + 'static {
    /// All documented values.
    const ALL: &'static [Self];

    /// The value as it travels.
    fn text(&self) -> &str;

    /// The value for an undocumented text; `None` when the enumeration is closed.
    fn other(text: &str) -> Option<Self>;
}

/// What an enumeration of texts can do: `as_str`, `Display`, `Serialize`, `Deserialize`, and `From`
/// a text where it is open.
#[doc(hidden)]
#[macro_export]
macro_rules! choice {
    ($name:ident { $($wire:literal => $variant:ident,)* }) => {
        impl $name {
            /// The value as it travels.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $wire,)*
                }
            }
        }

        $crate::choice! { @serde $name [$($variant)*] _text None }
    };
    ($name:ident { $($wire:literal => $variant:ident,)* } or $rest:ident) => {
        impl $name {
            /// The value as it travels.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $wire,)*
                    Self::$rest(text) => text,
                }
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                choice::named(text).unwrap_or_else(|| Self::$rest(text.to_owned()))
            }
        }

        $crate::choice! { @serde $name [$($variant)*] text Some(Self::$rest(text.to_owned())) }
    };
    (@serde $name:ident [$($variant:ident)*] $text:ident $other:expr) => {
        impl choice::Choice for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),*];

            fn text(&self) -> &str {
                self.as_str()
            }

            fn other($text: &str) -> Option<Self> {
                $other
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
                choice::read(source)
            }
        }
    };
}

/// The documented value with this text, if any.
pub fn named<T: Choice>(text: &str) -> Option<T> {
    T::ALL.iter().find(|value| value.text() == text).cloned()
}

/// Reads a value.
///
/// # Errors
/// The value is not a text, or a closed enumeration does not list it.
pub fn read<'de, T: Choice, D: Deserializer<'de>>(source: D) -> Result<T, D::Error> {
    source.deserialize_str(Text(PhantomData))
}

struct Text<T>(PhantomData<T>);

impl<T: Choice> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        named(text).or_else(|| T::other(text)).ok_or_else(|| {
            let known: Vec<_> = T::ALL
                .iter()
                .map(|value| format!("`{}`", value.text()))
                .collect();
            let expected = match known.as_slice() {
                [] => {
                    return E::custom(format_args!(
                        "unknown variant `{text}`, there are no variants"
                    ));
                }
                [one] => one.clone(),
                [one, other] => format!("{one} or {other}"),
                many => format!("one of {}", many.join(", ")),
            };
            E::custom(format_args!(
                "unknown variant `{text}`, expected {expected}"
            ))
        })
    }
}
