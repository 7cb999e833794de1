//! Records whose fields may all be absent.

/// Declares a record of optional fields, which a row holds as an object without the absent ones.
///
/// The names of the members are those of the fields in camel case, unless `rename_all` says otherwise.
macro_rules! optional {
    (
        $(#[$about:meta])*
        $visibility:vis struct $name:ident in $case:literal {
            $($(#[$field_about:meta])* $field:ident: $kind:ty,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(default, rename_all = $case)]
        $visibility struct $name {
            $(
                $(#[$field_about])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<$kind>,
            )*
        }
    };
}

pub(super) use optional;
