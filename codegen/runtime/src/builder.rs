//! Builders of structures with required properties.
//!
//! A builder has a type parameter for each required property: [`Missing`] until the property has a
//! value, then [`Given`]. `build` asks for [`Value`] of each, so that a forgotten property is an error
//! of the compiler.

/// A required property that has no value yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Missing;

/// A required property with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given<T>(T);

impl<T> Given<T> {
    /// The property with this value.
    pub const fn new(value: T) -> Self {
        Self(value)
    }
}

/// A required property that has its value.
#[diagnostic::on_unimplemented(
    message = "a required property has no value yet",
    label = "a property is missing",
    note = "the bound below names the property: `TAmount` is set by `.amount(…)`"
)]
pub trait Value<T> {
    /// The value.
    fn value(self) -> T;
}

impl<T> Value<T> for Given<T> {
    fn value(self) -> T {
        self.0
    }
}

/// The methods that set the optional properties of a structure.
///
/// A row has the name on the wire, the method, the field, and how the argument becomes a value:
/// `into` converts it, `plain` takes it as it is, `made` takes a function that makes a nested value.
#[doc(hidden)]
#[macro_export]
macro_rules! setters {
    ($name:ident { $($wire:literal => $method:ident $field:ident $mode:ident [$($ty:tt)*];)* }) => {
        impl $name {
            $($crate::setter! { $wire $method $field $mode [$($ty)*] })*
        }
    };
}

/// One of the methods of `setters!`.
#[doc(hidden)]
#[macro_export]
macro_rules! setter {
    ($wire:literal $method:ident $field:ident into [$ty:ty]) => {
        #[doc = concat!("Sets `", $wire, "`.")]
        #[must_use]
        pub fn $method(mut self, $field: impl Into<$ty>) -> Self {
            let value: $ty = $field.into();
            self.$field = value.into();
            self
        }
    };
    ($wire:literal $method:ident $field:ident plain [$ty:ty]) => {
        #[doc = concat!("Sets `", $wire, "`.")]
        #[must_use]
        pub fn $method(mut self, $field: $ty) -> Self {
            self.$field = $field.into();
            self
        }
    };
    ($wire:literal $method:ident $field:ident made [$ty:ty, $begin:ty, $made:ty, $start:path]) => {
        #[doc = concat!("Makes `", $wire, "` in place.")]
        #[must_use]
        pub fn $method(mut self, make: impl FnOnce($begin) -> $made) -> Self {
            let value: $ty = make($start()).into();
            self.$field = value.into();
            self
        }
    };
}

/// The builder of a structure: for each required property its field, its type parameter, its type,
/// and its methods as in `setters!`; then the fields that have no value at first.
#[doc(hidden)]
#[macro_export]
macro_rules! builder {
    ($name:ident $builder:ident {
        $($field:ident $param:ident [$held:ty] $methods:tt)*
    } absent { $($absent:ident)* }) => {
        #[doc = concat!("Makes a [`", stringify!($name), "`] of its required properties.")]
        #[derive(Clone, Debug)]
        #[must_use = "a builder makes nothing until `build`"]
        pub struct $builder<$($param = builder::Missing),*> {
            $($field: $param,)*
        }

        impl $name {
            /// Begins a value: each required property has a method, and `build` ends it.
            pub fn builder() -> $builder {
                $builder { $($field: builder::Missing,)* }
            }
        }

        impl<$($param),*> $builder<$($param),*> {
            /// The value. This compiles once each required property has one.
            pub fn build(self) -> $name
            where
                $($param: builder::Value<$held>),*
            {
                $name {
                    $($field: self.$field.value(),)*
                    $($absent: Default::default(),)*
                }
            }
        }

        $crate::builder_steps! { $builder [] $($field $param [$held] $methods)* }
    };
}

/// For each required property, the methods that give it a value.
#[doc(hidden)]
#[macro_export]
macro_rules! builder_steps {
    ($builder:ident [$($before:ident $given:ident)*]) => {};
    ($builder:ident [$($before:ident $given:ident)*]
        $field:ident $param:ident [$held:ty] $methods:tt
        $($after:ident $open:ident [$later:ty] $others:tt)*
    ) => {
        impl<$($given,)* $($open,)*> $builder<$($given,)* builder::Missing, $($open,)*> {
            $crate::builder_methods! {
                $field $methods
                ($builder [$($given,)* builder::Given<$held>, $($open,)*]
                    self { $($before)* $($after)* })
            }
        }

        $crate::builder_steps! {
            $builder [$($before $given)* $field $param] $($after $open [$later] $others)*
        }
    };
}

/// The methods that give one required property a value.
#[doc(hidden)]
#[macro_export]
macro_rules! builder_methods {
    ($field:ident { $($wire:literal => $method:ident $mode:ident $ty:tt;)* } $builder:tt) => {
        $($crate::builder_method! { $wire $method $field $mode $ty $builder })*
    };
}

/// One of the methods of `builder_methods!`.
#[doc(hidden)]
#[macro_export]
macro_rules! builder_method {
    ($wire:literal $method:ident $field:ident into [$ty:ty]
        ($builder:ident [$($param:ty,)*] $this:ident { $($other:ident)* })) => {
        #[doc = concat!("Sets `", $wire, "`, which is required.")]
        pub fn $method($this, $field: impl Into<$ty>) -> $builder<$($param),*> {
            $builder { $field: builder::Given::new($field.into()), $($other: $this.$other,)* }
        }
    };
    ($wire:literal $method:ident $field:ident plain [$ty:ty]
        ($builder:ident [$($param:ty,)*] $this:ident { $($other:ident)* })) => {
        #[doc = concat!("Sets `", $wire, "`, which is required.")]
        pub fn $method($this, $field: $ty) -> $builder<$($param),*> {
            $builder { $field: builder::Given::new($field), $($other: $this.$other,)* }
        }
    };
    ($wire:literal $method:ident $field:ident made [$ty:ty, $begin:ty, $made:ty, $start:path]
        ($builder:ident [$($param:ty,)*] $this:ident { $($other:ident)* })) => {
        #[doc = concat!("Makes `", $wire, "` in place.")]
        pub fn $method($this, make: impl FnOnce($begin) -> $made) -> $builder<$($param),*> {
            $builder {
                $field: builder::Given::new(make($start()).into()),
                $($other: $this.$other,)*
            }
        }
    };
}
